package quarry_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// The oracle of queries is a list of convex pieces, in the frame of the whole world before it is turned
// and moved far away: shapes, tiles and chain segments. Gaps are computed from all pairs of vertices and
// edges, and from the axes of all edges; casts by moving on by the gap until it is small.

// piece is a convex polygon, segment or point with a radius.
type piece struct {
	v     []geom.Vec
	r     float64
	shape quarry.ShapeID
	chain quarry.ChainID
	cell  gridseg.Cell
	tile  bool
	index int // of a chain's segment
}

// moved returns p moved by d.
func (p piece) moved(d geom.Vec) piece {
	v := make([]geom.Vec, len(p.v))
	for i := range v {
		v[i] = p.v[i].Add(d)
	}
	p.v = v
	return p
}

// pieceOf returns a shape, in the frame t.
func pieceOf(s geom.Shape, t geom.Transform) (p piece) {
	switch s := s.(type) {
	case geom.Circle:
		p.v, p.r = []geom.Vec{s.Center}, s.Radius
	case geom.Capsule:
		p.v, p.r = []geom.Vec{s.A, s.B}, s.Radius
	case geom.Segment:
		p.v = []geom.Vec{s.A, s.B}
	case geom.Polygon:
		p.v, p.r = append(p.v, s.Vertices[:s.N]...), s.Radius
	}
	for i := range p.v {
		p.v[i] = t.Apply(p.v[i])
	}
	return p
}

// distTo returns the distance of q from the segment a-b.
func distTo(q, a, b geom.Vec) float64 {
	e := b.Sub(a)
	t := 0.0
	if l := e.Dot(e); l > 0 {
		t = max(0, min(1, q.Sub(a).Dot(e)/l))
	}
	return q.Sub(a.Add(e.Mul(t))).Len()
}

// signedGap returns the distance of two pieces, negative by the depth if they overlap.
func signedGap(a, b piece) float64 {
	dist := math.Inf(1)
	for _, side := range [2][2]piece{{a, b}, {b, a}} {
		p, q := side[0], side[1]
		for _, v := range p.v {
			for i := range q.v {
				dist = min(dist, distTo(v, q.v[i], q.v[(i+1)%len(q.v)]))
			}
		}
	}
	separation := math.Inf(-1)
	for _, side := range [2][2]piece{{a, b}, {b, a}} {
		p, q := side[0], side[1]
		if len(p.v) < 2 {
			continue
		}
		for i := range p.v {
			n, l := p.v[(i+1)%len(p.v)].Sub(p.v[i]).Right().Unit()
			if l == 0 {
				continue
			}
			low := math.Inf(1)
			for _, v := range q.v {
				low = min(low, n.Dot(v.Sub(p.v[i])))
			}
			separation = max(separation, low)
		}
	}
	if separation < 0 && (len(a.v) > 1 || len(b.v) > 1) {
		return separation - a.r - b.r // the cores overlap
	}
	return dist - a.r - b.r
}

// scene is a world and its oracle.
type scene struct {
	w      *quarry.World
	frame  geom.Transform // of the oracle in the world
	pieces []piece
	ground quarry.Ground
	chains []quarry.Chain
	hasGrd bool
}

func drawPoint(t *rapid.T, name string, most float64) geom.Vec {
	return geom.V(rapid.Float64Range(-most, most).Draw(t, name+"x"), rapid.Float64Range(-most, most).Draw(t, name+"y"))
}

