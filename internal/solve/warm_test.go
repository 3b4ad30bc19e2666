package solve

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/internal/pool"

	"pgregory.net/rapid"
)

// TestShare: the share of a warm start has the energy of the slack and is the largest such.
func TestShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-100, 100).Draw(t, "x.v")
		bend := rapid.Float64Range(1e-3, 100).Draw(t, "x.Ax")
		slack := rapid.Float64Range(0, 1).Draw(t, "slack")
		energy := func(f float64) float64 { return f*x + f*f*bend/2 }
		if energy(1) <= slack {
			return
		}
		f := float64(share(energy(0.5), energy(1), slack))
		if f < 0 || f > 1 || energy(f) > slack+1e-4*(math.Abs(x)+bend) {
			t.Fatalf("share %v gives the energy %v, above the slack %v", f, energy(f), slack)
		}
		if g := f + 1e-3; g < 1 && energy(g) < slack-1e-4*(math.Abs(x)+bend) {
			t.Fatalf("share %v is not the largest: %v gives %v of %v", f, g, energy(g), slack)
		}
	})
}

// TestWarmStartGivesNoEnergy: a warm start with any impulses leaves no island with more
// energy than before and its slack, and leaves the others alone.
func TestWarmStartGivesNoEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		float := func(low, high float32, name string) float32 { return rapid.Float32Range(low, high).Draw(t, name) }
		var s listed
		s.Reset()
		s.MaxSpeed, s.PushSpeed, s.PushRate = 1000, 3, 6.2
		n := rapid.IntRange(1, 6).Draw(t, "bodies")
		for range n {
			inv := math.Pow(10, float64(float(-3, 1, "inverse mass")))
			s.Motions = append(s.Motions,
				Motion{C: 1, InvMass: inv, InvI: inv * float64(float(0.1, 5, "inverse inertia"))})
		}
		for range rapid.IntRange(1, 8).Draw(t, "contacts") {
			a, b := rapid.IntRange(0, n).Draw(t, "A"), rapid.IntRange(1, n).Draw(t, "B")
			if a == b {
				continue
			}
			angle := float64(float(0, 6.28, "angle"))
			c := Contact{
				A: int32(a), B: int32(b), NX: float32(math.Cos(angle)), NY: float32(math.Sin(angle)),
				N: int8(rapid.IntRange(1, 2).Draw(t, "points")),
			}
			for k := range c.Points[:c.N] {
				c.Points[k] = Point{
					NormalA: float(-1, 1, "arm"), NormalB: float(-1, 1, "arm"),
					TangentA: float(-1, 1, "arm"), TangentB: float(-1, 1, "arm"), Friction: 0.6,
					NormalImpulse: float(0, 10, "normal"), TangentImpulse: float(-5, 5, "tangent"),
				}
			}
			s.Contacts, s.Normals = append(s.Contacts, c), append(s.Normals, Normal{})
		}
		var in pool.UnionFind
		in.Reset(n + 1)
		for i := range s.Contacts {
			if c := &s.Contacts[i]; c.A > 0 {
				in.Join(c.A, c.B)
			}
		}
		s.Islands, s.IslandCount = in.AppendNumbers(nil)
		w := s.prepare()
		speeds := make([][3]float64, n+1)
		for i := range s.bodies[1:] {
			b := &s.bodies[i+1]
			b.vx, b.vy, b.w = float(-3, 3, "vx"), float(-3, 3, "vy"), float(-3, 3, "w")
		}
		energies := func() []float64 {
			all := make([]float64, len(s.islands))
			for i := range s.bodies[1:] {
				b := &s.bodies[i+1]
				speeds[i+1] = [3]float64{float64(b.vx), float64(b.vy), float64(b.w)}
				v := speeds[i+1]
				all[s.Islands[s.motionOf[i+1]]] += (v[0]*v[0]+v[1]*v[1])/float64(2*b.invMass) +
					v[2]*v[2]/float64(2*s.rareBodies[i+1].invI)
			}
			return all
		}
		before := energies()
		was := append([]Contact(nil), s.Contacts...)
		w.warmStart()
		for k, after := range energies() {
			// float32 rounds the sums of impulses up to 40 times their share.
			if limit := before[k] + s.islands[k].slack + 1e-3*(1+before[k]); after > limit {
				t.Fatalf("island %d: energy %v -> %v, above %v", k, before[k], after, limit)
			}
		}
		for i := range s.Contacts {
			u := &s.islands[s.contactIslands[i]]
			_, points, l := w.at(int32(i))
			if x, before := points[0].normal[l], was[i].Points[0].NormalImpulse; u.work <= u.slack && x != before {
				t.Fatalf("contact %d: %v of %v, although the island gained no energy", i, x, before)
			}
		}
	})
}
