package grid

import (
	"math"
	"sync/atomic"

	"github.com/quarry2d/quarry/geom"
)

// Move is an object that has moved, for AppendNewPairs.
type Move struct {
	ID  ID
	Was geom.AABB // its box before; empty if the object is new
	// Near is set by AppendNewPairs: the number of objects in the mask whose boxes overlap its
	// own, itself not included.
	Near int32
}

// AppendNewPairs appends every pair of a moved object and another object in a category of mask
// whose boxes share a point, but did not when the moved objects had their boxes Was; each once with
// the lower id first, in ascending order, and returns the extended slice. It leaves out the pairs of
// moved objects with Near above limit. All moved objects must be in a category of mask, and each is
// listed once. Like a change, AppendNewPairs needs exclusive access: it uses memory of the grid. It
// panics if an id is not in the grid.
//
// Its cost depends on the cells of the moved objects: each is visited once, however many moved objects it has. If more
// than a third of the objects have moved, cells are not visited, and it depends on the number of objects and of those
// beside each other. Pairs that are not new cost little.
func (g *Grid) AppendNewPairs(dst [][2]ID, moves []Move, mask uint64, limit int) [][2]ID {
	return g.AppendNewPairsOn(alone{}, dst, moves, mask, limit)
}

// Workers runs loops on several goroutines.
type Workers interface {
	// Workers returns the number of workers.
	Workers() int
	// Each calls do for ranges of grain that make up [0, count), each with the number of the worker that has it, and
	// returns when all calls have.
	Each(count, grain int, do func(worker, from, to int))
}

// alone is the caller without others.
type alone struct{}

func (alone) Workers() int { return 1 }

func (alone) Each(count, _ int, do func(worker, from, to int)) { do(0, 0, count) }

// AppendNewPairsOn is AppendNewPairs on several workers.
func (g *Grid) AppendNewPairsOn(on Workers, dst [][2]ID, moves []Move, mask uint64, limit int) [][2]ID {
	if len(moves) == 0 {
		return dst
	}
	start := len(dst)
	s := &g.search
	s.begin(g, on.Workers(), moves, mask)
	s.limit = int32(max(-1, min(limit, math.MaxInt32)))
	if s.many {
		s.layOut(on)
		on.Each(len(s.sweep.crowds), 1+len(s.sweep.crowds)/stripRanges, s.loops.strips)
		on.Each(len(s.sweep.tall), 1, s.loops.tall)
	} else {
		on.Each(len(moves), moveGrain, s.loops.moves)
		for _, f := range s.finders {
			s.cells = append(s.cells, f.cells...)
		}
		on.Each(len(s.cells), cellGrain, s.loops.cells)
	}
	for _, f := range s.finders {
		dst = append(dst, f.pairs...)
	}
	dst = dst[:start+s.dropCrowded(dst[start:])]
	s.end()
	g.pairsToIDs(dst[start:])
	return g.sortPairs(dst, start)
}

// Grains of the loops, in objects and cells: ranges of some microseconds.
const (
	moveGrain = 128
	cellGrain = 16

	stripRanges = 128 // number of ranges of strips
)

// search is a search for new pairs of objects, which are numbers of slots. Each worker writes the entries of its own
// objects and cells without locks, its pairs into a list of its own, and counters and marks by atomic operations.
// Pairs are sorted in the end.
type search struct {
	g       *Grid
	moves   []Move
	mask    uint64
	used    uint64 // the levels that may have objects in the mask
	limit   int32
	objects int  // of the levels in use and the oversize list
	many    bool // more than a third of the objects have moved: see sweep
	sweep   sweep

	index []int32  // by slot: 1 + the index in moves; 0 if the object has not moved
	slots []ID     // of the moved objects
	was   []qbox   // of the moved objects on a level: Was, in the coordinates of their present region
	seen  []uint64 // a bit for each place in the pool at which the list of a visited cell starts
	cells []visit

	finders []*finder // by worker
	loops   struct{ moves, cells, found, placed, strips, tall func(worker, from, to int) }
}

