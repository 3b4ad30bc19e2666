package broad

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// raster counts proxies by squares of the plane: those that are no shapes of dynamic bodies. Most moving bodies have
// none of these near, and a few counts tell so faster than a query of the grid. The raster repeats, so distant proxies
// share a count: it may report a proxy where there is none, but misses none. The zero value is empty.
type raster struct {
	inv    float64 // 1 / side of a square
	wide   int     // number of proxies in more than mostSquares squares: these count as everywhere
	counts [rasterSide][rasterSide]uint8
}

const (
	rasterSide  = 128            // squares until the raster repeats
	mostSquares = 8 * rasterSide // of a proxy
	mostLooks   = 64             // squares of a query
	fullCount   = math.MaxUint8  // a count that has reached this stays
	farSquare   = 1 << 40        // from the origin; squares farther away are not told apart
)

// squares is a range of squares of a raster.
type squares struct{ x0, y0, x1, y1 int64 }

// squaresOf returns the squares that box is in; false if it is in more than most.
func (r *raster) squaresOf(box *geom.AABB, most float64) (s squares, ok bool) {
	x0, y0, x1, y1 := math.Floor(box.Min.X*r.inv), math.Floor(box.Min.Y*r.inv), math.Floor(box.Max.X*r.inv),
		math.Floor(box.Max.Y*r.inv)
	// Written so that a NaN fails.
	if !(x0 > -farSquare && y0 > -farSquare && x1 < farSquare && y1 < farSquare) {
		return s, false
	}
	x1, y1 = min(x1, x0+rasterSide-1), min(y1, y0+rasterSide-1)
	return squares{int64(x0), int64(y0), int64(x1), int64(y1)}, (x1-x0+1)*(y1-y0+1) <= most
}

// add adds by, 1 or -1, to the counts of the squares that box is in.
func (r *raster) add(box *geom.AABB, by int) {
	s, ok := r.squaresOf(box, mostSquares)
	if !ok {
		r.wide += by
		return
	}
	r.addOutside(&s, &squares{x1: -1, y1: -1}, by)
}

// addOutside adds by, 1 or -1, to the counts of the squares of s that are not in other.
func (r *raster) addOutside(s, other *squares, by int) {
	for y := s.y0; y <= s.y1; y++ {
		row := &r.counts[y&(rasterSide-1)]
		shared := y >= other.y0 && y <= other.y1
		for x := s.x0; x <= s.x1; x++ {
			if shared && x >= other.x0 && x <= other.x1 {
				x = other.x1
				continue
			}
			if c := &row[x&(rasterSide-1)]; *c != fullCount {
				*c += uint8(by)
			}
		}
	}
}

// move moves the count of a proxy from the box was to the box now.
func (r *raster) move(was, now *geom.AABB) {
	a, okA := r.squaresOf(was, mostSquares)
	b, okB := r.squaresOf(now, mostSquares)
	switch {
	case okA != okB:
		r.add(was, -1)
		r.add(now, 1)
	case okA && a != b: // most boxes stay in most of their squares
		r.addOutside(&a, &b, -1)
		r.addOutside(&b, &a, 1)
	}
}

// some reports whether a counted proxy may overlap box.
func (r *raster) some(box *geom.AABB) bool {
	if r.wide > 0 {
		return true
	}
	s, ok := r.squaresOf(box, mostLooks)
	if !ok {
		return true
	}
	all := uint8(0)
	for y := s.y0; y <= s.y1; y++ {
		row := &r.counts[y&(rasterSide-1)]
		for x := s.x0; x <= s.x1; x++ {
			all |= row[x&(rasterSide-1)]
		}
	}
	return all != 0
}
