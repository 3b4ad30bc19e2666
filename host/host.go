package host

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quarry2d/quarry/scene"
)

// Config configures a Host.
type Config struct {
	// Name is the name of the host, for which CheckName holds. No other process may run with it at the same time.
	Name   string
	Log    Log
	Leases Leases
	// Bus carries inputs and frames from and to other processes; nil: there are none.
	Bus Bus
	// Shelf returns where worlds are kept under names for a world; nil: nowhere.
	Shelf func(world string) Shelf
	// Scenes finds the scenes of worlds; nil means scene.Get.
	Scenes Finder
	// Lease is the time after which a silent host is deposed; 0 means 2 s. All hosts should have the same.
	Lease time.Duration
	// Snapshot is the longest time between two snapshots of a world that moves; 0 means 30 s.
	Snapshot time.Duration
	// Replay is the time that a takeover may take to make the steps since the last snapshot: then the next is due
	// before Snapshot has passed. 0 means 250 ms.
	Replay time.Duration
	// Mark is the longest time without a record of a world that moves; 0 means a minute. A takeover makes the steps
	// since the last record, for at most twice that time.
	Mark time.Duration
	// Whole keeps all records of the worlds. Otherwise those before the snapshot before the last are dropped.
	Whole bool
	// Quick says that an append takes no time, as to a file that is flushed later: the worlds make it themselves, and
	// need no goroutine, for which they would wait where the machine is busy.
	Quick bool
	// Address is told to the other hosts, for those who bring players to the owner of a world.
	Address string
	// Idle takes no world: the host only knows who runs which.
	Idle bool
	// Capacity is the number of worlds that the host runs at most; 0 means any number.
	Capacity int
	// Engine is the version of the engine, which decides whether a host may replay the records of another; "" means
	// Engine(). Two versions need not have the same bits.
	Engine string
	// Serve runs a world that the host has taken over, as World.Run does, which nil means: it calls World.Tick 60 times
	// a second until that returns false. It is called on a new goroutine.
	Serve func(w *World)
	// Logger gets the events of the host and of its worlds; nil: nobody.
	Logger Logger
}

// Logger is a slog.Logger, which would make a page without a server larger by 100 KB.
type Logger interface {
	Info(text string, fields ...any)
	Warn(text string, fields ...any)
	Error(text string, fields ...any)
}

// silent is a Logger of nobody.
type silent struct{}

func (silent) Info(string, ...any)  {}
func (silent) Warn(string, ...any)  {}
func (silent) Error(string, ...any) {}

// The limits of a configuration.
const (
	MinLease   = 100 * time.Millisecond
	MaxLease   = time.Minute
	maxEngage  = 8 // takeovers at the same time
	maxAddress = 300
)

// Host runs worlds. Make one with New, and run it with Run.
type Host struct {
	config Config
	clock  clock
	// spawn calls io on another goroutine, which may wait, and then done. Tests decide when.
	spawn    func(io, done func())
	part     int            // maxPart; tests use less
	serve    func(w *World) // calls Config.Serve on another goroutine
	draining atomic.Bool    // no world is taken any more
	handing  atomic.Bool    // the others know that
	renewed  atomic.Int64   // when the last good renewal of the lease began, on the monotonic clock
	stats    stats

	mu        sync.Mutex
	lease     lease
	peers     map[string]*peer
	owners    map[string]*owner // of all worlds
	worlds    map[string]*World // that run here
	taking    map[string]bool   // that are being taken over
	releasing map[string]bool   // of which the entries are being given up
	given     map[string]bool   // that were given up, until a host has taken them
	left      sync.WaitGroup    // worlds whose Serve has not returned
}

// clock is the time. Tests have their own.
type clock struct {
	mono func() time.Duration // never set back; it may stand still while the process is stopped
	wall func() int64         // in milliseconds; it may jump
	// random returns a number that no other process has; nil means rand.Uint64.
	random func() uint64
}

// Engine returns the version of the engine in this program, as the version of its module.
func Engine() string {
	const module = "github.com/quarry2d/quarry"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Path == module {
		return info.Main.Version
	}
	for _, d := range info.Deps {
		if d.Path == module {
			return d.Version
		}
	}
	return "unknown"
}

