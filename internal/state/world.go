package state

import (
	"iter"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/query"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/surface"
	"github.com/quarry2d/quarry/internal/team"
)

// World is the complete state of a world. A snapshot holds it, and the events that the next step will report.
type World struct {
	Config    Config
	Steps     uint64
	Time      float64    // simulated, in seconds
	Length    StepLength // of the steps so far
	WorldBody uint64     // the id of the static body of grounds and chains that name no body; 0 until used
	Held      int        // contacts with a shape held in solid ground
	Moving    pool.Bits  // bodies that may move in the next step; a step removes those at rest
	Bodies    pool.Pool[Body]
	Rares     []BodyRare       // by slot of body
	Locked    pool.Bits        // bodies with LockX or LockY
	Names     map[int32]string // names of bodies, by slot
	Shapes    pool.Pool[Shape]
	RowShapes []rows.Shape // by slot of shape
	Grounds   pool.Pool[Ground]
	Torn      pool.Bits // grounds that may have parts that have come off
	Chains    pool.Pool[Chain]
	Contacts  Contacts
	Materials []Material
	Surfaces  rows.Table // of the materials
	Joints    Joints
	Bullets   int          // number of bodies with continuous collision against dynamic bodies
	Islands   Islands      // of the bodies, by SolverIndex
	OneWays   surface.Ways // of the materials
	Strengths []float64    // of the materials, by id; nil if none has one; rebuilt by a change
	Broad     *broad.Phase

	Game Game

	// Of a step, or of a call:

	DT         float64             // of the step, in seconds
	Pace       float64             // at which overlap is pushed apart; see narrow.Pace
	materials  [2][]contact.Source // of A and B of a contact
	Stepping   bool                // a step is in progress
	Woken      []int32             // bodies that woke in this step
	Pinched    []int32             // bodies with a BodyStep.PinchSpeed; some are listed twice
	Measures   int                 // number of measures of bodies so far, for tests
	Moments    []lattice.Moments   // of the tiles of the last ground whose mass was asked for
	stack      []int32             // bodies to wake
	masses     []geom.Mass         // of a body's shapes and tiles
	tileMasses []geom.Mass         // of a ground
	weights    [2]massTrees        // of the shapes and the grounds of bodies with many; rebuilt by MassOf
	unmeasured pool.Bits           // bodies that MeasureAll measures
	boxes      team.Lists[NewBox]  // of a body

	ownerContacts    ownerContacts    // of bodies with many contacts; made anew by ContactsWith
	materialContacts materialContacts // made anew by WakeOn
	faces            broad.Faces      // of the chains; see placeChains

	packing     pool.Packing // of Save
	savedShapes []savedShape // of Load
}

// Begin makes w, which is zero, an empty world of a configuration, an argument of call, with a default material.
func (w *World) Begin(call string, c Config, m Material) {
	c.Complete(call)
	w.Config, w.Materials, w.Broad = c, []Material{m}, broad.NewPhase(c.CellSize)
	w.Surfaces.Set(0, m.Surface)
}

// copyFew copies the fields of from that Saved does not pack, in the room that w has. The broad phase and the tiles of
// grounds are shared.
func (w *World) copyFew(from *World) {
	w.Config, w.Steps, w.Time, w.Length, w.WorldBody, w.Held = from.Config, from.Steps, from.Time, from.Length,
		from.WorldBody, from.Held
	w.Bullets, w.OneWays, w.Strengths, w.Broad = from.Bullets, from.OneWays, from.Strengths, from.Broad
	pool.CopySlice(&w.Moving, from.Moving)
	pool.CopySlice(&w.Locked, from.Locked)
	pool.CopyMap(&w.Names, from.Names)
	w.Grounds.Copy(&from.Grounds)
	pool.CopySlice(&w.Torn, from.Torn)
	w.Chains.Copy(&from.Chains)
	pool.CopySlice(&w.Materials, from.Materials)
	w.Surfaces.Copy(&from.Surfaces)
	w.Joints.Copy(&from.Joints)
	w.Islands.SetJammed(from.Islands.Jammed())
}

