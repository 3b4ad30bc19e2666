//go:build !js

package natslog

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/quarry2d/quarry/host"
)

// Trim implements host.Log. NATS purges the records, and the snapshots before that one are deleted.
func (s *Store) Trim(ctx context.Context, world string, number uint64, whole bool) error {
	stream, subject, err := s.log(world)
	if err != nil {
		return err
	}
	if err := s.trim(ctx, stream, subject, world, number, whole); err != nil {
		return fmt.Errorf("natslog: world %s: trim to snapshot %d: %w", world, number, err)
	}
	return nil
}

func (s *Store) trim(ctx context.Context, stream, subject, world string, number uint64, whole bool) error {
	if there, err := s.hasSnapshot(ctx, world, number); err != nil || !there {
		return errors.Join(host.ErrNone, err)
	}
	log := s.streams[stream]
	first, records := number, jetstream.WithPurgeSubject(subject)
	if whole {
		m, err := log.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(subject))
		if err != nil {
			return err
		}
		first = m.Sequence
	} else if err := log.Purge(ctx, records, jetstream.WithPurgeSequence(number)); err != nil {
		return err
	}
	return s.dropSnapshots(ctx, world, number, first)
}

// dropSnapshots deletes the snapshots before a number, apart from the snapshot of the first record.
func (s *Store) dropSnapshots(ctx context.Context, world string, before, first uint64) error {
	snaps, parts := s.streams["QSNAP"], s.streams["QPART"]
	prefix := "q.snap." + world + "."
	info, err := snaps.Info(ctx, jetstream.WithSubjectFilter(prefix+"*"))
	if err != nil {
		return err
	}
	for subject := range info.State.Subjects {
		n, err := strconv.ParseUint(strings.TrimPrefix(subject, prefix), 10, 64)
		if err != nil || n >= before || n == first {
			continue
		}
		if err := snaps.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
			return err
		}
		if err := parts.Purge(ctx, jetstream.WithPurgeSubject(fmt.Sprintf("q.part.%s.%d.*", world, n))); err != nil {
			return err
		}
	}
	return nil
}
