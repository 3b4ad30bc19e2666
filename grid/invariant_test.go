package grid

import "math/bits"

// checkInvariants looks for faults that results need not show at once: lists and tables
// that disagree with the cells stored for the objects.
func checkInvariants(t fataler, g *Grid) {
	t.Helper()
	hiddenObjects, vacantObjects := 0, 0
	for i, at := range g.at {
		switch at {
		case excluded:
			hiddenObjects++
		case vacant:
			vacantObjects++
		}
		if at == oversize && (int(g.qboxes[i].x0) >= len(g.oversize) || g.oversize[g.qboxes[i].x0] != ID(i)) {
			t.Fatalf("%v: object %d is not where it says in the oversize list", g.kind, i)
		}
	}
	if hiddenObjects != g.excludedCount || len(g.at)-vacantObjects != g.n {
		t.Fatalf("%v: counts %d excluded of %d objects, has %d of %d", g.kind, g.excludedCount, g.n, hiddenObjects,
			len(g.at)-vacantObjects)
	}
	checkSeparate(t, g)
	checkUnlisted(t, g)
	places := map[int]bool{} // of the pool, in use
	listed := 0
	for at := range g.levels {
		checkLevel(t, g, at, places, &listed)
	}
	indexed := 0
	for at := range g.levels {
		for _, r := range g.levels[at].regions {
			r.each(func(_, _ int32, c list) {
				if c.class() < indexedClass {
					return
				}
				for i, id := range g.pool.several(c) {
					if indexed++; g.pool.place(c, id) != i {
						t.Fatalf("%v: object %d is in place %d of a list, and not %d", g.kind, id, i,
							g.pool.place(c, id))
					}
				}
			})
		}
	}
	if indexed != g.pool.index.used {
		t.Fatalf("%v: %d objects in long lists, %d in the index", g.kind, indexed, g.pool.index.used)
	}
	if listed != 0 {
		t.Fatalf("%v: %d listings are missing (or, below 0, too many)", g.kind, listed)
	}
	for class, f := range g.pool.free {
		for ; f != 0; f = int32(g.pool.ids[f-1]) {
			for i := range blockSize(class) {
				if places[int(f)-1+i] {
					t.Fatalf("%v: a block of class %d is free and in use", g.kind, class)
				}
				places[int(f)-1+i] = true
			}
		}
	}
}

// checkSeparate checks that the objects of each class that Separate sets apart, and no others, are on levels of their
// own, and the count of other objects that have a category of those that are set apart.
func checkSeparate(t fataler, g *Grid) {
	t.Helper()
	mixed := 0
	for i, at := range g.at {
		if at == vacant {
			continue
		}
		c := uint64(All)
		if g.categories != nil {
			c = g.categories[i]
		}
		class := 0
		for k, mask := range g.apart {
			if c != 0 && c&^mask == 0 {
				class = k + 1
			}
		}
		if class == 0 && c&(g.apart[0]|g.apart[1]) != 0 {
			mixed++
		}
		if at < oversize && int(at)%classes != class {
			t.Fatalf("%v: object %d of categories %x is on level %d, with %x apart", g.kind, i, c, at, g.apart)
		}
	}
	if mixed != g.mixed {
		t.Fatalf("%v: counts %d mixed objects, has %d", g.kind, g.mixed, mixed)
	}
}

// checkUnlisted checks the rings of the objects that no cell lists.
func checkUnlisted(t fataler, g *Grid) {
	t.Helper()
	n, count := 0, 0
	for i, at := range g.at {
		if at != oversize && at != excluded {
			continue
		}
		n++
		found := 0
		g.eachUnlisted(g.clampedFineBox(g.boxes[i]), func(id ID) {
			if id == ID(i) {
				found++
			}
		})
		if next := g.qboxes[i].x1; found != 1 || g.qboxes[next].y1 != int32(i) {
			t.Fatalf("%v: object %d is %d times in the ring of its chunk", g.kind, i, found)
		}
	}
	for _, r := range g.unlisted.regions {
		count += r.count
		checkTable(t, &r.cells)
	}
	if count != n {
		t.Fatalf("%v: %d objects apart, counted %d", g.kind, n, count)
	}
}

// checkLevel checks a level's regions, and the lists of their cells.
func checkLevel(t fataler, g *Grid, at int, places map[int]bool, listed *int) {
	t.Helper()
	l := &g.levels[at]
	counts := map[*region]int{}
	for i := range g.boxes {
		if int(g.at[i]) != at {
			continue
		}
		r := l.find(g.clampedFineBox(g.boxes[i]))
		if r == nil {
			t.Fatalf("%v, level %d: object %d has no region", g.kind, at, i)
		}
		counts[r]++
		q, ok := g.fits(g.clampedFineBox(g.boxes[i]), r)
		if !ok || q != g.qboxes[i] {
			t.Fatalf("%v, level %d: object %d is at %v, belongs at %v", g.kind, at, i, g.qboxes[i], q)
		}
		*listed += int(q.cells().size())
	}
	if (g.used>>at&1 == 1) != (len(counts) > 0) || l.kind != Fixed && len(l.regions) != len(counts) ||
		l.index.used > len(l.regions) {
		t.Fatalf("%v, level %d: used %v, %d regions, %d with objects", g.kind, at, g.used>>at&1 == 1, len(l.regions),
			len(counts))
	}
	checkTable(t, &l.index)
	for _, r := range l.idle {
		if r.count != 0 || r.squares() != 0 || r.bounds != noSpan {
			t.Fatalf("%v, level %d: an idle region is not empty", g.kind, at)
		}
	}
	for i, r := range l.regions {
		if r.count != counts[r] || l.kind != Fixed && l.index.get(r.key) != list(i)+1 {
			t.Fatalf("%v, level %d: region %d counts %d objects, holds %d", g.kind, at, i, r.count, counts[r])
		}
		checkRegion(t, g, at, r, places, listed)
	}
}

