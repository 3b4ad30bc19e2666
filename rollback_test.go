package quarry_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/state"
)

// TestRollbackOfCalls: after any calls, Rewind makes the world as at Capture, byte by byte, and the same calls lead
// to the same hashes again; also if its lists are packed, as in a large world.
func TestRollbackOfCalls(t *testing.T) {
	defer func(n int) { state.MostPlain = n }(state.MostPlain)
	runs := uint64(150)
	if testing.Short() {
		runs = 40
	}
	for seed := range runs {
		if state.MostPlain = 1 << 19; seed%2 == 1 {
			state.MostPlain = 0
		}
		c := midway(t, seed)
		var s quarry.Snapshot
		c.world.Capture(&s)
		want, data := c.world.AppendSnapshot(nil), slices.Clone(c.data)
		ids, places, hits := map[reflect.Type][]uint64{}, slices.Clone(c.places), c.hits
		for k, v := range c.ids {
			ids[k] = slices.Clone(v)
		}
		play := func() (hashes []uint64) {
			c.data, c.ids, c.places, c.hits = data, map[reflect.Type][]uint64{}, slices.Clone(places), hits
			for k, v := range ids {
				c.ids[k] = slices.Clone(v)
			}
			for range 60 {
				if err := c.one(); err != nil {
					t.Fatal(err)
				}
				hashes = append(hashes, c.world.Hash())
			}
			c.world.SetCustomFilter(nil)
			c.world.SetPreSolve(nil)
			return hashes
		}
		first := play()
		for range 2 {
			c.world.Rewind(&s)
			if !bytes.Equal(c.world.AppendSnapshot(nil), want) {
				t.Fatalf("seed %d: the world differs after Rewind\n%s", seed, strings.Join(c.log, "\n"))
			}
			if again := play(); !slices.Equal(first, again) {
				t.Fatalf("seed %d: other hashes after Rewind", seed)
			}
		}
	}
}

// TestKeptLists: the lists of contacts and colours that a world keeps from step to step have no effect: a world that
// makes them again in each step, as after a Rewind, goes the same way, whichever calls come between.
func TestKeptLists(t *testing.T) {
	runs := uint64(60)
	if testing.Short() {
		runs = 20
	}
	for seed := range runs {
		kept, anew := midway(t, seed), midway(t, seed)
		var s quarry.Snapshot
		for range 40 {
			for _, c := range []*caller{kept, anew} {
				if err := c.one(); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				kept.world.Step(1.0 / 60)
				anew.world.Capture(&s)
				anew.world.Rewind(&s)
				anew.world.Step(1.0 / 60)
			}
			if kept.world.Hash() != anew.world.Hash() {
				t.Fatalf("seed %d: the worlds differ after %s", seed, kept.log[len(kept.log)-1])
			}
		}
	}
}

// crowdOf returns a world of n bodies on a dug ground, after some steps.
func crowdOf(t testing.TB, n int) (*quarry.World, quarry.Ground) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1})
	grid := gridseg.New(nil)
	if err := grid.Fill(gridseg.Rect{MinX: -20, MinY: -20, MaxX: 60, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	id, err := w.AddGround(0, quarry.GroundDef{Grid: grid})
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1.2*float64(k%40), 0.6+1.1*float64(k/40))})
		w.AddShape(b, geom.NewBox(0.4, 0.5), quarry.ShapeDef{})
	}
	for range 60 {
		w.Step(1.0 / 60)
	}
	g, _ := w.Ground(id)
	return w, g
}

