package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// heavyOnTop builds a pyramid of so many rows whose upper half has ratio times the density, or, with
// column, a column whose top box has, on a carrier.
func heavyOnTop(t testing.TB, on worldtest.Carrier, rows int, column bool,
	ratio float64,
) (*worldtest.Site, []quarry.Body) {
	w := on.NewSite()
	w.Floor(t, gridseg.Rect{MinX: -200, MinY: -3, MaxX: 200, MaxY: -1})
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
			all = append(all, w.AddBody(d, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: density}))
		}
	}
	return w, all
}

// TestHeavyOnTop: heavy boxes on light ones throw none of them, and rest, asleep if the ground does not move. Boxes
// under a thousand times their weight were squeezed out, and left at up to 100 units/s; under ten thousand times, at
// 340. A column under ten thousand times its weight stands only exactly upright: on ground at rest boxes off by 1e-6
// bring it down, and on turned ground the rounding of a turned position does, so it is left out there.
func TestHeavyOnTop(t *testing.T) { worldtest.OnCarriers(t, heavyRests) }

func heavyRests(t *testing.T, on worldtest.Carrier) {
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
		if c.column && on.Body.Angle != 0 {
			continue
		}
		seconds := uint64(15)
		if !on.Still() { // it does not fall asleep
			seconds = 5
		}
		w, all := heavyOnTop(t, on, c.rows, c.column, c.ratio)
		fastest := 0.0
		for w.Step(worldtest.DT); all[0].Awake() && w.StepCount() < 60*seconds; w.Step(worldtest.DT) {
			for _, b := range all {
				fastest = max(fastest, w.Velocity(b).Len())
			}
		}
		t.Logf("%+v: at most %.1f units/s, asleep after %.1f s", c, fastest, float64(w.StepCount())/60)
		if fastest > 10 {
			t.Errorf("%+v: a box has %.1f units/s", c, fastest)
		}
		if on.Still() && all[0].Awake() {
			t.Errorf("%+v: awake after 15 seconds", c)
		}
		if y := w.Position(all[len(all)-1]).Y; y < 0.75*(float64(c.rows)-0.5) {
			t.Errorf("%+v: the top box is at %.1f", c, y)
		}
	}
}
