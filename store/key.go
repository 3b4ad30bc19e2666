package store

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
)

// Key names a value: a chunk of a ground, or, if Ground is empty, a record.
type Key struct {
	Ground string // name of the ground, 1 to 255 bytes; empty for a record
	X, Y   int32  // coordinates of the chunk
	Record string // name of the record, 1 to 255 bytes; empty for a chunk
}

// Chunk returns the key of a chunk.
func Chunk(ground string, x, y int32) Key { return Key{Ground: ground, X: x, Y: y} }

// Record returns the key of a record.
func Record(name string) Key { return Key{Record: name} }

// String returns the key for a message: `ground "1", chunk (3, -2)` or `record "world"`.
func (k Key) String() string {
	if k.Ground != "" {
		return fmt.Sprintf("ground %q, chunk (%d, %d)", k.Ground, k.X, k.Y)
	}
	return fmt.Sprintf("record %q", k.Record)
}

// maxName is the longest name of a ground or record, in bytes.
const maxName = math.MaxUint8

// check panics unless k is the key of a chunk or of a record.
func (k Key) check(call string) {
	ok := len(k.Ground) <= maxName && len(k.Record) <= maxName && (k.Ground == "") != (k.Record == "") &&
		(k.Ground != "" || k.X == 0 && k.Y == 0)
	if !ok {
		panic(fmt.Sprintf("quarry: store: %s: Key is %#v: it must have a Ground or a Record, of 1 to %d bytes, and "+
			"coordinates only with a Ground", call, k, maxName))
	}
	if k == headKey {
		panic(fmt.Sprintf("quarry: store: %s: record %q is the store's own", call, k.Record))
	}
}

// Kinds of encoded keys: the first byte. Records come before chunks.
const (
	kindRecord = 0
	kindChunk  = 1
)

// compare orders keys of chunks as the file does.
func (k Key) compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Ground, o.Ground), cmp.Compare(k.Y, o.Y), cmp.Compare(k.X, o.X))
}

// encode returns the key in the file: a kind; then the record's name, or the length of the ground's name (1
// byte), the name, y and x (4 bytes each, big-endian, with the sign flipped). So the chunks of a ground are
// sorted by row, then column.
func (k Key) encode() string {
	if k.Ground == "" {
		return string([]byte{kindRecord}) + k.Record
	}
	b := append([]byte{kindChunk, byte(len(k.Ground))}, k.Ground...)
	b = binary.BigEndian.AppendUint32(b, uint32(k.Y)^1<<31)
	return string(binary.BigEndian.AppendUint32(b, uint32(k.X)^1<<31))
}

// decodeKey is the inverse of encode. It returns false if b is no key.
func decodeKey(b []byte) (Key, bool) {
	if len(b) < 2 {
		return Key{}, false
	}
	switch n := int(b[1]); {
	case b[0] == kindRecord && len(b) <= 1+maxName:
		return Key{Record: string(b[1:])}, true
	case b[0] == kindChunk && n > 0 && len(b) == 2+n+8:
		at := b[2+n:]
		return Key{
			Ground: string(b[2 : 2+n]),
			Y:      int32(binary.BigEndian.Uint32(at) ^ 1<<31),
			X:      int32(binary.BigEndian.Uint32(at[4:]) ^ 1<<31),
		}, true
	}
	return Key{}, false
}
