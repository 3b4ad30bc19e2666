package gridseg

import (
	"cmp"
	"maps"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// world is the oracle: a plain map of tiles, resolved globally and slowly by the
// laws. It shares no step with the package beyond Shapes.Polygons: edges lie in
// the world, not in cells; sides, profiles and chunks do not exist.
type world struct {
	shapes   *Shapes
	tiles    map[Cell]Tile
	parts    map[Cell][]part // of cells that hold polygons
	preserve map[[2]uint8]bool
}

// part is a tile or polygon of a cell.
type part struct {
	tile  Tile
	loops [][]Point
}

// oracleOwner is a part by its place.
type oracleOwner struct {
	c Cell
	k int
}

// oracleSegment is a Segment without N, which the oracle has no notion of: links
// go by the ends of the segment that they name.
type oracleSegment struct {
	Cell       Cell
	A, B       Point
	Prev, Next [2]Point
	HasPrev    bool
	HasNext    bool
	Tile       Tile
	Edge       uint16
	owner      oracleOwner
}

func newWorld(shapes *Shapes) *world {
	return &world{shapes: shapes, tiles: map[Cell]Tile{}, parts: map[Cell][]part{}, preserve: map[[2]uint8]bool{}}
}

func (w *world) set(c Cell, t Tile) {
	delete(w.parts, c)
	if t.Shape == 0 {
		delete(w.tiles, c)
	} else {
		w.tiles[c] = t
	}
}

// partsOf returns the polygons and tiles of a cell.
func (w *world) partsOf(c Cell) []part {
	if ps, ok := w.parts[c]; ok {
		return ps
	}
	if t, ok := w.tiles[c]; ok {
		return []part{{t, w.shapes.Polygons(t.Shape, t.Turn)}}
	}
	return nil
}

// lay puts parts into a cell.
func (w *world) lay(c Cell, ps []part) {
	w.set(c, Tile{})
	switch {
	case len(ps) == 0:
		return
	case len(ps) == 1 && ps[0].tile.Shape != 0:
		w.set(c, ps[0].tile)
	case len(ps) == 1 && sameLoops(ps[0].loops, [][]Point{{
		{X: 0, Y: 0},
		{X: Unit, Y: 0},
		{X: Unit, Y: Unit},
		{X: 0, Y: Unit},
	}}):
		t := ps[0].tile
		t.Shape = Full
		w.set(c, t)
	default:
		w.tiles[c] = Tile{Shape: Patch}
		w.parts[c] = ps
	}
}

// sameLoops compares loops, with any vertex first.
func sameLoops(p, q [][]Point) bool {
	if len(p) != len(q) {
		return false
	}
	for _, a := range p {
		if !slices.ContainsFunc(q, func(b []Point) bool {
			for k := range b {
				if slices.Equal(a, slices.Concat(b[k:], b[:k])) {
					return true
				}
			}
			return false
		}) {
			return false
		}
	}
	return true
}

// edgeNumber is the place of edge i of a loop that is written from its lowest, then
// leftmost vertex on.
func edgeNumber(loop []Point, i int) int {
	first := 0
	for k, v := range loop {
		if f := loop[first]; v.Y < f.Y || v.Y == f.Y && v.X < f.X {
			first = k
		}
	}
	return (i - first + len(loop)) % len(loop)
}

// keeps reports whether two parts preserve against each other.
func (w *world) keeps(a, b oracleOwner) bool {
	return a != b && w.preserve[[2]uint8{w.partsOf(a.c)[a.k].tile.Layer, w.partsOf(b.c)[b.k].tile.Layer}]
}

func compareCells(a, b Cell) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) }

