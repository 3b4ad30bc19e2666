// Package tilemap reads map files into ground: Tiled maps (.tmx, .tmj, .json)
// with their tilesets, and PNG bitmaps of one pixel a cell.
//
// Load reads from an fs.FS and LoadFile from the disk; both give a Map, which
// is plain data: the distinct shapes, and the placed tiles in row-major order.
// Map.Grid turns it into a gridseg.Grid. What becomes ground, and how, is told
// in docs/formats.md; in short, a tile's collision objects are its shape, its
// property solid (a bool) makes it a full block or none, its property material
// (an int) is its surface, and a map that says none of this has a full block
// wherever it has a tile.
//
// One tile is one cell, y points up, and a finite map has its bottom left
// corner at the origin. An infinite map keeps the origin that it has in the
// editor: its row 0 is the row of cells at y = -1.
//
// Map files come from outside. Every fault is an *Error that names the file and
// the place in it; sizes are checked before anything of that size is allocated;
// nothing panics, and a faulty file gives no Map at all. Reading and Map.Grid take
// at most 1 GB and 5 seconds of processor time, or fail: docs/formats.md lists the
// bounds. Map.Warnings lists contents of the file that were not read and that an author
// might expect in the ground.
package tilemap
