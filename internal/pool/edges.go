package pool

import (
	"iter"
	"slices"
)

// Edges are edges between two nodes, by slot: their places in the lists of edges of both nodes. An end
// of an edge is named edge*2 + side, where side is 0 or 1; a node keeps the first end of its list, -1
// for none.
type Edges []ends

type ends struct{ next, prev [2]int32 } // by side

// Link puts the ends of an edge, a cleared element of e, in front of the lists of its nodes, which start
// at a and b.
func (e Edges) Link(edge int32, a, b *int32) {
	for side, first := range [...]*int32{a, b} {
		end := edge<<1 | int32(side)
		e[edge].prev[side], e[edge].next[side] = -1, *first
		if l := *first; l >= 0 {
			e[l>>1].prev[l&1] = end
		}
		*first = end
	}
}

// Unlink removes the ends of an edge from those lists.
func (e Edges) Unlink(edge int32, a, b *int32) {
	for side, first := range [...]*int32{a, b} {
		next, prev := e[edge].next[side], e[edge].prev[side]
		if prev >= 0 {
			e[prev>>1].next[prev&1] = next
		} else {
			*first = next
		}
		if next >= 0 {
			e[next>>1].prev[next&1] = prev
		}
	}
}

// Shorter reports whether the list that starts at a has fewer ends than the list that starts at b, in time in
// proportion to the shorter of the two.
func (e Edges) Shorter(a, b int32) bool {
	for a >= 0 && b >= 0 {
		a, b = e[a>>1].next[a&1], e[b>>1].next[b&1]
	}
	return b >= 0
}

// EdgesOf yields the list of ends that starts at first, with the values of their edges; the loop may
// remove the edge that it visits.
func EdgesOf[T any](e Edges, values *Pool[T], first int32) iter.Seq2[int32, *T] {
	return func(yield func(int32, *T) bool) {
		for l := first; l >= 0; {
			next := e[l>>1].next[l&1]
			if !yield(l, values.At(l>>1)) {
				return
			}
			l = next
		}
	}
}

// SaveNext makes to hold the lists of e, for LoadNext: the end after each end. That before it follows.
func (e Edges) SaveNext(to *[][2]int32) {
	*to = (*Room(to, len(e)))[:len(e)]
	for i := range e {
		(*to)[i] = e[i].next
	}
}

// LoadNext makes e the edges of which SaveNext made next, those in the slots of s in use.
func (e *Edges) LoadNext(next [][2]int32, s *SavedSlots) {
	*e = slices.Grow((*e)[:0], len(next))[:len(next)]
	for i := range *e {
		(*e)[i] = ends{next: next[i], prev: [2]int32{-1, -1}}
	}
	for i, n := range next {
		if !s.Used(int32(i)) {
			continue
		}
		if l := n[0]; l >= 0 {
			(*e)[l>>1].prev[l&1] = int32(i << 1)
		}
		if l := n[1]; l >= 0 {
			(*e)[l>>1].prev[l&1] = int32(i<<1 | 1)
		}
	}
}
