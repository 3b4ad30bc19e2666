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
			return fmt.Errorf("%s: the coordinate %v of the ends is out of range: it must be within %d of 0", c.Do, v,
				MaxCoordinate)
		}
	}
	return nil
}

// groundsAlong returns the numbers of the grounds that a stroke meets, at most maxDug of them.
func (s *begun) groundsAlong(m Command) (numbers []uint32) {
	s.lookAtGrounds()
	line := geom.Capsule{A: geom.V(m.X0, m.Y0), B: geom.V(m.X1, m.Y1), Radius: m.Radius}
	s.met = s.in.World.AppendOverlaps(s.met[:0], line, geom.Transform{Q: geom.Rot{C: 1}}, quarry.QueryFilter{})
	for i := range s.met {
		if s.met[i].Ground == 0 || i > 0 && s.met[i].Ground == s.met[i-1].Ground {
			continue
		}
		if len(numbers) == maxDug {
			break
		}
		numbers = append(numbers, uint32(s.terrainOf[s.met[i].Ground]))
	}
	return numbers
}

// strokeAll digs in every ground that a stroke meets. It returns the first error, and still digs in the others.
func (s *begun) strokeAll(m Command) (bad error) {
	for _, m.Ground = range s.groundsAlong(m) {
		if err := s.stroke(m); err != nil && bad == nil {
			bad = err
		}
	}
	return bad
}

// maxDug bounds the grounds that a stroke digs in.
const maxDug = 32

// stroke digs or builds along a line.
func (s *begun) stroke(m Command) error {
	t, g, err := s.ground(m)
	if err != nil {
		return err
	}
	a, b := geom.V(m.X0, m.Y0), geom.V(m.X1, m.Y1)
	r, ok := strokeCells(g.Transform(), a, b, m.Radius)
	if !ok {
		return fmt.Errorf("%s: the stroke is too far from the ground's origin: the limit is %d cells", m.Do, maxCell)
	}
	build := m.Do == "build"
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
		s.touch(geom.Box(a, b).Expand(m.Radius))
		t.mark(r)
		t.version = g.Version()
	}
	s.change++
	return nil
}

// strokeRoom returns an error if a stroke over the cells of r would exceed a limit of the world or of a chunk.
func (s *begun) strokeRoom(t *terrain, g quarry.Ground, r gridseg.Rect, do string) error {
	tiles, chunks := 0, 0
	if do == "build" {
		tiles = int(r.MaxX-r.MinX+1) * int(r.MaxY-r.MinY+1)
	}
	low, high := chunkOf(gridseg.Cell{X: r.MinX, Y: r.MinY}), chunkOf(gridseg.Cell{X: r.MaxX, Y: r.MaxY})
	for y := low.Y; y <= high.Y; y++ {
		for x := low.X; x <= high.X; x++ {
			at := gridseg.Cell{X: x, Y: y}
			if _, ok := t.chunks[at]; !ok {
				if do == "build" {
					chunks++
				}
				continue
			}
			s.segs = g.AppendSegments(s.segs[:0], chunkCells(at))
			if n := len(s.segs); n > MaxChunkSegments {
				return fmt.Errorf("%s: the ground is in too many pieces here: %d segments in %d x %d cells, the "+
					"limit is %d; erase some of it", do, n, ChunkCells, ChunkCells, MaxChunkSegments)
			}
		}
	}
	return s.room(do, tiles, chunks)
}

// maxCell bounds the coordinates of edited cells, so that the cells around fit in int32.
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
