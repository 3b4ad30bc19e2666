package gridseg

import (
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// slab returns a block of 100 x 100 tiles, whose parts are known.
func slab(tb testing.TB) (*Grid, *Parts) {
	g := New(nil)
	if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 99, MaxY: 99}, Tile{Shape: Full}); err != nil {
		tb.Fatal(err)
	}
	g.Engine(lattice.Key{}).TrackMoments()
	g.Resolve()
	p := g.Parts()
	if p.len() != 1 {
		tb.Fatal(p.len())
	}
	return g, p
}

// BenchmarkPartsDig digs a block out of 10,000 and puts it back: two edits, without a break.
func BenchmarkPartsDig(b *testing.B) {
	b.ReportAllocs()
	g, p := slab(b)
	var list []Part
	x := int32(0)
	for b.Loop() {
		x = (x + 37) % 100
		for _, t := range []Tile{{}, {Shape: Full}} {
			if err := g.Set(x, 50, t); err != nil {
				b.Fatal(err)
			}
			g.Resolve()
			if list = p.allLoose(list[:0]); len(list) != 0 {
				b.Fatal(list)
			}
		}
	}
}

// BenchmarkPartsHalve digs the last block of a cut through 10,000, and takes one half out.
func BenchmarkPartsHalve(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		g, p := slab(b)
		if err := g.Fill(Rect{MinX: 50, MinY: 0, MaxX: 50, MaxY: 98}, Tile{}); err != nil {
			b.Fatal(err)
		}
		g.Resolve()
		if p.len() != 1 {
			b.Fatal(p.len())
		}
		b.StartTimer()
		if err := g.Clear(50, 99); err != nil {
			b.Fatal(err)
		}
		g.Resolve()
		list := p.allLoose(nil)
		if len(list) != 1 || list[0].Area != 4900*cellArea {
			b.Fatal(list)
		}
		half := p.Extract(list)[0]
		half.Engine(lattice.Key{}).TrackMoments()
		half.Resolve()
		g.Resolve()
		if p.len() != 1 {
			b.Fatal(p.len())
		}
	}
}

// BenchmarkPartsBuild finds the parts of a million blocks.
func BenchmarkPartsBuild(b *testing.B) {
	g := New(nil)
	if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 999, MaxY: 999}, Tile{Shape: Full}); err != nil {
		b.Fatal(err)
	}
	g.Resolve()
	b.ReportAllocs()
	for b.Loop() {
		g.parts = nil
		if n := g.Parts().len(); n != 1 {
			b.Fatal(n)
		}
	}
}

// TestPartsNoAllocation: once warm, edits of tiles cost Parts no memory, whether they break the grid or not,
// and chunks come and go.
func TestPartsNoAllocation(t *testing.T) {
	g, p := slab(t)
	if err := g.Fill(Rect{MinX: 50, MinY: 0, MaxX: 50, MaxY: 98}, Tile{}); err != nil {
		t.Fatal(err)
	}
	list := make([]Part, 0, 8)
	x := int32(0)
	step := func() {
		x = (x + 37) % 100
		for _, t := range []Tile{{}, {Shape: Full}} {
			_ = g.Set(x, 40, t)
			g.Resolve()
			list = p.allLoose(list[:0])
			_ = g.Set(50, 99, t)
			_ = g.Set(200, 200, t)
			g.Resolve()
			list = p.allLoose(list[:0])
		}
	}
	for range 200 {
		step()
	}
	if n := testing.AllocsPerRun(200, step); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
