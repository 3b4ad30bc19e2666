package gridseg

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// flood is the oracle of Parts: the ground as triangles, four to each square of an eighth of a cell.
// Shapes and strokes have edges along the axes and at 45 degrees between eighths, so that each triangle
// is wholly solid or not at all. Parts are what a flood fill finds that goes from triangle to triangle
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
				p := Point{(6*int64(x) + mid[0]) * step, (6*int64(y) + mid[1]) * step} // six times as large
				in := false
				for _, loop := range loops {
					if locate(loop, p, 6) == inside {
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
			c := Cell{x, y}
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

// parts fills the ground, and returns the parts in the order of Parts, without their components, and
// the number of each in f.part.
func (f *flood) parts() (out []Part, numbers []int32) {
	const each = CellArea / (eighths * eighths * 4)
	side := f.w * eighths
	for i := range f.part {
		f.part[i] = -1
	}
	for first := range f.solid {
		if !f.solid[first] || f.part[first] >= 0 {
			continue
		}
		p := Part{Cells: noCells, First: Cell{1<<31 - 1, 1<<31 - 1}}
		n := int32(len(out))
		f.part[first] = n
		f.stack = append(f.stack[:0], int32(first))
		for len(f.stack) > 0 {
			i := int(f.stack[len(f.stack)-1])
			f.stack = f.stack[:len(f.stack)-1]
			x, y, q := i/4%side, i/4/side, i%4
			c := Cell{f.at.X + int32(x/eighths), f.at.Y + int32(y/eighths)}
			p.Area += each
			p.Cells = p.Cells.grow(c)
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
		numbers = append(numbers, n)
	}
	slices.SortStableFunc(numbers, func(a, b int32) int { return comparePlaces(out[a], out[b]) })
	sorted := make([]Part, len(out))
	for k, n := range numbers {
		sorted[k] = out[n]
	}
	return sorted, numbers
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
	p := func(x, y int64) Point { return Point{x * step, y * step} }
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
	c := Cell{at.X + r.Int32N(int32(w)), at.Y + r.Int32N(int32(w))}
	tile := Tile{Shape: ids[r.IntN(len(ids))], Turn: Turn(r.IntN(turns)), Layer: uint8(r.IntN(3)), Material: uint16(r.IntN(2)), User: r.Uint32N(64)}
	if tile.User > 2 {
		tile.User = 2
	}
	if r.IntN(2) == 0 {
		tile.Shape, tile.Turn = Full, 0
	}
	near := Rect{c.X, c.Y, min(c.X+r.Int32N(6), at.X+int32(w)-1), min(c.Y+r.Int32N(6), at.Y+int32(w)-1)}
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

// withoutComponents returns parts without what they mean to Parts alone.
func withoutComponents(parts []Part) []Part {
	out := slices.Clone(parts)
	for k := range out {
		out[k].some = 0
	}
	return out
}

// TestPartsEqualFlood compares the parts after every one of many random edits with those of the
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
	at := Cell{-5, 12}
	r := rand.New(rand.NewPCG(14, 1))
	g := New(shapes)
	if err := g.Preserve(1, 2); err != nil {
		t.Fatal(err)
	}
	p := g.Parts()
	f := newFlood(g, at, w)
	anchor := Rect{at.X, at.Y, at.X + 3, at.Y}
	p.SetAnchors([]Rect{anchor}, 1)
	most := 0
	for k := range edits {
		randomEdit(t, g, r, ids, at, w)
		f.read(g.EditedCells(), 1)
		for x := anchor.MinX; x <= anchor.MaxX; x++ {
			from := f.index(Cell{x, at.Y}, 0, 0, 0)
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
		if !slices.Equal(withoutComponents(got), want) || p.Len() != len(want) {
			t.Fatalf("edit %d: %d parts, want %d\ngot  %+v\nwant %+v", k, p.Len(), len(want), got, want)
		}
		loose := slices.DeleteFunc(want, func(p Part) bool { return p.Anchored })
		if got := p.AppendLoose(nil); !slices.Equal(withoutComponents(got), loose) {
			t.Fatalf("edit %d: loose\ngot  %+v\nwant %+v", k, got, loose)
		}
		most = max(most, len(want))
		if k%1000 == 0 { // as if built at once
			h := New(shapes)
			if err := h.Preserve(1, 2); err != nil {
				t.Fatal(err)
			}
			s, err := g.Copy(Rect{at.X, at.Y, at.X + w - 1, at.Y + w - 1})
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
