package gridseg

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// slowMoments adds up the triangles between each edge of the polygons of all cells and the origin, in fractions.
func slowMoments(g *Grid) map[uint16]lattice.Moments {
	type sums struct{ area, x, y, polar *big.Rat }
	all := map[uint16]sums{}
	rat := func(x int64) *big.Rat { return big.NewRat(x, Unit) }
	mul := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	add := func(a ...*big.Rat) *big.Rat {
		sum := new(big.Rat)
		for _, x := range a {
			sum.Add(sum, x)
		}
		return sum
	}
	for c := range g.Tiles(everywhere) {
		for tile, loops := range g.Polygons(c.X, c.Y) {
			s, ok := all[tile.Material]
			if !ok {
				s = sums{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)}
				all[tile.Material] = s
			}
			o := lattice.OriginOf(c)
			for _, loop := range loops {
				for i, a := range loop {
					b := loop[(i+1)%len(loop)]
					ax, ay, bx, by := rat(a.X+o.X), rat(a.Y+o.Y), rat(b.X+o.X), rat(b.Y+o.Y)
					area := mul(big.NewRat(1, 2), new(big.Rat).Sub(mul(ax, by), mul(ay, bx)))
					s.area.Add(s.area, area)
					s.x.Add(s.x, mul(mul(area, big.NewRat(1, 3)), add(ax, bx)))
					s.y.Add(s.y, mul(mul(area, big.NewRat(1, 3)), add(ay, by)))
					// A triangle's second moment is a sixth of its area times the sum of the products of each two
					// corners.
					s.polar.Add(s.polar, mul(mul(area, big.NewRat(1, 6)),
						add(mul(ax, ax), mul(ax, bx), mul(bx, bx), mul(ay, ay), mul(ay, by), mul(by, by))))
				}
			}
		}
	}
	out := map[uint16]lattice.Moments{}
	for k, s := range all {
		x, y := new(big.Rat).Quo(s.x, s.area), new(big.Rat).Quo(s.y, s.area)
		about := new(big.Rat).Sub(s.polar, mul(s.area, add(mul(x, x), mul(y, y))))
		m := lattice.Moments{Material: k}
		m.Area, _ = s.area.Float64()
		m.X, _ = x.Float64()
		m.Y, _ = y.Float64()
		m.Inertia, _ = about.Float64()
		out[k] = m
	}
	return out
}

func checkMoments(t rapid.TB, g *Grid) {
	t.Helper()
	want, got := slowMoments(g), g.Engine(lattice.Key{}).AppendMoments(nil)
	if len(got) != len(want) || !slices.IsSortedFunc(got, func(a, b lattice.Moments) int {
		return cmp.Compare(a.Material, b.Material)
	}) {
		t.Fatalf("moments %+v, want %+v", got, want)
	}
	for _, m := range got {
		w := want[m.Material]
		if m.Area != w.Area || math.Abs(m.X-w.X) > 1e-12+3e-16*math.Abs(w.X) ||
			math.Abs(m.Y-w.Y) > 1e-12+3e-16*math.Abs(w.Y) ||
			math.Abs(m.Inertia-w.Inertia) > 1e-12*w.Inertia {
			t.Fatalf("moments %+v, want %+v", m, w)
		}
	}
}

// TestMoments: after any edits the moments equal the sums over the triangles. The sums that the grid keeps through the
// edits equal the sums of a fresh grid, bit for bit.
func TestMoments(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g := New(shapes)
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		tiles := anyTile(shapes)
		num := func(name string) int32 { return int32(rapid.IntRange(0, worldSide-1).Draw(t, name)) }
		when := rapid.IntRange(0, 20).Draw(t, "tracked after")
		for k := range rapid.IntRange(1, 40).Draw(t, "edits") {
			if k == when {
				g.Engine(lattice.Key{}).TrackMoments()
			}
			x, y := o.X+num("x"), o.Y+num("y")
			tile := tiles.Draw(t, "tile")
			if tile.Shape != 0 {
				tile.Material = uint16(rapid.IntRange(0, 2).Draw(t, "material"))
			}
			switch rapid.IntRange(0, 5).Draw(t, "edit") {
			case 0:
				// it may be reversed at the end of the world
				_ = g.Fill(Rect{MinX: x, MinY: y, MaxX: x + num("w"), MaxY: y + num("h")}, tile)
			case 1:
				if loops, err := Circle(float64(x), float64(y), 1.3); err == nil {
					_ = g.Subtract(loops)
				}
			case 2:
				if loops, err := Circle(float64(x), float64(y), 1.7); err == nil {
					_ = g.Unite(loops, Attr{Material: 1})
				}
			case 3:
				_ = g.Add(x, y, [][]Point{{{X: 10, Y: 20}, {X: 40, Y: 20}, {X: 30, Y: 50}}}, Attr{Material: 2})
			default:
				if err := g.Set(x, y, tile); err != nil {
					t.Fatal(err)
				}
			}
			if rapid.Bool().Draw(t, "resolved") {
				g.Resolve()
			}
		}
		g.Engine(lattice.Key{}).TrackMoments()
		checkMoments(t, g)
		g.Resolve()
		checkMoments(t, g)
		fresh := &moments{}
		for c := range g.Tiles(everywhere) { // cell by cell
			ch, i := g.table.find(c.X>>chunkBits, c.Y>>chunkBits), cellIndex(c.X, c.Y)
			g.countRow(fresh, ch, i>>chunkBits, 1<<(i&chunkMask), false, 1)
			fresh.close(ch)
		}
		if !slices.Equal(g.moments.of, fresh.of) {
			t.Fatalf("sums %+v, of a fresh grid %+v", g.moments.of, fresh.of)
		}
	})
}

// TestMomentsFar: two blocks at opposite corners of the world, and a speck alone at a corner, have the moments that
// their triangles have.
func TestMomentsFar(t *testing.T) {
	g := New(nil)
	for _, c := range corners {
		if err := g.Set(c.c.X, c.c.Y, Tile{Shape: Full}); err != nil {
			t.Fatal(err)
		}
	}
	checkMoments(t, g)
	g = New(nil)
	if err := g.Add(-1<<31, 1<<31-1, [][]Point{{{X: 4000, Y: 4000}, {X: 4001, Y: 4000}, {X: 4001, Y: 4002}}},
		Attr{Material: 9}); err != nil {
		t.Fatal(err)
	}
	checkMoments(t, g)
}

// TestMomentsOfBlock: n x m blocks have the area, the centroid and the moment of inertia of a rectangle.
func TestMomentsOfBlock(t *testing.T) {
	g := New(nil)
	if err := g.Fill(Rect{MinX: 3, MinY: -7, MaxX: 3 + 39, MaxY: -7 + 19}, Tile{Shape: Full, Material: 4}); err != nil {
		t.Fatal(err)
	}
	want := []lattice.Moments{{Material: 4, Area: 800, X: 23, Y: 3, Inertia: 800.0 / 12 * (1600 + 400)}}
	if got := g.View().Engine(lattice.Key{}).AppendMoments(nil); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func BenchmarkSetTracked(b *testing.B) {
	g := New(nil)
	_ = g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 99, MaxY: 99}, Tile{Shape: Full})
	g.Engine(lattice.Key{}).TrackMoments()
	g.Resolve()
	for b.Loop() {
		_ = g.Set(50, 50, Tile{})
		g.Resolve()
		_ = g.Set(50, 50, Tile{Shape: Full})
		g.Resolve()
	}
}
