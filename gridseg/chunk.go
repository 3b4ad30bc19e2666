package gridseg

import "sync/atomic"

// Chunks are squares of 16x16 cells. Sixteen cells a side let a row of flags be one uint16, and
// keep the memory small that the first edit in an area needs.
const (
	chunkBits  = 4
	chunkSide  = 1 << chunkBits
	chunkCells = chunkSide * chunkSide
	chunkMask  = chunkSide - 1
)

// flags holds one bit a cell of a chunk: bit x of row y.
type flags [chunkSide]uint16

func (f *flags) has(i int) bool { return f[i>>chunkBits]>>(i&chunkMask)&1 != 0 }
func (f *flags) set(i int)      { f[i>>chunkBits] |= 1 << (i & chunkMask) }
func (f *flags) unset(i int)    { f[i>>chunkBits] &^= 1 << (i & chunkMask) }

// put sets or clears a bit.
func (f *flags) put(i int, on bool) {
	if on {
		f.set(i)
	} else {
		f.unset(i)
	}
}

// Planes of flags that are also read across the borders of chunks, see wide.
const (
	blocks      = iota // cells that hold a block
	hasSegments        // cells that hold segments
	dirty              // cells edited since the last Resolve
	nonPlain           // cells whose form is not plain, see shape_plain.go
	planes
)

// chunk is a square of cells with its tiles and segments. A cell's index is y*chunkSide + x. A
// chunk exists while it holds tiles, or held some at the last Resolve.
type chunk struct {
	// The fields that every edit reads come first, on one cache line.
	cx, cy int32 // of the chunk: cell >> chunkBits
	slot   int32 // in Grid.chunks
	tiles  int32

	form  *[chunkCells]formID // shared between uniform chunks, unless owned
	at    *[chunkCells]block  // index of each cell's segments in pool; nil while there are none
	attrs *[chunkCells]attr
	attr  attr // of all tiles, if attrs is nil
	owned bool
	ghost bool // unloaded, and counts as solid: see unloaded

	watched bool // the next edit must be reported to Parts

	// Edits since the last Resolve, with flag[dirty]. old holds the previous tiles; it is nil if
	// the chunk was empty, so that Fill needs none.
	pending bool   // listed in Grid.pending
	edited  uint16 // rows that have a dirty cell
	whole   formID // of all blocks; 0: there are none, or several forms of them
	old     *[chunkCells]cellTile

	// Queries read these fields and the coordinates, and often nothing else of a chunk: they follow on three lines.
	near          [9]*chunk // the 3x3 chunks around this one, by row; near[4] is this one
	solid         int32     // number of cells that hold a block
	nonPlainCount int32     // number of cells whose form is not plain
	occupied      flags     // cells that hold a tile
	flag          [planes]flags

	saved *savedTiles   // the present tiles; nil: edited since the last Save
	sum   atomic.Uint64 // of the present tiles, see Grid.chunkSum; 0: not known. Atomic, since readers set it

	pool pool
	work *work // used during Resolve only, otherwise nil
}

func (c *chunk) cell(i int) Cell {
	return Cell{X: c.cx<<chunkBits + int32(i&chunkMask), Y: c.cy<<chunkBits + int32(i>>chunkBits)}
}

// rect returns the cells of c.
func (c *chunk) rect() Rect {
	x, y := c.cx<<chunkBits, c.cy<<chunkBits
	return Rect{MinX: x, MinY: y, MaxX: x + chunkMask, MaxY: y + chunkMask}
}

// emptyForms is shared by all chunks without tiles.
var emptyForms [chunkCells]formID

// own gives c its own forms, so that they can be changed.
func (c *chunk) own() {
	if !c.owned {
		f := *c.form
		c.form, c.owned = &f, true
	}
}

// uniformForms returns forms for a chunk filled with f. Chunks share them.
func (g *Grid) uniformForms(f formID) *[chunkCells]formID {
	if g.uniform == nil || g.uniform[0] != f {
		g.uniform = new([chunkCells]formID)
		for i := range g.uniform {
			g.uniform[i] = f
		}
	}
	return g.uniform
}

// forget drops the saved copy and the sum of the tiles of c, because the tiles change.
func (c *chunk) forget() {
	c.saved = nil
	c.sum.Store(0)
}

func (c *chunk) attrAt(i int) attr {
	if c.attrs != nil {
		return c.attrs[i]
	}
	return c.attr
}

func (c *chunk) cellTile(i int) cellTile { return cellTile{c.form[i], c.attrAt(i)} }
func (c *chunk) tile(i int) Tile         { return c.form[i].tile(c.attrAt(i)) }

// resolvedAt returns the tile, as of the last Resolve, of a cell that has segments. (A dirty cell
// with segments has an old tile.)
func (c *chunk) resolvedAt(i int) cellTile {
	if c.pending && c.flag[dirty].has(i) {
		return c.old[i]
	}
	if c.whole != 0 && c.flag[blocks].has(i) {
		return cellTile{c.whole, c.attrAt(i)}
	}
	return c.cellTile(i)
}

// resolvedTile returns resolvedAt as a Tile.
func (c *chunk) resolvedTile(i int) Tile { return c.resolvedAt(i).tile() }

// neighbour returns the cell at (dx, dy) from cell i, each -1 to 1. The chunk is nil if it does not
// exist.
func (c *chunk) neighbour(i, dx, dy int) (*chunk, int) {
	x, y := i&chunkMask+dx, i>>chunkBits+dy
	if uint(x) < chunkSide && uint(y) < chunkSide {
		return c, y<<chunkBits | x
	}
	n := 4
	if x < 0 {
		n--
	} else if x >= chunkSide {
		n++
	}
	if y < 0 {
		n -= 3
	} else if y >= chunkSide {
		n += 3
	}
	return c.near[n], (y&chunkMask)<<chunkBits | x&chunkMask
}

// rowOf returns the index in chunk.near of the chunk above, below or here that has row y, -1 to 16, and its row there.
func rowOf(y int) (near, row int) {
	switch {
	case y < 0:
		return 1, chunkMask
	case y >= chunkSide:
		return 7, 0
	}
	return 4, y
}

// wide returns row y, -1 to 16, of a plane of flags, with one more column on either side: bit 0 is
// the last column of the chunk to the left.
func (c *chunk) wide(plane, y int) uint32 {
	k, y := rowOf(y)
	var w uint32
	if o := c.near[k]; o != nil {
		w = uint32(o.flag[plane][y]) << 1
	}
	if o := c.near[k-1]; o != nil {
		w |= uint32(o.flag[plane][y] >> chunkMask)
	}
	if o := c.near[k+1]; o != nil {
		w |= uint32(o.flag[plane][y]&1) << (chunkSide + 1)
	}
	return w
}

func cellIndex(x, y int32) int { return int(y&chunkMask)<<chunkBits | int(x&chunkMask) }

// cellRef refers to a cell of a chunk; c is nil if the chunk does not exist.
type cellRef struct {
	c *chunk
	i int
}

// savedTiles are the tiles of a chunk. The user attribute of a patch is its index in patches.
type savedTiles struct {
	cells   [chunkCells]cellTile
	patches []*patch
}