// finder is the memory of a worker in a search. The objects of one cell are compared in words: see word.
type finder struct {
	*search
	cells []visit
	pairs [][2]ID

	// The objects of the current cell, those that have moved first; partners of those alone.
	ids                       []ID
	now, then                 []word
	nowPartners, thenPartners []word
	near                      []int32

	// Of the sweep: a part of the slots, and the current strip.
	part    slotPart
	merged  []uint64
	entries []swept
	before  []geom.AABB // by entry: the box before
	hits    []int32     // of an entry: the entries after it that it may overlap
}

// visit is a cell with several objects, of which at least one has moved.
type visit struct {
	r      *region
	list   list
	cx, cy int32
}

// makeFinders makes the memory of so many workers.
func (s *search) makeFinders(workers int) {
	for len(s.finders) < workers {
		s.finders = append(s.finders, &finder{search: s})
	}
	if s.loops.moves != nil {
		return
	}
	each := func(do func(f *finder, i int)) func(worker, from, to int) {
		return func(worker, from, to int) {
			for i := from; i < to; i++ {
				do(s.finders[worker], i)
			}
		}
	}
	s.loops.moves = each(func(f *finder, i int) {
		f.visitCells(i)
		f.appendElsewhere(s.slots[i])
	})
	s.loops.cells = each(func(f *finder, i int) { f.appendCell(&s.cells[i]) })
	s.loops.found = each(func(_ *finder, k int) { s.listFound(k) })
	s.loops.placed = each(func(_ *finder, k int) { s.placeFound(k) })
	s.loops.strips = each(func(f *finder, i int) { f.appendStrip(s.sweep.crowds[i]) })
	s.loops.tall = each(func(f *finder, i int) { f.appendTall(s.sweep.tall[i]) })
}

func (s *search) begin(g *Grid, workers int, moves []Move, mask uint64) {
	s.makeFinders(workers)
	for _, f := range s.finders {
		f.cells, f.pairs = f.cells[:0], f.pairs[:0]
	}
	s.g, s.moves, s.mask, s.used = g, moves, mask, g.levelsFor(mask)
	for len(s.index) < len(g.boxes) {
		s.index = append(s.index, 0)
	}
	for len(s.seen) <= len(g.pool.ids)>>6 {
		s.seen = append(s.seen, 0)
	}
	s.slots, s.cells = s.slots[:0], s.cells[:0]
	for len(s.was) < len(moves) {
		s.was = append(s.was, qbox{})
	}
	for i := range moves {
		m := &moves[i]
		slot := g.mustSlot(m.ID)
		m.Near = 0
		s.index[slot] = int32(i) + 1
		s.slots = append(s.slots, slot)
	}
	s.objects = len(g.oversize)
	for at, rest := nextLevel(s.used); at < oversize; at, rest = nextLevel(rest) {
		for _, r := range g.levels[at].regions {
			s.objects += r.count
		}
	}
	s.many = sweepShare*len(moves) > s.objects
}

// sweepShare: the sweep takes this share of the objects to have moved. It costs as much as the cells where about 2/7
// have.
const sweepShare = 3

func (s *search) end() {
	for _, slot := range s.slots {
		s.index[slot] = 0
	}
	for i := range s.cells {
		at := s.cells[i].list.start()
		s.seen[at>>6] = 0
	}
	s.moves = nil
}

// dropCrowded removes the pairs of moved objects that are near more than limit others, and returns the
// number of the pairs left.
func (s *search) dropCrowded(pairs [][2]ID) int {
	n := 0
	for _, p := range pairs {
		if s.isCrowded(p[0]) || s.isCrowded(p[1]) {
			continue
		}
		pairs[n] = p
		n++
	}
	return n
}

func (s *search) isCrowded(slot ID) bool {
	i := s.index[slot]
	return i > 0 && s.moves[i-1].Near > s.limit
}

