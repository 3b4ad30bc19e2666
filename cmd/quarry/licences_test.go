package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestLicences: the command prints a licence of each module that the program links, and of Go, or nothing and an error
// if one is missing.
func TestLicences(t *testing.T) {
	goCommand := worldtest.GoCommand(t)
	out, err := exec.Command(goCommand, "run", ".", "licences").Output()
	if err != nil {
		t.Fatal(err)
	}
	const format = "{{with .Module}}{{.Path}} {{.Version}}{{end}}"
	linked, err := exec.Command(goCommand, "list", "-deps", "-f", format, ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]bool{"Go ": true}
	for line := range strings.Lines(string(linked)) {
		if path, version, _ := strings.Cut(strings.TrimSpace(line), " "); version != "" {
			modules[path+" "+version] = true
		}
	}
	if len(modules) < 8 {
		t.Errorf("only %d modules: %v", len(modules), modules)
	}
	for m := range modules {
		if !strings.Contains(string(out), "==== "+m) {
			t.Errorf("no licence of %s", m)
		}
	}
	if n := strings.Count(strings.ToLower(string(out)), "copyright"); n < len(modules) {
		t.Errorf("%d copyrights of %d modules", n, len(modules))
	}
}

// TestMissingLicence: a module without a text is an error that names it; a module's notice counts, and a capital in its
// path is found where the cache has it.
func TestMissingLicence(t *testing.T) {
	dir := t.TempDir()
	put := func(path, text string) {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("go/LICENSE", "of Go")
	put("example.com/!big@v1.2.0/Notice.txt", "of Big\n")
	put("example.com/none@v1.0.0/readme", "")
	info := &debug.BuildInfo{GoVersion: "go1", Deps: []*debug.Module{{Path: "example.com/Big", Version: "v1.2.0"}}}
	var out strings.Builder
	if err := writeLicences(&out, info, dir, filepath.Join(dir, "go")); err != nil {
		t.Fatal(err)
	}
	want := "==== Go go1, LICENSE\n\nof Go\n\n==== example.com/Big v1.2.0, Notice.txt\n\nof Big\n\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	for _, path := range []string{"example.com/none", "example.com/absent"} {
		info.Deps = []*debug.Module{{Path: path, Version: "v1.0.0"}}
		if err := writeLicences(&out, info, dir, filepath.Join(dir, "go")); err == nil ||
			!strings.Contains(err.Error(), path+" v1.0.0") {
			t.Errorf("%s: the error is %v", path, err)
		}
	}
}
