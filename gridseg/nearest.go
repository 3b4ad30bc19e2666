package gridseg

import (
	"math"
	"math/bits"
)

// Nearest is a place on the surface near a point.
type Nearest struct {
	Segment  Segment
	X, Y     float64 // the place on it, in cells
	Distance float64 // from the point to it, in cells
	// Solid says that the point is in solid, by Grid.Solid: in the tiles as they are
	// now, borders included, rounded down to the lattice.
	Solid bool
}

// Nearest returns the place on the surface nearest to the point (x, y), in cells,
// from inside or outside, as of the last Resolve, if there is one within maxDist,
// which may be infinite. It is false for a NaN, a negative maxDist and a point
// beyond 2^36 cells, from where nothing could be told.
//
// Distances are compared as computed: relative to the point, in float64. The two
// segments of a corner tie exactly where the corner is nearest. Of segments that tie
// the lowest by row, column and N is returned, so that the result is a function of
// the surface and the point alone.
//
// The places of chunks round the point are searched in rings outward, farther away the
// chunks that exist, nearest squares of them first, and rows and columns of a chunk
// outward, as far as the nearest found. It does not allocate.
func (g *Grid) Nearest(x, y, maxDist float64) (Nearest, bool) {
	// Written so that a NaN fails.
	if !(math.Abs(x) <= farOut && math.Abs(y) <= farOut && maxDist >= 0) {
		return Nearest{}, false
	}
	// What is squared and rooted comes back a little less or more, so the search goes
	// a little farther and its result is held against maxDist itself.
	const wider = 1 + 0x1p-50
	n := nearSearch{x: x, y: y, best: maxDist * maxDist * wider, cell: Cell{cellOf(x), cellOf(y)}}
	n.search(g)
	distance := math.Sqrt(n.best)
	if n.found.c == nil || distance > maxDist {
		return Nearest{}, false
	}
	out := Nearest{Segment: n.found.segment(g), Distance: distance, Solid: g.Solid(x, y)}
	out.X, out.Y = out.Segment.pointAt(n.fraction)
	return out, true
}

// nearSearch is the state of one search. That a bound on the distance of a box is
// never above the distance of what lies in it, as computed, follows from rounding
// being monotone; so nothing that would win or tie is passed over, and the order
// of the search does not show.
type nearSearch struct {
	x, y     float64
	cell     Cell    // that (x, y) lies in, or the nearest to it
	best     float64 // squared distance
	found    segRef
	fraction float64 // of the found segment, where it is nearest
}

// maxRingChunks is how many places of chunks are tried before the tree is walked: three
// rings.
const maxRingChunks = 1 + 8 + 16

// search looks at all chunks that may matter.
func (n *nearSearch) search(g *Grid) {
	hx, hy := n.cell.X>>chunkBits, n.cell.Y>>chunkBits
	tried := 0
	for ring := int32(0); n.ringWithin(hx, hy, ring); ring++ {
		if tried += max(8*int(ring), 1); tried > maxRingChunks || tried > len(g.chunks) {
			// Those of the rings before are looked at again, in vain.
			n.descend(g, g.tree.root)
			return
		}
		if ring == 0 {
			n.visitChunkAt(g, hx, hy)
			continue
		}
		// From the middles of the four sides outward, and the corners last: what is
		// nearer first, since it may spare the rest.
		for k := int32(0); k <= ring; k++ {
			n.visitChunkAt(g, hx+k, hy-ring)
			n.visitChunkAt(g, hx-k, hy+ring)
			n.visitChunkAt(g, hx-ring, hy-k)
			n.visitChunkAt(g, hx+ring, hy+k)
			if k == 0 || k == ring {
				continue // the middles are one each, and the corners are all done
			}
			n.visitChunkAt(g, hx-k, hy-ring)
			n.visitChunkAt(g, hx+k, hy+ring)
			n.visitChunkAt(g, hx-ring, hy+k)
			n.visitChunkAt(g, hx+ring, hy-k)
		}
	}
}

// descend looks at the chunks under a child of the tree, those of the nearest square
// first.
func (n *nearSearch) descend(g *Grid, at branch) {
	if at < 0 {
		n.visitChunk(g.chunks[^at])
		return
	}
	if at == 0 {
		return
	}
	s := &g.tree.squares[at-1]
	side := float64(int64(chunkSide/4) << s.bits)
	x, y := treeCell(s.x), treeCell(s.y)
	var gaps [16]float64 // squared, of those in line
	var line [16]uint8
	count := 0
	for k, kid := range s.children {
		if kid == 0 {
			continue
		}
		dx := span(n.x, x+float64(float64(k&3)*side), side)
		dy := span(n.y, y+float64(float64(k>>2)*side), side)
		gap := float64(dx*dx) + float64(dy*dy)
		if gap > n.best {
			continue
		}
		i := count
		for ; i > 0 && gaps[i-1] > gap; i-- {
			gaps[i], line[i] = gaps[i-1], line[i-1]
		}
		gaps[i], line[i] = gap, uint8(k)
		count++
	}
	for i := range count {
		if gaps[i] > n.best {
			return
		}
		n.descend(g, s.children[line[i]])
	}
}

