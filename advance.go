package quarry

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// advanced is the outcome of the stage advance for an awake body. The stage commit applies it.
type advanced struct {
	ccd.Result
	travel  float64 // no point moves farther
	unswept bool    // the body leaves solid ground, through the ground
	last    bool    // a bullet, which moves after all other bodies
}

// moveKinematic moves the kinematic bodies, and marks the dynamic bodies that they may meet: these
// are swept against their motions.
func (w *World) moveKinematic() {
	w.scratch.movers = w.scratch.movers[:0]
	for _, k := range w.scratch.kinematic {
		i := w.scratch.awake[k]
		b, by := w.state.Bodies.At(i), &w.solver.Motions[k+1]
		from, to := b.Pose(), b.PoseAfter(geom.V(by.DX, by.DY), by)
		b.Center, b.Rot = to.Center, to.Rot
		motion := ccd.Between(i, from, to, b.LocalCenter, by.Turn)
		motion.D = geom.V(by.DX, by.DY)
		r := w.state.Rare(i)
		r.StartPose, r.StartedAt = motion.From, w.state.Steps+1
		b.MoverIndex = int32(len(w.scratch.movers))
		w.scratch.movers = append(w.scratch.movers, motion)
		w.updateProxies(i, &motion)
		w.markNear(i, broad.Dynamic|broad.MovingGrounds)
	}
}

// planGrounds lists the motions of the dynamic bodies with grounds as movers, as if nothing stopped them, and gives the
// grounds that move by more than a slop boxes that hold their motions. They mark the bodies near them; a slow one only bodies with
// shapes, as two slow grounds are not swept (ccd.Gate of a block).
func (w *World) planGrounds(dt float64) {
	for _, k := range w.scratch.tiled {
		i := w.scratch.awake[k]
		b, by := w.state.Bodies.At(i), &w.solver.Motions[k+1]
		_, _, d := b.Solved(by, dt)
		b.MoverIndex = int32(len(w.scratch.movers))
		motion := ccd.Between(i, b.Pose(), b.PoseAfter(d, by), b.LocalCenter, by.Turn)
		motion.D = d
		w.scratch.movers = append(w.scratch.movers, motion)
		travel, near := d.Len()+float64(math.Abs(motion.Turn)*b.Extent), uint64(broad.Dynamic)
		if travel <= geom.LinearSlop {
			continue
		}
		if travel > state.AABBMargin {
			near |= broad.MovingGrounds
		}
		for g := b.FirstGround; g >= 0; g = w.state.Grounds.At(g).Next {
			if o := w.state.Grounds.At(g); o.Proxy != broad.None {
				if box := motion.BoundsOf(o.Box, motion.To, b.LocalCenter); !w.state.Broad.At(o.Proxy).Box.Contains(box) && w.state.Broad.Update(o.Proxy, box) == nil {
					b.Boxes++
					w.state.Rare(i).Room = 0
				}
			}
		}
		w.markNear(i, near)
	}
}

// advance computes the pose of each awake dynamic body at the end of the step: its displacement
// by the solver, or as much of it as passes no obstacle. It changes no body.
func (w *World) advance() {
	sc := &w.scratch
	sc.advanced = slices.Grow(sc.advanced[:0], len(sc.awake))[:len(sc.awake)]
	w.team.Each(len(sc.awake), bodyGrain, w.loops.bodies)
}

// advanceBodies advances a range of the awake bodies.
func (k *worker) advanceBodies(from, to int) {
	for at, i := range k.w.scratch.awake[from:to] {
		out := &k.w.scratch.advanced[from+at]
		if *out = (advanced{}); k.w.state.Bodies.At(i).Type == broad.DynamicBody {
			k.advanceBody(out, i, from+at, k.w.state.DT)
		}
	}
}

