package grid

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// slack is how much wider than a line the walk along a segment is taken, as a
// share of the largest coordinate involved. It covers, many times over, the
// rounding of the walk and of the test of a box (both below 2^-50), so that
// the walk never misses a cell in which the test would say yes; what is too
// wide costs a look into a cell now and then, never a wrong answer.
const slack = 0x1p-47

// maxWalk is the largest coordinate, in cells, at which a walk is still worth
// its slack; segments that reach beyond are tested against a level's objects.
const maxWalk = 0x1p50

// AppendRay appends the ids of all objects whose boxes share a point with the
// closed segment from origin to origin+d, each once, in ascending order, and
// returns the extended slice. A zero d asks about the point origin. A NaN or
// an infinity in either meets nothing. It may be called from several
// goroutines between changes.
//
// A touch at a corner or along a side counts, and is found exactly where the
// differences between box and origin are exact in float64; otherwise a touch
// may be decided either way within a rounding of it.
//
// On each level in use it visits the cells along the segment that are within
// the bounds of the occupied ones, or all occupied ones where those are fewer.
func (g *Grid) AppendRay(dst []ID, origin, d geom.Vec) []ID {
	if !origin.IsFinite() || !d.IsFinite() {
		return dst
	}
	start := len(dst)
	for at, rest := nextLevel(g.used); at < Levels; at, rest = nextLevel(rest) {
		l := &g.levels[at]
		w, ok := newWalk(l, origin, d)
		switch {
		case !ok:
		case w.visits() <= int64(len(l.cells.slots)):
			dst = g.appendWalk(dst, l, &w, origin, d)
		default:
			for i := range l.cells.slots {
				if c := &l.cells.slots[i]; c.val != 0 {
					dst = g.appendLowest(dst, c, origin, d)
				}
			}
		}
	}
	for _, id := range g.oversize {
		if meets(g.objects[id].box, origin, d) {
			dst = append(dst, id)
		}
	}
	slices.Sort(dst[start:])
	return dst
}

// meets reports whether the closed segment from origin to origin+d meets the
// closed box: whether the fractions at which it is between the box's sides
// overlap, in x, in y, and with [0, 1]. Division, unlike multiplication by a
// reciprocal, never puts two fractions in the wrong order, so that a segment
// through a corner meets the box.
func meets(b geom.AABB, origin, d geom.Vec) bool {
	t0, t1 := 0.0, 1.0
	if d.X == 0 {
		if origin.X < b.Min.X || origin.X > b.Max.X {
			return false
		}
	} else {
		in, out := (b.Min.X-origin.X)/d.X, (b.Max.X-origin.X)/d.X
		t0, t1 = max(t0, min(in, out)), min(t1, max(in, out))
	}
	if d.Y == 0 {
		if origin.Y < b.Min.Y || origin.Y > b.Max.Y {
			return false
		}
	} else {
		in, out := (b.Min.Y-origin.Y)/d.Y, (b.Max.Y-origin.Y)/d.Y
		t0, t1 = max(t0, min(in, out)), min(t1, max(in, out))
	}
	return t0 <= t1
}

// clampCell returns floor(x), held near the range that cells can be in, so
// that the conversion is defined.
func clampCell(x float64) int32 {
	return int32(max(-maxCell-1, min(maxCell+1, math.Floor(x))))
}

// walk is the way of a segment over one level: column by column along its
// longer axis, here called u, and in each column the one to three cells along
// v that it enters. In units of cells.
type walk struct {
	steep        bool    // u is y
	step         int32   // of u: 1 or -1, the segment's direction
	first, last  int32   // columns
	low, high    int32   // all cells along v are in here
	u0, u1       float64 // the segment's part that is walked, with slack
	ou, ov       float64 // origin
	slope, slack float64 // v per u, at most 1 in size
	everything   bool    // not worth walking: look at all objects
}

