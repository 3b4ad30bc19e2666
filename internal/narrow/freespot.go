package narrow

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/surface"
)

// The nearest surface is not always the way out of solid ground: it may be the wall of a
// place too narrow for the body, in which the body would be pinched for ever. A free spot has
// room for the body.

// freeSpotReach is the distance, in cells along each axis, within which free spots are searched for, and
// freeSpotStep the distance of neighbouring places. The search is coarse: once the body is out, contacts move it to
// its final place.
const (
	freeSpotReach = 8
	freeSpotStep  = 0.5
)

// rings is the number of rings of places around the cell of a shape's centroid.
const rings = freeSpotReach/freeSpotStep + 1

// freeSpotCorner is a distance, in cells, beyond the farthest place of the search.
const freeSpotCorner = 1.5 * (freeSpotReach + freeSpotStep)

// freeSpotSlack is the fraction of a radius that may be missing at a free spot, so that a
// body fits a tunnel of its own width in spite of rounding.
const freeSpotSlack = 0.02

// freeSpotSlop is the relative error allowed in a distance to a surface.
const freeSpotSlop = 1e-9

// fits reports whether a disc of radius r about p, in cells, is clear of t.
func (s *exitScratch) fits(t *surface.Tiles, p geom.Vec, r float64) bool {
	s.Tally.Places++
	if s.Solid(t, p) {
		return false
	}
	r = float64(r * (1 - freeSpotSlack))
	if !t.HasWays() {
		_, near := t.Grid.Nearest(p.X, p.Y, r)
		return !near
	}
	// The nearest surface is mostly solid, or there is none. Only if it is one-way, or p is
	// in a one-way tile, are all surfaces examined.
	n, near := t.Grid.Nearest(p.X, p.Y, r+surface.SightMargin)
	if near && n.Distance < r-surface.SightMargin && t.Way(n.Segment.Tile) == surface.None {
		return false
	}
	if !near && !t.Grid.Solid(p.X, p.Y) {
		return true
	}
	return s.isClear(t, p, r)
}

// isClear reports whether no surface that is not one-way is within r of p, in cells.
func (s *exitScratch) isClear(t *surface.Tiles, p geom.Vec, r float64) bool {
	return s.nearestSolid(t, p, r, r) > r
}

// nearestSolid returns the distance, in cells, from p to the nearest surface that is not
// one-way, +Inf if there is none in the cells within far of p. The search goes outward from
// p, since such a surface is near p as a rule. It ends at the first distance of enough or
// less; if there is none, s.Segments lists the surfaces of all those cells.
func (s *exitScratch) nearestSolid(t *surface.Tiles, p geom.Vec, far, enough float64) float64 {
	for reach := min(1, far); ; reach = min(2*reach, far) {
		nearest := math.Inf(1)
		s.Segments = s.Segments[:0]
		if near, ok := surface.Cells(geom.AABB{Min: p, Max: p}.Expand(reach)); ok {
			s.ListSolid(t, near)
			s.Tally.Segments += len(s.Segments)
		}
		for i := range s.Segments {
			nearest = min(nearest, distanceTo(&s.Segments[i], p))
			if nearest <= enough {
				return nearest
			}
		}
		if reach == far {
			return nearest
		}
	}
}

// distanceTo returns the distance, in cells, from p to the segment g.
func distanceTo(g *gridseg.Segment, p geom.Vec) float64 {
	return distToSegment(geom.Vec{}, surface.Local(g.A, p), surface.Local(g.B, p))
}

// distToSegment returns the distance from p to the segment a-b.
func distToSegment(p, a, b geom.Vec) float64 {
	d := b.Sub(a)
	t := max(0, min(1, p.Sub(a).Dot(d)/d.Len2()))
	return p.Dist(a.MulAdd(t, d))
}

// fitsListed is fits for listed surfaces: if there are one-way tiles, s.Segments holds all
// surfaces near p that are not one-way.
func (s *exitScratch) fitsListed(t *surface.Tiles, p geom.Vec, r float64) bool {
	if !t.HasWays() {
		return s.fits(t, p, r)
	}
	s.Tally.Places++
	if s.Solid(t, p) {
		return false
	}
	r = float64(r * (1 - freeSpotSlack))
	for i := range s.Segments {
		if distanceTo(&s.Segments[i], p) <= r {
			return false
		}
	}
	return true
}

