package state

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/solve"
)

// JointListing lists the joints of awake bodies for the solver, and after them the locks of awake bodies, which the solver takes
// for joints with the world: so it passes loads and impacts on to a lock. The listing gives the solver their rows, and takes their
// impulses (solve.JointSource). The zero JointListing is empty.
type JointListing struct {
	Joints []int32 // slots
	locked []int32 // bodies

	world *World
	links []solve.Link // of both
	h     float64      // seconds of a sub-step
}

// Make makes the list of a step, and gives s its links; bodies tells which bodies the solver moves.
func (l *JointListing) Make(w *World, s *solve.Solver, bodies *Listing) {
	l.world, l.h, s.Joints = w, w.DT/float64(w.Config.SubSteps), l
	l.Joints, l.locked = l.Joints[:0], l.locked[:0]
	for i := range w.Joints.Active.All() {
		j := w.Joints.At(i)
		if a, b := bodies.Side(j.BodyA, &w.Bodies).Index, bodies.Side(j.BodyB, &w.Bodies).Index; s.Motions[a].Yields() || s.Motions[b].Yields() {
			l.Joints, s.JointLinks = append(l.Joints, i), append(s.JointLinks, solve.Link{A: a, B: b, Pin: j.Pin(), Ratio: j.TurnRatio()})
		}
	}
	for i := range w.Locked.All() {
		if b := w.Bodies.At(i); b.Type == broad.DynamicBody && b.Moves() && s.Motions[b.SolverIndex].Yields() {
			l.locked = append(l.locked, i)
			s.JointLinks = append(s.JointLinks, solve.Link{B: b.SolverIndex, Pin: b.Locks() == LockX|LockY})
		}
	}
	l.links = s.JointLinks
}

// FillJoint implements solve.JointSource.
func (l *JointListing) FillJoint(_ int, i int32, out *solve.Joint) {
	w := l.world
	if k := int(i) - len(l.Joints); k >= 0 {
		b := l.locked[k]
		w.Bodies.At(b).FillLocks(w.Rare(b), out)
		return
	}
	j := w.Joints.At(l.Joints[i])
	a, b := w.JointSides(j)
	j.Fill(out, &a, &b, l.h, l.links[i].Pin)
}

// TakeJoint implements solve.JointSource.
func (l *JointListing) TakeJoint(_ int, i int32, x *solve.JointImpulses, did *solve.Reaction) {
	w := l.world
	if k := int(i) - len(l.Joints); k >= 0 {
		w.Rare(l.locked[k]).LockImpulse = [2]float32{x.U, x.V}
		return
	}
	j := w.Joints.At(l.Joints[i])
	j.Reaction = j.Take(x, did, l.h)
}
