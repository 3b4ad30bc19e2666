package grid

import (
	"math/bits"
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
		count := 0
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
		for i := range l.cells.slots {
			c := &l.cells.slots[i]
			if c.val == 0 {
				continue
			}
			cx, cy := c.key.cell()
			if !l.bounds.has(cx, cy) {
				t.Fatalf("level %d: cell (%d, %d) is out of bounds %v", at, cx, cy, l.bounds)
			}
			n := int32(0)
			for id := c.head(); id != none; id = g.objects[id].next[corner(cx, cy)] {
				o := &g.objects[id]
				if int(o.level) != at || !o.span().has(cx, cy) {
					t.Fatalf("level %d: cell (%d, %d) lists object %d, which is elsewhere", at, cx, cy, id)
				}
				if n++; n > c.length() {
					break
				}
			}
			if n != c.length() {
				t.Fatalf("level %d: cell (%d, %d) counts %d, lists %d", at, cx, cy, c.length(), n)
			}
			listed -= int(n)
		}
		checkTable(t, &l.cells)
		below := &l.cells
		for tier := range l.blocks {
			b := &l.blocks[tier]
			checkTable(t, b)
			children := 0
			for i := range b.slots {
				children += bits.OnesCount64(b.slots[i].val)
			}
			if children != below.used {
				t.Fatalf("level %d, tier %d: bits for %d squares of %d", at, tier+1, children, below.used)
			}
			for i := range below.slots {
				if below.slots[i].val != 0 {
					x, y := below.slots[i].key.cell()
					if b.get(cellKey(x>>3, y>>3))&childBit(x, y) == 0 {
						t.Fatalf("level %d, tier %d: no bit for (%d, %d)", at, tier+1, x, y)
					}
				}
			}
			below = b
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

// checkTable expects every square to be found, free slots to be clear, and the
// table to be at most half full.
func checkTable(t fataler, tab *table) {
	t.Helper()
	used := 0
	for i := range tab.slots {
		s := &tab.slots[i]
		switch {
		case s.val != 0:
			used++
			if tab.find(s.key) != s {
				t.Fatalf("slot %d is not found", i)
			}
		case s.key != 0:
			t.Fatalf("free slot %d is not clear", i)
		}
	}
	if used != tab.used || 2*used > len(tab.slots) {
		t.Fatalf("%d of %d slots in use, counted %d", used, len(tab.slots), tab.used)
	}
}
