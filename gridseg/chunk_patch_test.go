package gridseg

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// samePolygons compares the polygons that a cell of g yields with parts, in any order.
func samePolygons(g *Grid, c Cell, parts []part) bool {
	n := 0
	for t, loops := range g.Polygons(c.X, c.Y) {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.tile == t && sameLoops(p.loops, loops) }) {
			return false
		}
		n++
	}
	return n == len(parts)
}

// anyLoops draws a polygon of a cell, in eighths so that they meet.
func anyLoops() *rapid.Generator[[][]Point] {
	return rapid.Custom(func(t *rapid.T) [][]Point {
		at := func(name string, most int) int64 { return int64(rapid.IntRange(0, most).Draw(t, name)) * Unit / 8 }
		x, y := at("x", 7), at("y", 7)
		w, h := min(at("w", 7)+Unit/8, Unit-x), min(at("h", 7)+Unit/8, Unit-y)
		box := []Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}
		switch rapid.IntRange(0, 4).Draw(t, "polygon") {
		case 0:
			return [][]Point{box}
		case 1: // with a hole
			return [][]Point{box, {{X: x + w/4, Y: y + h/4}, {X: x + w/4, Y: y + h/2}, {X: x + w/2, Y: y + h/4}}}
		case 2: // with a hole that touches the outline
			return [][]Point{box, {{X: x, Y: y + h/2}, {X: x + w/2, Y: y + h/2}, {X: x + w/2, Y: y + h/4}}}
		case 3: // two parts that touch in a corner
			return [][]Point{
				{{X: x, Y: y}, {X: x + w/2, Y: y}, {X: x + w/2, Y: y + h/2}},
				{{X: x + w/2, Y: y + h/2}, {X: x + w, Y: y + h/2}, {X: x + w, Y: y + h}, {X: x + w/2, Y: y + h}},
			}
		}
		k := rapid.IntRange(0, 3).Draw(t, "cut")
		return [][]Point{slices.Delete(box, k, k+1)}
	})
}

func anyAttr(t *rapid.T) Attr {
	return Attr{
		Layer:    uint8(rapid.IntRange(0, 2).Draw(t, "layer")),
		Material: uint16(rapid.IntRange(0, 1).Draw(t, "material")),
		User:     uint32(rapid.IntRange(0, 1).Draw(t, "user")),
	}
}

// TestPatchLaws is TestLaws for cells of several polygons, among tiles.
func TestPatchLaws(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g, w := anyGrid(t, shapes)
		m := mirror{}
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		var edited []Rect
		for range rapid.IntRange(1, 40).Draw(t, "edits") {
			c := Cell{X: o.X + int32(rapid.IntRange(0, 1).Draw(t, "x")), Y: o.Y + int32(rapid.IntRange(0, 1).Draw(t,
				"y"))}
			hash := g.Hash()
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 6:
				vacate(t, g, m, w, rapid.SampledFrom([]Rect{everywhere, chunkOf(c)}).Draw(t, "what"))
				edited = edited[:0]
				continue
			case 0:
				tile := anyTile(shapes).Draw(t, "tile")
				if err := g.Set(c.X, c.Y, tile); err != nil {
					t.Fatal(err)
				}
				w.set(c, tile)
			case 1:
				ps := w.partsOf(c)
				if len(ps) == 0 {
					continue
				}
				k := rapid.IntRange(0, len(ps)-1).Draw(t, "which")
				turned := slices.Clone(ps[k].loops)
				turned[0] = slices.Concat(turned[0][1:], turned[0][:1])
				slices.Reverse(turned)
				if err := g.Remove(c.X, c.Y, turned); err != nil {
					t.Fatal(err)
				}
				w.lay(c, slices.Concat(ps[:k], ps[k+1:]))
			default:
				loops, a := anyLoops().Draw(t, "loops"), anyAttr(t)
				switch err := g.Add(c.X, c.Y, loops, a); {
				case err == nil:
					tile := Tile{Layer: a.Layer, Material: a.Material, User: a.User}
					w.lay(c, append(slices.Clone(w.partsOf(c)), part{tile, loops}))
				case !errors.Is(err, ErrOverlap):
					t.Fatal(err)
				case g.Hash() != hash:
					t.Fatal("refused, yet done")
				}
			}
			edited = append(edited, Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y})
			m.equals(t, g)
			if rapid.IntRange(0, 2).Draw(t, "resolve") > 0 {
				d := g.Resolve()
				m.take(t, &d)
				m.equals(t, g)
				w.check(t, g)
				checkLocal(t, &d, edited)
				edited = edited[:0]
			}
		}
		d := g.Resolve()
		m.take(t, &d)
		w.check(t, g)
		checkFresh(t, g, w)
		checkEmptied(t, g, m, w)
	})
}

