package play

import (
	"errors"
	"fmt"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	maxLinked = 64  // bodies that a copy has
	maxCopied = 256 // shapes that a copy has
)

// linked returns a body and the dynamic bodies that joints link to it, at most maxLinked, in the order in which they
// are found.
func (w *World) linked(b quarry.Body) []quarry.Body {
	list := []quarry.Body{b}
	for i := 0; i < len(list); i++ {
		for j := range list[i].Joints() {
			if isDrag(j) {
				continue
			}
			p, q := j.Bodies()
			for _, o := range [...]quarry.Body{p, q} {
				if o.Type() == quarry.Dynamic && len(list) < maxLinked &&
					!slices.ContainsFunc(list, func(x quarry.Body) bool { return x.ID() == o.ID() }) {
					list = append(list, o)
				}
			}
		}
	}
	return list
}

// motion maps points of a copied body to points of its copy: about from, turned, scaled, and moved to to.
type motion struct {
	from, to geom.Vec
	turn     geom.Rot
	angle    float64
	scale    float64
}

func (m *motion) apply(p geom.Vec) geom.Vec {
	return m.to.Add(m.turn.Apply(p.Sub(m.from)).Mul(m.scale))
}

// copyBody adds a copy of a body, and of those linked to it, with the joints between them.
func (w *World) copyBody(_ *player, m Command) error {
	source, err := w.body(m.Do, m.Body)
	if err != nil {
		return err
	}
	list := w.linked(source)
	if err := w.copyRoom(list, m); err != nil {
		return err
	}
	move := motion{source.CenterOfMass(), geom.V(m.X, m.Y), geom.NewRot(m.Angle), m.Angle, m.Size}
	copies := map[quarry.BodyID]quarry.BodyID{}
	for _, b := range list {
		id, err := w.copyOne(b, &move)
		if err != nil {
			for _, made := range copies {
				w.in.World.RemoveBody(made)
			}
			return err
		}
		copies[b.ID()] = id
	}
	w.copyJoints(list, copies, m.Size)
	for _, b := range list {
		w.history.touched(thing{body: copies[b.ID()]})
	}
	w.bodies = w.in.World.Stats().Bodies
	return nil
}

// copyRoom returns an error if a copy of bodies would exceed a limit.
func (w *World) copyRoom(list []quarry.Body, m Command) error {
	if w.bodies+len(list) > w.most {
		return fmt.Errorf("copy: the world is full: it has %d bodies, the limit is %d", w.bodies, w.most)
	}
	shapes, tiles, grounds, joints := 0, 0, 0, 0
	for _, b := range list {
		for range b.Shapes() {
			shapes++
		}
		for g := range b.Grounds() {
			n, _ := g.Grid().Count()
			tiles += n
			grounds++
		}
		for range b.Joints() {
			joints++
		}
		if d := b.Bounds().Size(); !(max(d.X, d.Y)*m.Size <= maxScale) && m.Size > 1 {
			return fmt.Errorf("copy: the copy would be larger than %v cells", maxScale)
		}
		if err := mayScale(b, m.Size); err != nil {
			return fmt.Errorf("copy: %w", err)
		}
	}
	switch {
	case shapes > maxCopied:
		return fmt.Errorf("copy: it has %d shapes, the limit is %d", shapes, maxCopied)
	case grounds > 0 && m.Size != 1:
		return errors.New("copy: tiles have one size")
	case len(w.numberOf)+grounds > maxGrounds:
		return fmt.Errorf("copy: the world has %d grounds, the limit is %d", len(w.numberOf), maxGrounds)
	case tiles > MaxCells:
		return fmt.Errorf("copy: it has %d tiles, the limit is %d", tiles, MaxCells)
	}
	if err := w.jointRoom(joints); err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	if tiles > 0 {
		if err := w.room(m.Do, tiles, 4*grounds); err != nil {
			return err
		}
	}
	return w.crowd(m, geom.V(m.X, m.Y), sizeOf(list[0].Bounds())*m.Size)
}

