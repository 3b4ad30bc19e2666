package gridseg

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// changes returns the three lists of a delta.
func changes(d *Delta) (removed, relinked, added []Segment) {
	return slices.Collect(d.Removed()), slices.Collect(d.Relinked()), slices.Collect(d.Added())
}

// everything is the visible state of a grid, except for the pending delta.
type everything struct {
	Tiles    map[Cell]Tile
	Polygons map[Cell]string
	Segments []Segment
	Hash     uint64
	Bounds   Rect
	Count    [2]int
	Patches  int
	Area     Area
}

func everythingOf(g *Grid) everything {
	e := everything{Tiles: map[Cell]Tile{}, Polygons: map[Cell]string{}}
	for c, tile := range g.Tiles(everywhere) {
		e.Tiles[c] = tile
		for part, loops := range g.Polygons(c.X, c.Y) {
			e.Polygons[c] += fmt.Sprint(part, loops)
		}
	}
	e.Segments = g.AppendSegments(nil, everywhere)
	e.Hash = g.Hash()
	e.Bounds, _ = g.Bounds()
	e.Count[0], e.Count[1] = g.Count()
	e.Patches = len(g.patches.list) - len(g.patches.free)
	e.Area = g.SolidArea(everywhere)
	return e
}

// difference returns the first difference of two states.
func (e everything) difference(o everything) string {
	switch {
	case fmt.Sprint(e.Tiles) != fmt.Sprint(o.Tiles):
		return fmt.Sprintf("tiles %v and %v", e.Tiles, o.Tiles)
	case fmt.Sprint(e.Polygons) != fmt.Sprint(o.Polygons):
		return fmt.Sprintf("polygons %v and %v", e.Polygons, o.Polygons)
	case !slices.Equal(e.Segments, o.Segments):
		return fmt.Sprintf("segments %v and %v", e.Segments, o.Segments)
	case e.Hash != o.Hash || e.Bounds != o.Bounds || e.Count != o.Count || e.Patches != o.Patches || e.Area != o.Area:
		return fmt.Sprintf("%x %v %v %v %v and %x %v %v %v %v", e.Hash, e.Bounds, e.Count, e.Patches, e.Area, o.Hash,
			o.Bounds, o.Count, o.Patches, o.Area)
	}
	return ""
}

// corners are the first and last cells of the world, each with the way inwards.
var corners = []struct {
	c      Cell
	dx, dy int32
}{
	{Cell{X: -1 << 31, Y: -1 << 31}, 1, 1},
	{Cell{X: 1<<31 - 1, Y: -1 << 31}, -1, 1},
	{Cell{X: -1 << 31, Y: 1<<31 - 1}, 1, -1},
	{Cell{X: 1<<31 - 1, Y: 1<<31 - 1}, -1, -1},
}

// besieged makes a grid with tiles, polygons and strokes at every corner of the world, and
// at its middle, and makes edits of all of them that are not resolved yet. All that it
// does must succeed.
func besieged(t rapid.TB) *Grid {
	t.Helper()
	g := New(gallery(t))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for pass := range 2 {
		for k, e := range append(slices.Clone(corners), struct {
			c      Cell
			dx, dy int32
		}{Cell{}, 1, 1}) {
			at := func(i, j int32) (x, y int32) { return e.c.X + i*e.dx, e.c.Y + j*e.dy }
			cell := func(i, j int32) (Cell, Point) { // and its corner
				x, y := at(i, j)
				return Cell{X: x, Y: y}, Point{X: int64(x) * Unit, Y: int64(y) * Unit}
			}
			set := func(i, j int32, tile Tile) { x, y := at(i, j); must(g.Set(x, y, tile)) }
			disc := func(i, j int32, r int64) [][]Point {
				_, o := cell(i, j)
				return [][]Point{{
					{X: o.X + Unit/2 - r, Y: o.Y + Unit/2},
					{X: o.X + Unit/2, Y: o.Y + Unit/2 - r},
					{X: o.X + Unit/2 + r, Y: o.Y + Unit/2},
					{X: o.X + Unit/2, Y: o.Y + Unit/2 + r},
				}}
			}
			if pass == 0 {
				set(0, 0, Tile{Shape: Full, User: uint32(k)})
				set(1, 0, Tile{Shape: Ramp, Turn: Turn(k), Material: 1})
				set(0, 1, Tile{Shape: 10})
				set(1, 1, Tile{Shape: 13, Turn: 6})
				must(g.Subtract(disc(0, 0, 999)))
				must(g.Unite(disc(2, 0, 1001), Attr{Material: 9}))
				x, y := at(2, 1)
				must(g.Add(x, y, [][]Point{{{X: 0, Y: 0}, {X: 99, Y: 0}, {X: 0, Y: 99}}}, Attr{User: 8}))
				must(g.Add(x, y, [][]Point{{{X: 4096, Y: 4096}, {X: 99, Y: 4096}, {X: 4096, Y: 99}}}, Attr{User: 9}))
				continue
			}
			set(1, 0, Tile{Shape: Slab, Turn: Turn(k + 1)})
			set(2, 2, Tile{Shape: 7})
			set(1, 1, Tile{})
			must(g.Subtract(disc(0, 1, 1500)))
			x, y := at(2, 1)
			must(g.Remove(x, y, [][]Point{{{X: 0, Y: 0}, {X: 99, Y: 0}, {X: 0, Y: 99}}}))
			must(g.Unite(disc(0, 0, 500), Attr{User: uint32(k)}))
		}
		if pass == 0 {
			g.Resolve()
		}
	}
	return g
}

