package grid

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/quarry2d/quarry/geom"
)

// ID names an object of one Grid, from Add until Remove; after that the number
// is given out again. IDs count from 0, the most recently freed first.
type ID int32

// Levels is the number of cell sizes: the finest, and each twice the one
// before.
const Levels = 24

// Limit is how far from the origin a box may reach in either coordinate, in
// finest cells: 2^50. There float64 still separates quarters of a cell.
const Limit = 1 << 50

// MinCellSize and MaxCellSize bound the cell sizes that New takes, so that no
// product of a coordinate and a cell size overflows or vanishes.
const (
	MinCellSize = 1e-100
	MaxCellSize = 1e100
)

// Places of an object other than a level.
const (
	oversize = Levels     // in Grid.oversize, at index cx
	vacant   = Levels + 1 // not in use; cx is the next vacant one, or none
)

// none ends the lists of ids.
const none ID = -1

// object is one box and its place: 64 bytes, so that walking a cell's list
// costs one cache line an object.
type object struct {
	box geom.AABB // 32 bytes
	// next links the object into the lists of its cells, by the cells'
	// parity (see corner): cells of one 2x2 range differ in parity, and a
	// range that moves keeps the links of the cells that it keeps.
	next   [4]ID // 16
	cx, cy int32 // 8: its lowest cell
	level  uint8 // 0 to Levels-1, oversize or vacant
	wx, wy uint8 // 1 if it is also in the next column, row
	_      [5]uint8
}

// Grid is a set of boxes, each with an ID and 64 bits of the caller's data.
// Make one with New; see the package's doc for its rules.
type Grid struct {
	levels   [Levels]level
	used     uint32  // bit i: levels[i] holds an object
	inv      float64 // 1 / side of the finest cells
	limit    float64 // of coordinates
	objects  []object
	data     []uint64
	oversize []ID
	vacant   ID
	n        int
}

// New returns an empty grid whose finest cells are squares of side cellSize,
// in units of length. It panics unless cellSize is in
// [MinCellSize, MaxCellSize]. Any such size gives the same answers; the
// extent of the commonest boxes gives them soonest.
func New(cellSize float64) *Grid {
	if !(cellSize >= MinCellSize && cellSize <= MaxCellSize) {
		panic("quarry: grid: cell size out of range")
	}
	g := &Grid{inv: 1 / cellSize, limit: cellSize * Limit, vacant: none}
	size, inv := cellSize, g.inv
	for i := range g.levels {
		g.levels[i] = level{size: size, inv: inv, bounds: noSpan}
		size, inv = 2*size, inv/2
	}
	return g
}

// CellSize returns the side of the finest cells.
func (g *Grid) CellSize() float64 { return g.levels[0].size }

// Len returns the number of objects.
func (g *Grid) Len() int { return g.n }

// Add puts a box in the grid and returns its id, in time that does not depend
// on the number of objects. A box that is empty, has a coordinate that is NaN
// or infinite, or reaches further from the origin than Limit finest cells is
// refused with an error, and nothing changes.
func (g *Grid) Add(box geom.AABB, data uint64) (ID, error) {
	if err := g.check(box); err != nil {
		return none, err
	}
	id := g.vacant
	if id != none {
		g.vacant = ID(g.objects[id].cx)
	} else {
		if len(g.objects) == math.MaxInt32 {
			return none, fmt.Errorf("grid: more than %d objects", math.MaxInt32)
		}
		id = ID(len(g.objects))
		g.objects = append(g.objects, object{})
		g.data = append(g.data, 0)
	}
	g.data[id] = data
	o := &g.objects[id]
	*o = object{box: box}
	at, s := g.place(box)
	g.enter(id, o, at, s)
	g.n++
	return id, nil
}

// Update moves the object id to box. It costs a comparison if the box stays in
// its cells. A box that Add would refuse is refused with the same error, and
// the object stays where it was. An id that is not in the grid panics.
func (g *Grid) Update(id ID, box geom.AABB) error {
	o := g.object(id)
	if !(box.Min.X >= -g.limit && box.Max.X <= g.limit && box.Min.Y >= -g.limit && box.Max.Y <= g.limit &&
		box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y) {
		return g.check(box)
	}
	if int(o.level) < Levels {
		l := &g.levels[o.level]
		e := max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y)
		// An object that shrinks stays a level longer than it must, or a
		// turning box would go to and fro between two.
		if e <= l.size && (o.level == 0 || 4*e > l.size) {
			if s, ok := g.fine(box).fits(int(o.level)); ok {
				o.box = box
				if s.x0 == o.cx && s.y0 == o.cy && s.x1 == o.cx+int32(o.wx) && s.y1 == o.cy+int32(o.wy) {
					return nil
				}
				g.shift(id, o, s)
				return nil
			}
		}
	}
	at, s := g.place(box)
	if at == oversize && o.level == oversize {
		o.box = box
		return nil
	}
	g.leave(id, o)
	o.box = box
	g.enter(id, o, at, s)
	return nil
}

// Remove takes the object id out of the grid; its id may be given out again.
// An id that is not in the grid panics.
func (g *Grid) Remove(id ID) {
	o := g.object(id)
	g.leave(id, o)
	*o = object{box: geom.Empty, level: vacant, cx: int32(g.vacant)}
	g.data[id] = 0
	g.vacant = id
	g.n--
}

