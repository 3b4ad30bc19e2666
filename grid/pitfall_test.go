package grid

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

var negZero = math.Copysign(0, -1)

func box(x0, y0, x1, y1 float64) geom.AABB {
	return geom.AABB{Min: geom.V(x0, y0), Max: geom.V(x1, y1)}
}

// ray returns the objects that the segment from origin to origin+d hits in all four
// grids, in ascending order of id; checkRay compares them with the list of boxes.
func (m *model) ray(origin, d geom.Vec) []ID {
	m.t.Helper()
	m.checkRay(origin, d)
	var ids []ID
	for _, h := range m.grids[0].AppendRay(nil, origin, d, 1, All) {
		ids = append(ids, h.ID)
	}
	slices.Sort(ids)
	return ids
}

// overlaps returns the objects that overlap box in all four grids.
func (m *model) overlaps(box geom.AABB) []ID {
	m.t.Helper()
	m.checkOverlaps(box, All)
	return m.grids[0].AppendOverlaps(nil, box, All)
}

func wantIDs(t *testing.T, what string, got []ID, want ...ID) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// unitCells is a square of 8x8 boxes, each well within its cell: the object
// 8*y+x in the cell (x-4, y-4). It holds the walk, not the box test, to
// account, and has enough cells that rays of its size are walked.
func unitCells(t *testing.T) *model {
	m := newModel(t, 1)
	for y := -4.0; y < 4; y++ {
		for x := -4.0; x < 4; x++ {
			m.add(box(x+0.125, y+0.125, x+0.875, y+0.875))
		}
	}
	return m
}

// at is the object of unitCells in the cell (x, y).
func at(x, y int) ID { return ID(8*(y+4) + x + 4) }

func TestRayStartsOnGridLine(t *testing.T) {
	m := unitCells(t)
	for _, x := range []float64{-2, 0, 3} {
		i := int(x)
		wantIDs(t, "right", m.ray(geom.V(x, 0.5), geom.V(0.5, 0)), at(i, 0))
		wantIDs(t, "left", m.ray(geom.V(x, 0.5), geom.V(-0.5, 0)), at(i-1, 0))
		wantIDs(t, "up", m.ray(geom.V(0.5, x), geom.V(0, 0.5)), at(0, i))
		wantIDs(t, "down", m.ray(geom.V(0.5, x), geom.V(0, -0.5)), at(0, i-1))
		wantIDs(t, "up right", m.ray(geom.V(x, x), geom.V(0.5, 0.5)), at(i, i))
		wantIDs(t, "down left", m.ray(geom.V(x, x), geom.V(-0.5, -0.5)), at(i-1, i-1))
	}
}

func TestRayZeroDirection(t *testing.T) {
	m := unitCells(t)
	for _, tiny := range []float64{5e-324, -5e-324, 1e-310, -1e-250, 1e-150} {
		m.checkRay(geom.V(-3.5, 0), geom.V(7, tiny))
		m.checkRay(geom.V(0.125, 3), geom.V(-tiny, -7))
		m.checkRay(geom.V(-3.5, 4), geom.V(7, tiny))
		m.checkRay(geom.V(0.5, 0.5), geom.V(tiny, -tiny))
	}
	for _, z := range []float64{0, negZero} {
		wantIDs(t, "x only", m.ray(geom.V(-1.5, 0.5), geom.V(2, z)), at(-2, 0), at(-1, 0), at(0, 0))
		wantIDs(t, "-x only", m.ray(geom.V(0.5, 0.5), geom.V(-2, z)), at(-2, 0), at(-1, 0), at(0, 0))
		wantIDs(t, "y only", m.ray(geom.V(0.5, -1.5), geom.V(z, 2)), at(0, -2), at(0, -1), at(0, 0))
		wantIDs(t, "-y only", m.ray(geom.V(0.5, 0.5), geom.V(z, -2)), at(0, -2), at(0, -1), at(0, 0))
		wantIDs(t, "no length, inside", m.ray(geom.V(-0.5, 0.5), geom.V(z, z)), at(-1, 0))
		wantIDs(t, "no length, on a corner", m.ray(geom.V(0.125, -0.125), geom.V(z, z)), at(0, -1))
		wantIDs(t, "no length, outside", m.ray(geom.V(z, z), geom.V(z, z)))
	}
}

