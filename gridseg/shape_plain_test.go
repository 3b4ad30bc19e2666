package gridseg

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// twins is a grid and a copy in which every cell takes the general path, because it preserves
// layers that no tile has.
type twins struct{ fast, slow *Grid }

func newTwins(t rapid.TB, shapes *Shapes) twins {
	w := twins{New(shapes), New(shapes)}
	if err := w.slow.Preserve(254, 255); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w twins) set(t rapid.TB, x, y int32, tile Tile) {
	t.Helper()
	if w.fast.Set(x, y, tile) != nil || w.slow.Set(x, y, tile) != nil {
		t.Fatal("refused")
	}
}

// resolve compares the deltas of the two, and their contents afterwards.
func (w twins) resolve(t rapid.TB) {
	t.Helper()
	d, e := w.fast.Resolve(), w.slow.Resolve()
	if d.Cells != e.Cells && !d.Empty() {
		t.Fatalf("cells %v, slow %v", d.Cells, e.Cells)
	}
	for _, list := range [][2][]Segment{
		{addedOf(d), addedOf(e)},
		{removedOf(d), removedOf(e)},
		{relinkedOf(d), relinkedOf(e)},
	} {
		if !slices.Equal(list[0], list[1]) {
			t.Fatalf("\n%+v\nslow\n%+v", list[0], list[1])
		}
	}
	if !slices.Equal(w.fast.AppendSegments(nil, everywhere), w.slow.AppendSegments(nil, everywhere)) {
		t.Fatal("segments differ")
	}
}

// TestPlainIsSlow compares the path of plain forms with the general path.
func TestPlainIsSlow(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		w := newTwins(t, shapes)
		// Few shapes at a time, so that some worlds are plain and others mixed.
		ids := rapid.SliceOfN(rapid.IntRange(0, shapes.Len()), 1, 3).Draw(t, "shapes")
		side := rapid.Int32Range(2, 6).Draw(t, "side")
		off := rapid.Int32Range(-20, 20).Draw(t, "off")
		for range rapid.IntRange(1, 30).Draw(t, "rounds") {
			for range rapid.SampledFrom([]int{1, 1, 1, 2, 20}).Draw(t, "edits") {
				tile := Tile{
					Shape:    ShapeID(rapid.SampledFrom(ids).Draw(t, "shape")),
					Turn:     Turn(rapid.IntRange(0, 7).Draw(t, "turn")),
					Material: uint16(rapid.IntRange(0, 1).Draw(t, "material")),
				}
				if tile.Shape == 0 || rapid.IntRange(0, 3).Draw(t, "clear") == 0 {
					tile = Tile{}
				}
				w.set(t, off+rapid.Int32Range(0, side).Draw(t, "x"), off+rapid.Int32Range(0, side).Draw(t, "y"), tile)
			}
			w.resolve(t)
		}
	})
}

// TestVertexTableOverflow meets more kinds of vertex than a grid keeps, at once and edit by edit.
func TestVertexTableOverflow(t *testing.T) {
	shapes := NewShapes()
	for _, s := range []struct {
		name string
		poly [][2]float64
	}{
		{"wedge", [][2]float64{{0, 0}, {1, 0}, {.5, .5}}},
		{"kite", [][2]float64{{0, 0}, {1, 0}, {.75, .75}, {0, 1}}},
		{"dart", [][2]float64{{0, 0}, {1, 0}, {.25, .25}, {0, 1}}},
		{"spire", [][2]float64{{0, 0}, {1, 0}, {.25, .75}}},
	} {
		id, err := shapes.Register(s.name, s.poly)
		if err != nil {
			t.Fatal(err)
		}
		if about := shapes.traits[Tile{Shape: id}.form()]; about&nonPlainForm != 0 {
			t.Fatalf("%s is not plain", s.name)
		}
	}
	w := newTwins(t, shapes)
	plain := []ShapeID{0, Full, Ramp, SlopeHigh + 1, SlopeHigh + 2, SlopeHigh + 3, SlopeHigh + 4}
	r := rand.New(rand.NewPCG(1, 3))
	tile := func() Tile {
		id := plain[r.IntN(len(plain))]
		if id == 0 {
			return Tile{}
		}
		return Tile{Shape: id, Turn: Turn(r.IntN(8))}
	}
	const side = 150
	for y := range int32(side) {
		for x := range int32(side) {
			w.set(t, x, y, tile())
		}
	}
	w.resolve(t)
	if n, era := len(w.fast.vertices.slots), w.fast.vertices.generation; n != maxTableSlots || era < 10 {
		t.Fatalf("%d slots, emptied or moved %d times", n, era)
	}
	for range 300 {
		w.set(t, r.Int32N(side), r.Int32N(side), tile())
		d, e := w.fast.Resolve(), w.slow.Resolve()
		if !slices.Equal(addedOf(d), addedOf(e)) || !slices.Equal(relinkedOf(d), relinkedOf(e)) {
			t.Fatal("deltas differ")
		}
	}
	w.resolve(t)
}

// TestSizes checks the sizes in bytes of the types that a grid has many of.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"seg", unsafe.Sizeof(seg{}), 20},
		{"block", unsafe.Sizeof(block{}), 12},
		{"chunk", unsafe.Sizeof(chunk{}), 416},
		{"grid", unsafe.Sizeof(Grid{}), 1096}, // each moving ground has one
		{"table entry", unsafe.Sizeof(tableEntry{}), 48},
		{"ref", unsafe.Sizeof(deltaRef{}), 8},
		{"gone", unsafe.Sizeof(removedSegment{}), 40},
	} {
		if c.got > c.want {
			t.Errorf("%s: %d bytes, want at most %d", c.name, c.got, c.want)
		}
	}
}
