package quarry

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/step"
)

// events are the events of the last step, and of the changes before it. The slices keep
// their memory, so that a warm step allocates nothing.
type events struct {
	moved     []Move
	contacts  touches[ContactEvent]
	sensors   touches[ContactEvent]
	materials touches[MaterialEvent]
	hits      []HitEvent
	joints    []JointEvent
	crushed   []BodyID
	lost      pool.Log[BodyID]
	edits     []GroundEdit // since the last step
	breaks    []BreakEvent
	net       map[pair]int // memory of settle
}

func (e *events) clear() {
	e.moved, e.hits, e.joints, e.crushed = e.moved[:0], e.hits[:0], e.joints[:0], e.crushed[:0]
	e.edits, e.breaks = e.edits[:0], e.breaks[:0]
	e.contacts.next()
	e.sensors.next()
	e.materials.next()
	e.lost.Next()
}

// changed notes that all events so far are of changes before the step computes contacts.
func (e *events) changed() {
	e.contacts.changed()
	e.sensors.changed()
	e.materials.changed()
}

// settle makes the begins and ends of a step tell what it changed; see touches.settle.
func (e *events) settle() {
	if e.net == nil {
		e.net = map[pair]int{}
	}
	e.contacts.settle(e.net, (*ContactEvent).pair)
	e.sensors.settle(e.net, (*ContactEvent).pair)
	e.materials.settle(e.net, (*MaterialEvent).pair)
}

// Move reports that the last step moved a body.
type Move struct {
	Body       BodyID
	User       uint64
	Before     geom.Transform // at the start of the step; see Body.TransformAt
	Transform  geom.Transform // at its end
	FellAsleep bool           // no further Move until the body wakes
}

// ContactEvent reports that a pair begins or ends to touch. A is a shape, ground or chain; B is a shape or a
// ground. Either may have been removed since.
type ContactEvent struct {
	ShapeA  ShapeID  // 0 if A is a ground or chain
	Ground  GroundID // 0 if A is not a ground
	Chain   ChainID  // 0 if A is not a chain
	ShapeB  ShapeID  // 0 if B is a ground
	GroundB GroundID // 0 if B is a shape
	// Cell and Tile are the ground's under the first point, and Segment is the chain's. In an end
	// event they are of the last step with contact: the tile may have been changed or removed since. They are
	// zero if A is a shape.
	Cell    gridseg.Cell
	Tile    gridseg.Tile
	Segment int
	// CellB and TileB are the ground B's.
	CellB gridseg.Cell
	TileB gridseg.Tile
}

// setSource sets the cell, tile and segment from the point p.
func (ev *ContactEvent) setSource(s *contact.Source) {
	ev.Cell, ev.Tile, ev.Segment = s.Cell, s.Tile, int(s.Segment)
}

// setSourceB sets the cell and tile of side B, a ground, from point j of manifold k of s; after the end of the contact
// from the first point before.
func (ev *ContactEvent) setSourceB(s *state.SurfaceContact, k, j int32) {
	if int(k) < len(s.Others) {
		ev.CellB, ev.TileB = s.Others[k].Sources[j].Cell, s.Others[k].Sources[j].Tile
	}
}

// MaterialEvent reports that side B begins or ends to touch a material of the ground or chain A, if A or B has the
// flag MaterialEvents. Two grounds have events for the materials of both: each is A in turn.
type MaterialEvent struct {
	ContactEvent // with the cell and tile, or the segment, of A where B touches the material, or touched it last
	Material     MaterialID
}

// HitEvent reports an impact at an approach speed of at least Config.HitSpeed, or with an impulse above the
// Strength of a material.
type HitEvent struct {
	ContactEvent
	// Bodies are the bodies of A and B. They are named here because A and B may have been removed since.
	Bodies [2]BodyID
	Point  geom.Vec // world
	Normal geom.Vec // unit, from A to B
	Speed  float64  // of approach along the normal, units of length a second
	// Impulse is the impulse on B along the normal, in mass times speed: the sum over the points of the contact and
	// over the step, with the bounce. A body that hits nothing else changes its momentum by it.
	Impulse float64
}

