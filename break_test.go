package quarry_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// momentum returns the mass, momentum, angular momentum about the origin and kinetic energy of a world, and the sum of
// the sizes of the terms of the angular momentum: rounding is relative to that.
func momentum(w *quarry.World) (m float64, p geom.Vec, l, e, terms float64) {
	for b := range w.Bodies() {
		v, s := b.Velocity(), b.AngularVelocity()
		m += b.Mass()
		p = p.MulAdd(b.Mass(), v)
		l += b.Mass()*b.CenterOfMass().Cross(v) + b.Inertia()*s
		e += (b.Mass()*v.Len2() + b.Inertia()*s*s) / 2
		terms += b.Mass()*b.CenterOfMass().Len()*v.Len() + b.Inertia()*math.Abs(s)
	}
	return m, p, l, e, terms
}

// TestBreakConserves digs random moving grounds, with shapes on them in half of the runs and a mass of their own in a
// third: mass, momentum and angular momentum of the pieces sum to the body's before the step, and they have no more
// energy.
func TestBreakConserves(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	breaks, moved := 0, 0
	for run := range 120 {
		w := quarry.NewWorld(quarry.Config{})
		heavy := w.AddMaterial(quarry.Material{Density: 3})
		g := worldtest.Blocks(t, gridseg.Rect{MinX: -6, MinY: -3, MaxX: 6, MaxY: 3})
		if err := g.Fill(gridseg.Rect{MinX: 1, MinY: -3, MaxX: 3, MaxY: 1},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(heavy)}); err != nil {
			t.Fatal(err)
		}
		body, ground := worldtest.AddGrid(t, w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(r.Float64(), r.Float64()), Angle: r.Float64(),
			Velocity: geom.V(r.Float64()-.5, r.Float64()-.5), AngularVelocity: 1e-3 * r.Float64(),
		}, quarry.GroundDef{Grid: g, MinFragment: 1e-9})
		if run%2 == 1 {
			for range 6 {
				// One that reaches into another part would be pushed out of it.
				w.AddShape(body.ID(), geom.Circle{Center: geom.V(14*r.Float64()-7, 8*r.Float64()-4), Radius: .2},
					quarry.ShapeDef{Density: 10 * r.Float64(), Mask: 2})
			}
		}
		if run%3 == 2 {
			// Any mass, centre and inertia: from a point's to 1000 times the tiles'.
			own := geom.Mass{Mass: math.Pow(10, 6*r.Float64()-3), Center: geom.V(40*r.Float64()-20, 40*r.Float64()-20)}
			if r.IntN(8) > 0 {
				own.Inertia = own.Mass / body.Mass() * body.Inertia() * math.Pow(10, 6*r.Float64()-3)
			}
			body.SetMass(own)
		}
		for range 3 {
			if r.IntN(2) == 0 {
				x := r.Int32N(11) - 5
				if err := ground.Fill(gridseg.Rect{MinX: x, MinY: -3, MaxX: x, MaxY: 3}, gridseg.Tile{}); err != nil {
					t.Fatal(err)
				}
			} else {
				at := ground.Transform()
				x := 10*r.Float64() - 5
				if err := ground.Dig(at.Apply(geom.V(x, -4)), at.Apply(geom.V(x+r.Float64(), 5)),
					.1+r.Float64()/2); err != nil {
					t.Fatal(err)
				}
			}
		}
		m, p, l, e, terms := momentum(w)
		const dt = 1e-9 // nothing moves or touches
		w.Step(dt)
		m2, p2, l2, e2, _ := momentum(w)
		breaks += len(w.Breaks())
		if math.Abs(m2-m) > 1e-12*m || p2.Sub(p).Len() > 1e-12*m || math.Abs(l2-l) > 1e-12*terms || e2 > e*(1+1e-12) {
			t.Errorf("run %d, %d breaks: mass %v to %v, momentum %v to %v, angular %v to %v (%g of its terms), "+
				"energy %v to %v",
				run, len(w.Breaks()), m, m2, p, p2, l, l2, math.Abs(l2-l)/terms, e, e2)
		}
		for s := range w.Shapes() {
			if s.Body().ID() != body.ID() {
				moved++
			}
		}
		for _, ev := range w.Breaks() {
			b, ok := w.Body(ev.Body)
			piece, ok2 := w.Ground(ev.Piece)
			if !ok || !ok2 || piece.Body().ID() != b.ID() || ev.Ground != ground.ID() ||
				b.CenterOfMass().Sub(ev.Center).Len() > 1e-6 {
				t.Errorf("%+v", ev)
			}
			if area := piece.Grid().SolidArea(ev.Cells).Cells(); area != ev.Area {
				t.Errorf("area %v, the event says %v", area, ev.Area)
			}
		}
		// The largest part stays.
		for _, ev := range w.Breaks() {
			if left := ground.Grid().SolidArea(gridseg.Rect{
				MinX: -9, MinY: -9, MaxX: 9,
				MaxY: 9,
			}).Cells(); left < ev.Area {
				t.Errorf("a part of %v cells came off, %v stayed", ev.Area, left)
			}
		}
	}
	if breaks < 120 || moved < 60 {
		t.Errorf("%d breaks, %d shapes moved", breaks, moved)
	}
}

