package solid_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestDigCrater: a body over a crater falls in and comes to rest in it. Filling the
// crater restores the segments, and pushes the body out (law 3 of contact).
func TestDigCrater(t *testing.T) { worldtest.OnCarriers(t, digCrater) }

func digCrater(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	g := w.Floor(t, gridseg.Rect{MinX: -8, MinY: -8, MaxX: 7, MaxY: -1})
	_, before := g.Grid().Count()
	b := w.Add(geom.V(0.3, 0.4), geom.Circle{Radius: 0.4})
	w.Steps(60)
	if err := g.Dig(w.Point(geom.Vec{}), w.Point(geom.Vec{}), 3); err != nil {
		t.Fatal(err)
	}
	if !b.Awake() || g.Solid(w.Point(geom.V(0, -1))) || !g.Solid(w.Point(geom.V(0, -3.1))) {
		t.Fatal("no crater")
	}
	fastest := 0.0
	for range 900 {
		w.Step(worldtest.DT)
		fastest = max(fastest, w.Velocity(b).Len())
		// It comes down at 7 units/s, a ninth of a unit a step.
		if d := w.Position(b).Len(); d > 2.6+0.12 {
			t.Fatalf("in the ground: %v from the middle of a bowl of 3", d)
		}
	}
	worldtest.Near(t, "where it rests", w.Position(b).Y, -2.6, 0.03)
	worldtest.Near(t, "how fast it was", fastest, math.Sqrt(2*10*3), 0.3)
	if err := g.Fill(gridseg.Rect{MinX: -3, MinY: -3, MaxX: 2, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	if _, after := g.Grid().Count(); after != before {
		t.Errorf("%d segments after filling, %d before", after, before)
	}
	w.Steps(200)
	if g.Solid(b.Position()) {
		t.Errorf("still inside: %v", w.Position(b))
	}
}

// TestBuildBridge: ground that is built in mid-air carries a body.
func TestBuildBridge(t *testing.T) { worldtest.OnCarriers(t, buildBridge) }

func buildBridge(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	g := w.AddGround(t)
	if err := g.Build(w.Point(geom.V(-6.3, 0.2)), w.Point(geom.V(7.1, 0.2)), 0.7, gridseg.Attr{User: 5}); err != nil {
		t.Fatal(err)
	}
	b := w.Add(geom.V(0.4, 2), geom.NewBox(0.5, 0.5))
	w.SetVelocity(b, geom.V(1, 0))
	w.Steps(240)
	worldtest.Near(t, "height on the bridge", w.Position(b).Y, 0.2+0.7+0.5, 0.02)
	c := w.AppendContacts(nil)
	if len(c) == 0 || c[0].Points[0].Tile.User != 5 {
		t.Errorf("contacts: %+v", c)
	}
	for name, edit := range map[string]func() error{
		"NaN":       func() error { return g.Dig(geom.V(math.NaN(), 0), geom.V(0, 0), 1) },
		"no radius": func() error { return g.Dig(geom.V(0, 0), geom.V(0, 0), 0) },
		"negative":  func() error { return g.Build(geom.V(0, 0), geom.V(1, 0), -1, gridseg.Attr{}) },
		"too large": func() error { return g.Dig(geom.V(0, 0), geom.V(0, 0), 2049) },
		"too far":   func() error { return g.Build(geom.V(1e12, 0), geom.V(1e12, 0), 1, gridseg.Attr{}) },
		"too long":  func() error { return g.Dig(geom.V(-1e9, 0), geom.V(1e9, 0), 1) },
		"nothing to rid": func() error {
			return g.RemovePolygon(0, 0, [][]gridseg.Point{{{X: 0}, {X: 9}, {X: 9, Y: 9}}})
		},
	} {
		hash := w.Hash()
		if edit() == nil || w.Hash() != hash {
			t.Errorf("%s: no error, or the world was changed", name)
		}
	}
}

// TestNothingFallsIntoCraters is law 3 of contact for ground that is dug and built at
// random while bodies fly: they stay out of solid, or get out of it.
func TestNothingFallsIntoCraters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		on := worldtest.DrawFixedCarrier(t) // random edits cut a ground in parts
		w := on.NewSite()
		g := w.AddGround(t)
		const wide = 10
		if err := g.Fill(gridseg.Rect{MinX: -4, MinY: -6, MaxX: wide + 3, MaxY: 2},
			gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
		var all []quarry.Body
		for range rapid.IntRange(1, 5).Draw(t, "bodies") {
			size := rapid.Float64Range(0.15, 0.5).Draw(t, "size")
			var s geom.Shape = geom.Circle{Radius: size}
			if rapid.Bool().Draw(t, "box") {
				s = geom.NewBox(size, 0.7*size)
			}
			b := w.Add(geom.V(rapid.Float64Range(0, wide).Draw(t, "x"), rapid.Float64Range(4, 9).Draw(t, "y")), s)
			w.SetVelocity(b, geom.V(rapid.Float64Range(-20, 20).Draw(t, "vx"), rapid.Float64Range(-40, 5).Draw(t,
				"vy")))
			all = append(all, b)
		}
		for range 8 {
			p := geom.V(rapid.Float64Range(1, wide-1).Draw(t, "px"), rapid.Float64Range(0, 3).Draw(t, "py"))
			q := p.Add(geom.V(rapid.Float64Range(-2, 2).Draw(t, "qx"), rapid.Float64Range(-1, 1).Draw(t, "qy")))
			r := rapid.Float64Range(0.2, 1.5).Draw(t, "r")
			var err error
			if rapid.Bool().Draw(t, "dig") {
				err = g.Dig(w.Point(p), w.Point(q), r)
			} else {
				err = g.Build(w.Point(p), w.Point(q), r, gridseg.Attr{Material: 1})
			}
			if err != nil {
				t.Fatal(err)
			}
			w.Steps(20)
		}
		w.Steps(400)
		for _, b := range all {
			p := w.Position(b)
			if !p.IsFinite() || p.Y < -3 && p.X > -3.5 && p.X < wide+3.5 {
				t.Fatalf("fell through: %v", p)
			}
			if v := w.Velocity(b).Len(); p.Y > -3 && v > 20 {
				t.Fatalf("still at speed %v", v)
			}
		}
	})
}