// visitCells lists the cells of moved object i that have other objects, too, and are not listed.
func (s *finder) visitCells(i int) {
	g, slot := s.g, s.slots[i]
	at := g.at[slot]
	if at >= oversize {
		return
	}
	r := g.regionOfBox(&g.levels[at], &g.boxes[slot])
	s.was[i] = r.clampedQBox(g.clampedFineBox(s.moves[i].Was))
	c := g.qboxes[slot].cells()
	for cy := c.y0; cy <= c.y1; cy++ {
		for cx := c.x0; cx <= c.x1; cx++ {
			l := r.cell(cx, cy)
			if l.class() == 0 {
				continue // the object is alone
			}
			at := l.start()
			bits, bit := &s.seen[at>>6], uint64(1)<<(at&63)
			if atomic.LoadUint64(bits)&bit == 0 && atomic.OrUint64(bits, bit)&bit == 0 {
				s.cells = append(s.cells, visit{r, l, cx, cy})
			}
		}
	}
}

// appendElsewhere appends the new pairs of an object with objects outside of the level and the region that it is in.
func (s *finder) appendElsewhere(slot ID) {
	g, i := s.g, s.index[slot]
	at := int(g.at[slot])
	if at < oversize && s.used&^(1<<at) == 0 && len(g.levels[at].regions) == 1 && len(g.oversize) == 0 ||
		at == excluded {
		return
	}
	var home *region
	if at < oversize {
		home = g.regionOfBox(&g.levels[at], &g.boxes[slot])
	}
	for _, o := range s.overlapping(slot, home) {
		j := s.index[o]
		crowded := s.count(i)
		if j > 0 && slot > o {
			continue // o finds the pair, too: of two moved objects, the one with the lower slot reports it
		}
		if !crowded && !s.overlapped(slot, o) {
			s.pairs = append(s.pairs, pair(slot, o))
		}
	}
}

// overlapping returns the objects that overlap the object in a slot, without the objects of a region.
func (s *finder) overlapping(slot ID, without *region) []ID {
	g := s.g
	var room [fewRegions]*region
	q := query{g: g, box: g.boxes[slot], mask: s.mask}
	f := g.fineBoxOf(&q.box)
	found := s.ids[:0]
	for to, rest := nextLevel(s.used); to < oversize; to, rest = nextLevel(rest) {
		for _, r := range g.levels[to].regionsMeeting(&room, f) {
			if r != without {
				found = q.appendFrom(found, r, f)
			}
		}
	}
	for _, o := range g.oversize {
		if o != slot && q.box.Overlaps(g.boxes[o]) && g.visible(o, s.mask) {
			found = append(found, o)
		}
	}
	s.ids = found
	return found
}

// count counts an object near a moved one, i-1, and reports whether that is crowded.
func (s *search) count(i int32) bool {
	return atomic.AddInt32(&s.moves[i-1].Near, 1) > s.limit
}

// overlapped reports whether the boxes of two objects overlapped before.
func (s *search) overlapped(a, b ID) bool {
	return s.boxBefore(a).Overlaps(*s.boxBefore(b))
}

func (s *search) boxBefore(slot ID) *geom.AABB {
	if i := s.index[slot]; i > 0 {
		return &s.moves[i-1].Was
	}
	return &s.g.boxes[slot]
}

// word is an object's box within a cell, in lanes of a byte: x0, y0, full-x1, full-y1, and 1 for
// each of x0 and y0 that lies before the cell. Coordinates are in 64ths of the cell and clamped to
// slightly more than the cell, 0 to full. That changes no answer: if two intervals meet a third one
// and each other, all three have a common point.
//
// The partner of a word has x1, y1, full-x0, full-y0, and 1 minus the marks, and the top bit of each
// lane set. If partner - word leaves all top bits set, the boxes overlap, and the cell is the
// lowest that both are in.
type word uint64

const (
	full       = 65
	coordLanes = 0x0101_0101
	tops       = 0x8080_8080_8080
	coordTops  = 0x8080_8080
	coords     = 0xffff_ffff
	// never is the word of a box outside of the cell. Neither it nor its partner overlaps
	// another for certain.
	never word = full * coordLanes
)

// isIn reports whether q is in the cell whose lower left corner is (x, y).
func (q *qbox) isIn(x, y int32) bool {
	return q.x0 < x+1<<subBits && q.y0 < y+1<<subBits && q.x1 >= x && q.y1 >= y
}

