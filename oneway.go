package quarry

import (
	"fmt"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// OneWay is the direction in which bodies pass a tile: a platform to jump on from below, or
// a door that opens to one side. It is in the axes of the ground, however the tile is turned
// in its cell, and turns with the ground's body.
//
// A one-way tile has only the faces whose normals point in that direction, for a body that
// comes at them from their front; common faces of tiles of one direction vanish, as for all
// tiles. Its other faces and its inside do not collide. A body that is part way through is
// not pushed, wherever it turns back, and neither is a body over which such a tile is
// placed: the faces stop a body once all of it has been in front of them. Where one-way
// tiles adjoin solid ones, a body that passes the former collides with the faces of the
// latter.
//
// Passing makes no contact and no event; a contact begins when a body lands. Queries ignore
// the direction: a ray stops where it enters a one-way tile, from any side, and Ground.Solid
// is true in it. The Tile in the result tells it from others.
type OneWay uint8

const (
	// NotOneWay tiles are solid on all sides.
	NotOneWay OneWay = iota
	// OneWayUp lets bodies pass upwards and stops them on the way down: a platform.
	OneWayUp
	// OneWayLeft lets bodies pass towards -x and stops them the other way: a door.
	OneWayLeft
	// OneWayDown lets bodies pass downwards: a hatch in a ceiling, or a drain.
	OneWayDown
	// OneWayRight lets bodies pass towards +x.
	OneWayRight
)

// String returns the direction's name.
func (o OneWay) String() string {
	if o <= OneWayRight {
		return [...]string{"not one-way", "up", "left", "down", "right"}[o]
	}
	return fmt.Sprintf("OneWay(%d)", uint8(o))
}

// along returns the direction as a unit vector.
func (o OneWay) along() geom.Vec {
	return [...]geom.Vec{{}, {Y: 1}, {X: -1}, {Y: -1}, {X: 1}}[o]
}

// stops reports whether the face a-b of a tile of this direction stops bodies.
func (o OneWay) stops(a, b gridseg.Point) bool {
	switch o {
	case OneWayUp:
		return b.X < a.X
	case OneWayLeft:
		return b.Y < a.Y
	case OneWayDown:
		return b.X > a.X
	case OneWayRight:
		return b.Y > a.Y
	}
	return true
}

// countOneWays counts the one-way materials.
func (w *World) countOneWays() {
	had := w.oneWayMaterials > 0
	w.oneWayVersion++
	w.oneWayMaterials = 0
	for i := range w.materials {
		if w.materials[i].OneWay != NotOneWay {
			w.oneWayMaterials++
		}
	}
	if had == (w.oneWayMaterials > 0) {
		return
	}
	for i := range w.contacts.Slots() {
		w.contacts.At(i).drop = notDropping
	}
}

// oneWayOf returns the direction of a tile of g.
func (w *World) oneWayOf(g *ground, t gridseg.Tile) OneWay {
	return w.material(g.material(t)).OneWay
}

// displace records that SetTransform has moved body i: its last motion does not lead to its
// pose.
func (w *World) displace(i int32) {
	w.rare(i).startedAt, w.bodies.At(i).displacedAt = 0, w.steps+1
}

// lastPose returns the pose of body i at the start of the last step; with moving, in moveBodies,
// at the start of the step in progress.
func (w *World) lastPose(i int32, moving bool) geom.Transform {
	at := w.steps
	if moving {
		at++
	}
	if r := w.rare(i); r.startedAt == at && at > 0 {
		return r.startPose
	}
	return w.bodies.At(i).transform()
}