// refusal is an edit that must be refused.
type refusal struct {
	name string
	do   func(g *Grid) error
	op   string
	kind error
	cell Cell
}

// refusals lists them, about one corner of the world.
func refusals(t rapid.TB, at int) []refusal {
	const u = Unit
	corner := corners[at]
	c, full := corner.c, Tile{Shape: Full}
	lo := Point{X: int64(c.X) * u, Y: int64(c.Y) * u}
	// The two ways out of the world.
	out := Point{X: lo.X - u, Y: lo.Y - u}
	if corner.dx < 0 {
		out.X = lo.X + 2*u
	}
	if corner.dy < 0 {
		out.Y = lo.Y + 2*u
	}
	local := func(loops ...[]Point) func(*Grid) error { // in an empty cell
		return func(g *Grid) error { return g.Add(c.X+3*corner.dx, c.Y, loops, Attr{}) }
	}
	free := Cell{X: c.X + 3*corner.dx, Y: c.Y}
	box := func(x0, y0, x1, y1 int64) []Point {
		return []Point{
			{X: lo.X + x0, Y: lo.Y + y0},
			{X: lo.X + x1, Y: lo.Y + y0},
			{X: lo.X + x1, Y: lo.Y + y1},
			{X: lo.X + x0, Y: lo.Y + y1},
		}
	}
	var comb []Point // more vertices than a cell may hold
	for k := range int64(lattice.MaxPatch/2 + 4) {
		comb = append(comb, Point{X: lo.X + 4*k + 1, Y: lo.Y + 2}, Point{X: lo.X + 4*k + 3, Y: lo.Y + 4000})
	}
	comb = append(comb, Point{X: lo.X + 4095, Y: lo.Y + 1}, Point{X: lo.X + 1, Y: lo.Y + 1})
	tooMany := make([]Point, lattice.MaxPatch+1)
	stamp := func(w, h int, bad Tile) *Stamp {
		s, err := NewStamp(w, h)
		if err != nil {
			t.Fatal(err)
		}
		for k := range w * h {
			s.Set(k%w, k/w, full)
		}
		s.Set(w-1, h-1, bad)
		return s
	}
	place := func(x, y int32, s *Stamp) func(*Grid) error { return func(g *Grid) error { return g.Place(x, y, s) } }
	two := Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y}
	two.MinX, two.MaxX = min(c.X, c.X+corner.dx), max(c.X, c.X+corner.dx)
	list := []refusal{
		{"shape", func(g *Grid) error { return g.Set(c.X, c.Y, Tile{Shape: 999}) }, "Set", ErrUnknownShape, c},
		{
			"last shape", func(g *Grid) error { return g.Set(c.X, c.Y, Tile{Shape: math.MaxUint16}) }, "Set",
			ErrUnknownShape, c,
		},
		{"patch", func(g *Grid) error { return g.Set(c.X, c.Y, Tile{Shape: Patch}) }, "Set", ErrUnknownShape, c},
		{"turn", func(g *Grid) error { return g.Set(c.X, c.Y, Tile{Shape: Full, Turn: 8}) }, "Set", errTurn, c},
		{"last turn", func(g *Grid) error { return g.Set(c.X, c.Y, Tile{Shape: Full, Turn: 255}) }, "Set", errTurn, c},
		{"turned air", func(g *Grid) error { return g.Set(c.X, c.Y, Tile{Turn: 1}) }, "Set", errNoShape, c},
		{"layer of air", func(g *Grid) error { return g.Set(c.X, c.Y, Tile{Layer: 1}) }, "Set", errNoShape, c},
		{
			"fill shape", func(g *Grid) error { return g.Fill(two, Tile{Shape: 999}) }, "Fill", ErrUnknownShape,
			Cell{X: two.MinX, Y: two.MinY},
		},
		{"fill shape, nowhere", func(g *Grid) error {
			return g.Fill(Rect{MinX: 5, MinY: 5, MaxX: 4, MaxY: 4}, Tile{Shape: 999})
		}, "Fill", ErrUnknownShape, Cell{X: 5, Y: 5}},
		{"fill a row", func(g *Grid) error {
			return g.Fill(Rect{MinX: -1 << 31, MinY: c.Y, MaxX: 1<<31 - 1, MaxY: c.Y}, full)
		}, "Fill", ErrTooLarge, Cell{X: -1 << 31, Y: c.Y}},
		{"clear a column", func(g *Grid) error {
			return g.Fill(Rect{MinX: c.X, MinY: -1 << 31, MaxX: c.X, MaxY: 1<<31 - 1}, Tile{})
		}, "Fill", ErrTooLarge, Cell{X: c.X, Y: -1 << 31}},
		{
			"fill all", func(g *Grid) error { return g.Fill(everywhere, full) }, "Fill", ErrTooLarge,
			Cell{X: -1 << 31, Y: -1 << 31},
		},
		{
			"copy all", func(g *Grid) error { _, err := g.Copy(everywhere); return err }, "Copy", ErrTooLarge,
			Cell{X: -1 << 31, Y: -1 << 31},
		},
		{
			"move all", func(g *Grid) error { return g.Move(everywhere, 1, 1) }, "Move", ErrTooLarge,
			Cell{X: -1 << 31, Y: -1 << 31},
		},
		{
			"move out in x", func(g *Grid) error { return g.Move(two, -corner.dx, 0) }, "Move", ErrRange,
			Cell{X: two.MinX, Y: two.MinY},
		},
		{
			"move out in y", func(g *Grid) error { return g.Move(two, 0, -corner.dy) }, "Move", ErrRange,
			Cell{X: two.MinX, Y: two.MinY},
		},
		{
			"move far out", func(g *Grid) error {
				return g.Move(two, -corner.dx*math.MaxInt32, -corner.dy*math.MaxInt32)
			},
			"Move", ErrRange,
			Cell{X: two.MinX, Y: two.MinY},
		},
		{"place out", place(1<<31-2, 1<<31-1, stamp(2, 2, full)), "Place", ErrRange, Cell{X: 1<<31 - 2, Y: 1<<31 - 1}},
		{
			"place a bad tile", place(two.MinX, min(c.Y, c.Y+corner.dy), stamp(2, 2, Tile{Shape: 998})), "Place",
			ErrUnknownShape,
			Cell{X: two.MaxX, Y: max(c.Y, c.Y+corner.dy)},
		},
		{"preserve", func(g *Grid) error { return g.Preserve(3, 4) }, "Preserve", errNotEmpty, Cell{}},
		{"add nothing", local(), "Add", lattice.ErrDegenerate, free},
		{"add an edge", local([]Point{{X: 1, Y: 1}, {X: 2, Y: 2}}), "Add", lattice.ErrDegenerate, free},
		{"add too much", local(tooMany), "Add", ErrTooLarge, free},
		{"add beyond", local([]Point{{X: 0, Y: 0}, {X: u + 1, Y: 0}, {X: 0, Y: u}}), "Add", lattice.ErrOutside, free},
		{
			"add far beyond", local([]Point{{X: 0, Y: 0}, {X: math.MaxInt64, Y: 0}, {X: 0, Y: math.MaxInt64}}), "Add",
			lattice.ErrOutside, free,
		},
		{
			"add far below", local([]Point{{X: math.MinInt64, Y: math.MinInt64}, {X: u, Y: 0}, {X: 0, Y: u}}), "Add",
			lattice.ErrOutside, free,
		},
		{"add clockwise", local([]Point{{X: 0, Y: 0}, {X: 0, Y: u}, {X: u, Y: 0}}), "Add", lattice.ErrClockwise, free},
		{"add flat", local([]Point{{X: 0, Y: 0}, {X: u, Y: u}, {X: 9, Y: 9}}), "Add", lattice.ErrDegenerate, free},
		{
			"add an eight", local([]Point{{X: 0, Y: 0}, {X: u, Y: u}, {X: u, Y: 0}, {X: 0, Y: u}}), "Add",
			lattice.ErrCrossing,
			free,
		},
		{"add a hole in nothing", local([]Point{{X: 0, Y: 0}, {X: u, Y: 0}, {X: 0, Y: u}},
			[]Point{{X: 4000, Y: 4000}, {X: 4000, Y: 4001}, {X: 4001, Y: 4001}}), "Add", lattice.ErrClockwise, free},
		{"add on what is there", func(g *Grid) error {
			return g.Add(c.X+2*corner.dx, c.Y, [][]Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}, {X: 0, Y: u}}},
				Attr{})
		}, "Add", ErrOverlap, Cell{X: c.X + 2*corner.dx, Y: c.Y}},
		{"remove from nothing", func(g *Grid) error {
			return g.Remove(free.X, free.Y, [][]Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: 0, Y: u}}})
		}, "Remove", errNotFound, free},
		{"remove something else", func(g *Grid) error {
			return g.Remove(c.X, c.Y, [][]Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: 0, Y: u}}})
		}, "Remove", errNotFound, c},
		{"remove nothing", func(g *Grid) error { return g.Remove(c.X, c.Y, nil) }, "Remove", errNotFound, c},
	}
	// The error names the cell of the wrong vertex, not of the first: lo is right.
	beyond := func(p Point) Cell { // or the last cell of its row or column
		in := func(v int64) int32 { return int32(max(-1<<31, min(1<<31-1, v/u))) }
		return Cell{X: in(p.X), Y: in(p.Y)}
	}
	side := func(cells int64) Point {
		return Point{X: lo.X + int64(corner.dx)*cells*u, Y: lo.Y + int64(corner.dy)*cells*u}
	}
	for _, b := range []struct {
		name  string
		loops [][]Point
		kind  error
		cell  Cell
	}{
		{"an edge", [][]Point{box(0, 0, u, u), {lo, {X: lo.X + 9, Y: lo.Y + 9}}}, lattice.ErrDegenerate, c},
		{"an empty loop", [][]Point{{}}, lattice.ErrDegenerate, Cell{}},
		{"too many vertices", [][]Point{box(0, 0, u, u), make([]Point, lattice.MaxOutline)}, ErrTooLarge, Cell{}},
		{"out in x", [][]Point{{lo, {X: out.X, Y: lo.Y}, {X: lo.X, Y: lo.Y + u}}}, ErrRange, c},
		{"out in y", [][]Point{{lo, {X: lo.X + u, Y: lo.Y}, {X: lo.X, Y: out.Y}}}, ErrRange, c},
		{
			"out by a step",
			[][]Point{{lo, {X: lo.X + u, Y: lo.Y}, {X: lo.X, Y: lattice.WorldEnd + 1}}},
			ErrRange,
			Cell{X: c.X, Y: 1<<31 - 1},
		},
		{
			"far out",
			[][]Point{{lo, {X: math.MaxInt64, Y: math.MinInt64}, {X: math.MinInt64, Y: math.MaxInt64}}},
			ErrRange,
			Cell{X: 1<<31 - 1, Y: -1 << 31},
		},
		{
			"wide",
			[][]Point{{lo, {X: side(lattice.MaxReach + 2).X, Y: lo.Y + 1}, {X: lo.X + 1, Y: lo.Y + 2}}},
			ErrTooLarge,
			Cell{X: beyond(side(lattice.MaxReach + 2)).X, Y: c.Y},
		},
		{
			"large",
			[][]Point{{lo, {X: side(5000).X, Y: lo.Y}, {X: lo.X, Y: side(5000).Y}}},
			ErrTooLarge,
			Cell{X: c.X, Y: beyond(side(5000)).Y},
		},
		{"all", [][]Point{{
			{X: -lattice.WorldEnd, Y: -lattice.WorldEnd},
			{X: lattice.WorldEnd, Y: -lattice.WorldEnd},
			{X: lattice.WorldEnd, Y: lattice.WorldEnd},
			{X: -lattice.WorldEnd, Y: lattice.WorldEnd},
		}}, ErrTooLarge, Cell{X: 1<<31 - 1, Y: 1<<31 - 1}},
		// Its effects on the cells beside it are valid, and must not happen.
		{"a comb among others", [][]Point{
			box(int64(corner.dx)*u, 0, int64(corner.dx)*3*u, u), comb,
			box(0, int64(corner.dy)*u, u, int64(corner.dy)*2*u+1),
		}, ErrTooLarge, c},
	} {
		list = append(list,
			refusal{
				"unite " + b.name, func(g *Grid) error { return g.Unite(b.loops, Attr{Material: 5}) }, "Unite",
				b.kind, b.cell,
			},
			refusal{
				"subtract " + b.name, func(g *Grid) error { return g.Subtract(b.loops) }, "Subtract", b.kind,
				b.cell,
			})
	}
	return list
}