// TestStaticGroundBreaks digs through towers on static ground: a part without an anchor falls, whichever kind of anchor
// the ground has, and of one without anchors the largest part stays.
func TestStaticGroundBreaks(t *testing.T) {
	foot, tower := gridseg.Rect{MinX: -1, MinY: 0, MaxX: 1, MaxY: 0}, gridseg.Rect{MinX: 0, MinY: 1, MaxX: 0, MaxY: 9}
	for name, d := range map[string]quarry.GroundDef{
		"rectangle": {Breaks: true, Anchors: []gridseg.Rect{{MinX: 1, MinY: 0, MaxX: 1, MaxY: 0}}},
		"bit":       {Breaks: true, AnchorBits: 4},
		"largest":   {Breaks: true},
		"off":       {},
	} {
		for _, kind := range []quarry.BodyType{quarry.Static, quarry.Kinematic} {
			w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
			d.Grid = worldtest.Blocks(t, foot, tower)
			if err := d.Grid.Set(-1, 0, gridseg.Tile{Shape: gridseg.Full, User: 6}); err != nil {
				t.Fatal(err)
			}
			body, g := worldtest.AddGrid(t, w, quarry.BodyDef{Type: kind}, d)
			w.Step(1. / 60)
			if len(w.Breaks()) != 0 {
				t.Fatalf("%s: %+v", name, w.Breaks())
			}
			if err := g.Clear(0, 2); err != nil { // below are 4 tiles, above 7
				t.Fatal(err)
			}
			w.Step(1. / 60)
			want := 7.0
			switch name {
			case "off":
				if len(w.Breaks()) != 0 {
					t.Errorf("%s: %+v", name, w.Breaks())
				}
				continue
			case "largest":
				want = 4
			}
			if len(w.Breaks()) != 1 || w.Breaks()[0].Area != want || w.Breaks()[0].Body == body.ID() {
				t.Fatalf("%s: %+v", name, w.Breaks())
			}
			b, _ := w.Body(w.Breaks()[0].Body)
			for range 10 {
				w.Step(1. / 60)
			}
			if y := b.Position().Y; name != "largest" && y > -.1 || b.Mass() != want {
				t.Errorf("%s: the part is at %v, mass %v", name, y, b.Mass())
			}
			if body.Type() != kind || body.Position() != (geom.Vec{}) {
				t.Errorf("%s: the ground moved", name)
			}
		}
	}
}

