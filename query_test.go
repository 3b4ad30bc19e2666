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

func TestQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		for range rapid.IntRange(0, 30).Draw(t, "bodies") {
			p := geom.V(rapid.Float64Range(-9, 9).Draw(t, "x"), rapid.Float64Range(-9, 9).Draw(t, "y"))
			id := w.AddBody(quarry.BodyDef{Position: p, Angle: rapid.Float64Range(-4, 4).Draw(t, "angle")})
			w.AddShape(id, geom.NewBox(rapid.Float64Range(0.1, 3).Draw(t, "hx"), 0.4), quarry.ShapeDef{})
		}
		q := geom.V(rapid.Float64Range(-10, 10).Draw(t, "qx"), rapid.Float64Range(-10, 10).Draw(t, "qy"))
		d := geom.V(rapid.Float64Range(-10, 10).Draw(t, "dx"), rapid.Float64Range(-10, 10).Draw(t, "dy"))
		box := geom.Box(q, q.Add(d))
		var in, at []quarry.ShapeID
		best := 2.0
		for b := range w.Bodies() {
			for s := range b.Shapes() {
				if s.Bounds().Overlaps(box) {
					in = append(in, s.ID())
				}
				tf := b.Transform()
				if s.Geometry().Contains(tf.Inv(q)) {
					at = append(at, s.ID())
				}
				if h, ok := s.Geometry().RayCast(tf.Inv(q), tf.Q.Inv(d)); ok {
					best = min(best, h.Fraction)
				}
			}
		}
		if got := w.AppendShapesIn(nil, box); !slices.Equal(sorted(got), sorted(in)) {
			t.Fatalf("overlaps %v, by hand %v", got, in)
		}
		if got := w.AppendShapesAt(nil, q); !slices.Equal(sorted(got), sorted(at)) {
			t.Fatalf("at a point %v, by hand %v", got, at)
		}
		hit, ok := w.RayCast(q, d, quarry.QueryFilter{})
		if ok != (best <= 1) || ok && hit.Fraction != best {
			t.Fatalf("ray %v %v, by hand %v", hit.Fraction, ok, best)
		}
	})
}

// TestRayCast holds rays against an oracle that looks at every segment.
func TestRayCast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worldtest.New()
		g := worldtest.AddGround(t, w, 0)
		for range rapid.IntRange(0, 40).Draw(t, "tiles") {
			tile := gridseg.Tile{
				Shape: gridseg.ShapeID(rapid.IntRange(1, int(gridseg.SlopeHigh)).Draw(t, "shape")),
				Turn:  gridseg.Turn(rapid.IntRange(0, 7).Draw(t, "turn")),
			}
			if err := g.Set(int32(rapid.IntRange(-6, 6).Draw(t, "x")), int32(rapid.IntRange(-6, 6).Draw(t, "y")),
				tile); err != nil {
				t.Fatal(err)
			}
		}
		// Sixty-fourths, whose products here are exact, so that nothing is left to
		// rounding; gridseg's own tests take any number.
		number := rapid.Map(rapid.OneOf(
			rapid.IntRange(-768, 768), rapid.Map(rapid.IntRange(-12, 12), func(i int) int { return 64 * i }),
		), func(i int) float64 { return float64(i) / 64 })
		o := geom.V(number.Draw(t, "ox"), number.Draw(t, "oy"))
		d := geom.V(number.Draw(t, "dx"), number.Draw(t, "dy"))
		hit, ok := w.RayCast(o, d, quarry.QueryFilter{})

		best := math.Inf(1)
		all, _ := g.Grid().Bounds()
		for _, s := range g.AppendSegments(nil, all) {
			a := geom.V(float64(s.A.X)/gridseg.Unit, float64(s.A.Y)/gridseg.Unit)
			e := geom.V(float64(s.B.X)/gridseg.Unit, float64(s.B.Y)/gridseg.Unit).Sub(a)
			cross := d.Cross(e)
			if cross >= 0 { // parallel, or out of the solid
				continue
			}
			u, v := a.Sub(o).Cross(e)/cross, a.Sub(o).Cross(d)/cross
			if u >= 0 && u <= 1 && v >= 0 && v <= 1 {
				best = min(best, u)
			}
		}
		if ok != (best <= 1) {
			t.Fatalf("hit %v %+v, by hand at %v", ok, hit, best)
		}
		if ok && math.Abs(hit.Fraction-best)*d.Len() > 1e-9 {
			t.Fatalf("hit at %v, by hand at %v", hit.Fraction, best)
		}
	})
}

