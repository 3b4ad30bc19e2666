package narrow

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// someFaces returns n faces of any directions in a square, most of them short.
func someFaces(r *rand.Rand, n int, side float64) (e edges) {
	e.box = geom.Empty
	for range n {
		length := within(r, 0.01, 1)
		if r.IntN(20) == 0 {
			length = within(r, 1, side)
		}
		p := geom.V(within(r, 0, side), within(r, 0, side))
		d := geom.NewRot(within(r, -4, 4))
		if r.IntN(2) == 0 { // as of tiles
			d = []geom.Rot{{C: 1}, {S: 1}, {C: -1}, {S: -1}}[r.IntN(4)]
		}
		var at collide.Edge
		if at.Set(&collide.Face{A: p, B: p.Add(d.Apply(geom.V(length, 0)))}) {
			e.list = append(e.list, at)
			e.box = e.box.Union(at.Box)
		}
		e.deep = append(e.deep, r.IntN(4) == 0)
	}
	return e
}

// TestFacePairs: the cells give the pairs of faces whose boxes are near, each once and in order, as the visit of all
// pairs does.
func TestFacePairs(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	found := 0
	for range tries(400) {
		side := within(r, 0.1, 30)
		a, b := someFaces(r, 1+r.IntN(60), side), someFaces(r, 1+r.IntN(60), side)
		for _, deep := range []bool{true, false} {
			if !deep {
				clear(a.deep)
				clear(b.deep)
			}
			var f, all facePairs
			f.find(&a, &b, deep)
			for i := range a.list {
				for j := range b.list {
					all.add(&a, &b, int32(i), int32(j))
				}
			}
			// Boxes may be near each other where the slanted faces are not.
			all.list = slices.DeleteFunc(all.list, func(p facePair) bool {
				reach := max(a.reach(int(p.a())), b.reach(int(p.b())))
				x, y := &a.list[p.a()], &b.list[p.b()]
				return !slices.Contains(f.list, p) && x.Distance(y) > reach && collide.Crossing(x, y, 0) == 0
			})
			if found += len(f.list); !slices.Equal(f.list, all.list) {
				t.Fatalf("deep=%v: %d pairs, not %d", deep, len(f.list), len(all.list))
			}
		}
	}
	if found < tries(4000) {
		t.Errorf("only %d pairs", found)
	}
}

// loneTiles is a grid of n by n tiles, a cell apart.
func loneTiles(n int32) *gridseg.Grid {
	g := gridseg.New(nil)
	for y := range n {
		for x := range n {
			_ = g.Set(2*x, 2*y, gridseg.Tile{Shape: gridseg.Full})
		}
	}
	return g
}

// pillars is a grid of n pillars of the given height, a cell apart, on a bar.
func pillars(n, height int32) *gridseg.Grid {
	g := gridseg.New(nil)
	_ = g.Fill(gridseg.Rect{MaxX: 2 * n}, gridseg.Tile{Shape: gridseg.Full})
	for x := range n {
		_ = g.Fill(gridseg.Rect{MinX: 2 * x, MinY: 1, MaxX: 2 * x, MaxY: height}, gridseg.Tile{Shape: gridseg.Full})
	}
	return g
}

// TestWorkOfTwoGrounds: grounds that lie in each other are compared with work in proportion to their faces, turned at
// any angle, flush or deep: four times the faces take at most seven times the work, and the search for a way apart is
// bounded.
func TestWorkOfTwoGrounds(t *testing.T) {
	for _, kind := range []struct {
		name string
		make func(n int32) *gridseg.Grid
		n    int32 // twice as much has four times the faces
	}{
		{"lone tiles", loneTiles, 8},
		{"pillars", func(n int32) *gridseg.Grid { return pillars(n*n/4, 4) }, 10},
		{"long pillars", func(n int32) *gridseg.Grid { return pillars(n*n/16, 40) }, 16},
	} {
		for _, turn := range []float64{0, 0.3, math.Pi / 4} {
			for _, off := range []geom.Vec{{X: 1.01, Y: 1}, {X: 1.01, Y: 1.01}, {X: 0.5, Y: 0.4}} {
				work := func(n int32) (pairs, parts int) {
					g := newTwoGrounds(kind.make(n), kind.make(n))
					g.fa, g.fb = geom.At(geom.Vec{}), geom.Transform{P: off, Q: geom.NewRot(turn)}
					g.touch()
					o := &g.s.outlines
					return o.near.compared + len(o.flanks.rests) + g.s.Matcher.Compared, o.search.Compared
				}
				few, _ := work(kind.n)
				many, parts := work(2 * kind.n)
				if many > 7*few || parts > 5*mostCompared {
					t.Errorf("%s turned by %v at %v: work %d, with four times the faces %d, and %d pairs of parts",
						kind.name, turn, off, few, many, parts)
				}
			}
		}
	}
}

