// Package published is "An Algorithm for Local Grid Segmentation" as its article
// gives it: maps keyed by the bits of float32 coordinates, a sweep of each dirty
// cell border with active counters, and a radial match that measures angles with
// atan2. It is for tests and benchmarks only (quarry bench has article_block and
// article_ramp): gridseg is timed against it, and docs/gridseg.md lists where the
// two differ. No package of the engine may import it, and it keeps every fault of its
// source; docs/gridseg.md lists these, too.
//
// # Readings
//
// Where the article leaves a choice, this is the one made, as near to its letter
// as leaves an algorithm that works:
//
//   - Coordinates are float64, as numbers are in its TypeScript. Only the keys of
//     the maps go through float32, so a vertex that comes back from its key is
//     rounded.
//   - a == b of two vertices is its vec2Equals: each coordinate within Epsilon.
//     "angle = 0" allows Epsilon too, as the article has no other tolerance. Values
//     on the line of a sweep are compared exactly, as its pseudocode does.
//   - Section 4.1 sends an edge with both ends on the cell's boundary to a border
//     and then knows horizontal and vertical ones only. Section 5 counts the long
//     side of a ramp among the interior edges, so slanted ones go there;
//     World.DropSlanted takes 4.1 at its word instead.
//   - Adding to a border drops its resolved segments and does not mark their
//     vertices dirty: 4.1 says nothing of it, where 4.2, on removing, does.
//   - Resolving a border marks the ends of what it adds. The pseudocode does not,
//     but no block would ever have a ghost otherwise.
//   - A segment that finds no candidate, or no best one, keeps the ghosts it had:
//     the pseudocode goes on to the next.
//   - 4.3 passes one vertex to a function that loops over all dirty ones: one pass
//     over them is made.
//   - A segment made by the sweep takes cell and block of the segment that was
//     opened last in its direction; the pseudocode's events carry neither.
//     ShouldPreserve is asked about the two opened last.
//   - Sets and maps are gone through in the order of insertion, as in JavaScript.
//   - Remove finds segments by cell, block and ends, the ends within Epsilon.
package published
