package grid

import (
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/quarry2d/quarry/geom"
)

// sweep finds the new pairs where more than a third of the objects have moved, without the cells. The plane is cut into
// horizontal strips. In each strip, the objects in it are sorted by their left sides, and each is compared with the
// objects that begin before it ends. This costs less than lists of cells, which have every object in up to four cells
// with its neighbours, and objects of other sizes in other cells.
//
// Objects in more than mostStrips strips look for partners in the cells.
type sweep struct {
	inv    float64 // 1 / height of a strip
	parts  int     // number of parts of the slots, one for each worker; part k has the memory of finder k
	ends   []int32 // by bucket: the end of its keys; a bucket has every n-th strip, with n buckets
	crowds []int32 // the buckets of several objects
	// keys lists the objects of each bucket, part by part, and in each part by their left sides. A key is the left side
	// in the high half, then the slot, then a bit that is 1 in the object's lowest strip.
	keys []uint64
	tall []ID // the objects in more than mostStrips strips
}

// slotPart is a part of the slots, as listed for the strips.
type slotPart struct {
	found []placed // the objects of the search, without the tall ones
	tall  []ID
	keys  []uint64 // of found: the left sides, and the indices
	room  []uint64 // of the sort
	ends  []int32  // by bucket: the number of the part's objects, then the end of their keys
}

// placed is an object with its strips.
type placed struct {
	slot   ID
	lowest int32 // bucket of the lowest strip
	strips int32
}

// swept is an object in a strip.
type swept struct {
	x0, x1, y0, y1 float64
	slot           ID
	mark           uint32 // twice 1 + the index in moves, 0 for one that has not moved; plus 1 in its lowest strip
}

// mostStrips bounds the strips of an object. It is below the minimum number of buckets, so that two objects that
// overlap meet only in the buckets of the strips that both are in.
const mostStrips, leastBuckets = 8, 16

// strips returns the lowest strip that box is in, and the number of them.
func (w *sweep) strips(box *geom.AABB) (lowest, n int64) {
	lowest = int64(math.Floor(box.Min.Y * w.inv))
	return lowest, int64(math.Floor(box.Max.Y*w.inv)) - lowest + 1
}

// layOut lists the objects of the search in the strips. Each worker lists a part of the slots, and sorts it by left
// sides.
func (s *search) layOut(on Workers) {
	w := &s.sweep
	w.parts = on.Workers()
	w.inv = 1 / s.stripHeight()
	buckets := leastBuckets
	for 4*buckets < s.objects {
		buckets *= 2
	}
	w.ends = slices.Grow(w.ends[:0], buckets)[:buckets]
	on.Each(w.parts, 1, s.loops.found)
	w.tall, w.crowds = w.tall[:0], w.crowds[:0]
	n := int32(0)
	for i := range w.ends {
		from := n
		for _, f := range s.finders[:w.parts] {
			f.part.ends[i], n = n, n+f.part.ends[i]
		}
		if w.ends[i] = n; n-from > 1 {
			w.crowds = append(w.crowds, int32(i))
		}
	}
	for _, f := range s.finders[:w.parts] {
		w.tall = append(w.tall, f.part.tall...)
	}
	w.keys = slices.Grow(w.keys[:0], int(n))[:n]
	on.Each(w.parts, 1, s.loops.placed)
}

// stripHeight returns one to two times the geometric mean of the heights of some objects of the search, a power of two.
func (s *search) stripHeight() float64 {
	g, exponents, n := s.g, uint64(0), uint64(0)
	const sample = 512
	for slot := 0; slot < len(g.at); slot += len(g.at)/sample | 1 {
		if g.at[slot] <= oversize && g.visible(ID(slot), s.mask) {
			b := &g.boxes[slot]
			exponents += math.Float64bits(max(b.Max.Y-b.Min.Y, 1/g.scale)) >> 52
			n++
		}
	}
	if n == 0 {
		return 1 / g.inv
	}
	return math.Float64frombits((exponents/n + 1) << 52)
}