// wordIn returns the word of q in the cell whose lower left corner is (x, y); q must be in the cell.
func (q *qbox) wordIn(x, y int32) word {
	x0, y0 := uint32(max(q.x0-x, -1)+1), uint32(max(q.y0-y, -1)+1)
	x1, y1 := uint32(max(x-q.x1+full-1, 0)), uint32(max(y-q.y1+full-1, 0))
	return word(x0|y0<<8|x1<<16|y1<<24) | word((x0-1)>>31|(y0-1)>>31<<8)<<32
}

// partner returns the partner of w.
func (w word) partner() word {
	const marks = 0x0101 << 32
	return (tops | full*coordLanes | marks) - (w&marks | w>>16&0xffff | w&0xffff<<16)
}

// certainlyOverlaps reports whether the boxes of w and of the partner p overlap for certain; see
// qbox.certainlyOverlaps.
func (w word) certainlyOverlaps(p word) bool { return (p-w-coordLanes)&coordTops == coordTops }

// appendCell appends the new pairs of one cell.
func (s *finder) appendCell(v *visit) {
	g, moved := s.g, s.gather(v)
	for i := 1; i < len(s.ids); i++ {
		a, now, then := s.ids[i], s.now[i], s.then[i]
		partners := s.nowPartners[:min(i, moved)]
		for from := 0; from < len(partners); from += block {
			// Most tests fail, unpredictably, so hits are listed without a branch.
			var hits [block]uint8
			n := 0
			for j, p := range partners[from:min(from+block, len(partners))] {
				hits[uint8(n)] = uint8(j)
				n += int((uint64(^(p-now)&tops) - 1) >> 63) // 1 if no top bit is missing
			}
			for _, hit := range hits[:n] {
				j := from + int(hit)
				b := s.ids[j]
				if !now.certainlyOverlaps(partners[j]) && !g.boxes[a].Overlaps(g.boxes[b]) {
					continue
				}
				s.near[i]++
				s.near[j]++
				// Near is at least as much; dropCrowded does the rest. A crowd does not fill pairs.
				crowded := i < moved && s.near[i] > s.limit || s.near[j] > s.limit
				if !then.certainlyOverlaps(s.thenPartners[j]) && !crowded && !s.overlapped(a, b) {
					s.pairs = append(s.pairs, pair(a, b))
				}
			}
		}
	}
	for i := range moved {
		if n := s.near[i]; n > 0 {
			atomic.AddInt32(&s.moves[s.index[s.ids[i]]-1].Near, n)
		}
	}
}

// block is the number of partners that are tested at once.
const block = 256

// gather reads the objects of a cell, and returns the number of those that have moved.
func (s *finder) gather(v *visit) (moved int) {
	g := s.g
	s.ids, s.now, s.then, s.near = s.ids[:0], s.now[:0], s.then[:0], s.near[:0]
	s.nowPartners, s.thenPartners = s.nowPartners[:0], s.thenPartners[:0]
	ids := g.pool.several(v.list)
	x, y := v.cx<<subBits, v.cy<<subBits
	for _, id := range ids {
		i := s.index[id]
		if i == 0 {
			continue
		}
		now, then := g.qboxes[id].wordIn(x, y), never
		if was := &s.was[i-1]; was.isIn(x, y) {
			then = was.wordIn(x, y) & coords
		}
		s.ids, s.now, s.then, s.near = append(s.ids, id), append(s.now, now), append(s.then, then), append(s.near, 0)
		s.nowPartners = append(s.nowPartners, now.partner())
		s.thenPartners = append(s.thenPartners, then.partner()&coords)
	}
	if moved = len(s.ids); moved == len(ids) {
		return moved
	}
	for _, id := range ids {
		if s.index[id] == 0 && g.visible(id, s.mask) {
			now := g.qboxes[id].wordIn(x, y)
			s.ids, s.now, s.then, s.near = append(s.ids, id), append(s.now, now), append(s.then, now&coords),
				append(s.near, 0)
		}
	}
	return moved
}