// drawScene draws a world of shapes, tiles and chain loops.
func drawScene(t *rapid.T) *scene {
	s := &scene{w: quarry.NewWorld(quarry.Config{})}
	far := rapid.SampledFrom([]float64{0, 0, 1000, 1e7}).Draw(t, "far")
	s.frame = geom.Transform{
		P: geom.V(far, -0.7*far),
		Q: geom.NewRot(rapid.SampledFrom([]float64{0, 0, 0.3, 2, -1.1}).Draw(t, "turn")),
	}
	kind := rapid.SampledFrom([]quarry.BodyType{quarry.Static, quarry.Kinematic}).Draw(t, "carrier")
	carrier := s.w.AddBody(quarry.BodyDef{Type: kind, Position: s.frame.P, Angle: s.frame.Q.Angle()})
	for range rapid.IntRange(0, 8).Draw(t, "shapes") {
		at := geom.Transform{P: drawPoint(t, "p", 8), Q: geom.NewRot(rapid.Float64Range(-3, 3).Draw(t, "angle"))}
		world := s.frame.Mul(at)
		body := s.w.AddBody(quarry.BodyDef{Type: rapid.SampledFrom([]quarry.BodyType{
			quarry.Static,
			quarry.Dynamic,
		}).Draw(t, "type"), Position: world.P, Angle: world.Q.Angle()})
		g := worldtest.DrawShape(t, rapid.Float64Range(0.2, 2).Draw(t, "size"))
		p := pieceOf(g, at)
		p.shape = s.w.AddShape(body, g, quarry.ShapeDef{})
		s.pieces = append(s.pieces, p)
	}
	if n := rapid.IntRange(0, 30).Draw(t, "tiles"); n > 0 {
		s.hasGrd = true
		s.ground = worldtest.AddGround(t, s.w, carrier)
		for range n {
			tile := gridseg.Tile{
				Shape: gridseg.ShapeID(rapid.IntRange(1, int(gridseg.SlopeHigh)).Draw(t, "shape")),
				Turn:  gridseg.Turn(rapid.IntRange(0, 7).Draw(t, "turn")),
			}
			worldtest.Must(t, s.ground.Set(int32(rapid.IntRange(-6, 6).Draw(t, "x")),
				int32(rapid.IntRange(-6, 6).Draw(t, "y")), tile))
		}
		all, _ := s.ground.Grid().Bounds()
		for c, tile := range s.ground.Grid().Tiles(all) {
			for _, loop := range s.ground.Grid().Shapes().Polygons(tile.Shape, tile.Turn) {
				p := piece{cell: c, tile: true}
				for _, q := range loop {
					p.v = append(p.v, geom.V(float64(c.X)+float64(q.X)/gridseg.Unit,
						float64(c.Y)+float64(q.Y)/gridseg.Unit))
				}
				s.pieces = append(s.pieces, p)
			}
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "chains") {
		n := rapid.IntRange(3, 12).Draw(t, "points")
		center, r := drawPoint(t, "ring", 7), rapid.Float64Range(0.5, 3).Draw(t, "r")
		ring := worldtest.Ring(center, r, n)
		slices.Reverse(ring) // solid inside
		id, err := s.w.AddChain(carrier, quarry.ChainDef{Points: ring, Loop: true})
		worldtest.Must(t, err)
		c, _ := s.w.Chain(id)
		for i, g := range c.Segments() {
			s.pieces = append(s.pieces, piece{v: []geom.Vec{g.A, g.B}, chain: c.ID(), index: i})
		}
		s.chains = append(s.chains, c)
	}
	return s
}

// eps (units of length) is the tolerance of the oracle: far above the rounding of positions 10^7 cells
// from the origin, turned.
const eps = 1e-6

// smallest returns the smallest gap of p and the pieces.
func least(pieces []piece, p piece) float64 {
	gap := math.Inf(1)
	for _, q := range pieces {
		gap = min(gap, signedGap(p, q))
	}
	return gap
}

// firstBelow returns the distance at which p, moved along u up to length, first has a gap of at most
// limit; math.Inf(1) if it never has. A gap shrinks no faster than p moves. Of a long graze it gives up
// with NaN, which fails no comparison.
func firstBelow(pieces []piece, p piece, u geom.Vec, length, limit float64) float64 {
	for s, n := 0.0, 0; s <= length; n++ {
		if n > 5000 {
			return math.NaN()
		}
		gap := least(pieces, p.moved(u.Mul(s)))
		if gap <= limit {
			return s
		}
		s += max(gap-limit, eps)
	}
	return math.Inf(1)
}

// inLoop reports whether a chain's loop contains q.
func inLoop(c quarry.Chain, q geom.Vec) bool {
	for _, g := range c.Segments() {
		if g.B.Sub(g.A).Cross(q.Sub(g.A)) < 0 {
			return false
		}
	}
	return true
}

// seen returns the pieces without the loops that contain q, which a probe there leaves from behind.
func (s *scene) seen(q geom.Vec) (out []piece) {
	for _, p := range s.pieces {
		if p.chain != 0 {
			if c, _ := s.w.Chain(p.chain); inLoop(c, q) {
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// find returns the piece of a target.
func (s *scene) find(to quarry.Target) (pieces []piece) {
	for _, p := range s.pieces {
		if to.Shape != 0 && p.shape == to.Shape || to.Ground != 0 && p.tile && p.cell == to.Cell ||
			to.Chain != 0 && p.chain == to.Chain && p.index == to.Segment {
			pieces = append(pieces, p)
		}
	}
	return pieces
}

// checkCast compares the closest hit of a probe with the oracle.
func (s *scene) checkCast(t *rapid.T, probe piece, d geom.Vec, hit quarry.CastHit, ok bool) {
	pieces := s.seen(probe.v[0])
	u, l := d.Unit()
	if least(s.pieces, probe) <= 2*eps || l == 0 {
		return // another test
	}
	early, late := firstBelow(pieces, probe, u, l, eps), firstBelow(pieces, probe, u, l-eps, -eps)
	at := math.Inf(1)
	if ok {
		at = hit.Fraction * l
	}
	if at < early-2*eps || at > late+2*eps {
		t.Fatalf("hit %v at %v (%+v), by hand between %v and %v", ok, at, hit, early, late)
	}
	if !ok {
		return
	}
	point, n := s.frame.Inv(hit.Point), s.frame.Q.Inv(hit.Normal)
	there := probe.moved(d.Mul(hit.Fraction))
	targets := s.find(hit.Target)
	if hit.Overlap || math.Abs(n.Len()-1) > 1e-9 || n.Dot(u) > 1e-9 {
		t.Fatalf("%+v: overlap, or a normal along the motion %v", hit, u)
	}
	if g := signedGap(there, piece{v: []geom.Vec{point}}); math.Abs(g) > 2*eps {
		t.Fatalf("%+v: the point is %v from the probe", hit, g)
	}
	if g := least(targets, piece{v: []geom.Vec{point}}); math.Abs(g) > 2*eps {
		t.Fatalf("%+v: the point is %v from the target", hit, g)
	}
	if g := least(targets, there.moved(n.Mul(0.01))); g < 0.005 && len(targets) == 1 && targets[0].chain == 0 {
		t.Fatalf("%+v: moved back along the normal, the gap is %v", hit, g)
	}
}

// TestRaysAgainstOracle: closest, any and all hits of rays.
func TestRaysAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		o, d := drawPoint(t, "o", 10), drawPoint(t, "d", 20)
		wo, wd := s.frame.Apply(o), s.frame.Q.Apply(d)
		hit, ok := s.w.RayCast(wo, wd, quarry.QueryFilter{})
		s.checkCast(t, piece{v: []geom.Vec{o}}, d, hit, ok)
		if s.w.RayBlocked(wo, wd, quarry.QueryFilter{}) != ok {
			t.Fatal("RayBlocked disagrees with RayCast")
		}
		all := s.w.AppendRayHits(nil, wo, wd, quarry.QueryFilter{})
		if (len(all) > 0) != ok || ok && all[0].Fraction != hit.Fraction {
			t.Fatalf("the first of all %+v, the closest %+v", all, hit)
		}
		for i := range all {
			if i > 0 && all[i].Fraction < all[i-1].Fraction {
				t.Fatal("not in order")
			}
			point := piece{v: []geom.Vec{s.frame.Inv(all[i].Point)}}
			if g := least(s.find(all[i].Target), point); math.Abs(g) > 2*eps {
				t.Fatalf("%+v is %v from its target", all[i], g)
			}
		}
		// Each segment of the ground or a chain that the ray enters well inside of is there.
		entered := func(a, b geom.Vec, is func(quarry.CastHit) bool) {
			e := b.Sub(a)
			cross := d.Cross(e)
			if cross > -1e-3 {
				return // out of the solid, or nearly along it
			}
			f, along := a.Sub(o).Cross(e)/cross, a.Sub(o).Cross(d)/cross
			if f > eps && f < 1-eps && along > eps && along < 1-eps &&
				!slices.ContainsFunc(all, func(h quarry.CastHit) bool {
					return is(h) && math.Abs(h.Fraction-f)*d.Len() <= 10*eps
				}) {
				t.Fatalf("no hit at %v in %+v", f, all)
			}
		}
		if s.hasGrd {
			box, _ := s.ground.Grid().Bounds()
			for _, g := range s.ground.AppendSegments(nil, box) {
				entered(
					geom.V(float64(g.A.X)/gridseg.Unit, float64(g.A.Y)/gridseg.Unit),
					geom.V(float64(g.B.X)/gridseg.Unit, float64(g.B.Y)/gridseg.Unit),
					func(h quarry.CastHit) bool { return h.Ground != 0 },
				)
			}
		}
		for _, p := range s.pieces {
			if p.chain != 0 {
				entered(p.v[0], p.v[1], func(h quarry.CastHit) bool { return h.Chain == p.chain })
			}
		}
		// Each shape that the ray enters is there once.
		for _, p := range s.pieces {
			if p.shape == 0 || signedGap(p, piece{v: []geom.Vec{o}}) <= 2*eps {
				continue
			}
			u, l := d.Unit()
			in := firstBelow([]piece{p}, piece{v: []geom.Vec{o}}, u, l-eps, -eps)
			n := 0
			for i := range all {
				if all[i].Shape == p.shape {
					n++
				}
			}
			if n > 1 || n == 0 && in <= d.Len() {
				t.Fatalf("shape %d is there %d times, by hand entered at %v", p.shape, n, in)
			}
		}
	})
}

// TestShapeCastsAgainstOracle: closest and all hits of shape casts.
func TestShapeCastsAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		g := worldtest.DrawShape(t, rapid.Float64Range(0.05, 2).Draw(t, "probe"))
		at := geom.Transform{
			P: drawPoint(t, "o", 12),
			Q: geom.NewRot(rapid.SampledFrom([]float64{0, 0, 1, -2.5}).Draw(t, "q")),
		}
		d := drawPoint(t, "d", 25)
		wd := s.frame.Q.Apply(d)
		hit, ok := s.w.ShapeCast(g, s.frame.Mul(at), wd, quarry.QueryFilter{})
		s.checkCast(t, pieceOf(g, at), d, hit, ok)
		all := s.w.AppendShapeHits(nil, g, s.frame.Mul(at), wd, quarry.QueryFilter{})
		if (len(all) > 0) != ok || ok && all[0].Fraction != hit.Fraction {
			t.Fatalf("the first of all %+v, the closest %+v", all, hit)
		}
	})
}