// advanceBody sets out to the outcome for body i, at at in scratch.awake. A bullet that is swept is
// left to commitBullets.
func (k *worker) advanceBody(out *advanced, i int32, at int, dt float64) {
	w := k.w
	b, by := w.state.Bodies.At(i), &w.solver.Motions[at+1]
	_, _, d := b.Solved(by, dt)
	out.travel = math.Inf(1)
	out.To, out.Fraction = b.PoseAfter(d, by), 1
	if out.unswept = b.Step.ThroughGround && w.state.LeavesSlowly(i, d, dt); out.unswept {
		return
	}
	travel := ccd.MaxTravel(b.Pose(), out.To, by.Turn, b.Extent)
	pushed := b.Bullet && w.state.TouchesDynamic(i)
	near := w.nearMover(b, travel)
	// Most bodies in most steps are slow, or away from all obstacles.
	if travel <= b.CoreGate && !pushed && !near && !b.Step.Deep && !b.Step.SunkInChain || !b.Bullet && !w.state.Broad.MayMeetOthers(ccd.Reach(b.Center, out.To.Center, by.Turn, b.Extent)) {
		out.travel = travel
		return
	}
	if b.Bullet && !out.last {
		out.last = true
		return
	}
	m := &k.mover // set field by field: a copy of a literal would wait until its parts are written
	m.From.Center, m.From.Rot, m.To.Center, m.To.Rot = b.Center, b.Rot, out.To.Center, out.To.Rot
	m.Turn, m.LocalCenter, m.Extent, m.Shapes = by.Turn, b.LocalCenter, b.Extent, m.Shapes[:0]
	m.Deep, m.Sunk, m.NearMoving = b.Step.Deep, b.Step.SunkInChain, near
	m.Bullet, m.Pushed = b.Bullet, pushed
	for si := b.FirstShape; si >= 0; si = w.state.Shapes.At(si).Next {
		if s := w.state.Shapes.At(si); !s.Sensor {
			m.Shapes = append(m.Shapes, ccd.Shape{Hull: &s.Hull, Core: s.Core, ID: si})
		}
	}
	if b.FirstGround >= 0 {
		k.addPieces(m, i, b, travel)
	}
	out.Result = k.sweeper.Advance(m, k)
}

// addPieces adds to m the pieces of the grounds of body i, which is b, that may meet an obstacle; no point of it moves
// farther than travel.
func (k *worker) addPieces(m *ccd.Mover, i int32, b *state.Body, travel float64) {
	w, t := k.w, b.Transform()
	inverse := t.InvMul(geom.At(geom.Vec{}))
	k.pieces.Reset()
	for g := b.FirstGround; g >= 0; g = w.state.Grounds.At(g).Next {
		o, r := w.state.Grounds.At(g), geom.Empty
		if o.Proxy == broad.None {
			continue
		}
		path := o.Box.In(t).Expand(travel + ccd.PathSlop)
		for _, id := range k.find(path, broad.Obstacles) {
			if e := w.state.Broad.At(id); e.Body != i {
				r = r.Union(geom.AABB{Min: e.Box.Min.Max(path.Min), Max: e.Box.Max.Min(path.Max)}.In(inverse))
			}
		}
		if cells, ok := surface.Cells(r.Expand(travel + ccd.PathSlop)); ok && !r.IsEmpty() {
			k.pieces.Add(&o.Tiles, cells, ^g)
		}
	}
	m.Shapes = k.pieces.AppendShapes(m.Shapes)
}

// effect is an effect of a body's commit on more than the body.
type effect struct {
	kind  effectKind
	proxy broad.ID // of newBox
	at    int32    // of the body in scratch.awake; not of newBox
	body  int32
	box   geom.AABB // of newBox
}

type effectKind uint8

const (
	newBox effectKind = iota // in the broad phase
	squeezed
	jammed
	wentFar // with bullets; see recordMotion
)

// commit sets the velocities and poses of the awake bodies, and updates their proxies. It lists the
// move events, in the order of scratch.awake.
func (w *World) commit(dt float64) {
	sc := &w.scratch
	n := len(sc.awake)
	sc.movedFar = sc.movedFar[:0]
	if w.state.Bullets > 0 {
		sc.motions = append(sc.motions[:0], make([]ccd.Motion, n)...)
	}
	w.events.moved = slices.Grow(w.events.moved, n)[:n]
	sc.effects.Reset(len(w.workers), n, bodyGrain)
	sc.passing.Reset(len(w.workers), n, bodyGrain)
	w.team.Each(n, bodyGrain, w.loops.commit)
	w.applyEffects()
	w.commitBullets(dt)
}

