package tilemap

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The maps in testdata are drawn by this test:
//
//	go test ./tilemap -run TestExampleMaps -update
var update = flag.Bool("update", false, "write the example maps to testdata")

// The example maps are as they are drawn here, and load with nothing to warn of.
func TestExampleMaps(t *testing.T) {
	files := hills(t)
	files["cave.png"] = []byte(encodePNG(t, cavePicture()))
	for name, want := range files {
		name = filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".png") { // compression may change with Go: compare pixels
			a, errA := png.Decode(bytes.NewReader(want))
			b, errB := png.Decode(bytes.NewReader(got))
			if errA != nil || errB != nil || cmp.Diff(a, b) != "" {
				t.Errorf("%s is not as drawn: %v %v", name, errA, errB)
			}
		} else if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s is not as drawn: -want +got\n%s", name, d)
		}
	}
	if t.Failed() {
		t.Log("go test ./tilemap -run TestExampleMaps -update")
	}

	for _, c := range []struct {
		name              string
		width, height     int
		shapes, materials int
	}{
		{"hills.tmx", hillsW, hillsH, 6, 3},
		{"cave.png", caveW, caveH, 1, 1},
	} {
		m, err := LoadFile(filepath.Join("testdata", c.name), Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		materials := map[uint16]bool{}
		for _, cell := range m.Cells {
			materials[cell.Material] = true
		}
		if m.Width != c.width || m.Height != c.height || len(m.Shapes) != c.shapes ||
			len(materials) != c.materials || len(m.Warnings) > 0 {
			t.Errorf("%s: %d x %d cells, %d shapes, %d materials, warnings %q",
				c.name, m.Width, m.Height, len(m.Shapes), len(materials), m.Warnings)
		}
		g, err := m.Grid()
		if err != nil {
			t.Error(err)
			continue
		}
		tiles, segments := g.Count()
		if tiles != len(m.Cells) || segments == 0 {
			t.Errorf("%s: %d tiles and %d segments of %d cells", c.name, tiles, segments, len(m.Cells))
		}
	}
}
