package quarry_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

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

// anchors returns what a page can be linked at: ids, and titles as they are made
// into ids where Markdown is shown.
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
