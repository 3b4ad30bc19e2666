package gridseg

import "slices"

// ShapeID is the number of a shape in a Shapes; 0 means none, the empty cell.
type ShapeID uint16

// The shapes of every Shapes, in cells, at turn 0.
const (
	Full      ShapeID = 1 + iota // the whole cell
	Ramp                         // (0,0) (1,0) (1,1): rises to the right, 1:1
	Slab                         // (0,0) (1,0) (1,.5) (0,.5): the lower half
	SlopeLow                     // (0,0) (1,0) (1,.5): the lower part of a slope of 1:2
	SlopeHigh                    // (0,0) (1,0) (1,1) (0,.5): the upper part of a slope of 1:2
)

// Patch is the shape that Grid.Tile returns for a cell with polygons, see Grid.Add. It is not in
// any Shapes, and Set refuses it.
const Patch ShapeID = maxShapes + 1

// Turn is one of the eight orientations of a shape in a cell, 0 to 7: bits 0 and 1 count quarter
// turns counter-clockwise, which follow a mirroring in x (x to 1-x) if bit 2 is set.
type Turn uint8

// turns is the number of values of Turn.
const turns = 8

// apply turns a local point about the middle of the cell.
func (t Turn) apply(p Point) Point {
	if t&4 != 0 {
		p.X = Unit - p.X
	}
	for range t & 3 {
		p.X, p.Y = Unit-p.Y, p.X
	}
	return p
}

// outline turns the points of an outline, which stays counter-clockwise.
func (t Turn) outline(loop []Point) []Point {
	turned := make([]Point, len(loop))
	for i, p := range loop {
		turned[i] = t.apply(p)
	}
	if t&4 != 0 {
		slices.Reverse(turned) // a mirror image winds the other way
	}
	return turned
}

// Tile is the content of a cell. The zero value is the empty cell; a tile without a shape must be
// zero.
type Tile struct {
	Shape    ShapeID
	Turn     Turn
	Layer    uint8  // see Grid.Preserve
	Material uint16 // for the game; faces between different materials of one layer cancel
	User     uint32 // for the game
}

// Attr holds the attributes of a polygon, the same as a Tile has.
type Attr struct {
	Layer    uint8
	Material uint16
	User     uint32
}

// tile returns the Tile that segments of a polygon with these attributes have.
func (a Attr) tile() Tile { return Tile{Layer: a.Layer, Material: a.Material, User: a.User} }

// attr holds the attributes of a tile.
type attr struct {
	user     uint32
	material uint16
	layer    uint8
}

func (t Tile) attr() attr { return attr{t.User, t.Material, t.Layer} }

// cellTile is a stored tile. Unlike Tile it has few enough fields for the compiler to keep it in
// registers.
type cellTile struct {
	form formID
	attr attr
}

func (t Tile) cellTile() cellTile { return cellTile{t.form(), t.attr()} }
func (l cellTile) tile() Tile     { return l.form.tile(l.attr) }

// formID is shape and turn in one number: shape*8 + turn; below 8 is empty.
type formID uint16

// patchForm is the form of a cell with a patch. Its user attribute then holds the number of the
// patch, which is internal.
const patchForm = formID(Patch) << 3

// public returns t without the number of a patch.
func (t Tile) public() Tile {
	if t.Shape == Patch {
		return Tile{Shape: Patch}
	}
	return t
}

func (t Tile) form() formID { return formID(t.Shape)<<3 | formID(t.Turn) }

func (f formID) tile(a attr) Tile {
	if f == 0 {
		return Tile{}
	}
	return Tile{ShapeID(f >> 3), Turn(f & 7), a.layer, a.material, a.user}
}

// then returns the turn that combines t and then u: a shape in turn t.then(u) looks like the shape
// in turn t, turned by u about the middle of its cell.
func (t Turn) then(u Turn) Turn {
	quarters := t
	if u&4 != 0 {
		quarters = -t // a mirroring reverses turns
	}
	return (quarters+u)&3 | (t^u)&4
}
