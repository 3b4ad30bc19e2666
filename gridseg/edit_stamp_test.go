package gridseg

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

func inRange(x, y int64) bool { return x == int64(int32(x)) && y == int64(int32(y)) }

// inside lists the cells of a rectangle that is not large, by row.
func cellsIn(r Rect) (cells []Cell) {
	for y := int64(r.MinY); y <= int64(r.MaxY); y++ {
		for x := int64(r.MinX); x <= int64(r.MaxX); x++ {
			cells = append(cells, Cell{X: int32(x), Y: int32(y)})
		}
	}
	return cells
}

// place puts s into the oracle, and reports whether all of it is in range.
func (w *world) place(x, y int32, s *Stamp) bool {
	tiles := map[Cell]Tile{}
	for i := range s.w {
		for j := range s.h {
			at, up := int64(x)+int64(i), int64(y)+int64(j)
			if !inRange(at, up) {
				return false
			}
			if t, put := s.Tile(i, j); put {
				tiles[Cell{X: int32(at), Y: int32(up)}] = t
			}
		}
	}
	for c, t := range tiles {
		w.set(c, t)
	}
	return true
}

// move is Move by way of a copy of all.
func (w *world) move(r Rect, dx, dy int32) bool {
	was := map[Cell]Tile{}
	for _, c := range cellsIn(r) {
		if !inRange(int64(c.X)+int64(dx), int64(c.Y)+int64(dy)) {
			return false
		}
		was[c] = w.tiles[c]
	}
	for c := range was {
		w.set(c, Tile{})
	}
	for c, t := range was {
		w.set(Cell{X: c.X + dx, Y: c.Y + dy}, t)
	}
	return true
}

func TestStampAndMove(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g, w := anyGrid(t, shapes)
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		coordinate := func(name string) int32 { return int32(rapid.IntRange(-2, worldSide+1).Draw(t, name)) }
		// The oracle wants tiles that are not a world apart, so nothing wraps.
		near := func(o int32, d int32) int32 { return int32(max(-1<<31, min(1<<31-1, int64(o)+int64(d)))) }
		part := func() Rect {
			x, y := near(o.X, coordinate("x")), near(o.Y, coordinate("y"))
			// Its other end may wrap, and leave it reversed: refused.
			return Rect{MinX: x, MinY: y, MaxX: x + int32(rapid.IntRange(0, 3).Draw(t, "w")), MaxY: y +
				int32(rapid.IntRange(0, 3).Draw(t, "h"))}
		}
		var s *Stamp
		for range rapid.IntRange(1, 15).Draw(t, "edits") {
			hash := g.Hash()
			ok, err := true, error(nil)
			switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
			case kind == 0 && s != nil:
				turned, err := s.Turned(Turn(rapid.IntRange(0, 7).Draw(t, "turn")))
				if err != nil {
					t.Fatal(err)
				}
				s = turned
				if rapid.Bool().Draw(t, "leave empty") {
					leaveEmpty(s)
				}
			case kind <= 1 && s != nil:
				x, y := near(o.X, coordinate("x")), near(o.Y, coordinate("y"))
				err = g.Place(x, y, s)
				ok = w.place(x, y, s)
			case kind == 2:
				r, dx, dy := part(), coordinate("dx")-2, coordinate("dy")-2
				err = g.Move(r, dx, dy)
				ok = !r.Empty() && w.move(r, dx, dy)
			case kind == 3:
				r := part()
				var copied *Stamp
				if copied, err = g.Copy(r); r.Empty() || err != nil {
					ok = !r.Empty()
					break
				}
				s = copied
				if wide, high := s.Size(); wide*high != len(cellsIn(r)) {
					t.Fatalf("%v copied as %d x %d", r, wide, high)
				}
				for i, c := range cellsIn(r) {
					if got, put := s.Tile(i%s.w, i/s.w); got != w.tiles[c] || !put {
						t.Fatalf("%v copied as %v, %v, is %v", c, got, put, w.tiles[c])
					}
				}
				if rapid.Bool().Draw(t, "a gap") && s.w > 0 && s.h > 0 {
					s.Leave(s.w/2, 0)
				}
			default:
				c, tile := Cell{X: o.X + max(0, coordinate("x"))%worldSide, Y: o.Y + max(0, coordinate("y"))%worldSide},
					anyTile(shapes).Draw(t, "tile")
				err = g.Set(c.X, c.Y, tile)
				w.set(c, tile)
			}
			if ok != (err == nil) || err != nil && (!errors.Is(err, ErrRange) || g.Hash() != hash) {
				t.Fatalf("%v, want it refused: %v", err, !ok)
			}
			if rapid.IntRange(0, 3).Draw(t, "resolve") == 0 {
				g.Resolve()
			}
			n := 0
			for c, tile := range g.Tiles(everywhere) {
				n++
				if w.tiles[c] != tile {
					t.Fatalf("%v holds %v, want %v", c, tile, w.tiles[c])
				}
			}
			if n != len(w.tiles) {
				t.Fatalf("%d tiles, want %d", n, len(w.tiles))
			}
		}
		g.Resolve()
		w.check(t, g)
	})
}

