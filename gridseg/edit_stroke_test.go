package gridseg

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// anyStroke draws loops within side cells of the origin.
func anyStroke(o Cell, side float64) *rapid.Generator[[][]Point] {
	return rapid.Custom(func(t *rapid.T) [][]Point {
		at := func(name string) [2]float64 {
			return [2]float64{
				rapid.Float64Range(0, side).Draw(t, name+" x"), rapid.Float64Range(0, side).Draw(t, name+" y"),
			}
		}
		var loops [][]Point
		var err error
		switch rapid.IntRange(0, 3).Draw(t, "brush") {
		case 0:
			p := at("middle")
			loops, err = Circle(p[0], p[1], rapid.Float64Range(.01, 1.5).Draw(t, "radius"))
		case 1:
			p, q := at("from"), at("to")
			loops, err = Capsule(p[0], p[1], q[0], q[1], rapid.Float64Range(.01, .7).Draw(t, "radius"))
		case 2: // a ring
			p := at("middle")
			r := rapid.Float64Range(.2, 1.5).Draw(t, "radius")
			if loops, err = Circle(p[0], p[1], r); err == nil {
				var hole [][]Point
				hole, err = Circle(p[0], p[1], r/2)
				if err == nil {
					slices.Reverse(hole[0])
					loops = append(loops, hole[0])
				}
			}
		default: // anything, crossing itself as it likes
			var vs [][2]float64
			for range rapid.IntRange(3, 7).Draw(t, "vertices") {
				v := at("vertex")
				if rapid.Bool().Draw(t, "coarse") {
					v = [2]float64{math.Floor(v[0]*4) / 4, math.Floor(v[1]*4) / 4}
				}
				vs = append(vs, v)
			}
			loops, err = Polygon(vs)
		}
		if err != nil {
			t.Skip(err)
		}
		for _, loop := range loops {
			for i := range loop {
				loop[i].X = min(lattice.WorldEnd, loop[i].X+int64(o.X)*Unit)
				loop[i].Y = min(lattice.WorldEnd, loop[i].Y+int64(o.Y)*Unit)
				loop[i].X, loop[i].Y = max(-lattice.WorldEnd, loop[i].X), max(-lattice.WorldEnd, loop[i].Y)
			}
		}
		return loops
	})
}

// turnsRound is the winding number of loops about a point that is on none of them.
func turnsRound(loops [][]Point, p Point) int {
	n := 0
	for _, loop := range loops {
		for i, a := range loop {
			b := loop[(i+1)%len(loop)]
			left := (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) > 0
			if a.Y <= p.Y && b.Y > p.Y && left {
				n++
			} else if b.Y <= p.Y && a.Y > p.Y && !left {
				n--
			}
		}
	}
	return n
}

// clearOf reports whether p is further than some steps from all edges.
func clearOf(loops [][]Point, p Point, steps float64) bool {
	for _, loop := range loops {
		for i, a := range loop {
			b := loop[(i+1)%len(loop)]
			dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
			k := max(0, min(1, (float64(p.X-a.X)*dx+float64(p.Y-a.Y)*dy)/max(1, dx*dx+dy*dy)))
			if math.Hypot(float64(p.X-a.X)-k*dx, float64(p.Y-a.Y)-k*dy) < steps {
				return false
			}
		}
	}
	return true
}

