package tilemap

import "github.com/quarry2d/quarry/gridseg"

// The high bits of a gid are the tile's flips; the others are its number.
// https://doc.mapeditor.org/en/stable/reference/global-tile-ids/
const (
	flipX    = 1 << 31 // left to right
	flipY    = 1 << 30 // top to bottom
	flipDiag = 1 << 29 // about the diagonal from the top left corner
	flipHex  = 1 << 28 // for hexagonal maps; ignored, but may be set in others
	gidMask  = flipHex - 1
)

// turns is the equivalent gridseg.Turn of the flags flipX, flipY, flipDiag as bits 2, 1, 0.
//
// Tiled flips about the diagonal first, then left-right, then up-down. About the centre of the
// cell, with y up, these are (x,y) -> (-y,-x), (-x,y) and (x,-y). A Turn first mirrors, (-x,y),
// then makes its quarter turns, (-y,x). For instance, the diagonal flip is a mirror and one quarter
// turn: (x,y) -> (-x,y) -> (-y,-x).
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

// splitGID returns the number of a tile (0 for none) and its turn.
func splitGID(gid uint32) (number uint32, turn gridseg.Turn) {
	return gid & gidMask, turns[gid>>29]
}
