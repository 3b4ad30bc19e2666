package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// heavyOnTop builds a pyramid of so many rows whose upper half has ratio times the density, or, with
// column, a column whose top box has.
func heavyOnTop(t testing.TB, rows int, column bool, ratio float64) (*quarry.World, []quarry.Body) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -200, MinY: -3, MaxX: 200, MaxY: -1})
	var all []quarry.Body
	for row := range rows {
		n, density := rows-row, 1.0
		if row >= rows/2 {
			density = ratio
		}
		if column {
			n, density = 1, 1
			if row == rows-1 {
				density = ratio
			}
		}
		for i := range n {
			x := float64(i) - 0.5*float64(n-1)
			d := quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0.5+float64(row))}
			all = append(all, worldtest.AddBody(w, d, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: density}))
		}
	}
	return w, all
}

// TestHeavyOnTop: heavy boxes on light ones throw none of them, and rest. Boxes under a thousand
// times their weight were squeezed out, and left at up to 100 units/s; under ten thousand times,
// at 340.
func TestHeavyOnTop(t *testing.T) {
	for _, c := range []struct {
		rows   int
		column bool
		ratio  float64
	}{
		{10, false, 1000},
		{12, false, 1000},
		{16, false, 1000},
		{20, false, 1000},
		{3, true, 10000},
		{5, true, 10000},
		{10, true, 10000},
		{20, true, 10000},
	} {
		w, all := heavyOnTop(t, c.rows, c.column, c.ratio)
		fastest := 0.0
		for w.Step(worldtest.DT); all[0].Awake() && w.StepCount() < 15*60; w.Step(worldtest.DT) {
			for _, b := range all {
				fastest = max(fastest, b.Velocity().Len())
			}
		}
		t.Logf("%+v: at most %.1f units/s, asleep after %.1f s", c, fastest, float64(w.StepCount())/60)
		if fastest > 10 {
			t.Errorf("%+v: a box has %.1f units/s", c, fastest)
		}
		if all[0].Awake() {
			t.Errorf("%+v: awake after 15 seconds", c)
		}
		if y := all[len(all)-1].Position().Y; y < 0.75*(float64(c.rows)-0.5) {
			t.Errorf("%+v: the top box is at %.1f", c, y)
		}
	}
}
