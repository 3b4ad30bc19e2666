package play

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// content returns the tile and the polygons of a cell as bytes, "" for an empty cell. Equal cells have equal content.
func content(g quarry.Ground, c gridseg.Cell) string {
	t := g.Tile(c.X, c.Y)
	if t == (gridseg.Tile{}) {
		return ""
	}
	b := make([]byte, 0, 16)
	if t.Shape != gridseg.Patch {
		return string(appendTile(b, t))
	}
	for part := range g.Grid().Polygons(c.X, c.Y) {
		if part.Shape != 0 { // to be set before the polygons
			b = appendTile(b, part)
		}
	}
	for part, loops := range g.Grid().Polygons(c.X, c.Y) {
		if part.Shape != 0 {
			continue
		}
		b = appendTile(b, part)
		b = binary.AppendUvarint(b, uint64(len(loops)))
		for _, loop := range loops {
			b = binary.AppendUvarint(b, uint64(len(loop)))
			for _, p := range loop {
				b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.X)), uint64(p.Y))
			}
		}
	}
	return string(b)
}

func appendTile(b []byte, t gridseg.Tile) []byte {
	for _, x := range [...]uint64{
		uint64(t.Shape), uint64(t.Turn), uint64(t.Layer), uint64(t.Material), uint64(t.User),
	} {
		b = binary.AppendUvarint(b, x)
	}
	return b
}

// errContent is the error of content that content did not make.
var errContent = errors.New("the kept content of a cell is damaged")

// setContent makes a cell what content returned.
func setContent(g quarry.Ground, c gridseg.Cell, s string) error {
	r := cellReader{left: []byte(s)}
	if err := g.Clear(c.X, c.Y); err != nil {
		return err
	}
	for len(r.left) > 0 && !r.bad {
		t := r.tile()
		if t.Shape != 0 {
			if err := g.Set(c.X, c.Y, t); err != nil {
				return err
			}
			continue
		}
		loops := r.loops()
		if r.bad {
			break
		}
		a := gridseg.Attr{Layer: t.Layer, Material: t.Material, User: t.User}
		if err := g.AddPolygon(c.X, c.Y, loops, a); err != nil {
			return err
		}
	}
	if r.bad {
		return errContent
	}
	return nil
}

// cellReader reads what content wrote.
type cellReader struct {
	left []byte
	bad  bool
}

// number reads a number of at most most.
func (r *cellReader) number(most uint64) uint64 {
	x, n := binary.Uvarint(r.left)
	if n <= 0 || x > most {
		r.bad, r.left = true, nil
		return 0
	}
	r.left = r.left[n:]
	return x
}

func (r *cellReader) tile() gridseg.Tile {
	return gridseg.Tile{
		Shape: gridseg.ShapeID(r.number(1<<16 - 1)), Turn: gridseg.Turn(r.number(7)), Layer: uint8(r.number(1<<8 - 1)),
		Material: uint16(r.number(1<<16 - 1)), User: uint32(r.number(1<<32 - 1)),
	}
}

func (r *cellReader) loops() [][]gridseg.Point {
	loops := make([][]gridseg.Point, min(len(r.left), int(r.number(uint64(len(r.left))))))
	for i := range loops {
		loops[i] = make([]gridseg.Point, r.number(uint64(len(r.left))))
		for k := range loops[i] {
			x := int64(r.number(gridseg.Unit))
			loops[i][k] = gridseg.Point{X: x, Y: int64(r.number(gridseg.Unit))}
		}
		if r.bad {
			return nil
		}
	}
	return loops
}

// cellChange is the change of a cell by an edit: its content before and after.
type cellChange struct {
	ground  quarry.GroundID
	at      gridseg.Cell
	was, is string
}

// appendChange appends a change in the form that readChanges reads.
func appendChange(b []byte, c *cellChange) []byte {
	b = binary.AppendUvarint(b, uint64(c.ground))
	b = binary.AppendVarint(binary.AppendVarint(b, int64(c.at.X)), int64(c.at.Y))
	for _, s := range [...]string{c.was, c.is} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	return b
}

// readChanges reads the changes of b, or returns false.
func readChanges(b []byte) (list []cellChange, ok bool) {
	for len(b) > 0 {
		var c cellChange
		id, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, false
		}
		b = b[n:]
		for _, v := range [...]*int32{&c.at.X, &c.at.Y} {
			x, n := binary.Varint(b)
			if n <= 0 || x != int64(int32(x)) {
				return nil, false
			}
			*v, b = int32(x), b[n:]
		}
		c.ground = quarry.GroundID(id)
		for _, s := range [...]*string{&c.was, &c.is} {
			size, n := binary.Uvarint(b)
			if n <= 0 || size > uint64(len(b)-n) {
				return nil, false
			}
			*s, b = string(b[n:n+int(size)]), b[n+int(size):]
		}
		list = append(list, c)
	}
	return slices.Clip(list), true
}