// TestBreakRing cuts a ring around a hill with a brush, in two strokes of which neither breaks it: it falls, and a
// sliver vanishes.
func TestBreakRing(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	_, g := worldtest.AddGrid(t, w, quarry.BodyDef{}, quarry.GroundDef{
		Grid: worldtest.Blocks(t, gridseg.Rect{MinX: -10, MinY: -10, MaxX: 10, MaxY: 10}), Breaks: true,
		Anchors: []gridseg.Rect{{MinX: -10, MinY: -10, MaxX: 10, MaxY: -10}},
	})
	arc := func(from, to float64) {
		for a := from; a < to; a += .1 {
			s0, c0 := geom.SinCos(a)
			s1, c1 := geom.SinCos(a + .1)
			if err := g.Dig(geom.V(5*c0, 5*s0), geom.V(5*c1, 5*s1), .3); err != nil {
				t.Fatal(err)
			}
		}
	}
	arc(0, 3.2)
	w.Step(1. / 60)
	if len(w.Breaks()) != 0 {
		t.Fatalf("%+v", w.Breaks())
	}
	if err := g.Dig(geom.V(-11, 6), geom.V(11, 6), .45); err != nil { // another cut, to the edge of the ground
		t.Fatal(err)
	}
	arc(3.1, 6.3)
	w.Step(1. / 60)
	pieces, debris, hill := 0, 0, quarry.BodyID(0)
	for _, ev := range w.Breaks() {
		if ev.Body == 0 {
			debris++
			if ev.Area >= quarry.DefaultMinFragment || ev.Piece != 0 {
				t.Errorf("%+v", ev)
			}
			continue
		}
		pieces++
		if want := math.Pi * 4.7 * 4.7; ev.Center.Len() < 1 {
			if hill = ev.Body; math.Abs(ev.Area-want) > .5 {
				t.Errorf("the hill has %v cells, want %v", ev.Area, want)
			}
		}
	}
	if pieces != 2 { // the hill, and what lies above the cut
		t.Errorf("%d pieces, %d bits of debris: %+v", pieces, debris, w.Breaks())
	}
	for range 180 {
		w.Step(1. / 60)
	}
	// The gap was .6 wide: the hill has fallen by that, and lies at the bottom of the ring.
	if b, _ := w.Body(hill); math.Abs(b.CenterOfMass().Y+.6) > .05 || b.Velocity().Len() > .1 {
		t.Errorf("the hill is at %v, with velocity %v", b.CenterOfMass(), b.Velocity())
	}
}

// TestDebris: parts below MinFragment vanish, with an event.
func TestDebris(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	ice := w.AddMaterial(quarry.Material{Density: 2})
	g := worldtest.Blocks(t, gridseg.Rect{MinX: 0, MinY: 0, MaxX: 9, MaxY: 0})
	if err := g.Set(9, 0, gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)}); err != nil {
		t.Fatal(err)
	}
	_, ground := worldtest.AddGrid(t, w, quarry.BodyDef{Type: quarry.Dynamic, AngularVelocity: .5},
		quarry.GroundDef{Grid: g, MinFragment: 1.5})
	if err := ground.Clear(8, 0); err != nil {
		t.Fatal(err)
	}
	body := ground.Body()
	v := body.VelocityAt(geom.V(9.5, .5))
	w.Step(1e-9)
	ev := w.Breaks()[0]
	if len(w.Breaks()) != 1 || ev.Body != 0 || ev.Piece != 0 || ev.Area != 1 ||
		ev.Center.Sub(geom.V(9.5, .5)).Len() > 1e-9 ||
		ev.Velocity.Sub(v).Len() > 1e-12 || ev.Spin != .5 || ev.Material != ice ||
		(ev.Cells != gridseg.Rect{MinX: 9, MinY: 0, MaxX: 9, MaxY: 0}) {
		t.Errorf("%+v, velocity %v", ev, v)
	}
	if n, _ := ground.Grid().Count(); n != 8 || len(w.GroundEdits()) != 1 {
		t.Errorf("%d tiles, %d edits", n, len(w.GroundEdits()))
	}
}