// castWorld is a floor of tiles, a ramp, a crate, a ball and a chain.
func castWorld(t worldtest.Failer) *quarry.World {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -40, MinY: -3, MaxX: 40, MaxY: -1})
	worldtest.Add(w, geom.V(3, 0.5), geom.NewBox(0.5, 0.5))
	worldtest.Add(w, geom.V(-3, 0.5), geom.Circle{Radius: 0.5})
	if _, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{
		{X: 8, Y: 2},
		{X: 6, Y: 2},
		{X: 4, Y: 2},
	}}); err != nil {
		t.Fatalf("%v", err)
	}
	return w
}

// TestQueriesAllocateNothing: warm queries with every kind of target.
func TestQueriesAllocateNothing(t *testing.T) {
	w := castWorld(t)
	test := quarry.QueryFilter{Test: func(to quarry.Target) bool { return to.Tile.User != 7 }}
	capsule := geom.Capsule{A: geom.V(0, 0), B: geom.V(0, 1), Radius: 0.4}
	var hits []quarry.CastHit
	var targets []quarry.Target
	var planes []quarry.Plane
	at := geom.At(geom.V(-9, 0.41))
	for name, query := range map[string]func(){
		"RayCast":         func() { w.RayCast(geom.V(-9, 9), geom.V(20, -20), quarry.QueryFilter{}) },
		"RayCast, tested": func() { w.RayCast(geom.V(-9, 9), geom.V(20, -20), test) },
		"RayBlocked":      func() { w.RayBlocked(geom.V(-9, 0.5), geom.V(20, 0), quarry.QueryFilter{}) },
		"AppendRayHits": func() {
			hits = w.AppendRayHits(hits[:0], geom.V(-9, 9), geom.V(20, -20), quarry.QueryFilter{})
		},
		"ShapeCast":      func() { w.ShapeCast(capsule, at, geom.V(40, 0), quarry.QueryFilter{}) },
		"ShapeCast, box": func() { w.ShapeCast(geom.NewBox(0.3, 0.2), geom.At(geom.V(7, 5)), geom.V(0, -9), test) },
		"AppendShapeHits": func() {
			hits = w.AppendShapeHits(hits[:0], capsule, at, geom.V(40, 0), quarry.QueryFilter{})
		},
		"AppendOverlaps": func() {
			targets = w.AppendOverlaps(targets[:0], geom.Circle{Radius: 5}, at, quarry.QueryFilter{})
		},
		"Overlaps":        func() { w.Overlaps(geom.NewBox(9, 9), at, test) },
		"AppendPlanes":    func() { planes = w.AppendPlanes(planes[:0], capsule, at, 0.1, quarry.QueryFilter{}) },
		"Nearest":         func() { w.Nearest(geom.V(0, 7), 100, quarry.QueryFilter{}) },
		"Nearest, tested": func() { w.Nearest(geom.V(0, 7), 100, test) },
	} {
		query()
		if n := testing.AllocsPerRun(20, query); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestConcurrentQueries: queries between steps may run at once, with equal results; run with -race.
func TestConcurrentQueries(t *testing.T) {
	w := castWorld(t)
	want, _ := w.ShapeCast(geom.Circle{Radius: 0.3}, geom.At(geom.V(-9, 0.4)), geom.V(40, 0), quarry.QueryFilter{})
	done := make(chan bool)
	for range 8 {
		go func() {
			ok := true
			for range 50 {
				hit, _ := w.ShapeCast(geom.Circle{Radius: 0.3}, geom.At(geom.V(-9, 0.4)), geom.V(40, 0),
					quarry.QueryFilter{})
				ok = ok && hit == want && len(w.AppendOverlaps(nil, geom.Circle{Radius: 5}, geom.At(geom.Vec{}),
					quarry.QueryFilter{})) > 0 &&
					len(w.AppendPlanes(nil, geom.Circle{Radius: 0.5}, geom.At(geom.V(0, 0.4)), 0.1,
						quarry.QueryFilter{})) > 0
				w.Nearest(geom.V(0, 7), 100, quarry.QueryFilter{})
				w.RayCast(geom.V(-9, 9), geom.V(20, -20), quarry.QueryFilter{Test: func(quarry.Target) bool {
					return false
				}})
			}
			done <- ok
		}()
	}
	for range 8 {
		if !<-done {
			t.Error("another result")
		}
	}
}

// TestSlidingCasts: a shape that rests on tiles, up to a slop deep, slides along them without being
// stopped by a seam, and is stopped by a surface that it moves into.
func TestSlidingCasts(t *testing.T) {
	for _, far := range []float64{0, 1e7} {
		w := quarry.NewWorld(quarry.Config{})
		carrier := w.AddBody(quarry.BodyDef{
			Type: quarry.Kinematic, Position: geom.V(far, far),
			Angle: 0.37 * math.Min(1, far),
		})
		body, _ := w.Body(carrier)
		g := worldtest.AddGround(t, w, carrier)
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full}))
		worldtest.Must(t, g.Set(15, 0, gridseg.Tile{Shape: gridseg.Full}))
		frame := body.Transform()
		for _, s := range []geom.Shape{geom.Circle{Radius: 0.5}, geom.Capsule{
			A: geom.V(0, 0), B: geom.V(0, 1),
			Radius: 0.5,
		}, geom.NewBox(0.5, 0.5), geom.NewRoundedBox(0.3, 0.3, 0.2)} {
			for _, depth := range []float64{0, 1e-13, 1e-9, 1e-6, geom.LinearSlop, -1e-13, -1e-9} {
				at := geom.At(geom.V(-15.2, 0.5-depth))
				hit, ok := w.ShapeCast(s, frame.Mul(at), frame.Q.Apply(geom.V(40, 0)), quarry.QueryFilter{})
				if want := (15 - 0.5 + 15.2) / 40; !ok || math.Abs(hit.Fraction-want) > 1e-7 ||
					hit.Cell != (gridseg.Cell{X: 15}) {
					t.Errorf("%T, %v deep: %v %+v, want a wall at %v", s, depth, ok, hit, want)
				}
				if hit, ok := w.ShapeCast(s, frame.Mul(at), frame.Q.Apply(geom.V(20, 1)), quarry.QueryFilter{}); ok {
					t.Errorf("%T, %v deep: a cast that leaves hits %+v", s, depth, hit)
				}
				hit, ok = w.ShapeCast(s, frame.Mul(at), frame.Q.Apply(geom.V(20, -1)), quarry.QueryFilter{})
				if !ok || hit.Fraction > 1e-6 || frame.Q.Inv(hit.Normal).Dist(geom.V(0, 1)) > 1e-6 {
					t.Errorf("%T, %v deep: a cast into the floor: %v %+v", s, depth, ok, hit)
				}
				if depth >= 0 {
					hit, ok = w.ShapeCast(s, frame.Mul(at), frame.Q.Apply(geom.V(20, 1)),
						quarry.QueryFilter{Solid: true})
					if far == 0 && (!ok || !hit.Overlap || hit.Fraction != 0) {
						t.Errorf("%T, %v deep: Solid: %v %+v", s, depth, ok, hit)
					}
				}
			}
		}
	}
}

