package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// owner is the entry of a world: the host that runs it, and which of the processes of that name.
type owner struct {
	host     string // "": nobody
	life     uint64
	revision uint64
}

// encode returns the value of the entry.
func (o owner) encode() []byte {
	if o.host == "" {
		return nil
	}
	return []byte(o.host + "/" + strconv.FormatUint(o.life, 10))
}

// decodeOwner decodes the entry of a world. A damaged one counts as a world that nobody runs.
func decodeOwner(e *Entry) *owner {
	o := &owner{revision: e.Revision}
	name, life, ok := strings.Cut(string(e.Value), "/")
	if n, err := strconv.ParseUint(life, 10, 64); ok && err == nil {
		o.host, o.life = name, n
	}
	return o
}

// lives reports whether an owner may run its world. Whoever is not known to be dead lives.
func (h *Host) lives(o *owner) bool {
	switch {
	case o.host == "":
		return false
	case o.host == h.config.Name:
		return o.life > h.lease.self.Life
	}
	p := h.peers[o.host]
	return p == nil || o.life > p.Life || o.life == p.Life && p.State != finished
}

// place takes over the worlds that nobody runs and that fall to this host.
func (h *Host) place() {
	if h.draining.Load() || !h.lease.joined {
		return
	}
	takers := h.takers()
	for _, name := range slices.Sorted(maps.Keys(h.owners)) {
		o := h.owners[name]
		switch w := h.worlds[name]; {
		case w != nil:
			if !w.gone.Load() {
				h.rebalance(w, takers)
			}
		case !h.taking[name] && !h.releasing[name] && len(h.taking) < maxEngage && h.room() && !h.lives(o) &&
			(h.mine(o) || first(name, takers) == h.config.Name):
			h.take(name, *o)
		}
	}
}

// mine reports whether the host is the owner. If the world does not run here, its takeover has failed.
func (h *Host) mine(o *owner) bool { return o.host == h.config.Name && o.life == h.lease.self.Life }

// room reports whether the host may take one more world.
func (h *Host) room() bool {
	return !h.config.Idle && !h.draining.Load() &&
		(h.config.Capacity == 0 || len(h.worlds)+len(h.taking) < h.config.Capacity)
}

// takers returns the hosts that may take a world over.
func (h *Host) takers() (list []string) {
	if h.room() {
		list = append(list, h.config.Name)
	}
	for name, p := range h.peers {
		if name != h.config.Name && p.State == alive && !p.Idle && (p.Capacity == 0 || p.Worlds < p.Capacity) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// first returns the host of a list that comes first for a world, "" if the list is empty. If a host comes or goes, only
// its own worlds move (rendezvous hashing).
func first(world string, hosts []string) string {
	if len(hosts) == 0 {
		return ""
	}
	return slices.MaxFunc(hosts, func(a, b string) int { return cmp.Compare(score(world, a), score(world, b)) })
}

func score(world, host string) uint64 {
	f := fnv.New64a()
	f.Write([]byte(world + "/" + host))
	x := f.Sum64()
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// rebalance hands a world over if it falls to another host that has been there for two leases. One world at a time
// moves, so that the others have room for it.
func (h *Host) rebalance(w *World, takers []string) {
	to := first(w.name, takers)
	if to == "" || to == h.config.Name || h.moving() {
		return
	}
	if now := h.clock.mono(); now-h.peers[to].since < 2*h.config.Lease || now-w.began < 2*h.config.Lease {
		return
	}
	h.config.Logger.Info("hand over", "world", w.name, "to", to)
	w.leave.Store(true)
}

// moving reports whether a world is being handed over.
func (h *Host) moving() bool {
	for _, w := range h.worlds {
		if w.leave.Load() {
			return true
		}
	}
	return false
}

// take sets the entry of a world to this host, and takes the world over.
func (h *Host) take(name string, o owner) {
	h.taking[name] = true
	delete(h.given, name)
	me := owner{host: h.config.Name, life: h.lease.self.Life}
	h.set(name, o.revision, me, func(err error) {
		switch {
		case err != nil || h.lease.self.Life != me.life || !h.taking[name]:
			delete(h.taking, name) // the next look tells
		default:
			h.takeOver(name)
		}
	})
}

// set sets the entry of a world, and calls done with the host locked.
func (h *Host) set(name string, revision uint64, to owner, done func(error)) {
	var next uint64
	var err error
	h.ask(func() {
		ctx, cancel := h.timeout()
		defer cancel()
		next, err = h.config.Leases.Set(ctx, worldKey+name, to.encode(), revision)
	}, func() {
		if o := h.owners[name]; err == nil && next > o.revision {
			to.revision = next
			h.owners[name] = &to
		}
		done(err)
	})
}

// Create makes a world of a scene, in which additions are refused at maxBodies bodies (see play.New). Some host takes
// it over soon. It returns ErrRefused, wrapped, if there is a world of that name.
func Create(ctx context.Context, log Log, leases Leases, name, scene string, maxBodies int) error {
	return CreateOf(ctx, log, leases, name, Record{Scene: scene, MaxBodies: maxBodies})
}

// CreateOf is Create by a record, of which Scene, World, Paused and MaxBodies count.
func CreateOf(ctx context.Context, log Log, leases Leases, name string, birth Record) error {
	if err := CheckName(name); err != nil {
		return fmt.Errorf("host: %w", err)
	}
	if len(birth.Scene) > MaxName || len(birth.World) > MaxWorld || birth.MaxBodies < 0 || birth.MaxBodies > 1<<30 {
		return fmt.Errorf("host: world %s: the scene %.80q, the limit of %d bodies or a packed world of %d bytes is "+
			"out of range", name, birth.Scene, birth.MaxBodies, len(birth.World))
	}
	birth.Kind = Birth
	b, err := birth.AppendBinary(nil)
	if err != nil {
		return err
	}
	list, err := birth.parts(b, maxPart)
	if err != nil {
		return err
	}
	born, after := error(nil), uint64(0)
	for _, b := range list {
		if born == nil {
			after, born = log.Append(ctx, name, after, b)
		}
	}
	if born != nil && !errors.Is(born, ErrRefused) {
		return fmt.Errorf("host: world %s: %w", name, born)
	}
	// A world that was born without an entry gets it now.
	if _, err := leases.Set(ctx, worldKey+name, nil, 0); err != nil {
		return fmt.Errorf("host: world %s: %w", name, err)
	}
	return nil
}
