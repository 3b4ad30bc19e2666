package grid

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/geom"
)

// ID identifies an object of one Grid, from Add until Remove; then the number is reused. IDs count
// from 0; the most recently freed is reused first.
type ID int32

// Levels is the number of cell sizes of a hierarchical grid: each is twice the one before. A set of levels, of all
// classes of objects, has a bit for each in 64.
const Levels = 21

// classes is the number of classes of objects that a hierarchical grid keeps in cells of their own: class 0, and those
// that Separate sets apart.
const classes = 1 + mostApart

// mostApart is the largest number of arguments of Separate.
const mostApart = 2

// Limit bounds the coordinates of boxes, in finest cells from the origin: 2^50. There float64 still
// resolves quarters of a cell.
const Limit = 1 << 50

// MinCellSize and MaxCellSize bound the cell sizes of grids, so that no
// product of a coordinate and a cell size overflows or vanishes.
const (
	MinCellSize = 1e-100
	MaxCellSize = 1e100
)

// MaxFixedCells is the largest number of cells of NewFixed, 8 bytes each.
const MaxFixedCells = 1 << 26

// MaxSpread is the largest number of cells that list an object. A larger object is in the oversize
// list of a grid with one cell size; in a hierarchical grid it is on a level where it covers at
// most four cells.
const MaxSpread = 1024

// All is the mask of all categories.
const All = math.MaxUint64

// Values of Grid.at other than a level.
const (
	oversize = classes*Levels + iota // in Grid.oversize, at index qboxes[id].x0
	excluded                         // excluded from queries
	vacant                           // not in use; qboxes[id].x0 is the next such slot, or none
)

// none ends lists of ids.
const none ID = -1

// Grid is a set of boxes, each with an ID, 64 bits of the caller's data and categories. Make one
// with NewFixed, NewHashed, NewChunked or NewHierarchical; the package comment has its laws.
//
// An object takes 25 bytes beside its box, and 4 for each cell that lists it; in a cell with more than 128 objects some
// 40 more, so that it is removed without a search.
type Grid struct {
	kind         Kind
	hierarchical bool
	// A hierarchical grid has a level for each cell size and class, in this order. Other grids have one level.
	levels        []level
	used          uint64            // bit i: levels[i] holds an object
	apart         [mostApart]uint64 // see Separate
	allApart      uint64            // of apart
	mixed         int               // number of objects of class 0 with a category of allApart
	inv           float64           // 1 / side of the finest cells
	scale         float64           // 64 / side
	limit         float64           // of coordinates
	pool          pool
	oversize      []ID
	unlisted      level // finds the unlisted objects of a chunk
	vacant        ID    // next id to give out, or none
	gap           ID    // a free slot of a packed grid, or none
	n             int
	peak          int // largest n since memory was last released
	excludedCount int

	slots []ID // by id, of a packed grid; see slot.go

	search search // of AppendNewPairs

	// By slot, which is the id unless the grid was packed. Separate arrays, because updates and the
	// search for pairs read the qboxes, and a box only if qboxes overlap.
	qboxes     []qbox
	boxes      []geom.AABB
	at         []uint8 // its level, oversize, excluded or vacant
	data       []uint64
	categories []uint64 // nil while all objects are in all categories
	ids        []ID     // of a packed grid
}

// NewHashed returns an empty grid whose cells, of side cellSize in units of length, are in a hash
// table: without bounds up to Limit, and without memory for empty cells. It panics unless cellSize
// is in [MinCellSize, MaxCellSize].
func NewHashed(cellSize float64) *Grid { return newGrid(Hashed, cellSize) }

// NewChunked returns an empty grid whose cells, of side cellSize in units of length, are in chunks
// of 16x16: without bounds up to Limit, with 2 KiB for each chunk that has an object. It panics
// unless cellSize is in [MinCellSize, MaxCellSize].
func NewChunked(cellSize float64) *Grid { return newGrid(Chunked, cellSize) }

// NewHierarchical returns an empty grid with cells of side cellSize, in units of length, and of twice, four times ...
// that size. Each object is listed in the cells that are as large as it. A level has chunks of 16x16 cells, so an
// object alone takes 2 KiB. NewHierarchical panics unless cellSize is in [MinCellSize, MaxCellSize].
func NewHierarchical(cellSize float64) *Grid { return newGrid(Hierarchical, cellSize) }