// TestQueryFilter: each field of the filter, for rays, casts and overlaps.
func TestQueryFilter(t *testing.T) {
	w := worldtest.New()
	add := func(x float64, d quarry.ShapeDef) quarry.Body {
		return worldtest.AddBody(w, quarry.BodyDef{Position: geom.V(x, 0)}, geom.Circle{Radius: 0.5}, d)
	}
	a := add(2, quarry.ShapeDef{Sensor: true, Category: 1})
	b := add(4, quarry.ShapeDef{Category: 2, Mask: 8})
	c := add(6, quarry.ShapeDef{Category: 4})
	for _, x := range []struct {
		name string
		f    quarry.QueryFilter
		want []quarry.Body
	}{
		{"zero", quarry.QueryFilter{}, []quarry.Body{b, c}},
		{"sensors", quarry.QueryFilter{Sensors: true}, []quarry.Body{a, b, c}},
		{"mask", quarry.QueryFilter{Mask: 4 | 1}, []quarry.Body{c}},
		{"category", quarry.QueryFilter{Category: 4}, []quarry.Body{c}},
		{"category in the mask", quarry.QueryFilter{Category: 8}, []quarry.Body{b, c}},
		{"except", quarry.QueryFilter{Except: b.ID()}, []quarry.Body{c}},
		{"test", quarry.QueryFilter{Test: func(to quarry.Target) bool { return to.Body != c.ID() }}, []quarry.Body{b}},
		{"nothing", quarry.QueryFilter{Mask: 1 << 40}, nil},
	} {
		var ray, cast, over []quarry.Body
		for _, h := range w.AppendRayHits(nil, geom.V(0, 0), geom.V(9, 0), x.f) {
			v, _ := w.Body(h.Body)
			ray = append(ray, v)
		}
		for _, h := range w.AppendShapeHits(nil, geom.NewBox(0.1, 0.1), geom.At(geom.V(0, 0)), geom.V(9, 0), x.f) {
			v, _ := w.Body(h.Body)
			cast = append(cast, v)
		}
		for _, h := range w.AppendOverlaps(nil, geom.NewBox(9, 0.1), geom.At(geom.V(0, 0)), x.f) {
			v, _ := w.Body(h.Body)
			over = append(over, v)
		}
		for what, got := range map[string][]quarry.Body{"rays": ray, "casts": cast, "overlaps": over} {
			if len(got) != len(x.want) {
				t.Errorf("%s: %s find %d, want %d", x.name, what, len(got), len(x.want))
				continue
			}
			for i := range got {
				if got[i] != x.want[i] {
					t.Errorf("%s: %s find %v", x.name, what, got[i].ID())
				}
			}
		}
		hit, ok := w.RayCast(geom.V(0, 0), geom.V(9, 0), x.f)
		if ok != (len(x.want) > 0) || ok && hit.Body != x.want[0].ID() {
			t.Errorf("%s: RayCast %v %+v", x.name, ok, hit)
		}
	}
	// A ray that starts inside.
	if hit, ok := w.RayCast(geom.V(4, 0), geom.V(9, 0), quarry.QueryFilter{}); !ok || hit.Body != c.ID() {
		t.Errorf("from inside: %+v", hit)
	}
	if hit, ok := w.RayCast(geom.V(4, 0), geom.V(9, 0), quarry.QueryFilter{Solid: true}); !ok || hit.Body != b.ID() ||
		!hit.Overlap || hit.Fraction != 0 || hit.Normal != geom.V(-1, 0) {
		t.Errorf("from inside, Solid: %+v", hit)
	}
}

