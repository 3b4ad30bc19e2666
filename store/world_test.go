package store

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// digWorld returns a world of a ground of 300 x 70 cells, across the origin, with boxes on it.
func digWorld(t testing.TB) *quarry.World {
	t.Helper()
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	stone := w.AddMaterial(quarry.Material{Name: "stone", Friction: 0.4})
	g := gridseg.New(nil)
	if err := g.Fill(gridseg.Rect{MinX: -150, MinY: -70, MaxX: 149, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(stone)}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: g}); err != nil {
		t.Fatal(err)
	}
	for k := range 20 {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(k*3-30), 2), Name: "box"})
		w.AddShape(b, geom.NewBox(0.4, 0.5), quarry.ShapeDef{})
	}
	return w
}

// groundOf returns the first ground of w.
func groundOf(t testing.TB, w *quarry.World) quarry.Ground {
	t.Helper()
	for g := range w.Grounds() {
		return g
	}
	t.Fatal("no ground")
	return quarry.Ground{}
}

// dig makes the edits of a step: the same ones for the same step.
func dig(t testing.TB, w *quarry.World) {
	t.Helper()
	rng := rand.New(rand.NewPCG(w.StepCount(), 3))
	g := groundOf(t, w)
	p := geom.V(rng.Float64()*280-140, -rng.Float64()*65)
	var err error
	if rng.IntN(3) > 0 {
		err = g.Dig(p, p, 0.5+2*rng.Float64())
	} else {
		err = g.Set(int32(p.X), int32(p.Y), gridseg.Tile{
			Shape: gridseg.Ramp, Turn: gridseg.Turn(rng.IntN(4)),
			User: rng.Uint32(),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestWorldComesBack: a world that is saved and loaded has the same hash, and goes on with the same hashes.
func TestWorldComesBack(t *testing.T) {
	names := []string{"craters", "layers", "one_way", "chains", "ragdolls", "compounds", "conveyor"}
	for _, name := range names {
		sc, ok := scene.Get(name)
		if !ok {
			t.Fatal(name)
		}
		in := sc.New()
		for range 40 {
			in.Step()
		}
		path := filepath.Join(t.TempDir(), "quarry.db")
		s := openQuiet(t, path)
		if err := SaveWorld(s, in.World); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = openQuiet(t, path)
		again := sc.New()
		if err := LoadWorld(s, again.World); err != nil {
			t.Fatal(name, err)
		}
		if len(content(t, s)) < 2 && in.World.Stats().Tiles > 0 {
			t.Errorf("%s: the file has no chunks", name)
		}
		for range 20 {
			if in.World.Hash() != again.World.Hash() {
				t.Fatalf("%s: step %d: another hash", name, again.World.StepCount())
			}
			in.Step()
			again.Step()
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWorldNeverLeftMemory: a world that is saved after each step, and loaded into a new one after some, from a file
// that is opened again, has the hashes of one that never left memory.
func TestWorldNeverLeftMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := openQuiet(t, path)
	want, w := digWorld(t), digWorld(t)
	saver := NewSaver(s, w)
	for step := range 120 {
		dig(t, want)
		want.Step(1. / 60)
		dig(t, w)
		w.Step(1. / 60)
		if _, err := saver.Save(); err != nil {
			t.Fatal(err)
		}
		if step%40 == 30 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = openQuiet(t, path)
			w = quarry.NewWorld(quarry.Config{})
			if err := LoadWorld(s, w); err != nil {
				t.Fatal(err)
			}
			saver = NewSaver(s, w)
		}
		if want.Hash() != w.Hash() {
			t.Fatalf("step %d: another hash", step)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestSaverPutsWhatChanged counts the chunks of each Save.
func TestSaverPutsWhatChanged(t *testing.T) {
	s, w := Memory(), digWorld(t)
	v := NewSaver(s, w)
	save := func(want int, what string) {
		t.Helper()
		if n, err := v.Save(); n != want || err != nil {
			t.Errorf("%s: %d chunks, %v; want %d", what, n, err, want)
		}
		again := quarry.NewWorld(quarry.Config{})
		if err := LoadWorld(s, again); err != nil || again.Hash() != w.Hash() {
			t.Errorf("%s: not the same world: %v", what, err)
		}
	}
	edit := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	g := groundOf(t, w)
	save(6*2, "first")
	save(0, "nothing")
	w.Step(1. / 60)
	save(0, "a step")
	edit(g.Set(5, -5, gridseg.Tile{}))
	save(1, "a cell")
	edit(g.Fill(gridseg.Rect{MinX: 63, MinY: -65, MaxX: 64, MaxY: -64}, gridseg.Tile{}))
	save(4, "the corner of four chunks")
	edit(g.Clear(-150, -70))
	edit(g.Set(-150, -70, gridseg.Tile{Shape: gridseg.Full, Material: uint16(g.Tile(0, -1).Material)}))
	save(0, "an edit and back")
	edit(g.Fill(gridseg.Rect{MinX: 128, MinY: -70, MaxX: 149, MaxY: -65}, gridseg.Tile{}))
	save(1, "a chunk emptied")
	if _, ok, err := s.Get(Chunk(GroundName(g.ID()), 2, -2)); ok || err != nil {
		t.Error("the empty chunk is there", ok, err)
	}
	v = NewSaver(s, w)
	save(0, "a new Saver")
	w.RemoveGround(g.ID())
	save(11, "no ground")
	other := digWorld(t)
	if err := SaveWorld(s, other); err != nil {
		t.Fatal(err)
	}
	if n, err := NewSaver(s, digWorld(t)).Save(); n != 0 || err != nil {
		t.Error(n, err)
	}
}

// TestSaveEach saves at most once in an interval, and does not queue more while the file cannot be written.
func TestSaveEach(t *testing.T) {
	s := openQuiet(t, filepath.Join(t.TempDir(), "quarry.db"))
	f := &failing{backend: s.back}
	s.back = f
	w := digWorld(t)
	v := NewSaver(s, w)
	clock := time.Unix(1000, 0)
	v.now = func() time.Time { return clock }
	saves := func() bool {
		t.Helper()
		dig(t, w)
		w.Step(1. / 60)
		before := v.record
		if _, err := v.SaveEach(time.Second); err != nil {
			return false
		}
		return string(v.record) != string(before)
	}
	for k, want := range []bool{true, false, false, false, true, false} {
		if got := saves(); got != want {
			t.Errorf("call %d saves: %v", k, got)
		}
		clock = clock.Add(250 * time.Millisecond)
	}
	f.fail(errors.New("disk full"))
	clock = clock.Add(time.Minute)
	// Store's goroutine may have written all moments so far, so that only one more makes Flush fail; or it has failed
	// to write them, and SaveEach refuses one more.
	saves()
	if err := s.Flush(); !errors.Is(err, f.err) {
		t.Fatal(err)
	}
	clock = clock.Add(time.Minute)
	if _, err := v.SaveEach(time.Second); !errors.Is(err, f.err) {
		t.Error(err)
	}
	f.fail(nil)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if !saves() {
		t.Error("no save after the disk had room again")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestLoadWorldRefuses: an empty store, and damage, which is named by file and chunk; the receiving world stays as it
// is.
func TestLoadWorldRefuses(t *testing.T) {
	w := digWorld(t)
	hash := w.Hash()
	refused := func(s *Store, says string) {
		t.Helper()
		if err := LoadWorld(s, w); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; it must say %q", err, says)
		}
		if w.Hash() != hash {
			t.Error("the world has changed")
		}
	}
	refused(Memory(), `record "world": no world was saved`)
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := openQuiet(t, path)
	if err := SaveWorld(s, w); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openQuiet(t, path)
	of := Chunk(GroundName(groundOf(t, w).ID()), 1, -1)
	v, err := s.back.get(of.encode())
	if err != nil || v == nil {
		t.Fatal(v, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range data {
		if strings.HasPrefix(string(data[at:]), string(v)) {
			data[at+len(v)-1] ^= 1
		}
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s = openQuiet(t, path)
	refused(s, path+": "+of.String()+": the checksum is ")
	s.Delete(of)
	refused(s, path+`: record "world": quarry: snapshot: `)
	s.Put(of, []byte("QTIL\x01\x00\x01\x00"))
	refused(s, path+": "+of.String()+": it ends within a chunk of tiles")
	s.Put(Record(RecordWorld), []byte("QWLD\x03\x00\x00\x00\x00\x00"))
	refused(s, path+`: record "world": version 3 of worlds: this program reads versions 1 to 2`)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestSaverAfterReload: a chunk that is unloaded to the store and loaded again, between two Saves, is in the store as
// the bytes of its Unload, though its tiles are of the last Save: a fault had left it at that, and the world could not
// be loaded.
func TestSaverAfterReload(t *testing.T) {
	for _, commit := range []bool{false, true} {
		s, w := Memory(), quarry.NewWorld(quarry.Config{})
		id, err := w.AddGround(0, quarry.GroundDef{})
		if err != nil {
			t.Fatal(err)
		}
		g, _ := w.Ground(id)
		if err := g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 3*Side - 1, MaxY: 5},
			gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
		saver := NewSaver(s, w)
		if _, err := saver.Save(); err != nil {
			t.Fatal(err)
		}
		data, err := g.UnloadPlace(cellsOf(1, 0), gridseg.UnloadedSolid)
		if err != nil {
			t.Fatal(err)
		}
		s.Put(Chunk(GroundName(id), 1, 0), data)
		if _, err := g.LoadPlace(data); err != nil {
			t.Fatal(err)
		}
		if commit { // such as of a record of the game
			s.Commit()
		}
		if _, err := saver.Save(); err != nil {
			t.Fatal(err)
		}
		again := quarry.NewWorld(quarry.Config{})
		if err := LoadWorld(s, again); err != nil {
			t.Fatal(err)
		}
		if again.Hash() != w.Hash() {
			t.Errorf("commit %v: the store has another world", commit)
		}
	}
}
