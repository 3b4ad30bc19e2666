package quarry_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

func TestDigWakesAndDrops(t *testing.T) {
	w := worldtest.New()
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -4, MaxX: 5, MaxY: -1})
	b := worldtest.Add(w, geom.V(0.5, 0.45), geom.NewBox(0.45, 0.45))
	far := worldtest.Add(w, geom.V(4.5, 0.45), geom.NewBox(0.45, 0.45))
	worldtest.Steps(w, 120)
	if b.Awake() || far.Awake() {
		t.Fatal("did not fall asleep")
	}
	if err := g.Clear(0, -1); err != nil {
		t.Fatal(err)
	}
	if !b.Awake() || far.Awake() {
		t.Errorf("after the edit: awake %v, far away %v; want true, false", b.Awake(), far.Awake())
	}
	worldtest.Steps(w, 120)
	worldtest.Near(t, "height in the hole", b.Position().Y, -0.55, 2*geom.LinearSlop)
	if err := g.Set(99, 99, gridseg.Tile{Shape: 4000}); err == nil {
		t.Error("a tile of an unknown shape: no error")
	}
}

// TestGroundEventsKnowTheirTile is law 7 of the ground for contacts and their begin events.
func TestGroundEventsKnowTheirTile(t *testing.T) {
	w := worldtest.New()
	lava := w.AddMaterial(quarry.Material{Friction: 0.1, User: 7})
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	tile := gridseg.Tile{Shape: gridseg.Full, Material: uint16(lava), User: 42}
	if err := g.Set(2, -1, tile); err != nil {
		t.Fatal(err)
	}
	b := worldtest.Add(w, geom.V(2.5, 1.5), geom.Circle{Radius: 0.4})
	begun := false
	for range 120 {
		w.Step(worldtest.DT)
		for _, e := range w.ContactBegins() {
			begun = true
			if e.Tile != tile || e.Cell != (gridseg.Cell{X: 2, Y: -1}) || e.Ground != g.ID() {
				t.Errorf("begin: %+v", e)
			}
		}
	}
	if !begun {
		t.Error("no contact began")
	}
	c := w.AppendContacts(nil)
	if len(c) != 1 || c[0].Points[0].Tile.User != 42 {
		t.Errorf("contacts: %+v", c)
	}
	w.RemoveBody(b.ID())
	w.Step(worldtest.DT)
	if e := w.ContactEnds(); len(e) != 1 {
		t.Errorf("ends of the step after the removal: %+v", e)
	}
	w.Step(worldtest.DT)
	if e := w.ContactEnds(); len(e) != 0 {
		t.Errorf("told twice: %+v", e)
	}
}

// TestGroundCopiesMaterials: a ground copies the slice of materials in its definition.
func TestGroundCopiesMaterials(t *testing.T) {
	w := worldtest.New()
	ice, mud := w.AddMaterial(quarry.Material{}), w.AddMaterial(quarry.Material{Friction: 1})
	table := []quarry.MaterialID{ice}
	id, err := w.AddGround(0, quarry.GroundDef{Materials: table})
	if err != nil {
		t.Fatal(err)
	}
	table[0] = mud
	g, _ := w.Ground(id)
	if got := g.Material(gridseg.Tile{Shape: gridseg.Full}); got != ice {
		t.Errorf("material %d, want %d", got, ice)
	}
}

// TestFarAway: a world ten million cells away behaves as one at the origin.
func TestFarAway(t *testing.T) {
	const far = 10_000_000
	at := func(x int32) (*quarry.World, quarry.Body) {
		w := worldtest.New()
		g := worldtest.Floor(t, w, gridseg.Rect{MinX: x - 5, MinY: -1, MaxX: x + 40, MaxY: -1})
		for i := range int32(5) {
			if err := g.Set(x+20+2*i, 0, gridseg.Tile{Shape: gridseg.Ramp}); err != nil {
				t.Fatal(err)
			}
		}
		b := worldtest.Add(w, geom.V(float64(x)+0.5, 0.5), geom.Circle{Radius: 0.5})
		b.SetVelocity(geom.V(12, 0))
		return w, b
	}
	wa, a := at(0)
	wb, b := at(far)
	for range 60 {
		wa.Step(worldtest.DT)
		wb.Step(worldtest.DT)
		if d := b.Position().Sub(geom.V(far, 0)).Dist(a.Position()); d > 1e-4 {
			t.Fatalf("step %d: off by %v", wa.StepCount(), d)
		}
	}
}

