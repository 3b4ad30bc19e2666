package grid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// farAway are the distances from the origin, in cells, of the tests.
var farAway = []float64{0, 1e7, 1e9, 1e12}

// TestFarObjectsHaveCells: a crowd has the same cells, loads and plan at any distance from
// the origin. Beyond 2^23 cells hashed and chunked grids once put every object into the
// oversize list, which each query searches (26,000 ns instead of 75 for 10,000 objects), and
// hierarchical grids into ever larger cells. Tune proposed such a grid, with cells as small
// as the smallest box.
func TestFarObjectsHaveCells(t *testing.T) {
	var stats []Stats
	var plan Plan
	for i, far := range farAway {
		c := newCrowd(3000, 4, 1.0/3)
		for k, b := range c.boxes {
			// Quarters of a cell, which are exact out there as well.
			b = geom.AABB{Min: geom.V(math.Floor(b.Min.X), math.Floor(b.Min.Y)), Max: geom.V(math.Ceil(b.Max.X),
				math.Ceil(b.Max.Y))}
			c.boxes[k] = b.Translate(geom.V(4*far, -4*far))
		}
		for k, g := range newGrids(4, c.bounds()) {
			c.addTo(g)
			s := g.Stats()
			s.Bytes = 0
			if i == 0 {
				stats = append(stats, s)
			} else if s != stats[k] {
				t.Errorf("%v, %g cells away: %+v, at the origin %+v", g.Kind(), far, s, stats[k])
			}
		}
		if p := Tune(c.boxes); i == 0 {
			plan = p
		} else if p != plan {
			t.Errorf("%g cells away: Tune proposes %+v, at the origin %+v", far, p, plan)
		}
	}
}

// TestTuneWithinLimit: boxes so small and so far away that no grid with cells of their size
// would take them get larger cells.
func TestTuneWithinLimit(t *testing.T) {
	var boxes []geom.AABB
	for i := range 100 {
		p := geom.V(1e12+float64(i), -1e12)
		boxes = append(boxes, geom.AABB{Min: p.Sub(geom.V(0.25, 0.25)), Max: p}.Translate(geom.V(3e3, 1e15)))
	}
	plan := Tune(boxes)
	g := NewHashed(plan.CellSize)
	if err := g.Build(boxes, nil); err != nil {
		t.Errorf("%+v: %v", plan, err)
	}
}

// TestModelFarAway compares changes and queries with a list of boxes, at 1e7, 1e9 and 1e12
// cells, at several such places at once, and at the sides of regions, 2^23 cells from the
// origin and every 2^24 after that.
func TestModelFarAway(t *testing.T) {
	steps := 400
	if testing.Short() {
		steps = 100
	}
	r := rand.New(rand.NewPCG(31, 32))
	const side = 1 << regionBits
	corners := []geom.Vec{
		{X: 1e7, Y: 1e7},
		{X: -1e9, Y: 3},
		{X: 1e12, Y: -1e12},
		{X: side / 2, Y: side / 2},
		{X: -side / 2, Y: 0},
		{X: side / 2, Y: side/2 - 3},
		{X: 1.5 * side, Y: 70 * side},
		{X: 60_000.5 * side, Y: -60_000.5 * side},
		{X: 60_000.5 * side, Y: -60_000.5*side + 40},
	}
	for at := range len(corners) + 3 {
		m := newModel(t, 1)
		place := func() geom.Vec {
			k := at
			if k >= len(corners) {
				k = r.IntN(len(corners)) // objects in all of them
			}
			return corners[k]
		}
		box := func() geom.AABB {
			p := place().Add(geom.V(r.NormFloat64(), r.NormFloat64()).Mul(10))
			if r.IntN(3) == 0 {
				p = geom.V(math.Floor(p.X), math.Floor(p.Y))
			}
			size := []float64{0, 0.5, 1, 3, 20, 300}[r.IntN(6)]
			return geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64()*size, r.Float64()*size))}
		}
		for range 40 {
			m.add(box())
		}
		m.checkAll()
		for range steps {
			switch r.IntN(12) {
			case 0:
				m.add(box())
			case 1:
				if len(m.live) > 20 {
					m.remove(m.live[r.IntN(len(m.live))])
				}
			case 2:
				m.update(m.live[r.IntN(len(m.live))], box())
			case 3, 4:
				id := m.live[r.IntN(len(m.live))]
				m.update(id, m.objects[id].Box.Translate(geom.V(r.NormFloat64(), r.NormFloat64())))
			case 5:
				m.exclude(m.live[r.IntN(len(m.live))], r.IntN(2) == 0)
			case 6:
				m.stream(box().Min)
			case 7:
				b := box()
				m.checkOverlaps(b, All)
				m.checkOverlaps(geom.Box(b.Min, place()), All)
				m.checkNearest(b.Min, []float64{1, 100, math.Inf(1)}[r.IntN(3)], All)
			case 8:
				a := box().Min
				m.checkRay(a, box().Min.Sub(a))
				m.checkCast(cast{o: a, d: geom.V(r.NormFloat64(), r.NormFloat64()), maxT: math.Inf(1), mask: All})
			case 9:
				b := box()
				m.checkCast(boxCast(b, box().Min.Sub(b.Min), 1, All))
				m.checkCast(boxCast(geom.Box(b.Min, b.Min).Expand(2), geom.V(-7, 30*r.Float64()), 1, All))
			case 10:
				if r.IntN(10) == 0 {
					for _, g := range m.grids {
						g.Rebuild()
					}
				}
			}
		}
		m.checkAll()
		for len(m.live) > 0 {
			m.remove(m.live[0])
		}
		m.checkAll()
	}
}

