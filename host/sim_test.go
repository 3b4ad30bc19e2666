package host

import (
	"container/heap"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/scene"
)

// A simulation runs hosts, a log, leases and a bus on one goroutine in virtual time, so that a run repeats exactly.

// findScene knows pit and bare.
func findScene(name string) (scene.Scene, bool) {
	for _, sc := range []scene.Scene{worldtest.Pit, worldtest.Bare} {
		if sc.Name == name {
			return sc, true
		}
	}
	return scene.Scene{}, false
}

// event is what happens at a time; events of one time happen in the order of their making.
type event struct {
	at    time.Duration
	order int
	do    func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].order < e[j].order
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	x := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return x
}

// sim is a simulation.
type sim struct {
	now    time.Duration
	queue  events
	made   int
	rnd    *rand.Rand
	calm   bool          // nothing is lost and nothing is late
	slow   time.Duration // of each message on its way; 0: some
	out    bool          // no request is answered but by a timeout
	mute   bool          // no host gets a hint that entries have changed
	logs   map[string]*simWorld
	leases []Entry
	old    []oldEntries // earlier states of leases
	revs   uint64
	hosts  []*simHost
	served map[string][]*simService
	views  map[string]func([]byte)
	frames map[string]int
	other  []byte // a packed world
}

type oldEntries struct {
	at   time.Duration
	list []Entry
}

// simWorld is the log of a world.
type simWorld struct {
	base      int // number of records that were trimmed, which only the oracle sees
	records   [][]byte
	times     []time.Duration
	snapshots map[uint64][]byte
	trims     int
}

// simHost is a host of a simulation. Its process may be stopped, killed and started again.
type simHost struct {
	*sim
	name    string
	h       *Host
	life    int           // number of the process; events of earlier ones do nothing
	stopped time.Duration // until then
	cut     bool          // nothing from it arrives, and nothing to it
	deaf    bool          // nothing to it arrives
	skew    int64         // of its clock, in milliseconds
	up      bool
}

func newSim(seed uint64, hosts int) *sim {
	s := &sim{
		rnd: rand.New(rand.NewPCG(seed, 1)), logs: map[string]*simWorld{}, served: map[string][]*simService{},
		views: map[string]func([]byte){}, frames: map[string]int{},
	}
	for i := range hosts {
		s.hosts = append(s.hosts, &simHost{sim: s, name: string(rune('a' + i))})
	}
	return s
}

// after calls f after a time.
func (s *sim) after(d time.Duration, f func()) {
	s.made++
	heap.Push(&s.queue, event{s.now + d, s.made, f})
}

// runTo goes on until a time.
func (s *sim) runTo(end time.Duration) {
	for len(s.queue) > 0 && s.queue[0].at <= end {
		e := heap.Pop(&s.queue).(event)
		s.now = e.at
		e.do()
	}
	s.now = end
}

// chance reports true with a probability of p, unless the simulation is calm.
func (s *sim) chance(p float64) bool { return !s.calm && s.rnd.Float64() < p }

// delay returns the time of a message on its way.
func (s *sim) delay() time.Duration {
	switch {
	case s.slow > 0:
		return s.slow
	case s.chance(0.003):
		return time.Duration(s.rnd.IntN(2000)) * time.Millisecond
	case s.chance(0.03):
		return time.Duration(s.rnd.IntN(60)) * time.Millisecond
	}
	return time.Duration(100+s.rnd.IntN(900)) * time.Microsecond
}

const (
	simLease = 500 * time.Millisecond
	simStart = int64(1_700_000_000_000)
	simPart  = 400 // so that a world has several parts
)

// start starts a process of the host.
func (p *simHost) start(c Config) {
	p.life++
	p.up, p.cut, p.deaf, p.stopped = true, false, false, 0
	life := p.life
	c.Name, c.Lease, c.Scenes, c.Engine = p.name, simLease, findScene, "v1"
	c.Log, c.Leases, c.Bus = simLog{p}, simLeases{p}, &simBus{p, life}
	if c.Snapshot == 0 {
		c.Snapshot = 2 * time.Second
	}
	h, err := New(c)
	if err != nil {
		panic(err)
	}
	p.h = h
	began := p.now
	h.clock = clock{
		mono:   func() time.Duration { return time.Second + p.now - began },
		wall:   func() int64 { return simStart + p.now.Milliseconds() + p.skew },
		random: p.rnd.Uint64,
	}
	h.spawn = func(io, done func()) {
		p.after(p.delay(), func() {
			if p.life != life && p.rnd.IntN(2) == 0 {
				return // the request was not sent yet
			}
			io()
			late := p.delay()
			if p.out {
				late += 600 * time.Millisecond
			}
			p.after(late, func() { p.when(life, done) })
		})
	}
	h.serve = func(w *World) { p.tick(life, w) }
	h.part = simPart
	p.beat(life)
	p.wait(life)
}