// New returns a host that is not running. It returns an error if the configuration is out of range.
func New(c Config) (*Host, error) {
	if err := CheckName(c.Name); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	if c.Log == nil || c.Leases == nil {
		return nil, errors.New("host: a host needs a Log and Leases")
	}
	if c.Lease == 0 {
		c.Lease = 2 * time.Second
	}
	if c.Lease < MinLease || c.Lease > MaxLease {
		return nil, fmt.Errorf("host: the lease %v is out of range: it must be %v to %v", c.Lease, MinLease, MaxLease)
	}
	if c.Snapshot == 0 {
		c.Snapshot = 30 * time.Second
	}
	if c.Replay == 0 {
		c.Replay = 250 * time.Millisecond
	}
	if c.Mark == 0 {
		c.Mark = time.Minute
	}
	if c.Snapshot < time.Second || c.Mark < time.Second || c.Replay < 0 || c.Capacity < 0 {
		return nil, fmt.Errorf("host: snapshots each %v, marks each %v, replay %v and %d worlds are out of range: "+
			"the least are 1 s, 1 s, 0 and 0", c.Snapshot, c.Mark, c.Replay, c.Capacity)
	}
	if c.Engine == "" {
		c.Engine = Engine()
	}
	if len(c.Address) > maxAddress {
		return nil, fmt.Errorf("host: the address %.40q has %d bytes, the limit is %d", c.Address, len(c.Address),
			maxAddress)
	}
	if len(c.Engine) > maxEngine {
		return nil, fmt.Errorf("host: the version %.40q of the engine has %d bytes, the limit is %d", c.Engine,
			len(c.Engine), maxEngine)
	}
	if c.Scenes == nil {
		c.Scenes = scene.Get
	}
	if c.Serve == nil {
		c.Serve = (*World).Run
	}
	if c.Logger == nil {
		c.Logger = silent{}
	}
	began := time.Now()
	h := &Host{
		config: c,
		clock: clock{
			mono: func() time.Duration { return time.Since(began) },
			wall: func() int64 { return time.Now().UnixMilli() },
		},
		peers: map[string]*peer{}, owners: map[string]*owner{}, worlds: map[string]*World{}, taking: map[string]bool{},
		releasing: map[string]bool{}, given: map[string]bool{},
	}
	h.serve = func(w *World) {
		h.left.Add(1)
		go func() {
			defer h.left.Done()
			c.Serve(w)
		}()
	}
	h.part = maxPart
	h.spawn = func(io, done func()) {
		go func() {
			io()
			done()
		}()
	}
	return h, nil
}

// ask calls io on another goroutine, and then done with the host locked.
func (h *Host) ask(io, done func()) {
	h.spawn(io, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		done()
	})
}

// Run runs the host until ctx ends. Then it drains: it hands each world over with a snapshot, and returns when it has
// none any more, or after a time of 2 leases and 10 s.
func (h *Host) Run(ctx context.Context) error {
	t, silence := time.NewTicker(h.config.Lease/4), time.NewTimer(0)
	defer t.Stop()
	defer silence.Stop()
	h.Beat()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-t.C:
			h.Beat()
		case <-h.config.Leases.Changed():
			h.Look()
		case <-silence.C:
			h.Look()
		}
		silence.Reset(h.patience())
	}
	return h.drain()
}

// drain hands all worlds over.
func (h *Host) drain() error {
	h.draining.Store(true)
	poll := time.NewTicker(drainPoll)
	defer poll.Stop()
	end := time.Now().Add(2*h.config.Lease + 10*time.Second)
	var beat time.Time
	for !h.drained() {
		select {
		case <-poll.C:
		case <-h.config.Leases.Changed():
			h.Look()
		}
		now := time.Now()
		if now.Sub(beat) > h.config.Lease/4 {
			h.Beat()
			beat = now
		}
		if now.After(end) {
			return fmt.Errorf("host: %d worlds could not be handed over; other hosts take them over after a lease",
				h.Stats().Worlds)
		}
	}
	h.left.Wait()
	return nil
}

// drainPoll is the time between two looks at the worlds that are being handed over.
const drainPoll = 10 * time.Millisecond

// World returns the world of a name if it runs here.
func (h *Host) World(name string) (*World, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.worlds[name]
	return w, w != nil
}

// Owner returns the name and the address of the host that runs a world, and whether there is one.
func (h *Host) Owner(world string) (name, address string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := h.owners[world]
	switch {
	case o == nil:
		return "", "", false
	case h.mine(o):
		return o.host, h.config.Address, true
	case !h.lives(o):
		return "", "", false
	}
	if p := h.peers[o.host]; p != nil {
		address = p.Address
	}
	return o.host, address, true
}

// Ready reports whether the host has joined the others and renews its lease.
func (h *Host) Ready() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lease.joined && h.clock.mono()-time.Duration(h.renewed.Load()) < h.config.Lease && !h.draining.Load()
}

// Worlds returns the names of all worlds that the host knows of, whoever runs them, each with the name of its owner,
// or "".
func (h *Host) Worlds() map[string]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[string]string{}
	for name, o := range h.owners {
		all[name] = o.host
	}
	return all
}

// timeout returns a context for one call of Log, Leases or Bus.
func (h *Host) timeout() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), max(time.Second, h.config.Lease/2))
}

// run serves a world on its own goroutine.
func (h *Host) run(w *World) {
	if h.config.Bus != nil {
		stop, err := h.config.Bus.Serve(w.name, w.request)
		if err != nil {
			h.config.Logger.Error("no inputs by the bus", "world", w.name, "err", err)
		}
		w.stop = stop
	}
	h.serve(w)
}

// request serves an input of the bus.
func (w *World) request(b []byte, answer func([]byte)) {
	in, err := DecodeInput(b)
	if err == nil && in.Op != Join && in.Player < FirstSession {
		err = errors.New("host: input: only sessions give inputs by the bus")
	}
	if err != nil {
		answer(Answer{Code: Invalid, Text: err.Error()}.AppendBinary(nil))
		return
	}
	w.Do(in, func(a Answer) { answer(a.AppendBinary(nil)) })
}