// cutEdges lays out all edges and cuts each at every vertex on it.
func (w *world) cutEdges() []oracleSegment {
	var edges []oracleSegment
	var vertices []Point
	for _, c := range slices.SortedFunc(maps.Keys(w.tiles), compareCells) {
		for k, part := range w.partsOf(c) {
			t := part.tile
			first := 0
			loops := part.loops
			if t.Shape == 0 {
				loops = slices.Clone(loops)
				slices.SortFunc(loops, func(p, q []Point) int {
					low := func(ps []Point) [][2]int64 {
						out := make([][2]int64, len(ps))
						for i, v := range ps {
							out[edgeNumber(ps, i)] = [2]int64{v.Y, v.X}
						}
						return out
					}
					return slices.CompareFunc(low(p), low(q), func(a, b [2]int64) int {
						return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
					})
				})
			}
			for _, ps := range loops {
				n := len(ps)
				for i := range ps {
					edge := i
					if t.Shape == 0 {
						edge = edgeNumber(ps, i)
					} else if t.Turn&4 != 0 {
						edge = (2*n - 2 - i) % n // mirrored: they run backwards
					}
					p, q := ps[i], ps[(i+1)%n]
					a := Point{X: int64(c.X)*Unit + p.X, Y: int64(c.Y)*Unit + p.Y}
					b := Point{X: int64(c.X)*Unit + q.X, Y: int64(c.Y)*Unit + q.Y}
					vertices = append(vertices, a)
					edges = append(edges, oracleSegment{
						Cell: c, A: a, B: b, Tile: t, Edge: uint16(first + edge),
						owner: oracleOwner{c, k},
					})
				}
				first += n
			}
		}
	}
	var out []oracleSegment
	for _, e := range edges {
		on := []Point{e.A, e.B}
		for _, v := range vertices {
			if (v.X-e.A.X)*(e.B.Y-e.A.Y) == (v.Y-e.A.Y)*(e.B.X-e.A.X) &&
				(v.X-e.A.X)*(v.X-e.B.X)+(v.Y-e.A.Y)*(v.Y-e.B.Y) < 0 {
				on = append(on, v)
			}
		}
		far := func(p Point) int64 {
			return max(p.X-e.A.X, e.A.X-p.X) + max(p.Y-e.A.Y, e.A.Y-p.Y)
		}
		slices.SortFunc(on, func(p, q Point) int { return cmp.Compare(far(p), far(q)) })
		on = slices.Compact(on)
		for i := range len(on) - 1 {
			p := e
			p.A, p.B = on[i], on[i+1]
			out = append(out, p)
		}
	}
	return out
}

// resolve returns the segments of the whole world.
func (w *world) resolve() []oracleSegment {
	all := w.cutEdges()
	back := map[[2]Point][]oracleOwner{}
	for _, p := range all {
		back[[2]Point{p.B, p.A}] = append(back[[2]Point{p.B, p.A}], p.owner)
	}
	var out []oracleSegment
	starts, ends := map[Point][]int{}, map[Point][]int{}
	for _, p := range all {
		gone := slices.ContainsFunc(back[[2]Point{p.A, p.B}], func(o oracleOwner) bool { return !w.keeps(p.owner, o) })
		if !gone {
			starts[p.A] = append(starts[p.A], len(out))
			ends[p.B] = append(ends[p.B], len(out))
			out = append(out, p)
		}
	}
	for i := range out {
		s := &out[i]
		if k, ok := w.turnTo(out, s, s.A, s.B, ends[s.A], -1); ok {
			s.Prev, s.HasPrev = [2]Point{out[k].A, out[k].B}, true
		}
		if k, ok := w.turnTo(out, s, s.B, s.A, starts[s.B], 1); ok {
			s.Next, s.HasNext = [2]Point{out[k].A, out[k].B}, true
		}
	}
	return out
}

