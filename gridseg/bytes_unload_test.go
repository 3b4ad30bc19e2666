package gridseg

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// unloading is a grid whose places come and go, beside one with the same edits whose places stay.
type unloading struct {
	g, all *Grid
	places map[Rect][]byte
	as     map[Rect]Unloaded
}

// places returns the unloaded places in an order that the test draws.
func (u *unloading) shuffled(t *rapid.T) []Rect {
	var list []Rect
	for r := range u.places {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Rect) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return rapid.Permutation(list).Draw(t, "order")
}

func (u *unloading) load(t rapid.TB, r Rect) {
	if got, err := u.g.Load(u.places[r]); err != nil || got != r {
		t.Fatalf("Load of %v: %v, %v", r, got, err)
	}
	delete(u.places, r)
	delete(u.as, r)
}

// shown returns a new grid with the tiles that u.g shows: blocks where unloaded cells count as solid.
func (u *unloading) shown(t rapid.TB) *Grid {
	g := New(u.g.shapes)
	for _, p := range u.g.AppendPreserved(nil) {
		_ = g.Preserve(p[0], p[1])
	}
	b, ok := u.all.Bounds()
	if ok {
		s, err := u.all.Copy(b)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Place(b.MinX, b.MinY, s); err != nil {
			t.Fatal(err)
		}
	}
	for r, as := range u.as {
		if as == UnloadedSolid {
			_ = g.Fill(r, Tile{Shape: Full})
		} else {
			_ = g.Fill(r, Tile{})
		}
	}
	g.Resolve()
	return g
}

