//go:build !js

package natslog

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quarry2d/quarry/host"
)

const (
	// partBytes is the length of the parts of a snapshot: below the 1 MB that a message may have.
	partBytes = 512 << 10
	// maxParts bounds the parts of a snapshot.
	maxParts = 1 << 12
	// maxSnapshot bounds the length of a snapshot.
	maxSnapshot = 1 << 31
	// window is how far back the compression looks. A longer one makes no snapshot shorter, and takes memory: the usual
	// 4 MB take 16 MB.
	window = 512 << 10
)

// A message of q.snap.<world>.<number>, and of q.kept.<world>.<name>, is a number (8 bytes; of a snapshot, the last
// record's), the number of parts (4), a checksum of the compressed bytes (4), and the compressed bytes, or their length
// before (8) if they are in parts.
const metaBytes = 16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// coders compress and expand snapshots.
var coders = sync.OnceValue(func() (c struct {
	pack   *zstd.Encoder
	unpack *zstd.Decoder
},
) {
	var err, bad error
	c.pack, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2),
		zstd.WithWindowSize(window))
	c.unpack, bad = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxSnapshot))
	if err = errors.Join(err, bad); err != nil {
		panic("quarry: natslog: " + err.Error()) // impossible: the options are constants
	}
	return c
})

// Keep implements host.Log.
func (s *Store) Keep(ctx context.Context, world string, number uint64, snapshot []byte) error {
	if err := host.CheckName(world); err != nil {
		return fmt.Errorf("natslog: %w", err)
	}
	switch there, err := s.hasSnapshot(ctx, world, number); {
	case err != nil:
		return fmt.Errorf("natslog: world %s: snapshot: %w", world, err)
	case there:
		return nil
	}
	return s.put(ctx, "QSNAP", snapSubject(world, number), world, number, snapshot, partBytes)
}

// put publishes bytes to a subject of a stream, compressed. If they are longer than most then, they are in parts of the
// world and the number.
func (s *Store) put(
	ctx context.Context, stream, subject, world string, number uint64, b []byte, most int,
) error {
	packed := coders().pack.EncodeAll(b, make([]byte, metaBytes, metaBytes+len(b)/4))
	parts := 0
	if n := len(packed) - metaBytes; n > most {
		parts = (n + partBytes - 1) / partBytes
	}
	if parts > maxParts {
		return fmt.Errorf("natslog: world %s: %d bytes are too many", world, len(b))
	}
	binary.LittleEndian.PutUint64(packed, number)
	binary.LittleEndian.PutUint32(packed[8:], uint32(parts))
	binary.LittleEndian.PutUint32(packed[12:], crc32.Checksum(packed[metaBytes:], castagnoli))
	for i := range parts {
		from := metaBytes + i*partBytes
		part := packed[from:min(len(packed), from+partBytes)]
		if _, err := s.js.Publish(ctx, partSubject(world, number, i), part); err != nil {
			return fmt.Errorf("natslog: world %s: part %d: %w", world, i, err)
		}
	}
	if parts > 0 {
		packed = binary.LittleEndian.AppendUint64(packed[:metaBytes], uint64(len(b)))
	}
	if _, err := s.js.Publish(ctx, subject, packed, jetstream.WithExpectStream(stream)); err != nil {
		return fmt.Errorf("natslog: world %s: %s: %w", world, subject, err)
	}
	return nil
}

// hasSnapshot reports whether there is a snapshot of a number.
func (s *Store) hasSnapshot(ctx context.Context, world string, number uint64) (bool, error) {
	_, err := s.streams["QSNAP"].GetLastMsgForSubject(ctx, snapSubject(world, number))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil, err
}

func snapSubject(world string, number uint64) string {
	return fmt.Sprintf("q.snap.%s.%d", world, number)
}

func partSubject(world string, number uint64, i int) string {
	return fmt.Sprintf("q.part.%s.%d.%d", world, number, i)
}

// metas returns the messages of the snapshots of a world, the greatest number first.
func (s *Store) metas(ctx context.Context, world string) (list [][]byte, err error) {
	err = s.read(ctx, "QSNAP", "q.snap."+world+".*", 0, func(m *nats.Msg, _ uint64) error {
		if len(m.Data) >= metaBytes {
			list = append(list, m.Data)
		}
		return nil
	})
	slices.SortFunc(list, func(a, b []byte) int {
		return cmp.Compare(binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(a))
	})
	return list, err
}

// Kept implements host.Log. A snapshot that is damaged is passed over.
func (s *Store) Kept(ctx context.Context, world string, most uint64) (uint64, []byte, error) {
	if err := host.CheckName(world); err != nil {
		return 0, nil, fmt.Errorf("natslog: %w", err)
	}
	list, err := s.metas(ctx, world)
	if err != nil {
		return 0, nil, err
	}
	for _, meta := range list {
		number := binary.LittleEndian.Uint64(meta)
		if number > most {
			continue
		}
		b, err := s.whole(ctx, world, number, meta)
		if err == nil {
			return number, b, nil
		}
		if ctx.Err() != nil {
			return 0, nil, err
		}
	}
	return 0, nil, host.ErrNone
}

// whole returns the bytes that put has published with a message.
func (s *Store) whole(ctx context.Context, world string, number uint64, meta []byte) ([]byte, error) {
	packed := meta[metaBytes:]
	parts := int(binary.LittleEndian.Uint32(meta[8:]))
	if parts > 0 {
		packed = nil
		for i := range min(parts, maxParts) {
			m, err := s.streams["QPART"].GetLastMsgForSubject(ctx, partSubject(world, number, i))
			if err != nil {
				return nil, fmt.Errorf("natslog: world %s: part %d of %d: %w", world, i, number, err)
			}
			packed = append(packed, m.Data...)
		}
	}
	if crc32.Checksum(packed, castagnoli) != binary.LittleEndian.Uint32(meta[12:]) {
		return nil, fmt.Errorf("natslog: world %s: the bytes with number %d are damaged", world, number)
	}
	return coders().unpack.DecodeAll(packed, nil)
}
