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
	"github.com/quarry2d/quarry/internal/gridtest"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/surface"
)

// The contact of a shape and a ground, the slow way: every segment of the cells under the shape,
// joined by a search for each next one. The fast way must give the same manifolds to the last bit.

// slowRun is a chain of collinear segments.
type slowRun []gridseg.Segment

func slowRuns(segments []gridseg.Segment) (runs []slowRun) {
	at := map[gridseg.SegmentID]int{}
	for i, s := range segments {
		at[s.ID] = i
	}
	next, joined := map[int]int{}, map[int]bool{}
	for i, s := range segments {
		ux, uy, vx, vy := s.B.X-s.A.X, s.B.Y-s.A.Y, s.Ghost2.X-s.B.X, s.Ghost2.Y-s.B.Y
		if !s.HasGhost2 || ux*vy != uy*vx || ux*vx+uy*vy <= 0 {
			continue
		}
		if j, ok := at[s.Next]; ok {
			next[i], joined[j] = j, true
		}
	}
	for i := range segments {
		if joined[i] {
			continue
		}
		run := slowRun{segments[i]}
		for j, ok := next[i]; ok; j, ok = next[j] {
			run = append(run, segments[j])
		}
		runs = append(runs, run)
	}
	return runs
}

func (r slowRun) face(origin geom.Vec) collide.Face {
	a, b := &r[0], &r[len(r)-1]
	f := collide.Face{A: surface.Local(a.A, origin), B: surface.Local(b.B, origin)}
	if a.HasGhost1 {
		f.Ghost1, f.HasGhost1 = surface.Local(a.Ghost1, origin), true
	}
	if b.HasGhost2 {
		f.Ghost2, f.HasGhost2 = surface.Local(b.Ghost2, origin), true
	}
	return f
}

func (r slowRun) under(p, origin geom.Vec) *gridseg.Segment {
	for i := range r {
		end := surface.Local(r[i].B, origin)
		if i == len(r)-1 || p.Sub(end).Dot(end.Sub(surface.Local(r[i].A, origin))) < 0 {
			return &r[i]
		}
	}
	panic("empty")
}

func slowHidden(segments []gridseg.Segment, p *collide.Point, n geom.Vec, c, origin geom.Vec) bool {
	foot := p.Anchor.MulAdd(-0.5*p.Separation, n)
	d := foot.Sub(c)
	// side is on which side of the way to foot p is: 0 is on it.
	side := func(p gridseg.Point) int {
		switch x := d.Cross(surface.Local(p, origin).Sub(c)); {
		case x > surface.OcclusionSlop*d.Len():
			return 1
		case x < -surface.OcclusionSlop*d.Len():
			return -1
		}
		return 0
	}
	for i := range segments {
		s := &segments[i]
		a, b := surface.Local(s.A, origin).Sub(c), surface.Local(s.B, origin).Sub(c)
		away := b.Sub(a).Right()
		if h0, h1 := -away.Dot(a), away.Dot(d.Sub(a)); h0 <= 0 || h1 >= -surface.OcclusionSlop*math.Sqrt(away.Len2()) {
			continue
		}
		x, y := side(s.A), side(s.B)
		switch {
		case x != 0 && y != 0 && x != y,
			x == 0 && y != 0 && s.HasGhost1 && side(s.Ghost1) == -y,
			y == 0 && x != 0 && s.HasGhost2 && side(s.Ghost2) == -x:
			return true
		}
	}
	return false
}

func slowFeature(id collide.FeatureID, r slowRun) contact.Feature {
	f := contact.Feature{Kind: contact.Vertex, Pair: collide.FeatureID(id.HullFeature())}
	switch {
	case id.CornerA():
		f.X, f.Y = r[0].A.X, r[0].A.Y
	case id.CornerB():
		f.X, f.Y = r[len(r)-1].B.X, r[len(r)-1].B.Y
	default:
		a, b := r[0].A, r[0].B
		dx, dy := b.X-a.X, b.Y-a.Y
		x, y := max(dx, -dx), max(dy, -dy)
		for y != 0 {
			x, y = y, x%y
		}
		dx, dy = dx/x, dy/x
		f.Kind, f.X, f.Y = contact.Line, a.X*dy-a.Y*dx, dx<<32|int64(uint32(dy))
	}
	return f
}

// ends counts the points that slowTouch found at a corner where another was that is
// pushed another way.
var ends int

