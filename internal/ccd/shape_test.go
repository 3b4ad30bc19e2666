package ccd

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// TestTravelOfRounding: a turn at rounding level adds nothing to the travel of a shape relative to an obstacle. It
// counted as half of pi times the travel, so that slow shapes on ground that a body carries were swept.
func TestTravelOfRounding(t *testing.T) {
	hull := collide.NewHull(geom.NewBox(0.5, 0.5))
	m := Mover{Shapes: []Shape{{Hull: &hull, InnerRadius: 0.5}}, Extent: 0.75}
	for _, turn := range []float64{0, 1e-17, -1e-16, 1e-12} {
		f := shapeSweep{mover: &m, center: geom.V(30, 7), d: geom.V(0.2, 0), rot: geom.Identity, end: geom.Identity}
		o := Motion{
			From: geom.At(geom.Vec{}), To: geom.At(geom.V(-0.04, 0)), D: geom.V(-0.04, 0), Turn: turn,
			Moves: true,
		}
		if got := f.maxRelativeTravel(&o); math.Abs(got-0.24) > 1e-9 {
			t.Errorf("a turn of %v: travels %v of 0.24", turn, got)
		}
	}
}

// TestTravelIsABound: no point of a shape moves farther in the frame of a turning obstacle than maxRelativeTravel.
func TestTravelIsABound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, most float64) float64 { return rapid.Float64Range(-most, most).Draw(t, name) }
		vec := func(name string, most float64) geom.Vec { return geom.V(draw(name+"x", most), draw(name+"y", most)) }
		turn := draw("turn", rapid.SampledFrom([]float64{1e-3, 0.3, math.Pi, 20}).Draw(t, "most"))
		o := Motion{Center: vec("centre", 5), D: vec("D", 3), Turn: turn, Moves: true}
		local := vec("local", 2) // the centre of mass in the frame
		at := func(s float64) geom.Transform {
			q := geom.NewRot(s * turn)
			return geom.Transform{P: o.Center.MulAdd(s, o.D).Sub(q.Apply(local)), Q: q}
		}
		o.From, o.To = at(0), at(1)
		m := Mover{Extent: math.Abs(draw("extent", 2))}
		f := shapeSweep{mover: &m, center: vec("at", 8), d: vec("d", 4), turn: draw("own turn", 3)}
		p := geom.NewRot(draw("angle", 3)).Apply(geom.V(m.Extent, 0))
		const parts = 2000
		length, was := 0.0, geom.Vec{}
		for k := range parts + 1 {
			s := float64(k) / parts
			now := at(s).Inv(f.center.MulAdd(s, f.d).Add(geom.NewRot(s * f.turn).Apply(p)))
			if k > 0 {
				length += now.Dist(was)
			}
			was = now
		}
		if bound := f.maxRelativeTravel(&o); length > bound*(1+1e-9)+1e-9 {
			t.Fatalf("travels %v, the bound is %v", length, bound)
		}
	})
}
