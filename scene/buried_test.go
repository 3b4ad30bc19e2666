package scene

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// TestBlockIntoBody: all buried bodies get out slowly, except for one without a way out,
// which is reported once and stays in place.
func TestBlockIntoBody(t *testing.T) {
	in := blockIntoBody.New()
	w := in.World
	var crushed []quarry.BodyID
	fastest := 0.0
	for range blockIntoBody.Steps + 300 { // a ball rolls on for some seconds
		in.Step()
		crushed = append(crushed, w.Crushed()...)
		for b := range w.Bodies() {
			fastest = max(fastest, b.Velocity().Len())
		}
	}
	if len(crushed) != 1 {
		t.Fatalf("crushed: %v, want one", crushed)
	}
	g := onlyGround(t, w)
	for b := range w.Bodies() {
		if b.Type() != quarry.Dynamic {
			continue
		}
		p, in := b.CenterOfMass(), b.ID() == crushed[0]
		switch {
		case in && p.Dist(geom.V(58, -19.1)) > 0.01:
			t.Errorf("the crushed one went to %v", p)
		case in != g.Solid(p):
			t.Errorf("at %v: in solid: %v, crushed: %v", p, !in, in)
		case b.Awake():
			t.Errorf("at %v: still awake", p)
		}
	}
	t.Logf("the fastest: %.2f", fastest)
	if fastest > 8 {
		t.Errorf("something was as fast as %v", fastest)
	}
}

// onlyGround returns the ground of a world that has one.
func onlyGround(t *testing.T, w *quarry.World) quarry.Ground {
	t.Helper()
	for g := range w.Grounds() {
		return g
	}
	t.Fatal("no ground")
	return quarry.Ground{}
}
