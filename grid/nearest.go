package grid

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// nearest is the search for what is nearest to p.
type nearest struct {
	p    geom.Vec
	id   ID
	dist float64
}

// try improves on the best by an object.
func (n *nearest) try(id ID, b *geom.AABB) {
	d := distance(n.p, b)
	if d < n.dist || d == n.dist && (n.id == none || id < n.id) {
		n.id, n.dist = id, d
	}
}

// distance returns the distance of p to the closed box, 0 inside.
func distance(p geom.Vec, b *geom.AABB) float64 {
	dx := max(0, b.Min.X-p.X, p.X-b.Max.X)
	dy := max(0, b.Min.Y-p.Y, p.Y-b.Max.Y)
	if dx < dy {
		dx, dy = dy, dx
	}
	if dy == 0 {
		return dx
	}
	// Not the root of the squares, which overflow.
	q := dy / dx
	return dx * math.Sqrt(1+float64(q*q))
}

// Nearest returns the object in a category of mask whose box is nearest to p, of
// several at one distance the one of the lowest id, and the distance; false if
// there is none within reach, which may be infinite. A p that is not finite has
// nothing near. It may be called from several goroutines between changes.
//
// It looks at squares round p, each twice as wide as the one before, until what
// it has found is nearer than the square's side.
func (g *Grid) Nearest(p geom.Vec, reach float64, mask uint64) (ID, float64, bool) {
	if !p.IsFinite() || !(reach >= 0) {
		return none, 0, false
	}
	n := nearest{p: p, id: none, dist: reach}
	for _, id := range g.oversize {
		if g.visible(id, mask) {
			n.try(id, &g.boxes[id])
		}
	}
	for at, rest := nextLevel(g.used); at < Levels; at, rest = nextLevel(rest) {
		l := &g.levels[at]
		b := l.cellBounds()
		all := geom.AABB{
			Min: geom.V(float64(float64(b.x0)*l.size), float64(float64(b.y0)*l.size)),
			Max: geom.V(float64(float64(b.x1+1)*l.size), float64(float64(b.y1+1)*l.size)),
		}
		// Cells may reach a rounding beyond where they should.
		all = all.Expand(l.size)
		for r := distance(p, &all) + l.size; ; r = 2 * r {
			// Grown by a rounding, so that no sum comes out too small.
			box := geom.AABB{Min: p, Max: p}.Expand(min(r, n.dist) * (1 + 0x1p-40))
			box = geom.AABB{Min: below(box.Min), Max: above(box.Max)}
			q := question{g: g, l: l, q: g.fine(box).quad(at), box: box, mask: mask, near: &n}
			if q.s = q.q.cells().and(b); !q.s.empty() {
				q.appendLevel(nil)
			}
			if n.dist <= r || box.Contains(all) {
				break
			}
		}
	}
	return n.id, n.dist, n.id != none
}

// below returns a point a little to the lower left.
func below(p geom.Vec) geom.Vec {
	return geom.V(p.X-float64(math.Abs(p.X)*0x1p-50), p.Y-float64(math.Abs(p.Y)*0x1p-50))
}

// above returns a point a little to the upper right.
func above(p geom.Vec) geom.Vec {
	return geom.V(p.X+float64(math.Abs(p.X)*0x1p-50), p.Y+float64(math.Abs(p.Y)*0x1p-50))
}
