package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// counter is a world: a sum of what its calls have added, and the number of steps.
type counter struct {
	sum    float64
	steps  uint64
	things map[uint64]float64
}

func (c *counter) StepCount() uint64 { return c.steps }
func (c *counter) Hash() uint64      { return uint64(c.sum*1024) + c.steps<<32 + uint64(len(c.things)) }

func (c *counter) Restore(snapshot []byte) error {
	if len(snapshot) != 1 {
		return errors.New("no snapshot")
	}
	*c = counter{sum: float64(snapshot[0]), things: map[uint64]float64{}}
	return nil
}

func (c *counter) Add(v geom.Vec, n int, name string) {
	c.sum += v.X*float64(n) + v.Y + float64(len(name))
}

func (c *counter) Put(s geom.Shape) uint64 {
	id := uint64(len(c.things) + 1)
	c.things[id] = s.Mass(1).Mass
	return id
}
func (c *counter) Step(dt float64) { c.steps++; c.sum += dt }
func (c *counter) Refuse()         { panic("quarry: Refuse: it is refused") }
func (c *counter) Break()          { panic("index out of range") }

// thing is a view.
type thing struct {
	w  *counter
	id uint64
}

func (c *counter) Thing(id uint64) (thing, bool) { _, ok := c.things[id]; return thing{c, id}, ok }
func (t thing) Grow(by float64)                  { t.w.things[t.id] += by; t.w.sum += by }

func player(c *counter) *Player {
	return &Player{
		World: c, Broken: func() bool { return false }, Views: []any{(*counter).Thing},
		Calls: []any{(*counter).Add, (*counter).Put, (*counter).Step, (*counter).Refuse, (*counter).Break, thing.Grow},
	}
}

// record makes a log of calls, of which do makes more.
func record(every int, do func(*counter, Log)) []byte {
	var out bytes.Buffer
	c := &counter{}
	_ = c.Restore([]byte{7})
	l := Begin(c, func(func(uint64, *gridseg.Grid) bool) {}, &out, every, nil, 0, []byte{7})
	step := func() {
		Call1(l, "counter.Step", OfWorld, 0.25)
		c.Step(0.25)
		l.Stepped()
	}
	Call3(l, "counter.Add", OfWorld, geom.V(1.5, -2), 3, "name")
	c.Add(geom.V(1.5, -2), 3, "name")
	Call1(l, "counter.Put", OfWorld, geom.Shape(geom.Circle{Radius: 2}))
	id := c.Put(geom.Circle{Radius: 2})
	step()
	Call1(l, "thing.Grow", id, 0.5)
	thing{c, id}.Grow(0.5)
	do(c, l)
	for range 4 {
		step()
	}
	if err := l.End(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// TestPlayMakesTheCalls: a log makes the same world again, call by call, with arguments of all kinds, and with calls
// that are refused in the replay as they were in the recording.
func TestPlayMakesTheCalls(t *testing.T) {
	var want counter
	log := record(2, func(c *counter, l Log) {
		Call0(l, "counter.Refuse", OfWorld)
		want = *c
	})
	c := &counter{}
	if err := player(c).Play(bytes.NewReader(log)); err != nil {
		t.Fatal(err)
	}
	if c.steps != 5 || c.sum != want.sum+4*0.25 || c.things[1] != want.things[1] {
		t.Errorf("replayed %+v, recorded %+v and four steps more", *c, want)
	}
}

// TestPlayFindsFaults: a world that differs from the log's, a call or view that does not exist, a panic, a log that
// is cut short at any byte, and one with a changed byte are errors, and name the place.
func TestPlayFindsFaults(t *testing.T) {
	plain := func(*counter, Log) {}
	for text, log := range map[string][]byte{
		"the world differs":   record(1, func(c *counter, l Log) { c.sum++ }),
		"no such call":        record(1, func(c *counter, l Log) { Call0(l, "counter.Missing", OfWorld) }),
		"id 9 does not exist": record(1, func(c *counter, l Log) { Call1(l, "thing.Grow", uint64(9), 1.0) }),
		"the call panicked":   record(1, func(c *counter, l Log) { Call0(l, "counter.Break", OfWorld) }),
	} {
		if err := player(&counter{}).Play(bytes.NewReader(log)); err == nil || !strings.Contains(err.Error(), text) ||
			!strings.Contains(err.Error(), "record ") {
			t.Errorf("%s: the error is %v", text, err)
		}
	}
	log := record(1, plain)
	p := player(&counter{})
	if p.Functions = 1; p.Play(bytes.NewReader(log)) == nil {
		t.Error("a world with functions plays the log of one without")
	}
	for n := range log {
		if err := player(&counter{}).Play(bytes.NewReader(log[:n])); err == nil {
			t.Fatalf("a log cut at %d of %d bytes has no error", n, len(log))
		}
		bad := bytes.Clone(log)
		bad[n] ^= 4
		if err := player(&counter{}).Play(bytes.NewReader(bad)); err == nil {
			t.Fatalf("a log with another byte %d of %d has no error", n, len(log))
		}
	}
}

// TestLogKeepsErrors: an error of the writer, or a function that is set, ends the log with that error.
func TestLogKeepsErrors(t *testing.T) {
	c := &counter{}
	none := func(func(uint64, *gridseg.Grid) bool) {}
	l := Begin(c, none, new(bytes.Buffer), 1, nil, 0, nil)
	l.Cannot("SetX")
	if err := l.End(); !strings.Contains(fmt.Sprint(err), "SetX") {
		t.Errorf("the error is %v", err)
	}
	full := errors.New("full")
	if err := Begin(c, none, failing{full}, 1, nil, 0, nil).End(); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
	var off Log
	Call0(off, "x", OfWorld)
	Edit(off, OfWorld, nil, true)
	Edited(off, OfWorld, nil)
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

// TestHashesAreDue: a log has a hash after each step whose number is a multiple of every, and one at its end.
func TestHashesAreDue(t *testing.T) {
	for every, want := range map[int]int{1: 6, 2: 3, 100: 1} {
		log, err := NewReader(bytes.NewReader(record(every, func(*counter, Log) {})))
		hashes := 0
		for err == nil {
			var name string
			if name, _, err = log.Next(); name == Hash {
				hashes++
			} else if name == End {
				break
			}
		}
		if err != nil || hashes != want {
			t.Errorf("every %d steps: %d hashes of %d, %v", every, hashes, want, err)
		}
	}
}

// TestLogEndsEarly: a log without its end says so; a reader that fails says why.
func TestLogEndsEarly(t *testing.T) {
	log := record(1, func(*counter, Log) {})
	if err := player(&counter{}).Play(bytes.NewReader(log[:len(log)-1])); err == nil ||
		!strings.Contains(err.Error(), "ends early") {
		t.Errorf("the error is %v", err)
	}
	torn := errors.New("torn")
	in := io.MultiReader(bytes.NewReader(log[:len(log)-1]), iotest.ErrReader(torn))
	if err := player(&counter{}).Play(in); !errors.Is(err, torn) {
		t.Errorf("the error is %v", err)
	}
}
