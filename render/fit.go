package render

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Fit returns a view of everything in w: the boxes of all bodies, tiles and chains, with a
// margin of half a cell plus a thirtieth of the size. It is at least 8 x 4.5 cells, for an
// empty world centred at the origin. Boxes beyond 2^49 cells from the origin are left out.
func Fit(w *quarry.World) geom.AABB {
	const far = maxCoord / 2
	limit := geom.AABB{Min: geom.V(-far, -far), Max: geom.V(far, far)}
	all := geom.Empty
	add := func(box geom.AABB) {
		if !box.IsEmpty() && limit.Contains(box) {
			all = all.Union(box)
		}
	}
	for b := range w.Bodies() {
		for s := range b.Shapes() {
			add(s.Bounds())
		}
	}
	for c := range w.Chains() {
		add(c.Bounds())
	}
	for g := range w.Grounds() {
		if r, ok := g.Grid().Bounds(); ok {
			t := g.Transform()
			x0, y0, x1, y1 := float64(r.MinX), float64(r.MinY), float64(r.MaxX)+1, float64(r.MaxY)+1
			box := geom.Empty
			for _, c := range [...]geom.Vec{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}} {
				p := t.Apply(c)
				box = box.Union(geom.AABB{Min: p, Max: p})
			}
			add(box)
		}
	}
	if all.IsEmpty() {
		all = geom.AABB{}
	}
	size := all.Size()
	all = all.Expand(0.5 + max(size.X, size.Y)/30)
	grow := geom.V(8, 4.5).Sub(all.Size()).Max(geom.Vec{}).Mul(0.5)
	return geom.AABB{Min: all.Min.Sub(grow), Max: all.Max.Add(grow)}
}
