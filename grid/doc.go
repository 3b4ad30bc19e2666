// Package grid is the broad phase: it keeps axis-aligned boxes and answers
// which of them overlap a box, which overlap each other, which are nearest, and
// which a ray, a box or a circle meets on its way. It knows nothing of bodies or
// tiles, so a game can use it by itself for culling or triggers.
//
// # Four grids
//
// The plane is cut into square cells, and each object is listed in every cell that
// its box meets. Four constructors make a [Grid]; they differ in how a cell is
// found, and in nothing that is answered:
//
//   - [NewFixed]: an array of m x n cells. The fastest; for a world with known bounds,
//     wherever they are.
//   - [NewHashed]: a hash table of the cells in use. For a few things in a vast world.
//   - [NewChunked]: a hash table of chunks of 16x16 cells. Nearly as fast as the array,
//     without bounds. For all else with sizes within a factor of 8 or so.
//   - [NewHierarchical]: levels of hashed cells that double in size; an object lives on
//     the one whose cells are as large as it, in four of them at most. For sizes of all
//     orders. The engine uses this one.
//
// [Tune] proposes one of them and its cell size, and [Grid.CopyFrom] turns one into another. What the cells cannot hold (boxes of
// more than [MaxSpread] cells, or outside of the array) is in the oversize list, which
// every query looks through: right, but slow if there is much of it.
//
// # Where data enters and leaves
//
// Add, Update, Remove, Build, CopyFrom, Load and Unload change the grid; it owns all that it
// keeps: the boxes as given, and their place in 64ths of a cell. Answers are ids,
// appended to the caller's slices; nothing in them refers to the grid's memory. A
// [Tracker] turns the pairs of a grid into those that begin and end.
//
// # Laws
//
//  1. Closed boxes. Boxes that only touch do overlap.
//  2. One answer. What a query answers is a function of the boxes, the ids, the
//     categories and the query: not of the kind of grid, the cell size, the order
//     of changes, or the machine. Ids are a function of the calls made, in their order.
//  3. Once, in order. Each object and each pair is in an answer once; ids and pairs
//     ascend, hits ascend by T and then by id.
//  4. Nothing is missed. Cell k holds the coordinates x with floor(x/size) = k, rounded
//     down below zero as well; the map never decreases, so two boxes that share a
//     point share a cell, whatever the rounding. A cast looks into every cell that it
//     enters, and into those on both sides of a line or corner that it runs along or
//     through.
//  5. Nothing far. Cells are keyed exactly: two never share a list, however their hashes
//     fall. A cell only proposes; the boxes themselves decide, in float64.
//  6. Queries change nothing. Any number of goroutines may ask between changes, and
//     a query may be asked while using the answer of another. Changes need the grid
//     to themselves.
//  7. All or nothing. A box that is NaN, infinite, empty or beyond [Limit] is refused
//     with an error that says so, and nothing has changed. An id that is not in the
//     grid panics.
//  8. Cost. Add, Update and Remove do not depend on the number of objects, but Update and
//     Remove do on that of those in the cells left: they look for the object there. Update
//     touches only the cells left and entered, but for a mark in its others when the object
//     begins to move; no object takes more than [MaxSpread]
//     cells; empty land costs a query next to nothing, and distance from the origin
//     nothing at all, up to [Limit]. Nothing allocates once slices and tables have grown
//     to the scene's size. Where fewer than an eighth of the objects are left, the Remove or Unload
//     that takes the last one gives their room back, which takes as long as adding those left.
//  9. Coming back. Unload takes the objects of a chunk, each object being of the one that
//     its lower left corner is in; Load brings them back, and if no id was given out in
//     between, with the same ids.
//
// # How
//
// Cells lie in regions of 2^24 x 2^24 with coordinates of their own. The one round the
// origin has those of the world, and most worlds have no other. An object belongs to the region of its
// lower left corner; queries look into the regions that they may meet.
//
// A cell's objects lie in a compact array, in blocks of powers of two that are used
// again. Each answer names an object once by a rule of place instead of a mark left on
// it: of the cells that query and object share, only the lowest one reports; of
// a cast's columns, the first. Over the squares in use lie blocks of 8x8, 64x64 and
// 512x512 of them, a bit for each part, and over the cells of a chunk 256 bits: a large
// box among small ones, or a ray over empty land, goes by them.
//
// Casts walk column by column along the longer axis, and reckon from the start where
// they enter each, so that errors do not add up; the way is taken wider than it is by
// more than all rounding.
//
// Beside an object's id a cell has its sub-box there, in 16ths of the cell, until it moves. So a
// ray reads, of each cell that it enters, one short run of memory, and then few boxes but
// those that it hits; each step is made for many cells before the next, so that they wait for
// memory together.
//
// The ideas are those of the spatial hash of the Playchilla engine and of
// J. Davis's lecture on uniform grids; truncation at zero, mixed-up buckets
// and time stamps, which the former has, are mended here. docs/grid.md has figures
// and pictures.
package grid
