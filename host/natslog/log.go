//go:build !js

package natslog

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quarry2d/quarry/host"
)

// Errors of the servers, by their code.
const (
	wrongLast = 10071 // the last message of the subject has another number
	inProcess = 10164 // another message of the subject is being stored, perhaps of ours; it means nothing
)

const (
	// busyRest is the time before an append that met inProcess is repeated.
	busyRest = 5 * time.Millisecond
	// batch is the number of messages that are asked for at once.
	batch = 512
	// answerWithin is the time within which each message of a batch comes.
	answerWithin = 2 * time.Second
)

// Append implements host.Log.
func (s *Store) Append(ctx context.Context, world string, after uint64, record []byte) (uint64, error) {
	stream, subject, err := s.log(world)
	if err != nil {
		return 0, err
	}
	for {
		// The name of the stream is not demanded, as that takes 28 bytes a record: a subject belongs to one stream.
		ack, err := s.js.Publish(ctx, subject, record, jetstream.WithExpectLastSequencePerSubject(after),
			jetstream.WithRetryAttempts(0))
		if err == nil && ack.Stream == stream {
			return ack.Sequence, nil
		}
		if err == nil {
			return 0, fmt.Errorf("natslog: world %s: the stream %s has its subject, not %s", world, ack.Stream, stream)
		}
		switch code(err) {
		case wrongLast:
			return 0, fmt.Errorf("natslog: world %s: %w: %w", world, host.ErrRefused, err)
		case inProcess:
			if rest(ctx, busyRest) {
				continue
			}
		}
		return 0, fmt.Errorf("natslog: world %s: %w", world, err)
	}
}

// code returns the code of an error of the servers, 0 if it is none.
func code(err error) jetstream.ErrorCode {
	if a := new(jetstream.APIError); errors.As(err, &a) {
		return a.ErrorCode
	}
	return 0
}

// rest waits, and returns false if ctx has ended.
func rest(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Read implements host.Log.
func (s *Store) Read(ctx context.Context, world string, after uint64, f func(uint64, []byte) error) error {
	stream, subject, err := s.log(world)
	if err != nil {
		return err
	}
	found := after == 0
	return s.read(ctx, stream, subject, max(after, 1)-1, func(m *nats.Msg, number uint64) error {
		if found {
			return f(number, m.Data)
		}
		if number != after {
			return fmt.Errorf("natslog: world %s: record %d: %w", world, after, host.ErrTrimmed)
		}
		found = true
		return nil
	})
}

// read calls f with the messages of a subject after a number. It asks in batches, directly: no consumer has to be made.
func (s *Store) read(ctx context.Context, stream, subject string, after uint64, f func(*nats.Msg, uint64) error) error {
	inbox := nats.NewInbox()
	sub, err := s.nc.SubscribeSync(inbox)
	if err != nil {
		return fmt.Errorf("natslog: %w", err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := sub.SetPendingLimits(-1, -1); err != nil {
		return fmt.Errorf("natslog: %w", err)
	}
	for more := true; more; {
		ask := fmt.Sprintf(`{"seq":%d,"batch":%d,"next_by_subj":%q}`, after+1, batch, subject)
		if err := s.nc.PublishRequest("$JS.API.DIRECT.GET."+stream, inbox, []byte(ask)); err != nil {
			return fmt.Errorf("natslog: %s: %w", subject, err)
		}
		if after, more, err = s.take(ctx, sub, after, f); err != nil {
			return err
		}
	}
	return nil
}

// take takes the messages of a batch. It returns the number of the last one, and whether there are more.
func (s *Store) take(ctx context.Context, sub *nats.Subscription, last uint64, f func(*nats.Msg, uint64) error) (
	uint64, bool, error,
) {
	for {
		within, cancel := context.WithTimeout(ctx, answerWithin)
		m, err := sub.NextMsgWithContext(within)
		cancel()
		if err != nil {
			return last, false, fmt.Errorf("natslog: reading: %w", err)
		}
		switch status := m.Header.Get("Status"); status {
		case "":
		case "404": // none
			return last, false, nil
		case "204": // the end of the batch
			left := m.Header.Get("Nats-Num-Pending")
			return last, left != "" && left != "0", nil
		default:
			return last, false, fmt.Errorf("natslog: reading: %s %s", status, m.Header.Get("Description"))
		}
		number, err := strconv.ParseUint(m.Header.Get("Nats-Sequence"), 10, 64)
		if err != nil || number <= last {
			return last, false, fmt.Errorf("natslog: reading: message %q after %d", m.Header.Get("Nats-Sequence"), last)
		}
		last = number
		if err := f(m, number); err != nil {
			return last, false, err
		}
	}
}
