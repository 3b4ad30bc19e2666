//go:build !js

package sandbox

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// spoil makes every change of a world panic: a step of it panics.
func spoil(w *quarry.World) {
	for _, x := range []float64{0, 0.1} {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 9)})
		w.AddShape(b, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Flags: quarry.AskFilter})
	}
	w.SetCustomFilter(func(a, b quarry.Side) bool { panic("no answer") })
	defer func() { recover() }()
	w.Step(1.0 / 60)
}

// unbuilt is a scene that cannot be built.
var unbuilt = scene.Scene{
	Name: "unbuilt", Doc: "A scene that fails.", View: geom.Box(geom.V(-10, -10), geom.V(10, 10)),
	Build: func(*quarry.World) *scene.Instance { panic("no plan") },
}

// A scene that panics stops its world only: all clients are told the step, the reason and the place, also those that
// come later; commands are refused; and another scene runs. (The process ended.)
func TestSceneThatPanics(t *testing.T) {
	var log logged
	addr := serve(t, Config{Scenes: []scene.Scene{failing, pit}, Log: log.add})
	p, other := dial(t, addr), dial(t, addr)
	const why = "the world has stopped: step 5 failed: the scene is broken (phone_e2e_test.go:"
	told := func(p *peer) func() bool {
		return func() bool {
			return p.stopped && len(p.errors) > 0 && strings.Contains(p.errors[len(p.errors)-1], why)
		}
	}
	p.until("the end of the world", told(p))
	other.until("the end of the world", told(other))
	late := dial(t, addr)
	late.until("the end of the world", told(late))
	if p.step != 4 || len(p.moving()) != 1 || late.hello.Scene != "failing" {
		t.Errorf("step %v, %d bodies shown, the scene of who came late is %q", p.step, len(p.moving()),
			late.hello.Scene)
	}
	for _, m := range []string{
		`{"do":"add","kind":"box"}`, `{"do":"step"}`, `{"do":"resume"}`, `{"do":"erase","cells":[0,-1]}`,
		`{"do":"grab","y":0.5}`,
		`{"do":"dig","radius":1,"all":true}`,
	} {
		n := len(p.errors)
		p.send(m)
		p.until("a refusal of "+m, func() bool {
			return len(p.errors) > n && strings.Contains(p.errors[n], "has stopped")
		})
	}
	p.send(`{"do":"release"}`)
	if log.count("scene failing stopped: step 5 failed") != 1 {
		t.Errorf("log %q", log.lines)
	}
	p.send(`{"do":"reset"}`)
	p.until("the end of the next world", func() bool { return p.hellos == 2 && told(p)() && p.step == 4 })
	other.send(`{"do":"scene","name":"pit"}`)
	for _, p := range []*peer{p, other, late} {
		p.until("another world", func() bool {
			return p.hello.Scene == "pit" && !p.stopped && p.step > 5 && len(p.moving()) == 1
		})
	}
}

// A command that panics stops the world, too, whichever it is; all clients are told, and the next world runs.
func TestCommandThatPanics(t *testing.T) {
	for _, m := range []play.Command{
		{Do: "add", Kind: "box", Size: 1, Y: 5},
		{Do: "add", Kind: "tiles", Size: 1, Y: 5},
		{Do: "remove", Y: 0.5},
		{Do: "through", Y: 0.5},
		{Do: "paint", Shape: 1, Cells: []int32{0, 5}},
		{Do: "erase", Cells: []int32{0, -1}},
		{Do: "dig", Radius: 1},
		{Do: "build", Radius: 1},
		{Do: "breaks", All: true},
		{Do: "grab", Y: 0.5},
		{Do: "join", Kind: "weld", Y0: 0.5, X1: 5, Y1: 5},
		{Do: "step"},
	} {
		s := newSim(pit)
		a, b := newClient(), newClient()
		s.clients = append(s.clients, a, b)
		a.idle.Store(false) // the errors stay where the test reads them
		b.idle.Store(false)
		spoil(s.Engine())
		a.inbox <- request{command: Command{Command: m, N: 1}}
		s.tick()
		s.tick()
		for i, c := range s.clients {
			text := strings.Join(c.errors, "; ")
			if !strings.HasPrefix(text, "the world has stopped: ") ||
				!strings.Contains(text, "after a Step that panicked") {
				t.Errorf("%+v: client %d is told %q", m, i, c.errors)
			}
		}
		b.inbox <- request{command: Command{Command: play.Command{Do: "reset"}}}
		s.starts.rested = time.Time{}
		s.ticks(t, "another world", func() bool { return s.epoch == 2 && s.Stopped() == "" })
		if err := s.order(b, Command{Command: play.Command{Do: "remove", Y: 0.5}}); err != nil {
			t.Error(err)
		}
	}
}

