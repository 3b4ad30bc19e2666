package state

import (
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/surface"
)

// GroundChange is a change of the tiles of a ground.
type GroundChange struct {
	Kind  ChangeKind
	Cells gridseg.Rect  // whose tiles or polygons have changed; of an Unload or a Load the place
	Delta gridseg.Delta // of an Edit, from Grid.Resolve
}

// ChangeKind tells how a ground has changed.
type ChangeKind uint8

const (
	Edit   ChangeKind = iota // some tiles are others
	Unload                   // the tiles of a place are no longer in memory
	Load                     // they are again, with the same segments
)

// GroundChanged makes the world follow a change of the tiles of the ground in slot gi. It raises the ground's
// Version, reports the change to the game, fits the ground's box, makes the next step look for parts that have come
// off, and updates the mass of a dynamic body. Contacts near changed segments are computed again in the next step. An
// Edit that changed a segment wakes the bodies near it; a Load wakes the bodies in the place; an Unload wakes none.
func (w *World) GroundChanged(gi int32, c GroundChange) {
	g := w.Grounds.At(gi)
	g.Tiles.Version++
	w.Game.Edited(gi, c.Cells, g.Tiles.Version)
	if w.fitTiles(gi, &c) != nil {
		w.MarkLost(g.Body)
	}
	w.Tear(gi)
	w.TilesChanged(gi)
	r := c.Cells
	if c.Kind == Edit {
		r = c.Delta.Cells
	}
	if g.Proxy == broad.None || c.Kind == Edit && c.Delta.Empty() {
		return // on a disabled body, or no segment changed
	}
	t := w.Bodies.At(g.Body).Transform()
	near := surface.BoxOf(r).Expand(1) // an edit changes segments beside its cells, too
	for i := range w.BodiesIn(near.Expand(narrow.Clearance + contact.SpeculativeDistance).In(t)) {
		w.ForgetApart(i)
	}
	switch c.Kind {
	case Load:
		w.WakeUnlessNewIn(surface.BoxOf(r).In(t))
	case Edit:
		w.WakeUnlessNewIn(near.In(t))
		w.staleSensorsIn(near.In(t))
		w.wakeHeldIn(near.Expand(narrow.SearchDepth).In(t))
	}
}

// fitTiles fits the box of the ground in slot gi to its tiles after c. It returns an error if the box is beyond the
// bounds of the broad phase.
func (w *World) fitTiles(gi int32, c *GroundChange) error {
	g := w.Grounds.At(gi)
	if c.Kind == Edit {
		if c.Delta.Empty() {
			return nil
		}
		return w.GrowGround(gi, c.Delta.Cells)
	}
	if tiles, some := g.Tiles.Grid.BoundsIn(c.Cells); c.Kind == Load && some {
		if err := w.GrowGround(gi, tiles); err != nil {
			return err
		}
	}
	if box := g.Bounds(); !box.IsEmpty() { // the cells that count as solid are others
		return w.FitGround(gi, box)
	}
	return nil
}
