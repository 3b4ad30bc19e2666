package step

import (
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// List is the stage that lists bodies, joints and contacts for the solver, and joins the islands.
//
// Needs: the solver moves awake bodies only, and treats contacts in an order that depends neither on slots nor on
// the frame of reference.
//
// Assumes: Apply has ended, so bodies, touching contacts and manifolds are this step's.
//
// Algorithm: all workers list the bodies of state.World.Moving (AwakeSet), then the joints and locks
// (JointListing), then the touching contacts in the order of their pairs (Listing). Bodies that contacts and
// joints hold together are joined to islands. The list of contacts and the islands of the step before are kept if
// nothing in them has changed.
//
// Data: slots in arrays, by index in the solver. Body.SolverIndex leads from a body to its motion.
type List struct {
	Awake    AwakeSet
	Joints   JointListing
	Contacts Listing
}

// Step lists what s moves in w; n has computed the manifolds of the step.
func (l *List) Step(w *state.World, t *team.Team, s *solve.Solver, n *Narrow) {
	l.Awake.List(w, t, s, &l.Contacts)
	l.Joints.Make(w, t, s, &l.Contacts)
	l.Contacts.Begin(t.Workers(), w.Config.HitSpeed)
	l.Contacts.Strengths = w.Strengths
	l.Contacts.Make(w, t, s, l.Awake.Kinematic, l.Joints.Joints, n.relists())
}