// TestAddOverlap compares the refusals of Add with a separating-axis test of two
// triangles.
func TestAddOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		triangle := func(name string) []Point {
			for {
				p := make([]Point, 3)
				for i := range p {
					p[i] = Point{
						X: int64(rapid.IntRange(0, 6).Draw(t, name+" x")) * 512,
						Y: int64(rapid.IntRange(0, 6).Draw(t, name+" y")) * 512,
					}
				}
				turn := (p[1].X-p[0].X)*(p[2].Y-p[0].Y) - (p[1].Y-p[0].Y)*(p[2].X-p[0].X)
				if turn < 0 {
					p[1], p[2] = p[2], p[1]
				}
				if turn != 0 {
					return p
				}
				t.Skip("flat")
			}
		}
		p, q := triangle("p"), triangle("q")
		apart := func(p, q []Point) bool {
			for i := range p {
				a, b := p[i], p[(i+1)%3]
				if !slices.ContainsFunc(q, func(c Point) bool { return (b.X-a.X)*(c.Y-a.Y)-(b.Y-a.Y)*(c.X-a.X) > 0 }) {
					return true
				}
			}
			return false
		}
		g := New(nil)
		if err := g.Add(0, 0, [][]Point{p}, Attr{}); err != nil {
			t.Fatal(err)
		}
		err := g.Add(0, 0, [][]Point{q}, Attr{})
		if free := apart(p, q) || apart(q, p); free != (err == nil) || err != nil && !errors.Is(err, ErrOverlap) {
			t.Fatalf("%v and %v: apart %v, Add says %v", p, q, free, err)
		}
	})
}

