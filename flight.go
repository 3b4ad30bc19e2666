package quarry

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// The second form of continuous collision: the whole of a shape, as it moves and
// turns, where the first sees a disc about its centroid. What is swept is the
// shape made smaller on all sides by what the first form leaves out of the core,
// so that nothing is stopped by what it slides on. Where that is met the shape is
// stopped as it is, a slop short, unless it was as near to begin with: so it does
// not sink in. Only a shape of which some part may move, in the step, by more than
// it is made smaller is swept at all.
//
// If a body touches an obstacle at the start of the step, its contact stops most of it: only
// the corners of its shape that are apart from the obstacle are swept against it, and the
// whole shape as slide.go says.

// flight is the way of a body through a step: its centre of mass goes straight
// and it turns evenly.
type flight struct {
	center   geom.Vec // of mass, as it sets out
	d        geom.Vec
	rot, end geom.Rot // as it sets out and as it arrives
	turn     float64  // radians between these; may be more than a whole turn
	share    float64  // of the way, up to what it meets first
	by       passage  // of what it meets; of no meaning while share is 1
	lifted   bool     // d and where the body is have been changed; see keep

	// Of the shape that is looked at:
	box          geom.AABB // holds all that it passes
	cut          bool      // the next are set
	inner, shell geom.Core // it, made smaller, in its body's frame; see view
}

// turnOf returns the angle from rot to end, given about how much it turned.
func turnOf(rot, end geom.Rot, about float64) float64 {
	if rot == end && math.Abs(about) < math.Pi {
		return 0
	}
	turn := rot.InvMul(end).Angle()
	return turn + float64(2*math.Pi*math.Floor(float64((about-turn)/(2*math.Pi))+0.5))
}

// fly sweeps the shapes of body i, which set out at center turned by rot and
// turned by about so much, over its way to where it is, and stops it there at what
// it meets first. It returns the share of the way that it went, and whether what it
// met moves, and carried it along.
func (w *World) fly(i int32, center geom.Vec, rot geom.Rot, about float64, met, among, movers bool) (share float64, carried bool) {
	b := &w.bodies.items[i]
	if met || b.farOf(center, rot, about) > w.leastGate(b) || movers || among && w.touchesDynamic(b) {
		return w.flyFar(b, center, rot, about, met, among, movers)
	}
	return 1, false
}

// flyFar is fly for b, of which some part may move far.
func (w *World) flyFar(b *body, center geom.Vec, rot geom.Rot, about float64, met, among, movers bool) (share float64, carried bool) {
	f := flight{center: center, d: b.center.Sub(center), rot: rot, end: b.rot, share: 1}
	f.turn = turnOf(rot, f.end, about)
	far := f.d.Len() + float64(math.Abs(f.turn)*b.reach)
	for si := b.firstShape; si >= 0; si = w.shapes.items[si].next {
		s := &w.shapes.items[si]
		fast := met || far > s.gate()
		if s.sensor || !fast && !among && !movers {
			continue
		}
		f.cut = false
		f.take(s, b)
		if fast || movers {
			w.flyPast(s, b, &f, fast, movers, met)
		}
		if among {
			w.flyAmong(s, b, &f, fast)
		}
	}
	if f.share == 1 {
		return 1, f.lifted
	}
	center, rot = f.land(b)
	if among && f.by.moves && w.bodies.items[f.by.body].kind == Dynamic {
		// What carried it may carry it into a wall.
		w.flyFar(b, center, rot, 0, true, false, len(w.scratch.movers) > 0)
	}
	return f.share, f.by.moves || f.lifted
}

// gate is how far some part of a shape must move in a step for it to be swept.
func (s *shape) gate() float64 { return max(coreShare*s.core, geom.LinearSlop) }

// land puts b where it meets something, carried along with that until the step
// ends, and returns where that was.
func (f *flight) land(b *body) (center geom.Vec, rot geom.Rot) {
	center = f.center.MulAdd(f.share, f.d)
	rot = geom.NewRot(f.share * f.turn).Mul(f.rot).Norm()
	b.center, b.rot = center, rot
	if g := &f.by; g.moves {
		q := geom.NewRot(f.share * g.turn).Mul(g.from.Q)
		at := q.Inv(center.Sub(g.center.MulAdd(f.share, g.d)))
		b.center = g.center.Add(g.d).Add(g.to.Q.Apply(at))
		b.rot = g.to.Q.Mul(q.InvMul(rot)).Norm()
	}
	return center, rot
}

