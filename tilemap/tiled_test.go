package tilemap

import (
	"errors"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The maps in testdata/tiled have the same ground, and all other data that Tiled 1.8 to
// 1.11 may write: classes, animations, terrains, Wang sets, nested properties, editor
// settings, image and object layers, template instances, chunks at negative places. None
// of that is ground, or prevents reading.
func TestAsTiledWrites(t *testing.T) {
	want := mustLoad(t, os.DirFS("testdata/tiled"), "level.tmx")
	if len(want.Cells) != 10 || len(want.Shapes) != 3 || len(want.Warnings) != 5 {
		t.Errorf("level.tmx: %d cells, %d shapes, warnings %q", len(want.Cells), len(want.Shapes), want.Warnings)
	}
	for i, c := range want.Cells {
		if full := want.Shapes[c.Shape].IsFull(); full != (c.Material == 3) {
			t.Errorf("cell %d: %+v", i, c)
		}
	}
	if d := cmp.Diff(want, mustLoad(t, os.DirFS("testdata/tiled"), "level.tmj")); d != "" {
		t.Errorf("level.tmj: -tmx +tmj\n%s", d)
	}
	want.Name, want.Width, want.Height = "endless", 0, 0
	for i := range want.Cells { // the left top corner is at column -20, row -20 there
		want.Cells[i].X -= 20
		want.Cells[i].Y += 16
	}
	for _, name := range []string{"endless.tmx", "endless.tmj"} {
		if d := cmp.Diff(want, mustLoad(t, os.DirFS("testdata/tiled"), name)); d != "" {
			t.Errorf("%s: -want +got\n%s", name, d)
		}
	}
}

// A file that breaks off anywhere is either refused or, where only the end of
// the last line is gone, the map that it was. None takes long.
func TestBrokenOff(t *testing.T) {
	files := fstest.MapFS{}
	names, err := filepath.Glob("testdata/tiled/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = &fstest.MapFile{Data: data}
	}
	small := image.NewNRGBA(image.Rect(0, 0, 12, 8))
	small.Set(3, 3, color.NRGBA{A: 255})
	files["small.png"] = &fstest.MapFile{Data: []byte(encodePNG(t, small))}
	for _, c := range []struct{ broken, load string }{
		{"level.tmx", "level.tmx"},
		{"endless.tmx", "endless.tmx"},
		{"ground.tsx", "level.tmx"},
		{"level.tmj", "level.tmj"},
		{"ground.tsj", "level.tmj"},
		{"small.png", "small.png"},
	} {
		whole := files[c.broken].Data
		full := mustLoad(t, files, c.load)
		start := time.Now()
		for n := range len(whole) {
			files[c.broken] = &fstest.MapFile{Data: whole[:n]}
			m, err := Load(files, c.load, Options{})
			var e *Error
			switch {
			case err == nil && n >= len(whole)-1 && cmp.Equal(m, full):
			case m != nil || !errors.As(err, &e) || e.File != c.broken:
				t.Fatalf("the first %d of %d bytes of %s: map %v, error %v", n, len(whole), c.broken, m, err)
			}
		}
		files[c.broken] = &fstest.MapFile{Data: whole}
		t.Logf("%s: %d bytes, %v", c.broken, len(whole), time.Since(start))
	}
}
