package grid

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// model is the four grids and the boxes that should be in each, in a plain list, the
// oracle of every result.
type model struct {
	t       fataler
	grids   []*Grid
	objects []Object // by id; with an empty box if the id is not in use
	live    []ID
}

// fataler is the part of testing.TB that package rapid has too.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// newModel has fixed grids of 40x40 cells round the origin; objects beyond are in their
// oversize lists.
func newModel(t fataler, cell float64) *model {
	return &model{t: t, grids: append(newGrids(cell, geom.Box(geom.V(-20, -20).Mul(cell), geom.V(20, 20).Mul(cell))),
		newSeparated(cell))}
}

// newSeparated returns a hierarchical grid that keeps objects of category 4 apart from objects of categories 1 and 2.
func newSeparated(cell float64) *Grid {
	g := NewHierarchical(cell)
	g.Separate(1|2, 4)
	return g
}

func (m *model) add(box geom.AABB) ID {
	m.t.Helper()
	id := none
	data := uint64(len(m.objects)) + 7
	for i, g := range m.grids {
		got, err := g.Add(box, data)
		if err != nil {
			m.t.Fatalf("%v: Add(%v): %v", g.Kind(), box, err)
		}
		if i > 0 && got != id {
			m.t.Fatalf("%v: Add gave out %d, not %d", g.Kind(), got, id)
		}
		id = got
	}
	m.note(Object{ID: id, Box: box, Data: data, Category: All})
	return id
}

func (m *model) note(o Object) {
	m.t.Helper()
	for int(o.ID) >= len(m.objects) {
		m.objects = append(m.objects, Object{Box: geom.Empty})
	}
	if !m.objects[o.ID].Box.IsEmpty() {
		m.t.Fatalf("id %d was given out, which is in use", o.ID)
	}
	m.objects[o.ID] = o
	m.live = append(m.live, o.ID)
}

func (m *model) forget(id ID) {
	m.objects[id] = Object{Box: geom.Empty}
	m.live = slices.DeleteFunc(m.live, func(x ID) bool { return x == id })
}

func (m *model) update(id ID, box geom.AABB) {
	m.t.Helper()
	for _, g := range m.grids {
		if err := g.Update(id, box); err != nil {
			m.t.Fatalf("%v: Update(%d, %v): %v", g.Kind(), id, box, err)
		}
	}
	m.objects[id].Box = box
}

func (m *model) remove(id ID) {
	for _, g := range m.grids {
		g.Remove(id)
	}
	m.forget(id)
}

func (m *model) exclude(id ID, hide bool) {
	for _, g := range m.grids {
		if hide {
			g.Exclude(id)
		} else {
			g.Include(id)
		}
	}
	m.objects[id].Excluded = hide
}

func (m *model) setCategory(id ID, c uint64) {
	for _, g := range m.grids {
		g.SetCategory(id, c)
	}
	m.objects[id].Category = c
}

func (m *model) clear() {
	for _, g := range m.grids {
		g.Clear()
	}
	m.objects, m.live = nil, nil
}

// build gives all grids the boxes by Build; the result must be as by adding the boxes
// one by one.
func (m *model) build(boxes []geom.AABB) {
	m.t.Helper()
	m.objects, m.live = nil, nil
	data := make([]uint64, len(boxes))
	for i, b := range boxes {
		data[i] = uint64(i) * 3
		m.note(Object{ID: ID(i), Box: b, Data: data[i], Category: All})
	}
	for _, g := range m.grids {
		if err := g.Build(boxes, data); err != nil {
			m.t.Fatalf("%v: Build: %v", g.Kind(), err)
		}
	}
}

// each calls f with the objects that a query with the mask may return.
func (m *model) each(mask uint64, f func(ID, geom.AABB)) {
	for i, o := range m.objects {
		if !o.Box.IsEmpty() && !o.Excluded && o.Category&mask != 0 {
			f(ID(i), o.Box)
		}
	}
}

func (m *model) checkOverlaps(box geom.AABB, mask uint64) {
	m.t.Helper()
	var want []ID
	m.each(mask, func(id ID, b geom.AABB) {
		if !box.IsEmpty() && b.Overlaps(box) {
			want = append(want, id)
		}
	})
	for _, g := range m.grids {
		if got := g.AppendOverlaps(nil, box, mask); !slices.Equal(got, want) {
			m.t.Fatalf("%v: AppendOverlaps(%v) = %v, want %v", g.Kind(), box, got, want)
		}
	}
}

