package collide

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// sliders are the shapes that must slide over seams, standing on y = 0.
func sliders() map[string]Hull {
	tri, err := geom.NewPolygon([]geom.Vec{{X: -0.5, Y: 0}, {X: 0.5, Y: 0}, {X: 0.2, Y: 0.8}}, 0)
	if err != nil {
		panic(err)
	}
	return map[string]Hull{
		"box":      NewHull(geom.NewOffsetBox(0.5, 0.5, geom.V(0, 0.5), geom.Identity)),
		"small":    NewHull(geom.NewOffsetBox(0.05, 0.05, geom.V(0, 0.05), geom.Identity)),
		"wide":     NewHull(geom.NewOffsetBox(3, 0.2, geom.V(0, 0.2), geom.Identity)),
		"circle":   NewHull(geom.Circle{Center: geom.V(0, 0.5), Radius: 0.5}),
		"capsule":  NewHull(geom.Capsule{A: geom.V(-0.4, 0.3), B: geom.V(0.4, 0.3), Radius: 0.3}),
		"upright":  NewHull(geom.Capsule{A: geom.V(0, 0.3), B: geom.V(0, 1), Radius: 0.3}),
		"triangle": NewHull(tri),
		"rounded": NewHull(func() geom.Polygon {
			p, err := geom.NewPolygon([]geom.Vec{
				{X: -0.3, Y: 0.2},
				{X: 0.3, Y: 0.2},
				{X: 0.3, Y: 0.8},
				{X: -0.3, Y: 0.8},
			}, 0.2)
			if err != nil {
				panic(err)
			}
			return p
		}()),
	}
}

// TestSeamIsNotFelt: over the seams of one straight surface, level or pitched,
// the normal is always the surface's and something always carries the shape.
func TestSeamIsNotFelt(t *testing.T) {
	for name, h := range sliders() {
		for _, angle := range []float64{0, math.Pi / 4, 0.46364760900080609, math.Pi / 2, math.Pi} {
			turn := geom.Transform{Q: geom.NewRot(angle)}
			v := make([]geom.Vec, 16)
			for i := range v {
				v[i] = turn.Apply(geom.V(8-float64(i), 0)) // right to left: solid below
			}
			fs := facesOf(false, v...)
			for step := range 200 {
				for _, y := range []float64{-0.05, -0.005, 0, 0.01} {
					for _, tilt := range []float64{0, 0.003, -0.003} {
						at := turn.Mul(geom.Transform{P: geom.V(-1+float64(step)*0.01, y), Q: geom.NewRot(tilt)})
						if turn.Inv(at.Apply(h.Centroid)).Y < 1e-9 {
							continue // behind, for a one-sided face
						}
						best := math.MaxFloat64
						for _, m := range touch(fs, &h, at) {
							if m.N == 0 {
								continue
							}
							check(t, &m)
							if m.Normal.Dist(turn.Q.Apply(geom.V(0, 1))) > 1e-12 {
								t.Fatalf("%s angle %v step %d y %v tilt %v: normal %v", name, angle, step, y, tilt,
									m.Normal)
							}
							best = min(best, deepest(&m))
						}
						low := h.minDistance(geom.Vec{}, geom.NewRot(tilt).Inv(geom.V(0, 1))) + y - h.Radius
						// A slanted side overhangs the ground that its lowest corner is
						// under, without crossing it: a few thousandths of the depth
						// belong to no face.
						if math.Abs(best-low) > 1e-9 && !(y < -0.01 && math.Abs(best-low) < 0.005*-y) {
							t.Fatalf("%s angle %v step %d y %v tilt %v: separation %v, want %v", name, angle, step, y,
								tilt, best, low)
						}
					}
				}
			}
		}
	}
}
