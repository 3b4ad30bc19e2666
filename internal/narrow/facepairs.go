package narrow

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// facePair has the indices of two faces in the lists of both sides.
type facePair uint64

func pairOf(i, j int32) facePair { return facePair(i)<<32 | facePair(j) }

func (p facePair) a() int32 { return int32(p >> 32) }
func (p facePair) b() int32 { return int32(p) }

// facePairs lists the pairs of faces of two outlines that are to be compared. The zero value is ready for use, and
// keeps its memory.
type facePairs struct {
	list     []facePair // ascending
	found    []int32
	index    [2]faceIndex // of the faces of each side
	compared int          // faces that were looked at, in all contacts
}

// nearFaces (cells) is the distance of two faces up to which they have a contact without an overlap, and more: a
// point may lie a little beyond the end of a face.
const nearFaces = 2 * contact.SpeculativeDistance

// fewPairs is the number of pairs of faces up to which visiting all of them is faster than looking for those that are
// near.
const fewPairs = 512

// findPairs lists the pairs of faces that may have a contact: those near each other, and those up to stepDepth apart
// of which one is deep, so that it may have a deep point (see sides.overlap): it has an end in the other solid or, on
// a chain, crosses a face of the ground.
func (o *outlines) findPairs() {
	a, b, f := &o.a, &o.b, &o.near
	f.list = f.list[:0]
	if len(a.list)*len(b.list) <= fewPairs {
		a.setDeep(func(geom.Vec) bool { return true })
		b.setDeep(func(geom.Vec) bool { return true })
		for i := range a.list {
			for j := range b.list {
				f.add(a, b, int32(i), int32(j))
			}
		}
		return
	}
	a.setDeep(o.sides.inB)
	b.setDeep(o.sides.inA)
	f.find(a, b, false)
	if o.sides.a == nil {
		for _, p := range f.list {
			if i := p.a(); !a.deep[i] && collide.Crossing(&a.list[i], &b.list[p.b()], 0) > 0 {
				a.deep[i] = true
			}
		}
	}
	if slices.Contains(a.deep, true) || slices.Contains(b.deep, true) {
		f.find(a, b, true)
	}
}

// setDeep sets e.deep for the faces that have an end in the other solid.
func (e *edges) setDeep(solid func(geom.Vec) bool) {
	e.deep = e.deep[:0]
	for i := range e.list {
		f := &e.list[i]
		e.deep = append(e.deep, solid(f.Beside(0, aside)) || solid(f.Beside(1, aside)))
	}
}

// find lists the pairs of faces near each other and, if wanted, the deep faces.
func (f *facePairs) find(a, b *edges, deep bool) {
	f.list = f.list[:0]
	most := nearFaces
	if deep {
		most = stepDepth
	}
	region := common(a.box.Expand(most), b.box.Expand(most))
	if region.IsEmpty() {
		return
	}
	size := cellSize(region, a, b)
	f.index[1].build(b, region, size)
	for i := range a.list {
		reach := nearFaces
		if deep {
			reach = a.reach(i)
		}
		f.found = f.index[1].appendNear(f.found[:0], &a.list[i], reach)
		f.compared += len(f.found)
		slices.Sort(f.found)
		for _, j := range slices.Compact(f.found) {
			f.add(a, b, int32(i), j)
		}
	}
	if !deep || !slices.Contains(b.deep, true) {
		return
	}
	near := len(f.list) // pairs of faces near each other, and of deep faces of a
	f.index[0].build(a, region, size)
	for j := range b.list {
		if b.deep[j] {
			f.found = f.index[0].appendNear(f.found[:0], &b.list[j], stepDepth)
			f.compared += len(f.found)
			slices.Sort(f.found)
			for _, i := range slices.Compact(f.found) {
				if !a.deep[i] {
					f.add(a, b, i, int32(j))
				}
			}
		}
	}
	if len(f.list) > near {
		slices.Sort(f.list)
		f.list = slices.Compact(f.list)
	}
}

// add lists the pair of face i of a and face j of b if their boxes are as near as a contact needs.
func (f *facePairs) add(a, b *edges, i, j int32) {
	f.compared++
	if a.list[i].Box.Expand(max(a.reach(int(i)), b.reach(int(j)))).Overlaps(b.list[j].Box) {
		f.list = append(f.list, pairOf(i, j))
	}
}

// reach returns the distance, in cells, up to which face i may have a contact with a face of the other side.
func (e *edges) reach(i int) float64 {
	if e.deep[i] {
		return stepDepth
	}
	return nearFaces
}

// faceIndex has the faces of one side in the square cells of a region that they are near. The zero value is empty, and
// keeps its memory.
type faceIndex struct {
	region geom.AABB
	size   float64 // of a cell
	nx, ny int
	starts []int32 // of each cell, and the end
	faces  []int32
	e      *edges
}

