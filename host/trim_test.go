package host

import (
	"slices"
	"testing"
	"time"
)

// A log has the records since the snapshot before the last, and no more however long the world runs. The world goes on
// from there, and the replay of what is left comes to the same hashes. Nobody goes on from an older snapshot.
func TestTrim(t *testing.T) {
	s := calmSim(t, 1, "w")
	p, log := s.hosts[0], s.logs["w"]
	p.start(Config{})
	var late uint64 // the number of an early snapshot, which comes late once more
	var lateBytes []byte
	for i := range 40 {
		s.runTo(s.now + time.Second)
		for n, b := range log.snapshots {
			if i == 5 && n > late {
				late, lateBytes = n, slices.Clone(b)
			}
		}
		s.give(t, p, "w", Input{Op: Do, Command: ball(float64(i%9) - 4)})
	}
	s.runTo(s.now + 10*time.Second) // a world without inputs
	if n := len(log.records) - log.base; n > 10 || len(log.snapshots) > 2 || log.base < 40 {
		t.Errorf("%d records of %d and %d snapshots are left", n, len(log.records), len(log.snapshots))
	}
	if v := s.verify(t, "w"); v.From == 0 || v.Hashes < 3 || v.Snapshots != 2 || v.Steps < v.From+100 {
		t.Errorf("verified %+v", v)
	}
	restart := func() int {
		p.kill()
		p.start(Config{})
		s.runTo(s.now + 2*time.Second)
		if w, ok := p.h.World("w"); ok {
			return w.Play().Engine().Stats().Bodies
		}
		return 0
	}
	if n := restart(); n != 42 {
		t.Errorf("%d bodies", n)
	}
	s.runTo(s.now + 5*time.Second)
	for _, b := range log.snapshots {
		b[len(b)/2] ^= 1
	}
	log.snapshots[late] = lateBytes
	if n := restart(); n != 0 || p.h.Stats().Failures == 0 {
		t.Errorf("%d bodies of a snapshot whose records were dropped", n)
	}
	if _, err := Verify(ctx, simLog{p}, "w", findScene, Seen{}); err == nil {
		t.Error("it was verified")
	}
}

// With Whole all records stay, and no more snapshots than without.
func TestWhole(t *testing.T) {
	s := calmSim(t, 1, "w")
	s.hosts[0].start(Config{Whole: true})
	for i := range 12 {
		s.runTo(s.now + time.Second)
		s.give(t, s.hosts[0], "w", Input{Op: Do, Command: ball(float64(i))})
	}
	if v := s.verify(t, "w"); v.From != 0 || v.Snapshots != 2 || s.logs["w"].base != 0 {
		t.Errorf("verified %+v", v)
	}
}

// A world that is handed over makes no step after its last snapshot, with which the next owner goes on, and does not
// wait for its log to be trimmed.
func TestNoStepAfterLastSnapshot(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(3 * time.Second)
	w, _ := p.h.World("w")
	s.give(t, p, "w", Input{Op: Do, Command: ball(2)})
	p.h.spawn = func(io, done func()) { // a slow log
		io()
		s.after(100*time.Millisecond, func() { p.when(p.life, done) })
	}
	s.runTo(s.now + 400*time.Millisecond)
	trims := s.logs["w"].trims
	w.leave.Store(true)
	s.runTo(s.now + 400*time.Millisecond)
	_, b, err := simLog{p}.Kept(ctx, "w", 1<<60)
	if err != nil {
		t.Fatal(err)
	}
	last, err := restore(b, findScene)
	if err != nil || !last.final || last.step != w.Steps() {
		t.Errorf("%v; the last snapshot is of step %d, and the world is at step %d", err, last.step, w.Steps())
	}
	if n := s.logs["w"].trims; n != trims {
		t.Errorf("the log was trimmed %d times, before the last snapshot %d times", n, trims)
	}
}