// TestRefusedLeavesAll is law 6: the error of a refused edit names the method, the place
// and the reason. Tiles, polygons, segments and the pending delta stay: the next Resolve
// returns the same as in a grid without the refused edit.
func TestRefusedLeavesAll(t *testing.T) {
	asked, never := besieged(t), besieged(t)
	before := everythingOf(asked)
	if s := before.difference(everythingOf(never)); s != "" {
		t.Fatal(s)
	}
	for at := range corners {
		for _, r := range refusals(t, at) {
			for range 2 { // the first leaves nothing that a second could trip over
				err := r.do(asked)
				var e *Error
				if !errors.Is(err, r.kind) || !errors.As(err, &e) || e.Op != r.op || e.Cell != r.cell ||
					!strings.Contains(err.Error(), fmt.Sprintf("%s at cell (%d, %d): ", r.op, r.cell.X, r.cell.Y)) {
					t.Errorf("corner %d, %s: %v", at, r.name, err)
				}
			}
			if s := before.difference(everythingOf(asked)); s != "" {
				t.Fatalf("corner %d, %s has changed %s", at, r.name, s)
			}
		}
	}
	for k := range 2 {
		d, f := asked.Resolve(), never.Resolve()
		if d.Empty() != (k > 0) || d.Cells != f.Cells {
			t.Fatalf("Resolve %d: %v, %v", k, d.Cells, f.Cells)
		}
		removed, relinked, added := changes(&d)
		gone, linked, more := changes(&f)
		if !slices.Equal(removed, gone) || !slices.Equal(relinked, linked) || !slices.Equal(added, more) {
			t.Fatal("another delta is pending")
		}
	}
	if s := everythingOf(asked).difference(everythingOf(never)); s != "" {
		t.Fatal(s)
	}
	checkPolygons(t, asked)
}

