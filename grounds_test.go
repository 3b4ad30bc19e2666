package quarry

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
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

func centerOf(w *World, id BodyID) geom.Vec {
	b, _ := w.Body(id)
	return b.CenterOfMass()
}

// TestGroundSlidesAsBox: two grounds of 20 x 20 tiles slide over each other, flat and at 1:2, on the path of two boxes.
func TestGroundSlidesAsBox(t *testing.T) {
	for _, turn := range []float64{0, math.Atan2(1, 2)} {
		for _, under := range []BodyType{Static, Dynamic} {
			var at [2][2]geom.Vec
			var spin [2]float64
			worlds := [2]*World{}
			ids := [2][2]BodyID{}
			for k := range worlds {
				w := NewWorld(Config{Gravity: geom.V(0, -10)})
				q := geom.NewRot(turn)
				if under == Dynamic {
					w = NewWorld(Config{})
				}
				ids[k][0] = addTiles(t, w, k == 0, under, geom.Vec{}, turn, 20, 20)
				ids[k][1] = addTiles(t, w, k == 0, Dynamic, q.Apply(geom.V(-6.3, 20)), turn, 20, 20)
				b, _ := w.Body(ids[k][1])
				b.SetVelocity(q.Apply(geom.V(5, -0.5)))
				worlds[k] = w
			}
			worst := 0.0
			for range 180 {
				for k, w := range worlds {
					w.Step(1.0 / 60)
					for j, id := range ids[k] {
						if j == 1 || under == Dynamic { // the centre of mass of a static body is its origin
							at[k][j] = centerOf(w, id)
						}
					}
					b, _ := w.Body(ids[k][1])
					spin[k] = b.AngularVelocity()
				}
				worst = max(worst, at[0][0].Dist(at[1][0]), at[0][1].Dist(at[1][1]), math.Abs(spin[0]-spin[1]))
			}
			if n := len(worlds[0].AppendContacts(nil)); n == 0 && under == Static {
				t.Error("no contact")
			}
			if worst > 1e-6 {
				t.Errorf("turned by %v on a body of type %v: %g from the path of the boxes", turn, under, worst)
			}
		}
	}
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

// TestCornerSlidesOverSeams: the corner of a tilted ground that cannot turn slides over 40 seams of another ground, of tiles
// and of polygons, without friction: it keeps its speed and its height.
func TestCornerSlidesOverSeams(t *testing.T) {
	w := NewWorld(Config{Gravity: geom.V(0, -10)})
	ice := w.AddMaterial(Material{Friction: 0})
	g := tileBlock(60, 3)
	u := int64(gridseg.Unit)
	for x := int32(0); x < 60; x += 3 {
		_ = g.Set(x, 2, gridseg.Tile{})
		for _, loop := range [][]gridseg.Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}}, {{X: 0, Y: 0}, {X: u, Y: u}, {X: 0, Y: u}}} {
			if err := g.Add(x, 2, [][]gridseg.Point{loop}, gridseg.Attr{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	floor := w.AddBody(BodyDef{})
	if _, err := w.AddGround(floor, GroundDef{Grid: g, Materials: []MaterialID{ice}}); err != nil {
		t.Fatal(err)
	}
	id := addTiles(t, w, true, Dynamic, geom.V(5, 3.01), 0.3, 3, 4)
	b, _ := w.Body(id)
	b.SetLocks(false, false, true)
	for range 60 {
		w.Step(1.0 / 60)
	}
	b.SetVelocity(geom.V(8, 0))
	at := b.Position()
	for k := range 300 {
		w.Step(1.0 / 60)
		if p, v := b.Position(), b.Velocity(); math.Abs(p.Y-at.Y) > 1e-4 || math.Abs(v.X-8) > 1e-4 || math.Abs(p.X-at.X-8*float64(k+1)/60) > 1e-3 {
			t.Fatalf("step %d: at %v with %v, from %v", k, p, v, at)
		}
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
	if len(begins) != 1 || begins[0].Chain == 0 || begins[0].GroundB == 0 || begins[0].ShapeB != 0 || begins[0].TileB.Shape != gridseg.Full || begins[0].CellB.Y != 0 {
		t.Errorf("begins: %+v", begins)
	}
	c := w.AppendContacts(nil)
	if len(c) != 1 || c[0].N != 2 || c[0].Points[0].ID.A.Kind != ChainFace && c[0].Points[0].ID.B.Kind != GroundLine {
		t.Errorf("contacts: %+v", c)
	}
}

// TestGroundsOnTerrain: random grounds fall on rough terrain and on each other, come to rest there, and do not overlap it
// deeply; digging under them wakes them; a world restored half way has the same bits.
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
			id := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(float64(k%5)*6-14, 3+float64(k/5)*5), Angle: float64(k)})
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

// TestGroundSlidesOverGaps: a ground without friction slides over pillars with gaps between them, and a ground on legs over
// flat ground and past the ends of a platform: it keeps its speed and does not turn.
func TestGroundSlidesOverGaps(t *testing.T) {
	for _, legs := range []bool{false, true} {
		for _, turn := range []float64{0, 0.3} {
			q := geom.NewRot(turn)
			w := NewWorld(Config{Gravity: q.Apply(geom.V(0, -10))})
			ice := w.AddMaterial(Material{Friction: 0})
			g := tileBlock(100, 3)
			for x := int32(1); x < 100; x += 2 {
				if !legs || x%10 == 1 {
					_ = g.Set(x, 2, gridseg.Tile{})
				}
			}
			floor := w.AddBody(BodyDef{Angle: turn})
			if _, err := w.AddGround(floor, GroundDef{Grid: g, Materials: []MaterialID{ice}}); err != nil {
				t.Fatal(err)
			}
			tiles := tileBlock(7, 3)
			for x := int32(2); x < 7 && legs; x += 3 {
				_ = tiles.Set(x, 0, gridseg.Tile{})
			}
			id := w.AddBody(BodyDef{Type: Dynamic, Position: q.Apply(geom.V(3, 3)), Angle: turn})
			if _, err := w.AddGround(id, GroundDef{Grid: tiles}); err != nil {
				t.Fatal(err)
			}
			b, _ := w.Body(id)
			b.SetVelocity(q.Apply(geom.V(6, 0)))
			for k := range 400 {
				w.Step(1.0 / 60)
				if v := q.Inv(b.Velocity()); math.Abs(v.X-6) > 1e-3 || math.Abs(b.AngularVelocity()) > 0.01 {
					t.Fatalf("legs %v, turned by %v, step %d: %v with spin %v at %v", legs, turn, k, v, b.AngularVelocity(), q.Inv(b.Position()))
				}
			}
		}
	}
}
