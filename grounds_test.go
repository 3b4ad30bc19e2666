package quarry

import (
	"math"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/narrow"
)

// tileBlock returns a grid of w by h full tiles.
func tileBlock(w, h int32) *gridseg.Grid {
	g := gridseg.New(nil)
	_ = g.Fill(gridseg.Rect{MaxX: w - 1, MaxY: h - 1}, gridseg.Tile{Shape: gridseg.Full})
	return g
}

// addTiles adds a body with w by h tiles, or a box of that size, with its lower left corner at p.
func addTiles(t *testing.T, world *World, tiles bool, kind BodyType, p geom.Vec, turn float64, w, h int32) BodyID {
	t.Helper()
	q := geom.NewRot(turn)
	half := geom.V(float64(w)/2, float64(h)/2)
	if !tiles {
		id := world.AddBody(BodyDef{Type: kind, Position: p.Add(q.Apply(half)), Angle: turn})
		world.AddShape(id, geom.NewBox(half.X, half.Y), ShapeDef{})
		return id
	}
	id := world.AddBody(BodyDef{Type: kind, Position: p, Angle: turn})
	if _, err := world.AddGround(id, GroundDef{Grid: tileBlock(w, h)}); err != nil {
		t.Fatal(err)
	}
	return id
}

// TestGroundsRest: a stack of three grounds on static terrain falls asleep where it was built.
func TestGroundsRest(t *testing.T) {
	w := NewWorld(Config{Gravity: geom.V(0, -10)})
	addTiles(t, w, true, Static, geom.V(-20, -4), 0, 40, 4)
	var ids []BodyID
	for k := range 3 {
		ids = append(ids, addTiles(t, w, true, Dynamic, geom.V(-2, 3*float64(k)+0.3), 0, 4, 3))
	}
	for range 600 {
		w.Step(1.0 / 60)
	}
	for k, id := range ids {
		b, _ := w.Body(id)
		if p := b.CenterOfMass(); math.Abs(p.X) > 0.01 || math.Abs(p.Y-1.5-3*float64(k)) > 0.03 || b.Awake() {
			t.Errorf("ground %d rests at %v, awake %v", k, p, b.Awake())
		}
	}
	if n := len(w.AppendContacts(nil)); n != 3 {
		t.Errorf("%d contacts", n)
	}
}

// TestHook: a ground with the form of an L hangs on the corner of another one.
func TestHook(t *testing.T) {
	w := NewWorld(Config{Gravity: geom.V(0, -10)})
	// An arm to the right at y = 7 to 8, with a lip up at its end.
	post := tileBlock(6, 9)
	_ = post.Fill(gridseg.Rect{MinX: 1, MaxX: 5, MaxY: 6}, gridseg.Tile{})
	_ = post.Fill(gridseg.Rect{MinX: 0, MinY: 8, MaxX: 4, MaxY: 8}, gridseg.Tile{})
	if _, err := w.AddGround(0, GroundDef{Grid: post}); err != nil {
		t.Fatal(err)
	}
	// The hook comes from above, with its bend on the arm, its tip behind the lip, and its heavy stem on the far side.
	hook := tileBlock(4, 7)
	_ = hook.Fill(gridseg.Rect{MinX: 1, MaxX: 2, MaxY: 5}, gridseg.Tile{})
	_ = hook.Fill(gridseg.Rect{MinX: 0, MaxX: 0, MaxY: 4}, gridseg.Tile{})
	id := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(3.8, 3.1)})
	if _, err := w.AddGround(id, GroundDef{Grid: hook}); err != nil {
		t.Fatal(err)
	}
	for range 900 {
		w.Step(1.0 / 60)
	}
	b, _ := w.Body(id)
	if p := b.CenterOfMass(); p.Y < 4 || b.Awake() {
		t.Errorf("the hook is at %v, awake %v", p, b.Awake())
	}
	if n := len(w.AppendContacts(nil)); n < 1 {
		t.Error("no contact")
	}
}

