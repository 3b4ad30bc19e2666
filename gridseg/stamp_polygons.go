package gridseg

import "slices"

// What of a stamp is polygons: they keep their loops, which are of no grid, and the
// shapes of tiles among them are looked up where the stamp is placed.

// putPolys makes cell i of s hold polygons.
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
		out[k] = polygon{p.tile, canonical(loops)}
	}
	return out
}

// contentFrom makes the content of polygons of another grid, whose shapes may be others.
func (g *Grid) contentFrom(ps []polygon) (content, error) {
	ps = slices.Clone(ps)
	for k, p := range ps {
		if p.tile.Shape == 0 {
			continue
		}
		if err := g.shapes.check(p.tile); err != nil {
			return content{}, err
		}
		loops := canonical(g.formOf(p.tile).polys)
		if compareLoops(loops, p.loops) != 0 {
			if err := checkApart(slices.Concat(ps[:k], ps[k+1:]), loops); err != nil {
				return content{}, err
			}
			ps[k].loops = loops
		}
	}
	return g.contentOf(ps)
}