// TestOverlapsAgainstOracle: every shape, tile and segment that overlaps is found, and no other.
func TestOverlapsAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		g := worldtest.DrawShape(t, rapid.Float64Range(0.05, 3).Draw(t, "probe"))
		at := geom.Transform{P: drawPoint(t, "o", 9), Q: geom.NewRot(rapid.SampledFrom([]float64{0, 0, 1, -2.5}).Draw(t,
			"q"))}
		got := s.w.AppendOverlaps(nil, g, s.frame.Mul(at), quarry.QueryFilter{})
		some := false
		for _, p := range s.pieces {
			in := slices.ContainsFunc(got, func(o quarry.Target) bool {
				return o.Shape == p.shape && o.Chain == p.chain && (o.Ground != 0) == p.tile && o.Cell == p.cell &&
					o.Segment == p.index
			})
			gap := signedGap(p, pieceOf(g, at))
			if in && gap > eps || !in && gap < -eps {
				t.Fatalf("%+v: overlaps %v, by hand a gap of %v", p, in, gap)
			}
			some = some || gap < -eps
		}
		if s.w.Overlaps(g, s.frame.Mul(at), quarry.QueryFilter{}) != (len(got) > 0) || some && len(got) == 0 {
			t.Fatal("Overlaps disagrees with AppendOverlaps")
		}
	})
}

