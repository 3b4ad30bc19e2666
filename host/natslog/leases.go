//go:build !js

package natslog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/quarry2d/quarry/host"
)

const (
	// bucket is the name of the bucket of the leases.
	bucket = "q_leases"
	// watchRest is the time after which a watch that has not shown this host's own change is restarted.
	watchRest = time.Second
)

// Leases are entries in a bucket.
type Leases struct {
	js      jetstream.JetStream
	kv      jetstream.KeyValue
	stop    context.CancelFunc
	changed chan struct{}

	mu    sync.Mutex
	cache map[string]host.Entry
	seen  uint64             // the greatest revision that the watch has shown
	set   uint64             // the revision of the last own change
	stood uint64             // seen at a time
	since time.Time          // that time
	renew context.CancelFunc // ends the watch, and another is begun
}

func newLeases(js jetstream.JetStream, kv jetstream.KeyValue) *Leases {
	ctx, stop := context.WithCancel(context.Background())
	l := &Leases{
		js: js, kv: kv, stop: stop, changed: make(chan struct{}, 1), cache: map[string]host.Entry{}, since: time.Now(),
		renew: func() {}, // there is no watch yet
	}
	go func() {
		for ctx.Err() == nil {
			l.watch(ctx)
			rest(ctx, 50*time.Millisecond)
		}
	}()
	return l
}

// watch fills the cache until the watch ends, or is found to stand still.
func (l *Leases) watch(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := l.kv.WatchAll(ctx)
	if err != nil {
		return
	}
	defer func() { _ = w.Stop() }()
	l.mu.Lock()
	l.renew = cancel
	l.mu.Unlock()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.Updates():
			if !ok {
				return
			}
			if e != nil {
				l.note(host.Entry{Key: e.Key(), Value: e.Value(), Revision: e.Revision()}, true)
			}
		}
	}
}

// note notes an entry.
func (l *Leases) note(e host.Entry, watched bool) {
	l.mu.Lock()
	if watched {
		l.seen = max(l.seen, e.Revision)
	}
	newer := e.Revision > l.cache[e.Key].Revision
	if newer {
		l.cache[e.Key] = e
	}
	l.mu.Unlock()
	if newer && watched {
		select {
		case l.changed <- struct{}{}:
		default:
		}
	}
}

// Set implements host.Leases.
func (l *Leases) Set(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	next, err := l.kv.Update(ctx, key, value, revision)
	if err == nil {
		l.note(host.Entry{Key: key, Value: slices.Clone(value), Revision: next}, false)
		l.mu.Lock()
		l.set = max(l.set, next)
		l.mu.Unlock()
		return next, nil
	}
	if c := code(err); c == wrongLast || errors.Is(err, jetstream.ErrKeyExists) {
		go func() { // the watch may lag
			ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
			defer cancel()
			_, _ = l.Get(ctx, key)
		}()
		return 0, fmt.Errorf("natslog: %s: %w", key, host.ErrRefused)
	}
	return 0, fmt.Errorf("natslog: %s: %w", key, err)
}

// Get implements host.Leases. It asks the leader of the bucket, whose answer is not old.
func (l *Leases) Get(ctx context.Context, key string) (host.Entry, error) {
	stream, err := l.js.Stream(ctx, "KV_"+bucket)
	if err != nil {
		return host.Entry{}, fmt.Errorf("natslog: %s: %w", key, err)
	}
	m, err := stream.GetLastMsgForSubject(ctx, "$KV."+bucket+"."+key)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return host.Entry{}, fmt.Errorf("natslog: %s: %w", key, host.ErrNone)
	}
	if err != nil {
		return host.Entry{}, fmt.Errorf("natslog: %s: %w", key, err)
	}
	e := host.Entry{Key: key, Value: m.Data, Revision: m.Sequence}
	l.note(e, false)
	return e, nil
}

// Entries implements host.Leases with the entries that the watch has shown so far. A watch that does not show this
// host's own change is restarted.
func (l *Leases) Entries(context.Context) (list []host.Entry, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch now := time.Now(); {
	case l.set <= l.seen || l.seen != l.stood:
		l.stood, l.since = l.seen, now
	case now.Sub(l.since) > watchRest:
		l.since = now
		l.renew()
	}
	for _, e := range l.cache {
		if e.Key != "layout" {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b host.Entry) int { return strings.Compare(a.Key, b.Key) })
	return list, nil
}

// Changed implements host.Leases.
func (l *Leases) Changed() <-chan struct{} { return l.changed }
