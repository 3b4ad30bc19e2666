package step

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
	"github.com/quarry2d/quarry/internal/team"
)

// Narrow is the stage that computes the manifolds of all contacts of bodies that move, except the contacts of
// sensors (see Sense).
//
// Needs: each manifold describes the poses at the start of the step and keeps the impulses of the points that it
// had before; whatever else a contact changes (events, sleepers, velocities of bodies that are pushed out) waits
// for Apply, so that no contact sees the result of another one of the same step.
//
// Assumes: state.Contacts.Active holds every contact whose sides may move relative to each other; poses, tiles,
// chains and the lists of contacts do not change while the stage runs.
//
// Algorithm: all workers take ranges of the words of Active. A contact is first tested against its memory:
// whether a box has changed, whether the sides have moved by less than the distance that they had. Most contacts
// end there. Two shapes are then compared by narrow.Shapes (pairshapes.go), a shape and a surface or two surfaces
// run by run (surfaces.go), with the other surfaces that the shape rests on as neighbours (beside.go). The
// pre-solve function sees each manifold (presolve.go).
//
// Data: manifolds are in state.Contacts. The stage lists outcomes, by ranges of contacts in the order of slots,
// and the contacts that only jam their bodies. Besides its own memory a worker writes only the current contact.
type Narrow struct {
	world    *state.World
	game     Game
	workers  []narrower
	outcomes team.Lists[Outcome]        // of contacts, to be applied
	loop     func(worker, from, to int) // made once, so that a step allocates nothing
}

// narrower is the working memory of one worker of the team.
type narrower struct {
	world     *state.World
	game      Game
	outcomes  *team.Lists[Outcome]
	number    int // of the worker
	part      int // number of the current range of contacts
	narrow    narrow.Scratch
	input     narrow.Input        // of the current contact
	outcome   narrow.Outcome      // of the current contact
	jams      []int32             // contacts that jam their bodies, and change nothing else
	relists   bool                // a contact changed its number of points
	pair      narrow.Pair         // current
	pose      narrow.Pose         // of its bodies
	stood     []gridseg.Cell      // one-way tiles under the current contact
	materials [2][]contact.Source // of A and B of the current contact, with MaterialEvents
	oneWay    OneWay
	seam      narrow.Seam
	resting   resting // the shape whose seam is computed
}

// Outcome is the outcome of a contact that changes something besides its manifolds.
type Outcome struct {
	narrow.Outcome
	Contact int32
	Parted  bool         // the boxes in the broad phase no longer overlap
	Drop    surface.Drop // with a ground
}

// Step computes the manifolds of w. A nil game has no pre-solve function.
func (n *Narrow) Step(w *state.World, t *team.Team, game Game) {
	if len(n.workers) != t.Workers() {
		n.workers = make([]narrower, t.Workers())
		n.loop = func(worker, from, to int) { n.workers[worker].updateWords(from, to) }
	}
	n.world, n.game = w, game
	for i := range n.workers {
		k := &n.workers[i]
		k.world, k.game, k.outcomes, k.number, k.relists = w, game, &n.outcomes, i, false
		k.seam.Source = k
	}
	n.outcomes.Reset(len(n.workers), len(w.Contacts.Active), WordGrain)
	t.Each(len(w.Contacts.Active), WordGrain, n.loop)
}

// again computes the manifolds of the contacts of bodies that have just woken.
func (n *Narrow) again(woken []int32) {
	w := n.world
	n.outcomes.Reset(len(n.workers), 1, 1)
	n.workers[0].part = 0
	for _, body := range woken {
		for l, c := range w.ContactsOf(body) {
			if !c.Sensor && (c.OfShapes() || w.Contacts.SurfaceOf(c).UpdatedAt != w.Steps+1) {
				n.workers[0].updateContact(l>>1, c, w.Bodies.At(c.BodyA), w.Bodies.At(c.BodyB))
			}
		}
	}
}