// take turns to the shape s of b.
func (f *flight) take(s *shape, b *body) {
	from := geom.Transform{P: f.center.Sub(f.rot.Apply(b.localCenter)), Q: f.rot}
	to := geom.Transform{P: f.center.Add(f.d).Sub(f.end.Apply(b.localCenter)), Q: f.end}
	f.box = s.bounds(from).Union(s.bounds(to)).Expand(float64(0.125*b.reach*f.turn*f.turn) + touchSlop)
}

// farFrom returns how far at most a part of b moves, as seen from way.
func (f *flight) farFrom(way *passage, b *body) float64 {
	_, step := way.seen(f.center, f.d)
	far := step.Len()
	switch turn := math.Abs(way.turn); {
	case turn > math.Pi:
		far = f.d.Len() + way.d.Len() + float64(turn*(f.center.Dist(way.center)+f.d.Len()))
	case turn > 0:
		far *= 0.5 * math.Pi // the arc of which that is the chord
	}
	return far + float64(math.Abs(f.turn-way.turn)*b.reach)
}

// flyOver sweeps s, which is within box in the frame of way, against the surfaces
// of the ground in slot gi.
func (w *World) flyOver(gi int32, s *shape, b *body, way *passage, box geom.AABB, f *flight) {
	ga, g := &w.scratch.gather, &w.grounds.items[gi]
	cs, ok := cells(box)
	if !ok {
		return
	}
	middle := way.from.Inv(f.center.Add(f.rot.Apply(s.hull.Centroid.Sub(b.localCenter))))
	if w.oneWays == 0 || !w.sieveSweep(ga, gi, s, cs, middle, true) {
		ga.collect(g.grid, cs)
	}
	if len(ga.runs.List) == 0 {
		return
	}
	v := f.viewOf(s, b, way)
	var face collide.Face
	for i := range ga.runs.List {
		setFace(&face, &ga.runs.List[i], v.origin)
		v.meet(&face, f, b)
	}
}

// view is a shape on its way through a step, as seen from a passage: in its frame
// at the start, from where the centre of mass was.
type view struct {
	way    *passage
	origin geom.Vec  // of the view, in the frame of the passage
	inner  geom.Core // the shape made smaller, at the start of the step
	shell  geom.Core // the shape made smaller by shellDepth at most, at the start of the step
	ends   geom.Core // shell at the end of the step
	thin   bool      // inner and shell are the same
	outer  geom.Core // the shape itself, at the start of the step
	middle geom.Vec  // the centroid of the shape at the start of the step
	last   geom.Vec  // the centroid at the end of the step
	shape  *shape
	at     geom.Transform // frame of the shape's body at the start of the step
	moves  geom.Sweep     // motion of the shape
	moved  geom.Sweep     // motion of the obstacles of the passage
	rise   float64        // largest distance of a point's path from the straight line between its ends
	box    geom.AABB      // bounds of the path of inner
}

// viewOf returns s on its way as seen from way.
func (f *flight) viewOf(s *shape, b *body, way *passage) view {
	v := view{way: way, origin: way.from.Inv(f.center)}
	at := geom.Transform{Q: way.from.Q.InvMul(f.rot)}
	at.P = at.Q.Apply(b.localCenter).Neg()
	to := geom.Transform{Q: way.to.Q.InvMul(f.end)}
	to.P = way.to.Inv(f.center.Add(f.d)).Sub(v.origin).Sub(to.Q.Apply(b.localCenter))
	whole := geom.Core{V: s.hull.V, N: s.hull.N, Radius: s.hull.Radius}
	if !f.cut {
		f.cut = true
		f.inner = smaller(&s.hull, coreShare*s.core)
		f.shell = smaller(&s.hull, min(shellDepth, coreShare*s.core))
	}
	v.shape, v.at = s, at
	v.outer, v.inner, v.middle = whole.In(at), f.inner.In(at), at.Apply(s.hull.Centroid)
	v.shell, v.ends, v.last = f.shell.In(at), f.shell.In(to), to.Apply(s.hull.Centroid)
	v.thin = coreShare*s.core <= shellDepth
	v.moves = geom.Sweep{To: way.from.Q.Inv(f.d), Angle1: f.turn}

	// A point whose acceleration is at most a is at most a/8 off the chord of
	// its way, in the time of 1.
	bend := float64(b.reach * f.turn * f.turn)
	if way.moves {
		v.moved.Center = way.from.Inv(way.center).Sub(v.origin)
		v.moved.From = v.moved.Center
		v.moved.To = v.moved.From.Add(way.from.Q.Inv(way.d))
		v.moved.Angle1 = way.turn
		pace := f.d.Len() + way.d.Len() + float64(b.reach*math.Abs(f.turn))
		bend += float64(way.turn*way.turn*(v.moved.Center.Len()+pace+b.reach)) + float64(2*math.Abs(way.turn)*pace)
	}
	v.rise = 0.125 * bend
	v.box = geom.Empty
	for k := range v.shell.N {
		v.box = v.box.Union(geom.Box(v.shell.V[k], v.ends.V[k]))
	}
	v.box = v.box.Expand(v.shell.Radius + v.rise + touchSlop)
	return v
}

