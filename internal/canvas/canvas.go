// Package canvas has what pictures are drawn with: a [Camera] from the world to pixels, a [Path] in pixels, an [Ink],
// and the [Canvas] that takes them, of which [SVG] is one and a raster of package render the other.
package canvas

// Canvas is a target of drawing: pixels (raster) or SVG text (SVG). Coordinates are in
// pixels, y down.
type Canvas interface {
	// Group starts a named group of drawing operations.
	Group(name string)
	// Fill fills the path.
	Fill(p *Path, c Ink)
	// Stroke draws a line of the given width in pixels along the path, with mitred corners and flat
	// ends.
	Stroke(p *Path, width float64, c Ink)
	// Clip restricts drawing to the path until Unclip. Clips do not nest. A pixel half covered by
	// the path shows half of the drawing, so drawing across the path's edge leaves no fringe.
	Clip(p *Path)
	Unclip()
}
