package gridseg

import "testing"

func TestOneBlock(t *testing.T) {
	g := New(nil)
	if err := g.Set(3, -2, Tile{Shape: Full, Material: 7}); err != nil {
		t.Fatal(err)
	}
	d := g.Resolve()
	if len(addedOf(d)) != 4 || len(removedOf(d))+len(relinkedOf(d)) != 0 ||
		d.Cells != (Rect{MinX: 3, MinY: -2, MaxX: 3, MaxY: -2}) {
		t.Fatalf("delta of one block: %+v", d)
	}
	s := addedOf(d)[0]
	want := Segment{
		ID: idAt(Cell{X: 3, Y: -2}, spotAt(0, 0), spotAt(Unit, 0)), A: Point{X: 3 * Unit, Y: -2 * Unit},
		B:      Point{X: 4 * Unit, Y: -2 * Unit},
		Ghost1: Point{X: 3 * Unit, Y: -1 * Unit}, Ghost2: Point{X: 4 * Unit, Y: -1 * Unit}, HasGhost1: true,
		HasGhost2: true,
		Prev:      idAt(Cell{X: 3, Y: -2}, spotAt(0, Unit), 0), Next: idAt(Cell{X: 3, Y: -2}, spotAt(Unit, 0),
			spotAt(Unit, Unit)),
		Tile: Tile{Shape: Full, Material: 7},
	}
	if s != want {
		t.Fatalf("bottom is\n%+v, want\n%+v", s, want)
	}
	if err := g.Clear(3, -2); err != nil {
		t.Fatal(err)
	}
	if d := g.Resolve(); len(removedOf(d)) != 4 || len(addedOf(d)) != 0 || removedOf(d)[0] != want {
		t.Fatalf("delta of its removal: %+v", d)
	}
	if n, m := g.Count(); n != 0 || m != 0 || len(g.chunks) != 0 {
		t.Fatalf("left: %d tiles, %d segments, %d chunks", n, m, len(g.chunks))
	}
}