// Searched is the memory of the searches for free spots around a shape, so that a shape that stays where it is does not
// examine the same places in each step. The search of a shape at rest would take a tenth of a millisecond each time.
// The zero value has none. It changes no result: whether there is room at a place depends on the ground and on the
// radius alone.
type Searched struct {
	edition [2]uint64  // of the tiles
	cell    geom.Vec   // of the centroid, in the lattice of places
	radius  [2]float64 // of the inner disc and of the whole shape
	empty   [2]uint8   // so many rings around the cell have no free spot for that radius
}

// begin forgets the places that were examined in another ground, around another cell or for another shape.
func (m *Searched) begin(edition [2]uint64, cell geom.Vec, innerRadius, extent float64) {
	if m.edition != edition || m.cell != cell || m.radius != [2]float64{innerRadius, extent} {
		*m = Searched{edition: edition, cell: cell, radius: [2]float64{innerRadius, extent}}
	}
}

// freeSpotAround returns the place nearest to p with room for all of a shape, at any angle, or,
// if there is none in reach, for its inner disc; extent is the distance of its farthest point from its
// centroid. It also returns the distance from the spot within which the shape has arrived: since
// freeSpotSlack allows a spot to be a little too small, the shape may come to rest beside its
// centre. The distance is 0 if there is room for the inner disc alone: then the shape is pushed all the
// way.
func (s *exitScratch) freeSpotAround(t *surface.Tiles, m *Searched, innerRadius, extent float64,
	p geom.Vec,
) (q geom.Vec, beside float64, ok bool) {
	m.begin(t.Edition(), cellOfPlaces(p), innerRadius, extent)
	// Where all of the shape has room, its inner disc has, too.
	inner, ok := s.freeSpot(t, p, innerRadius, 0, &m.empty[0])
	if !ok {
		return q, 0, false
	}
	if q, ok := s.freeSpot(t, p, extent, inner.Dist(p), &m.empty[1]); ok {
		return q, max(geom.LinearSlop, freeSpotSlack*extent), true
	}
	return inner, 0, true
}

// cellOfPlaces returns the cell of p in the lattice of places.
func cellOfPlaces(p geom.Vec) geom.Vec {
	return geom.V(math.Floor(p.X/freeSpotStep), math.Floor(p.Y/freeSpotStep))
}

// freeSpot returns the place nearest to p, of those on a lattice of freeSpotStep, where a
// disc of radius r is clear of t. The lattice is fixed, so that a shape on its way to a
// place finds the same place in each step. It returns false if there is none in reach. It is known that there is none
// nearer than far, and none in the *empty first rings; freeSpot adds to these.
func (s *exitScratch) freeSpot(t *surface.Tiles, p geom.Vec, r, far float64, empty *uint8) (at geom.Vec, ok bool) {
	if *empty == rings {
		return at, false
	}
	// If a surface is at a distance n < r from p, each place within r - n of p is nearer
	// than r to it: one query of the nearest surface excludes them all, which a large shape
	// among many surfaces needs.
	in := float64(r * (1 - freeSpotSlack))
	slack := in - float64(freeSpotSlop*(1+in))
	nearest, enough := math.Inf(1), slack-freeSpotCorner
	if t.HasWays() {
		nearest = s.nearestSolid(t, p, in+freeSpotCorner, enough)
	} else if n, near := t.Grid.Nearest(p.X, p.Y, in); near {
		nearest = n.Distance
	}
	if nearest <= enough {
		*empty = rings
		return at, false
	}
	least := max(far, slack-nearest) // shortest distance from p of a place that may be clear
	if t.HasWays() {
		// Surfaces farther away exclude no place.
		s.Segments = slices.DeleteFunc(s.Segments, func(s gridseg.Segment) bool {
			return distanceTo(&s, p) > in+freeSpotCorner
		})
	}
	cell := cellOfPlaces(p)
	best := math.MaxFloat64
	for ring := int(*empty); ring < rings; ring++ {
		// The distance of each place of a ring is at least (ring-1)*freeSpotStep.
		if float64(ring-1)*freeSpotStep >= best {
			break
		}
		for j := -ring; j <= ring; j++ {
			step := 2 * ring
			if j == -ring || j == ring || ring == 0 {
				step = 1
			}
			for i := -ring; i <= ring; i += step {
				q := geom.V(float64((cell.X+float64(i))*freeSpotStep), float64((cell.Y+float64(j))*freeSpotStep))
				if d := q.Dist(p); d < best && d >= least && s.fitsListed(t, q, r) {
					best, at, ok = d, q, true
				}
			}
		}
		if !ok {
			*empty = uint8(ring + 1)
		}
	}
	return at, ok
}
