package play

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// CodecVersion is the first byte of a command in binary form. Later versions of this package decode all versions so
// far; a code or the order of fields never changes its meaning.
const CodecVersion = 1

// names has the name of the command of each code.
var names = func() (list []string) {
	for name, d := range descriptions {
		for len(list) <= int(d.code) {
			list = append(list, "")
		}
		list[d.code] = name
	}
	return list
}()

// AppendBinary appends the binary form of c, which Check has accepted: CodecVersion, the code of the command, and the
// fields that the command reads. It returns an error if there is no command c.Do, or if c.Kind is none of its kinds.
func (c *Command) AppendBinary(dst []byte) ([]byte, error) {
	d := descriptions[c.Do]
	if d == nil {
		return dst, fmt.Errorf("play: unknown command %.40q", c.Do)
	}
	e := coder{bytes: append(dst, CodecVersion, d.code), writes: true}
	if err := e.fields(d, c); err != nil {
		return dst, err
	}
	return e.bytes, nil
}

// DecodeBinary decodes a command from its binary form, and checks it. On failure it returns the zero Command and an
// error.
func DecodeBinary(b []byte) (Command, error) {
	if len(b) < 2 {
		return Command{}, errors.New("play: command: it is cut off")
	}
	if b[0] != CodecVersion {
		return Command{}, fmt.Errorf("play: command: version %d of its form, want %d", b[0], CodecVersion)
	}
	if int(b[1]) >= len(names) || names[b[1]] == "" {
		return Command{}, fmt.Errorf("play: command: there is no code %d", b[1])
	}
	c := Command{Do: names[b[1]]}
	e := coder{bytes: b[2:]}
	if err := e.fields(descriptions[c.Do], &c); err != nil {
		return Command{}, err
	}
	if len(e.bytes) > 0 {
		return Command{}, fmt.Errorf("play: %s: %d bytes too many", c.Do, len(e.bytes))
	}
	if err := c.Check(); err != nil {
		return Command{}, fmt.Errorf("play: %w", err)
	}
	return c, nil
}

// coder writes or reads the fields of a command, so that both ways are in one list.
type coder struct {
	bytes  []byte // written so far, or left to read
	writes bool
	err    error
}

// fields writes or reads the fields of the command d of c.
func (e *coder) fields(d *description, c *Command) error {
	has := func(f field) bool { return d.fields&f != 0 && e.err == nil }
	if has(fieldKind) {
		e.kind(d.kinds, &c.Kind)
	}
	if has(fieldAngle) {
		e.floats(&c.Angle)
	}
	if has(fieldSize) {
		e.floats(&c.Size)
	}
	if has(fieldPoint) {
		e.floats(&c.X, &c.Y)
	}
	if has(fieldAll) {
		e.bool(&c.All)
	}
	if has(fieldHold) {
		e.bool(&c.Hold)
	}
	if has(fieldCells) {
		e.cells(&c.Cells)
	}
	if has(fieldTurn) {
		number(e, &c.Turn)
	}
	if has(fieldShape) {
		number(e, &c.Shape)
	}
	if has(fieldLine) {
		e.floats(&c.X0, &c.Y0, &c.X1, &c.Y1)
	}
	if has(fieldRadius) {
		e.floats(&c.Radius)
	}
	if has(fieldLayer) {
		number(e, &c.Layer)
	}
	if has(fieldMaterial) {
		number(e, &c.Material)
	}
	if has(fieldGround) {
		number(e, &c.Ground)
	}
	if has(fieldBody) {
		number(e, &c.Body)
	}
	if has(fieldJoint) {
		number(e, &c.Joint)
	}
	if has(fieldValue) {
		e.floats(&c.Value)
	}
	if has(fieldText) {
		e.text(&c.Text)
	}
	if has(fieldTuning) {
		e.floats(&c.Motor, &c.Force, &c.Hertz, &c.Lower, &c.Upper)
	}
	if has(fieldKeys) {
		number(e, &c.Keys)
	}
	if e.err != nil {
		return fmt.Errorf("play: %s: %w", c.Do, e.err)
	}
	return nil
}

var errCut = errors.New("it is cut off")

// uvarint writes x, or reads a number of at most most and returns it.
func (e *coder) uvarint(x, most uint64) uint64 {
	if e.writes {
		e.bytes = binary.AppendUvarint(e.bytes, x)
		return x
	}
	x, n := binary.Uvarint(e.bytes)
	switch {
	case n <= 0:
		e.err = errCut
		return 0
	case x > most:
		e.err = fmt.Errorf("the number %d is above %d", x, most)
		return 0
	case n > 1 && e.bytes[n-1] == 0:
		e.err = errors.New("a number is longer than needed") // so that a command has one form only
		return 0
	}
	e.bytes = e.bytes[n:]
	return x
}

// number writes or reads an unsigned integer.
func number[T ~uint8 | ~uint16 | ~uint32 | ~uint64](e *coder, v *T) {
	*v = T(e.uvarint(uint64(*v), uint64(^T(0))))
}

func (e *coder) text(v *string) {
	n := int(e.uvarint(uint64(len(*v)), MaxText))
	switch {
	case e.err != nil:
	case e.writes:
		e.bytes = append(e.bytes, *v...)
	case n > len(e.bytes):
		e.err = errCut
	default:
		*v, e.bytes = string(e.bytes[:n]), e.bytes[n:]
	}
}

func (e *coder) bool(v *bool) {
	x := uint64(0)
	if *v {
		x = 1
	}
	*v = e.uvarint(x, 1) == 1
}

func (e *coder) floats(list ...*float64) {
	for _, v := range list {
		switch {
		case e.writes:
			e.bytes = binary.LittleEndian.AppendUint64(e.bytes, math.Float64bits(*v))
		case len(e.bytes) < 8:
			e.err = errCut
			return
		default:
			*v = math.Float64frombits(binary.LittleEndian.Uint64(e.bytes))
			e.bytes = e.bytes[8:]
		}
	}
}

// kind writes or reads an element of kinds, as its index.
func (e *coder) kind(kinds []string, v *string) {
	i := slices.Index(kinds, *v)
	if e.writes && i < 0 {
		e.err = fmt.Errorf("unknown kind %.40q", *v)
		return
	}
	if i = int(e.uvarint(uint64(max(0, i)), uint64(len(kinds)-1))); e.err == nil {
		*v = kinds[i]
	}
}

// cells writes or reads the coordinates, each as the difference from the one before the last, since cells of a stroke
// lie side by side.
func (e *coder) cells(v *[]int32) {
	n := int(e.uvarint(uint64(len(*v)), 2*MaxCells))
	if !e.writes && e.err == nil {
		if n > len(e.bytes) { // each takes a byte at least
			e.err = errCut
			return
		}
		if *v = nil; n > 0 {
			*v = make([]int32, n)
		}
	}
	var before [2]int32
	for i := range *v {
		d := (*v)[i] - before[i&1] // wraps around, as the sum below does
		u := e.uvarint(uint64(uint32(d<<1)^uint32(d>>31)), math.MaxUint32)
		if e.err != nil {
			return
		}
		if !e.writes {
			(*v)[i] = before[i&1] + int32(uint32(u)>>1^-(uint32(u)&1))
		}
		before[i&1] = (*v)[i]
	}
}
