package scene

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// goldenHash returns the hash of a scene in testdata/golden.txt.
func goldenHash(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if f := strings.Fields(s.Text()); f[0] == name {
			return strings.TrimPrefix(f[len(f)-1], "hash=")
		}
	}
	t.Fatalf("no golden of %s", name)
	return ""
}

// TestGoldenOfSnapshots: a snapshot of every scene half way, restored in another world with eight workers, ends in the
// scene's golden hash. A snapshot of a restored world is the same, byte by byte.
func TestGoldenOfSnapshots(t *testing.T) {
	for _, g := range goldens {
		s, _ := Get(g.name)
		in := s.New()
		for range g.steps / 2 {
			in.Step()
		}
		data := in.World.AppendSnapshot(nil)
		// A world of another configuration and content; and one of the scene, at another step, whose edits continue.
		s.Config.Workers = 8
		other, again := quarry.NewWorld(quarry.Config{CellSize: 3, SubSteps: 1}), s.New()
		other.AddShape(other.AddBody(quarry.BodyDef{}), geom.Circle{Radius: 1}, quarry.ShapeDef{})
		if again.BeforeStep != nil { // its random numbers go on
			for step := range g.steps / 2 {
				again.BeforeStep(step)
			}
		}
		for range 5 {
			again.World.Step(again.DT)
		}
		for _, w := range []*quarry.World{other, again.World} {
			if err := w.Restore(data); err != nil {
				t.Fatalf("%s: %v", g.name, err)
			}
			if !bytes.Equal(w.AppendSnapshot(nil), data) {
				t.Errorf("%s: a snapshot of the restored world differs", g.name)
			}
			if a, b := w.Hash(), in.World.Hash(); a != b {
				t.Errorf("%s: hash %x after Restore, %x before", g.name, a, b)
			}
		}
		for range g.steps - g.steps/2 {
			again.Step()
		}
		if got, want := fmt.Sprintf("%016x", again.World.Hash()), goldenHash(t, g.name); got != want {
			t.Errorf("%s: hash %s after the snapshot, want %s", g.name, got, want)
		}
	}
}
