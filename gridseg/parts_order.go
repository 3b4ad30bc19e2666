package gridseg

// The components that are parts are in two heaps: those without an anchor in the order of their first cells, and all
// in the order of their areas, the largest first. So the parts that come off next are found without the others, and
// so is the part that stays if there are no anchors.
const (
	byPlace = iota
	byArea
)

// rank puts component k into the heaps if it is a part, and otherwise takes it out of them. A part must be taken out
// before its tiles change.
func (p *Parts) rank(k int32, part bool) {
	p.heap(byPlace, k, part && !p.comps[k].anchor)
	p.heap(byArea, k, part)
}

// heap moves component k to its place in a heap, or out of it.
func (p *Parts) heap(of int, k int32, in bool) {
	h := &p.order[of]
	i := int(p.comps[k].place[of]) - 1
	switch {
	case in && i < 0:
		i = len(*h)
		*h = append(*h, k)
		p.comps[k].place[of] = int32(i) + 1
	case !in && i < 0:
		return
	case !in:
		last := (*h)[len(*h)-1]
		*h = (*h)[:len(*h)-1]
		p.comps[k].place[of] = 0
		if last == k {
			return
		}
		(*h)[i] = last
		p.comps[last].place[of] = int32(i) + 1
	}
	p.sift(of, i)
}

// sift moves the component in place i of a heap up or down.
func (p *Parts) sift(of, i int) {
	h := p.order[of]
	swap := func(i, k int) {
		h[i], h[k] = h[k], h[i]
		p.comps[h[i]].place[of], p.comps[h[k]].place[of] = int32(i)+1, int32(k)+1
	}
	for i > 0 && p.before(of, h[i], h[(i-1)/2]) {
		swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
	for {
		k := 2*i + 1
		if k+1 < len(h) && p.before(of, h[k+1], h[k]) {
			k++
		}
		if k >= len(h) || !p.before(of, h[k], h[i]) {
			return
		}
		swap(i, k)
		i = k
	}
}

// before reports whether component a is before b in the order of a heap. Different parts have different places.
func (p *Parts) before(of int, a, b int32) bool {
	c, d := &p.comps[a], &p.comps[b]
	if of == byArea && c.area != d.area {
		return c.area > d.area
	}
	return c.first < d.first || c.first == d.first && c.piece < d.piece
}