// check compares u.g with a new grid that has the tiles it shows.
func (u *unloading) check(t *rapid.T) {
	t.Helper()
	want := u.shown(t)
	a, b := u.g.AppendSegments(nil, everywhere), want.AppendSegments(nil, everywhere)
	if !slices.Equal(a, b) {
		t.Fatalf("unloaded %v: segments\n%v\nwant\n%v", u.as, a, b)
	}
	if _, n := u.g.Count(); n != len(a) {
		t.Fatalf("Count has %d segments, there are %d", n, len(a))
	}
	for range 4 {
		x, y := rapid.Int32Range(-60, 60).Draw(t, "x"), rapid.Int32Range(-60, 60).Draw(t, "y")
		r := Rect{MinX: x, MinY: y, MaxX: x + rapid.Int32Range(0, 30).Draw(t, "w"), MaxY: y + rapid.Int32Range(0,
			30).Draw(t, "h")}
		if u.g.Tile(x, y) != want.Tile(x, y) && u.g.Tile(x, y).Shape != Patch {
			t.Fatalf("tile (%d, %d): %v, want %v", x, y, u.g.Tile(x, y), want.Tile(x, y))
		}
		if s, err := u.g.Copy(r); err != nil {
			t.Fatal(err)
		} else {
			in := lattice.NoCells
			for k := range s.tiles {
				at := Cell{X: r.MinX + int32(k%s.w), Y: r.MinY + int32(k/s.w)}
				if _, sets := s.Tile(k%s.w, k/s.w); sets != u.g.Loaded(at.X, at.Y) {
					t.Fatalf("a copy of %v sets %v: %v", r, at, sets)
				}
				if s.tiles[k] != (Tile{}) {
					in = lattice.Grow(in, at)
				}
			}
			if b, ok := u.g.BoundsIn(r); ok != !in.Empty() || b != in {
				t.Fatalf("BoundsIn(%v) is %v, want %v", r, b, in)
			}
		}
		if u.g.SolidArea(r) != want.SolidArea(r) ||
			u.g.Engine(lattice.Key{}).AnySolid(r) != want.Engine(lattice.Key{}).AnySolid(r) {
			t.Fatalf("%v: areas %v and %v", r, u.g.SolidArea(r), want.SolidArea(r))
		}
		p := Point{X: int64(x)*Unit + rapid.Int64Range(0, Unit).Draw(t, "px"), Y: int64(y)*Unit + rapid.Int64Range(0,
			Unit).Draw(t, "py")}
		if u.g.solidAt(p) != want.solidAt(p) || u.g.Solid(float64(p.X)/Unit, float64(p.Y)/Unit) != want.solidAt(p) {
			t.Fatalf("%v: solid", p)
		}
		h, hit := u.g.RayCast(float64(x), float64(y), 70, 31)
		if o, ok := want.RayCast(float64(x), float64(y), 70, 31); hit != ok || h != o {
			t.Fatalf("ray: %v, want %v", h, o)
		}
		n, near := u.g.Nearest(float64(x)+0.3, float64(y)+0.4, 40)
		if o, ok := want.Nearest(float64(x)+0.3, float64(y)+0.4, 40); near != ok || n != o {
			t.Fatalf("nearest: %v, want %v", n, o)
		}
		if !u.g.Engine(lattice.Key{}).Preserves() {
			var ra, rb Runs
			ra.Gather(u.g, r)
			rb.Gather(want, r)
			if fmt.Sprint(runLines(&ra)) != fmt.Sprint(runLines(&rb)) {
				t.Fatalf("runs in %v: %v, want %v", r, runLines(&ra), runLines(&rb))
			}
		}
		at := false
		for r := range u.as {
			at = at || r.Contains(Cell{X: x, Y: y})
		}
		if u.g.Loaded(x, y) == at {
			t.Fatalf("Loaded(%d, %d) is %v", x, y, !at)
		}
	}
	for _, c := range u.g.chunks { // the sums of chunks are kept, and still right
		was := u.g.chunkSum(c)
		if c.sum.Store(0); u.g.chunkSum(c) != was {
			t.Fatalf("chunk (%d, %d): its sum does not match its tiles", c.cx, c.cy)
		}
	}
	part := New(u.g.shapes) // the loaded tiles alone
	for c, tile := range u.g.Tiles(everywhere) {
		if tile.Shape != Patch {
			_ = part.Set(c.X, c.Y, tile)
			continue
		}
		for of := range u.g.Polygons(c.X, c.Y) { // first, since Set removes what is in the cell
			if of.Shape != 0 {
				_ = part.Set(c.X, c.Y, of)
			}
		}
		for of, loops := range u.g.Polygons(c.X, c.Y) {
			if of.Shape == 0 {
				_ = part.Add(c.X, c.Y, loops, Attr{of.Layer, of.Material, of.User})
			}
		}
	}
	if a, b := u.g.Engine(lattice.Key{}).AppendMoments(nil), part.Engine(lattice.Key{}).AppendMoments(
		nil); !slices.Equal(a, b) {
		t.Fatalf("moments %v, want %v", a, b)
	}
	tiles := 0
	for c := range u.all.Tiles(everywhere) {
		in := false
		for r := range u.as {
			in = in || r.Contains(c)
		}
		if !in {
			tiles++
		}
	}
	var walls *Rect
	for r, as := range u.as {
		if as == UnloadedSolid && walls == nil {
			walls = &r
		} else if as == UnloadedSolid {
			*walls = lattice.Grow(lattice.Grow(*walls, Cell{X: r.MinX, Y: r.MinY}), Cell{X: r.MaxX, Y: r.MaxY})
		}
	}
	if r, ok := u.g.Engine(lattice.Key{}).UnloadedWalls(); ok != (walls != nil) || ok && r != *walls {
		t.Fatalf("UnloadedWalls %v, %v", r, ok)
	}
	if n, _ := u.g.Count(); n != tiles {
		t.Fatalf("Count has %d tiles, want %d", n, tiles)
	}
	n := 0
	for range u.g.Tiles(everywhere) {
		n++
	}
	if n != tiles {
		t.Fatalf("Tiles yields %d, want %d", n, tiles)
	}
}

func runLines(rs *Runs) (lines [][6]Point) {
	for _, r := range rs.List {
		lines = append(lines, [6]Point{r.A, r.B, r.Ghost1, r.Ghost2})
	}
	return lines
}

