// Package render draws a world: one picture as PNG or SVG, many as an animated
// GIF. It is debug drawing that is fit to be looked at: tiles in the colour of
// their material with a lit rim along the resolved segments, chains with a strip
// of theirs on the solid side, arrows on belts and one-way tiles, bodies with true
// round corners, and on demand what the solver sees (normals, ghost vertices,
// contacts, bounding boxes).
//
// Image gives pixels, WritePNG and WriteSVG write a file's bytes, Fit finds a
// view of everything, and a Recorder collects frames and writes them as a GIF.
// The zero Options are usable and give a picture of the whole world. WriteGridPNG
// and WriteGridSVG draw a broad phase (package grid) alone.
//
// The world has y up and lengths in cells; the picture has y down and lengths
// in pixels. The middle of the view is taken from every coordinate in float64
// before anything is scaled, so that a view ten million cells from the origin
// gives the same pixels as one at the origin.
//
// Drawing reads the world and changes nothing in it. It must not run while the
// world steps; several goroutines may draw one world at once. The same world
// and options give the same bytes.
package render
