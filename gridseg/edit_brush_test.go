package gridseg

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

func loopsOf(t rapid.TB) func([][]Point, error) [][]Point {
	return func(loops [][]Point, err error) [][]Point {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return loops
	}
}

func TestBrushShapes(t *testing.T) {
	for _, r := range []float64{.01, .3, 1, 7.7, 300, maxRadius} {
		for _, c := range [][4]float64{{.1, .2, .1, .2}, {-3, 5, 8, 1.5}, {1e9, -1e9, 1e9 + .5, -1e9}} {
			loops := loopsOf(t)(Capsule(c[0], c[1], c[2], c[3], r))
			loop := loops[0]
			if len(loop) > lattice.MaxOutline/2+2 {
				t.Errorf("radius %v: %d vertices", r, len(loop))
			}
			from := func(px, py float64) float64 { // distance from the segment
				dx, dy := c[2]-c[0], c[3]-c[1]
				k := 0.0
				if l := dx*dx + dy*dy; l > 0 {
					k = max(0, min(1, ((px-c[0])*dx+(py-c[1])*dy)/l))
				}
				return math.Hypot(px-c[0]-k*dx, py-c[1]-k*dy)
			}
			for i, v := range loop {
				w := loop[(i+1)%len(loop)]
				if d := from(float64(v.X)/Unit, float64(v.Y)/Unit) - r; math.Abs(d) > 1.0/Unit {
					t.Fatalf("radius %v: vertex %v is %v off", r, v, d)
				}
				if d := from(float64(v.X+w.X)/2/Unit, float64(v.Y+w.Y)/2/Unit) - r; d > 1.0/Unit ||
					d < -1.0/256-1.0/Unit {
					t.Fatalf("radius %v: the edge at %v is %v off", r, v, d)
				}
			}
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		v    [5]float64
		kind error
	}{
		{[5]float64{nan, 0, 0, 0, 1}, lattice.ErrNotFinite},
		{[5]float64{0, 0, 0, nan, 1}, lattice.ErrNotFinite},
		{[5]float64{0, 0, 0, 0, nan}, lattice.ErrNotFinite},
		{[5]float64{0, inf, 0, 0, 1}, ErrRange},
		{[5]float64{0, 0, -1e300, 0, 1}, ErrRange},
		{[5]float64{1 << 31, 0, 0, 0, 1}, ErrRange},
		{[5]float64{0, 0, 0, 0, 0}, lattice.ErrDegenerate},
		{[5]float64{0, 0, 0, 0, -1}, lattice.ErrDegenerate},
		{[5]float64{0, 0, 0, 0, 1e-9}, lattice.ErrDegenerate},
		{[5]float64{0, 0, 0, 0, inf}, ErrTooLarge},
		{[5]float64{0, 0, 0, 0, 1e9}, ErrTooLarge},
	} {
		if _, err := Capsule(c.v[0], c.v[1], c.v[2], c.v[3], c.v[4]); !errors.Is(err, c.kind) {
			t.Errorf("%v: %v", c.v, err)
		}
	}
	for _, c := range [][][2]float64{nil, {{0, 0}, {1, 1}}, {{0, 0}, {1, 1}, {2, 2}, {0, 0}}} {
		if _, err := Polygon(c); !errors.Is(err, lattice.ErrDegenerate) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// A crater across the corner of four chunks leaves no segment on a grid line, since all
// around it is solid, and its hole is one closed loop.
func TestCrater(t *testing.T) {
	for _, o := range []Cell{{X: 16, Y: 16}, {X: 0, Y: 0}, {X: -16, Y: 32}, {X: -1 << 31, Y: -1 << 31}} {
		g := New(nil)
		if err := g.Fill(Rect{MinX: o.X, MinY: o.Y, MaxX: o.X + 31, MaxY: o.Y + 31},
			Tile{Shape: Full, Material: 3}); err != nil {
			t.Fatal(err)
		}
		g.Resolve()
		before := g.AppendSegments(nil, everywhere)
		cx, cy := float64(o.X)+16.03, float64(o.Y)+15.98
		hole := loopsOf(t)(Circle(cx, cy, 2.6))
		if err := g.Subtract(hole); err != nil {
			t.Fatal(err)
		}
		d := g.Resolve()
		if len(removedOf(d))+len(relinkedOf(d)) != 0 {
			t.Fatalf("%+v", d)
		}
		for _, s := range addedOf(d) {
			if s.A.X == s.B.X && s.A.X%Unit == 0 || s.A.Y == s.B.Y && s.A.Y%Unit == 0 {
				t.Errorf("on a grid line: %+v", s)
			}
			if s.Tile != (Tile{Material: 3}) {
				t.Errorf("lost its material: %+v", s)
			}
			mx, my := float64(s.A.X+s.B.X)/2/Unit, float64(s.A.Y+s.B.Y)/2/Unit
			if r := math.Hypot(mx-cx, my-cy); math.Abs(r-2.6) > 1.0/200 {
				t.Errorf("%v from the middle: %+v", r, s)
			}
		}
		s, n := addedOf(d)[0], 0
		for id := s.ID; n == 0 || id != s.ID; n++ {
			next, ok := g.Segment(id)
			if !ok {
				t.Fatal("the loop is broken")
			}
			id = next.Next
		}
		if n != len(addedOf(d)) {
			t.Errorf("a loop of %d, %d segments", n, len(addedOf(d)))
		}
		if g.Tile(o.X+16, o.Y+16) != (Tile{}) || g.Tile(o.X+18, o.Y+16) != (Tile{Shape: Patch}) {
			t.Error("inside and border")
		}
		// Filled again, it is as if nothing had been.
		if err := g.Unite(hole, Attr{Material: 3}); err != nil {
			t.Fatal(err)
		}
		g.Resolve()
		if !slices.Equal(before, g.AppendSegments(nil, everywhere)) ||
			g.Tile(o.X+18, o.Y+16) != (Tile{Shape: Full, Material: 3}) {
			t.Error("not as before")
		}
	}
}

// area is the area of all polygons of g, doubled.
func area(g *Grid) (a int64) {
	for c := range g.Tiles(everywhere) {
		for _, loops := range g.Polygons(c.X, c.Y) {
			for _, loop := range loops {
				a += lattice.Area2(loop)
			}
		}
	}
	return a
}

// TestBrushExact uses outlines along the axes, where nothing is ever rounded: then areas
// add up, and the ground equals cells of an eighth.
func TestBrushExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const side, step = 24, Unit / 8
		g := New(nil)
		var solid [side][side]uint16 // material + 1
		for range rapid.IntRange(1, 12).Draw(t, "strokes") {
			at := func(name string) int { return rapid.IntRange(0, side-1).Draw(t, name) }
			x0, y0 := at("x"), at("y")
			x1, y1 := rapid.IntRange(x0+1, side).Draw(t, "to x"), rapid.IntRange(y0+1, side).Draw(t, "to y")
			box := []Point{
				{X: int64(x0) * step, Y: int64(y0) * step},
				{X: int64(x1) * step, Y: int64(y0) * step},
				{X: int64(x1) * step, Y: int64(y1) * step},
				{X: int64(x0) * step, Y: int64(y1) * step},
			}
			if rapid.Bool().Draw(t, "clockwise") {
				slices.Reverse(box)
			}
			unite, m := rapid.Bool().Draw(t, "unite"), uint16(rapid.IntRange(0, 1).Draw(t, "material"))
			var err error
			if unite {
				err = g.Unite([][]Point{box}, Attr{Material: m})
			} else {
				err = g.Subtract([][]Point{box})
			}
			if err != nil {
				t.Fatal(err)
			}
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					if !unite {
						solid[y][x] = 0
					} else if solid[y][x] == 0 {
						solid[y][x] = m + 1
					}
				}
			}
		}
		var want int64
		for y := range solid {
			for x := range solid[y] {
				p := Point{X: int64(x)*step + step/2, Y: int64(y)*step + step/2}
				if got := materialAt(g, p); got != solid[y][x] {
					t.Fatalf("at eighths %d, %d is %d, want %d", x, y, got, solid[y][x])
				}
				if solid[y][x] != 0 {
					want += 2 * step * step
				}
			}
		}
		if got := area(g); got != want {
			t.Fatalf("area %d, want %d", got, want)
		}
		checkPolygons(t, g)
	})
}

