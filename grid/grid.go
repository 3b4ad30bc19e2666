package grid

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/geom"
)

// ID names an object of one Grid, from Add until Remove; after that the number
// is given out again. IDs count from 0, the most recently freed first.
type ID int32

// Levels is the number of cell sizes of a hierarchical grid: the finest, and
// each twice the one before.
const Levels = 24

// Limit is how far from the origin a box may reach in either coordinate, in
// finest cells: 2^50. There float64 still separates quarters of a cell.
const Limit = 1 << 50

// MinCellSize and MaxCellSize bound the cell sizes of grids, so that no
// product of a coordinate and a cell size overflows or vanishes.
const (
	MinCellSize = 1e-100
	MaxCellSize = 1e100
)

// MaxFixedCells is the most cells that NewFixed makes, 8 bytes each.
const MaxFixedCells = 1 << 26

// MaxSpread is the most cells that an object is listed in. A larger object goes
// to the oversize list of a grid with one cell size; in a hierarchical one it
// lives on a level where it takes four at most.
const MaxSpread = 1024

// All is the mask that every category is in.
const All = math.MaxUint64

// Places of an object other than a level.
const (
	oversize = Levels     // in Grid.oversize, at index qboxes[id].x0
	excluded = Levels + 1 // excluded
	vacant   = Levels + 2 // not in use; qboxes[id].x0 is the next such slot, or none
)

// none ends lists of ids.
const none ID = -1

// Grid is a set of boxes, each with an ID, 64 bits of the caller's data and the
// categories that it is in. Make one with NewFixed, NewHashed, NewChunked or
// NewHierarchical; see the package's doc for its rules.
//
// An object takes 25 bytes beside its box, and 6 for each cell that it is in.
type Grid struct {
	kind          Kind
	hierarchical  bool
	levels        []level
	used          uint32  // bit i: levels[i] holds an object
	inv           float64 // 1 / side of the finest cells
	scale         float64 // 64 / side
	limit         float64 // of coordinates
	pool          pool
	oversize      []ID
	unlisted      level // finds the oversize and the excluded objects of a chunk
	vacant        ID    // the id that is given out next, or none
	gap           ID    // of a grid that was packed, a slot that is not in use, or none
	n             int
	peak          int // of n, since room was last given back
	excludedCount int

	slots []ID // of a grid that was packed, by id; see slot.go

	// Of each object, by slot, which is its id unless the grid was packed. Apart, because an update and the search for
	// pairs go through the qboxes, and look at a box when qboxes overlap.
	qboxes     []qbox
	boxes      []geom.AABB
	at         []uint8 // its level, oversize, excluded or vacant
	data       []uint64
	categories []uint64 // categories; nil as long as all objects are in all
	moving     []uint64 // a bit each: its sub-boxes are loose
	ids        []ID     // of a grid that was packed
}

// NewHashed returns an empty grid of cells of side cellSize, in units of length,
// that a hash table finds: without bounds up to Limit, and with nothing kept for empty
// cells. It panics unless cellSize is in [MinCellSize, MaxCellSize].
func NewHashed(cellSize float64) *Grid { return newGrid(Hashed, cellSize) }

// NewChunked returns an empty grid of cells of side cellSize, in units of length,
// that lie in chunks of 16x16: without bounds up to Limit, and with 2 KiB kept for each chunk
// that has an object. It panics unless cellSize is in [MinCellSize, MaxCellSize].
func NewChunked(cellSize float64) *Grid { return newGrid(Chunked, cellSize) }

// NewHierarchical returns an empty grid of cells of side cellSize, in units of
// length, and of twice, four times ... that: each object is kept by the cells
// that are as large as it. It panics unless cellSize is in
// [MinCellSize, MaxCellSize].
func NewHierarchical(cellSize float64) *Grid { return newGrid(Hierarchical, cellSize) }