// TestRayThroughCorners: boxes that fill their cells, and rays through points
// where four of them meet, touch all four, whichever way they go.
func TestRayThroughCorners(t *testing.T) {
	m := newModel(t, 1)
	for y := -4.0; y < 4; y++ {
		for x := -4.0; x < 4; x++ {
			m.add(box(x, y, x+1, y+1))
		}
	}
	for _, d := range []geom.Vec{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}} {
		o := d.Mul(-0.5)
		wantIDs(t, "corner", m.ray(o, d), at(-1, -1), at(0, -1), at(-1, 0), at(0, 0))
		m.checkRay(o.Mul(4), d.Mul(4))
		m.checkRay(geom.V(2*o.X, o.Y), geom.V(2*d.X, d.Y))
		m.checkRay(geom.V(o.X, 2*o.Y), geom.V(d.X, 2*d.Y))
	}
	// Thin boxes beside the corner, that share only it with the ray.
	m = unitCells(t)
	a := m.add(box(0.5, -1, 1, 0))
	b := m.add(box(1, 0, 1.5, 0))
	wantIDs(t, "beside", m.ray(geom.V(0, -1), geom.V(2, 2)), at(0, -1), at(1, 0), a, b)
}

func TestRayAlongLine(t *testing.T) {
	m := newModel(t, 1)
	var above, below []ID
	for x := -3.0; x < 3; x++ {
		above = append(above, m.add(box(x+0.25, 2, x+0.75, 2.5)))
		below = append(below, m.add(box(x+0.25, 1.5, x+0.75, 2)))
		m.add(box(x+0.25, 0.5, x+0.75, math.Nextafter(2, 1)))
		m.add(box(x+0.25, math.Nextafter(2, 3), x+0.75, 2.5))
	}
	want := slices.Sorted(slices.Values(append(above, below...)))
	wantIDs(t, "along y = 2", m.ray(geom.V(-4, 2), geom.V(8, 0)), want...)
	wantIDs(t, "and back", m.ray(geom.V(4, 2), geom.V(-8, negZero)), want...)
}

// TestRayDoesNotDrift walks 300,000 columns over points that lie on the ray
// exactly: sums of a step would long have left their cells.
func TestRayDoesNotDrift(t *testing.T) {
	const n = 100_000
	boxes := make([]geom.AABB, n)
	for k := range boxes {
		p := geom.V(float64(3*k), float64(k))
		boxes[k] = geom.AABB{Min: p, Max: p}
	}
	for _, g := range []*Grid{NewHashed(1), NewChunked(1), NewHierarchical(1)} {
		if err := g.Build(boxes, nil); err != nil {
			t.Fatal(err)
		}
		for _, flip := range []bool{false, true} {
			o, d := geom.V(-3, -1), geom.V(3*n, n)
			if flip {
				o, d = o.Add(d), d.Neg()
			}
			c := cast{o: o, d: d, maxT: 1, mask: All}
			w, ok := newWalk(g.levels[0].regions[0], &c)
			if !ok || w.everything {
				t.Fatalf("%v: no walk", g.Kind())
			}
			got := g.AppendRay(nil, o, d, 1, All)
			if len(got) != n {
				t.Errorf("%v: met %d of %d points", g.Kind(), len(got), n)
			}
			for i, h := range got {
				if want := ID(i); h.ID != want && h.ID != n-1-want {
					t.Fatalf("%v: hit %d is of %d", g.Kind(), i, h.ID)
				}
			}
		}
	}
}

// TestFloor: with truncation the cells on both sides of 0 would be one.
func TestFloor(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want int64
	}{
		{0, 0},
		{negZero, 0},
		{0.5, 0},
		{-0.5, -1},
		{-1, -1},
		{math.Nextafter(-1, -2), -2},
		{-5e-324, -1},
		{1 << 40, 1 << 40},
		{-(1 << 40) - 0.5, -(1 << 40) - 1},
		{math.Inf(1), 2 * Limit << subBits},
		{math.Inf(-1), -2 * Limit << subBits},
	} {
		if got := floor64(c.x); got != c.want {
			t.Errorf("floor64(%g) = %d, want %d", c.x, got, c.want)
		}
	}
	m := unitCells(t)
	wantIDs(t, "cell -1", m.overlaps(box(-0.9, -0.9, -0.1, -0.1)), at(-1, -1))
	wantIDs(t, "cell 0", m.overlaps(box(0.1, 0.1, 0.9, 0.9)), at(0, 0))
}