// TestBrushMembership compares points before and after a stroke with the winding number,
// wherever no edge is near.
func TestBrushMembership(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g := New(shapes)
		for y := range int32(3) {
			for x := range int32(3) {
				tile := anyTile(shapes).Draw(t, "tile")
				tile.Layer, tile.User = 0, 0
				if err := g.Set(x, y, tile); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range rapid.IntRange(1, 5).Draw(t, "strokes") {
			loops := anyStroke(Cell{}, 3).Draw(t, "loops")
			unite, m := rapid.Bool().Draw(t, "unite"), uint16(rapid.IntRange(0, 1).Draw(t, "material"))
			type sample struct {
				p    Point
				want uint16
			}
			var samples []sample
			for k := range int64(400) {
				p := Point{X: (k*7919*31 + 17) % (3 * Unit), Y: (k*104729 + 4099*k*k + 5) % (3 * Unit)}
				x, y := int32(p.X>>12), int32(p.Y>>12)
				local := Point{X: p.X & (Unit - 1), Y: p.Y & (Unit - 1)}
				near := !clearOf(loops, p, 4)
				for _, ls := range g.Polygons(x, y) {
					near = near || !clearOf(ls, local, 4)
				}
				if near {
					continue
				}
				want := materialAt(g, p)
				if turnsRound(loops, p) != 0 {
					if !unite {
						want = 0
					} else if want == 0 {
						want = m + 1
					}
				}
				samples = append(samples, sample{p, want})
			}
			var err error
			if unite {
				err = g.Unite(loops, Attr{Material: m})
			} else {
				err = g.Subtract(loops)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range samples {
				if got := materialAt(g, s.p); got != s.want {
					t.Fatalf("at %v is %d, want %d (unite %v)", s.p, got, s.want, unite)
				}
			}
			g.Resolve()
			checkPolygons(t, g)
		}
	})
}

// TestBrushThereAndBack: a stroke united with empty ground and subtracted again leaves
// nothing.
func TestBrushThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		loops := anyStroke(o, 4).Draw(t, "loops")
		g := New(nil)
		if err := g.Unite(loops, Attr{Layer: 1, Material: 2, User: 3}); err != nil {
			t.Fatal(err)
		}
		hash := g.Hash()
		if err := g.Unite(loops, Attr{Layer: 1}); err != nil || hash != g.Hash() {
			t.Fatalf("what is solid changed: %v", err)
		}
		g.Resolve()
		if err := g.Subtract(loops); err != nil {
			t.Fatal(err)
		}
		g.Resolve()
		if tiles, segments := g.Count(); tiles+segments != 0 {
			t.Fatalf("left: %d tiles, %d segments", tiles, segments)
		}
	})
}

// TestStrokeBesideItself: a stroke made again changes nothing, though an edge of it runs less than a
// lattice step beside a vertex of its own. (Before, when it was made again, it was led through
// this vertex, which the first had left in the ground, and filled a slit that it had drawn.)
func TestStrokeBesideItself(t *testing.T) {
	loops := [][]Point{{
		{X: 12288, Y: 16384},
		{X: 16384, Y: 20480},
		{X: 16384, Y: 24512},
		{X: 19456, Y: 20905},
		{X: 18944, Y: 20480},
		{X: 20480, Y: 21552},
	}}
	g := New(nil)
	if err := g.Unite(loops, Attr{}); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	hash := g.Hash()
	if err := g.Unite(loops, Attr{}); err != nil {
		t.Fatal(err)
	}
	if d := g.Resolve(); hash != g.Hash() || !d.Empty() {
		t.Errorf("united again it changed %+v", d)
	}
	if err := g.Subtract(loops); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	if tiles, segments := g.Count(); tiles+segments != 0 {
		t.Errorf("taken away it leaves %d tiles and %d segments", tiles, segments)
	}
}

// TestBrushLaws is TestLaws for all edits of a cell. The oracle takes the cells' contents
// from the grid, and checks segments and links.
func TestBrushLaws(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g, w := anyGrid(t, shapes)
		m := mirror{}
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			c := Cell{X: o.X + int32(rapid.IntRange(0, 2).Draw(t, "x")), Y: o.Y + int32(rapid.IntRange(0, 2).Draw(t,
				"y"))}
			var err error
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 6:
				d := g.Resolve()
				m.take(t, &d)
				w.read(g)
				vacate(t, g, m, w, rapid.SampledFrom([]Rect{everywhere, chunkOf(c)}).Draw(t, "what"))
				continue
			case 0:
				err = g.Set(c.X, c.Y, anyTile(shapes).Draw(t, "tile"))
			case 1:
				err = g.Fill(Rect{MinX: o.X, MinY: o.Y, MaxX: c.X, MaxY: c.Y}, anyTile(shapes).Draw(t, "tile"))
			case 2:
				if err = g.Add(c.X, c.Y, anyLoops().Draw(t, "loops"), anyAttr(t)); errors.Is(err, ErrOverlap) {
					err = nil
				}
			case 3:
				err = g.Unite(anyStroke(o, 3).Draw(t, "loops"), anyAttr(t))
			default:
				err = g.Subtract(anyStroke(o, 3).Draw(t, "loops"))
			}
			if err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 2).Draw(t, "resolve") > 0 {
				d := g.Resolve()
				m.take(t, &d)
				m.equals(t, g)
				w.read(g)
				w.check(t, g)
			}
		}
		d := g.Resolve()
		m.take(t, &d)
		w.read(g)
		w.check(t, g)
		checkFresh(t, g, w)
		checkEmptied(t, g, m, w)
	})
}

