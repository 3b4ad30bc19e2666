package host

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"time"
)

// hostKey and worldKey begin the keys of entries.
const (
	hostKey  = "host/"
	worldKey = "world/"
)

// member is the value of the entry of a host.
type member struct {
	Life     uint64 `json:"life"`    // grows with each start of a process of that name
	Entropy  uint64 `json:"entropy"` // tells two processes of one name apart
	State    string `json:"state"`
	Worlds   int    `json:"worlds"`
	Capacity int    `json:"capacity,omitempty"`
	Engine   string `json:"engine"`
	Address  string `json:"address,omitempty"`
	Idle     bool   `json:"idle,omitempty"` // it takes no world
}

// The states of a member.
const (
	alive    = "alive"
	leaving  = "draining"
	finished = "dead" // deposed, or drained
)

// lease is the host's own entry.
type lease struct {
	joined   bool
	busy     bool          // a request is under way
	asked    time.Duration // when it began
	try      int           // its number
	revision uint64
	self     member
}

// peer is another host, or an earlier process of this host's name, as seen by this host.
type peer struct {
	member
	revision uint64
	since    time.Duration // when it was first seen alive in this life
	changed  time.Duration // when the revision last changed, or the store began to answer again
}

// Beat renews the lease, and looks for worlds to take over. Run calls it four times a lease.
func (h *Host) Beat() {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.clock.mono()
	if h.lease.busy && now-h.lease.asked < h.config.Lease/4 {
		return // an answer that comes later than that is taken for lost
	}
	h.lease.busy, h.lease.asked = true, now
	h.lease.try++
	if !h.lease.joined {
		h.join()
		return
	}
	self := &h.lease.self
	self.State, self.Worlds = alive, len(h.worlds)
	if h.draining.Load() {
		self.State = leaving
	}
	h.renew()
}

// askLease calls io on another goroutine, and then done with the host locked, unless the next request has begun by
// then.
func (h *Host) askLease(io func(ctx context.Context), done func()) {
	try := h.lease.try
	h.ask(func() {
		ctx, cancel := h.timeout()
		defer cancel()
		io(ctx)
	}, func() {
		if try == h.lease.try {
			done()
		}
	})
}

// renew sets the host's entry.
func (h *Host) renew() {
	began, value, revision := h.clock.mono(), h.lease.self.encode(), h.lease.revision
	var next uint64
	var err error
	h.askLease(func(ctx context.Context) {
		next, err = h.config.Leases.Set(ctx, hostKey+h.config.Name, value, revision)
	}, func() {
		switch {
		case err == nil:
			h.held(began, next)
		case errors.Is(err, ErrRefused):
			h.doubt(began)
		default:
			h.lease.busy = false
		}
	})
}

// held notes a renewal, or the joining, that began at a time. If it is the first for long, the store did not answer, or
// this process was stopped: then the silence of others so far proves nothing.
func (h *Host) held(began time.Duration, revision uint64) {
	if began-time.Duration(h.renewed.Load()) > h.config.Lease/2 {
		for _, p := range h.peers {
			p.changed = h.clock.mono()
		}
	}
	h.lease.busy, h.lease.joined, h.lease.revision = false, true, revision
	h.renewed.Store(int64(began))
	h.handing.Store(h.lease.self.State == leaving)
	h.look()
}

// doubt reads the own entry after a refusal: either the answer to an earlier renewal was lost, or the host has been
// deposed.
func (h *Host) doubt(began time.Duration) {
	var e Entry
	var err error
	h.askLease(func(ctx context.Context) {
		e, err = h.config.Leases.Get(ctx, hostKey+h.config.Name)
	}, func() {
		if err != nil && !errors.Is(err, ErrNone) {
			h.lease.busy = false
			return
		}
		if m := decodeMember(e.Value); err == nil && m.Entropy == h.lease.self.Entropy && m.State != finished {
			h.held(began, e.Revision)
			return
		}
		h.deposed()
	})
}

// deposed gives up all worlds. The host then joins again as a new one.
func (h *Host) deposed() {
	h.config.Logger.Warn("deposed: the host was silent for a lease", "host", h.config.Name)
	h.stats.deposed.Add(1)
	h.lease = lease{try: h.lease.try + 1}
	for _, w := range h.worlds {
		w.lose()
	}
	clear(h.taking)
}