// TestApartFromGround: shapes near a ground that they do not touch are compared with it only when they or its tiles
// have moved as far as their distance. So a world takes the same path as one that is restored from a snapshot in each
// step, without kept distances, also during edits, unloading, loading and moves, and among one-way tiles.
func TestApartFromGround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		ground := w.AddBody(quarry.BodyDef{
			Position: geom.V(0.3, 0.1),
			Angle:    rapid.SampledFrom([]float64{0, 0.4}).Draw(t, "angle"),
		})
		id, err := w.AddGround(ground, quarry.GroundDef{})
		if err != nil {
			t.Fatal(err)
		}
		g, _ := w.Ground(id)
		at := func(name string) int32 { return int32(rapid.IntRange(-4, 4).Draw(t, name)) }
		coord := func(name string) float64 { return rapid.Float64Range(-4, 4).Draw(t, name) }
		way := w.AddMaterial(quarry.Material{OneWay: rapid.SampledFrom([]quarry.OneWay{
			quarry.NotOneWay,
			quarry.OneWayUp,
		}).Draw(t, "way")})
		set := func() {
			tile := rapid.SampledFrom([]gridseg.Tile{{}, {Shape: gridseg.Full}, {Shape: gridseg.Ramp, Turn: 1}}).Draw(t,
				"tile")
			if tile.Shape != 0 && rapid.Bool().Draw(t, "one-way") {
				tile.Material = uint16(way)
			}
			_ = g.Set(at("x"), at("y"), tile) // refused in an unloaded place
		}
		for range 12 {
			set()
		}
		var bodies []quarry.Body
		for range 6 {
			v := geom.V(coord("vx"), coord("vy")).Mul(0.2)
			b := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(coord("px"), coord("py")), Velocity: v,
				AngularVelocity: coord("spin"), NoSleep: true,
			})
			w.AddShape(b, rapid.SampledFrom([]geom.Shape{geom.Circle{Radius: 0.25}, geom.NewBox(0.2, 0.1)}).Draw(t,
				"of"), quarry.ShapeDef{})
			body, _ := w.Body(b)
			bodies = append(bodies, body)
		}
		var unloaded [][]byte
		for range 40 {
			switch rapid.IntRange(0, 8).Draw(t, "do") {
			case 0:
				set()
			case 1:
				b := rapid.SampledFrom(bodies).Draw(t, "body")
				was, to := b.Transform(), geom.V(coord("to x"), coord("to y"))
				b.SetTransform(to, 0)
				set()
				if rapid.Bool().Draw(t, "back") {
					b.SetTransform(was.P, was.Q.Angle())
				}
			case 2:
				r := gridseg.Rect{MinX: at("from x"), MinY: at("from y"), MaxX: 4, MaxY: 4}
				if data, err := g.UnloadPlace(r, gridseg.UnloadedEmpty); err == nil {
					unloaded = append(unloaded, data)
				}
			case 3:
				if n := len(unloaded); n > 0 {
					if _, err := g.LoadPlace(unloaded[n-1]); err != nil {
						t.Fatal(err)
					}
					unloaded = unloaded[:n-1]
				}
			case 4:
				body, _ := w.Body(ground)
				body.SetTransform(geom.V(coord("gx"), coord("gy")).Mul(0.02), coord("turn")*0.01)
			case 5:
				rapid.SampledFrom(bodies).Draw(t, "drops").DropThrough(rapid.SampledFrom([]float64{0, 0.05}).Draw(t,
					"for"))
			case 6:
				w.SetMaterial(way,
					quarry.Material{OneWay: rapid.SampledFrom([]quarry.OneWay{
						quarry.NotOneWay, quarry.OneWayUp,
						quarry.OneWayLeft,
					}).Draw(t, "new way")})
			}
			again := quarry.NewWorld(quarry.Config{})
			if err := again.Restore(w.AppendSnapshot(nil)); err != nil {
				t.Fatal(err)
			}
			w.Step(1.0 / 60)
			again.Step(1.0 / 60)
			if w.Hash() != again.Hash() {
				t.Fatal("the world goes another way than one restored from its snapshot")
			}
		}
	})
}

