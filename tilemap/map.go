package tilemap

import "github.com/quarry2d/quarry/gridseg"

// Bounds of a map. They limit the cost of a file of any size: reading it and Map.Grid
// together take at most 1 GB of memory and 5 seconds of processor time on a machine of 2026.
const (
	// MaxCells bounds the tiles that a finite map, a chunk or a bitmap declares.
	MaxCells = 1 << 24
	// MaxTiles bounds the tiles of ground in the layers that are read: the cells of a Map.
	MaxTiles = 1 << 23
	// MaxSegments bounds the segments of the surface that Map.Grid makes.
	MaxSegments = 1 << 22
	// MaxSquares bounds the squares of 16 x 16 cells with ground: each costs a grid up to
	// 8 KiB, even for a single cell.
	MaxSquares = 1 << 16
)

// Map is the ground of a map file. It is plain data, keeps no reference to the file, and
// may be changed.
type Map struct {
	Name          string     // the file's name without folder and extension
	Width, Height int        // in cells; 0 for infinite maps and LDtk projects
	Shapes        []Shape    // distinct, in the order of their first use in Cells
	Cells         []Cell     // cells with ground: row by row from the lowest, from left to right
	Preserve      [][2]uint8 // pairs of layers that keep their faces where they meet (gridseg.Grid.Preserve), each once
	Warnings      []string   // a sentence for each part of the file that was ignored or changed
}

// Shape is the outline of a tile before its turn: counter-clockwise simple polygons that
// do not overlap, in cells (0..1), y up. Every coordinate is a multiple of the lattice
// step, 1/gridseg.Unit cell.
type Shape struct {
	Name     string // unique: "full", or "tileset/tile id" of the first tile with this shape
	Polygons [][][2]float64
}

// IsFull reports whether the shape is the full block, a single square.
func (s *Shape) IsFull() bool {
	return len(s.Polygons) == 1 && outlineKey(s.Polygons) == fullKey
}

// Cell is a placed tile.
type Cell struct {
	X, Y     int32
	Shape    uint16       // index in Map.Shapes
	Turn     gridseg.Turn // how the shape is turned and mirrored
	Layer    uint8        // the property layer of the map's layer; 0 without one
	Material uint16       // the tile's property material; 0 without one
	User     uint32       // Tiled: the gid without its flags; LDtk: the IntGrid value; bitmaps: the colour, 0xRRGGBB
}

// full is the outline of a full block, in the form of object.polygon.
var (
	full    = [][][2]float64{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}
	fullKey = outlineKey(full)
)

// outlineKey returns a string that is equal for equal lists of polygons only.
func outlineKey(polygons [][][2]float64) string {
	var key []byte
	for _, p := range polygons {
		for _, v := range p {
			x, y := int(v[0]*gridseg.Unit), int(v[1]*gridseg.Unit)
			key = append(key, byte(x>>8), byte(x), byte(y>>8), byte(y))
		}
		key = append(key, 0xff) // a separator: no coordinate starts with it
	}
	return string(key)
}
