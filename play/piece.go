package play

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// loosen makes the cells of a ground between two corners a dynamic body, which moves on as the ground did.
func (w *World) loosen(_ *player, m Command) error {
	t, g, err := w.ground(m)
	if err != nil {
		return err
	}
	r, ok := cellsBetween(g.Transform(), geom.V(m.X0, m.Y0), geom.V(m.X1, m.Y1))
	if !ok {
		return fmt.Errorf("loosen: more than %d cells, or too far from the ground's origin", MaxCells)
	}
	tiles, all := 0, 0
	for range g.Grid().Tiles(r) {
		tiles++
	}
	all, _ = g.Grid().Count()
	switch {
	case tiles == 0:
		return errors.New("loosen: there are no tiles in this place")
	case tiles == all && g.Body().Type() == quarry.Dynamic:
		return errors.New("loosen: these tiles are loose already")
	case len(w.numberOf) >= maxGrounds:
		return fmt.Errorf("loosen: the world has %d grounds, the limit; remove some", len(w.numberOf))
	case w.bodies >= w.most:
		return fmt.Errorf("loosen: the world is full: it has %d bodies, the limit is %d", w.bodies, w.most)
	}
	if err := w.room(m.Do, 0, 4); err != nil {
		return err
	}
	var cells []cellChange
	for cell := range g.Grid().Tiles(r) {
		cells = append(cells, cellChange{ground: t.id, at: cell, was: content(g, cell)})
	}
	id, err := w.takeOut(g, r)
	if err != nil {
		return fmt.Errorf("loosen: %w", err)
	}
	for _, c := range cells {
		c.is = content(g, c.at)
		w.history.changed(c)
	}
	w.history.touched(thing{body: id})
	w.bodies++
	w.touch(geom.Box(geom.V(m.X0, m.Y0), geom.V(m.X1, m.Y1)).Expand(1))
	t.mark(r)
	t.version = g.Version()
	return nil
}

// takeOut moves the tiles of r from a ground to a new dynamic body, and returns it.
func (w *World) takeOut(g quarry.Ground, r gridseg.Rect) (quarry.BodyID, error) {
	stamp, err := g.Grid().Copy(r)
	if err != nil {
		return 0, err
	}
	wide, high := stamp.Size()
	empty, err := gridseg.NewStamp(wide, high)
	if err != nil {
		return 0, err
	}
	for y := range high {
		for x := range wide {
			empty.Set(x, y, gridseg.Tile{})
		}
	}
	grid := gridseg.New(g.Grid().Shapes())
	if err := grid.Place(0, 0, stamp); err != nil {
		return 0, err
	}
	from := g.Body()
	corner := g.Transform().Apply(geom.V(float64(r.MinX), float64(r.MinY)))
	middle := g.Transform().Apply(geom.V(float64(r.MinX)+float64(wide)/2, float64(r.MinY)+float64(high)/2))
	id := w.in.World.AddBody(quarry.BodyDef{
		Type: quarry.Dynamic, Position: corner, Angle: from.Angle(), Velocity: from.VelocityAt(middle),
		AngularVelocity: from.AngularVelocity(),
	})
	_, err = w.in.World.AddGround(id, quarry.GroundDef{Grid: grid, Materials: g.Def().Materials})
	if err == nil {
		err = g.Place(r.MinX, r.MinY, empty)
	}
	if err != nil {
		w.in.World.RemoveBody(id)
		return 0, err
	}
	return id, nil
}

// cellsBetween returns the cells of a ground in the frame t between two corners, or false if there are too many.
func cellsBetween(t geom.Transform, a, b geom.Vec) (gridseg.Rect, bool) {
	p, q := t.Inv(a), t.Inv(b)
	if !within(p.X, maxCell) || !within(p.Y, maxCell) || !within(q.X, maxCell) || !within(q.Y, maxCell) {
		return gridseg.Rect{}, false
	}
	r := gridseg.Rect{
		MinX: int32(math.Floor(min(p.X, q.X))), MinY: int32(math.Floor(min(p.Y, q.Y))),
		MaxX: int32(math.Floor(max(p.X, q.X))), MaxY: int32(math.Floor(max(p.Y, q.Y))),
	}
	return r, (int64(r.MaxX)-int64(r.MinX)+1)*(int64(r.MaxY)-int64(r.MinY)+1) <= MaxCells
}

