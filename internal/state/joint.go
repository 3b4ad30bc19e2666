package state

import (
	"iter"

	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/pool"
)

// Joint is the state of a joint. It is in the lists of joints of both its bodies.
type Joint struct {
	joint.Joint
	BodyA, BodyB int32
	Collide      bool // JointBase.CollideConnected
	Excludes     bool // its bodies have no contacts because of it
	Off          bool // a body of it is disabled
	User         uint64
	Reaction     joint.Reaction // of the last step in which a body of it was awake
}

// Acts reports whether j holds its bodies.
func (j *Joint) Acts() bool { return j.Kind != joint.Filter && !j.Off }

// Visit visits j, joint i in the lists of ends.
func (j *Joint) Visit(c *pool.Codec, ends pool.Edges, i int32) {
	c.Pair(&j.BodyA, &j.BodyB)
	c.Flag(&j.Collide)
	if j.Joint.Visit(c); c.Hashing() {
		return
	}
	ends.Visit(c, i)
	c.Flags(new(uint8), 0, &j.Excludes, &j.Off)
	c.Word(&j.User)
	joint.VisitReaction(c, &j.Reaction)
}

// Joints holds the joints of a world.
type Joints struct {
	pool.Pool[Joint]
	Ends   pool.Edges // by slot, in the lists of the bodies
	Active pool.Bits  // joints with rows, of bodies that may move in the next step; a step removes the others
}

// Visit visits all joints.
func (js *Joints) Visit(c *pool.Codec) {
	js.Pool.Visit(c, "joint", true, func(i int32, j *Joint) {
		if c.Reading() {
			pool.Clear(&js.Ends, &js.Pool, i)
		}
		j.Visit(c, js.Ends, i)
	})
}

// Copy makes js a copy of from.
func (js *Joints) Copy(from *Joints) {
	js.Pool.Copy(&from.Pool)
	pool.CopySlice(&js.Ends, from.Ends)
	pool.CopySlice(&js.Active, from.Active)
}

// Of yields the joints of the body with the fields r, as slot*2 + the body's side; the loop may remove the joint that
// it visits.
func (js *Joints) Of(r *BodyRare) iter.Seq2[int32, *Joint] {
	return pool.EdgesOf(js.Ends, &js.Pool, r.FirstJoint)
}

// CheckEnds reports whether the list of joints of body i, with the fields r, has only joints of that body, and
// subtracts their number from left.
func (js *Joints) CheckEnds(i int32, r *BodyRare, left *int) bool {
	return js.Ends.Check(r.FirstJoint, left, func(end int32) bool {
		if !js.Has(end >> 1) {
			return false
		}
		j := js.At(end >> 1)
		return j.BodyA != j.BodyB && (end&1 == 0 && j.BodyA == i || end&1 == 1 && j.BodyB == i)
	})
}

// AppendHeld appends the sleepers that joints hold to the body with the fields r.
func (js *Joints) AppendHeld(dst []int32, r *BodyRare, bodies *pool.Pool[Body]) []int32 {
	for l, j := range js.Of(r) {
		other := j.BodyA
		if l&1 == 0 {
			other = j.BodyB
		}
		if j.Acts() && bodies.At(other).Asleep() {
			dst = append(dst, other)
		}
	}
	return dst
}

// JointsOf yields the joints of body i, as slot*2 + the body's side; the loop may remove the joint that it visits.
func (w *World) JointsOf(i int32) iter.Seq2[int32, *Joint] {
	return w.Joints.Of(w.Rare(i))
}

// JointSides returns the bodies of j as joints see them.
func (w *World) JointSides(j *Joint) (a, b joint.Side) {
	return w.Bodies.At(j.BodyA).JointSide(), w.Bodies.At(j.BodyB).JointSide()
}

// SwitchJoint makes joint i act if both its bodies are enabled.
func (w *World) SwitchJoint(i int32) {
	j := w.Joints.At(i)
	j.Off = (w.Bodies.At(j.BodyA).Flags|w.Bodies.At(j.BodyB).Flags)&Disabled != 0
	if w.Joints.Active.Remove(i); j.Acts() {
		w.Joints.Active.Add(i)
	}
}

// FitJoint sets the fields of j that depend on the present poses: a length, turns; see joint.Joint.Fit.
func (w *World) FitJoint(j *Joint) {
	a, b := w.JointSides(j)
	j.Fit(&a, &b)
}

// WakeJoint wakes the bodies of j.
func (w *World) WakeJoint(j *Joint) {
	if j.Acts() {
		w.Wake(j.BodyA)
		w.Wake(j.BodyB)
	}
}

// CollideConnected sets JointBase.CollideConnected.
func (w *World) CollideConnected(j *Joint, on bool) {
	j.Collide = on
	w.exclude(j, j.Kind == joint.Filter || !on && w.Bodies.ID(j.BodyA) != w.WorldBody)
}

// exclude removes the contacts between j's bodies, and prevents new ones until it is called with false.
func (w *World) exclude(j *Joint, on bool) {
	if j.Excludes == on {
		return
	}
	if j.Excludes = on; on {
		w.Broad.Exclude(j.BodyA, j.BodyB)
		a, b := w.Bodies.At(j.BodyA), w.Bodies.At(j.BodyB)
		if w.Contacts.Ends.Shorter(a.FirstContact, b.FirstContact) {
			b = a
		}
		for l, c := range w.Contacts.Of(b) {
			if !c.Sensor && min(c.BodyA, c.BodyB) == min(j.BodyA, j.BodyB) &&
				max(c.BodyA, c.BodyB) == max(j.BodyA, j.BodyB) {
				w.RemoveContact(l>>1, true)
			}
		}
	} else if w.Broad.Admit(j.BodyA, j.BodyB) {
		of := j.BodyB
		if w.hasFewerParts(j.BodyA, of) {
			of = j.BodyA
		}
		for e := range w.ProxiesOf(of) {
			w.Broad.Renew(e)
		}
	}
}

// RemoveJoint wakes the bodies of joint i, and removes it.
func (w *World) RemoveJoint(i int32) {
	j := w.Joints.At(i)
	w.WakeJoint(j)
	w.exclude(j, false)
	w.Joints.Ends.Unlink(i, &w.Rare(j.BodyA).FirstJoint, &w.Rare(j.BodyB).FirstJoint)
	w.Joints.Active.Remove(i)
	w.Joints.Remove(i)
}

// MoveEnd moves one end of joint k to another body with the same frame.
func (w *World) MoveEnd(k int32, j *Joint, end *int32, to int32) {
	w.exclude(j, false)
	w.Joints.Ends.Unlink(k, &w.Rare(j.BodyA).FirstJoint, &w.Rare(j.BodyB).FirstJoint)
	*end = to
	w.Joints.Ends.Link(k, &w.Rare(j.BodyA).FirstJoint, &w.Rare(j.BodyB).FirstJoint)
	w.CollideConnected(j, j.Collide)
	w.SwitchJoint(k)
	w.WakeJoint(j)
}
