package grid

import (
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/quarry2d/quarry/geom"
)

// sweep finds the new pairs where more than a third of the objects have moved, without the cells. The plane is cut into horizontal strips. In each strip,
// the objects that are in it are sorted by their left sides; each is compared with those that begin before it ends. This costs less
// than lists of cells, which give every object with its neighbours in four cells, and objects of other sizes in other cells.
//
// Objects in more than mostStrips strips look for partners in the cells.
type sweep struct {
	inv     float64 // 1 / height of a strip
	found   []ID    // the objects of the search
	tall    []ID    // those in more than mostStrips strips
	keys    []uint64
	room    []uint64 // of the sort
	ends    []int32  // by bucket: the end of its entries; the strips of one bucket have distances of a multiple of the number of buckets
	entries []swept
	was     []geom.AABB // by entry: the box before
}

// swept is an object in a strip.
type swept struct {
	x0, x1, y0, y1 float64
	slot           ID
	mark           uint32 // twice 1 + the index in moves, 0 for one that has not moved; plus 1 in its lowest strip
}

// mostStrips bounds the strips of an object. It is below the least number of buckets, so that two objects that overlap meet in no
// bucket but those of the strips that both are in.
const mostStrips, leastBuckets = 8, 16

// strips returns the lowest strip that box is in, and the number of them.
func (w *sweep) strips(box *geom.AABB) (lowest, n int64) {
	lowest = int64(math.Floor(box.Min.Y * w.inv))
	return lowest, int64(math.Floor(box.Max.Y*w.inv)) - lowest + 1
}

// layOut lists the objects of the search in the strips, by their left sides.
func (s *search) layOut() {
	g, w := s.g, &s.sweep
	w.found, w.tall, w.keys = w.found[:0], w.tall[:0], w.keys[:0]
	exponents := int64(0)
	for slot := range ID(len(g.at)) {
		if at := g.at[slot]; at <= oversize && g.visible(slot, s.mask) {
			w.found = append(w.found, slot)
			b := &g.boxes[slot]
			exponents += int64(math.Float64bits(max(b.Max.Y-b.Min.Y, 1/g.scale)) >> 52)
		}
	}
	// A strip is one to two times as high as the geometric mean of the objects.
	mean := uint64(exponents)/uint64(max(1, len(w.found))) + 1
	w.inv = 1 / math.Float64frombits(mean<<52)
	buckets := leastBuckets
	for 4*buckets < len(w.found) {
		buckets *= 2
	}
	w.ends = slices.Grow(w.ends[:0], buckets)[:buckets]
	clear(w.ends)
	n := int32(0)
	for k, slot := range w.found {
		b := &g.boxes[slot]
		lowest, high := w.strips(b)
		if high > mostStrips {
			w.tall = append(w.tall, slot)
			continue
		}
		for i := lowest; i < lowest+high; i++ {
			w.ends[i&int64(buckets-1)]++
			n++
		}
		w.keys = append(w.keys, uint64(ascending(float32(b.Min.X)))<<32|uint64(k))
	}
	w.keys, w.room = sortHigh(w.keys, w.room)
	w.entries, w.was = slices.Grow(w.entries[:0], int(n))[:n], slices.Grow(w.was[:0], int(n))[:n]
	sum := int32(0)
	for i, n := range w.ends {
		w.ends[i], sum = sum, sum+n
	}
	for _, k := range w.keys {
		slot := w.found[uint32(k)]
		b, was := &g.boxes[slot], s.boxBefore(slot)
		lowest, high := w.strips(b)
		mark := uint32(2*s.index[slot]) | 1
		for i := lowest; i < lowest+high; i++ {
			end := &w.ends[i&int64(buckets-1)]
			e := &w.entries[*end]
			e.x0, e.x1, e.y0, e.y1, e.slot, e.mark = b.Min.X, b.Max.X, b.Min.Y, b.Max.Y, slot, mark
			w.was[*end] = *was
			*end++
			mark &^= 1
		}
	}
}

// ascending returns a number that is the greater the greater x is.
func ascending(x float32) uint32 {
	b := math.Float32bits(x)
	return b ^ uint32(int32(b)>>31) | b&(1<<31) ^ 1<<31
}

