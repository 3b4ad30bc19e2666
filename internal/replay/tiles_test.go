package replay

import (
	"bytes"
	"testing"

	"github.com/quarry2d/quarry/gridseg"
)

// ground is a world of one grid.
type ground struct{ g *gridseg.Grid }

// groundID is the id of the ground.
const groundID uint64 = 3

func (w *ground) StepCount() uint64 { return 0 }
func (w *ground) Hash() uint64      { return w.g.Hash() }

func (w *ground) Restore(snapshot []byte) (err error) {
	w.g, err = gridseg.ReadGrid(snapshot, gridseg.NewShapes())
	return err
}

// Ground is a view of it. It and two of its methods have the names that Log uses.
type Ground struct{ w *ground }

func (w *ground) View(id uint64) (Ground, bool) { return Ground{w}, id == groundID }

func (v Ground) register(data []byte) {
	if err := Register(v.w.g.Shapes(), data); err != nil {
		panic(err)
	}
}

func (v Ground) paste(r gridseg.Rect, data []byte) {
	s, err := ReadCells(data, v.w.g, r)
	if err == nil {
		err = v.w.g.Place(r.MinX, r.MinY, s)
	}
	if err != nil {
		panic(err)
	}
}

func (v Ground) Clear(x, y int32) {
	if err := v.w.g.Clear(x, y); err != nil {
		panic(err)
	}
}

func (v Ground) Set(x, y int32, t gridseg.Tile, times int) {
	if err := v.w.g.Set(x, y, t); err != nil {
		panic(err)
	}
}

// TestEditsOfGrounds: a log has the shapes that a ground's registry gains, at the next edit, the arguments of edits, a
// grid with its registry, and the cells of an edit with a function, so that a replay ends in the same tiles. An edit
// that the world does not record by its cells is not pasted.
func TestEditsOfGrounds(t *testing.T) {
	w := &ground{gridseg.New(nil)}
	grids := func(yield func(uint64, *gridseg.Grid) bool) { yield(groundID, w.g) }
	var out bytes.Buffer
	l := Begin(w, grids, &out, 1, nil, 0, w.g.AppendBinary(nil))
	shape, err := w.g.Shapes().Register("wedge", [][2]float64{{0, 0}, {1, 0}, {1, 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	edit := func(pasting bool, do func()) {
		Edit(l, groundID, w.g, pasting)
		do()
		Edited(l, groundID, w.g)
		w.g.Resolve()
	}
	edit(false, func() {
		Call4(l, "Ground.Set", groundID, int32(-7), int32(9), gridseg.Tile{Shape: shape}, 1)
		Ground{w}.Set(-7, 9, gridseg.Tile{Shape: shape}, 1)
	})
	edit(true, func() {
		for x := range int32(5) {
			if err := w.g.Set(x, -x, gridseg.Tile{Shape: gridseg.Ramp, Turn: gridseg.Turn(x)}); err != nil {
				t.Fatal(err)
			}
		}
	})
	edit(false, func() {
		Call2(l, "Ground.Clear", groundID, int32(2), int32(-2))
		Ground{w}.Clear(2, -2)
	})
	if err := l.End(); err != nil {
		t.Fatal(err)
	}
	play := func(log []byte) (*ground, error) {
		o := &ground{}
		p := &Player{
			World: o, Broken: func() bool { return false }, Views: []any{(*ground).View},
			Calls: []any{Ground.Set, Ground.Clear, Ground.register, Ground.paste},
		}
		return o, p.Play(bytes.NewReader(log))
	}
	got, err := play(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got.g.Hash() != w.g.Hash() || got.g.Shapes().Len() != w.g.Shapes().Len() {
		t.Error("the replay has other tiles, or other shapes")
	}
}

// TestGridAsArgument: a grid is recorded with its registry, and nil as nil.
func TestGridAsArgument(t *testing.T) {
	g := gridseg.New(nil)
	shape, err := g.Shapes().Register("half", [][2]float64{{0, 0}, {1, 0}, {1, 0.5}, {0, 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Set(1, 2, gridseg.Tile{Shape: shape}); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	for _, from := range []*gridseg.Grid{g, nil} {
		data := appendGrid(nil, from)
		got, rest, err := readGrid(append(data, 7))
		if err != nil || len(rest) != 1 || (got == nil) != (from == nil) {
			t.Fatalf("%v, %d bytes left, %v", got, len(rest), err)
		}
		if from != nil && (got.Hash() != from.Hash() || got.Shapes().Name(shape) != "half") {
			t.Error("another grid, or another registry")
		}
		for n := range data {
			if _, _, err := readGrid(data[:n]); err == nil {
				t.Fatalf("no error after %d of %d bytes", n, len(data))
			}
		}
	}
}

// TestPasteLeavesUnloadedCells: the cells of an edit are placed but for those that the ground has unloaded.
func TestPasteLeavesUnloadedCells(t *testing.T) {
	from, to := gridseg.New(nil), gridseg.New(nil)
	r := gridseg.Rect{MinX: -2, MinY: -1, MaxX: 2, MaxY: 1}
	if err := from.Fill(r, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Unload(gridseg.Rect{MinX: -64, MinY: -64, MaxX: -1, MaxY: 63}, gridseg.UnloadedEmpty); err != nil {
		t.Fatal(err)
	}
	data, err := appendCells(nil, from, r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadCells(data, to, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Place(r.MinX, r.MinY, s); err != nil {
		t.Fatal(err)
	}
	n := 0
	for range to.Tiles(r) {
		n++
	}
	if n != 9 {
		t.Errorf("%d tiles, want the 9 in loaded cells", n)
	}
}
