package render

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

// minGap is the smallest distance between grid lines, in pixels.
const minGap = 14

// backdrop draws the grid lines, every fifth or tenth stronger. Lines lie on whole pixels, so that
// all are equally sharp.
func (d *drawing) backdrop() {
	step := gridStep(d.cam.Scale)
	if step == 0 {
		return
	}
	var minor, major canvas.Path
	view := d.cam.View()
	first, count := linesIn(view.Min.X, view.Max.X, step)
	for i := range count {
		k := first + float64(i)
		x := math.Floor(d.cam.Point(geom.V(k*step, d.cam.Centre.Y)).X) + 0.5
		gridPath(k, &minor, &major).Segment(geom.V(x, 0), geom.V(x, 2*d.cam.Half.Y))
	}
	first, count = linesIn(view.Min.Y, view.Max.Y, step)
	for i := range count {
		k := first + float64(i)
		y := math.Floor(d.cam.Point(geom.V(d.cam.Centre.X, k*step)).Y) + 0.5
		gridPath(k, &minor, &major).Segment(geom.V(0, y), geom.V(2*d.cam.Half.X, y))
	}
	d.c.Group("grid")
	d.strokeSome(&minor, 1, d.theme.gridMinor)
	d.strokeSome(&major, 1, d.theme.gridMajor)
}

// linesIn returns the number of the first grid line, and the number of lines, from lo, or just below, to hi. (A loop
// that counts lines in float64 would not end 2^53 lines from the origin.)
func linesIn(lo, hi, step float64) (first float64, n int) {
	first = math.Floor(lo / step)
	return first, int(math.Floor(hi/step)-first) + 1
}

// gridPath returns the path of grid line k.
func gridPath(k float64, minor, major *canvas.Path) *canvas.Path {
	if math.Mod(k, 5) == 0 {
		return major
	}
	return minor
}

// gridStep returns the number of cells between grid lines: the first of 1, 5, 10, 50, ... that
// gives minGap pixels, or 0 if float64 cannot resolve it.
func gridStep(scale float64) float64 {
	for step := 1.0; step < 1e9; step *= 10 {
		if step*scale >= minGap {
			return step
		}
		if 5*step*scale >= minGap {
			return 5 * step
		}
	}
	return 0
}
