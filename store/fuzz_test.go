package store

import (
	"bytes"
	"encoding/binary"
	"os"
	"runtime"
	"testing"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// FuzzValue decodes values: it must not panic, nor take more memory than the data may unpack to; what encodeValue makes
// comes back.
func FuzzValue(f *testing.F) {
	f.Add("\x00a", encodeValue("\x00a", []byte("short")))
	f.Add("\x00a", encodeValue("\x00a", bytes.Repeat([]byte{1, 2}, 1000)))
	f.Add("", []byte{1, 1, 255, 255, 255, 63, 0, 0, 0, 0})
	f.Add("", hugeValue())
	f.Fuzz(func(t *testing.T, key string, v []byte) {
		if len(v) > 1<<12 { // which may stand for 128 MiB
			return
		}
		if len(v) >= valueHead { // give it the right checksum
			sum := checksum(key, v)
			v[6], v[7], v[8], v[9] = byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)
		}
		if data, err := decodeValue(key, v); err == nil {
			if back, err := decodeValue(key, encodeValue(key, data)); err != nil || !bytes.Equal(back, data) {
				t.Fatal(err)
			}
		}
		if data, err := decodeValue(key, encodeValue(key, v)); err != nil || !bytes.Equal(data, v) {
			t.Fatal(err)
		}
		if k, ok := decodeKey([]byte(key)); ok && k.encode() != key {
			t.Fatalf("%q is %v, which is %q", key, k, k.encode())
		}
		_, _ = decodeTotals(v)
	})
}

// hugeValue returns a value of a few bytes that tells of 768 MiB, in its head and in zstd's.
func hugeValue() []byte {
	v := []byte{valueFormat, 1, 0, 0, 0, 48, 0, 0, 0, 0, 0x28, 0xb5, 0x2f, 0xfd, 0x80, 0, 0, 0, 0, 48, 3, 0, 0, 7}
	binary.LittleEndian.PutUint32(v[6:], checksum("", v))
	return v
}

// TestHugeValue: a value that tells of more than its bytes may stand for takes no memory. (24 bytes took 768 MiB.)
func TestHugeValue(t *testing.T) {
	lying := hugeValue()
	binary.LittleEndian.PutUint32(lying[2:], 1000) // in the head of zstd only
	binary.LittleEndian.PutUint32(lying[6:], checksum("", lying))
	for _, v := range [][]byte{hugeValue(), lying} {
		_, _ = decodeValue("", v) // makes the decoder
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := decodeValue("", v)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 1<<20 {
			t.Errorf("%v, %d bytes allocated", err, took)
		}
	}
}

// FuzzPages walks made-up files: words of a good file are changed, with the right checksum of the first pages. The walk
// must end, and without a fault yield the entries of the head.
func FuzzPages(f *testing.F) {
	path, _ := filled(f)
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{})
	f.Add([]byte{0, 16, 1, 3, 0, 32, 8, 255})
	f.Fuzz(func(t *testing.T, changes []byte) {
		bad := bytes.Clone(good)
		for ; len(changes) >= 4; changes = changes[4:] {
			at := (int(changes[0])<<8 | int(changes[1])) * len(bad) >> 16
			bad[at], bad[(at+1)%len(bad)] = changes[2], changes[3]
		}
		bad = bad[:len(bad)-len(changes)*pageSize]
		r, err := walk("", bytes.NewReader(bad), int64(len(bad)), false, func(int64, int64) {})
		if err == nil && len(r.Faults) == 0 && (len(r.Records) != 2 || len(r.Grounds) != 2) {
			t.Fatalf("%+v", r)
		}
	})
}

// FuzzTiles reads made-up chunks and records of worlds.
func FuzzTiles(f *testing.F) {
	g := gridseg.New(nil)
	for k := range int32(40) {
		if err := g.Set(k*3, k, gridseg.Tile{Shape: gridseg.Full + gridseg.ShapeID(k%3), User: uint32(k)}); err != nil {
			f.Fatal(err)
		}
	}
	if err := g.Fill(gridseg.Rect{MinX: -32, MinY: 0, MaxX: -1, MaxY: 15},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		f.Fatal(err)
	}
	p := []gridseg.Point{{X: 100, Y: 100}, {X: 90000, Y: 5000}, {X: 3000, Y: 70000}}
	if err := g.Subtract([][]gridseg.Point{p}); err != nil {
		f.Fatal(err)
	}
	g.Resolve()
	tiles := g.Engine(lattice.Key{}).AppendTiles(nil, cellsOf(0, 0))
	f.Add(appendTiles(nil, tiles))
	f.Add(tiles)
	f.Add([]byte("QTIL\x01\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x0b\x00\x00\x00\x01\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, chunks, err := readTiles(data); err == nil && len(chunks) > len(data) || err != nil && n+len(chunks) > 0 {
			t.Fatal(n, len(chunks), err)
		}
		s := Memory()
		s.Put(Chunk("1", 0, 0), data)
		s.Put(Record(RecordWorld), data)
		_, _ = Snapshot(s)
		for _, version := range []string{"\x01", "\x02"} {
			s.Put(Record(RecordWorld), append([]byte("QWLD"+version+"\x00"), data...))
			_, _ = Snapshot(s)
		}
	})
}