// TestBreakManyParts: at most 64 parts come off in a step, and the others follow.
func TestBreakManyParts(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	g := gridseg.New(nil)
	for i := range int32(200) {
		if err := g.Set(2*i, 0, gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
	}
	_, ground := worldtest.AddGrid(t, w, quarry.BodyDef{Type: quarry.Dynamic}, quarry.GroundDef{Grid: g})
	for _, want := range []int{64, 64, 64, 7, 0} {
		data := w.AppendSnapshot(nil)
		o := quarry.NewWorld(quarry.Config{})
		if err := o.Restore(data); err != nil {
			t.Fatal(err)
		}
		if w.Step(1e-6); len(w.Breaks()) != want {
			t.Errorf("%d parts, want %d", len(w.Breaks()), want)
		}
		if o.Step(1e-6); o.Hash() != w.Hash() || len(o.Breaks()) != want {
			t.Errorf("a restored world breaks otherwise: %d parts, want %d", len(o.Breaks()), want)
		}
	}
	if n, _ := ground.Grid().Count(); n != 1 || ground.Tile(0, 0) == (gridseg.Tile{}) {
		t.Error("the first tile does not stay")
	}
}

// TestBreakLargeParts: no part comes off in a step after parts of 65,536 cells.
func TestBreakLargeParts(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	var rects []gridseg.Rect
	for x := int32(0); x < 800; x += 200 {
		rects = append(rects, gridseg.Rect{MinX: x, MinY: 0, MaxX: x + 198, MaxY: 198})
	}
	worldtest.AddGrid(t, w, quarry.BodyDef{}, quarry.GroundDef{
		Grid: worldtest.Blocks(t, rects...), Breaks: true, AnchorBits: 1,
	})
	for _, want := range []int{2, 2, 0} {
		if w.Step(1e-6); len(w.Breaks()) != want {
			t.Errorf("%d parts, want %d", len(w.Breaks()), want)
		}
	}
}

// TestBreakHolds: shapes and joints go with the part whose tiles are nearest, if it is near, and keep their ids.
func TestBreakHolds(t *testing.T) {
	for _, kind := range []quarry.BodyType{quarry.Dynamic, quarry.Static} {
		w := quarry.NewWorld(quarry.Config{})
		_, g := worldtest.AddGrid(t, w, quarry.BodyDef{Type: kind, Angle: .3},
			quarry.GroundDef{Breaks: true, Grid: worldtest.Blocks(t, gridseg.Rect{MaxX: 19})})
		ball := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 15)})
		w.AddShape(ball, geom.Circle{Radius: .1}, quarry.ShapeDef{})
		at := g.Transform()
		piece := map[geom.Vec]bool{ // the places that the part which comes off holds
			// the tile of the last is dug, and both are as near
			geom.V(2, .5): false, geom.V(17, .5): true, geom.V(10.5, .5): false,
			geom.V(3, 1.6): false, geom.V(18, 1.6): true, geom.V(18, 9): false, geom.V(10.8, -.2): true,
		}
		joints, shapes := map[geom.Vec][2]quarry.JointID{}, map[geom.Vec]quarry.ShapeID{}
		for p := range piece {
			joints[p] = [2]quarry.JointID{
				w.AddJoint(quarry.DistanceJoint{JointBase: w.JointAt(g.Body().ID(), ball, at.Apply(p))}),
				w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(ball, g.Body().ID(), at.Apply(p))}),
			}
			shapes[p] = w.AddShape(g.Body().ID(), geom.Circle{Center: p, Radius: .5},
				quarry.ShapeDef{Sensor: p.X == 18})
		}
		if err := g.Clear(10, 0); err != nil {
			t.Fatal(err)
		}
		w.Step(1e-6)
		if len(w.Breaks()) != 1 {
			t.Fatal(w.Breaks())
		}
		bodies := map[bool]quarry.BodyID{false: g.Body().ID(), true: w.Breaks()[0].Body}
		for p, comes := range piece {
			for k, id := range joints[p] {
				j, _ := w.Joint(id)
				a, b := j.Bodies()
				if k == 1 {
					a, b = b, a
				}
				if a.ID() != bodies[comes] || b.ID() != ball {
					t.Errorf("%v: the joint at %v holds %d and %d, want %d", kind, p, a.ID(), b.ID(), bodies[comes])
				}
			}
			s, _ := w.Shape(shapes[p])
			if s.Body().ID() != bodies[comes] || s.Geometry() != (geom.Circle{Center: p, Radius: .5}) {
				t.Errorf("%v: the shape at %v is on %d, want %d", kind, p, s.Body().ID(), bodies[comes])
			}
		}
		var of []quarry.ShapeID
		part, _ := w.Body(bodies[true])
		for s := range part.Shapes() {
			of = append(of, s.ID())
		}
		if want := 9 + 3*math.Pi/4; len(of) != 3 || math.Abs(part.Mass()-want) > 1e-12 {
			t.Errorf("%v: the part has the shapes %v, and the mass %v, want %v", kind, of, part.Mass(), want)
		}
	}
}

