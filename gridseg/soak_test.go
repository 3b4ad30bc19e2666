package gridseg

import (
	"errors"
	"maps"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// long is a world that is edited for long: a square of cells over the corner of four
// chunks, and a few cells at the ends of the world, whose chunks come and go.
type long struct {
	g      *Grid
	m      mirror
	r      *rand.Rand
	placed map[Cell]Tile // by edits of tiles; without tiles that a stroke or polygon may have changed
	few    bool          // tiles are of Full and Ramp: such worlds are resolved another way
}

const longSide = 24

// ends are the origins that are far from each other and from the square.
var ends = origins[2:]

func (l *long) cell() Cell {
	return Cell{X: l.r.Int32N(longSide) - longSide/2, Y: l.r.Int32N(longSide) - longSide/2}
}

// edit makes one edit. Nearly all are of one tile.
func (l *long) edit() error {
	r, c := l.r, l.cell()
	tile := Tile{
		Shape: ShapeID(r.IntN(l.g.shapes.Len() + 1)), Turn: Turn(r.IntN(turns)),
		Layer: uint8(r.IntN(3)), Material: uint16(r.IntN(3)), User: r.Uint32N(3),
	}
	if l.few {
		tile.Shape %= 3
	}
	if tile.Shape == 0 {
		tile = Tile{}
	}
	a := Attr{tile.Layer, tile.Material, tile.User}
	near := Rect{MinX: c.X, MinY: c.Y, MaxX: min(c.X+r.Int32N(4), longSide/2-1), MaxY: min(c.Y+r.Int32N(4),
		longSide/2-1)}
	switch k := r.IntN(1000); {
	case k < 2: // a chunk, or all four: later edits use their memory
		at := chunkOf(c)
		if r.IntN(8) == 0 { // seldom, so that the world is large when it is measured
			at = Rect{MinX: -longSide / 2, MinY: -longSide / 2, MaxX: longSide/2 - 1, MaxY: longSide/2 - 1}
			l.few = !l.few
		}
		for _, c := range cellsOf(l.g, at) {
			l.lay(Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y}, Tile{})
			if err := l.g.Clear(c.X, c.Y); err != nil {
				return err
			}
		}
		return nil
	case k < 900:
		l.lay(Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y}, tile)
		return l.g.Set(c.X, c.Y, tile)
	case k < 940:
		l.lay(Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y}, Tile{})
		return l.g.Clear(c.X, c.Y)
	case k < 950:
		l.lay(near, tile)
		return l.g.Fill(near, tile)
	case k < 960: // an edge of the square may leave it, and come in
		clear(l.placed)
		return l.g.Move(Rect{MinX: -4, MinY: -4, MaxX: 3, MaxY: 3}, r.Int32N(9)-4, r.Int32N(9)-4)
	case k < 985:
		o := ends[r.IntN(len(ends))]
		return l.g.Set(o.X+r.Int32N(worldSide), o.Y+r.Int32N(worldSide), tile)
	case k < 990: // a polygon, seldom where there is room
		delete(l.placed, c)
		x, y := int64(r.IntN(4))*Unit/4, int64(r.IntN(4))*Unit/4
		err := l.g.Add(c.X, c.Y, [][]Point{{{X: x, Y: y}, {X: x + Unit/4, Y: y}, {X: x, Y: y + Unit/4}}}, a)
		if errors.Is(err, ErrOverlap) {
			err = nil
		}
		return err
	}
	// Strokes stay within the square: no other edit reaches beyond it.
	clear(l.placed)
	const most = longSide/2 - 2
	x, y := 2*most*r.Float64()-most, 2*most*r.Float64()-most
	loops, err := Capsule(x, y, x+r.Float64()-.5, y+r.Float64()-.5, .05+.5*r.Float64())
	if err != nil {
		return err
	}
	if r.IntN(2) == 0 {
		return l.g.Unite(loops, a)
	}
	return l.g.Subtract(loops)
}

func (l *long) lay(at Rect, tile Tile) {
	for _, c := range cellsIn(at) {
		l.placed[c] = tile
	}
}

