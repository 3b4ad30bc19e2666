package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/surface"
)

// Cover is a list of convex parts that together cover tiles other than one-way tiles: rectangles of blocks, and
// polygons. A polygon that is not convex, or has more than geom.MaxVertices vertices, counts as its convex hull or its
// box. The zero value is empty; it keeps its memory.
type Cover struct {
	parts []part
	rows  []gridseg.Rect
	cells []gridseg.Cell
	ends  [2][]int32 // see stack
}

// part is a convex polygon.
type part struct {
	v, n [geom.MaxVertices]geom.Vec // n[i] is the unit normal of the edge from v[i]
	len  int
	box  geom.AABB
}

// Reset empties c.
func (c *Cover) Reset() { c.parts = c.parts[:0] }

// Add adds the parts of the tiles in the cells of r, relative to origin and then turned by q.
func (c *Cover) Add(t *surface.Tiles, r gridseg.Rect, origin geom.Vec, q geom.Rot) {
	c.rows, c.cells = t.Grid.Engine(lattice.Key{}).AppendBlockRows(c.rows[:0], c.cells[:0], r)
	if t.HasWays() {
		for _, row := range c.rows {
			for at, tile := range t.Grid.Tiles(row) {
				if t.Way(tile) == surface.None {
					c.add(boxPolygon(surface.BoxOf(gridseg.Rect{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y})),
						origin, q)
				}
			}
		}
	} else {
		c.stack()
		for _, rect := range c.rows {
			c.add(boxPolygon(surface.BoxOf(rect)), origin, q)
		}
	}
	for _, at := range c.cells {
		for tile, loops := range t.Grid.Polygons(at.X, at.Y) {
			if t.Way(tile) == surface.None {
				c.add(hullOfLoops(loops, at), origin, q)
			}
		}
	}
}

// stack joins rows that are above each other and have the same ends to one rectangle. The rows are sorted by row and
// column.
func (c *Cover) stack() {
	n, at := 0, 0 // at is the next of the rectangles that end in the row below
	below, above := c.ends[0][:0], c.ends[1][:0]
	last := int64(math.MinInt64)
	for _, row := range c.rows {
		if y := int64(row.MinY); y != last {
			below, above, at = above, below[:0], 0
			if y != last+1 {
				below = below[:0]
			}
			last = y
		}
		for at < len(below) && c.rows[below[at]].MinX < row.MinX {
			at++
		}
		if at < len(below) && c.rows[below[at]].MinX == row.MinX && c.rows[below[at]].MaxX == row.MaxX {
			c.rows[below[at]].MaxY = row.MaxY
			above = append(above, below[at])
			continue
		}
		c.rows[n] = row
		above = append(above, int32(n))
		n++
	}
	c.rows, c.ends = c.rows[:n], [2][]int32{below, above}
}

func (c *Cover) add(p geom.Polygon, origin geom.Vec, q geom.Rot) {
	c.parts = append(c.parts, part{len: p.N, box: geom.Empty})
	to := &c.parts[len(c.parts)-1]
	for i := range p.N {
		to.v[i], to.n[i] = q.Apply(p.Vertices[i].Sub(origin)), q.Apply(p.Normals[i])
		to.box = to.box.Union(geom.AABB{Min: to.v[i], Max: to.v[i]})
	}
}

// boxPolygon returns the polygon of a box.
func boxPolygon(b geom.AABB) (p geom.Polygon) {
	h := boxHull(b)
	p.N, p.Vertices, p.Normals = h.N, h.V, h.Nrm
	return p
}

// hullOfLoops returns the convex hull of the loops of a polygon in the cell at if it has few vertices, else its box.
func hullOfLoops(loops [][]gridseg.Point, at gridseg.Cell) geom.Polygon {
	var room [geom.MaxVertices]geom.Vec
	points, box := room[:0], geom.Empty
	for _, loop := range loops {
		for _, p := range loop {
			v := pointIn(p, at)
			if box = box.Union(geom.AABB{Min: v, Max: v}); len(points) < len(room) {
				points = append(points, v)
			}
		}
	}
	if len(loops) == 1 && len(loops[0]) <= len(room) {
		if p, err := geom.NewPolygon(points, 0); err == nil {
			return p
		}
	}
	return boxPolygon(box)
}

// Separation is the working memory of a search for the smallest translation that takes two covers apart.
type Separation struct {
	Compared int      // pairs of parts that were compared in all searches, since the caller last set it to 0
	blocked  [][]span // for each direction
	index    boxIndex // of the parts of b
}

// span is an open interval of distances: from, to.
type span [2]float64

// Least returns the shortest distance, in cells and at most reach, by which b must be moved along one of the given
// unit vectors until no part of b overlaps a part of a by more than slop in all directions. It also returns the
// index of that vector, the first of several. ok is false if there is no such distance.
func (s *Separation) Least(a, b *Cover, along []geom.Vec, weights []float64,
	slop, reach float64,
) (best int, by float64, ok bool) {
	for len(s.blocked) < len(along) {
		s.blocked = append(s.blocked, nil)
	}
	for i := range along {
		s.blocked[i] = s.blocked[i][:0]
	}
	s.index.build(b.parts)
	for i := range a.parts {
		p := &a.parts[i]
		for _, j := range s.index.near(p.box.Expand(reach)) {
			s.Compared++
			s.block(p, &b.parts[j], along, slop, reach)
		}
	}
	least := math.MaxFloat64
	for i := range along {
		spans := s.blocked[i]
		slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
		far := 0.0
		for _, x := range spans {
			if x[0] > far {
				break
			}
			far = max(far, x[1])
		}
		if far < reach && far*weights[i] < least {
			best, by, ok, least = i, far, true, far*weights[i]
		}
	}
	return best, by, ok
}

// block adds for each direction the distances at which q, moved along it, overlaps p by more than slop along all
// normals of both.
func (s *Separation) block(p, q *part, along []geom.Vec, slop, reach float64) {
	var normals [2 * geom.MaxVertices]geom.Vec // along which q must move less than most
	var most [2 * geom.MaxVertices]float64
	n := p.len + q.len
	for i := range p.len {
		normals[i], most[i] = p.n[i], p.n[i].Dot(p.v[i])-q.lowest(p.n[i])-slop
	}
	for i := range q.len {
		normals[p.len+i], most[p.len+i] = q.n[i].Neg(), q.n[i].Dot(q.v[i])-p.lowest(q.n[i])-slop
	}
	for k, d := range along {
		x := span{0, reach}
		for i := range n {
			switch c := normals[i].Dot(d); {
			case c > parallel:
				x[1] = min(x[1], most[i]/c)
			case c < -parallel:
				x[0] = max(x[0], most[i]/c)
			case most[i] <= 0:
				x[1] = -1
			}
		}
		if x[0] < x[1] {
			s.blocked[k] = append(s.blocked[k], x)
		}
	}
}

// parallel is the sine of the largest angle at which a direction counts as parallel to an edge.
const parallel = 1e-9

// lowest returns the smallest coordinate of p along n.
func (p *part) lowest(n geom.Vec) float64 {
	least := math.MaxFloat64
	for i := range p.len {
		least = min(least, n.Dot(p.v[i]))
	}
	return least
}
