package gridseg

// placeAnchors finds the anchored cells of all chunks, anchor by anchor. A chunk keeps them, so that an edit does not
// depend on the number of anchors.
func (p *Parts) placeAnchors() {
	p.anchored = p.anchoring
	for _, pc := range p.edited { // all chunks: see SetAnchors
		pc.anchors = anchorCells{version: p.anchored}
	}
	for _, r := range p.anchors {
		p.grid.eachChunk(r, func(c *chunk) bool {
			if pc := p.chunks[Cell{X: c.cx, Y: c.cy}]; pc != nil {
				p.anchor(pc, c, r)
			}
			return true
		})
	}
}

// anchor adds the cells of an anchor to the anchored cells of a chunk, which it may miss.
func (p *Parts) anchor(pc *partChunk, c *chunk, r Rect) {
	p.work++
	x0, y0, x1, y1 := c.clip(r)
	for y := y0; y <= y1 && x0 <= x1; y++ {
		pc.anchors.rows[y] |= uint16(1<<(x1+1) - 1<<x0)
	}
}

// anchorRows returns the cells of a chunk that are in anchors.
func (p *Parts) anchorRows(pc *partChunk, c *chunk) heldRows {
	if pc.anchors.version != p.anchored { // the chunk is new
		pc.anchors = anchorCells{version: p.anchored}
		for _, r := range p.anchors {
			p.anchor(pc, c, r)
		}
	}
	return pc.anchors.rows
}