// TestUnloadLaw: a grid whose places are unloaded and loaded in any order, with edits in between, is the grid that was
// never unloaded; and while places are unloaded it is the grid with blocks, or nothing, in their stead.
func TestUnloadLaw(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		u := &unloading{New(shapes), New(shapes), map[Rect][]byte{}, map[Rect]Unloaded{}}
		if rapid.IntRange(0, 3).Draw(t, "preserve") == 0 {
			for _, g := range []*Grid{u.g, u.all} {
				_ = g.Preserve(0, 1)
				_ = g.Preserve(2, 2)
			}
		}
		if rapid.Bool().Draw(t, "track") {
			u.g.Engine(lattice.Key{}).TrackMoments()
		}
		type moment struct {
			saved *Saved
			data  []byte
		}
		var moments []moment
		lists := map[uint64][]Cell{} // by LoadedVersion
		listed := func() {
			if u.g.Engine(lattice.Key{}).Edited() {
				return
			}
			list := u.g.Engine(lattice.Key{}).AppendLoaded(nil)
			if was, ok := lists[u.g.Engine(lattice.Key{}).LoadedVersion()]; ok && !slices.Equal(was, list) {
				t.Fatalf("LoadedVersion is %d, with the chunks %v, and %v before",
					u.g.Engine(lattice.Key{}).LoadedVersion(), list, was)
			}
			lists[u.g.Engine(lattice.Key{}).LoadedVersion()] = list
		}
		listed()
		for range rapid.IntRange(1, 14).Draw(t, "calls") {
			x, y := rapid.Int32Range(-40, 40).Draw(t, "x"), rapid.Int32Range(-40, 40).Draw(t, "y")
			r := Rect{MinX: x, MinY: y, MaxX: x + rapid.Int32Range(0, 40).Draw(t, "w"), MaxY: y + rapid.Int32Range(0,
				40).Draw(t, "h")}
			switch rapid.IntRange(0, 5).Draw(t, "call") {
			case 0, 1:
				as := Unloaded(rapid.IntRange(0, 1).Draw(t, "as"))
				before := everythingOf(u.g)
				data, err := u.g.Unload(r, as)
				if errors.Is(err, ErrUnloaded) {
					if d := before.difference(everythingOf(u.g)); d != "" {
						t.Fatalf("a refused Unload changed %v", d)
					}
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				r = lattice.ChunksOf(r)
				u.places[r], u.as[r] = data, as
				if _, err := u.g.Load(data[:len(data)-1]); err == nil {
					t.Fatal("short data was loaded")
				}
			case 2:
				if order := u.shuffled(t); len(order) > 0 {
					u.load(t, order[0])
				}
			case 3:
				moments = append(moments, moment{u.g.Engine(lattice.Key{}).Save(), u.g.AppendBinary(nil)})
			default:
				edit := drawGridEdit(t, shapes, r)
				if err := edit(u.g); !errors.Is(err, ErrUnloaded) {
					if other := edit(u.all); fmt.Sprint(err) != fmt.Sprint(other) {
						t.Fatalf("edit: %v, and %v", err, other)
					}
				}
			}
			if rapid.Bool().Draw(t, "hash") { // with edits pending
				u.g.Hash()
			}
			listed()
			u.g.Resolve()
			listed()
			u.all.Resolve()
			u.check(t)
		}
		data := u.g.AppendBinary(nil)
		if joined, err := u.g.Engine(lattice.Key{}).JoinTiles(u.g.Engine(lattice.Key{}).AppendWithoutTiles(nil),
			u.g.Engine(lattice.Key{}).AppendTiles(nil, lattice.EveryCell)); err != nil || !bytes.Equal(joined, data) {
			t.Fatalf("joined: other bytes, %v", err)
		}
		again, err := ReadGrid(data, shapes)
		if err != nil || !bytes.Equal(again.AppendBinary(nil), data) || again.Hash() != u.g.Hash() ||
			!slices.Equal(again.AppendSegments(nil, everywhere), u.g.AppendSegments(nil, everywhere)) {
			t.Fatalf("read from its binary form: %v", err)
		}
		if len(moments) > 0 {
			now := u.g.Engine(lattice.Key{}).Save()
			for range 3 {
				m := moments[rapid.IntRange(0, len(moments)-1).Draw(t, "moment")]
				u.g.Engine(lattice.Key{}).Restore(m.saved)
				listed()
				fresh, err := ReadGrid(m.data, shapes)
				if err != nil || !bytes.Equal(u.g.AppendBinary(nil), m.data) ||
					!slices.Equal(u.g.AppendSegments(nil, everywhere), fresh.AppendSegments(nil, everywhere)) {
					t.Fatalf("another grid after Restore: %v", err)
				}
			}
			u.g.Engine(lattice.Key{}).Restore(now)
			listed()
			u.check(t)
		}
		for _, r := range u.shuffled(t) {
			u.load(t, r)
			listed()
		}
		if d := everythingOf(u.g).difference(everythingOf(u.all)); d != "" {
			t.Fatalf("after all is loaded: %s", d)
		}
		if u.g.ghosts != 0 || u.g.away.n != 0 || len(u.g.away.squares) != 0 {
			t.Fatalf("%d ghosts, %v left", u.g.ghosts, u.g.away)
		}
	})
}

