package quarry

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/solve"
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
		b, from := w.bodies.At(i), &w.solver.Motions[k+1]
		motion := ccd.Motion{From: b.transform(), Center: b.center, Body: i, Moves: true}
		r := w.rare(i)
		r.startPose, r.startedAt = motion.From, w.steps+1
		motion.D = geom.V(from.DX, from.DY)
		was := b.rot
		b.rot = ccd.Turned(b.rot, from.C, from.S)
		motion.Turn = ccd.TurnOf(was, b.rot, from.Turn)
		b.center = b.center.Add(motion.D)
		motion.To = b.transform()
		b.moverIndex = int32(len(w.scratch.movers))
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
		b, by := w.bodies.At(i), &w.solver.Motions[k+1]
		_, _, d := b.solved(by, dt)
		rot := ccd.Turned(b.rot, by.C, by.S)
		b.moverIndex = int32(len(w.scratch.movers))
		motion := ccd.Motion{
			From: b.transform(), To: geom.Transform{P: b.center.Add(d).Sub(rot.Apply(b.localCenter)), Q: rot}, Center: b.center, D: d,
			Turn: ccd.TurnOf(b.rot, rot, by.Turn), Body: i, Moves: true,
		}
		w.scratch.movers = append(w.scratch.movers, motion)
		travel, near := d.Len()+float64(math.Abs(motion.Turn)*b.extent), uint64(broad.Dynamic)
		if travel <= geom.LinearSlop {
			continue
		}
		if travel > aabbMargin {
			near |= broad.MovingGrounds
		}
		for g := b.firstGround; g >= 0; g = w.grounds.At(g).next {
			if o := w.grounds.At(g); o.proxy != broad.None {
				if box := motion.BoundsOf(o.box, motion.To, b.localCenter); !w.broad.At(o.proxy).Box.Contains(box) && w.broad.Update(o.proxy, box) == nil {
					b.boxes++
					w.rare(i).room = 0
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
	sc.advanced = append(sc.advanced[:0], make([]advanced, len(sc.awake))...)
	w.team.Each(len(sc.awake), bodyGrain, w.loops.bodies)
}

// advanceBodies advances a range of the awake bodies.
func (k *worker) advanceBodies(from, to int) {
	for at, i := range k.w.scratch.awake[from:to] {
		if k.w.bodies.At(i).kind == Dynamic {
			k.advanceBody(&k.w.scratch.advanced[from+at], i, from+at, k.w.scratch.dt)
		}
	}
}

// advanceBody sets out to the outcome for body i, at at in scratch.awake. A bullet that is swept is
// left to commitBullets.
func (k *worker) advanceBody(out *advanced, i int32, at int, dt float64) {
	w := k.w
	b, by := w.bodies.At(i), &w.solver.Motions[at+1]
	_, _, d := b.solved(by, dt)
	out.travel = math.Inf(1)
	out.To.Center, out.To.Rot, out.Fraction = b.center.Add(d), ccd.Turned(b.rot, by.C, by.S), 1
	if out.unswept = b.step.throughGround && d.Len() <= 2*pushSpeed*dt; out.unswept {
		return
	}
	from := ccd.Pose{Center: b.center, Rot: b.rot}
	travel := ccd.MaxTravel(from, out.To, by.Turn, b.extent)
	pushed := b.bullet && w.touchesDynamic(i)
	near := w.nearMover(b, travel)
	if travel <= b.coreGate && !pushed && !near && !b.step.deep && !b.step.sunkInChain { // most bodies in most steps
		out.travel = travel
		return
	}
	if b.bullet && !out.last {
		out.last = true
		return
	}
	m := &k.mover // set field by field: a copy of a literal would wait until its parts are written
	m.From.Center, m.From.Rot, m.To.Center, m.To.Rot = b.center, b.rot, out.To.Center, out.To.Rot
	m.Turn, m.LocalCenter, m.Extent, m.Shapes = by.Turn, b.localCenter, b.extent, m.Shapes[:0]
	m.Deep, m.Sunk, m.NearMoving = b.step.deep, b.step.sunkInChain, near
	m.Bullet, m.Pushed = b.bullet, pushed
	for si := b.firstShape; si >= 0; si = w.shapes.At(si).next {
		if s := w.shapes.At(si); !s.sensor {
			m.Shapes = append(m.Shapes, ccd.Shape{Hull: &s.hull, Core: s.core, ID: si})
		}
	}
	if b.firstGround >= 0 {
		k.addPieces(m, i, b, travel)
	}
	out.Result = k.sweeper.Advance(m, k)
}

// addPieces adds to m the pieces of the grounds of body i, which is b, that may meet an obstacle; no point of it moves
// farther than travel.
func (k *worker) addPieces(m *ccd.Mover, i int32, b *body, travel float64) {
	w, t := k.w, b.transform()
	inverse := t.InvMul(geom.At(geom.Vec{}))
	k.pieces.Reset()
	for g := b.firstGround; g >= 0; g = w.grounds.At(g).next {
		o, r := w.grounds.At(g), geom.Empty
		if o.proxy == broad.None {
			continue
		}
		path := o.box.In(t).Expand(travel + ccd.PathSlop)
		for _, id := range k.find(path, broad.Obstacles) {
			if e := w.broad.At(id); e.Body != i {
				r = r.Union(geom.AABB{Min: e.Box.Min.Max(path.Min), Max: e.Box.Max.Min(path.Max)}.In(inverse))
			}
		}
		if cells, ok := surface.Cells(r.Expand(travel + ccd.PathSlop)); ok && !r.IsEmpty() {
			k.pieces.Add(&o.tiles, cells, ^g)
		}
	}
	m.Shapes = k.pieces.AppendShapes(m.Shapes)
}

// solved returns the velocity, the spin and the displacement that the solver found for b.
func (b *body) solved(by *solve.Motion, dt float64) (v geom.Vec, spin float64, d geom.Vec) {
	v, spin, d = geom.V(by.VX, by.VY), by.Spin, geom.V(by.DX, by.DY)
	if b.locks() != 0 {
		v, d = b.free(v), b.free(d)
	}
	if p := b.step.pinchSpeed; p > 0 { // it limits the motion, or the motion before, if that is faster
		most, turn := max(p, b.velocity.Len()), max(math.Abs(b.spin), p/max(b.extent, geom.LinearSlop))
		return depenetrate.AtMost(v, most), max(-turn, min(turn, spin)), depenetrate.AtMost(d, most*dt)
	}
	return v, spin, d
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
	if w.bullets > 0 {
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
		b := w.bodies.At(i)
		if out := &sc.advanced[at]; b.kind != Dynamic {
			by := &w.solver.Motions[at+1]
			b.velocity, b.spin = geom.V(by.VX, by.VY), by.Spin
			b.force, b.torque = geom.Vec{}, 0
			b.step = bodyStep{}
		} else if !out.last {
			k.commitBody(out, i, at, sc.dt)
		}
		move := &w.events.moved[at]
		move.Body, move.User, move.Transform, move.FellAsleep = BodyID(w.bodies.ID(i)), b.user, b.transform(), false
	}
}

// commitBody applies the outcome of the dynamic body i, at at in scratch.awake.
func (k *worker) commitBody(out *advanced, i int32, at int, dt float64) {
	w := k.w
	b, by := w.bodies.At(i), &w.solver.Motions[at+1]
	v, spin, d := b.solved(by, dt)
	if out.Fraction < 1 {
		// The step was cut at the fraction, so remove the rest of the gravity gained, unless the
		// speed would then exceed MaxSpeed.
		gain := geom.Vec{}
		if !b.weightless {
			gain = ccd.GravityGain(b.free(w.gravityOf(i, b)), v.Sub(b.velocity), dt)
		}
		if cut := v.MulAdd(out.Fraction-1, gain); cut.Len2() <= max(w.config.MaxSpeed*w.config.MaxSpeed, v.Len2()) {
			v = cut
		}
	}
	from := ccd.Pose{Center: b.center, Rot: b.rot}
	r := w.rare(i)
	r.startPose, r.startedAt = b.transform(), w.steps+1
	b.velocity, b.spin = v, spin
	b.force, b.torque = geom.Vec{}, 0
	b.center, b.rot = out.To.Center, out.To.Rot
	if out.Squeezed {
		if r.squeezedAt != w.steps {
			k.list(squeezed, i, at)
		}
		r.squeezedAt = w.steps + 1
	}
	if !out.unswept && w.broad.HasSensors() {
		k.recordFastMotion(i, from.Center, from.Rot, out.Fraction*by.Turn)
	}
	// Rounding of a box is far below 1e-12 of its coordinates.
	if r.room -= out.travel; !(r.room > 1e-12*(math.Abs(b.center.X)+math.Abs(b.center.Y)+b.extent)) {
		k.listBoxes(i, nil)
	}
	if w.bullets > 0 && !out.unswept {
		k.recordMotion(at, from, out.last || d.Len()+float64(math.Abs(by.Turn)*b.extent) > aabbMargin)
	}
	k.noteRest(i, b, at, dt)
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
			if e.body != lost && w.broad.Update(e.proxy, e.box) != nil {
				lost = e.body
				w.markLost(lost)
			}
		case squeezed:
			w.reportCrushed(e.body)
		case jammed:
			sc.islands.Jam(e.at + 1)
		case wentFar:
			sc.movedFar = append(sc.movedFar, e.at)
		}
	}
	sc.fast.List = append(sc.fast.List, sc.passing.Join()...)
}
