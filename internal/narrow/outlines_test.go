package narrow

import (
	"fmt"
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

// twoGrounds are two grounds with their poses and their contact.
type twoGrounds struct {
	s      Scratch
	mem    Memory
	out    Outcome
	a, b   surface.Tiles
	fa, fb geom.Transform // of the bodies
	at     geom.Vec       // the centre of mass of B, in cells
	ba, bb geom.AABB      // of the tiles
}

func newTwoGrounds(a, b *gridseg.Grid) *twoGrounds {
	a.Resolve()
	b.Resolve()
	return &twoGrounds{
		a: surface.Tiles{Grid: a, Version: 1}, b: surface.Tiles{Grid: b, Version: 1}, ba: boxOfGrid(a),
		bb: boxOfGrid(b),
	}
}

func boxOfGrid(g *gridseg.Grid) geom.AABB {
	if r, ok := g.Bounds(); ok {
		return surface.BoxOf(r)
	}
	return geom.Empty
}

func (g *twoGrounds) touch() []contact.SurfaceManifold {
	in := Input{Apart: g.fb.Apply(g.at).Sub(g.fa.P)}
	in.Tiles = &g.a
	in.Set(g.fa, g.fb.Apply(g.at), g.fb.Q, g.at)
	g.s.Outlines(&g.out, &g.mem, &in, &Outline{Tiles: &g.b, Box: g.bb, BoxA: g.ba, At: g.at})
	return g.mem.Manifolds
}

// tilePoint is a point of a contact in the world.
type tilePoint struct {
	normal, at geom.Vec
	s          float64
	f, g       contact.Feature
}

// points returns the points of the contact up to SpeculativeDistance.
func (g *twoGrounds) points() (all []tilePoint) {
	for i, m := range g.touch() {
		for k := range m.N {
			p := &m.Points[k]
			if p.Separation > contact.SpeculativeDistance {
				continue // the far end of an incident face, or the place where the collected part of it ends
			}
			all = append(all, tilePoint{
				m.Normal, g.fb.Apply(g.at).Add(p.AnchorB), p.Separation, m.Features[k],
				g.mem.Others[i].Features[k],
			})
		}
	}
	return all
}

func (p tilePoint) near(q tilePoint, slop float64) bool {
	return p.normal.Dist(q.normal) < slop && p.at.Dist(q.at) < slop && math.Abs(p.s-q.s) < slop
}

// same reports whether a and b have the same points, in any order.
func same(a, b []tilePoint, slop float64) bool {
	has := func(in, of []tilePoint) bool {
		for _, p := range of {
			if !slices.ContainsFunc(in, func(q tilePoint) bool { return p.near(q, slop) }) {
				return false
			}
		}
		return true
	}
	return has(a, b) && has(b, a)
}

func within(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

func anyFrame(r *rand.Rand, far float64) geom.Transform {
	return geom.Transform{P: geom.V(within(r, -far, far), within(r, -far, far)), Q: geom.NewRot(within(r, -4, 4))}
}

func tries(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// block is a grid of w by h full tiles.
func block(w, h int32) *gridseg.Grid {
	g := gridseg.New(nil)
	_ = g.Fill(gridseg.Rect{MaxX: w - 1, MaxY: h - 1}, gridseg.Tile{Shape: gridseg.Full})
	return g
}

// place puts B beside A: along a random direction, with the given overlap of their boxes in that direction.
func (g *twoGrounds) place(r *rand.Rand, overlap float64) {
	g.fa, g.fb = anyFrame(r, 50), geom.At(geom.Vec{})
	g.fb.Q = geom.NewRot(within(r, -4, 4))
	if r.IntN(3) == 0 {
		g.fb.Q = g.fa.Q.Mul(geom.NewRot(within(r, -0.01, 0.01)))
	}
	dir := geom.NewRot(within(r, -4, 4)).Apply(geom.V(1, 0))
	reach := func(grid *gridseg.Grid, t geom.Transform, d geom.Vec) float64 {
		far := math.Inf(-1)
		for _, s := range grid.AppendSegments(nil, gridseg.Rect{MinX: -100, MinY: -100, MaxX: 100, MaxY: 100}) {
			far = max(far, t.Apply(surface.Local(s.A, geom.Vec{})).Dot(d))
		}
		return far
	}
	// Somewhere along the side of A.
	mid := func(grid *gridseg.Grid, t geom.Transform) geom.Vec { return t.Apply(boxOfGrid(grid).Center()) }
	side := within(r, -1, 1) * 3
	g.fb.P = dir.Mul(reach(g.a.Grid, g.fa, dir) + reach(g.b.Grid, g.fb, dir.Neg()) - overlap)
	g.fb.P = g.fb.P.Add(dir.Left().Mul(mid(g.a.Grid, g.fa).Sub(mid(g.b.Grid, g.fb)).Dot(dir.Left()) + side))
}

// TestRectanglesOfTiles: two rectangles of tiles have the normal, the points and the separations of two boxes of that
// size.
func TestRectanglesOfTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	touching, parallel := 0, 0
	for range tries(6000) {
		wa, ha, wb, hb := 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(20)
		g := newTwoGrounds(block(int32(wa), int32(ha)), block(int32(wb), int32(hb)))
		g.at = geom.V(float64(wb)/2, float64(hb)/2)
		g.place(r, within(r, -0.02, 0.2))
		var m collide.Manifold
		box := func(w, h int) collide.Hull { return collide.NewHull(geom.NewBox(float64(w)/2, float64(h)/2)) }
		a, b := box(wa, ha), box(wb, hb)
		fa := geom.Transform{P: g.fa.Apply(geom.V(float64(wa)/2, float64(ha)/2)), Q: g.fa.Q}
		fb := geom.Transform{P: g.fb.Apply(g.at), Q: g.fb.Q}
		collide.Hulls(&m, &a, &b, fa.InvMul(fb), contact.SpeculativeDistance)
		want := []tilePoint{}
		for k := range m.N {
			if m.Points[k].Separation > contact.SpeculativeDistance {
				continue
			}
			want = append(want, tilePoint{
				normal: fa.Q.Apply(m.Normal), at: fa.Apply(m.Points[k].Anchor),
				s: m.Points[k].Separation,
			})
		}
		got := g.points()
		if m.N > 0 {
			touching++
		} else if len(got) > 0 && got[0].s > 0 {
			continue // a little earlier: see collide.TestEdgesOfConvexOutlines
		}
		// Of two nearly parallel faces, of which the second is preferred only if it is clearly better, either gives the
		// normal: Hulls sees all of them, a contact of grounds the parts near the other ground.
		if !same(got, want, 1e-9) {
			if parallel++; same(got, want, 1e-2) {
				continue
			}
			t.Fatalf("%dx%d at %+v and %dx%d at %+v:\n%+v, not\n%+v", wa, ha, g.fa, wb, hb, g.fb, got, want)
		}
	}
	if touching < tries(300) || parallel > 2+touching/30 {
		t.Errorf("%d touch, %d with another of two nearly parallel faces", touching, parallel)
	}
}

// rough is a random grid: blocks, ramps and slabs, with holes.
func rough(r *rand.Rand) *gridseg.Grid {
	g := gridseg.New(nil)
	w, h := 2+r.Int32N(8), 2+r.Int32N(8)
	shapes := []gridseg.ShapeID{
		gridseg.Full, gridseg.Full, gridseg.Full, gridseg.Ramp, gridseg.Slab, gridseg.SlopeLow,
		gridseg.SlopeHigh,
	}
	for y := range h {
		for x := range w {
			if r.IntN(5) > 0 {
				_ = g.Set(x, y, gridseg.Tile{Shape: shapes[r.IntN(len(shapes))], Turn: gridseg.Turn(r.IntN(8))})
			}
		}
	}
	return g
}

// cut returns g with each full tile made of two or three polygons.
func cut(t *testing.T, r *rand.Rand, g *gridseg.Grid) *gridseg.Grid {
	c := gridseg.New(nil)
	u := int64(gridseg.Unit)
	p := func(x, y int64) gridseg.Point { return gridseg.Point{X: x, Y: y} }
	for y := range int32(12) {
		for x := range int32(12) {
			tile := g.Tile(x, y)
			if tile.Shape != gridseg.Full {
				if err := c.Set(x, y, tile); err != nil {
					t.Fatal(err)
				}
				continue
			}
			m := 1 + r.Int64N(u-1)
			var parts [][]gridseg.Point
			switch r.IntN(4) {
			case 0:
				parts = [][]gridseg.Point{{p(0, 0), p(m, 0), p(m, u), p(0, u)}, {p(m, 0), p(u, 0), p(u, u), p(m, u)}}
			case 1:
				parts = [][]gridseg.Point{{p(0, 0), p(u, 0), p(u, m), p(0, m)}, {p(0, m), p(u, m), p(u, u), p(0, u)}}
			case 2:
				parts = [][]gridseg.Point{{p(0, 0), p(u, 0), p(u, u)}, {p(0, 0), p(u, u), p(0, u)}}
			default:
				parts = [][]gridseg.Point{
					{p(0, 0), p(m, 0), p(m, u), p(0, u)},
					{p(m, 0), p(u, 0), p(u, m), p(m, m)},
					{p(m, m), p(u, m), p(u, u), p(m, u)},
				}
			}
			for _, loop := range parts {
				if err := c.Add(x, y, [][]gridseg.Point{loop}, gridseg.Attr{}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return c
}

// TestCutsDoNotMatter: the contact of two grounds depends on their outlines alone, not on the tiles that make them.
func TestCutsDoNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	touching := 0
	for range tries(1500) {
		g := newTwoGrounds(rough(r), rough(r))
		g.at = geom.V(3, 3)
		g.place(r, within(r, -0.02, 0.4))
		h := newTwoGrounds(cut(t, r, g.a.Grid), cut(t, r, g.b.Grid))
		h.fa, h.fb, h.at = g.fa, g.fb, g.at
		p, q := g.points(), h.points()
		if len(p) > 0 {
			touching++
		}
		if !same(p, q, 1e-12) {
			t.Fatalf("at %+v and %+v:\n%+v, not\n%+v", g.fa, g.fb, q, p)
		}
	}
	if touching < tries(100) {
		t.Errorf("only %d touch", touching)
	}
}

// facesAt reports whether a face of the grid at the place p, in cells, has a normal n with n.d > 0.
func facesAt(g *gridseg.Grid, p, d geom.Vec) bool {
	for _, s := range g.AppendSegments(nil, gridseg.Rect{MinX: -1, MinY: -1, MaxX: 20, MaxY: 20}) {
		a, b := surface.Local(s.A, p), surface.Local(s.B, p)
		e := b.Sub(a)
		x := max(0, min(1, -a.Dot(e)/e.Len2()))
		if a.MulAdd(x, e).Len() < 1e-3 && e.Right().Dot(d) > 0 {
			return true
		}
	}
	return false
}

// TestNothingIsPushedFromBehind: each point lies on both outlines, and its normal leads out of A and into B: all but 1
// in 200 of two rough outlines that lie up to 0.8 deep in each other. (One of some 600 draws has a point 0.4 deep
// beside its face.)
func TestNothingIsPushedFromBehind(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	seen, wrong := 0, 0
	for range tries(1500) {
		g := newTwoGrounds(rough(r), rough(r))
		g.at = geom.V(2, 4)
		g.place(r, within(r, -0.02, 0.8))
		for _, p := range g.points() {
			if seen++; p.f.Kind == contact.Inside {
				continue // it pushes all of the body: see Scratch.part
			}
			onA, onB := p.at.MulAdd(-0.5*p.s, p.normal), p.at.MulAdd(0.5*p.s, p.normal)
			if !facesAt(g.a.Grid, g.fa.Inv(onA), g.fa.Q.Inv(p.normal)) || !facesAt(g.b.Grid, g.fb.Inv(onB),
				g.fb.Q.Inv(p.normal.Neg())) {
				wrong++
				t.Logf("at %+v and %+v: %+v", g.fa, g.fb, p)
			}
		}
	}
	if wrong > seen/200 {
		t.Errorf("%d of %d points push from behind", wrong, seen)
	}
	if seen < tries(500) {
		t.Errorf("only %d points", seen)
	}
}

// TestMotionOfBothGrounds: moving and turning both grounds turns the contact; far away, too.
func TestMotionOfBothGrounds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range tries(1500) {
		g := newTwoGrounds(rough(r), rough(r))
		g.at = geom.V(2, 4)
		g.place(r, within(r, -0.02, 0.5))
		p := g.points()
		by := anyFrame(r, 1000)
		g.fa, g.fb = by.Mul(g.fa), by.Mul(g.fb)
		g.mem.Reset() // of several ways apart, the one before is preferred
		q := g.points()
		for i := range q {
			q[i].at, q[i].normal = by.Inv(q[i].at), by.Q.Inv(q[i].normal)
		}
		if !same(p, q, 1e-8) {
			t.Fatalf("at %+v and %+v:\n%+v, not\n%+v", g.fa, g.fb, q, p)
		}
	}
}

// TestExchangeOfGrounds: exchanging both grounds mirrors the contact, except where the faces of A are preferred to
// slightly better ones of B.
func TestExchangeOfGrounds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	touching, differ := 0, 0
	for range tries(1500) {
		g := newTwoGrounds(rough(r), rough(r))
		g.at = geom.V(2, 4)
		g.place(r, within(r, -0.02, 0.5))
		h := newTwoGrounds(g.b.Grid, g.a.Grid)
		h.fa, h.fb, h.at = g.fb, g.fa, geom.V(5, 1)
		p, q := g.points(), h.points()
		for i := range q {
			q[i].normal = q[i].normal.Neg()
		}
		if len(p) > 0 {
			touching++
		}
		if !same(p, q, 1e-8) && !same(p, q, 1e-2) {
			differ++
		}
	}
	if touching < tries(200) || differ > 1+touching/50 {
		t.Errorf("%d touch, %d differ", touching, differ)
	}
}

// TestNamesStayInASlide: while a ground slides over another one, past the seams of both, its points keep their
// impulses.
func TestNamesStayInASlide(t *testing.T) {
	for _, turn := range []float64{0, 0.4636476090008061, 1.5707963267948966} {
		g := newTwoGrounds(block(40, 3), block(5, 2))
		g.fa = geom.At(geom.Vec{})
		g.fa.Q = geom.NewRot(turn)
		g.at = geom.V(2.5, 1)
		for k := range 1000 {
			g.fb = g.fa.Mul(geom.At(geom.V(0.3+float64(k)*0.03, 2.995)))
			m := g.touch()
			if len(m) != 1 || m[0].N != 2 || m[0].Normal.Dist(g.fa.Q.Apply(geom.V(0, 1))) > 1e-12 {
				t.Fatalf("turned by %v, step %d: %+v", turn, k, m)
			}
			for j := range m[0].N {
				p := &m[0].Points[j]
				if p.NormalImpulse != float32(j+1) && k > 0 {
					t.Fatalf("turned by %v, step %d: the impulse %v, not %d", turn, k, p.NormalImpulse, j+1)
				}
				p.NormalImpulse = float32(j + 1)
			}
		}
	}
}

// bowl is a floor of w tiles, two deep, with a wall as high at each end.
func bowl(w int32) *gridseg.Grid {
	g := gridseg.New(nil)
	for _, r := range []gridseg.Rect{
		{MinX: -2, MinY: -2, MaxX: w + 1, MaxY: -1},
		{MinX: -2, MaxX: -1, MaxY: w},
		{MinX: w, MaxX: w + 1, MaxY: w},
	} {
		_ = g.Fill(r, gridseg.Tile{Shape: gridseg.Full})
	}
	return g
}

// BenchmarkOutlines is one contact of two grounds, of which one slides, in the narrow phase: 20 x 20 or 100 x 100 tiles
// on each other, a corner of as many on the other ground, and a corner of as many on the floor of a bowl, whose box
// holds all of them.
func BenchmarkOutlines(b *testing.B) {
	for _, n := range []int32{20, 100} {
		for _, c := range []struct {
			name string
			on   *gridseg.Grid
			turn float64
			at   geom.Vec
		}{
			{"flat", block(n, n), 0, geom.V(2, float64(n)-0.005)},
			{"corner", block(n, n), 0.5, geom.V(2, float64(n)-0.005)},
			{"bowl", bowl(2 * n), 0.5, geom.V(float64(n)*0.7, -0.005)},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				g := newTwoGrounds(c.on, block(n, n))
				g.fa = geom.At(geom.Vec{})
				g.at = geom.V(float64(n)/2, float64(n)/2)
				g.fb = geom.Transform{P: c.at, Q: geom.NewRot(c.turn)}
				b.ReportAllocs()
				for k := 0; b.Loop(); k++ {
					g.fb.P.X = c.at.X + float64(k%64)/6
					if len(g.touch()) == 0 {
						b.Fatal("no contact")
					}
				}
			})
		}
	}
}
