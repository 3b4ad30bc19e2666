package grid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestRayExactWithinCells is TestRayExact in 16ths of a cell: sides and ends lie on their lines, and rays go along
// these and through their corners. Some objects have moved.
func TestRayExactWithinCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grids := newGrids(1, geom.Box(geom.V(-4, -4), geom.V(6, 6)))
		c := rapid.IntRange(-36, 36)
		box := func(b [4]int) geom.AABB {
			return geom.AABB{Min: geom.V(float64(b[0]), float64(b[1])).Mul(1.0 / 16), Max: geom.V(float64(b[2]),
				float64(b[3])).Mul(1.0 / 16)}
		}
		var boxes [][4]int
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			x, y := c.Draw(t, "x"), c.Draw(t, "y")
			w, h := rapid.IntRange(0, 24).Draw(t, "w"), rapid.IntRange(0, 24).Draw(t, "h")
			b := [4]int{x, y, x + w, y + h}
			dx, dy := 0, 0
			if rapid.IntRange(0, 3).Draw(t, "moves") == 0 {
				dx, dy = rapid.IntRange(-9, 9).Draw(t, "dx"), rapid.IntRange(-9, 9).Draw(t, "dy")
			}
			for _, g := range grids {
				id, err := g.Add(box(b), 0)
				if err == nil {
					err = g.Update(id, box([4]int{b[0] + dx, b[1] + dy, b[2] + dx, b[3] + dy}))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			boxes = append(boxes, [4]int{b[0] + dx, b[1] + dy, b[2] + dx, b[3] + dy})
		}
		for _, g := range grids {
			checkInvariants(t, g)
		}
		for range 20 {
			ox, oy, ex, ey := c.Draw(t, "ox"), c.Draw(t, "oy"), c.Draw(t, "ex"), c.Draw(t, "ey")
			o, d := geom.V(float64(ox), float64(oy)).Mul(1.0/16), geom.V(float64(ex-ox), float64(ey-oy)).Mul(1.0/16)
			for _, g := range grids {
				met := map[ID]bool{}
				least := math.Inf(1)
				for _, h := range g.AppendRay(nil, o, d, 1, All) {
					if met[h.ID] {
						t.Fatalf("%v: object %d is met twice", g.Kind(), h.ID)
					}
					met[h.ID] = true
					least = min(least, h.T)
				}
				for i, b := range boxes {
					if want := exactMeets(b, ox, oy, ex, ey); met[ID(i)] != want {
						t.Fatalf("%v: segment (%d, %d)-(%d, %d), box %v: met %v, want %v", g.Kind(), ox, oy, ex, ey, b,
							!want, want)
					}
				}
				if h, ok := g.Ray(o, d, 1, All); ok != (len(met) > 0) || ok && h.T != least {
					t.Fatalf("%v: the first hit is %v, %v, want one at %g", g.Kind(), h, ok, least)
				}
			}
		}
	})
}

// TestRaysAmongMoves: many tiny moves, a leap out of all cells, and Rebuild leave the answers of rays right.
func TestRaysAmongMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	m := newModel(t, 1)
	for range 60 {
		p := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(12)
		m.add(geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64(), r.Float64()).Mul(3))})
	}
	rays := func() {
		t.Helper()
		for range 40 {
			o := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(16)
			m.checkRay(o, geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(30))
			// A ray that grazes a corner.
			b := m.objects[r.IntN(len(m.objects))].Box
			m.checkRay(o, geom.V(b.Max.X, b.Min.Y).Sub(o).Mul(1.5))
		}
	}
	rays()
	for step := range 100 {
		for id := range ID(40) {
			b := m.objects[id].Box
			m.update(id, b.Translate(geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(0.02)))
		}
		if step%10 == 0 {
			m.checkInside()
			rays()
		}
	}
	for _, g := range m.grids {
		if err := g.Update(7, g.Box(7).Translate(geom.V(100, 100))); err != nil {
			t.Fatal(err)
		}
		if err := g.Update(7, m.objects[7].Box); err != nil {
			t.Fatal(err)
		}
	}
	m.checkInside()
	rays()
	for _, g := range m.grids {
		g.Rebuild()
	}
	m.checkInside()
	rays()
}

