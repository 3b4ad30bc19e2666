package gridseg

// partSearch finds out which components hold together after an edit. It starts from the components of
// edited chunks, whose part is not known, and from those beside edited chunks that have or had links to
// them: their parts may have come apart, or together. Each starts a group, and groups join where the
// edited chunks link them. Then they take turns: each takes one of its open components and joins the
// components linked to it, or their groups.
//
// A group without open components is a whole part. Components of a part that no search has reached
// have kept their way to one of the starts, so once a part has at most one group with open
// components, they belong to that group, and the search ends.
type partSearch struct {
	groups []partGroup
	turns  []int32    // groups that have not ended
	labels []labelUse // parts of the starts
	lists  []labelItem
	undone int   // groups without a label, and of each label all groups but one, that have not ended
	stamp  int32 // of labels
	stack  []int32
}

// partGroup is a set of components that hold together.
type partGroup struct {
	up         int32 // the group that it has joined, or itself
	open, done componentList
	labels     [2]int32 // first and last in lists, -1: none
	ended      bool
}

// labelUse is a part that has starts.
type labelUse struct {
	part  int32
	stamp int32
	using int // groups with the label that have not ended
}

type labelItem struct{ label, next int32 }

// componentList is a list of components, linked by next.
type componentList struct{ first, last int32 }

func (s *partSearch) reset() {
	s.groups, s.turns, s.labels, s.lists = s.groups[:0], s.turns[:0], s.labels[:0], s.lists[:0]
	s.undone, s.stamp = 0, 0
}

// newComp adds a component, which starts a group.
func (p *Parts) newComp(pc *partChunk) int32 {
	k := int32(len(p.comps))
	if n := len(p.freeComp); n > 0 {
		k, p.freeComp = p.freeComp[n-1], p.freeComp[:n-1]
	} else {
		p.comps = append(p.comps, comp{})
	}
	p.comps[k] = comp{chunk: pc, part: -1}
	p.start(k, -1)
	return k
}

// seed starts groups from the components beside a chunk that are linked to it.
func (p *Parts) seed(pc *partChunk) {
	for side, o := range pc.near {
		if o == nil || o.epoch == p.epoch {
			continue
		}
		for _, l := range pc.linksOn(side) {
			_, k := l.from(side)
			if p.comps[k].epoch == p.epoch {
				continue
			}
			r := &p.parts[p.comps[k].part]
			if r.epoch != p.epoch {
				r.epoch, r.label = p.epoch, int32(len(p.search.labels))
				p.search.labels = append(p.search.labels, labelUse{part: p.comps[k].part})
			}
			p.start(k, r.label)
		}
	}
}

// start starts a group from component k, of the part with a label, -1: not known.
func (p *Parts) start(k, label int32) {
	s := &p.search
	n := int32(len(s.groups))
	g := partGroup{up: n, open: componentList{k, k}, done: componentList{-1, -1}, labels: [2]int32{-1, -1}}
	if label < 0 {
		s.undone++
		g.open, g.done = g.done, g.open // join looks at its links
	} else {
		g.labels = [2]int32{int32(len(s.lists)), int32(len(s.lists))}
		s.lists = append(s.lists, labelItem{label, -1})
		if s.labels[label].using++; s.labels[label].using > 1 {
			s.undone++
		}
	}
	s.groups = append(s.groups, g)
	s.turns = append(s.turns, n)
	c := &p.comps[k]
	c.epoch, c.group, c.next = p.epoch, n, -1
}

func (s *partSearch) root(g int32) int32 {
	for s.groups[g].up != g {
		s.groups[g].up = s.groups[s.groups[g].up].up
		g = s.groups[g].up
	}
	return g
}

// run runs the search, and numbers the parts.
func (p *Parts) run() {
	s := &p.search
	for s.undone > 0 {
		n := 0
		for _, k := range s.turns {
			g := &s.groups[k]
			switch {
			case g.up != k || s.undone == 0:
			case g.open.first < 0:
				s.end(g)
			default:
				p.expand(k)
				s.turns[n] = k
				n++
			}
		}
		s.turns = s.turns[:n]
	}
	for k := range s.groups {
		if g := &s.groups[k]; g.up == int32(k) && g.ended {
			p.assign(g, p.newPart())
		}
	}
	for k := range s.groups {
		if g := &s.groups[k]; g.up == int32(k) && !g.ended {
			p.assign(g, p.keep(g))
		}
	}
}

// expand takes the first open component of group k.
func (p *Parts) expand(k int32) {
	s := &p.search
	m := s.groups[k].open.take(p.comps)
	s.groups[k].done.add(p.comps, m)
	p.visit(k, m)
}

// join joins the group of component m with those of the components linked to it.
func (p *Parts) join(m int32) { p.visit(p.search.root(p.comps[m].group), m) }

