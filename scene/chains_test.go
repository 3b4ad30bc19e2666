package scene

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// TestChainsHold: nothing gets out of the ring that turns, into the island, through the
// hills or out of the basin; some bodies go over the open end; and bodies on the belt
// ride off its end.
func TestChainsHold(t *testing.T) {
	in := chains.New()
	w := in.World
	rider := put(w, geom.V(27, 3.3), geom.NewBox(0.3, 0.3), 0)
	was := map[quarry.BodyID]geom.Vec{}
	inRing := map[quarry.BodyID]bool{}
	all := movers(in)
	for _, b := range all {
		was[b.ID()] = b.Position()
		inRing[b.ID()] = b.Position().Dist(ringAt) < ringRadius
	}
	for range chains.Steps {
		in.Step()
		for _, b := range all {
			p, old := b.Position(), was[b.ID()]
			was[b.ID()] = p
			switch d := p.Sub(islandAt); {
			case inRing[b.ID()]:
				if p.Dist(ringAt) > ringRadius {
					t.Fatalf("step %d: out of the ring at %v", w.StepCount(), p)
				}
			case d.Len() < islandEdge(geom.Atan2(d.Y, d.X))-0.05:
				t.Fatalf("step %d: in the island at %v", w.StepCount(), p)
			case p.X > hillsWide || p.X < basinLeft || p.Y < basinLow:
				t.Fatalf("step %d: out at %v", w.StepCount(), p)
			case old.X > 0 && p.X > 0 && old.Y > hillHeight(old.X) && p.Y < hillHeight(p.X)-0.01:
				t.Fatalf("step %d: through the hills from %v to %v", w.StepCount(), old, p)
			}
		}
		if b, _ := w.Body(rider); w.StepCount() == 120 && b.Position().X < 30 {
			t.Errorf("the belt brings a box to %v in 2 s", b.Position())
		}
	}
	ring, down := 0, 0
	for _, b := range all {
		if inRing[b.ID()] {
			ring++
		}
		if b.Position().Y < basinLow+4 {
			down++
		}
	}
	t.Logf("%d in the ring, %d went over the open end", ring, down)
	if ring != 60 || down < 6 {
		t.Error("the scene does not show what it says")
	}
}
