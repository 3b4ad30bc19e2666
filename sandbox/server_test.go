//go:build !js

package sandbox

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// moving returns the bodies that have shapes and can move.
func (p *peer) moving() []*peerBody {
	var out []*peerBody
	for _, b := range p.bodies {
		if b.typ == 2 && b.placed {
			out = append(out, b)
		}
	}
	return out
}

func (p *peer) tiles() int {
	n := 0
	for _, c := range p.chunks {
		n += len(c.tiles)
	}
	return n
}

func (p *peer) segments() int {
	n := 0
	for _, c := range p.chunks {
		n += c.segments
	}
	return n
}

func TestConnectShowsTheWorld(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{pit, bare}, Paused: true}))
	p.until("the world", func() bool { return p.frames > 0 })
	if p.hello.Scene != "pit" || len(p.hello.Scenes) != 2 || p.hello.View != [4]float64{-12, -4, 12, 10} {
		t.Errorf("hello: %+v", p.hello)
	}
	if n := len(p.moving()); n != 1 {
		t.Fatalf("%d moving bodies, want 1", n)
	}
	if b := p.moving()[0]; b.at.Y != 0.5 || len(b.shapes) != 1 || len(b.shapes[0].points) != 4 || !b.awake {
		t.Errorf("the box: %+v", b)
	}
	// 20 x 2 blocks: 40 tiles, and 20 + 20 + 2 + 2 segments, all with ghosts.
	ghosts := 0
	for _, c := range p.chunks {
		ghosts += c.ghosts
	}
	if p.tiles() != 40 || p.segments() != 44 || ghosts != 44 {
		t.Errorf("%d tiles, %d segments, %d of them with ghosts; want 40, 44, 44", p.tiles(), p.segments(), ghosts)
	}
	if p.stats[5] != 44 || p.stats[6] != 40 {
		t.Errorf("stats: %v", p.stats)
	}
	if len(p.tables) != 1 || len(p.tables[0].Shapes) < 5 || p.tables[0].Shapes[0].ID != uint16(gridseg.Full) {
		t.Errorf("table of shapes: %+v", p.tables)
	}
}

func TestDigUnderBox(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{pit}, Paused: true}))
	p.send(`{"do":"step","n":60}`)
	p.until("60 steps", func() bool { return p.step == 60 })
	if y := p.moving()[0].at.Y; y < 0.48 || y > 0.51 {
		t.Fatalf("the box does not rest: y = %v", y)
	}
	p.send(`{"do":"erase","cells":[-1,-1,0,-1,-1,-2,0,-2]}`)
	p.until("the hole", func() bool { return p.tiles() == 36 })
	p.send(`{"do":"step","n":60}`)
	p.until("120 steps", func() bool { return p.step == 120 })
	if y := p.moving()[0].at.Y; y > -3 {
		t.Errorf("the box hangs above the hole: y = %v", y)
	}
	p.send(`{"do":"paint","cells":[-1,-1,0,-1],"shape":2,"turn":1,"material":1}`)
	p.until("the paint", func() bool { return p.tiles() == 38 })
	want := gridseg.Tile{Shape: gridseg.Ramp, Turn: 1, Material: 1}
	if got := p.chunks[gridseg.Cell{X: -32, Y: -32}].tiles[gridseg.Cell{X: -1, Y: -1}]; got != want {
		t.Errorf("painted %+v, want %+v", got, want)
	}
}

func TestAddRemoveReset(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{pit, bare}, Paused: true})
	p, other := dial(t, addr), dial(t, addr)
	for i, kind := range play.Kinds {
		p.send(fmt.Sprintf(`{"do":"add","kind":%q,"x":%d,"y":5,"size":0.9}`, kind, 2*i-6))
	}
	seen := func(p *peer, n int) func() bool { return func() bool { return len(p.moving()) == n } }
	p.until("the bodies", seen(p, 1+len(play.Kinds)))
	other.until("the bodies", seen(other, 1+len(play.Kinds)))
	p.send(`{"do":"remove","x":-6,"y":5}`)
	p.until("the removal", seen(p, len(play.Kinds)))
	p.send(`{"do":"remove","x":-6,"y":5}`)
	p.until("the error", func() bool { return len(p.errors) == 1 && strings.Contains(p.errors[0], "no body") })
	p.send(`{"do":"reset"}`)
	other.until("the reset", func() bool { return other.hellos == 2 && len(other.moving()) == 1 })
	if len(other.errors) != 0 {
		t.Errorf("errors told to the wrong client: %q", other.errors)
	}
	p.send(`{"do":"scene","name":"bare"}`)
	p.until("the scene", func() bool { return p.hello.Scene == "bare" && p.frames > 0 && len(p.moving()) == 0 })
	// A scene without ground gets one when it is painted.
	p.send(`{"do":"paint","cells":[3,4],"shape":1}`)
	p.until("the tile", func() bool { return p.tiles() == 1 })
}

