package grid

import (
	"math"
	"slices"
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
			1 << 23, -1 << 23, 1<<23 + 0.5, 1 << 30, -1 << 30, 1<<30 + 0.5, 1e12, -1e12, 1e12 + 1, Limit, -Limit,
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

// drawMask draws a mask or a set of categories.
func drawMask(t *rapid.T) uint64 {
	return rapid.SampledFrom([]uint64{All, All, 1, 2, 3, 4, 1 << 63, 0}).Draw(t, "mask")
}

// drawCast draws a ray, a box or a circle that is cast, of units.
func drawCast(t *rapid.T, unit float64) cast {
	o, d := drawVec(t).Mul(unit), drawVec(t).Mul(unit)
	switch rapid.IntRange(0, 5).Draw(t, "way") {
	case 0:
		d.X = 0
	case 1:
		d.Y = math.Copysign(0, -1)
	case 2:
		d.Y = d.X
	}
	reach := rapid.SampledFrom([]float64{1, 1, 1, 0, 0.5, 3, 1e9, math.Inf(1)}).Draw(t, "reach")
	mask := drawMask(t)
	switch rapid.IntRange(0, 3).Draw(t, "what") {
	case 0:
		size := geom.V(drawSize(t), drawSize(t)).Mul(unit)
		return boxCast(geom.AABB{Min: o, Max: o.Add(size)}, d, reach, mask)
	}
	return cast{o: o, d: d, maxT: reach, mask: mask}
}

// TestModel runs random changes and queries on all four grids against the list
// of boxes, with cells of several sizes, powers of two and not.
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
		pick := func() ID { return m.live[rapid.IntRange(0, len(m.live)-1).Draw(t, "which")] }
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) { m.add(box()) },
			"place": func(t *rapid.T) {
				if len(m.live) > 0 {
					m.update(pick(), box())
				}
			},
			"move": func(t *rapid.T) {
				if len(m.live) == 0 {
					return
				}
				id := pick()
				d := geom.V(rapid.Float64Range(-1, 1).Draw(t, "dx"), rapid.Float64Range(-1, 1).Draw(t, "dy")).Mul(unit)
				if b := m.objects[id].Box.Translate(d); m.grids[0].check(b) == nil {
					m.update(id, b)
				}
			},
			"remove": func(t *rapid.T) {
				if len(m.live) > 0 {
					m.remove(pick())
				}
			},
			"exclude": func(t *rapid.T) {
				if len(m.live) > 0 {
					m.exclude(pick(), rapid.Bool().Draw(t, "hide"))
				}
			},
			"category": func(t *rapid.T) {
				if len(m.live) > 0 {
					m.setCategory(pick(), drawMask(t))
				}
			},
			"rebuild": func(t *rapid.T) {
				for _, g := range m.grids {
					g.Rebuild()
				}
			},
			"build": func(t *rapid.T) {
				var boxes []geom.AABB
				for range rapid.IntRange(0, 20).Draw(t, "n") {
					boxes = append(boxes, box())
				}
				m.build(boxes)
			},
			"clear":  func(t *rapid.T) { m.clear() },
			"stream": func(t *rapid.T) { m.stream(drawVec(t).Mul(unit)) },
			"new pairs": func(t *rapid.T) {
				if len(m.live) > 0 {
					id := pick()
					m.checkNewPairs([]Move{{ID: id, Was: box()}}, m.objects[id].Category, 100)
				}
			},
			"overlaps": func(t *rapid.T) { m.checkOverlaps(scaled(drawBox(t), unit), drawMask(t)) },
			"nearest": func(t *rapid.T) {
				reach := rapid.SampledFrom([]float64{0, 1, 5, 100, math.Inf(1)}).Draw(t, "reach")
				m.checkNearest(drawVec(t).Mul(unit), reach*unit, drawMask(t))
			},
			"cast": func(t *rapid.T) { m.checkCast(drawCast(t, unit)) },
			"":     func(t *rapid.T) { m.checkAll() },
		})
	})
}

// stream unloads the chunk at p from all grids, checks the rest, and loads it again.
func (m *model) stream(p geom.Vec) {
	m.t.Helper()
	x, y := m.grids[0].ChunkOf(p)
	var want []Object
	for i, o := range m.objects {
		if o.Box.IsEmpty() {
			continue
		}
		if cx, cy := m.grids[0].ChunkOf(o.Box.Min); cx == x && cy == y {
			o.ID = ID(i)
			want = append(want, o)
		}
	}
	var out [][]Object
	for _, g := range m.grids {
		got := g.Unload(nil, x, y)
		if !slices.Equal(got, want) {
			m.t.Fatalf("%v: Unload(%d, %d) = %v, want %v", g.Kind(), x, y, got, want)
		}
		out = append(out, got)
	}
	for _, o := range want {
		m.forget(o.ID)
	}
	m.checkAll()
	for i, g := range m.grids {
		if err := g.Load(out[i]); err != nil {
			m.t.Fatalf("%v: Load: %v", g.Kind(), err)
		}
		if !slices.Equal(out[i], want) {
			m.t.Fatalf("%v: Load gave ids %v, want %v", g.Kind(), out[i], want)
		}
	}
	for _, o := range want {
		m.note(o)
	}
}
