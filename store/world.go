package store

import (
	"bytes"
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
	RecordName  = "name"  // the world's name, such as that of its map or scene: text
)

// The record of a world, little-endian: the letters "QWLD" and the version 1 (2 bytes); the number of parts (4 bytes), and the parts. Put
// together, these are a snapshot of the world (docs/snapshots.md). A part has a kind (1 byte), a length (4) and so many bytes: of kind 0 those of the
// snapshot; of kind 1 a ground's name, whose chunks are the snapshot's next bytes, by row, then column.
const (
	worldLetters = "QWLD"
	worldVersion = 1
	worldHead    = 4 + 2 + 4
	partBytes    = 0
	partChunks   = 1
)

// GroundName returns the name under which SaveWorld keeps the chunks of a ground: its id as a decimal number.
func GroundName(id quarry.GroundID) string { return strconv.FormatUint(uint64(id), 10) }

// SaveWorld puts the whole world into s and commits. s then holds no other world, but keeps records of other names. To save a
// world often, use a Saver.
func SaveWorld(s *Store, w *quarry.World) error {
	_, err := NewSaver(s, w).Save()
	return err
}

// LoadWorld makes w the world that s holds, as of the last SaveWorld or Save; see quarry.World.Restore. It returns an error, which names the
// file and the record or chunk, and changes nothing, if there is none, or if it is damaged.
func LoadWorld(s *Store, w *quarry.World) error {
	data, err := Snapshot(s)
	if err != nil {
		return err
	}
	if err := w.Restore(data); err != nil {
		return &Fault{File: s.path, Place: Record(RecordWorld).String(), Err: err}
	}
	return nil
}

// Snapshot returns the snapshot of the world that s holds, for quarry.World.Restore.
func Snapshot(s *Store) ([]byte, error) {
	refuse := func(format string, args ...any) ([]byte, error) {
		return nil, &Fault{File: s.path, Place: Record(RecordWorld).String(), Err: fmt.Errorf(format, args...)}
	}
	record, ok, err := s.Get(Record(RecordWorld))
	if err != nil {
		return nil, err
	} else if !ok {
		return refuse("%w", ErrNoWorld)
	}
	if len(record) < worldHead || string(record[:4]) != worldLetters {
		return refuse("it is no world")
	}
	if v := binary.LittleEndian.Uint16(record[4:]); v != worldVersion {
		return refuse("version %d of worlds: this program reads version %d", v, worldVersion)
	}
	chunks, err := chunksByGround(s)
	if err != nil {
		return nil, err
	}
	var data []byte
	n := binary.LittleEndian.Uint32(record[6:])
	record = record[worldHead:]
	for range n {
		if len(record) < 5 || int64(binary.LittleEndian.Uint32(record[1:])) > int64(len(record)-5) {
			return refuse("it ends within a part")
		}
		kind, part := record[0], record[5:][:binary.LittleEndian.Uint32(record[1:])]
		record = record[5+len(part):]
		switch kind {
		case partBytes:
			data = append(data, part...)
		case partChunks:
			if data, err = appendChunks(data, s, chunks[string(part)]); err != nil {
				return nil, err
			}
		default:
			return refuse("a part of kind %d", kind)
		}
	}
	if len(record) > 0 {
		return refuse("%d bytes follow", len(record))
	}
	return data, nil
}

// ErrNoWorld is the error of LoadWorld if no world was saved.
var ErrNoWorld = errors.New("no world was saved")

// chunksByGround returns the keys of all chunks by the name of their ground.
func chunksByGround(s *Store) (map[string][]Key, error) {
	of := map[string][]Key{}
	for k, err := range s.Keys() {
		if err != nil {
			return nil, err
		}
		if k.Ground != "" {
			of[k.Ground] = append(of[k.Ground], k)
		}
	}
	return of, nil
}

// appendChunks appends the chunks of tiles among keys, as a grid has them.
func appendChunks(dst []byte, s *Store, keys []Key) ([]byte, error) {
	var all []piece
	for _, k := range keys {
		value, ok, err := s.Get(k)
		if err != nil {
			return nil, err
		}
		if !ok || !isTiles(value) {
			continue
		}
		if all, err = readTiles(all, k, value); err != nil {
			return nil, &Fault{File: s.path, Place: k.String(), Err: err}
		}
	}
	slices.SortFunc(all, func(a, b piece) int { return cmp.Or(cmp.Compare(a.cy, b.cy), cmp.Compare(a.cx, b.cx)) })
	for _, p := range all {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(p.cx))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(p.cy))
		dst = append(dst, p.data...)
	}
	return dst, nil
}

// cutWorld cuts a snapshot of w into the record of a world, and gives the chunks of each ground to chunks. A ground whose
// tiles are not found in the snapshot remains within the record, which costs only time and room.
func cutWorld(w *quarry.World, snapshot, buffer []byte, chunks func(ground string, all []piece)) (record, used []byte) {
	record = binary.LittleEndian.AppendUint16([]byte(worldLetters), worldVersion)
	record = append(record, 0, 0, 0, 0)
	parts := uint32(0)
	part := func(kind byte, b []byte) {
		parts++
		record = binary.LittleEndian.AppendUint32(append(record, kind), uint32(len(b)))
		record = append(record, b...)
	}
	done := 0
	for g := range w.Grounds() {
		buffer = g.Grid().AppendBinary(append(buffer[:0], 0, 0, 0, 0, 0, 0, 0, 0))
		binary.LittleEndian.PutUint64(buffer, uint64(len(buffer)-8)) // so they are in the snapshot
		at := bytes.Index(snapshot[done:], buffer)
		head, all, tail, ok := cutGrid(buffer[8:])
		if at < 0 || !ok || len(all) == 0 {
			continue
		}
		at += done + 8
		part(partBytes, snapshot[done:at+len(head)])
		name := GroundName(g.ID())
		part(partChunks, []byte(name))
		chunks(name, all)
		done = at + len(buffer) - 8 - len(tail)
	}
	part(partBytes, snapshot[done:])
	binary.LittleEndian.PutUint32(record[6:], parts)
	return record, buffer
}
