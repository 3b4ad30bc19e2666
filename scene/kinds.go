package scene

import "github.com/quarry2d/quarry/geom"

// Kinds returns the names of all kinds for Body.
func Kinds() []string { return []string{"box", "circle", "capsule", "rounded", "polygon"} }

// Body returns a convex shape of the named kind, with a radius of about size, or nil for an
// unknown kind.
func Body(kind string, size float64) geom.Shape {
	switch kind {
	case "box":
		return geom.NewBox(size, 0.8*size)
	case "circle":
		return geom.Circle{Radius: size}
	case "capsule":
		return geom.Capsule{A: geom.V(-0.6*size, 0), B: geom.V(0.6*size, 0), Radius: 0.5 * size}
	case "rounded":
		return geom.NewRoundedBox(0.7*size, 0.5*size, 0.3*size)
	case "polygon":
		points := make([]geom.Vec, 5)
		for i := range points {
			points[i] = geom.NewRot(float64(i) * 1.2566370614359172).Apply(geom.V(0, size))
		}
		p, err := geom.NewPolygon(points, 0)
		if err != nil {
			return nil // no size given
		}
		return p
	}
	return nil
}