// TestDenormalBelowZero: half the smallest number below 0 is 0. A coarse level that
// multiplied coordinates by 1/size put such a box on the other side of 0 than the finer
// levels, and lost the pair below.
func TestDenormalBelowZero(t *testing.T) {
	m := newModel(t, 1)
	m.add(box(-5e-324, 0, -5e-324, 0))
	m.add(box(-5e-324, 0, 1, 0))
	m.checkAll()
	m.checkOverlaps(box(-5e-324, 0, -5e-324, 0), All)
	m.checkRay(geom.V(-5e-324, -1), geom.V(0, 2))
	m.checkNearest(geom.V(-5e-324, 0), 1, All)
}

// TestCollisions fills a table with cells whose home slots collide, and expects each to
// keep its own objects, also as cells between them come and go: a query never returns
// objects far away.
func TestCollisions(t *testing.T) {
	m := newModel(t, 1)
	tab := table{shift: 66 - 6} // a table of 64 slots
	var ids []ID
	for x := int32(0); len(ids) < 24; x += 977 {
		if tab.home(squareKey(x, -x))>>2 != 5 {
			continue
		}
		fx := float64(x)
		ids = append(ids, m.add(box(fx+0.25, -fx+0.25, fx+0.5, -fx+0.5)))
	}
	for _, g := range m.grids {
		if n := len(g.levels[0].regions[0].cells.slots); g.Kind() == Hashed && n != 64 {
			t.Fatalf("the table has %d slots", n)
		}
	}
	each := func() {
		t.Helper()
		for _, id := range m.live {
			wantIDs(t, "overlaps", m.overlaps(m.objects[id].Box), id)
		}
	}
	each()
	for len(m.live) > 12 {
		m.remove(m.live[len(m.live)/2])
		each()
		m.checkAll()
	}
}

func TestRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	m := newModel(t, 0.5)
	id := m.add(box(1, 1, 2, 2))
	l := 0.5 * Limit
	for _, c := range []struct {
		b   geom.AABB
		why string
	}{
		{box(nan, 0, 1, 1), "finite"},
		{box(0, nan, 1, 1), "finite"},
		{box(0, 0, nan, 1), "finite"},
		{box(0, 0, 1, nan), "finite"},
		{box(-inf, 0, 1, 1), "finite"},
		{box(0, 0, 1, inf), "finite"},
		{box(1, 0, 0, 1), "empty"},
		{box(0, 1, 1, 0), "empty"},
		{geom.Empty, "empty"},
		{box(0, 0, math.Nextafter(l, inf), 1), "beyond"},
		{box(0, -2*l, 1, 1), "beyond"},
		{box(-math.MaxFloat64, 0, math.MaxFloat64, 1), "beyond"},
	} {
		for _, g := range m.grids {
			_, err := g.Add(c.b, 0)
			for what, err := range map[string]error{
				"Add":    err,
				"Update": g.Update(id, c.b),
				"Build":  g.Build([]geom.AABB{box(0, 0, 1, 1), c.b}, nil),
				"Load":   g.Load([]Object{{Box: c.b}, {Box: box(0, 0, 1, 1)}}),
			} {
				if err == nil || !strings.Contains(err.Error(), c.why) {
					t.Errorf("%v: %s(%v): error %v, want one with %q", g.Kind(), what, c.b, err, c.why)
				}
			}
		}
		m.checkAll()
	}
	m.add(box(-l, -l, l, l)) // the largest there is
	m.checkAll()
	for _, q := range []geom.AABB{
		box(-inf, -inf, inf, inf), box(-math.MaxFloat64, 0, math.MaxFloat64, 1),
		box(inf, inf, inf, inf), box(nan, nan, nan, nan), geom.Empty, box(1e300, 0, 1e308, 0),
	} {
		m.checkOverlaps(q, All)
	}
	for _, d := range []geom.Vec{
		{X: nan},
		{Y: inf},
		{X: math.MaxFloat64, Y: math.MaxFloat64},
		{X: -math.MaxFloat64, Y: 5e-324},
		{X: 1e16, Y: 1e15},
	} {
		m.checkRay(geom.V(1.5, 1.5), d)
		m.checkRay(geom.V(-1.5, 1e17), d)
		m.checkRay(geom.V(-math.MaxFloat64, 1), d)
		m.checkRay(d, geom.V(1, 1))
	}
}

