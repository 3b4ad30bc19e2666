package gridseg

import "math/bits"

// block is the run of a pool that holds the segments of one cell. Its size is n rounded up to a
// power of two. A cell without segments has the zero block, so a chunk without segments refers to
// nothing in its pool, and both can be reused.
type block struct {
	first uint32
	stubs uint32 // see cornerStubs
	n     uint16
	sides bool // some segment has an end that is not a corner
}

// pool holds the segments of a chunk in runs of 1, 2, 4... segments. The first segment of the pool
// belongs to no cell; code without branches writes to it. Released runs of one size form a list:
// the a of a run's first segment refers to the next run.
type pool struct {
	segs []seg
	free [16]uint32 // by log2 of the size: 1 + start of the first free run, 0 for none
}

func class(n int) int { return bits.Len(uint(n - 1)) }

// alloc returns the start of a run for n > 0 segments.
func (p *pool) alloc(n int) uint32 {
	k := class(n)
	if f := p.free[k]; f != 0 {
		s := &p.segs[f-1]
		p.free[k] = uint32(s.a)
		return f - 1
	}
	first := len(p.segs)
	end := first + 1<<k
	if end > cap(p.segs) {
		grown := make([]seg, first, max(2*cap(p.segs), end, 32))
		copy(grown, p.segs)
		p.segs = grown
	}
	p.segs = p.segs[:end]
	return uint32(first)
}

// release frees the run of n > 0 segments at first.
func (p *pool) release(first uint32, n int) {
	k := class(n)
	s := &p.segs[first]
	s.a = spot(p.free[k])
	p.free[k] = first + 1
}

// reset drops all runs and keeps the memory.
func (p *pool) reset() { p.segs, p.free = p.segs[:min(1, len(p.segs))], [16]uint32{} }
