package quarry

import (
	"fmt"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// OneWay is which way bodies pass a tile: a platform to jump on from below, or a
// door that opens to one side. It is told in the axes of the ground, whichever
// way the tile is turned in its cell, and turns with the ground's body.
//
// Of a one-way tile only the faces that look the way it lets pass are there, for
// a body that comes at them from their front; those of tiles of one way that lie
// against each other vanish, as of all tiles. To all else the tile is air: its
// sides, its other faces and its inside. A body that is part way through is not
// pushed, wherever it turns back, nor is one over which such a tile is put: the
// faces stop it once all of it has been before them. Where one-way tiles lie
// against solid ones, what passes the former meets the faces of the latter.
//
// Passing makes no contact and no event; a contact begins when a body lands.
// Queries see the tiles as they lie, and know nothing of ways: rays stop where
// they enter one, from any side, and Ground.Solid holds within it. The Tile of
// the answer tells it from others.
type OneWay uint8

const (
	// NotOneWay is solid all round.
	NotOneWay OneWay = iota
	// OneWayUp lets pass upwards and stops what comes down: a platform.
	OneWayUp
	// OneWayLeft lets pass towards -x and stops what comes the other way: a door.
	OneWayLeft
	// OneWayDown lets pass downwards: a hatch in a ceiling, or a drain.
	OneWayDown
	// OneWayRight lets pass towards +x.
	OneWayRight
)

// String returns the way's name.
func (o OneWay) String() string {
	if o <= OneWayRight {
		return [...]string{"not one-way", "up", "left", "down", "right"}[o]
	}
	return fmt.Sprintf("OneWay(%d)", uint8(o))
}

// along returns the way as a unit vector.
func (o OneWay) along() geom.Vec {
	return [...]geom.Vec{{}, {Y: 1}, {X: -1}, {Y: -1}, {X: 1}}[o]
}

// stops reports whether the face a-b of a tile of this way is one that stops.
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
	for i := range w.contacts.items {
		w.contacts.items[i].drop = notDropping
	}
}

// oneWayOf returns the way of a tile of g.
func (w *World) oneWayOf(g *ground, t gridseg.Tile) OneWay {
	return w.material(g.material(t)).OneWay
}

// displace records that body i was put elsewhere: its last motion does not lead there.
func (w *World) displace(i int32) {
	b := &w.bodies.items[i]
	b.startedAt, b.displacedAt = 0, w.steps+1
}

// lastPose returns the pose of b at the start of the last step; called in moveBodies, at the
// start of the step in progress.
func (w *World) lastPose(b *body, moving bool) geom.Transform {
	at := w.steps
	if moving {
		at++
	}
	if b.startedAt == at && at > 0 {
		return b.startPose
	}
	return b.transform()
}
