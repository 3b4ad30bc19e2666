package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// room is the side of the square that each dropped body has to itself.
const room = 1.3

// dropBodies adds n bodies of every shape over the strip of the x axis from
// left to right, in rows from y upwards, none of which overlap; sizes, angles
// and where each is in its square are drawn from seed.
func dropBodies(w *quarry.World, left, right, y float64, n int, seed uint64) {
	r := random(seed)
	columns := max(1, int((right-left)/room))
	for i := range n {
		size := r.between(0.25, 0.55)
		free := room/2 - size
		p := geom.V(
			left+float64(room*(float64(i%columns)+0.5))+r.between(-free, free),
			y+float64(room*(float64(i/columns)+0.5))+r.between(-free, free),
		)
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: r.between(-3, 3)})
		w.AddShape(b, Body(Kinds()[r.next()>>33%uint64(len(Kinds()))], size), quarry.ShapeDef{})
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
	// The view takes in the first rows of what falls.
	sky := geom.AABB{Min: geom.V(box.Min.X, box.Max.Y), Max: geom.V(box.Max.X, box.Max.Y+5)}
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
			dropBodies(w, box.Min.X, box.Max.X, box.Max.Y+1, n, 11)
			return &Instance{World: w, DT: dt}
		},
	}, nil
}