// TestScatteredObjects: objects each in a region of its own are found, and do not add to the
// cost of queries about others.
func TestScatteredObjects(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	m := newModel(t, 1)
	for range 300 {
		p := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(2e12)
		m.add(geom.AABB{Min: p, Max: p.Add(geom.V(3, 3))})
	}
	for range 300 {
		b, other := m.objects[r.IntN(300)].Box, m.objects[r.IntN(300)].Box
		m.checkOverlaps(b, All)
		m.checkNearest(b.Min, math.Inf(1), All)
		m.checkRay(b.Center(), other.Center().Sub(b.Center()))
		m.checkRay(b.Min, geom.V(5, 5))
		m.update(ID(r.IntN(300)), b.Translate(geom.V(2, 2)))
	}
	m.checkAll()
	for _, g := range m.grids[1:] {
		var room [fewRegions]*region
		l := &g.levels[0]
		if n := len(l.regionsMeeting(&room, g.clampedFineBox(m.objects[7].Box))); n > fewRegions {
			t.Errorf("%v: a box meets %d regions of %d", g.Kind(), n, len(l.regions))
		}
	}
}

// TestRayCellsAcrossRegions: where objects reach from one region into the next, a ray's
// cells are still reported in its order, each once.
func TestRayCellsAcrossRegions(t *testing.T) {
	const edge = 1 << (regionBits - 1)
	for _, g := range []*Grid{NewHashed(1), NewChunked(1)} {
		for _, x := range []float64{-20, -2, 1, 20} {
			if _, err := g.Add(box(edge+x, 0.25, edge+x+3, 0.75), 0); err != nil {
				t.Fatal(err)
			}
		}
		for _, d := range []float64{1, -1} {
			cells := g.AppendRayCells(nil, geom.V(edge-18*d, 0.5), geom.V(d, 0), 36)
			for i, k := range cells {
				if i > 0 && k != (Cell{cells[i-1].X + int64(d), 0}) {
					t.Fatalf("%v: cell %v after %v", g.Kind(), k, cells[i-1])
				}
			}
			if n := len(cells); n < 37 || cells[0].X > edge+18 && cells[n-1].X < edge-18 || cells[0].X < edge-19 {
				t.Errorf("%v: %d cells, the first is %v", g.Kind(), n, cells[0])
			}
		}
	}
}

// BenchmarkFar times queries among 10,000 objects near the origin and far away.
func BenchmarkFar(b *testing.B) {
	for _, kind := range []Kind{Hashed, Chunked, Hierarchical} {
		for _, far := range farAway {
			b.Run(fmt.Sprintf("%v/%g", kind, far), func(b *testing.B) {
				c := newCrowd(10_000, 4, 1.0/3)
				for i := range c.boxes {
					c.boxes[i] = c.boxes[i].Translate(geom.V(4*far, 4*far))
				}
				g := map[Kind]func(float64) *Grid{
					Hashed: NewHashed, Chunked: NewChunked, Hierarchical: NewHierarchical,
				}[kind](4)
				c.addTo(g)
				var ids []ID
				var hits []Hit
				ask := func(each func(b geom.AABB)) func() {
					return func() {
						for _, b := range c.boxes {
							each(b)
						}
					}
				}
				compare(b, "question", []contender{
					{"overlaps", nil, ask(func(b geom.AABB) { ids = g.AppendOverlaps(ids[:0], b, All) }), len(c.boxes)},
					{
						"ray", nil, ask(func(b geom.AABB) {
							hits = g.AppendRay(hits[:0], b.Min, geom.V(30, 20), 1, All)
						}),
						len(c.boxes),
					},
					{"nearest", nil, ask(func(b geom.AABB) { g.Nearest(b.Min, 100, All) }), len(c.boxes)},
				})
			})
		}
	}
}
