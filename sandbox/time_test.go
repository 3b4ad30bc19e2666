//go:build !js

package sandbox

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// A client undoes its own edits, as often as STATUS says, and does them again.
func TestUndoOverTheWire(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{pit}, Paused: true})
	a, b := dial(t, addr), dial(t, addr)
	a.send(`{"do":"paint","shape":1,"cells":[0,3,1,3,2,3],"hold":true}`)
	a.send(`{"do":"paint","shape":1,"cells":[3,3],"hold":true}`)
	a.send(`{"do":"release"}`)
	a.until("its edit", func() bool { return a.tiles() == 44 && a.status.Undo == 1 })
	b.send(`{"do":"erase","cells":[-10,-1]}`)
	a.until("the other's", func() bool { return a.tiles() == 43 })
	a.send(`{"do":"undo"}`)
	a.until("undo", func() bool { return a.tiles() == 39 && a.status.Undo == 0 && a.status.Redo == 1 })
	a.send(`{"do":"redo"}`)
	a.until("redo", func() bool { return a.tiles() == 43 && a.status.Undo == 1 && a.status.Redo == 0 })
	b.until("its own", func() bool { return b.tiles() == 43 && b.status.Undo == 1 })
}

// One "undo" of a large edit undoes all of it, in parts.
func TestUndoOfALargeEdit(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{bare}, Paused: true}))
	p.send(`{"do":"paint","shape":1,"cells":` + squareOfCells(40) + `,"hold":true}`)
	p.until("the edit", func() bool { return p.tiles() == 1600 && p.status.Undo == 1 })
	p.send(`{"do":"undo"}`)
	p.send(`{"do":"add","kind":"box"}`)
	p.until("its end", func() bool { return p.tiles() == 0 && len(p.moving()) == 1 })
	if len(p.errors) > 0 {
		t.Errorf("errors %q", p.errors)
	}
}

// The world goes back by seconds and forward again, and goes on from where it was left; an edit there ends the way
// forward.
func TestRewind(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{pit}}))
	p.send(`{"do":"add","kind":"circle","y":9}`)
	p.until("the body", func() bool { return len(p.moving()) == 2 })
	began := p.step
	p.until("its fall", func() bool { return p.step > began+90 })
	p.send(`{"do":"erase","cells":[-10,-1]}`)
	p.until("the hole", func() bool { return p.tiles() == 39 })
	p.send(`{"do":"pause"}`)
	p.until("a pause", func() bool { return p.paused })
	last := p.step
	if p.status.From > 20 {
		t.Errorf("the world can go back to step %d only", p.status.From)
	}
	p.send(`{"do":"rewind","n":20}`)
	p.until("the past", func() bool { return p.step <= 20 && p.tiles() == 40 })
	if !p.paused || p.status.To != int(last) {
		t.Errorf("paused %v, the way forward ends at %d, want %v", p.paused, p.status.To, last)
	}
	p.send(`{"do":"rewind","n":1000000}`)
	p.until("the present", func() bool { return p.step == last && p.tiles() == 39 })
	p.send(`{"do":"rewind","n":20}`)
	p.until("the past", func() bool { return p.step <= 20 && p.tiles() == 40 })
	p.send(`{"do":"paint","shape":1,"cells":[0,5]}`)
	p.until("another past", func() bool { return p.tiles() == 41 })
	p.send(`{"do":"rewind","n":1000000}`)
	p.send(`{"do":"step","n":1}`)
	p.until("no future", func() bool { return p.status.To <= 31 && p.step < 32 && p.step > 0 })
	if p.hellos != 1 {
		t.Errorf("the world was sent %d times", p.hellos)
	}
}

// The reel keeps 20 s, and no more states than its memory allows.
func TestReel(t *testing.T) {
	w, err := play.New(pit, 100)
	if err != nil {
		t.Fatal(err)
	}
	var r reel
	for range 3000 {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		r.look(w)
	}
	from, to := r.span(w)
	if from > 3000-pastSteps+60 || from < 3000-pastSteps-60 || to != 3000 {
		t.Errorf("from %d to %d", from, to)
	}
	if n := len(r.frames); n > pastSteps/reelEvery+2 || n < 20 {
		t.Errorf("%d states", n)
	}
	m, err := r.find(w, 2500)
	if err != nil {
		t.Fatal(err)
	}
	w.Rewind(&m.saved)
	r.went(w)
	if math.Abs(float64(w.Steps()-2500)) > 60 {
		t.Errorf("step %d, %v", w.Steps(), err)
	}
	if _, to := r.span(w); to != 3000 {
		t.Errorf("the way forward ends at %d", to)
	}
	if err := w.Step(); err != nil {
		t.Fatal(err)
	}
	r.look(w)
	if from, to := r.span(w); to != w.Steps() || from < 1700 {
		t.Errorf("after a step: %d to %d", from, to)
	}
}

