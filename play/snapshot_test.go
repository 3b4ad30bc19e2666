package play

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/scene"
)

func find(name string) (scene.Scene, bool) {
	for _, sc := range []scene.Scene{pit, bare, shelf} {
		if sc.Name == name {
			return sc, true
		}
	}
	return scene.Get(name)
}

// restored returns a world restored from a snapshot of w.
func restored(t interface{ Fatal(...any) }, w *World) *World {
	b, err := w.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Restore(b, find)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A world that was restored in the middle of strokes and drags goes on as the other one, with the same errors.
func TestSnapshotGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := rapid.SampledFrom([]scene.Scene{pit, bare, shelf}).Draw(t, "scene")
		a, err := New(sc, 300)
		if err != nil {
			t.Fatal(err)
		}
		b := a
		at := rapid.IntRange(0, 20).Draw(t, "at")
		for k := range 40 {
			if k == at {
				b = restored(t, a)
			}
			c, moves := Command{}, rapid.IntRange(0, 3).Draw(t, "what") == 0
			if !moves {
				c = drawCommand(t)
				near(t, &c)
				if list := slices.Collect(a.Engine().Bodies()); len(list) > 0 {
					c.Body = rapid.SampledFrom(list).Draw(t, "body").ID()
				}
				if list := slices.Collect(a.Engine().Joints()); len(list) > 0 {
					c.Joint = rapid.SampledFrom(list).Draw(t, "joint").ID()
				}
			}
			by := Player(rapid.IntRange(1, 2).Draw(t, "by"))
			do := func(w *World) string {
				err := error(nil)
				if moves {
					err = w.Step()
				} else {
					err = w.Do(by, c)
				}
				if err != nil {
					return err.Error()
				}
				return ""
			}
			told := do(a)
			if b != a {
				if again := do(b); again != told {
					t.Fatalf("%+v: %q, after Restore %q", c, told, again)
				}
			}
			if x, y := a.Engine().Hash(), b.Engine().Hash(); x != y || a.bodies != b.bodies || a.strokes != b.strokes ||
				a.floor != b.floor {
				t.Fatalf("after %+v: hashes %x and %x, %d and %d bodies, %d and %d strokes", c, x, y, a.bodies,
					b.bodies, a.strokes, b.strokes)
			}
		}
		for i, g := range a.grounds {
			if h := b.grounds[i]; g.gone != h.gone || g.serial != h.serial || len(g.list) != len(h.list) {
				t.Fatalf("ground %d: gone %t, serial %d, %d chunks; after Restore %t, %d, %d", i, g.gone, g.serial,
					len(g.list), h.gone, h.serial, len(h.list))
			}
		}
	})
}

// A world that is no scene's goes on after Restore without any scene.
func TestOwnWorld(t *testing.T) {
	in := pit.New()
	w := NewOf("mine", in.World, pit.View, 100)
	give(t, w, 1, Command{Do: "add", Kind: "box", Y: 5})
	b, err := w.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) (scene.Scene, bool) { return scene.Scene{}, false }
	r, err := Restore(b, none)
	if err != nil {
		t.Fatal(err)
	}
	step(t, w)
	step(t, r)
	if r.Engine().Hash() != w.Engine().Hash() || r.Scene().Name != "mine" || r.Scene().View != pit.View {
		t.Errorf("after Restore it is another world: %+v", r.Scene())
	}
	for _, c := range [][2]string{{`"Max":{"X":12`, `"Max":{"X":-99`}, {`"Max":{"X":12`, `"Max":{"X":1e99`}} {
		bad := strings.Replace(string(b), c[0], c[1], 1)
		head := strings.Index(bad, "{")
		size := strings.Index(bad, "quarrysn") - head
		bad = bad[:head-4] + string(binary.LittleEndian.AppendUint32(nil, uint32(size))) + bad[head:]
		if _, err := Restore([]byte(bad), none); err == nil || !strings.Contains(err.Error(), "view") {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}

// Scenes go on after Restore as without it, those with edits between steps, too. The edits of those listed have a
// memory of their own, such as the bodies that they have added: they go on, but otherwise.
func TestScenesGoOn(t *testing.T) {
	memory := map[string]bool{
		"asteroid": true, "craters": true, "parcours": true, "rain": true, "ship": true,
		"walk": true,
	}
	for _, sc := range scene.All() {
		a := newWorld(t, sc)
		if a.bodies > 1500 {
			continue
		}
		for range 60 {
			step(t, a)
		}
		b := restored(t, a)
		for range 60 {
			step(t, a)
			step(t, b)
		}
		if b.Stopped() != "" {
			t.Errorf("%s: %s", sc.Name, b.Stopped())
		}
		if same := a.Engine().Hash() == b.Engine().Hash(); same == memory[sc.Name] {
			t.Errorf("%s: the same after Restore: %t", sc.Name, same)
		}
	}
}

// Damaged snapshots are refused.
func TestDamagedSnapshots(t *testing.T) {
	w := newWorld(t, shelf)
	give(t, w, 1, Command{Do: "add", Kind: "tiles", X: 5, Y: 8, Size: 2})
	give(t, w, 1, Command{Do: "dig", X0: 0, X1: 1, Y0: 1, Y1: 1, Radius: 0.5, Hold: true})
	b, err := w.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range b {
		if n%7 == 0 || n < 100 {
			if _, err := Restore(b[:n], find); err == nil {
				t.Fatalf("%d of %d bytes are accepted", n, len(b))
			}
		}
	}
	head := string(b)
	for _, c := range [][2]string{
		{`"scene":"shelf"`, `"scene":"shelv"`},
		{`"own":0`, `"owl":0`},
		{`"steps":0`, `"steps":-`},
		{`"player":1`, `"player":x`},
	} {
		bad := strings.Replace(head, c[0], c[1], 1)
		if bad == head {
			t.Fatalf("%s is not in the head", c[0])
		}
		if _, err := Restore([]byte(bad), find); err == nil {
			t.Errorf("%s is accepted", c[1])
		}
	}
}

// FuzzRestore: any bytes are refused, or are a world that takes commands and steps.
func FuzzRestore(f *testing.F) {
	for _, sc := range []scene.Scene{pit, bare, shelf} {
		w, err := New(sc, 300)
		if err != nil {
			f.Fatal(err)
		}
		_ = w.Do(1, Command{Do: "add", Kind: "tiles", X: 5, Y: 8, Size: 2})
		_ = w.Do(2, Command{Do: "build", X0: 0, X1: 1, Y0: 6, Y1: 6, Radius: 0.5, Hold: true})
		_ = w.Do(1, Command{Do: "remove", X: 5, Y: 8})
		_ = w.Do(2, Command{Do: "grab", Y: 0.5})
		_ = w.Step()
		b, err := w.AppendSnapshot(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := Restore(b, find)
		if err != nil {
			return
		}
		for _, c := range []Command{
			{Do: "undo"},
			{Do: "release"},
			{Do: "paint", Shape: 1, Cells: []int32{0, 5}},
			{Do: "dig", X1: 3, Radius: 1, All: true},
			{Do: "add", Kind: "tiles", Size: 1, Y: 9},
		} {
			_ = w.Do(2, c)
		}
		_ = w.Do(1, Command{Do: "undo"})
		if w.Step(); w.Stopped() != "" {
			t.Fatal(w.Stopped())
		}
	})
}