func TestAddRefuses(t *testing.T) {
	const u = Unit
	box := []Point{{X: 0, Y: 0}, {X: u / 2, Y: 0}, {X: u / 2, Y: u / 2}, {X: 0, Y: u / 2}}
	many := make([]Point, lattice.MaxPatch+1)
	g := New(nil)
	if err := g.Set(7, -3, Tile{Shape: Ramp, Turn: 2}); err != nil { // (u, u) (0, u) (0, 0)
		t.Fatal(err)
	}
	g.Resolve()
	hash := g.Hash()
	for _, c := range []struct {
		name  string
		loops [][]Point
		kind  error
	}{
		{"nothing", nil, lattice.ErrDegenerate},
		{"two vertices", [][]Point{box[:2]}, lattice.ErrDegenerate},
		{"many", [][]Point{many}, ErrTooLarge},
		{"outside", [][]Point{{{X: 0, Y: 0}, {X: u + 1, Y: 0}, {X: u, Y: u}}}, lattice.ErrOutside},
		{"below", [][]Point{{{X: 0, Y: 0}, {X: u, Y: -1}, {X: u, Y: u}}}, lattice.ErrOutside},
		{"clockwise", [][]Point{{{X: 0, Y: 0}, {X: u, Y: u}, {X: u, Y: 0}}}, lattice.ErrClockwise},
		{"eight", [][]Point{{{X: 0, Y: 0}, {X: u, Y: u}, {X: u, Y: 0}, {X: 0, Y: u}}}, lattice.ErrCrossing},
		{"spike", [][]Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u / 2, Y: 0}, {X: u / 2, Y: u}}}, lattice.ErrDegenerate},
		{"hole outside", [][]Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}}, {
			{X: 1, Y: 100},
			{X: 1, Y: 101},
			{X: 2, Y: 101},
		}}, lattice.ErrClockwise},
		{"two crossing", [][]Point{box, {{X: 1, Y: 1}, {X: u, Y: 1}, {X: 1, Y: u}}}, lattice.ErrCrossing},
		{"two in each other", [][]Point{box, {{X: 1, Y: 1}, {X: 2, Y: 1}, {X: 1, Y: 2}}}, ErrOverlap},
		{"on the ramp", [][]Point{box}, ErrOverlap},
		{"in the ramp", [][]Point{{{X: 1, Y: 5}, {X: 2, Y: 5}, {X: 2, Y: 6}}}, ErrOverlap},
		{"as the ramp", [][]Point{{{X: u, Y: u}, {X: 0, Y: u}, {X: 0, Y: 0}}}, ErrOverlap},
		{"over all", [][]Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}, {X: 0, Y: u}}}, ErrOverlap},
	} {
		err := g.Add(7, -3, c.loops, Attr{})
		var e *Error
		if !errors.Is(err, c.kind) || !errors.As(err, &e) || e.Cell != (Cell{X: 7, Y: -3}) || e.Op != "Add" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, loops := range [][][]Point{nil, {box}, {{{X: 0, Y: 0}, {X: u, Y: u}, {X: 0, Y: u}}, box}} {
		if err := g.Remove(7, -3, loops); !errors.Is(err, errNotFound) {
			t.Errorf("Remove(%v): %v", loops, err)
		}
	}
	if err := g.Remove(9, 9, [][]Point{box}); !errors.Is(err, errNotFound) {
		t.Error(err)
	}
	if err := g.Set(7, -3, Tile{Shape: Patch}); !errors.Is(err, ErrUnknownShape) {
		t.Error(err)
	}
	if d := g.Resolve(); !d.Empty() || hash != g.Hash() {
		t.Errorf("a refused edit changed %+v", d)
	}
}

// A polygon beside a tile takes nothing from the tile's segments, and the tile is back
// as it was when the polygon goes.
func TestAddBesideTile(t *testing.T) {
	const u = Unit
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Slab, User: 4}})
	hash, before := g.Hash(), g.AppendSegments(nil, everywhere)
	crate := [][]Point{{{X: 1000, Y: u / 2}, {X: 2000, Y: u / 2}, {X: 2000, Y: 3000}, {X: 1000, Y: 3000}}}
	if err := g.Add(0, 0, crate, Attr{Material: 3}); err != nil {
		t.Fatal(err)
	}
	d := g.Resolve()
	// the top is cut in two, its neighbours are relinked
	if len(addedOf(d)) != 5 || len(removedOf(d)) != 1 || len(relinkedOf(d)) != 2 {
		t.Errorf("%+v", d)
	}
	for _, s := range addedOf(d) {
		if s.Tile != (Tile{Material: 3}) && s.Tile != (Tile{Shape: Slab, User: 4}) {
			t.Errorf("%+v", s)
		}
	}
	if g.Tile(0, 0) != (Tile{Shape: Patch}) {
		t.Errorf("Tile = %v", g.Tile(0, 0))
	}
	if !g.solidAt(Point{X: 1500, Y: 2900}) || !g.solidAt(Point{X: 3000, Y: 1000}) ||
		g.solidAt(Point{X: 3000, Y: 2900}) {
		t.Error("SolidAt")
	}
	if err := g.Remove(0, 0, crate); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	if g.Hash() != hash || !slices.Equal(before, g.AppendSegments(nil, everywhere)) {
		t.Error("not back as it was")
	}
	// Two halves of different materials make a block without a segment between.
	g = New(nil)
	for k, p := range [][]Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}}, {
		{X: 0, Y: 0},
		{X: u, Y: u},
		{X: 0, Y: u},
	}} {
		if err := g.Add(0, 0, [][]Point{p}, Attr{Material: uint16(k)}); err != nil {
			t.Fatal(err)
		}
	}
	if d := g.Resolve(); len(addedOf(d)) != 4 {
		t.Errorf("%+v", addedOf(d))
	}
}
