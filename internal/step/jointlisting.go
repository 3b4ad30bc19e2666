package step

import (
	"slices"
	"sync/atomic"

	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// JointListing lists the joints of awake bodies for the solver, and after them the locks of awake bodies. The
// solver treats a lock as a joint with the world, so loads and impacts pass to it. The listing gives the solver
// the rows of both, and takes their impulses (solve.JointSource). The zero JointListing is empty.
type JointListing struct {
	Joints []int32 // slots
	locked []int32 // bodies

	world  *state.World
	bodies *Listing
	solver *solve.Solver
	links  []solve.Link // of both
	h      float64      // seconds of a sub-step

	firsts  []int32                    // number of joints before each range of words of Joints.Active
	idle    atomic.Bool                // some joints hold no body that the solver moves
	reports atomic.Bool                // see Reporting
	drives  []bool                     // by index in Joints: a motor turns; see drive
	loop    func(worker, from, to int) // made once, so that a step allocates nothing
}

// notListed stands for a joint that holds no body that the solver moves.
const notListed = -1

// Make makes the list of a step, and gives s its links; bodies has the bodies that the solver moves. All workers
// list the joints, by words of Joints.Active, as AwakeSet.List does.
func (l *JointListing) Make(w *state.World, t *team.Team, s *solve.Solver, bodies *Listing) {
	l.world, l.bodies, l.solver, l.h, s.Joints = w, bodies, s, w.DT/float64(w.Config.SubSteps), l
	if l.loop == nil {
		l.loop = l.list
	}
	n := 0
	l.firsts, n = w.Joints.Active.AppendCounts(l.firsts[:0], WordGrain)
	l.Joints, s.JointLinks = slices.Grow(l.Joints[:0], n)[:n], slices.Grow(s.JointLinks[:0], n)[:n]
	t.Each(len(w.Joints.Active), WordGrain, l.loop)
	if l.idle.Swap(false) {
		n = 0
		for k, i := range l.Joints {
			if i != notListed {
				l.Joints[n], s.JointLinks[n] = i, s.JointLinks[k]
				n++
			}
		}
		l.Joints, s.JointLinks = l.Joints[:n], s.JointLinks[:n]
	}
	l.locked = l.locked[:0]
	for i := range w.Locked.All() {
		if b := w.Bodies.At(i); b.Type == broad.DynamicBody && b.Moves() && s.Motions[b.SolverIndex].Yields() {
			l.locked = append(l.locked, i)
			s.JointLinks = append(s.JointLinks, solve.Link{B: b.SolverIndex, Pin: b.Locks() == state.LockX|state.LockY})
		}
	}
	l.links = s.JointLinks
	l.reports.Store(false)
	l.drives = slices.Grow(l.drives[:0], len(l.Joints))[:len(l.Joints)]
	clear(l.drives)
}

// list lists the joints in a range of the words of Joints.Active.
func (l *JointListing) list(_, from, to int) {
	w, motions := l.world, l.solver.Motions
	at := l.firsts[from/WordGrain]
	for i := range w.Joints.Active.Within(from, to) {
		j := w.Joints.At(i)
		a, b := l.bodies.Body(j.BodyA, &w.Bodies).Index, l.bodies.Body(j.BodyB, &w.Bodies).Index
		if motions[a].Yields() || motions[b].Yields() {
			l.Joints[at], l.solver.JointLinks[at] = i, solve.Link{A: a, B: b, Pin: j.Pin(), Ratio: j.TurnRatio()}
		} else {
			l.Joints[at] = notListed
			l.idle.Store(true)
		}
		at++
	}
}

// Reporting returns Joints if one of them has an event, or counts the turns of its bodies (joint.Joint.Turn);
// otherwise nil.
func (l *JointListing) Reporting() []int32 {
	if l.reports.Load() {
		return l.Joints
	}
	return nil
}

// turn counts the turns of the bodies of gears and ratchets, after the solver has run.
func (l *JointListing) turn() {
	for k, i := range l.Reporting() {
		link := l.links[k]
		l.world.Joints.At(i).Turn(l.solver.Motions[link.A].Turn, l.solver.Motions[link.B].Turn)
	}
}

// drive keeps the islands awake in which a motor turned as the step began; see rest.go.
func (l *JointListing) drive() {
	for k, drives := range l.drives {
		if drives {
			l.world.Islands.Drive(l.links[k].A)
			l.world.Islands.Drive(l.links[k].B)
		}
	}
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
	l.drives[i] = out.Motorized() && j.Drives(&a, &b)
}

// TakeJoint implements solve.JointSource.
func (l *JointListing) TakeJoint(_ int, i int32, x *solve.JointImpulses, did *solve.Reaction) {
	w := l.world
	if k := int(i) - len(l.Joints); k >= 0 {
		w.Rare(l.locked[k]).LockImpulse = [2]float32{x.U, x.V}
		return
	}
	j := w.Joints.At(l.Joints[i])
	if j.Reaction = j.Take(x, did, l.h); j.Reaction.Over || j.Geared() {
		l.reports.Store(true)
	}
}
