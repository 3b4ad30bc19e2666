package quarry_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
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
