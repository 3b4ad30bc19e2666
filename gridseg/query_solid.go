package gridseg

import (
	"math"

	"github.com/quarry2d/quarry/internal/lattice"
)

// solidAt reports whether p lies in the closed area of a tile, including edits since the last
// Resolve.
func (g *reader) solidAt(p Point) bool {
	if p.X < -lattice.WorldEnd || p.X > lattice.WorldEnd || p.Y < -lattice.WorldEnd || p.Y > lattice.WorldEnd {
		return false
	}
	// A point on a grid line belongs to the cells on both sides.
	for y := (p.Y - 1) >> 12; y <= p.Y>>12; y++ {
		for x := (p.X - 1) >> 12; x <= p.X>>12; x++ {
			if x != int64(int32(x)) || y != int64(int32(y)) {
				continue
			}
			if g.solidIn(int32(x), int32(y), Point{X: p.X - x*Unit, Y: p.Y - y*Unit}) {
				return true
			}
		}
	}
	return false
}

// solidIn reports whether a local point lies in the tile of cell (x, y).
func (g *reader) solidIn(x, y int32, local Point) bool {
	c := g.at(x>>chunkBits, y>>chunkBits)
	if c == nil {
		return false
	}
	i := cellIndex(x, y)
	if c.flag[blocks].has(i) {
		return true
	}
	f := g.formAt(c, i)
	// Polygons do not overlap, so every further loop around a point enters or leaves a hole.
	in := false
	for _, ps := range f.polys {
		switch lattice.Locate(ps, local, 1) {
		case lattice.OnBorder:
			return true
		case lattice.Inside:
			in = !in
		}
	}
	return in
}

// Solid is solidAt for a point in cells, rounded down to the lattice. It is false for a NaN and for
// a point beyond the cells.
func (g *reader) Solid(x, y float64) bool {
	x, y = math.Floor(x*Unit), math.Floor(y*Unit)
	// NaN fails this test.
	if !(math.Abs(x) <= float64(lattice.WorldEnd) && math.Abs(y) <= float64(lattice.WorldEnd)) {
		return false
	}
	p := Point{X: int64(x), Y: int64(y)}
	if p.X&(Unit-1) != 0 && p.Y&(Unit-1) != 0 { // most points lie in one cell only
		cx, cy := int32(p.X>>12), int32(p.Y>>12)
		c := g.at(cx>>chunkBits, cy>>chunkBits)
		return c != nil && c.occupied.has(cellIndex(cx, cy)) && g.solidIn(cx, cy, Point{
			X: p.X & (Unit - 1),
			Y: p.Y & (Unit - 1),
		})
	}
	return g.solidAt(p)
}
