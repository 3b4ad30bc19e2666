package gridseg

import "fmt"

// at returns the chunk at (cx, cy), or Grid.beyond if it stands for the chunk; nil if the chunk is empty. Near the last
// edit, and so anywhere in a small grid, the pointers to neighbours tell it sooner than the table.
func (g *reader) at(cx, cy int32) *chunk {
	if c := g.last; c != nil {
		if x, y := cx-c.cx+1, cy-c.cy+1; uint32(x) < 3 && uint32(y) < 3 {
			return c.near[y*3+x]
		}
	}
	return g.listed(cx, cy)
}

// find is at without Grid.beyond.
func (g *reader) find(cx, cy int32) *chunk {
	if c := g.at(cx, cy); c != g.beyond {
		return c
	}
	return nil
}

// listed is at while neighbours do not refer to each other yet.
func (g *reader) listed(cx, cy int32) *chunk {
	if c := g.table.find(cx, cy); c != nil || g.away.solid == 0 {
		return c
	}
	if _, solid := g.away.has(cx, cy); solid {
		return g.beyond
	}
	return nil
}

// chunkAt returns the chunk at (cx, cy); it makes one if there is none.
func (g *Grid) chunkAt(cx, cy int32) *chunk {
	if c := g.last; c != nil && c.cx == cx && c.cy == cy {
		return c
	}
	c := g.table.find(cx, cy)
	if c == nil {
		c = g.newChunk()
		c.cx, c.cy, c.slot, c.watched = cx, cy, int32(len(g.chunks)), g.parts != nil
		g.chunks = append(g.chunks, c)
		g.census++
		g.table.insert(c)
		g.tree.insert(g, c)
		g.connectNeighbours(c)
	}
	g.last = c
	return c
}

// connectNeighbours enters a new chunk and the chunks around it in each other's near lists.
func (g *Grid) connectNeighbours(c *chunk) {
	// At the ends of the int32 range, cx-1 and cx+1 wrap to chunk coordinates of no cell, so that
	// find returns nil.
	find := func(k int) *chunk { return g.listed(c.cx+int32(k%3)-1, c.cy+int32(k/3)-1) }
	near := &c.near
	near[4] = c
	if w := g.last; w != nil && w.cx == c.cx-1 && w.cy == c.cy {
		// Edits from left to right find most neighbours through the last chunk.
		near[0], near[1], near[3], near[6], near[7] = w.near[1], w.near[2], w, w.near[7], w.near[8]
		if s := near[1]; s != nil && s != g.beyond {
			near[2], near[5] = s.near[5], s.near[8]
		} else {
			near[2], near[5] = find(2), find(5)
		}
		near[8] = find(8)
	} else {
		for k := range near {
			near[k] = find(k)
		}
	}
	for k, o := range near {
		if o != nil && o != g.beyond {
			o.near[8-k] = c
		}
	}
}

// newChunk returns an empty chunk. Chunks are allocated in batches, in proportion to the existing
// number.
func (g *Grid) newChunk() *chunk {
	if len(g.spare) == 0 {
		batch := make([]chunk, min(1+len(g.chunks)/4, 64))
		for k := range batch {
			batch[k].form = &emptyForms
			g.spare = append(g.spare, &batch[k])
		}
	}
	return take(&g.spare)
}

// removeChunk takes an empty chunk out of the grid and keeps its memory for reuse.
func (g *Grid) removeChunk(c *chunk) {
	if c.tiles != 0 {
		panic(fmt.Sprintf("quarry: gridseg: removing a chunk that holds %d tiles", c.tiles))
	}
	g.census++
	g.table.remove(c)
	g.tree.remove(c)
	end := len(g.chunks) - 1
	if o := g.chunks[end]; o != c {
		o.slot = c.slot
		g.chunks[o.slot] = o
		g.tree.move(o)
	}
	g.chunks[end] = nil
	g.chunks = g.chunks[:end]
	now := g.listed(c.cx, c.cy) // stands for it from now on
	for k, o := range c.near {
		if o != nil && o != g.beyond {
			o.near[8-k] = now
		}
		c.near[k] = nil
	}
	if g.last == c {
		g.last = nil
	}
	c.watched = false
	c.pool.reset()
	g.spare = append(g.spare, c)
}
