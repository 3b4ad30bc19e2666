//go:build !js

package natslog

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quarry2d/quarry/host"
)

// shelf is a host.Shelf of a world. A file is a message of q.kept.<world>.<name>, and parts under a number of its own,
// so that who reads meanwhile gets the old file or the new one.
type shelf struct {
	s     *Store
	world string
}

// Shelf returns the shelf of a world.
func (s *Store) Shelf(world string) host.Shelf { return shelf{s, world} }

func (f shelf) prefix() string { return "q.kept." + f.world + "." }

// subject returns the subject of a file.
func (f shelf) subject(name string) (string, error) {
	err := host.CheckName(f.world)
	if err == nil {
		err = host.CheckItem(name)
	}
	if err != nil {
		return "", fmt.Errorf("natslog: %w", err)
	}
	return f.prefix() + base64.RawURLEncoding.EncodeToString([]byte(name)), nil
}

// meta returns the message of a file, or host.ErrNone.
func (f shelf) meta(ctx context.Context, subject string) ([]byte, error) {
	m, err := f.s.streams["QKEPT"].GetLastMsgForSubject(ctx, subject)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return nil, host.ErrNone
	case err != nil:
		return nil, fmt.Errorf("natslog: %s: %w", subject, err)
	case len(m.Data) < metaBytes:
		return nil, fmt.Errorf("natslog: %s is damaged", subject)
	}
	return m.Data, nil
}

// Put implements host.Shelf.
func (f shelf) Put(ctx context.Context, name string, b []byte) error {
	subject, err := f.subject(name)
	if err != nil {
		return err
	}
	old, err := f.meta(ctx, subject)
	if err != nil && !errors.Is(err, host.ErrNone) {
		return err
	}
	var number [8]byte
	_, _ = rand.Read(number[:]) // never fails
	err = f.s.put(ctx, "QKEPT", subject, f.world, binary.LittleEndian.Uint64(number[:]), b, 0)
	if err != nil || old == nil {
		return err
	}
	return f.dropParts(ctx, old)
}

// dropParts deletes the parts of a file that has been replaced or dropped.
func (f shelf) dropParts(ctx context.Context, meta []byte) error {
	subject := fmt.Sprintf("q.part.%s.%d.*", f.world, binary.LittleEndian.Uint64(meta))
	if err := f.s.streams["QPART"].Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
		return fmt.Errorf("natslog: world %s: %w", f.world, err)
	}
	return nil
}

// Get implements host.Shelf.
func (f shelf) Get(ctx context.Context, name string) ([]byte, error) {
	subject, err := f.subject(name)
	if err != nil {
		return nil, err
	}
	meta, err := f.meta(ctx, subject)
	if err != nil {
		return nil, err
	}
	return f.s.whole(ctx, f.world, binary.LittleEndian.Uint64(meta), meta)
}

// Drop implements host.Shelf.
func (f shelf) Drop(ctx context.Context, name string) error {
	subject, err := f.subject(name)
	if err != nil {
		return err
	}
	meta, err := f.meta(ctx, subject)
	if err != nil {
		return err
	}
	if err := f.s.streams["QKEPT"].Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
		return fmt.Errorf("natslog: %s: %w", subject, err)
	}
	return f.dropParts(ctx, meta)
}

// List implements host.Shelf.
func (f shelf) List(ctx context.Context) (list []host.Item, err error) {
	if err := host.CheckName(f.world); err != nil {
		return nil, fmt.Errorf("natslog: %w", err)
	}
	err = f.s.read(ctx, "QKEPT", f.prefix()+"*", 0, func(m *nats.Msg, _ uint64) error {
		name, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(m.Header.Get("Nats-Subject"), f.prefix()))
		if err != nil || len(m.Data) < metaBytes+8 {
			return nil // not ours
		}
		at, _ := time.Parse(time.RFC3339Nano, m.Header.Get("Nats-Time-Stamp")) // 0 if it is none
		length := binary.LittleEndian.Uint64(m.Data[metaBytes:])
		list = append(list, host.Item{Name: string(name), Bytes: int64(length), Time: at})
		return nil
	})
	slices.SortFunc(list, func(a, b host.Item) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}
