package gridseg

import (
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// slowOutlines follows links in a map of the segments of r.
func slowOutlines(g *Grid, r Rect) [][]SegmentID {
	in := map[SegmentID]Segment{}
	var order []SegmentID
	for _, s := range g.AppendSegments(nil, everywhere) {
		if r.Contains(s.ID.Cell) {
			in[s.ID] = s
			order = append(order, s.ID)
		}
	}
	follows := func(a, b SegmentID) bool { // mutually, within r
		p, ok := in[a]
		n, ok2 := in[b]
		return ok && ok2 && p.HasGhost2 && n.HasGhost1 && p.Next == b && n.Prev == a
	}
	var out [][]SegmentID
	seen := map[SegmentID]bool{}
	for _, id := range order {
		if seen[id] {
			continue
		}
		ids := []SegmentID{id}
		for {
			last := ids[len(ids)-1]
			next := in[last].Next
			if !follows(last, next) || next == id {
				break
			}
			ids = append(ids, next)
		}
		for {
			prev := in[ids[0]].Prev
			if !follows(prev, ids[0]) || slices.Contains(ids, prev) {
				break
			}
			ids = slices.Insert(ids, 0, prev)
		}
		for _, c := range ids {
			seen[c] = true
		}
		out = append(out, ids)
	}
	return out
}

// twiceArea is the oracle's doubled area, from the origin of the world.
func twiceArea(ps []Point) *big.Int {
	sum := new(big.Int)
	for i, a := range ps {
		b := ps[(i+1)%len(ps)]
		sum.Add(sum, new(big.Int).Mul(big.NewInt(a.X), big.NewInt(b.Y)))
		sum.Sub(sum, new(big.Int).Mul(big.NewInt(b.X), big.NewInt(a.Y)))
	}
	return sum
}

// checkOutlines compares the outlines of r with the oracle, and returns the sum of the
// signed areas of the loops.
func checkOutlines(t rapid.TB, g *Grid, r Rect, tr *tracer) *big.Int {
	t.Helper()
	got := tr.trace(&g.reader, r)
	want := slowOutlines(g, r)
	if len(got) != len(want) {
		t.Fatalf("%v: %d outlines, want %d", r, len(got), len(want))
	}
	total := new(big.Int)
	for i, o := range got {
		if !slices.Equal(o.Segments, want[i]) {
			t.Fatalf("%v: outline %d is %v, want %v", r, i, o.Segments, want[i])
		}
		first, _ := g.Segment(o.Segments[0])
		last, _ := g.Segment(o.Segments[len(o.Segments)-1])
		closed := last.HasGhost2 && last.Next == first.ID && first.HasGhost1 && first.Prev == last.ID
		if o.Closed != closed {
			t.Fatalf("closed %v: %v", o.Closed, o)
		}
		var points []Point
		for _, id := range o.Segments {
			s, _ := g.Segment(id)
			points = append(points, s.A)
		}
		if !closed {
			points = append(points, last.B)
		}
		if !slices.Equal(points, o.Points) {
			t.Fatalf("points %v, want %v", o.Points, points)
		}
		if !closed {
			if o.Hole || o.Area != 0 {
				t.Fatalf("open, yet %+v", o)
			}
			continue
		}
		area := twiceArea(points)
		total.Add(total, area)
		size := new(big.Int).Abs(area)
		if o.Hole != (area.Sign() < 0) || new(big.Int).SetUint64(uint64(o.Area)).Cmp(size) != 0 {
			t.Fatalf("hole %v, area %d, want %v", o.Hole, o.Area, area)
		}
	}
	return total
}

// slowMerge takes points out that lie between their neighbours, until there are none.
func slowMerge(ps []Point, closed bool) []Point {
	ps = slices.Clone(ps)
	for again := true; again; {
		again = false
		for i := range ps {
			if !closed && (i == 0 || i == len(ps)-1) {
				continue
			}
			a, b := ps[(i+len(ps)-1)%len(ps)], ps[(i+1)%len(ps)]
			if ps[i] != a && ps[i] != b && lattice.Cross(lattice.Sub(b, a), lattice.Sub(ps[i], a)) == 0 &&
				lattice.Dot(lattice.Sub(a, ps[i]), lattice.Sub(b, ps[i])) <= 0 {
				ps = slices.Delete(ps, i, i+1)
				again = true
				break
			}
		}
	}
	return ps
}

func TestOutlines(t *testing.T) {
	shapes := gallery(t)
	var tr tracer // one for all, so that its memory is used again
	rapid.Check(t, func(t *rapid.T) {
		g, w := anyGrid(t, shapes)
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		for range rapid.IntRange(0, 30).Draw(t, "edits") {
			c := Cell{
				X: o.X + int32(rapid.IntRange(0, worldSide-1).Draw(t, "x")),
				Y: o.Y + int32(rapid.IntRange(0, worldSide-1).Draw(t, "y")),
			}
			tile := anyTile(shapes).Draw(t, "tile")
			if err := g.Set(c.X, c.Y, tile); err != nil {
				t.Fatal(err)
			}
			w.set(c, tile)
		}
		g.Resolve()
		total := checkOutlines(t, g, everywhere, &tr)
		if want := w.slowArea(everywhere); len(w.preserve) == 0 && total.Cmp(want) != 0 {
			t.Fatalf("the loops enclose %v, the tiles hold %v", total, want)
		}
		for range 3 {
			checkOutlines(t, g, anyPart(t, o, worldSide), &tr)
		}
	})
}

// A ring of blocks with one amid it: an outside, a hole, an outside within.
func TestOutlinesRing(t *testing.T) {
	g := New(nil)
	for _, e := range []struct {
		r Rect
		t Tile
	}{
		{Rect{MinX: -3, MinY: -3, MaxX: 3, MaxY: 3}, Tile{Shape: Full}},
		{Rect{MinX: -2, MinY: -2, MaxX: 2, MaxY: 2}, Tile{}},
		{Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}, Tile{Shape: Full}},
	} {
		if err := g.Fill(e.r, e.t); err != nil {
			t.Fatal(err)
		}
	}
	g.Resolve()
	type brief struct {
		points       []Point
		closed, hole bool
		area         float64
	}
	tell := func(os []Outline) (bs []brief) {
		for _, o := range os {
			bs = append(bs, brief{slowMerge(o.Points, o.Closed), o.Closed, o.Hole, o.Area.Cells()})
		}
		return bs
	}
	const u = Unit
	var tr tracer
	want := []brief{
		{
			[]Point{{X: 4 * u, Y: -3 * u}, {X: 4 * u, Y: 4 * u}, {X: -3 * u, Y: 4 * u}, {X: -3 * u, Y: -3 * u}},
			true,
			false, 49,
		},
		{
			[]Point{{X: 3 * u, Y: -2 * u}, {X: -2 * u, Y: -2 * u}, {X: -2 * u, Y: 3 * u}, {X: 3 * u, Y: 3 * u}},
			true,
			true, 25,
		},
		{[]Point{{X: u, Y: 0}, {X: u, Y: u}, {X: 0, Y: u}, {X: 0, Y: 0}}, true, false, 1},
	}
	got := tell(tr.trace(&g.reader, everywhere))
	for i := range got {
		if i < len(want) && !sameLoop(got[i].points, want[i].points) {
			t.Errorf("outline %d: %v, want %v", i, got[i].points, want[i].points)
		}
		got[i].points, want[i].points = nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// The lower left quarter: outside and hole are cut.
	got = tell(tr.trace(&g.reader, Rect{MinX: -3, MinY: -3, MaxX: -1, MaxY: -1}))
	want = []brief{
		{[]Point{{X: -3 * u, Y: 0}, {X: -3 * u, Y: -3 * u}, {X: 0, Y: -3 * u}}, false, false, 0},
		{[]Point{{X: 0, Y: -2 * u}, {X: -2 * u, Y: -2 * u}, {X: -2 * u, Y: 0}}, false, false, 0},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("quarter: got %v, want %v", got, want)
	}
}

// sameLoop compares two loops that may begin elsewhere.
func sameLoop(a, b []Point) bool {
	if len(a) != len(b) {
		return false
	}
	k := slices.Index(b, a[0])
	return k >= 0 && slices.Equal(a, slices.Concat(b[k:], b[:k]))
}

func TestMagnitude(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 200 {
		var s int128
		want := new(big.Int)
		for range r.IntN(40) {
			x := int64(r.Uint64()) >> r.IntN(64)
			s = s.add(wide(x))
			want.Add(want, big.NewInt(x))
		}
		area := new(big.Int).Abs(want)
		if !area.IsUint64() {
			area.SetUint64(1<<64 - 1)
		}
		if a, negative := magnitude(s); negative != (want.Sign() < 0) || uint64(a) != area.Uint64() {
			t.Fatalf("%v: negative %v, area %d", want, negative, a)
		}
	}
}

func TestTraceAllocates(t *testing.T) {
	g := New(nil)
	fillRamps(t, g, 30)
	g.Resolve()
	var tr tracer
	r := Rect{MinX: 2, MinY: 3, MaxX: 33, MaxY: 28}
	if n := testing.AllocsPerRun(20, func() { tr.trace(&g.reader, r) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkOutlines(b *testing.B) {
	g := New(nil)
	fillRamps(b, g, 100)
	g.Resolve()
	for _, c := range []struct {
		name string
		r    Rect
	}{{"100", everywhere}, {"16", Rect{MinX: 20, MinY: 20, MaxX: 35, MaxY: 35}}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var tr tracer
			for b.Loop() {
				tr.trace(&g.reader, c.r)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(tr.ids)), "ns/segment")
		})
	}
}