// TestBreakOwnMass: a mass of Body.SetMass is divided in proportion to the masses of the tiles and shapes, debris
// included.
func TestBreakOwnMass(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	body, g := worldtest.AddGrid(t, w, quarry.BodyDef{Type: quarry.Dynamic}, quarry.GroundDef{
		Grid: worldtest.Blocks(t, gridseg.Rect{MinX: 0, MinY: 0, MaxX: 12, MaxY: 0}), MinFragment: 1.5,
	})
	w.AddShape(body.ID(), geom.NewBox(1, .5), quarry.ShapeDef{}) // half of it is below the first tiles
	body.SetMass(geom.Mass{Mass: 26, Center: geom.V(1, 2), Inertia: 3})
	for _, x := range []int32{7, 11} { // 7, 3 and 1 are left, and the box
		if err := g.Clear(x, 0); err != nil {
			t.Fatal(err)
		}
	}
	w.Step(1e-6)
	if len(w.Breaks()) != 2 || w.Breaks()[1].Body != 0 {
		t.Fatal(w.Breaks())
	}
	part, _ := w.Body(w.Breaks()[0].Body)
	if own, ok := body.MassData(); !ok || body.Mass() != own.Mass || math.Abs(body.Mass()-26*9./13) > 1e-12 {
		t.Errorf("mass %v, want %v", body.Mass(), 26*9./13)
	}
	if own, ok := part.MassData(); !ok || part.Mass() != own.Mass || math.Abs(part.Mass()-26*3./13) > 1e-12 {
		t.Errorf("mass %v of the part, want %v", part.Mass(), 26*3./13)
	}
	part.ResetMass()
	if part.Mass() != 3 {
		t.Errorf("mass %v of the part's tiles, want 3", part.Mass())
	}
}

// TestBreakOwnMassOfAny: parts take their share of a mass set by SetMass from a ground of any type, which has the rest
// once it is dynamic. (Parts of static and kinematic grounds had the mass of their tiles, and the ground kept all.)
func TestBreakOwnMassOfAny(t *testing.T) {
	for _, kind := range []quarry.BodyType{quarry.Static, quarry.Kinematic, quarry.Dynamic} {
		for _, anchor := range []int32{0, 100} { // the other anchor holds nothing
			w := quarry.NewWorld(quarry.Config{})
			body, g := worldtest.AddGrid(t, w, quarry.BodyDef{Type: kind}, quarry.GroundDef{
				Grid:   worldtest.Blocks(t, gridseg.Rect{MaxX: 9}),
				Breaks: true, Anchors: []gridseg.Rect{{MinX: anchor, MaxX: anchor}},
			})
			body.SetMass(geom.Mass{Mass: 90, Center: geom.V(5, 0), Inertia: 50})
			worldtest.Must(t, g.Clear(4, 0))
			w.Step(1e-6)
			body.SetType(quarry.Dynamic)
			sum := 0.0
			for b := range w.Bodies() {
				tiles := 0.0
				for of := range b.Grounds() {
					tiles += of.Grid().SolidArea(gridseg.Rect{MaxX: 9}).Cells()
				}
				if tiles > 0 {
					sum += b.Mass()
					if math.Abs(b.Mass()-10*tiles) > 1e-9 {
						t.Errorf("%v, anchor %d: mass %v of %v tiles", kind, anchor, b.Mass(), tiles)
					}
				}
			}
			if math.Abs(sum-90) > 1e-9 {
				t.Errorf("%v, anchor %d: mass %v in all", kind, anchor, sum)
			}
		}
	}
}

