package quarry

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// fallingGrounds returns a world in which 1,000 grounds of 10 x 5 tiles, or boxes of that size, turned at random,
// fall on steps or hills of tiles.
func fallingGrounds(b *testing.B, hills, tiles bool) *World {
	w := NewWorld(Config{Gravity: geom.V(0, -10), Workers: 1})
	g := gridseg.New(nil)
	height := int32(0)
	for x := range int32(700) {
		switch rising := x/12%4 == 0; {
		case !hills:
			height = x / 40 % 3
		case rising || x/12%4 == 2 && height > 0:
			tile := gridseg.Tile{Shape: gridseg.Ramp}
			if !rising {
				tile.Turn = 4 // mirrored
				height--
			}
			_ = g.Set(x, height+1, tile)
			_ = g.Fill(gridseg.Rect{MinX: x, MinY: -4, MaxX: x, MaxY: height}, gridseg.Tile{Shape: gridseg.Full})
			if rising {
				height++
			}
			continue
		}
		_ = g.Fill(gridseg.Rect{MinX: x, MinY: -4, MaxX: x, MaxY: height}, gridseg.Tile{Shape: gridseg.Full})
	}
	if _, err := w.AddGround(0, GroundDef{Grid: g}); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		p := geom.V(float64(i%50)*13+10, 25+float64(i/50)*12)
		id := w.AddBody(BodyDef{Type: Dynamic, Position: p, Angle: 7 * r.Float64()})
		if !tiles {
			w.AddShape(id, geom.NewBox(5, 2.5), ShapeDef{})
			continue
		}
		// The body's origin is not at a corner, as a turned ground would then be elsewhere than the box.
		g := gridseg.New(nil)
		_ = g.Fill(gridseg.Rect{MinX: -5, MinY: -2, MaxX: 4, MaxY: 2}, gridseg.Tile{Shape: gridseg.Full})
		if _, err := w.AddGround(id, GroundDef{Grid: g}); err != nil {
			b.Fatal(err)
		}
	}
	return w
}

// BenchmarkFallingGrounds is a step of the world of fallingGrounds, over the first 600 steps, in which they fall and
// come to rest.
func BenchmarkFallingGrounds(b *testing.B) {
	for _, terrain := range []string{"steps", "hills"} {
		for _, tiles := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/tiles=%v", terrain, tiles), func(b *testing.B) {
				b.ReportAllocs()
				k := 600
				var w *World
				for b.Loop() {
					if k == 600 {
						b.StopTimer()
						k = 0
						w = fallingGrounds(b, terrain == "hills", tiles)
						b.StartTimer()
					}
					w.Step(1.0 / 60)
					k++
				}
			})
		}
	}
}

// tileBlock returns a grid of w by h full blocks.
func tileBlock(w, h int32) *gridseg.Grid {
	g := gridseg.New(nil)
	_ = g.Fill(gridseg.Rect{MaxX: w - 1, MaxY: h - 1}, gridseg.Tile{Shape: gridseg.Full})
	return g
}

// slab adds a ground of 100 x 100 tiles on a dynamic body that hangs in a world without gravity, with one step made.
func slab(b *testing.B) (*World, Ground) {
	w := NewWorld(Config{Workers: 1})
	body := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(3, 4), Angle: 0.3, AngularVelocity: 1e-3, NoSleep: true})
	id, err := w.AddGround(body, GroundDef{Grid: tileBlock(100, 100)})
	if err != nil {
		b.Fatal(err)
	}
	w.Step(1.0 / 60)
	g, _ := w.Ground(id)
	return w, g
}

// BenchmarkBreakDig digs a block out of a moving ground of 10,000 tiles, which does not break, or puts one back. Then a
// step is made; "step" is such a step without an edit before it.
func BenchmarkBreakDig(b *testing.B) {
	for _, c := range []struct {
		name       string
		edit, step bool
	}{{"edit", true, false}, {"edit+step", true, true}, {"step", false, true}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			w, g := slab(b)
			k := int32(0)
			for b.Loop() {
				x := (k / 2 * 37) % 100
				t := gridseg.Tile{Shape: gridseg.Full}
				if k++; k&1 == 1 {
					t = gridseg.Tile{}
				}
				if c.edit {
					if err := g.Set(x, 50, t); err != nil {
						b.Fatal(err)
					}
				}
				if c.step {
					if w.Step(1.0 / 60); len(w.Breaks()) > 0 {
						b.Fatal(w.Breaks())
					}
				}
			}
		})
	}
}