// NewFixed returns an empty grid of cells of side cellSize, in units of length,
// that cover bounds: an array that is there from the start, 8 bytes a cell. An
// object that is not wholly within it goes to the oversize list. It panics unless
// cellSize is in [MinCellSize, MaxCellSize] and bounds is a box of at most
// MaxFixedCells cells that Add would not refuse.
func NewFixed(cellSize float64, bounds geom.AABB) *Grid {
	g := newGrid(Fixed, cellSize)
	if bounds.IsEmpty() || !bounds.IsFinite() {
		panic("quarry: grid: the bounds of a fixed grid are not a box")
	}
	if err := g.check(bounds); err != nil {
		panic("quarry: " + err.Error())
	}
	f := g.clampedFineBox(bounds)
	const bits = chunkBits + subBits
	wide, high := f.x1>>bits-f.x0>>bits+1, f.y1>>bits-f.y0>>bits+1
	const most = MaxFixedCells >> (2 * chunkBits)
	if wide > most || high > most || wide*high > most {
		panic("quarry: grid: too many cells for a fixed grid")
	}
	r := &region{size: cellSize, inv: g.inv, kind: Fixed, bounds: noSpan, wide: int32(wide)}
	r.setOrigin(regionOf(f.x0), regionOf(f.y0))
	r.frame = r.clampedQBox(f).cells()
	r.chunks.fill(int(wide * high))
	g.levels[0].regions = []*region{r}
	return g
}

func newGrid(kind Kind, cellSize float64) *Grid {
	if !(cellSize >= MinCellSize && cellSize <= MaxCellSize) {
		panic("quarry: grid: cell size out of range")
	}
	inv := 1 / cellSize
	g := &Grid{
		kind: kind, hierarchical: kind == Hierarchical,
		inv: inv, scale: inv * (1 << subBits), limit: cellSize * Limit, vacant: none,
	}
	n, of := 1, kind
	if g.hierarchical {
		n, of = Levels, Hashed
	}
	g.levels = make([]level, n)
	size := cellSize
	for i := range g.levels {
		g.levels[i] = level{size: size, inv: inv, at: uint8(i), kind: of, hasBloom: g.hierarchical}
		size, inv = 2*size, inv/2
	}
	g.unlisted = level{size: cellSize * ChunkSide, inv: inv / ChunkSide, at: chunkBits, kind: Hashed}
	return g
}

// Kind returns what kind of grid g is.
func (g *Grid) Kind() Kind { return g.kind }

// CellSize returns the side of the finest cells.
func (g *Grid) CellSize() float64 { return g.levels[0].size }

// Len returns the number of objects, those excluded too.
func (g *Grid) Len() int { return g.n }

// Add puts a box in the grid and returns its id, in time that does not depend
// on the number of objects. It is in all categories. A box that is empty, has a
// coordinate that is NaN or infinite, or reaches further from the origin than
// Limit finest cells is refused with an error, and nothing changes.
func (g *Grid) Add(box geom.AABB, data uint64) (ID, error) {
	if err := g.check(box); err != nil {
		return none, err
	}
	if g.vacant == none && g.idLimit() == math.MaxInt32 {
		return none, fmt.Errorf("grid: more than %d objects", math.MaxInt32)
	}
	slot := g.newSlot()
	g.boxes[slot], g.data[slot] = box, data
	if g.categories != nil {
		g.categories[slot] = All
	}
	at, f := g.levelAndBox(&box)
	g.addToCells(slot, at, f)
	g.n++
	g.peak = max(g.peak, g.n)
	return g.idOf(slot), nil
}

