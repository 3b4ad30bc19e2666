package gridseg

import (
	"math"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TrackMoments keeps the moments of the tiles up to date from now on, so that AppendMoments is fast: Resolve then
// costs a little more for each cell that edits have changed. It counts all tiles once. A new Grid does not track them.
func (g engine) TrackMoments() {
	if g.moments == nil {
		g.moments = g.countMoments()
	}
}

// AppendMoments appends the moments of the loaded tiles and polygons of each material that has any area, in the
// order of materials, including edits since the last Resolve. The sums are exact integers, so the result is a
// function of the tiles alone, and does not depend on the history of edits. AppendMoments visits all tiles, unless
// TrackMoments has been called, and copies the sums if there are edits since the last Resolve. The formulas follow
// from Green's theorem over the edges of the polygons.
func (g engine) AppendMoments(dst []lattice.Moments) []lattice.Moments {
	m := g.moments
	if m == nil {
		m = g.countMoments()
	}
	if len(g.pending) > 0 {
		m = &moments{of: slices.Clone(m.of)}
		g.countEdits(m, 1)
	}
	for i := range m.of {
		dst = append(dst, m.of[i].moments())
	}
	return dst
}

// moments are the sums of the moments of all cells, by material in ascending order; without materials that have none.
type moments struct {
	of   []materialMoments
	near []chunkMoments // of the current chunk
}

// materialMoments are sums over the cells (X, Y) that hold a material. Numbers of cells and of lattice units are kept
// apart, so that no sum overflows in a grid that fits in memory, however far its cells are.
type materialMoments struct {
	material uint16
	area     int128 // of cellMoments.area
	cellX    int128 // of area*X
	cellY    int128 // of area*Y
	cells    int128 // of area*(X*X + Y*Y)
	x, y     int128 // of cellMoments.x and y
	mixed    int128 // of x*X + y*Y
	polar    int128 // of cellMoments.polar
}

// chunkMoments are the same sums over cells of a chunk, with X and Y from its lower left cell: they fit in 64 bits.
type chunkMoments struct {
	material                                      uint16
	area, cellX, cellY, cells, x, y, mixed, polar int64
}

// countMoments returns the moments of the tiles as of the last Resolve.
func (g *reader) countMoments() *moments {
	m := &moments{}
	for _, c := range g.chunks {
		if c.ghost {
			continue
		}
		for y, row := range c.occupied {
			g.countRow(m, c, y, row, false, 1)
		}
		m.close(c)
	}
	g.countEdits(m, -1)
	return m
}

// countEdits adds the difference that the edits since the last Resolve make, by times.
func (g *reader) countEdits(m *moments, by int64) {
	for _, c := range g.pending {
		for rows := c.edited; rows != 0; rows &= rows - 1 {
			y := bits.TrailingZeros16(rows)
			if row := c.flag[dirty][y]; c.old != nil {
				g.countRow(m, c, y, row, true, -by)
			}
			g.countRow(m, c, y, c.flag[dirty][y]&c.occupied[y], false, by)
		}
		m.close(c)
	}
}

// countRow adds the moments of cells in row y of c, the current chunk, by times: of the present tiles, or the old.
func (g *reader) countRow(m *moments, c *chunk, y int, row uint16, old bool, by int64) {
	tile := func(x int) cellTile {
		if old {
			return c.old[y<<chunkBits|x]
		}
		return c.cellTile(y<<chunkBits | x)
	}
	for row != 0 {
		x, n := bits.TrailingZeros16(row), 1
		l := tile(x)
		for row>>(x+n)&1 != 0 && tile(x+n) == l {
			n++
		}
		row &^= (1<<n - 1) << x
		switch {
		case l.form == 0:
		case l.form != patchForm:
			m.add(l.attr.material, x, y, n, &g.shapes.moments[l.form], by)
		default:
			polys := g.patches.list[l.attr.user].polys
			for k := range polys {
				of := momentsOf(polys[k].loops)
				m.add(polys[k].tile.Material, x, y, n, &of, by)
			}
		}
	}
}

// add adds o, of a material in each of n cells from (x, y) on in the current chunk, by times.
func (m *moments) add(material uint16, x, y, n int, o *cellMoments, by int64) {
	i := 0
	for i < len(m.near) && m.near[i].material != material {
		i++
	}
	if i == len(m.near) {
		m.near = append(m.near, chunkMoments{material: material})
	}
	s, area, ox, oy := &m.near[i], by*o.area, by*o.x, by*o.y
	var sumX, sumXX int64 // of the columns, and of their squares
	for k := int64(x); k < int64(x+n); k++ {
		sumX += k
		sumXX += k * k
	}
	times, sumY, sumYY := int64(n), int64(n*y), int64(n*y*y)
	s.area += area * times
	s.cellX += area * sumX
	s.cellY += area * sumY
	s.cells += area * (sumXX + sumYY)
	s.x += ox * times
	s.y += oy * times
	s.mixed += ox*sumX + oy*sumY
	s.polar += by * o.polar * times
}

// close ends the work on chunk c: it moves the sums over its cells to the origin.
func (m *moments) close(c *chunk) {
	at := c.cell(0)
	x, y := wide(int64(at.X)), wide(int64(at.Y))
	far := x.mul(x).add(y.mul(y))
	for k := range m.near {
		o := &m.near[k]
		i, ok := slices.BinarySearchFunc(m.of, o.material, func(s materialMoments, id uint16) int {
			return int(s.material) - int(id)
		})
		if !ok {
			m.of = slices.Insert(m.of, i, materialMoments{material: o.material})
		}
		s := &m.of[i]
		area, cellX, cellY := wide(o.area), wide(o.cellX), wide(o.cellY)
		s.area = s.area.add(area)
		s.cellX = s.cellX.add(cellX).add(area.mul(x))
		s.cellY = s.cellY.add(cellY).add(area.mul(y))
		s.cells = s.cells.add(wide(o.cells)).add(wide(2).mul(x.mul(cellX).add(y.mul(cellY)))).add(area.mul(far))
		s.x, s.y = s.x.add(wide(o.x)), s.y.add(wide(o.y))
		s.mixed = s.mixed.add(wide(o.mixed)).add(wide(o.x).mul(x)).add(wide(o.y).mul(y))
		s.polar = s.polar.add(wide(o.polar))
		if s.area == (int128{}) {
			m.of = slices.Delete(m.of, i, i+1)
		}
	}
	m.near = m.near[:0]
}

// mostExact bounds the polar second moment, times 12 and in lattice units, that moments computes in int128.
const mostExact = 1 << 120

// moments returns the moments in cells. It moves the sums, exactly, to the cell and then to the lattice point next to
// the centroid: so no digits are lost by cancellation far from the origin, or for an area smaller than a cell. The
// second step is left out where it would overflow, which takes an area so wide that it does not matter.
func (s *materialMoments) moments() lattice.Moments {
	area := s.area.float()
	// The centroid as cells, to within a cell, and the sums about that cell's corner.
	x := math.Floor(s.cellX.float()/area + s.x.float()/(3*Unit*area))
	y := math.Floor(s.cellY.float()/area + s.y.float()/(3*Unit*area))
	cx, cy := wide(int64(x)), wide(int64(y))
	cellX, cellY := s.cellX.sub(cx.mul(s.area)), s.cellY.sub(cy.mul(s.area))
	cells := s.cells.sub(cx.mul(s.cellX.add(cellX))).sub(cy.mul(s.cellY.add(cellY)))
	mixed := s.mixed.sub(cx.mul(s.x)).sub(cy.mul(s.y))
	out := lattice.Moments{Material: s.material, Area: area / float64(cellArea)}
	if far := float64(cells.float() * (6 * Unit * Unit)); far > mostExact {
		dx := (cellX.float() + s.x.float()/(3*Unit)) / area
		dy := (cellY.float() + s.y.float()/(3*Unit)) / area
		polar := (far + float64(mixed.float()*(4*Unit)) + s.polar.float()) / (12 * Unit * Unit * Unit * Unit)
		out.X, out.Y = x+dx, y+dy
		out.Inertia = polar - float64(out.Area*(float64(dx*dx)+float64(dy*dy)))
		return out
	}
	// In lattice units about that corner, and then about (px, py).
	sx, sy := cellX.mul(wide(3*Unit)).add(s.x), cellY.mul(wide(3*Unit)).add(s.y)
	polar := cells.mul(wide(6 * Unit * Unit)).add(mixed.mul(wide(4 * Unit))).add(s.polar)
	px, py := math.Floor(sx.float()/(3*area)+0.5), math.Floor(sy.float()/(3*area)+0.5)
	ix, iy := wide(int64(px)), wide(int64(py))
	three := s.area.mul(wide(3))
	rx, ry := sx.sub(three.mul(ix)), sy.sub(three.mul(iy))
	polar = polar.sub(wide(2).mul(ix.mul(sx.add(rx)).add(iy.mul(sy.add(ry)))))
	dx, dy := rx.float()/(3*area), ry.float()/(3*area)
	out.X, out.Y = x+float64((px+dx)/Unit), y+float64((py+dy)/Unit)
	out.Inertia = (polar.float()/12 - float64(area/2*(float64(dx*dx)+float64(dy*dy)))) / (Unit * Unit * Unit * Unit)
	return out
}
