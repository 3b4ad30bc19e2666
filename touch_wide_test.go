package quarry_test

import (
	"slices"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// dotted returns a world whose ground has one block in four cells, in a square about the
// origin, and a box of a half-size in the middle of it.
func dotted(t *testing.T, half int32) *quarry.World {
	w := newWorld()
	grid := gridseg.New(nil)
	for y := -2 * half; y < 2*half; y += 2 {
		for x := -2 * half; x < 2*half; x += 2 {
			if err := grid.Set(x, y, gridseg.Tile{Shape: gridseg.Full}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
		t.Fatal(err)
	}
	add(w, geom.V(1.3, 0.6), geom.NewBox(float64(half), float64(half)))
	return w
}

// TestWideShapeIsLinear: the time of a step of a large shape in broken ground is in proportion
// to the cells under it. Each of its points, 16,000 at a half-size of 80, was searched for
// among all the others: 16 times the cells took more than 250 times as long, 4.5 s a step.
func TestWideShapeIsLinear(t *testing.T) {
	cost := func(half int32) time.Duration {
		w := dotted(t, half)
		w.Step(dt)
		var all []time.Duration
		for range 5 {
			from := time.Now()
			w.Step(dt)
			all = append(all, time.Since(from))
		}
		if n := w.Stats().Points; n < int(2*half*half) {
			t.Fatalf("half-size %d: %d points", half, n)
		}
		return slices.Min(all)
	}
	small, large := cost(20), cost(80)
	t.Logf("half-size 20: %v, 80: %v, %d ns a cell", small, large, large.Nanoseconds()/(4*80*80))
	if ratio := float64(large) / float64(small); ratio > 64 {
		t.Errorf("16 times the cells take %.0f times as long", ratio)
	}
}

// TestHugeShapeOverSparseGround: a step of a shape of half-size 100,000 over 400 blocks that
// are 10,000 apart costs no more than the contacts with the blocks. It took 4.3 s: each of a
// thousand places was checked for room for the shape, through all chunks of the world.
func TestHugeShapeOverSparseGround(t *testing.T) {
	w := newWorld()
	grid := gridseg.New(nil)
	for x := range int32(100) {
		for y := range int32(100) {
			if err := grid.Set(10000*x, 10000*y, gridseg.Tile{Shape: gridseg.Full}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
		t.Fatal(err)
	}
	b := add(w, geom.V(1234, 200000), geom.NewBox(1e5, 1e5))
	for _, v := range []geom.Vec{{}, {Y: -400}} {
		b.SetVelocity(v)
		from := time.Now()
		w.Step(dt)
		took := time.Since(from)
		t.Logf("at %v: %v", v, took)
		if took > 200*time.Millisecond {
			t.Errorf("a step at %v takes %v", v, took)
		}
	}
}
