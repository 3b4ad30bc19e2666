package quarry_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quarry2d/quarry/internal/worldtest"
)

const module = "github.com/quarry2d/quarry"

// arrows is the floor plan: the packages of this module that each package may import,
// tests aside. Leaves never import each other.
var arrows = map[string][]string{
	"": {
		"internal/lattice", "internal/broad", "internal/check", "internal/contact", "internal/draw",
		"internal/joint", "internal/pool", "internal/query", "internal/replay", "internal/rows", "internal/state",
		"internal/step", "internal/surface", "collide", "geom", "grid", "gridseg",
	},
	"geom":                {},
	"internal/lattice":    {},
	"gridseg":             {"internal/lattice"},
	"grid":                {"geom"},
	"collide":             {"geom"},
	"internal/solve":      {"internal/team"},
	"internal/solve/simd": {},
	"internal/solve/gen":  {}, // a command that writes the kernels
	"internal/pool":       {"internal/check", "geom"},
	"internal/team":       {},
	"internal/contact":    {"internal/pool", "collide", "geom", "gridseg"},
	"internal/surface":    {"internal/lattice", "internal/contact", "internal/pool", "collide", "geom", "gridseg"},
	"internal/narrow": {
		"internal/lattice", "internal/ccd", "internal/contact", "internal/pool", "internal/surface",
		"collide", "geom", "gridseg",
	},
	"internal/broad": {"internal/pool", "internal/team", "geom", "grid"},
	"internal/rows":  {"internal/check", "internal/contact", "internal/solve", "collide", "geom"},
	"internal/joint": {"internal/check", "internal/pool", "internal/solve", "geom"},
	"internal/query": {
		"internal/lattice", "internal/contact", "internal/surface", "collide", "geom", "grid",
		"gridseg",
	},
	"internal/replay": {"internal/lattice", "geom", "gridseg"},
	"internal/state": {
		"internal/lattice", "internal/broad", "internal/ccd", "internal/check", "internal/contact",
		"internal/joint", "internal/narrow", "internal/pool", "internal/query", "internal/rows", "internal/solve",
		"internal/surface", "internal/team", "collide", "geom", "grid", "gridseg",
	},
	"internal/check": {"geom"},
	"internal/ccd":   {"collide", "geom"},
	"internal/step": {
		"internal/broad", "internal/ccd", "internal/contact", "internal/joint", "internal/narrow",
		"internal/pool", "internal/query", "internal/rows", "internal/solve", "internal/state", "internal/surface",
		"internal/team", "collide", "geom", "gridseg",
	},
	"internal/draw": {
		"internal/broad", "internal/contact", "internal/joint", "internal/surface", "collide",
		"geom", "gridseg",
	},
	// A yardstick for tests and figures; no package of the engine imports it.
	"internal/published": {"internal/lattice", "gridseg"},
	"internal/canvas":    {"geom"}, // paths and inks of pictures
	// a command that draws the pictures of docs
	"internal/figures": {
		"internal/canvas", "internal/published", "", "collide", "geom", "grid", "gridseg", "render", "scene",
	},
	"mover":        {"", "geom"},
	"scene":        {"", "mover", "gridseg", "geom"},
	"tilemap":      {"internal/lattice", "gridseg", "geom"},
	"store":        {"internal/lattice", "", "gridseg", "geom"},
	"render":       {"internal/canvas", "", "gridseg", "grid", "geom"},
	"play":         {"", "mover", "scene", "gridseg", "geom"},
	"host":         {"play", "", "scene"},
	"host/filelog": {"host"},
	"host/natslog": {"host"},
	"sandbox": {
		"host", "host/filelog", "play", "", "scene", "internal/lattice", "grid", "collide", "render", "tilemap",
		"store", "gridseg", "geom",
	},
	// Helpers of black-box tests: no package may import it, only tests may.
	"internal/worldtest": {"", "scene", "gridseg", "geom"},
	"internal/gridtest":  {"gridseg", "geom"},  // grounds for tests
	"sandbox/page":       {"sandbox", "scene"}, // for wasm only
	"sandbox/maps":       {"tilemap"},          // for wasm only
	// Only tests, sorted by law.
	"laws/surfaces": {},
	"laws/solid":    {},
	"laws/rest":     {},
	"laws/joints":   {},
	// to measure beside ours
	"cmd/quarry": {
		"internal/lattice", "", "scene", "play", "host", "host/filelog", "host/natslog", "sandbox", "render",
		"tilemap", "store",
		"gridseg", "geom",
		"internal/solve/simd", "internal/step", "internal/published",
	},
}

// blackBox lists the packages that the tests in laws may import.
var blackBox = []string{"", "geom", "gridseg", "collide", "scene", "internal/worldtest"}

