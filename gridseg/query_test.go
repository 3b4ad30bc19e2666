package gridseg

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestConcurrentQueries has readers beside each other, for the race detector, and
// compares their results with one alone.
func TestConcurrentQueries(t *testing.T) {
	g := New(nil)
	fillRamps(t, g, 40)
	g.Resolve()
	at := somewhere(60)[:200]
	ask := func() (out string) {
		for _, p := range at {
			near, ok := g.Nearest(p[0], p[1], math.Inf(1))
			hit, ok2 := g.RayCast(p[0], p[1], 20-p[0], 13-p[1])
			r := Rect{MinX: int32(p[0]) - 3, MinY: int32(p[1]) - 3, MaxX: int32(p[0]) + 3, MaxY: int32(p[1]) + 3}
			out += fmt.Sprint(near, ok, hit, ok2, g.SolidArea(r), g.Engine(lattice.Key{}).AnySolid(r))
		}
		return out + fmt.Sprint(g.Outlines(Rect{MinX: 3, MinY: 3, MaxX: 12, MaxY: 12}))
	}
	want := ask()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if ask() != want {
				t.Error("results differ")
			}
		})
	}
	wg.Wait()
}

// A room of three by two cells in a block, seen from outside and from within.
func ExampleGrid_Outlines() {
	g := New(nil)
	if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 4, MaxY: 3}, Tile{Shape: Full}); err != nil {
		fmt.Println(err)
	}
	if err := g.Fill(Rect{MinX: 1, MinY: 1, MaxX: 3, MaxY: 2}, Tile{}); err != nil {
		fmt.Println(err)
	}
	g.Resolve()
	for _, o := range g.Outlines(Rect{MinX: 0, MinY: 0, MaxX: 4, MaxY: 3}) {
		fmt.Println("hole:", o.Hole, "area:", o.Area.Cells(), "of", len(o.Segments), "segments")
	}
	// Without the left wall both are cut.
	for _, o := range g.Outlines(Rect{MinX: 1, MinY: 0, MaxX: 4, MaxY: 3}) {
		fmt.Println("closed:", o.Closed, len(o.Segments), "segments")
	}
	// Output:
	// hole: false area: 20 of 18 segments
	// hole: true area: 6 of 10 segments
	// closed: false 12 segments
	// closed: false 8 segments
}

func ExampleGrid_RayCast() {
	g := New(nil)
	if err := g.Set(4, 0, Tile{Shape: Ramp, Material: 7}); err != nil {
		fmt.Println(err)
	}
	g.Resolve()
	hit, ok := g.RayCast(0, 0.5, 9, 0)
	fmt.Printf("%v at (%v, %v), %.3f of the way, normal (%.3f, %.3f), material %d\n",
		ok, hit.X, hit.Y, hit.Fraction, hit.NX, hit.NY, hit.Segment.Tile.Material)
	_, ok = g.RayCast(9, 0.5, -3.5, 0) // too short
	fmt.Println(ok)
	// Output:
	// true at (4.5, 0.5), 0.500 of the way, normal (-0.707, 0.707), material 7
	// false
}

func ExampleGrid_Nearest() {
	g := New(nil)
	if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 9, MaxY: 0}, Tile{Shape: Slab}); err != nil {
		fmt.Println(err)
	}
	g.Resolve()
	n, ok := g.Nearest(3.25, 2, 5)
	fmt.Println(ok, n.X, n.Y, n.Distance, n.Segment.ID.Cell, n.Solid)
	_, ok = g.Nearest(3.25, 2, 1)
	fmt.Println(ok)
	// Output:
	// true 3.25 0.5 1.5 {3 0} false
	// false
}

// A tower is copied, laid on its side and moved.
func ExampleStamp() {
	g := New(nil)
	if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 2}, Tile{Shape: Full}); err != nil {
		fmt.Println(err)
	}
	if err := g.Set(0, 3, Tile{Shape: Ramp}); err != nil {
		fmt.Println(err)
	}
	tower, err := g.Copy(Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 3})
	if err != nil {
		fmt.Println(err)
	}
	fallen, err := tower.Turned(3) // a quarter turn clockwise
	if err != nil {
		fmt.Println(err)
	}
	if err := g.Place(10, 0, fallen); err != nil {
		fmt.Println(err)
	}
	if err := g.Move(Rect{MinX: 10, MinY: 0, MaxX: 13, MaxY: 0}, 1, 0); err != nil {
		fmt.Println(err)
	}
	for c, t := range g.Tiles(Rect{MinX: 5, MinY: 0, MaxX: 20, MaxY: 5}) {
		fmt.Println(c, g.Shapes().Name(t.Shape), t.Turn)
	}
	fmt.Println(g.SolidArea(Rect{MinX: 0, MinY: 0, MaxX: 20, MaxY: 5}).Cells())
	// Output:
	// {11 0} full 3
	// {12 0} full 3
	// {13 0} full 3
	// {14 0} ramp 3
	// 7
}
