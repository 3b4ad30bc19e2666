package gridseg

import (
	"cmp"
	"slices"
)

// setComps gives b n components. Components keep their numbers if n is as before. They are in no heap, since their
// tiles are going to change.
func (p *Parts) setComps(b *partBlock, n int) {
	for _, k := range b.comps {
		p.rank(k, false)
	}
	if n != len(b.comps) {
		p.change(b)
	}
	for len(b.comps) > n {
		k := b.comps[len(b.comps)-1]
		b.comps = b.comps[:len(b.comps)-1]
		p.freeComp = append(p.freeComp, k)
	}
	for len(b.comps) < n {
		k := int32(len(p.comps))
		if free := len(p.freeComp); free > 0 {
			k, p.freeComp = p.freeComp[free-1], p.freeComp[:free-1]
		} else {
			p.comps = append(p.comps, comp{})
		}
		p.comps[k] = noComp
		p.comps[k].block = b
		b.comps = append(b.comps, k)
	}
}

// change lists b as changed: the block above must be built.
func (p *Parts) change(b *partBlock) {
	if b.changed != p.version {
		b.changed = p.version
		p.changed = append(p.changed, b)
	}
}

// raise brings the levels above up to date. changed has the blocks of level 0 whose number of components or whose
// links have changed, and touched the components whose tiles have. Where neither the number of components nor their
// links change, only the sums of the components above are computed again. So the cost of most edits is a few
// components on each level; there are as many levels as the binary logarithm of the number of chunks across the
// tiles.
func (p *Parts) raise() {
	for len(p.changed) > 0 || len(p.touched) > 0 {
		p.rebuilt, p.above = p.rebuilt[:0], p.above[:0]
		for _, b := range p.changed {
			if up := p.blockAbove(b); up.built != p.version {
				up.built = p.version
				p.rebuilt = append(p.rebuilt, up)
			}
		}
		p.changed, p.spent = p.spent[:0], p.changed // build lists blocks of the next level
		for _, up := range p.rebuilt {
			p.build(up)
			p.above = append(p.above, up.comps...)
		}
		for _, k := range p.touched {
			c := &p.comps[k]
			p.rank(k, c.up < 0)
			if c.up >= 0 && c.block.up.built != p.version && p.comps[c.up].stamp != p.version {
				p.comps[c.up].stamp = p.version
				p.rank(c.up, false)
				p.sum(c.up)
				p.above = append(p.above, c.up)
			}
		}
		for _, up := range p.rebuilt {
			p.linkAround(up)
		}
		for _, b := range p.spent {
			if len(b.comps) == 0 {
				p.drop(b)
			}
		}
		for _, up := range p.rebuilt {
			if len(up.comps) == 0 && up.changed != p.version {
				p.drop(up)
			}
		}
		p.touched, p.above = p.above, p.touched
	}
}

// build makes the components of b, of a level above 0, from the components below.
func (p *Parts) build(b *partBlock) {
	nodes := p.nodes[:0]
	for _, o := range b.sub {
		if o == nil {
			continue
		}
		for _, k := range o.comps {
			p.comps[k].mark = -1
		}
		p.work += len(o.comps)
		for side := range sides {
			links := o.linksOn(side)
			for _, l := range links {
				k, _ := l.from(side)
				p.comps[k].mark = 0
			}
			p.work += len(links)
		}
		for _, k := range o.comps {
			if c := &p.comps[k]; c.mark == 0 {
				c.mark = int32(len(nodes))
				nodes = append(nodes, k)
			} else if c.up >= 0 {
				c.up = -1
				p.rank(k, true)
			}
		}
	}
	p.nodes = nodes
	p.up = p.up.reset(len(nodes))
	for i, side := range [4]int{right, top, top, right} { // of the blocks 0, 0, 1 and 2
		if o := b.sub[[4]int{0, 0, 1, 2}[i]]; o != nil {
			for _, l := range o.linksOn(side) {
				p.up.unite(p.comps[l.a].mark, p.comps[l.b].mark)
			}
		}
	}
	p.work += len(nodes)
	n := 0
	for i := range p.up {
		if p.up[i] == int32(i) {
			n++
		}
	}
	p.setComps(b, n)
	for _, k := range b.comps {
		p.comps[k].child = -1
	}
	n = 0
	for i, k := range nodes { // a root is the lowest of its set
		c := &p.comps[k]
		wasPart, of := c.up < 0, int32(0)
		if r := p.up.root(int32(i)); r == int32(i) {
			of = b.comps[n]
			n++
		} else {
			of = p.comps[nodes[r]].up
		}
		c.up = of
		c.next, p.comps[of].child = p.comps[of].child, k
		if wasPart {
			p.rank(k, false)
		}
	}
	for _, k := range b.comps {
		p.sum(k)
	}
}

// sum adds up the components that belong to component k.
func (p *Parts) sum(k int32) {
	c := &p.comps[k]
	c.area, c.anchor, c.first, c.piece = 0, false, noComp.first, 0
	for m := c.child; m >= 0; m = p.comps[m].next {
		c.add(&p.comps[m])
		p.work++
	}
}

