package quarry_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// fork returns a caller that makes the calls to come in a world restored from a snapshot.
func (c *caller) fork(t *testing.T, workers int) *caller {
	t.Helper()
	data := c.world.AppendSnapshot(nil)
	f := &caller{
		data: slices.Clone(c.data), places: slices.Clone(c.places), hits: slices.Clone(c.hits),
		ids: map[reflect.Type][]uint64{},
	}
	for k, ids := range c.ids {
		f.ids[k] = slices.Clone(ids)
	}
	f.world = quarry.NewWorld(quarry.Config{Workers: workers})
	if err := f.world.Restore(data); err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(c.log, "\n"))
	}
	if !bytes.Equal(f.world.AppendSnapshot(nil), data) {
		t.Fatalf("the snapshot of the restored world differs\n%s", strings.Join(c.log, "\n"))
	}
	return f
}

// TestSnapshotWithoutTiles: a world made of a snapshot without tiles, and of the tiles of each ground, has the same
// snapshot, and no tiles are in the first one; an error of the function that gives the tiles is returned, and changes
// nothing.
func TestSnapshotWithoutTiles(t *testing.T) {
	every := gridseg.Rect{MinX: math.MinInt32, MinY: math.MinInt32, MaxX: math.MaxInt32, MaxY: math.MaxInt32}
	for seed := range uint64(40) {
		w := midway(t, seed).world
		bare, whole := w.AppendSnapshotWithoutTiles(nil), w.AppendSnapshot(nil)
		into := quarry.NewWorld(quarry.Config{})
		hash := into.Hash()
		if err := into.Restore(bare); err == nil || !strings.Contains(err.Error(), "quarrysn") {
			t.Fatalf("Restore of a snapshot without tiles: %v", err)
		}
		if err := into.RestoreWithTiles(whole, nil); err == nil || !strings.Contains(err.Error(), "without tiles") {
			t.Fatalf("RestoreWithTiles of a whole snapshot: %v", err)
		}
		grounds := 0
		for g := range w.Grounds() {
			grounds++
			lost := errors.New("no such file")
			if err := into.RestoreWithTiles(bare, func(id quarry.GroundID) ([]byte, error) {
				if id == g.ID() {
					return nil, lost
				}
				of, _ := w.Ground(id)
				return of.Grid().Engine(lattice.Key{}).AppendTiles(nil, every), nil
			}); !errors.Is(err, lost) || into.Hash() != hash {
				t.Fatalf("an error of tiles: %v", err)
			}
		}
		asked := 0
		if err := into.RestoreWithTiles(bare, func(id quarry.GroundID) ([]byte, error) {
			asked++
			g, ok := w.Ground(id)
			if !ok {
				t.Errorf("ground %d is asked for", id)
			}
			return g.Grid().Engine(lattice.Key{}).AppendTiles(nil, every), nil
		}); err != nil || asked != grounds || !bytes.Equal(into.AppendSnapshot(nil), whole) {
			t.Fatalf("seed %d: %d of %d grounds asked for, %v; or another world", seed, asked, grounds, err)
		}
	}
}

// eventsOf returns the events of the last step.
func eventsOf(w *quarry.World) string {
	return fmt.Sprint(w.Moves(), w.ContactBegins(), w.ContactEnds(), w.SensorBegins(), w.SensorEnds(), w.Hits(),
		w.Crushed(), w.Lost())
}

// TestSnapshotOfCalls: a world restored at any time within a random sequence of calls has the same hash as the
// original after each further call, and the same events after each step.
func TestSnapshotOfCalls(t *testing.T) {
	runs := uint64(150)
	if testing.Short() {
		runs = 40
	}
	for seed := range runs {
		c := midway(t, seed)
		f := c.fork(t, 1+int(seed%8))
		for range 80 {
			before := c.world.StepCount()
			if err, err2 := c.one(), f.one(); err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if c.world.StepCount() != before {
				if a, b := eventsOf(c.world), eventsOf(f.world); a != b {
					t.Fatalf("seed %d: the events differ:\n%s\n%s\n%s", seed, a, b, strings.Join(c.log, "\n"))
				}
			}
			if a, b := c.world.Hash(), f.world.Hash(); a != b {
				t.Fatalf("seed %d: hashes %x and %x\n%s", seed, a, b, strings.Join(c.log, "\n"))
			}
		}
		if !maps.EqualFunc(c.ids, f.ids, slices.Equal) {
			t.Fatalf("seed %d: other ids", seed)
		}
		if a, b := c.world.AppendSnapshot(nil), f.world.AppendSnapshot(nil); !bytes.Equal(a, b) {
			t.Fatalf("seed %d: the snapshots differ at the end", seed)
		}
	}
}

