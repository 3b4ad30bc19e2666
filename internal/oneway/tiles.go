package oneway

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/store"
)

// Direction is the direction in which bodies pass a tile, in the axes of the ground. It has the
// values of quarry.OneWay.
type Direction uint8

// The directions.
const (
	None Direction = iota // the tile is solid on all sides
	Up
	Left
	Down
	Right
)

// along returns the direction as a unit vector.
func (d Direction) along() geom.Vec {
	return [...]geom.Vec{{}, {Y: 1}, {X: -1}, {Y: -1}, {X: 1}}[d]
}

// stops reports whether the face a-b of a tile of this direction stops bodies.
func (d Direction) stops(a, b gridseg.Point) bool {
	switch d {
	case Up:
		return b.X < a.X
	case Left:
		return b.Y < a.Y
	case Down:
		return b.X > a.X
	case Right:
		return b.Y > a.Y
	}
	return true
}

// Tiles is the grid of a ground with the materials and directions of its tiles.
type Tiles struct {
	Grid      *gridseg.Grid
	Materials []uint16    // by a tile's material number, the world's material id; nil: the number is the id
	Ways      []Direction // by the world's material id; nil: no material is one-way
	Version   uint64      // grows with each edit of the grid
	WaysSince uint64      // grows with each change of Ways
}

// Material returns the world's material id for a tile's material number.
func (t *Tiles) Material(n uint16) uint16 {
	if t.Materials == nil {
		return n
	}
	if int(n) < len(t.Materials) {
		return t.Materials[n]
	}
	return 0
}

// HasWays reports whether a tile may be one-way.
func (t *Tiles) HasWays() bool { return t.Ways != nil }

// Way returns the direction of a tile.
func (t *Tiles) Way(tile gridseg.Tile) Direction { return t.wayOf(t.Material(tile.Material)) }

// wayOf returns the direction of the tiles of a material; an id beyond the table is material 0.
func (t *Tiles) wayOf(material uint16) Direction { return wayIn(t.Ways, material) }

func wayIn(ways []Direction, material uint16) Direction {
	switch {
	case int(material) < len(ways):
		return ways[material]
	case len(ways) > 0:
		return ways[0]
	}
	return None
}

// Hash adds the materials, the tiles and their custom shapes.
func (t *Tiles) Hash(h *store.Hasher) {
	h.Flag(t.Materials == nil)
	h.Word(uint64(len(t.Materials)))
	for _, m := range t.Materials {
		h.Word(uint64(m))
	}
	h.Word(t.Grid.Hash())
	shapes := t.Grid.Shapes()
	for id := gridseg.SlopeHigh + 1; int(id) <= shapes.Len(); id++ { // the built-in shapes are the same in every grid
		for _, loop := range shapes.Polygons(id, 0) {
			h.Word(uint64(len(loop)))
			for _, p := range loop {
				h.Word(uint64(p.X)<<32 | uint64(p.Y))
			}
		}
	}
}