// shellDepth is how deep, in units of length, what moves straight at a surface may
// be in it at the end of a step: somewhat deeper than what rests there. What moves
// along it may be as deep as inner is, or whatever runs through a bowl would be
// held up, for the rest of a step, at each of its corners.
const shellDepth = 2 * geom.LinearSlop

// steepness is the share of a way that is towards a surface, not along it, from
// which on it is straight at it: steeper than 45 degrees.
const steepness = 0.75

// meetSlop is the distance, in units of length, at which a core meets something:
// not none, or there would be no direction to meet it from. touchSlop is that of
// what is in touch: above what geom.TimeOfImpact leaves of meetSlop.
const (
	meetSlop  = 0.1 * geom.LinearSlop
	touchSlop = 0.25 * geom.LinearSlop
)

// meet notes how far what v sees may go before it meets the front of a face.
func (v *view) meet(face *collide.Face, f *flight, b *body) {
	n, l := face.B.Sub(face.A).Right().Unit()
	if l == 0 || !v.box.Overlaps(geom.Box(face.A, face.B)) {
		return
	}
	if max(n.Dot(v.middle.Sub(face.A)), n.Dot(v.last.Sub(face.A))) <= -v.rise {
		return // the centroid is behind the face all the way
	}
	least := math.MaxFloat64
	for k := range v.shell.N {
		least = min(least, n.Dot(v.shell.V[k].Sub(face.A)), n.Dot(v.ends.V[k].Sub(face.A)))
	}
	if least > v.shell.Radius+v.rise+touchSlop {
		return
	}
	o := geom.Core{N: 2}
	o.V[0], o.V[1] = face.A, face.B
	if share := v.until(&o, nil, face, f, b); share < f.share {
		f.share, f.by = share, *v.way
	}
}

// pass notes how far what v sees may go before it meets the shape t.
func (v *view) pass(t *shape, f *flight, b *body) {
	if !v.box.Overlaps(t.bounds(geom.At(v.origin.Neg()))) {
		return
	}
	o := geom.Core{V: t.hull.V, N: t.hull.N, Radius: t.hull.Radius}
	o = o.In(geom.At(v.origin.Neg()))
	if share := v.until(&o, t, nil, f, b); share < f.share {
		f.share, f.by = share, *v.way
	}
}

// until returns the share of the motion at which the shape of v hits o, the core of the
// shape t or of a face; 1 if it does not. A face is hit only from its front. (The order in
// which obstacles stop the full shape may differ from the order for inner, so every
// obstacle on the path of inner is checked.)
func (v *view) until(o *geom.Core, t *shape, face *collide.Face, f *flight, b *body) float64 {
	at, touching := v.reach(o, &v.shell)
	if !v.thin && (touching || at.share < 1) && !(at.share < 1 && v.steep(&at)) {
		at, touching = v.reach(o, &v.inner)
	}
	own := touching && v.slide(&at, o, t, face, f, b)
	if at.share == 1 || face != nil && !own && !v.before(&at, face) {
		return 1
	}
	if gap, _, _ := geom.Gap(o, &v.outer, here); gap > geom.LinearSlop+touchSlop {
		if t, ok := geom.TimeOfImpact(o, &v.moved, &v.outer, &v.moves, geom.LinearSlop); ok {
			return min(at.share, t)
		}
	}
	return at.share
}

// here is where a core is that is given as it sets out.
var here = geom.At(geom.Vec{})

// meeting is when and where a core meets something.
type meeting struct {
	share  float64
	on     geom.Vec // the place on what is met, in its frame
	normal geom.Vec // from there to the core
	speed  geom.Vec // of the core there, as seen from what is met, a step
}