// crowd returns an error if too many bodies are at a place for another one of that size.
func (w *World) crowd(m Command, at geom.Vec, size float64) error {
	shapes, crowd := w.overlapped(at, size)
	if crowd >= maxCrowd {
		return fmt.Errorf("%s: %d bodies overlap each other here already, the limit is %d; choose another place",
			m.Do, crowd, maxCrowd)
	}
	segments := w.segmentsIn(at, min(size, maxScale))
	if err := w.budget.add(shapes, segments); err != nil {
		return err
	}
	if segments > 0 {
		w.budget.touched++
	}
	return nil
}

func sizeOf(box geom.AABB) float64 {
	d := box.Size()
	return min(maxScale, max(d.X, d.Y, MinSize))
}

// copyOne adds the copy of a body, with its shapes and grounds.
func (w *World) copyOne(b quarry.Body, move *motion) (quarry.BodyID, error) {
	world, d := w.in.World, b.Def()
	d.Position, d.Angle = move.apply(b.Position()), b.Angle()+move.angle
	d.Velocity, d.AngularVelocity, d.Asleep = geom.Vec{}, 0, false
	id := world.AddBody(d)
	shapes := slices.Collect(b.Shapes())
	slices.Reverse(shapes) // the shape added last is yielded first
	for _, s := range shapes {
		world.AddShape(id, scaled(s.Geometry(), move.scale), s.Def())
	}
	for g := range b.Grounds() {
		grid, err := copyGrid(g.Grid())
		if err == nil {
			of := g.Def()
			of.Grid = grid
			_, err = world.AddGround(id, of)
		}
		if err != nil {
			world.RemoveBody(id)
			return 0, fmt.Errorf("copy: %w", err)
		}
	}
	w.lower(d.Position.Y)
	return id, nil
}

// copyGrid returns a copy of the tiles of a grid.
func copyGrid(v gridseg.View) (*gridseg.Grid, error) {
	grid := gridseg.New(v.Shapes())
	r, ok := v.Bounds()
	if !ok {
		return grid, nil
	}
	stamp, err := v.Copy(r)
	if err != nil {
		return nil, err
	}
	return grid, grid.Place(r.MinX, r.MinY, stamp)
}

// copyJoints adds the joints between the copies.
func (w *World) copyJoints(list []quarry.Body, copies map[quarry.BodyID]quarry.BodyID, scale float64) {
	done := map[quarry.JointID]bool{}
	for _, b := range list {
		for j := range b.Joints() {
			p, q := j.Bodies()
			a, okA := copies[p.ID()]
			c, okC := copies[q.ID()]
			if !okA || !okC || done[j.ID()] {
				continue
			}
			done[j.ID()] = true
			w.in.World.AddJoint(rebased(j.Def(), scale, a, c))
		}
	}
}

// rebased returns a joint between other bodies, scale times as large.
func rebased(d quarry.JointDef, scale float64, a, b quarry.BodyID) quarry.JointDef {
	move := func(base *quarry.JointBase) {
		base.A, base.B = a, b
		base.FrameA.Position = base.FrameA.Position.Mul(scale)
		base.FrameB.Position = base.FrameB.Position.Mul(scale)
	}
	along := func(l *quarry.JointLimit) { l.Lower, l.Upper = l.Lower*scale, l.Upper*scale }
	switch d := d.(type) {
	case quarry.RevoluteJoint:
		move(&d.JointBase)
		return d
	case quarry.PrismaticJoint:
		move(&d.JointBase)
		along(&d.Limit)
		d.Target *= scale
		return d
	case quarry.DistanceJoint:
		move(&d.JointBase)
		along(&d.Limit)
		d.Length *= scale
		return d
	case quarry.WeldJoint:
		move(&d.JointBase)
		return d
	case quarry.WheelJoint:
		move(&d.JointBase)
		along(&d.Limit)
		return d
	case quarry.MotorJoint:
		move(&d.JointBase)
		return d
	case quarry.GearJoint:
		move(&d.JointBase)
		return d
	case quarry.RatchetJoint:
		move(&d.JointBase)
		return d
	case quarry.FilterJoint:
		move(&d.JointBase)
		return d
	}
	return d
}
