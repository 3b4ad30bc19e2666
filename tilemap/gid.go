package tilemap

import "github.com/quarry2d/quarry/gridseg"

// The high bits of a gid tell how the tile is turned; the rest is its number.
// https://doc.mapeditor.org/en/stable/reference/global-tile-ids/
const (
	flipX    = 1 << 31 // left and right change places
	flipY    = 1 << 30 // top and bottom
	flipDiag = 1 << 29 // the axes, about the diagonal from the top left corner
	flipHex  = 1 << 28 // means something in hexagonal maps only, but stays set in others
	gidMask  = flipHex - 1
)

// turns gives, for the three flags flipX, flipY, flipDiag as bits 2, 1, 0, the
// turn of gridseg that does the same.
//
// Tiled flips about the diagonal first, then left-right, then up-down. Round
// the middle of the cell, with y up, these are (x,y) -> (-y,-x), (-x,y) and
// (x,-y). A Turn mirrors first, (-x,y), then makes its quarter turns, (-y,x).
// So, for instance, the diagonal flip is a mirror and one quarter turn:
// (x,y) -> (-x,y) -> (-y,-x).
var turns = [8]gridseg.Turn{
	0b000: 0,
	0b001: 4 | 1, // (-y,-x)
	0b010: 4 | 2, // (x,-y)
	0b011: 1,     // (-y,x)
	0b100: 4,     // (-x,y)
	0b101: 3,     // (y,-x)
	0b110: 2,     // (-x,-y)
	0b111: 4 | 3, // (y,x)
}

// splitGID returns the number of a tile, 0 for none, and how it is turned.
func splitGID(gid uint32) (number uint32, turn gridseg.Turn) {
	return gid & gidMask, turns[gid>>29]
}
