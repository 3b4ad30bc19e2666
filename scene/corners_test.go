package scene

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestStairs: bodies that go down the stairs are never pushed into the ground, gain no
// energy, and are never in it.
func TestStairs(t *testing.T) {
	in := stairs.New()
	var tops [64]float64
	climb(func(x, high int32, top gridseg.Tile) { tops[x] = float64(high) })
	var p pushes
	start, gained := energy(in.World), 0.0
	for range 900 {
		before := energy(in.World)
		p.step(t, in)
		gained = max(gained, energy(in.World)-before)
		for b := range in.World.Bodies() {
			c := b.CenterOfMass()
			if b.Type() == quarry.Dynamic && (c.X < 0 || c.X > 64 || c.Y < tops[int(c.X)]) {
				t.Fatalf("step %d: in the ground at %v", in.World.StepCount(), c)
			}
		}
	}
	st := in.World.Stats()
	t.Logf("%d points with load, %d wrong, %d out of solid; of the energy %.0f at most %.2g came in a step; %d of "+
		"%d bodies awake at the end", p.points, p.bad, p.outs, start, gained, st.Awake, st.Bodies)
	if gained > 1e-3*start {
		t.Errorf("%v of energy %v came in a step", gained, start)
	}
}

// TestPeaks: until its middle is over the peak, a body that comes up a slope keeps to the
// slope's line, its angle and its energy; beyond, it flies on with the same velocity.
func TestPeaks(t *testing.T) {
	in := peaks.New()
	type run struct {
		b      quarry.Body
		s      Slider
		p      peak
		y      float64
		energy float64
		over   bool
	}
	var runs []*run
	for i, b := range movers(in) {
		v := b.Velocity()
		runs = append(runs, &run{
			b: b, s: Sliders()[i/2], p: summits[i%2], y: float64(i / 2 * peakLane),
			energy: 0.5*v.Len2() + 10*b.Position().Y,
		})
	}
	if len(runs) != 8 {
		t.Fatalf("%d runs", len(runs))
	}
	var p pushes
	off, turned, lost := 0.0, 0.0, 0.0
	for range 60 {
		p.step(t, in)
		for _, r := range runs {
			if r.over {
				continue
			}
			along := geom.NewRot(r.p.angle)
			point := geom.V(float64(r.p.foot+r.p.wide), r.y+float64(r.p.high))
			at, v := along.Inv(r.b.Position().Sub(point)), along.Inv(r.b.Velocity())
			if at.X < 0 {
				off = max(off, math.Abs(at.Y-r.s.Rest))
				turned = max(turned, math.Abs(r.b.Rotation().Angle()-r.p.angle))
			}
			if at.X > -0.3 { // a step further on it is over the point
				if e := 0.5*v.Len2() + 10*r.b.Position().Y; math.Abs(e-r.energy)/r.energy > lost {
					lost = math.Abs(e-r.energy) / r.energy
				}
			}
			if at.X > 0.7 {
				r.over = true
				if spin := math.Abs(r.b.AngularVelocity()); spin > 0.7 { // gravity turns it on the way over the peak
					t.Errorf("%s over the peak of %v cells: spin %v", r.s.Name, r.p.wide, spin)
				}
			}
		}
	}
	for _, r := range runs {
		if !r.over {
			t.Errorf("%s is not over the peak of %v cells: at %v", r.s.Name, r.p.wide, r.b.Position())
		}
	}
	t.Logf("%d points with load, %d wrong, %d out of solid; off the slope's line by %.1e, turned by %.1e, energy "+
		"off by %.1e of itself", p.points, p.bad, p.outs, off, turned, lost)
	if off > 2*geom.LinearSlop || turned > 0.01 || lost > 1e-3 {
		t.Error("the peak was felt before the middle was over it")
	}
}