func (m *model) checkNearest(p geom.Vec, reach float64, mask uint64) {
	m.t.Helper()
	id, dist := none, math.Inf(1)
	if p.IsFinite() {
		m.each(mask, func(i ID, b geom.AABB) {
			if d := distance(p, &b); d <= reach && d < dist {
				id, dist = i, d
			}
		})
	}
	for _, g := range m.grids {
		got, d, ok := g.Nearest(p, reach, mask)
		if ok != (id != none) || ok && (got != id || d != dist) {
			m.t.Fatalf("%v: Nearest(%v, %g) = %d, %g, %v, want %d, %g", g.Kind(), p, reach, got, d, ok, id, dist)
		}
	}
}

func (m *model) checkPairs() {
	m.t.Helper()
	var want [][2]ID
	for a, o := range m.objects {
		for b := a + 1; b < len(m.objects) && !o.Box.IsEmpty() && !o.Excluded; b++ {
			if p := m.objects[b]; !p.Box.IsEmpty() && !p.Excluded && o.Box.Overlaps(p.Box) {
				want = append(want, [2]ID{ID(a), ID(b)})
			}
		}
	}
	for _, g := range m.grids {
		got := g.AppendPairs(nil)
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				m.t.Fatalf("%v: AppendPairs gives %d pairs, want %d; pair %d differs", g.Kind(), len(got), len(want), i)
			}
		}
	}
}

// checkCast compares all hits of the cast, and the first. The fraction at which it hits
// one object is the cast's own; pitfall_test.go and exact_test.go hold that to account.
func (m *model) checkCast(c cast) {
	m.t.Helper()
	var want []Hit
	if short := c; short.ok() {
		by := short.rescale()
		m.each(c.mask, func(id ID, b geom.AABB) {
			if t, ok := short.meets(&b); ok {
				want = append(want, Hit{id, t * by})
			}
		})
	}
	slices.SortStableFunc(want, func(a, b Hit) int {
		switch {
		case a.T < b.T:
			return -1
		case a.T > b.T:
			return 1
		}
		return 0
	})
	for _, g := range m.grids {
		if got := g.appendAll(nil, c); !slices.Equal(got, want) {
			m.t.Fatalf("%v: %+v meets %v, want %v", g.Kind(), c, got, want)
		}
		hit, ok := g.first(c)
		if ok != (len(want) > 0) || ok && hit != want[0] {
			m.t.Fatalf("%v: %+v meets %v, %v first, want the first of %v", g.Kind(), c, hit, ok, want)
		}
	}
}

func (m *model) checkRay(origin, d geom.Vec) {
	m.t.Helper()
	m.checkCast(cast{o: origin, d: d, maxT: 1, mask: All})
}

// checkAll asks everything of which there is little, and looks at the insides.
func (m *model) checkAll() {
	m.t.Helper()
	want := geom.Empty
	for _, id := range m.live {
		want = want.Union(m.objects[id].Box)
	}
	for _, g := range m.grids {
		for i, o := range m.objects {
			id := ID(i)
			if g.Has(id) == o.Box.IsEmpty() {
				m.t.Fatalf("%v: Has(%d) is wrong", g.Kind(), i)
			}
			if g.Has(id) && (g.Box(id) != o.Box || g.Data(id) != o.Data || g.Category(id) != o.Category ||
				g.Excluded(id) != o.Excluded) {
				m.t.Fatalf("%v: object %d is %v, %d, %x, %v, want %+v", g.Kind(), i, g.Box(id), g.Data(id),
					g.Category(id), g.Excluded(id), o)
			}
		}
		if g.Len() != len(m.live) {
			m.t.Fatalf("%v: Len = %d, want %d", g.Kind(), g.Len(), len(m.live))
		}
		if got, ok := g.Bounds(); got != want || ok != (len(m.live) > 0) {
			m.t.Fatalf("%v: Bounds = %v, %v, want %v", g.Kind(), got, ok, want)
		}
	}
	m.checkPairs()
	m.checkInside()
}

func (m *model) checkInside() {
	m.t.Helper()
	for _, g := range m.grids {
		checkInvariants(m.t, g)
	}
}