// NewFixed returns an empty grid whose cells, of side cellSize in units of length, cover bounds: a
// preallocated array with 8 bytes a cell. An object that is not wholly inside goes to the oversize
// list. It panics unless cellSize is in [MinCellSize, MaxCellSize] and bounds is a box of at most
// MaxFixedCells cells that Add would accept.
func NewFixed(cellSize float64, bounds geom.AABB) *Grid {
	g := newGrid(Fixed, cellSize)
	if bounds.IsEmpty() || !bounds.IsFinite() {
		panic(fmt.Sprintf("quarry: grid: the bounds of a fixed grid, %v, are empty or not finite", bounds))
	}
	if err := g.check(bounds); err != nil {
		panic("quarry: " + err.Error())
	}
	f := g.clampedFineBox(bounds)
	const bits = chunkBits + subBits
	wide, high := f.x1>>bits-f.x0>>bits+1, f.y1>>bits-f.y0>>bits+1
	const most = MaxFixedCells >> (2 * chunkBits)
	if wide > most || high > most || wide*high > most {
		panic(fmt.Sprintf("quarry: grid: a fixed grid of %d x %d cells, at most %d in all", wide<<chunkBits,
			high<<chunkBits,
			MaxFixedCells))
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
		panic(fmt.Sprintf("quarry: grid: cell size %v is not in [%v, %v]", cellSize, MinCellSize, MaxCellSize))
	}
	inv := 1 / cellSize
	g := &Grid{
		kind: kind, hierarchical: kind == Hierarchical,
		inv: inv, scale: inv * (1 << subBits), limit: cellSize * Limit, vacant: none,
	}
	n, of := 1, kind
	if g.hierarchical {
		n, of = classes*Levels, Chunked
	}
	g.levels = make([]level, n)
	size := cellSize
	for i := range g.levels {
		g.levels[i] = level{size: size, inv: inv, at: uint8(i / classes), kind: of}
		if i%classes == classes-1 {
			size, inv = 2*size, inv/2
		}
	}
	g.unlisted = level{size: cellSize * ChunkSide, inv: inv / ChunkSide, at: chunkBits, kind: Hashed}
	return g
}

// Kind returns the kind of g.
func (g *Grid) Kind() Kind { return g.kind }

// CellSize returns the side of the finest cells, in units of length.
func (g *Grid) CellSize() float64 { return g.levels[0].size }

// Len returns the number of objects, excluded ones included.
func (g *Grid) Len() int { return g.n }

// Add adds a box and returns its id, in time independent of the number of objects. The object is in
// all categories. A box that is empty, has a NaN or infinite coordinate, or reaches further from
// the origin than Limit finest cells is refused with an error, and nothing changes.
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
	if g.allApart != 0 {
		g.mixed++
	}
	at, f := g.levelAndBox(slot, &box)
	g.addToCells(slot, at, f)
	g.n++
	g.peak = max(g.peak, g.n)
	return g.idOf(slot), nil
}

// newSlot takes the next id and returns a slot for it, which the caller must fill.
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
		if g.slots != nil {
			g.ids = extended(g.ids)
		}
	}
	if g.slots != nil {
		g.slots[id], g.ids[slot] = slot, id
	}
	return slot
}

// extended returns s with one more element. It grows by an eighth; append grows by a quarter and
// more, and this is most of the grid's memory.
func extended[T any](s []T) []T {
	n := len(s)
	if n < cap(s) {
		return s[:n+1]
	}
	t := make([]T, n+1, n+n/8+64)
	copy(t, s)
	return t
}

// Update moves object id to box. If the box stays in its cells this costs a comparison; otherwise
// only the cells left and entered are changed. A box that Add would refuse is refused with the same error, and the
// object stays where it was. It panics if id is not in the grid.
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
				// Field by field: a copy of q would wait until its parts are written.
				to := &g.qboxes[id]
				old := *to
				to.x0, to.y0, to.x1, to.y1 = q.x0, q.y0, q.x1, q.y1
				if !q.sameCells(&old) {
					g.moveCells(id, r, old.cells(), &q)
				}
				return nil
			}
		}
	}
	to, f := g.levelAndBox(id, &box)
	if at == excluded || to == oversize && at == oversize {
		g.moveUnlisted(id, box, f)
		return nil
	}
	g.removeFromCells(id)
	g.boxes[id] = box
	g.addToCells(id, to, f)
	return nil
}

// Remove removes object id; the id may be given out again. It panics if id is not in the grid.
func (g *Grid) Remove(id ID) {
	slot := g.mustSlot(id)
	g.removeFromCells(slot)
	if g.at[slot] == excluded {
		g.excludedCount--
	}
	g.at[slot] = vacant
	if g.isMixed(slot) {
		g.mixed--
	}
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

// When fewer than one in spareTimes of the peak number of objects are left, the memory of boxes,
// cells, lists and chunks is released. That takes as long as adding the objects left, after many
// times as many removals; a scene whose number of objects varies by less does not allocate. Up to
// spareObjects nothing is released.
const (
	spareTimes   = 8
	spareObjects = 512
)

// Clear removes all objects, and keeps the memory. IDs count from 0 again.
func (g *Grid) Clear() {
	for i := range g.levels {
		if g.used>>i&1 == 1 {
			g.levels[i].clear()
		}
	}
	g.used, g.n, g.peak, g.excludedCount, g.mixed, g.vacant = 0, 0, 0, 0, 0, none
	g.pool.clear()
	g.oversize = g.oversize[:0]
	g.unlisted.clear()
	g.qboxes, g.boxes, g.at, g.data = g.qboxes[:0], g.boxes[:0], g.at[:0], g.data[:0]
	g.categories, g.slots, g.ids = nil, nil, nil
	g.gap = none
}

// Exclude removes object id from the results of every query until Include. It may be moved
// meanwhile. It panics if id is not in the grid.
func (g *Grid) Exclude(id ID) {
	id = g.mustSlot(id)
	if g.at[id] != excluded {
		g.removeFromCells(id)
		g.at[id] = excluded
		g.addUnlisted(id, g.fineBoxOf(&g.boxes[id]))
		g.excludedCount++
	}
}

// Include undoes Exclude. It panics if id is not in the grid.
func (g *Grid) Include(id ID) {
	id = g.mustSlot(id)
	if g.at[id] == excluded {
		at, f := g.levelAndBox(id, &g.boxes[id])
		g.removeFromCells(id)
		g.addToCells(id, at, f)
		g.excludedCount--
	}
}

// Excluded reports whether object id is excluded. It panics if id is not in the grid.
func (g *Grid) Excluded(id ID) bool {
	id = g.mustSlot(id)
	return g.at[id] == excluded
}

// SetCategory sets the categories of object id, as bits. A query with a mask finds the object if
// they share a bit. New objects are in all categories. It panics if id is not in the grid.
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
	if g.isMixed(id) {
		g.mixed--
	}
	g.categories[id] = category
	if g.isMixed(id) {
		g.mixed++
	}
	if at := int(g.at[id]); at < oversize && g.classOf(id) != at%classes {
		to, f := g.levelAndBox(id, &g.boxes[id])
		g.removeFromCells(id)
		g.addToCells(id, to, f)
	}
}

