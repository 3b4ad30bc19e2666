//go:build !js

package sandbox

import (
	"strings"
	"testing"
	"time"
)

// Large bodies over many small ones are refused before a step takes long, with an error that
// names the limit. (Only bodies of like size used to count: 60 bodies of size 10 over 16,000
// of size 0.1 made millions of contacts.)
func TestLargeBodiesOverSmallAreRefused(t *testing.T) {
	s := newSim(bare)
	for i := range 4_000 {
		x, y := float64(i%64)*0.31, float64(i/64)*0.31
		if err := s.add(Command{Do: "add", Kind: "circle", X: x, Y: y, Size: 0.1}); err != nil {
			t.Fatal(err)
		}
	}
	if s.step(); s.in.World.Stats().Contacts != 0 {
		t.Fatalf("%d contacts of the small ones alone", s.in.World.Stats().Contacts)
	}
	refused := 0
	for i := range 60 {
		err := s.add(Command{Do: "add", Kind: "box", X: 5 + float64(i%10), Y: 5 + float64(i/10)/4, Size: 10})
		switch {
		case err == nil:
		case strings.Contains(err.Error(), "the limit is 16384"):
			refused++
		default:
			t.Fatal(err)
		}
		if i%20 == 0 {
			s.step() // contacts that exist already count, too
		}
	}
	s.step()
	st := s.in.World.Stats()
	t.Logf("%d of 60 refused, %d contacts, a step took %v", refused, st.Contacts, s.took)
	if refused < 30 || refused > 50 || st.Contacts > 3*maxContacts/2 {
		t.Errorf("%d of 60 refused, %d contacts", refused, st.Contacts)
	}
}

// Contacts of the scene's own bodies leave room for others.
func TestOwnContactsDoNotCount(t *testing.T) {
	var l load
	for range 20 {
		l.stepped(time.Millisecond, 50_000)
	}
	if err := l.add(100, 0, 1); err != nil {
		t.Error(err)
	}
	if err := l.add(maxContacts, 0, 1); err == nil {
		t.Error("as many again are taken")
	}
	if err := l.add(0, segmentsPerContact*maxContacts, 1); err == nil {
		t.Error("any number of segments is taken")
	}
	for range loadSteps {
		l.stepped(time.Millisecond, 50_000) // the scene's own contacts grow from 100
	}
	if err := l.add(maxContacts, 0, 1); err != nil {
		t.Errorf("contacts that have ended still count: %v", err)
	}
}

// No body is added to a world whose last steps all took long; a single slow step refuses
// none.
func TestBusyWorldIsNotAddedTo(t *testing.T) {
	var l load
	for range loadSteps - 1 {
		l.stepped(time.Second, 0)
	}
	if err := l.add(1, 1, 1); err != nil {
		t.Error(err)
	}
	l.stepped(time.Second, 0)
	if err := l.add(1, 1, 1); err == nil || !strings.Contains(err.Error(), "a step takes 1000 ms, the limit for additions is 40 ms") {
		t.Errorf("%v", err)
	}
}

// A world whose steps take long is paused while several clients are connected, they are told the
// limit, and it stays paused for pauseTime. A client alone may run it, and a single long step
// pauses none, nor do long steps of a small world. (Each answer waited for a step, however long it
// took.)
func TestLongStepsPauseASharedWorld(t *testing.T) {
	s := newSim(pit)
	a, b := newClient(""), newClient("")
	a.idle.Store(false) // the errors stay where the test reads them
	s.paused, s.clients = false, []*client{a}
	long := func(n int) {
		for range n {
			s.load.overrun(time.Second, smallWorld)
		}
	}
	long(20)
	if s.tick(); s.paused || s.done != 1 {
		t.Fatalf("one client: paused %v after %d steps", s.paused, s.done)
	}
	s.clients = append(s.clients, b)
	long(1)
	if s.tick(); s.paused || s.done != 2 {
		t.Fatalf("a single long step: paused %v after %d steps", s.paused, s.done)
	}
	for range 20 {
		s.load.overrun(time.Second, smallWorld-1)
	}
	if s.tick(); s.paused || s.done != 3 {
		t.Fatalf("long steps of a small world: paused %v after %d steps", s.paused, s.done)
	}
	long(2)
	if s.tick(); !s.paused || s.done != 3 || len(a.errors) != 1 || !strings.Contains(a.errors[0], "a step takes up to 1000 ms, the limit is 50 ms while several clients are connected") {
		t.Fatalf("paused %v after %d steps, told %q", s.paused, s.done, a.errors)
	}
	for _, do := range []string{"resume", "step"} {
		if err := s.do(a, Command{Do: do, N: 1}); err == nil || !strings.Contains(err.Error(), do+": a step takes up to 1000 ms") {
			t.Errorf("%s: %v", do, err)
		}
	}
	s.load.until = time.Time{} // as if time had passed
	if err := s.do(a, Command{Do: "step", N: 3}); err != nil {
		t.Error(err)
	}
	s.load.overrun(longStep+maxExcess/4, smallWorld)
	if s.tick(); s.pending != 0 || s.done != 3 {
		t.Errorf("after one more long step: %d steps wait, %d were made", s.pending, s.done)
	}
	s.clients = s.clients[:1]
	if err := s.do(a, Command{Do: "resume"}); err != nil {
		t.Error(err)
	}
	if s.tick(); s.paused || s.done != 4 {
		t.Errorf("alone again: paused %v after %d steps", s.paused, s.done)
	}
}