// withSum gives data the checksum of a snapshot.
func withSum(data []byte) []byte {
	n := len(data) - 8
	binary.LittleEndian.PutUint64(data[n:], uint64(crc32.Checksum(data[:n], crc32.MakeTable(crc32.Castagnoli))))
	return data
}

// variety returns a world with records of every kind, after some steps.
func variety(t testing.TB) *quarry.World {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1})
	w.AddMaterial(quarry.Material{Friction: 1, OneWay: quarry.OneWayUp})
	shapes := gridseg.NewShapes()
	if _, err := shapes.Register("wedge", [][2]float64{{0, 0}, {1, 0}, {1, 0.75}}); err != nil {
		t.Fatal(err)
	}
	grid := gridseg.New(shapes)
	for x := range int32(8) {
		tile := gridseg.Tile{Shape: gridseg.ShapeID(1 + x%6), Material: uint16(x / 4)}
		if err := grid.Set(x-4, -1, tile); err != nil {
			t.Fatal(err)
		}
	}
	id, err := w.AddGround(0, quarry.GroundDef{Grid: grid})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	if err := g.Dig(geom.V(1, 0), geom.V(1.5, -0.5), 0.2); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddChain(0, quarry.ChainDef{
		Points:    []geom.Vec{{X: 9, Y: -1}, {X: 7, Y: -1}, {X: 4, Y: -1}},
		Materials: []quarry.MaterialID{1, 0},
	}); err != nil {
		t.Fatal(err)
	}
	var last quarry.BodyID
	for k, s := range []geom.Shape{
		geom.NewBox(0.5, 0.5),
		geom.Circle{Radius: 0.4},
		geom.Capsule{B: geom.V(0.5, 0), Radius: 0.2},
		geom.NewRoundedBox(0.3, 0.2, 0.1), geom.NewBox(0.5, 0.5), geom.NewBox(0.5, 0.5),
	} {
		last = w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(2*float64(k)-4, 0.5+float64(k/5)),
			Bullet: k == 1,
		})
		w.AddShape(last, s, quarry.ShapeDef{})
	}
	w.AddShape(last, geom.Circle{Radius: 2}, quarry.ShapeDef{Sensor: true, Category: 4})
	lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(6, -2), Velocity: geom.V(0, 1)})
	w.AddShape(lift, geom.Segment{A: geom.V(1, 0), B: geom.V(-1, 0)}, quarry.ShapeDef{})
	gone := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 3)})
	w.AddShape(gone, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	for range 20 {
		w.Step(1.0 / 60)
	}
	w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{A: last, B: lift}, Length: 3})
	w.Step(1.0 / 60)
	w.RemoveBody(gone)
	return w
}

// useAll calls what reads the records of w, and steps it.
func useAll(w *quarry.World) {
	for range 2 {
		w.AppendContacts(nil)
		w.RayCast(geom.V(-20, 0.1), geom.V(40, 0), quarry.QueryFilter{})
		w.AppendOverlaps(nil, geom.NewBox(50, 50), geom.Transform{Q: geom.Identity}, quarry.QueryFilter{})
		w.Hash()
		w.AppendSnapshot(nil)
		w.Step(1.0 / 60)
	}
	for b := range w.Bodies() {
		b.Wake()
		w.RemoveBody(b.ID())
	}
	w.Step(1.0 / 60)
}