// TestBreakOwnMassInSteps: parts that come off in several steps take shares of a mass set by SetMass such that each
// step keeps mass and momentum, and adds no energy.
func TestBreakOwnMassInSteps(t *testing.T) {
	for _, inertia := range []float64{0, 0.01, 1e6} {
		w := quarry.NewWorld(quarry.Config{})
		g := gridseg.New(nil)
		for i := range int32(200) {
			worldtest.Must(t, g.Set(2*i, 0, gridseg.Tile{Shape: gridseg.Full}))
		}
		body, _ := worldtest.AddGrid(t, w, quarry.BodyDef{
			Type: quarry.Dynamic, Velocity: geom.V(1, 2), AngularVelocity: 0.5,
		}, quarry.GroundDef{Grid: g})
		body.SetMass(geom.Mass{Mass: 7, Center: geom.V(100, 3), Inertia: inertia})
		m, p, l, e, terms := momentum(w)
		for _, want := range []int{64, 64, 64, 7} {
			w.Step(1e-9)
			m2, p2, l2, e2, _ := momentum(w)
			if len(w.Breaks()) != want || math.Abs(m2-m) > 1e-12*m || p2.Sub(p).Len() > 1e-12*m*100 ||
				math.Abs(l2-l) > 1e-12*terms || e2 > e*(1+1e-12) {
				t.Errorf("inertia %v, %d parts: mass %v to %v, momentum %v to %v, angular %v to %v, energy %v to %v",
					inertia, len(w.Breaks()), m, m2, p, p2, l, l2, e, e2)
			}
		}
	}
}

// TestStrength drops balls on tiles with a strength: the heavy one's impulse is above it, and a crater is dug.
func TestStrength(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), HitSpeed: 400})
	glass := w.AddMaterial(quarry.Material{Friction: .5, Strength: 30})
	g := gridseg.New(nil)
	if err := g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 20, MaxY: 5},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(glass)}); err != nil {
		t.Fatal(err)
	}
	_, ground := worldtest.AddGrid(t, w, quarry.BodyDef{}, quarry.GroundDef{Grid: g})
	for k, density := range []float64{1, 10} {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(5.5+10*float64(k), 8), Velocity: geom.V(0,
			-5)})
		w.AddShape(b, geom.Circle{Radius: .5}, quarry.ShapeDef{Density: density})
	}
	for range 60 {
		w.Step(1. / 60)
		for _, h := range w.Hits() {
			if h.Cell != (gridseg.Cell{X: 15, Y: 5}) || h.Ground != ground.ID() || ground.Material(h.Tile) != glass ||
				h.Impulse <= 30 {
				t.Fatalf("%+v", h)
			}
			was := ground.Grid().SolidArea(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 20, MaxY: 5}).Cells()
			if err := ground.Crater(h, 2); err != nil {
				t.Fatal(err)
			}
			if dug := was - ground.Grid().SolidArea(gridseg.Rect{
				MinX: 0, MinY: 0, MaxX: 20,
				MaxY: 5,
			}).Cells(); math.Abs(dug-2) > .2 {
				t.Errorf("a crater of %v cells, want 2", dug)
			}
			return
		}
	}
	t.Error("no hit")
}

