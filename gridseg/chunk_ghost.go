package gridseg

import (
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Ghosts are chunks of blocks that stand for unloaded chunks; see chunk_unloaded.go.

// setUnloaded replaces the unloaded chunks of g by to. Chunks that become loaded are no ghosts any more, but still
// filled with blocks; the caller gives them their tiles. Segments follow at the next Resolve, after which dropGhosts
// must be called. There must be no edits before it.
func (g *Grid) setUnloaded(to unloaded) {
	g.markUnloaded(lattice.EveryCell)
	g.raiseGhosts(lattice.EveryCell, &to)
	was := g.away
	g.away, g.saved = to, nil
	g.fillGhosts(lattice.EveryCell, &was)
	g.lowerGhosts(lattice.EveryCell)
}

// raiseGhosts makes ghosts of the unloaded chunks in r that count as solid, but not of those that stay buried in to.
func (g *Grid) raiseGhosts(r Rect, to *unloaded) {
	g.away.within(r, func(cx, cy int32, solid bool) bool {
		if solid && g.table.find(cx, cy) == nil && !to.buried(cx, cy) {
			c := g.chunkAt(cx, cy)
			c.form, c.owned, c.attr = g.uniformForms(formOfFull), false, attr{}
			c.fillFlags()
			c.ghost = true
			g.tiles += chunkCells
			g.ghosts++
		}
		return true
	})
}

// fillGhosts makes ghosts of the unloaded chunks in r that count as solid, and are not unloaded in was, if they
// have a neighbour: it fills them.
func (g *Grid) fillGhosts(r Rect, was *unloaded) {
	if g.beyond == nil {
		g.beyond = newBeyond(g)
	}
	var fill []Cell
	var square Cell // whose buried chunks are known
	var buried flags
	known := false
	g.away.within(r, func(cx, cy int32, solid bool) bool {
		if at := (Cell{X: cx >> chunkBits, Y: cy >> chunkBits}); !known || at != square {
			k, _ := g.away.search(at.X, at.Y)
			square, buried, known = at, g.away.buriedIn(&g.away.squares[k]), true
		}
		if _, before := was.has(cx, cy); solid && !before && !(buried.has(cellIndex(cx, cy)) && g.alone(cx, cy)) {
			fill = append(fill, Cell{X: cx, Y: cy})
		}
		return true
	})
	for _, at := range fill {
		c := g.chunkAt(at.X, at.Y)
		g.fillChunk(c, c.rect(), Tile{Shape: Full})
		c.ghost = true
		g.ghosts++
		g.census++
	}
}

// lowerGhosts makes chunks of the ghosts in r that are not unloaded any more.
func (g *Grid) lowerGhosts(r Rect) {
	g.eachChunk(r, func(c *chunk) bool {
		if _, solid := g.away.has(c.cx, c.cy); c.ghost && !solid {
			c.ghost = false
			g.ghosts--
			g.census++
		}
		return true
	})
}

// recountMoments forgets tracked moments while ghosts come and go; the function that it returns counts them again.
func (g *Grid) recountMoments() func() {
	tracked := g.moments != nil
	g.moments = nil
	return func() {
		if tracked {
			g.moments = g.countMoments()
		}
	}
}

// alone reports whether there is no chunk within the 3x3 places around one.
func (g *Grid) alone(cx, cy int32) bool {
	for k := range int32(9) {
		if g.table.find(cx+k%3-1, cy+k/3-1) != nil {
			return false
		}
	}
	return true
}

// newBeyond returns the chunk that stands for unloaded chunks without a ghost.
func newBeyond(g *Grid) *chunk {
	c := &chunk{form: g.uniformForms(formOfFull)}
	c.fillFlags()
	for k := range c.near {
		c.near[k] = c
	}
	return c
}

const formOfFull = formID(Full) << 3

// fillFlags sets the flags of c as for a chunk of blocks.
func (c *chunk) fillFlags() {
	c.tiles, c.solid, c.whole, c.nonPlainCount = chunkCells, chunkCells, formOfFull, 0
	c.flag[nonPlain] = flags{}
	for y := range chunkSide {
		c.occupied[y], c.flag[blocks][y] = 1<<chunkSide-1, 1<<chunkSide-1
	}
}

// dropGhosts removes the ghosts in r and beside it that need be none, and gives memory back.
func (g *Grid) dropGhosts(r Rect) {
	if g.ghosts == 0 {
		return
	}
	var drop []*chunk
	g.eachChunk(lattice.Around(r, chunkSide), func(c *chunk) bool {
		if c.ghost {
			c.forget()
			c.attr, c.attrs = attr{}, nil
			c.form, c.owned = g.uniformForms(formOfFull), false
			c.repack()
			if g.away.buried(c.cx, c.cy) {
				drop = append(drop, c)
			}
		}
		return true
	})
	for _, c := range drop {
		g.tiles -= chunkCells
		g.ghosts--
		c.ghost, c.tiles, c.solid = false, 0, 0
		c.form, c.owned, c.occupied, c.flag = &emptyForms, false, flags{}, [planes]flags{}
		g.removeChunk(c)
	}
}

// giveBack releases memory that chunks have left, but for a little. It keeps the Delta.
func (g *Grid) giveBack() {
	most := 16 + len(g.chunks)/4
	if len(g.spare) > most {
		clear(g.spare[most:])
		g.spare = slices.Clip(g.spare[:most])
	}
	for _, c := range g.spare {
		c.forget()
		c.at, c.pool.segs = nil, nil
		c.form, c.owned = &emptyForms, false
	}
	g.spareAttrs = nil
	if len(g.spareOld) > 4 {
		g.spareOld = slices.Clone(g.spareOld[:4])
	}
	if len(g.works) > most {
		g.works = slices.Clone(g.works[:most])
	}
	if cap(g.chunks) > 64+4*len(g.chunks) {
		g.chunks = slices.Clone(g.chunks)
		g.pending, g.active = nil, nil
	}
	if len(g.table.slots) > 64+16*g.table.n {
		g.table = table{}
		g.tree = tree{}
		for _, c := range g.chunks {
			g.table.insert(c)
			g.tree.insert(g, c)
		}
	}
}

// markUnloaded lists the chunks in and beside a place that is about to be unloaded or loaded.
func (g *Grid) markUnloaded(r Rect) {
	if g.parts == nil {
		return
	}
	g.eachChunk(lattice.Around(r, chunkSide), func(c *chunk) bool {
		if c.watched {
			g.parts.mark(c)
		}
		return true
	})
}

// refuseLoaded returns an error that names a loaded cell of r, or nil.
func (g *Grid) refuseLoaded(r Rect) error {
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			if away, _ := g.away.has(cx, cy); !away {
				return &Error{"Load", Cell{X: cx << chunkBits, Y: cy << chunkBits}, errLoaded}
			}
		}
	}
	return nil
}
