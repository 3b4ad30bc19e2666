package query

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/surface"
)

const (
	firstPiece = 4       // length in cells of the first part of a cast
	mostPiece  = 8       // cells, of a part with segments, or twice the probe's extent
	cellSlack  = 1.0 / 8 // cells, by which the cells of a part reach beyond the probe
)

// plain reports whether all tiles of t count as solid.
func (p *Probe) plain(t *surface.Tiles) bool { return p.Ways == AsSolid || !t.HasWays() }

// queryAt returns the one-way query of the probe, moved by offset.
func (s *Scratch) queryAt(p *Probe, offset geom.Vec) *surface.WayQuery {
	at := geom.Transform{P: p.At.P.Add(offset), Q: p.At.Q}
	own := surface.WayShape{Hull: &p.Hull}
	s.shapes[0] = own
	s.memory.Reset()
	s.way = surface.WayQuery{
		Was: at, Now: at, Origin: p.Origin, Shapes: s.shapes[:], Own: own, Passes: p.Ways == AsNone, Memory: &s.memory,
	}
	s.way.Prepare()
	return &s.way
}

// inTiles reports whether the probe's Origin is in solid.
func (s *Scratch) inTiles(p *Probe, t *surface.Tiles) bool {
	if p.plain(t) {
		return t.Grid.Solid(p.Origin.X, p.Origin.Y)
	}
	return s.tiles.Solid(t, p.Origin)
}

// cellOf returns the cell and the tile at the probe's Origin, in solid.
func (p *Probe) cellOf(t *surface.Tiles) Place {
	// A point on a border may be in the solid of another cell: on the last border, only of that one.
	for _, d := range [4]geom.Vec{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}} {
		at := geom.V(math.Floor(p.Origin.X)-d.X, math.Floor(p.Origin.Y)-d.Y)
		if c, ok := surface.CellAt(at); ok {
			if tile := t.Grid.Tile(c.X, c.Y); tile.Shape != 0 {
				return placeOf(t, c, tile)
			}
		}
	}
	c, _ := surface.CellAt(p.Origin)
	return Place{Cell: c}
}

// collectTiles collects the faces of t near p, whose box with a margin is box, in s.tiles. It returns false if box is
// beyond all cells.
func (s *Scratch) collectTiles(p *Probe, t *surface.Tiles, box geom.AABB) bool {
	cells, ok := surface.Cells(box)
	if !ok {
		return false
	}
	if s.tiles.Materials = t.Materials; p.plain(t) {
		s.tiles.Query.Collect(t.Grid, cells)
	} else {
		s.tiles.Collect(t, s.queryAt(p, geom.Vec{}), cells)
	}
	s.tiles.Select(&p.Hull, p.At, box, p.Origin, p.Origin)
	return true
}

// pinchedPlane returns a plane for a probe that is so deep between faces that it has a contact with none of them, since
// each leaves the contact to another face. The plane is the nearest surface's, if that is deep in the probe;
// its normal points to the centroid.
func (s *Scratch) pinchedPlane(p *Probe, t *surface.Tiles) (plane Hit, ok bool) {
	if len(s.tiles.Runs.List) == 0 {
		return Hit{}, false
	}
	plane, ok = s.nearTiles(p, t, geom.AABB{}, p.Extent)
	if !ok || nearHull(&p.Hull, p.At.Inv(plane.Point)).Separation > -geom.LinearSlop {
		return Hit{}, false
	}
	if n, l := plane.Point.Neg().Unit(); l > 0 {
		plane.Normal = n
	}
	plane.Separation = p.lowest(plane.Normal) - plane.Normal.Dot(plane.Point)
	return plane, plane.Separation < -geom.LinearSlop
}

// lowest returns the smallest coordinate along n of the probe, relative to Origin.
func (p *Probe) lowest(n geom.Vec) float64 {
	low := math.MaxFloat64
	for _, v := range p.Core.V[:p.Core.N] {
		low = min(low, n.Dot(v))
	}
	return low - p.Core.Radius
}

// exit returns the plane through which a probe leaves the solid that its centroid is in: the plane of the
// nearest surface.
func (s *Scratch) exit(p *Probe, t *surface.Tiles) (Hit, bool) {
	near, ok := t.Grid.Nearest(p.Origin.X, p.Origin.Y, math.Inf(1))
	if !ok {
		return Hit{}, false
	}
	n, _ := surface.Local(near.Segment.B, geom.Vec{}).Sub(surface.Local(near.Segment.A, geom.Vec{})).Right().Unit()
	at := geom.V(near.X, near.Y).Sub(p.Origin)
	return Hit{
		Normal: n, Separation: p.lowest(n) - n.Dot(at), Point: at, Overlap: true,
		Place: placeOf(t, near.Segment.ID.Cell, near.Segment.Tile),
	}, true
}

