package step

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/state"
)

// effect is an effect of a body's commit on records other than the body and its boxes. The workers list effects,
// and applyEffects applies them.
type effect struct {
	kind effectKind
	at   int32 // index of the body in awake.Bodies
	body int32
}

type effectKind uint8

const (
	squeezed effectKind = iota
	jammed
	wentFar // with bullets; see recordMotion
)

// beginLists empties the lists of new boxes, of effects and of motions that may pass a sensor, for a loop over
// the given number of bodies.
func (s *Advance) beginLists(bodies int) {
	s.boxes.Reset(len(s.workers), bodies, BodyGrain)
	s.effects.Reset(len(s.workers), bodies, BodyGrain)
	s.passing.Reset(len(s.workers), bodies, BodyGrain)
	s.put.Reset()
}

// commitBodies sets the velocities and poses of a range of the awake bodies. It writes nothing else, and lists
// the effects. Of several workers one at a time puts the new boxes of finished ranges into the broad phase.
func (k *advancer) commitBodies(from, to int) {
	k.part = from / BodyGrain
	for at := from; at < to; at++ {
		i := k.awake.Bodies[at]
		b := k.world.Bodies.At(i)
		if out := &k.outcomes[at]; b.Type != broad.DynamicBody {
			by := &k.solved[at+1]
			b.Velocity, b.Spin = geom.V(by.VX, by.VY), by.Spin
			b.Force, b.Torque = geom.Vec{}, 0
			b.Step = state.BodyStep{}
		} else if !out.sweptLast {
			k.commitBody(out, i, at)
		}
	}
	if boxes := k.boxes.Of(k.number, k.part); len(boxes) > 0 && len(k.workers) > 1 {
		k.put.Add(boxes, k.putBoxes)
	}
}

// commitBody applies the outcome of the dynamic body i, which is awake.Bodies[at].
func (k *advancer) commitBody(out *reached, i int32, at int) {
	w := k.world
	b, by, dt := w.Bodies.At(i), &k.solved[at+1], w.DT
	v, spin, d := b.Solved(by)
	if out.Fraction < 1 {
		v = ccd.Cut(v, b.Velocity, b.Free(b.Gravity(w.Rare(i), w.Config.Gravity)), out.Fraction, dt, w.Config.MaxSpeed)
	}
	from, r, hung := b.Pose(), w.Rare(i), out.hangs(b, d)
	velocityBefore, spinBefore := b.Velocity, b.Spin
	r.StartPose, r.StartedAt = b.Transform(), w.Steps+1
	b.Velocity, b.Spin = v, spin
	b.Force, b.Torque = geom.Vec{}, 0
	b.Load = float64(by.Load)
	b.Center, b.Rot = out.To.Center, out.To.Rot
	if out.Squeezed {
		k.add(squeezed, i, at)
	}
	if !out.unswept && w.Broad.HasSensors() {
		k.recordFastMotion(i, from, out.Fraction*by.Turn)
	}
	// Rounding of a box is far below 1e-12 of its coordinates.
	if r.Room -= out.travel; !(r.Room > 1e-12*(math.Abs(b.Center.X)+math.Abs(b.Center.Y)+b.Extent)) {
		w.ListBoxes(&k.boxes, k.number, k.part, i, nil)
	}
	if w.Bullets > 0 && !out.unswept {
		k.recordMotion(at, from, out.sweptLast || d.Len()+float64(math.Abs(by.Turn)*b.Extent) > state.AABBMargin)
	}
	if !w.Config.NoSleep {
		if w.Islands.Rest(int32(at+1), noteRest(w, b, r, by, velocityBefore, spinBefore)); b.Step.Jammed {
			k.add(jammed, i, at)
		}
	}
	b.Step = state.BodyStep{}
	b.Step.Hung = hung
}

// recordFastMotion records the motion of body i for the sensors, if one of its shapes may pass a sensor within
// the step. The motion began at the pose from; turnGuess is the angle of the turn in radians, to within half a
// turn.
func (k *advancer) recordFastMotion(i int32, from ccd.Pose, turnGuess float64) {
	w := k.world
	b := w.Bodies.At(i)
	if motion := ccd.Between(i, from, b.Pose(), b.LocalCenter, turnGuess); b.MayPass(w.Rare(i), &motion, &w.Grounds,
		&w.Chains) {
		*k.passing.Add(k.number, k.part) = motion
	}
}

// add lists an effect of body i, which is awake.Bodies[at].
func (k *advancer) add(kind effectKind, i int32, at int) {
	e := k.effects.Add(k.number, k.part)
	e.kind, e.body, e.at = kind, i, int32(at)
}

// applyEffects notes the listed boxes, and applies the listed effects, in the order of the bodies.
func (s *Advance) applyEffects() {
	w := s.world
	for boxes := range s.boxes.Ranges() {
		if len(s.workers) == 1 { // in a loop of their own, which costs less than between the bodies
			w.PutBoxes(boxes)
		}
		w.NoteBoxes(boxes)
	}
	effects := s.effects.Join()
	for k := range effects {
		switch e := &effects[k]; e.kind {
		case squeezed:
			w.ReportCrushed(e.body, false)
		case jammed:
			w.Islands.Jam(e.at + 1)
		case wentFar:
			s.movedFar = append(s.movedFar, e.at)
		}
	}
	s.fast = append(s.fast, s.passing.Join()...)
}
