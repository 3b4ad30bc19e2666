package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A value in the file, little-endian: the format of values, now 1 (1 byte); whether the bytes are compressed by zstd (1
// byte: 0 or 1); the length of the bytes when not compressed (4 bytes); CRC-32C of the encoded key, of these six bytes
// and of the rest (4 bytes); the bytes.
const (
	valueFormat = 1
	valueHead   = 10
)

// MaxValue is the length of the longest value, in bytes: 1 GiB.
const MaxValue = 1 << 30

// leastToCompress is the length of the shortest value that is compressed: shorter ones gain little.
const leastToCompress = 64

// mostUnpacked is the maximum number of bytes that one byte of zstd stands for: a block of four bytes repeats one up
// to 128 KiB.
const mostUnpacked = 1 << 15

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// coders are made when first used: they take some milliseconds, and memory.
var (
	compressor = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic("quarry: store: " + err.Error()) // the options are constant
		}
		return e
	})
	decompressor = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(MaxValue), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			panic("quarry: store: " + err.Error()) // the options are constant
		}
		return d
	})
)

// encodeValue returns the value of key in the file.
func encodeValue(key string, data []byte) []byte {
	if len(data) > MaxValue {
		panic(fmt.Sprintf("quarry: store: Put: the value has %d bytes: it must have 0 to %d", len(data), MaxValue))
	}
	v := make([]byte, valueHead, valueHead+len(data))
	v[0] = valueFormat
	binary.LittleEndian.PutUint32(v[2:], uint32(len(data)))
	if len(data) >= leastToCompress {
		if v = compressor().EncodeAll(data, v); len(v) < valueHead+len(data) {
			v[1] = 1
		} else {
			v = v[:valueHead]
		}
	}
	if v[1] == 0 {
		v = append(v, data...)
	}
	binary.LittleEndian.PutUint32(v[6:], checksum(key, v))
	return v
}

// checksum returns the sum that the value v of key must have.
func checksum(key string, v []byte) uint32 {
	sum := crc32.Update(0, castagnoli, []byte(key))
	sum = crc32.Update(sum, castagnoli, v[:6])
	return crc32.Update(sum, castagnoli, v[valueHead:])
}

// storedSum returns the sum in the value v, which has at least valueHead bytes.
func storedSum(v []byte) uint32 { return binary.LittleEndian.Uint32(v[6:]) }

var errShort = errors.New("the value ends within its head")

// decodeValue is the inverse of encodeValue. It returns an error if v is damaged, or of a later format.
func decodeValue(key string, v []byte) ([]byte, error) {
	if len(v) < valueHead {
		return nil, errShort
	}
	if want, is := storedSum(v), checksum(key, v); want != is {
		return nil, fmt.Errorf("the checksum is %08x, but key and bytes give %08x", want, is)
	}
	if v[0] != valueFormat {
		return nil, fmt.Errorf("format %d of values: this version reads %d", v[0], valueFormat)
	}
	n := int64(binary.LittleEndian.Uint32(v[2:]))
	rest := v[valueHead:]
	switch {
	case n > MaxValue || v[1] > 1 || v[1] == 0 && n != int64(len(rest)) ||
		v[1] == 1 && n > mostUnpacked*int64(len(rest)):
		return nil, fmt.Errorf("%d bytes of %d, packed by method %d", len(rest), n, v[1])
	case v[1] == 0:
		return append(make([]byte, 0, n), rest...), nil
	}
	// The decoder stays within the slice: a few bytes that declared a length of a gigabyte made it take that.
	data, err := decompressor().DecodeAll(rest, make([]byte, 0, n))
	if err == nil && int64(len(data)) != n {
		err = fmt.Errorf("%d bytes unpacked: %d expected", len(data), n)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// mix returns a hash of 64 bits: FNV-1a, finished as splitmix64 does, which spreads each byte over all bits.
func mix(key string) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(key) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// headKey is the record of the store itself: the letters "quarry", a format (2 bytes), now 1, and the totals (8 bytes
// each).
var headKey = Key{Record: "quarry"}

const (
	headLetters = "quarry"
	headFormat  = 1
	headSize    = 32
)

// totals sum up the entries of a store but for its head, modulo 2^64: their number, the hashes of their keys, and these
// multiplied by the stored checksum, made odd. A lost or doubled entry changes the first two, an older value the third
// one.
type totals struct{ n, keys, values uint64 }

func (t *totals) add(key string, v []byte) {
	h := mix(key)
	t.n, t.keys, t.values = t.n+1, t.keys+h, t.values+h*(2*uint64(storedSum(v))+1)
}

func (t *totals) remove(key string, v []byte) {
	h := mix(key)
	t.n, t.keys, t.values = t.n-1, t.keys-h, t.values-h*(2*uint64(storedSum(v))+1)
}

// encode returns the head record.
func (t totals) encode() []byte {
	b := binary.LittleEndian.AppendUint16([]byte(headLetters), headFormat)
	b = binary.LittleEndian.AppendUint64(b, t.n)
	b = binary.LittleEndian.AppendUint64(b, t.keys)
	return encodeValue(headKey.encode(), binary.LittleEndian.AppendUint64(b, t.values))
}

// decodeTotals is the inverse of encode.
func decodeTotals(v []byte) (totals, error) {
	b, err := decodeValue(headKey.encode(), v)
	if err != nil {
		return totals{}, err
	}
	if len(b) < 8 || string(b[:6]) != headLetters {
		return totals{}, errors.New("its magic number is not " + headLetters)
	}
	u64 := binary.LittleEndian.Uint64
	if f := binary.LittleEndian.Uint16(b[6:]); f != headFormat || len(b) != headSize {
		return totals{}, fmt.Errorf("format %d of the file, %d bytes: this version reads format %d, of %d", f, len(b),
			headFormat, headSize)
	}
	return totals{u64(b[8:]), u64(b[16:]), u64(b[24:])}, nil
}