// outlineGap returns the distance of q from the outline of a convex piece.
func outlineGap(p piece, q geom.Vec) float64 {
	dist := math.Inf(1)
	for i := range p.v {
		dist = min(dist, distTo(q, p.v[i], p.v[(i+1)%len(p.v)]))
	}
	if len(p.v) > 2 && signedGap(piece{v: p.v}, piece{v: []geom.Vec{q}}) < 0 {
		dist = -dist
	}
	return math.Abs(dist - p.r)
}

// TestNearestAgainstOracle looks at every outline.
func TestNearestAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		q, most := drawPoint(t, "q", 12), rapid.SampledFrom([]float64{0.3, 2, 9, 1000, math.Inf(1)}).Draw(t, "most")
		best := math.Inf(1)
		for _, p := range s.pieces {
			if !p.tile {
				best = min(best, outlineGap(p, q))
			}
		}
		if s.hasGrd {
			all, _ := s.ground.Grid().Bounds()
			for _, g := range s.ground.AppendSegments(nil, all) {
				a := geom.V(float64(g.A.X)/gridseg.Unit, float64(g.A.Y)/gridseg.Unit)
				best = min(best, distTo(q, a, geom.V(float64(g.B.X)/gridseg.Unit, float64(g.B.Y)/gridseg.Unit)))
			}
		}
		for _, f := range []quarry.QueryFilter{{}, {Test: func(quarry.Target) bool { return true }}} {
			hit, ok := s.w.Nearest(s.frame.Apply(q), most, f)
			if ok != (best <= most) && math.Abs(best-most) > eps || ok && math.Abs(hit.Distance-best) > eps {
				t.Fatalf("%v %+v, by hand %v", ok, hit, best)
			}
			if !ok {
				continue
			}
			at := s.frame.Inv(hit.Point)
			if d := at.Sub(q).Len(); math.Abs(d-hit.Distance) > eps {
				t.Fatalf("%+v: the point is %v away", hit, d)
			}
			inside := hit.Chain == 0 && least(s.find(hit.Target), piece{v: []geom.Vec{q}}) < 0
			if hit.Distance > eps && hit.Shape != 0 && hit.Inside != inside {
				t.Fatalf("%+v: inside %v", hit, inside)
			}
		}
	})
}