// TestSetBreaks: two platforms hang while a ground does not break; then each falls as soon as nothing holds it by the
// rules.
func TestSetBreaks(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	left, right := gridseg.Rect{MinX: -6, MinY: 4, MaxX: -4, MaxY: 4}, gridseg.Rect{MinX: 4, MinY: 4, MaxX: 5, MaxY: 4}
	_, g := worldtest.AddGrid(t, w, quarry.BodyDef{}, quarry.GroundDef{Grid: worldtest.Blocks(t, left, right,
		gridseg.Rect{MinX: -9, MinY: 0, MaxX: 9, MaxY: 0})})
	for _, c := range []struct {
		breaks  bool
		anchors []gridseg.Rect
		want    []gridseg.Rect
	}{
		{false, nil, nil},
		{true, []gridseg.Rect{{MinX: -9, MinY: 0, MaxX: 9, MaxY: 4}}, nil},
		{true, []gridseg.Rect{{MinX: 0, MinY: 0, MaxX: 9, MaxY: 4}}, []gridseg.Rect{left}},
		{true, nil, []gridseg.Rect{right}},
		{false, nil, nil},
	} {
		g.SetBreaks(c.breaks, c.anchors, 0)
		if d := g.Def(); d.Breaks != c.breaks || len(d.Anchors) != len(c.anchors) {
			t.Errorf("after SetBreaks(%t, %v) Def has %t, %v", c.breaks, c.anchors, d.Breaks, d.Anchors)
		}
		w.Step(1.0 / 60)
		var got []gridseg.Rect
		for _, ev := range w.Breaks() {
			got = append(got, ev.Cells)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("after SetBreaks(%t, %v) %v came off, want %v", c.breaks, c.anchors, got, c.want)
		}
	}
	g.SetMinFragment(30)
	g.SetBreaks(true, []gridseg.Rect{{MinX: 50, MaxX: 50}}, 0)
	w.Step(1.0 / 60)
	if evs := w.Breaks(); len(evs) != 1 || evs[0].Body != 0 || evs[0].Area != 19 {
		t.Errorf("19 cells with a MinFragment of 30: %+v, want one part that vanishes", evs)
	}
}