// TestRayMeetsOnce: objects in as many cells as can be, along a ray that is in all of
// them, in crowded cells, are met once each.
func TestRayMeetsOnce(t *testing.T) {
	for _, n := range []int{1, 3, 63, 64, 65, 200, 700} {
		m := newModel(t, 1)
		for i := range n {
			x := float64(i%7) * 0.125
			m.add(box(x-15, x-15.5, x+15.5, x+15)) // 32x32 cells
		}
		m.add(box(-500, 0, 500, 0.5)) // 1002 along a row
		m.add(box(-1.5, -500, -1.25, 500))
		for _, d := range []geom.Vec{
			{X: 40, Y: 40},
			{X: 40},
			{Y: -40},
			{X: -40, Y: 39},
			{X: 13, Y: -40},
			{X: 2000, Y: 1e-3},
			{Y: 1200},
		} {
			m.checkRay(d.Mul(-0.5), d)
			m.checkRay(geom.V(0.25, 0.25), d)
		}
	}
}

// TestRaysOverEmptyLand: rays from one object to another across tiles, blocks and blocks of
// those, of which nearly all are empty.
func TestRaysOverEmptyLand(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	m := newModel(t, 1)
	for i := range 600 {
		reach := []float64{30, 300, 3000, 3e6}[i&3]
		p := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(reach)
		m.add(geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64(), r.Float64()))})
	}
	for range 1500 {
		a, b := m.objects[r.IntN(600)].Box, m.objects[r.IntN(600)].Box
		d := b.Center().Sub(a.Center())
		switch r.IntN(6) {
		case 0:
			d.X = 0
		case 1:
			d.Y = 0
		case 2: // through corners of cells
			a.Min = geom.V(math.Floor(a.Min.X), math.Floor(a.Min.Y))
			m.checkRay(a.Min, geom.V(d.X, math.Copysign(d.X, d.Y)))
		}
		m.checkRay(a.Center(), d)
		m.checkCast(cast{o: a.Min, d: d, maxT: math.Inf(1), mask: All})
	}
	// Nor does a first hit depend on objects far behind it.
	for _, g := range m.grids[1:] {
		b := rayBatch{casting: casting{
			g: g, c: cast{o: m.objects[4].Box.Center(), d: geom.V(1, 0.3), maxT: math.Inf(1), mask: All},
			firstOnly: true, best: Hit{ID: none, T: math.Inf(1)},
		}}
		at := int(g.at[4])
		if !b.w.start(g.levels[at].regions[0], &b.c) || b.w.everything {
			continue
		}
		b.prepare()
		b.run()
		if b.best.T != 0 || math.Abs(float64(b.w.u)*g.levels[at].size-b.c.o.X) > 100*g.levels[at].size {
			t.Errorf("%v: went on to column %d from %g, where it hit at %g", g.Kind(), b.w.u, b.c.o.X, b.best.T)
		}
	}
	// Ten million cells with nothing in them take few steps.
	for _, g := range m.grids[1:] {
		for _, d := range []geom.Vec{
			{X: 1, Y: 1},
			{X: 1},
			{X: 1, Y: 1e-4},
			{X: 0.7, Y: 0.9},
			{X: -1, Y: 0.01},
			{Y: -1},
		} {
			b := rayBatch{casting: casting{g: g, c: cast{o: geom.V(0.5, 0.25), d: d, maxT: math.Inf(1), mask: All}}}
			if !b.w.start(g.levels[0].regions[0], &b.c) || b.w.everything {
				continue
			}
			b.prepare()
			steps := 0
			for {
				steps++
				done := b.nextTiles(len(b.tile))
				b.prefetchTiles()
				b.findTiles()
				if some := b.readMasks(); done || !some && !b.skipEmpty() {
					break
				}
			}
			if steps > 5000 {
				t.Errorf("%v: %d steps along %v", g.Kind(), steps, d)
			}
		}
	}
}

// TestSortHits compares sortHits with sorting and compacting.
func TestSortHits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 100).Draw(t, "n")
		most := rapid.IntRange(1, 100).Draw(t, "most")
		order := rapid.SampledFrom([]float64{1, -1, 0}).Draw(t, "order")
		hits := []Hit{{ID: 9, T: 9}, {ID: 9, T: 9}} // are to stay
		for i := range n {
			id := rapid.IntRange(0, most).Draw(t, "id")
			hits = append(hits, Hit{ID(id), float64(id/3) + float64(order*float64(i/4))})
		}
		want := slices.Clone(hits)
		slices.SortFunc(want[2:], compareHits)
		want = append(want[:2], slices.Compact(want[2:])...)
		if got := sortHits(hits, 2); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// TestReachNegativeZero: -0 comes before all that is below 0 when bits are compared, so that with such a reach
