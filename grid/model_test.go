package grid

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// model is a Grid and the boxes that should be in it, in a plain list: what
// every answer is held against.
type model struct {
	t     fataler
	g     *Grid
	boxes []geom.AABB // by id; empty if the id is not in use
	live  []ID
}

// fataler is the part of testing.TB that package rapid has too.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func newModel(t fataler, cellSize float64) *model {
	return &model{t: t, g: New(cellSize)}
}

func (m *model) add(box geom.AABB) ID {
	m.t.Helper()
	id, err := m.g.Add(box, uint64(len(m.boxes))+7)
	if err != nil {
		m.t.Fatalf("Add(%v): %v", box, err)
	}
	for int(id) >= len(m.boxes) {
		m.boxes = append(m.boxes, geom.Empty)
	}
	if !m.boxes[id].IsEmpty() {
		m.t.Fatalf("Add gave out id %d, which is in use", id)
	}
	m.boxes[id] = box
	m.live = append(m.live, id)
	return id
}

func (m *model) update(id ID, box geom.AABB) {
	m.t.Helper()
	if err := m.g.Update(id, box); err != nil {
		m.t.Fatalf("Update(%d, %v): %v", id, box, err)
	}
	m.boxes[id] = box
}

// remove removes the i-th of the live ids.
func (m *model) remove(i int) {
	id := m.live[i]
	m.g.Remove(id)
	m.boxes[id] = geom.Empty
	m.live = slices.Delete(m.live, i, i+1)
}

func (m *model) overlaps(box geom.AABB) []ID {
	var ids []ID
	for i, b := range m.boxes {
		if !b.IsEmpty() && b.Overlaps(box) {
			ids = append(ids, ID(i))
		}
	}
	return ids
}

func (m *model) checkOverlaps(box geom.AABB) {
	m.t.Helper()
	want := []ID(nil)
	if !box.IsEmpty() {
		want = m.overlaps(box)
	}
	if got := m.g.AppendOverlaps(nil, box); !slices.Equal(got, want) {
		m.t.Fatalf("AppendOverlaps(%v) = %v, want %v", box, got, want)
	}
}

func (m *model) checkPairs() {
	m.t.Helper()
	var want [][2]ID
	for i, a := range m.boxes {
		if a.IsEmpty() {
			continue
		}
		for j, b := range m.boxes[i+1:] {
			if !b.IsEmpty() && a.Overlaps(b) {
				want = append(want, [2]ID{ID(i), ID(i + 1 + j)})
			}
		}
	}
	if got := m.g.AppendPairs(nil); !slices.Equal(got, want) {
		m.t.Fatalf("AppendPairs: got %d, want %d:\n%v\n%v", len(got), len(want), got, want)
	}
}

func (m *model) checkRay(origin, d geom.Vec) {
	m.t.Helper()
	var want []ID
	if origin.IsFinite() && d.IsFinite() {
		for i, b := range m.boxes {
			if !b.IsEmpty() && meets(b, origin, d) {
				want = append(want, ID(i))
			}
		}
	}
	if got := m.g.AppendRay(nil, origin, d); !slices.Equal(got, want) {
		m.t.Fatalf("AppendRay(%v, %v) = %v, want %v", origin, d, got, want)
	}
}

// checkAll asks everything of which there is little, and looks at the insides.
func (m *model) checkAll() {
	m.t.Helper()
	for i, b := range m.boxes {
		if m.g.Has(ID(i)) != !b.IsEmpty() {
			m.t.Fatalf("Has(%d) is wrong", i)
		}
		if !b.IsEmpty() && m.g.Box(ID(i)) != b {
			m.t.Fatalf("Box(%d) = %v, want %v", i, m.g.Box(ID(i)), b)
		}
	}
	if m.g.Len() != len(m.live) {
		m.t.Fatalf("Len = %d, want %d", m.g.Len(), len(m.live))
	}
	want := geom.Empty
	for _, id := range m.live {
		want = want.Union(m.boxes[id])
	}
	if got, ok := m.g.Bounds(); got != want || ok != (len(m.live) > 0) {
		m.t.Fatalf("Bounds = %v, %v, want %v", got, ok, want)
	}
	m.checkPairs()
	checkInvariants(m.t, m.g)
}

// checkInvariants looks for what answers need not show at once: lists and
// tables that disagree with the objects' own account of where they are.
func checkInvariants(t fataler, g *Grid) {
	t.Helper()
	listed := 0
	for at := range g.levels {
		l := &g.levels[at]
		count, cells := 0, 0
		for i := range g.objects {
			o := &g.objects[i]
			if int(o.level) != at {
				continue
			}
			count++
			s, ok := g.fine(o.box).fits(at)
			if !ok || s != o.span() {
				t.Fatalf("level %d: object %d is at %v, belongs at %v", at, i, o.span(), s)
			}
			listed += int(s.cells())
		}
		if count != l.count || (g.used>>at&1 == 1) != (count > 0) {
			t.Fatalf("level %d: count is %d, used %v, holds %d", at, l.count, g.used>>at&1 == 1, count)
		}
		for i := range l.slots {
			c := &l.slots[i]
			if c.n == 0 {
				if *c != (cell{}) {
					t.Fatalf("level %d: free slot %d is not clear", at, i)
				}
				continue
			}
			cells++
			cx, cy := c.key.cell()
			if l.find(c.key) != c {
				t.Fatalf("level %d: cell (%d, %d) is not found", at, cx, cy)
			}
			if !l.bounds.has(cx, cy) {
				t.Fatalf("level %d: cell (%d, %d) is out of bounds %v", at, cx, cy, l.bounds)
			}
			n := int32(0)
			for id := c.head; id != none; id = g.objects[id].next[corner(cx, cy)] {
				o := &g.objects[id]
				if int(o.level) != at || !o.span().has(cx, cy) {
					t.Fatalf("level %d: cell (%d, %d) lists object %d, which is elsewhere", at, cx, cy, id)
				}
				if n++; n > c.n {
					break
				}
			}
			if n != c.n {
				t.Fatalf("level %d: cell (%d, %d) counts %d, lists %d", at, cx, cy, c.n, n)
			}
			listed -= int(n)
		}
		if cells != l.cells || 2*cells > len(l.slots) {
			t.Fatalf("level %d: %d cells in %d slots, counted %d", at, cells, len(l.slots), l.cells)
		}
	}
	if listed != 0 {
		t.Fatalf("%d listings are missing (or, below 0, too many)", listed)
	}
	for i, id := range g.oversize {
		if o := &g.objects[id]; o.level != oversize || o.cx != int32(i) {
			t.Fatalf("oversize list is wrong at %d", i)
		}
	}
}
