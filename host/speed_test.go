package host

import (
	"testing"
	"time"
)

// The speed of a world is part of it: the next owner goes on with it, and so does the replay.
func TestSpeed(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(2 * time.Second)
	pace := func(want uint64) {
		t.Helper()
		w, ok := p.h.World("w")
		if !ok {
			t.Fatal("it does not run")
		}
		before := w.Steps()
		s.runTo(s.now + time.Second)
		if n := w.Steps() - before; n < want-want/10-2 || n > want+2 {
			t.Errorf("%d steps in a second at speed %v, want %d", n, w.Speed(), want)
		}
	}
	for speed, want := range map[int]uint64{4 * NormalSpeed: 240, 2: 7, 24: 90, 1: 4, NormalSpeed: 60} {
		a := s.give(t, p, "w", Input{Op: Speed, N: speed})
		if s.runTo(s.now + 400*time.Millisecond); a.Code != Applied { // the next step of a slow world
			t.Fatalf("%+v", a)
		}
		pace(want)
	}
	a := s.give(t, p, "w", Input{Op: Speed, N: 40})
	s.runTo(s.now + 5*time.Second) // a snapshot has it
	w, _ := p.h.World("w")
	before, at := w.Steps(), s.now
	if a.Code != Applied {
		t.Fatalf("%+v", a)
	}
	p.kill()
	p.start(Config{})
	s.runTo(s.now + 2*simLease)
	pace(150)
	w, _ = p.h.World("w")
	if n, want := w.Steps()-before, uint64((s.now-at).Seconds()*150); n < want*8/10 || n > want+20 {
		t.Errorf("%d steps over a takeover, want about %d", n, want)
	}
	s.verify(t, "w")
	for _, n := range []int{0, -1, MaxSpeed + 1} {
		in := Input{Op: Speed, N: n}
		if in.Check() == nil {
			t.Errorf("speed %d was accepted", n)
		}
	}
}
