package surface

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/pool"
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
	Materials []uint16 // by a tile's material number, the world's material id; nil: the number is the id
	Version   uint64   // grows with each edit of the grid

	ways      []Direction // by the world's material id; nil: no material is one-way
	byNumber  []Direction // by a tile's material number; a number beyond it has the direction rest
	rest      Direction
	waysSince uint64 // grows with each change of ways
}

// Ways are the directions of the materials of a world. The zero value has none.
type Ways struct {
	of    []Direction // by the world's material id; nil: no material is one-way
	since uint64      // the number of calls of Set
}

// Any reports whether a material is one-way.
func (w *Ways) Any() bool { return w.of != nil }

// Set sets the directions by the world's material id. It keeps the list.
func (w *Ways) Set(list []Direction) {
	w.since++
	w.of = nil
	if slices.ContainsFunc(list, func(d Direction) bool { return d != None }) {
		w.of = list
	}
}

// SetWays sets the directions of the materials. An id beyond the table counts as id 0. It must be
// called after each change of w.
func (t *Tiles) SetWays(w *Ways) {
	ways := w.of
	t.ways, t.waysSince, t.byNumber, t.rest = ways, w.since, ways, wayIn(ways, 0)
	if t.Materials != nil && ways != nil {
		t.byNumber = make([]Direction, len(t.Materials))
		for n, id := range t.Materials {
			t.byNumber[n] = wayIn(ways, id)
		}
	}
}

// Edition differs after each change of the tiles, or of the directions of their materials.
func (t *Tiles) Edition() [2]uint64 { return [2]uint64{t.Version, t.waysSince} }

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
func (t *Tiles) HasWays() bool { return t.ways != nil }

// Way returns the direction of a tile.
func (t *Tiles) Way(tile gridseg.Tile) Direction { return t.wayOfNumber(tile.Material) }

// Stops reports whether the tile of the segment s stops the shape of m: unless it is one-way, and not in line with one
// that the shape stands on.
func (t *Tiles) Stops(s *gridseg.Segment, m *WayMemory) bool {
	if !t.HasWays() {
		return true
	}
	way := t.Way(s.Tile)
	for _, c := range m.Stood {
		if (way == Up || way == Down) && c.Y == s.ID.Cell.Y || (way == Left || way == Right) && c.X == s.ID.Cell.X {
			return true
		}
	}
	return way == None
}

// wayOfNumber returns the direction of the tiles with a material number.
func (t *Tiles) wayOfNumber(n uint16) Direction {
	if int(n) < len(t.byNumber) {
		return t.byNumber[n]
	}
	return t.rest
}

// wayOf returns the direction of the tiles of a material of the world.
func (t *Tiles) wayOf(material uint16) Direction { return wayIn(t.ways, material) }

// wayIn returns the direction of a material in a table; a material beyond it counts as 0.
func wayIn(ways []Direction, material uint16) Direction {
	switch {
	case int(material) < len(ways):
		return ways[material]
	case len(ways) > 0:
		return ways[0]
	}
	return None
}

// Visit visits the materials and the tiles, of the ground with that id: the grid of a snapshot has the registry shapes.
// A hash has the custom shapes, too. The caller sets the directions.
func (t *Tiles) Visit(c *pool.Codec, shapes *gridseg.Shapes, ground uint64) {
	if c.Hashing() {
		t.hash(c.Hasher())
		return
	}
	all := t.Materials == nil
	c.Flag(&all)
	pool.List(c, &t.Materials, 1, func(_ int, m *uint16) { pool.Up(c, m, math.MaxUint16) })
	if c.Word(&t.Version); all {
		t.Materials = nil
	}
	var data []byte
	switch {
	case c.Reading():
	case c.Bare:
		data = t.Grid.Engine(lattice.Key{}).AppendWithoutTiles(nil)
	default:
		data = t.Grid.AppendBinary(nil)
	}
	if c.Bytes(&data); !c.Reading() || c.Err() != nil {
		return
	}
	var err error
	if c.Bare {
		var tiles []byte
		if tiles, err = c.Tiles(ground); err == nil {
			data, err = gridseg.New(shapes).Engine(lattice.Key{}).JoinTiles(data, tiles)
		}
	}
	if err == nil {
		t.Grid, err = gridseg.ReadGrid(data, shapes)
	}
	if err != nil {
		c.Refuse("%w", err)
	}
}

// hash adds the materials, the tiles and their custom shapes.
func (t *Tiles) hash(h *pool.Hasher) {
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
