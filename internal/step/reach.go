package step

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// reached is the pose that an awake body reaches: its displacement by the solver, or as much of it as passes no
// obstacle.
type reached struct {
	ccd.Result
	travel    float64 // no point of the body moves farther, in units of length
	unswept   bool    // the body leaves solid ground, through the ground
	sweptLast bool    // the body is a bullet, which commitBullets sweeps after all other bodies have moved
}

// advanceBodies sets the outcomes of a range of the awake bodies. It changes no body.
func (k *advancer) advanceBodies(from, to int) {
	k.part = from / BodyGrain
	for n, i := range k.awake.Bodies[from:to] {
		out := &k.outcomes[from+n]
		if *out = (reached{}); k.world.Bodies.At(i).Type == broad.DynamicBody {
			if k.advanceBody(out, i, from+n); out.Fraction < 1 && k.world.Rare(i).FirstJoint >= 0 {
				*k.stops.Add(k.number, k.part) = stop{out.Fraction, int32(from + n)}
			}
		}
	}
}

// advanceBody sets out to the outcome of body i, which is awake.Bodies[at]. A bullet that is to be swept is left
// to commitBullets.
func (k *advancer) advanceBody(out *reached, i int32, at int) {
	w := k.world
	b, by := w.Bodies.At(i), &k.solved[at+1]
	_, _, d := b.Solved(by)
	out.travel = math.Inf(1)
	out.To, out.Fraction = b.PoseAfter(d, by), 1
	if out.unswept = b.Step.Stuck == narrow.Escaping && leavesSlowly(w, i, d, w.DT); out.unswept {
		return
	}
	travel := ccd.MaxTravel(b.Pose(), out.To, by.Turn, b.Extent)
	pushed := b.Bullet && touchesDynamic(w, i)
	near := k.nearMoving(b, travel)
	// Most bodies in most steps are slow, or away from all obstacles.
	if travel <= b.DiscGate && !pushed && !near && !b.Step.Deep && !b.Step.SunkInChain ||
		!b.Bullet && !w.NearObstacle(ccd.PathBox(b.Center, out.To.Center, by.Turn, b.Extent)) {
		out.travel = travel
		return
	}
	if b.Bullet && !out.sweptLast {
		out.sweptLast = true
		return
	}
	m := &k.mover // set field by field; see "Large structs" in docs/house.md
	m.From.Center, m.From.Rot, m.To.Center, m.To.Rot = b.Center, b.Rot, out.To.Center, out.To.Rot
	m.Turn, m.LocalCenter, m.Extent, m.Shapes = by.Turn, b.LocalCenter, b.Extent, m.Shapes[:0]
	m.InvMass, m.InvInertia = b.Free(geom.V(b.InvMass, b.InvMass)), b.InvInertia
	m.Deep, m.Sunk, m.NearMoving = b.Step.Deep, b.Step.SunkInChain, near
	m.Bullet, m.Pushed, m.Jointed = b.Bullet, pushed, jointed(w, i)
	for si := b.FirstShape; si >= 0; si = w.Shapes.At(si).Next {
		if s := w.Shapes.At(si); !s.Sensor {
			m.Shapes = append(m.Shapes, ccd.Shape{Hull: &s.Hull, InnerRadius: s.InnerRadius, ID: si})
		}
	}
	if b.FirstGround >= 0 {
		k.addPieces(m, i, b, travel)
	}
	k.query.Reset() // at each body, so that no result depends on the bodies that the worker has advanced before
	out.Result = k.sweeper.Advance(m, k)
	if b.Step.Hung && out.hangs(b, d) {
		k.deflect(out, i, m, d)
	}
}

// addPieces adds to m the pieces of the grounds of body i, which is b, that may meet an obstacle. No point of the
// body moves farther than travel. A piece has the complement of its ground's slot as its ID.
func (k *advancer) addPieces(m *ccd.Mover, i int32, b *state.Body, travel float64) {
	w, t := k.world, b.Transform()
	inverse := t.InvMul(geom.At(geom.Vec{}))
	k.pieces.Reset()
	for g := b.FirstGround; g >= 0; g = w.Grounds.At(g).Next {
		o, r := w.Grounds.At(g), geom.Empty
		if o.Proxy == broad.None {
			continue
		}
		path := o.Box.In(t).Expand(travel + ccd.PathSlop)
		for _, id := range k.find(path, broad.Obstacles) {
			if e := w.Broad.At(id); e.Body != i {
				r = r.Union(geom.AABB{Min: e.Box.Min.Max(path.Min), Max: e.Box.Max.Min(path.Max)}.In(inverse))
			}
		}
		if cells, ok := surface.Cells(r.Expand(travel + ccd.PathSlop)); ok && !r.IsEmpty() {
			k.pieces.Add(&o.Tiles, cells, ^g)
		}
	}
	m.Shapes = k.pieces.AppendShapes(m.Shapes)
}

// jointed reports whether a joint holds body i, which would tear if the body were moved out of its path.
func jointed(w *state.World, i int32) bool {
	for _, j := range w.JointsOf(i) {
		if j.Acts() && j.Opens() {
			return true
		}
	}
	return false
}

// touchesDynamic reports whether a shape of body i touches, or nearly touches, a shape of another dynamic body,
// which may be fast and push body i.
func touchesDynamic(w *state.World, i int32) bool {
	for l, c := range w.ContactsOf(i) {
		o := c.BodyA
		if l&1 == 0 {
			o = c.BodyB
		}
		if c.OfShapes() && !c.Sensor && c.Touching && w.Bodies.At(o).Type == broad.DynamicBody {
			return true
		}
	}
	return false
}

// leavesSlowly reports whether the displacement d of body i, which leaves a ground through it, is slow in the
// frame of that ground: at most twice as fast as the fastest push. With a low PushSpeed, the limit is that of the
// default, since gravity moves the body, too.
func leavesSlowly(w *state.World, i int32, d geom.Vec, dt float64) bool {
	b := w.Bodies.At(i)
	for _, c := range w.ContactsOf(i) {
		if !c.OfShapes() && contact.Escaping(w.Contacts.SurfaceOf(c).Manifolds) {
			a := w.Bodies.At(c.BodyA)
			return d.MulAdd(-dt, a.VelocityAt(b.Center.Sub(a.Center))).Len() <= 2*max(narrow.PushSpeed,
				w.Config.PushSpeed)*dt
		}
	}
	return false
}