// newSlot gives out an id and a slot for it, which the caller must fill.
func (g *Grid) newSlot() ID {
	if g.slots != nil && g.vacant == none {
		g.unpack()
		g.Rebuild()
	}
	id, slot := g.vacant, g.vacant
	if g.slots != nil {
		g.vacant = noSlot(g.slots[id])
		if slot = g.gap; slot != none {
			g.gap = ID(g.qboxes[slot].x0)
		}
	} else if id != none {
		g.vacant = ID(g.qboxes[id].x0)
	}
	if slot == none {
		slot = ID(len(g.boxes))
		g.qboxes = extended(g.qboxes)
		g.boxes = extended(g.boxes)
		g.at = extended(g.at)
		g.data = extended(g.data)
		if g.categories != nil {
			g.categories = extended(g.categories)
		}
		if int(slot)>>6 == len(g.moving) {
			g.moving = extended(g.moving)
		}
		if g.slots != nil {
			g.ids = extended(g.ids)
		}
	}
	if g.slots != nil {
		g.slots[id], g.ids[slot] = slot, id
	}
	return slot
}

// extended returns s with a place more. It grows by an eighth rather than by
// append's quarter and more: this is most of the grid's memory.
func extended[T any](s []T) []T {
	n := len(s)
	if n < cap(s) {
		return s[:n+1]
	}
	t := make([]T, n+1, n+n/8+64)
	copy(t, s)
	return t
}

// Update moves the object id to box. It costs a comparison if the box stays in
// its cells, and otherwise touches only the cells left and entered; but the first
// time that it moves by a 16th of a cell or so it is marked as moving in its cells. From
// then on rays that enter these look at its box, until Rebuild or until it
// leaves them all at once; before, most rays that miss it do not. A box that
// Add would refuse is refused with the same error, and the object stays where it
// was. An id that is not in the grid panics.
func (g *Grid) Update(id ID, box geom.AABB) error {
	if g.slots != nil || uint(id) >= uint(len(g.at)) || g.at[id] == vacant {
		id = g.mustSlot(id)
	}
	if !(box.Min.X >= -g.limit && box.Max.X <= g.limit && box.Min.Y >= -g.limit && box.Max.Y <= g.limit &&
		box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y) {
		return g.check(box)
	}
	at := int(g.at[id])
	if at < len(g.levels) {
		r := g.regionOfBox(&g.levels[at], &g.boxes[id])
		if !g.hierarchical || r.keepsSize(box.Size()) {
			if q, ok := g.fits(g.fineBoxOf(&box), r); ok {
				g.boxes[id] = box
				old := g.qboxes[id]
				g.qboxes[id] = q
				if !q.sameCells(&old) {
					g.moveCells(id, r, old.cells(), &q)
				} else if !g.isMoving(id) && !q.sameSubBoxes(&old) {
					g.loosen(id, r, q.cells())
				}
				return nil
			}
		}
	}
	to, f := g.levelAndBox(&box)
	if at == excluded || to == oversize && at == oversize {
		g.moveUnlisted(id, box, f)
		return nil
	}
	g.removeFromCells(id)
	g.boxes[id] = box
	g.addToCells(id, to, f)
	return nil
}

// Remove takes the object id out of the grid; its id may be given out again.
// An id that is not in the grid panics.
func (g *Grid) Remove(id ID) {
	slot := g.mustSlot(id)
	g.removeFromCells(slot)
	if g.at[slot] == excluded {
		g.excludedCount--
	}
	g.at[slot] = vacant
	g.boxes[slot], g.data[slot] = geom.Empty, 0
	if g.slots == nil {
		g.qboxes[slot] = qbox{x0: int32(g.vacant)}
	} else {
		g.qboxes[slot] = qbox{x0: int32(g.gap)}
		g.slots[id], g.gap = noSlot(g.vacant), slot
	}
	g.vacant = id
	g.n--
	if g.peak > spareObjects && g.n < g.peak/spareTimes {
		g.pack()
		g.Rebuild()
	}
}

// When fewer than one in spareTimes of the most objects are left, the memory of boxes, cells,
// lists and chunks is released. That takes as long as adding the objects left, and happens
// after many times as many were removed; a scene whose number of objects varies by less does
// not allocate. For up to spareObjects nothing is released.
const (
	spareTimes   = 8
	spareObjects = 512
)

