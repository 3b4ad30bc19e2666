//go:build !js

package sandbox

import (
	"strings"
	"testing"
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
	var b budget
	for range 20 {
		b.stepped(50_000)
	}
	if err := b.add(100, 0); err != nil {
		t.Error(err)
	}
	if err := b.add(maxContacts, 0); err == nil {
		t.Error("as many again are taken")
	}
	if err := b.add(0, segmentsPerContact*maxContacts); err == nil {
		t.Error("any number of segments is taken")
	}
	b.stepped(50_000) // the new body has made no contact
	if err := b.add(maxContacts, 0); err != nil {
		t.Errorf("contacts that did not come still count: %v", err)
	}
}
