package host

import (
	"testing"
	"time"

	"github.com/quarry2d/quarry/play"
)

// A scene that was built beforehand starts at once, and a world goes back to a state of its own without another world
// in its place, unless the state was filled again. The replay, which has the bytes alone, is the same.
func TestReady(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{Quick: true, Whole: true})
	s.runTo(time.Second)
	w, _ := p.h.World("w")
	give := func(in Input, err error) Answer {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var a Answer
		w.Do(in, func(got Answer) { a = got })
		w.Work()
		return a
	}
	r, err := w.Ready(Input{Op: Start, Scene: "bare"})
	if a := give(r, err); a.Code != Applied || w.Play() != r.Built() || w.Play().Scene().Name != "bare" {
		t.Errorf("a scene: %+v", a)
	}
	if _, err := w.Ready(Input{Op: Start, Scene: "none"}); err == nil {
		t.Error("a scene that there is not is ready")
	}
	s.give(t, p, "w", Input{Player: 3, Op: Do, Command: ball(1)})
	s.runTo(2 * time.Second)
	world, steps, hash := w.Play(), w.Play().Steps(), w.Play().Engine().Hash()
	var saved play.Saved
	world.Capture(&saved)
	s.give(t, p, "w", Input{Op: Do, Command: ball(3)})
	s.runTo(3 * time.Second)
	back := func() (Input, error) {
		pack, err := w.Back(&saved)
		if err != nil {
			t.Fatal(err)
		}
		return pack()
	}
	all := w.Steps()
	if a := give(back()); a.Code != Applied || w.Play() != world || world.Steps() != steps ||
		world.Engine().Hash() != hash || w.Steps() != all {
		t.Errorf("back: %+v, another world: %t, step %d, want %d; %d steps in all, were %d", a, w.Play() != world,
			world.Steps(), steps, w.Steps(), all)
	}
	s.runTo(4 * time.Second)
	r, err = back()
	s.give(t, p, "w", Input{Op: Do, Command: ball(5)})
	if a := give(r, err); a.Code != Applied || w.Play() != world || world.Engine().Hash() != hash {
		t.Errorf("back after a change: %+v, another world: %t", a, w.Play() != world)
	}
	s.runTo(5 * time.Second)
	r, err = back()
	world.Capture(&saved)
	if a := give(r, err); a.Code != Applied || w.Play() == world || w.Play().Engine().Hash() != hash {
		t.Errorf("back to a state that was filled again: %+v, another world: %t", a, w.Play() != world)
	}
	s.runTo(6 * time.Second)
	if v := s.verify(t, "w"); v.Hashes < 5 {
		t.Errorf("%+v", v)
	}
}