// TestRollbackAllocatesNothing: with unchanged grounds, bodies and contacts.
func TestRollbackAllocatesNothing(t *testing.T) {
	w, _ := crowdOf(t, 200)
	var s quarry.Snapshot
	w.Capture(&s)
	if n := testing.AllocsPerRun(20, func() {
		w.Capture(&s)
		w.Step(1.0 / 60)
		w.Rewind(&s)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSave(b *testing.B) {
	w, _ := crowdOf(b, 200)
	var s quarry.Snapshot
	w.Capture(&s)
	b.ReportAllocs()
	for b.Loop() {
		w.Capture(&s)
	}
}

// BenchmarkLoad goes back by eight steps; the steps are not timed.
func BenchmarkLoad(b *testing.B) {
	w, _ := crowdOf(b, 200)
	var s, late quarry.Snapshot
	w.Capture(&s)
	for range 8 {
		w.Step(1.0 / 60)
	}
	w.Capture(&late)
	b.ReportAllocs()
	for b.Loop() { // two loads: back, and forth
		w.Rewind(&s)
		w.Rewind(&late)
	}
}

// BenchmarkRollback goes back by eight steps of a world of 200 bodies, and makes them again, each after a Capture:
// what a game does in one frame when a late input arrives. All bodies are awake.
func BenchmarkRollback(b *testing.B) {
	w, _ := crowdOf(b, 200)
	c := w.Config()
	c.NoSleep = true
	w.SetConfig(c)
	var saved [8]quarry.Snapshot
	for k := range saved {
		w.Capture(&saved[k])
		w.Step(1.0 / 60)
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Rewind(&saved[0])
		for k := range saved {
			w.Capture(&saved[k])
			w.Step(1.0 / 60)
		}
	}
}

// Two players push balls among 200 bodies. An input of step 52 arrives when step 60 has been made: go back by 8 steps,
// apply it, and make these steps again, all within one frame (BenchmarkRollback). The world is as of a player who had
// the input in time.
func ExampleWorld_Rewind() {
	game := func(late bool) uint64 {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
		tiles := gridseg.New(nil)
		_ = tiles.Fill(gridseg.Rect{MinX: -2, MinY: -3, MaxX: 41, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
		_, _ = w.AddGround(0, quarry.GroundDef{Grid: tiles})
		var player quarry.Body
		for k := range 200 {
			id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(k%40), 0.5+float64(k/40))})
			w.AddShape(id, geom.Circle{Radius: 0.45}, quarry.ShapeDef{})
			player, _ = w.Body(id)
		}
		const arrives, of, dt = 60, 52, 1.0 / 60
		step := func() { // with the inputs that are known
			if w.StepCount() == of && !late {
				player.SetVelocity(geom.V(-9, 6))
			}
			w.Step(dt)
		}
		var saved [8]quarry.Snapshot // of the last 8 steps
		for w.StepCount() < arrives {
			w.Capture(&saved[w.StepCount()%8])
			step()
		}
		if late {
			late = false // the input has arrived
			w.Rewind(&saved[of%8])
			for w.StepCount() < arrives {
				w.Capture(&saved[w.StepCount()%8])
				step()
			}
		}
		return w.Hash()
	}
	fmt.Println("the same world:", game(true) == game(false))
	// Output: the same world: true
}

// Capture a game to bytes, and load it in another program.
func ExampleWorld_Restore() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(1, 5)})
	w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	w.Step(1.0 / 60)
	file := w.AppendSnapshot(nil)

	loaded := quarry.NewWorld(quarry.Config{})
	if err := loaded.Restore(file); err != nil {
		fmt.Println(err)
		return
	}
	for range 60 {
		w.Step(1.0 / 60)
		loaded.Step(1.0 / 60)
	}
	ball, ok := loaded.Body(id)
	fmt.Println(ok, ball.Position().X > 1, loaded.Hash() == w.Hash())
	// Output: true true true
}

// BenchmarkRestoreVacant measures Restore of a world of which 50,000 shapes have been removed: their ids are vacant
// proxies. It once took time in proportion to the square of their number.
func BenchmarkRestoreVacant(b *testing.B) {
	w := quarry.NewWorld(quarry.Config{})
	var ids []quarry.BodyID
	for i := range 50_000 {
		ids = append(ids, w.AddBody(quarry.BodyDef{Position: geom.V(float64(3*i), 0)}))
		w.AddShape(ids[i], geom.Circle{Radius: 1}, quarry.ShapeDef{})
	}
	for _, id := range ids {
		w.RemoveBody(id)
	}
	data := w.AppendSnapshot(nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Restore(data); err != nil {
			b.Fatal(err)
		}
	}
}