// visit adds the components linked to m to its group k, with their groups.
func (p *Parts) visit(k, m int32) {
	s := &p.search
	for side := range sides {
		for _, l := range p.comps[m].chunk.linksOn(side) {
			a, b := l.from(side)
			if a != m {
				continue
			}
			c := &p.comps[b]
			if c.epoch != p.epoch {
				c.epoch, c.group = p.epoch, k
				s.groups[k].open.add(p.comps, b)
			} else if o := s.root(c.group); o != k {
				p.merge(k, o)
			}
		}
	}
}

// merge makes group o part of group k.
func (p *Parts) merge(k, o int32) {
	s := &p.search
	g, h := &s.groups[k], &s.groups[o]
	h.up = k
	g.open.append(p.comps, h.open)
	g.done.append(p.comps, h.done)
	if g.labels[0] < 0 || h.labels[0] < 0 {
		s.undone--
		if g.labels[0] < 0 {
			g.labels = h.labels
		}
		return
	}
	s.stamp++
	for i := g.labels[0]; i >= 0; i = s.lists[i].next {
		s.labels[s.lists[i].label].stamp = s.stamp
	}
	for i := h.labels[0]; i >= 0; {
		next := s.lists[i].next
		if l := &s.labels[s.lists[i].label]; l.stamp == s.stamp {
			if l.using--; l.using > 0 {
				s.undone--
			}
		} else {
			s.lists[g.labels[1]].next, s.lists[i].next = i, -1
			g.labels[1] = i
		}
		i = next
	}
}

// end ends a group, which is a whole part.
func (s *partSearch) end(g *partGroup) {
	g.ended = true
	if g.labels[0] < 0 {
		s.undone--
	}
	for i := g.labels[0]; i >= 0; i = s.lists[i].next {
		if l := &s.labels[s.lists[i].label]; l.using > 0 {
			if l.using--; l.using > 0 {
				s.undone--
			}
		}
	}
}

// keep returns the part that a group with open components belongs to, and moves the components of
// all others that have joined it.
func (p *Parts) keep(g *partGroup) int32 {
	s := &p.search
	best := s.labels[s.lists[g.labels[0]].label].part
	for i := g.labels[0]; i >= 0; i = s.lists[i].next {
		if k := s.labels[s.lists[i].label].part; p.parts[k].comps > p.parts[best].comps {
			best = k
		}
	}
	if g.labels[0] == g.labels[1] {
		return best
	}
	s.stack = s.stack[:0]
	for _, list := range [2]componentList{g.done, g.open} {
		for k := list.first; k >= 0; k = p.comps[k].next {
			if was := p.comps[k].part; was >= 0 && was != best {
				s.stack = append(s.stack, k)
			}
		}
	}
	for len(s.stack) > 0 {
		m := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		was := p.comps[m].part
		if was == best {
			continue
		}
		p.move(m, best)
		for side := range sides {
			for _, l := range p.comps[m].chunk.linksOn(side) {
				if a, b := l.from(side); a == m && p.comps[b].part == was {
					s.stack = append(s.stack, b)
				}
			}
		}
	}
	return best
}

// assign makes the components of a group belong to a part.
func (p *Parts) assign(g *partGroup, part int32) {
	for _, list := range [2]componentList{g.done, g.open} {
		for k := list.first; k >= 0; k = p.comps[k].next {
			p.move(k, part)
			p.parts[part].some = k
		}
	}
}

// newPart returns the number of a new part.
func (p *Parts) newPart() int32 {
	if n := len(p.freePart); n > 0 {
		k := p.freePart[n-1]
		p.freePart = p.freePart[:n-1]
		return k
	}
	p.parts = append(p.parts, partRecord{})
	return int32(len(p.parts) - 1)
}

// move moves a component to a part, -1: to none.
func (p *Parts) move(k, to int32) {
	c := &p.comps[k]
	anchors := int32(0)
	if c.anchor {
		anchors = 1
	}
	if c.part == to {
		return
	}
	if c.part >= 0 {
		r := &p.parts[c.part]
		p.countPart(r, -1)
		r.area -= c.area
		r.comps--
		r.anchors -= anchors
		if p.countPart(r, 1); r.comps == 0 {
			p.freePart = append(p.freePart, c.part)
		}
	}
	if c.part = to; to >= 0 {
		r := &p.parts[to]
		p.countPart(r, -1)
		r.area += c.area
		r.comps++
		r.anchors += anchors
		p.countPart(r, 1)
	}
}

// countPart adds n to the numbers of parts, if r is one.
func (p *Parts) countPart(r *partRecord, n int) {
	if r.comps > 0 {
		if p.count += n; r.anchors == 0 {
			p.loose += n
		}
	}
}

// take removes the first component.
func (l *componentList) take(comps []comp) int32 {
	k := l.first
	if l.first = comps[k].next; l.first < 0 {
		l.last = -1
	}
	return k
}

func (l *componentList) add(comps []comp, k int32) {
	comps[k].next = -1
	l.append(comps, componentList{k, k})
}

func (l *componentList) append(comps []comp, o componentList) {
	switch {
	case o.first < 0:
	case l.first < 0:
		*l = o
	default:
		comps[l.last].next = o.first
		l.last = o.last
	}
}
