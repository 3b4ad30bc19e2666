// Package tilemap reads map files into ground: Tiled maps (.tmx, .tmj, .json)
// with their tilesets, IntGrid layers of LDtk projects (.ldtk), and PNG bitmaps of one pixel a cell.
//
// [Write] writes a ground as a Tiled map.
//
// [Load] reads from an fs.FS, [LoadFile] from the disk. Both return a [Map]: plain data, with
// the distinct shapes and the placed tiles in row-major order. [Map.Grid] makes a
// gridseg.Grid of it. docs/formats.md has the rules. In short, a tile's collision objects
// are its shape, its property solid (a bool) makes it a full block or no ground, and its
// property material (an int) selects its surface. A tile with neither is a full block, unless its layer also places
// tiles of its tileset that have collision objects or solid = true ([PlainTiles]).
//
// Each IntGrid cell of LDtk with a value above 0 is a full block with the value as its Cell.User. Before [Map.Grid],
// a game may set the shape or the material of such cells, or remove them; Options.LeaveOut leaves values out.
//
// One tile is one cell, y points up, and a finite map has its bottom left
// corner at the origin. An infinite map keeps the editor's origin: its row 0 is the row
// of cells at y = -1.
//
// Map files come from outside. Every fault is an [*Error] that names the file and the place
// in it, and the [Map] is then nil; no file causes a panic. Sizes are checked before memory is
// allocated. Reading and [Map.Grid] take at most 1 GB and 5 seconds of processor time, or
// fail: docs/formats.md lists the bounds. Map.Warnings lists ignored contents of the file
// that an author might expect in the ground.
package tilemap
