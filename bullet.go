package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// Bullets are swept against other dynamic bodies, too. Those that go fast move
// last of all, one after the other, so that each sees how all the others, and the
// bullets before it, move in the step, and is swept against them as seen from them.

// bullet is what a fast one is to do, once the others have moved.
type bullet struct {
	k     int32    // index in scratch.awake
	d     geom.Vec // its way
	rot   geom.Rot // how it is turned at the end of that
	about float64  // radians that it turns, to within half a turn: rot does not tell whole turns
}

// Bullet reports whether the body is swept against other dynamic bodies; see
// BodyDef.
func (b Body) Bullet() bool { return b.get().bullet }

// SetBullet makes the body a bullet or not; see BodyDef. It does not wake it.
func (b Body) SetBullet(on bool) {
	st := b.get()
	b.w.mustNotStep()
	if st.bullet != on {
		b.w.countBullet(st.bullet, -1)
		b.w.countBullet(on, 1)
		st.bullet = on
	}
}

func (w *World) countBullet(is bool, by int) {
	if is {
		w.bullets += by
	}
}

// prepareWays makes room for the ways of all that moves, if there are bullets to
// look at them.
func (w *World) prepareWays() {
	sc := &w.scratch
	sc.bullets, sc.swift = sc.bullets[:0], sc.swift[:0]
	if w.bullets == 0 {
		return
	}
	sc.ways = sc.ways[:0]
	for range sc.awake {
		sc.ways = append(sc.ways, passage{})
	}
}

// move moves the dynamic body at k in scratch.awake by d, and turns it to rot, which
// is about so many radians on; a fast bullet only when the others have moved.
func (w *World) move(k int, d geom.Vec, rot geom.Rot, about float64) {
	i := w.scratch.awake[k]
	b := &w.bodies.items[i]
	if w.bullets == 0 {
		w.advance(i, d, rot, about)
		w.refit(i)
		return
	}
	far := d.Len() + float64(math.Abs(about)*b.reach)
	if b.bullet && (far > w.leastGate(b) || w.touchesDynamic(b)) {
		w.scratch.bullets = append(w.scratch.bullets, bullet{k: int32(k), d: d, rot: rot, about: about})
		return
	}
	w.note(k, d, rot, about)
	if far > aabbMargin {
		w.scratch.swift = append(w.scratch.swift, int32(k))
	}
}

// touchesDynamic reports whether a shape of b touches one of another dynamic body,
// or nearly. What is fast itself may push it on then, however slow it is.
func (w *World) touchesDynamic(b *body) bool {
	for l := b.firstLink; l >= 0; l = w.contacts.items[l>>1].next[l&1] {
		c := &w.contacts.items[l>>1]
		o := c.bodyA
		if l&1 == 0 {
			o = c.bodyB
		}
		if c.ofShapes() && !c.sensor && len(c.manifolds) > 0 && w.bodies.items[o].kind == Dynamic {
			return true
		}
	}
	return false
}

// note advances the body at k, and keeps the way that it took.
func (w *World) note(k int, d geom.Vec, rot geom.Rot, about float64) {
	i := w.scratch.awake[k]
	b := &w.bodies.items[i]
	way := passage{from: b.transform(), center: b.center, body: i, moves: true}
	was := b.rot
	w.advance(i, d, rot, about)
	w.refit(i)
	way.to, way.d, way.turn = b.transform(), b.center.Sub(way.center), turnOf(was, b.rot, about)
	w.scratch.ways[k] = way
}

// leastGate returns how far a part of b must move for any of its shapes to be
// swept.
func (w *World) leastGate(b *body) float64 {
	least := math.MaxFloat64
	for si := b.firstShape; si >= 0; si = w.shapes.items[si].next {
		if s := &w.shapes.items[si]; !s.sensor {
			least = min(least, s.gate())
		}
	}
	return least
}

// moveBullets moves the fast bullets.
func (w *World) moveBullets() {
	for j := range w.scratch.bullets {
		u := &w.scratch.bullets[j]
		w.note(int(u.k), u.d, u.rot, u.about)
		w.scratch.swift = append(w.scratch.swift, u.k)
		i := w.scratch.awake[u.k]
		w.events.moved[u.k].Transform = w.bodies.items[i].transform()
	}
}