func TestPauseResume(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{bare}}))
	p.until("steps", func() bool { return p.step > 3 })
	p.send(`{"do":"step"}`)
	p.until("the error", func() bool { return len(p.errors) == 1 && strings.Contains(p.errors[0], "running") })
	p.send(`{"do":"pause"}`)
	p.until("the pause", func() bool { return p.paused })
	at := p.step
	p.send(`{"do":"step","n":7}`)
	p.until("7 steps", func() bool { return p.step == at+7 })
	p.send(`{"do":"resume"}`)
	p.until("steps", func() bool { return !p.paused && p.step > at+10 })
}

func TestBadMessagesGetErrors(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{pit}, Paused: true, MaxBodies: 4}))
	for _, c := range append([][2]string{
		{`{"do":"paint","cells":[0,0],"shape":999}`, "paint"},
		{`{"do":"paint","cells":[0,0],"shape":1,"ground":7}`, "no ground 7"},
		{`{"do":"erase","cells":[0,0],"ground":4000000000}`, "no ground"},
		{`{"do":"scene","name":"atlantis"}`, "atlantis"},
	}, badCommands...) {
		if len(c[0]) > MaxMessage {
			continue
		}
		before := len(p.errors)
		p.send(c[0])
		p.until("an error for "+c[0][:min(60, len(c[0]))], func() bool { return len(p.errors) > before })
		if got := p.errors[before]; !strings.Contains(got, c[1]) {
			t.Errorf("%.60q: %q, want it to hold %q", c[0], got, c[1])
		}
	}
	for range 6 {
		p.send(`{"do":"add","kind":"box","y":6}`)
	}
	p.until("a full world", func() bool { return strings.Contains(p.errors[len(p.errors)-1], "the world is full") })

	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	before := len(p.errors)
	if err := p.conn.Write(ctx, websocket.MessageBinary, []byte{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	p.until("an error", func() bool {
		return len(p.errors) > before && strings.Contains(p.errors[len(p.errors)-1], "binary")
	})

	p.send(strings.Repeat(" ", MaxMessage+1))
	for err := error(nil); ; {
		if err = p.read(ctx); err != nil {
			if websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
				t.Errorf("a message that is too long: %v, want close status %v", err, websocket.StatusMessageTooBig)
			}
			break
		}
	}
}

func TestFloodOfBadMessagesIsCutOff(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{bare}, Paused: true})
	p := dial(t, addr)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	go func() {
		for range 3 * maxBad {
			if p.conn.Write(ctx, websocket.MessageText, []byte("?")) != nil {
				return
			}
		}
	}()
	for {
		if err := p.read(ctx); err != nil {
			if websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
				t.Errorf("%v, want close status %v", err, websocket.StatusPolicyViolation)
			}
			break
		}
	}
	if n := len(p.errors); n > maxBad {
		t.Errorf("%d errors told", n)
	}
	q := dial(t, addr) // and others are served
	q.until("a frame", func() bool { return q.frames > 0 })
}

// Slow clients delay neither the world nor others: a client that acknowledges nothing,
// and a client that acknowledges without reading and lets its buffers fill.
func TestSlowClientStallsNobody(t *testing.T) {
	s := New(Config{Scenes: []scene.Scene{swarm}})
	s.longStep = time.Hour                               // of a step under the race detector
	s.pings = pings{every: time.Hour, within: time.Hour} // which the slow ones do not answer
	addr := serveOn(t, s)
	slow, liar, p := dial(t, addr), dial(t, addr), dial(t, addr)
	ctx, cancel := context.WithCancel(context.Background())
	lies := make(chan struct{})
	go func() {
		defer close(lies)
		for seq := 1; ; seq++ {
			m := fmt.Appendf(nil, `{"do":"ack","seq":%d}`, seq)
			if liar.conn.Write(ctx, websocket.MessageText, m) != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	defer func() { cancel(); <-lies }()
	p.until("steps", func() bool { return p.step > 0 })
	from, began := p.step, time.Now()
	p.until("two seconds' steps", func() bool { return p.step >= from+120 })
	// Less than one write to a client that takes nothing.
	if d := time.Since(began); d > writeTimeout*5/6 {
		t.Errorf("120 steps took %v", d)
	}
	// When the slow one reads at last it gets the few frames that were on
	// their way, and then the present.
	slow.until("the present", func() bool { return slow.step >= from+100 })
	if slow.frames > 2*maxUnacked {
		t.Errorf("the slow client got %d frames of %v steps", slow.frames, slow.step)
	}
}

func TestFarAwayIsExact(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{bare}, Paused: true}))
	p.until("the world", func() bool { return p.frames > 0 })
	p.send(`{"do":"view","x":10000000,"y":3}`)
	p.send(`{"do":"add","kind":"circle","x":10000000.25,"y":3.125}`)
	p.until("the body", func() bool { return len(p.moving()) == 1 })
	if at := p.moving()[0].at; at.X != 10000000.25 || at.Y != 3.125 {
		t.Errorf("drawn at %v", at)
	}
	// Looking elsewhere sends everything again, from there.
	p.send(`{"do":"view","x":0,"y":0}`)
	p.until("the new origin", func() bool { return p.origin.X == 0 })
}