// reportHits adds the events of the hits.
func (w *World) reportHits() {
	for _, h := range w.stages.List.Contacts.Hits() {
		ref := w.stages.List.Contacts.At(h.Manifold)
		c := w.state.Contacts.At(ref.Contact)
		if c.Flags&state.NoHitEvents != 0 {
			continue
		}
		m, on := w.state.Contacts.ManifoldAt(ref)
		ev := HitEvent{
			ContactEvent: w.eventOf(c), Bodies: [2]BodyID{
				BodyID(w.state.Bodies.ID(c.BodyA)),
				BodyID(w.state.Bodies.ID(c.BodyB)),
			},
			Normal: m.Normal, Speed: h.Speed, Impulse: h.Impulse,
			Point: w.state.Bodies.At(c.BodyB).Center.Add(m.Points[h.Point].AnchorB),
		}
		if on != nil {
			ev.setSource(&on.Sources[h.Point])
			ev.setSourceB(w.state.Contacts.SurfaceOf(c), ref.Index, h.Point)
		}
		w.events.hits = append(w.events.hits, ev)
	}
}

// reportMoves adds the events of the bodies that the step moved.
func (w *World) reportMoves() {
	n := len(w.stages.List.Awake.Bodies)
	w.events.moved = slices.Grow(w.events.moved, n)[:n]
	w.stages.Team.Each(n, step.BodyGrain, w.moves)
}

// setMoves sets the move events of a range of the awake bodies.
func (w *World) setMoves(_, from, to int) {
	for n, i := range w.stages.List.Awake.Bodies[from:to] {
		b, move := w.state.Bodies.At(i), &w.events.moved[from+n]
		move.Body, move.User, move.FellAsleep = BodyID(w.state.Bodies.ID(i)), w.state.Rare(i).User, false
		move.Before, move.Transform = w.state.LastPose(i, true), b.Transform()
	}
}

// Moves returns the bodies that the last step moved, in slot order. The slice, like the slices of
// all events, is valid until the next Step.
func (w *World) Moves() []Move { return w.events.moved }

// ContactBegins returns the pairs that began to touch in the last step.
//
// A game that reads the begins of a step and then its ends, of contacts, sensors or materials, knows the pairs that
// touch: Contact, and Shape.AppendOverlaps, whose flags do not leave out their events. Begins and ends
// tell the difference between the ends of two steps. So a pair whose contact a call ends and the step begins again,
// as after SetGeometry or SetType, has neither event. If a call such as Shape.SetFlags changes the flags of a pair
// that touches, the next step reports a begin of a pair that now has events, and an end of one that has none any
// more.
func (w *World) ContactBegins() []ContactEvent { return w.events.contacts.begins.Now }

// ContactEnds returns the pairs that ceased to touch in the last step, or by changes, such as removals, between it
// and the step before.
func (w *World) ContactEnds() []ContactEvent { return w.events.contacts.ends.Now }

// MaterialBegins returns the materials of grounds and chains that shapes and grounds began to touch in the last
// step, in contacts with the flag MaterialEvents. A shape that slides from one material to another begins no
// contact, but has these events. A shape or ground touches the material under each of its contact points. A flat
// contact has two points, at its ends, so a box does not touch a spike that is flush with the floor between its
// corners. A shape that touches two grounds has events for each.
func (w *World) MaterialBegins() []MaterialEvent { return w.events.materials.begins.Now }

// MaterialEnds returns the materials that shapes and grounds ceased to touch in the last step, or by changes, such
// as removals, between it and the step before.
func (w *World) MaterialEnds() []MaterialEvent { return w.events.materials.ends.Now }

// SensorBegins returns the pairs that began to overlap in the last step, with the bodies at their poses at its end:
// a sensor (either shape) and a shape, or a ground or chain and the sensor ShapeB. Cell and Tile are the
// first tile that overlaps, by rows; an end event has none. A pair that crossed within the step is both here and in
// SensorEnds: read the begins first; see ContactBegins. No other pair is in both. SetTransform is no motion: a body
// that it moves beyond a sensor has not crossed the sensor.
func (w *World) SensorBegins() []ContactEvent { return w.events.sensors.begins.Now }

// SensorEnds returns the pairs of SensorBegins that ceased to overlap in the last step, or by changes, such as
// removals, between it and the step before.
func (w *World) SensorEnds() []ContactEvent { return w.events.sensors.ends.Now }