// One refused edit, then Resolve: so that no edit hides the traces of the edit before.
func TestRefusedOneByOne(t *testing.T) {
	never := besieged(t)
	d := never.Resolve()
	gone, linked, more := changes(&d)
	after := everythingOf(never)
	for at := range corners {
		for _, r := range refusals(t, at) {
			g := besieged(t)
			if r.do(g) == nil {
				t.Fatalf("corner %d, %s is not refused", at, r.name)
			}
			d := g.Resolve()
			removed, relinked, added := changes(&d)
			if !slices.Equal(removed, gone) || !slices.Equal(relinked, linked) || !slices.Equal(added, more) {
				t.Fatalf("corner %d, %s: another delta is pending", at, r.name)
			}
			if s := everythingOf(g).difference(after); s != "" {
				t.Fatalf("corner %d, %s: %s", at, r.name, s)
			}
			if r.do(g) == nil { // and with nothing pending
				t.Fatalf("corner %d, %s is not refused", at, r.name)
			}
			if d := g.Resolve(); !d.Empty() {
				t.Fatalf("corner %d, %s leaves a delta", at, r.name)
			}
			if s := everythingOf(g).difference(after); s != "" {
				t.Fatalf("corner %d, %s: %s", at, r.name, s)
			}
		}
	}
}