// everything ahead or behind would be met.
func TestReachNegativeZero(t *testing.T) {
	m := unitCells(t)
	for _, d := range []geom.Vec{{X: 1}, {X: -1}, {X: 1, Y: 1}, {X: -1, Y: 0.5}, {Y: -1}, {}} {
		for _, o := range []geom.Vec{{X: 0.5, Y: 0.5}, {X: 1, Y: 1}, {X: -0.125, Y: 0.5}, {X: -9, Y: 9}} {
			m.checkCast(cast{o: o, d: d, maxT: negZero, mask: All})
			if o.X != 0.5 && o.X != -0.125 {
				for _, g := range m.grids {
					if h, ok := g.Ray(o, d, negZero, All); ok {
						t.Errorf("%v: from %v along %v meets %v", g.Kind(), o, d, h)
					}
				}
			}
		}
	}
}

// TestLaterSooner: both equal comparisons, for the values that slab passes.
func TestLaterSooner(t *testing.T) {
	all := []float64{
		0, negZero, 5e-324, -5e-324, 0.5, -0.5, 1, -1, 7, -7, math.MaxFloat64, -math.MaxFloat64,
		math.Inf(1), math.Inf(-1),
	}
	for _, a := range all {
		for _, b := range all {
			if a >= 0 && !math.Signbit(a) {
				if got, want := maxTime(a, b), max(a, b); got != want || math.Signbit(got) {
					t.Errorf("later(%g, %g) = %g", a, b, got)
				}
			}
			if got := minTime(a+0, b); got == 0 && math.Signbit(got) || a >= 0 && got != min(a, b) ||
				a < 0 && !(got < 0) {
				t.Errorf("sooner(%g, %g) = %g", a, b, got)
			}
		}
	}
}

// TestRayAlongLongObjects: a ray along objects of many cells, which all of these list, must
// not collect each as often as it meets it.
func TestRayAlongLongObjects(t *testing.T) {
	const n, cells = 2000, 500
	for _, g := range newGrids(1, box(0, 0, cells, 1)) {
		for i := range n {
			if _, err := g.Add(box(float64(i)/n, 0.25, cells-1, 0.75), 0); err != nil {
				t.Fatal(err)
			}
		}
		hits := g.AppendRay(nil, geom.V(-1, 0.5), geom.V(1, 0), math.Inf(1), All)
		if len(hits) != n || !slices.IsSortedFunc(hits, compareHits) {
			t.Errorf("%v: %d hits, want %d in order", g.Kind(), len(hits), n)
		}
		if room := cap(hits); room > 16*n {
			t.Errorf("%v: room for %d hits where there are %d", g.Kind(), room, n)
		}
	}
}

// TestWildDirections: a d so long that T would be denormal, where cells are small, gives the
// answers of a short one, by all kinds of grids and by the oversize list.
func TestWildDirections(t *testing.T) {
	const u = 1e-100
	m := newModel(t, u)
	for i := range 30 {
		x := float64(i-15) * u
		m.add(geom.AABB{Min: geom.V(x, float64(i%5)*u), Max: geom.V(x+u/2, float64(i%5)*u+u)})
	}
	m.add(geom.AABB{Min: geom.V(-2000*u, 40*u), Max: geom.V(2000*u, 40*u)})
	for _, d := range []geom.Vec{geom.V(1, 1), geom.V(-1, 0.25), geom.V(1, 0), geom.V(0, 1), geom.V(0.5, -1)} {
		for _, e := range []int{599, 600, 800, 1000, 1023} {
			long := d.Mul(math.Ldexp(1, e))
			for _, o := range []geom.Vec{{}, geom.V(-3*u, 2.5*u), geom.V(50*u, -60*u)} {
				for _, reach := range []float64{1, math.Inf(1), 0} {
					m.checkCast(cast{o: o, d: long, maxT: reach, mask: All})
					for _, g := range m.grids {
						want, got := 0, len(g.AppendRay(nil, o, long, reach, All))
						if reach == 0 {
							want = len(g.AppendPoint(nil, o, All))
						} else {
							want = len(g.AppendRay(nil, o, d, math.Inf(1), All))
						}
						if got != want {
							t.Errorf("%v: from %v along %v: %d hits, want %d", g.Kind(), o, long, got, want)
						}
					}
				}
			}
		}
	}
}

// TestRaysThroughHeaps: cells of more objects than a ray takes at a time, which come in no
// order along it.
func TestRaysThroughHeaps(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, n := range []int{3, 4, 5, 8, 9, 64, 255, 256, 257, 900} {
		m := newModel(t, 4)
		for range n {
			p := geom.V(4*r.Float64(), 4*r.Float64())
			m.add(geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64(), r.Float64()))})
		}
		for range 40 {
			a := 2 * math.Pi * r.Float64()
			d := geom.V(math.Cos(a), math.Sin(a)).Mul(12)
			p := geom.V(4*r.Float64(), 4*r.Float64())
			m.checkRay(p, d)
			m.checkRay(p.Sub(d.Mul(0.5)), d)
		}
	}
}