// combed counts the combs.
var combed int

// slowGround returns the manifolds of the rig without the exits of solid ground. old are the manifolds of the step
// before.
func (g *rig) slowGround(old []contact.SurfaceManifold) (found []contact.SurfaceManifold) {
	t := g.frame
	origin := t.Inv(g.center)
	q := t.Q.InvMul(g.rot)
	at := geom.Transform{P: q.Apply(g.localCenter).Neg(), Q: q}
	centroid := at.Apply(g.hull.Centroid)
	box := g.hull.Bounds(at).Expand(contact.SpeculativeDistance).Translate(origin)
	r, ok := surface.Cells(box)
	if !ok {
		return nil
	}
	var sq surface.Filter
	if g.tiles.HasWays() {
		var oq surface.WayQuery
		g.setOneWay(&oq, at, origin, old)
		sq.CollectSweep(&g.tiles, &oq, r)
	}
	if !sq.Listed {
		sq.Segments = g.tiles.Grid.AppendSegments(nil, r)
		if g.tiles.Grid.Engine(lattice.Key{}).Preserves() {
			sq.Segments = g.tiles.Grid.AppendSegments(nil, surface.GrowRect(r))
			sq.CancelPreserved()
			sq.KeepCells(r)
		}
	}
	has := func(f contact.Feature, n geom.Vec) (met, same bool) {
		for _, m := range found {
			if m.N > 0 && m.Features[0] == f || m.N > 1 && m.Features[1] == f {
				met, same = true, same || m.Normal.Dot(n) >= contact.SameNormal
			}
		}
		return met, same
	}
	runs := slowRuns(sq.Segments)
	if len(runs) > 1 { // those in reach of the box
		far := surface.CullBoxOf(box, centroid.Add(origin))
		runs = slices.DeleteFunc(runs, func(r slowRun) bool {
			return far.Misses(&gridseg.Run{A: r[0].A, B: r[len(r)-1].B})
		})
	}
	ask, combs := slowCombs(runs, &g.hull, at, origin)
	combed += len(combs)
	for _, run := range ask {
		f := run.face(origin)
		top, _ := combOfTop(combs, run)
		strange := false
		var m collide.Manifold
		collide.FaceHull(&m, &f, &g.hull, at, contact.SpeculativeDistance)
		var out contact.SurfaceManifold
		out.Normal = t.Q.Apply(m.Normal)
		for k := range m.N {
			from := &m.Points[k]
			if surface.MayOcclude(&f, centroid) && slowHidden(sq.Segments, from, m.Normal, centroid, origin) {
				continue
			}
			if top == nil && atComb(combs, from.ID, run, m.Normal) {
				continue
			}
			var p contact.Point
			name := slowFeature(from.ID, run)
			if met, same := has(name, out.Normal); same {
				continue
			} else if met {
				line := slowFeature(0, run)
				name.Kind, name.X, name.Y = contact.LineEnd, line.X, line.Y
				ends++
			}
			on := run.under(from.Anchor, origin)
			p.AnchorB = t.Q.Apply(from.Anchor)
			p.AnchorA = p.AnchorB.Add(g.apart())
			p.Separation = from.Separation
			took := false
			for j := range old {
				took = took || p.Inherit(&name, &old[j])
			}
			for j := range old {
				took = took || p.InheritNear(&old[j].Manifold, out.Normal)
			}
			strange = strange || !took
			out.Points[out.N], out.Features[out.N] = p, name
			out.Sources[out.N] = contact.Source{
				Material: g.tiles.Material(on.Tile.Material), Cell: on.ID.Cell,
				Tile: on.Tile,
			}
			out.N++
		}
		if out.N == 0 {
			continue
		}
		if strange && top != nil {
			slowLoad(&out, old, run[0].A, run[len(run)-1].B)
		}
		for j := range old {
			if out.Features[0] == old[j].Features[0] || out.Normal.Dot(old[j].Normal) >= 0.95 {
				out.RollImpulse = old[j].RollImpulse
				break
			}
		}
		found = append(found, out)
	}
	return found
}

