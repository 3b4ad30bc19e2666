package gridseg

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// anyExact draws a stroke whose edges run along the lines of r. Loops may cross and
// cover themselves and each other, wind either way, have spikes, or no area.
func anyExact(r *raster) *rapid.Generator[[][]Point] {
	return rapid.Custom(func(t *rapid.T) [][]Point {
		at := func(name string) node {
			return node{2 * rapid.IntRange(0, r.n).Draw(t, name+" x"), 2 * rapid.IntRange(0, r.n).Draw(t, name+" y")}
		}
		loop := func(nodes ...node) (out []Point) {
			for _, v := range nodes {
				out = append(out, r.point(v))
			}
			if rapid.Bool().Draw(t, "back") {
				slices.Reverse(out)
			}
			return out
		}
		box := func(a, b node) []Point { return loop(a, node{b.x, a.y}, b, node{a.x, b.y}) }
		var loops [][]Point
		for range rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "loops") {
			switch rapid.IntRange(0, 5).Draw(t, "brush") {
			case 0:
				loops = append(loops, box(at("from"), at("to")))
			case 1: // along the grid lines, if there are
				a, b := at("from"), at("to")
				cell := 2 * int(max(1, Unit/r.step))
				loops = append(loops, box(node{a.x / cell * cell, a.y / cell * cell},
					node{b.x / cell * cell, b.y / cell * cell}))
			case 2: // a diamond, perhaps with a hole
				m := at("middle")
				d := min(m.x, m.y, 2*r.n-m.x, 2*r.n-m.y)
				for i := range rapid.IntRange(1, 2).Draw(t, "rings") {
					o := loop(node{m.x - d, m.y}, node{m.x, m.y - d}, node{m.x + d, m.y}, node{m.x, m.y + d})
					if i == 1 && turnsRound(loops, r.point(m)) == turnsRound([][]Point{o}, r.point(m)) {
						slices.Reverse(o)
					}
					loops, d = append(loops, o), d/4*2
				}
			case 3: // a frame
				a, b := at("from"), at("to")
				loops = append(loops, box(a, b), box(node{(3*a.x + b.x) / 8 * 2, (3*a.y + b.y) / 8 * 2},
					node{(a.x + b.x) / 4 * 2, (a.y + b.y) / 4 * 2}))
			default: // from vertex to vertex, at 45 degrees first
				first := at("vertex")
				way := []node{first}
				for range rapid.IntRange(2, 6).Draw(t, "vertices") {
					way = append(way, at("vertex"))
				}
				var all []node
				for i, v := range way {
					w := way[(i+1)%len(way)]
					dx, dy := w.x-v.x, w.y-v.y
					d := min(max(dx, -dx), max(dy, -dy))
					mid := v
					if dx < 0 {
						mid.x -= d
					} else {
						mid.x += d
					}
					if dy < 0 {
						mid.y -= d
					} else {
						mid.y += d
					}
					all = append(all, v, mid)
				}
				loops = append(loops, loop(all...))
			}
		}
		return loops
	})
}

