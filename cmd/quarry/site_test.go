//go:build !js

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/quarry2d/quarry/internal/worldtest"
)

// engineProgram has all that a game needs to step a world of bodies and ground, and no more.
const engineProgram = `package main

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

func main() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	tiles := gridseg.New(nil)
	_ = tiles.Set(0, 0, gridseg.Tile{Shape: gridseg.Full})
	w.AddGround(0, quarry.GroundDef{Grid: tiles})
	w.AddShape(w.AddBody(quarry.BodyDef{Type: quarry.Dynamic}), geom.NewBox(1, 1), quarry.ShapeDef{})
	w.Step(1.0 / 60)
	println(w.Stats().Contacts)
}
`

// TestWasmSize bounds the programs as WebAssembly, as they are and as gzip.
func TestWasmSize(t *testing.T) {
	goCommand := worldtest.GoCommand(t)
	dir := t.TempDir()
	engine, page := filepath.Join(dir, "engine.wasm"), filepath.Join(dir, "page.wasm")
	maps := filepath.Join(dir, "maps.wasm")
	for _, c := range []struct {
		build       *exec.Cmd
		file        string
		pack        func(path string) (raw, packed int, err error)
		raw, packed int
	}{
		{buildSource(t, goCommand, engineProgram, engine), engine, packAsItIs, 7_300_000, 2_030_000},
		{buildPage(goCommand, programs[0].path, page), page, pack, 13_250_000, 3_080_000},
		{buildPage(goCommand, programs[1].path, maps), maps, pack, 6_900_000, 1_600_000},
	} {
		if out, err := c.build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		raw, packed, err := c.pack(c.file)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d as gzip", filepath.Base(c.file), raw, packed)
		if raw > c.raw || packed > c.packed {
			t.Errorf("%s: %d bytes, %d as gzip; want at most %d, %d", c.file, raw, packed, c.raw, c.packed)
		}
	}
}

// packAsItIs is pack without slim.
func packAsItIs(path string) (raw, packed int, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	packed, err = writePacked(path, text)
	return len(text), packed, err
}

// buildSource returns the command that builds a program of one file for wasm.
func buildSource(t *testing.T, goCommand, source, out string) *exec.Cmd {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command(goCommand, "build", "-trimpath", "-ldflags", "-s -w", "-o", out, file)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	return build
}
