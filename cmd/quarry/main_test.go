package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/scene"
)

// command runs a command line and returns its status and its output.
func command(args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = execute(args, streams{&o, &e})
	return status, o.String(), e.String()
}

const hills = "../../tilemap/testdata/hills.tmx"

func TestList(t *testing.T) {
	status, out, errs := command("list")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	for _, name := range []string{"seam_run", "cliff", "large_pyramid", "tiles_flat", "dig_under_load"} {
		if !strings.Contains(out, name+" ") {
			t.Errorf("no %s in\n%s", name, out)
		}
	}
}

func TestHash(t *testing.T) {
	s, _ := scene.Get("valley")
	in := s.New()
	for range 30 {
		in.Step()
	}
	want := fmt.Sprintf("%016x", in.World.Hash())
	status, out, _ := command("hash", "valley", "--steps", "30")
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	if status != 0 || lines[len(lines)-1] != want {
		t.Errorf("status %d, %q, want the last line %s", status, out, want)
	}
}

func TestRunJSON(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.png")
	status, out, errs := command("run", hills, "--steps", "20", "--drop", "12", "--out", file, "--json")
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	var s summary
	dec := json.NewDecoder(strings.NewReader(out))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil || dec.More() {
		t.Fatalf("not one JSON object: %v\n%s", err, out)
	}
	if s.Scene != "hills.tmx" || s.Steps != 20 || s.Bodies != 13 || s.Tiles == 0 || s.Segments == 0 ||
		len(s.Hash) != 16 || s.Picture != file {
		t.Errorf("%+v", s)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if m, err := png.Decode(f); err != nil || m.Bounds().Dx() != 960 {
		t.Errorf("the picture: %v", err)
	}
}

func TestRunAnimation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.gif")
	status, out, errs := command("run", "cliff", "--steps", "30", "--out", file, "--width", "320", "--height", "180")
	if status != 0 || !strings.Contains(out, "hash") {
		t.Fatalf("status %d: %s%s", status, out, errs)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if g, err := gif.DecodeAll(f); err != nil || len(g.Image) != 16 { // 0, 2 ... 30
		t.Errorf("the animation: %v, %d frames", err, len(g.Image))
	}
}

// TestSameMapSameHash: a map file is as deterministic as a scene.
func TestSameMapSameHash(t *testing.T) {
	var hashes []string
	for range 2 {
		_, out, _ := command("run", "../../tilemap/testdata/cave.png", "--steps", "60", "--json")
		var s summary
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, s.Hash)
	}
	if hashes[0] != hashes[1] {
		t.Error(hashes)
	}
}

func TestBadCommandLines(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.tmx")
	if err := os.WriteFile(bad,
		[]byte(`<map orientation="isometric" width="1" height="1" tilewidth="8" tileheight="8"></map>`), 0o644); err != nil {
		t.Fatal(err)
	}
	pngDir := filepath.Join(dir, "dir.png")
	if err := os.Mkdir(pngDir, 0o755); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(dir, "kept.png")
	if err := os.WriteFile(kept, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string // a part of the message
		args []string
	}{
		{"no scene", []string{"run", "nosuch"}},
		{"valley", []string{"run", "nosuch"}},
		{"no such file", []string{"run", "no/such.tmx"}},
		{"isometric", []string{"run", bad, "--out", kept}},
		{"bad.tmx", []string{"run", bad}},
		{"--steps", []string{"run", "valley", "--steps", "-1"}},
		{"--steps", []string{"hash", "valley", "--steps", "99999999999"}},
		{"ends in", []string{"run", "valley", "--steps", "1", "--out", "a.bmp"}},
		{"fps", []string{"run", "valley", "--steps", "1", "--out", "a.gif", "--fps", "1000"}},
		{"pixels", []string{"run", "valley", "--steps", "1", "--out", filepath.Join(dir, "b.gif"), "--width=-5"}},
		{"drop", []string{"run", hills, "--drop", "-1"}},
		{"nope", []string{"run", hills, "--layer", "nope"}},
		{"--what", []string{"run", "valley", "--what"}},
		{"no scene", []string{"hash", "nosuch"}},
		{"--help", []string{"sandbax"}},
		{"only map files take --layer", []string{"run", "valley", "--layer", "ground"}},
		{"only map files take --drop", []string{"run", "valley", "--drop", "3"}},
		{"only map files take --plain", []string{"run", "valley", "--plain", "air"}},
		{"only map files take --world", []string{"run", "valley", "--world", "W"}},
		{"only map files take --leave-out", []string{"run", "valley", "--leave-out", "2"}},
		{"only an LDtk project has values", []string{"run", hills, "--leave-out", "2"}},
		{"--out", []string{"run", "valley", "--draw", "normals"}},
		{"--width", []string{"run", "valley", "--width", "5"}},
		{"--fps", []string{"run", "valley", "--fps", "5"}},
		// A flag at the end of the line had an empty value: no picture was made, and --addr served the network.
		{"--out: a value is missing", []string{"run", "valley", "--steps", "1", "--out"}},
		{"--record: a value is missing", []string{"run", "valley", "--steps", "1", "--record="}},
		{"--addr: a value is missing", []string{"sandbox", "--addr"}},
		{"is a directory", []string{"replay", dir}},
		{"islands", []string{"run", "valley", "--steps", "1", "--out", kept, "--draw", "contacts,island"}},
		// These errors come before the steps, which would take too long for a test.
		{"no folder", []string{"run", "valley", "--steps", "10000000", "--out", filepath.Join(dir, "none", "a.png")}},
		{"not a plain file", []string{"run", "valley", "--steps", "10000000", "--out", pngDir}},
		{"pixels", []string{"run", "valley", "--steps", "10000000", "--out", kept, "--width", "100000"}},
		{"pixels", []string{
			"run", "valley", "--steps", "10000000", "--out", filepath.Join(dir, "c.svg"), "--height",
			"100000",
		}},
	} {
		status, out, errs := command(c.args...)
		said := strings.ReplaceAll(errs, "must end in", "ends in")
		if status == 0 || !strings.Contains(said, c.want) {
			t.Errorf("%q: status %d, said %q, want %q in it", c.args, status, errs, c.want)
		}
		if out != "" && !strings.HasPrefix(out, "Usage") {
			t.Errorf("%q: wrote %q to standard output", c.args, out)
		}
	}
	if text, _ := os.ReadFile(kept); string(text) != "mine" {
		t.Error("a failed run wrote over a file")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".quarry-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}