// drawGridEdit returns an edit in or near r.
func drawGridEdit(t *rapid.T, shapes *Shapes, r Rect) func(*Grid) error {
	tile := anyTile(shapes).Draw(t, "tile")
	switch rapid.IntRange(0, 4).Draw(t, "edit") {
	case 0:
		return func(g *Grid) error { return g.Set(r.MinX, r.MinY, tile) }
	case 1:
		return func(g *Grid) error { return g.Clear(r.MinX, r.MinY) }
	case 2:
		dx, dy := rapid.Int32Range(-9, 9).Draw(t, "dx"), rapid.Int32Range(-9, 9).Draw(t, "dy")
		return func(g *Grid) error { return g.Move(r, dx, dy) }
	case 3:
		loops, err := Capsule(float64(r.MinX), float64(r.MinY), float64(r.MinX)+5, float64(r.MinY)+3, 1.7)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "dig") {
			return func(g *Grid) error { return g.Subtract(loops) }
		}
		return func(g *Grid) error { return g.Unite(loops, Attr{Layer: tile.Layer, Material: tile.Material}) }
	}
	return func(g *Grid) error { return g.Fill(r, tile) }
}

// TestUnloadHuge: a world of 10^8 cells is unloaded as a whole, and takes hardly any memory.
func TestUnloadHuge(t *testing.T) {
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := live()
	g := New(nil)
	if _, err := g.Unload(Rect{MinX: 0, MinY: 0, MaxX: 9999, MaxY: 9999}, UnloadedSolid); err != nil {
		t.Fatal(err)
	}
	// One ghost for each chunk of the border.
	if n := len(g.chunks); n != 4*624 {
		t.Errorf("%d chunks", n)
	}
	if _, n := g.Count(); n != 40000 {
		t.Errorf("%d segments", n)
	}
	if used := live() - before; used > 16<<20 {
		t.Errorf("%d bytes in use", used)
	}
	if !g.Solid(5000.5, 5000.5) || g.Solid(-1, 5000) ||
		g.SolidArea(Rect{MinX: -5, MinY: -5, MaxX: 12000, MaxY: 12000}) != 10000*10000*cellArea {
		t.Error("the place is not solid")
	}
	err := g.Set(700, 800, Tile{Shape: Ramp})
	if e := (*Error)(nil); !errors.As(err, &e) || e.Cell != (Cell{X: 700, Y: 800}) || !errors.Is(err, ErrUnloaded) {
		t.Errorf("an edit of an unloaded cell: %v", err)
	}
	runtime.KeepAlive(g)
}

// TestUnloadGivesMemoryBack: after an Unload of all but one of 100x100 chunks of any content, what is left is what a
// grid of one chunk and its ghosts takes.
func TestUnloadGivesMemoryBack(t *testing.T) {
	for _, as := range []Unloaded{UnloadedEmpty, UnloadedSolid} {
		g := New(nil)
		fillRamps(t, g, 1600)
		_ = g.Set(5, 5, Tile{Shape: Full, User: 8})
		loops, _ := Circle(900, 900, 30)
		_ = g.Subtract(loops)
		g.Resolve()
		was, segments := g.bytes()
		var places [][]byte
		for k := range int32(100) {
			for j := range int32(100) {
				if k+j > 0 {
					data, err := g.Unload(Rect{MinX: k * 16, MinY: j * 16, MaxX: k * 16, MaxY: j * 16}, as)
					if err != nil {
						t.Fatal(err)
					}
					places = append(places, data)
				}
			}
		}
		left, _ := g.bytes()
		// With ghosts 404 more chunks around the place and beside the one that is left.
		most := 100_000
		if as == UnloadedSolid {
			most += 404 * 5000
		}
		if left > most {
			t.Errorf("%d of %d bytes are left, want at most %d", left, was, most)
		}
		if n := len(g.chunks); as == UnloadedEmpty && n != 1 || as == UnloadedSolid && n > 404 {
			t.Errorf("%d chunks are left", n)
		}
		for _, data := range places {
			if _, err := g.Load(data); err != nil {
				t.Fatal(err)
			}
		}
		if _, n := g.bytes(); n != segments {
			t.Errorf("%d segments, want %d", n, segments)
		}
	}
}

