package grid

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// drawCoord draws a coordinate: often a whole or half cell, so that sides
// meet grid lines and each other; sometimes very far away.
func drawCoord(t *rapid.T) float64 {
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0, 1, 2:
		return float64(rapid.IntRange(-12, 12).Draw(t, "whole"))
	case 3:
		return float64(rapid.IntRange(-40, 40).Draw(t, "half")) * 0.5
	case 4:
		return rapid.SampledFrom([]float64{
			0, math.Copysign(0, -1), 5e-324, -5e-324, 1e-9, math.Nextafter(1, 0), math.Nextafter(1, 2),
			1 << 30, -1 << 30, 1<<30 + 0.5, 1e12, -1e12, 1e12 + 1, Limit, -Limit,
		}).Draw(t, "odd")
	default:
		return rapid.Float64Range(-15, 15).Draw(t, "any")
	}
}

func drawVec(t *rapid.T) geom.Vec { return geom.V(drawCoord(t), drawCoord(t)) }

// drawSize draws an extent over a factor of 1000 and more, 0 included.
func drawSize(t *rapid.T) float64 {
	switch rapid.IntRange(0, 5).Draw(t, "size") {
	case 0:
		return 0
	case 1:
		return float64(rapid.IntRange(1, 8).Draw(t, "whole"))
	case 2:
		return rapid.Float64Range(0, 100).Draw(t, "large")
	case 3:
		return rapid.SampledFrom([]float64{1 << 22, 1 << 23, 1<<23 + 1, 1e9}).Draw(t, "huge")
	default:
		return rapid.Float64Range(0, 1).Draw(t, "small")
	}
}

func drawBox(t *rapid.T) geom.AABB {
	p := drawVec(t)
	return geom.AABB{Min: p, Max: geom.V(p.X+drawSize(t), p.Y+drawSize(t))}
}

// scaled maps the unit of the drawn things to the grid's cell.
func scaled(b geom.AABB, by float64) geom.AABB {
	return geom.AABB{Min: b.Min.Mul(by), Max: b.Max.Mul(by)}
}

// TestModel runs random changes and questions against the list of boxes, on
// grids with cells of several sizes, powers of two and not.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]float64{1, 1, 0.1, 3, 1e-3}).Draw(t, "cell")
		m := newModel(t, unit)
		box := func() geom.AABB {
			b := scaled(drawBox(t), unit)
			l := unit * Limit
			c := geom.AABB{Min: geom.V(-l, -l), Max: geom.V(l, l)}
			return geom.AABB{Min: b.Min.Max(c.Min).Min(c.Max), Max: b.Max.Min(c.Max).Max(c.Min)}
		}
		for range rapid.IntRange(0, 30).Draw(t, "start") {
			m.add(box())
		}
		pick := func() int { return rapid.IntRange(0, len(m.live)-1).Draw(t, "which") }
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) { m.add(box()) },
			"place": func(t *rapid.T) {
				if len(m.live) > 0 {
					m.update(m.live[pick()], box())
				}
			},
			"move": func(t *rapid.T) {
				if len(m.live) == 0 {
					return
				}
				id := m.live[pick()]
				d := geom.V(rapid.Float64Range(-1, 1).Draw(t, "dx"), rapid.Float64Range(-1, 1).Draw(t, "dy")).Mul(unit)
				if b := m.boxes[id].Translate(d); m.g.check(b) == nil {
					m.update(id, b)
				}
			},
			"remove": func(t *rapid.T) {
				if len(m.live) > 0 {
					m.remove(pick())
				}
			},
			"overlaps": func(t *rapid.T) { m.checkOverlaps(scaled(drawBox(t), unit)) },
			"ray": func(t *rapid.T) {
				o := drawVec(t).Mul(unit)
				d := drawVec(t).Mul(unit)
				switch rapid.IntRange(0, 5).Draw(t, "way") {
				case 0:
					d.X = 0
				case 1:
					d.Y = math.Copysign(0, -1)
				case 2:
					d.Y = d.X
				}
				m.checkRay(o, d)
			},
			"": func(t *rapid.T) { m.checkAll() },
		})
	})
}

// TestRayInclined holds AppendRay against whole-number arithmetic, which
// shares nothing with it: touches at corners and along sides must be found,
// near misses not. Cells of one unit, boxes and ends on quarters of it.
func TestRayInclined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := New(1)
		c := rapid.IntRange(-24, 24)
		var boxes [][4]int
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			x, y := c.Draw(t, "x"), c.Draw(t, "y")
			w, h := rapid.IntRange(0, 9).Draw(t, "w"), rapid.IntRange(0, 9).Draw(t, "h")
			boxes = append(boxes, [4]int{x, y, x + w, y + h})
			q := geom.AABB{Min: geom.V(float64(x), float64(y)).Mul(0.25), Max: geom.V(float64(x+w), float64(y+h)).Mul(0.25)}
			if _, err := g.Add(q, 0); err != nil {
				t.Fatal(err)
			}
		}
		for range 20 {
			ox, oy, ex, ey := c.Draw(t, "ox"), c.Draw(t, "oy"), c.Draw(t, "ex"), c.Draw(t, "ey")
			got := g.AppendRay(nil, geom.V(float64(ox), float64(oy)).Mul(0.25), geom.V(float64(ex-ox), float64(ey-oy)).Mul(0.25))
			for i, b := range boxes {
				want := exactMeets(b, ox, oy, ex, ey)
				has := len(got) > 0 && got[0] == ID(i)
				if has != want {
					t.Fatalf("segment (%d, %d)-(%d, %d), box %v: met %v, want %v", ox, oy, ex, ey, b, has, want)
				}
				if has {
					got = got[1:]
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