// sweepAmong sweeps the core of s, of a bullet, against what is dynamic: however short
// its way, because nothing says whether it is deep in any of that.
func (w *World) sweepAmong(s *shape, sw *sweep) {
	path := geom.Box(sw.from, sw.from.Add(sw.d)).Expand(sw.r)
	w.scratch.near = w.broad.AppendOverlaps(w.scratch.near[:0], path, grid.All)
	for _, id := range w.scratch.near {
		w.sweepBy(&w.shapes.items[int32(w.broad.Data(id))], s, sw)
	}
	for _, k := range w.scratch.swift {
		o := &w.bodies.items[w.scratch.awake[k]]
		for ti := o.firstShape; ti >= 0; ti = w.shapes.items[ti].next {
			if t := &w.shapes.items[ti]; !t.fat.Overlaps(path) {
				w.sweepBy(t, s, sw)
			}
		}
	}
}

// sweepBy sweeps the core of s, of a bullet, against the shape t if that is of a
// dynamic body which has moved already, or sleeps.
func (w *World) sweepBy(t, s *shape, sw *sweep) {
	if way, ok := w.passageOf(t.body); ok {
		origin, step := way.seen(sw.from, sw.d)
		w.sweepOther(t, s, sw, &way, origin, step)
	}
}

// passageOf returns the way of body i, if that is dynamic and has moved already, or
// sleeps.
func (w *World) passageOf(i int32) (way passage, ok bool) {
	switch o := &w.bodies.items[i]; {
	case o.kind != Dynamic:
		return way, false
	case o.solver == 0:
		return w.still(i), true
	default:
		way = w.scratch.ways[o.solver-1]
		return way, way.moves // else it is a bullet that comes later
	}
}

// flyAmong sweeps s, of a bullet, against what is dynamic.
func (w *World) flyAmong(s *shape, b *body, f *flight) {
	w.scratch.near = w.broad.AppendOverlaps(w.scratch.near[:0], f.box, grid.All)
	for _, id := range w.scratch.near {
		w.flyBy(&w.shapes.items[int32(w.broad.Data(id))], s, b, f)
	}
	// What is fast may have been in the way and be elsewhere now.
	for _, k := range w.scratch.swift {
		o := &w.bodies.items[w.scratch.awake[k]]
		for ti := o.firstShape; ti >= 0; ti = w.shapes.items[ti].next {
			if t := &w.shapes.items[ti]; !t.fat.Overlaps(f.box) {
				w.flyBy(t, s, b, f)
			}
		}
	}
}

// flyBy sweeps s, of a bullet, against the shape t if that is of a dynamic body
// which has moved already, or sleeps.
func (w *World) flyBy(t, s *shape, b *body, f *flight) {
	if way, ok := w.passageOf(t.body); ok && !t.sensor && w.mayCollide(s, t) {
		v := f.viewOf(s, b, &way)
		v.thin = true
		v.pass(t, f)
		v.passOn(t, f)
	}
}

// passOn notes how far the corners of what v sees that are in the shape t already may
// go before they are past the middle of it: else one that is in it, and turns fast,
// would come out behind, and then be pushed on from there.
func (v *view) passOn(t *shape, f *flight) {
	if !v.box.Overlaps(t.bounds(geom.At(v.origin.Neg()))) {
		return
	}
	o := geom.Core{V: t.hull.V, N: t.hull.N, Radius: t.hull.Radius}
	o = o.In(geom.At(v.origin.Neg()))
	if gap, _, _ := geom.Gap(&o, &v.shell, here); gap > touchSlop {
		return
	}
	var deeper [2]geom.Core
	for i, share := range [...]float64{0.5, 0.9} {
		c := smaller(&t.hull, share*t.core)
		deeper[i] = c.In(geom.At(v.origin.Neg()))
	}
	for k := range v.shell.N {
		p := geom.PointCore(v.shell.V[k])
		p.Radius = v.shell.Radius
		if gap, _, _ := geom.Gap(&o, &p, here); gap > touchSlop {
			continue
		}
		p.Radius *= 0.5
		if v.passPoint(&o, &p, f) {
			continue
		}
		p.Radius = 0
		if v.passPoint(&o, &p, f) || v.passPoint(&deeper[0], &p, f) {
			continue
		}
		v.passPoint(&deeper[1], &p, f)
	}
}

// passPoint notes how far p may go before it meets o, and reports whether it is not
// there yet.
func (v *view) passPoint(o, p *geom.Core, f *flight) bool {
	if gap, _, _ := geom.Gap(o, p, here); gap <= touchSlop {
		return false
	}
	if share, ok := geom.TimeOfImpact(o, &v.moved, p, &v.moves, meetSlop); ok && share < f.share {
		f.share, f.by = share, *v.way
	}
	return true
}
