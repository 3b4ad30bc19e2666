package grid

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestRayExact compares AppendRay with whole-number arithmetic, which shares nothing with
// it: touches at corners and along sides must be found, near misses not. Cells of one
// unit, boxes and ends on quarters of it.
func TestRayExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grids := newGrids(1, geom.Box(geom.V(-7, -7), geom.V(9, 9)))
		c := rapid.IntRange(-24, 24)
		var boxes [][4]int
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			x, y := c.Draw(t, "x"), c.Draw(t, "y")
			w, h := rapid.IntRange(0, 9).Draw(t, "w"), rapid.IntRange(0, 9).Draw(t, "h")
			boxes = append(boxes, [4]int{x, y, x + w, y + h})
			q := geom.AABB{Min: geom.V(float64(x), float64(y)).Mul(0.25), Max: geom.V(float64(x+w),
				float64(y+h)).Mul(0.25)}
			for _, g := range grids {
				if _, err := g.Add(q, 0); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 20 {
			ox, oy, ex, ey := c.Draw(t, "ox"), c.Draw(t, "oy"), c.Draw(t, "ex"), c.Draw(t, "ey")
			for _, g := range grids {
				met := map[ID]bool{}
				for _, h := range g.AppendRay(nil, geom.V(float64(ox), float64(oy)).Mul(0.25), geom.V(float64(ex-ox),
					float64(ey-oy)).Mul(0.25), 1, All) {
					met[h.ID] = true
				}
				for i, b := range boxes {
					if want := exactMeets(b, ox, oy, ex, ey); met[ID(i)] != want {
						t.Fatalf("%v: segment (%d, %d)-(%d, %d), box %v: met %v, want %v", g.Kind(), ox, oy, ex, ey, b,
							!want, want)
					}
				}
			}
		}
	})
}

// exactMeets reports whether a closed segment and a closed box meet, by the
// separating axes: x, y and the segment's normal.
func exactMeets(b [4]int, ox, oy, ex, ey int) bool {
	if max(ox, ex) < b[0] || min(ox, ex) > b[2] || max(oy, ey) < b[1] || min(oy, ey) > b[3] {
		return false
	}
	below, above := false, false
	for _, p := range [4][2]int{{b[0], b[1]}, {b[2], b[1]}, {b[2], b[3]}, {b[0], b[3]}} {
		side := (ex-ox)*(p[1]-oy) - (ey-oy)*(p[0]-ox)
		below = below || side <= 0
		above = above || side >= 0
	}
	return below && above
}

// TestRayCellsExact compares the cells that a ray enters with whole-number arithmetic:
// every cell whose closed square meets the segment must be among them, in the ray's
// order, and none that does not.
func TestRayCellsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(-24, 24)
		ox, oy, ex, ey := c.Draw(t, "ox"), c.Draw(t, "oy"), c.Draw(t, "ex"), c.Draw(t, "ey")
		for _, g := range newGrids(1, geom.Box(geom.V(-10, -10), geom.V(10, 10))) {
			// All cells in use must be in bounds.
			for _, p := range []geom.Vec{{X: -9, Y: -9}, {X: 9, Y: 9}} {
				if _, err := g.Add(geom.AABB{Min: p, Max: p}, 0); err != nil {
					t.Fatal(err)
				}
			}
			o := geom.V(float64(ox), float64(oy)).Mul(0.25)
			d := geom.V(float64(ex-ox), float64(ey-oy)).Mul(0.25)
			got := g.AppendRayCells(nil, o, d, 1)
			has := map[Cell]bool{}
			last := -1
			for _, k := range got {
				if has[k] {
					t.Fatalf("%v: cell %v twice in %v", g.Kind(), k, got)
				}
				has[k] = true
				// The middles of the cells go forward along the ray, but for the
				// two sides of a corner or a line.
				along := (2*int(k.X)+1)*(ex-ox) + (2*int(k.Y)+1)*(ey-oy)
				if last != -1 && along < last-2*max(ex-ox, ox-ex, ey-oy, oy-ey) {
					t.Fatalf("%v: cells go back in %v", g.Kind(), got)
				}
				last = max(last, along)
			}
			for x := -8; x <= 8; x++ {
				for y := -8; y <= 8; y++ {
					want := exactMeets([4]int{4 * x, 4 * y, 4*x + 4, 4*y + 4}, ox, oy, ex, ey)
					if has[Cell{int64(x), int64(y)}] != want {
						t.Fatalf("%v: segment (%d, %d)-(%d, %d): cell (%d, %d) is entered: %v, want %v", g.Kind(), ox,
							oy, ex, ey, x, y, !want, want)
					}
				}
			}
		}
	})
}