// TestTurnedGround turns a stamp as a whole: its surface in the grid is the turned
// surface.
func TestTurnedGround(t *testing.T) {
	shapes := gallery(t)
	r := rand.New(rand.NewPCG(21, 22))
	edges := func(g *Grid) (out []lattice.Edge) {
		for _, s := range g.AppendSegments(nil, everywhere) {
			out = append(out, lattice.Edge{A: s.A, B: s.B})
		}
		return out
	}
	for range 20 {
		w, h := 1+r.IntN(5), 1+r.IntN(5)
		s, err := NewStamp(w, h)
		if err != nil {
			t.Fatal(err)
		}
		for k := range w * h {
			if id := r.IntN(shapes.Len() + 3); id > 0 && id <= shapes.Len() {
				s.Set(k%w, k/w, Tile{Shape: ShapeID(id), Turn: Turn(r.IntN(turns))})
			}
		}
		plain := New(shapes)
		if err := plain.Place(0, 0, s); err != nil {
			t.Fatal(err)
		}
		plain.Resolve()
		for turn := range Turn(turns) {
			q, err := s.Turned(turn)
			if err != nil {
				t.Fatal(err)
			}
			g := New(shapes)
			if err := g.Place(0, 0, q); err != nil {
				t.Fatal(err)
			}
			g.Resolve()
			got, want := edges(g), edges(plain)
			for i, e := range want {
				e.A, e.B = turn.matrix(e.A, int64(w)*Unit, int64(h)*Unit), turn.matrix(e.B, int64(w)*Unit,
					int64(h)*Unit)
				if turn&4 != 0 {
					e.A, e.B = e.B, e.A
				}
				want[i] = e
			}
			slices.SortFunc(got, compareEdges)
			slices.SortFunc(want, compareEdges)
			if !slices.Equal(got, want) {
				t.Fatalf("turn %d of %v:\n%v\nwant\n%v", turn, s, got, want)
			}
			back, err := q.Turned(inverse(turn))
			if err != nil || !slices.Equal(back.tiles, s.tiles) || !slices.Equal(back.sets, s.sets) {
				t.Fatalf("turn %d and back: %v", turn, err)
			}
		}
	}
}

// TestMoveOverlapping moves a full square by every step that leaves it overlapping
// itself.
func TestMoveOverlapping(t *testing.T) {
	const side = 4
	r := Rect{MinX: -2, MinY: -2, MaxX: side - 3, MaxY: side - 3} // over the corner of four chunks
	for dy := int32(-side); dy <= side; dy++ {
		for dx := int32(-side); dx <= side; dx++ {
			g, w := New(nil), newWorld(nil)
			for k, c := range cellsIn(r) {
				tile := Tile{Shape: Full, User: uint32(k)}
				if err := g.Set(c.X, c.Y, tile); err != nil {
					t.Fatal(err)
				}
				w.set(c, tile)
			}
			if err := g.Move(r, dx, dy); err != nil || !w.move(r, dx, dy) {
				t.Fatal(err)
			}
			n := 0
			for c, tile := range g.Tiles(everywhere) {
				n++
				if w.tiles[c] != tile {
					t.Fatalf("by (%d, %d): %v holds %v, want %v", dx, dy, c, tile, w.tiles[c])
				}
			}
			if n != side*side {
				t.Fatalf("by (%d, %d): %d tiles", dx, dy, n)
			}
		}
	}
}

func TestLeave(t *testing.T) {
	s, err := NewStamp(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Set(0, 0, Tile{Shape: Full})
	s.Set(1, 0, Tile{Shape: Ramp})
	s.Leave(1, 0)
	if tile, put := s.Tile(1, 0); put || tile != (Tile{}) {
		t.Errorf("left, yet %v, %v", tile, put)
	}
	leaveEmpty(s)
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Slab}}, placed{1, 0, Tile{Shape: Slab}})
	if err := g.Place(0, 0, s); err != nil || g.Tile(0, 0).Shape != Full || g.Tile(1, 0).Shape != Slab {
		t.Errorf("%v, %v: %v", g.Tile(0, 0), g.Tile(1, 0), err)
	}
}

