package narrow

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// slowComb is a comb as found the slow way: all of its tops at once.
type slowComb struct {
	n      geom.Vec  // the way that they face
	height float64   // of their line along n, in cells
	from   float64   // where those that the shape lies on begin and end, along n.Left()
	to     float64   //
	tops   []slowRun // those, in the order along n.Left()
}

// level returns which way a run along an axis faces.
func (r slowRun) level() (n geom.Vec, ok bool) {
	a, b := surface.Local(r[0].A, geom.Vec{}), surface.Local(r[len(r)-1].B, geom.Vec{})
	n, _ = b.Sub(a).Right().Unit()
	return geom.V(n.X+0, n.Y+0), a.X == b.X || a.Y == b.Y
}

// ends returns where a run begins and ends along t.
func (r slowRun) ends(t geom.Vec) (float64, float64) {
	return t.Dot(surface.Local(r[0].A, geom.Vec{})), t.Dot(surface.Local(r[len(r)-1].B, geom.Vec{}))
}

// slowCombs finds the combs that h lies on among the runs, and returns what there is
// to be asked: the runs, and in the place of the first top of each comb all of those
// that the shape lies on.
func slowCombs(runs []slowRun, h *collide.Hull, at geom.Transform, origin geom.Vec) (ask []slowRun, combs []slowComb) {
	if len(runs) < 2 || h.N < 2 {
		return runs, nil
	}
	for _, n := range []geom.Vec{{X: 0, Y: 1}, {X: 0, Y: -1}, {X: 1, Y: 0}, {X: -1, Y: 0}} {
		t := n.Left()
		lines := map[float64][]slowRun{}
		for _, r := range runs {
			if m, ok := r.level(); ok && m == n {
				height := n.Dot(surface.Local(r[0].A, geom.Vec{}))
				lines[height] = append(lines[height], r)
			}
		}
		for height, all := range lines {
			if len(all) < 2 {
				continue
			}
			// The part of the edge that faces the line which is near it.
			up := func(p geom.Vec) float64 { return n.Dot(p) - (height - n.Dot(origin) + h.Radius) }
			deep, face := false, 0
			for i := range h.N {
				deep = deep || up(at.Apply(h.V[i])) < -surface.CombDip
				if n.Dot(at.Q.Apply(h.Nrm[i])) < n.Dot(at.Q.Apply(h.Nrm[face])) {
					face = i
				}
			}
			var zone []float64
			p, q := at.Apply(h.V[face]), at.Apply(h.V[(face+1)%h.N])
			for _, f := range []float64{0, 1, (contact.SpeculativeDistance - up(p)) / (up(q) - up(p))} {
				if f >= 0 && f <= 1 && up(p.Lerp(q, f)) <= contact.SpeculativeDistance+1e-12 {
					zone = append(zone, t.Dot(p.Lerp(q, f)))
				}
			}
			if deep || len(zone) == 0 {
				continue
			}
			lo, hi := slices.Min(zone)+t.Dot(origin), slices.Max(zone)+t.Dot(origin)
			k := slowComb{n: n, height: height, from: math.MaxFloat64, to: -math.MaxFloat64}
			over := 0.0
			for _, r := range all {
				a, b := r.ends(t)
				if w := min(b, hi) - max(a, lo); w > 1e-9 {
					over += w
					k.tops = append(k.tops, r)
					k.from, k.to = min(k.from, a), max(k.to, b)
				}
			}
			if over < surface.CombHold {
				continue
			}
			slices.SortFunc(k.tops, func(p, q slowRun) int {
				a, _ := p.ends(t)
				b, _ := q.ends(t)
				return int(math.Copysign(1, a-b))
			})
			off := false
			for i, r := range k.tops {
				first, last := &r[0], &r[len(r)-1]
				off = off || i > 0 && first.HasGhost1 && n.Dot(surface.Local(first.Ghost1, geom.Vec{})) > height
				off = off || i < len(k.tops)-1 && last.HasGhost2 &&
					n.Dot(surface.Local(last.Ghost2, geom.Vec{})) > height
			}
			if !off {
				combs = append(combs, k)
			}
		}
	}
	for _, r := range runs {
		if k, i := combOfTop(combs, r); k != nil {
			first := slices.IndexFunc(runs, func(q slowRun) bool {
				p, i := combOfTop(combs, q)
				return p == k && i >= 0
			})
			if i >= 0 && &runs[first][0] == &r[0] {
				ask = append(ask, slices.Concat(k.tops...))
			}
		} else if !sideOfComb(combs, r) {
			ask = append(ask, r)
		}
	}
	return ask, combs
}