// linkAround links the components of b with the components beside it.
func (p *Parts) linkAround(b *partBlock) {
	p.link(b, right)
	p.link(b, top)
	if o := b.near[left]; o != nil && o.built != p.version {
		p.link(o, right)
	}
	if o := b.near[bottom]; o != nil && o.built != p.version {
		p.link(o, top)
	}
}

// link finds the links on the right side or at the top of b.
func (p *Parts) link(b *partBlock, side int) {
	list, o := &b.links[side-right], b.near[side]
	p.was = append(p.was[:0], *list...)
	*list = (*list)[:0]
	switch {
	case o == nil || len(b.comps) == 0 || len(o.comps) == 0:
	case b.level == 0:
		p.linkSide(b.leaf, side)
	default:
		for _, s := range [2]*partBlock{b.sub[side], b.sub[3]} { // right is 1, top is 2
			if s == nil {
				continue
			}
			for _, l := range s.linksOn(side) {
				*list = append(*list, partLink{p.comps[l.a].up, p.comps[l.b].up})
			}
		}
		if len(*list) > 1 {
			slices.SortFunc(*list, func(a, b partLink) int {
				return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
			})
			*list = slices.Compact(*list)
		}
	}
	p.work += len(*list)
	if !slices.Equal(*list, p.was) {
		p.change(b)
		if o != nil {
			p.change(o)
		}
	}
}

// blockBias is added to the coordinates of chunks, so that blocks of the levels above divide them: it makes them
// positive, and no block border of a high level is near the origin.
const blockBias = 1<<27 + 0x5555555

// above returns the coordinates of the block above.
func (b *partBlock) above() placeOfBlock {
	at := b.at
	if b.level == 0 {
		at = Cell{X: at.X + blockBias, Y: at.Y + blockBias}
	}
	return placeOfBlock{Cell{X: at.X >> 1, Y: at.Y >> 1}, b.level + 1}
}

// place makes b known to the blocks beside it, above and below.
func (p *Parts) place(b *partBlock) {
	for side, o := range [sides]Cell{
		{X: b.at.X, Y: b.at.Y - 1},
		{X: b.at.X + 1, Y: b.at.Y},
		{X: b.at.X, Y: b.at.Y + 1},
		{X: b.at.X - 1, Y: b.at.Y},
	} {
		if b.near[side] = p.blockAt(o, b.level); b.near[side] != nil {
			b.near[side].near[side^2] = b
		}
	}
	if at := b.above(); p.blocks[at] != nil {
		p.put(b, p.blocks[at])
	}
	for i := range int32(4) {
		at := Cell{X: b.at.X<<1 + i&1, Y: b.at.Y<<1 + i>>1}
		switch b.level {
		case 0:
			continue
		case 1:
			at = Cell{X: at.X - blockBias, Y: at.Y - blockBias}
		}
		if o := p.blockAt(at, b.level-1); o != nil {
			p.put(o, b)
		}
	}
}

// put makes b one of the four blocks below up.
func (p *Parts) put(b, up *partBlock) {
	b.up = up
	up.sub[b.quarter()] = b
}

// quarter returns the place of b in the block above.
func (b *partBlock) quarter() int32 {
	at := b.at
	if b.level == 0 {
		at = Cell{X: at.X + blockBias, Y: at.Y + blockBias}
	}
	return at.X&1 | at.Y&1<<1
}

func (p *Parts) blockAt(at Cell, level uint8) *partBlock {
	if level > 0 {
		return p.blocks[placeOfBlock{at, level}]
	}
	if pc := p.chunks[at]; pc != nil {
		return &pc.partBlock
	}
	return nil
}

// blockAbove returns the block above b. It makes one if there is none.
func (p *Parts) blockAbove(b *partBlock) *partBlock {
	if b.up == nil {
		up, of := take(&p.spareBlocks), b.above()
		up.at, up.level = of.at, of.level
		p.blocks[of] = up
		p.place(up)
	}
	return b.up
}

// drop removes a block without components, and keeps its memory.
func (p *Parts) drop(b *partBlock) {
	for side, o := range b.near {
		if o != nil {
			o.near[side^2] = nil
		}
	}
	if b.up != nil {
		b.up.sub[b.quarter()] = nil
	}
	for _, o := range b.sub {
		if o != nil {
			o.up = nil
		}
	}
	at, level := b.at, b.level
	pc := b.leaf
	*b = partBlock{comps: b.comps[:0], links: [2][]partLink{b.links[0][:0], b.links[1][:0]}}
	if level > 0 {
		delete(p.blocks, placeOfBlock{at, level})
		p.spareBlocks = append(p.spareBlocks, b)
		return
	}
	delete(p.chunks, at)
	pc.cells, pc.split, pc.anchors = [chunkSide]uint16{}, pc.split[:0], anchorCells{}
	p.spare = append(p.spare, pc)
}
