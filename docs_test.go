package quarry_test

import (
	"errors"
	"go/ast"
	"go/doc"
	"go/doc/comment"
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

// exported returns the exported names of the package in a folder: constants, functions and types, and for
// each type its methods and fields as Type.Name.
func exported(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no package %s: %v", dir, err)
	}
	names := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			list(names, d)
		}
	}
	return names
}

// list adds the names that d declares.
func list(names map[string]bool, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names[d.Name.Name] = true
			return
		}
		receiver := d.Recv.List[0].Type
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		if id, ok := receiver.(*ast.Ident); ok {
			names[id.Name+"."+d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names[id.Name] = true
				}
			case *ast.TypeSpec:
				names[s.Name.Name] = true
				if fields, ok := s.Type.(*ast.StructType); ok {
					for _, f := range fields.Fields.List {
						for _, id := range f.Names {
							names[s.Name.Name+"."+id.Name] = true
						}
					}
				}
			}
		}
	}
}

// quoted matches code in a page, ours matches a name of ours in code: an exported one, with the package or
// the type before it.
var (
	quoted = regexp.MustCompile("`([^`]+)`")
	ours   = regexp.MustCompile(`^(?:([a-z]+)\.)?([A-Z]\w*(?:\.[A-Z]\w*)?)$`)
)

// TestComingFrom: every name in the last column of the tables of docs/coming-from.md exists.
func TestComingFrom(t *testing.T) {
	packages, count := map[string]map[string]bool{}, 0
	for line := range strings.Lines(read(t, "docs/coming-from.md")) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 4 || len(cells) > 6 { // three engines beside ours, or one; in five the last column is prose
			continue
		}
		for _, code := range quoted.FindAllStringSubmatch(cells[len(cells)-2], -1) {
			m := ours.FindStringSubmatch(code[1])
			if m == nil {
				if len(cells) != 5 {
					t.Errorf("%s is not written as a name of ours", code[1])
				}
				continue
			}
			dir := m[1]
			if dir == "" {
				dir = "."
			}
			if packages[dir] == nil {
				packages[dir] = exported(t, dir)
			}
			if !packages[dir][m[2]] {
				t.Errorf("%s does not exist", code[1])
			}
			count++
		}
	}
	if count < 100 {
		t.Errorf("%d names in the tables; are they still read?", count)
	}
}

// TestManual holds the programs of docs/manual.md, and their outputs, to example_manual_test.go and
// example_ship_test.go, which are compiled and run.
func TestManual(t *testing.T) {
	tabs := regexp.MustCompile("(?m)^\t+") // the page shows bodies of functions further left
	code := tabs.ReplaceAllString(read(t, "example_manual_test.go")+read(t, "example_ship_test.go"), "")
	blocks := regexp.MustCompile("(?s)```(go)?\n(.*?)```").FindAllStringSubmatch(read(t, "docs/manual.md"), -1)
	if len(blocks) < 20 {
		t.Fatalf("%d programs and outputs; are they still read?", len(blocks))
	}
	for _, b := range blocks[1:] { // the first is of the shell
		want := tabs.ReplaceAllString(b[2], "")
		if b[1] == "" {
			want = "// " + strings.ReplaceAll(strings.TrimSpace(want), "\n", "\n// ")
		}
		if !strings.Contains(code, want) {
			t.Errorf("docs/manual.md shows a program or an output that is not in the tests:\n%s", b[2])
		}
	}
}

// TestManualExamples: the page names examples that exist.
func TestManualExamples(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, name := range files {
		for _, m := range regexp.MustCompile(`(?m)^func (Example\w*)\(`).FindAllStringSubmatch(read(t, name), -1) {
			have[m[1]] = true
		}
	}
	_, table, _ := strings.Cut(read(t, "docs/manual.md"), "\n## Examples\n")
	names := regexp.MustCompile("`(Example\\w*)`").FindAllStringSubmatch(table, -1)
	if len(names) < 30 {
		t.Errorf("%d examples named; are they still read?", len(names))
	}
	for _, m := range names {
		if !have[m[1]] {
			t.Errorf("docs/manual.md names %s, which does not exist", m[1])
		}
	}
}

// TestDocLinks: the links of the package comments name exported identifiers.
func TestDocLinks(t *testing.T) {
	dead := regexp.MustCompile(`\[\*?(?:[a-z]+\.)?[A-Z]\w*(?:\.[A-Z]\w*)?\]`)
	for _, dir := range []string{".", "geom", "gridseg", "grid", "collide", "mover", "store", "tilemap"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no package %s: %v", dir, err)
		}
		set := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
		p, err := doc.NewFromFiles(set, parsed, filepath.ToSlash(filepath.Join("github.com/quarry2d/quarry", dir)))
		if err != nil {
			t.Fatal(err)
		}
		links := 0
		for _, text := range textsOf(p.Parser().Parse(p.Doc).Content) {
			switch text := text.(type) {
			case *comment.DocLink:
				links++
			case comment.Plain:
				for _, name := range dead.FindAllString(string(text), -1) {
					t.Errorf("the comment of package %s links to %s, which does not exist", p.Name, name)
				}
			}
		}
		if links < 5 {
			t.Errorf("the comment of package %s has %d links; are they still read?", p.Name, links)
		}
	}
}

