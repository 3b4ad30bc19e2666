// Package gridtest makes random grounds and shapes for tests of the packages below quarry.
package gridtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Grounds are grids that bodies are laid on, all solid below y = 0 or, for
// the slope, below y = x.
var Grounds = map[string]func(g *gridseg.Grid){
	"flat": func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -8, MaxX: 400, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
	},
	"slope": func(g *gridseg.Grid) {
		for x := int32(-64); x < 64; x++ {
			_ = g.Set(x, x, gridseg.Tile{Shape: gridseg.Ramp})
			_ = g.Fill(gridseg.Rect{MinX: x, MinY: x - 8, MaxX: x, MaxY: x - 1}, gridseg.Tile{Shape: gridseg.Full})
		}
	},
	// Blocks of two layers in turn, which preserve each other.
	"layers": func(g *gridseg.Grid) {
		_ = g.Preserve(0, 1)
		for x := int32(-400); x <= 400; x++ {
			_ = g.Fill(gridseg.Rect{MinX: x, MinY: -8, MaxX: x, MaxY: -1},
				gridseg.Tile{Shape: gridseg.Full, Layer: uint8(x & 1)})
		}
	},
	// A platform of tiles of material 1, which is one-way.
	"platform": func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -1, MaxX: 400, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full, Material: 1})
	},
	// The same on solid ground.
	"planks": func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -8, MaxX: 400, MaxY: -2}, gridseg.Tile{Shape: gridseg.Full})
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -1, MaxX: 400, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full, Material: 1})
	},
	// Pillars with gaps between them.
	"comb": func(g *gridseg.Grid) {
		for x := int32(-400); x <= 400; x += 2 {
			_ = g.Fill(gridseg.Rect{MinX: x, MinY: -8, MaxX: x, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
		}
	},
	// Blocks, ramps and slabs of one layer, all of whose highest points are at 0.
	"bumpy": func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -8, MaxX: 400, MaxY: -2}, gridseg.Tile{Shape: gridseg.Full})
		r := rand.New(rand.NewPCG(1, 2))
		for x := int32(-400); x < 400; x++ {
			k := r.IntN(4)
			if x == 0 {
				k = 0
			}
			switch k {
			case 0:
				_ = g.Set(x, -1, gridseg.Tile{Shape: gridseg.Full})
			case 1:
				_ = g.Set(x, -1, gridseg.Tile{Shape: gridseg.Ramp})
			case 2:
				_ = g.Set(x, -1, gridseg.Tile{Shape: gridseg.Slab})
			}
		}
	},
}

// Size is the side of the ground of Ground, in cells.
const Size = 40

// Ground makes random ground with its lower left cell at o.
func Ground(t testing.TB, r *rand.Rand, o gridseg.Cell, preserve bool) *gridseg.Grid {
	g := gridseg.New(nil)
	if preserve {
		if err := g.Preserve(0, 1); err != nil {
			t.Fatal(err)
		}
	}
	height := int32(Size / 2)
	for x := range int32(Size) {
		if r.IntN(3) == 0 {
			height = max(1, min(Size-1, height+r.Int32N(5)-2))
		}
		_ = g.Fill(gridseg.Rect{MinX: o.X + x, MinY: o.Y, MaxX: o.X + x, MaxY: o.Y + height - 1}, tile(r, gridseg.Full))
	}
	edits := 200
	if r.IntN(3) == 0 { // a comb, more or less, with battlements beside it
		edits = 10
		for x := range int32(Size) {
			high := Size/2 + min(0, r.Int32N(3)-1)*r.Int32N(6)
			_ = g.Fill(gridseg.Rect{MinX: o.X + x, MinY: o.Y, MaxX: o.X + x, MaxY: o.Y + Size}, gridseg.Tile{})
			_ = g.Fill(gridseg.Rect{MinX: o.X + x, MinY: o.Y, MaxX: o.X + x, MaxY: o.Y + high - 1},
				tile(r, gridseg.Full))
		}
		for y := range int32(Size / 2) {
			if r.IntN(2) == 0 {
				_ = g.Fill(gridseg.Rect{MinX: o.X, MinY: o.Y + y, MaxX: o.X + 2, MaxY: o.Y + y}, gridseg.Tile{})
			}
		}
	}
	if r.IntN(3) == 0 { // flat, of one layer or the other, with planks and platforms of one material
		edits = 10
		_ = g.Fill(gridseg.Rect{MinX: o.X, MinY: o.Y, MaxX: o.X + Size, MaxY: o.Y + Size}, gridseg.Tile{})
		for x := range int32(Size) {
			_ = g.Fill(gridseg.Rect{MinX: o.X + x, MinY: o.Y, MaxX: o.X + x, MaxY: o.Y + 15},
				gridseg.Tile{Shape: gridseg.Full, Layer: uint8(r.IntN(2))})
		}
		for range r.IntN(3) {
			x, y := o.X+r.Int32N(10), o.Y+16+r.Int32N(3)*r.Int32N(5)
			_ = g.Fill(gridseg.Rect{MinX: x, MinY: y, MaxX: x + 10 + r.Int32N(20), MaxY: y},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(1 + r.IntN(2))})
		}
	}
	for range r.IntN(edits) {
		Edit(r, g, o)
	}
	g.Resolve()
	return g
}

