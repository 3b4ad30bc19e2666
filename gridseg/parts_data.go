package gridseg

import (
	"math/bits"
	"slices"
)

// Parts are the sets of tiles of a grid that hold together. Two polygons hold together through a shared edge of any
// positive length, in one cell or across the border of two; corners do not hold. Layers, materials and one-way
// tiles do not matter: two layers that preserve their faces hold together where they meet. A cell whose content is
// in pieces may belong to several parts.
//
// Make one with Grid.Parts. The parts are a function of the tiles and polygons alone, and include
// edits since the last Resolve.
//
// For each chunk of 16x16 cells Parts keeps the components of its tiles, and the links between components of
// neighbouring chunks. It joins the components of four chunks to a block, of four blocks to a larger block, and so on
// (see partBlock). After an edit it computes the components of the edited chunks again, and the blocks above as far as
// they change. So the cost depends on the edited chunks and the borders of the blocks around them, not on the other
// tiles: there is no search for a way around a cut. Once warm, this allocates nothing, except for new
// patches. It takes some 500 bytes a chunk, and more for chunks with many components.
type Parts struct {
	grid    *Grid
	anchors anchorTree
	bits    uint32

	dirty    []Cell // chunks that were edited since the last update, by their coordinates
	chunks   map[Cell]*partChunk
	blocks   map[placeOfBlock]*partBlock // of the levels above
	comps    []comp
	freeComp []int32
	order    [2][]int32 // heaps of components: see rank

	// Memory of an update, kept for the next.
	version     uint64 // number of updates
	edited      []*partChunk
	spare       []*partChunk
	spareBlocks []*partBlock
	up          sets // of runs and pieces of the current chunk, or of the nodes of a block
	nodes       []int32
	was         []partLink
	changed     []*partBlock // see raise
	rebuilt     []*partBlock
	spent       []*partBlock
	touched     []int32
	above       []int32
	list, stack []int32 // components of a part
	split       []splitPart

	work int // components, links and boxes of anchors that updates have visited, for tests
}

// Part is a part of a grid, valid until the next edit.
type Part struct {
	Area     Area
	Cells    Rect // the smallest rectangle that contains its cells
	First    Cell // its first cell, by row, then column
	Anchored bool
	piece    int32  // the first of its pieces in that cell
	comp     int32  // its component
	version  uint64 // of Parts
}

// partBlock is a square of the plane: a chunk of 16x16 cells on level 0, and four blocks of the level below on each
// level above.
//
// The components of a block are the sets of tiles that hold together within it and go on beyond its border. So a
// component of the level below without a link to another block is a whole part, and belongs to no component above.
// (On level 0 such a component is listed, too.) A solid plane has one component a block, and a block has at most as
// many components as there are tiles along its border.
type partBlock struct {
	at    Cell // its coordinates, in blocks of its level; of chunks on level 0
	level uint8
	up    *partBlock // the block above, nil if there is none yet
	sub   [4]*partBlock
	leaf  *partChunk        // on level 0
	near  [sides]*partBlock // the blocks beside it, nil if they have no components
	comps []int32           // its components
	links [2][]partLink     // to the block on the right, and above
	// The last updates that made its components again, and that changed their number or links.
	built, changed uint64
}

// partLink is a link from a component to one of the block on the right or above.
type partLink struct{ a, b int32 }

// from returns the ends of a link, as seen by the block that has it on a side.
func (l partLink) from(side int) (a, b int32) {
	if side == right || side == top {
		return l.a, l.b
	}
	return l.b, l.a
}

// linksOn returns the links on a side.
func (b *partBlock) linksOn(side int) []partLink {
	switch side {
	case right:
		return b.links[0]
	case top:
		return b.links[1]
	}
	if o := b.near[side]; o != nil {
		return o.links[1-side&1] // left is odd: the links of its right side
	}
	return nil
}

// comp is a component: tiles of a block that hold together within it.
type comp struct {
	block       *partBlock
	area        Area
	first       int64 // Cell.key of its first cell
	piece       int32 // the first of its pieces in that cell
	anchor      bool
	up          int32    // the component of the block above that it belongs to; -1: it is a part
	child, next int32    // first of the components below that belong to it; the next one of up; -1: none
	place       [2]int32 // in Parts.order, +1; 0: in none
	stamp       uint64   // of an update
	mark        int32    // number in the block above, while that is built
}