// TestQueriesOfTilesAndSegments: results name the cell, tile, segment and material.
func TestQueriesOfTilesAndSegments(t *testing.T) {
	w := worldtest.New()
	ice := w.AddMaterial(quarry.Material{Friction: 0.1})
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	worldtest.Must(t, g.Set(2, -1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice), User: 9}))
	id, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{
		{X: 14, Y: 0},
		{X: 13, Y: 0},
		{X: 12, Y: 0},
		{X: 11, Y: 0},
	}, Materials: []quarry.MaterialID{0, ice, 0}})
	worldtest.Must(t, err)
	isIce := func(name string, to quarry.Target) {
		t.Helper()
		ground, chain := to.Ground == g.ID() && to.Cell == gridseg.Cell{X: 2, Y: -1} &&
			to.Tile.User == 9, to.Chain == id && to.Segment == 1
		if to.Material != ice || to.Body == 0 || ground == chain {
			t.Errorf("%s: %+v", name, to)
		}
	}
	noIce := quarry.QueryFilter{Test: func(to quarry.Target) bool { return to.Material != ice }}
	for _, x := range []float64{2.5, 12.5} {
		hit, _ := w.RayCast(geom.V(x, 5), geom.V(0, -20), quarry.QueryFilter{})
		isIce("RayCast", hit.Target)
		hit, _ = w.ShapeCast(geom.Circle{Radius: 0.25}, geom.At(geom.V(x, 5)), geom.V(0, -20), quarry.QueryFilter{})
		isIce("ShapeCast", hit.Target)
		isIce("AppendOverlaps", w.AppendOverlaps(nil, geom.Circle{Radius: 0.25}, geom.At(geom.V(x, 0)),
			quarry.QueryFilter{})[0])
		near, _ := w.Nearest(geom.V(x, 0.25), 9, quarry.QueryFilter{})
		isIce("Nearest", near.Target)
		planes := w.AppendPlanes(nil, geom.Circle{Radius: 0.25}, geom.At(geom.V(x, 0.25)), 0.01, quarry.QueryFilter{})
		isIce("AppendPlanes", planes[0].Target)
		if hit, ok := w.ShapeCast(geom.Circle{Radius: 0.25}, geom.At(geom.V(x, 5)), geom.V(0, -5.1), noIce); ok &&
			hit.Material == ice {
			t.Errorf("a segment that Test leaves out: %+v", hit)
		}
		if hit, ok := w.RayCast(geom.V(x, 5), geom.V(0, -20), noIce); ok {
			t.Errorf("a ray through what Test leaves out: %+v", hit)
		}
		if near, _ := w.Nearest(geom.V(x, 0.25), 9, noIce); near.Material == ice ||
			math.Abs(near.Distance-math.Hypot(0.5, 0.25)) > 1e-12 {
			t.Errorf("the nearest but ice: %+v", near)
		}
	}
}