func TestStampRefused(t *testing.T) {
	const last = 1<<31 - 1
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Ramp}}, placed{last, last, Tile{Shape: Full}})
	if err := g.Set(1, 0, Tile{Shape: Full}); err != nil {
		t.Fatal(err)
	}
	hash := g.Hash()
	good, _ := NewStamp(3, 2)
	good.Set(0, 0, Tile{Shape: Slab})
	with := func(bad Tile) *Stamp {
		s, _ := NewStamp(3, 2)
		s.Set(0, 0, Tile{Shape: Slab})
		s.Set(2, 1, bad)
		return s
	}
	place := func(x, y int32, s *Stamp) error { return g.Place(x, y, s) }
	second := func(_ *Stamp, err error) error { return err }
	for _, c := range []struct {
		name string
		err  error
		kind error
		cell Cell
	}{
		{"shape", place(-1, 7, with(Tile{Shape: 77})), ErrUnknownShape, Cell{X: 1, Y: 8}},
		{"turn", place(-1, 7, with(Tile{Shape: Full, Turn: 8})), errTurn, Cell{X: 1, Y: 8}},
		{"no shape", place(-1, 7, with(Tile{User: 1})), errNoShape, Cell{X: 1, Y: 8}},
		{"right end", place(last-1, 0, good), ErrRange, Cell{X: last - 1, Y: 0}},
		{"upper end", place(0, last, good), ErrRange, Cell{X: 0, Y: last}},
		{"turned", second(good.Turned(8)), errTurn, Cell{}},
		{"new stamp", second(NewStamp(-1, 1)), ErrRange, Cell{}},
		{"new large stamp", second(NewStamp(math.MaxInt, 4)), ErrTooLarge, Cell{}},
		{
			"copy", second(g.Copy(Rect{MinX: 5, MinY: 6, MaxX: 5 + lattice.MaxFill, MaxY: 6})), ErrTooLarge,
			Cell{X: 5, Y: 6},
		},
		{"copy reversed", second(g.Copy(Rect{MinX: 1, MinY: 1, MaxX: 0, MaxY: 5})), ErrRange, Cell{X: 1, Y: 1}},
		{"move reversed", g.Move(Rect{MinX: 1, MinY: 1, MaxX: 5, MaxY: 0}, 1, 0), ErrRange, Cell{X: 1, Y: 1}},
		{"move size", g.Move(everywhere, 1, 0), ErrTooLarge, Cell{X: -1 << 31, Y: -1 << 31}},
		{
			"move out", g.Move(Rect{MinX: last, MinY: last, MaxX: last, MaxY: last}, 0, 1), ErrRange,
			Cell{X: last, Y: last},
		},
		{
			"move far out", g.Move(Rect{MinX: -1 << 31, MinY: 0, MaxX: -1 << 31, MaxY: 0}, -1<<31, 5), ErrRange,
			Cell{X: -1 << 31, Y: 0},
		},
	} {
		var e *Error
		if !errors.Is(c.err, c.kind) || !errors.As(c.err, &e) || e.Cell != c.cell {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
	if g.Hash() != hash {
		t.Error("a refused edit changed something")
	}
	if d := g.Resolve(); d.Cells.MinX < 0 || d.Cells.MaxX > 2 || d.Empty() {
		t.Errorf("the pending delta is %+v", d)
	}
	// A turn that is wrong stays so in a turned stamp.
	if s, err := with(Tile{Shape: Full, Turn: 12}).Turned(1); err != nil || !errors.Is(g.Place(0, 0, s), errTurn) {
		t.Errorf("turned: %v", err)
	}
	if err := g.Place(last-2, last-1, good); err != nil {
		t.Errorf("at the end: %v", err)
	}
	if s, err := NewStamp(0, 0); err != nil || g.Place(last, last, s) != nil {
		t.Errorf("of nothing: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic outside of the stamp")
		}
	}()
	good.Set(0, 2, Tile{})
}

func BenchmarkMove(b *testing.B) {
	g := New(nil)
	fillRamps(b, g, 100)
	g.Resolve()
	b.ReportAllocs()
	k := int32(0)
	for b.Loop() {
		// There and back by one, of 32 x 32 cells.
		r, d := Rect{MinX: 20, MinY: 20, MaxX: 51, MaxY: 51}, int32(1)
		if k&1 != 0 {
			r, d = Rect{MinX: 21, MinY: 21, MaxX: 52, MaxY: 52}, -1
		}
		if err := g.Move(r, d, d); err != nil {
			b.Fatal(err)
		}
		g.Resolve()
		k++
	}
}

func BenchmarkPlace(b *testing.B) {
	g := New(nil)
	fillRamps(b, g, 100)
	g.Resolve()
	s, err := g.Copy(Rect{MinX: 20, MinY: 20, MaxX: 51, MaxY: 51})
	if err != nil {
		b.Fatal(err)
	}
	clear, err := NewStamp(32, 32)
	if err != nil {
		b.Fatal(err)
	}
	for k := range 32 * 32 {
		clear.Set(k%32, k/32, Tile{})
	}
	b.ReportAllocs()
	for b.Loop() {
		if g.Place(3, 3, clear) != nil || g.Place(3, 3, s) != nil {
			b.Fatal("refused")
		}
	}
}

// leaveEmpty makes all cells with an empty tile leave the grid's cell as it is.
func leaveEmpty(s *Stamp) {
	w, h := s.Size()
	for y := range h {
		for x := range w {
			if t, _ := s.Tile(x, y); t == (Tile{}) {
				s.Leave(x, y)
			}
		}
	}
}
