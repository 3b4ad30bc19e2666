package surfaces_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// verdict is the judgement on a contact point with the ground.
type verdict int

const (
	square verdict = iota // along the normal of the surface there, or the shortest way off a corner
	tilted                // another normal, but out of the surface
	wrong                 // into the surface, or at a point without surface
)

// judge checks a contact point by the surface of g at its foot. The normal and the point are in the frame
// of g, the point where it was when the contact was found.
func judge(g quarry.Ground, normal, at geom.Vec, separation float64) verdict {
	foot := at.MulAdd(-0.5*separation, normal)
	x, y := int32(math.Floor(foot.X)), int32(math.Floor(foot.Y))
	best := wrong
	for _, s := range g.AppendSegments(nil, gridseg.Rect{MinX: x - 1, MinY: y - 1, MaxX: x + 1, MaxY: y + 1}) {
		a := geom.V(float64(s.A.X), float64(s.A.Y)).Mul(1.0 / gridseg.Unit)
		b := geom.V(float64(s.B.X), float64(s.B.Y)).Mul(1.0 / gridseg.Unit)
		n, _ := b.Sub(a).Right().Unit()
		if _, pa, pb := geom.Distance([]geom.Vec{a, b}, []geom.Vec{foot}); pa.Dist(pb) > 2e-6 {
			continue
		}
		if n.Dot(normal) > 1-1e-9 {
			return square
		}
		if n.Dot(normal) > -1e-9 {
			best = tilted
		}
	}
	const off = 1e-3 // some lattice steps, to which Solid rounds
	out := foot.MulAdd(off, normal)
	if near, ok := g.Grid().Nearest(out.X, out.Y, 1); ok && !g.Solid(g.Transform().Apply(out)) &&
		near.Distance > off*(1-1e-3) {
		return square
	}
	return best
}

// TestNothingPushesIntoSolid is law 2 of contact: bodies of all shapes, thrown at corners
// of all kinds, are never pushed into the surface that they touch, at rest and on each carrier.
func TestNothingPushesIntoSolid(t *testing.T) {
	seeds := 6
	if worldtest.Soak() {
		seeds = 200
	}
	for _, land := range worldtest.Lands() {
		t.Run(land.Name, func(t *testing.T) {
			var sum thrown
			for _, on := range worldtest.Carriers() {
				if on.Body.Type == quarry.Dynamic && land.Loose {
					continue
				}
				for seed := range seeds {
					sum.throw(t, on, land, seed)
				}
			}
			t.Logf("%d points with load, %d tilted, %d wrong", sum.points, sum.leans, sum.bad)
		})
	}
}

// thrown counts contact points under load, those with a tilted normal and those with a wrong one.
type thrown struct{ points, leans, bad int }

// throw throws twelve bodies at a land on a carrier, and judges the contact points of three seconds.
func (sum *thrown) throw(t *testing.T, on worldtest.Carrier, land worldtest.Land, seed int) {
	w := on.NewSite()
	g := w.AddGround(t)
	land.Lay(t, g)
	r := worldtest.Random(seed)
	all := worldtest.Sliders()
	bodies := map[quarry.ShapeID]quarry.Body{}
	for range 12 {
		size := 0.1 * math.Pow(40, r.Float(0, 1))
		s, _ := all[r.Next()%uint64(len(all))].Shape(size)
		id := w.World.AddBody(w.Def(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(r.Float(-16, 16), r.Float(9, 16)), Angle: r.Float(-3, 3),
			Velocity: geom.V(r.Float(-20, 20), r.Float(-30, 0)), AngularVelocity: r.Float(-5, 5),
		}))
		b, _ := w.Body(id)
		bodies[w.AddShape(id, s, quarry.ShapeDef{Category: 2, Mask: 1})] = b
	}
	middle := func(b quarry.Body) geom.Vec { return w.Carrier.LocalPoint(b.CenterOfMass()) }
	var contacts []quarry.Contact
	for step := range 180 {
		was := map[quarry.ShapeID]geom.Vec{}
		for id, b := range bodies {
			was[id] = middle(b)
		}
		w.Step(worldtest.DT)
		contacts = w.AppendContacts(contacts[:0])
		for i := range contacts {
			c := &contacts[i]
			b := bodies[c.ShapeB]
			moved, normal := middle(b).Sub(was[c.ShapeB]), w.Carrier.LocalVector(c.Normal)
			for k := range c.N {
				p := &c.Points[k]
				if p.NormalImpulse == 0 || !b.Awake() || p.Point == b.CenterOfMass() {
					continue
				}
				sum.points++
				at := w.Carrier.LocalPoint(p.Point).Sub(moved)
				switch judge(g, normal, at, p.Separation) {
				case tilted:
					sum.leans++
				case wrong:
					if sum.bad++; sum.bad <= 5 {
						s, _ := w.Shape(c.ShapeB)
						t.Errorf("%s, seed %d step %d: %T %v at %v: pushed along %v at %v (separation %v)",
							on.Name, seed, step, s.Geometry(), s.Geometry().Bounds(geom.At(geom.Vec{})).Size(),
							w.Pose(b), normal, at, p.Separation)
					}
				}
			}
		}
	}
}