// TestPlanesAgainstOracle: a target has a plane if and only if it is within the margin; the separation is
// at most the gap, and equal to it for circles.
func TestPlanesAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		g := worldtest.DrawShape(t, rapid.Float64Range(0.05, 2).Draw(t, "probe"))
		at := geom.Transform{P: drawPoint(t, "o", 9), Q: geom.NewRot(rapid.SampledFrom([]float64{0, 0, 1, -2.5}).Draw(t,
			"q"))}
		margin := rapid.SampledFrom([]float64{0, 0.01, 0.3}).Draw(t, "margin")
		planes := s.w.AppendPlanes(nil, g, s.frame.Mul(at), margin, quarry.QueryFilter{})
		probe := pieceOf(g, at)
		for _, p := range planes {
			if p.Separation > margin+eps || math.Abs(p.Normal.Len()-1) > 1e-9 {
				t.Fatalf("%+v", p)
			}
			gap := least(s.find(p.Target), probe)
			if p.Shape != 0 && gap > margin+eps {
				t.Fatalf("%+v: by hand the gap is %v", p, gap)
			}
			if d := least(s.find(p.Target), piece{v: []geom.Vec{s.frame.Inv(p.Point)}}); p.Shape != 0 && d > 1e-3 {
				t.Fatalf("%+v: the point is %v from the target", p, d)
			}
		}
		for _, q := range s.seen(at.P) {
			gap := signedGap(q, probe)
			in := slices.ContainsFunc(planes, func(p quarry.Plane) bool {
				return p.Shape == q.shape && p.Chain == q.chain && (p.Ground != 0) == q.tile
			})
			sharp := len(q.v) > 1 && len(probe.v) > 1 && q.r+probe.r == 0 // corner to corner such cores have no contact
			if gap < margin-eps && !in && (!sharp || gap < 0) {
				t.Fatalf("%+v: no plane, by hand a gap of %v", q, gap)
			}
		}
	})
}