// checkRegion checks the lists of a region's cells.
func checkRegion(t fataler, g *Grid, at int, r *region, places map[int]bool, listed *int) {
	t.Helper()
	r.each(func(cx, cy int32, c list) {
		n := r.squareBits()
		if !r.bounds.has(cx>>n, cy>>n) {
			t.Fatalf("%v, level %d: cell (%d, %d) is out of bounds %v", g.kind, at, cx, cy, r.bounds)
		}
		if r.cell(cx, cy) != c || c.len() == 0 || c.len() > 1<<c.class() || (c.len() == 1) != (c.class() == 0) {
			t.Fatalf("%v, level %d: cell (%d, %d) is not found, or has a wrong list", g.kind, at, cx, cy)
		}
		for i := range blockSize(max(c.class(), 1)) {
			if c.class() == 0 {
				break
			}
			if places[c.start()+i] {
				t.Fatalf("%v, level %d: cell (%d, %d) shares its block", g.kind, at, cx, cy)
			}
			places[c.start()+i] = true
		}
		seen := map[ID]bool{}
		for _, id := range g.pool.of(c, new([1]ID)) {
			if seen[id] || int(g.at[id]) != at || g.regionOfBox(&g.levels[at], &g.boxes[id]) != r ||
				!g.qboxes[id].cells().has(cx, cy) {
				t.Fatalf("%v, level %d: cell (%d, %d) lists object %d, which is elsewhere", g.kind, at, cx, cy, id)
			}
			seen[id] = true
		}
		*listed -= c.len()
	})
	checkSquares(t, g, r)
}

// checkSquares looks at the tables of a level, and at its chunks.
func checkSquares(t fataler, g *Grid, r *region) {
	t.Helper()
	checkTable(t, &r.cells)
	if r.kind != Hashed {
		inUse := 0
		for i, mask := range r.chunks.mask {
			n := 0
			for k, c := range r.chunks.lists[i<<(2*chunkBits) : (i+1)<<(2*chunkBits)] {
				if (c != 0) != (mask[k>>6]>>(k&63)&1 == 1) {
					t.Fatalf("%v: chunk %d has a wrong bit for cell %d", g.kind, i, k)
				}
				if c != 0 {
					n++
				}
			}
			if int32(n) != r.chunks.load[i] {
				t.Fatalf("%v: chunk %d counts %d cells, has %d", g.kind, i, r.chunks.load[i], n)
			}
			if n == 0 {
				continue
			}
			inUse++
			if bx, by := r.chunkPlace(i); r.chunk(bx, by) != i {
				t.Fatalf("%v: chunk %d is not where it says", g.kind, i)
			}
		}
		if inUse != r.chunks.used {
			t.Fatalf("%v: %d chunks in use, counts %d", g.kind, inUse, r.chunks.used)
		}
	}
	if r.kind == Fixed {
		return
	}
	below := &r.cells
	for tier := range r.blocks {
		b := &r.blocks[tier]
		checkTable(t, b)
		children := 0
		for i := range b.slots {
			children += bits.OnesCount64(uint64(b.slots[i].val))
		}
		if children != below.used {
			t.Fatalf("%v, level %d, tier %d: bits for %d squares of %d", g.kind, r.at, tier+1, children, below.used)
		}
		for i := range below.slots {
			if below.slots[i].val != 0 {
				x, y := below.slots[i].key.square()
				if b.get(squareKey(x>>3, y>>3))&childBit(x, y) == 0 {
					t.Fatalf("%v, level %d, tier %d: no bit for (%d, %d)", g.kind, r.at, tier+1, x, y)
				}
			}
		}
		below = b
	}
}

// checkTable expects every square to be found, free slots to be clear, and the
// table to be at most as full as it may be.
func checkTable(t fataler, tab *table) {
	t.Helper()
	used := 0
	for i := range tab.slots {
		s := &tab.slots[i]
		switch {
		case s.val != 0:
			used++
			if tab.find(s.key) != s {
				t.Fatalf("slot %d is not found", i)
			}
		case s.key != 0:
			t.Fatalf("free slot %d is not clear", i)
		}
	}
	if used != tab.used || tab.tooFull(used) {
		t.Fatalf("%d of %d slots in use, counted %d", used, len(tab.slots), tab.used)
	}
}