// TestMaxFragment: a part larger than MaxFragment stays in place, and smaller ones come off, also after it. When
// digging has made it small enough, it comes off, too.
func TestMaxFragment(t *testing.T) {
	const side = 1026
	w := quarry.NewWorld(quarry.Config{Workers: 1})
	_, g := worldtest.AddGrid(t, w, quarry.BodyDef{}, quarry.GroundDef{
		Grid: worldtest.Blocks(t, gridseg.Rect{MinX: 0, MinY: 0, MaxX: side - 1, MaxY: side - 1}), Breaks: true,
		AnchorBits: 1,
	})
	for _, x := range []int32{-5, side + 5} {
		if err := g.Set(x, 3, gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		w.Step(1. / 60)
		for _, ev := range w.Breaks() {
			if ev.Area != 1 {
				t.Errorf("a part of %v cells came off", ev.Area)
			}
		}
	}
	if n, _ := g.Grid().Count(); n != side*side {
		t.Errorf("%d tiles are left, want %d", n, side*side)
	}
	if err := g.Fill(gridseg.Rect{MinX: 1, MinY: 0, MaxX: 1, MaxY: side - 1}, gridseg.Tile{}); err != nil {
		t.Fatal(err)
	}
	w.Step(1. / 60)
	if list := w.Breaks(); len(list) != 1 || list[0].Area != side {
		t.Fatalf("%d parts came off, want the column", len(list))
	}
	// 1022 columns are left
	if err := g.Fill(gridseg.Rect{MinX: 2, MinY: 0, MaxX: 3, MaxY: side - 1}, gridseg.Tile{}); err != nil {
		t.Fatal(err)
	}
	w.Step(1. / 60)
	if list := w.Breaks(); len(list) != 1 || list[0].Area != side*(side-4) {
		t.Fatalf("%d parts came off, want the rest", len(list))
	}
}

// FuzzBreak edits a static and a moving ground that break, in any order, and steps: no part is lost, and a snapshot
// goes on the same way.
func FuzzBreak(f *testing.F) {
	f.Add([]byte{0, 10, 3, 4, 1, 40, 3, 9, 2, 5, 5, 8, 3, 0, 0, 0})
	f.Add([]byte{5, 200, 3, 7, 6, 90, 90, 7, 7, 1, 1, 1, 3, 1, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
		r := gridseg.Rect{MinX: 0, MinY: 0, MaxX: 11, MaxY: 7}
		var grounds [2]quarry.Ground
		for k, kind := range []quarry.BodyType{quarry.Static, quarry.Dynamic} {
			_, grounds[k] = worldtest.AddGrid(t, w, quarry.BodyDef{Type: kind, Position: geom.V(0, 12*float64(k))},
				quarry.GroundDef{
					Grid: worldtest.Blocks(t, r), Breaks: true, MinFragment: 0.2, Anchors: []gridseg.Rect{{
						MinX: 0, MinY: 0,
						MaxX: 2, MaxY: 0,
					}},
				})
		}
		for n := 0; len(data) >= 4 && n < 64; n++ {
			op, x, y, z := data[0], int32(data[1]%12), int32(data[2]%8), float64(data[3])
			data = data[4:]
			g := grounds[op&1]
			at := g.Transform()
			var err error
			switch op >> 1 & 3 {
			case 0:
				err = g.Fill(gridseg.Rect{MinX: x, MinY: 0, MaxX: x, MaxY: y}, gridseg.Tile{})
			case 1:
				p := at.Apply(geom.V(float64(x), float64(y)))
				err = g.Dig(p, p.Add(geom.V(z/32, 1)), 0.1+z/200)
			case 2:
				err = g.Set(x, y, gridseg.Tile{Shape: 1 + gridseg.ShapeID(int(z)%5)})
			default:
				if evs := w.Breaks(); len(evs) > 0 && evs[0].Piece != 0 {
					if _, ok := w.Ground(evs[0].Piece); ok && evs[0].Piece != g.ID() {
						err = g.Join(evs[0].Piece)
					}
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			area := func() (a float64) {
				for g := range w.Grounds() {
					a += g.Grid().SolidArea(gridseg.Rect{
						MinX: math.MinInt32, MinY: math.MinInt32, MaxX: math.MaxInt32,
						MaxY: math.MaxInt32,
					}).Cells()
				}
				return a
			}
			before := area()
			o := quarry.NewWorld(quarry.Config{})
			if err := o.Restore(w.AppendSnapshot(nil)); err != nil {
				t.Fatal(err)
			}
			w.Step(1. / 60)
			o.Step(1. / 60)
			if o.Hash() != w.Hash() {
				t.Fatal("the restored world differs")
			}
			for _, ev := range w.Breaks() {
				if ev.Piece == 0 {
					before -= ev.Area
				}
			}
			if after := area(); math.Abs(after-before) > 1e-9 {
				t.Fatalf("the area was %v, and is %v", before, after)
			}
		}
	})
}

// TestSetWhole: a ground that is whole breaks neither on a static nor on a dynamic body, also in a copy of the world;
// its loose parts come off in the step after SetWhole(false).
func TestSetWhole(t *testing.T) {
	for _, of := range []quarry.BodyType{quarry.Static, quarry.Dynamic} {
		w := worldtest.New()
		id, err := w.AddGround(w.AddBody(quarry.BodyDef{Type: of, Weightless: true}), quarry.GroundDef{Breaks: true})
		worldtest.Must(t, err)
		g, _ := w.Ground(id)
		worldtest.Must(t, g.Fill(gridseg.Rect{MaxX: 9, MaxY: 0}, oneTile))
		g.SetWhole(true)
		hash := w.Hash()
		g.SetWhole(false)
		if w.Hash() == hash || g.Whole() {
			t.Error("whole or not, the hash is the same")
		}
		g.SetWhole(true)
		worldtest.Must(t, g.Clear(6, 0))
		again := worldtest.New()
		worldtest.Must(t, again.Restore(w.AppendSnapshot(nil)))
		for _, x := range []*quarry.World{w, again} {
			g, _ := x.Ground(id)
			if worldtest.Steps(x, 3); len(x.Breaks()) > 0 || !g.Whole() {
				t.Errorf("type %v: a whole ground broke", of)
			}
			g.SetWhole(false)
			if x.Step(worldtest.DT); len(x.Breaks()) != 1 {
				t.Errorf("type %v: %d parts came off, want 1", of, len(x.Breaks()))
			}
		}
		if w.Hash() != again.Hash() {
			t.Error("the copy differs")
		}
	}
}
