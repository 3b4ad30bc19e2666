package gridseg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// The bytes of an unloaded place, little-endian: "QGRD" and the version 1 (2 bytes); the rectangle of its cells
// (MinX, MinY, MaxX, MaxY, 4 bytes each), of whole chunks; the number of different shapes of its tiles (2 bytes), and
// for each, in ascending order, its id (2 bytes) and its fingerprint (8 bytes); and the chunks of 16x16 cells by row,
// then column: a byte 2 for an empty one, or else its tiles as in AppendBinary, without coordinates. At the end is the
// CRC-32C of all bytes before it (4 bytes).

const (
	placeMagic   = "QGRD"
	placeVersion = 1
	placeHeader  = 4 + 2 + 16 + 2
	emptyChunk   = 2
)

// maxUnload is the largest number of cells of one Unload.
const maxUnload = 1 << 28

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openPlace reads the head of the bytes of a place. The reader is at the first byte after the head, and ends before the
// checksum.
func openPlace(data []byte) (Rect, *binaryReader, error) {
	if len(data) < placeHeader+4 {
		return Rect{}, &binaryReader{}, errShort
	}
	end := len(data) - 4
	r := &binaryReader{data: data[:end]}
	if string(r.take(4)) != placeMagic {
		return Rect{}, r, errors.New("not an unloaded place")
	}
	if v := r.u16(); v != placeVersion {
		return Rect{}, r, fmt.Errorf("version %d of an unloaded place; this program reads version %d", v, placeVersion)
	}
	if got, want := crc32.Checksum(data[:end], castagnoli), binary.LittleEndian.Uint32(data[end:]); got != want {
		return Rect{}, r, fmt.Errorf("the data has the checksum %08x, but says %08x: it is damaged", got, want)
	}
	rect := Rect{MinX: int32(r.u32()), MinY: int32(r.u32()), MaxX: int32(r.u32()), MaxY: int32(r.u32())}
	w, h := int64(rect.MaxX)-int64(rect.MinX)+1, int64(rect.MaxY)-int64(rect.MinY)+1
	if rect.Empty() || rect != lattice.ChunksOf(rect) || w > maxUnload || h > maxUnload || w*h > maxUnload {
		return Rect{}, r, fmt.Errorf("%v is not a place", rect)
	}
	return rect, r, nil
}

// appendPlace appends the bytes of the place r, of whole chunks, without their sum.
func (g *Grid) appendPlace(dst []byte, r Rect) []byte {
	dst = appendPlaceHead(dst, r)
	chunks := g.appendChunks(nil, r)
	used := g.usedShapes(chunks)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(used)))
	for _, id := range used {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(id))
		dst = binary.LittleEndian.AppendUint64(dst, g.shapes.fingerprint(id))
	}
	next := 0
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			if next < len(chunks) && chunks[next].cx == cx && chunks[next].cy == cy {
				dst = g.appendChunk(dst, chunks[next])
				next++
			} else {
				dst = append(dst, emptyChunk)
			}
		}
	}
	return dst
}

// appendPlaceHead appends the first bytes of the place r.
func appendPlaceHead(dst []byte, r Rect) []byte {
	dst = binary.LittleEndian.AppendUint16(append(dst, placeMagic...), placeVersion)
	for _, v := range [...]int32{r.MinX, r.MinY, r.MaxX, r.MaxY} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

// appendSum appends the checksum of data to it.
func appendSum(data []byte) []byte {
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli))
}

// usedShapes returns the shapes of the tiles of chunks, in ascending order, each once.
func (g *Grid) usedShapes(chunks []*chunk) []ShapeID {
	var seen [(maxShapes + 64) / 64]uint64
	add := func(id ShapeID) {
		if id != 0 && id != Patch {
			seen[id>>6] |= 1 << (id & 63)
		}
	}
	for _, c := range chunks {
		last := formID(0)
		for i, f := range c.form {
			if f == last && f != patchForm {
				continue
			}
			last = f
			if f != patchForm {
				add(ShapeID(f >> 3))
				continue
			}
			for _, p := range g.patches.list[c.attrAt(i).user].polys {
				add(p.tile.Shape)
			}
		}
	}
	var list []ShapeID
	for k, word := range seen {
		for ; word != 0; word &= word - 1 {
			list = append(list, ShapeID(k<<6|bits.TrailingZeros64(word)))
		}
	}
	return list
}

// checkShapes reads the list of shapes, and refuses it if g has another shape under an id.
func (g *Grid) checkShapes(r *binaryReader) error {
	last := ShapeID(0)
	for n := r.u16(); n > 0 && r.err == nil; n-- {
		id := ShapeID(r.u16())
		is := binary.LittleEndian.Uint64(r.take(8))
		switch {
		case r.err != nil:
		case id <= last:
			return fmt.Errorf("shape %d is out of order", id)
		case int(id) > g.shapes.Len():
			return fmt.Errorf("%w: %d, registered are 1 to %d", ErrUnknownShape, id, g.shapes.Len())
		case is != g.shapes.fingerprint(id):
			return fmt.Errorf("%w: the shape %d of the data is not the grid's shape %d, %q", ErrUnknownShape, id, id,
				g.shapes.Name(id))
		}
		last = id
	}
	return r.err
}

// fingerprint returns a hash of the polygons of a shape.
func (s *Shapes) fingerprint(id ShapeID) uint64 {
	h := mix(uint64(len(s.Polygons(id, 0))))
	for _, p := range s.Polygons(id, 0) {
		h = mix(h ^ uint64(len(p)))
		for _, v := range p {
			h = mix(h ^ (uint64(v.X)<<32 | uint64(v.Y)))
		}
	}
	return h
}
