package render

import (
	"bytes"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

var update = flag.Bool("update", false, "write the pictures of docs/grid anew")

// crowd fills a grid with boxes of sizes within a factor of most.
func crowdOf(t *testing.T, g *grid.Grid, n int, most float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		s := math.Pow(most, r.Float64())
		p := geom.V(r.Float64()*60, r.Float64()*32)
		if r.IntN(3) == 0 { // a heap
			p = geom.V(20+r.NormFloat64()*5, 16+r.NormFloat64()*4)
		}
		if _, err := g.Add(geom.AABB{Min: p, Max: p.Add(geom.V(s, s*(0.5+0.5*r.Float64())))}, 0); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGridPictures draws each grid, a ray's walk and the loads of cells, and compares
// them with those in docs/grid:
//
//	go test ./render -run TestGridPictures -update
func TestGridPictures(t *testing.T) {
	bounds := geom.Box(geom.V(-4, -4), geom.V(68, 40))
	ray := []geom.Segment{
		{A: geom.V(1, 3), B: geom.V(63, 30)},
		{A: geom.V(4, 34), B: geom.V(28, 10)}, // through corners of cells
	}
	for _, p := range []struct {
		name string
		g    *grid.Grid
		n    int
		most float64
		b    Broad
	}{
		{"fixed", grid.NewFixed(2, bounds), 160, 4, Broad{}},
		{"hashed", grid.NewHashed(2), 160, 4, Broad{}},
		{"chunked", grid.NewChunked(1), 160, 4, Broad{}},
		{"hierarchical", grid.NewHierarchical(1), 120, 16, Broad{}},
		{"walk", grid.NewChunked(2), 90, 4, Broad{Rays: ray}},
		{"loads", grid.NewHashed(4), 400, 4, Broad{Loads: true}},
	} {
		t.Run(p.name, func(t *testing.T) {
			crowdOf(t, p.g, p.n, p.most)
			o := Options{Width: 680, Height: 380, Light: true}
			var svg, pixels bytes.Buffer
			if err := WriteGridSVG(&svg, p.g, p.b, o); err != nil {
				t.Fatal(err)
			}
			if err := WriteGridPNG(&pixels, p.g, p.b, o); err != nil {
				t.Fatal(err)
			}
			if pixels.Len() == 0 {
				t.Error("no pixels")
			}
			if dir := os.Getenv("QUARRY_PICTURES"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, p.name+".png"), pixels.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			file := filepath.Join("..", "docs", "grid", p.name+".svg")
			if *update {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, svg.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(svg.Bytes(), want) {
				t.Errorf("the picture differs from %s", file)
			}
		})
	}
}

func TestGridPictureRefuses(t *testing.T) {
	var out bytes.Buffer
	if err := WriteGridPNG(&out, grid.NewHashed(1), Broad{}, Options{Width: -1}); err == nil || out.Len() > 0 {
		t.Errorf("error %v, %d bytes", err, out.Len())
	}
	if err := WriteGridSVG(&out, grid.NewHashed(1), Broad{}, Options{}); err != nil {
		t.Errorf("an empty grid: %v", err)
	}
}
