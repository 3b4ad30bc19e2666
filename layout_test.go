package quarry_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/quarry2d/quarry"

// arrows is the house's floor plan: which of our packages each may import.
// Leaves never see each other.
var arrows = map[string][]string{
	"":                 {"collide", "gridseg", "grid", "internal/solve", "internal/store", "internal/contact", "internal/surface", "geom"},
	"geom":             {},
	"gridseg":          {},
	"grid":             {"geom"},
	"collide":          {"geom"},
	"internal/solve":   {},
	"internal/store":   {},
	"internal/contact": {"collide", "gridseg", "geom"},
	"internal/surface": {"internal/contact", "collide", "gridseg", "geom"},
	// A yardstick for tests and figures; nothing of the engine imports it.
	"internal/published": {},
	"scene":              {"", "gridseg", "geom"},
	"tilemap":            {"gridseg", "geom"},
	"render":             {"", "gridseg", "grid", "geom"},
	"sandbox":            {"", "scene", "gridseg", "geom"},
	"cmd/quarry":         {"", "scene", "sandbox", "render", "tilemap", "gridseg", "geom", "internal/published"}, // to measure beside ours
}

// core lists the packages that import only the standard library and ours.
var core = []string{"", "geom", "gridseg", "grid", "collide", "internal/solve", "internal/store", "internal/contact", "internal/surface", "scene"}

// needGo skips where the go command cannot run, as in a wasm sandbox.
func needGo(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the go command; -short")
	}
	path, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command here: ", err)
	}
	return path
}

func TestImportArrows(t *testing.T) {
	out, err := exec.Command(needGo(t), "list", "-json=ImportPath,Imports,Standard", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		allowed, known := arrows[name]
		if !known {
			t.Errorf("package %s is not in the floor plan", p.ImportPath)
			continue
		}
		for _, i := range p.Imports {
			ours := i == module || strings.HasPrefix(i, module+"/")
			short := strings.TrimPrefix(strings.TrimPrefix(i, module), "/")
			switch {
			case ours && !slices.Contains(allowed, short):
				t.Errorf("%s imports %s: a new arrow", p.ImportPath, i)
			case !ours && strings.Contains(strings.Split(i, "/")[0], ".") && slices.Contains(core, name):
				t.Errorf("%s imports %s: the core imports only the standard library", p.ImportPath, i)
			}
		}
	}
}

// TestFilesAreShort keeps one noun a file.
func TestFilesAreShort(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != "." {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(path); d.IsDir() || ext != ".go" && ext != ".js" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), "\n"); n >= 500 {
			t.Errorf("%s has %d lines", path, n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
