package gridseg

import "slices"

// appendChunks appends the chunks that meet r, by row, then column.
func (g *reader) appendChunks(dst []*chunk, r Rect) []*chunk {
	if r.Empty() {
		return dst
	}
	in := rangeOf(r)
	from := len(dst)
	if n := in.size(); n > fewChunks || n > int64(len(g.chunks)) {
		g.eachIn(g.tree.root, &in, func(c *chunk) bool {
			dst = append(dst, c)
			return true
		})
		if int64(len(dst)-from) < in.size()/8 {
			sortChunks(dst[from:])
			return dst
		}
		dst = dst[:from] // with so many chunks, looking up each is faster than sorting
	}
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			if c := g.find(cx, cy); c != nil {
				dst = append(dst, c)
			}
		}
	}
	return dst
}

func sortChunks(cs []*chunk) {
	slices.SortFunc(cs, func(a, b *chunk) int {
		if a.cy != b.cy {
			return int(a.cy) - int(b.cy)
		}
		return int(a.cx) - int(b.cx)
	})
}

// sameRow returns the leading chunks of sorted cs that are in one row of chunks.
func sameRow(cs []*chunk) []*chunk {
	n := 1
	for n < len(cs) && cs[n].cy == cs[0].cy {
		n++
	}
	return cs[:n]
}

// eachChunk calls f for the chunks that meet r, in no defined order, until f returns false. The
// caller's result must not depend on the order.
func (g *reader) eachChunk(r Rect, f func(*chunk) bool) {
	if r.Empty() {
		return
	}
	in := rangeOf(r)
	if n := in.size(); n > fewChunks || n > int64(len(g.chunks)) {
		g.eachIn(g.tree.root, &in, f)
		return
	}
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			if c := g.find(cx, cy); c != nil && !f(c) {
				return
			}
		}
	}
}

// within reports whether all cells of c lie in r.
func within(c *chunk, r Rect) bool {
	all := c.rect()
	return r.Contains(Cell{X: all.MinX, Y: all.MinY}) && r.Contains(Cell{X: all.MaxX, Y: all.MaxY})
}

// clip returns the local columns and rows of c that lie in r, ends included. If r may miss c, the
// caller must check for x1 < x0 or y1 < y0.
func (c *chunk) clip(r Rect) (x0, y0, x1, y1 int) {
	all := c.rect()
	// The differences may exceed an int32.
	x0, y0 = int(max(r.MinX, all.MinX))-int(all.MinX), int(max(r.MinY, all.MinY))-int(all.MinY)
	x1, y1 = int(min(r.MaxX, all.MaxX))-int(all.MinX), int(min(r.MaxY, all.MaxY))-int(all.MinY)
	return x0, y0, x1, y1
}

// eachIn calls f for the chunks of a range under r, in tree order, until f returns false. It returns false if f did.
func (g *reader) eachIn(r branch, in *chunkRange, f func(*chunk) bool) bool {
	if r < 0 {
		c := g.chunks[^r]
		x, y := treeAt(c.cx), treeAt(c.cy)
		return x < in.x0 || x > in.x1 || y < in.y0 || y > in.y1 || f(c)
	}
	if r == 0 {
		return true
	}
	s := &g.tree.squares[r-1]
	x0, x1 := s.span4(s.x, in.x0, in.x1)
	y0, y1 := s.span4(s.y, in.y0, in.y1)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if k := s.children[y<<2|x]; k != 0 && !g.eachIn(k, in, f) {
				return false
			}
		}
	}
	return true
}

// chunkRange is a closed rectangle of chunks in tree coordinates.
type chunkRange struct{ x0, y0, x1, y1 uint32 }

func rangeOf(r Rect) chunkRange {
	return chunkRange{
		treeAt(r.MinX >> chunkBits), treeAt(r.MinY >> chunkBits),
		treeAt(r.MaxX >> chunkBits), treeAt(r.MaxY >> chunkBits),
	}
}

// size returns the number of chunk positions in the range.
func (in chunkRange) size() int64 {
	return (int64(in.x1) - int64(in.x0) + 1) * (int64(in.y1) - int64(in.y0) + 1)
}

// fewChunks is the largest number of chunk positions that are looked up one by one in the table;
// for a larger range the tree is walked.
const fewChunks = 64
