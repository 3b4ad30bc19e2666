package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/quarry2d/quarry/play"
)

// snapshotMagic begins a snapshot. Its last byte is the version.
const snapshotMagic = "QHOST\x00\x00\x01"

var (
	errDamaged = errors.New("it is damaged")
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

const (
	flagPaused = 1
	flagFinal  = 2
	flagSpeed  = 4 // the speed follows the flags
	flagRepeat = 8
)

// snapshot is a state at rest, with its place in the log.
type snapshot struct {
	epoch  uint64 // of the owner that made it
	number uint64 // of the last record that it contains
	step   uint64
	time   int64  // the owner's clock, in milliseconds
	engine string // the version of the engine that made it
	final  bool   // the owner made no step after it
	hash   uint64
	state  *state
}

// append appends the binary form of a snapshot: the magic, a head, the snapshot of play, and a checksum.
func (s *snapshot) append(dst []byte) ([]byte, error) {
	start := len(dst)
	dst = append(dst, snapshotMagic...)
	for _, x := range [...]uint64{
		s.epoch, s.number, s.step, uint64(s.time), s.state.base, uint64(s.state.pending), s.state.started,
	} {
		dst = binary.AppendUvarint(dst, x)
	}
	flags := byte(0)
	if s.state.paused {
		flags |= flagPaused
	}
	if s.final {
		flags |= flagFinal
	}
	if s.state.repeats {
		flags |= flagRepeat
	}
	if s.state.speed != NormalSpeed {
		dst = append(dst, flags|flagSpeed, byte(s.state.speed))
	} else {
		dst = append(dst, flags)
	}
	dst = appendText(dst, s.engine)
	dst = binary.LittleEndian.AppendUint64(dst, s.hash)
	dst, err := s.state.world.AppendSnapshot(s.state.sessions.append(dst))
	if err != nil {
		return dst, err
	}
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli)), nil
}

// restore makes a state of a snapshot. It returns an error if the snapshot is damaged, or if the hash of the state is
// not the recorded one.
func restore(b []byte, find Finder) (*snapshot, error) {
	s, err := decodeSnapshot(b, find)
	if err != nil {
		return nil, err
	}
	if h := s.state.hash(); h != s.hash || s.state.steps() != s.step {
		return nil, fmt.Errorf("host: snapshot: %w: after step %d its hash is %016x, want %016x after step %d",
			errBits, s.state.steps(), h, s.hash, s.step)
	}
	return s, nil
}

// decodeSnapshot is restore without a comparison of hashes, which differ between some versions of the engine.
func decodeSnapshot(b []byte, find Finder) (*snapshot, error) {
	n := len(b) - 4
	if n < len(snapshotMagic) || string(b[:len(snapshotMagic)]) != snapshotMagic {
		return nil, errors.New("host: snapshot: it is none, or of another version")
	}
	if crc32.Checksum(b[:n], castagnoli) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, fmt.Errorf("host: snapshot: %w", errDamaged)
	}
	r := reader{b: b[len(snapshotMagic):n]}
	s := &snapshot{state: &state{find: find}}
	s.epoch, s.number, s.step, s.time = r.uvarint(), r.uvarint(), r.uvarint(), int64(r.uvarint())
	st := s.state
	st.base, st.pending, st.started = r.uvarint(), int(min(r.uvarint(), MaxPending)), r.uvarint()
	flags := r.byte()
	st.paused, s.final, st.speed = flags&flagPaused != 0, flags&flagFinal != 0, NormalSpeed
	st.repeats = flags&flagRepeat != 0
	if flags&flagSpeed != 0 {
		if st.speed = int(r.byte()); st.speed < 1 || st.speed > MaxSpeed {
			r.fail(errDamaged)
		}
	}
	s.engine, s.hash = string(r.bytes(maxEngine)), r.uint64()
	st.sessions = r.sessions()
	if r.err != nil {
		return nil, fmt.Errorf("host: snapshot: %w", r.err)
	}
	w, err := play.Restore(r.b, find)
	if err != nil {
		return nil, fmt.Errorf("host: snapshot: %w", err)
	}
	st.world, st.most = w, w.MaxBodies()
	return s, nil
}
