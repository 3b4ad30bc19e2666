package gridseg

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// flood is the oracle of Parts: the ground as triangles, four to each square of an eighth of a cell.
// Shapes and strokes have edges along the axes and at 45 degrees between eighths, so that each triangle
// is wholly solid or not at all. Parts are the sets of triangles that a flood fill reaches, from triangle to triangle
// over shared sides.
type flood struct {
	g     *Grid
	at    Cell // the lower left
	w     int  // cells on a side
	solid []bool
	hold  []bool // anchored
	part  []int32
	stack []int32
	masks map[Tile][]bool
}

const eighths = 8

// allLoose appends all loose parts.
func (p *Parts) allLoose(dst []Part) []Part {
	dst, _ = p.AppendLoose(dst, math.MaxInt, math.MaxInt64, math.MaxInt64)
	return dst
}

// len returns the number of parts.
func (p *Parts) len() int {
	p.update()
	return len(p.order[byArea])
}

func newFlood(g *Grid, at Cell, w int) *flood {
	n := w * w * eighths * eighths * 4
	return &flood{
		g: g, at: at, w: w, solid: make([]bool, n), hold: make([]bool, n), part: make([]int32, n),
		masks: map[Tile][]bool{},
	}
}

// index returns the number of a triangle: quarter q of square (x, y) of a cell.
func (f *flood) index(c Cell, x, y, q int) int {
	side := f.w * eighths
	return ((int(c.Y-f.at.Y)*eighths+y)*side+int(c.X-f.at.X)*eighths+x)*4 + q
}

// mask returns the triangles that the polygons of a cell cover.
func mask(loops [][]Point) []bool {
	const step = Unit / eighths
	out := make([]bool, eighths*eighths*4)
	for y := range eighths {
		for x := range eighths {
			for q, mid := range [4][2]int64{{3, 1}, {5, 3}, {3, 5}, {1, 3}} {
				p := Point{X: (6*int64(x) + mid[0]) * step, Y: (6*int64(y) + mid[1]) * step} // six times as large
				in := false
				for _, loop := range loops {
					if lattice.Locate(loop, p, 6) == lattice.Inside {
						in = !in
					}
				}
				out[(y*eighths+x)*4+q] = in
			}
		}
	}
	return out
}

// read reads the content of the cells of r again.
func (f *flood) read(r Rect, anchor uint32) {
	for y := max(r.MinY, f.at.Y); y <= min(r.MaxY, f.at.Y+int32(f.w)-1); y++ {
		for x := max(r.MinX, f.at.X); x <= min(r.MaxX, f.at.X+int32(f.w)-1); x++ {
			c := Cell{X: x, Y: y}
			for sy := range eighths {
				from := f.index(c, 0, sy, 0)
				clear(f.solid[from : from+eighths*4])
				clear(f.hold[from : from+eighths*4])
			}
			for tile, loops := range f.g.Polygons(x, y) {
				key := Tile{Shape: tile.Shape, Turn: tile.Turn}
				m, ok := f.masks[key]
				if !ok || tile.Shape == 0 {
					if m = nil; tile.Shape == 0 {
						m = mask(loops)
					} else {
						m = make([]bool, eighths*eighths*4)
						for _, loop := range f.g.shapes.Polygons(tile.Shape, tile.Turn) {
							for k, on := range mask([][]Point{loop}) {
								m[k] = m[k] || on
							}
						}
						f.masks[key] = m
					}
				}
				for k, on := range m {
					if on {
						i := f.index(c, k/4%eighths, k/4/eighths, k%4)
						f.solid[i], f.hold[i] = true, tile.User&anchor != 0
					}
				}
			}
		}
	}
}

