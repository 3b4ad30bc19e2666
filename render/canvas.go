package render

// canvas is what the walk over a world draws on: pixels (raster) or SVG text
// (vectorFile). Coordinates are pixels, y down.
type canvas interface {
	// group says what the following drawing belongs to.
	group(name string)
	// fill paints the inside of the path.
	fill(p *path, c ink)
	// stroke paints a line of the given width (pixels) along the path, with
	// mitred corners and flat ends.
	stroke(p *path, width float64, c ink)
	// clip keeps what is drawn until unclip inside the path. Clips do not nest.
	// Where the path's edge covers half a pixel, half of what was drawn there
	// shows: drawing that runs over the edge leaves no fringe of its own.
	clip(p *path)
	unclip()
}