// TestRestoreOfMadeUpData changes each word of a snapshot, gives it the right checksum, and restores it: it is refused,
// and changes nothing; or it makes a world that steps, and whose records can all be read and removed.
func TestRestoreOfMadeUpData(t *testing.T) {
	data := variety(t).AppendSnapshot(nil)
	w := quarry.NewWorld(quarry.Config{Workers: 1})
	hash := w.Hash()
	accepted := 0
	for at := 16; at < len(data)-8; at += 8 {
		is := binary.LittleEndian.Uint64(data[at:])
		for _, x := range []uint64{
			0, 1, is + 1, is - 1, is ^ 1<<32, ^uint64(0), 1 << 62, 0x7ff0000000000000,
			0x7fe0000000000000, 0x3ff0000000000000, 7<<32 | 3,
		} {
			if testing.Short() && (at/8+int(x))%4 != 0 {
				continue
			}
			changed := slices.Clone(data)
			binary.LittleEndian.PutUint64(changed[at:], x)
			if err := w.Restore(withSum(changed)); err != nil {
				if !strings.HasPrefix(err.Error(), "quarry: snapshot: ") || w.Hash() != hash {
					t.Fatalf("byte %d: %v; or the world has changed", at, err)
				}
				continue
			}
			accepted++
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("byte %d of %d, %#x for %#x: %v\n%s", at, len(data), x, is, r, debug.Stack())
					}
				}()
				useAll(w)
			}()
			if t.Failed() {
				return
			}
			w = quarry.NewWorld(quarry.Config{Workers: 1})
		}
	}
	if accepted < 100 {
		t.Errorf("%d of the changes were accepted", accepted)
	}
}

// FuzzRestore: Restore refuses data with an error, and changes nothing, or makes a world that steps.
func FuzzRestore(f *testing.F) {
	f.Add(quarry.NewWorld(quarry.Config{}).AppendSnapshot(nil), false)
	f.Add(variety(f).AppendSnapshot(nil), true)
	f.Fuzz(func(t *testing.T, data []byte, sum bool) {
		if sum && len(data) >= 8 {
			data = withSum(slices.Clone(data))
		}
		w := quarry.NewWorld(quarry.Config{Workers: 1})
		hash := w.Hash()
		if err := w.Restore(data); err == nil {
			useAll(w)
		} else if w.Hash() != hash {
			t.Fatalf("%v, and the world has changed", err)
		}
	})
}

// Snapshots of each version that there has been, as text: base64 of gzip, of a world with all kinds of shapes and
// joints, terrain and blocks of tiles that lie on each other; and its hash today. A new version gets a new line, and a
// file made by the last commit before it: old snapshots must be read for ever.
var snapshotVersions = []struct {
	name string
	hash uint64
}{
	{"v1", 0x4573c2ef9d24cb54},
	{"v2", 0x4573c2ef9d24cb54},
	{"v3", 0x4573c2ef9d24cb54},
}

// TestSnapshotsOfAllVersions restores snapshots that older programs have made; the worlds go on, and a snapshot of
// today's version is as good.
func TestSnapshotsOfAllVersions(t *testing.T) {
	for _, v := range snapshotVersions {
		data := worldtest.Unpack(t, filepath.Join("testdata", "snapshot-"+v.name+".txt"))
		w, again := quarry.NewWorld(quarry.Config{Workers: 1}), quarry.NewWorld(quarry.Config{Workers: 1})
		if err := w.Restore(data); err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		if h := w.Hash(); h != v.hash {
			t.Errorf("%s: hash %#x, want %#x", v.name, h, v.hash)
		}
		if s := w.Stats(); s.Bodies != 18 || s.Contacts != 12 || s.Tiles != 65 {
			t.Errorf("%s: %+v", v.name, s)
		}
		if err := again.Restore(w.AppendSnapshot(nil)); err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		for range 60 {
			w.Step(1.0 / 60)
			again.Step(1.0 / 60)
		}
		if w.Hash() != again.Hash() {
			t.Errorf("%s: after 60 steps %#x, of a new snapshot %#x", v.name, w.Hash(), again.Hash())
		}
	}
}

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