// march is eachFace for the segments of the tiles in box. It visits the path part by part, and a segment may come
// more than once. It stops when the fraction that do returned last lies in a part that has been visited.
//
// The parts grow while they have no segments, so that the cost of a long cast depends on the segments
// near its path and not on its length.
func (s *Scratch) march(p *Probe, t *surface.Tiles, box geom.AABB, do func(*collide.Face, *faceOf) float64) {
	u, l := p.D.Unit()
	reach := p.Extent + cellSlack
	from, to, ok := clip(box.Translate(p.Origin.Neg()).Expand(2*reach), u, l)
	if !ok {
		return
	}
	most := max(mostPiece, 2*reach)
	for length := max(firstPiece, reach); from <= to; length *= 2 {
		end := min(from+length, to)
		a, b := u.Mul(from), u.Mul(end)
		cells, ok := surface.Cells(p.Box.Translate(a).Union(p.Box.Translate(b)).Expand(cellSlack).Translate(p.Origin))
		some := false
		if ok {
			some = t.Grid.Engine(lattice.Key{}).RowsAlong(p.Origin.X+a.X, p.Origin.Y+a.Y, p.Origin.X+b.X,
				p.Origin.Y+b.Y, reach, cells, func(gridseg.Rect) bool { return true })
		}
		if some && min(length, to-from) > most { // end-from may exceed length by its rounding
			length = most / 2 // doubled by the loop
			continue
		}
		best := float64(Beyond)
		if some {
			best = s.eachSegment(p, t, a, cells, do)
		}
		if end >= to || float64(best*l) <= end {
			return
		}
		from = end
	}
}

// clip returns the distances along u, up to l, between which the line from 0 is in box.
func clip(box geom.AABB, u geom.Vec, l float64) (from, to float64, ok bool) {
	from, to = 0, l
	for _, side := range [2][3]float64{{u.X, box.Min.X, box.Max.X}, {u.Y, box.Min.Y, box.Max.Y}} {
		v, lo, hi := side[0], side[1], side[2]
		if v == 0 {
			if lo > 0 || hi < 0 {
				return 0, 0, false
			}
			continue
		}
		lo, hi = lo/v, hi/v
		from, to = max(from, min(lo, hi)), min(to, max(lo, hi))
	}
	return from, to, from <= to
}

// eachSegment calls do for the segments in cells that p, moved by offset, finds, and returns its last result.
func (s *Scratch) eachSegment(p *Probe, t *surface.Tiles, offset geom.Vec, cells gridseg.Rect,
	do func(*collide.Face, *faceOf) float64,
) float64 {
	if p.plain(t) {
		s.tiles.ListSurface(t.Grid, cells)
	} else {
		s.tiles.ListLinked(t, s.queryAt(p, offset), cells)
	}
	best := float64(Beyond)
	for i := range s.tiles.Segments {
		g := &s.tiles.Segments[i]
		f := &s.face
		*f = collide.Face{
			A: surface.Local(g.A, p.Origin), B: surface.Local(g.B, p.Origin), HasGhost1: g.HasGhost1,
			HasGhost2: g.HasGhost2,
		}
		if g.HasGhost1 {
			f.Ghost1 = surface.Local(g.Ghost1, p.Origin)
		}
		if g.HasGhost2 {
			f.Ghost2 = surface.Local(g.Ghost2, p.Origin)
		}
		s.of.segment = g
		best = do(f, &s.of)
	}
	return best
}

// tileOverlaps appends the tiles that share a point with p, by row and column; with one, only the
// first. A tile of several polygons counts once, with the attributes of the first that overlaps.
func (s *Scratch) tileOverlaps(dst []Hit, p *Probe, t *surface.Tiles, box geom.AABB, one bool) []Hit {
	near := p.Box.Translate(p.Origin)
	near = geom.AABB{Min: near.Min.Max(box.Min), Max: near.Max.Min(box.Max)}
	cells, ok := surface.Cells(near)
	if !ok || near.IsEmpty() {
		return dst
	}
	cells = surface.GrowRect(cells) // of which the borders may touch
	wide, high := int64(cells.MaxX)-int64(cells.MinX)+1, int64(cells.MaxY)-int64(cells.MinY)+1
	if wide <= fewCells && high <= fewCells && wide*high <= fewCells {
		for k := range wide * high {
			c := gridseg.Cell{X: int32(int64(cells.MinX) + k%wide), Y: int32(int64(cells.MinY) + k/wide)}
			if tile := t.Grid.Tile(c.X, c.Y); tile.Shape != 0 {
				if dst, ok = s.appendTile(dst, p, t, c, tile); ok && one {
					return dst
				}
			}
		}
		return dst
	}
	for c, tile := range t.Grid.Tiles(cells) {
		if dst, ok = s.appendTile(dst, p, t, c, tile); ok && one {
			return dst
		}
	}
	return dst
}