// TestOneWayQueries: a platform, for each rule.
func TestOneWayQueries(t *testing.T) {
	w := worldtest.New()
	wood := w.AddMaterial(quarry.Material{OneWay: quarry.OneWayUp})
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	plank := gridseg.Tile{Shape: gridseg.Full, Material: uint16(wood)}
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -2, MinY: 3, MaxX: 2, MaxY: 3}, plank))
	worldtest.Must(t, g.Set(3, 3, gridseg.Tile{Shape: gridseg.Full})) // its left face is buried by the platform
	circle, up, down := geom.Circle{Radius: 0.3}, geom.V(0, 9), geom.V(0, -9)
	under, over, inside := geom.V(0.5, 1), geom.V(0.5, 6), geom.V(0.5, 3.5)
	for _, x := range []struct {
		rule                 quarry.OneWayQuery
		up, down, right, lap bool // whether the platform, or the solid tile beside it, stops the probe
	}{
		{quarry.OneWaySolid, true, true, false, true},
		{quarry.OneWayAsBodies, false, true, true, false},
		{quarry.OneWayIgnored, false, false, true, false},
	} {
		f := quarry.QueryFilter{OneWay: x.rule}
		at := func(hit quarry.CastHit, ok bool, y float64) bool { return ok && math.Abs(hit.Point.Y-y) < 1e-9 }
		for name, cast := range map[string]func(from, d geom.Vec) (quarry.CastHit, bool){
			"ray":   func(from, d geom.Vec) (quarry.CastHit, bool) { return w.RayCast(from, d, f) },
			"shape": func(from, d geom.Vec) (quarry.CastHit, bool) { return w.ShapeCast(circle, geom.At(from), d, f) },
			"all": func(from, d geom.Vec) (hit quarry.CastHit, ok bool) {
				if all := w.AppendRayHits(nil, from, d, f); len(all) > 0 {
					return all[0], true
				}
				return hit, false
			},
		} {
			if hit, ok := cast(under, up); at(hit, ok, 3) != x.up || ok != x.up {
				t.Errorf("rule %d, %s up: %v %+v", x.rule, name, ok, hit)
			}
			if hit, ok := cast(over, down); at(hit, ok, 4) != x.down || !ok {
				t.Errorf("rule %d, %s down: %v %+v", x.rule, name, ok, hit)
			}
			hit, ok := cast(inside, geom.V(5, 0))
			if beside := ok && math.Abs(hit.Point.X-3) < 1e-9; beside != x.right && name != "shape" {
				t.Errorf("rule %d, %s beside: %v %+v", x.rule, name, ok, hit)
			}
		}
		if lap := w.Overlaps(circle, geom.At(inside), f); lap != x.lap {
			t.Errorf("rule %d: overlaps %v", x.rule, lap)
		}
		planes := w.AppendPlanes(nil, circle, geom.At(geom.V(0.5, 4.3)), 0.01, f)
		if (len(planes) == 1) != x.down {
			t.Errorf("rule %d: planes %+v", x.rule, planes)
		}
	}
}