// combOfTop returns the comb on whose line r is, and which of the tops that the shape
// lies on r is, or -1.
func combOfTop(combs []slowComb, r slowRun) (*slowComb, int) {
	n, ok := r.level()
	for j := range combs {
		k := &combs[j]
		if ok && n == k.n && n.Dot(surface.Local(r[0].A, geom.Vec{})) == k.height {
			return k, slices.IndexFunc(k.tops, func(q slowRun) bool { return &q[0] == &r[0] })
		}
	}
	return nil, -1
}

// slowLoad gives the points of m, on tops from a to b, the impulses of the manifolds before that m replaces: their
// sum, divided such that its torque stays the same. A manifold is replaced if it has the normal and height of m; one
// of a single vertex, only if the vertex is between a and b.
func slowLoad(m *contact.SurfaceManifold, old []contact.SurfaceManifold, a, b gridseg.Point) {
	along := m.Normal.Left()
	var push, rub, turn float64
	for _, o := range old {
		higher := func(p contact.Point) bool {
			return math.Abs(m.Normal.Dot(p.AnchorA.Sub(m.Points[0].AnchorA))) >= contact.SpeculativeDistance
		}
		if o.N == 0 || o.Normal.Dot(m.Normal) < contact.SameNormal || slices.ContainsFunc(o.Points[:o.N], higher) {
			continue
		}
		if f := o.Features[0]; o.N == 1 && f.Kind == contact.Vertex && (f.X < min(a.X, b.X) || f.X > max(a.X, b.X) ||
			f.Y < min(a.Y, b.Y) || f.Y > max(a.Y, b.Y)) {
			continue
		}
		for _, p := range o.Points[:o.N] {
			push += float64(p.NormalImpulse)
			rub += float64(p.TangentImpulse)
			turn += float64(float64(p.NormalImpulse) * along.Dot(p.AnchorB))
		}
	}
	if push == 0 {
		return
	}
	share := [2]float64{1, 0}
	if m.N == 2 {
		share[1] = 0.5
		if x0, x1 := along.Dot(m.Points[0].AnchorB), along.Dot(m.Points[1].AnchorB); x0 != x1 {
			share[1] = min(1, max(0, (turn/push-x0)/(x1-x0)))
		}
		share[0] = 1 - share[1]
	}
	for i := range m.N {
		p := &m.Points[i]
		p.NormalImpulse, p.TangentImpulse = float32(share[i]*push), float32(share[i]*rub)
	}
}

// sideOfComb reports whether r leads straight down from a top of a comb, or up to one.
func sideOfComb(combs []slowComb, r slowRun) bool {
	first, last := &r[0], &r[len(r)-1]
	n, ok := r.level()
	for _, k := range combs {
		if !ok || n.Dot(k.n) != 0 {
			continue
		}
		up := func(p geom.Vec) float64 { return k.n.Dot(p) - k.height }
		a, b := up(surface.Local(first.A, geom.Vec{})), up(surface.Local(last.B, geom.Vec{}))
		if a == 0 && b < 0 && first.HasGhost1 && up(surface.Local(first.Ghost1, geom.Vec{})) == 0 ||
			b == 0 && a < 0 && last.HasGhost2 && up(surface.Local(last.Ghost2, geom.Vec{})) == 0 {
			return true
		}
	}
	return false
}

// atComb reports whether the end of r that id names is at a comb, pushed its way.
func atComb(combs []slowComb, id collide.FeatureID, r slowRun, normal geom.Vec) bool {
	var p geom.Vec
	switch {
	case id.CornerA():
		p = surface.Local(r[0].A, geom.Vec{})
	case id.CornerB():
		p = surface.Local(r[len(r)-1].B, geom.Vec{})
	default:
		return false
	}
	for _, k := range combs {
		if x := k.n.Left().Dot(p); k.n.Dot(p) == k.height && k.from <= x && x <= k.to &&
			k.n.Dot(normal) >= contact.SameNormal {
			return true
		}
	}
	return false
}