// tile returns a tile of the shape; one in seven is of one of the materials and
// layers that are not common.
func tile(r *rand.Rand, shape gridseg.ShapeID) gridseg.Tile {
	t := gridseg.Tile{Shape: shape, User: r.Uint32N(3)}
	if shape != gridseg.Full {
		t.Turn = gridseg.Turn(r.IntN(8))
	}
	if r.IntN(7) == 0 {
		t.Material, t.Layer = uint16(r.IntN(4)), uint8(r.IntN(2))
	}
	return t
}

// Edit makes one edit; it may be refused.
func Edit(r *rand.Rand, g *gridseg.Grid, o gridseg.Cell) {
	x, y := o.X+r.Int32N(Size), o.Y+r.Int32N(Size)
	switch k := r.IntN(40); {
	case k < 12:
		_ = g.Clear(x, y)
	case k < 30:
		_ = g.Set(x, y, tile(r, gridseg.ShapeID(1+r.IntN(5))))
	case k < 34:
		_ = g.Fill(gridseg.Rect{MinX: x, MinY: y, MaxX: x + r.Int32N(6), MaxY: y + r.Int32N(3)}, tile(r, gridseg.Full))
	case k < 36:
		q := int64(gridseg.Unit / 4)
		a := gridseg.Point{X: q * r.Int64N(3), Y: q * r.Int64N(3)}
		_ = g.Add(x, y, [][]gridseg.Point{{a, {X: a.X + q, Y: a.Y}, {X: a.X, Y: a.Y + q}}},
			gridseg.Attr{Material: uint16(r.IntN(4))})
	default:
		fx, fy := float64(x)+r.Float64(), float64(y)+r.Float64()
		loops, err := gridseg.Capsule(fx, fy, fx+3*r.Float64(), fy+r.Float64(), 0.1+r.Float64())
		if err != nil {
			return
		}
		if r.IntN(2) == 0 {
			_ = g.Subtract(loops)
		} else {
			_ = g.Unite(loops, gridseg.Attr{Material: uint16(r.IntN(4))})
		}
	}
}

// Shape returns a shape of 0.1 to 20 cells.
func Shape(r *rand.Rand) geom.Shape {
	size := 0.05 * math.Pow(200, r.Float64()) // half of it
	if r.IntN(3) == 0 {
		size = []float64{0.05, 0.25, 0.5, 1, 5, 10}[r.IntN(6)]
	}
	thin := max(0.01, size*[]float64{1, 0.5, 0.1, 0.02}[r.IntN(4)])
	switch r.IntN(6) {
	case 0:
		return geom.Circle{Center: geom.V(size*r.Float64(), 0), Radius: size}
	case 1:
		return geom.Capsule{A: geom.V(-size, 0), B: geom.V(size, 0), Radius: thin}
	case 2:
		return geom.NewRoundedBox(size, thin, 0.2*thin)
	case 3:
		return geom.Segment{A: geom.V(-size, 0), B: geom.V(size, 0.1*size)}
	case 4:
		p, err := geom.NewPolygon([]geom.Vec{geom.V(-size, -thin), geom.V(size, -thin), geom.V(0.3*size, thin)}, 0)
		if err == nil {
			return p
		}
	}
	return geom.NewBox(size, thin)
}
