package gridseg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// checkParts compares the parts of g with a flood fill over whole cells, and checks the levels above. Every
// tile of g must be a block.
func checkParts(t *testing.T, g *Grid, anchored func(Cell) bool) {
	t.Helper()
	p := g.Parts()
	got := p.Append(nil)
	seen := map[Cell]bool{}
	var want []Part
	var stack []Cell
	for first := range g.Tiles(lattice.EveryCell) {
		if seen[first] {
			continue
		}
		of := Part{Cells: lattice.NoCells, First: first} // the first by row and column
		seen[first] = true
		for stack = append(stack[:0], first); len(stack) > 0; {
			c := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			of.Area += cellArea
			of.Cells = lattice.Grow(of.Cells, c)
			of.Anchored = of.Anchored || anchored(c)
			for _, o := range [4]Cell{
				{X: c.X - 1, Y: c.Y},
				{X: c.X + 1, Y: c.Y},
				{X: c.X, Y: c.Y - 1},
				{X: c.X, Y: c.Y + 1},
			} {
				if !seen[o] && g.Tile(o.X, o.Y).Shape != 0 {
					seen[o] = true
					stack = append(stack, o)
				}
			}
		}
		want = append(want, of)
	}
	if !slices.Equal(withoutComponents(got), want) || p.len() != len(want) {
		t.Fatalf("%d parts, want %d\ngot  %+v\nwant %+v", len(got), len(want), got, want)
	}
	loose := p.allLoose(nil)
	if want := slices.DeleteFunc(want, func(of Part) bool { return of.Anchored }); p.anchors.given != nil &&
		!slices.Equal(withoutComponents(loose), want) {
		t.Fatalf("loose parts %+v, want %+v", loose, want)
	}
	if p.anchors.given == nil {
		// the first of several
		most := slices.MaxFunc(want, func(a, b Part) int { return int(int64(a.Area) - int64(b.Area)) })
		rest := slices.DeleteFunc(want, func(of Part) bool { return of.First == most.First })
		if !slices.Equal(withoutComponents(loose), rest) {
			t.Fatalf("loose parts %+v, want %+v", loose, rest)
		}
	}
	for n := range 4 {
		some, more := p.AppendLoose(nil, n, 1<<60, 1<<60)
		if k := min(n, len(loose)); !slices.Equal(some, loose[:k]) || more != (k < len(loose)) {
			t.Fatalf("the first %d of %d loose parts are %+v, %v", n, len(loose), some, more)
		}
	}
	checkBlocks(t, p)
}

// checkBlocks checks that blocks, components and heaps agree.
func checkBlocks(t *testing.T, p *Parts) {
	t.Helper()
	alive := map[int32]bool{}
	check := func(b *partBlock) {
		if len(b.comps) == 0 {
			t.Fatalf("block %v of level %d has no components", b.at, b.level)
		}
		linked := map[int32]bool{}
		for side := range sides {
			for _, l := range b.linksOn(side) {
				k, o := l.from(side)
				linked[k] = true
				if p.comps[k].block != b || p.comps[o].block != b.near[side] {
					t.Fatalf("block %v of level %d has the link %v on side %d", b.at, b.level, l, side)
				}
			}
		}
		for _, k := range b.comps {
			c := &p.comps[k]
			alive[k] = true
			if c.block != b || linked[k] != (c.up >= 0) || (c.up < 0) != (c.place[byArea] > 0) ||
				(c.up < 0 && !c.anchor) != (c.place[byPlace] > 0) {
				t.Fatalf("component %d of block %v of level %d: %+v, linked %v", k, b.at, b.level, c, linked[k])
			}
			if c.up >= 0 && p.comps[c.up].block != b.up {
				t.Fatalf("component %d belongs to one of another block", k)
			}
		}
	}
	for _, pc := range p.chunks {
		check(&pc.partBlock)
	}
	for at, b := range p.blocks {
		if check(b); b.at != at.at || b.level != at.level {
			t.Fatalf("block %v of level %d is listed at %v", b.at, b.level, at)
		}
		for i, o := range b.sub {
			if o != nil && (o.up != b || o.quarter() != int32(i)) {
				t.Fatalf("block %v of level %d has another block in quarter %d", b.at, b.level, i)
			}
		}
	}
	if n := len(p.comps) - len(p.freeComp); n != len(alive) {
		t.Fatalf("%d components in blocks, %d in use", len(alive), n)
	}
	for of, h := range p.order {
		for i, k := range h {
			if !alive[k] || int(p.comps[k].place[of]) != i+1 || i > 0 && p.before(of, k, h[(i-1)/2]) {
				t.Fatalf("heap %d has component %d in place %d", of, k, i)
			}
		}
	}
}