// textsOf returns the texts of all paragraphs in blocks of a comment.
func textsOf(blocks []comment.Block) (all []comment.Text) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *comment.Paragraph:
			all = append(all, b.Text...)
		case *comment.List:
			for _, item := range b.Items {
				all = append(all, textsOf(item.Content)...)
			}
		}
	}
	return all
}

// read returns a file of ours as text.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeExample holds the README's example to the one that is compiled and run.
func TestReadmeExample(t *testing.T) {
	_, code, ok := strings.Cut(read(t, "README.md"), "```go\n")
	code, _, closed := strings.Cut(code, "```")
	if !ok || !closed {
		t.Fatal("no example in README.md")
	}
	indented := strings.ReplaceAll(read(t, "example_test.go"), "\n\t", "\n")
	if !strings.Contains(indented, code) {
		t.Errorf("README.md shows what is not in example_test.go:\n%s", code)
	}
}

// TestHousePackages holds the table of packages in docs/house.md to the floor plan.
func TestHousePackages(t *testing.T) {
	_, text, _ := strings.Cut(read(t, "docs/house.md"), "\n## Packages\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for name := range arrows {
		if name == "" {
			name = "."
		}
		if !strings.Contains(text, "| `"+name+"` |") {
			t.Errorf("docs/house.md has no row for %s", name)
		}
	}
}

// TestReadmePages: the README links each page of docs.
func TestReadmePages(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages: ", err)
	}
	text := read(t, "README.md")
	for _, page := range pages {
		if !strings.Contains(text, "]("+filepath.ToSlash(page)+")") {
			t.Errorf("README.md does not list %s", page)
		}
	}
}

// TestLawsTable holds the table of tests in docs/laws.md to the files: each pattern
// names a file, and each test file in laws is named.
func TestLawsTable(t *testing.T) {
	named := map[string]bool{}
	for _, m := range testFiles.FindAllStringSubmatch(read(t, "docs/laws.md"), -1) {
		files, err := filepath.Glob(m[1])
		if err != nil || len(files) == 0 {
			t.Errorf("docs/laws.md names %s, which is no file: %v", m[1], err)
		}
		for _, f := range files {
			named[filepath.ToSlash(f)] = true
		}
	}
	all, err := filepath.Glob("laws/*/*_test.go")
	if err != nil || len(all) == 0 {
		t.Fatal("no tests in laws: ", err)
	}
	for _, f := range all {
		if !named[filepath.ToSlash(f)] {
			t.Errorf("docs/laws.md does not name %s", f)
		}
	}
}

// testFiles matches the test files, or patterns of them, that a page names.
var testFiles = regexp.MustCompile("`([a-z_0-9*/]+_test\\.go)`")

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	anchor = regexp.MustCompile(`<a id="([^"]+)"`)
	title  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	dashed = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// anchors returns the link targets of a page: its ids, and the ids that viewers of Markdown make of its titles.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range anchor.FindAllStringSubmatch(text, -1) {
		all[m[1]] = true
	}
	for _, m := range title.FindAllStringSubmatch(text, -1) {
		all[strings.ReplaceAll(dashed.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return all
}

// TestHouseNamesFiles: every Go file that docs/house.md names exists, in the root, in store, grid, gridseg, play
// or sandbox, or in a package below internal.
func TestHouseNamesFiles(t *testing.T) {
	for _, name := range regexp.MustCompile(`[a-z_]+\.go`).FindAllString(read(t, "docs/house.md"), -1) {
		inRoot, _ := filepath.Glob(name)
		below, _ := filepath.Glob("internal/*/" + name)
		inStore, _ := filepath.Glob("store/" + name)
		inGrid, _ := filepath.Glob("grid*/" + name)
		inSandbox, _ := filepath.Glob("sandbox/" + name)
		inPlay, _ := filepath.Glob("play/" + name)
		if len(inRoot)+len(below)+len(inStore)+len(inGrid)+len(inSandbox)+len(inPlay) == 0 {
			t.Errorf("docs/house.md names %s, which does not exist", name)
		}
	}
}

// TestLinks follows the links of all pages, within and between them.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages: ", err)
	}
	for _, page := range append(pages, "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "bench/RESULTS.md") {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, id, _ := strings.Cut(m[1], "#")
			to := page
			if file != "" {
				to = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, m[1])
			} else if id != "" && !anchors(read(t, to))[id] {
				t.Errorf("%s: there is no %s to link to", page, m[1])
			}
		}
	}
}

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
