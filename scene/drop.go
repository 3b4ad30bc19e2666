package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// dropBodies adds n bodies of every shape at places in box that are clear of
// the ground, drawn from seed.
func dropBodies(w *quarry.World, box geom.AABB, n int, seed uint64) {
	r := random(seed)
	for i := range n {
		p := geom.V(r.between(box.Min.X, box.Max.X), r.between(box.Min.Y, box.Max.Y))
		size := r.between(0.25, 0.55)
		shape := Body(Kinds()[i%len(Kinds())], size)
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: r.between(-3, 3)})
		w.AddShape(b, shape, quarry.ShapeDef{})
	}
}

// Kinds returns the names of the bodies that Body makes.
func Kinds() []string { return []string{"box", "circle", "capsule", "rounded", "polygon"} }

// Body returns a convex shape of the named kind, about size from its centre to
// its rim, or nil when there is no such kind.
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

// FromGrid returns a scene of a ground with n bodies of every shape dropped
// over it: what a map file is run with. It calls grid once for each world, and
// once to see how large it is; the error is grid's.
func FromGrid(name string, grid func() (*gridseg.Grid, error), n int) (Scene, error) {
	g, err := grid()
	if err != nil {
		return Scene{}, err
	}
	box := geom.AABB{Min: geom.V(-10, 0), Max: geom.V(10, 10)}
	if r, ok := g.Bounds(); ok {
		box = geom.AABB{
			Min: geom.V(float64(r.MinX), float64(r.MinY)),
			Max: geom.V(float64(r.MaxX)+1, float64(r.MaxY)+1),
		}
	}
	sky := geom.AABB{Min: geom.V(box.Min.X, box.Max.Y+1), Max: geom.V(box.Max.X, box.Max.Y+6)}
	return Scene{
		Name: name, Doc: "The ground of " + name + " with bodies dropped on it.", Steps: 600,
		View: box.Union(sky).Expand(1),
		New: func() *Instance {
			w := newWorld(false)
			mine, err := grid()
			if err != nil {
				panic("scene: " + err.Error()) // it could be made a moment ago
			}
			if _, err := w.AddGround(0, quarry.GroundDef{Grid: mine}); err != nil {
				panic("scene: " + err.Error())
			}
			dropBodies(w, sky, n, 11)
			return &Instance{World: w, DT: dt}
		},
	}, nil
}