// wait looks when another host has been silent for a lease, as Host.Run does.
func (p *simHost) wait(life int) {
	p.after(p.h.patience(), func() {
		p.when(life, func() {
			p.h.Look()
			p.wait(life)
		})
	})
}

// when calls f in a process of the host, as soon as that is not stopped.
func (p *simHost) when(life int, f func()) {
	switch {
	case p.life != life:
	case p.stopped > p.now:
		p.after(p.stopped-p.now, func() { p.when(life, f) })
	default:
		f()
	}
}

// tick serves a world as World.Run does. It looks at World.Woken looksPerTick times a tick.
func (p *simHost) tick(life int, w *World) {
	const looksPerTick = 4
	var look func(n int)
	look = func(n int) {
		p.after(tick/looksPerTick, func() {
			p.when(life, func() {
				alive := true
				select {
				case <-w.Woken():
					w.Work()
					alive = !w.Late() || w.Tick()
				default:
				}
				if n == 0 {
					alive = alive && w.Tick()
				}
				if alive {
					look((n + 1) % looksPerTick)
				}
			})
		})
	}
	look(1)
}

func (p *simHost) beat(life int) {
	p.when(life, func() {
		p.h.Beat()
		p.after(simLease/4, func() { p.beat(life) })
	})
}

// kill ends the process.
func (p *simHost) kill() {
	p.life++
	p.up = false
	for _, list := range p.served {
		for _, v := range list {
			v.ended = v.ended || v.of == p
		}
	}
}

// drain begins to hand all worlds over, and ends the process then.
func (p *simHost) drain() {
	p.h.draining.Store(true)
	p.drains(p.life)
}

func (p *simHost) drains(life int) {
	p.when(life, func() {
		if p.h.drained() {
			p.kill()
			return
		}
		p.after(10*time.Millisecond, func() { p.drains(life) })
	})
}

var errLost = errors.New("the answer did not come")

// call calls f as a request over the network, which may be lost, or its answer.
func (p *simHost) call(f func() error) error {
	if p.out || p.cut || p.chance(0.005) {
		return errLost
	}
	err := f()
	if p.cut || p.deaf || p.chance(0.005) {
		return errLost
	}
	return err
}

type simLog struct{ p *simHost }

func (l simLog) world(name string) *simWorld {
	w := l.p.logs[name]
	if w == nil {
		w = &simWorld{snapshots: map[uint64][]byte{}}
		l.p.logs[name] = w
	}
	return w
}

func (l simLog) Append(_ context.Context, name string, after uint64, record []byte) (n uint64, err error) {
	err = l.p.call(func() error {
		w := l.world(name)
		if uint64(len(w.records)) != after {
			return ErrRefused
		}
		w.records, w.times = append(w.records, slices.Clone(record)), append(w.times, l.p.now)
		n = after + 1
		return nil
	})
	return n, err
}

func (l simLog) Read(_ context.Context, name string, after uint64, f func(uint64, []byte) error) error {
	var got error
	err := l.p.call(func() error {
		w := l.world(name)
		if after > 0 && int(after) <= w.base {
			got = ErrTrimmed
			return nil
		}
		after = max(after, uint64(w.base))
		end := len(w.records)
		for l.p.chance(0.1) && end > 0 && l.p.now-w.times[end-1] < 200*time.Millisecond {
			end-- // a replica that lags
		}
		for i := int(after); i < end && got == nil; i++ {
			got = f(uint64(i+1), slices.Clone(w.records[i]))
		}
		return nil
	})
	return errors.Join(got, err)
}

func (l simLog) Keep(_ context.Context, name string, number uint64, snapshot []byte) error {
	return l.p.call(func() error {
		if w := l.world(name); w.snapshots[number] == nil {
			w.snapshots[number] = slices.Clone(snapshot)
		}
		return nil
	})
}

