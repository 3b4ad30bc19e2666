package published

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/gridseg"
)

// The article's two scenes, each from nothing to linked segments, and one edit with
// its compute in them. "published" and "gridseg" do the same with the same tiles;
// published takes polygons that are ready made, as the article times buildPolys apart.

// field is a square of tiles with their polygons. Blocks are all alike; ramps are
// turned at random.
type field struct {
	n     int32
	tiles []gridseg.Tile
	polys [][]Vec
}

func newField(shape gridseg.ShapeID, n int32) field {
	shapes := gridseg.NewShapes()
	b := both{shapes: shapes}
	r := rand.New(rand.NewPCG(1, 2))
	f := field{n: n}
	for i := range n * n {
		t := gridseg.Tile{Shape: shape}
		if shape != gridseg.Full {
			t.Turn = gridseg.Turn(r.IntN(4))
		}
		f.tiles = append(f.tiles, t)
		f.polys = append(f.polys, b.polygons(f.cell(i), t)[0])
	}
	return f
}

func (f *field) cell(i int32) Cell { return Cell{i % f.n, i / f.n} }

func (f *field) publish() *World {
	w := New()
	for i, p := range f.polys {
		w.Add(f.cell(int32(i)), p, 0)
	}
	w.Compute()
	return w
}

func (f *field) lay(tb testing.TB, shapes *gridseg.Shapes) (*gridseg.Grid, int) {
	g := gridseg.New(shapes)
	for i, t := range f.tiles {
		c := f.cell(int32(i))
		if err := g.Set(c.X, c.Y, t); err != nil {
			tb.Fatal(err)
		}
	}
	added := len(slices.Collect(g.Resolve().Added()))
	return g, added
}

// scenes names the shapes as the command does.
var scenes = []struct {
	name  string
	shape gridseg.ShapeID
}{{"full_block", gridseg.Full}, {"ramp", gridseg.Ramp}}

func BenchmarkBuild(b *testing.B) {
	for _, s := range scenes {
		f := newField(s.shape, 100)
		shapes := gridseg.NewShapes()
		_, want := f.lay(b, shapes)
		if got := len(f.publish().Segments()); got != want {
			b.Fatalf("%d segments, gridseg has %d", got, want)
		}
		b.Run(s.name+"/published", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.publish()
			}
		})
		b.Run(s.name+"/gridseg", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.lay(b, shapes)
			}
		})
	}
}

// BenchmarkEdit takes a tile away and puts it back by turns, at random places.
func BenchmarkEdit(b *testing.B) {
	for _, s := range scenes {
		for _, n := range []int32{100, 300} {
			f := newField(s.shape, n)
			r := rand.New(rand.NewPCG(3, 4))
			places := make([]int32, 4096)
			for i := range places {
				places[i] = r.Int32N(n * n)
			}
			b.Run(fmt.Sprintf("%s/%d/published", s.name, n), func(b *testing.B) {
				w := f.publish()
				b.ReportAllocs()
				k := 0
				for b.Loop() {
					i := places[k>>1&4095]
					if k&1 == 0 {
						w.Remove(f.cell(i), f.polys[i], 0)
					} else {
						w.Add(f.cell(i), f.polys[i], 0)
					}
					w.Compute()
					k++
				}
			})
			b.Run(fmt.Sprintf("%s/%d/gridseg", s.name, n), func(b *testing.B) {
				g, _ := f.lay(b, nil)
				b.ReportAllocs()
				k := 0
				for b.Loop() {
					i := places[k>>1&4095]
					var t gridseg.Tile
					if k&1 != 0 {
						t = f.tiles[i]
					}
					c := f.cell(i)
					if err := g.Set(c.X, c.Y, t); err != nil {
						b.Fatal(err)
					}
					g.Resolve()
					k++
				}
			})
		}
	}
}