// TestHostileQueries: arguments that are not finite or empty find nothing; huge ones find the targets in their way.
func TestHostileQueries(t *testing.T) {
	w := castWorld(t)
	nan, inf, huge := math.NaN(), math.Inf(1), math.MaxFloat64
	var all quarry.QueryFilter
	for _, x := range []float64{nan, inf, -inf} {
		for _, v := range []geom.Vec{{X: x}, {Y: x}, {X: x, Y: x}} {
			at := geom.At(v)
			shape := geom.Circle{Radius: 0.5}
			_, ray := w.RayCast(v, geom.V(0, -9), all)
			_, ray2 := w.RayCast(geom.V(0, 5), v, all)
			_, cast := w.ShapeCast(shape, at, geom.V(0, -9), all)
			_, cast2 := w.ShapeCast(shape, geom.At(geom.V(0, 5)), v, all)
			_, cast3 := w.ShapeCast(geom.Circle{Center: v, Radius: 1}, geom.At(geom.V(0, 5)), geom.V(0, -9), all)
			_, near := w.Nearest(v, 9, all)
			if ray || ray2 || cast || cast2 || cast3 || near || w.Overlaps(shape, at, all) ||
				len(w.AppendPlanes(nil, shape, at, 1, all)) > 0 {
				t.Errorf("%v found something", v)
			}
		}
	}
	if _, ok := w.RayCast(geom.V(0, 5), geom.Vec{}, all); ok {
		t.Error("a ray without length")
	}
	if _, ok := w.ShapeCast(nil, geom.At(geom.V(0, 0)), geom.V(0, -1), all); ok ||
		w.Overlaps(nil, geom.At(geom.V(0, 0)), all) {
		t.Error("no shape")
	}
	for _, most := range []float64{nan, -1} {
		if _, ok := w.Nearest(geom.V(0, 5), most, all); ok {
			t.Errorf("Nearest within %v", most)
		}
	}
	if len(w.AppendPlanes(nil, geom.Circle{Radius: 1}, geom.At(geom.V(0, 0)), nan, all)) > 0 {
		t.Error("planes within NaN")
	}
	for _, l := range []float64{1e3, 1e10, 1e14, 1e30, 1e200, huge} {
		ray, ok := w.RayCast(geom.V(0.5, 5), geom.V(0, -l), all)
		cast, ok2 := w.ShapeCast(geom.Circle{Radius: 0.5}, geom.At(geom.V(0.5, 5)), geom.V(0, -l), all)
		if !ok || !ok2 || ray.Point.Dist(geom.V(0.5, 0)) > 1e-6 || cast.Point.Dist(geom.V(0.5, 0)) > 1e-6 {
			t.Errorf("length %v: %v %+v, %v %+v", l, ok, ray, ok2, cast)
		}
		if math.Abs(ray.Fraction*l-5) > 1e-6 || math.Abs(cast.Fraction*l-4.5) > 1e-6 {
			t.Errorf("length %v: fractions %v and %v", l, ray.Fraction, cast.Fraction)
		}
		if _, ok := w.ShapeCast(geom.Circle{Radius: 0.5}, geom.At(geom.V(l, l)), geom.V(l, l), all); ok {
			t.Errorf("%v away and leaving", l)
		}
	}
	// A cast that does not move hits the targets that it overlaps only with Solid.
	at := geom.At(geom.V(0, 0.2))
	if _, ok := w.ShapeCast(geom.Circle{Radius: 0.5}, at, geom.Vec{}, all); ok {
		t.Error("a cast without length")
	}
	if hit, ok := w.ShapeCast(geom.Circle{Radius: 0.5}, at, geom.Vec{}, quarry.QueryFilter{Solid: true}); !ok ||
		!hit.Overlap {
		t.Errorf("a cast without length, Solid: %+v", hit)
	}
	if hit, ok := w.Nearest(geom.V(1e30, 0), inf, all); ok && !(hit.Distance >= 0) {
		t.Errorf("%+v", hit)
	}
}