// TestTilesActAsBox: with joints and belts, blocks of tiles on moving bodies take the path of boxes of their outline in
// three seconds, to 1e-9 (two welded rafts to 1e-4, as the points of their contacts come in another order): a cart on
// wheels with a motor, a pendulum, a crate on a belt of a raft, a raft that a belt under it drives, a belt on a lift,
// two welded rafts. All of them fall asleep, if they do, in the same step.
func TestTilesActAsBox(t *testing.T) {
	dynamic := func(x, y float64) quarry.BodyDef {
		return quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, y)}
	}
	frame := func(x, y float64) quarry.JointFrame { return quarry.JointFrame{Position: geom.V(x, y)} }
	for name, build := range map[string]func(w *quarry.World, block func(d quarry.BodyDef, wide, high int32,
		m quarry.MaterialID) quarry.Body, belt quarry.MaterialID) []quarry.Body{
		"a cart": func(w *quarry.World, block func(quarry.BodyDef, int32, int32, quarry.MaterialID) quarry.Body,
			_ quarry.MaterialID,
		) []quarry.Body {
			cart := block(dynamic(-2, 0.8), 4, 1, 0)
			for _, x := range []float64{0.5, 3.5} {
				wheel := worldtest.Add(w, geom.V(x-2, 0.5), geom.Circle{Radius: 0.5})
				at := quarry.JointFrame{Position: geom.V(x, -0.3), Angle: math.Pi / 2}
				w.AddJoint(quarry.WheelJoint{
					JointBase: quarry.JointBase{A: cart.ID(), B: wheel.ID(), FrameA: at},
					Spring:    quarry.JointSpring{Hertz: 4, DampingRatio: 0.7}, Motor: quarry.JointMotor{
						Speed:    -6,
						MaxForce: 20,
					},
				})
			}
			return []quarry.Body{cart}
		},
		"a pendulum": func(w *quarry.World, block func(quarry.BodyDef, int32, int32, quarry.MaterialID) quarry.Body,
			_ quarry.MaterialID,
		) []quarry.Body {
			arm := block(dynamic(0, 8), 5, 1, 0)
			w.AddJoint(quarry.RevoluteJoint{JointBase: quarry.JointBase{
				B: arm.ID(), FrameA: frame(0.5, 8.5),
				FrameB: frame(0.5, 0.5),
			}})
			return []quarry.Body{arm}
		},
		"a crate on a raft's belt": func(_ *quarry.World, block func(quarry.BodyDef, int32, int32,
			quarry.MaterialID) quarry.Body, belt quarry.MaterialID,
		) []quarry.Body {
			return []quarry.Body{block(dynamic(-8, 0.005), 16, 1, belt), block(dynamic(-1, 1.01), 2, 1, 0)}
		},
		"a raft on a belt": func(_ *quarry.World, block func(quarry.BodyDef, int32, int32,
			quarry.MaterialID) quarry.Body, belt quarry.MaterialID,
		) []quarry.Body {
			block(quarry.BodyDef{Position: geom.V(-9, 1)}, 18, 1, belt)
			return []quarry.Body{block(dynamic(-1, 2.01), 3, 2, 0)}
		},
		"a belt on a lift": func(_ *quarry.World, block func(quarry.BodyDef, int32, int32,
			quarry.MaterialID) quarry.Body, belt quarry.MaterialID,
		) []quarry.Body {
			block(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(-9, 1), Velocity: geom.V(0.5, 1)}, 18, 1,
				belt)
			return []quarry.Body{block(dynamic(-1, 2.01), 3, 2, 0)}
		},
		"welded": func(w *quarry.World, block func(quarry.BodyDef, int32, int32, quarry.MaterialID) quarry.Body,
			_ quarry.MaterialID,
		) []quarry.Body {
			a, b := block(dynamic(-2, 3), 2, 1, 0), block(dynamic(0, 3), 2, 1, 0)
			w.AddJoint(quarry.WeldJoint{JointBase: quarry.JointBase{
				A: a.ID(), B: b.ID(), FrameA: frame(2, 0.5),
				FrameB: frame(0, 0.5),
			}})
			return []quarry.Body{a, b}
		},
	} {
		var worlds [2]*quarry.World
		var bodies [2][]quarry.Body
		for k := range worlds {
			w := worldtest.New()
			belt := w.AddMaterial(quarry.Material{Friction: 0.8, TangentSpeed: 2})
			block := func(d quarry.BodyDef, wide, high int32, m quarry.MaterialID) quarry.Body {
				return worldtest.BlockOrBox(t, w, k == 1, d, wide, high, m)
			}
			block(quarry.BodyDef{Position: geom.V(-40, -2)}, 80, 2, 0)
			worlds[k], bodies[k] = w, build(w, block, belt)
		}
		most := 1e-9
		if name == "welded" {
			most = 1e-4
		}
		start, worst := bodies[0][len(bodies[0])-1].CenterOfMass(), 0.0
		for step := range 180 {
			for _, w := range worlds {
				w.Step(worldtest.DT)
			}
			for i, a := range bodies[0] {
				b := bodies[1][i]
				worst = max(worst, a.CenterOfMass().Dist(b.CenterOfMass()), math.Abs(a.Angle()-b.Angle()))
				if a.Awake() != b.Awake() {
					t.Errorf("%s: step %d: tiles awake %v, box %v", name, step, a.Awake(), b.Awake())
				}
			}
		}
		if end := bodies[0][len(bodies[0])-1].CenterOfMass(); worst > most || end.Dist(start) < 0.5 {
			t.Errorf("%s: %g from the path of the boxes, %v from the start", name, worst, end.Dist(start))
		}
	}
}