// cellSize returns the size of the cells in which faces of a and b are found: about the length of a face, so that a
// face is in few cells, but not so small that there are many more cells than faces.
func cellSize(region geom.AABB, a, b *edges) float64 {
	length := 0.0
	for _, e := range [...]*edges{a, b} {
		for i := range e.list {
			s := e.list[i].Box.Size()
			length += max(s.X, s.Y)
		}
	}
	n := float64(len(a.list) + len(b.list))
	s := region.Size()
	return max(nearFaces, length/n, math.Sqrt(float64(s.X*s.Y)/n), max(s.X, s.Y)/n)
}

// build sorts the faces of e into the cells of a region.
func (x *faceIndex) build(e *edges, region geom.AABB, size float64) {
	s := region.Size()
	x.e, x.region, x.size = e, region, size
	x.nx, x.ny = int(s.X/size)+1, int(s.Y/size)+1
	n := x.nx * x.ny
	x.starts = slices.Grow(x.starts[:0], n+2)[:n+2]
	clear(x.starts)
	// Counted two cells ahead, the starts belong to the cells once the faces are in.
	for i := range e.list {
		for y, lo, hi, ok := x.first(&e.list[i], nearFaces); ok; y, lo, hi, ok = x.next(&e.list[i], nearFaces, y) {
			for c := y*x.nx + lo; c <= y*x.nx+hi; c++ {
				x.starts[c+2]++
			}
		}
	}
	for c := 2; c < len(x.starts); c++ {
		x.starts[c] += x.starts[c-1]
	}
	total := int(x.starts[n+1])
	x.faces = slices.Grow(x.faces[:0], total)[:total]
	for i := range e.list {
		for y, lo, hi, ok := x.first(&e.list[i], nearFaces); ok; y, lo, hi, ok = x.next(&e.list[i], nearFaces, y) {
			for c := y*x.nx + lo; c <= y*x.nx+hi; c++ {
				x.faces[x.starts[c+1]] = int32(i)
				x.starts[c+1]++
			}
		}
	}
}

// appendNear appends the indexed faces that may be within reach of f; it may append some of them several times.
func (x *faceIndex) appendNear(dst []int32, f *collide.Edge, reach float64) []int32 {
	reach -= nearFaces // the faces are in all cells that are so near
	if wide := int(2 * reach / x.size); wide*wide > len(x.e.list) {
		for i := range x.e.list {
			dst = append(dst, int32(i))
		}
		return dst
	}
	for y, lo, hi, ok := x.first(f, reach); ok; y, lo, hi, ok = x.next(f, reach, y) {
		dst = append(dst, x.faces[x.starts[y*x.nx+lo]:x.starts[y*x.nx+hi+1]]...)
	}
	return dst
}

// first returns the first row of cells that has a point within reach of the face f, and the columns of these cells;
// next returns the row after y. ok is false if there is none.
func (x *faceIndex) first(f *collide.Edge, reach float64) (y, lo, hi int, ok bool) {
	return x.next(f, reach, max(0, x.cell(f.Box.Min.Y-reach-x.region.Min.Y, x.ny))-1)
}

func (x *faceIndex) next(f *collide.Edge, reach float64, y int) (row, lo, hi int, ok bool) {
	top := min(x.ny-1, x.cell(f.Box.Max.Y+reach-x.region.Min.Y, x.ny))
	a, b := f.End(0), f.End(1)
	if a.Y > b.Y {
		a, b = b, a
	}
	for y++; y <= top; y++ {
		// The part of the face that is within reach of the row, widened by more than rounding.
		from, to := f.Box.Min.X, f.Box.Max.X
		if h := b.Y - a.Y; h > x.size {
			low := x.region.Min.Y + float64(float64(y)*x.size) - reach
			s := max(0, (low-a.Y)/h-1e-6)
			t := min(1, (low+x.size+float64(2*reach)-a.Y)/h+1e-6)
			p, q := a.X+float64(s*(b.X-a.X)), a.X+float64(t*(b.X-a.X))
			from, to = min(p, q), max(p, q)
		}
		lo = max(0, x.cell(from-reach-x.region.Min.X, x.nx))
		hi = min(x.nx-1, x.cell(to+reach-x.region.Min.X, x.nx))
		if lo <= hi {
			return y, lo, hi, true
		}
	}
	return 0, 0, 0, false
}

// cell returns the number of the cell at the distance d from the first side of the region, of n cells: -1 before it, n
// beyond it.
func (x *faceIndex) cell(d float64, n int) int {
	return int(max(-1, min(float64(n), math.Floor(d/x.size))))
}
