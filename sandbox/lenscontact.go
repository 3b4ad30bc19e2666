package sandbox

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// gaussRadius is the radius of a drawn Gauss map, in cells.
const gaussRadius = 0.8

// lensContact shows how the contact of a shape and the ground nearest to the pointer got its normal: the Gauss map of
// its segment, which admits, snaps or skips the direction of least overlap; and the verdicts of the segments near it.
func (s *sim) lensContact(l lensPlace, p *lensPicture) {
	c, ok := s.nearContact(l.at, func(c *quarry.Contact) bool { return c.Ground != 0 && c.ShapeB != 0 })
	if !ok {
		p.say("contact", "no shape touches the ground here")
		return
	}
	w := s.Engine()
	g, okG := w.Ground(c.Ground)
	sh, okS := w.Shape(c.ShapeB)
	if !okG || !okS {
		return
	}
	p.origin = c.Points[0].Point
	hull, at := collide.NewHull(sh.Geometry()), sh.Body().Transform()
	at.P = at.P.Sub(p.origin)
	p.drawHull("shape", &hull, at)
	best, least := verdict{}, math.Inf(1)
	cell := c.Points[0].Cell
	for _, seg := range g.AppendSegments(nil, cellsAround(cell)) {
		f := faceOf(g, seg, p.origin)
		v := judge(&f, &hull, at)
		if v.said == "" {
			continue
		}
		p.draw("arrow", "segment "+v.said, f.A, f.B)
		p.write(v.said, f.A.Lerp(f.B, 0.5).MulAdd(-0.22, v.normal), "%s", v.said)
		p.say("segment "+segmentName(seg), "%s; start %s, end %s", v.said, v.ends[0], v.ends[1])
		if d := distanceTo(geom.Vec{}, f.A, f.B) + 1 - v.normal.Dot(c.Normal); d < least {
			best, least = v, d
		}
	}
	if best.said != "" {
		p.drawGauss(&best, c.Normal)
	}
	for k := range c.N {
		p.draw("dot", "point", c.Points[k].Point.Sub(p.origin))
		p.say("point", "separation %.4f, impulse %.3g, %s", c.Points[k].Separation, c.Points[k].NormalImpulse,
			c.Points[k].ID)
	}
}

func segmentName(g gridseg.Segment) string {
	return "(" + pointText(g.A) + ") to (" + pointText(g.B) + ")"
}

func pointText(p gridseg.Point) string {
	return short(float64(p.X)/gridseg.Unit) + ", " + short(float64(p.Y)/gridseg.Unit)
}

// faceOf returns a segment as a face, relative to an origin.
func faceOf(g quarry.Ground, s gridseg.Segment, origin geom.Vec) collide.Face {
	on := onGround{g.Transform()}
	on.t.P = on.t.P.Sub(origin)
	return collide.Face{
		A: on.at(s.A), B: on.at(s.B), Ghost1: on.at(s.Ghost1), Ghost2: on.at(s.Ghost2),
		HasGhost1: s.HasGhost1, HasGhost2: s.HasGhost2,
	}
}

// verdict is what a face decides about a hull.
type verdict struct {
	face   collide.Face
	normal geom.Vec    // of the face
	d      geom.Vec    // the direction of least overlap
	said   string      // admit, snap or skip; "" if they are apart
	ends   [2]string   // convex, concave, flat or open
	turns  [2]float64  // by which the surface turns at the ends, radians, positive if convex
	limits [2]geom.Vec // normals of the neighbours
}

// judge returns the verdict of a face about a hull in the frame at. The verdict itself is read from the engine's
// manifold; the direction of least overlap is what the separating axis test alone would take.
func judge(f *collide.Face, h *collide.Hull, at geom.Transform) (v verdict) {
	const margin = 0.02 // the engine's speculative distance
	t, length := f.B.Sub(f.A).Unit()
	if length == 0 {
		return v
	}
	v.face, v.normal = *f, t.Right()
	v.ends[0], v.turns[0], v.limits[0] = corner(f.Ghost1, f.A, f.B, f.HasGhost1)
	v.ends[1], v.turns[1], v.limits[1] = corner(f.A, f.B, f.Ghost2, f.HasGhost2)
	if f.HasGhost2 {
		d, _ := f.Ghost2.Sub(f.B).Unit()
		v.limits[1] = d.Right()
	}
	var deep float64
	if v.d, deep = leastOverlap(f, h, at); deep > margin {
		return v
	}
	var m collide.Manifold
	collide.FaceHull(&m, f, h, at, margin)
	switch {
	case m.N == 0:
		v.said = "skip"
	case m.Normal.Dot(v.d) > 0.9999:
		v.said = "admit"
	default:
		v.said = "snap"
	}
	return v
}