// sameBits reports whether two manifolds are one, zeros with their signs.
func sameBits(a, b contact.SurfaceManifold) bool {
	v := func(p, q geom.Vec) bool {
		return math.Float64bits(p.X) == math.Float64bits(q.X) && math.Float64bits(p.Y) == math.Float64bits(q.Y)
	}
	same := a == b && v(a.Normal, b.Normal)
	for k := range a.Points {
		p, q := &a.Points[k], &b.Points[k]
		same = same && v(p.AnchorA, q.AnchorA) && v(p.AnchorB, q.AnchorB) &&
			math.Float64bits(p.Separation) == math.Float64bits(q.Separation)
	}
	return same
}

// rig is one shape on one body over a ground, with its contact.
type rig struct {
	tiles       surface.Tiles
	ways        surface.Ways
	frame       geom.Transform // of the ground's body, whose centre of mass is its origin
	hull        collide.Hull
	innerRadius float64
	localCenter geom.Vec
	center      geom.Vec
	rot         geom.Rot
	was         geom.Transform // of the body at the start of the last step
	velocity    geom.Vec

	memory  Memory
	scratch Scratch
	query   surface.WayQuery
	in      Input
	out     Outcome
}

func newRig(g *gridseg.Grid, s geom.Shape) *rig {
	r := &rig{tiles: surface.Tiles{Grid: g, Version: 1}, frame: geom.At(geom.Vec{}), rot: geom.Identity}
	r.hull, r.localCenter = collide.NewHull(s), s.Mass(1).Center
	r.innerRadius = r.hull.Radius
	if h := &r.hull; h.N > 2 {
		least := math.MaxFloat64
		for i := range h.N {
			least = min(least, h.V[i].Sub(h.Centroid).Dot(h.Nrm[i]))
		}
		r.innerRadius += least
	}
	r.was = r.transform()
	r.velocity = geom.V(0, 2*PushSpeed) // too fast to be pushed to a free spot
	return r
}

// transform returns the frame of the shape's body.
func (g *rig) transform() geom.Transform {
	return geom.Transform{P: g.center.Sub(g.rot.Apply(g.localCenter)), Q: g.rot}
}

func (g *rig) apart() geom.Vec { return g.center.Sub(g.frame.P) }

func (g *rig) setOneWay(q *surface.WayQuery, now geom.Transform, origin geom.Vec, old []contact.SurfaceManifold) {
	last, own := g.frame.InvMul(g.was), surface.WayShape{Hull: &g.hull, Stood: g.memory.OneWay.Stood}
	*q = surface.WayQuery{
		Was: geom.Transform{P: last.P.Sub(origin), Q: last.Q}, Now: now, Origin: origin, Old: old,
		Shapes: append(q.Shapes[:0], own), Own: own, Memory: &g.memory.OneWay,
	}
	q.Prepare()
}

// touch runs the narrow phase.
func (g *rig) touch() []contact.SurfaceManifold {
	in := &g.in
	in.Set(g.frame, g.center, g.rot, g.localCenter)
	in.Tiles, in.Hull, in.InnerRadius = &g.tiles, &g.hull, g.innerRadius
	in.Apart, in.Velocity, in.OneWay = g.apart(), g.velocity, nil
	if g.tiles.HasWays() {
		in.OneWay = &g.query
		g.setOneWay(in.OneWay, in.At, in.Origin, g.memory.Manifolds)
	}
	g.scratch.Ground(&g.out, &g.memory, in)
	g.memory.OneWay.Note(g.memory.Manifolds, &g.ways)
	return g.memory.Manifolds
}