// TestGroundOnChain: a ground slides over the corners of a chain in one line, and rests on it; the contact names both
// sides.
func TestGroundOnChain(t *testing.T) {
	w := NewWorld(Config{Gravity: geom.V(0, -10)})
	var line []geom.Vec
	for k := range 60 {
		line = append(line, geom.V(30-float64(k), 0))
	}
	if _, err := w.AddChain(0, ChainDef{Points: line}); err != nil {
		t.Fatal(err)
	}
	id := addTiles(t, w, true, Dynamic, geom.V(-10, 0.2), 0, 4, 3)
	b, _ := w.Body(id)
	b.SetVelocity(geom.V(6, 0))
	var begins []ContactEvent
	for range 600 {
		w.Step(1.0 / 60)
		begins = append(begins, w.ContactBegins()...)
		if math.Abs(b.Transform().Q.S) > 1e-3 {
			t.Fatalf("the ground turns: %v at %v", b.Transform().Q.S, b.Position())
		}
	}
	if b.Awake() || math.Abs(b.Position().Y) > 0.01 || b.Position().X < -9 {
		t.Errorf("at %v, awake %v", b.Position(), b.Awake())
	}
	if len(begins) != 1 || begins[0].Chain == 0 || begins[0].GroundB == 0 || begins[0].ShapeB != 0 ||
		begins[0].TileB.Shape != gridseg.Full || begins[0].CellB.Y != 0 {
		t.Errorf("begins: %+v", begins)
	}
	c := w.AppendContacts(nil)
	if len(c) != 1 || c[0].N != 2 || c[0].Points[0].ID.A.Kind != ChainFace && c[0].Points[0].ID.B.Kind != GroundLine {
		t.Errorf("contacts: %+v", c)
	}
}

