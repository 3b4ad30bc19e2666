//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/store"
)

const cave = "../../tilemap/testdata/cave.png"

// ran runs a command line that must succeed, and returns its output.
func ran(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errs := command(args...)
	if status != 0 {
		t.Fatalf("%q: status %d: %s", args, status, errs)
	}
	return out
}

// hashIn returns the hash at the end of an output.
func hashIn(out string) string { return strings.TrimSpace(out[strings.LastIndex(out, "hash")+4:]) }

// TestWorldFile: a map that is imported, run in parts with --save, and run at once gives the same hash; a run without
// --save leaves the file as it was.
func TestWorldFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "world.db")
	out := ran(t, "import", cave, "--drop", "30", "--out", file)
	if want := ran(t, "hash", cave, "--drop", "30", "--steps", "0"); hashIn(out) != strings.TrimSpace(want) {
		t.Errorf("%s; hash prints %s", out, want)
	}
	ran(t, "run", file, "--steps", "40", "--save")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ran(t, "run", file, "--steps", "7")
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Error("a run without --save changed the file: ", err)
	}
	var sum summary
	if err := json.Unmarshal([]byte(ran(t, "run", file, "--steps", "50", "--save", "--json")), &sum); err != nil ||
		sum.Saved != file || sum.Scene != "world.db" {
		t.Errorf("%v, %+v", err, sum)
	}
	want := strings.TrimSpace(ran(t, "hash", cave, "--drop", "30", "--steps", "90"))
	if sum.Hash != want {
		t.Errorf("hash %s in parts, %s at once", sum.Hash, want)
	}
	if got := strings.TrimSpace(ran(t, "hash", file, "--steps", "0")); got != want {
		t.Errorf("the file has hash %s, want %s", got, want)
	}
	out = ran(t, "inspect", file)
	for _, part := range []string{
		"name      cave.png", "step 90: 31 bodies", "hash " + want, "ground    ",
		"record    world: ", "faults    none",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	picture := filepath.Join(filepath.Dir(file), "a.png")
	ran(t, "run", file, "--steps", "1", "--out", picture)
}

// TestWorldFileDamaged: run and inspect name the file and the chunk that is damaged.
func TestWorldFileDamaged(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "world.db")
	ran(t, "import", cave, "--drop", "3", "--out", file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// The chunks' values are those that begin with their version, 1, and zstd's letters behind their heads.
	at := bytes.LastIndex(data, []byte("\x28\xb5\x2f\xfd"))
	data[at+9] ^= 4
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errs := command("inspect", file)
	if status != 1 || !strings.Contains(out, "  fault     ground ") || !strings.Contains(out, "chunk (") ||
		!strings.Contains(errs, file+" has 1 fault") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	status, out, errs = command("run", file)
	if status != 1 || out != "" || !strings.Contains(errs, file+": ground ") || !strings.Contains(errs, "chunk (") ||
		!strings.Contains(errs, "the checksum is ") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// TestWorldFileRefused: errors name the file and its fault, and leave no file.
func TestWorldFileRefused(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, bytes.Repeat([]byte("text"), 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	held := filepath.Join(dir, "held.db")
	ran(t, "import", cave, "--drop", "3", "--out", held)
	none := filepath.Join(dir, "none.db")
	st, err := store.Open(held, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"must end in .db", []string{"import", cave, "--out", filepath.Join(dir, "world")}},
		{"there is no folder", []string{"import", cave, "--out", filepath.Join(dir, "a", "b.db")}},
		{"valley is not a map file", []string{"import", "valley", "--out", none}},
		{"is not a map file", []string{"import", held, "--out", none}},
		{"no such file", []string{"import", "none.png", "--out", none}},
		{"the file exists; --replace replaces it", []string{"import", cave, "--out", held}},
		{"no such file", []string{"inspect", none}},
		{"no such file", []string{"run", none}},
		{"it is not a quarry world file", []string{"inspect", text}},
		{"it is not a quarry world file", []string{"run", text, "--save"}},
		{"another program has the file open", []string{"run", held}},
		{"only map files take --layer", []string{"run", held, "--layer", "a"}},
		{"only map files take --drop", []string{"run", held, "--drop", "2"}},
		{"valley is not a world file", []string{"run", "valley", "--save", "--steps", "1"}},
	} {
		status, out, errs := command(c.args...)
		if status != 1 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%q: status %d, %q, %q; want %q", c.args, status, out, errs, c.want)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 2 {
		t.Errorf("files left: %v, %v", names, err)
	}
}

// TestExport: an imported map that is exported and imported again has the same ground; bodies are left out, with a
// warning.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	a, b, m := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db"), filepath.Join(dir, "m.tmj")
	ran(t, "import", hills, "--drop", "5", "--out", a)
	status, out, errs := command("export", a, "--out", m)
	if status != 0 || !strings.Contains(out, m+": 766 tiles") ||
		!strings.Contains(errs, "warning: 5 bodies are left out") {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	ran(t, "import", m, "--drop", "0", "--out", b)
	var first, second summary
	for file, sum := range map[string]*summary{a: &first, b: &second} {
		if err := json.Unmarshal([]byte(ran(t, "run", file, "--steps", "0", "--json")), sum); err != nil {
			t.Fatal(err)
		}
	}
	if first.Tiles != second.Tiles || first.Segments != second.Segments || first.Tiles == 0 {
		t.Errorf("%d tiles and %d segments, and %d and %d again", first.Tiles, first.Segments, second.Tiles,
			second.Segments)
	}
	for want, args := range map[string][]string{
		"must end in .tmj":                       {"export", a, "--out", filepath.Join(dir, "m.tmx")},
		"is not a world file":                    {"export", hills, "--out", m},
		"there is no ground 3; the grounds are ": {"export", a, "--ground", "3", "--out", m},
	} {
		if status, out, errs := command(args...); status != 1 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d, %q, %q; want %q", args, status, out, errs, want)
		}
	}
}

// TestExportLoadsAll: chunks that are unloaded are exported, too.
func TestExportLoadsAll(t *testing.T) {
	dir := t.TempDir()
	a, m := filepath.Join(dir, "a.db"), filepath.Join(dir, "m.tmj")
	w := quarry.NewWorld(quarry.Config{})
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	if err := g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 199, MaxY: 9},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(a, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	streamer := store.NewStreamer(st, g, store.GroundName(id), store.StreamOptions{Radius: 10, Memory: 2})
	if done, err := streamer.Step([]store.StreamPoint{{}}); err != nil || done.Unloaded != 2 {
		t.Fatal(done, err)
	}
	if err := store.SaveWorld(st, w); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if out := ran(t, "export", a, "--out", m); !strings.Contains(out, m+": 2000 tiles") {
		t.Error(out)
	}
}