// BenchmarkBreakHalve digs the last block of a cut through a moving ground of 10,000 tiles and makes the step that
// halves it. In "warm", the world is the same in each round, and has gone back to the moment before by Rewind.
func BenchmarkBreakHalve(b *testing.B) {
	cut := func(b *testing.B) (*World, Ground) {
		w, g := slab(b)
		if err := g.Fill(gridseg.Rect{MinX: 50, MinY: 0, MaxX: 50, MaxY: 98}, gridseg.Tile{}); err != nil {
			b.Fatal(err)
		}
		w.Step(1.0 / 60)
		return w, g
	}
	halve := func(b *testing.B, w *World, g Ground) {
		if err := g.Clear(50, 99); err != nil {
			b.Fatal(err)
		}
		if w.Step(1.0 / 60); len(w.Breaks()) != 1 || w.Breaks()[0].Area != 4900 {
			b.Fatal(w.Breaks())
		}
	}
	b.Run("cold", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			w, g := cut(b)
			b.StartTimer()
			halve(b, w, g)
		}
	})
	b.Run("warm", func(b *testing.B) {
		b.ReportAllocs()
		w, g := cut(b)
		var s Snapshot
		w.Capture(&s)
		for b.Loop() {
			b.StopTimer()
			w.Rewind(&s)
			w.breakGrounds() // the parts of the tiles that Rewind has put back
			b.StartTimer()
			halve(b, w, g)
		}
	})
}

// BenchmarkBreakMillion makes the step in which a part of a million tiles comes off static ground: the longest that one
// of 64 parts takes.
func BenchmarkBreakMillion(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		w := NewWorld(Config{Workers: 1})
		id, err := w.AddGround(0, GroundDef{
			Grid: tileBlock(1000, 1002), Breaks: true,
			Anchors: []gridseg.Rect{{MaxX: 999}},
		})
		if err != nil {
			b.Fatal(err)
		}
		w.Step(1.0 / 60)
		g, _ := w.Ground(id)
		if err := g.Fill(gridseg.Rect{MinX: 1, MinY: 1, MaxX: 999, MaxY: 1}, gridseg.Tile{}); err != nil {
			b.Fatal(err)
		}
		w.Step(1.0 / 60)
		b.StartTimer()
		if err := g.Clear(0, 1); err != nil {
			b.Fatal(err)
		}
		if w.Step(1.0 / 60); len(w.Breaks()) != 1 || w.Breaks()[0].Area != 1e6 {
			b.Fatal(w.Breaks())
		}
	}
}

// BenchmarkPairs measures steps in which contacts begin and end, in a gas of 4,000 elastic discs: contacts are added,
// removed, and moved in memory. Once warm they allocate nothing.
func BenchmarkPairs(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			w := NewWorld(Config{NoSleep: true, Workers: workers})
			elastic := ShapeDef{Material: w.AddMaterial(Material{Restitution: 1})}
			for i := range 4000 {
				x, y := i%64, i/64
				id := w.AddBody(BodyDef{
					Type: Dynamic, Position: geom.V(float64(x), float64(y)),
					Velocity: geom.V(float64(i*37%41-20), float64(i*53%41-20)),
				})
				w.AddShape(id, geom.Circle{Radius: 0.3}, elastic)
			}
			walls := w.AddBody(BodyDef{})
			for _, side := range [][2]geom.Vec{
				{geom.V(-1, -1), geom.V(65, -1)},
				{geom.V(65, -1), geom.V(65, 64)},
				{geom.V(65, 64), geom.V(-1, 64)},
				{geom.V(-1, 64), geom.V(-1, -1)},
			} {
				w.AddShape(walls, geom.Segment{A: side[0], B: side[1]}, elastic)
			}
			for range 300 {
				w.Step(1. / 60)
			}
			begun := 0
			b.ReportAllocs()
			for b.Loop() {
				w.Step(1. / 60)
				begun += len(w.ContactBegins())
			}
			b.ReportMetric(float64(begun)/float64(b.N), "begun/op")
		})
	}
}
