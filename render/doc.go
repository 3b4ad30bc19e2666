// Package render draws a world as PNG, SVG or animated GIF: a debug draw with tiles in
// their material's colour and a lit rim along the resolved segments, chains with a strip of
// their material's colour on the solid side, arrows on belts and one-way tiles, and bodies
// with true round corners. Options add layers of World.Draw: normals, ghost vertices, contacts, boxes, ...
//
// Image returns pixels, WritePNG and WriteSVG write files, Fit returns a view of the whole
// world, and a Recorder collects frames and writes a GIF. The zero Options draw the whole
// world. WriteGridPNG and WriteGridSVG draw a broad phase (package grid).
//
// The world has y up and lengths in cells; the picture has y down and lengths in pixels.
// Coordinates are scaled relative to the middle of the view, in float64, so a view ten
// million cells from the origin gives the same pixels as a view at the origin.
//
// Drawing does not change the world. It must not run during a step; several goroutines may
// draw one world at once. The same world and options give the same bytes.
package render