// A command of the sandbox itself that panics, or any other part of the loop, stops the world, too, and neither the
// process nor the loop. ("rewind" ended the process.)
func TestLoopThatPanics(t *testing.T) {
	for want, spoilt := range map[string]func(s *sim){
		"the command rewind failed: ": func(s *sim) {
			s.pause()
			spoil(s.Engine())
			s.clients[0].inbox <- request{command: Command{Command: play.Command{Do: "rewind"}, N: 1}}
		},
		"the loop failed: ": func(s *sim) { s.reel.frames = []*moment{nil} },
	} {
		s := newSim(pit)
		s.resume()
		a, b := newClient(), newClient()
		s.clients = append(s.clients, a, b)
		a.idle.Store(false) // the errors stay where the test reads them
		b.idle.Store(false)
		for range 2 * reelEvery {
			s.guarded(s.tick)
		}
		spoilt(s)
		for range reelEvery + 1 {
			s.guarded(s.tick)
		}
		for i, c := range s.clients {
			if text := strings.Join(c.errors, "; "); !strings.HasPrefix(text, "the world has stopped: "+want) {
				t.Errorf("%q: client %d is told %q", want, i, c.errors)
			}
		}
		b.inbox <- request{command: Command{Command: play.Command{Do: "reset"}}}
		s.starts.rested = time.Time{}
		s.ticks(t, "another world", func() bool { return s.epoch == 2 && s.Stopped() == "" })
	}
}

// A request that panics is refused, and stops a world without a log; a host reads its world from the log again. A
// world whose building panics beside the loop is refused. The server goes on.
func TestRequestThatPanics(t *testing.T) {
	w := newSim(pit)
	w.build(newClient(), Command{}, func() (host.Input, error) { panic("no plan") })
	if b := <-w.starts.built; b.err == nil || !strings.Contains(b.err.Error(), "the world cannot be built: no plan") {
		t.Error(b.err)
	}
	if w.try("a request", func() { panic("no answer") }) ||
		!strings.HasPrefix(w.Stopped(), "a request failed: no answer (stop_test.go:") {
		t.Errorf("stopped %q", w.Stopped())
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := New(Config{Scenes: []scene.Scene{pit}})
	go s.Run(ctx)
	for range 2 {
		if err := s.call(ctx, func(*sim) { panic("no answer") }); err == nil {
			t.Error("a request that panicked has no error")
		}
		if err := s.call(ctx, func(*sim) {}); err != nil {
			t.Errorf("the next request: %v", err)
		}
	}
	cancel()
	<-s.done
}

// A panic while a world is read for a client stops it, too.
func TestReadingThatPanics(t *testing.T) {
	s := newSim(pit)
	a := newClient()
	s.clients = append(s.clients, a)
	s.look()
	s.roster.entries = nil // so that the roster's index is wrong
	s.looked = 0
	s.tick()
	s.tick()
	if s.Stopped() == "" || !strings.Contains(s.Stopped(), "reading the world failed") {
		t.Errorf("stopped: %q", s.Stopped())
	}
	b := <-a.outbox
	if kind := b.bytes[0]; kind != msgError {
		t.Errorf("the first message is of type %d, want an error", kind)
	}
}

// A scene that cannot be built is refused, and the world before goes on; as the first scene it is a world that has
// stopped.
func TestSceneThatCannotBeBuilt(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{pit, unbuilt}}))
	p.send(`{"do":"scene","name":"unbuilt"}`)
	p.until("a refusal", func() bool { return len(p.errors) == 1 })
	if !strings.Contains(p.errors[0], "scene: unbuilt cannot be built: no plan") {
		t.Errorf("told %q", p.errors)
	}
	from := p.step
	p.until("steps", func() bool { return p.step > from+5 })
	if p.hellos != 1 || p.stopped {
		t.Errorf("%d worlds, stopped %v", p.hellos, p.stopped)
	}
	p = dial(t, serve(t, Config{Scenes: []scene.Scene{unbuilt, pit}}))
	p.until("the end of the world", func() bool { return p.stopped && len(p.errors) == 1 })
	if !strings.HasPrefix(p.errors[0], "the world has stopped: scene: unbuilt cannot be built: no plan") {
		t.Errorf("told %q", p.errors)
	}
	p.send(`{"do":"scene","name":"pit"}`)
	p.until("another world", func() bool { return p.hello.Scene == "pit" && p.step > 5 })
}

// The server ends while a step goes on, however long that takes. (It waited for the step.)
func TestEndDuringALongStep(t *testing.T) {
	steps, goOn := make(chan bool, 1), make(chan bool)
	defer close(goOn)
	stuck := pit
	stuck.Build = func(w *quarry.World) *scene.Instance {
		in := pit.Build(w)
		in.BeforeStep = func(int) {
			steps <- true
			<-goOn
		}
		return in
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		s := New(Config{Scenes: []scene.Scene{stuck}})
		ended <- s.ListenAndServe(ctx, "127.0.0.1:0", func(a string) { ready <- a })
	}()
	addr := <-ready
	<-steps
	p := dial(t, addr) // who waits for the step does not keep the server, either
	go p.conn.Read(ctx)
	began := time.Now()
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
		t.Logf("the end took %v", time.Since(began)) // 0.4 s
	case <-time.After(patience):
		t.Fatal("the server waits for the step")
	}
}