// join reads the entry of the host's name, and sets it if no other process renews it.
func (h *Host) join() {
	var e Entry
	var err error
	h.askLease(func(ctx context.Context) {
		e, err = h.config.Leases.Get(ctx, hostKey+h.config.Name)
	}, func() {
		none := errors.Is(err, ErrNone)
		if err != nil && !none || h.draining.Load() {
			h.lease.busy = false
			return
		}
		before := decodeMember(e.Value)
		if !none && before.State != finished && !h.silent(h.config.Name, e, before) {
			h.lease.busy = false // another process of this name may live
			return
		}
		h.lease.revision = e.Revision
		h.lease.self = member{
			Life: before.Life + 1, Entropy: h.random(), State: alive, Capacity: h.config.Capacity,
			Engine: h.config.Engine, Address: h.config.Address, Idle: h.config.Idle,
		}
		h.renew()
	})
}

// random returns a number that no other process has.
func (h *Host) random() uint64 {
	if h.clock.random != nil {
		return h.clock.random()
	}
	return rand.Uint64()
}

// silent notes an entry of a host, and reports whether it has not changed for a lease while the store answered: while
// this host joined, or renewed its own lease.
func (h *Host) silent(name string, e Entry, m member) bool {
	now := h.clock.mono()
	p := h.peers[name]
	if p == nil || e.Revision > p.revision {
		since := now
		if p != nil && p.Life == m.Life && p.State == alive {
			since = p.since
		}
		h.peers[name] = &peer{m, e.Revision, since, now}
		return false
	}
	answers := !h.lease.joined || now-time.Duration(h.renewed.Load()) <= h.config.Lease/2
	return answers && e.Revision == p.revision && now-p.changed >= h.config.Lease
}

// patience returns the time until the next of the others that live will have been silent for a lease, if it stays so,
// or the time between two beats.
func (h *Host) patience() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	now, least := h.clock.mono(), h.config.Lease/4
	for _, p := range h.peers {
		if left := p.changed + h.config.Lease - now; left > 0 && p.State != finished {
			least = min(least, left)
		}
	}
	return least
}

// Look looks for worlds to take over. Run calls it after a hint that entries have changed, and when another host has
// been silent for a lease.
func (h *Host) Look() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.look()
}

// look reads all entries.
func (h *Host) look() {
	if !h.lease.joined {
		return
	}
	var all []Entry
	var err error
	h.ask(func() {
		ctx, cancel := h.timeout()
		defer cancel()
		all, err = h.config.Leases.Entries(ctx)
	}, func() {
		if err != nil {
			return
		}
		for i := range all {
			h.see(&all[i])
		}
		h.place()
	})
}

// see notes an entry, and deposes a host that is silent.
func (h *Host) see(e *Entry) {
	if name, ok := strings.CutPrefix(e.Key, worldKey); ok {
		if o := h.owners[name]; o == nil || e.Revision > o.revision {
			h.owners[name] = decodeOwner(e)
			if h.lives(h.owners[name]) {
				delete(h.given, name)
			}
		}
		return
	}
	name, ok := strings.CutPrefix(e.Key, hostKey)
	if !ok || name == h.config.Name {
		return
	}
	if m := decodeMember(e.Value); h.silent(name, *e, m) && m.State != finished && h.lease.joined {
		h.depose(name, *e, m)
	}
}

// depose sets the entry of a silent host to dead. If it lives, its entry has another revision, and that is refused.
func (h *Host) depose(name string, e Entry, m member) {
	p := h.peers[name]
	p.changed = h.clock.mono() // not again before another lease
	m.State = finished
	var next uint64
	var err error
	h.ask(func() {
		ctx, cancel := h.timeout()
		defer cancel()
		next, err = h.config.Leases.Set(ctx, e.Key, m.encode(), e.Revision)
	}, func() {
		h.config.Logger.Info("depose", "host", name, "err", err)
		if err == nil && next > p.revision {
			p.member, p.revision = m, next
			h.place()
		}
	})
}

func (m member) encode() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic("quarry: host: " + err.Error()) // impossible: it has numbers and texts
	}
	return b
}

// decodeMember decodes the entry of a host. A damaged one counts as a dead host.
func decodeMember(b []byte) (m member) {
	if json.Unmarshal(b, &m) != nil || m.State == "" {
		return member{State: finished}
	}
	return m
}
