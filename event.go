package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// events are what the last step, and the changes before it, have told. The
// slices are kept, so a warm step allocates nothing.
type events struct {
	// later are the ends that changes between steps make: the next step tells
	// them, so that who reads after each Step misses none.
	later, sensorLater []ContactEvent
	lostLater          []BodyID

	moved                    []Move
	begins, ends             []ContactEvent
	sensorBegins, sensorEnds []ContactEvent
	hits                     []HitEvent
	crushed, lost            []BodyID

	// edits are the edits of grounds since the last step.
	edits []GroundEdit
}

func (e *events) clear() {
	e.moved, e.hits, e.crushed = e.moved[:0], e.hits[:0], e.crushed[:0]
	e.begins, e.sensorBegins = e.begins[:0], e.sensorBegins[:0]
	e.ends, e.later = append(e.ends[:0], e.later...), e.later[:0]
	e.sensorEnds, e.sensorLater = append(e.sensorEnds[:0], e.sensorLater...), e.sensorLater[:0]
	e.lost, e.lostLater = append(e.lost[:0], e.lostLater...), e.lostLater[:0]
	e.edits = e.edits[:0]
}

// Move tells that a body was moved by the last step.
type Move struct {
	Body       BodyID
	User       uint64
	Transform  geom.Transform
	FellAsleep bool // it will not be told of again until it wakes
}

// ContactEvent tells that two shapes, or a ground or chain and a shape, began or
// ceased to touch. Either may have been removed since.
type ContactEvent struct {
	ShapeA ShapeID  // 0 where A is a ground or chain
	Ground GroundID // 0 where A is none
	Chain  ChainID  // 0 where A is none
	ShapeB ShapeID
	// Cell and Tile are those of the ground under the first point, Segment that
	// of the chain. For an end they are those of the last step in which the two
	// touched: the tile may have been changed or removed since. They are zero where
	// A is neither, and for sensors.
	Cell    gridseg.Cell
	Tile    gridseg.Tile
	Segment int
}

// lies sets the cell and tile, or the segment, of A under the point p of c.
func (ev *ContactEvent) lies(c *contact, p *point) {
	if c.chain >= 0 {
		ev.Segment = int(p.cell.X)
		return
	}
	ev.Cell, ev.Tile = p.cell, p.tile
}

// HitEvent tells that two things met at a speed of 1 unit a second or more.
type HitEvent struct {
	ContactEvent
	Point  geom.Vec // world
	Normal geom.Vec // unit, from A to B
	Speed  float64  // of approach along the normal, units a second
}

// Moved returns the bodies that the last step moved, in slot order. The slice,
// as all slices of events, is valid until the next Step.
func (w *World) Moved() []Move { return w.events.moved }

// ContactBegins returns what began to touch in the last step.
func (w *World) ContactBegins() []ContactEvent { return w.events.begins }

// ContactEnds returns what ceased to touch in the last step, and by changes
// (as removals) between it and the step before.
func (w *World) ContactEnds() []ContactEvent { return w.events.ends }

// SensorBegins returns the pairs of a sensor (either shape) and a shape that
// began to overlap in the last step, where the bodies are as it ends. A pair that
// crossed within the step, the sensor or the other moving, is both here and in
// SensorEnds: read the beginnings first. The ends of each pair follow its beginnings
// one for one. SetTransform is no motion: a body that it puts beyond a sensor has not
// crossed it.
func (w *World) SensorBegins() []ContactEvent { return w.events.sensorBegins }

// SensorEnds returns the pairs of a sensor and a shape that ceased to overlap in the
// last step, and by changes (as removals) between it and the step before.
func (w *World) SensorEnds() []ContactEvent { return w.events.sensorEnds }

// Hits returns what met at a speed of at least 1 unit a second in the last
// step.
func (w *World) Hits() []HitEvent { return w.events.hits }

// Crushed returns the bodies found, in the last step, to be crushed: in solid
// ground with no surface within 16 cells, and held where they are until one is; or
// stuck between surfaces for a third of a second, with no room for the whole of the
// shape, turned whichever way, within 8 cells along each axis; or carried by something
// kinematic against what does not move, a chain too. A body is told of once, until it
// is free again.
func (w *World) Crushed() []BodyID { return w.events.crushed }

// Lost returns the bodies that left the world's bounds, 2^50 cells of the
// broad phase from the origin, in the last step or by a SetTransform between it and
// the step before. Each is static from then on, and stays where it is: remove it.
func (w *World) Lost() []BodyID { return w.events.lost }

// touch records that contact c began or ended; at are its manifolds where it began, or
// where it touched last.
func (e *events) touch(w *World, c *contact, on bool, at []manifold) {
	ev := w.eventOf(c)
	if len(at) > 0 && !c.sensor {
		ev.lies(c, &at[0].points[0])
	}
	switch {
	case c.sensor && on:
		e.sensorBegins = append(e.sensorBegins, ev)
	case c.sensor && w.stepping:
		e.sensorEnds = append(e.sensorEnds, ev)
	case c.sensor:
		e.sensorLater = append(e.sensorLater, ev)
	case on:
		e.begins = append(e.begins, ev)
	case w.stepping:
		e.ends = append(e.ends, ev)
	default:
		e.later = append(e.later, ev)
	}
}

func (w *World) eventOf(c *contact) ContactEvent {
	ev := ContactEvent{ShapeB: ShapeID(w.shapes.id(c.shapeB))}
	ev.ShapeA, ev.Ground, ev.Chain = w.sideA(c)
	return ev
}
