package play

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

// GroundsAlong returns the numbers of the grounds that a stroke meets, at most maxDug of them: a "dig" with All is as
// good as one in each of these grounds, which can be given one after another.
func (w *World) GroundsAlong(m Command) (numbers []uint32) {
	if w.stopped != "" {
		return nil
	}
	a, b := geom.V(m.X0, m.Y0), geom.V(m.X1, m.Y1)
	line := geom.Shape(geom.Capsule{A: a, B: b, Radius: m.Radius})
	if a.Dist(b) < geom.LinearSlop { // a click; a capsule without length is no valid shape
		line = geom.Circle{Center: a, Radius: m.Radius}
	}
	w.met = w.in.World.AppendOverlaps(w.met[:0], line, geom.Transform{Q: geom.Rot{C: 1}}, quarry.QueryFilter{})
	for i := range w.met {
		if w.met[i].Ground == 0 || i > 0 && w.met[i].Ground == w.met[i-1].Ground {
			continue
		}
		if len(numbers) == maxDug {
			break
		}
		numbers = append(numbers, uint32(w.numberOf[w.met[i].Ground]))
	}
	return numbers
}

// dig digs in a ground, or in every ground that the stroke meets: then it returns the first error, and still digs in
// the others.
func (w *World) dig(_ *player, m Command) (bad error) {
	if !m.All {
		return w.stroke(m)
	}
	for _, m.Ground = range w.GroundsAlong(m) {
		if err := w.stroke(m); err != nil && bad == nil {
			bad = err
		}
	}
	return bad
}

// maxDug bounds the grounds that a stroke digs in.
const maxDug = 32

// build builds on a ground.
func (w *World) build(_ *player, m Command) error { return w.stroke(m) }

// stroke digs or builds along a line.
func (w *World) stroke(m Command) error {
	t, g, err := w.ground(m)
	if err != nil {
		return err
	}
	a, b := geom.V(m.X0, m.Y0), geom.V(m.X1, m.Y1)
	r, ok := strokeCells(g.Transform(), a, b, m.Radius)
	if !ok {
		return fmt.Errorf("%s: the stroke is too far from the ground's origin: the limit is %d cells", m.Do, maxCell)
	}
	build := m.Do == "build"
	if err := w.strokeRoom(t, g, r, m.Do); err != nil {
		return err
	}
	was := w.along(g, r, a, b, m.Radius)
	if build {
		w.palette.use(w.in.World, m.Material)
		err = g.Build(a, b, m.Radius, gridseg.Attr{Layer: m.Layer, Material: m.Material})
	} else {
		err = g.Dig(a, b, m.Radius)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", m.Do, err)
	}
	for _, c := range was {
		c.is = content(g, c.at)
		w.history.changed(c)
	}
	if build {
		t.addChunks(g, r)
		if g.Body().Type() != quarry.Dynamic {
			w.lower(min(a.Y, b.Y) - m.Radius)
		}
	}
	if g.Version() != t.version {
		w.touch(geom.Box(a, b).Expand(m.Radius))
		t.mark(r)
		t.version = g.Version()
	}
	return nil
}

// along returns the cells of r that a stroke may change, with their content.
func (w *World) along(g quarry.Ground, r gridseg.Rect, a, b geom.Vec, radius float64) []cellChange {
	p, q := g.Transform().Inv(a), g.Transform().Inv(b)
	near := radius + 0.75 // from the centre of a cell, with more than rounding can add
	d := q.Sub(p)
	list := w.alongs[:0]
	for y := r.MinY; y <= r.MaxY; y++ {
		for x := r.MinX; x <= r.MaxX; x++ {
			v := geom.V(float64(x)+0.5, float64(y)+0.5).Sub(p)
			if t := max(0, min(1, v.Dot(d)/max(d.Dot(d), 1e-12))); v.Sub(d.Mul(t)).Len() <= near {
				at := gridseg.Cell{X: x, Y: y}
				list = append(list, cellChange{ground: g.ID(), at: at, was: content(g, at)})
			}
		}
	}
	w.alongs = list
	return list
}

// strokeRoom returns an error if a stroke over the cells of r would exceed a limit of the world or of a chunk.
func (w *World) strokeRoom(t *Ground, g quarry.Ground, r gridseg.Rect, do string) error {
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
			w.segs = g.AppendSegments(w.segs[:0], Chunk{At: at}.Cells())
			if n := len(w.segs); n > MaxChunkSegments {
				return fmt.Errorf("%s: the ground is in too many pieces here: %d segments in %d x %d cells, the "+
					"limit is %d; erase some of it", do, n, ChunkCells, ChunkCells, MaxChunkSegments)
			}
		}
	}
	return w.room(do, tiles, chunks)
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
