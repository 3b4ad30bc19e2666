package sandbox

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Limits of a ground. At MaxTiles tiles, painting and building are refused. At MaxSegments
// segments, painting, digging and building are refused. When MaxChunks chunks hold tiles, or once
// held some, tiles in further chunks are refused, because a chunk of one tile takes kilobytes.
const (
	MaxTiles    = 1 << 22
	MaxSegments = 1 << 20
	MaxChunks   = 1 << 15
)

// ground returns the ground that a command edits. The first paint or build in a world without a
// ground adds one.
func (s *sim) ground(m Command) (*terrain, quarry.Ground, error) {
	s.lookAtGrounds()
	if len(s.terrainOf) == 0 && m.Ground == 0 && (m.Do == "paint" || m.Do == "build") {
		if _, err := s.in.World.AddGround(0, quarry.GroundDef{Breaks: s.breaks}); err != nil {
			return nil, quarry.Ground{}, fmt.Errorf("%s: %w", m.Do, err)
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
			return fmt.Errorf("paint: the ground has %d tiles, the limit is %d", tiles, MaxTiles)
		}
		if segments > MaxSegments {
			return fmt.Errorf("paint: the ground has %d segments, the limit is %d; erase some of it", segments, MaxSegments)
		}
	}
	var bad error
	for i := 0; i+1 < len(m.Cells); i += 2 {
		cell := gridseg.Cell{X: m.Cells[i], Y: m.Cells[i+1]}
		if g.Tile(cell.X, cell.Y) == tile {
			continue
		}
		if !t.room(cell) {
			bad = fmt.Errorf("%s: the ground has tiles in %d chunks, which is the limit; paint near existing tiles or reset the scene", m.Do, MaxChunks)
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
		if g.Body().Type() != quarry.Dynamic {
			s.floor = min(s.floor, g.Transform().Apply(geom.V(float64(cell.X), float64(cell.Y))).Y)
		}
	}
	t.version = g.Version()
	s.change++
	return bad
}