// bytes returns the memory of the chunks of g, in use and spare, and the number of segments.
func (g *Grid) bytes() (n, segments int) {
	for _, list := range [][]*chunk{g.chunks, g.spare} {
		for _, c := range list {
			if n += 424 + cap(c.pool.segs)*20; c.at != nil {
				n += chunkCells * 12
			}
			if c.attrs != nil {
				n += chunkCells * 8
			}
			if c.owned {
				n += chunkCells * 2
			}
		}
	}
	n += len(g.spareAttrs)*chunkCells*8 + len(g.spareOld)*chunkCells*12 + len(g.table.slots)*8 + cap(
		g.tree.squares)*76 + cap(g.chunks)*8
	for _, p := range g.patches.list {
		if p != nil {
			n += 500
		}
	}
	_, segments = g.Count()
	return n + len(g.patches.list)*8, segments
}

// TestUnloadShapes: a place is refused by a grid that has another shape under the id of one of its tiles.
func TestUnloadShapes(t *testing.T) {
	register := func(to float64) *Grid {
		s := NewShapes()
		if _, err := s.Register("wedge", [][2]float64{{0, 0}, {1, 0}, {0, to}}); err != nil {
			t.Fatal(err)
		}
		return New(s)
	}
	g := register(0.5)
	_ = g.Set(3, 3, Tile{Shape: 6})
	data, err := g.Unload(Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}, UnloadedEmpty)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]*Grid{"another": register(0.25), "none": New(nil)} {
		_, _ = o.Unload(Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}, UnloadedEmpty)
		if _, err := o.Load(data); !errors.Is(err, ErrUnknownShape) {
			t.Errorf("%s shape: %v", name, err)
		}
	}
	if _, err := g.Load(data); err != nil || g.Tile(3, 3).Shape != 6 {
		t.Error(err)
	}
	if _, err := g.Load(data); !errors.Is(err, errLoaded) {
		t.Errorf("a place that is loaded: %v", err)
	}
}

// TestUnloadRefuses: bad calls change nothing.
func TestUnloadRefuses(t *testing.T) {
	g := New(nil)
	_ = g.Set(0, 0, Tile{Shape: Full})
	for _, r := range []Rect{
		{MinX: 1, MinY: 0, MaxX: 0, MaxY: 0},
		{MinX: 0, MinY: 0, MaxX: 1 << 30, MaxY: 0},
		{MinX: -1 << 31, MinY: -1 << 31, MaxX: 1<<31 - 1, MaxY: 1<<31 - 1},
	} {
		if _, err := g.Unload(r, UnloadedSolid); err == nil {
			t.Errorf("Unload of %v", r)
		}
	}
	if _, err := g.Unload(Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}, 2); err == nil {
		t.Error("Unload as 2")
	}
	for _, c := range corners {
		data, err := g.Unload(Rect{MinX: c.c.X, MinY: c.c.Y, MaxX: c.c.X, MaxY: c.c.Y}, UnloadedSolid)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Load(data); err != nil {
			t.Fatal(err)
		}
	}
	if tiles, segments := g.Count(); tiles != 1 || segments != 4 || g.ghosts != 0 {
		t.Errorf("%d tiles, %d segments, %d ghosts", tiles, segments, g.ghosts)
	}
}