// rasterShapes are the shapes of the gallery, and others, that consist of triangles of an
// eighth.
func rasterShapes(t rapid.TB) *Shapes {
	s := gallery(t)
	for _, d := range []struct {
		name string
		poly [][2]float64
	}{
		{"slab with more vertices", [][2]float64{
			{0, 0},
			{.5, 0},
			{1, 0},
			{1, .25},
			{1, .5},
			{.75, .5},
			{.5, .5},
			{0, .5},
		}},
		{"octagon", [][2]float64{{.25, 0}, {.75, 0}, {1, .25}, {1, .75}, {.75, 1}, {.25, 1}, {0, .75}, {0, .25}}},
	} {
		if _, err := s.Register(d.name, d.poly); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// rasterly reports whether all edges of a shape are along the axes or at 45 degrees.
func (w *world) rasterly(id ShapeID) bool {
	loops := w.shapes.Polygons(id, 0)
	for _, loop := range loops {
		for i, a := range loop {
			b := loop[(i+1)%len(loop)]
			if dx, dy := b.X-a.X, b.Y-a.Y; dx != 0 && dy != 0 && dx != dy && dx != -dy {
				return false
			}
		}
	}
	return true
}

// TestUniteExact plays strokes and tiles over 3 x 3 cells of 8 x 8 squares each, where
// nothing is rounded, and compares the cells' contents and the surface with the raster:
// equal, with no tolerance.
func TestUniteExact(t *testing.T) {
	shapes := rasterShapes(t)
	rapid.Check(t, func(t *rapid.T) {
		const side, step = 3, Unit / 8
		g, w := anyGrid(t, shapes)
		m := mirror{}
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		r := newRaster(Point{X: int64(o.X) * Unit, Y: int64(o.Y) * Unit}, step, side*Unit/step)
		resolve := func() {
			d := g.Resolve()
			m.take(t, &d)
			m.equals(t, g)
			r.check(t, g, w)
		}
		for range rapid.IntRange(1, 10).Draw(t, "edits") {
			var err error
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				c := Cell{X: o.X + int32(rapid.IntRange(0, side-1).Draw(t, "x")), Y: o.Y +
					int32(rapid.IntRange(0, side-1).Draw(t, "y"))}
				tile := anyTile(shapes).Draw(t, "tile")
				if tile.Shape != 0 && (rapid.Bool().Draw(t, "a special one") || !w.rasterly(tile.Shape)) {
					tile.Shape = ShapeID(rapid.SampledFrom([]int{int(Ramp), shapes.Len() - 1, shapes.Len()}).Draw(t,
						"one"))
				}
				err = g.Set(c.X, c.Y, tile)
				r.set(c, tile, shapes.Polygons(tile.Shape, tile.Turn))
			case 1, 2:
				// Seldom of its own attributes, so that polygons grow together.
				loops, a := anyExact(r).Draw(t, "loops"), Attr{1, 1, 1}
				if rapid.IntRange(0, 2).Draw(t, "other") == 0 {
					a = anyAttr(t)
				}
				err = g.Unite(loops, a)
				r.unite(loops, a)
			default:
				loops := anyExact(r).Draw(t, "loops")
				err = g.Subtract(loops)
				r.subtract(loops)
			}
			if err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 2).Draw(t, "resolve") == 0 {
				resolve()
			}
		}
		resolve()
		checkFresh(t, g, w)
	})
}

// TestRoundBrushExact does it with Circle and Capsule: those so small that their arcs are
// straight lines at 45 degrees, round the corner of four cells.
func TestRoundBrushExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const step, n = 16, 20
		g, w := anyGrid(t, NewShapes())
		o := rapid.SampledFrom([]Cell{
			{X: 0, Y: 0},
			{X: 16, Y: -32},
			{X: 1<<20 - 1, Y: -1<<24 - 3},
			{X: -1<<31 + 1, Y: 1<<31 - 1},
		}).Draw(t, "corner")
		r := newRaster(Point{X: int64(o.X)*Unit - n/2*step, Y: int64(o.Y)*Unit - n/2*step}, step, n)
		for range rapid.IntRange(1, 12).Draw(t, "strokes") {
			radius := rapid.IntRange(1, 3).Draw(t, "radius")
			at := func(name string) float64 {
				return float64(rapid.IntRange(radius, n-radius).Draw(t, name)-n/2) * step / Unit
			}
			x, y := float64(o.X)+at("x"), float64(o.Y)+at("y")
			to := [2]float64{x, y}
			switch rapid.IntRange(0, 2).Draw(t, "along") {
			case 1:
				to[0] = float64(o.X) + at("to x")
			case 2:
				to[1] = float64(o.Y) + at("to y")
			}
			loops, err := Capsule(x, y, to[0], to[1], float64(radius)*step/Unit)
			if err != nil {
				t.Fatal(err)
			}
			if to == [2]float64{x, y} && len(loops[0]) != 4 {
				t.Fatalf("a circle of %d vertices", len(loops[0]))
			}
			if rapid.IntRange(0, 2).Draw(t, "kind") > 0 {
				a := anyAttr(t)
				err = g.Unite(loops, a)
				r.unite(loops, a)
			} else {
				err = g.Subtract(loops)
				r.subtract(loops)
			}
			if err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 2).Draw(t, "resolve") == 0 {
				g.Resolve()
				r.check(t, g, w)
			}
		}
		g.Resolve()
		r.check(t, g, w)
	})
}