// TestPartsOfManyChunks digs and fills long strips, which split and join parts across many chunks, near the origin,
// at borders of blocks of high levels, and at the ends of the world.
func TestPartsOfManyChunks(t *testing.T) {
	const side = 128
	for run, o := range []Cell{
		{X: -60, Y: -60},
		{X: (1<<28-blockBias)<<4 - 64, Y: (1<<28-blockBias)<<4 - 70},
		{X: -1 << 31, Y: 1<<31 - side},
		{X: 5, Y: 7},
	} {
		r := rand.New(rand.NewPCG(uint64(run), 20))
		g := New(nil)
		anchors := []Rect{rectAt(o)(0, 0, 2, 30), rectAt(o)(100, 90, 127, 127)}
		if run == 3 {
			anchors = nil
		}
		g.Parts().SetAnchors(anchors, 0)
		if err := g.Fill(rectAt(o)(0, 0, side-1, side-1), Tile{Shape: Full}); err != nil {
			t.Fatal(err)
		}
		for edit := range 150 {
			x, y := r.Int32N(side), r.Int32N(side)
			a, b := r.Int32N(side), r.Int32N(3)
			if r.IntN(2) == 0 {
				a, b = b, a
			}
			tile := Tile{Shape: Full}
			if r.IntN(3) > 0 {
				tile = Tile{}
			}
			if err := g.Fill(rectAt(o)(x, y, min(side-1, x+a), min(side-1, y+b)), tile); err != nil {
				t.Fatal(err)
			}
			if edit%3 == 0 {
				checkParts(t, g, func(c Cell) bool {
					return slices.ContainsFunc(anchors, func(r Rect) bool { return r.Contains(c) })
				})
			}
		}
		list := g.Parts().allLoose(nil)
		g.Parts().Extract(list)
		checkBlocks(t, g.Parts())
		if n, more := g.Parts().AppendLoose(nil, 9, 1<<60, 1<<60); len(n) > 0 || more {
			t.Errorf("%d parts are loose after Extract", len(n))
		}
		if err := g.Fill(rectAt(o)(0, 0, side-1, side-1), Tile{}); err != nil {
			t.Fatal(err)
		}
		if p := g.Parts(); p.len() != 0 || len(p.chunks)+len(p.blocks) > 0 || len(p.comps) != len(p.freeComp) {
			t.Errorf("an empty grid has %d chunks, %d blocks, %d components", len(p.chunks), len(p.blocks),
				len(p.comps)-len(p.freeComp))
		}
	}
}

// partsWork returns the work of Parts from a state on, to the loose parts of a step.
func partsWork(p *Parts, do func()) int {
	before := p.work
	do()
	p.AppendLoose(nil, 64, 1<<16*cellArea, 1<<20*cellArea)
	return p.work - before
}

// TestPartsWork: the work after an edit does not grow with the ground, the way around a cut, the number of loose
// parts, or the number of anchors.
func TestPartsWork(t *testing.T) {
	full := Tile{Shape: Full}
	fill := func(g *Grid, r Rect, tile Tile) {
		if err := g.Fill(r, tile); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string, work, most int) {
		if t.Logf("%s: %d", name, work); work > most {
			t.Errorf("%s: %d components and links visited, at most %d", name, work, most)
		}
	}
	for _, side := range []int32{256, 512, 1024} {
		// A tunnel with a long way around, and a bridge between two anchored halves.
		g := New(nil)
		fill(g, Rect{MaxX: side - 1, MaxY: side - 1}, full)
		fill(g, Rect{MinY: side/2 + 8, MaxX: side - 20, MaxY: side/2 + 8}, Tile{})
		p := g.Parts()
		p.SetAnchors([]Rect{{MaxX: side - 1}, {MinY: side - 1, MaxX: side - 1, MaxY: side - 1}}, 0)
		partsWork(p, func() {})
		check("a pit in a tunnel", partsWork(p, func() {
			fill(g, Rect{MinX: 3, MinY: side/2 + 7, MaxX: 5, MaxY: side/2 + 9}, Tile{})
		}), 400)
		check("a bridge is cut", partsWork(p, func() {
			fill(g, Rect{MinX: side - 20, MinY: side/2 + 8, MaxX: side - 1, MaxY: side/2 + 8}, Tile{})
		}), 1000)
		check("a bridge is built", partsWork(p, func() {
			fill(g, Rect{MinX: side - 20, MinY: side/2 + 8, MaxX: side - 19, MaxY: side/2 + 8}, full)
		}), 1000)

		// Many loose parts: each of a chunk is computed again as some come off.
		g = New(nil)
		for y := range side / 4 {
			for x := range side / 4 {
				if (x+y)&1 == 0 {
					if err := g.Set(x, y, full); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		p = g.Parts()
		p.SetAnchors(nil, 1)
		partsWork(p, func() {})
		check("64 of many loose parts", partsWork(p, func() {
			list, _ := p.AppendLoose(nil, 64, 1<<60, 1<<60)
			p.Extract(list)
		}), 9000)
	}
	// Anchors: of a chunk, and none of the others.
	one, many := 0, 0
	for _, n := range []int{1, 4000} {
		g := New(nil)
		fill(g, Rect{MaxX: 511, MaxY: 511}, full)
		p := g.Parts()
		r := rand.New(rand.NewPCG(1, 1))
		var anchors []Rect
		for range n {
			x, y := r.Int32N(512), r.Int32N(512)
			anchors = append(anchors, Rect{MinX: x, MinY: y, MaxX: x + r.Int32N(4), MaxY: y + r.Int32N(4)})
		}
		p.SetAnchors(anchors, 0)
		one, many = many, partsWork(p, func() {})
		check("an edit with many anchors", partsWork(p, func() {
			fill(g, Rect{MinX: 100, MinY: 100, MaxX: 102, MaxY: 102}, Tile{})
		}), 200)
		check("1,024 new chunks beside the anchors", partsWork(p, func() {
			fill(g, Rect{MinX: 512, MaxX: 1023, MaxY: 511}, full)
		}), 40_000)
	}
	if many > one+40*4000 {
		t.Errorf("4000 anchors cost %d, and one %d", many, one)
	}
}