// parts fills the ground, and returns the parts as withoutComponents orders them; the part of number n in f.part
// is byNumber[n].
func (f *flood) parts() (out, byNumber []Part) {
	const each = cellArea / (eighths * eighths * 4)
	side := f.w * eighths
	for i := range f.part {
		f.part[i] = -1
	}
	for first := range f.solid {
		if !f.solid[first] || f.part[first] >= 0 {
			continue
		}
		p := Part{Cells: lattice.NoCells, First: Cell{X: 1<<31 - 1, Y: 1<<31 - 1}}
		n := int32(len(out))
		f.part[first] = n
		f.stack = append(f.stack[:0], int32(first))
		for len(f.stack) > 0 {
			i := int(f.stack[len(f.stack)-1])
			f.stack = f.stack[:len(f.stack)-1]
			x, y, q := i/4%side, i/4/side, i%4
			c := Cell{X: f.at.X + int32(x/eighths), Y: f.at.Y + int32(y/eighths)}
			p.Area += each
			p.Cells = lattice.Grow(p.Cells, c)
			if c.Y < p.First.Y || c.Y == p.First.Y && c.X < p.First.X {
				p.First = c
			}
			p.Anchored = p.Anchored || f.hold[i]
			visit := func(k int) {
				if f.solid[k] && f.part[k] < 0 {
					f.part[k] = n
					f.stack = append(f.stack, int32(k))
				}
			}
			visit(i - q + (q+1)%4)
			visit(i - q + (q+3)%4)
			switch { // the lower, right, upper and left quarter
			case q == 0 && y > 0:
				visit(i - 4*side + 2)
			case q == 1 && x < side-1:
				visit(i + 4 + 2)
			case q == 2 && y < side-1:
				visit(i + 4*side - 2)
			case q == 3 && x > 0:
				visit(i - 4 - 2)
			}
		}
		out = append(out, p)
	}
	return withoutComponents(out), out
}

// eighthShapes is the gallery, of shapes with edges along the axes and at 45 degrees alone.
func eighthShapes(t *testing.T) (*Shapes, []ShapeID) {
	s := gallery(t)
	ids := []ShapeID{Full, Ramp, Slab}
	for _, name := range []string{
		"notch", "diamond", "diagonal halves", "two pillars", "stacked slabs", "ring",
		"full with more vertices", "bow tie", "corner", "two corners", "three fans",
	} {
		id, ok := s.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		ids = append(ids, id)
	}
	return s, ids
}

// eighthStroke returns a rectangle or a diamond between eighths.
func eighthStroke(r *rand.Rand, at Cell, w int) [][]Point {
	const step = Unit / eighths
	p := func(x, y int64) Point { return Point{X: x * step, Y: y * step} }
	n := int64(w * eighths)
	x, y := int64(at.X)*eighths+2+r.Int64N(n-4), int64(at.Y)*eighths+2+r.Int64N(n-4)
	if r.IntN(2) == 0 {
		a, b := 1+r.Int64N(2), 1+r.Int64N(n/2)
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		a, b = min(a, int64(at.X)*eighths+n-x), min(b, int64(at.Y)*eighths+n-y)
		return [][]Point{{p(x, y), p(x+a, y), p(x+a, y+b), p(x, y+b)}}
	}
	k := 1 + r.Int64N(2)
	return [][]Point{{p(x, y-k), p(x+k, y), p(x, y+k), p(x-k, y)}}
}

