//go:build unix

package sandbox

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// rush opens a raw connection that sends frames and then ends: at once with reset, or else in order, as the socket of a
// program that has ended. It returns false if the server refused it.
func rush(addr string, frames []byte, reset bool) bool {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return false
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /ws HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", addr)
	answer := make([]byte, 16)
	conn.SetReadDeadline(time.Now().Add(patience))
	if _, err := conn.Read(answer); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 101") {
		return false
	}
	conn.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)) // until the buffers are full
	conn.Write(frames)
	if reset {
		conn.(*net.TCPConn).SetLinger(0)
	}
	return true
}

// A connection that ends leaves no goroutine and no command, though its reader waits at a full queue, and there are
// never more than maxClients. (The reader did not see the end. After an attack of 25 s the world was reset for an hour;
// after ten minutes there were 1,183 goroutines.)
func TestConnectionsLeaveNothing(t *testing.T) {
	var log logged
	s := New(Config{Scenes: []scene.Scene{pit}, Log: log.add})
	s.clients.silence = 0 // each makes room for the next
	addr := serveOn(t, s)
	p := dial(t, addr)
	p.until("the world", func() bool { return p.frames > 0 })
	before := runtime.NumGoroutine()
	most := 0
	look := func() {
		s.clients.mu.Lock()
		defer s.clients.mu.Unlock()
		most = max(most, len(s.clients.list))
	}
	frames := slices.Concat(
		manyFrames(textFrame(`{"do":"reset"}`)),
		textFrame(`{"do":"paint","shape":1,"cells":[`+cellsOf(1, play.MaxCells)+`]}`),
		manyFrames(textFrame(`{"do":"reset"}`)))
	taken, hellos := 0, 0
	for i := range 3 * maxClients {
		if rush(addr, frames, i%2 == 0) {
			taken++
		}
		look()
	}
	if taken < 2*maxClients || most > maxClients {
		t.Errorf("%d of %d connections were taken, at most %d at a time; the limit is %d", taken, 3*maxClients, most,
			maxClients)
	}
	await(t, "the end of all connections", func() bool {
		s.clients.mu.Lock()
		defer s.clients.mu.Unlock()
		return len(s.clients.list) <= 1
	})
	await(t, "the end of their goroutines", func() bool { return runtime.NumGoroutine() <= before })
	// An honest client that comes now sees a world that nobody resets.
	q := dial(t, addr)
	q.until("the world", func() bool { return q.frames > 0 })
	hellos = q.hellos
	from := q.step
	q.until("two seconds of steps", func() bool { return q.step >= from+120 || q.step < from })
	if q.hellos > hellos {
		t.Errorf("the world was reset %d times after the connections had ended", q.hellos-hellos)
	}
}

// A client that ends a connection whose commands wait for a long start drops them, and its drag and its stroke end.
func TestEndDropsCommands(t *testing.T) {
	s := newSim(pit)
	_ = s.Do(0, play.Command{Do: "breaks", All: true})
	c := newClient()
	s.clients = append(s.clients, c)
	for _, m := range []play.Command{{Do: "grab", Y: 0.5}, {
		Do: "dig", X0: 5, X1: 5, Y0: -1, Y1: -1, Radius: 0.2,
		Hold: true,
	}} {
		if err := s.order(c, Command{Command: m}); err != nil {
			t.Fatal(err)
		}
	}
	bodies := s.Engine().Stats().Bodies
	for range inboxLength {
		c.inbox <- request{command: Command{Command: play.Command{Do: "remove", Y: 0.5}}}
	}
	if n := len(jointsOf(s)); n != 1 || held(s) != 1 {
		t.Fatalf("%d joints, %d strokes", n, held(s))
	}
	close(c.ending)
	s.tick()
	if n := len(jointsOf(s)); n != 0 || held(s) != 0 || len(s.clients) != 0 || s.Engine().Stats().Bodies != bodies {
		t.Errorf("after the end: %d joints, %d strokes, %d clients, %d bodies", n, held(s), len(s.clients),
			s.Engine().Stats().Bodies)
	}
}

// held returns the number of grounds that do not break during a stroke.
func held(s *sim) (n int) {
	for g := range s.Engine().Grounds() {
		if g.Whole() {
			n++
		}
	}
	return n
}

func jointsOf(s *sim) (all []int) {
	for range s.Engine().Joints() {
		all = append(all, 0)
	}
	return all
}

// A server that ends hangs up on all, and no goroutine stays.
func TestServerEndsAllGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	s := New(Config{Scenes: []scene.Scene{swarm}})
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- s.ListenAndServe(ctx, "127.0.0.1:0", func(a string) { ready <- a }) }()
	addr := <-ready
	for range 8 {
		p := dial(t, addr)
		p.until("the world", func() bool { return p.frames > 0 })
		defer p.conn.CloseNow()
	}
	rush(addr, manyFrames(textFrame(`{"do":"reset"}`)), false)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	// of the test's own timers
	await(t, "the end of all goroutines", func() bool { return runtime.NumGoroutine() <= before+8 })
}
