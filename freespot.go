package quarry

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/surface"
)

// The nearest surface is not always the way out of solid ground: it may be the wall of a
// place too narrow for the body, where it would be pinched for ever. A free spot has room
// for it.

// freeSpotReach is how far, in cells along each axis, free spots are searched for, and
// freeSpotStep the distance of neighbouring places. The search is coarse: once out, contacts
// push a body to where it fits.
const (
	freeSpotReach = 8
	freeSpotStep  = 0.5
)

// freeSpotCorner is a distance, in cells, beyond the farthest of those places.
const freeSpotCorner = 1.5 * (freeSpotReach + freeSpotStep)

// freeSpotSlack is the fraction of a radius that may be missing at a free spot, so that a
// body fits a tunnel of its own width in spite of rounding.
const freeSpotSlack = 0.02

// freeSpotSlop is the relative error allowed in a distance to a surface.
const freeSpotSlop = 1e-9

// fits reports whether a disc of radius r about p, in cells, is clear of g.
func (w *World) fits(g *ground, p geom.Vec, r float64) bool {
	w.scratch.surface.Tally.Places++
	if w.scratch.surface.Solid(&g.tiles, p) {
		return false
	}
	r = float64(r * (1 - freeSpotSlack))
	if !w.hasOneWays() {
		_, near := g.tiles.Grid.Nearest(p.X, p.Y, r)
		return !near
	}
	// The nearest surface is mostly solid, or there is none. Only if it is one-way, or p is
	// in a one-way tile, are all surfaces examined.
	n, near := g.tiles.Grid.Nearest(p.X, p.Y, r+surface.SightMargin)
	if near && n.Distance < r-surface.SightMargin && g.tiles.Way(n.Segment.Tile) == oneway.None {
		return false
	}
	if !near && !g.tiles.Grid.Solid(p.X, p.Y) {
		return true
	}
	return w.isClear(g, p, r)
}

// isClear reports whether no surface that is not one-way is within r of p, in cells.
func (w *World) isClear(g *ground, p geom.Vec, r float64) bool {
	return w.nearestSolid(g, p, r, r) > r
}

// nearestSolid returns the distance, in cells, from p to the nearest surface that is not
// one-way, +Inf if there is none in the cells within far of p. The search goes outward from
// p, since such a surface is near p as a rule. It ends at the first distance of enough or
// less; if there is none, sq.segments lists the surfaces of all those cells.
func (w *World) nearestSolid(g *ground, p geom.Vec, far, enough float64) float64 {
	sq := &w.scratch.surface
	for reach := min(1, far); ; reach = min(2*reach, far) {
		nearest := math.Inf(1)
		sq.Segments = sq.Segments[:0]
		if near, ok := surface.Cells(geom.AABB{Min: p, Max: p}.Expand(reach)); ok {
			sq.ListSolid(&g.tiles, near)
			sq.Tally.Segments += len(sq.Segments)
		}
		for i := range sq.Segments {
			nearest = min(nearest, distanceTo(&sq.Segments[i], p))
			if nearest <= enough {
				return nearest
			}
		}
		if reach == far {
			return nearest
		}
	}
}

// distanceTo returns the distance, in cells, from p to s.
func distanceTo(s *gridseg.Segment, p geom.Vec) float64 {
	return distToSegment(geom.Vec{}, surface.Local(s.A, p), surface.Local(s.B, p))
}

// fitsListed is fits for listed surfaces: if there are one-way tiles, sq.segments holds all
// surfaces near p that are not one-way.
func (w *World) fitsListed(g *ground, p geom.Vec, r float64) bool {
	if !w.hasOneWays() {
		return w.fits(g, p, r)
	}
	sq := &w.scratch.surface
	sq.Tally.Places++
	if w.scratch.surface.Solid(&g.tiles, p) {
		return false
	}
	r = float64(r * (1 - freeSpotSlack))
	for i := range sq.Segments {
		if distanceTo(&sq.Segments[i], p) <= r {
			return false
		}
	}
	return true
}

// freeSpotFor returns the place nearest to p with room for all of s, at any angle, or, if
// there is none in reach, for its core.
func (w *World) freeSpotFor(g *ground, s *shape, p geom.Vec) (geom.Vec, bool) {
	q, _, ok := w.freeSpotAround(g, s, p)
	return q, ok
}

