package gridseg

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkCrater digs a round hole in a field and fills it again, each with its Resolve.
func BenchmarkCrater(b *testing.B) {
	for _, radius := range []float64{.3, 1.5, 6} {
		b.Run(fmt.Sprint(radius), func(b *testing.B) {
			g := New(nil)
			if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 99, MaxY: 99}, Tile{Shape: Full}); err != nil {
				b.Fatal(err)
			}
			g.Resolve()
			r := rand.New(rand.NewPCG(3, 4))
			b.ReportAllocs()
			for b.Loop() {
				hole, err := Circle(10+80*r.Float64(), 10+80*r.Float64(), radius)
				if err != nil {
					b.Fatal(err)
				}
				if err := g.Subtract(hole); err != nil {
					b.Fatal(err)
				}
				g.Resolve()
				if err := g.Unite(hole, Attr{}); err != nil {
					b.Fatal(err)
				}
				g.Resolve()
			}
		})
	}
}

// BenchmarkDig drags a brush through a field, so that every stroke cuts the remains of
// the stroke before.
func BenchmarkDig(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	b.ReportAllocs()
	for b.Loop() {
		g := New(nil)
		if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 39, MaxY: 39}, Tile{Shape: Full}); err != nil {
			b.Fatal(err)
		}
		g.Resolve()
		for range 200 {
			hole, err := Circle(40*r.Float64(), 40*r.Float64(), 1)
			if err != nil {
				b.Fatal(err)
			}
			if err := g.Subtract(hole); err != nil {
				b.Fatal(err)
			}
			g.Resolve()
		}
	}
}

// BenchmarkDisc makes a round hill of a hundred thousand cells on empty ground.
func BenchmarkDisc(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		g := New(nil)
		disc, err := Circle(.5, .5, 180)
		if err != nil {
			b.Fatal(err)
		}
		if err := g.Unite(disc, Attr{}); err != nil {
			b.Fatal(err)
		}
		g.Resolve()
	}
}

// BenchmarkAdd adds a polygon beside a slab and removes it, each with its Resolve.
func BenchmarkAdd(b *testing.B) {
	g := New(nil)
	if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 99, MaxY: 99}, Tile{Shape: Slab}); err != nil {
		b.Fatal(err)
	}
	g.Resolve()
	crate := [][]Point{{{X: 1000, Y: Unit / 2}, {X: 2000, Y: Unit / 2}, {X: 2000, Y: 3000}, {X: 1000, Y: 3000}}}
	r := rand.New(rand.NewPCG(3, 4))
	b.ReportAllocs()
	for b.Loop() {
		x, y := r.Int32N(100), r.Int32N(100)
		if err := g.Add(x, y, crate, Attr{}); err != nil {
			b.Fatal(err)
		}
		g.Resolve()
		if err := g.Remove(x, y, crate); err != nil {
			b.Fatal(err)
		}
		g.Resolve()
	}
}
