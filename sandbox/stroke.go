package sandbox

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// MaxChunkSegments is the number of segments of a chunk above which strokes over it are refused.
// Strokes can cut a cell into a thousand pieces, and each stroke sends the whole chunk to all
// clients. A chequered chunk has 2048 segments.
const MaxChunkSegments = 1 << 12

// strokeCost is the cost of a stroke apart from its cells.
const strokeCost = 8 * commandCost

// cost returns the cost of a command, see commandCost.
func (c *Command) cost() int {
	n := commandCost + len(c.Cells)/2
	if c.starts() {
		n += tickBudget
	}
	if c.All && c.Do == "through" || c.Do == "breaks" {
		n += tickBudget // one a tick, because it visits all contacts or all tiles
	}
	if c.Do == "dig" || c.Do == "build" {
		w := math.Abs(c.X1-c.X0) + 2*c.Radius + 2
		h := math.Abs(c.Y1-c.Y0) + 2*c.Radius + 2
		n += strokeCost + int(w*h)
	}
	return n
}

func (c *Command) checkStroke() error {
	if err := c.checkEnds(); err != nil {
		return err
	}
	if !(c.Radius >= MinBrush && c.Radius <= MaxBrush) {
		return fmt.Errorf("%s: the radius %v is out of range: it must be %v to %v", c.Do, c.Radius, MinBrush, MaxBrush)
	}
	if d := geom.V(c.X1-c.X0, c.Y1-c.Y0).Len(); !(d <= MaxStroke) {
		return fmt.Errorf("%s: the stroke is %.4g cells long, the limit is %d", c.Do, d, MaxStroke)
	}
	return nil
}

// checkEnds checks the points X0, Y0 and X1, Y1.
func (c *Command) checkEnds() error {
	for _, v := range [...]float64{c.X0, c.Y0, c.X1, c.Y1} {
		if !within(v, MaxCoordinate) {
			return fmt.Errorf("%s: the coordinate %v of the ends is out of range: it must be within %d of 0", c.Do, v, MaxCoordinate)
		}
	}
	return nil
}

// strokeAll digs in every ground that a stroke meets, at most maxDug of them. It returns the first error, and
// still digs in the others.
func (s *sim) strokeAll(m Command) error {
	s.lookAtGrounds()
	line := geom.Capsule{A: geom.V(m.X0, m.Y0), B: geom.V(m.X1, m.Y1), Radius: m.Radius}
	s.met = s.in.World.AppendOverlaps(s.met[:0], line, geom.Transform{Q: geom.Rot{C: 1}}, quarry.QueryFilter{})
	var bad error
	dug := 0
	for i := range s.met {
		if s.met[i].Ground == 0 || i > 0 && s.met[i].Ground == s.met[i-1].Ground {
			continue
		}
		if dug++; dug > maxDug {
			break
		}
		m.Ground = uint32(s.terrainOf[s.met[i].Ground])
		if err := s.stroke(m); err != nil && bad == nil {
			bad = err
		}
	}
	return bad
}

// maxDug bounds the grounds that a stroke digs in.
const maxDug = 32

// stroke digs or builds along a line.
func (s *sim) stroke(m Command) error {
	t, g, err := s.ground(m)
	if err != nil {
		return err
	}
	a, b := geom.V(m.X0, m.Y0), geom.V(m.X1, m.Y1)
	r, ok := strokeCells(g.Transform(), a, b, m.Radius)
	if !ok {
		return fmt.Errorf("%s: the stroke is too far from the ground's origin: the limit is %d cells", m.Do, maxCell)
	}
	if _, n := g.Grid().Count(); n > MaxSegments {
		return fmt.Errorf("%s: the ground has %d segments, the limit is %d; erase some of it", m.Do, n, MaxSegments)
	}
	build := m.Do == "build"
	if build {
		area := int(r.MaxX-r.MinX+1) * int(r.MaxY-r.MinY+1)
		n, _ := g.Grid().Count()
		if n+area > MaxTiles {
			return fmt.Errorf("build: the ground has %d tiles, the limit is %d", n, MaxTiles)
		}
	}
	if err := s.strokeRoom(t, g, r, m.Do); err != nil {
		return err
	}
	if build {
		s.palette.use(s.in.World, m.Material)
		err = g.Build(a, b, m.Radius, gridseg.Attr{Layer: m.Layer, Material: m.Material})
	} else {
		err = g.Dig(a, b, m.Radius)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", m.Do, err)
	}
	if build {
		t.addChunks(g, r)
		if g.Body().Type() != quarry.Dynamic {
			s.floor = min(s.floor, min(a.Y, b.Y)-m.Radius)
		}
	}
	if g.Version() != t.version {
		t.mark(r)
		t.version = g.Version()
	}
	s.change++
	return nil
}

// strokeRoom returns an error if a stroke over the cells of r would exceed a limit of the chunks.
func (s *sim) strokeRoom(t *terrain, g quarry.Ground, r gridseg.Rect, do string) error {
	low, high := chunkOf(gridseg.Cell{X: r.MinX, Y: r.MinY}), chunkOf(gridseg.Cell{X: r.MaxX, Y: r.MaxY})
	room := MaxChunks - len(t.list)
	for y := low.Y; y <= high.Y; y++ {
		for x := low.X; x <= high.X; x++ {
			at := gridseg.Cell{X: x, Y: y}
			if _, ok := t.chunks[at]; !ok {
				if room--; room < 0 && do == "build" {
					return fmt.Errorf("build: the ground has tiles in %d chunks, which is the limit; build near existing tiles or reset the scene", MaxChunks)
				}
				continue
			}
			s.segs = g.AppendSegments(s.segs[:0], chunkCells(at))
			n := len(s.segs)
			if n > MaxChunkSegments/4 { // bodies on many segments make steps long
				if err := s.load.busy(len(s.clients)); err != nil {
					return fmt.Errorf("%s: %w", do, err)
				}
			}
			if n > MaxChunkSegments {
				return fmt.Errorf("%s: the ground is in too many pieces here: %d segments in %d x %d cells, the limit is %d; erase some of it", do, n, ChunkCells, ChunkCells, MaxChunkSegments)
			}
		}
	}
	return nil
}

// maxCell bounds the coordinates of edited cells, so that those of the cells around fit in int32.
const maxCell = 1 << 30

// strokeCells returns the cells of a ground in the frame t that a stroke may touch, or false if the
// stroke is beyond maxCell.
func strokeCells(t geom.Transform, a, b geom.Vec, radius float64) (gridseg.Rect, bool) {
	p, q := t.Inv(a), t.Inv(b)
	if !within(p.X, maxCell) || !within(p.Y, maxCell) || !within(q.X, maxCell) || !within(q.Y, maxCell) {
		return gridseg.Rect{}, false
	}
	reach := radius + 1.0/64 // more than rounding can add
	return gridseg.Rect{
		MinX: int32(math.Floor(min(p.X, q.X) - reach)), MinY: int32(math.Floor(min(p.Y, q.Y) - reach)),
		MaxX: int32(math.Floor(max(p.X, q.X) + reach)), MaxY: int32(math.Floor(max(p.Y, q.Y) + reach)),
	}, true
}