// TestGroundAsTheSlowWay compares the contact of a shape and a ground with the slow way: over
// random ground that is dug and built meanwhile, with and without one-way tiles and preserved
// layers, over the borders of chunks and far away; shapes of all kinds and sizes that
// rest, slide, turn and jump.
func TestGroundAsTheSlowWay(t *testing.T) {
	worlds, moves := 96, 120
	if testing.Short() {
		worlds = 16
	}
	points, inside, layered, planked := 0, 0, 0, 0
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 5))
		o := gridseg.Cell{X: -gridtest.Size / 2, Y: -gridtest.Size / 2}
		if seed%4 == 3 {
			o = gridseg.Cell{X: 10_000_000, Y: -10_000_000}
		}
		frame, angle := geom.At(geom.V(r.Float64(), r.Float64())), 0.0
		if seed%3 == 0 {
			angle = 6 * r.Float64()
			frame.Q = geom.NewRot(angle)
		}
		grid := gridtest.Ground(t, r, o, seed%16/8 == 1)
		g := newRig(grid, gridtest.Shape(r))
		if seed%8 >= 6 {
			g.ways.Set([]surface.Direction{surface.None, surface.None, surface.Up, surface.Left})
			g.tiles.SetWays(&g.ways)
		}
		g.frame = frame
		g.center = frame.Apply(geom.V(float64(o.X), float64(o.Y))).Add(g.localCenter)
		jump := false
		for move := range moves {
			if r.IntN(3) == 0 {
				gridtest.Edit(r, grid, o)
				grid.Resolve()
				g.tiles.Version++
			}
			g.was = g.transform() // as if each move were a step
			switch {
			case move%15 == 0 || jump:
				// To somewhere on the surface, as deep as it may be.
				segs := grid.AppendSegments(nil, gridseg.Rect{
					MinX: o.X, MinY: o.Y, MaxX: o.X + gridtest.Size,
					MaxY: o.Y + gridtest.Size,
				})
				if len(segs) == 0 {
					continue
				}
				s := &segs[r.IntN(len(segs))]
				p, e := surface.Local(s.A, geom.Vec{}), surface.Local(s.B, surface.Local(s.A, geom.Vec{}))
				n, _ := e.Right().Unit()
				g.rot = geom.NewRot(angle + []float64{
					0, math.Pi / 4, math.Atan2(n.X, -n.Y),
					6 * r.Float64(),
				}[r.IntN(4)])
				low := math.MaxFloat64
				for k := range g.hull.N {
					low = min(low, frame.Q.Apply(n).Dot(g.rot.Apply(g.hull.V[k].Sub(g.localCenter))))
				}
				up := g.hull.Radius - low + []float64{-0.5, -0.01, -0.002, 0, 0.01, 0.03}[r.IntN(6)]
				g.center = frame.Apply(p.MulAdd(r.Float64(), e).MulAdd(up, n))
			case move%15 < 8:
				g.center = g.center.Add(frame.Q.Apply(geom.V(0.3*r.NormFloat64(), 0.002*r.NormFloat64())))
			case move%15 < 11:
				g.rot = g.rot.Mul(geom.NewRot(0.05 * r.NormFloat64())).Norm()
			}
			jump = false
			want := g.slowGround(slices.Clone(g.memory.Manifolds))
			got := g.touch()
			if g.out.Stuck.PushesOut() {
				inside++
				jump = true
				continue
			}
			if sq := &g.scratch.Tiles; !sq.Listed && len(got) > 0 {
				if grid.Engine(lattice.Key{}).Preserves() {
					layered++
				}
				if g.tiles.Way(got[0].Sources[0].Tile) != surface.None {
					planked++
				}
			}
			if !slices.EqualFunc(got, want, sameBits) {
				t.Fatalf("world %d, move %d: touches\n%+v\nwant\n%+v", seed, move, got, want)
			}
			deepest := 0.0
			for i := range got {
				m := &got[i]
				m.RollImpulse = r.Float32()
				points += int(m.N)
				deepest = min(deepest, m.LeastSeparation())
				for k := range m.N {
					m.Points[k].NormalImpulse, m.Points[k].TangentImpulse = r.Float32(), r.Float32()
				}
			}
			if g.out.Touching != (len(got) > 0) || g.out.Deepest != deepest {
				t.Fatalf("world %d, move %d: outcome %+v of %d manifolds, %v deep", seed, move, g.out, len(got),
					deepest)
			}
		}
	}
	t.Logf("%d points, %d of them second ones at a corner; %d combs; simple %d times among layers, %d on one-way tiles",
		points, ends, combed, layered, planked)
	if points < 100*worlds {
		t.Errorf("%d points in %d worlds (and %d times inside)", points, worlds, inside)
	}
}

// TestGroundAllocatesNothing: once warm, of a body of any width, sliding.
func TestGroundAllocatesNothing(t *testing.T) {
	for _, wide := range []float64{0.5, 10, 300} {
		grid := gridseg.New(nil)
		gridtest.Grounds["bumpy"](grid)
		grid.Resolve()
		g := newRig(grid, geom.NewBox(wide/2, 1))
		slide := func() {
			for k := range 40 {
				g.center = geom.V(float64(k)/6, 1-geom.LinearSlop/2)
				g.touch()
			}
		}
		slide()
		if n := testing.AllocsPerRun(5, slide); n > 0 {
			t.Errorf("%v cells wide: %v allocations", wide, n)
		}
	}
}
