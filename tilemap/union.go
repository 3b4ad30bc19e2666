package tilemap

import (
	"strconv"

	"github.com/quarry2d/quarry/gridseg"
)

// maxUnited bounds the sum of the squared numbers of vertices of united tiles: uniting takes time in that proportion.
const maxUnited = 1 << 24

// union is a shape that was united from the collision objects of a tile.
type union struct {
	shape   int
	overlap bool // objects overlap; otherwise one was clipped to several parts
	filled  bool // a hole was filled
}

// note adds tile id, which has the shape, to the notes of its tileset.
func (u union) note(n *notes, id uint32) {
	if u.overlap {
		n.united.add(id)
	}
	if u.filled {
		n.filled.add(id)
	}
}

// unite returns the shape of the union of polygons within the cell, which have the key. Holes are filled, because a
// shape has none.
func (g *grounds) unite(t *tile, n *notes, key string, polygons [][][2]float64, overlap bool) (int, error) {
	vertices := 0
	for _, p := range polygons {
		vertices += len(p)
	}
	if g.unitedSum += vertices * vertices; g.unitedSum > maxUnited {
		return noShape, t.at.errorf("the squared numbers of vertices of tiles with objects that overlap add up to "+
			"more than %d", maxUnited)
	}
	u := union{shape: noShape, overlap: overlap}
	outlines, holes, err := outlinesOf(polygons)
	if err == nil && holes {
		// The outlines alone have no hole, and what lies within a filled one vanishes.
		u.filled = true
		outlines, _, err = outlinesOf(outlines)
	}
	if err != nil {
		return noShape, t.at.errorf("uniting its collision objects: %w", reason(err))
	}
	if s, known := g.byKey[outlineKey(outlines)]; known {
		u.shape = s
	} else if len(outlines) > 0 {
		if err := g.count(t, outlines); err != nil {
			return noShape, err
		}
		if _, err := g.check.Register(strconv.Itoa(len(g.shapes)), outlines...); err != nil {
			return noShape, t.at.errorf("the union of its collision objects: %w", reason(err))
		}
		u.shape = g.shape(outlines)
	}
	g.joined[key] = u
	u.note(n, t.id)
	return u.shape, nil
}

// outlinesOf returns the outsides of the union of polygons within a cell, and whether it has holes.
func outlinesOf(polygons [][][2]float64) (outlines [][][2]float64, holes bool, err error) {
	loops := make([][]gridseg.Point, len(polygons))
	for k, p := range polygons {
		for _, v := range p {
			loops[k] = append(loops[k], gridseg.Point{X: int64(v[0] * gridseg.Unit), Y: int64(v[1] * gridseg.Unit)})
		}
	}
	cell := gridseg.New(gridseg.NewShapes())
	if err := cell.Unite(loops, gridseg.Attr{}); err != nil {
		return nil, false, err
	}
	for _, loops := range cell.Polygons(0, 0) {
		for _, loop := range loops {
			if clockwise(loop) {
				holes = true
				continue
			}
			outline := make([][2]float64, len(loop))
			for i, v := range loop {
				outline[i] = [2]float64{float64(v.X) / gridseg.Unit, float64(v.Y) / gridseg.Unit}
			}
			outlines = append(outlines, startLowest(outline))
		}
	}
	return outlines, holes, nil
}

// clip returns the part of an outline within the cell (0..1), by cutting it at each border in turn (Sutherland and
// Hodgman, "Reentrant polygon clipping", 1974). The parts of an outline that is not convex stay joined by edges along
// the border.
func clip(outline [][2]float64) [][2]float64 {
	for axis := range 2 {
		for _, border := range [2]float64{0, 1} {
			if len(outline) == 0 {
				return nil
			}
			inside := func(v [2]float64) bool { return v[axis] == border || (v[axis] > border) == (border == 0) }
			var kept [][2]float64
			last := outline[len(outline)-1]
			for _, v := range outline {
				if inside(v) != inside(last) {
					f := (border - last[axis]) / (v[axis] - last[axis])
					var cut [2]float64
					cut[axis] = border
					cut[1-axis] = last[1-axis] + float64(f*(v[1-axis]-last[1-axis]))
					kept = append(kept, cut)
				}
				if inside(v) {
					kept = append(kept, v)
				}
				last = v
			}
			outline = kept
		}
	}
	return outline
}