// TestQueryTypes: Types and ExceptShape leave out the same as a Test that looks at the body's type and the shape, in
// every query, over shapes, grounds and chains on bodies of each type.
func TestQueryTypes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		point := func(name string) geom.Vec {
			return geom.V(rapid.Float64Range(-6, 6).Draw(t, name+".x"), rapid.Float64Range(-6, 6).Draw(t, name+".y"))
		}
		shapes := []quarry.ShapeID{0}
		for range rapid.IntRange(1, 12).Draw(t, "bodies") {
			kind := rapid.SampledFrom([]quarry.BodyType{quarry.Static, quarry.Kinematic, quarry.Dynamic}).Draw(t,
				"type")
			b := w.AddBody(quarry.BodyDef{Type: kind, Position: point("at")})
			switch rapid.IntRange(0, 3).Draw(t, "form") {
			case 0:
				id, err := w.AddGround(b, quarry.GroundDef{})
				if err != nil {
					t.Fatal(err)
				}
				g, _ := w.Ground(id)
				if err := g.Fill(gridseg.Rect{MaxX: 1, MaxY: 1}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
					t.Fatal(err)
				}
			case 1:
				if kind != quarry.Dynamic {
					if _, err := w.AddChain(b, quarry.ChainDef{Points: []geom.Vec{{X: 2}, {X: 1}, {}}}); err != nil {
						t.Fatal(err)
					}
				}
			default:
				shapes = append(shapes, w.AddShape(b, geom.NewBox(0.5, 0.8),
					quarry.ShapeDef{Sensor: rapid.Bool().Draw(t, "sensor")}))
			}
		}
		types := quarry.BodyTypes(rapid.IntRange(0, 7).Draw(t, "types"))
		not := rapid.SampledFrom(shapes).Draw(t, "not")
		sensors := rapid.Bool().Draw(t, "sensors")
		fields := quarry.QueryFilter{Types: types, ExceptShape: not, Sensors: sensors}
		tested := quarry.QueryFilter{Sensors: sensors, Test: func(at quarry.Target) bool {
			b, _ := w.Body(at.Body)
			all := types == 0 || b.Type() == quarry.Static && types&quarry.StaticBodies != 0 ||
				b.Type() == quarry.Kinematic && types&quarry.KinematicBodies != 0 ||
				b.Type() == quarry.Dynamic && types&quarry.DynamicBodies != 0
			return all && (not == 0 || at.Shape != not)
		}}
		from, d := point("from"), point("d")
		probe := geom.Circle{Radius: 1}
		// An answer is the ids of all that was found, and the fractions and distances. With a Test, tiles are found in
		// another way: of two points or faces at the same distance it may give the other one, and numbers are rounded
		// in another way.
		ask := func(f quarry.QueryFilter) (found []quarry.Target, closest []float64) {
			add := func(at quarry.Target) {
				found = append(found, quarry.Target{Body: at.Body, Shape: at.Shape, Ground: at.Ground, Chain: at.Chain})
			}
			list := func(hits []quarry.CastHit) {
				for _, hit := range hits {
					add(hit.Target)
				}
				add(quarry.Target{}) // the end of the list
			}
			first := func(distance float64, ok bool) {
				if !ok {
					distance = math.Inf(1)
				}
				closest = append(closest, distance)
			}
			ray, ok := w.RayCast(from, d, f)
			first(ray.Fraction, ok)
			if w.RayBlocked(from, d, f) != ok {
				t.Fatalf("RayBlocked is %v, RayCast %v", !ok, ok)
			}
			list(w.AppendRayHits(nil, from, d, f))
			cast, ok := w.ShapeCast(probe, geom.At(from), d, f)
			first(cast.Fraction, ok)
			list(w.AppendShapeHits(nil, probe, geom.At(from), d, f))
			overlaps := w.AppendOverlaps(nil, probe, geom.At(from), f)
			if w.Overlaps(probe, geom.At(from), f) != (len(overlaps) > 0) {
				t.Fatalf("Overlaps is not true for %d overlaps", len(overlaps))
			}
			for _, at := range overlaps {
				add(at)
			}
			near, ok := w.Nearest(from, 20, f)
			first(near.Distance, ok)
			for _, plane := range w.AppendPlanes(nil, probe, geom.At(from), 0.5, f) {
				add(plane.Target)
			}
			return found, closest
		}
		got, near := ask(fields)
		want, asNear := ask(tested)
		if !slices.Equal(got, want) {
			t.Fatalf("found by fields\n%+v\nby Test\n%+v", got, want)
		}
		for i := range near {
			if near[i] != asNear[i] && !(math.Abs(near[i]-asNear[i]) <= 1e-9) {
				t.Fatalf("closest %v by fields, %v by Test", near, asNear)
			}
		}
	})
}
