package narrow

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/surface"
)

// leastDisc is the radius, in cells, below which a disc in a polygon is left out.
const leastDisc = 1.0 / 16

// Pieces is a list of convex pieces of tiles, for the continuous collision of a ground that moves and for sensors
// that pass a ground: rows of whole blocks, tiles with one convex polygon, and discs in other polygons. The zero
// value is empty; it keeps its memory.
type Pieces struct {
	hulls []collide.Hull
	ids   []int32
	rows  []gridseg.Rect
	cells []gridseg.Cell
	near  []int32 // faces of a chain
}

// Reset empties l.
func (l *Pieces) Reset() { l.hulls, l.ids = l.hulls[:0], l.ids[:0] }

// Add adds the pieces of the tiles in the cells of r, other than one-way tiles, with the number id. Rows of blocks end
// at the ends of r.
func (l *Pieces) Add(t *surface.Tiles, r gridseg.Rect, id int32) {
	l.rows, l.cells = t.Grid.Engine(lattice.Key{}).AppendBlockRows(l.rows[:0], l.cells[:0], r)
	for _, row := range l.rows {
		if t.HasWays() {
			for c, tile := range t.Grid.Tiles(row) {
				if t.Way(tile) == surface.None {
					l.add(boxHull(surface.BoxOf(gridseg.Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y})), id)
				}
			}
			continue
		}
		l.add(boxHull(surface.BoxOf(row)), id)
	}
	for _, c := range l.cells {
		for tile, loops := range t.Grid.Polygons(c.X, c.Y) {
			if h, ok := hullOf(loops, c); ok && t.Way(tile) == surface.None {
				l.add(h, id)
			}
		}
	}
}

func (l *Pieces) add(h collide.Hull, id int32) {
	l.hulls, l.ids = append(l.hulls, h), append(l.ids, id)
}

// Hulls returns the pieces, valid until the next Reset or Add.
func (l *Pieces) Hulls() []collide.Hull { return l.hulls }

// AppendShapes appends the pieces, valid until the next Reset or Add.
func (l *Pieces) AppendShapes(dst []ccd.Shape) []ccd.Shape {
	for i := range l.hulls {
		h := &l.hulls[i]
		dst = append(dst, ccd.Shape{Hull: h, InnerRadius: h.InnerRadius(), ID: l.ids[i]})
	}
	return dst
}

// AddFaces adds the faces of a chain whose boxes overlap box.
func (l *Pieces) AddFaces(c *surface.Chain, box geom.AABB) {
	l.near = c.AppendNear(l.near[:0], box)
	for _, k := range l.near {
		a, b := c.Ends(int(k))
		l.add(collide.NewHull(geom.Segment{A: a, B: b}), 0)
	}
}

// Passes reports whether the hull h, of a body with the motion mh, overlaps a piece within a step; the pieces are of a
// body with the motion mp, and localP and localH are the bodies' centres of mass in their frames.
func (l *Pieces) Passes(mp *ccd.Motion, localP geom.Vec, h *collide.Hull, mh *ccd.Motion, localH geom.Vec) bool {
	for i := range l.hulls {
		if ccd.Crosses(&l.hulls[i], h, mp, mh, localP, localH) {
			return true
		}
	}
	return false
}

// boxHull returns the hull of a box.
func boxHull(b geom.AABB) collide.Hull {
	h := collide.Hull{N: 4, Centroid: b.Center()}
	h.V[0], h.V[1], h.V[2], h.V[3] = b.Min, geom.V(b.Max.X, b.Min.Y), b.Max, geom.V(b.Min.X, b.Max.Y)
	h.Nrm[0], h.Nrm[1], h.Nrm[2], h.Nrm[3] = geom.V(0, -1), geom.V(1, 0), geom.V(0, 1), geom.V(-1, 0)
	return h
}

// hullOf returns the hull of a polygon in the cell at if it is convex, else a disc in it. ok is false if there is no
// room for a disc about its centroid.
func hullOf(loops [][]gridseg.Point, at gridseg.Cell) (h collide.Hull, ok bool) {
	if len(loops) == 1 && len(loops[0]) <= geom.MaxVertices && convex(loops[0]) {
		var room [geom.MaxVertices]geom.Vec
		points := room[:len(loops[0])]
		for i, p := range loops[0] {
			points[i] = pointIn(p, at)
		}
		if p, err := geom.NewPolygon(points, 0); err == nil {
			return collide.NewHull(p), true
		}
	}
	area := 0.0
	center := geom.Vec{}
	for _, loop := range loops {
		for i, p := range loop {
			q := loop[(i+1)%len(loop)]
			c := float64(p.X*q.Y - p.Y*q.X)
			area += c
			center = center.Add(geom.V(float64(p.X+q.X), float64(p.Y+q.Y)).Mul(c))
		}
	}
	if !(area > 0) {
		return h, false
	}
	center = center.Mul(1 / (3 * area))
	least, turns := math.MaxFloat64, 0
	for _, loop := range loops {
		for i, p := range loop {
			q := loop[(i+1)%len(loop)]
			a, b := geom.V(float64(p.X), float64(p.Y)).Sub(center), geom.V(float64(q.X), float64(q.Y)).Sub(center)
			e := b.Sub(a)
			s := max(0, min(1, -a.Dot(e)/e.Len2()))
			least = min(least, a.MulAdd(s, e).Len())
			if (a.Y <= 0) != (b.Y <= 0) && (a.Cross(b) > 0) == (b.Y > a.Y) {
				turns++ // the edge crosses the ray to the right
			}
		}
	}
	least /= surface.Lattice
	if turns%2 == 0 || least < leastDisc {
		return h, false
	}
	h = collide.Hull{N: 1, Radius: least}
	h.V[0] = geom.V(float64(at.X)+float64(center.X/surface.Lattice), float64(at.Y)+float64(center.Y/surface.Lattice))
	h.Centroid = h.V[0]
	return h, true
}

// pointIn returns the place of the lattice point p of the cell at.
func pointIn(p gridseg.Point, at gridseg.Cell) geom.Vec {
	return geom.V(float64(at.X)+float64(float64(p.X)/surface.Lattice),
		float64(at.Y)+float64(float64(p.Y)/surface.Lattice))
}

// convex reports whether a counter-clockwise loop is convex.
func convex(loop []gridseg.Point) bool {
	n := len(loop)
	for i, a := range loop {
		b, c := loop[(i+1)%n], loop[(i+2)%n]
		if (b.X-a.X)*(c.Y-b.Y) < (b.Y-a.Y)*(c.X-b.X) {
			return false
		}
	}
	return true
}
