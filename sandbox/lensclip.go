package sandbox

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// clipSide is one of the two shapes of a contact.
type clipSide struct {
	name string
	hull collide.Hull
	at   geom.Transform
}

// edge returns the ends of an edge, and its normal.
func (s *clipSide) edge(i int) (a, b, n geom.Vec) {
	return s.at.Apply(s.hull.V[i]), s.at.Apply(s.hull.V[(i+1)%s.hull.N]), s.at.Q.Apply(s.hull.Nrm[i])
}

// best returns the edge whose normal is nearest to a direction, and the cosine between them.
func (s *clipSide) best(d geom.Vec) (edge int, cosine float64) {
	cosine = math.Inf(-1)
	for i := range s.hull.N {
		if c := s.at.Q.Apply(s.hull.Nrm[i]).Dot(d); c > cosine {
			edge, cosine = i, c
		}
	}
	return edge, cosine
}

// lensClip shows how the contact of two polygons nearest to the pointer got its points: the incident edge is clipped
// by the side planes of the reference edge, and points in front of the reference edge are dropped.
func (s *sim) lensClip(l lensPlace, p *lensPicture) {
	w := s.Engine()
	var sides [2]clipSide
	c, ok := s.nearContact(l.at, func(c *quarry.Contact) bool {
		a, okA := w.Shape(c.ShapeA)
		b, okB := w.Shape(c.ShapeB)
		if !okA || !okB {
			return false
		}
		return collide.NewHull(a.Geometry()).N > 1 && collide.NewHull(b.Geometry()).N > 1
	})
	if !ok {
		p.say("contact", "no two polygons touch here")
		return
	}
	p.origin = c.Points[0].Point
	for k, id := range [...]quarry.ShapeID{c.ShapeA, c.ShapeB} {
		sh, _ := w.Shape(id)
		sides[k] = clipSide{[...]string{"A", "B"}[k], collide.NewHull(sh.Geometry()), sh.Body().Transform()}
		sides[k].at.P = sides[k].at.P.Sub(p.origin)
		p.drawHull("shape", &sides[k].hull, sides[k].at)
		p.write("shape", sides[k].at.Apply(sides[k].hull.Centroid), "%s", sides[k].name)
	}
	ref, inc, towards := &sides[0], &sides[1], c.Normal
	if _, a := sides[0].best(c.Normal); a < 1-1e-6 {
		if _, b := sides[1].best(c.Normal.Neg()); b > a {
			ref, inc, towards = &sides[1], &sides[0], c.Normal.Neg()
		}
	}
	p.drawClip(ref, inc, towards)
	for k := range c.N {
		pt := &c.Points[k]
		at := pt.Point.Sub(p.origin)
		p.draw("dot", "point", at)
		p.write("point", at.Add(geom.V(0.1, 0.12)), "%d", k+1)
		p.say("point "+short(float64(k+1)), "%s; separation %.4f, impulse %.3g", pt.ID, pt.Separation, pt.NormalImpulse)
	}
	p.draw("arrow", "normal", geom.Vec{}, c.Normal.Mul(0.7))
}

// drawClip draws the reference edge with its side planes, and the incident edge before and after clipping.
func (p *lensPicture) drawClip(ref, inc *clipSide, towards geom.Vec) {
	i, _ := ref.best(towards)
	a, b, n := ref.edge(i)
	t, length := b.Sub(a).Unit()
	p.draw("line", "reference", a, b)
	j, _ := inc.best(n.Neg())
	u, v, _ := inc.edge(j)
	p.draw("line", "incident", u, v)
	for _, end := range [...]geom.Vec{a, b} {
		p.draw("line", "plane", end.MulAdd(-0.5, n), end.MulAdd(0.9, n))
	}
	from, to := 0.0, 1.0
	x0, x1 := u.Sub(a).Dot(t), v.Sub(a).Dot(t)
	if d := x1 - x0; math.Abs(d) > 1e-12 {
		lo, hi := -x0/d, (length-x0)/d
		from, to = max(0, min(lo, hi)), min(1, max(lo, hi))
	}
	if from < to {
		p.draw("line", "clipped", u.Lerp(v, from), u.Lerp(v, to))
	}
	p.say("reference edge", "%d of %s", i, ref.name)
	p.say("incident edge", "%d of %s", j, inc.name)
	p.say("clipped", "from %.3g to %.3g of the incident edge", from, to)
}
