//go:build !js

package sandbox

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/quarry2d/quarry/scene"
)

// logged collects the lines of a server's log.
type logged struct {
	mu    sync.Mutex
	lines []string
}

func (l *logged) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

func (l *logged) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, line := range l.lines {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

// await waits for something to become true.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for began := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatal("waited in vain for ", what)
		}
	}
}

// A 65th client takes the place of the client that was silent longest; clients that have
// just sent a message stay. (64 silent clients used to lock out the next for ever.)
func TestIdleClientsMakeRoom(t *testing.T) {
	var log logged
	s := New(Config{Scenes: []scene.Scene{bare}, Paused: true, Log: log.add})
	s.clients.silence = time.Hour
	s.pings = pings{every: time.Hour, within: time.Hour} // which the idle ones do not answer
	addr := serveOn(t, s)
	var idle []*peer
	for range maxClients {
		p := dial(t, addr)
		p.until("the world", func() bool { return p.frames > 0 })
		await(t, "its acknowledgement", func() bool { // the last that is heard of it
			s.clients.mu.Lock()
			defer s.clients.mu.Unlock()
			return s.clients.list[len(idle)].acked.Load() == p.seq
		})
		idle = append(idle, p)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, answer, err := websocket.Dial(ctx, "ws://"+addr+"/ws", nil)
	if err == nil || answer == nil || answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a client too many: %v, %v", answer, err)
	}
	if log.count("refused: the sandbox has 64 connections") != 1 {
		t.Errorf("log %q", log.lines)
	}
	s.clients.mu.Lock()
	s.clients.silence = 0
	s.clients.mu.Unlock()
	next := dial(t, addr)
	next.until("the world", func() bool { return next.frames > 0 })
	for err = nil; err == nil; {
		err = idle[0].read(ctx)
	}
	if websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
		t.Errorf("the first: %v, want it closed to try again later", err)
	}
	if log.count("dropped: it was silent longest") != 1 {
		t.Errorf("log %q", log.lines)
	}
	idle[1].send(`{"do":"step"}`)
	idle[1].until("a step", func() bool { return idle[1].step == 1 })
}

// A client that does not answer pings is cut off, and the log says why; a client that
// answers stays, though it sends nothing else.
func TestPings(t *testing.T) {
	// Where the machine runs something else for so long, the client that answers is late, too; then there is more time.
	for within := 500 * time.Millisecond; ; within *= 4 {
		err := pinged(t, within)
		if err == nil {
			return
		}
		if t.Log(err); within > 20*time.Second {
			t.Fatal("who answers is cut off, too")
		}
	}
}

// pinged waits until a client that does not answer pings within that time is cut off, and returns an error if one that
// answers was, too.
func pinged(t *testing.T, within time.Duration) error {
	var log logged
	s := New(Config{Scenes: []scene.Scene{bare}, Paused: true, Log: log.add})
	s.pings = pings{every: 20 * time.Millisecond, within: within}
	addr := serveOn(t, s)
	well := dial(t, addr)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	gone := make(chan error, 1)
	go func() {
		for {
			if _, _, err := well.conn.Read(ctx); err != nil {
				gone <- err
				return
			}
		}
	}()
	dead, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer dead.Close()
	fmt.Fprintf(dead, "GET /ws HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: "+
		"websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", addr)
	told := fmt.Sprintf("dropped: it did not answer a ping within %v", within)
	await(t, "the end of who does not answer", func() bool {
		return log.count(dead.LocalAddr().String()+" "+told) == 1
	})
	select {
	case err := <-gone:
		return fmt.Errorf("within %v: %w", within, err)
	default:
	}
	if n := log.count(told); n != 1 {
		return fmt.Errorf("within %v: %d clients were cut off", within, n)
	}
	return nil
}

// A client that answers pings is alive, though it sends nothing else: the clients that do not
// answer make room first. (A client that only watched a paused world made room first.)
func TestPongsAreSignsOfLife(t *testing.T) {
	s := New(Config{Scenes: []scene.Scene{bare}, Paused: true})
	s.pings = pings{every: 20 * time.Millisecond, within: time.Hour}
	s.clients.silence = 0
	addr := serveOn(t, s)
	watcher := dial(t, addr)
	go func() {
		for {
			if _, _, err := watcher.conn.Read(context.Background()); err != nil {
				return
			}
		}
	}()
	for range maxClients - 1 {
		dial(t, addr) // and read nothing
	}
	s.clients.mu.Lock()
	list := slices.Clone(s.clients.list)
	s.clients.mu.Unlock()
	latest := list[maxClients-1].heard.Load()
	await(t, "a pong of the watcher", func() bool { return list[0].heard.Load() > latest })
	dial(t, addr)
	s.clients.mu.Lock()
	defer s.clients.mu.Unlock()
	if !slices.Contains(s.clients.list, list[0]) || slices.Contains(s.clients.list, list[1]) {
		t.Error("the watcher was cut off, and not a client that answers no pings")
	}
}

