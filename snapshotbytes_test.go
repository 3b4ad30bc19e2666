package quarry

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// bytes returns the bytes of memory that s holds, besides s, the tiles, names and events.
func (s *Snapshot) bytes() int { return s.state.Bytes() + s.broad.Bytes() }

// pileOf returns a world of n boxes that have fallen into a pit of tiles for some steps.
func pileOf(t testing.TB, n, steps int) *World {
	w := NewWorld(Config{Gravity: geom.V(0, -10), Workers: 1})
	grid := gridseg.New(nil)
	for _, r := range []gridseg.Rect{
		{MinX: -20, MinY: -20, MaxX: 60, MaxY: -1}, {MinX: -20, MaxX: -1, MaxY: 60}, {MinX: 30, MaxX: 60, MaxY: 60},
	} {
		if err := grid.Fill(r, gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AddGround(0, GroundDef{Grid: grid}); err != nil {
		t.Fatal(err)
	}
	for k := range n {
		at := geom.V(0.5+0.63*float64(k%28), 0.6+0.63*float64(k/28))
		b := w.AddBody(BodyDef{Type: Dynamic, Position: at, Angle: float64(k % 7)})
		w.AddShape(b, geom.NewBox(0.3, 0.24), ShapeDef{})
	}
	for range steps {
		w.Step(1.0 / 60)
	}
	return w
}

// TestSnapshotBytes: a Snapshot of a pile of a thousand bodies on tiles holds as much memory as docs/snapshots.md says,
// and Rewind makes the world of it again, without allocations.
func TestSnapshotBytes(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("pointers of 32 bits: the bytes are those on machines of 64 bits")
	}
	w := pileOf(t, 1022, 300)
	var s Snapshot
	w.Capture(&s)
	n, contacts := s.bytes(), w.state.Contacts.Len()
	text, err := os.ReadFile("docs/snapshots.md")
	if err != nil {
		t.Fatal(err)
	}
	touching := 0
	for _, c := range w.state.Contacts.All() {
		if c.Touching {
			touching++
		}
	}
	said := fmt.Sprintf("1,022 boxes with %d contacts, of which %d touch, takes %.2f MB", contacts, touching,
		float64(n)/1e6)
	if n > 1_000_000 || !strings.Contains(strings.ReplaceAll(string(text), "\n", " "), said) {
		t.Errorf("docs/snapshots.md does not say that a pile of %s; or that is more than 1 MB", said)
	}

	want := w.AppendSnapshot(nil)
	again := func() {
		w.Capture(&s)
		w.Step(1.0 / 60)
		w.Rewind(&s)
	}
	again() // the first Load and the step after it get their memory
	allocs := testing.AllocsPerRun(4, again)
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
	if !bytes.Equal(w.AppendSnapshot(nil), want) {
		t.Error("another world after Rewind")
	}
}

// TestLoadedHulls: after Rewind each shape has the hull of its geometry, whatever happened to its slot.
func TestLoadedHulls(t *testing.T) {
	w := NewWorld(Config{})
	body := w.AddBody(BodyDef{Type: Dynamic})
	var ids []ShapeID
	for k := range 6 {
		ids = append(ids, w.AddShape(body, geom.NewBox(1, 1+float64(k)), ShapeDef{}))
	}
	w.RemoveShape(ids[5]) // a free slot at the time of Save
	var s Snapshot
	w.Capture(&s)
	at := func(id ShapeID) Shape { v, _ := w.Shape(id); return v }
	at(ids[0]).SetGeometry(geom.Circle{Radius: 3})
	at(ids[1]).SetGeometry(at(ids[1]).Geometry())
	w.RemoveShape(ids[2])
	w.RemoveShape(ids[3])
	for k := range 3 {
		w.AddShape(body, geom.Circle{Radius: 5 + float64(k)}, ShapeDef{})
	}
	w.Rewind(&s)
	for i := range w.state.Shapes.Slots() {
		got := *w.state.Shapes.At(i)
		if i == 5 {
			if w.state.Shapes.Used(i) || got.Geometry != nil || got.Hull != (collide.Hull{}) {
				t.Errorf("the free slot has %v", got)
			}
			continue
		}
		want := got
		if want.Hull = collide.NewHull(geom.NewBox(1, 1+float64(i))); got.Hull != want.Hull {
			t.Errorf("shape %d has the hull of %v", i, got.Geometry)
		}
		if want.Measure(); got.Extent != want.Extent || got.InnerRadius != want.InnerRadius {
			t.Errorf("shape %d has other sizes", i)
		}
	}
}
