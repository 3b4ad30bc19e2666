package store

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/quarry2d/quarry"
)

// Names of records.
const (
	RecordWorld = "world" // the world without the tiles of its chunks; see SaveWorld
	RecordName  = "name"  // the world's name, such as of its map or scene: text
)

// The record of a world, little-endian: the letters "QWLD" and the version 2 (2 bytes); the number of grounds (4
// bytes), and for each the length of its name (1), the name, the number of its chunks of tiles (4), and the sum of
// their sumOfValue (8); the snapshot without tiles. The sums tell whether the chunks are of the same moment.
const (
	worldLetters = "QWLD"
	worldVersion = 2
	worldHead    = 4 + 2 + 4
)

// GroundName returns the name under which SaveWorld keeps the chunks of a ground: its id as a decimal number.
func GroundName(id quarry.GroundID) string { return strconv.FormatUint(uint64(id), 10) }

// SaveWorld puts the whole world into s and commits. s then holds no other world, but keeps records of other names. To
// save a world often, use a Saver.
func SaveWorld(s *Store, w *quarry.World) error {
	_, err := NewSaver(s, w).Save()
	return err
}

// LoadWorld makes w the world that s holds, as of the last SaveWorld or Save; see quarry.World.Restore. Chunks that a
// Streamer has put since are left out; if w has a Saver to s, so that it goes on from there, they are dropped. It
// returns an error, which names the file and the record or chunk, and changes nothing, if there is none, or if it is
// damaged.
func LoadWorld(s *Store, w *quarry.World) error {
	r, err := openWorld(s)
	if err != nil {
		return err
	}
	if r.version == 1 {
		var data []byte
		if data, err = r.snapshot1(); err == nil {
			err = w.Restore(data)
		}
	} else {
		err = r.restore(w)
	}
	if f := (*Fault)(nil); err != nil && !errors.As(err, &f) {
		return r.fault(err)
	} else if f != nil {
		return f // of a chunk
	}
	s.forget(w)
	return nil
}

// Snapshot returns the snapshot of the world that s holds, for quarry.World.Restore.
func Snapshot(s *Store) ([]byte, error) {
	w := quarry.NewWorld(quarry.Config{})
	if err := LoadWorld(s, w); err != nil {
		return nil, err
	}
	return w.AppendSnapshot(nil), nil
}

// ErrNoWorld is the error of LoadWorld if no world was saved.
var ErrNoWorld = errors.New("no world was saved")

// worldRecord is the record of a world that is read.
type worldRecord struct {
	s       *Store
	version uint16
	n       uint32 // of grounds; in version 1 of parts
	rest    []byte
	chunks  map[string][]Key // of all chunks, by the name of their ground
}

func (r *worldRecord) fault(err error) error {
	return &Fault{File: r.s.path, Place: Record(RecordWorld).String(), Err: err}
}

// openWorld reads the head of the record of a world.
func openWorld(s *Store) (*worldRecord, error) {
	r := &worldRecord{s: s, chunks: map[string][]Key{}}
	record, ok, err := s.get(Record(RecordWorld), true)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, r.fault(ErrNoWorld)
	case len(record) < worldHead || string(record[:4]) != worldLetters:
		return nil, r.fault(errors.New("it is not a world"))
	}
	if r.version = binary.LittleEndian.Uint16(record[4:]); r.version < 1 || r.version > worldVersion {
		return nil, r.fault(fmt.Errorf("version %d of worlds: this program reads versions 1 to %d", r.version,
			worldVersion))
	}
	r.n, r.rest = binary.LittleEndian.Uint32(record[6:]), record[worldHead:]
	for k, err := range s.keys(true) {
		if err != nil {
			return nil, err
		}
		if k.Ground != "" {
			r.chunks[k.Ground] = append(r.chunks[k.Ground], k)
		}
	}
	return r, nil
}

// appendWorld appends the record of a world to dst.
func appendWorld(dst []byte, grounds []savedGround, snapshot []byte) []byte {
	dst = binary.LittleEndian.AppendUint16(append(dst, worldLetters...), worldVersion)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(grounds)))
	for i := range grounds {
		g := &grounds[i]
		dst = append(append(dst, byte(len(g.name))), g.name...)
		dst = binary.LittleEndian.AppendUint32(dst, g.chunks)
		dst = binary.LittleEndian.AppendUint64(dst, g.sum)
	}
	return append(dst, snapshot...)
}