// TestGroundsOnTerrain: random grounds fall on rough terrain and on each other, come to rest there, and do not overlap
// it deeply; digging under them wakes them; a world restored half way has the same bits.
func TestGroundsOnTerrain(t *testing.T) {
	build := func() *World {
		w := NewWorld(Config{Gravity: geom.V(0, -10)})
		g := gridseg.New(nil)
		_ = g.Fill(gridseg.Rect{MinX: -30, MinY: -6, MaxX: 30, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
		for x := int32(-30); x <= 30; x++ {
			switch (x*7 + 3) & 3 {
			case 0:
				_ = g.Set(x, 0, gridseg.Tile{Shape: gridseg.Ramp})
			case 1:
				_ = g.Set(x, 0, gridseg.Tile{Shape: gridseg.Full})
			}
		}
		if _, err := w.AddGround(0, GroundDef{Grid: g}); err != nil {
			t.Fatal(err)
		}
		for k := range 20 {
			b := gridseg.New(nil)
			for i := range int32(9) {
				if (uint32(k)*2654435761>>uint(i+7))&3 > 0 || i == 4 {
					_ = b.Set(i%3, i/3, gridseg.Tile{Shape: gridseg.Full})
				}
			}
			id := w.AddBody(BodyDef{
				Type: Dynamic, Position: geom.V(float64(k%5)*6-14, 3+float64(k/5)*5),
				Angle: float64(k),
			})
			if _, err := w.AddGround(id, GroundDef{Grid: b}); err != nil {
				t.Fatal(err)
			}
		}
		return w
	}
	w := build()
	var half []byte
	for k := range 900 {
		w.Step(1.0 / 60)
		if k == 100 {
			half = w.AppendSnapshot(nil)
		}
	}
	awake := 0
	for b := range w.Bodies() {
		if b.Type() == Dynamic {
			if b.CenterOfMass().Y < -0.5 {
				t.Errorf("a ground is at %v", b.CenterOfMass())
			}
			if b.Awake() {
				awake++
			}
		}
	}
	if awake > 2 {
		t.Errorf("%d grounds are awake", awake)
	}
	for _, c := range w.AppendContacts(nil) {
		for _, p := range c.Points[:c.N] {
			if p.Separation < -0.06 {
				t.Errorf("a contact is %v deep: %+v", p.Separation, p)
			}
		}
	}
	again := NewWorld(Config{})
	if err := again.Restore(half); err != nil {
		t.Fatal(err)
	}
	for range 799 {
		again.Step(1.0 / 60)
	}
	if again.Hash() != w.Hash() {
		t.Error("the restored world differs")
	}
	for g := range w.Grounds() {
		if g.Body().Type() == Static {
			if err := g.Fill(gridseg.Rect{MinX: -30, MinY: -6, MaxX: 30, MaxY: 1}, gridseg.Tile{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 60 {
		w.Step(1.0 / 60)
	}
	for b := range w.Bodies() {
		if b.Type() == Dynamic && b.CenterOfMass().Y > 3 {
			t.Errorf("a ground still is at %v", b.CenterOfMass())
		}
	}
}

// TestGroundInsideGround: a ground that ends up inside another one, wholly or in part, is pushed out, and not shot out.
func TestGroundInsideGround(t *testing.T) {
	for _, c := range []struct {
		name string
		at   geom.Vec
		turn float64
		w, h int32
		kind BodyType // of the other ground
	}{
		{"a corner", geom.V(18.5, 9), 0.3, 4, 4, Static},
		{"half", geom.V(5, 8), 0, 6, 4, Static},
		{"deep", geom.V(5, 5.3), 0.02, 3, 4, Static},
		{"wholly", geom.V(8, 6), 0.5, 3, 2, Static},
		{"in a moving one", geom.V(8, 6), 0.5, 3, 2, Dynamic},
	} {
		w := NewWorld(Config{})
		other := addTiles(t, w, true, c.kind, geom.Vec{}, 0, 20, 10)
		id := addTiles(t, w, true, Dynamic, c.at, c.turn, c.w, c.h)
		fastest := 0.0
		for range 600 {
			w.Step(1.0 / 60)
			for _, i := range []BodyID{id, other} {
				b, _ := w.Body(i)
				fastest = max(fastest, b.Velocity().Len())
			}
		}
		b, _ := w.Body(id)
		g := Ground{}
		for x := range w.Grounds() {
			if x.Body().ID() == other {
				g = x
			}
		}
		if p := b.CenterOfMass(); g.Solid(p) || fastest > 8 {
			t.Errorf("%s: at %v after a speed of %v", c.name, p, fastest)
		}
		for _, c := range w.AppendContacts(nil) {
			for _, p := range c.Points[:c.N] {
				if p.Separation < -0.05 {
					t.Errorf("still %v deep", p.Separation)
				}
			}
		}
	}
}

// TestKeptPointsOfGrounds: the two points of two grounds that hardly move are kept, as of two boxes, with separations
// that follow the motion; an edit of either ground, and a move by SetTransform, compute them again.
func TestKeptPointsOfGrounds(t *testing.T) {
	for name, change := range map[string]func(g [2]Ground, b Body){
		"upper":     func(g [2]Ground, _ Body) { _ = g[1].Clear(0, 0) },
		"lower":     func(g [2]Ground, _ Body) { _ = g[0].Clear(3, 1) },
		"transform": func(_ [2]Ground, b Body) { b.SetTransform(b.Position().Add(geom.V(1, 0)), 0) },
	} {
		w := NewWorld(Config{})
		var g [2]Ground
		var b Body
		for k := range g {
			id := addTiles(t, w, true, Dynamic, geom.V(float64(k), 2*float64(k)), 0, 4, 2)
			b, _ = w.Body(id)
			b.SetVelocity(geom.V(0, -1e-3*float64(k)))
			g[k] = slices.Collect(b.Grounds())[0]
		}
		kept := 0
		for range 10 {
			w.Step(1.0 / 60)
			for _, c := range w.state.Contacts.All() {
				a, b := w.state.Bodies.At(c.BodyA), w.state.Bodies.At(c.BodyB)
				if pose := narrow.PoseOf(a.Rot, b.Rot, b.Center.Sub(a.Center)); c.Last.Holds(&pose) {
					kept++
				}
			}
		}
		if kept < 9 {
			t.Fatalf("%s: kept in %d of 10 steps", name, kept)
		}
		was := b.Position()
		change(g, b)
		w.Step(1.0 / 60)
		for _, c := range w.state.Contacts.All() {
			m := w.state.Contacts.SurfaceOf(c).Manifolds
			if len(m) != 1 || m[0].N != 2 {
				t.Fatalf("%s: %d manifolds", name, len(m))
			}
			// The tops of the lower ground and the bottom of the upper one have in common:
			lo, hi := 1.0, 4.0
			switch {
			case name == "upper":
				lo = 2
			case name == "lower":
				hi = 3
			case b.Position() != was:
				lo = 2
			}
			xs := []float64{m[0].Points[0].AnchorA.X + w.state.Bodies.At(c.BodyA).Center.X, m[0].Points[1].AnchorA.X +
				w.state.Bodies.At(c.BodyA).Center.X}
			if slices.Sort(xs); math.Abs(xs[0]-lo) > 1e-3 || math.Abs(xs[1]-hi) > 1e-3 {
				t.Errorf("%s: points at %v, want %v and %v", name, xs, lo, hi)
			}
		}
	}
}

// TestWarmGroundsAllocateNothing: a step of grounds that slide on each other allocates nothing.
func TestWarmGroundsAllocateNothing(t *testing.T) {
	w := NewWorld(Config{Gravity: geom.V(0, -10), SleepTime: 1e6, Workers: 1})
	ice := w.AddMaterial(Material{Friction: 0.01})
	floor := w.AddBody(BodyDef{})
	if _, err := w.AddGround(floor, GroundDef{Grid: tileBlock(400, 3), Materials: []MaterialID{ice}}); err != nil {
		t.Fatal(err)
	}
	for k := range 6 {
		id := addTiles(t, w, true, Dynamic, geom.V(5+6*float64(k), 3), 0, 5, 3)
		b, _ := w.Body(id)
		b.SetVelocity(geom.V(3+float64(k), 0))
	}
	for range 120 {
		w.Step(1.0 / 60)
	}
	if n := testing.AllocsPerRun(100, func() { w.Step(1.0 / 60) }); n > 0 {
		t.Errorf("a step allocates %v times", n)
	}
}

// TestWarmOverlapAllocatesNothing: a step of two grounds that overlap without a corner of one in the other, or wholly,
// allocates nothing: the search for the shortest way apart keeps its memory.
func TestWarmOverlapAllocatesNothing(t *testing.T) {
	for name, size := range map[string][4]int32{"crossed": {20, 2, 2, 20}, "inside": {12, 12, 3, 3}} {
		w := NewWorld(Config{SleepTime: 1e6, Workers: 1})
		var bodies [2]Body
		for k := range bodies {
			bodies[k], _ = w.Body(addTiles(t, w, true, Dynamic, geom.Vec{}, 0, size[2*k], size[2*k+1]))
		}
		moves := 0
		again := func() {
			for k, b := range bodies {
				b.SetTransform(geom.V(-0.5*float64(size[2*k]), -0.5*float64(size[2*k+1])), 0.1*float64(k))
				b.SetVelocity(geom.Vec{})
				b.SetAngularVelocity(0)
			}
			at := bodies[1].CenterOfMass().Sub(bodies[0].CenterOfMass())
			for range 10 {
				w.Step(1.0 / 60)
			}
			if bodies[1].CenterOfMass().Sub(bodies[0].CenterOfMass()).Dist(at) > 0.05 {
				moves++
			}
		}
		for range 20 {
			again()
		}
		if n := testing.AllocsPerRun(20, again); n > 0 {
			t.Errorf("%s: ten steps allocate %v times", name, n)
		}
		if moves < 40 {
			t.Errorf("%s: %d of 41 times they get apart", name, moves)
		}
	}
}
