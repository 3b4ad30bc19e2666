package joint_test

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"pgregory.net/rapid"
)

// TestPins: pins, which kernels solve eight at a time, move their bodies as the code for all joints does, which solves
// one at a time, but for roundings. Forces are the same, too. (Pins come before other joints where impacts are looked
// for; so worlds with both begin at rest.)
func TestPins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		others := rapid.Bool().Draw(t, "others")
		w := heap(t, 10, false, func() joint.Joint {
			if others && rapid.IntRange(0, 3).Draw(t, "other") == 0 {
				return passive(t)
			}
			return joint.Joint{}
		})
		if others {
			w.trim()
			for i := range w.bodies {
				w.bodies[i].v, w.bodies[i].spin = geom.Vec{}, 0
			}
		}
		other := *w
		other.scalar = true
		other.s = solve.Solver{MaxSpeed: 400, PushSpeed: 3, BounceSpeed: 1, PushRate: 6.2}
		other.bodies = append([]body(nil), w.bodies...)
		other.joints = append([]link(nil), w.joints...)
		other.islands, other.contacts = state.Islands{}, nil
		for i := range 3 {
			w.step()
			other.step()
			for k := range w.bodies {
				p, q := &w.bodies[k], &other.bodies[k]
				if d := max(p.at.Dist(q.at), p.v.Dist(q.v)/60, p.rot.Apply(p.at).Dist(q.rot.Apply(p.at))); d > 1e-4 {
					t.Fatalf("step %d: body %d is off by %v", i, k, d)
				}
			}
			for k := range w.joints {
				p, q := &w.joints[k].did, &other.joints[k].did
				d := max(p.ForceX-q.ForceX, q.ForceX-p.ForceX, p.ForceY-q.ForceY, q.ForceY-p.ForceY)
				if size := 100 + max(q.ForceX, -q.ForceX, q.ForceY, -q.ForceY); d > 1e-2*size {
					t.Fatalf("step %d: joint %d: force %v, one at a time %v", i, k, *p, *q)
				}
			}
		}
	})
}
