package grid

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/quarry2d/quarry/geom"
)

// The bytes of objects, little-endian: "QBOX" and the version 1 (2 bytes); the number of objects (4); for each, in
// ascending order of id, the id (4), the box (Min.X, Min.Y, Max.X, Max.Y, 8 each), data and categories (8 each), and 1
// if it is excluded, otherwise 0 (1 byte); and the CRC-32C of all bytes before it (4).

const (
	objectsMagic   = "QBOX"
	objectsVersion = 1
	objectsHeader  = 4 + 2 + 4
	objectBytes    = 4 + 4*8 + 8 + 8 + 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendObjects appends objects, such as Unload returns, to dst in a form that ReadObjects reads, and returns the
// extended slice. Their ids must ascend, and their boxes be finite and not empty; otherwise it panics.
func AppendObjects(dst []byte, objects []Object) []byte {
	from := len(dst)
	dst = binary.LittleEndian.AppendUint16(append(dst, objectsMagic...), objectsVersion)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(objects)))
	last := none
	for i := range objects {
		o := &objects[i]
		if err := o.check(last); err != nil {
			panic(fmt.Sprintf("quarry: grid: AppendObjects: object %d: %v", i, err))
		}
		last = o.ID
		dst = binary.LittleEndian.AppendUint32(dst, uint32(o.ID))
		for _, v := range [...]float64{o.Box.Min.X, o.Box.Min.Y, o.Box.Max.X, o.Box.Max.Y} {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
		dst = binary.LittleEndian.AppendUint64(dst, o.Data)
		dst = binary.LittleEndian.AppendUint64(dst, o.Category)
		if o.Excluded {
			dst = append(dst, 1)
		} else {
			dst = append(dst, 0)
		}
	}
	return appendSum(dst, from)
}

// appendSum appends the checksum of data from the byte from on.
func appendSum(data []byte, from int) []byte {
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data[from:], castagnoli))
}

// ReadObjects appends the objects of data, which AppendObjects has made, to dst and returns the extended slice. It
// returns an error that names the byte and the object if data is damaged or made up. Memory is in proportion to the
// length of data.
func ReadObjects(dst []Object, data []byte) ([]Object, error) {
	refuse := func(at int, err error) ([]Object, error) {
		return dst, fmt.Errorf("grid: ReadObjects: byte %d: %w", at, err)
	}
	if len(data) < objectsHeader+4 {
		return refuse(len(data), errors.New("the data ends too early"))
	}
	if string(data[:4]) != objectsMagic {
		return refuse(0, errors.New("not the objects of a grid"))
	}
	if v := binary.LittleEndian.Uint16(data[4:]); v != objectsVersion {
		return refuse(4, fmt.Errorf("version %d; this program reads version %d", v, objectsVersion))
	}
	end := len(data) - 4
	if got, want := crc32.Checksum(data[:end], castagnoli), binary.LittleEndian.Uint32(data[end:]); got != want {
		return refuse(end, fmt.Errorf("the data has the checksum %08x, but says %08x: it is damaged", got, want))
	}
	n := binary.LittleEndian.Uint32(data[6:])
	if uint64(n)*objectBytes != uint64(end-objectsHeader) {
		return refuse(6, fmt.Errorf("%d objects in %d bytes", n, end-objectsHeader))
	}
	start := len(dst)
	last := none
	for at := objectsHeader; at < end; at += objectBytes {
		b := data[at : at+objectBytes]
		number := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b[4+8*i:])) }
		o := Object{
			ID:   ID(binary.LittleEndian.Uint32(b)),
			Box:  geom.AABB{Min: geom.V(number(0), number(1)), Max: geom.V(number(2), number(3))},
			Data: binary.LittleEndian.Uint64(b[36:]), Category: binary.LittleEndian.Uint64(b[44:]),
			Excluded: b[52] == 1,
		}
		err := o.check(last)
		if b[52] > 1 {
			err = fmt.Errorf("its last byte is %d", b[52])
		}
		if err != nil {
			dst = dst[:start]
			return refuse(at, fmt.Errorf("object %d: %w", (at-objectsHeader)/objectBytes, err))
		}
		last = o.ID
		dst = append(dst, o)
	}
	return dst, nil
}

// check returns an error if o cannot be in a grid, after the object last.
func (o *Object) check(last ID) error {
	switch {
	case o.ID < 0 || o.ID <= last:
		return fmt.Errorf("its id %d is not above %d", o.ID, last)
	case !o.Box.IsFinite() || o.Box.IsEmpty():
		return fmt.Errorf("its box %v is empty or not finite", o.Box)
	}
	return nil
}
