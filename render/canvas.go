package render

// canvas is a target of drawing: pixels (raster) or SVG text (vectorFile). Coordinates are in
// pixels, y down.
type canvas interface {
	// group starts a named group of drawing operations.
	group(name string)
	// fill fills the path.
	fill(p *path, c ink)
	// stroke draws a line of the given width in pixels along the path, with mitred corners and flat
	// ends.
	stroke(p *path, width float64, c ink)
	// clip restricts drawing to the path until unclip. Clips do not nest. A pixel half covered by
	// the path shows half of the drawing, so drawing across the path's edge leaves no fringe.
	clip(p *path)
	unclip()
}