// Box returns the box of the object id, as it was last set. An id that is not
// in the grid panics.
func (g *Grid) Box(id ID) geom.AABB { return g.object(id).box }

// Data returns what Add was given with the object id. An id that is not in the
// grid panics.
func (g *Grid) Data(id ID) uint64 {
	g.object(id)
	return g.data[id]
}

// Has reports whether id is in the grid.
func (g *Grid) Has(id ID) bool {
	return id >= 0 && int(id) < len(g.objects) && g.objects[id].level != vacant
}

// Bounds returns the smallest box that holds all objects, false if there are
// none. It looks at every object.
func (g *Grid) Bounds() (geom.AABB, bool) {
	b := geom.Empty
	for i := range g.objects {
		if o := &g.objects[i]; o.level != vacant {
			b = b.Union(o.box)
		}
	}
	return b, g.n > 0
}

// object returns the object id, which must be in the grid.
func (g *Grid) object(id ID) *object {
	if !g.Has(id) {
		panic("quarry: grid: id is not in the grid")
	}
	return &g.objects[id]
}

// check returns why box cannot be in the grid, or nil.
func (g *Grid) check(box geom.AABB) error {
	why := ""
	switch {
	case !box.IsFinite():
		why = "is not finite"
	case box.IsEmpty():
		why = "is empty"
	case box.Min.X < -g.limit || box.Min.Y < -g.limit || box.Max.X > g.limit || box.Max.Y > g.limit:
		why = fmt.Sprintf("reaches beyond %g from the origin", g.limit)
	default:
		return nil
	}
	return fmt.Errorf("grid: the box from (%g, %g) to (%g, %g) %s",
		box.Min.X, box.Min.Y, box.Max.X, box.Max.Y, why)
}

// place returns the level for a valid box and its cells there, or oversize.
func (g *Grid) place(box geom.AABB) (int, span) {
	e := max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y) * g.inv
	f := g.fine(box)
	// Small things very far out live on a coarse level as well, where their
	// cells fit in 32 bits: many of them share a cell, but none is refused.
	far := max(math.Abs(box.Min.X), math.Abs(box.Max.X), math.Abs(box.Min.Y), math.Abs(box.Max.Y)) * g.inv / maxCell
	for at := max(ceilLog2(e), ceilLog2(far)); at < Levels; at++ {
		// It may not fit by a rounding: from just below 0 to 1 is an
		// extent of 1, and three cells.
		if s, ok := f.fits(at); ok {
			return at, s
		}
	}
	return oversize, noSpan
}

// ceilLog2 returns the least n >= 0 with 2^n >= x, for a finite x >= 0.
func ceilLog2(x float64) int {
	if x <= 1 {
		return 0
	}
	b := math.Float64bits(x)
	n := int(b>>52) - 1023
	if b&(1<<52-1) != 0 {
		n++
	}
	return n
}

// enter lists an object that is in no list in the cells s of the level at.
func (g *Grid) enter(id ID, o *object, at int, s span) {
	o.level = uint8(at)
	if at == oversize {
		o.cx = int32(len(g.oversize))
		g.oversize = append(g.oversize, id)
		return
	}
	l := &g.levels[at]
	if l.count == 0 {
		g.used |= 1 << at
	}
	l.count++
	o.setSpan(s)
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			l.link(g.objects, id, cx, cy)
		}
	}
}

// leave takes an object out of all its lists.
func (g *Grid) leave(id ID, o *object) {
	if o.level == oversize {
		last := g.oversize[len(g.oversize)-1]
		g.oversize[o.cx] = last
		g.objects[last].cx = o.cx
		g.oversize = g.oversize[:len(g.oversize)-1]
		return
	}
	l := &g.levels[o.level]
	s := o.span()
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			l.unlink(g.objects, id, cx, cy)
		}
	}
	l.count--
	if l.count == 0 {
		g.used &^= 1 << o.level
	}
}

// shift lists an object in the cells s of its level instead of its present
// ones. Cells are left before others are entered, since a cell entered may
// need the link of one left.
func (g *Grid) shift(id ID, o *object, s span) {
	l := &g.levels[o.level]
	old := o.span()
	for cy := old.y0; cy <= old.y1; cy++ {
		for cx := old.x0; cx <= old.x1; cx++ {
			if !s.has(cx, cy) {
				l.unlink(g.objects, id, cx, cy)
			}
		}
	}
	for cy := s.y0; cy <= s.y1; cy++ {
		for cx := s.x0; cx <= s.x1; cx++ {
			if !old.has(cx, cy) {
				l.link(g.objects, id, cx, cy)
			}
		}
	}
	o.setSpan(s)
}

func (o *object) span() span {
	return span{o.cx, o.cy, o.cx + int32(o.wx), o.cy + int32(o.wy)}
}

func (o *object) setSpan(s span) {
	o.cx, o.cy, o.wx, o.wy = s.x0, s.y0, uint8(s.x1-s.x0), uint8(s.y1-s.y0)
}

// nextLevel returns the lowest level of a set, 32 for an empty one, and the
// rest of the set.
func nextLevel(set uint32) (int, uint32) {
	return bits.TrailingZeros32(set), set & (set - 1)
}
