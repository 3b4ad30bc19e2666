package sandbox

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// ground returns the ground that a command edits. The first paint or build in a world without a
// ground adds one.
func (s *begun) ground(m Command) (*terrain, quarry.Ground, error) {
	s.lookAtGrounds()
	if len(s.terrainOf) == 0 && m.Ground == 0 && (m.Do == "paint" || m.Do == "build") {
		id, err := s.in.World.AddGround(0, quarry.GroundDef{Breaks: s.breaks && s.strokes == 0})
		if err != nil {
			return nil, quarry.Ground{}, fmt.Errorf("%s: %w", m.Do, err)
		}
		if s.breaks && s.strokes > 0 {
			s.held = append(s.held, id)
		}
		s.change++
		s.lookAtGrounds()
		for _, i := range s.terrainOf {
			m.Ground = uint32(i) // the only one
		}
	}
	if int64(m.Ground) >= int64(len(s.terrains)) || s.terrains[m.Ground].gone {
		return nil, quarry.Ground{}, fmt.Errorf("%s: there is no ground %d", m.Do, m.Ground)
	}
	t := s.terrains[m.Ground]
	g, ok := s.in.World.Ground(t.id)
	if !ok {
		return nil, quarry.Ground{}, fmt.Errorf("%s: ground %d has been removed", m.Do, m.Ground)
	}
	return t, g, nil
}

// edit paints or erases cells. It returns the first error, and still edits the other cells.
func (s *begun) edit(m Command) error {
	t, g, err := s.ground(m)
	if err != nil {
		return err
	}
	tile := gridseg.Tile{}
	if m.Do == "paint" {
		s.palette.use(s.in.World, m.Material)
		tile = gridseg.Tile{
			Shape: gridseg.ShapeID(m.Shape), Turn: gridseg.Turn(m.Turn), Layer: m.Layer,
			Material: m.Material,
		}
		if err := s.room(m.Do, len(m.Cells)/2, 0); err != nil {
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
			if bad = s.room(m.Do, 0, 1); bad != nil {
				break
			}
		}
		if err := g.Set(cell.X, cell.Y, tile); err != nil {
			if bad == nil {
				bad = fmt.Errorf("%s: %w", m.Do, err)
			}
			continue
		}
		s.touch(geom.Box(geom.V(float64(cell.X), float64(cell.Y)), geom.V(float64(cell.X)+1,
			float64(cell.Y)+1)).In(g.Transform()))
		t.at(chunkOf(cell))
		t.mark(gridseg.Rect{MinX: cell.X, MinY: cell.Y, MaxX: cell.X, MaxY: cell.Y})
		if g.Body().Type() != quarry.Dynamic {
			s.floor = min(s.floor, g.Transform().Apply(geom.V(float64(cell.X), float64(cell.Y))).Y)
		}
	}
	t.version = g.Version()
	s.change++
	return bad
}
