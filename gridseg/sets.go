package gridseg

import "slices"

// sets is a union-find with path halving: it holds the parent of each number from 0 on, which is the number itself
// for a root. The root of a set is its lowest number, so the sets do not depend on the order of unions.
type sets []int32

// reset returns n sets of one number each, in the memory of s.
func (s sets) reset(n int) sets {
	s = slices.Grow(s[:0], n)[:n]
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) root(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) unite(i, k int32) {
	i, k = s.root(i), s.root(k)
	s[max(i, k)] = min(i, k)
}