// core lists the packages that import only the standard library and ours.
var core = []string{
	"", "geom", "internal/lattice", "gridseg", "grid", "collide", "internal/solve", "internal/pool",
	"internal/contact", "internal/surface", "internal/narrow", "internal/state", "internal/broad", "internal/rows",
	"internal/ccd", "internal/joint", "internal/team", "internal/check", "internal/draw", "internal/query",
	"internal/replay", "internal/step", "mover", "scene",
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
	goCommand := worldtest.GoCommand(t)
	out, err := exec.Command(goCommand, "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...").Output()
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

// Where a new line belongs (docs/house.md): the root is what a game calls, internal/step is what happens in a step,
// internal/state is what a world is, and a leaf is what can be computed without a world. So no package below imports
// one above, the root does not import the leaves that only steps use, and it does not loop over the records of a
// world, but in the files of mayLoop.

// ofSteps are the leaves that only steps use, or records.
var ofSteps = []string{"internal/narrow", "internal/solve", "internal/ccd", "internal/team"}

// mayLoop are the files of the root with loops over all records of a kind, with the reason.
var mayLoop = map[string]string{
	"body.go":        "World.Bodies",
	"break.go":       "a ground that breaks makes bodies and events",
	"contactview.go": "World.Contacts",
	"draw.go":        "the view of a debug draw",
	"presolve.go":    "SetCustomFilter and SetPreSolve ask anew",
	"query.go":       "World.Stats",
	"record.go":      "the grounds for a log",
	"snapshot.go":    "Capture and Restore",
}

// TestLinesBelong holds the rule of docs/house.md.
func TestLinesBelong(t *testing.T) {
	for _, leaf := range ofSteps {
		if slices.Contains(arrows[""], leaf) {
			t.Errorf("the root may import %s: what happens in a step belongs to internal/step", leaf)
		}
	}
	floors := [][]string{{""}, {"internal/step"}, {"internal/state"}}
	for at, floor := range floors {
		for _, above := range floors[:at] {
			if slices.Contains(arrows[floor[0]], above[0]) {
				t.Errorf("%s may import %q, which is above it", floor[0], above[0])
			}
		}
	}
	for name, imports := range arrows {
		if name != "" && name != "internal/step" && strings.HasPrefix(name, "internal/") && slices.Contains(imports,
			"internal/state") {
			t.Errorf("%s may import internal/state: a leaf does not know the world", name)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		loops := false
		ast.Inspect(tree, func(n ast.Node) bool {
			loop, ok := n.(*ast.RangeStmt)
			loops = loops || ok && overRecords(loop.X)
			return true
		})
		if _, may := mayLoop[file]; loops && !may {
			t.Errorf("%s loops over all records of a kind: that belongs to internal/step or internal/state", file)
		} else if may && !loops {
			t.Errorf("%s has no loop over records any more", file)
		}
	}
}

// overRecords reports whether x is w.state.Bodies.All() and the like, of any pool or set.
func overRecords(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	to, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"All", "Within", "Slots"}, to.Sel.Name) {
		return false
	}
	of, ok := to.X.(*ast.SelectorExpr)
	for ok && of.Sel.Name != "state" {
		of, ok = of.X.(*ast.SelectorExpr)
	}
	return ok
}

// longest is the number of lines that a file stays below. One noun a file takes under
// 500; up to 800 are for a file whose one algorithm needs them.
const longest = 800

// TestFilesAreShort keeps one noun a file, but in generated ones, such as the twin of the kernels.
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
		if bytes.HasPrefix(text, []byte("// Code generated ")) {
			return nil
		}
		if n := bytes.Count(text, []byte("\n")); n >= longest {
			t.Errorf("%s has %d lines; the limit is %d", path, n, longest)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// mostColumns is the largest width of a line of Go, with a tab as four columns.
const mostColumns = 120

// TestLineLength: lines of Go have at most 120 columns, except lines of raw strings, such as help texts, and of
// generated files.
func TestLineLength(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		files++
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		raw := rawLines(src)
		n := 0
		for line := range strings.Lines(string(src)) {
			n++
			line = strings.TrimSuffix(line, "\n")
			if n == 1 && strings.HasPrefix(line, "// Code generated") {
				return nil
			}
			if wide := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); wide > mostColumns && !raw[n] {
				t.Errorf("%s:%d has %d columns; the limit is %d", name, n, wide, mostColumns)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("%d files; are they still read?", files)
	}
}

// rawLines returns the lines of a file that hold a part of a raw string, counted from 1.
func rawLines(src []byte) map[int]bool {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		at, tok, text := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.STRING && text[0] == '`' {
			first := file.Line(at)
			for k := range strings.Count(text, "\n") + 1 {
				lines[first+k] = true
			}
		}
	}
}
