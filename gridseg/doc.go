// Package gridseg keeps the ground: a grid of tiles, each of any polygonal
// shape, and the segments that are left of their outline once the faces that
// neighbouring tiles share have cancelled. Every segment knows its ghost
// vertices (the far ends of the segments before and after it along the surface),
// so that a body may slide over the seams without feeling them. An edit costs
// what it touches, not what the world holds.
//
// The method is that of "An Algorithm for Local Grid Segmentation" (cancellation
// by a sweep of each cell border, then a radial match at each vertex), with
// the arithmetic made exact: coordinates are integers, Unit lattice steps a
// cell; nothing is compared with a tolerance; and no angle is ever computed.
//
// # Use
//
// A Shapes registers polygons once and holds them in all eight turns. A Grid
// takes tiles by Set, Clear and Fill; Resolve brings the segments up to date and
// returns what changed; AppendSegments and Segment read them, and Runs what goes on
// in a straight line at once. Until Resolve is called, segments stay as they were at
// the Resolve before.
//
// # Polygons
//
// A cell may hold several polygons in the place of one tile, each with holes and
// attributes of its own: Add and Remove put them there and take them away, beside a
// tile as well, and Polygons tells what there is. Tile shows such a cell as a Patch.
//
// Unite and Subtract take loops that keep to no cell: they cut them along the grid lines
// and make each cell's part solid, or empty. Circle, Capsule and Polygon are such loops.
//
// # What holds
//
//   - The segments are the boundary of the union of all tiles, cut at every
//     polygon vertex that lies on it, solid on the left of A->B.
//   - Prev of a segment is the first incoming segment clockwise at its start,
//     Next the first outgoing one counter-clockwise at its end, a turn of nothing
//     counting as a whole one. Without preserved layers both always exist and
//     Next of Prev is the segment itself.
//   - Segments, ids, links and order are a function of the tiles and polygons alone.
//   - Resolve looks at nothing beyond the 3x3 cells around an edited one, and
//     allocates nothing once warm. (Edits of polygons do: each makes a patch.)
//   - A refused call returns an error that says where and why, and changes
//     nothing.
//
// # Memory
//
// Tiles lie in chunks of 16x16 cells: 408 bytes, and 512 where its tiles differ in shape. So
// a full block inside of solid ground takes 2 to 4 bytes. Where the tiles of a chunk differ
// in layer, material or user id, it takes 8 bytes a cell more. A chunk that has
// segments adds 12 bytes a cell to find them, and 20 bytes for each segment, in runs of a
// power of two: a field of ramps, with 2 segments a cell, takes 70 to 95 bytes a cell all
// told. A grid keeps up to 384 KiB of what it has learnt about vertices. The
// memory of chunks that were emptied is kept for the next.
//
// # Concurrency
//
// Methods that only read (Tile, Polygons, AppendSegments, Segment, SolidAt, Solid,
// SolidArea, AnySolid, AllSolid, Nearest, RayCast, Outlines, Tiles, Bounds, Count,
// Hash, and Runs.Gather with Runs of one's own) may run concurrently with each other, not with an edit, a
// Resolve or a Register on the same Shapes.
package gridseg