// glue joins two grounds of tiles to one, or welds two bodies.
func (w *World) glue(_ *player, m Command) error {
	p, q := geom.V(m.X0, m.Y0), geom.V(m.X1, m.Y1)
	a, okA := w.groundAt(p)
	b, okB := w.groundAt(q)
	if !okA || !okB {
		m.Kind = "weld"
		return w.join(nil, m)
	}
	if a.ID() == b.ID() {
		return errors.New("glue: both ends are on one piece")
	}
	if a.Body().Type() == quarry.Dynamic && b.Body().Type() != quarry.Dynamic {
		a, b = b, a // the standing ground stays
	}
	if b.Body().Type() != quarry.Dynamic {
		return errors.New("glue: both grounds stand")
	}
	n, _ := b.Grid().Count()
	if n > MaxCells {
		return fmt.Errorf("glue: the smaller piece has %d tiles, the limit is %d", n, MaxCells)
	}
	if err := w.room(m.Do, n, 16); err != nil {
		return err
	}
	w.touch(b.Body().Bounds())
	if err := w.merge(a, b); err != nil {
		return fmt.Errorf("glue: %w", err)
	}
	w.bodies = w.in.World.Stats().Bodies
	w.lookAtEdits()
	return nil
}

// merge moves the tiles of b to a, and notes it.
func (w *World) merge(a, b quarry.Ground) error {
	body := b.Body()
	piece, keptErr := w.keepBody(body)
	if keptErr == nil {
		piece.Then = a.Transform()
	}
	cells := cellsUnder(a, b)
	was := make([]string, len(cells))
	for k, c := range cells {
		was[k] = content(a, c)
	}
	return w.altering(a.Body(), func() error {
		if err := a.Join(b.ID()); err != nil {
			return err
		}
		if _, stays := w.in.World.Body(body.ID()); stays || keptErr != nil {
			w.history.now = nil // other shapes are on it: this cannot be undone
			return nil
		}
		for k, c := range cells {
			w.history.changed(cellChange{a.ID(), c, was[k], content(a, c)})
		}
		w.history.touched(thing{kept: piece, beside: a.ID()})
		return nil
	})
}

// cellsUnder returns the cells of a on which tiles of b lie, and those beside them, row by row.
func cellsUnder(a, b quarry.Ground) (list []gridseg.Cell) {
	frame := a.Transform().InvMul(b.Transform())
	under := map[gridseg.Cell]bool{}
	cells, _ := b.Grid().Bounds()
	for c := range b.Grid().Tiles(cells) {
		corner := geom.V(float64(c.X), float64(c.Y))
		box := geom.Box(corner, corner.Add(geom.V(1, 1))).In(frame).Expand(0.01)
		for y := int32(math.Floor(box.Min.Y)); float64(y) < box.Max.Y; y++ {
			for x := int32(math.Floor(box.Min.X)); float64(x) < box.Max.X; x++ {
				under[gridseg.Cell{X: x, Y: y}] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(under), func(p, q gridseg.Cell) int {
		return cmp.Or(cmp.Compare(p.Y, q.Y), cmp.Compare(p.X, q.X))
	})
}

// groundAt returns the ground that is solid at p, the newest of several.
func (w *World) groundAt(p geom.Vec) (found quarry.Ground, ok bool) {
	for _, t := range w.grounds {
		if g, is := w.in.World.Ground(t.id); is && g.Solid(p) && (!ok || g.ID() > found.ID()) {
			found, ok = g, true
		}
	}
	return found, ok
}