// TestCastsEnd: casts over tiles end, however the lengths of their parts are rounded. One of them once repeated a part
// for ever, because the part was longer than its length by a rounding.
func TestCastsEnd(t *testing.T) {
	w := benchWorld(t)
	shape := geom.Capsule{A: geom.V(0, -0.4), B: geom.V(0, 0.4), Radius: 0.4}
	r := worldtest.Random(2)
	var hits []quarry.CastHit
	for range 2000 {
		p := geom.V(r.Float(-90, 90), r.Float(0, 20))
		hits = w.AppendShapeHits(hits[:0], shape, geom.At(p), geom.V(10, -20), quarry.QueryFilter{})
	}
}

// TestPlaneOfFlatFaces: the contact plane of two faces that lie flat on each other has its point in the middle of what
// they share, at any angle. Regression: rounding chose either end, and a character that pushed a crate
// tipped it at some angles of the level.
func TestPlaneOfFlatFaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		angle := f(-3.1, 3.1, "angle")
		q := geom.NewRot(angle)
		w := quarry.NewWorld(quarry.Config{})
		w.AddShape(w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Angle: angle}), geom.NewBox(1, 1), quarry.ShapeDef{})
		half, y, gap := f(0.2, 2, "half"), f(-0.8, 0.8, "y"), f(-0.005, 0.005, "gap")
		capsule := geom.Capsule{A: geom.V(0, -half), B: geom.V(0, half), Radius: 0.25}
		planes := w.AppendPlanes(nil, capsule, geom.Transform{P: q.Apply(geom.V(-1.25-gap, y)), Q: q}, 0.01,
			quarry.QueryFilter{})
		if len(planes) != 1 {
			t.Fatalf("%d planes", len(planes))
		}
		want := q.Apply(geom.V(-1, (max(-1, y-half)+min(1, y+half))/2))
		if d := planes[0].Point.Dist(want); d > 0.005 { // a capsule may end a little beyond the corner of the box
			t.Fatalf("the point is %v from the middle, %v", d, q.Inv(planes[0].Point))
		}
	})
}

