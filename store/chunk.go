package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// Side is the number of cells along each side of a chunk of a store: chunk (X, Y) has the cells from (X*Side, Y*Side)
// up to but without ((X+1)*Side, (Y+1)*Side). It is four chunks of a grid: sixteen of them compress better than one,
// and an edit writes a few hundred bytes of compressed tiles.
const Side = 1 << sideBits

const sideBits = 6

// The value of a chunk of tiles: the letters "QTIL", the version 2 (2 bytes, little-endian), and the bytes of
// gridseg.Grid.AppendTiles: the number of the grid's chunks of 16x16 cells (4 bytes), and these. Version 1 had the
// number in 2 bytes, and for each of the grid's chunks by row, then column, its coordinates (4 bytes each), the length
// of its bytes (4), and these.
const (
	tilesLetters = "QTIL"
	tilesVersion = 2
	tilesHead    = 4 + 2
	tilesEach1   = 4 + 4 + 4
)

// appendTiles appends the value of a chunk to dst, with these bytes of gridseg.Grid.AppendTiles.
func appendTiles(dst, tiles []byte) []byte {
	dst = binary.LittleEndian.AppendUint16(append(dst, tilesLetters...), tilesVersion)
	return append(dst, tiles...)
}

// isTiles reports whether the value of a chunk was made by appendTiles; otherwise its ground has it unloaded.
func isTiles(value []byte) bool { return bytes.HasPrefix(value, []byte(tilesLetters)) }

// readTiles returns the number of the grid's chunks in a value of appendTiles, and their bytes.
func readTiles(value []byte) (n int, chunks []byte, err error) {
	if !isTiles(value) || len(value) < tilesHead {
		return 0, nil, errors.New("it is not a chunk of tiles")
	}
	switch v := binary.LittleEndian.Uint16(value[4:]); {
	case v == 1:
		list, err := readTiles1(value[tilesHead:])
		if err != nil {
			return 0, nil, err
		}
		for _, p := range list {
			chunks = p.append(chunks)
		}
		return len(list), chunks, nil
	case v != tilesVersion:
		return 0, nil, fmt.Errorf("version %d of a chunk of tiles: this program reads versions 1 to %d", v,
			tilesVersion)
	}
	if value = value[tilesHead:]; len(value) < 4 {
		return 0, nil, errors.New("it ends before its tiles")
	}
	return int(binary.LittleEndian.Uint32(value)), value[4:], nil
}

// piece is a chunk of 16x16 cells of a grid in a value of version 1: its coordinates and its bytes behind these.
type piece struct {
	cx, cy int32
	data   []byte
}

// append appends p as gridseg.Grid.AppendTiles does.
func (p *piece) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(p.cx))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(p.cy))
	return append(dst, p.data...)
}

// readTiles1 returns the pieces of a value of version 1, without its head.
func readTiles1(value []byte) (list []piece, err error) {
	if len(value) < 2 {
		return nil, errors.New("it ends before its tiles")
	}
	n := binary.LittleEndian.Uint16(value)
	value = value[2:]
	for range n {
		if len(value) < tilesEach1 {
			return nil, errors.New("it ends within a chunk of tiles")
		}
		u32 := binary.LittleEndian.Uint32
		p, size := piece{cx: int32(u32(value)), cy: int32(u32(value[4:]))}, u32(value[8:])
		if value = value[tilesEach1:]; int64(size) > int64(len(value)) {
			return nil, fmt.Errorf("the grid's chunk (%d, %d) has %d bytes, %d are left", p.cx, p.cy, size, len(value))
		}
		p.data, value = value[:size:size], value[size:]
		list = append(list, p)
	}
	if len(value) > 0 {
		return nil, fmt.Errorf("%d bytes follow", len(value))
	}
	return list, nil
}

// sumOfValue returns a sum of the value of a chunk, as totals have.
func sumOfValue(k Key, value []byte) uint64 {
	return mix(k.encode()) * (2*uint64(crc32.Checksum(value, castagnoli)) + 1)
}
