package gridseg

import (
	"math/bits"
	"slices"
)

// resolving is the state of the Resolve in progress. Its memory is kept for the next.
type resolving struct {
	active     []*chunk     // chunks with work
	works      []*work      // reused by active chunks
	scratch    []seg        // of the current cell
	added      int          // segments in cells that had none before, to size the list of the Delta
	in, out    []segmentEnd // of the current vertex
	vertices   vertexTable
	prefetched spot                     // see neighbourhood.prefetch
	plain      [maxFormSegments + 1]seg // of the current cell, if it is not slow
	delta      Delta
	small      int // number of deltas since the last large one
}

// Resolve brings the segments up to date with the edits since the last Resolve. It cuts the edited
// cells and their four neighbours again, links the segments again at all vertices of edited cells,
// and returns the changes.
func (g *Grid) Resolve() Delta {
	g.delta.reset(g, &g.small)
	g.added = 0
	if len(g.pending) == 0 {
		return g.delta
	}
	if g.moments != nil {
		g.countEdits(g.moments, 1)
	}
	if c, i := g.single(); c != nil {
		g.resolveSingle(c, i)
		return g.delta
	}
	slow := g.collectWork()
	g.delta.removed = slices.Grow(g.delta.removed, g.countCleared())
	g.eachRow((*Grid).recutRow)
	if slow {
		g.eachRow((*Grid).linkRow)
	}
	g.commitEdits()
	g.delta.added = slices.Grow(g.delta.added, g.added)
	g.eachRow((*Grid).reportRow)
	g.delta.coverRemoved()
	for _, c := range g.active {
		c.work.rows = 0
		c.work = nil
	}
	clear(g.active)
	g.active = g.active[:0]
	return g.delta
}

// eachRow calls f for every row of cells with work: rows of chunks upwards, rows of cells upwards,
// chunks from left to right.
func (g *Grid) eachRow(f func(*Grid, *chunk, int)) {
	for rest := g.active; len(rest) > 0; {
		band := sameRow(rest)
		rest = rest[len(band):]
		var rows uint16
		for _, c := range band {
			rows |= c.work.rows
		}
		for ; rows != 0; rows &= rows - 1 {
			y := bits.TrailingZeros16(rows)
			for _, c := range band {
				if c.work.rows>>y&1 != 0 {
					f(g, c, y)
				}
			}
		}
	}
}

// recutRow cuts the flagged cells of a row again. Cells that are not slow are cut and linked as a
// whole; slow cells are cut as a whole if they were edited, otherwise on the borders with edited
// cells only.
func (g *Grid) recutRow(c *chunk, y int) {
	w := c.work
	slow := w.slow[y]
	if m := w.recut[y] | w.relink[y]&c.flag[hasSegments][y]; m&^slow == m {
		g.plainRow(c, y, m)
		return
	}
	own := c.flag[dirty][y]
	below, here, above := c.wide(dirty, y-1), c.wide(dirty, y), c.wide(dirty, y+1)
	for m := w.recut[y] | w.relink[y]&c.flag[hasSegments][y]&^slow; m != 0; m &= m - 1 {
		x := bits.TrailingZeros16(m)
		i := y<<chunkBits | x
		if slow>>x&1 == 0 {
			w.knownLinks = 0
			g.plainRow(c, y, m&-m)
			continue
		}
		g.scratch = g.scratch[:0]
		if own>>x&1 == 0 {
			edits := below>>(x+1)&1<<bottom | here>>(x+2)&1<<right | above>>(x+1)&1<<top | here>>x&1<<left
			if edits = g.formAt(c, i).onFaces(edits); edits == 0 {
				continue
			}
			g.scratch = g.appendBorders(g.scratch, c, i, edits)
		} else if c.form[i] != 0 {
			g.scratch = g.appendCellSegments(g.scratch, c, i)
		}
		g.recutCell(c, i)
	}
}

// plainRow cuts and links the given cells of a row; none of them is slow. The path of slow cells takes four times as
// long for them (BenchmarkRampWarm).
func (g *Grid) plainRow(c *chunk, y int, cells uint16) {
	var forms [3][chunkSide + 2]formID
	for k := range forms {
		c.wideForms(&forms[k], y+k-1)
	}
	g.vertices.reserve(2 * (chunkSide + 1))
	w := c.work
	if w.linksForRow != y-1 || w.tableGeneration != g.vertices.generation {
		w.knownLinks = 0
	}
	below, above := w.knownLinks, uint32(0)
	var at [4]*vertexLinks // at the corners of the current cell
	last := -2
	for m := cells; m != 0; m &= m - 1 {
		x := bits.TrailingZeros16(m)
		i := y<<chunkBits | x
		if x == last+1 {
			at[0], at[2] = at[1], at[3]
		} else {
			if at[0] = w.topLinks[x]; below>>x&1 == 0 {
				at[0] = g.linksAt(vertexKey(forms[0][x], forms[0][x+1], forms[1][x], forms[1][x+1]))
			}
			at[2] = g.linksAt(vertexKey(forms[1][x], forms[1][x+1], forms[2][x], forms[2][x+1]))
		}
		if at[1] = w.topLinks[x+1]; below>>(x+1)&1 == 0 {
			at[1] = g.linksAt(vertexKey(forms[0][x+1], forms[0][x+2], forms[1][x+1], forms[1][x+2]))
		}
		at[3] = g.linksAt(vertexKey(forms[1][x+1], forms[1][x+2], forms[2][x+1], forms[2][x+2]))
		w.topLinks[x], w.topLinks[x+1] = at[2], at[3]
		above |= 3 << x
		last = x
		f := forms[1][x+1]
		t := g.shapes.traits
		covered := t[forms[0][x+1]].whole(top)<<bottom | t[forms[1][x+2]].whole(left)<<right |
			t[forms[2][x+1]].whole(bottom)<<top | t[forms[1][x]].whole(right)<<left
		n, stubs := cutPlain(&g.plain, g.shapes.segments[f], covered, &at)
		now := g.plain[:n]
		if !c.flag[hasSegments].has(i) {
			if n > 0 {
				w.fresh[y] |= 1 << x
				g.added += n
				g.segments += n
				c.storeWithStubs(i, now, stubs, g.shapes.traits[f]&innerForm != 0)
			}
		} else if was := c.segments(i); g.compare(c, i, now, was, true) {
			w.changed[y] |= 1 << x
			g.segments += n - len(was)
			c.storeWithStubs(i, now, stubs, g.shapes.traits[f]&innerForm != 0)
		}
	}
	w.knownLinks, w.linksForRow, w.tableGeneration = above, y, g.vertices.generation
}

// wideForms reads row y, -1 to 16, of the forms, with one more column on either side.
func (c *chunk) wideForms(row *[chunkSide + 2]formID, y int) {
	k := 4
	if y < 0 {
		k = 1
	} else if y >= chunkSide {
		k = 7
	}
	y = y & chunkMask << chunkBits
	if o := c.near[k]; o != nil {
		*(*[chunkSide]formID)(row[1:]) = *(*[chunkSide]formID)(o.form[y:])
	}
	if o := c.near[k-1]; o != nil {
		row[0] = o.form[y|chunkMask]
	}
	if o := c.near[k+1]; o != nil {
		row[chunkSide+1] = o.form[y]
	}
}