// corner describes the corner at b between the edges from a and to c; the normal is of the edge from a.
func corner(a, b, c geom.Vec, has bool) (kind string, turn float64, normal geom.Vec) {
	if !has {
		return "open", 0, geom.Vec{}
	}
	u, _ := b.Sub(a).Unit()
	v, _ := c.Sub(b).Unit()
	turn = math.Atan2(u.Cross(v), u.Dot(v))
	switch {
	case turn > 1e-6:
		kind = "convex"
	case turn < -1e-6:
		kind = "concave"
	default:
		kind = "flat"
	}
	return kind, turn, u.Right()
}

// leastOverlap returns the direction from a face to a hull in which they overlap least, or are farthest apart, and the
// separation along it.
func leastOverlap(f *collide.Face, h *collide.Hull, at geom.Transform) (d geom.Vec, separation float64) {
	t, _ := f.B.Sub(f.A).Unit()
	d, separation = t.Right(), math.Inf(1)
	for _, v := range h.V[:h.N] {
		separation = min(separation, d.Dot(at.Apply(v).Sub(f.A)))
	}
	if h.N < 2 { // a circle
		c := at.Apply(h.V[0])
		x := max(0, min(1, c.Sub(f.A).Dot(f.B.Sub(f.A))/f.B.Sub(f.A).Dot(f.B.Sub(f.A))))
		if u, n := c.Sub(f.A.Lerp(f.B, x)).Unit(); n > 1e-9 && u.Dot(d) > 0 {
			return u, n - h.Radius
		}
		return d, separation - h.Radius
	}
	for i := range h.N {
		n := at.Q.Apply(h.Nrm[i])
		v := at.Apply(h.V[i])
		if s := min(n.Dot(f.A.Sub(v)), n.Dot(f.B.Sub(v))); s > separation+geom.LinearSlop/2 {
			d, separation = n.Neg(), s
		}
	}
	return d, separation - h.Radius
}

// drawGauss draws the Gauss map of a verdict above its contact, with the direction of least overlap and the normal of
// the contact.
func (p *lensPicture) drawGauss(v *verdict, normal geom.Vec) {
	at := v.normal.Mul(2 * gaussRadius)
	base := math.Atan2(v.normal.Y, v.normal.X)
	sector := func(role string, from, to float64) {
		const steps = 12
		points := []geom.Vec{at}
		for k := range steps + 1 {
			a := base + from + (to-from)*float64(k)/steps
			points = append(points, at.Add(geom.V(math.Cos(a), math.Sin(a)).Mul(gaussRadius)))
		}
		p.draw("area", "gauss "+role, points...)
		middle := base + (from+to)/2
		if math.Abs(to-from) > 0.3 {
			p.write("gauss", at.Add(geom.V(math.Cos(middle), math.Sin(middle)).Mul(0.6*gaussRadius)), "%s", role)
		}
	}
	for k, sign := range [...]float64{-1, 1} { // the start is clockwise from the normal
		switch turn := v.turns[k]; v.ends[k] {
		case "open":
			sector("admit", 0, sign*math.Pi)
		case "convex":
			sector("admit", 0, sign*turn)
			sector("skip", sign*turn, sign*math.Pi)
		default:
			sector("snap", 0, sign*math.Pi)
		}
	}
	p.draw("arrow", "raw", at, at.MulAdd(gaussRadius, v.d))
	p.draw("arrow", "normal", at, at.MulAdd(1.15*gaussRadius, normal))
	p.say("least overlap", "%s\u00b0", short(degrees(v.d)))
	p.say("contact normal", "%s\u00b0", short(degrees(normal)))
}

func degrees(v geom.Vec) float64 { return math.Atan2(v.Y, v.X) * 180 / math.Pi }

// drawHull draws the outline of a hull without its radius.
func (p *lensPicture) drawHull(role string, h *collide.Hull, at geom.Transform) {
	if h.N == 1 {
		p.draw("ring", role, at.Apply(h.V[0]))
		return
	}
	var points []geom.Vec
	for _, v := range h.V[:h.N] {
		points = append(points, at.Apply(v))
	}
	p.draw("area", role, points...)
}

// distanceTo returns the distance of p from the line from a to b.
func distanceTo(p, a, b geom.Vec) float64 {
	d := b.Sub(a)
	x := 0.0
	if n := d.Dot(d); n > 0 {
		x = max(0, min(1, p.Sub(a).Dot(d)/n))
	}
	return p.Dist(a.MulAdd(x, d))
}
