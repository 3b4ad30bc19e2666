package gridseg

import (
	"math"
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Nearest is the result of a search for the surface point nearest to a given point.
type Nearest struct {
	Segment  Segment
	X, Y     float64 // the surface point, in cells
	Distance float64 // from the given point, in cells
	// Solid reports whether the given point is in solid, by Grid.Solid: in the present tiles
	// (Segment is as of the last Resolve), borders included, rounded down to the lattice.
	Solid bool
}

// Nearest returns the surface point nearest to (x, y), in cells, from inside or outside, as of the
// last Resolve. It returns false if that point is further than maxDist, which may be infinite, for a NaN, a
// negative maxDist, and for a point beyond 2^36 cells, where float64 is too coarse.
//
// Distances are compared as computed: relative to the point, in float64. Two segments that share a
// corner have exactly equal distances where the corner is nearest. Of segments at equal distance
// the lowest by row, column and N is returned, so that the result is a function of the surface and
// the point alone.
//
// The search visits chunks around the point in rings outward, then the remaining chunks through the
// tree, nearest squares first, up to the nearest distance found. It does not allocate.
func (g *reader) Nearest(x, y, maxDist float64) (Nearest, bool) {
	// NaN fails this test.
	if !(math.Abs(x) <= farOut && math.Abs(y) <= farOut && maxDist >= 0) {
		return Nearest{}, false
	}
	// Squaring and rooting may round either way, so the search radius is a little larger, and the
	// result is compared with maxDist itself.
	const wider = 1 + 0x1p-50
	n := nearSearch{x: x, y: y, best: maxDist * maxDist * wider, cell: Cell{X: cellOf(x), Y: cellOf(y)}}
	n.search(g)
	distance := math.Sqrt(n.best)
	if n.found.c == nil || distance > maxDist {
		return Nearest{}, false
	}
	out := Nearest{Segment: n.found.segment(g), Distance: distance, Solid: g.Solid(x, y)}
	out.X, out.Y = out.Segment.pointAt(n.fraction)
	return out, true
}

// nearSearch is the state of one search. The bound on the distance of a box is never above the
// computed distance of a segment in that box, because rounding is monotone. So no candidate at the
// best distance is skipped, and the result does not depend on the order of the search.
type nearSearch struct {
	x, y     float64
	cell     Cell    // the cell of (x, y), or the nearest cell
	best     float64 // squared distance
	found    segRef
	fraction float64 // of the found segment, at its nearest point
}

// maxRingChunks is the number of chunk positions searched in rings before the tree: three rings.
const maxRingChunks = 1 + 8 + 16

// search visits all chunks that may contain the result.
func (n *nearSearch) search(g *reader) {
	hx, hy := n.cell.X>>chunkBits, n.cell.Y>>chunkBits
	tried := 0
	for ring := int32(0); n.ringWithin(hx, hy, ring); ring++ {
		if tried += max(8*int(ring), 1); tried > maxRingChunks || tried > len(g.chunks) {
			// The tree visits the chunks of the earlier rings again, which does no harm.
			n.descend(g, g.tree.root)
			return
		}
		if ring == 0 {
			n.visitChunkAt(g, hx, hy)
			continue
		}
		// Visit the middles of the four sides first and the corners last: near chunks reduce the
		// search distance for the others.
		for k := int32(0); k <= ring; k++ {
			n.visitChunkAt(g, hx+k, hy-ring)
			n.visitChunkAt(g, hx-k, hy+ring)
			n.visitChunkAt(g, hx-ring, hy-k)
			n.visitChunkAt(g, hx+ring, hy+k)
			if k == 0 || k == ring {
				continue // there is one middle a side, and the corners are done
			}
			n.visitChunkAt(g, hx-k, hy-ring)
			n.visitChunkAt(g, hx+k, hy+ring)
			n.visitChunkAt(g, hx-ring, hy+k)
			n.visitChunkAt(g, hx+ring, hy-k)
		}
	}
}

// descend visits the chunks under a child of the tree, the nearest square first.
func (n *nearSearch) descend(g *reader, at branch) {
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
	var gaps [16]float64 // squared distances of the children in line
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

// ringWithin reports whether a ring of chunks meets the search distance.
func (n *nearSearch) ringWithin(hx, hy, ring int32) bool {
	if ring == 0 {
		return true
	}
	// A point beyond the end of the world is further from everything than the end is, so clamp it.
	// The gap is the distance to the outside of the earlier rings.
	x, y := max(-1<<31, min(1<<31, n.x)), max(-1<<31, min(1<<31, n.y))
	near, far := -ring+1, ring
	gap := min(
		x-chunkStart(hx+near), chunkStart(hx+far)-x,
		y-chunkStart(hy+near), chunkStart(hy+far)-y,
	)
	return gap <= 0 || gap*gap <= n.best
}

// visitChunkAt visits the chunk at (cx, cy), if it exists and is near enough.
func (n *nearSearch) visitChunkAt(g *reader, cx, cy int32) {
	if n.within(chunkStart(cx), chunkStart(cy), chunkSide) {
		if c := g.find(cx, cy); c != nil {
			n.visitChunk(c)
		}
	}
}

// within reports whether the square at (x, y) meets the search distance.
func (n *nearSearch) within(x, y, size float64) bool {
	dx, dy := span(n.x, x, size), span(n.y, y, size)
	return float64(dx*dx)+float64(dy*dy) <= n.best
}

// visitChunk visits the segments of c, starting at the row and column nearest to the point.
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

// visitRow visits the segments of a row of c, from a column outward. It returns false if the row is
// beyond the search distance.
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
	o := lattice.OriginOf(c.cell(i))
	segs := c.segments(i)
	for k := range segs {
		l := lineOf(o, &segs[k], n.x, n.y)
		d, t := l.nearOrigin()
		if p := (segRef{c, i, k}); d < n.best || d == n.best && p.before(n.found) {
			n.best, n.found, n.fraction = d, p, t
		}
	}
}

// nearOrigin returns the squared distance of l from the origin, and the fraction of l at its
// nearest point.
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
		// Clamp the point to the coordinates of the ends, which rounding may exceed; see
		// nearSearch.
		x = max(min(l.ax, l.bx), min(max(l.ax, l.bx), x+float64(t*ex)))
		y = max(min(l.ay, l.by), min(max(l.ay, l.by), y+float64(t*ey)))
	}
	return float64(x*x) + float64(y*y), t
}
