package worldtest

import (
	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// DrawCarrier draws one of Carriers.
func DrawCarrier(t *rapid.T) Carrier {
	all := Carriers()
	return all[rapid.IntRange(0, len(all)-1).Draw(t, "carrier")]
}

// DrawFixedCarrier draws a static or kinematic one of Carriers: on these, ground does not break.
func DrawFixedCarrier(t *rapid.T) Carrier {
	return rapid.Custom(DrawCarrier).Filter(func(c Carrier) bool { return c.Body.Type != quarry.Dynamic }).Draw(t,
		"fixed carrier")
}

// DrawShape draws a circle, box, capsule or rounded box that reaches size from its
// middle, or a little less.
func DrawShape(t *rapid.T, size float64) geom.Shape {
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return geom.Circle{Radius: size}
	case 1:
		return geom.NewBox(size, 0.6*size)
	case 2:
		return geom.Capsule{A: geom.V(-0.5*size, 0), B: geom.V(0.5*size, 0), Radius: 0.5 * size}
	}
	return geom.NewRoundedBox(0.7*size, 0.4*size, 0.2*size)
}

// AddAny adds a body at p with a shape of DrawShape, at any velocity up to MaxSpeed
// along each axis and any spin up to 30 radians per second.
func AddAny(t *rapid.T, w *Site, p geom.Vec, size float64) quarry.Body {
	b := w.Add(p, DrawShape(t, size))
	w.SetVelocity(b, geom.V(
		rapid.Float64Range(-quarry.MaxSpeed, quarry.MaxSpeed).Draw(t, "vx"),
		rapid.Float64Range(-quarry.MaxSpeed, quarry.MaxSpeed).Draw(t, "vy"),
	))
	b.SetAngularVelocity(rapid.Float64Range(-30, 30).Draw(t, "spin"))
	return b
}

// DrawVec draws a vector with components of at most most in size.
func DrawVec(t *rapid.T, name string, most float64) geom.Vec {
	f := rapid.Float64Range(-most, most)
	return geom.V(f.Draw(t, name+" x"), f.Draw(t, name+" y"))
}
