package render

import (
	"image"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// signed draws a tile of a material in the cell (0, 0), 40 pixels large.
func signed(t *testing.T, m quarry.Material) *image.RGBA {
	t.Helper()
	return signedBy(t, m, func(g quarry.Ground, a gridseg.Attr) error {
		return g.Set(0, 0, gridseg.Tile{Shape: gridseg.Full, Material: a.Material})
	})
}

// signedBy draws the cell (0, 0) as fill fills it.
func signedBy(t *testing.T, m quarry.Material, fill func(g quarry.Ground, a gridseg.Attr) error) *image.RGBA {
	t.Helper()
	w := quarry.NewWorld(quarry.Config{})
	m.Color = 0xc0c0c0
	id := w.AddMaterial(m)
	gid, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(gid)
	if err := fill(g, gridseg.Attr{Material: uint16(id)}); err != nil {
		t.Fatal(err)
	}
	w.Step(1. / 60)
	img, err := Image(w, Options{View: geom.Box(geom.V(-1, -1), geom.V(2, 2)), Width: 120, Height: 120})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// darkness is how many pixels of a part of the tile are dark, from (x0, y0) to (x1, y1)
// in tenths of it, y up.
func darkness(img *image.RGBA, x0, y0, x1, y1 int) int {
	n := 0
	for y := 80 - 4*y1; y < 80-4*y0; y++ {
		for x := 40 + 4*x0; x < 40+4*x1; x++ {
			if img.RGBAAt(x, y).R < 0x70 {
				n++
			}
		}
	}
	return n
}

// TestSignsOfPolygons: polygons of a cell that are one-way have an arrow each, in their middle.
func TestSignsOfPolygons(t *testing.T) {
	img := signedBy(t, quarry.Material{OneWay: quarry.OneWayUp}, func(g quarry.Ground, a gridseg.Attr) error {
		const half, all = gridseg.Unit / 2, gridseg.Unit
		for _, x := range [2]int64{0, half} {
			if err := g.AddPolygon(0, 0, [][]gridseg.Point{
				{{X: x}, {X: x + half}, {X: x + half, Y: all}, {X: x, Y: all}},
			},
				a); err != nil {
				return err
			}
		}
		return nil
	})
	for _, part := range [2][4]int{{1, 4, 4, 7}, {6, 4, 9, 7}} {
		if darkness(img, part[0], part[1], part[2], part[3]) == 0 {
			t.Errorf("no arrow in %v", part)
		}
	}
	if n := darkness(img, 1, 1, 9, 3); n != 0 {
		t.Errorf("%d dark pixels away from the arrows", n)
	}
}

// TestSigns: plain tiles have no signs, arrows on one-way tiles point the way that
// bodies pass, and arrows of a belt stand along its surface and point as it runs.
func TestSigns(t *testing.T) {
	if n := darkness(signed(t, quarry.Material{}), 1, 1, 9, 9); n != 0 {
		t.Errorf("%d dark pixels on a plain tile", n)
	}
	// An arrow's tip is where its middle line is dark, its wings are beside that.
	for way, at := range map[quarry.OneWay][2]geom.Vec{
		quarry.OneWayUp:    {{X: 5, Y: 5.5}, {X: 5, Y: 4}},
		quarry.OneWayDown:  {{X: 5, Y: 4.5}, {X: 5, Y: 6}},
		quarry.OneWayLeft:  {{X: 4.5, Y: 5}, {X: 6, Y: 5}},
		quarry.OneWayRight: {{X: 5.5, Y: 5}, {X: 4, Y: 5}},
	} {
		img := signed(t, quarry.Material{OneWay: way})
		dark := func(v geom.Vec) bool { return img.RGBAAt(40+int(4*v.X), 80-int(4*v.Y)).R < 0x80 }
		if !dark(at[0]) || dark(at[1]) {
			t.Errorf("%v: tip %v, notch %v", way, dark(at[0]), dark(at[1]))
		}
	}
	right, left := signed(t, quarry.Material{TangentSpeed: 1}), signed(t, quarry.Material{TangentSpeed: -1})
	for _, img := range []*image.RGBA{right, left} {
		if n := darkness(img, 4, 4, 6, 6); n != 0 {
			t.Errorf("%d dark pixels in the middle of a belt", n)
		}
		for _, side := range [][4]int{{3, 6, 7, 9}, {3, 1, 7, 4}, {1, 3, 4, 7}, {6, 3, 9, 7}} {
			if darkness(img, side[0], side[1], side[2], side[3]) == 0 {
				t.Errorf("no arrows along a side of a belt")
			}
		}
	}
	mirrored := 0
	for y := 41; y < 79; y++ {
		for x := 41; x < 79; x++ {
			if d := int(right.RGBAAt(x, y).R) - int(left.RGBAAt(119-x, y).R); d > 8 || d < -8 { // but for rounding
				mirrored++
			}
		}
	}
	if mirrored > 0 {
		t.Errorf("a belt to the left is not one to the right in a mirror: %d pixels", mirrored)
	}
}
