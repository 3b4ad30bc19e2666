package scene

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// TestJunctions: a level that is cut in the middle of its cells is felt no more than one
// that is not; an obstacle on the middle of a face stops bodies at its side, not before;
// and bodies leave an end, of solid tiles or of an open chain, with their velocity.
func TestJunctions(t *testing.T) {
	in := junctions.New()
	all := movers(in)
	var p pushes
	lift, spin, slowed := 0.0, 0.0, 0.0
	stopped := make([]geom.Vec, 4)
	for range 110 {
		var was [12]geom.Vec
		for i := range was {
			was[i] = all[i].Position()
		}
		p.step(t, in)
		for i := range was {
			s, y := Sliders()[i/3], float64(i/3*junctionLane)
			wide := s.Shape.Bounds(geom.At(geom.Vec{})).Size().X / 2
			end := []float64{teeWall - wide, endAt, chainAt}[i%3]
			if i%3 == 0 {
				switch i / 3 {
				case 1: // the post is thin
					end += 0.375
				case 2: // on slabs
					y += 0.5
				}
			}
			b := all[i]
			if b.Position().X < end-0.05 && was[i].X < end-0.05-junctionSpeed*dt {
				lift = max(lift, math.Abs(b.Position().Y-y-s.Rest))
				spin = max(spin, math.Abs(b.AngularVelocity()))
				slowed = max(slowed, math.Abs(b.Velocity().X-junctionSpeed))
			}
			if i%3 == 0 {
				stopped[i/3] = b.Position().Sub(geom.V(end, y+s.Rest))
			} else if was[i].X < end && b.Velocity().X < junctionSpeed-1e-6 {
				t.Fatalf("%s off the end at %v: slowed to %v at %v", s.Name, end, b.Velocity(), b.Position())
			}
		}
	}
	t.Logf("%d points with load, %d wrong, %d out of solid; lifted by %.1e, spin %.1e, speed off by %.1e on the way",
		p.points, p.bad, p.outs, lift, spin, slowed)
	if lift > geom.LinearSlop || spin > 0.01 || slowed > 1e-6 {
		t.Error("seams or ends are felt")
	}
	for i, d := range stopped {
		t.Logf("%-11s stopped at %v from where it should, with %v", Sliders()[i].Name, d, all[3*i].Velocity())
		if math.Abs(d.X) > 0.15 || math.Abs(d.Y) > 0.005 || all[3*i].Velocity().Len() > 0.2 {
			t.Errorf("%s is not stopped", Sliders()[i].Name)
		}
	}
}

// TestTips: a body that falls on the end of a platform, a little outside of its middle,
// rolls off or comes to lie on top; it is never pushed into anything, nor shot away.
func TestTips(t *testing.T) {
	in := junctions.New()
	all := movers(in)[12:]
	if len(all) != 18 {
		t.Fatalf("%d bodies", len(all))
	}
	var p pushes
	fastest := 0.0
	for range 600 {
		p.step(t, in)
		for _, b := range all {
			// A body that has fallen from the third place in a pile has this speed.
			if v := b.Velocity().Len2(); v > 1.05*20*(tipHigh+6-b.Position().Y)+1 {
				t.Fatalf("step %d: %v at %v", in.World.StepCount(), b.Velocity(), b.Position())
			}
			fastest = max(fastest, b.Velocity().Len())
			for g := range in.World.Grounds() {
				c := b.CenterOfMass()
				// A one-way tile is no place to be kept out of.
				if cell, _ := g.CellAt(c); g.Solid(c) &&
					in.World.Material(g.Material(g.Tile(cell.X, cell.Y))).OneWay == quarry.NotOneWay {
					t.Fatalf("step %d: in the ground at %v", in.World.StepCount(), c)
				}
			}
		}
	}
	down := 0
	for _, b := range all {
		if b.Position().Y < tipHigh-1 {
			down++
		}
	}
	t.Logf("%d points with load, %d wrong, %d out of solid; %d of %d fell past the ends, the fastest at %.1f", p.points,
		p.bad, p.outs, down, len(all), fastest)
	if down < len(all)/2 {
		t.Errorf("only %d fell past the ends", down)
	}
}
