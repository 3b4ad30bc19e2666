package scene

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// movers returns the dynamic bodies of a scene.
func movers(in *Instance) (all []quarry.Body) {
	for b := range in.World.Bodies() {
		if b.Type() == quarry.Dynamic {
			all = append(all, b)
		}
	}
	return all
}

// TestGroundGhost: over tiles the ball is on the ground in every step, all the way; over
// one box per tile it is not, as the scene shows.
func TestGroundGhost(t *testing.T) {
	in := groundGhost.New()
	b, above := movers(in)[0], movers(in)[1]
	lift, thrown := 0.0, 0.0
	for b.Position().X < ghostCells-1 && in.World.StepCount() < 300 {
		in.Step()
		lift = max(lift, math.Abs(b.Position().Y-ghostRadius))
		thrown = max(thrown, above.Position().Y-ghostLane-ghostRadius)
		n := 0
		for _, c := range in.World.AppendContacts(nil) {
			if c.Ground == 0 {
				continue
			}
			if n++; c.N != 1 || c.Normal != geom.V(0, 1) || c.Points[0].NormalImpulse == 0 {
				t.Fatalf("step %d, at %v: contact %+v", in.World.StepCount(), b.Position(), c)
			}
		}
		if n != 1 {
			t.Fatalf("step %d, at %v: %d contacts", in.World.StepCount(), b.Position(), n)
		}
	}
	if lift > 5e-4 || b.Position().X < ghostCells-1 {
		t.Errorf("left the ground by %v, came to %v", lift, b.Position())
	}
	t.Logf("off the ground by at most %.1e, over a box a tile by %.1f; speed at the end %.2f, spin %.1f", lift, thrown,
		b.Velocity().X, b.AngularVelocity())
}

// TestWedges: nothing that falls into notches stays in the ground, is pushed into
// it, or is shot out.
func TestWedges(t *testing.T) {
	in := wedges.New()
	fastest := 0.0
	var p pushes
	for range 600 {
		p.step(t, in)
		for b := range in.World.Bodies() {
			fastest = max(fastest, b.Velocity().Len())
		}
	}
	for b := range in.World.Bodies() {
		for g := range in.World.Grounds() {
			if b.Type() == quarry.Dynamic && (g.Solid(b.CenterOfMass()) || b.Position().Y < 0) {
				t.Errorf("in the ground at %v", b.Position())
			}
		}
	}
	if fastest > 16 { // a fall of ten cells gives 14
		t.Errorf("as fast as %v", fastest)
	}
	t.Logf("%d points with load, %d wrong, %d out of solid; the fastest at %.1f", p.points, p.bad, p.outs, fastest)
}

// TestCliffEdge: every slider, at every speed and from every offset, deep or not,
// goes off the cliff of tiles as it came: nothing slows it there, and before its
// middle is past the edge nothing turns it.
func TestCliffEdge(t *testing.T) {
	const edge = 10
	for _, s := range Sliders() {
		for _, speed := range []float64{0.7, 9.7, 40, 200} {
			for k := range 10 {
				for _, deep := range []float64{0, 0.0025, 0.02} {
					name := fmt.Sprintf("%s at %v from %v, %v deep", s.Name, speed, k, deep)
					in := cliff.New()
					w := in.World
					for _, b := range movers(in) {
						w.RemoveBody(b.ID())
					}
					id := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Velocity: geom.V(speed, 0),
						Position: geom.V(edge-0.9-min(speed*dt, 8)*float64(k)/10, s.Rest-deep),
					})
					m := w.AddMaterial(quarry.Material{})
					w.AddShape(id, s.Shape, quarry.ShapeDef{Material: m})
					b, _ := w.Body(id)
					for b.Position().X < edge+2 && b.Position().Y > 0 && w.StepCount() < 200 {
						x := b.Position().X
						in.Step()
						if v := b.Velocity(); v.X < speed-1e-5*max(1, speed) {
							t.Fatalf("%s: slowed to %v at %v", name, v, b.Position())
						}
						if x < edge && b.Position().X < edge && math.Abs(b.AngularVelocity()) > 2*deep*60+0.01 {
							t.Fatalf("%s: spin %v at %v", name, b.AngularVelocity(), b.Position())
						}
					}
				}
			}
		}
	}
}
