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

// addBlock adds wide by high tiles of a material on a body, whose origin is their lower left corner, or with a box a
// shape of that outline.
func addBlock(t testing.TB, w *quarry.World, box bool, d quarry.BodyDef, wide, high int32,
	m quarry.MaterialID,
) quarry.Body {
	id := w.AddBody(d)
	if box {
		x, y := float64(wide)/2, float64(high)/2
		w.AddShape(id, geom.NewOffsetBox(x, y, geom.V(x, y), geom.Identity), quarry.ShapeDef{Material: m})
	} else {
		grid := gridseg.New(nil)
		worldtest.Must(t, grid.Fill(gridseg.Rect{MaxX: wide - 1, MaxY: high - 1},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
		_, err := w.AddGround(id, quarry.GroundDef{Grid: grid})
		worldtest.Must(t, err)
	}
	b, _ := w.Body(id)
	return b
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
				return addBlock(t, w, k == 1, d, wide, high, m)
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
