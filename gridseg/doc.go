// Package gridseg stores the ground as a grid of tiles and computes its surface. A tile has any
// polygonal shape. Faces that neighbouring tiles share cancel; the remaining edges are the
// segments. Every segment has its ghost vertices (the far ends of the previous and the next
// segment along the surface), so that a body slides over the seams without feeling them. The cost
// of an edit depends on the cells that it touches, not on the size of the world.
//
// The method comes from "An Algorithm for Local Grid Segmentation" (cancellation by a sweep of each
// cell border, then a radial match at each vertex), made exact: coordinates are integers, Unit
// lattice steps a cell; nothing is compared with a tolerance; and no angle is ever computed.
//
// # Use
//
// A [Shapes] registers polygons once and holds them in all eight turns. A [Grid] takes tiles by [Grid.Set],
// [Grid.Clear] and [Grid.Fill]. [Grid.Resolve] brings the segments up to date and returns the changes; until then the
// segments stay as they were at the previous Resolve. [Grid.AppendSegments] and [Grid.Segment] return segments;
// [Runs] merges collinear ones. A [View] reads a grid and cannot edit it.
//
// # Polygons
//
// A cell may hold several polygons instead of one tile, each with its own holes and attributes. [Grid.Add]
// and [Grid.Remove] put them in and take them out, also beside a tile; [Grid.Polygons] lists them. [Grid.Tile] returns
// [Patch] as the shape of such a cell.
//
// [Grid.Unload] removes the tiles of a place, which is a rectangle of chunks, from a grid, gives their memory back, and
// returns bytes for [Grid.Load]. Until then the place counts as empty or as solid, for the segments beside it and for
// all queries, and edits of it are refused.
//
// [Grid.Unite] and [Grid.Subtract] take loops of any size, cut them along the grid lines and make the part in
// each cell solid or empty. [Circle], [Capsule] and [Polygon] make such loops.
//
// [Parts] finds the tiles that hold together, and moves parts that have come loose into grids of their own.
//
// # Laws
//
//   - The segments are the boundary of the union of all tiles, cut at every
//     polygon vertex that lies on it, solid on the left of A->B.
//   - Prev of a segment is the first incoming segment clockwise at its start,
//     Next the first outgoing segment counter-clockwise at its end; a turn of zero
//     counts as a whole turn. Without preserved layers both always exist and
//     Next of Prev is the segment itself.
//   - Segments, ids, links and order are a function of the tiles and polygons alone. A [Grid.Unload]
//     followed by a [Grid.Load] changes nothing.
//   - [Grid.Resolve] reads nothing beyond the 3x3 cells around an edited cell, and
//     allocates nothing once warm. (Edits of polygons do: each makes a patch.)
//   - A refused call returns an error that names the place and the reason, and changes
//     nothing.
//
// # Memory
//
// Tiles lie in chunks of 16x16 cells. A chunk takes 416 bytes, and 512 more if its tiles differ in shape, so a
// block inside of solid ground takes 2 to 4 bytes. A chunk whose tiles differ in layer, material or user id takes 8
// more bytes a cell. A chunk with segments takes 12 more bytes a cell for their index, and 20 bytes a segment,
// stored in runs of a power of two. In all, a field of ramps, with 2 segments a cell, takes 70 to 95 bytes a cell.
// A grid caches up to 384 KiB of vertex links. Parts, once computed, take some 300 bytes a chunk. The memory of
// emptied chunks is kept for new chunks; only [Grid.Unload] gives it back.
//
// # Concurrency
//
// Methods that only read may run concurrently with each other, but not with an edit, a Resolve or a Register on the
// same Shapes. These are the methods of a [View], but for EachReverted, and Runs.Gather with one [Runs] a goroutine.
package gridseg
