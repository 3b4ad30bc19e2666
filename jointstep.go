package quarry

import (
	"iter"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/store"
)

// JointEvent reports that the force or torque of a joint was beyond its threshold.
type JointEvent struct {
	Joint  JointID
	User   uint64
	Force  geom.Vec // see Joint.Force
	Torque float64  // see Joint.Torque
}

// JointEvents returns the joints whose force or torque in the last step was beyond JointBase.ForceThreshold or
// TorqueThreshold, in slot order.
func (w *World) JointEvents() []JointEvent { return w.events.joints }

// jointsOf yields the joints of body i, as slot*2 + the body's side; the loop may remove the joint that it visits.
func (w *World) jointsOf(i int32) iter.Seq2[int32, *jointState] {
	return store.EdgesOf(w.joints.ends, &w.joints.Pool, w.rare(i).firstJoint)
}

// wakeJoint wakes the bodies of j.
func (w *World) wakeJoint(j *jointState) {
	if j.acts() {
		w.wake(j.bodyA)
		w.wake(j.bodyB)
	}
}

// pushJoined puts the sleepers that joints hold to body i on the stack.
func (w *World) pushJoined(i int32) {
	for l, j := range w.jointsOf(i) {
		other := j.bodyA
		if l&1 == 0 {
			other = j.bodyB
		}
		if j.acts() && w.bodies.At(other).asleep() {
			w.scratch.stack = append(w.scratch.stack, other)
		}
	}
}

// touchJoined lists the sleeping bodies that joints hold to bodies that move, to be woken.
func (w *World) touchJoined() {
	for i := range w.joints.active.All() {
		j := w.joints.At(i)
		if a, b := w.bodies.At(j.bodyA), w.bodies.At(j.bodyB); !a.moves() && !b.moves() {
			w.joints.active.Remove(i)
		} else if a.asleep() {
			w.scratch.touched = append(w.scratch.touched, j.bodyA)
		} else if b.asleep() {
			w.scratch.touched = append(w.scratch.touched, j.bodyB)
		}
	}
}

// listJoints lists the joints of awake bodies for the solver, and joins the islands.
func (w *World) listJoints(dt float64) {
	s, js := &w.solver, &w.joints
	js.listed, js.h, s.Joints = js.listed[:0], dt/float64(w.config.SubSteps), (*jointSource)(w)
	for i := range js.active.All() {
		j := js.At(i)
		if a, b := w.side(j.bodyA), w.side(j.bodyB); s.Motions[a.index].Yields() || s.Motions[b.index].Yields() {
			w.scratch.islands.Touch(a.index, b.index, a.invMass == 0 || b.invMass == 0)
			js.listed, s.JointLinks = append(js.listed, i), append(s.JointLinks, solve.Link{A: a.index, B: b.index, Pin: j.Pin()})
		}
	}
}

// sidesOf returns the bodies of j as joints see them.
func (w *World) sidesOf(j *jointState) (joint.Side, joint.Side) {
	a, b := w.bodies.At(j.bodyA), w.bodies.At(j.bodyB)
	return joint.Side{Center: a.center, Rot: a.rot, LocalCenter: a.localCenter, Velocity: a.velocity, Spin: a.spin},
		joint.Side{Center: b.center, Rot: b.rot, LocalCenter: b.localCenter, Velocity: b.velocity, Spin: b.spin}
}

// stateOf returns the present state of j.
func (w *World) stateOf(j *jointState) joint.State {
	a, b := w.sidesOf(j)
	return j.State(&a, &b)
}

// jointSource is the world as the solver sees it (solve.JointSource).
type jointSource World

// FillJoint implements solve.JointSource.
func (src *jointSource) FillJoint(_ int, i int32, out *solve.Joint) {
	if k := int(i) - len(src.joints.listed); k >= 0 {
		(*World)(src).fillLock(src.scratch.locked[k], out)
		return
	}
	j := src.joints.At(src.joints.listed[i])
	a, b := (*World)(src).sidesOf(j)
	j.Fill(out, &a, &b, src.joints.h, src.solver.JointLinks[i].Pin)
}

// TakeJoint implements solve.JointSource.
func (src *jointSource) TakeJoint(_ int, i int32, x *solve.JointImpulses, did *solve.Reaction) {
	if k := int(i) - len(src.joints.listed); k >= 0 {
		(*World)(src).rare(src.scratch.locked[k]).lockImpulse = [2]float32{x.U, x.V}
		return
	}
	j := src.joints.At(src.joints.listed[i])
	j.reaction = j.Take(x, did, src.joints.h)
}

// reportJoints adds the events of the joints beyond their thresholds.
func (w *World) reportJoints() {
	for _, i := range w.joints.listed {
		if j := w.joints.At(i); j.reaction.Over {
			w.events.joints = append(w.events.joints, JointEvent{
				JointID(w.joints.ID(i)), j.user, geom.V(j.reaction.ForceX, j.reaction.ForceY), j.reaction.Torque,
			})
		}
	}
}