// randomEdit makes an edit of the cells of a world of w x w cells.
func randomEdit(t *testing.T, g *Grid, r *rand.Rand, ids []ShapeID, at Cell, w int) {
	t.Helper()
	c := Cell{X: at.X + r.Int32N(int32(w)), Y: at.Y + r.Int32N(int32(w))}
	tile := Tile{
		Shape: ids[r.IntN(len(ids))], Turn: Turn(r.IntN(turns)), Layer: uint8(r.IntN(3)),
		Material: uint16(r.IntN(2)), User: r.Uint32N(64),
	}
	if tile.User > 2 {
		tile.User = 2
	}
	if r.IntN(2) == 0 {
		tile.Shape, tile.Turn = Full, 0
	}
	near := Rect{MinX: c.X, MinY: c.Y, MaxX: min(c.X+r.Int32N(6), at.X+int32(w)-1), MaxY: min(c.Y+r.Int32N(6),
		at.Y+int32(w)-1)}
	var err error
	switch k := r.IntN(100); {
	case k < 40:
		err = g.Set(c.X, c.Y, tile)
	case k < 75:
		err = g.Clear(c.X, c.Y)
	case k < 80:
		err = g.Fill(near, tile)
	case k < 83:
		err = g.Fill(near, Tile{})
	case k < 85:
		err = g.Move(near, at.X-near.MinX, at.Y-near.MinY)
	case k < 93:
		err = g.Subtract(eighthStroke(r, at, w))
	default:
		err = g.Unite(eighthStroke(r, at, w), Attr{tile.Layer, tile.Material, tile.User})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// withoutComponents returns parts without their component numbers, which only Parts reads.
func withoutComponents(parts []Part) []Part {
	out := slices.Clone(parts)
	for k := range out {
		out[k].piece, out[k].comp, out[k].version = 0, 0, 0
	}
	slices.SortFunc(out, func(a, b Part) int { // of one first cell
		return cmp.Or(byRow(a.First, b.First), cmp.Compare(b.Area, a.Area),
			byRow(Cell{X: a.Cells.MinX, Y: a.Cells.MinY}, Cell{X: b.Cells.MinX, Y: b.Cells.MinY}),
			byRow(Cell{X: a.Cells.MaxX, Y: a.Cells.MaxY}, Cell{X: b.Cells.MaxX, Y: b.Cells.MaxY}),
			cmp.Compare(fmt.Sprint(a.Anchored), fmt.Sprint(b.Anchored)))
	})
	return out
}

// TestPartsEqualFlood compares the parts after every one of many random edits with the parts of the
// flood fill, across the borders of chunks.
func TestPartsEqualFlood(t *testing.T) {
	edits := 10000
	if os.Getenv("QUARRY_SOAK") != "" {
		edits = 1000000
	} else if testing.Short() {
		edits = 1000
	}
	const w = 9
	shapes, ids := eighthShapes(t)
	at := Cell{X: -5, Y: 12}
	r := rand.New(rand.NewPCG(14, 1))
	g := New(shapes)
	if err := g.Preserve(1, 2); err != nil {
		t.Fatal(err)
	}
	p := g.Parts()
	f := newFlood(g, at, w)
	anchor := Rect{MinX: at.X, MinY: at.Y, MaxX: at.X + 3, MaxY: at.Y}
	p.SetAnchors([]Rect{anchor}, 1)
	most := 0
	for k := range edits {
		randomEdit(t, g, r, ids, at, w)
		f.read(g.Engine(lattice.Key{}).EditedCells(), 1)
		for x := anchor.MinX; x <= anchor.MaxX; x++ {
			from := f.index(Cell{X: x, Y: at.Y}, 0, 0, 0)
			for y := range eighths {
				for i := range eighths * 4 {
					f.hold[from+y*w*eighths*4+i] = true
				}
			}
		}
		if r.IntN(3) > 0 { // else several edits together, or before the Resolve
			g.Resolve()
		} else if r.IntN(2) == 0 {
			continue
		}
		got := p.Append(nil)
		want, _ := f.parts()
		if !slices.Equal(withoutComponents(got), want) || p.len() != len(want) {
			t.Fatalf("edit %d: %d parts, want %d\ngot  %+v\nwant %+v", k, p.len(), len(want), got, want)
		}
		loose := slices.DeleteFunc(want, func(p Part) bool { return p.Anchored })
		if got := p.allLoose(nil); !slices.Equal(withoutComponents(got), loose) {
			t.Fatalf("edit %d: loose\ngot  %+v\nwant %+v", k, got, loose)
		}
		most = max(most, len(want))
		if k%1000 == 0 { // as if built at once
			h := New(shapes)
			if err := h.Preserve(1, 2); err != nil {
				t.Fatal(err)
			}
			s, err := g.Copy(Rect{MinX: at.X, MinY: at.Y, MaxX: at.X + w - 1, MaxY: at.Y + w - 1})
			if err == nil {
				err = h.Place(at.X, at.Y, s)
			}
			if err != nil {
				t.Fatal(err)
			}
			h.Parts().SetAnchors([]Rect{anchor}, 1)
			if !slices.Equal(withoutComponents(h.Parts().Append(nil)), withoutComponents(p.Append(nil))) {
				t.Fatalf("edit %d: history shows", k)
			}
		}
	}
	if most < 8 {
		t.Errorf("at most %d parts", most)
	}
}

// attributes returns the attributes of each triangle of a flood's world, in g.
func (f *flood) attributes(g *Grid) []Attr {
	out := make([]Attr, len(f.solid))
	of := newFlood(g, f.at, f.w)
	for y := range f.w {
		for x := range f.w {
			c := Cell{X: f.at.X + int32(x), Y: f.at.Y + int32(y)}
			for tile, loops := range g.Polygons(c.X, c.Y) {
				polys := [][][]Point{loops}
				if tile.Shape != 0 { // its polygons may share seams
					polys = nil
					for _, loop := range g.shapes.Polygons(tile.Shape, tile.Turn) {
						polys = append(polys, [][]Point{loop})
					}
				}
				for _, loops := range polys {
					for k, on := range mask(loops) {
						if on {
							out[of.index(c, k/4%eighths, k/4/eighths, k%4)] = Attr{
								tile.Layer, tile.Material,
								tile.User + 1,
							}
						}
					}
				}
			}
		}
	}
	return out
}

// TestExtract takes the loose parts out of random grids: each triangle, with its attributes, is where
// the flood fill says, and nowhere else.
func TestExtract(t *testing.T) {
	edits := 400
	if os.Getenv("QUARRY_SOAK") != "" {
		edits = 100000
	}
	const w = 6
	shapes, ids := eighthShapes(t)
	at := Cell{X: -3, Y: 13}
	r := rand.New(rand.NewPCG(14, 2))
	g := New(shapes)
	if err := g.Preserve(1, 2); err != nil {
		t.Fatal(err)
	}
	p := g.Parts()
	f := newFlood(g, at, w)
	taken, pieces := 0, 0
	for k := range edits {
		for range 1 + r.IntN(12) {
			randomEdit(t, g, r, ids, at, w)
		}
		if r.IntN(2) == 0 {
			g.Resolve()
		}
		f.read(Rect{MinX: at.X, MinY: at.Y, MaxX: at.X + w - 1, MaxY: at.Y + w - 1}, 0)
		all, byNumber := f.parts()
		before := f.attributes(g)
		list := p.allLoose(nil)
		if len(all) > 0 && len(list) != len(all)-1 {
			t.Fatalf("edit %d: %d of %d parts are loose", k, len(list), len(all))
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:r.IntN(len(list)+1)]
		out := p.Extract(list)
		left := f.attributes(g)
		for i, of := range list {
			got := f.attributes(out[i])
			n := f.part[slices.IndexFunc(got, func(a Attr) bool { return a != Attr{} })]
			if n < 0 || byNumber[n] != withoutComponents(list[i : i+1])[0] {
				t.Fatalf("edit %d: part %+v is at %+v", k, of, byNumber[n])
			}
			for tri, a := range got {
				want := Attr{}
				if f.part[tri] == n {
					want, before[tri] = before[tri], Attr{}
				}
				if a != want {
					t.Fatalf("edit %d: part %+v: triangle %d has %v, want %v", k, of, tri, a, want)
				}
			}
			out[i].Resolve()
			if q := out[i].Parts(); q.len() != 1 || out[i].SolidArea(everywhere) != of.Area {
				t.Fatalf("edit %d: %d parts, area %d, want %d", k, q.len(), out[i].SolidArea(everywhere), of.Area)
			}
			taken++
		}
		if !slices.Equal(left, before) {
			t.Fatalf("edit %d: the rest differs", k)
		}
		if n := p.len(); n != len(all)-len(list) {
			t.Fatalf("edit %d: %d parts are left, want %d", k, n, len(all)-len(list))
		}
		// The rest is as if built at once.
		g.Resolve()
		h := New(shapes)
		h.layers = g.layers
		for c, tile := range g.Tiles(everywhere) {
			if tile.Shape != Patch {
				if err := h.Set(c.X, c.Y, tile); err != nil {
					t.Fatal(err)
				}
				continue
			}
			for _, tiles := range []bool{true, false} {
				for o, loops := range g.Polygons(c.X, c.Y) {
					var err error
					if tiles && o.Shape != 0 {
						err = h.Set(c.X, c.Y, o)
					} else if !tiles && o.Shape == 0 {
						err = h.Add(c.X, c.Y, loops, Attr{o.Layer, o.Material, o.User})
					}
					if pieces++; err != nil {
						t.Fatalf("edit %d: %v: %v", k, c, err)
					}
				}
			}
		}
		h.Resolve()
		if !slices.Equal(h.AppendSegments(nil, everywhere), g.AppendSegments(nil, everywhere)) {
			t.Fatalf("edit %d: the surface of the rest differs", k)
		}
	}
	if taken < edits/2 || pieces < edits {
		t.Errorf("%d parts taken, %d polygons seen", taken, pieces)
	}
}

// TestPartsUnloaded: tiles beside an unloaded place are held, and hold the tiles connected to them; once the place is
// loaded again the parts are as before.
func TestPartsUnloaded(t *testing.T) {
	for _, as := range []Unloaded{UnloadedEmpty, UnloadedSolid} {
		g := New(nil)
		for _, r := range []Rect{
			{MinX: 0, MinY: 0, MaxX: 40, MaxY: 15},
			{MinX: 4, MinY: 30, MaxX: 20, MaxY: 30},
			{MinX: 16, MinY: 40, MaxX: 20, MaxY: 40},
			{MinX: 0, MinY: 16, MaxX: 0, MaxY: 40},
		} {
			if err := g.Fill(r, Tile{Shape: Full}); err != nil {
				t.Fatal(err)
			}
		}
		p := g.Parts()
		p.SetAnchors([]Rect{{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}}, 0)
		before := p.Append(nil)
		if len(before) != 3 || len(p.allLoose(nil)) != 2 {
			t.Fatal(before)
		}
		data, err := g.Unload(Rect{MinX: 0, MinY: 0, MaxX: 15, MaxY: 47}, as)
		if err != nil {
			t.Fatal(err)
		}
		if list := p.Append(nil); len(list) != 3 || list[0].Area != 25*16*cellArea || len(p.allLoose(nil)) != 0 {
			t.Errorf("unloaded: %+v", list)
		}
		if err := g.Clear(16, 40); err != nil {
			t.Fatal(err)
		}
		if list := p.allLoose(nil); len(list) != 1 || list[0].Area != 4*cellArea {
			t.Errorf("unloaded, and dug: %+v", list)
		}
		if err := g.Set(16, 40, Tile{Shape: Full}); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Load(data); err != nil {
			t.Fatal(err)
		}
		if list := p.Append(nil); !slices.Equal(withoutComponents(list), withoutComponents(before)) {
			t.Errorf("loaded: %+v, want %+v", list, before)
		}
	}
}

// TestPartsOfBlockPatch: the pieces of a patch that is a block, which are not computed, beside a cell in pieces. (The
// soak of TestPartsEqualFlood found a nil.)
func TestPartsOfBlockPatch(t *testing.T) {
	s := gallery(t)
	pillars, _ := s.Lookup("two pillars")
	g := New(s)
	for k, loop := range [][]Point{
		{{X: 0, Y: 0}, {X: Unit, Y: 0}, {X: Unit, Y: Unit}},
		{{X: 0, Y: 0}, {X: Unit, Y: Unit}, {X: 0, Y: Unit}},
	} {
		if err := g.Add(0, 0, [][]Point{loop}, Attr{User: uint32(k)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Set(1, 0, Tile{Shape: pillars}); err != nil {
		t.Fatal(err)
	}
	p := g.Parts()
	p.SetAnchors(nil, 1)
	list := p.Append(nil)
	if len(list) != 2 || !list[0].Anchored || list[1].Anchored || list[1].Area != cellArea/4 {
		t.Errorf("%+v", list)
	}
}

// cellsOfPart returns the cells with content of a part, by row, then column.
func cellsOfPart(p *Parts, of Part) (dst []Cell) {
	for _, m := range p.members(of) {
		c := p.comps[m].block.leaf
		for y := range chunkSide {
			for row := c.row(y, m); row != 0; row &= row - 1 {
				dst = append(dst, c.cell(y<<chunkBits|bits.TrailingZeros16(row)))
			}
		}
	}
	slices.SortFunc(dst, byRow)
	return dst
}
