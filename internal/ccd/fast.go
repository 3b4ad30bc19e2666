package ccd

import "math"

// Fast lists the motions of a step by which a body may pass a thin shape. The caller sets List, and
// then calls Number, before Of. The zero Fast is empty.
type Fast struct {
	List  []Motion
	index []int32 // in List, or -1, by the body's number
}

// MayPass reports whether a shape of a body of the given extent may pass another shape within the motion m, without an
// overlap at the start and the end of it; gate is the smallest Gate of the body's shapes. A shape that moves by less
// than the size of its inner disc overlaps every shape that it passes, at the start or the end of the motion.
func (m *Motion) MayPass(extent, gate float64) bool {
	return m.D.Len()+float64(math.Abs(m.Turn)*extent) > gate
}

// Number indexes the motions of List by the numbers of their bodies, which are below n.
func (f *Fast) Number(n int, number func(body int32) int32) {
	f.index = f.index[:0]
	for range n {
		f.index = append(f.index, -1)
	}
	for k := range f.List {
		f.index[number(f.List[k].Body)] = int32(k)
	}
}

// Of returns the motion of the body with a number; nil if it is not fast.
func (f *Fast) Of(number int32) *Motion {
	if k := f.index[number]; k >= 0 {
		return &f.List[k]
	}
	return nil
}