// read copies the contents of g.
func (w *world) read(g *Grid) {
	clear(w.tiles)
	clear(w.parts)
	for c := range g.Tiles(everywhere) {
		var ps []part
		for t, loops := range g.Polygons(c.X, c.Y) {
			if t.Shape != 0 {
				loops = w.shapes.Polygons(t.Shape, t.Turn)
			}
			ps = append(ps, part{t, loops})
		}
		w.lay(c, ps)
	}
}

func TestBrushRefuses(t *testing.T) {
	g := build(t, New(nil), placed{3, 3, Tile{Shape: Ramp}})
	hash := g.Hash()
	box := func(x0, y0, x1, y1 int64) [][]Point {
		return [][]Point{{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}}
	}
	// Every tooth crosses the one cell: more vertices than it may hold.
	var comb []Point
	for k := range int64(lattice.MaxPatch) {
		comb = append(comb, Point{X: 4*k + 1, Y: 2}, Point{X: 4*k + 3, Y: 4000})
	}
	comb = append(comb, Point{X: 4095, Y: 1}, Point{X: 1, Y: 1})
	for _, c := range []struct {
		name  string
		loops [][]Point
		kind  error
	}{
		{"two vertices", [][]Point{{{X: 0, Y: 0}, {X: 1, Y: 1}}}, lattice.ErrDegenerate},
		{"many", [][]Point{make([]Point, lattice.MaxOutline+1)}, ErrTooLarge},
		{"beyond", box(0, 0, lattice.WorldEnd+1, 10), ErrRange},
		{"far beyond", box(math.MinInt64, 0, 10, 10), ErrRange},
		{"wide", box(0, 0, (lattice.MaxReach+1)*Unit, 10), ErrTooLarge},
		{"large", box(0, 0, 4097*Unit, 4097*Unit), ErrTooLarge},
		{"all", box(-lattice.WorldEnd, -lattice.WorldEnd, lattice.WorldEnd, lattice.WorldEnd), ErrTooLarge},
		{"a comb", [][]Point{comb}, ErrTooLarge},
	} {
		for _, err := range []error{g.Unite(c.loops, Attr{}), g.Subtract(c.loops)} {
			var e *Error
			if c.name == "a comb" && err == nil {
				continue // nothing is there to subtract from
			}
			if !errors.Is(err, c.kind) || !errors.As(err, &e) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
	// One cell that is refused spoils the others too.
	if err := g.Unite([][]Point{comb, box(2*Unit, 0, 3*Unit, Unit)[0]}, Attr{}); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if d := g.Resolve(); !d.Empty() || hash != g.Hash() {
		t.Errorf("a refused stroke changed %+v", d)
	}
	if err := g.Unite(nil, Attr{}); err != nil {
		t.Error(err)
	}
	if err := g.Unite(box(1, 5, 1, 5), Attr{}); err != nil {
		t.Error(err)
	}
}

// TestStrokesBesideSeams: a tile whose polygons have a seam between them stays a tile if a
// stroke does not change its outline. (It became a polygon.)
func TestStrokesBesideSeams(t *testing.T) {
	g := New(gallery(t))
	id, _ := g.Shapes().Lookup("stacked slabs")
	tile := Tile{Shape: id, Material: 1}
	if err := g.Set(0, 0, tile); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	block := [][]Point{{
		{X: 0, Y: 3 * Unit / 4},
		{X: Unit / 8, Y: 3 * Unit / 4},
		{X: Unit / 8, Y: Unit},
		{X: 0, Y: Unit},
	}}
	if err := g.Unite(block, Attr{Material: 2}); err != nil {
		t.Fatal(err)
	}
	if added, removed, relinked := counts(g.Resolve()); added != 4 || removed+relinked != 0 {
		t.Errorf("beside it: %d added, %d removed, %d relinked", added, removed, relinked)
	}
	if err := g.Subtract(block); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	if got := g.Tile(0, 0); got != tile {
		t.Errorf("%+v, want %+v", got, tile)
	}
}