// restore makes w the world of a record of version 2.
func (r *worldRecord) restore(w *quarry.World) error {
	grounds := map[string]savedGround{}
	for range r.n {
		n := 1
		if len(r.rest) > 0 {
			n += int(r.rest[0])
		}
		if len(r.rest) < n+12 {
			return errors.New("it ends within a ground")
		}
		name, sums := string(r.rest[1:n]), r.rest[n:]
		grounds[name] = savedGround{chunks: binary.LittleEndian.Uint32(sums), sum: binary.LittleEndian.Uint64(sums[4:])}
		r.rest = r.rest[n+12:]
	}
	return w.RestoreWithTiles(r.rest, func(id quarry.GroundID) ([]byte, error) {
		name := GroundName(id)
		return r.tiles(name, grounds[name])
	})
}

// tiles returns the tiles of a ground as gridseg.Grid.AppendTiles of all its cells gives them, but in the order of the
// store's chunks.
func (r *worldRecord) tiles(name string, saved savedGround) ([]byte, error) {
	tiles, all := make([]byte, 4), uint32(0)
	var is savedGround
	for _, k := range r.chunks[name] {
		value, _, err := r.s.get(k, true)
		if err != nil {
			return nil, err
		}
		if !isTiles(value) {
			continue
		}
		n, chunks, err := readTiles(value)
		if err != nil {
			return nil, &Fault{File: r.s.path, Place: k.String(), Err: err}
		}
		is.chunks, is.sum, all = is.chunks+1, is.sum+sumOfValue(k, value), all+uint32(n)
		tiles = append(tiles, chunks...)
	}
	if is.chunks != saved.chunks || is.sum != saved.sum {
		return nil, fmt.Errorf("ground %q has %d chunks of tiles with the sum %016x, but was saved with %d and %016x",
			name, is.chunks, is.sum, saved.chunks, saved.sum)
	}
	binary.LittleEndian.PutUint32(tiles, all)
	return tiles, nil
}

// Parts of the record of a world of version 1: together they are a snapshot. A part has a kind (1 byte), a length (4)
// and so many bytes: of kind 0 the snapshot's; of kind 1 a ground's name, whose chunks are the snapshot's next
// bytes, by row, then column.
const (
	partBytes  = 0
	partChunks = 1
)

// snapshot1 returns the snapshot of a record of version 1.
func (r *worldRecord) snapshot1() (data []byte, err error) {
	for range r.n {
		if len(r.rest) < 5 || int64(binary.LittleEndian.Uint32(r.rest[1:])) > int64(len(r.rest)-5) {
			return nil, errors.New("it ends within a part")
		}
		kind, part := r.rest[0], r.rest[5:][:binary.LittleEndian.Uint32(r.rest[1:])]
		r.rest = r.rest[5+len(part):]
		switch kind {
		case partBytes:
			data = append(data, part...)
		case partChunks:
			if data, err = r.appendChunks1(data, r.chunks[string(part)]); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("a part of kind %d", kind)
		}
	}
	if len(r.rest) > 0 {
		return nil, fmt.Errorf("%d bytes follow", len(r.rest))
	}
	return data, nil
}

// appendChunks1 appends the chunks of tiles among keys, of version 1, as a grid has them.
func (r *worldRecord) appendChunks1(dst []byte, keys []Key) ([]byte, error) {
	var all []piece
	for _, k := range keys {
		value, _, err := r.s.get(k, true)
		if err != nil {
			return nil, err
		}
		if !isTiles(value) {
			continue
		}
		var list []piece
		if len(value) < tilesHead || binary.LittleEndian.Uint16(value[4:]) != 1 {
			err = errors.New("it is of another version than the world")
		} else {
			list, err = readTiles1(value[tilesHead:])
		}
		if err != nil {
			return nil, &Fault{File: r.s.path, Place: k.String(), Err: err}
		}
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b piece) int { return cmp.Or(cmp.Compare(a.cy, b.cy), cmp.Compare(a.cx, b.cx)) })
	for _, p := range all {
		dst = p.append(dst)
	}
	return dst, nil
}