// Clear takes all objects out, and keeps the room that they had. IDs count from
// 0 again.
func (g *Grid) Clear() {
	for i := range g.levels {
		if g.used>>i&1 == 1 {
			g.levels[i].clear()
		}
	}
	g.used, g.n, g.peak, g.excludedCount, g.vacant = 0, 0, 0, 0, none
	g.pool.clear()
	g.oversize = g.oversize[:0]
	g.unlisted.clear()
	g.qboxes, g.boxes, g.at, g.data = g.qboxes[:0], g.boxes[:0], g.at[:0], g.data[:0]
	g.categories, g.slots, g.ids = nil, nil, nil
	g.gap = none
	g.moving = g.moving[:0]
}

// Exclude takes the object id out of every query until Include. It may be
// moved meanwhile. An id that is not in the grid panics.
func (g *Grid) Exclude(id ID) {
	id = g.mustSlot(id)
	if g.at[id] != excluded {
		g.removeFromCells(id)
		g.at[id] = excluded
		g.addUnlisted(id, g.fineBoxOf(&g.boxes[id]))
		g.excludedCount++
	}
}

// Include undoes Exclude. An id that is not in the grid panics.
func (g *Grid) Include(id ID) {
	id = g.mustSlot(id)
	if g.at[id] == excluded {
		at, f := g.levelAndBox(&g.boxes[id])
		g.removeFromCells(id)
		g.addToCells(id, at, f)
		g.excludedCount--
	}
}

// Excluded reports whether the object id is excluded. An id that is not in the
// grid panics.
func (g *Grid) Excluded(id ID) bool {
	id = g.mustSlot(id)
	return g.at[id] == excluded
}

// SetCategory sets the categories of the object id, as bits: queries with a
// mask see it if it is in one of the mask's. Objects are in all of them at first.
// An id that is not in the grid panics.
func (g *Grid) SetCategory(id ID, category uint64) {
	id = g.mustSlot(id)
	if g.categories == nil {
		if category == All {
			return
		}
		g.categories = make([]uint64, len(g.boxes), cap(g.boxes))
		for i := range g.categories {
			g.categories[i] = All
		}
	}
	g.categories[id] = category
}

// Category returns the categories of the object id. An id that is not in the
// grid panics.
func (g *Grid) Category(id ID) uint64 {
	id = g.mustSlot(id)
	if g.categories == nil {
		return All
	}
	return g.categories[id]
}

// Box returns the box of the object id, as it was last set. An id that is not
// in the grid panics.
func (g *Grid) Box(id ID) geom.AABB {
	id = g.mustSlot(id)
	return g.boxes[id]
}

// Data returns what Add was given with the object id. An id that is not in the
// grid panics.
func (g *Grid) Data(id ID) uint64 {
	id = g.mustSlot(id)
	return g.data[id]
}

// Has reports whether id is in the grid, excluded or not.
func (g *Grid) Has(id ID) bool {
	if g.slots != nil {
		return id >= 0 && int(id) < len(g.slots) && g.slots[id] >= 0
	}
	return id >= 0 && int(id) < len(g.at) && g.at[id] != vacant
}

// Bounds returns the smallest box that holds all objects, excluded or not, false
// if there are none. It looks at every object.
func (g *Grid) Bounds() (geom.AABB, bool) {
	b := geom.Empty
	for i := range g.boxes {
		if g.at[i] != vacant {
			b = b.Union(g.boxes[i])
		}
	}
	return b, g.n > 0
}

// mustSlot returns the slot of the object id. It panics if the id is not in the grid.
func (g *Grid) mustSlot(id ID) ID {
	if !g.Has(id) {
		panic("quarry: grid: id is not in the grid")
	}
	return g.slotOf(id)
}

// visible reports whether the object in a slot is in a category of mask.
func (g *Grid) visible(id ID, mask uint64) bool {
	if g.categories == nil {
		return mask != 0
	}
	return g.categories[id]&mask != 0
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