// noComp is a component without tiles.
var noComp = comp{first: 1<<63 - 1, up: -1, child: -1, next: -1}

// add adds the tiles of o.
func (c *comp) add(o *comp) {
	c.area += o.area
	c.anchor = c.anchor || o.anchor
	c.meet(o.first, o.piece)
}

// meet adds a cell, by its key, and a piece of it.
func (c *comp) meet(first int64, piece int32) {
	if first < c.first || first == c.first && piece < c.piece {
		c.first, c.piece = first, piece
	}
}

// partChunk holds the runs and pieces of a chunk, which is a block of level 0. A run is a row of cells that hold
// together from each to the next; a cell whose content is in pieces is in no run. Runs are numbered by row, then
// column, and then the pieces of these cells.
type partChunk struct {
	partBlock
	starts  [chunkSide]uint16 // the first cells of runs
	cells   [chunkSide]uint16 // the cells of runs
	base    [chunkSide]uint16 // the number of runs in the rows below
	split   []splitCell       // the cells in pieces, ascending
	nodes   []int32           // the component of each run and piece
	anchors anchorCells
}

// splitCell is a cell whose content is in pieces.
type splitCell struct {
	i     uint8
	n     int32 // number of pieces
	first int32 // number of the first piece, among runs and pieces
}

func (c *partChunk) cell(i int) Cell {
	return Cell{X: c.at.X<<chunkBits + int32(i&chunkMask), Y: c.at.Y<<chunkBits + int32(i>>chunkBits)}
}

// run returns the number of the run of cell i, which is in one.
func (c *partChunk) run(i int) int {
	y := i >> chunkBits
	return int(c.base[y]) + bits.OnesCount16(c.starts[y]&(2<<(i&chunkMask)-1)) - 1
}

// splitAt returns the entry of cell i in split, or false if the cell is not in pieces.
func (c *partChunk) splitAt(i int) (splitCell, bool) {
	k, ok := slices.BinarySearchFunc(c.split, i, func(s splitCell, i int) int { return int(s.i) - i })
	if !ok {
		return splitCell{}, false
	}
	return c.split[k], true
}

// node returns the number of the first piece of cell i, and the number of its pieces: 0 for an empty cell.
func (c *partChunk) node(i int) (first, pieces int32) {
	if c.cells[i>>chunkBits]>>(i&chunkMask)&1 != 0 {
		return int32(c.run(i)), 1
	}
	if len(c.split) == 0 {
		return 0, 0
	}
	s, _ := c.splitAt(i)
	return s.first, s.n
}

// row returns the cells of row y with content of component k.
func (c *partChunk) row(y int, k int32) (row uint16) {
	starts := c.starts[y]
	if len(c.comps) == 1 {
		row = c.cells[y]
	} else {
		for n := int(c.base[y]); starts != 0; n++ {
			rest := starts & (starts - 1)
			if c.nodes[n] == k {
				row |= c.cells[y] & (rest&-rest - starts&-starts) // up to the next run; to the end, if rest is 0
			}
			starts = rest
		}
	}
	for _, s := range c.split {
		if int(s.i>>chunkBits) == y && slices.Contains(c.nodes[s.first:s.first+s.n], k) {
			row |= 1 << (s.i & chunkMask)
		}
	}
	return row
}

// placeOfBlock places a block of a level above 0.
type placeOfBlock struct {
	at    Cell
	level uint8
}

// splitPart is a piece of a cell that goes to a part.
type splitPart struct {
	at          Cell
	piece, part int
}

// anchorTree finds the anchors that meet a chunk: a packed R-tree, whose leaves are the rectangles along a Z-order
// curve.
type anchorTree struct {
	given   []Rect // as SetAnchors got them; nil: none
	version uint32 // of given
	levels  [][]Rect
}

// anchorCells are the anchored cells of a chunk, as far as they are known: of a version of the anchors, by rows.
type anchorCells struct {
	version uint32
	rows    heldRows
}

// heldRows has a bit for each cell of a chunk that holds its tiles.
type heldRows [chunkSide]uint16

func (h *heldRows) all() bool {
	and := uint16(1<<chunkSide - 1)
	for _, row := range h {
		and &= row
	}
	return and == 1<<chunkSide-1
}