// While the slider is dragged, the last place counts, and other commands stay in their order. (The owner takes the
// rewind and makes the steps, each later than its command: so the test waits for both.)
func TestLastRewind(t *testing.T) {
	s := newSim(bare)
	s.longStep = time.Hour
	s.resume()
	c := newClient()
	s.admit(c)
	give := func(text string) {
		m, err := DecodeCommand([]byte(text))
		c.inbox <- request{command: m, err: err}
	}
	for range 200 {
		s.tick()
	}
	for _, text := range []string{
		`{"do":"rewind","n":20}`,
		`{"do":"rewind","n":40}`,
		`{"do":"rewind","n":90}`,
		`{"do":"step","n":7}`,
		`{"do":"rewind","n":10}`,
		`{"do":"forget","name":"x"}`,
	} {
		give(text)
	}
	before := s.Steps()
	for n, want := range []int{90, 97, 10, 10} {
		c.used = 0
		s.obeyAll(-1)
		for ; s.starts.client != nil; time.Sleep(time.Millisecond) {
			s.finishStart()
		}
		for range 7 {
			s.follow()
		}
		if s.Steps() < want-reelEvery || s.Steps() > want || before < 190 {
			t.Errorf("after command %d: step %d, want %d", n, s.Steps(), want)
		}
	}
	if len(c.errors) != 1 || len(c.inbox) != 0 {
		t.Errorf("errors %q, %d commands left", c.errors, len(c.inbox))
	}
}

// A world of slow motion makes few steps, a fast one many.
func TestSpeed(t *testing.T) {
	s := newSim(bare)
	s.resume()
	for _, c := range []struct {
		rate  float64
		ticks int
		want  int
	}{{1, 32, 32}, {1.0 / 16, 32, 2}, {4, 32, 128}, {0.5, 32, 16}} {
		m := Command{Rate: c.rate, Command: play.Command{Do: "speed"}}
		if err := m.check(); err != nil {
			t.Fatal(err)
		}
		_ = give(s, nil, m)
		before := s.Steps()
		for range c.ticks {
			s.tick()
		}
		if n := s.Steps() - before; n > c.want || n < c.want*3/4 { // fewer where the machine is busy
			t.Errorf("rate %v: %d steps in %d ticks, want %d", c.rate, n, c.ticks, c.want)
		}
	}
	for _, rate := range []float64{0, -1, 5, 0.01, math.NaN(), math.Inf(1)} {
		m := Command{Rate: rate, Command: play.Command{Do: "speed"}}
		if m.check() == nil {
			t.Errorf("rate %v is accepted", rate)
		}
	}
}

// A scene says that everything is at rest, or that its edits are over, and begins again if it repeats.
func TestSceneRepeats(t *testing.T) {
	scripted := pit
	scripted.Name, scripted.Steps = "scripted", 100
	scripted.Build = func(w *quarry.World) *scene.Instance {
		in := pit.Build(w)
		in.BeforeStep = func(int) {}
		return in
	}
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{pit, scripted}}))
	p.until("rest", func() bool { return p.status.Rest == "rest" })
	p.send(`{"do":"scene","name":"scripted"}`)
	p.until("the end", func() bool { return p.hello.Scene == "scripted" && p.status.Rest == "over" })
	if p.step < 99 { // the FRAME of this STATUS follows
		t.Errorf("the scene is over at step %v", p.step)
	}
	p.send(`{"do":"repeat","all":true}`)
	p.until("a new start", func() bool { return p.hellos == 3 && p.step > 0 && p.step < 90 && p.status.Repeats })
	p.send(`{"do":"scene","name":"pit"}`)
	p.until("another scene", func() bool { return p.hello.Scene == "pit" && p.frames > 0 && !p.status.Repeats })
}

// squareOfCells lists the cells of a square.
func squareOfCells(side int) string {
	list := []string{}
	for y := range side {
		for x := range side {
			list = append(list, fmt.Sprintf("%d,%d", x, y))
		}
	}
	return "[" + strings.Join(list, ",") + "]"
}