func (l simLog) Kept(_ context.Context, name string, most uint64) (best uint64, b []byte, err error) {
	err = l.p.call(func() error {
		for n, x := range l.world(name).snapshots {
			if n <= most && n > best {
				best, b = n, x
			}
		}
		if best == 0 {
			return ErrNone
		}
		return nil
	})
	return best, b, err
}

func (l simLog) Trim(_ context.Context, name string, number uint64, whole bool) error {
	return l.p.call(func() error {
		w := l.world(name)
		if w.snapshots[number] == nil {
			return ErrNone
		}
		w.trims++
		for n := range w.snapshots {
			if n < number {
				delete(w.snapshots, n)
			}
		}
		if !whole {
			w.base = max(w.base, int(number)-1)
		}
		return nil
	})
}

type simLeases struct{ p *simHost }

func (l simLeases) Changed() <-chan struct{} { return nil }

func (l simLeases) Set(_ context.Context, key string, value []byte, revision uint64) (next uint64, err error) {
	s := l.p.sim
	err = l.p.call(func() error {
		i := slices.IndexFunc(s.leases, func(e Entry) bool { return e.Key == key })
		if i < 0 && revision != 0 || i >= 0 && s.leases[i].Revision != revision {
			return ErrRefused
		}
		s.old = append(s.old, oldEntries{s.now, slices.Clone(s.leases)})
		s.revs++
		next = s.revs
		if i < 0 {
			s.leases = append(s.leases, Entry{})
			i = len(s.leases) - 1
		}
		s.leases[i] = Entry{key, value, next}
		for _, p := range s.hosts { // the hint, which may be lost
			life := p.life
			if p.up && !p.cut && s.rnd.IntN(4) > 0 && !s.mute {
				s.after(s.delay(), func() { p.when(life, p.h.Look) })
			}
		}
		return nil
	})
	return next, err
}

func (l simLeases) Get(_ context.Context, key string) (e Entry, err error) {
	err = l.p.call(func() error {
		i := slices.IndexFunc(l.p.leases, func(e Entry) bool { return e.Key == key })
		if i < 0 {
			return ErrNone
		}
		e = l.p.leases[i]
		return nil
	})
	return e, err
}

func (l simLeases) Entries(context.Context) (list []Entry, err error) {
	err = l.p.call(func() error {
		list = slices.Clone(l.p.leases)
		if l.p.chance(0.1) { // a watch that lags
			for i := len(l.p.old) - 1; i >= 0 && l.p.now-l.p.old[i].at < time.Second; i-- {
				list = l.p.old[i].list
			}
		}
		return nil
	})
	return slices.Clone(list), err
}

// simService is a Serve of a bus.
type simService struct {
	of    *simHost
	life  int
	f     func([]byte, func([]byte))
	ended bool
}

type simBus struct {
	p    *simHost
	life int
}

func (b *simBus) Serve(world string, f func([]byte, func([]byte))) (func(), error) {
	v := &simService{of: b.p, life: b.life, f: f}
	b.p.served[world] = append(b.p.served[world], v)
	return func() { v.ended = true }, nil
}

func (b *simBus) Request(context.Context, string, []byte) ([]byte, error) { return nil, errLost }

// request sends an input to all who serve a world. Each of them may answer.
func (s *sim) request(world string, input []byte, answered func([]byte)) {
	for _, v := range s.served[world] {
		if v.ended || v.of.cut || v.of.deaf || s.chance(0.01) {
			continue
		}
		s.after(s.delay(), func() {
			v.of.when(v.life, func() {
				if v.ended {
					return
				}
				v.f(input, func(a []byte) {
					if !v.of.cut && !s.chance(0.01) {
						s.after(s.delay(), func() { answered(a) })
					}
				})
			})
		})
	}
}

func (b *simBus) Publish(world string, frame []byte) {
	s := b.p.sim
	if b.p.cut || s.chance(0.01) {
		return
	}
	frame = slices.Clone(frame)
	s.after(s.delay(), func() {
		s.frames[world]++
		if f := s.views[world]; f != nil {
			f(frame)
		}
	})
}

func (b *simBus) Watch(string, func([]byte)) (func(), error) { return nil, errLost }

// create makes a world.
func (s *sim) create(t testing.TB, name, scene string) {
	t.Helper()
	calm := s.calm
	s.calm = true
	p := &simHost{sim: s, name: "creator"}
	if err := Create(context.Background(), simLog{p}, simLeases{p}, name, scene, 500); err != nil {
		t.Fatal(err)
	}
	s.calm = calm
}