// reach returns the first impact of the core c with o, and whether c touches o at the start
// of the step. If it does, the impact is that of the corners of c that are apart from o at
// the start. The share of the impact is 1 if there is none.
func (v *view) reach(o, c *geom.Core) (best meeting, touching bool) {
	best = meeting{share: 1}
	if gap, _, _ := geom.Gap(o, c, here); gap > touchSlop {
		best.earlier(v, o, c, &v.moves)
		return best, false
	}
	for k := range c.N {
		p := geom.PointCore(c.V[k])
		p.Radius = c.Radius
		if gap, _, _ := geom.Gap(o, &p, here); gap > touchSlop {
			best.earlier(v, o, &p, &v.moves)
		}
	}
	return best, true
}

// earlier sets m to the first impact of c, moving by moves, with o, if it is before m.
func (m *meeting) earlier(v *view, o, c *geom.Core, moves *geom.Sweep) {
	t, ok := geom.TimeOfImpact(o, &v.moved, c, moves, meetSlop)
	if !ok || t >= m.share {
		return
	}
	m.share = t
	g := v.moved.At(t)
	placed := o.In(g)
	_, p, q := geom.Gap(&placed, c, moves.At(t))
	n, _ := q.Sub(p).Unit()
	m.on, m.normal = g.Inv(p), g.Q.Inv(n)
	m.speed = g.Q.Inv(speedOf(moves, t, q).Sub(speedOf(&v.moved, t, p)))
}

// speedOf returns how fast the point p of what moves by s is at the time t.
func speedOf(s *geom.Sweep, t float64, p geom.Vec) geom.Vec {
	return s.To.Sub(s.From).MulAdd(s.Angle1-s.Angle0, p.Sub(s.From.Lerp(s.To, t)).Left())
}

// steep reports whether what v sees moves, where it meets something, towards it
// rather than along it.
func (v *view) steep(at *meeting) bool {
	return at.normal.Dot(at.speed) < -steepness*at.speed.Len()
}

// before reports whether the face is met by what is in front of it, and is not
// its neighbour's to meet: what comes to a convex corner from beyond the normals of
// the two, and to a concave one but along its own.
func (v *view) before(at *meeting, face *collide.Face) bool {
	e, l := face.B.Sub(face.A).Unit()
	n := e.Right()
	g := v.moved.At(at.share)
	if n.Dot(at.normal) < 0 || n.Dot(g.Inv(v.moves.At(at.share).Apply(v.middle)).Sub(face.A)) <= 0 {
		return false
	}
	switch x, along := e.Dot(at.on.Sub(face.A)), e.Dot(at.normal); {
	case x < touchSlop && along < -leaning && face.HasGhost1:
		return rounds(at.normal, n, face.Ghost1.Sub(face.A))
	case x > l-touchSlop && along > leaning && face.HasGhost2:
		return rounds(at.normal, n, face.Ghost2.Sub(face.B))
	}
	return true
}

// rounds reports whether m, which leans over the end of a face of normal n, is in
// the corner there, the neighbour going on along e.
func rounds(m, n, e geom.Vec) bool {
	u, _ := e.Unit()
	return n.Dot(u) < 0 && m.Dot(u) <= leaning
}

// leaning is how far, as a share of its length, a normal may lean over for
// rounding: of what geom.TimeOfImpact leaves between the two.
const leaning = 0.02

// smaller returns h with its surface moved in by that much, which is to be at most
// half of the radius of its core, but for its sharp corners, which go in by no more
// than a right angle would by rather more than that: or the tip of a sliver, which
// is nowhere so thick, would get past things. The vertices are in no order.
func smaller(h *collide.Hull, by float64) geom.Core {
	c := geom.Core{V: h.V, N: h.N, Radius: h.Radius}
	if by <= c.Radius {
		c.Radius -= by
		return c
	}
	by -= c.Radius
	c.Radius = 0
	if h.N < 3 {
		return c
	}
	for i := range h.N {
		m, n := h.Nrm[(i+h.N-1)%h.N], h.Nrm[i]
		// The bisector of two unit normals is as long as twice the cosine of half
		// the angle between them, which is the sine of half the corner.
		out, l := m.Add(n).Unit()
		c.V[i] = h.V[i].MulAdd(-by*min(sharpest, 2/l), out)
		for k := range h.N {
			if h.Nrm[k].Dot(c.V[i].Sub(h.V[k])) > 0 {
				c.V[i] = h.Centroid // past another edge, which is short
				break
			}
		}
	}
	return c
}

// sharpest is how much farther a corner goes in than the surface, at most: as far as
// one of 60 degrees.
const sharpest = 2