// newWalk prepares the walk, false if the segment is clear of all cells in
// use.
func newWalk(l *level, origin, d geom.Vec) (walk, bool) {
	ou, ov := float64(origin.X*l.inv), float64(origin.Y*l.inv)
	eu, ev := float64((origin.X+d.X)*l.inv), float64((origin.Y+d.Y)*l.inv)
	b := l.bounds
	var w walk
	if math.Abs(ev-ov) > math.Abs(eu-ou) {
		w.steep = true
		ou, ov, eu, ev = ov, ou, ev, eu
		b = span{b.y0, b.x0, b.y1, b.x1}
	}
	most := 1 + max(math.Abs(ou), math.Abs(ov), math.Abs(eu), math.Abs(ev))
	if !(most <= maxWalk) {
		w.everything = true
		return w, true
	}
	pad := float64(slack * most)
	w.ou, w.ov, w.slack = ou, ov, pad
	if du := eu - ou; du != 0 {
		w.slope = (ev - ov) / du
	}
	// Clip along u to the bounds in u, then to where v is within those in v.
	u0, u1 := max(min(ou, eu)-pad, float64(b.x0)-pad), min(max(ou, eu)+pad, float64(b.x1)+1+pad)
	if math.Abs(w.slope) > 1e-200 { // less changes no v, and would divide to infinity
		in := ou + (float64(b.y0)-float64(2*pad)-ov)/w.slope
		out := ou + (float64(b.y1)+1+float64(2*pad)-ov)/w.slope
		// In u the rounding may be as large as it likes where the slope is
		// small; but then v hardly changes over it.
		wide := pad + pad/math.Abs(w.slope)
		u0, u1 = max(u0, min(in, out)-wide), min(u1, max(in, out)+wide)
	}
	if !(u0 <= u1) {
		return w, false
	}
	w.u0, w.u1 = u0, u1
	va, vb := w.at(u0), w.at(u1)
	v0, v1 := max(min(va, vb), min(ov, ev))-float64(2*pad), min(max(va, vb), max(ov, ev))+float64(2*pad)
	w.low, w.high = max(b.y0, clampCell(v0)), min(b.y1, clampCell(v1))
	w.first, w.last = max(b.x0, clampCell(u0)), min(b.x1, clampCell(u1))
	if w.low > w.high || w.first > w.last {
		return w, false
	}
	w.step = 1
	if eu < ou {
		w.first, w.last, w.step = w.last, w.first, -1
	}
	return w, true
}

// Rows that no object has any of, unlike just any lo > hi.
const noRows0, noRows1 int32 = math.MaxInt32, math.MinInt32

// at returns v at u. It is reckoned from the origin each time, so that errors
// do not add up along the way.
func (w *walk) at(u float64) float64 { return w.ov + float64((u-w.ou)*w.slope) }

// visits returns about how many cells the walk looks into.
func (w *walk) visits() int64 {
	if w.everything {
		return math.MaxInt64
	}
	return 1 + max(int64(w.last)-int64(w.first), int64(w.first)-int64(w.last)) + int64(w.high) - int64(w.low)
}

// rows returns the cells along v that the segment may enter in the column u.
func (w *walk) rows(u int32) (lo, hi int32) {
	va, vb := w.at(max(w.u0, float64(u))), w.at(min(w.u1, float64(u)+1))
	lo = max(w.low, clampCell(min(va, vb)-float64(2*w.slack)))
	hi = min(w.high, clampCell(max(va, vb)+float64(2*w.slack)))
	return lo, hi
}

// appendWalk appends the objects met on one level. An object spans at most two
// columns: it is reported in the lowest row looked at of the first column in
// which it was looked at, which the rows of the column before tell.
func (g *Grid) appendWalk(dst []ID, l *level, w *walk, origin, d geom.Vec) []ID {
	before0, before1 := noRows0, noRows1 // of the column before
	for u := w.first; ; u += w.step {
		lo, hi := w.rows(u)
		for v := lo; v <= hi; v++ {
			cx, cy := u, v
			if w.steep {
				cx, cy = v, u
			}
			c := l.cells.find(cellKey(cx, cy))
			if c == nil {
				continue
			}
			k := corner(cx, cy)
			for id := c.head(); id != none; {
				o := &g.objects[id]
				s := o.span()
				if w.steep {
					s = span{s.y0, s.x0, s.y1, s.x1}
				}
				back := u - w.step
				seen := s.x0 <= back && back <= s.x1 && s.y0 <= before1 && before0 <= s.y1
				if !seen && max(lo, s.y0) == v && meets(o.box, origin, d) {
					dst = append(dst, id)
				}
				id = o.next[k]
			}
		}
		if u == w.last {
			return dst
		}
		if before0, before1 = lo, hi; lo > hi {
			before0, before1 = noRows0, noRows1
		}
	}
}

// appendLowest appends the objects met whose lowest cell is c.
func (g *Grid) appendLowest(dst []ID, c *slot, origin, d geom.Vec) []ID {
	cx, cy := c.key.cell()
	k := corner(cx, cy)
	for id := c.head(); id != none; {
		o := &g.objects[id]
		if o.cx == cx && o.cy == cy && meets(o.box, origin, d) {
			dst = append(dst, id)
		}
		id = o.next[k]
	}
	return dst
}
