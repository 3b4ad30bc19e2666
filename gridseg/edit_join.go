package gridseg

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// placing maps lattice points of one grid to another's: exactly for quarter turns and lattice steps, otherwise
// rounded to the nearest point.
type placing struct {
	quarters Turn // if exact
	exact    bool
	x, y     int64   // if exact
	c, s     float64 // otherwise
	dx, dy   float64 // in lattice steps
}

// Join adds the tiles and polygons of o to g, rotated about the origin of o by the rotation of cosine c and sine s,
// and then moved by (x, y), in cells. The tiles of g stay, as in Unite. Join does not change o, which may have
// other shapes.
//
// For quarter turns, Join rounds (x, y) to the lattice, which moves o by at most half a step in x and y; the rest
// is exact. If o moves by whole cells, a tile remains a tile of its shape where the cell of g is empty. If o moves
// by a part of a cell, tiles become polygons, cut by Unite along the grid lines. A rotation counts as a quarter
// turn if it moves no cell of o by more than 1/4 step from one. For other rotations each vertex is rounded to the
// lattice too: the outline moves by at most half a step in x and y, and then by the step and a half of Unite. The
// area of a tile changes by less than its perimeter times two steps, 1/2048 of a cell for each unit of length; the
// seams between tiles close as after a brush.
//
// Join fails, and changes nothing, if a number is not finite (ErrRange), if the moved box of the tiles of o
// would reach beyond the cells (ErrRange), or as Unite does. If it fails it resolves g.
func (g *Grid) Join(o *Grid, c, s, x, y float64) error {
	for _, v := range [...]float64{c, s, x, y} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &Error{"Join", Cell{}, fmt.Errorf("%w: %v", lattice.ErrNotFinite, v)}
		}
	}
	l := math.Sqrt(float64(c*c) + float64(s*s))
	if !(l > 0.5 && l < 2) {
		return &Error{"Join", Cell{}, fmt.Errorf("%w: (%v, %v) is no rotation", lattice.ErrDegenerate, c, s)}
	}
	if err := g.refuseOwned("Join", Cell{}); err != nil {
		return err
	}
	r, some := o.Bounds()
	if !some {
		return nil
	}
	p := placing{c: c / l, s: s / l, dx: float64(x * Unit), dy: float64(y * Unit)}
	reach := 0.0
	for _, v := range [...]int32{r.MinX, r.MinY, r.MaxX, r.MaxY} {
		reach = max(reach, math.Abs(float64(v))+1)
	}
	for q := range Turn(4) {
		at := [...][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}[q]
		if (math.Abs(p.c-at[0])+math.Abs(p.s-at[1]))*reach*Unit <= 0.25 {
			p.quarters, p.exact = q, true
			p.x, p.y = int64(math.Floor(p.dx+0.5)), int64(math.Floor(p.dy+0.5))
		}
	}
	low, high := lattice.OriginOf(Cell{X: r.MinX, Y: r.MinY}), lattice.OriginOf(Cell{X: r.MaxX, Y: r.MaxY})
	high.X, high.Y = high.X+Unit, high.Y+Unit
	for _, v := range [...]Point{low, high, {X: low.X, Y: high.Y}, {X: high.X, Y: low.Y}} {
		far := math.Abs(x) > 1<<33 || math.Abs(y) > 1<<33 // apply would overflow
		if !far {
			at := p.apply(v)
			far = max(at.X, -at.X, at.Y, -at.Y) > lattice.WorldEnd
		}
		if far {
			return &Error{"Join", lattice.CellNear([2]float64{x, y}), fmt.Errorf("%w: moved by (%v, %v)", ErrRange, x,
				y)}
		}
	}
	saved := g.Engine(lattice.Key{}).Save()
	for _, ch := range o.appendChunks(nil, r) {
		if err := g.joinChunk(o, ch, &p); err != nil {
			g.restoreOwn(saved)
			return err
		}
	}
	return nil
}

// joinGroup is the outlines of the polygons of a chunk with the same attributes.
type joinGroup struct {
	attr  Attr
	loops [][]Point
}

// joinChunk adds the content of a chunk of o.
func (g *Grid) joinChunk(o *Grid, c *chunk, p *placing) error {
	if c.ghost {
		return nil
	}
	var groups []joinGroup
	whole := p.exact && p.x&(Unit-1) == 0 && p.y&(Unit-1) == 0
	for y := range chunkSide {
		for m := c.occupied[y]; m != 0; m &= m - 1 {
			i := y<<chunkBits | bits.TrailingZeros16(m)
			at, polys := c.cell(i), o.polysOf(c.tile(i))
			if whole {
				if done, err := g.joinCell(o, at, polys, p); err != nil {
					return err
				} else if done {
					continue
				}
			}
			for _, of := range polys {
				a := Attr{of.tile.Layer, of.tile.Material, of.tile.User}
				k := 0
				for k < len(groups) && groups[k].attr != a {
					k++
				}
				if k == len(groups) {
					groups = append(groups, joinGroup{attr: a})
				}
				for _, loop := range of.loops {
					moved := make([]Point, len(loop))
					for j, v := range loop {
						moved[j] = p.apply(Point{X: lattice.OriginOf(at).X + v.X, Y: lattice.OriginOf(at).Y + v.Y})
					}
					groups[k].loops = append(groups[k].loops, moved)
				}
			}
		}
	}
	for _, of := range groups {
		if err := g.Unite(of.loops, of.attr); err != nil {
			return err
		}
	}
	return nil
}

// joinCell puts the content of a cell of o, moved by whole cells, into its cell of g, if that is empty.
func (g *Grid) joinCell(o *Grid, at Cell, polys []polygon, p *placing) (done bool, err error) {
	a := p.apply(lattice.OriginOf(at))
	b := p.apply(Point{X: lattice.OriginOf(at).X + Unit, Y: lattice.OriginOf(at).Y + Unit})
	to := Cell{X: int32(min(a.X, b.X) >> 12), Y: int32(min(a.Y, b.Y) >> 12)}
	if g.rawTile(to.X, to.Y).Shape != 0 {
		return false, nil
	}
	if err := g.refuse("Join", Rect{MinX: to.X, MinY: to.Y, MaxX: to.X, MaxY: to.Y}); err != nil {
		return false, err
	}
	polys = turnPolys(polys, p.quarters)
	for k := range polys {
		if o.shapes != g.shapes {
			polys[k].tile.Shape, polys[k].tile.Turn = 0, 0
		}
	}
	now, err := g.contentOf(polys)
	if err != nil {
		return false, &Error{"Join", to, err}
	}
	g.putContent(to.X, to.Y, now)
	return true, nil
}

// apply maps a point.
func (p *placing) apply(v Point) Point {
	if p.exact {
		for range p.quarters {
			v.X, v.Y = -v.Y, v.X
		}
		return Point{X: v.X + p.x, Y: v.Y + p.y}
	}
	x, y := float64(v.X), float64(v.Y)
	return Point{
		X: int64(math.Floor(float64(p.c*x) - float64(p.s*y) + p.dx + 0.5)),
		Y: int64(math.Floor(float64(p.s*x) + float64(p.c*y) + p.dy + 0.5)),
	}
}
