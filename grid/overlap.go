package grid

import (
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// AppendOverlaps appends the ids of all objects in a category of mask whose boxes share a point
// with box, each once, in ascending order, and returns the extended slice. An empty box, or one
// with a NaN, overlaps nothing; an infinite box is allowed. It may be called from several
// goroutines between changes.
//
// On each level in use it visits the occupied cells that box covers; empty cells cost next to
// nothing, however many they are.
func (g *Grid) AppendOverlaps(dst []ID, box geom.AABB, mask uint64) []ID {
	return g.appendOverlaps(dst, &query{g: g, box: box, mask: mask})
}

// appendPartners is AppendOverlaps for all categories: pairs have no mask, so they include objects
// in no category.
func (g *Grid) appendPartners(dst []ID, box geom.AABB) []ID {
	return g.appendOverlaps(dst, &query{g: g, box: box, all: true})
}

func (g *Grid) appendOverlaps(dst []ID, q *query) []ID {
	box := q.box
	if box.IsEmpty() {
		return dst
	}
	start := len(dst)
	f := g.clampedFineBox(box)
	var room [fewRegions]*region
	used := g.used
	if !q.all {
		used = g.levelsFor(q.mask)
	}
	for at, rest := nextLevel(used); at < oversize; at, rest = nextLevel(rest) {
		for _, r := range g.levels[at].regionsMeeting(&room, f) {
			q.r, q.q = r, r.clampedQBox(f)
			if q.s = q.q.cells().intersect(r.cellBounds()); !q.s.empty() {
				dst = q.appendRegion(dst)
			}
		}
	}
	for _, id := range g.oversize {
		if g.boxes[id].Overlaps(box) && (q.all || g.visible(id, q.mask)) {
			dst = append(dst, id)
		}
	}
	g.toIDs(dst[start:])
	if len(dst)-start > 1 {
		slices.Sort(dst[start:])
	}
	return dst
}

// AppendPoint appends the ids of all objects in a category of mask whose boxes contain p, sides
// included, as AppendOverlaps does.
func (g *Grid) AppendPoint(dst []ID, p geom.Vec, mask uint64) []ID {
	return g.AppendOverlaps(dst, geom.AABB{Min: p, Max: p}, mask)
}

// query is an overlap query of one region.
type query struct {
	g    *Grid
	r    *region
	s    span // the cells to visit
	q    qbox
	box  geom.AABB
	mask uint64
	all  bool // ignore categories

	// Destination of the results, if not a list of ids.
	nearest *nearest
	visit   func(ID) // called for every object in the cells, without tests
}

// maxSingleSquares is the number of squares up to which squares are looked up directly and not by
// their blocks: a box's on its own level.
const maxSingleSquares = 4

// appendFrom appends the results in cells f of a region.
func (q *query) appendFrom(dst []ID, r *region, f fineBox) []ID {
	q.r, q.q = r, r.clampedQBox(f)
	if q.s = q.q.cells().intersect(r.cellBounds()); q.s.empty() {
		return dst
	}
	return q.appendRegion(dst)
}

func (q *query) appendRegion(dst []ID) []ID {
	if q.s.size() <= maxSingleSquares {
		for cy := q.s.y0; cy <= q.s.y1; cy++ {
			for cx := q.s.x0; cx <= q.s.x1; cx++ {
				if c := q.r.cell(cx, cy); c != 0 {
					dst = q.appendCell(dst, c, cx, cy)
				}
			}
		}
		return dst
	}
	s := q.s.coarser(q.r.squareBits())
	if q.r.kind == Fixed || s.size() <= maxSingleSquares {
		for y := s.y0; y <= s.y1; y++ {
			for x := s.x0; x <= s.x1; x++ {
				dst = q.appendSquare(dst, x, y)
			}
		}
		return dst
	}
	for tier := 1; tier <= tiers; tier++ {
		t := &q.r.blocks[tier-1]
		s = s.coarser(3)
		if s.size() <= maxSingleSquares {
			for by := s.y0; by <= s.y1; by++ {
				for bx := s.x0; bx <= s.x1; bx++ {
					dst = q.descend(dst, tier, bx, by, t.get(squareKey(bx, by)))
				}
			}
			return dst
		}
		if tier == tiers {
			for i := range t.slots {
				if b := &t.slots[i]; b.val != 0 {
					if bx, by := b.key.square(); s.has(bx, by) {
						dst = q.descend(dst, tier, bx, by, b.val)
					}
				}
			}
		}
	}
	return dst
}

// descend appends the results in block (bx, by) of a tier >= 1, whose value is v.
func (q *query) descend(dst []ID, tier int, bx, by int32, v list) []ID {
	val := uint64(v) & rangeMask(q.s.coarser(q.r.squareBits()+uint8(3*(tier-1))), bx, by)
	for ; val != 0; val &= val - 1 {
		i := int32(bits.TrailingZeros64(val))
		x, y := bx<<3+i&7, by<<3+i>>3
		if tier == 1 {
			dst = q.appendSquare(dst, x, y)
		} else {
			dst = q.descend(dst, tier-1, x, y, q.r.blocks[tier-2].get(squareKey(x, y)))
		}
	}
	return dst
}

// appendSquare appends the results in a cell, or in a chunk.
func (q *query) appendSquare(dst []ID, x, y int32) []ID {
	r := q.r
	if r.kind == Hashed {
		if c := r.cell(x, y); c != 0 {
			dst = q.appendCell(dst, c, x, y)
		}
		return dst
	}
	c := r.chunk(x, y)
	if c < 0 {
		return dst
	}
	cx, cy := x<<chunkBits, y<<chunkBits
	s := span{max(q.s.x0-cx, 0), max(q.s.y0-cy, 0), min(q.s.x1-cx, ChunkSide-1), min(q.s.y1-cy, ChunkSide-1)}
	lists := r.chunks.lists[c<<(2*chunkBits) : (c+1)<<(2*chunkBits)]
	for w := range 4 {
		for m := r.chunks.rows(c, w, s); m != 0; m &= m - 1 {
			i := w<<6 | bits.TrailingZeros64(m)
			dst = q.appendCell(dst, lists[i], cx+int32(i)&(ChunkSide-1), cy+int32(i)>>chunkBits)
		}
	}
	return dst
}

// appendCell appends the results in one cell: objects for which this is the lowest cell that they
// share with the query.
func (q *query) appendCell(dst []ID, c list, cx, cy int32) []ID {
	g := q.g
	var one [1]ID
	for _, id := range g.pool.of(c, &one) {
		o := &g.qboxes[id]
		if !o.overlaps(&q.q) || max(q.s.x0, o.x0>>subBits) != cx || max(q.s.y0, o.y0>>subBits) != cy {
			continue
		}
		switch {
		case q.visit != nil:
			q.visit(id)
		case !o.certainlyOverlaps(&q.q) && !g.boxes[id].Overlaps(q.box) || !q.all && !g.visible(id, q.mask):
		case q.nearest != nil:
			q.nearest.try(id, &g.boxes[id])
		default:
			dst = append(dst, id)
		}
	}
	return dst
}
