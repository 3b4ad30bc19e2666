package grid

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// nearest is the state of a search for the object nearest to p. id is the object's slot.
type nearest struct {
	g    *Grid
	p    geom.Vec
	id   ID
	dist float64
}

// try improves the result by one object.
func (n *nearest) try(id ID, b *geom.AABB) {
	d := distance(n.p, b)
	if d < n.dist || d == n.dist && (n.id == none || n.g.idOf(id) < n.g.idOf(n.id)) {
		n.id, n.dist = id, d
	}
}

// distance returns the distance from p to the closed box, 0 inside.
func distance(p geom.Vec, b *geom.AABB) float64 {
	dx := max(0, b.Min.X-p.X, p.X-b.Max.X)
	dy := max(0, b.Min.Y-p.Y, p.Y-b.Max.Y)
	if dx < dy {
		dx, dy = dy, dx
	}
	if dy == 0 {
		return dx
	}
	// The root of the squares would overflow.
	q := dy / dx
	return dx * math.Sqrt(1+float64(q*q))
}

// Nearest returns the object in a category of mask whose box is nearest to p (at equal distance the
// lowest id) and the distance; false if there is none within maxDist, which may be infinite. It
// returns false for a p that is not finite. It may be called from several goroutines between
// changes.
//
// It searches squares around p, each twice as wide as the one before, until the nearest object
// found is inside the square.
func (g *Grid) Nearest(p geom.Vec, maxDist float64, mask uint64) (ID, float64, bool) {
	if !p.IsFinite() || !(maxDist >= 0) {
		return none, 0, false
	}
	n := nearest{g: g, p: p, id: none, dist: maxDist}
	for _, id := range g.oversize {
		if g.visible(id, mask) {
			n.try(id, &g.boxes[id])
		}
	}
	var room [fewRegions]*region
	f := g.clampedFineBox(geom.AABB{Min: p, Max: p})
	for at, rest := nextLevel(g.levelsFor(mask)); at < oversize; at, rest = nextLevel(rest) {
		l := &g.levels[at]
		if len(l.regions) > fewRegions {
			// An object found here excludes most of the others.
			for _, r := range l.regionsMeeting(&room, f) {
				g.nearestOf(&n, r, mask)
			}
		}
		for _, r := range l.regions {
			g.nearestOf(&n, r, mask)
		}
	}
	if n.id == none {
		return none, n.dist, false
	}
	return g.idOf(n.id), n.dist, true
}

// nearestOf improves n by the objects of a region.
func (g *Grid) nearestOf(n *nearest, r *region, mask uint64) {
	p := n.p
	b := r.cellBounds()
	all := r.box(b)
	// Rounding may move a box into a cell beyond its own.
	all = all.Expand(r.size)
	far := distance(p, &all)
	if far > n.dist {
		return
	}
	for d := far + r.size; ; d = 2 * d {
		// Grow by a rounding error, so that no sum is too small.
		box := geom.AABB{Min: p, Max: p}.Expand(min(d, n.dist) * (1 + 0x1p-40))
		box = geom.AABB{Min: roundDown(box.Min), Max: roundUp(box.Max)}
		q := query{g: g, r: r, q: r.clampedQBox(g.clampedFineBox(box)), box: box, mask: mask, nearest: n}
		if q.s = q.q.cells().intersect(b); !q.s.empty() {
			q.appendRegion(nil)
		}
		if n.dist <= d || box.Contains(all) {
			break
		}
	}
}

// box returns the box of cells s of the region.
func (r *region) box(s span) geom.AABB {
	return geom.AABB{
		Min: geom.V(float64((float64(s.x0)+r.cx)*r.size), float64((float64(s.y0)+r.cy)*r.size)),
		Max: geom.V(float64((float64(s.x1+1)+r.cx)*r.size), float64((float64(s.y1+1)+r.cy)*r.size)),
	}
}

// roundDown returns p moved slightly to the lower left.
func roundDown(p geom.Vec) geom.Vec {
	return geom.V(p.X-float64(math.Abs(p.X)*0x1p-50), p.Y-float64(math.Abs(p.Y)*0x1p-50))
}

// roundUp returns p moved slightly to the upper right.
func roundUp(p geom.Vec) geom.Vec {
	return geom.V(p.X+float64(math.Abs(p.X)*0x1p-50), p.Y+float64(math.Abs(p.Y)*0x1p-50))
}
