package render

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/canvas"
)

// disc returns a circle's loops.
func disc(t testing.TB, x, y, radius float64) [][]gridseg.Point {
	t.Helper()
	loops, err := gridseg.Circle(x, y, radius)
	if err != nil {
		t.Fatal(err)
	}
	return loops
}

// dug is a ground turned by angle: 10 x 10 red tiles with a crater of radius 2.3
// round (5.2, 4.9), in it a blue disc of radius 0.8, filled with red again where
// a hole of 0.3 was cut out; and a blue disc of radius 1.4 round (13.1, 5.3).
func dug(t testing.TB, angle float64) *quarry.World {
	t.Helper()
	g := gridseg.New(nil)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(g.Fill(gridseg.Rect{MaxX: 9, MaxY: 9}, full(0)))
	must(g.Subtract(disc(t, 5.2, 4.9, 2.3)))
	must(g.Unite(disc(t, 5.2, 4.9, 0.8), gridseg.Attr{Material: 1}))
	must(g.Subtract(disc(t, 5.2, 4.9, 0.3)))
	must(g.Unite(disc(t, 5.2, 4.9, 0.3), gridseg.Attr{}))
	must(g.Unite(disc(t, 13.1, 5.3, 1.4), gridseg.Attr{Material: 1}))
	must(g.Subtract(disc(t, 8.5, 8.5, 0.2))) // a hole within one cell
	w := quarry.NewWorld(quarry.Config{})
	materials := []quarry.MaterialID{
		w.AddMaterial(quarry.Material{Color: red}),
		w.AddMaterial(quarry.Material{Color: blue}),
	}
	b := w.AddBody(quarry.BodyDef{Angle: angle})
	if _, err := w.AddGround(b, quarry.GroundDef{Grid: g, Materials: materials}); err != nil {
		t.Fatal(err)
	}
	return w
}

// Every pixel farther from any surface than the width of the rim has exactly the colour
// of its tile or of the air: no cell border shows, at any zoom.
func TestPatches(t *testing.T) {
	const background = 0x00ff00
	// The colour at a point, and the distance to the nearest other colour.
	at := func(p geom.Vec) (uint32, float64) {
		fromCrater := p.Sub(geom.V(5.2, 4.9)).Len()
		fromDisc := p.Sub(geom.V(13.1, 5.3)).Len()
		fromHole := p.Sub(geom.V(8.5, 8.5)).Len()
		fromBlock := max(math.Abs(p.X-5)-5, math.Abs(p.Y-5)-5) // negative inside
		near := math.Abs(fromBlock)
		for _, d := range [...]float64{
			fromCrater - 2.3, fromCrater - 0.8, fromCrater - 0.3, fromDisc - 1.4,
			fromHole - 0.2,
		} {
			near = min(near, math.Abs(d))
		}
		switch {
		case fromCrater < 0.3:
			return red, near
		case fromCrater < 0.8 || fromDisc < 1.4:
			return blue, near
		case fromCrater < 2.3 || fromHole < 0.2 || fromBlock > 0:
			return background, near
		}
		return red, near
	}
	dark := themeOf(Options{})
	brightest := max(dark.rim(canvas.RGB(red)).G, dark.rim(canvas.RGB(blue)).G)
	for _, angle := range []float64{0, 0.3, 4.1} {
		w := dug(t, angle)
		for _, zoom := range []float64{1.7, 4.9, 13.37, 31.9, 64} {
			rot := geom.NewRot(angle)
			middle := rot.Apply(geom.V(7.4, 5))
			wide, high := int(16*zoom), int(12*zoom)
			half := geom.V(float64(wide)/zoom/2, float64(high)/zoom/2)
			img := mustImage(t, w, Options{
				View: geom.AABB{Min: middle.Sub(half), Max: middle.Add(half)}, Width: wide, Height: high,
				Background: background,
			})
			// The rims are up to 0.24 cells wide, and pixels are not points.
			clear := 1.5 / zoom
			if zoom >= 2 {
				clear += 0.24
			}
			seen := map[uint32]int{}
			for y := range high {
				for x := range wide {
					d := geom.V((float64(x)+0.5)/zoom-half.X, half.Y-(float64(y)+0.5)/zoom)
					want, near := at(rot.Inv(middle.Add(d)))
					got := img.RGBAAt(x, y)
					if near > clear {
						seen[want]++
						if got != hex(want) {
							t.Fatalf("zoom %v turned %v: pixel (%d,%d) is %v, want %v", zoom, angle, x, y, got,
								hex(want))
						}
					} else if want != background && near > 1.5/zoom && got.G > brightest {
						t.Fatalf("zoom %v turned %v: the background shows in a rim at (%d,%d): %v", zoom, angle, x, y,
							got)
					}
				}
			}
			if len(seen) != 3 && zoom > 10 {
				t.Errorf("zoom %v turned %v: compared %v", zoom, angle, seen)
			}
		}
	}
}
