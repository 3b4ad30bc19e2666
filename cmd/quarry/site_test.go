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
	source, engine := filepath.Join(dir, "main.go"), filepath.Join(dir, "engine.wasm")
	if err := os.WriteFile(source, []byte(engineProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	buildEngine := exec.Command(goCommand, "build", "-trimpath", "-ldflags", "-s -w", "-o", engine, source)
	buildEngine.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	page := filepath.Join(dir, "page.wasm")
	for _, c := range []struct {
		build       *exec.Cmd
		file        string
		raw, packed int
	}{
		{buildEngine, engine, 7_350_000, 2_050_000},
		{buildPage(goCommand, page), page, 13_600_000, 3_450_000},
	} {
		if out, err := c.build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		raw, packed, err := pack(c.file)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d as gzip", filepath.Base(c.file), raw, packed)
		if raw > c.raw || packed > c.packed {
			t.Errorf("%s: %d bytes, %d as gzip; want at most %d, %d", c.file, raw, packed, c.raw, c.packed)
		}
	}
}
