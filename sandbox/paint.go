package sandbox

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Limits of a ground. A ground of MaxTiles tiles refuses painting, and a ground of
// MaxSegments segments refuses painting, digging and building. A ground with tiles in
// MaxChunks chunks, now or earlier, refuses painting in new chunks: a tile alone in its
// chunk costs kilobytes.
const (
	MaxTiles    = 1 << 22
	MaxSegments = 1 << 20
	MaxChunks   = 1 << 15
)

// ground returns the ground that a command edits. A world without any gets one
// when something is first put there.
func (s *sim) ground(m Command) (*terrain, quarry.Ground, error) {
	s.lookAtGrounds()
	if len(s.terrains) == 0 && m.Ground == 0 && (m.Do == "paint" || m.Do == "build") {
		if _, err := s.in.World.AddGround(0, quarry.GroundDef{}); err != nil {
			return nil, quarry.Ground{}, fmt.Errorf("%s: %w", m.Do, err)
		}
		s.change++
		s.lookAtGrounds()
	}
	if int64(m.Ground) >= int64(len(s.terrains)) || s.terrains[m.Ground].gone {
		return nil, quarry.Ground{}, fmt.Errorf("%s: there is no ground %d", m.Do, m.Ground)
	}
	t := s.terrains[m.Ground]
	g, ok := s.in.World.Ground(t.id)
	if !ok {
		return nil, quarry.Ground{}, fmt.Errorf("%s: ground %d is no more", m.Do, m.Ground)
	}
	return t, g, nil
}

// edit paints or erases cells. A cell that is refused does not keep the others
// from being edited.
func (s *sim) edit(m Command) error {
	t, g, err := s.ground(m)
	if err != nil {
		return err
	}
	tile := gridseg.Tile{}
	if m.Do == "paint" {
		s.palette.use(s.in.World, m.Material)
		tile = gridseg.Tile{Shape: gridseg.ShapeID(m.Shape), Turn: gridseg.Turn(m.Turn), Layer: m.Layer, Material: m.Material}
		tiles, segments := g.Grid().Count()
		if tiles+len(m.Cells)/2 > MaxTiles {
			return fmt.Errorf("paint: the ground has %d tiles, and %d is the most", tiles, MaxTiles)
		}
		if segments > MaxSegments {
			return fmt.Errorf("paint: the ground has %d segments, and %d is the most; erase some of it", segments, MaxSegments)
		}
	}
	var bad error
	for i := 0; i+1 < len(m.Cells); i += 2 {
		cell := gridseg.Cell{X: m.Cells[i], Y: m.Cells[i+1]}
		if g.Tile(cell.X, cell.Y) == tile {
			continue
		}
		if !t.room(cell) {
			bad = fmt.Errorf("%s: tiles lie in %d places far from each other, and that is the most; reset the scene", m.Do, MaxChunks)
			break
		}
		if err := g.Set(cell.X, cell.Y, tile); err != nil {
			if bad == nil {
				bad = fmt.Errorf("%s: %w", m.Do, err)
			}
			continue
		}
		t.at(chunkOf(cell))
		t.mark(gridseg.Rect{MinX: cell.X, MinY: cell.Y, MaxX: cell.X, MaxY: cell.Y})
		s.floor = min(s.floor, g.Transform().Apply(geom.V(float64(cell.X), float64(cell.Y))).Y)
	}
	t.version = g.Version()
	s.change++
	return bad
}