// TestBuiltOverGoesTheShortWay is law 3 of contact: a ball in a crater that is built
// over, beside a narrow notch, leaves by the shortest way. It was pushed along the normal
// of the notch's wall, past the notch and through the ground.
func TestBuiltOverGoesTheShortWay(t *testing.T) { worldtest.OnCarriers(t, builtOver) }

func builtOver(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	g := w.Floor(t, gridseg.Rect{MinX: -4, MinY: -6, MaxX: 13, MaxY: 2})
	do := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	earth := gridseg.Attr{Material: 1}
	do(g.Build(w.Point(geom.V(1, 1)), w.Point(geom.V(2, 2)), 1.5, earth))
	do(g.Dig(w.Point(geom.V(1.625, 3)), w.Point(geom.V(2.625, 4)), 0.5))
	do(g.Build(w.Point(geom.V(2.5, 1)), w.Point(geom.V(3.5, 2)), 1.5, earth))
	b := w.Add(geom.V(1.63, 3.03), geom.Circle{Radius: 0.5})
	w.Steps(60)
	do(g.Build(w.Point(geom.V(1.5, 3)), w.Point(geom.V(0.5, 4)), 0.875, earth))
	lowest := w.Position(b).Y
	for range 300 {
		w.Step(worldtest.DT)
		lowest = min(lowest, w.Position(b).Y)
	}
	if lowest < 2.9 || g.Solid(b.Position()) {
		t.Errorf("came down to %v, is now at %v", lowest, w.Position(b))
	}
}

// TestBlockIntoBody is law 3 of contact: a block that is put into a resting body, or
// overlaps it, pushes it out upward or aside, at less than 8 units/s.
func TestBlockIntoBody(t *testing.T) { worldtest.OnCarriers(t, blockIntoBody) }

func blockIntoBody(t *testing.T, on worldtest.Carrier) {
	for _, at := range []gridseg.Cell{{X: 0, Y: 0}, {X: -1, Y: 0}, {X: 0, Y: 1}} {
		w := on.NewSite()
		g := w.Floor(t, gridseg.Rect{MinX: -9, MinY: -4, MaxX: 9, MaxY: -1})
		b := w.Add(geom.V(0.3, 0.5), geom.NewBox(0.5, 0.5))
		w.Steps(90)
		if err := g.Set(at.X, at.Y, gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
		fastest := 0.0
		for range 300 {
			w.Step(worldtest.DT)
			fastest = max(fastest, w.Velocity(b).Len())
		}
		if g.Solid(b.Position()) {
			t.Errorf("block in %v: the body is still inside, at %v", at, w.Position(b))
		}
		if w.Position(b).Y < 0.4 || fastest > 8 {
			t.Errorf("block in %v: the body is at %v, was as fast as %v", at, w.Position(b), fastest)
		}
	}
}

// TestCrushed is law 3 of contact: a body in solid ground without a way out is held in
// place and reported as crushed once; it leaves when a way is dug.
func TestCrushed(t *testing.T) { worldtest.OnCarriers(t, crushed) }

func crushed(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	g := w.Floor(t, gridseg.Rect{MinX: -40, MinY: -40, MaxX: 40, MaxY: 40})
	b := w.Add(geom.V(0.5, 0.5), geom.Circle{Radius: 0.4})
	told := 0
	for range 60 {
		w.Step(worldtest.DT)
		told += len(w.Crushed())
	}
	// The sum of 60 motions, each rounded to half a unit in the last place of 10^6: 60 * 5.8e-11.
	if told != 1 || w.Position(b).Dist(geom.V(0.5, 0.5)) > 3.5e-9 || on.AtRest() && b.Position() != geom.V(0.5, 0.5) {
		t.Errorf("crushed %d times, at %v; want once, where it was", told, w.Position(b))
	}
	// A way out ends it.
	if err := g.Fill(gridseg.Rect{MinX: -1, MinY: 1, MaxX: 1, MaxY: 40}, gridseg.Tile{}); err != nil {
		t.Fatal(err)
	}
	w.Steps(300)
	if g.Solid(b.Position()) || w.Position(b).Y < 0.9 {
		t.Errorf("did not come out: %v", w.Position(b))
	}
}