// materialAt returns 1 + the material at a point that is on no edge, 0 where it is empty.
func materialAt(g *Grid, p Point) uint16 {
	x, y := int32(p.X>>12), int32(p.Y>>12)
	for tile, loops := range g.Polygons(x, y) {
		n := 0
		for _, loop := range loops {
			if lattice.Locate(loop, Point{X: p.X - int64(x)*Unit, Y: p.Y - int64(y)*Unit}, 1) == lattice.Inside {
				n++
			}
		}
		if n&1 != 0 {
			return tile.Material + 1
		}
	}
	return 0
}

// checkPolygons adds the polygons of g to another grid, where Add checks them.
func checkPolygons(t rapid.TB, g *Grid) {
	t.Helper()
	f := New(g.Shapes())
	f.layers = g.layers
	for c := range g.Tiles(everywhere) {
		for pass := range 2 {
			for tile, loops := range g.Polygons(c.X, c.Y) {
				var err error
				if pass == 0 && tile.Shape != 0 {
					err = f.Set(c.X, c.Y, tile)
				} else if pass == 1 && tile.Shape == 0 {
					err = f.Add(c.X, c.Y, loops, Attr{tile.Layer, tile.Material, tile.User})
				}
				if err != nil {
					t.Fatalf("%v: %v", err, loops)
				}
			}
		}
	}
	f.Resolve()
	if f.Hash() != g.Hash() || !slices.Equal(f.AppendSegments(nil, everywhere), g.AppendSegments(nil, everywhere)) &&
		!g.pendingAny() {
		t.Fatal("not the same from its polygons")
	}
}

func (g *Grid) pendingAny() bool { return len(g.pending) > 0 }