// commitBodies commits a range of the awake bodies. It writes nothing else but their move events, and lists the effects.
func (k *worker) commitBodies(from, to int) {
	w, sc := k.w, &k.w.scratch
	k.part = from / bodyGrain
	for at := from; at < to; at++ {
		i := sc.awake[at]
		b := w.state.Bodies.At(i)
		if out := &sc.advanced[at]; b.Type != broad.DynamicBody {
			by := &w.solver.Motions[at+1]
			b.Velocity, b.Spin = geom.V(by.VX, by.VY), by.Spin
			b.Force, b.Torque = geom.Vec{}, 0
			b.Step = state.BodyStep{}
		} else if !out.last {
			k.commitBody(out, i, at, w.state.DT)
		}
		move := &w.events.moved[at]
		move.Body, move.User, move.Transform, move.FellAsleep = BodyID(w.state.Bodies.ID(i)), b.User, b.Transform(), false
	}
}

// commitBody applies the outcome of the dynamic body i, at at in scratch.awake.
func (k *worker) commitBody(out *advanced, i int32, at int, dt float64) {
	w := k.w
	b, by := w.state.Bodies.At(i), &w.solver.Motions[at+1]
	v, spin, d := b.Solved(by, dt)
	if out.Fraction < 1 {
		v = ccd.Cut(v, b.Velocity, b.Free(b.Gravity(w.state.Rare(i), w.state.Config.Gravity)), out.Fraction, dt, w.state.Config.MaxSpeed)
		// The solver takes the speed of a point that turns away from a surface for that of the whole sub-step. A body that turns by
		// a quarter in one may so be held in its place for good, at full speed: advance stops it, and the contact does not.
		if out.Fraction == 0 {
			spin *= 0.5
		}
	}
	from, r := b.Pose(), w.state.Rare(i)
	r.StartPose, r.StartedAt = b.Transform(), w.state.Steps+1
	b.Velocity, b.Spin = v, spin
	b.Force, b.Torque = geom.Vec{}, 0
	b.Center, b.Rot = out.To.Center, out.To.Rot
	if out.Squeezed {
		k.list(squeezed, i, at)
	}
	if !out.unswept && w.state.Broad.HasSensors() {
		k.recordFastMotion(i, from, out.Fraction*by.Turn)
	}
	// Rounding of a box is far below 1e-12 of its coordinates.
	if r.Room -= out.travel; !(r.Room > 1e-12*(math.Abs(b.Center.X)+math.Abs(b.Center.Y)+b.Extent)) {
		k.listBoxes(i, nil)
	}
	if w.state.Bullets > 0 && !out.unswept {
		k.recordMotion(at, from, out.last || d.Len()+float64(math.Abs(by.Turn)*b.Extent) > state.AABBMargin)
	}
	if c := &w.state.Config; !c.NoSleep {
		if w.state.Islands.Rest(int32(at+1), b.NoteRest(r, by, c.SleepSpeed, dt)); b.Step.Jammed {
			k.list(jammed, i, at)
		}
	}
	b.Step = state.BodyStep{}
}

// updateProxies updates the boxes in the broad phase of body bi; see listBoxes.
func (w *World) updateProxies(bi int32, motion *ccd.Motion) {
	w.alone(func(k *worker) { k.listBoxes(bi, motion) })
}

// listBoxes lists new boxes in the broad phase, grown by margins, of those shapes, grounds and chains of body bi that have
// left theirs. The boxes of a moving body that is not dynamic hold all of its motion through the
// step; motion is nil for other bodies.
func (k *worker) listBoxes(bi int32, motion *ccd.Motion) {
	w := k.w
	b := w.state.Bodies.At(bi)
	if b.Flags&state.Disabled != 0 {
		return
	}
	t := b.Transform()
	w.state.Rare(bi).Room = math.MaxFloat64
	for i := b.FirstShape; i >= 0; {
		s := w.state.Shapes.At(i)
		box := s.Hull.Bounds(t)
		if motion != nil {
			box = motion.SweptBox(&s.Hull, b.Extent)
		}
		k.listBox(s.Proxy, bi, box, s.Margin())
		i = s.Next
	}
	for i := b.FirstGround; i >= 0; i = w.state.Grounds.At(i).Next {
		if g := w.state.Grounds.At(i); g.Proxy != broad.None {
			k.listBox(g.Proxy, bi, motion.BoundsOf(g.Bounds(), t, b.LocalCenter), state.AABBMargin)
		}
	}
	for i := b.FirstChain; i >= 0; i = w.state.Chains.At(i).Next {
		c := w.state.Chains.At(i)
		k.listBox(c.Proxy, bi, motion.BoundsOf(c.Box, t, b.LocalCenter), state.AABBMargin)
	}
}

