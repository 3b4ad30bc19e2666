package play

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// ground returns the ground that a command edits. The first paint or build in a world without a
// ground adds one.
func (w *World) ground(m Command) (*Ground, quarry.Ground, error) {
	w.numberGrounds()
	if len(w.numberOf) == 0 && m.Ground == 0 && (m.Do == "paint" || m.Do == "build") {
		id, err := w.in.World.AddGround(0, quarry.GroundDef{Breaks: w.breaks})
		if err != nil {
			return nil, quarry.Ground{}, fmt.Errorf("%s: %w", m.Do, err)
		}
		if g, ok := w.in.World.Ground(id); ok {
			g.SetWhole(w.strokes > 0)
		}
		w.bodies = w.in.World.Stats().Bodies // with the static body of the ground
		w.change++
		w.numberGrounds()
		for _, i := range w.numberOf {
			m.Ground = uint32(i) // the only one
		}
	}
	if int64(m.Ground) >= int64(len(w.grounds)) || w.grounds[m.Ground].gone {
		return nil, quarry.Ground{}, fmt.Errorf("%s: there is no ground %d", m.Do, m.Ground)
	}
	t := w.grounds[m.Ground]
	g, ok := w.in.World.Ground(t.id)
	if !ok {
		return nil, quarry.Ground{}, fmt.Errorf("%s: ground %d has been removed", m.Do, m.Ground)
	}
	return t, g, nil
}

// edit paints or erases cells. It returns the first error, and still edits the other cells.
func (w *World) edit(_ *player, m Command) error {
	t, g, err := w.ground(m)
	if err != nil {
		return err
	}
	tile := gridseg.Tile{}
	if m.Do == "paint" {
		w.palette.use(w.in.World, m.Material)
		tile = gridseg.Tile{
			Shape: gridseg.ShapeID(m.Shape), Turn: gridseg.Turn(m.Turn), Layer: m.Layer,
			Material: m.Material,
		}
		if err := w.room(m.Do, len(m.Cells)/2, 0); err != nil {
			return err
		}
	}
	var bad error
	for i := 0; i+1 < len(m.Cells); i += 2 {
		cell := gridseg.Cell{X: m.Cells[i], Y: m.Cells[i+1]}
		if g.Tile(cell.X, cell.Y) == tile {
			continue
		}
		if _, ok := t.chunks[chunkOf(cell)]; !ok {
			if bad = w.room(m.Do, 0, 1); bad != nil {
				break
			}
		}
		was := content(g, cell)
		if err := g.Set(cell.X, cell.Y, tile); err != nil {
			if bad == nil {
				bad = fmt.Errorf("%s: %w", m.Do, err)
			}
			continue
		}
		w.history.changed(cellChange{t.id, cell, was, content(g, cell)})
		w.cellChanged(t, g, cell)
	}
	t.version = g.Version()
	return bad
}
