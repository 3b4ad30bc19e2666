package gridseg

// Chunks are squares of cells. 16 a side lets a row of flags be one uint16, and
// keeps what an edit touches for the first time small.
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

// The flags that are also looked at across the borders of chunks, see wide.
const (
	dirty       = iota // cells edited since the last Resolve
	blocks             // cells that hold a block
	hasSegments        // cells that hold segments
	nonPlain           // cells whose form is not plain
	planes
)

// chunk is a square of cells with its tiles and segments. A cell's index is
// y*chunkSide + x. A chunk exists while it holds tiles, or did at the Resolve
// before.
type chunk struct {
	// What every edit reads comes first, to lie together.
	cx, cy int32 // of the chunk: cell >> chunkBits
	slot   int32 // in Grid.chunks
	tiles  int32

	form  *[chunkCells]formID // shared by chunks that are alike, unless owned
	at    *[chunkCells]block  // where a cell's segments are; nil while there are none
	attrs *[chunkCells]attr
	attr  attr // of all tiles, while attrs is nil
	owned bool

	// What edits since the last Resolve changed, with flag[dirty]. old holds the
	// tiles before; it is nil where the chunk was empty, whence Fill needs none.
	pending bool   // listed in Grid.pending
	edited  uint16 // rows that have a dirty cell
	old     *[chunkCells]cellTile

	pool pool

	occupied      flags // cells that hold a tile
	flag          [planes]flags
	solid         int32 // number of cells that hold a block
	nonPlainCount int32 // number of cells whose form is not plain

	near [9]*chunk // the 3x3 chunks round this one, rows first; near[4] is itself
	work *work     // for Resolve alone, nil outside of it
}

// work is what a Resolve has to do in a chunk.
type work struct {
	rows         uint16 // that have something to do; the flags are valid for these
	recut, touch flags  // cells to cut anew, to link anew
	slow         flags  // cells with a form that is not plain in the 3x3 cells round them
	fresh        flags  // cells that are not slow, without segments before: all are new
	changed      flags  // cells that are not slow, of whose segments some are marked
	anySlow      bool   // slow has a cell

	// The vertex links above a row of cells that are not slow, for the row above: known are those of
	// vertex links that were looked up for row above, while the table was of this era.
	topLinks        [chunkSide + 1]*vertexLinks
	knownLinks      uint32
	linksForRow     int
	tableGeneration int
}

func (c *chunk) cell(i int) Cell {
	return Cell{c.cx<<chunkBits + int32(i&chunkMask), c.cy<<chunkBits + int32(i>>chunkBits)}
}

// rect is all cells of c.
func (c *chunk) rect() Rect {
	x, y := c.cx<<chunkBits, c.cy<<chunkBits
	return Rect{x, y, x + chunkMask, y + chunkMask}
}

// emptyForms is what chunks without a tile share.
var emptyForms [chunkCells]formID

// own gives c forms of its own, to be written to.
func (c *chunk) own() {
	if !c.owned {
		f := *c.form
		c.form, c.owned = &f, true
	}
}

// uniformForms returns forms for a chunk all of f, to be shared.
func (g *Grid) uniformForms(f formID) *[chunkCells]formID {
	if g.uniform == nil || g.uniform[0] != f {
		g.uniform = new([chunkCells]formID)
		for i := range g.uniform {
			g.uniform[i] = f
		}
	}
	return g.uniform
}

func (c *chunk) attrAt(i int) attr {
	if c.attrs != nil {
		return c.attrs[i]
	}
	return c.attr
}

func (c *chunk) cellTile(i int) cellTile { return cellTile{c.form[i], c.attrAt(i)} }
func (c *chunk) tile(i int) Tile         { return c.form[i].tile(c.attrAt(i)) }

// resolvedAt returns what was laid, at the last Resolve, in a cell that has segments:
// those are of that. (So there are old tiles if it is dirty.)
func (c *chunk) resolvedAt(i int) cellTile {
	if c.flag[dirty].has(i) {
		return c.old[i]
	}
	return c.cellTile(i)
}

// resolvedTile returns the tile that resolved is.
func (c *chunk) resolvedTile(i int) Tile { return c.resolvedAt(i).tile() }

// neighbour returns the cell at (dx, dy) from cell i, each -1 to 1; nil where its
// chunk does not exist.
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

// segments returns the stored segments of a cell.
func (c *chunk) segments(i int) []seg {
	if !c.flag[hasSegments].has(i) {
		return nil
	}
	b := c.at[i]
	return c.pool.segs[b.first : b.first+uint32(b.n)]
}

// wide returns row y, -1 to 16, of a plane of flags, with one column more on either
// side: bit 0 is the last of the chunk to the left.
func (c *chunk) wide(plane, y int) uint32 {
	k := 4
	if y < 0 {
		k = 1
	} else if y >= chunkSide {
		k = 7
	}
	y &= chunkMask
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