// Separate sets apart classes of objects, at most two: those whose categories are all in the first mask, and those
// whose categories are all in the second. A hierarchical grid keeps each class, and all other objects, in cells of
// their own, and a query visits the cells of those classes alone that its mask may find. Use it if one kind of object
// is far more numerous than the others, and many queries leave it out, or if the objects of a kind are never asked for
// around one of them, so that many at one place do not cost the square of their number. Results do not change. Separate
// has no effect on grids of other kinds. It panics if the grid has objects, if there are more than two masks, or if
// they share a category.
func (g *Grid) Separate(masks ...uint64) {
	if g.n > 0 {
		panic(fmt.Sprintf("quarry: grid: Separate in a grid with %d objects: it must be empty", g.n))
	}
	if len(masks) > mostApart {
		panic(fmt.Sprintf("quarry: grid: Separate with %d masks: at most %d", len(masks), mostApart))
	}
	var apart [mostApart]uint64
	all := uint64(0)
	for k, mask := range masks {
		if all&mask != 0 {
			panic(fmt.Sprintf("quarry: grid: Separate: the masks %#x share categories", masks))
		}
		apart[k], all = mask, all|mask
	}
	if g.hierarchical {
		g.apart, g.allApart = apart, all
	}
}

// categoryOf returns the categories of the object in a slot.
func (g *Grid) categoryOf(slot ID) uint64 {
	if g.categories == nil {
		return All
	}
	return g.categories[slot]
}

// classOf returns the class of the object in a slot.
func (g *Grid) classOf(slot ID) int {
	if g.allApart == 0 {
		return 0
	}
	switch c := g.categoryOf(slot); {
	case c == 0:
		return 0
	case c&^g.apart[0] == 0:
		return 1
	case c&^g.apart[1] == 0:
		return 2
	}
	return 0
}

// isMixed reports whether the object in a slot is of class 0 and has a category of allApart.
func (g *Grid) isMixed(slot ID) bool {
	return g.categoryOf(slot)&g.allApart != 0 && g.classOf(slot) == 0
}

// classLevels is the set of the levels of class 0; shifted by one bit, the set of the levels of class 1, and so on.
const classLevels = 0o111_111_111_111_111_111_111

// levelsFor returns the levels in use that may have objects in a category of mask.
func (g *Grid) levelsFor(mask uint64) uint64 {
	used := g.used
	if g.allApart == 0 {
		return used
	}
	if mask&g.apart[0] == 0 {
		used &^= classLevels << 1
	}
	if mask&g.apart[1] == 0 {
		used &^= classLevels << 2
	}
	if mask&^g.allApart == 0 && g.mixed == 0 {
		used &^= classLevels
	}
	return used
}

// Category returns the categories of object id. It panics if id is not in the grid.
func (g *Grid) Category(id ID) uint64 {
	id = g.mustSlot(id)
	if g.categories == nil {
		return All
	}
	return g.categories[id]
}

// Box returns the box of object id, as last set. It panics if id is not in the grid.
func (g *Grid) Box(id ID) geom.AABB {
	id = g.mustSlot(id)
	return g.boxes[id]
}

// Data returns the data given to Add with object id. It panics if id is not in the grid.
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

// Bounds returns the smallest box that contains all objects, excluded ones included; false if there
// are none. It visits every object.
func (g *Grid) Bounds() (geom.AABB, bool) {
	b := geom.Empty
	for i := range g.boxes {
		if g.at[i] != vacant {
			b = b.Union(g.boxes[i])
		}
	}
	return b, g.n > 0
}

// mustSlot returns the slot of object id. It panics if id is not in the grid.
func (g *Grid) mustSlot(id ID) ID {
	if !g.Has(id) {
		panic("quarry: grid: id is not in the grid") // a constant, so that this is inlined
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

// check returns an error if Add must refuse box.
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