// fewCells is the number of cells up to which all are visited; of more, only those with tiles are.
const fewCells = 4096

// appendTile appends the tile in the cell c if it overlaps p, and reports whether it did.
func (s *Scratch) appendTile(dst []Hit, p *Probe, t *surface.Tiles, c gridseg.Cell, tile gridseg.Tile) ([]Hit, bool) {
	corner := geom.V(float64(c.X), float64(c.Y)).Sub(p.Origin)
	square := [4]geom.Vec{corner, corner.Add(geom.V(1, 0)), corner.Add(geom.V(1, 1)), corner.Add(geom.V(0, 1))}
	gap, _, _ := geom.Distance(square[:], p.Core.V[:p.Core.N])
	if gap > p.Core.Radius+touchSlop {
		return dst, false
	}
	if tile.Shape != gridseg.Patch {
		return s.appendIfIn(dst, p, t, c, tile, t.Grid.Shapes().Polygons(tile.Shape, tile.Turn),
			tile.Shape == gridseg.Full)
	}
	for of, loops := range t.Grid.Polygons(c.X, c.Y) {
		if dst, ok := s.appendIfIn(dst, p, t, c, of, loops, false); ok {
			return dst, true
		}
	}
	return dst, false
}

func (s *Scratch) appendIfIn(dst []Hit, p *Probe, t *surface.Tiles, c gridseg.Cell, tile gridseg.Tile,
	loops [][]gridseg.Point, whole bool,
) ([]Hit, bool) {
	if !p.plain(t) && t.Way(tile) != surface.None || !whole && !p.overlapsLoops(c, loops) {
		return dst, false
	}
	place := placeOf(t, c, tile)
	if !s.admits(&place) {
		return dst, false
	}
	return append(dst, Hit{Overlap: true, Place: place}), true
}

// overlapsLoops reports whether the polygon of the loops, local to the cell c, shares a point with p:
// whether an edge is in reach, or the probe is wholly inside.
func (p *Probe) overlapsLoops(c gridseg.Cell, loops [][]gridseg.Point) bool {
	o := geom.V(float64(c.X), float64(c.Y)).Sub(p.Origin)
	at := func(q gridseg.Point) geom.Vec {
		return o.Add(geom.V(float64(float64(q.X)/surface.Lattice), float64(float64(q.Y)/surface.Lattice)))
	}
	inside := p.Core.V[0]
	turns := 0
	for _, loop := range loops {
		a := at(loop[len(loop)-1])
		for _, q := range loop {
			b := at(q)
			if gap, _, _ := geom.Distance([]geom.Vec{a, b}, p.Core.V[:p.Core.N]); gap <= p.Core.Radius+touchSlop {
				return true
			}
			switch left := b.Sub(a).Cross(inside.Sub(a)); {
			case a.Y <= inside.Y && b.Y > inside.Y && left > 0:
				turns++
			case a.Y > inside.Y && b.Y <= inside.Y && left < 0:
				turns--
			}
			a = b
		}
	}
	return turns != 0
}

// nearTiles returns the point of the surface nearest to the probe's Origin, at most most away.
func (s *Scratch) nearTiles(p *Probe, t *surface.Tiles, box geom.AABB, most float64) (hit Hit, ok bool) {
	inside := s.inTiles(p, t)
	if p.plain(t) && s.Judge == nil {
		near, ok := t.Grid.Nearest(p.Origin.X, p.Origin.Y, most)
		if !ok {
			return Hit{}, false
		}
		a, b := surface.Local(near.Segment.A, p.Origin), surface.Local(near.Segment.B, p.Origin)
		hit = nearOf(a, b, inside)
		hit.Separation = math.Copysign(near.Distance, hit.Separation)
		hit.Place = placeOf(t, near.Segment.ID.Cell, near.Segment.Tile)
		return hit, true
	}
	// Squares of cells around Origin, each twice as large as the one before.
	for r := 2.0; ; r *= 2 {
		around := geom.AABB{Min: p.Origin, Max: p.Origin}.Expand(r)
		if cells, some := surface.Cells(around); some {
			s.eachSegment(p, t, geom.Vec{}, cells, func(f *collide.Face, of *faceOf) float64 {
				g := of.segment
				h := nearOf(f.A, f.B, inside)
				if d := math.Abs(h.Separation); d <= most && (!ok || d < math.Abs(hit.Separation)) {
					if h.Place = placeOf(t, g.ID.Cell, g.Tile); s.admits(&h.Place) {
						hit, ok = h, true
					}
				}
				return Beyond
			})
		}
		if ok && math.Abs(hit.Separation) <= r || r >= most || around.Contains(box) {
			return hit, ok
		}
	}
}