// placeOfAll returns the bytes of a place with all kinds of content.
func placeOfAll(t rapid.TB) []byte {
	g := New(gallery(t))
	_ = g.Fill(Rect{MinX: -16, MinY: 0, MaxX: -1, MaxY: 15}, Tile{Shape: Full, User: 7})
	_ = g.Set(1, 1, Tile{Shape: 7, Turn: 3, Material: 9})
	loops, _ := Capsule(1, 1, 4, 4, 0.7)
	if err := g.Unite(loops, Attr{Layer: 3}); err != nil {
		t.Fatal(err)
	}
	data, err := g.Unload(Rect{MinX: -16, MinY: 0, MaxX: 31, MaxY: 15}, UnloadedEmpty)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestDamagedPlace: any changed byte of a place is found.
func TestDamagedPlace(t *testing.T) {
	data := placeOfAll(t)
	g := New(gallery(t))
	_, _ = g.Unload(Rect{MinX: -16, MinY: 0, MaxX: 31, MaxY: 15}, UnloadedSolid)
	before := everythingOf(g)
	for k := range data {
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := slices.Clone(data)
			bad[k] ^= flip
			if _, err := g.Load(bad); err == nil || !strings.Contains(err.Error(), "byte ") {
				t.Fatalf("byte %d: %v", k, err)
			}
			if _, err := g.Load(bad[:k]); err == nil {
				t.Fatalf("%d bytes were loaded", k)
			}
		}
	}
	if d := before.difference(everythingOf(g)); d != "" {
		t.Fatal(d)
	}
	if r, _, err := openPlace(data); err != nil || r != (Rect{MinX: -16, MinY: 0, MaxX: 31, MaxY: 15}) {
		t.Errorf("placeOf: %v, %v", r, err)
	}
}

// FuzzLoad: Load refuses data with an error and changes nothing, or loads a place whose Unload gives data of the same
// tiles.
func FuzzLoad(f *testing.F) {
	f.Add(placeOfAll(f))
	empty, _ := New(nil).Unload(Rect{MinX: 0, MinY: 0, MaxX: 31, MaxY: 0}, UnloadedEmpty)
	f.Add(empty)
	shapes := gallery(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		g := New(shapes)
		if _, err := g.Unload(Rect{MinX: -32, MinY: -16, MaxX: 31, MaxY: 31}, UnloadedSolid); err != nil {
			t.Fatal(err)
		}
		if len(data) >= 4 { // the sum is right, so that mutations reach further
			data = appendSum(slices.Clone(data[:len(data)-4]))
		}
		before := everythingOf(g)
		r, err := g.Load(data)
		if err != nil {
			if d := before.difference(everythingOf(g)); d != "" {
				t.Fatalf("%v, but %s", err, d)
			}
			return
		}
		out, err := g.Unload(r, UnloadedSolid)
		if err != nil {
			t.Fatal(err)
		}
		if d := before.difference(everythingOf(g)); d != "" {
			t.Fatal(d)
		}
		if _, err := g.Load(out); err != nil {
			t.Fatal(err)
		}
		if again, _ := g.Unload(r, UnloadedSolid); !bytes.Equal(again, out) {
			t.Fatal("other bytes")
		}
	})
}

// BenchmarkUnload unloads and loads one chunk of a field of ramps, surrounded by such chunks, and of the inside of
// solid ground.
func BenchmarkUnload(b *testing.B) {
	ramps := New(nil)
	fillRamps(b, ramps, 160)
	solid := New(nil)
	_ = solid.Fill(Rect{MinX: 0, MinY: 0, MaxX: 159, MaxY: 159}, Tile{Shape: Full, Material: 3})
	hills := New(nil)
	for x := range int32(160) {
		_ = hills.Fill(Rect{MinX: x, MinY: 0, MaxX: x, MaxY: 64 + x*7%13}, Tile{Shape: Full, Material: uint16(x % 3)})
	}
	for _, c := range []struct {
		name string
		g    *Grid
	}{{"ramps", ramps}, {"solid", solid}, {"hills", hills}} {
		c.g.Resolve()
		at := Rect{MinX: 64, MinY: 64, MaxX: 79, MaxY: 79}
		for _, as := range []Unloaded{UnloadedEmpty, UnloadedSolid} {
			name := c.name + map[Unloaded]string{UnloadedEmpty: "/empty", UnloadedSolid: "/solid"}[as]
			b.Run(name+"/unload", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					data, err := c.g.Unload(at, as)
					if err != nil {
						b.Fatal(err)
					}
					b.StopTimer()
					if _, err := c.g.Load(data); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
			})
			b.Run(name+"/load", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					data, err := c.g.Unload(at, as)
					if err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					if _, err := c.g.Load(data); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
