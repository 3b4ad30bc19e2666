// Package grid is the broad phase. It stores axis-aligned boxes and finds those that overlap a box,
// overlap each other, are nearest to a point, or are hit by a moving point or box. It knows
// nothing of bodies or tiles, so a game can use it by itself for culling or triggers.
//
// # Four grids
//
// The plane is divided into square cells, and each object is listed in every cell that its box
// meets. Four constructors make a [Grid]. They differ in how a cell is found, never in the results:
//
//   - [NewFixed]: an array of m x n cells. The fastest; for a world with known bounds,
//     anywhere.
//   - [NewHashed]: a hash table of the cells in use. For few objects in a vast world.
//   - [NewChunked]: a hash table of chunks of 16x16 cells. Nearly as fast as the array,
//     without bounds. For everything else with sizes within a factor of about 8.
//   - [NewHierarchical]: levels of such chunks, of cells that double in size; an object is
//     listed on the level whose cells are as large as it, in at most four cells. For sizes of
//     all orders. The engine uses this one.
//
// [Tune] proposes one of them and its cell size. Boxes that the cells cannot hold (of more than [MaxSpread] cells, or
// outside of the array) are in the oversize list, which every query scans: correct, but slow if it is long.
//
// # Data
//
// [Grid.Add], [Grid.Update], [Grid.Remove], [Grid.Build], [Grid.Load], [Grid.Unload] and [Grid.Compact] change the
// grid. It owns its memory: the boxes as given, and their positions in 64ths of a cell.
// Queries append ids to the caller's slices; results never refer to the grid's memory. [Grid.AppendNewPairs] finds the
// pairs of moved objects that are new; a [Tracker] reports the pairs that begin and end.
//
// # Laws
//
//  1. Closed boxes. Boxes that only touch do overlap.
//  2. One result. The result of a query is a function of the boxes, the ids, the categories and the
//     query: not of the kind of grid, the cell size, the order of changes, or the machine. Ids are
//     a function of the sequence of calls.
//  3. Once, in order. A result contains each object or pair once; ids and pairs ascend, hits ascend
//     by T and then by id.
//  4. Nothing is missed. Cell k contains the coordinates x with floor(x/size) = k, below zero too.
//     This map is monotone, so two boxes that share a point share a cell, for any rounding of the
//     quotient. A cast visits every cell that it enters, and those on both sides of a line or
//     corner that it runs along or through.
//  5. Nothing distant is found. Cells have exact keys: two cells never share a list, even if their
//     hashes collide. A cell only proposes candidates; the boxes decide, in float64.
//  6. Queries change nothing. Any number of goroutines may query between changes, and a query may
//     run while another's result is in use. Changes need exclusive access, and so does [Grid.AppendNewPairs].
//  7. All or nothing. A box that is NaN, infinite, empty or beyond [Limit] is refused with an error,
//     and nothing changes. An id that is not in the grid panics.
//  8. Cost. Add, Update and Remove do not depend on the number of objects; Update and Remove depend
//     on the number of objects in the cells left, whose lists they search. Update visits only the
//     cells left and entered. No object is in more than [MaxSpread] cells. The cost of a query hardly depends on
//     empty areas, and not on the distance from the origin, up to [Limit]. Nothing allocates once slices
//     and tables have grown to the scene's size. When fewer than an eighth of the objects are left,
//     the Remove that reaches this limit releases memory, which takes as long as adding the objects
//     left; an Unload does so when half of them are left.
//  9. Reload. Unload removes the objects of a chunk; an object belongs to the chunk of its lower
//     left corner. Load restores them, in any order of chunks, and with the same ids where these were
//     not given out in between. [AppendObjects] and [ReadObjects] make bytes of them and read these.
//
// # Implementation
//
// Cells lie in regions of 2^24 x 2^24 cells with local coordinates. The region around the origin
// has the world's coordinates, and most worlds have no other. An object belongs to the region of
// its lower left corner; queries visit all regions that they may meet.
//
// The objects of a cell lie in a compact array, in reusable blocks of power-of-two sizes. A query
// reports each object once by a rule of position instead of a mark on the object: of the cells that
// query and object share, only the lowest reports it; of a cast's columns, the first. Above the
// squares in use are blocks of 8x8, 64x64 and 512x512 squares, with a bit for each part, and each
// chunk has a bit for each of its 256 cells: large boxes among small ones, and rays over empty
// areas, skip by these.
//
// Casts walk column by column along the longer axis, and compute from the start where they enter
// each column, so that errors do not accumulate; the path is widened by more than the total
// rounding.
//
// A ray does each step for many cells before the next, so that cache misses overlap.
//
// The ideas come from the spatial hash of the Playchilla engine and of J. Davis's lecture on
// uniform grids; the truncation at zero, mixed buckets and time stamps of the former are fixed
// here. docs/grid.md has figures and pictures.
package grid