// However often connections are refused, the log has few lines, and says how many are
// missing.
func TestRefusalsAreFew(t *testing.T) {
	var log logged
	r := refusals{write: log.add}
	began := time.Now()
	for range 1000 {
		r.tell("somebody", "refused", "there is no room")
	}
	if n, most := len(log.lines), refusalBurst+1+refusalRate*int(time.Since(began).Seconds()); n < refusalBurst ||
		n > most {
		t.Errorf("%d lines, at most %d in that time", n, most)
	}
	r.lines.last = r.lines.last.Add(-5 * time.Second)
	r.tell("another", "refused", "a reason")
	missed := 0
	for _, line := range log.lines {
		n := 0
		if _, more, ok := strings.Cut(line, " (and "); ok {
			if _, err := fmt.Sscanf(more, "%d more)", &n); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
		missed += n
	}
	if last := log.lines[len(log.lines)-1]; !strings.HasPrefix(last, "another refused: a reason (and ") ||
		missed != 1001-len(log.lines) {
		t.Errorf("%q: the lines tell of %d that are missing, want %d", last, missed, 1001-len(log.lines))
	}
	(&refusals{}).tell("somebody", "refused", "nobody is told")
}

// The log says why another origin and another name for this host are refused.
func TestRefusalsSayWhy(t *testing.T) {
	var log logged
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	s := New(Config{Scenes: []scene.Scene{bare}, Log: log.add})
	go func() { ended <- s.ListenAndServe(ctx, "127.0.0.1:0", func(a string) { ready <- a }) }()
	addr := <-ready
	_, _, err := websocket.Dial(ctx, "ws://"+addr+"/ws",
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://elsewhere.example"}}})
	if err == nil || log.count("elsewhere.example") != 1 {
		t.Errorf("%v, log %q", err, log.lines)
	}
	request, _ := http.NewRequest("GET", "http://"+addr+"/", nil)
	request.Host = "rebound.example"
	if answer, err := http.DefaultClient.Do(request); err != nil {
		t.Error(err)
	} else {
		answer.Body.Close()
	}
	if log.count("rebound.example") != 1 || log.count("localhost only") != 1 {
		t.Errorf("log %q", log.lines)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Silent connections lock out no other: the oldest is closed for a new one.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	var log logged
	s := New(Config{Scenes: []scene.Scene{bare}, Log: log.add})
	go func() { ended <- s.ListenAndServe(ctx, "127.0.0.1:0", func(a string) { ready <- a }) }()
	addr := <-ready
	told := fmt.Sprintf(" dropped: it is the oldest of %d connections", maxConns)
	var silent []net.Conn
	began := time.Now()
	for log.count(told) == 0 {
		if len(silent) > 4*maxConns {
			t.Fatalf("none of %d connections was closed", len(silent))
		}
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if silent = append(silent, c); len(silent) > maxConns {
			time.Sleep(100 * time.Millisecond) // until it is accepted
		}
	}
	oldest := 0
	if time.Since(began) > headerTimeout { // which may have ended some
		oldest = slices.IndexFunc(silent, func(c net.Conn) bool { return log.count(c.LocalAddr().String()+told) > 0 })
	}
	if log.count(silent[oldest].LocalAddr().String()+told) != 1 {
		t.Errorf("the oldest is %v; log %q", silent[oldest].LocalAddr(), log.lines)
	}
	silent[oldest].SetReadDeadline(time.Now().Add(patience))
	if _, err := silent[oldest].Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("the oldest: %v, want it closed", err)
	}
	p := dial(t, addr)
	p.until("steps", func() bool { return p.step > 0 })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A half-sent request delays the end of the server only briefly, and is no error.
func TestEndWithHalfRequest(t *testing.T) {
	// 0.3 s; in one of some runs where the machine is busy.
	for try := 1; ; try++ {
		d := endWithHalfRequest(t)
		if d <= 2*time.Second {
			return
		}
		if t.Logf("the end took %v", d); try == 5 {
			t.Fatal("each time")
		}
	}
}

// endWithHalfRequest returns how long a server with a half-sent request takes to end.
func endWithHalfRequest(t *testing.T) time.Duration {
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	s := New(Config{Scenes: []scene.Scene{bare}})
	go func() { ended <- s.ListenAndServe(ctx, "127.0.0.1:0", func(a string) { ready <- a }) }()
	c, err := net.Dial("tcp", <-ready)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("GET / HTTP/1.1\r\nHost: local")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	began := time.Now()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return time.Since(began)
}
