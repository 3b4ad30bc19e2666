package play

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/scene"
)

// watcher knows the chunks of a world by their revisions alone, as the page does.
type watcher struct {
	serials []uint64
	revs    []map[gridseg.Cell]uint64
	chunks  []map[gridseg.Cell]string
}

// look reads the chunks whose revision has changed.
func (v *watcher) look(w *World) {
	for i, g := range w.grounds {
		if i == len(v.serials) {
			v.serials, v.revs, v.chunks = append(v.serials, 0), append(v.revs, nil), append(v.chunks, nil)
		}
		if v.serials[i] != g.serial {
			v.serials[i], v.revs[i], v.chunks[i] = g.serial, map[gridseg.Cell]uint64{}, map[gridseg.Cell]string{}
		}
		ground, ok := w.in.World.Ground(g.id)
		if g.gone || !ok {
			continue
		}
		for _, c := range g.list {
			if v.revs[i][c.At] != c.Rev {
				v.revs[i][c.At] = c.Rev
				v.chunks[i][c.At] = string(ground.Grid().Engine(lattice.Key{}).AppendTiles(nil, c.Cells()))
			}
		}
	}
}

// A world that went back goes on as it did, with the same errors, and whoever reads only the chunks with new revisions
// sees the tiles as they are.
func TestRewindGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := New(rapid.SampledFrom([]scene.Scene{pit, bare, shelf}).Draw(t, "scene"), 300)
		if err != nil {
			t.Fatal(err)
		}
		var v watcher
		type act struct {
			c     Command
			steps bool
		}
		do := func(a act) string {
			defer v.look(w)
			err := error(nil)
			if a.steps {
				err = w.Step()
			} else {
				err = w.Do(1, a.c)
			}
			if err != nil {
				return err.Error()
			}
			return ""
		}
		draw := func() act {
			if rapid.IntRange(0, 2).Draw(t, "what") == 0 {
				return act{steps: true}
			}
			c := drawCommand(t)
			near(t, &c)
			if c.Do == "undo" || c.Do == "redo" { // which Rewind makes impossible
				c.Do = "release"
			}
			return act{c: c}
		}
		for range rapid.IntRange(0, 15).Draw(t, "before") {
			do(draw())
		}
		var s Saved
		w.Capture(&s)
		hash, bodies := w.Engine().Hash(), w.bodies
		var acts []act
		var told []string
		for range rapid.IntRange(0, 20).Draw(t, "after") {
			acts = append(acts, draw())
			told = append(told, do(acts[len(acts)-1]))
		}
		after := w.Engine().Hash()
		for range 2 {
			w.Rewind(&s)
			v.look(w)
			if w.Engine().Hash() != hash || w.bodies != bodies || w.Steps() != s.Steps() {
				t.Fatal("it did not go back")
			}
			for i, a := range acts {
				if got := do(a); got != told[i] {
					t.Fatalf("%+v: %q, was %q", a.c, got, told[i])
				}
			}
			if w.Engine().Hash() != after {
				t.Fatal("it goes on otherwise")
			}
		}
		w.Rewind(&s)
		v.look(w)
		for i, g := range w.grounds {
			ground, ok := w.in.World.Ground(g.id)
			if !ok {
				continue
			}
			tiles := map[gridseg.Cell]string{}
			for _, c := range g.list {
				tiles[c.At] = string(ground.Grid().Engine(lattice.Key{}).AppendTiles(nil, c.Cells()))
			}
			for at, text := range tiles {
				if v.chunks[i][at] != text {
					t.Fatalf("chunk %v of ground %d is seen as it was", at, i)
				}
			}
			n := 0
			if b, ok := ground.Grid().Bounds(); ok {
				for c := range ground.Grid().Tiles(b) {
					if _, known := tiles[chunkOf(c)]; !known {
						n++
					}
				}
			}
			if n > 0 {
				t.Fatalf("%d tiles are in no chunk", n)
			}
		}
		for range 3 {
			_ = w.Step()
		}
	})
}

// A world is at rest when nothing moves; a scene with edits not before they are over.
func TestAtRest(t *testing.T) {
	w := newWorld(t, pit)
	if w.AtRest() {
		t.Error("at rest before the first step")
	}
	for range 120 {
		step(t, w)
	}
	if !w.AtRest() {
		t.Error("not at rest after two seconds")
	}
	give(t, w, 1, Command{Do: "add", Kind: "box", Y: 9})
	if w.AtRest() {
		t.Error("at rest while a body falls")
	}
}

// AppendPast appends the snapshot of the world as it is after Rewind, and changes nothing: the next edit is seen, and
// what can be undone stays.
func TestAppendPast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := New(rapid.SampledFrom([]scene.Scene{pit, bare, shelf}).Draw(t, "scene"), 300)
		if err != nil {
			t.Fatal(err)
		}
		var v watcher
		act := func(most int, what string) {
			for range rapid.IntRange(0, most).Draw(t, what) {
				if rapid.IntRange(0, 2).Draw(t, "what") == 0 {
					_ = w.Step()
				} else {
					c := drawCommand(t)
					near(t, &c)
					_ = w.Do(Player(rapid.IntRange(1, 2).Draw(t, "by")), c)
				}
				v.look(w)
			}
		}
		snapshot := func() string {
			b, err := w.AppendSnapshot(nil)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		act(15, "before")
		var s Saved
		w.Capture(&s)
		act(15, "after")
		before, change := snapshot(), w.Change()
		past, err := w.AppendPast(nil, &s)
		if err != nil {
			t.Fatal(err)
		}
		if snapshot() != before || w.Change() != change {
			t.Fatal("the world is another")
		}
		for i, g := range w.grounds {
			ground, ok := w.in.World.Ground(g.id)
			if g.gone || !ok {
				continue
			}
			if g.version != ground.Version() {
				t.Fatalf("ground %d has version %d, was %d", i, ground.Version(), g.version)
			}
		}
		if rapid.Bool().Draw(t, "at once") {
			w.Rewind(&s)
			if snapshot() != string(past) {
				t.Fatal("the snapshot is of another state")
			}
			return
		}
		act(15, "meanwhile")
		w.Rewind(&s)
		w.LeaveAll()
		again, err := Restore(past, func(name string) (scene.Scene, bool) {
			return w.Scene(), name == w.Scene().Name
		})
		if err != nil {
			t.Fatal(err)
		}
		again.LeaveAll()
		for i := range 30 {
			if w.Engine().Hash() != again.Engine().Hash() {
				t.Fatalf("act %d: another world", i)
			}
			c, by := drawCommand(t), Player(rapid.IntRange(1, 2).Draw(t, "by"))
			near(t, &c)
			a, b := w.Do(by, c), again.Do(by, c)
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Fatalf("act %d, %+v: %v, and the restored world: %v", i, c, a, b)
			}
			if i%3 == 0 {
				_, _ = w.Step(), again.Step()
			}
		}
	})
}
