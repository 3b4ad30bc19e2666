package sandbox

import (
	"fmt"
	"math"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// heatCells is half the side, in finest cells, of the square around the pointer that the lens "heat" shows.
const heatCells = 16

// heatCell is a cell of a level of the broad phase.
type heatCell struct {
	level int
	x, y  int64
}

// lensHeat shows the cells of the broad phase around the pointer by the number of their proxies. The side of a level's
// cells is a power of two of the finest; a box is on the level whose cells are not smaller than it.
func (s *sim) lensHeat(l lensPlace, p *lensPicture) {
	w := s.Engine()
	size := w.Config().CellSize
	if size == 0 {
		size = 1
	}
	view := geom.Box(l.at, l.at).Expand(heatCells * size)
	w.Draw(&s.list, quarry.DrawOptions{Layers: quarry.DrawProxies, View: view, Origin: l.at})
	p.origin = l.at
	count, order, most := map[heatCell]int{}, []heatCell{}, 0
	for i := range s.list.Items {
		it := &s.list.Items[i]
		if i == maxDrawItems {
			break
		}
		low, high := it.Points[0].Add(l.at), it.Points[2].Add(l.at)
		level := 0
		for side := max(high.X-low.X, high.Y-low.Y); side > size*float64(int64(1)<<level) && level < 40; {
			level++
		}
		side := size * float64(int64(1)<<level)
		x0, y0 := math.Floor(low.X/side), math.Floor(low.Y/side)
		for x := x0; x <= math.Floor(high.X/side) && x < x0+4; x++ {
			for y := y0; y <= math.Floor(high.Y/side) && y < y0+4; y++ {
				c := heatCell{level, int64(x), int64(y)}
				if count[c] == 0 {
					order = append(order, c)
				}
				count[c]++
				most = max(most, count[c])
			}
		}
	}
	for _, c := range order {
		side := size * float64(int64(1)<<c.level)
		low := geom.V(float64(c.x), float64(c.y)).Mul(side).Sub(l.at)
		role := fmt.Sprintf("heat h%d", min(9, 1+8*count[c]/max(1, most)))
		if c.level > 0 {
			role = "heat coarse"
		}
		p.draw("area", role, low, low.Add(geom.V(side, 0)), low.Add(geom.V(side, side)), low.Add(geom.V(0, side)))
		if c.level == 0 && count[c] > 1 {
			p.write("heat", low.Add(geom.V(side/2, side/2)), "%d", count[c])
		}
	}
	p.say("proxies near", "%d", len(s.list.Items))
	p.say("finest cell", "%v", size)
	p.say("fullest cell", "%d proxies", most)
}

// rayCells bounds the cells of a drawn ray.
const rayCells = 400

// lensRay shows the cells that a ray visits, in order, as the walk from one cell border to the next finds them, and
// what the ray hits.
func (s *sim) lensRay(l lensPlace, p *lensPicture) {
	d := l.to.Sub(l.at)
	if n := d.Len(); n > rayCells/2 {
		d = d.Mul(rayCells / 2 / n)
	}
	hit, ok := s.Engine().RayCast(l.at, d, quarry.QueryFilter{})
	reach := 1.0
	if ok {
		reach = hit.Fraction
	}
	boxes, end := grid.NewHashed(1), l.at.MulAdd(reach, d)
	for _, at := range [...]geom.Vec{l.at, end} { // the walk stays within the cells in use
		if _, err := boxes.Add(geom.Box(at, at), 0); err != nil {
			p.say("cells visited", "none: %v", err)
			return
		}
	}
	cells := boxes.AppendRayCells(nil, l.at, d, reach)
	for k, c := range cells[:min(len(cells), rayCells)] {
		low := geom.V(float64(c.X), float64(c.Y))
		p.draw("area", "visited", low, low.Add(geom.V(1, 0)), low.Add(geom.V(1, 1)), low.Add(geom.V(0, 1)))
		if len(cells) < 60 {
			p.write("visited", low.Add(geom.V(0.5, 0.5)), "%d", k+1)
		}
	}
	p.draw("arrow", "ray", l.at, l.at.MulAdd(reach, d))
	if ok && reach < 1 {
		p.draw("line", "ray missed", l.at.MulAdd(reach, d), l.at.Add(d))
	}
	p.say("cells visited", "%d", len(cells))
	if !ok {
		p.say("hit", "nothing")
		return
	}
	p.draw("dot", "hit", hit.Point)
	p.draw("arrow", "normal", hit.Point, hit.Point.Add(hit.Normal))
	p.say("hit", "%s at %.4g of the ray", s.describe(hit.Target), hit.Fraction)
	if hit.Ground != 0 {
		p.say("cell", "%d, %d", hit.Cell.X, hit.Cell.Y)
	}
}

// describe names a target.
func (s *sim) describe(t quarry.Target) string {
	switch {
	case t.Ground != 0:
		return "ground"
	case t.Chain != 0:
		return "chain"
	}
	if b, ok := s.Engine().Body(t.Body); ok && b.Name() != "" {
		return b.Name()
	}
	return fmt.Sprintf("body %d", t.Body)
}

// lensPhases measures the stages of each step while a client asks for them.
func (s *sim) lensPhases(_ lensPlace, p *lensPicture) {
	w := s.Engine()
	if c := w.Config(); !c.Profile {
		c.Profile = true
		w.SetConfig(c)
	}
	f := w.Profile()
	for _, d := range [...]time.Duration{f.Pairs, f.Narrow, f.List, f.Solve, f.Advance, f.Sensors, f.Sleep} {
		p.Numbers = append(p.Numbers, d.Seconds()*1000)
	}
}
