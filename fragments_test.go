package quarry_test

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fragmentNames declares the variables that the fragments of a page use and do not declare; all pages have w.
var fragmentNames = map[string]string{
	"README.md":          "",
	"docs/chains.md":     "",
	"docs/debug-draw.md": "var view geom.AABB",
	"docs/joints.md": "var frame, leaf, cage, a, b, chassis, wheel, crate, small, large, drum quarry.BodyID; " +
		"var hub, mouse, mesh, axle geom.Vec; var base quarry.JointBase; var j quarry.Joint",
	"docs/living-ground.md": "var grid *gridseg.Grid; var bedrock gridseg.Rect; var a, b geom.Vec",
	"docs/mover.md":         "var jump bool; var gravity geom.Vec; var dt float64",
	"docs/queries.md": "var eye, aim, feet, blast geom.Vec; var player quarry.BodyID; var capsule, tall " +
		"geom.Shape; var rock uint64; var targets []quarry.Target",
	"docs/snapshots.md": "var late, now uint64; var dt float64; var file io.ReadWriter; var inputs func(step " +
		"uint64)",
	"docs/streaming.md": "var p, v geom.Vec",
	"docs/surfaces.md":  "var ground quarry.Ground; var player quarry.Body",
}

// exports returns an importer of the packages that the fragments may use, from the export data that go list names.
func exports(t *testing.T, fset *token.FileSet, paths ...string) types.Importer {
	t.Helper()
	args := append([]string{"list", "-deps", "-export", "-f", "{{.ImportPath}} {{.Export}}"}, paths...)
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

// TestFragments: the Go code on the pages of docs compiles, in a function with the variables of fragmentNames.
// (TestManual holds docs/manual.md to programs that run.)
func TestFragments(t *testing.T) {
	const module = "github.com/quarry2d/quarry"
	paths := []string{
		module, module + "/geom", module + "/gridseg", module + "/mover", module + "/store", "fmt", "io",
		"math", "time",
	}
	fset := token.NewFileSet()
	from := exports(t, fset, paths...)
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, page := range append(pages, "README.md") {
		blocks := regexp.MustCompile("(?s)\n```go\n(.*?)```").FindAllStringSubmatch(read(t, page), -1)
		if page == "docs/manual.md" {
			continue
		}
		for _, b := range blocks {
			count++
			names, ok := fragmentNames[page]
			if !ok {
				t.Errorf("%s has Go code: list its variables in fragmentNames", page)
				break
			}
			src := "package p; import (\"" + strings.Join(paths, "\"; \"") + "\"); var w *quarry.World\n" + names +
				"\nfunc f() {\n" + b[1] + "\n}"
			f, err := parser.ParseFile(fset, page, src, parser.SkipObjectResolution)
			if err != nil {
				t.Errorf("%s: %v\n%s", page, err, b[1])
				continue
			}
			conf := types.Config{Importer: from, Error: func(err error) {
				// An import or a variable that a fragment does not use is a soft error.
				if e := (types.Error{}); !errors.As(err, &e) || !e.Soft {
					t.Errorf("%s: %v\n%s", page, err, b[1])
				}
			}}
			_, _ = conf.Check("p", fset, []*ast.File{f}, nil)
		}
	}
	if count < 14 {
		t.Errorf("%d fragments; are they still read?", count)
	}
}