// listBox lists box, grown by margin, as the new one of the proxy id of body bi, if the old one does not contain it.
func (k *worker) listBox(id broad.ID, bi int32, box geom.AABB, margin float64) {
	r := k.w.state.Rare(bi)
	if room := k.w.state.Broad.At(id).Box.Room(box); room >= 0 {
		r.Room = min(r.Room, room)
		return
	}
	r.Room = min(r.Room, margin)
	k.w.state.Bodies.At(bi).Boxes++
	e := k.w.scratch.effects.Add(k.number, k.part)
	e.proxy, e.body, e.box = id, bi, box.Expand(margin)
}

// recordFastMotion records the motion of body i for the sensors, if one of its shapes may pass a
// sensor within the step. The motion began at from; turnGuess is the angle
// of the turn in radians, to within half a turn.
func (k *worker) recordFastMotion(i int32, from ccd.Pose, turnGuess float64) {
	b := k.w.state.Bodies.At(i)
	if motion := ccd.Between(i, from, b.Pose(), b.LocalCenter, turnGuess); b.MayPass(k.w.state.Rare(i), &motion, &k.w.state.Grounds, &k.w.state.Chains) {
		*k.w.scratch.passing.Add(k.number, k.part) = motion
	}
}

// list lists an effect on body i, at at in scratch.awake.
func (k *worker) list(kind effectKind, i int32, at int) {
	e := k.w.scratch.effects.Add(k.number, k.part)
	e.kind, e.body, e.at = kind, i, int32(at)
}

// alone calls do with the first worker, and applies the effects that it lists.
func (w *World) alone(do func(k *worker)) {
	sc := &w.scratch
	sc.effects.Reset(len(w.workers), 1, 1)
	sc.passing.Reset(len(w.workers), 1, 1)
	w.workers[0].part = 0
	do(&w.workers[0])
	w.applyEffects()
}

// applyEffects applies the listed effects, in the order of the bodies. A body that leaves the bounds of the broad phase
// stops for good.
func (w *World) applyEffects() {
	sc, lost := &w.scratch, int32(-1)
	effects := sc.effects.Join()
	for k := range effects {
		switch e := &effects[k]; e.kind {
		case newBox:
			if e.body != lost && w.state.Broad.Update(e.proxy, e.box) != nil {
				lost = e.body
				w.state.MarkLost(lost)
			}
		case squeezed:
			w.state.ReportCrushed(e.body, false)
		case jammed:
			w.state.Islands.Jam(e.at + 1)
		case wentFar:
			sc.movedFar = append(sc.movedFar, e.at)
		}
	}
	sc.sensors.List = append(sc.sensors.List, sc.passing.Join()...)
}

// Bullets are swept against other dynamic bodies, too. The bullets that are swept in a step move
// last, one after the other: each is swept against the motions of all other bodies and of the
// bullets before it. So a bullet is advanced and committed before the next one is advanced.

// recordMotion records the motion that the body at at in scratch.awake has made from the pose from,
// for the bullets. With far, the body may have left the box that the broad phase had of it.
func (k *worker) recordMotion(at int, from ccd.Pose, far bool) {
	w := k.w
	i := w.scratch.awake[at]
	b, by := w.state.Bodies.At(i), &w.solver.Motions[at+1]
	w.scratch.motions[at] = ccd.Between(i, from, b.Pose(), b.LocalCenter, by.Turn)
	if far {
		k.list(wentFar, i, at)
	}
}

// commitBullets advances and commits the bullets that are swept.
func (w *World) commitBullets(dt float64) {
	if w.state.Bullets == 0 {
		return
	}
	for k, i := range w.scratch.awake {
		out := &w.scratch.advanced[k]
		if !out.last {
			continue
		}
		w.workers[0].advanceBody(out, i, k, dt)
		w.alone(func(first *worker) { first.commitBody(out, i, k, dt) })
		w.events.moved[k].Transform = w.state.Bodies.At(i).Transform()
	}
}