// slotted is a ground of random blobs, or of polygons with slots of 0.05 to 0.4 between teeth, straight or leaning.
func slotted(t *testing.T, r *rand.Rand) *gridseg.Grid {
	g := gridseg.New(nil)
	if r.IntN(3) == 0 {
		x, y := int32(0), int32(0)
		for range 4 + r.IntN(10) {
			_ = g.Set(x, y, gridseg.Tile{Shape: gridseg.Full})
			if r.IntN(2) == 0 {
				x += r.Int32N(3) - 1
			} else {
				y += r.Int32N(3) - 1
			}
		}
		return g
	}
	slot, tooth, deep, lean := within(r, 0.05, 0.4), within(r, 0.05, 0.5), within(r, 0.1, 2.5), within(r, -0.5, 0.5)
	for i := range 6 {
		x := float64(i) * (slot + tooth)
		loops, err := gridseg.Polygon([][2]float64{
			{x, 0},
			{x + slot + tooth, 0},
			{x + slot + tooth, 0.5},
			{x + tooth, 0.5},
			{x + tooth + lean, 0.5 + deep},
			{x + lean, 0.5 + deep},
			{x, 0.5},
		})
		if err == nil {
			err = g.Unite(loops, gridseg.Attr{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// outline returns the segments of a ground in the world.
func outline(g *gridseg.Grid, at geom.Transform) (all []geom.Segment) {
	for _, s := range g.AppendSegments(nil, gridseg.Rect{MinX: -100, MinY: -100, MaxX: 100, MaxY: 100}) {
		all = append(all, geom.Segment{A: at.Apply(surface.Local(s.A, geom.Vec{})), B: at.Apply(surface.Local(s.B,
			geom.Vec{}))})
	}
	return all
}

// gapBetween returns the shortest distance of two outlines, 0 if they cross.
func gapBetween(a, b []geom.Segment) float64 {
	least := math.Inf(1)
	for i := range a {
		for j := range b {
			d, _, _ := geom.Distance([]geom.Vec{a[i].A, a[i].B}, []geom.Vec{b[j].A, b[j].B})
			least = min(least, d)
		}
	}
	return least
}

// TestOutlinesApartHaveNoDepth: two grounds, or a ground and a chain, whose outlines do not cross claim no overlap,
// however thin their teeth and slots are. (Three samples between two faces missed slots: the overlaps were up to 2
// units.)
func TestOutlinesApartHaveNoDepth(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	apart, near := 0, 0
	for range tries(3000) {
		a, b := slotted(t, r), slotted(t, r)
		g := newTwoGrounds(a, b)
		far := []float64{10, 1e6}[r.IntN(2)]
		g.fa = anyFrame(r, far)
		turn := within(r, -4, 4)
		if r.IntN(2) == 0 {
			turn = math.Pi * float64(r.IntN(4)) / 2
		}
		middle := boxOfGrid(a).Center().Add(geom.V(within(r, -3, 3), within(r, -3, 3)))
		g.fb = g.fa.Mul(geom.Transform{
			P: middle.Sub(geom.NewRot(turn).Apply(boxOfGrid(b).Center())),
			Q: geom.NewRot(turn),
		})
		sa, sb := outline(a, geom.At(geom.Vec{})), outline(b, g.fa.InvMul(g.fb))
		gap := gapBetween(sa, sb)
		p := sb[0].A
		q := g.fb.Inv(g.fa.Apply(sa[0].A))
		if gap < 1e-3 || a.Solid(p.X, p.Y) || b.Solid(q.X, q.Y) {
			continue
		}
		apart++
		if gap < 0.05 {
			near++
		}
		for _, m := range g.touch() {
			if s := m.LeastSeparation(); s < -contact.SpeculativeDistance {
				t.Fatalf("%+v and %+v, %v apart, claim the overlap %v along %v:\n%v\n%v", g.fa, g.fb, gap, -s, m.Normal,
					sa, sb)
			}
		}
		// The outline of A as a chain.
		var c surface.Chain
		c.Loop = true
		c.Points = loopOf(sa)
		c.Build()
		in := Input{Chain: &c, Apart: g.fb.P.Sub(g.fa.P)}
		in.Set(g.fa, g.fb.Apply(g.at), g.fb.Q, g.at)
		var mem Memory
		var out Outcome
		g.s.Outlines(&out, &mem, &in, &Outline{Tiles: &g.b, Box: g.bb, At: g.at})
		if out.Deepest < -contact.SpeculativeDistance {
			t.Fatalf("%+v and a chain at %+v, %v apart, claim the overlap %v:\n%v\n%v", g.fb, g.fa, gap, -out.Deepest,
				sa, sb)
		}
	}
	if apart < tries(700) || near < tries(40) {
		t.Errorf("%d are apart, %d of them near", apart, near)
	}
}

// TestShapesApartHaveNoDepth: a shape that does not overlap a ground claims no overlap with it, nor with its outline
// as a chain.
func TestShapesApartHaveNoDepth(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	apart, near := 0, 0
	for range tries(8000) {
		a := slotted(t, r)
		a.Resolve()
		var shape geom.Shape = geom.NewBox(within(r, 0.02, 1), within(r, 0.02, 1))
		switch r.IntN(4) {
		case 0:
			shape = geom.Circle{Radius: within(r, 0.02, 0.5)}
		case 1:
			shape = geom.Capsule{A: geom.V(-within(r, 0, 1), 0), B: geom.V(0.1, 0), Radius: within(r, 0.02, 0.2)}
		}
		g := newRig(a, shape)
		g.frame = anyFrame(r, 100)
		rot := geom.NewRot(within(r, -4, 4))
		if r.IntN(2) == 0 {
			rot = geom.NewRot(math.Pi * float64(r.IntN(4)) / 2)
		}
		middle := boxOfGrid(a).Center().Add(geom.V(within(r, -2.5, 2.5), within(r, -1.5, 2.5)))
		g.rot, g.center = g.frame.Q.Mul(rot), g.frame.Apply(middle)
		at := geom.Transform{P: middle.Sub(rot.Apply(g.localCenter)), Q: rot}
		sa := outline(a, geom.At(geom.Vec{}))
		core := make([]geom.Vec, 0, 8)
		for k := range g.hull.N {
			core = append(core, at.Apply(g.hull.V[k]))
		}
		gap := math.Inf(1)
		for i := range sa {
			d, _, _ := geom.Distance([]geom.Vec{sa[i].A, sa[i].B}, core)
			gap = min(gap, d-g.hull.Radius)
		}
		if gap < 1e-3 || a.Solid(core[0].X, core[0].Y) {
			continue
		}
		apart++
		if gap < 0.05 {
			near++
		}
		g.touch()
		if s := g.out.Deepest; s < -1e-9 {
			t.Fatalf("%+v, %v from the ground, claims the overlap %v:\n%v\n%v", shape, gap, -s, core, sa)
		}
		c := surface.Chain{Loop: true, Points: loopOf(sa)}
		c.Build()
		var mem Memory
		var out Outcome
		in := g.in
		in.Tiles, in.Chain = nil, &c
		g.scratch.ChainFaces(&out, &mem, &in)
		if out.Deepest < -1e-9 {
			t.Fatalf("%+v, %v from a chain, claims the overlap %v:\n%v\n%v", shape, gap, -out.Deepest, core, c.Points)
		}
	}
	if apart < tries(2000) || near < tries(100) {
		t.Errorf("%d are apart, %d of them near", apart, near)
	}
}

// loopOf returns the vertices of the loop that begins with the first segment.
func loopOf(all []geom.Segment) (loop []geom.Vec) {
	at := 0
	for range all {
		loop = append(loop, all[at].A)
		next := slices.IndexFunc(all, func(s geom.Segment) bool { return s.A == all[at].B })
		if at = next; at == 0 {
			break
		}
	}
	return loop
}
