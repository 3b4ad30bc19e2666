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

// arrows is the floor plan: the packages of this module that each package may import,
// tests aside. Leaves never import each other.
var arrows = map[string][]string{
	"":                    {"internal/lattice", "internal/broad", "internal/check", "internal/contact", "internal/draw", "internal/joint", "internal/pool", "internal/query", "internal/replay", "internal/rows", "internal/state", "internal/step", "internal/surface", "collide", "geom", "grid", "gridseg"},
	"geom":                {},
	"gridseg":             {"internal/lattice"},
	"internal/lattice":    {},
	"grid":                {"geom"},
	"collide":             {"geom"},
	"internal/solve":      {"internal/team"},
	"internal/solve/simd": {},
	"internal/pool":       {"internal/check", "geom"},
	"internal/team":       {},
	"internal/contact":    {"internal/pool", "collide", "geom", "gridseg"},
	"internal/surface":    {"internal/lattice", "internal/contact", "internal/pool", "collide", "geom", "gridseg"},
	"internal/narrow":     {"internal/lattice", "internal/ccd", "internal/contact", "internal/pool", "internal/surface", "collide", "geom", "gridseg"},
	"internal/broad":      {"internal/pool", "internal/team", "geom", "grid"},
	"internal/rows":       {"internal/check", "internal/contact", "internal/solve", "collide", "geom"},
	"internal/joint":      {"internal/check", "internal/pool", "internal/solve", "geom"},
	"internal/query":      {"internal/lattice", "internal/contact", "internal/surface", "collide", "geom", "grid", "gridseg"},
	"internal/replay":     {"geom", "gridseg"},
	"internal/state":      {"internal/lattice", "internal/broad", "internal/ccd", "internal/check", "internal/contact", "internal/joint", "internal/narrow", "internal/pool", "internal/query", "internal/rows", "internal/solve", "internal/surface", "internal/team", "collide", "geom", "grid", "gridseg"},
	"internal/check":      {"geom"},
	"internal/ccd":        {"collide", "geom"},
	"internal/step":       {"internal/broad", "internal/ccd", "internal/contact", "internal/joint", "internal/narrow", "internal/pool", "internal/query", "internal/rows", "internal/solve", "internal/state", "internal/surface", "internal/team", "collide", "geom", "gridseg"},
	"internal/draw":       {"internal/broad", "internal/contact", "internal/joint", "internal/surface", "collide", "geom", "gridseg"},
	// A yardstick for tests and figures; no package of the engine imports it.
	"internal/published": {},
	"mover":              {"", "geom"},
	"scene":              {"", "mover", "gridseg", "geom"},
	"tilemap":            {"gridseg", "geom"},
	"store":              {"internal/lattice", "", "gridseg", "geom"},
	"render":             {"", "gridseg", "grid", "geom"},
	"play":               {"", "scene", "gridseg", "geom"},
	"sandbox":            {"play", "", "scene", "gridseg", "geom"},
	// Helpers of black-box tests: no package may import it, only tests may.
	"internal/worldtest":   {"", "gridseg", "geom"},
	"internal/gridtest":    {"gridseg", "geom"},  // grounds for tests
	"internal/repo/arrows": {},                   // a command that counts arrows between files
	"sandbox/page":         {"sandbox", "scene"}, // for wasm only
	// Only tests, sorted by law.
	"laws/seams":  {},
	"laws/solid":  {},
	"laws/oneway": {},
	"laws/fast":   {},
	"laws/rest":   {},
	"laws/chain":  {},
	"laws/joints": {},
	"cmd/quarry":  {"internal/lattice", "", "scene", "play", "sandbox", "render", "tilemap", "store", "gridseg", "geom", "internal/solve/simd", "internal/published"}, // to measure beside ours
}

// blackBox lists the packages that the tests in laws may import.
var blackBox = []string{"", "geom", "gridseg", "collide", "scene", "internal/worldtest"}

// core lists the packages that import only the standard library and ours.
var core = []string{"", "geom", "internal/lattice", "gridseg", "grid", "collide", "internal/solve", "internal/pool", "internal/contact", "internal/surface", "internal/narrow", "internal/state", "internal/broad", "internal/rows", "internal/ccd", "internal/joint", "internal/team", "internal/check", "internal/draw", "internal/query", "internal/replay", "internal/step", "mover", "scene"}

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

// within returns the path of a package within the module, "" for its root, and whether
// the package is of the module.
func within(path string) (string, bool) {
	short, ours := strings.CutPrefix(path, module)
	if short == "" || short[0] == '/' {
		return strings.TrimPrefix(short, "/"), ours
	}
	return path, false
}

func TestImportArrows(t *testing.T) {
	out, err := exec.Command(needGo(t), "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name, _ := within(p.ImportPath)
		allowed, known := arrows[name]
		if !known {
			t.Errorf("package %s is not in the floor plan", p.ImportPath)
			continue
		}
		if strings.HasPrefix(name, "laws/") {
			for _, i := range slices.Concat(p.TestImports, p.XTestImports) {
				if short, ours := within(i); ours && !slices.Contains(blackBox, short) {
					t.Errorf("the tests of %s import %s: laws are tested black box", p.ImportPath, i)
				}
			}
		}
		for _, i := range p.Imports {
			short, ours := within(i)
			switch {
			case ours && !slices.Contains(allowed, short):
				t.Errorf("%s imports %s: a new arrow", p.ImportPath, i)
			case !ours && strings.Contains(strings.Split(i, "/")[0], ".") && slices.Contains(core, name):
				t.Errorf("%s imports %s: the core imports only the standard library", p.ImportPath, i)
			}
		}
	}
}

// longest is the number of lines that a file stays below. One noun a file takes under
// 500; up to 800 are for a file whose one algorithm needs them.
const longest = 800

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
		if n := strings.Count(string(text), "\n"); n >= longest {
			t.Errorf("%s has %d lines; the limit is %d", path, n, longest)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
