package host

import (
	"testing"
	"time"
)

// An input is applied and answered in the step in which it came, as soon as it is in the log, also in slow motion,
// where the next step is far; a log that is called without a goroutine has it at once.
func TestAnswerInTheStep(t *testing.T) {
	for _, quick := range []bool{false, true} {
		s := calmSim(t, 1, "w")
		p := s.hosts[0]
		p.start(Config{Quick: quick})
		s.runTo(time.Second)
		w, _ := p.h.World("w")
		slow := s.give(t, p, "w", Input{Op: Speed, N: 1})
		s.runTo(s.now + tick)
		if slow.Code != Applied {
			t.Fatalf("quick %t: %+v", quick, slow)
		}
		for before := w.Steps(); w.Steps() == before; { // until a step was made
			s.runTo(s.now + tick/8)
		}
		at := w.Steps()
		a := s.give(t, p, "w", Input{Op: Do, Command: ball(1)})
		if quick {
			w.Work()
		} else {
			s.runTo(s.now + tick)
		}
		if a.Code != Applied || a.Step != at || w.Steps() != at {
			t.Errorf("quick %t: answer %+v in step %d, given in step %d", quick, a, w.Steps(), at)
		}
		s.verify(t, "w")
	}
}

// A record that is under way when a step is due delays the step and does not cost it: with an input in each tick the
// world makes all steps, unless the log is slower than a tick.
func TestStepsBesideRecords(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(time.Second)
	w, _ := p.h.World("w")
	before, late := w.Steps(), 0
	for range 600 {
		a := s.give(t, p, "w", Input{Op: Do, Command: ball(float64(s.rnd.IntN(20) - 10))})
		s.runTo(s.now + tick/10 + 9*tick/10*time.Duration(s.rnd.IntN(1000))/1000)
		if a.Code == 0 && w.due {
			late++
		}
	}
	ticks := int(s.now.Seconds()*60+0.5) - 60
	if n := int(w.Steps() - before); n < ticks-2 || n > ticks || late < 20 || p.h.Stats().Stalls != 0 {
		t.Errorf("%d steps in %d ticks, %d of them late, %d stalls", n, ticks, late, p.h.Stats().Stalls)
	}
	s.verify(t, "w")
}

// The hash that a record carries is made between records, also where the log is slower than a tick and inputs are rarer
// than hashes. (A hash was made beside a record under way, without its inputs.)
func TestHashesBesideASlowLog(t *testing.T) {
	for _, slow := range []time.Duration{5 * time.Millisecond, 12 * time.Millisecond, 40 * time.Millisecond} {
		s := calmSim(t, 1, "w")
		p := s.hosts[0]
		p.start(Config{Whole: true, Snapshot: time.Minute})
		s.runTo(time.Second)
		s.slow = slow
		for range 20 {
			s.give(t, p, "w", Input{Op: Do, Command: ball(float64(s.rnd.IntN(20) - 10))})
			s.runTo(s.now + time.Second + time.Duration(s.rnd.IntN(1000))*time.Millisecond)
		}
		if v := s.verify(t, "w"); v.Hashes < 15 {
			t.Errorf("%+v", v)
		}
	}
}
