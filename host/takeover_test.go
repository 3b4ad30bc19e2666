package host

import (
	"fmt"
	"testing"
	"time"
)

// A host that is killed loses its worlds to others after a lease; each goes on from its last snapshot, at a step that
// nobody has seen yet.
func TestTakeover(t *testing.T) {
	s := calmSim(t, 2, "w")
	for _, p := range s.hosts {
		p.start(Config{})
	}
	var last Frame
	back := 0
	s.views["w"] = func(b []byte) {
		f, _ := DecodeFrame("w", b)
		if f.Step < last.Step {
			back++
		}
		if newer(f, last) {
			last = f
		}
	}
	s.runTo(5 * time.Second)
	old, other := s.hosts[0], s.hosts[1]
	if _, ok := old.h.World("w"); !ok {
		old, other = other, old
	}
	old.kill()
	s.runTo(5*time.Second + 3*simLease)
	w, ok := other.h.World("w")
	if !ok || w.Epoch() < 2 || back > 0 {
		t.Fatalf("taken over: %t, %d frames went back", ok, back)
	}
	if want := uint64(s.now.Seconds() * 60); w.Steps() < want-10 || w.Steps() > want+10 {
		t.Errorf("step %d, want about %d", w.Steps(), want)
	}
	if v := s.verify(t, "w"); v.Snapshots == 0 {
		t.Errorf("verified %+v", v)
	}
}

// A silent host is deposed when a lease is over, wherever that falls between two beats of the others.
func TestDeposedAfterALease(t *testing.T) {
	for late := range 8 {
		s := calmSim(t, 2, "w")
		old, other := s.hosts[0], s.hosts[1]
		old.start(Config{})
		s.runTo(simLease/8 + time.Duration(late)*simLease/32)
		other.start(Config{})
		s.runTo(2 * time.Second)
		old.kill()
		s.runTo(s.now + simLease/2) // its last renewal has been seen
		heard := other.h.peers[old.name]
		due := s.now + heard.changed + simLease - other.h.clock.mono()
		s.runTo(due + 10*time.Millisecond)
		if heard.State != finished {
			t.Errorf("%d: the host was not deposed a lease after its last renewal", late)
		}
	}
}

// Many worlds are taken over one after another: the end of a takeover begins the next one, without a hint or a beat.
func TestTakeoversFollowOneAnother(t *testing.T) {
	var names []string
	for i := range 4 * maxEngage {
		names = append(names, fmt.Sprint("w", i))
	}
	s := calmSim(t, 1, names...)
	s.mute = true
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(simLease/4 - tick)
	if n := p.h.Stats().Worlds; n != len(names) {
		t.Errorf("%d worlds of %d before the second beat", n, len(names))
	}
}

// A drain hands all worlds over within a fraction of a lease, and the process ends without any.
func TestDrain(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	s := calmSim(t, 2, names...)
	for _, p := range s.hosts {
		p.start(Config{})
	}
	longest, last := map[string]time.Duration{}, map[string]time.Duration{}
	for _, name := range names {
		s.views[name] = func([]byte) {
			if before, ok := last[name]; ok {
				longest[name] = max(longest[name], s.now-before)
			}
			last[name] = s.now
		}
	}
	s.runTo(5 * time.Second) // worlds have been shared out
	clear(longest)
	n := s.hosts[0].h.Stats().Worlds
	if n == 0 || n == len(names) {
		t.Fatalf("%d worlds of %d", n, len(names))
	}
	s.hosts[0].drain()
	s.runTo(5*time.Second + simLease)
	if s.hosts[0].up || s.hosts[1].h.Stats().Worlds != len(names) {
		t.Fatalf("the host is up: %t; the other has %d worlds", s.hosts[0].up, s.hosts[1].h.Stats().Worlds)
	}
	s.runTo(6 * time.Second)
	for _, name := range names {
		if longest[name] > 250*time.Millisecond {
			t.Errorf("world %s had no frames for %v", name, longest[name])
		}
		if v := s.verify(t, name); v.Snapshots == 0 {
			t.Errorf("world %s: verified %+v", name, v)
		}
	}
}

// A host that drains gives up no more worlds than the others take: the rest go on meanwhile.
func TestDrainWaitsForTakers(t *testing.T) {
	var names []string
	for i := range 5 * maxHanding {
		names = append(names, fmt.Sprint("w", i))
	}
	s := calmSim(t, 2, names...)
	old, other := s.hosts[0], s.hosts[1]
	old.start(Config{})
	s.runTo(2 * time.Second)
	other.start(Config{})
	s.runTo(2*time.Second + simLease)
	n := old.h.Stats().Worlds
	old.drain()
	other.stopped = s.now + simLease*3/4
	s.runTo(other.stopped - 1)
	if left := old.h.Stats().Worlds; left != n-maxHanding || n != len(names) {
		t.Errorf("%d worlds of %d run while nobody takes them", left, n)
	}
	s.runTo(other.stopped + 2*simLease)
	if m := other.h.Stats().Worlds; old.up || m != len(names) {
		t.Errorf("the host is up: %t; the other has %d worlds", old.up, m)
	}
}

// A host does not take a world again while it gives up that world's entry, however often it looks meanwhile.
func TestReleaseIsNoFailedTakeover(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(2 * time.Second)
	w, _ := p.h.World("w")
	s.slow = 20 * time.Millisecond
	w.leave.Store(true)
	for end, seen := s.now+time.Second, false; !seen || len(p.h.releasing) > 0; s.runTo(s.now + time.Millisecond) {
		seen = seen || len(p.h.releasing) > 0
		p.h.Look()
		if s.now > end || seen && p.h.taking["w"] {
			t.Fatalf("the entry was given up: %t; the world is taken meanwhile: %t", seen, p.h.taking["w"])
		}
	}
}
