package play

import (
	"errors"
	"fmt"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// maxCrowd is the number of bodies of similar or larger size that may overlap a new body. A hundred
// bodies in one place make thousands of contacts, and steps become too slow for all clients.
const maxCrowd = 32

// add adds a dynamic body.
func (w *World) add(_ *player, m Command) error {
	if w.bodies >= w.most {
		return fmt.Errorf("add: the world is full: it has %d bodies, the limit is %d; reset it or remove some",
			w.bodies, w.most)
	}
	at := geom.V(m.X, m.Y)
	shapes, crowd := w.overlapped(at, m.Size)
	if crowd >= maxCrowd {
		return fmt.Errorf("add: %d bodies overlap each other here already, the limit is %d; choose another place",
			crowd, maxCrowd)
	}
	segments := w.segmentsIn(at, m.Size)
	if err := w.budget.add(shapes, segments); err != nil {
		return err
	}
	if segments > 0 {
		w.budget.touched++
	}
	id := quarry.BodyID(0)
	if m.Kind == kindTiles {
		var err error
		if id, err = w.addTiles(m); err != nil {
			return err
		}
	} else {
		id = w.in.World.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: m.Angle})
		w.in.World.AddShape(id, newShape(m.Kind, m.Size), quarry.ShapeDef{})
	}
	w.history.touched(thing{body: id})
	w.bodies++
	w.lower(m.Y)
	return nil
}

// addTiles adds a dynamic body with a square of blocks around its centre.
func (w *World) addTiles(m Command) (quarry.BodyID, error) {
	if len(w.numberOf) >= maxGrounds {
		return 0, fmt.Errorf("add: the world has %d grounds, the limit; remove some", len(w.numberOf))
	}
	side := max(1, math.Floor(m.Size))
	if err := w.room(m.Do, int(side*side), 4); err != nil { // it lies in at most four chunks
		return 0, err
	}
	var shapes *gridseg.Shapes
	var d quarry.GroundDef
	// the numbers of shapes and materials are the first ground's, as for the page
	for g := range w.in.World.Grounds() {
		shapes, d.Materials = g.Grid().Shapes(), g.Def().Materials
		break
	}
	d.Grid = gridseg.New(shapes)
	last := int32(side) - 1
	if err := d.Grid.Fill(gridseg.Rect{MaxX: last, MaxY: last}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		return 0, fmt.Errorf("add: %w", err)
	}
	turn := geom.NewRot(m.Angle)
	corner := geom.V(m.X, m.Y).Sub(turn.Apply(geom.V(side/2, side/2)))
	id := w.in.World.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: corner, Angle: m.Angle})
	if _, err := w.in.World.AddGround(id, d); err != nil {
		w.in.World.RemoveBody(id)
		return 0, fmt.Errorf("add: %w", err)
	}
	return id, nil
}

// overlapped returns two counts for a new body of the given size at p: the shapes whose boxes are
// within contactMargin of its box, each of which makes a contact; and of these the crowd: shapes of
// bodies that are not static, more than half its size, whose boxes overlap its box.
func (w *World) overlapped(p geom.Vec, size float64) (shapes, crowd int) {
	q := w.in.World
	box := geom.AABB{Min: p, Max: p}.Expand(size / 2)
	w.near = q.AppendShapesIn(w.near[:0], box.Expand(contactMargin))
	for _, id := range w.near {
		sh, ok := q.Shape(id)
		if !ok || sh.Body().Type() == quarry.Static || !sh.Bounds().Overlaps(box) {
			continue
		}
		if d := sh.Bounds().Size(); 2*max(d.X, d.Y) > size {
			crowd++
		}
	}
	n := len(w.near)
	for _, t := range w.grounds {
		if g, ok := q.Ground(t.id); ok && g.Body().Type() != quarry.Static &&
			g.Body().Bounds().Overlaps(box.Expand(contactMargin)) {
			crowd++
			n++
		}
	}
	return n, crowd
}

// segmentsIn returns the number of ground segments in the cells that a body of the given size at p
// may overlap.
func (w *World) segmentsIn(p geom.Vec, size float64) int {
	n := 0
	for g := range w.in.World.Grounds() {
		if r, ok := strokeCells(g.Transform(), p, p, size/2); ok {
			w.segs = g.AppendSegments(w.segs[:0], r)
			n += len(w.segs)
		}
	}
	return n
}

// newShape returns the shape of a kind of body; size is its diameter in cells.
func newShape(kind string, size float64) geom.Shape {
	switch kind {
	case "circle":
		return geom.Circle{Radius: size / 2}
	case "capsule":
		h := geom.V(0.3*size, 0)
		return geom.Capsule{A: h.Neg(), B: h, Radius: 0.25 * size}
	case "rounded":
		return geom.NewRoundedBox(0.3*size, 0.3*size, 0.2*size)
	case "pentagon":
		points := make([]geom.Vec, 5)
		for i := range points {
			sin, cos := geom.SinCos(float64(i) * (2 * 3.141592653589793 / 5))
			points[i] = geom.V(-sin, cos).Mul(0.55 * size)
		}
		if p, err := geom.NewPolygon(points, 0); err == nil {
			return p
		}
	}
	return geom.NewBox(size/2, size/2)
}

// remove removes the body that bodyAt returns for the point.
func (w *World) remove(_ *player, m Command) error {
	b, ok := w.bodyAt(geom.V(m.X, m.Y))
	if !ok {
		return errors.New("remove: there is no body at this point")
	}
	if k, err := w.keepBody(b); err == nil { // else it cannot be undone
		w.history.touched(thing{kept: k})
	}
	w.in.World.RemoveBody(b.ID())
	w.bodies--
	return nil
}
