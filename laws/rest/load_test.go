package rest_test

import (
	"math"
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

// layouts is the number of layouts of a pyramid that a law asks for: it must not stand by luck.
const layouts = 20

// TestHeavyPyramids: pyramids whose upper half is up to 3,000 times as heavy come to rest in every layout, with gaps of
// a tenth between the boxes of a row. Half of the layouts of ten rows under 3,000 times their mass collapsed.
func TestHeavyPyramids(t *testing.T) {
	for _, c := range []struct {
		rows           int
		ratio, seconds float64
	}{
		{10, 100, 6},
		{10, 1000, 7},
		{10, 3000, 9},
		{12, 100, 6},
		{12, 3000, 9},
		{20, 100, 6},
		{20, 1000, 7},
		{20, 3000, 9},
	} {
		latest := 0.0
		for layout := range layouts {
			y := newYard()
			gap, at := 1.1+0.0003*float64(layout), 0.37*float64(layout)
			var all []quarry.Body
			for row := range c.rows {
				density := 1.0
				if row >= c.rows/2 {
					density = c.ratio
				}
				for k := range c.rows - row {
					x := at + (float64(k)-float64(c.rows-row-1)/2)*gap
					all = append(all, y.add(x, 0.5+float64(row), 0, cube, density))
				}
			}
			fastest := 0.0
			for step := 0; all[0].Awake() && float64(step) < 60*c.seconds; step++ {
				y.w.Step(worldtest.DT)
				for _, b := range all {
					fastest = max(fastest, b.Velocity().Len())
				}
				latest = max(latest, float64(step+1)/60)
			}
			if all[0].Awake() || fastest > 6 {
				t.Errorf("%+v, layout %d: awake: %v, at most %.1f units/s", c, layout, all[0].Awake(), fastest)
			}
		}
		t.Logf("%+v: asleep after %.2f s at most", c, latest)
	}
}

// TestHeavyPiles: piles of 60 to 400 boxes, of which half are up to 1,000 times as heavy, come to rest. Piles of 200 to
// 400 mostly did not.
func TestHeavyPiles(t *testing.T) {
	for _, n := range []int{60, 120, 200, 300, 400} {
		for _, ratio := range []float64{100, 1000} {
			latest := 0.0
			for seed := range uint64(3) {
				y := newYard()
				y.random += seed
				pile(n, ratio)(y)
				latest = max(latest, y.settle(25))
			}
			t.Logf("%d boxes, half of them %v times as heavy: asleep after %.1f s at most", n, ratio, latest)
			if latest > 14 {
				t.Error("too late")
			}
		}
	}
}

// TestLoadOnRollers: a slab on light rollers follows a push as it should, though the rollers have inertia for their
// load.
func TestLoadOnRollers(t *testing.T) {
	for _, ratio := range []float64{10, 100, 1000} {
		y := newYard()
		roller := math.Pi * 0.5 * 0.5 // mass
		var slab quarry.Body
		for _, x := range []float64{-2, 2} {
			y.add(x, 0.5, 0, geom.Circle{Radius: 0.5}, 1)
		}
		slab = y.add(0, 1.25, 0, geom.NewBox(4, 0.25), ratio*roller/4)
		for range 60 {
			y.w.Step(worldtest.DT)
		}
		// Each roller moves half as fast as the slab, and spins with its speed over the diameter.
		want := 1 / (slab.Mass() + 2*roller*(1./4+1./8))
		from := slab.Velocity().X
		for range 60 {
			slab.Wake()
			slab.ApplyForceToCenter(geom.V(slab.Mass(), 0))
			y.w.Step(worldtest.DT)
		}
		got := (slab.Velocity().X - from) / slab.Mass()
		t.Logf("%v times as heavy: acceleration %.4f of what it should be", ratio, got/want)
		if math.Abs(got/want-1) > 0.02 {
			t.Errorf("%v times as heavy: acceleration %.4f of what it should be", ratio, got/want)
		}
	}
}

// TestLoadFalls: light boxes under a heavy one fall as fast as it when the floor goes, but for the push by which they
// leave the overlap that the load has made.
func TestLoadFalls(t *testing.T) {
	w := worldtest.New()
	floor := worldtest.AddBody(w, quarry.BodyDef{Position: geom.V(0, -1)}, geom.NewBox(50, 1), quarry.ShapeDef{})
	var all []quarry.Body
	for k := range 4 {
		density := 1.0
		if k == 3 {
			density = 1000
		}
		d := quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.5+float64(k))}
		all = append(all, worldtest.AddBody(w, d, cube, quarry.ShapeDef{Density: density}))
	}
	for range 120 {
		w.Step(worldtest.DT)
	}
	w.RemoveBody(floor.ID())
	for step := range 60 {
		w.Step(worldtest.DT)
		for i, b := range all {
			if off := b.Velocity().Y + 10*float64(step+1)*worldtest.DT; math.Abs(off) > 0.02 {
				t.Errorf("step %d: the velocity of box %d is %.4f off a free fall", step, i, off)
			}
		}
	}
}

// BenchmarkHeavyPile is a step of a pile of 500 boxes, half of them 1,000 times as heavy, from its fall to its sleep.
func BenchmarkHeavyPile(b *testing.B) {
	y := newYard()
	b.ReportAllocs()
	for b.Loop() {
		if y.w.Stats().Awake == 0 || y.w.StepCount() == 600 {
			b.StopTimer()
			y = newYard()
			pile(500, 1000)(y)
			for range 120 { // until most boxes have met, and memory is warm
				y.w.Step(worldtest.DT)
			}
			b.StartTimer()
		}
		y.w.Step(worldtest.DT)
	}
	b.Logf("hash %016x", y.w.Hash())
}