// TestAnyCall makes calls with arbitrary arguments: none panics, and a refused call
// changes nothing.
func TestAnyCall(t *testing.T) {
	ends := []int32{-1 << 31, -1<<31 + 1, -17, -1, 0, 1, 15, 16, 1<<31 - 2, 1<<31 - 1}
	rapid.Check(t, func(t *rapid.T) {
		g := besieged(t)
		coordinate := func(name string) int32 { return rapid.SampledFrom(ends).Draw(t, name) }
		point := func() Point {
			one := func(name string) int64 {
				v := rapid.SampledFrom([]int64{
					math.MinInt64, -lattice.WorldEnd - 1, -lattice.WorldEnd, -lattice.WorldEnd + 1, -lattice.WorldEnd +
						Unit, -Unit, -1, 0, 1, 77,
					Unit - 1, Unit, 2*Unit + 5, lattice.WorldEnd - 3*Unit, lattice.WorldEnd - 1, lattice.WorldEnd,
					lattice.WorldEnd + 1, math.MaxInt64,
				}).Draw(t, name)
				return v
			}
			return Point{X: one("x"), Y: one("y")}
		}
		loops := func() (out [][]Point) {
			for range rapid.IntRange(0, 2).Draw(t, "loops") {
				var loop []Point
				for range rapid.IntRange(0, 5).Draw(t, "vertices") {
					loop = append(loop, point())
				}
				out = append(out, loop)
			}
			return out
		}
		tile := func() Tile {
			return Tile{
				Shape: ShapeID(rapid.SampledFrom([]int{0, 1, 2, 9, 19, 20, 4095, 4096, 65535}).Draw(t, "shape")),
				Turn:  Turn(rapid.SampledFrom([]int{0, 3, 7, 8, 255}).Draw(t, "turn")),
				Layer: uint8(rapid.SampledFrom([]int{0, 255}).Draw(t, "layer")),
				User:  uint32(rapid.SampledFrom([]int{0, math.MaxUint32}).Draw(t, "user")),
			}
		}
		rect := func() Rect {
			r := Rect{
				MinX: coordinate("min x"), MinY: coordinate("min y"), MaxX: coordinate("max x"),
				MaxY: coordinate("max y"),
			}
			if w, h := int64(r.MaxX)-int64(r.MinX), int64(r.MaxY)-int64(r.MinY); w >= 0 && h >= 0 && w < 1<<30 &&
				h < 1<<30 && w*h > 1<<12 {
				r.MaxX = r.MinX // it would only take long
			}
			return r
		}
		for range rapid.IntRange(1, 6).Draw(t, "calls") {
			before := everythingOf(g)
			var err error
			switch rapid.IntRange(0, 7).Draw(t, "call") {
			case 0:
				err = g.Set(coordinate("x"), coordinate("y"), tile())
			case 1:
				err = g.Fill(rect(), tile())
			case 2:
				err = g.Move(rect(), coordinate("dx"), coordinate("dy"))
			case 3:
				var s *Stamp
				if s, err = g.Copy(rect()); err == nil {
					err = g.Place(coordinate("x"), coordinate("y"), s)
				}
			case 4:
				err = g.Add(coordinate("x"), coordinate("y"), loops(), Attr{})
			case 5:
				err = g.Remove(coordinate("x"), coordinate("y"), loops())
			case 6:
				err = g.Unite(loops(), Attr{Layer: 255, Material: math.MaxUint16, User: math.MaxUint32})
			default:
				err = g.Subtract(loops())
			}
			var e *Error
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("%v is no *Error", err)
			}
			if s := before.difference(everythingOf(g)); err != nil && s != "" {
				t.Fatalf("%v, and it has changed %s", err, s)
			}
			if rapid.Bool().Draw(t, "resolve") {
				m := mirrorOf(g)
				d := g.Resolve()
				m.take(t, &d)
				m.equals(t, g)
			}
		}
		g.Resolve()
		checkPolygons(t, g)
	})
}

