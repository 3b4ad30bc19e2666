package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// FromGrid returns a scene that drops n bodies of every shape on the ground of a grid, such
// as a map file's. It calls grid once for each world, and once to measure its size; the error
// is grid's.
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
	// The view includes the first rows of falling bodies.
	sky := geom.AABB{Min: geom.V(box.Min.X, box.Max.Y), Max: geom.V(box.Max.X, box.Max.Y+5)}
	return Scene{
		Name: name, Doc: "The ground of " + name + " with bodies dropped on it.", Steps: 600,
		View:   box.Union(sky).Expand(1),
		Config: falling,
		Build: func(w *quarry.World) *Instance {
			mine, err := grid()
			if err != nil {
				panic("scene: " + err.Error()) // grid succeeded before
			}
			if _, err := w.AddGround(0, quarry.GroundDef{Grid: mine}); err != nil {
				panic("scene: " + err.Error())
			}
			dropBodies(w, box.Min.X, box.Max.X, box.Max.Y+1, n, 11)
			return &Instance{World: w, DT: dt}
		},
	}, nil
}