// TestLargeObjects: a box of 10^12 cells takes at most four of a coarse level, or a
// place in the oversize list.
func TestLargeObjects(t *testing.T) {
	m := newModel(t, 1)
	m.add(box(-5e5, -5e5, 5e5, 5e5))
	m.add(box(0, 0, 1e9, 1))
	m.add(box(0, 0, 1e9, 1e9))
	m.add(box(0.25, 0.25, 0.5, 0.5))
	m.add(box(10, 10, 10, 10))
	for _, g := range m.grids {
		s := g.Stats()
		want := 3
		if g.Kind() == Hierarchical {
			want = 2 // beyond its coarsest cells
		}
		if s.Entries > 8 || s.Oversize != want || s.Cells > 8 {
			t.Errorf("%v: %+v", g.Kind(), s)
		}
	}
	m.checkAll()
	m.checkOverlaps(box(0, 0, 1, 1), All)
	m.checkOverlaps(box(9e8, 9e8, 9e8, 9e8), All)
	m.checkRay(geom.V(-1e6, 3), geom.V(2e6, 0))
	m.checkNearest(geom.V(-9e5, 7), math.Inf(1), All)
	m.update(2, box(0, 0, 2, 2)) // comes down to a level
	m.update(3, box(0, 0, 1e8, 2))
	m.checkAll()
	m.remove(1)
	m.checkAll()
}

// TestMaxSpread: up to MaxSpread cells an object is listed, one more and it is
// oversize.
func TestMaxSpread(t *testing.T) {
	for _, c := range []struct {
		b        geom.AABB
		oversize int
	}{
		{box(0, 0, 31.5, 31.5), 0},
		{box(0, 0, 32, 31.5), 1},
		{box(-512, 0, 511, 0), 0},
		{box(-512, 0, 512, 0), 1},
	} {
		for _, g := range []*Grid{NewHashed(1), NewChunked(1)} {
			id, err := g.Add(c.b, 0)
			if err != nil || g.Stats().Oversize != c.oversize {
				t.Errorf("%v: %v, error %v: %d oversize", g.Kind(), c.b, err, g.Stats().Oversize)
			}
			if got := g.AppendOverlaps(nil, box(-1, -1, 1, 1), All); !slices.Equal(got, []ID{id}) {
				t.Errorf("%v: found %v", g.Kind(), got)
			}
			checkInvariants(t, g)
		}
	}
}

// TestBeyondFixed: an object that is not wholly in the array of a fixed grid is found as
// well, and may move back into it.
func TestBeyondFixed(t *testing.T) {
	m := newModel(t, 1)
	id := m.add(box(19.5, 19.5, 20.5, 20.5))
	if s := m.grids[0].Stats(); s.Oversize != 0 {
		t.Error("the cell of the upper right corner is not in the array")
	}
	for _, b := range []geom.AABB{box(20.5, 20.5, 21, 21), box(-21, 0, -20, 1), box(1e9, 1e9, 1e9, 1e9), box(3, 3, 4,
		4)} {
		m.update(id, b)
		m.checkAll()
		m.checkOverlaps(b, All)
		m.checkRay(geom.V(-30, b.Min.Y), geom.V(2e9, 0))
	}
	if s := m.grids[0].Stats(); s.Oversize != 0 || s.Cells == 0 {
		t.Error("the object did not come back into its cells")
	}
}

// TestHitWithinSegment: an object may share a cell with the segment, even lie
// on its line, and not be met.
func TestHitWithinSegment(t *testing.T) {
	m := unitCells(t)
	a := m.add(box(0.95, 0, 1.5, 1)) // in the cells 0 and 1
	wantIDs(t, "stops short", m.ray(geom.V(0.05, 0.05), geom.V(0.85, 0)))
	wantIDs(t, "starts behind", m.ray(geom.V(0.9, 0.9), geom.V(-0.85, 0)))
	wantIDs(t, "reaches", m.ray(geom.V(0.05, 0.05), geom.V(0.9, 0)), a)
}