// ringWithin reports whether a ring of chunks has any that is near enough.
func (n *nearSearch) ringWithin(hx, hy, ring int32) bool {
	if ring == 0 {
		return true
	}
	// From a point beyond the end of the world it is further to everything than from
	// the end. The gap is to the outside of the rings before.
	x, y := max(-1<<31, min(1<<31, n.x)), max(-1<<31, min(1<<31, n.y))
	near, far := -ring+1, ring
	gap := min(
		x-chunkStart(hx+near), chunkStart(hx+far)-x,
		y-chunkStart(hy+near), chunkStart(hy+far)-y,
	)
	return gap <= 0 || gap*gap <= n.best
}

// visitChunkAt looks at the chunk at (cx, cy), if there is one.
func (n *nearSearch) visitChunkAt(g *Grid, cx, cy int32) {
	if n.within(chunkStart(cx), chunkStart(cy), chunkSide) {
		if c := g.table.find(cx, cy); c != nil {
			n.visitChunk(c)
		}
	}
}

// within reports whether the square at (x, y) is near enough.
func (n *nearSearch) within(x, y, size float64) bool {
	dx, dy := span(n.x, x, size), span(n.y, y, size)
	return float64(dx*dx)+float64(dy*dy) <= n.best
}

// visitChunk looks at the segments of c, from the row and column nearest to the point.
func (n *nearSearch) visitChunk(c *chunk) {
	all := c.rect()
	if c.at == nil || !n.within(float64(all.MinX), float64(all.MinY), chunkSide) {
		return
	}
	column := int(max(all.MinX, min(all.MaxX, n.cell.X)) - all.MinX)
	row := int(max(all.MinY, min(all.MaxY, n.cell.Y)) - all.MinY)
	for y := row; y < chunkSide && n.visitRow(c, y, column); y++ {
	}
	for y := row - 1; y >= 0 && n.visitRow(c, y, column); y-- {
	}
}

// visitRow looks at the segments of a row of c, from a column outward. It is false
// if the row is too far away.
func (n *nearSearch) visitRow(c *chunk, y, column int) bool {
	all := c.rect()
	dy := span(n.y, float64(all.MinY+int32(y)), 1)
	dy2 := float64(dy * dy)
	if dy2 > n.best {
		return false
	}
	near := func(x int) bool {
		dx := span(n.x, float64(all.MinX+int32(x)), 1)
		return float64(dx*dx)+dy2 <= n.best
	}
	row := c.flag[hasSegments][y]
	for m := row >> column << column; m != 0; m &= m - 1 {
		x := bits.TrailingZeros16(m)
		if !near(x) {
			break
		}
		n.visitCell(c, y<<chunkBits|x)
	}
	for m := row & (1<<column - 1); m != 0; {
		x := bits.Len16(m) - 1
		if !near(x) {
			break
		}
		n.visitCell(c, y<<chunkBits|x)
		m &^= 1 << x
	}
	return true
}

// visitCell compares the segments of a cell with the best so far.
func (n *nearSearch) visitCell(c *chunk, i int) {
	o := c.cell(i).origin()
	segs := c.segments(i)
	for k := range segs {
		l := lineOf(o, &segs[k], n.x, n.y)
		d, t := l.nearOrigin()
		if p := (segRef{c, i, k}); d < n.best || d == n.best && p.before(n.found) {
			n.best, n.found, n.fraction = d, p, t
		}
	}
}

// nearOrigin returns the squared distance of l from the origin, and the fraction of l
// at which it is that near.
func (l *line) nearOrigin() (d2, t float64) {
	ex, ey := l.bx-l.ax, l.by-l.ay
	t = -(float64(l.ax*ex) + float64(l.ay*ey)) / (float64(ex*ex) + float64(ey*ey))
	x, y := l.ax, l.ay
	switch {
	case !(t > 0):
		t = 0
	case t >= 1:
		x, y, t = l.bx, l.by, 1
	default:
		// What rounding carries past an end of a coordinate's range is brought back,
		// see nearSearch.
		x = max(min(l.ax, l.bx), min(max(l.ax, l.bx), x+float64(t*ex)))
		y = max(min(l.ay, l.by), min(max(l.ay, l.by), y+float64(t*ey)))
	}
	return float64(x*x) + float64(y*y), t
}