// benchWorld is 1,000 boxes and balls over hills of tiles, 200 cells wide, and a chain.
func benchWorld(b testing.TB) *quarry.World {
	w := worldtest.New()
	g := worldtest.AddGround(b, w, 0)
	r := worldtest.Random(1)
	h := int32(0)
	for x := int32(-100); x < 100; x++ {
		h = max(-4, min(4, h+int32(r.Next()%3)-1))
		worldtest.Must(b, g.Fill(gridseg.Rect{MinX: x, MinY: -20, MaxX: x, MaxY: h}, gridseg.Tile{Shape: gridseg.Full}))
	}
	for i := range 1000 {
		p := geom.V(r.Float(-100, 100), r.Float(6, 30))
		if i%2 == 0 {
			worldtest.Add(w, p, geom.NewBox(0.4, 0.4))
		} else {
			worldtest.Add(w, p, geom.Circle{Radius: 0.4})
		}
	}
	if _, err := w.AddChain(0, quarry.ChainDef{Points: worldtest.Line(geom.V(100, 35), geom.V(-100, 35),
		400)}); err != nil {
		b.Fatal(err)
	}
	return w
}

// BenchmarkQuery measures each query, from a hundred places in turn.
func BenchmarkQuery(b *testing.B) {
	w := benchWorld(b)
	var hits []quarry.CastHit
	var targets []quarry.Target
	var planes []quarry.Plane
	all, shape := quarry.QueryFilter{}, geom.Capsule{A: geom.V(0, -0.4), B: geom.V(0, 0.4), Radius: 0.4}
	test := quarry.QueryFilter{Test: func(quarry.Target) bool { return true }}
	for _, q := range []struct {
		name string
		do   func(p geom.Vec)
	}{
		{"RayCast", func(p geom.Vec) { w.RayCast(p, geom.V(10, -20), all) }},
		{"RayCast, tested", func(p geom.Vec) { w.RayCast(p, geom.V(10, -20), test) }},
		{"RayBlocked", func(p geom.Vec) { w.RayBlocked(p, geom.V(10, -20), all) }},
		{"AppendRayHits", func(p geom.Vec) { hits = w.AppendRayHits(hits[:0], p, geom.V(10, -20), all) }},
		{"ShapeCast 1", func(p geom.Vec) { w.ShapeCast(shape, geom.At(p), geom.V(0.5, -1), all) }},
		{"ShapeCast 20", func(p geom.Vec) { w.ShapeCast(shape, geom.At(p), geom.V(10, -20), all) }},
		{"ShapeCast 20, box", func(p geom.Vec) {
			w.ShapeCast(geom.NewBox(0.4, 0.8), geom.At(p), geom.V(10, -20), all)
		}},
		{"AppendShapeHits", func(p geom.Vec) {
			hits = w.AppendShapeHits(hits[:0], shape, geom.At(p), geom.V(10, -20), all)
		}},
		{"AppendOverlaps 3", func(p geom.Vec) {
			targets = w.AppendOverlaps(targets[:0], geom.Circle{Radius: 3}, geom.At(p), all)
		}},
		{"Overlaps", func(p geom.Vec) { w.Overlaps(shape, geom.At(p), all) }},
		{"AppendPlanes", func(p geom.Vec) { planes = w.AppendPlanes(planes[:0], shape, geom.At(p), 0.1, all) }},
		{"Nearest", func(p geom.Vec) { w.Nearest(p, 100, all) }},
	} {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			r, i := worldtest.Random(2), 0
			var places [100]geom.Vec
			for k := range places {
				places[k] = geom.V(r.Float(-90, 90), r.Float(0, 20))
			}
			for b.Loop() {
				q.do(places[i])
				if i++; i == len(places) {
					i = 0
				}
			}
		})
	}
}
