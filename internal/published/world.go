package published

import (
	"cmp"
	"slices"
)

// Cell names a cell by its lower left corner, in cells.
type Cell struct{ X, Y int32 }

func (c Cell) position() Vec { return Vec{float64(c.X), float64(c.Y)} }

// Seg is a directed segment, solid on its left. Its ghosts are nil until a Compute
// finds some.
type Seg struct {
	Start, End     Vec
	Ghost1, Ghost2 *Vec // the vertex before Start, the one after End
	Block          int  // as given to Add

	cell key
}

// World holds the five maps and three dirty sets of the article. Make one with New.
type World struct {
	// ShouldPreserve keeps both faces of two blocks where they meet; nil keeps none.
	ShouldPreserve func(a, b int) bool
	// DropSlanted loses every slanted edge that runs from border to border of its
	// cell, as section 4.1 has it to the letter.
	DropSlanted bool

	horizontal, vertical borders
	vertices             map[key][]*Seg // the vertexManifold
	dirty                keySet         // vertices
}

// New returns an empty world.
func New() *World {
	return &World{
		horizontal: newBorders(0),
		vertical:   newBorders(1),
		vertices:   map[key][]*Seg{},
	}
}

// Add adds a polygon to a cell: in cells, in world coordinates, counter-clockwise.
// Nothing of that is checked.
func (w *World) Add(c Cell, polygon []Vec, block int) {
	for i, start := range polygon {
		s := &Seg{Start: start, End: polygon[(i+1)%len(polygon)], Block: block, cell: hash(c.position())}
		switch b, at := w.place(c, s); {
		case b != nil:
			k := hash(at)
			b.raw[k] = append(b.raw[k], s)
			b.dirty.add(k)
			for _, r := range b.takeResolved(k) {
				w.erase(r)
			}
		case !w.lost(c, s):
			w.insert(s)
			w.mark(s)
		}
	}
}

// Remove removes a polygon that was added with the same arguments.
func (w *World) Remove(c Cell, polygon []Vec, block int) {
	for i, start := range polygon {
		s := &Seg{Start: start, End: polygon[(i+1)%len(polygon)], Block: block, cell: hash(c.position())}
		b, at := w.place(c, s)
		if b == nil {
			if found := find(w.vertices[hash(s.Start)], s); found != nil {
				w.erase(found)
				w.mark(found)
			}
			continue
		}
		k := hash(at)
		if found := find(b.raw[k], s); found != nil {
			b.raw[k] = without(b.raw[k], found)
		}
		b.dirty.add(k)
		for _, r := range b.takeResolved(k) {
			w.erase(r)
			w.mark(r)
		}
	}
}

// Compute resolves the dirty borders first, then the ghosts at dirty vertices.
func (w *World) Compute() {
	for _, b := range []*borders{&w.horizontal, &w.vertical} {
		for _, k := range b.dirty.list {
			w.resolve(b, k)
		}
		b.dirty.clear()
	}
	for _, k := range w.dirty.list {
		w.assignGhosts(k)
	}
	w.dirty.clear()
}

// Segments returns all resolved segments, by Start, then End. A segment that was added
// twice is present twice.
func (w *World) Segments() []*Seg {
	var all []*Seg
	for k, segs := range w.vertices {
		for i, s := range segs {
			// Listed at both ends, or twice at one if both have one key.
			if k == hash(s.Start) && !slices.Contains(segs[:i], s) {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *Seg) int {
		return cmp.Or(slices.Compare(a.Start[:], b.Start[:]), slices.Compare(a.End[:], b.End[:]))
	})
	return all
}

// place returns the borders that a segment of cell c belongs to, and the position
// that keys its own; nil if it is interior.
func (w *World) place(c Cell, s *Seg) (*borders, Vec) {
	p := c.position()
	for _, up := range [2]float64{0, 1} {
		if y := p[1] + up; s.Start[1] == y && s.End[1] == y {
			return &w.horizontal, Vec{p[0], y}
		}
		if x := p[0] + up; s.Start[0] == x && s.End[0] == x {
			return &w.vertical, Vec{x, p[1]}
		}
	}
	return nil, Vec{}
}

// lost reports whether section 4.1, read literally, has no place for an interior edge.
func (w *World) lost(c Cell, s *Seg) bool {
	p := c.position()
	onBorder := func(v Vec) bool {
		return v[0] == p[0] || v[0] == p[0]+1 || v[1] == p[1] || v[1] == p[1]+1
	}
	return w.DropSlanted && onBorder(s.Start) && onBorder(s.End)
}

func (w *World) insert(s *Seg) {
	for _, v := range [2]Vec{s.Start, s.End} {
		k := hash(v)
		w.vertices[k] = append(w.vertices[k], s)
	}
}

func (w *World) erase(s *Seg) {
	for _, v := range [2]Vec{s.Start, s.End} {
		k := hash(v)
		if left := without(w.vertices[k], s); len(left) > 0 {
			w.vertices[k] = left
		} else {
			delete(w.vertices, k)
		}
	}
}

func (w *World) mark(s *Seg) {
	w.dirty.add(hash(s.Start))
	w.dirty.add(hash(s.End))
}

// find returns the segment of list that is s by value, or nil.
func find(list []*Seg, s *Seg) *Seg {
	for _, o := range list {
		if o.cell == s.cell && o.Block == s.Block && o.Start.equals(s.Start) && o.End.equals(s.End) {
			return o
		}
	}
	return nil
}

// without takes s itself out of list, which it overwrites.
func without(list []*Seg, s *Seg) []*Seg {
	return slices.DeleteFunc(list, func(o *Seg) bool { return o == s })
}