// TestMillionRays casts rays of all kinds at crowds of four kinds, and compares each with
// every box, and the four grids with each other.
func TestMillionRays(t *testing.T) {
	rays := 1_000_000
	if testing.Short() {
		rays = 10_000
	}
	r := rand.New(rand.NewPCG(7, 8))
	const crowds = 200
	for range crowds {
		c := newCrowd(1+r.IntN(60), []float64{1, 4, 30, 1000}[r.IntN(4)], []float64{0.01, 0.1, 0.5, 2}[r.IntN(4)])
		m := newModel(t, []float64{0.7, 2, 4}[r.IntN(3)])
		for _, b := range c.boxes {
			if r.IntN(3) == 0 { // on grid lines
				b.Min = geom.V(math.Floor(b.Min.X), math.Floor(b.Min.Y))
			}
			m.add(b.Translate(geom.V(-0.5, -0.5).Mul(c.side)))
		}
		for range rays / crowds {
			o := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(1.5 * c.side)
			d := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(3 * c.side)
			switch r.IntN(8) {
			case 0:
				o = geom.V(math.Floor(o.X), math.Floor(o.Y))
			case 1:
				d.X = 0
			case 2:
				d.Y = d.X
				o = geom.V(math.Floor(o.X), math.Floor(o.Y))
			case 3: // at a corner
				b := m.objects[r.IntN(len(m.objects))].Box
				d = geom.V(b.Min.X, b.Max.Y).Sub(o)
			}
			reach := 1.0
			if r.IntN(4) == 0 {
				reach = math.Inf(1)
			}
			m.checkCast(cast{o: o, d: d, maxT: reach, mask: All})
		}
	}
}

// TestCastsTouch compares the T of casts with the distances of boxes there: at it they
// touch, and not before.
func TestCastsTouch(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	hits := 0
	for range 20_000 {
		p := geom.V(r.Float64(), r.Float64()).Mul(4)
		b := geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64(), r.Float64()))}
		o := geom.V(r.Float64()-0.2, r.Float64()-0.2).Mul(8)
		d := p.Sub(o).Mul(2 * r.Float64()).Add(geom.V(r.Float64()-0.5, r.Float64()-0.5))
		size := geom.V(r.Float64(), r.Float64())
		gap := func(c *cast, t float64) float64 {
			at := c.o.Add(c.d.Mul(t))
			q := geom.AABB{Min: at.Sub(c.half), Max: at.Add(c.half)}
			return max(b.Min.X-q.Max.X, q.Min.X-b.Max.X, b.Min.Y-q.Max.Y, q.Min.Y-b.Max.Y)
		}
		for _, c := range []cast{{o: o, d: d, maxT: 1, mask: All}, boxCast(geom.AABB{Min: o, Max: o.Add(size)}, d, 1,
			All)} {
			hit, ok := c.meets(&b)
			if ok {
				hits++
				if g := gap(&c, hit); g > 1e-9 || hit > 0 && g < -1e-9 {
					t.Fatalf("%+v meets %v at %g, where the gap is %g", c, b, hit, g)
				}
			}
			for i := range 64 {
				at := float64(i) / 64
				if (!ok || at < hit-1e-9) && gap(&c, at) < -1e-9 {
					t.Fatalf("%+v meets %v at %g, %v, but they overlap at %g", c, b, hit, ok, at)
				}
			}
		}
	}
	if hits < 5000 {
		t.Errorf("only %d hits", hits)
	}
}