// Rare returns the rarely read fields of body i.
func (w *World) Rare(i int32) *BodyRare { return &w.Rares[i] }

// Proxied returns the common part of o.
func (w *World) Proxied(o broad.Owner) *Proxied {
	switch o.Kind() {
	case broad.Ground:
		return &w.Grounds.At(o.Slot()).Proxied
	case broad.Chain:
		return &w.Chains.At(o.Slot()).Proxied
	}
	return &w.Shapes.At(o.Slot()).Proxied
}

// TargetOf returns the geometry of o, in the frame of its body.
func (w *World) TargetOf(o broad.Owner) query.Target {
	switch i := o.Slot(); o.Kind() {
	case broad.Ground:
		return query.Target{Tiles: &w.Grounds.At(i).Tiles, Box: w.Grounds.At(i).Bounds()}
	case broad.Chain:
		return query.Target{Chain: &w.Chains.At(i).Chain, Box: w.Chains.At(i).Box}
	}
	s := w.Shapes.At(o.Slot())
	return query.Target{Shape: s.Geometry, Hull: &s.Hull}
}

// OwnersOf yields the shapes, grounds and chains of body i.
func (w *World) OwnersOf(i int32) iter.Seq2[broad.Owner, *Proxied] {
	return func(yield func(broad.Owner, *Proxied) bool) {
		b := w.Bodies.At(i)
		for kind, first := range [...]int32{b.FirstShape, b.FirstGround, b.FirstChain} {
			for k := first; k >= 0; {
				o := broad.OwnerOf(broad.Owner(kind)<<32, k)
				p := w.Proxied(o)
				if k = p.Next; !yield(o, p) {
					return
				}
			}
		}
	}
}

// ProxiesOf yields the entries in the broad phase of body i: of its shapes, its grounds and its chains.
func (w *World) ProxiesOf(i int32) iter.Seq[*broad.Entry] {
	return func(yield func(*broad.Entry) bool) {
		for _, p := range w.OwnersOf(i) {
			if p.Proxy != broad.None && !yield(w.Broad.At(p.Proxy)) {
				return
			}
		}
	}
}

// ContactsOf yields the contacts of body i, as slot*2 + the body's side; the loop may remove them.
func (w *World) ContactsOf(i int32) iter.Seq2[int32, *Contact] {
	return w.Contacts.Of(w.Bodies.At(i))
}

// BoxesOverlap reports whether the boxes in the broad phase of the two sides of c overlap.
func (w *World) BoxesOverlap(c *Contact) bool {
	if c.OfShapes() {
		return w.Broad.ShapesOverlap(c.ShapeA, c.ShapeB)
	}
	return w.Broad.At(w.Proxied(w.Contacts.SurfaceOf(c).Owner).Proxy).Box.Overlaps(
		w.Broad.At(w.Proxied(broad.OwnerOfB(c.ShapeB)).Proxy).Box)
}

// LastPose returns the pose of body i at the start of the last step; with moving, while bodies move,
// at the start of the step in progress.
func (w *World) LastPose(i int32, moving bool) geom.Transform {
	at := w.Steps
	if moving {
		at++
	}
	if r := w.Rare(i); r.StartedAt == at && at > 0 {
		return r.StartPose
	}
	return w.Bodies.At(i).Transform()
}

// CountBullet adds by to Bullets if bullet is true.
func (w *World) CountBullet(bullet bool, by int) {
	if bullet {
		w.Bullets += by
	}
}

// SetName sets the name of body i.
func (w *World) SetName(i int32, name string) {
	switch {
	case name == "":
		delete(w.Names, i)
	case w.Names == nil:
		w.Names = map[int32]string{}
		fallthrough
	default:
		w.Names[i] = name
	}
}

// ForgetApart makes the next step compute the contacts of body i with grounds even if the body has hardly moved;
// see internal/narrow.
func (w *World) ForgetApart(i int32) {
	for _, c := range w.ContactsOf(i) {
		// of two dynamic bodies
		if !c.OfShapes() && !(c.OfGrounds() && c.Touching && len(w.Contacts.SurfaceOf(c).Manifolds) == 1) {
			c.Last = narrow.Last{}
		}
	}
}