// Hits returns the impacts of the last step. HitEvent.Impulse is the total of the contact in the step. A pair has a hit
// for each of its normals, and a body may be in several: a shot that hits a wall and a crate, or two faces of a corner.
// So a loop that removes bodies or digs should take them by HitEvent.Bodies, which RemoveBody and Body accept when the
// body is gone, rather than through the shapes.
func (w *World) Hits() []HitEvent { return w.events.hits }

// Crushed returns the bodies that the last step found crushed:
//
//   - in solid ground with no surface within 16 cells: the body is held in place until there is a surface. If the
//     ground is static, the body is reported at once.
//   - stuck for a third of a second in solid ground or between surfaces, 0.05 units deep, or in a ground that has no
//     room for the whole shape, at any angle, within 8 cells along each axis.
//   - carried by a kinematic body against an obstacle that does not move, such as a chain, or that counts as the wall
//     beside the kinematic body: a ground before a chain, a chain before a shape (docs/living-ground.md has the order).
//
// A body is reported once, until it has been free for a third of a second.
func (w *World) Crushed() []BodyID { return w.events.crushed }

// Lost returns the bodies that left the world's bounds (2^50 cells of the broad phase from the origin) since the step
// before last. Each is
// static from then on, and disabled if SetTransform moved it there: remove it.
func (w *World) Lost() []BodyID { return w.events.lost.Now }

// eventOf returns an event of contact c, without cells, tiles and segment.
func (w *World) eventOf(c *state.Contact) ContactEvent {
	var ev ContactEvent
	ev.ShapeB, ev.GroundB, _ = w.idsOf(broad.OwnerOfB(c.ShapeB))
	ev.ShapeA, ev.Ground, ev.Chain = w.idsOf(w.state.Contacts.SideA(c))
	return ev
}

// idsOf returns the id of o, and two zeros.
func (w *World) idsOf(o broad.Owner) (s ShapeID, g GroundID, c ChainID) {
	switch o.Kind() {
	case broad.Shape:
		s = ShapeID(w.state.Shapes.ID(o.Slot()))
	case broad.Ground:
		g = GroundID(w.state.Grounds.ID(o.Slot()))
	case broad.Chain:
		c = ChainID(w.state.Chains.ID(o.Slot()))
	}
	return s, g, c
}

// game is the world as its records see it (state.Game).
type game World

// Refuses implements state.Game.
func (g *game) Refuses(a, b broad.Owner) bool {
	w := (*World)(g)
	return w.customFilter != nil && !w.customFilter(w.sideOf(a), w.sideOf(b))
}

// Touched implements state.Game.
func (g *game) Touched(c *state.Contact, on bool, at *contact.Source) {
	w, e := (*World)(g), &g.events
	ev := w.eventOf(c)
	if at == nil && on && c.Sensor {
		at = w.stages.Sense.Place(&w.state, c)
	}
	if at != nil {
		ev.setSource(at)
	}
	if c.OfGrounds() {
		ev.setSourceB(w.state.Contacts.SurfaceOf(c), 0, 0)
	}
	if c.Sensor {
		e.sensors.add(ev, on, w.state.Stepping)
	} else {
		e.contacts.add(ev, on, w.state.Stepping)
	}
}

// TouchedMaterial implements state.Game.
func (g *game) TouchedMaterial(c *state.Contact, side int, at *contact.Source, on bool) {
	ev := MaterialEvent{ContactEvent: (*World)(g).eventOf(c), Material: MaterialID(at.Material)}
	if side == 1 {
		ev.Ground, ev.GroundB = ev.GroundB, ev.Ground
	}
	ev.setSource(at)
	g.events.materials.add(ev, on, g.state.Stepping)
}

// Crushed implements state.Game.
func (g *game) Crushed(body int32) {
	g.events.crushed = append(g.events.crushed, BodyID(g.state.Bodies.ID(body)))
}

// Lost implements state.Game.
func (g *game) Lost(body int32) {
	g.events.lost.Add(BodyID(g.state.Bodies.ID(body)), g.state.Stepping)
}

// Crossed implements state.Game.
func (g *game) Crossed(a broad.Owner, shape int32) {
	var ev ContactEvent
	ev.ShapeB, _, _ = (*World)(g).idsOf(broad.OwnerOf(broad.Shape, shape))
	ev.ShapeA, ev.Ground, ev.Chain = (*World)(g).idsOf(a)
	g.events.sensors.add(ev, true, true)
	g.events.sensors.add(ev, false, true)
}
