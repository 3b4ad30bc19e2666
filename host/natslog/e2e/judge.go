package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/play"
)

// outcome is what players saw in runs.
type outcome struct {
	moved  int             // worlds that got another owner after the fault
	gaps   []time.Duration // the longest time without a frame of each world, from the fault on
	acks   []time.Duration // from each input to its answer
	acked  int
	lost   int
	twice  int
	hashes int
	wrong  []string
}

func (o *outcome) add(b outcome) {
	o.moved += b.moved
	o.gaps, o.acks = append(o.gaps, b.gaps...), append(o.acks, b.acks...)
	o.acked += b.acked
	o.lost += b.lost
	o.twice += b.twice
	o.hashes += b.hashes
	o.wrong = append(o.wrong, b.wrong...)
}

// at returns the element of a list below which a part of it lies.
func at(list []time.Duration, part float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[min(len(list)-1, int(part*float64(len(list))))].Round(time.Millisecond)
}

func (o *outcome) row(name string, runs int) string {
	equal := fmt.Sprintf("%d equal", o.hashes)
	if n := len(o.wrong); n > 0 {
		equal = fmt.Sprintf("%d, %d worlds WRONG", o.hashes, n)
	}
	return fmt.Sprintf("| %s | %d | %d | %v / %v | %v / %v / %v | %d | %d | %d | %s |", name, runs, o.moved,
		at(o.gaps, 0.5),
		at(o.gaps, 1), at(o.acks, 0.5), at(o.acks, 0.99), at(o.acks, 1), o.acked, o.lost, o.twice, equal)
}

// watched is a world as its players see it.
type watched struct {
	name string

	mu      sync.Mutex
	frames  map[uint64]uint64
	epoch   uint64 // of the last frame
	step    uint64 // of the last frame
	first   uint64 // epoch when the fault came
	last    time.Time
	gap     time.Duration
	acked   map[key]bool
	acks    []time.Duration
	problem error
}

// key names an input.
type key struct {
	by     play.Player
	number uint64
}

// frame takes a frame.
func (w *watched) frame(b []byte) {
	f, err := host.DecodeFrame(w.name, b)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || f.Epoch < w.epoch || f.Epoch == w.epoch && f.Step <= w.step {
		return
	}
	now := time.Now()
	w.gap = max(w.gap, now.Sub(w.last))
	w.last, w.epoch, w.step = now, f.Epoch, f.Step
	if f.Hash != 0 {
		w.frames[f.Step] = f.Hash
	}
}

// play gives inputs until ctx ends, and waits for the answer to the last one.
func (w *watched) play(ctx context.Context, bus host.Bus, rate float64) {
	s := host.NewSession(bus, w.name)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(rand.ExpFloat64() / rate * float64(time.Second))):
		}
		began := time.Now()
		c, cancel := context.WithTimeout(context.Background(), time.Minute)
		a, err := s.Do(c, draw())
		cancel()
		w.mu.Lock()
		w.acks = append(w.acks, time.Since(began))
		if err != nil {
			w.problem = err
		} else if a.Code.Safe() {
			w.acked[key{s.Player(), s.Number()}] = true
		}
		w.mu.Unlock()
	}
}

// draw returns an input.
func draw() host.Input {
	x, y := rand.Float64()*60-30, rand.Float64()*20
	c := play.Command{Do: "add", Kind: "box", X: x, Y: y + 2, Size: 0.8}
	switch rand.IntN(5) {
	case 0:
		c = play.Command{Do: "remove", X: x, Y: y / 4}
	case 1:
		c = play.Command{Do: "dig", X0: x, Y0: -y / 4, X1: x + 2, Y1: -y / 4, Radius: 1}
	case 2:
		c = play.Command{Do: "build", X0: x, Y0: y / 4, X1: x + 2, Y1: y / 4, Radius: 0.5}
	}
	return host.Input{Op: host.Do, Command: c}
}

// once runs a fault once.
func (s *settings) once(f fault) (o outcome, err error) {
	c, err := newCluster(s, f)
	defer c.end()
	if err != nil {
		return o, err
	}
	var list []*watched
	for i := range s.worlds {
		w := &watched{name: world(i), frames: map[uint64]uint64{}, last: time.Now(), acked: map[key]bool{}}
		stop, err := c.store.Bus().Watch(w.name, w.frame)
		if err != nil {
			return o, err
		}
		defer stop()
		list = append(list, w)
	}
	if err := settle(list, 5*s.lease+30*time.Second); err != nil {
		return o, err
	}
	s.share(list)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var players sync.WaitGroup
	for _, w := range list {
		players.Go(func() { w.play(ctx, c.store.Bus(), s.rate) })
	}
	time.Sleep(s.before)
	for _, w := range list {
		w.mu.Lock()
		w.gap, w.first = 0, w.epoch
		w.mu.Unlock()
	}
	f.do(c)
	time.Sleep(s.after)
	cancel()
	players.Wait()
	if err := settle(list, time.Minute); err != nil { // every world has frames again
		return o, err
	}
	for _, w := range list {
		w.judge(&o, c, finder(s.bodies))
	}
	return o, nil
}

// share waits until the worlds are shared out among the hosts: until none has moved for 3 leases.
func (s *settings) share(list []*watched) {
	epochs := func() (sum uint64) {
		for _, w := range list {
			w.mu.Lock()
			sum += w.epoch
			w.mu.Unlock()
		}
		return sum
	}
	for before := uint64(0); before != epochs(); time.Sleep(3 * s.lease) {
		before = epochs()
	}
}

// settle waits until each world has had a frame from now on.
func settle(list []*watched, long time.Duration) error {
	began := time.Now()
	for _, w := range list {
		for {
			w.mu.Lock()
			fresh := w.last.After(began) && w.epoch > 0
			w.mu.Unlock()
			if fresh {
				break
			}
			if time.Since(began) > long {
				return fmt.Errorf("world %s has no frames", w.name)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return nil
}

// judge compares all that was seen of a world with its log.
func (w *watched) judge(o *outcome, c *cluster, scenes host.Finder) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.epoch != w.first {
		o.moved++
	}
	o.gaps, o.acks = append(o.gaps, w.gap), append(o.acks, w.acks...)
	o.acked += len(w.acked)
	times := map[key]int{}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	v, err := host.Verify(ctx, c.store, w.name, scenes, host.Seen{
		Frames: w.frames,
		Applied: func(in host.Input, a host.Answer) {
			if in.Number > 0 && (a.Code == host.Applied || a.Code == host.Failed) {
				times[key{in.Player, in.Number}]++
			}
		},
	})
	o.hashes += v.Hashes
	if err == nil {
		err = w.problem
	}
	if err != nil {
		o.wrong = append(o.wrong, err.Error())
	}
	for k := range w.acked {
		if times[k] == 0 {
			o.lost++
		}
	}
	for _, n := range times {
		if n > 1 {
			o.twice++
		}
	}
}
