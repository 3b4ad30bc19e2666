package collide

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// lowestOver returns how far below the line of the face the core gets between
// the face's side planes: its vertices there, and where its edges cross them.
func lowestOver(f *Face, core []geom.Vec) float64 {
	t, length := f.B.Sub(f.A).Unit()
	n := t.Right()
	least := math.MaxFloat64
	a := core[len(core)-1]
	for _, b := range core {
		xa, xb := t.Dot(a.Sub(f.A)), t.Dot(b.Sub(f.A))
		if xb >= 0 && xb <= length {
			least = min(least, n.Dot(b.Sub(f.A)))
		}
		for _, x := range []float64{0, length} {
			if (xa-x)*(xb-x) < 0 {
				least = min(least, n.Dot(a.Lerp(b, (x-xa)/(xb-xa)).Sub(f.A)))
			}
		}
		a = b
	}
	return least
}

// faceContacts returns the permitted manifolds of a face and a hull along a valid normal:
// the hull's edge cut by the face's side planes, the face cut by the planes of the hull's edge
// that has this normal, or two corners.
func faceContacts(f *Face, h *Hull, at geom.Transform, normal geom.Vec) (all []contact) {
	ground := Hull{N: 2}
	ground.V[0], ground.V[1] = f.A, f.B
	g, e := exactPlaced(&ground, still), exactPlaced(h, at)
	for _, slack := range []float64{sideSlop - tie, sideSlop + tie} {
		if normal.Dist(normalOf(f)) < 1e-9 {
			for _, j := range e.against(g.n[0]) {
				all = append(all, atMargin(margin, func(limit float64) contact {
					return clipped(&g, &e, 0, j, limit, slack, false, false)
				})...)
			}
		}
		for j := range e.n {
			if e.n[j].neg().vec().Dist(normal) < 1e-9 {
				all = append(all, atMargin(margin, func(limit float64) contact {
					return clipped(&e, &g, j, 0, limit, slack, true, false)
				})...)
			}
		}
	}
	for i, p := range g.v {
		for j, q := range e.v {
			d := q.sub(p)
			if l := d.len(); l.Sign() > 0 && d.unit().vec().Dist(normal) < 1e-9 {
				c := contact{normal: normal}
				c.at(q, d.unit(), l, g.r, e.r, margin, pair(vertex(i), vertex(j)))
				all = append(all, c)
			}
		}
		// A corner under an edge of the hull, which the ground runs back below.
		for j := range e.n {
			if n := e.n[j].neg(); n.vec().Dist(normal) < 1e-9 {
				c := contact{normal: normal}
				c.at(p, n.neg(), e.n[j].dot(p.sub(e.v[j])), e.r, g.r, margin, pair(edge(j), vertex(i)).Flip())
				all = append(all, c)
			}
		}
	}
	return all
}

// among reports whether the points of c are all of one of all: fewer, if others
// are hidden.
func among(c contact, all []contact, eps float64) bool {
	for _, w := range all {
		kept := contact{normal: w.normal}
		for _, p := range w.points {
			for _, q := range c.points {
				if p.ID == q.ID {
					kept.points = append(kept.points, p)
				}
			}
		}
		if isOneOf(c, []contact{kept}, eps) {
			return true
		}
	}
	return false
}

// TestFacesAgainstOracle: for the normal that a face chooses (TestGaussMapEveryCorner
// checks the choice), the points are as by exact clipping, or the lowest point of a
// core that crosses the face. If one frame moves ground and body, it moves the manifold,
// unless a billionth of a unit would change the manifold.
func TestFacesAgainstOracle(t *testing.T) {
	d := newDice(40)
	all := bends()
	met, low, ties := 0, 0, 0
	for range poses(200_000) {
		c, ok := newCountry(all[d.IntN(len(all))], all[d.IntN(len(all))], d.size(0.1, 10), d.size(0.1, 10),
			d.size(0.1, 10))
		if !ok {
			continue
		}
		f := &c.faces[c.middle]
		face := NewHull(geom.Segment{A: f.A, B: f.B})
		h := d.body()
		at := d.beside(&face, &h)
		if y := at.Apply(h.Centroid).Y; y < 0 {
			at.P.Y -= 2 * y
		}
		if at.Apply(h.Centroid).Y < 2*tie {
			continue // before the face or behind, as rounding falls
		}
		var m Manifold
		FaceHull(&m, f, &h, at, margin)
		if m.N > 0 && h.N > 1 {
			met++
			if got := contactOf(&m); !among(got, faceContacts(f, &h, at, m.Normal), 1e-9) {
				low++
				want := lowestOver(f, placed(&h, at)) - h.Radius
				hidden := (c.a.angle < 0 || c.b.angle < 0) && m.Points[0].Separation > want
				if m.N != 1 || m.Normal != normalOf(f) || math.Abs(m.Points[0].Separation-want) > 1e-9 && !hidden {
					t.Fatalf("%v, %v: %+v at %v on %+v: %+v, the lowest is %v", c.a, c.b, h, at, f, m, want)
				}
			}
		}
		if h.N == 1 {
			continue // TestCircleAgainstVoronoi
		}

		g := geom.Transform{P: d.vec(20), Q: geom.NewRot(d.within(-4, 4))}
		moved := Face{
			A: g.Apply(f.A), B: g.Apply(f.B), Ghost1: g.Apply(f.Ghost1), Ghost2: g.Apply(f.Ghost2),
			HasGhost1: f.HasGhost1, HasGhost2: f.HasGhost2,
		}
		var w Manifold
		FaceHull(&w, &moved, &h, g.Mul(at), margin)
		back := contactOf(&w).seen(g)
		same := []contact{contactOf(&m)}
		if isOneOf(back, same, 1e-9) {
			continue
		}
		ties++
		for _, dx := range []float64{-tie, 0, tie} {
			for _, dy := range []float64{-tie, 0, tie} {
				for _, turn := range []float64{-tie, 0, tie} {
					near := geom.Transform{P: at.P.Add(geom.V(dx, dy)), Q: geom.NewRot(turn).Mul(at.Q)}
					FaceHull(&m, f, &h, near, margin)
					same = append(same, contactOf(&m))
				}
			}
		}
		if !isOneOf(back, same, 1e-5) { // a needle is a thousand times as long as thick
			t.Fatalf("%v, %v: %+v at %v on %+v moved by %v: %+v, not one of %+v", c.a, c.b, h, at, f, g, back, same)
		}
	}
	t.Logf("%d met, %d of them by their lowest point; %d ties when moved", met, low, ties)
}