// TestRayFromFar: a segment that is long or starts far away is clipped to the occupied
// bounds, so its cost is small.
func TestRayFromFar(t *testing.T) {
	m := unitCells(t)
	want := []ID{at(-4, 0), at(-3, 0), at(-2, 0), at(-1, 0), at(0, 0), at(1, 0), at(2, 0), at(3, 0)}
	wantIDs(t, "long", m.ray(geom.V(-1e12, 0.5), geom.V(2e12, 0)), want...)
	wantIDs(t, "longer", m.ray(geom.V(-1e300, 0.5), geom.V(2e300, 0)), want...)
	far := m.add(box(1e9, 0, 1e9+0.5, 1))
	wantIDs(t, "with an outlier", m.ray(geom.V(-1e12, 0.5), geom.V(2e12, 0)), append(want, far)...)
	wantIDs(t, "beside", m.ray(geom.V(-1e12, 5), geom.V(2e12, 0)))
}

// TestRayWithoutEnd: an infinite ray is clipped to the occupied bounds, as is a start far
// outside.
func TestRayWithoutEnd(t *testing.T) {
	m := unitCells(t)
	for _, c := range []cast{
		{o: geom.V(-0.5, 0.5), d: geom.V(1e-3, 0)},
		{o: geom.V(-1e9, 0.5), d: geom.V(1, 0)},
		{o: geom.V(-1e9, -1e9), d: geom.V(1e-300, 1e-300)},
		{o: geom.V(0.5, 1e15), d: geom.V(0, -5e-324)},
		{o: geom.V(3, 3), d: geom.V(0, 0)},
		{o: geom.V(0, 0), d: geom.V(1e300, 1e-300)},
		{o: geom.V(-50, 0.3), d: geom.V(7, 0.01), half: geom.V(1, 3)},
		{o: geom.V(-1e6, 0.3), d: geom.V(7, 0.01), half: geom.V(5, 5)},
	} {
		c.mask = All
		for _, c.maxT = range []float64{math.Inf(1), math.MaxFloat64, 1, 0} {
			m.checkCast(c)
		}
	}
	if got := m.ray(geom.V(-1e9, 0.5), geom.V(1e300, 0)); len(got) != 8 {
		t.Errorf("met %v", got)
	}
}

// TestEmptyRegionsAreSkipped: a ray over ten million empty cells, to a crowd at
// their other end, looks at few of them, at every slope.
func TestEmptyRegionsAreSkipped(t *testing.T) {
	for _, g := range []*Grid{NewHashed(1), NewChunked(1), NewHierarchical(1)} {
		const far = 4e6
		for x := range 600 {
			for y := range 600 {
				p := geom.V(float64(x), float64(y))
				for _, p := range []geom.Vec{p, p.Add(geom.V(far, far)), p.Add(geom.V(far, 0))} {
					if x%3 == 0 && y%3 == 0 || x == 0 {
						if _, err := g.Add(geom.AABB{Min: p, Max: p}, 0); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
		for _, d := range []geom.Vec{
			{X: 1, Y: 1},
			{X: 1, Y: 0},
			{X: 1, Y: 1e-4},
			{X: 0.7, Y: 0.9},
			{X: -1, Y: 0.01},
			{X: 0, Y: -1},
		} {
			o := geom.V(300.5, 300.25)
			c := cast{o: o, d: d, maxT: math.Inf(1), mask: All}
			w, ok := newWalk(g.levels[0].regions[0], &c)
			if !ok || w.everything {
				continue
			}
			steps := 0
			for more := true; more; more = w.next() {
				found := false
				for v := w.lo; v <= w.hi; v++ {
					found = found || w.cell(v) != 0
				}
				if !found {
					w.skip()
				}
				steps++
			}
			if steps > 40_000 {
				t.Errorf("%v: %d steps along %v", g.Kind(), steps, d)
			}
		}
	}
}

// TestWideCast: a box that is cast and is 10^6 cells wide among a few objects far apart
// looks at the objects, not at 10^12 cells. (It once did, for half a minute.)
func TestWideCast(t *testing.T) {
	m := newModel(t, 1)
	m.add(box(-3e6, -3e6, -3e6, -3e6))
	m.add(box(3e6, 3e6, 3e6, 3e6))
	m.add(box(1, 1, 2, 2))
	m.checkCast(boxCast(box(-1e6, -1e6, 1e6, 1e6), geom.V(3e6, 1e6), 1, All))
	m.checkCast(boxCast(box(-3e6, -1e6, -1e6, 1e6), geom.V(4e6, 7), 1, All))
}