// Preserve comes before the first tile, resolved or not, and after the last segment.
func TestPreserveTooLate(t *testing.T) {
	g := New(nil)
	steps := []struct {
		name string
		do   func() error
		late bool
	}{
		{"nothing", func() error { return nil }, false},
		{"a tile not resolved", func() error { return g.Set(0, 0, Tile{Shape: Full}) }, true},
		{"taken away again", func() error { return g.Clear(0, 0) }, false},
		{"a polygon not resolved", func() error {
			return g.Add(9, 9, [][]Point{{{X: 0, Y: 0}, {X: 9, Y: 0}, {X: 0, Y: 9}}}, Attr{})
		}, true},
		{"resolved", func() error { g.Resolve(); return nil }, true},
		{"cleared, not resolved", func() error { return g.Clear(9, 9) }, true},
		{"resolved away", func() error { g.Resolve(); return nil }, false},
	}
	for k, s := range steps {
		if err := s.do(); err != nil {
			t.Fatal(err)
		}
		layer := uint8(k)
		before := everythingOf(g)
		err := g.Preserve(layer, layer)
		if s.late != errors.Is(err, errNotEmpty) || !s.late && err != nil ||
			g.layers.preserved(layer, layer) == s.late {
			t.Errorf("%s: %v", s.name, err)
		}
		if d := before.difference(everythingOf(g)); d != "" {
			t.Errorf("%s: %s", s.name, d)
		}
	}
}