func TestOtherOriginsAreRefused(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{bare}})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, answer, err := websocket.Dial(ctx, "ws://"+addr+"/ws",
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://elsewhere.example"}}})
	if err == nil || answer == nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("a foreign origin: %v, %v", answer, err)
	}
}

func TestListenAndServe(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	s := New(Config{Scenes: []scene.Scene{pit}})
	go func() { ended <- s.ListenAndServe(ctx, "127.0.0.1:0", func(a string) { ready <- a }) }()
	addr := <-ready
	p := dial(t, addr)
	p.until("steps", func() bool { return p.step > 0 })

	answer, err := http.Get("http://" + addr + "/")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != 200 || !strings.Contains(string(body), "<canvas") ||
		answer.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("the page: %v %v", answer.Status, err)
	}
	request, _ := http.NewRequest("GET", "http://"+addr+"/", nil)
	request.Host = "rebound.example"
	if answer, err = http.DefaultClient.Do(request); err != nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("another name for this host: %v, %v", answer, err)
	}
	answer.Body.Close()

	err = New(Config{Scenes: []scene.Scene{pit}}).ListenAndServe(ctx, addr, nil)
	if err == nil || !strings.Contains(err.Error(), addr+" is in use") || !strings.Contains(err.Error(), "--addr") {
		t.Errorf("a taken port: %v", err)
	}
	if err := New(Config{Scenes: []scene.Scene{pit}}).ListenAndServe(ctx, "nonsense", nil); err == nil ||
		!strings.Contains(err.Error(), "--addr") {
		t.Errorf("a bad address: %v", err)
	}

	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("after the end: %v", err)
		}
	case <-time.After(patience):
		t.Fatal("ListenAndServe does not end")
	}
	end, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	for err == nil || websocket.CloseStatus(err) != websocket.StatusGoingAway {
		if err = p.read(end); err != nil && websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Fatalf("the connection: %v, want it closed as going away", err)
		}
	}
	if c, err := net.Dial("tcp", addr); err == nil {
		c.Close()
		t.Error("still listening")
	}
}

// Bodies that fall for ever are removed.
func TestFallenBodiesAreRemoved(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{bare}, Paused: true}))
	p.send(`{"do":"add","kind":"box"}`)
	p.until("the body", func() bool { return len(p.moving()) == 1 })
	p.send(`{"do":"step","n":1200}`)
	p.until("the end of its fall", func() bool { return p.step == 1200 })
	if n := len(p.moving()); n != 0 {
		t.Errorf("%d bodies still fall", n)
	}
}

// The ends of the range that commands may name do no harm.
func TestEndsOfTheWorld(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{pit}, Paused: true}))
	for _, x := range []int{-play.MaxCoordinate, play.MaxCoordinate} {
		for _, kind := range play.Kinds {
			p.send(fmt.Sprintf(`{"do":"add","kind":%q,"x":%d,"y":%d,"size":10,"angle":1000}`, kind, x, -x))
		}
		p.send(fmt.Sprintf(`{"do":"view","x":%d,"y":%d}`, x, x))
	}
	p.send(`{"do":"paint","shape":2,"turn":7,"layer":255,"material":65535,"cells":[2147483647,2147483647,-2147483648,-2147483648,1073741824,0,-1073741824,5]}`)
	p.send(`{"do":"erase","cells":[2147483647,2147483647,-2147483648,-2147483648]}`)
	p.send(`{"do":"step","n":10}`)
	p.until("the steps", func() bool { return p.step == 10 })
	t.Logf("%d bodies, %d tiles, errors %q", len(p.moving()), p.tiles(), p.errors)
}

// Edits that a scene makes itself are seen, too.
func TestSceneEditsAreSeen(t *testing.T) {
	dug := pit
	dug.Build = func(w *quarry.World) *scene.Instance {
		in := pit.Build(w)
		in.BeforeStep = func(step int) {
			for g := range in.World.Grounds() {
				if err := g.Clear(int32(step)-10, -1); err != nil {
					t.Error(err)
				}
			}
		}
		return in
	}
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{dug}, Paused: true}))
	p.until("the world", func() bool { return p.tiles() == 40 })
	p.send(`{"do":"step","n":15}`)
	p.until("the steps", func() bool { return p.step == 15 && p.tiles() == 25 })
	if p.segments() != int(p.stats[5]) {
		t.Errorf("%d segments shown, the world has %d", p.segments(), p.stats[5])
	}
}
