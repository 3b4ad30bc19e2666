package gridseg

import (
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Cells of a stamp with polygons. Loops belong to no grid; the shapes of tiles among the polygons
// are looked up when the stamp is placed.

// putPolys sets the polygons of cell i of s.
func (s *Stamp) putPolys(i int, ps []polygon) {
	if s.polys == nil {
		s.polys = map[int][]polygon{}
	}
	s.polys[i] = ps
}

// turnPolys returns polygons turned about the middle of their cell.
func turnPolys(ps []polygon, t Turn) []polygon {
	out := make([]polygon, len(ps))
	for k, p := range ps {
		loops := make([][]Point, len(p.loops))
		for i, loop := range p.loops {
			q := make([]Point, len(loop))
			for j, v := range loop {
				q[j] = t.apply(v)
			}
			if t&4 != 0 {
				slices.Reverse(q) // a mirror image winds the other way
			}
			loops[i] = q
		}
		if p.tile.Shape != 0 {
			p.tile.Turn = p.tile.Turn.Then(t)
		}
		out[k] = polygon{p.tile, lattice.Canonical(loops)}
	}
	return out
}

// contentFrom returns the content for polygons of another grid, whose registry may have other
// shapes under the same ids.
func (g *Grid) contentFrom(ps []polygon) (content, error) {
	ps = slices.Clone(ps)
	for k, p := range ps {
		if p.tile.Shape == 0 {
			continue
		}
		if err := g.shapes.check(p.tile); err != nil {
			return content{}, err
		}
		loops := lattice.Canonical(g.formOf(p.tile).polys)
		if lattice.CompareLoops(loops, p.loops) != 0 {
			if err := lattice.CheckApart(polyLoops(slices.Concat(ps[:k], ps[k+1:])), loops); err != nil {
				return content{}, err
			}
			ps[k].loops = loops
		}
	}
	return g.contentOf(ps)
}
