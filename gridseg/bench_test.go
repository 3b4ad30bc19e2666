package gridseg

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The scenes of the publication: a square field of blocks, and one of ramps turned
// at random.

func fillRamps(tb testing.TB, g *Grid, n int32) {
	r := rand.New(rand.NewPCG(1, 2))
	for y := range n {
		for x := range n {
			if err := g.Set(x, y, Tile{Shape: Ramp, Turn: Turn(r.IntN(4))}); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

func BenchmarkFullBlockFill(b *testing.B) {
	for _, n := range []int32{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			shapes := NewShapes()
			for b.Loop() {
				g := New(shapes)
				if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: n - 1, MaxY: n - 1}, Tile{Shape: Full}); err != nil {
					b.Fatal(err)
				}
				if d := g.Resolve(); count(d) != int(4*n) {
					b.Fatal(count(d))
				}
			}
		})
	}
}

func BenchmarkFullBlockSet(b *testing.B) {
	const n = 100
	b.ReportAllocs()
	shapes := NewShapes()
	for b.Loop() {
		g := New(shapes)
		for y := range int32(n) {
			for x := range int32(n) {
				if err := g.Set(x, y, Tile{Shape: Full}); err != nil {
					b.Fatal(err)
				}
			}
		}
		if d := g.Resolve(); count(d) != 4*n {
			b.Fatal(count(d))
		}
	}
}

func BenchmarkRampSet(b *testing.B) {
	b.ReportAllocs()
	shapes := NewShapes()
	for b.Loop() {
		g := New(shapes)
		fillRamps(b, g, 100)
		if d := g.Resolve(); count(d) < 10000 {
			b.Fatal(count(d))
		}
	}
}

// BenchmarkRampWarm rebuilds the same field in a grid that has its memory.
func BenchmarkRampWarm(b *testing.B) {
	b.ReportAllocs()
	g := New(nil)
	for b.Loop() {
		fillRamps(b, g, 100)
		g.Resolve()
		if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 99, MaxY: 99}, Tile{}); err != nil {
			b.Fatal(err)
		}
		g.Resolve()
	}
}

// BenchmarkEdit makes one edit with its Resolve in a field of blocks, of ramps, and of slabs, whose forms are
// not plain: by turns a tile goes and comes back, each at a place of its own.
func BenchmarkEdit(b *testing.B) {
	for _, shape := range []ShapeID{Full, Ramp, Slab} {
		for _, n := range []int32{100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", NewShapes().Name(shape), n), func(b *testing.B) {
				g := New(nil)
				if shape != Ramp {
					if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: n - 1, MaxY: n - 1}, Tile{Shape: shape}); err != nil {
						b.Fatal(err)
					}
				} else {
					fillRamps(b, g, n)
				}
				g.Resolve()
				r := rand.New(rand.NewPCG(3, 4))
				places := make([]Cell, 4096)
				for i := range places {
					places[i] = Cell{X: r.Int32N(n), Y: r.Int32N(n)}
				}
				b.ReportAllocs()
				k := 0
				for b.Loop() {
					p := places[k>>1&4095]
					t := Tile{}
					if k&1 != 0 {
						t = Tile{Shape: shape, Turn: Turn(k >> 1 & 3)}
					}
					if err := g.Set(p.X, p.Y, t); err != nil {
						b.Fatal(err)
					}
					g.Resolve()
					k++
				}
			})
		}
	}
}

// BenchmarkQuery reads the segments that a body of two cells would ask for.
func BenchmarkQuery(b *testing.B) {
	g := New(nil)
	fillRamps(b, g, 100)
	g.Resolve()
	var dst []Segment
	b.ReportAllocs()
	k := int32(0)
	for b.Loop() {
		x, y := k%97, k/97%97
		dst = g.AppendSegments(dst[:0], Rect{MinX: x, MinY: y, MaxX: x + 2, MaxY: y + 2})
		k++
	}
}