// sortHigh sorts keys by their high halves, and returns them and the rest of the room.
func sortHigh(keys, room []uint64) (sorted, rest []uint64) {
	if len(keys) < 256 {
		slices.Sort(keys)
		return keys, room
	}
	room = slices.Grow(room[:0], len(keys))[:len(keys)]
	for by := 32; by < 64; by += digit {
		var ends [1 << digit]int32
		for _, k := range keys {
			ends[k>>by&(1<<digit-1)]++
		}
		sum := int32(0)
		for i := range ends {
			ends[i], sum = sum, sum+ends[i]
		}
		for _, k := range keys {
			d := k >> by & (1<<digit - 1)
			room[ends[d]] = k
			ends[d]++
		}
		keys, room = room, keys
	}
	return keys, room
}

// appendStrip appends the new pairs of bucket i.
func (s *finder) appendStrip(i int) {
	w := &s.sweep
	from := int32(0)
	if i > 0 {
		from = w.ends[i-1]
	}
	entries, before := w.entries[from:w.ends[i]], w.was[from:w.ends[i]]
	if len(entries) < 2 {
		return
	}
	s.near = append(s.near[:0], make([]int32, len(entries))...)
	s.hits = slices.Grow(s.hits[:0], len(entries))[:len(entries)]
	for i := range entries {
		e, was := &entries[i], &before[i]
		// Most tests fail, unpredictably, so hits are listed without a branch. The order is that of float32.
		n, last := 0, float32(e.x1)
		for j := i + 1; j < len(entries); j++ {
			o := &entries[j]
			if float32(o.x0) > last {
				break
			}
			s.hits[n] = int32(j)
			// The signs tell whether e.y0 <= o.y1 and o.y0 <= e.y1: differences of finite numbers are 0 only of equal ones.
			n += int(^(math.Float64bits(o.y1-e.y0)|math.Float64bits(e.y1-o.y0))>>63) & int(e.mark|o.mark)
		}
		for _, j := range s.hits[:n] {
			o := &entries[j]
			if (e.mark|o.mark)>>1 == 0 || !(e.x0 <= o.x1 && o.x0 <= e.x1) {
				continue
			}
			s.near[i]++
			s.near[j]++
			if was.Overlaps(before[j]) {
				continue
			}
			// Near is at least as much; dropCrowded does the rest. A crowd does not fill pairs.
			if (s.near[i] <= s.limit || e.mark < 2) && (s.near[j] <= s.limit || o.mark < 2) {
				s.pairs = append(s.pairs, pair(e.slot, o.slot))
			}
		}
	}
	for i := range entries {
		if k, n := entries[i].mark>>1, s.near[i]; k > 0 && n > 0 {
			atomic.AddInt32(&s.moves[k-1].Near, n)
		}
	}
}

// appendTall appends the new pairs of an object that is in no strip, or is in one with a moved one.
func (s *finder) appendTall(slot ID) {
	g, i := s.g, s.index[slot]
	q := query{g: g, box: g.boxes[slot], mask: s.mask}
	f := g.fineBoxOf(&q.box)
	var room [fewRegions]*region
	found := s.ids[:0]
	for rest := s.used; rest != 0; rest &= rest - 1 {
		for _, r := range g.levels[bits.TrailingZeros64(rest)].regionsMeeting(&room, f) {
			found = q.appendFrom(found, r, f)
		}
	}
	for _, o := range g.oversize {
		if q.box.Overlaps(g.boxes[o]) && g.visible(o, s.mask) {
			found = append(found, o)
		}
	}
	s.ids = found
	for _, o := range found {
		j := s.index[o]
		if o == slot || i == 0 && j == 0 {
			continue
		}
		if _, high := s.sweep.strips(&g.boxes[o]); high > mostStrips && o < slot {
			continue // it finds the pair, too
		}
		crowded := i > 0 && s.count(i)
		if crowded = j > 0 && s.count(j) || crowded; !crowded && !s.overlapped(slot, o) {
			s.pairs = append(s.pairs, pair(slot, o))
		}
	}
}