// relists reports whether a contact has changed its number of points in this step.
func (n *Narrow) relists() (any bool) {
	for k := range n.workers {
		any = any || n.workers[k].relists
	}
	return any
}

// Tally returns the work of the stage so far, and the number of points that its first worker compared.
func (n *Narrow) Tally() (sum surface.Tally, points int) {
	if len(n.workers) == 0 {
		return sum, 0
	}
	k := &n.workers[0].narrow
	sum.Add(&k.Tiles.Tally)
	sum.Add(&k.Exits.Tally)
	return sum, k.Matcher.Compared
}

// updateWords updates the contacts in a range of the words of Contacts.Active.
func (k *narrower) updateWords(from, to int) {
	w := k.world
	k.part = from / WordGrain
	for i := range w.Contacts.Active.Within(from, to) {
		c := w.Contacts.At(i)
		a, b := w.Bodies.At(c.BodyA), w.Bodies.At(c.BodyB)
		switch {
		case !a.Moves() && !b.Moves() && !c.Stale:
			w.Contacts.Active.Remove(i)
		case !c.Sensor:
			k.updateContact(i, c, a, b)
		}
	}
}

// addOutcome lists an outcome of contact i, whose other fields the caller sets.
func (k *narrower) addOutcome(i int32) *Outcome {
	out := k.outcomes.Add(k.number, k.part)
	out.Contact = i
	return out
}

// updateContact computes the manifolds of contact i, which is c, of a and b, and lists the outcome if
// it changes something else. It writes nothing but c's memory and that list. For two shapes, a second
// call in a step changes nothing.
func (k *narrower) updateContact(i int32, c *state.Contact, a, b *state.Body) {
	w := k.world
	if boxes := a.BoxChanges + b.BoxChanges; boxes != c.BoxChanges {
		c.BoxChanges = boxes
		if !w.BoxesOverlap(c) {
			k.addOutcome(i).Parted = true
			return
		}
	}
	if c.Disabled = false; c.Refused {
		return
	}
	if c.OfShapes() {
		k.updateShapes(i, c, a, b)
		return
	}
	s, out := w.Contacts.SurfaceOf(c), &k.outcome
	innerRadius := math.MaxFloat64
	if s.UpdatedAt = w.Steps + 1; staysApart(c, s, a, b) {
		return
	}
	if c.OfGrounds() {
		k.updateGrounds(out, i, c, s, a, b)
	} else {
		sb := w.Shapes.At(c.ShapeB)
		innerRadius = sb.InnerRadius
		k.updateSurface(out, c, s, a, b, sb)
	}
	if c.Flags&state.AskPreSolve != 0 && k.game != nil {
		k.preSolveSurface(out, c, s)
	}
	k.relists = s.NoteKinds() || k.relists
	if c.Flags&state.MaterialEvents != 0 && s.NoteMaterials(c, &k.materials) || out.Touching != c.Touching ||
		out.Touching && (a.Asleep() || b.Asleep()) || isDeep(-out.Deepest, innerRadius) ||
		out.Changes(&s.Memory) || s.Owner.Kind() == broad.Ground && w.OneWays.Any() &&
		s.OneWay.Changes(&k.stood, s.Manifolds, &w.OneWays, k.oneWay.Query.Drop) {
		o := k.addOutcome(i)
		o.Outcome, o.Drop = *out, k.oneWay.Query.Drop
	}
}

// staysApart reports whether c, of the state s, is a contact of a shape of b and a ground of a that did not touch
// when they were last examined, and have moved too little since to touch now: then a step changes nothing.
// (narrow.Scratch.Ground would find the same, after more work.)
func staysApart(c *state.Contact, s *state.SurfaceContact, a, b *state.Body) bool {
	if c.Touching || !c.Last.Known() || c.OfGrounds() || c.Flags&(state.AskPreSolve|state.MaterialEvents) != 0 ||
		s.Stuck.State != narrow.Free || s.OneWay.Drops() {
		return false
	}
	var at narrow.Pose
	at.In(a.Transform(), b.Center, b.Rot)
	return c.Last.Holds(&at)
}