// check checks all laws by the oracle, which expects empty cells at the ends of the
// world, and returns the bytes in use.
func (l *long) check(t *testing.T, w *world) int64 {
	t.Helper()
	for _, o := range ends {
		if err := l.g.Fill(Rect{MinX: o.X, MinY: o.Y, MaxX: o.X + worldSide - 1, MaxY: o.Y + worldSide - 1},
			Tile{}); err != nil {
			t.Fatal(err)
		}
	}
	d := l.g.Resolve()
	l.m.take(t, &d)
	l.m.equals(t, l.g)
	for c, tile := range l.placed {
		if got := l.g.Tile(c.X, c.Y); got != tile {
			t.Fatalf("%v holds %v, want %v", c, got, tile)
		}
	}
	w.read(l.g)
	w.check(t, l.g)
	checkPolygons(t, l.g)
	// A map with insertions and deletions grows for long: the copy's by 1.2 MB between the edits
	// 250,000 and 750,000. A new map has the size of its entries, so the growth measured is the
	// grid's.
	l.m = maps.Collect(maps.All(l.m))
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestTenMillionEdits makes random edits of all kinds, resolving after nearly each, empties chunks
// now and then so that their memory is used again, and keeps a copy by deltas. Twenty times it
// compares the copy, the grid, a new grid built of the cells' contents, and the oracle. In the
// second half nothing is larger than in the first, but for chance: neither bytes in use, nor
// chunks, nor room for segments and patches. Ten million edits when soaking, else fifty thousand,
// and then a fifth of it with layers kept apart.
func TestTenMillionEdits(t *testing.T) {
	edits := 50_000
	if soak() {
		edits = 10_000_000
	}
	for _, keep := range []bool{false, true} {
		l := &long{New(gallery(t)), mirror{}, rand.New(rand.NewPCG(10, 7)), map[Cell]Tile{}, false}
		w := newWorld(l.g.shapes)
		if keep {
			for _, p := range [][2]uint8{{0, 1}, {2, 2}} {
				if err := l.g.Preserve(p[0], p[1]); err != nil {
					t.Fatal(err)
				}
				w.preserve[p], w.preserve[[2]uint8{p[1], p[0]}] = true, true
			}
			edits /= 5
		}
		begin := time.Now()
		type room struct{ chunks, segments, patches int }
		measure := func() (n room) {
			for _, c := range l.g.chunks {
				n.segments += cap(c.pool.segs)
			}
			n.chunks, n.patches = len(l.g.chunks), len(l.g.patches.list)
			return n
		}
		var early, late room
		var first, last int64
		for k := range edits {
			if err := l.edit(); err != nil {
				t.Fatalf("edit %d: %v", k, err)
			}
			if k%8 != 0 {
				d := l.g.Resolve()
				l.m.take(t, &d)
			}
			if (k+1)%(edits/20) != 0 {
				continue
			}
			now, is := l.check(t, w), measure()
			if k < edits/2 {
				first, early = max(first, now), room{
					max(early.chunks, is.chunks), max(early.segments, is.segments),
					max(early.patches, is.patches),
				}
			}
			last, late = now, is
			tiles, segments := l.g.Count()
			t.Logf("%d edits, %d tiles, %d segments: %d KiB, %+v", k+1, tiles, segments, now>>10, is)
		}
		t.Logf("%d edits, layers kept apart: %v, %v", edits, keep, time.Since(begin).Round(time.Millisecond))
		if last > first+first/10+1<<18 || late.chunks > early.chunks || late.segments > early.segments*5/4 ||
			late.patches > early.patches*5/4+16 {
			t.Errorf("grown from %d bytes, %+v, to %d, %+v", first, early, last, late)
		}
		if err := l.g.Fill(Rect{MinX: -99, MinY: -99, MaxX: 99, MaxY: 99}, Tile{}); err != nil {
			t.Fatal(err)
		}
		d := l.g.Resolve()
		l.m.take(t, &d)
		if tiles, segments := l.g.Count(); tiles+segments+len(l.m)+len(l.g.chunks)+l.g.table.n+
			len(l.g.patches.list)-len(l.g.patches.free) != 0 {
			t.Errorf("left: %d tiles, %d segments, %d chunks", tiles, segments, len(l.g.chunks))
		}
	}
}
