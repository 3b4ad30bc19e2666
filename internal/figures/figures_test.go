package main

import (
	"bytes"
	"os"
	"path"
	"runtime"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/render"
)

// TestFiles: what the command would write is what the files have, no figure contradicts its text, and a folder of
// figures has no other pictures. Other targets round drawn numbers differently, so the bytes are compared on amd64
// alone.
func TestFiles(t *testing.T) {
	t.Chdir("../..")
	r := draw()
	for _, fault := range r.faults {
		t.Error(fault)
	}
	made, folders := map[string]bool{}, map[string]bool{}
	for _, f := range r.files {
		if made[f.path] {
			t.Errorf("%s is made twice", f.path)
		}
		made[f.path] = true
		if path.Ext(f.path) != ".md" {
			folders[path.Dir(f.path)] = true
		}
		got, err := os.ReadFile(f.path)
		if err != nil {
			t.Error(err)
		} else if runtime.GOARCH == "amd64" && !bytes.Equal(got, f.data) {
			t.Errorf("%s differs from the engine: run go run ./internal/figures, and look at it", f.path)
		}
	}
	for folder := range folders {
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if name := path.Join(folder, f.Name()); folder != "docs" && !f.IsDir() && !made[name] {
				t.Errorf("%s is no figure of the command", name)
			}
		}
	}
	if len(made) < 100 {
		t.Errorf("%d files", len(made))
	}
}

// TestFaultsAreReported: a figure that contradicts its text, and a page without a place, are faults, and name the
// figure.
func TestFaultsAreReported(t *testing.T) {
	r := &report{}
	r.run(func(r *report) {
		r.within = "plate"
		(&sheet{t: r}).holds(false, "no %s", "contact")
		r.Part("figures_test.go", "\x00", "", "")
		t.Error("a fatal fault does not end a part")
	})
	if len(r.faults) != 2 || r.faults[0] != "plate: no contact" ||
		!strings.HasPrefix(r.faults[1], "plate: figures_test") {
		t.Errorf("the faults are %q", r.faults)
	}
}

// TestDebugDrawOddViews: all layers can be drawn in views without height, of all the world and of nothing.
func TestDebugDrawOddViews(t *testing.T) {
	w := debugWorld(&report{})
	for _, v := range []geom.AABB{{}, view(-1, 0, 1, 0), view(-1e15, -1, 1e15, 1), view(0, 0, 1e-5, 1e-5), view(1e9,
		1e9, 1e9+10, 1e9+10)} {
		o := render.Options{View: v, Draw: quarry.DrawAll, Width: 64, Height: 48}
		if _, err := render.Image(w, o); err != nil {
			t.Error(err)
		}
		var out bytes.Buffer
		if err := render.WriteSVG(&out, w, o); err != nil {
			t.Error(err)
		}
		if s := out.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Errorf("the view %v has a coordinate that is not finite", v)
		}
	}
}