// TestQueriesOfMovingGround: rays, casts, overlaps and nearest points find the tiles of a ground on a dynamic body, in
// the world's coordinates, as for a static ground at the same place, with the same cell, tile and material, while it
// flies.
func TestQueriesOfMovingGround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		m := w.AddMaterial(quarry.Material{Friction: 0.3})
		grid := gridseg.New(nil)
		for range rapid.IntRange(1, 12).Draw(t, "tiles") {
			worldtest.Must(t, grid.Set(rapid.Int32Range(-3, 3).Draw(t, "cell x"), rapid.Int32Range(-3, 3).Draw(t,
				"cell y"), gridseg.Tile{
				Shape: rapid.SampledFrom([]gridseg.ShapeID{gridseg.Full, gridseg.SlopeLow, gridseg.SlopeHigh}).Draw(t,
					"shape"),
				Turn: gridseg.Turn(rapid.IntRange(0, 3).Draw(t, "turn")), Material: rapid.Uint16Range(0, 1).Draw(t,
					"number"),
			}))
		}
		id := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Velocity: drawPoint(t, "v", 30),
			AngularVelocity: rapid.Float64Range(-9, 9).Draw(t, "spin"),
		})
		_, err := w.AddGround(id, quarry.GroundDef{Grid: grid, Materials: []quarry.MaterialID{m, 0}})
		worldtest.Must(t, err)
		// off the centre of the tiles
		w.AddShape(id, geom.Circle{Radius: 0.1}, quarry.ShapeDef{Density: 3, Category: 2, Mask: 2})
		b, _ := w.Body(id)
		f := quarry.QueryFilter{Mask: 1, Solid: rapid.Bool().Draw(t, "solid")}
		for range 5 {
			w.Step(worldtest.DT) // parts come off in the first
			still := quarry.NewWorld(quarry.Config{})
			still.AddMaterial(quarry.Material{Friction: 0.3})
			for g := range b.Grounds() {
				at := b.Transform()
				copied := gridseg.New(nil)
				stamp, err := g.Grid().Copy(gridseg.Rect{MinX: -4, MinY: -4, MaxX: 4, MaxY: 4})
				worldtest.Must(t, err)
				worldtest.Must(t, copied.Place(-4, -4, stamp))
				sid := still.AddBody(quarry.BodyDef{})
				_, err = still.AddGround(sid, quarry.GroundDef{Grid: copied, Materials: []quarry.MaterialID{m, 0}})
				worldtest.Must(t, err)
				// A query in the frame of the ground, on the ground at the origin.
				for range 8 {
					// no corners and borders
					p, d := drawPoint(t, "p", 6).Add(geom.V(0.0123, 0.0345)), drawPoint(t, "d",
						9).Add(geom.V(0.0217, 0.0311))
					same := func(what string, got, want any) {
						t.Helper()
						if fmt.Sprint(got) != fmt.Sprint(want) {
							t.Fatalf("%s at %v: moving %v, still %v", what, p, got, want)
						}
					}
					place := func(x quarry.Target) string { return fmt.Sprint(x.Cell, x.Tile, x.Material) }
					only := f
					only.Test = func(x quarry.Target) bool { return x.Ground == g.ID() }
					q, o := at.Apply(p), at.Q.Apply(d)
					close := func(a, b geom.Vec) bool { return at.Inv(a).Dist(b) < 1e-6 }
					hit, ok := w.RayCast(q, o, only)
					want, ok2 := still.RayCast(p, d, f)
					if same("ray", ok, ok2); ok && !close(hit.Point, want.Point) {
						t.Fatalf("ray: %+v, %+v", hit, want)
					} else if ok && at.Q.Inv(hit.Normal).Dist(want.Normal) < 1e-6 {
						same("ray's tile", place(hit.Target), place(want.Target))
					}
					near, ok := w.Nearest(q, 20, only)
					wantNear, ok2 := still.Nearest(p, 20, f)
					if same("nearest", ok, ok2); ok && (math.Abs(near.Distance-wantNear.Distance) > 1e-9 ||
						near.Inside != wantNear.Inside) {
						t.Fatalf("nearest: %+v, %+v", near, wantNear)
					}
					s := geom.Circle{Radius: 0.4}
					hit, ok = w.ShapeCast(s, geom.At(q), o, only)
					want, ok2 = still.ShapeCast(s, geom.At(p), d, f)
					if same("cast", ok, ok2); ok && math.Abs(hit.Fraction-want.Fraction) > 1e-6 {
						t.Fatalf("cast: %+v, %+v", hit, want)
					}
					var a, c []string
					for _, x := range w.AppendOverlaps(nil, s, geom.At(q), only) {
						a = append(a, place(x))
					}
					for _, x := range still.AppendOverlaps(nil, s, geom.At(p), f) {
						c = append(c, place(x))
					}
					same("overlaps", a, c)
				}
			}
		}
	})
}
