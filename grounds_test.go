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
			t.Logf("%g", worst)
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
