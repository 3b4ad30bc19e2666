// Package grid is the broad phase: it keeps axis-aligned boxes and answers
// which of them overlap a box, which overlap each other, and which a segment
// meets. It knows nothing of bodies or tiles, so a game can use it by itself
// for culling or triggers.
//
// # How it works
//
// The plane is cut into square cells, on several levels whose cells double in
// size. An object lives on the level whose cell is at least as large as the
// object's larger extent, and is listed in each of the at most four cells of
// that level that its box meets. So an object of 0.1 units and one of 1000
// cost the same, and the choice of the finest cell size is not critical: the
// extent of the commonest objects is right, twice that is hardly worse.
// Objects larger than the coarsest cell, 2^23 finest ones, are kept in one
// plain list that every question looks through.
//
// Cells are found by an open-addressing hash table a level, keyed by the cell
// exactly: two cells never share a list, however their hashes fall. Cells that
// lose their last object leave the table without tombstones, so that a world
// in motion does not wear it out. The objects of a cell are linked through the
// objects themselves; nothing is allocated for a cell.
//
// Over the cells in use lie blocks of 8x8, 64x64 and 512x512 of them, each a
// bit for every one of its 64 parts. A large box among small ones goes down
// through the bits, and looks for no cell that is not there.
//
// An update whose box stays in the same cells writes the box and is done;
// otherwise it touches only the cells left and entered.
//
// # Which box is in which cell
//
// Cell k of level n, with finest cells of size s, holds the coordinates x with
// floor(x*(1/s)) >> n = k, rounded down below zero as well; so cells nest. Only
// that this map never decreases matters: two boxes that share a point share a
// cell, whatever the rounding. Each answer names an object once by a rule of place
// instead of a mark left on it: of the cells that the question and the object
// share, only the lowest one reports.
//
// # Rules
//
// Boxes are closed on all sides: boxes that only touch do overlap. Lengths are
// in the caller's unit. All answers are in ascending order of id, hence
// functions of the boxes and ids alone; ids are functions of the calls made,
// in their order. Questions change nothing: any number of goroutines may ask
// between changes, and a question may be asked while using the answer of
// another. Changes (Add, Update, Remove) need the grid to themselves.
//
// Nothing allocates once slices and tables have grown to the scene's size.
//
// The ideas are those of the spatial hash of the Playchilla engine and of
// J. Davis's lecture on uniform grids; truncation at zero, mixed-up buckets
// and time stamps, which the former has, are mended here.
package grid