// turnTo sorts candidates at vertex v by the turn from v->far, counter-clockwise
// for way = 1, clockwise for -1, and returns the first.
func (w *world) turnTo(all []oracleSegment, s *oracleSegment, v, far Point, candidates []int, way int64) (int, bool) {
	type ray struct {
		k         int
		along, up int64 // the direction in the frame of v->far, up on the side turned to
	}
	var rays []ray
	dx, dy := far.X-v.X, far.Y-v.Y
	for _, k := range candidates {
		if w.keeps(s.owner, all[k].owner) {
			continue
		}
		end := all[k].A
		if way > 0 {
			end = all[k].B
		}
		ex, ey := end.X-v.X, end.Y-v.Y
		rays = append(rays, ray{k, dx*ex + dy*ey, way * (dx*ey - dy*ex)})
	}
	if len(rays) == 0 {
		return 0, false
	}
	// The turn lies in (0, 360]: first quarter by quarter, then by slope.
	quarter := func(r ray) int {
		switch {
		case r.along > 0 && r.up > 0:
			return 0
		case r.along <= 0 && r.up > 0:
			return 1
		case r.along < 0:
			return 2
		case r.along == 0 || r.up < 0:
			return 3
		}
		return 4
	}
	slices.SortFunc(rays, func(p, q ray) int {
		return cmp.Or(cmp.Compare(quarter(p), quarter(q)), cmp.Compare(p.up*q.along, q.up*p.along))
	})
	return rays[0].k, true
}

// check compares a resolved grid with the oracle and with the laws that need none.
func (w *world) check(t rapid.TB, g *Grid) {
	t.Helper()
	got := g.AppendSegments(nil, everywhere)
	byID := map[SegmentID]Segment{}
	for i, s := range got {
		byID[s.ID] = s
		if i > 0 && compareIDs(got[i-1].ID, s.ID) >= 0 {
			t.Fatalf("order: %v before %v", got[i-1].ID, s.ID)
		}
		if o, ok := g.Segment(s.ID); !ok || o != s {
			t.Fatalf("Segment(%v) = %+v, %v", s.ID, o, ok)
		}
	}
	var mine []oracleSegment
	for _, s := range got {
		o := oracleSegment{
			Cell: s.ID.Cell, A: s.A, B: s.B, Tile: s.Tile, Edge: s.Edge,
			HasPrev: s.HasGhost1, HasNext: s.HasGhost2,
		}
		if s.HasGhost1 {
			p := byID[s.Prev]
			o.Prev = [2]Point{p.A, p.B}
			if p.A != s.Ghost1 {
				t.Fatalf("ghost1 of %+v, prev is %+v", s, p)
			}
		}
		if s.HasGhost2 {
			n := byID[s.Next]
			o.Next = [2]Point{n.A, n.B}
			if n.B != s.Ghost2 {
				t.Fatalf("ghost2 of %+v, next is %+v", s, n)
			}
		}
		if len(w.preserve) == 0 && (!s.HasGhost1 || !s.HasGhost2 || byID[s.Prev].Next != s.ID ||
			byID[s.Next].Prev != s.ID) {
			t.Fatalf("links broken at %+v", s)
		}
		mine = append(mine, o)
	}
	want := w.resolve()
	order := func(a, b oracleSegment) int {
		return cmp.Or(compareCells(a.Cell, b.Cell), cmp.Compare(a.A.X, b.A.X), cmp.Compare(a.A.Y, b.A.Y),
			cmp.Compare(a.B.X, b.B.X), cmp.Compare(a.B.Y, b.B.Y))
	}
	slices.SortFunc(mine, order)
	slices.SortFunc(want, order)
	for i := range want {
		want[i].owner = oracleOwner{}
	}
	if !slices.Equal(mine, want) {
		t.Fatalf("tiles %v, polygons %v\n-oracle +grid\n%s", w.tiles, w.parts,
			gocmp.Diff(want, mine, cmpopts.IgnoreUnexported(oracleSegment{})))
	}
	if tiles, segments := g.Count(); tiles != len(w.tiles) || segments != len(want) {
		t.Fatalf("Count = %d, %d, want %d, %d", tiles, segments, len(w.tiles), len(want))
	}
}

func compareIDs(a, b SegmentID) int {
	return cmp.Or(compareCells(a.Cell, b.Cell), cmp.Compare(a.N, b.N))
}

// everywhere is the whole range of cells.
var everywhere = Rect{MinX: -1 << 31, MinY: -1 << 31, MaxX: 1<<31 - 1, MaxY: 1<<31 - 1}