// listFound lists the objects of the search in part number k of the slots, and counts them for each bucket.
func (s *search) listFound(k int) {
	g, w, p := s.g, &s.sweep, &s.finders[k].part
	p.found, p.tall, p.keys = p.found[:0], p.tall[:0], p.keys[:0]
	p.ends = slices.Grow(p.ends[:0], len(w.ends))[:len(w.ends)]
	clear(p.ends)
	mask := int64(len(w.ends) - 1)
	for slot := len(g.at) * k / w.parts; slot < len(g.at)*(k+1)/w.parts; slot++ {
		if g.at[slot] > oversize || !g.visible(ID(slot), s.mask) {
			continue
		}
		b := &g.boxes[slot]
		lowest, n := w.strips(b)
		if n > mostStrips {
			p.tall = append(p.tall, ID(slot))
			continue
		}
		for i := lowest; i < lowest+n; i++ {
			p.ends[i&mask]++
		}
		p.keys = append(p.keys, uint64(ascending(float32(b.Min.X)))<<32|uint64(len(p.found)))
		p.found = append(p.found, placed{ID(slot), int32(lowest & mask), int32(n)})
	}
	p.keys, p.room = sortHigh(p.keys, p.room)
}

// placeFound puts the keys of part number k into the buckets.
func (s *search) placeFound(k int) {
	w, p := &s.sweep, &s.finders[k].part
	mask := int32(len(w.ends) - 1)
	for _, key := range p.keys {
		f := &p.found[uint32(key)]
		key = key&^math.MaxUint32 | uint64(f.slot)<<1 | 1
		for i := f.lowest; i < f.lowest+f.strips; i++ {
			end := &p.ends[i&mask]
			w.keys[*end] = key
			*end++
			key &^= 1
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

// merge sorts keys, of which the first n and the others are sorted, and returns the room that it used.
func merge(keys []uint64, n int, room []uint64) []uint64 {
	first, rest := append(room[:0], keys[:n]...), keys[n:]
	room = first
	k := 0
	for ; len(first) > 0 && len(rest) > 0; k++ {
		// Without a branch, which would be unpredictable.
		a, b := first[0], rest[0]
		_, less := bits.Sub64(b, a, 0)
		keys[k] = a ^ (a^b)&-less
		first, rest = first[1-less:], rest[less:]
	}
	copy(keys[k:], first)
	return room
}

// appendStrip appends the new pairs of bucket i.
func (s *finder) appendStrip(i int32) {
	w, from := &s.sweep, int32(0)
	if i > 0 {
		from = w.ends[i-1]
	}
	keys := w.keys[from:w.ends[i]]
	for k := 1; k < w.parts; k++ {
		s.merged = merge(keys[:s.finders[k].part.ends[i]-from], int(s.finders[k-1].part.ends[i]-from), s.merged)
	}
	entries, before := slices.Grow(s.entries[:0], len(keys))[:len(keys)], slices.Grow(s.before[:0],
		len(keys))[:len(keys)]
	s.entries, s.before = entries, before
	for k, key := range keys {
		slot := ID(uint32(key) >> 1)
		b, e := &s.g.boxes[slot], &entries[k]
		e.x0, e.x1, e.y0, e.y1, e.slot, e.mark = b.Min.X, b.Max.X, b.Min.Y, b.Max.Y, slot,
			uint32(2*s.index[slot])|uint32(key)&1
		before[k] = *s.boxBefore(slot)
	}
	s.near = append(s.near[:0], make([]int32, len(entries))...)
	s.hits = slices.Grow(s.hits[:0], len(entries))[:len(entries)]
	for i := range entries {
		e, was := &entries[i], &before[i]
		// Most tests fail, unpredictably, so hits are listed without a branch. They are ordered as float32.
		n, last := 0, float32(e.x1)
		for j := i + 1; j < len(entries); j++ {
			o := &entries[j]
			if float32(o.x0) > last {
				break
			}
			s.hits[n] = int32(j)
			// The signs tell whether e.y0 <= o.y1 and o.y0 <= e.y1: differences of finite numbers are 0 only of equal
			// ones.
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
	for _, o := range s.overlapping(slot, nil) {
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
