package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/quarry2d/quarry/gridseg"
)

// Side is the number of cells along each side of a chunk of a store: chunk (X, Y) has the cells from (X*Side, Y*Side) up to
// but without ((X+1)*Side, (Y+1)*Side). It is four chunks of a grid: sixteen of them compress better than one, and an edit writes a few
// hundred bytes of compressed tiles.
const Side = 1 << sideBits

const (
	sideBits = 6
	gridBits = 4                   // a grid's chunks have 16x16 cells
	perSide  = sideBits - gridBits // log2 of the grid's chunks along a side
)

// The value of a chunk of tiles, little-endian: the letters "QTIL" and the version 1 (2 bytes); the number of the grid's chunks of 16x16 cells
// (2 bytes), and for each by row, then column, its coordinates (4 bytes each), the length of its bytes (4) and these, as in
// gridseg.Grid.AppendBinary.
const (
	tilesLetters = "QTIL"
	tilesVersion = 1
	tilesHead    = 4 + 2 + 2
	tilesEach    = 4 + 4 + 4
)

// piece is a chunk of 16x16 cells of a grid: its coordinates and its bytes behind these.
type piece struct {
	cx, cy int32
	data   []byte
}

// cutGrid cuts the bytes of gridseg.Grid.AppendBinary into what comes before the chunks, the chunks, and what follows. It returns false
// if they have another form, of a later version of gridseg.
func cutGrid(b []byte) (head []byte, chunks []piece, tail []byte, ok bool) {
	if len(b) < 2 {
		return nil, nil, nil, false
	}
	at := 2 + 2*int(binary.LittleEndian.Uint16(b)) + 4
	if at > len(b) {
		return nil, nil, nil, false
	}
	n := int(binary.LittleEndian.Uint32(b[at-4:]))
	if n > (len(b)-at)/9 {
		return nil, nil, nil, false
	}
	head, chunks = b[:at], make([]piece, 0, n)
	for range n {
		if at+8 > len(b) {
			return nil, nil, nil, false
		}
		p := piece{cx: int32(binary.LittleEndian.Uint32(b[at:])), cy: int32(binary.LittleEndian.Uint32(b[at+4:]))}
		size := pieceSize(b[at+8:])
		if size < 0 {
			return nil, nil, nil, false
		}
		p.data = b[at+8:][:size:size]
		chunks = append(chunks, p)
		at += 8 + size
	}
	return head, chunks, b[at:], true
}

// pieceSize returns the number of bytes of the chunk at the start of b, or -1 if b ends before.
func pieceSize(b []byte) int {
	const tile, kinds, rows = 10, 1, 32
	at, n := kinds, 0
	fits := func(more int) bool { at += more; return at <= len(b) }
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(b[at:])) }
	switch {
	case len(b) == 0 || b[0] > 1:
		return -1
	case b[0] == 1:
		if !fits(tile) {
			return -1
		}
		return at
	case !fits(rows):
		return -1
	}
	for k := kinds; k < at; k += 2 {
		n += bits.OnesCount16(uint16(u16(k)))
	}
	for range n {
		if !fits(tile) {
			return -1
		}
		if u16(at-tile)>>3 != int(gridseg.Patch) {
			continue
		}
		for range u16(at - tile + 4) { // polygons
			if !fits(tile) {
				return -1
			}
			if u16(at-tile)>>3 != 0 {
				continue
			}
			if !fits(2) {
				return -1
			}
			for range u16(at - 2) { // loops
				if !fits(2) || !fits(4*u16(at-2)) {
					return -1
				}
			}
		}
	}
	return at
}

// appendTiles appends the value of a chunk that has these pieces to dst.
func appendTiles(dst []byte, chunks []piece) []byte {
	dst = binary.LittleEndian.AppendUint16(append(dst, tilesLetters...), tilesVersion)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(chunks)))
	for _, p := range chunks {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(p.cx))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(p.cy))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(p.data)))
		dst = append(dst, p.data...)
	}
	return dst
}

// isTiles reports whether the value of a chunk was made by appendTiles; otherwise its ground has it unloaded.
func isTiles(value []byte) bool { return bytes.HasPrefix(value, []byte(tilesLetters)) }

// readTiles appends the pieces in the value of chunk k to dst.
func readTiles(dst []piece, k Key, value []byte) ([]piece, error) {
	if !isTiles(value) || len(value) < tilesHead {
		return nil, errors.New("it is no chunk of tiles")
	}
	if v := binary.LittleEndian.Uint16(value[4:]); v != tilesVersion {
		return nil, fmt.Errorf("version %d of a chunk of tiles: this program reads version %d", v, tilesVersion)
	}
	n := binary.LittleEndian.Uint16(value[6:])
	value = value[tilesHead:]
	for range n {
		if len(value) < tilesEach {
			return nil, errors.New("it ends within a chunk of tiles")
		}
		u32 := binary.LittleEndian.Uint32
		p, size := piece{cx: int32(u32(value)), cy: int32(u32(value[4:]))}, u32(value[8:])
		value = value[tilesEach:]
		if int64(size) > int64(len(value)) || p.cx>>perSide != k.X || p.cy>>perSide != k.Y {
			return nil, fmt.Errorf("the grid's chunk (%d, %d), of %d bytes, is not in it", p.cx, p.cy, size)
		}
		p.data, value = value[:size:size], value[size:]
		dst = append(dst, p)
	}
	if len(value) > 0 {
		return nil, fmt.Errorf("%d bytes follow", len(value))
	}
	return dst, nil
}