// freeSpotAround is freeSpotFor, and returns the distance from the spot within which the
// shape has arrived: since freeSpotSlack allows a spot to be a little too small, the shape
// may come to rest beside its centre. The distance is 0 if there is room for the core alone:
// then the shape is pushed all the way.
func (w *World) freeSpotAround(g *ground, s *shape, p geom.Vec) (q geom.Vec, beside float64, ok bool) {
	all := s.extent(s.hull.Centroid)
	if q, ok := w.freeSpot(g, p, all); ok {
		return q, max(geom.LinearSlop, freeSpotSlack*all), true
	}
	q, ok = w.freeSpot(g, p, s.core)
	return q, 0, ok
}

// freeSpot returns the place nearest to p, of those on a lattice of freeSpotStep, where a
// disc of radius r is clear of g. The lattice is fixed, so that a shape on its way to a
// place finds the same place in each step. It returns false if there is none in reach.
func (w *World) freeSpot(g *ground, p geom.Vec, r float64) (at geom.Vec, ok bool) {
	// If a surface is at a distance n < r from p, each place within r - n of p is nearer
	// than r to it: one query of the nearest surface excludes them all, which a large shape
	// among many surfaces needs.
	in := float64(r * (1 - freeSpotSlack))
	slack := in - float64(freeSpotSlop*(1+in))
	nearest, enough := math.Inf(1), slack-freeSpotCorner
	if w.hasOneWays() {
		nearest = w.nearestSolid(g, p, in+freeSpotCorner, enough)
	} else if n, near := g.tiles.Grid.Nearest(p.X, p.Y, in); near {
		nearest = n.Distance
	}
	if nearest <= enough {
		return at, false
	}
	least := slack - nearest // least distance from p of a place that may be clear
	if w.hasOneWays() {
		// Surfaces farther away exclude no place.
		sq := &w.scratch.surface
		sq.Segments = slices.DeleteFunc(sq.Segments, func(s gridseg.Segment) bool { return distanceTo(&s, p) > in+freeSpotCorner })
	}
	cx, cy := math.Floor(p.X/freeSpotStep), math.Floor(p.Y/freeSpotStep)
	best := math.MaxFloat64
	for ring := range int(freeSpotReach/freeSpotStep) + 1 {
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
				q := geom.V(float64((cx+float64(i))*freeSpotStep), float64((cy+float64(j))*freeSpotStep))
				if d := q.Dist(p); d < best && d >= least && w.fitsListed(g, q, r) {
					best, at, ok = d, q, true
				}
			}
		}
	}
	return at, ok
}

// A shape deep in the ground without a free spot near is pushed back and forth for ever, or
// held. It is reported as crushed after stuckTime, in seconds, without moving farther than
// stuckReach, in cells: a shape on its way out at pushSpeed moves farther. (stuckTime must
// be less than sleepTime.)
const (
	stuckTime  = 1.0 / 3
	stuckReach = 0.25
)

// stuckTimer tells how long a shape has been stuck in a ground, and where.
type stuckTimer struct {
	at    geom.Vec // its centroid, in the ground
	since float64  // 1 + the world's time, 0: it is not stuck
	told  bool
}

// updateStuck records whether the shape of c, with its centroid at p, in cells, is stuck in
// g.
func (w *World) updateStuck(c *contactState, g *ground, s *shape, p geom.Vec, stuck bool) {
	switch {
	case !stuck:
		if c.stuck.since != 0 {
			c.stuck = stuckTimer{}
		}
	case c.stuck.since == 0 || !c.stuck.told && c.stuck.at.Dist(p) > stuckReach:
		c.stuck = stuckTimer{at: p, since: 1 + w.time}
	case !c.stuck.told && 1+w.time-c.stuck.since >= stuckTime:
		if _, ok := w.freeSpot(g, p, s.extent(s.hull.Centroid)); ok {
			c.stuck.since = 1 + w.time // another contact keeps it there
			return
		}
		c.stuck.told = true
		w.reportCrushed(c.bodyB)
	}
}

// reportCrushed reports body i as crushed, once a step.
func (w *World) reportCrushed(i int32) {
	id := BodyID(w.bodies.ID(i))
	if !slices.Contains(w.events.crushed, id) {
		w.events.crushed = append(w.events.crushed, id)
	}
}
