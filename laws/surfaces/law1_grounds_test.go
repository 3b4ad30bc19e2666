package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestGroundSlidesAsBox is law 1 of contact for two grounds: blocks of 20 x 20 tiles slide over each other, flat and at
// 1:2, on the path of two boxes. The lower one is of the carrier's type, or dynamic in free fall with the upper one.
func TestGroundSlidesAsBox(t *testing.T) {
	most := 0.0
	worldtest.OnCarriers(t, func(t *testing.T, on worldtest.Carrier) {
		for _, turn := range []float64{0, math.Atan2(1, 2)} {
			for _, free := range []bool{false, true} {
				worst := slideBlocks(t, on, turn, free)
				most = max(most, worst)
				if worst > 1e-6 {
					t.Errorf("turned by %v, in free fall %v: %g from the path of the boxes", turn, free, worst)
				}
			}
		}
	})
	t.Logf("at most %.2g from the path of the boxes", most)
}

// slideBlocks slides a block over another one for three seconds, of tiles and as boxes, and returns the largest
// difference of positions, in units of length, and of spin, in radians a second.
func slideBlocks(t *testing.T, on worldtest.Carrier, turn float64, free bool) (worst float64) {
	var worlds [2]*worldtest.Site
	var lower, upper [2]quarry.Body
	q := geom.NewRot(turn)
	for k := range worlds {
		c := quarry.Config{Gravity: geom.V(0, -10)}
		under := on.Body.Type
		if free {
			c.Gravity, under = geom.Vec{}, quarry.Dynamic
		}
		w := on.NewSiteOf(c)
		add := func(d quarry.BodyDef) quarry.Body {
			if d = w.Def(d); d.Type == quarry.Static {
				d.Velocity = geom.Vec{}
			}
			return worldtest.BlockOrBox(t, w.World, k == 1, d, 20, 20, 0)
		}
		lower[k] = add(quarry.BodyDef{Type: under, Angle: turn, Weightless: !free})
		if under == quarry.Dynamic && !free {
			lower[k].SetMass(geom.Mass{Mass: worldtest.CarrierMass, Inertia: 1e6 * worldtest.CarrierMass})
		}
		upper[k] = add(quarry.BodyDef{
			Type: quarry.Dynamic, Position: q.Apply(geom.V(-6.3, 20)), Angle: turn, Velocity: q.Apply(geom.V(5, -0.5)),
		})
		worlds[k] = w
	}
	met := false
	for range 180 {
		for _, w := range worlds {
			w.Step(worldtest.DT)
		}
		met = met || len(worlds[0].AppendContacts(nil)) > 0
		for _, pair := range [][2]quarry.Body{lower, upper} {
			a, b := worlds[0].Pose(pair[0]), worlds[1].Pose(pair[1])
			worst = max(worst, a.Apply(geom.V(10, 10)).Dist(b.Apply(geom.V(10, 10))),
				math.Abs(pair[0].AngularVelocity()-pair[1].AngularVelocity()))
		}
	}
	if !met {
		t.Errorf("turned by %v, in free fall %v: no contact", turn, free)
	}
	return worst
}

// addIce adds a ground of a material without friction to the carrier.
func addIce(t *testing.T, w *worldtest.Site, grid *gridseg.Grid) {
	_, err := w.World.AddGround(w.Carrier.ID(),
		quarry.GroundDef{Grid: grid, Materials: []quarry.MaterialID{w.AddMaterial(quarry.Material{})}})
	worldtest.Must(t, err)
}

// TestCornerSlidesOverSeams is law 1 of contact: the corner of a tilted ground that cannot turn slides over 40 seams of
// another ground, of tiles and of polygons, without friction: it keeps its speed and its height.
func TestCornerSlidesOverSeams(t *testing.T) { worldtest.OnCarriers(t, cornerSlides) }

func cornerSlides(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	grid := gridseg.New(nil)
	worldtest.Must(t, grid.Fill(gridseg.Rect{MaxX: 59, MaxY: 2}, gridseg.Tile{Shape: gridseg.Full}))
	u := int64(gridseg.Unit)
	for x := int32(0); x < 60; x += 3 {
		worldtest.Must(t, grid.Set(x, 2, gridseg.Tile{}))
		for _, loop := range [][]gridseg.Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}}, {
			{X: 0, Y: 0},
			{X: u, Y: u},
			{X: 0, Y: u},
		}} {
			worldtest.Must(t, grid.Add(x, 2, [][]gridseg.Point{loop}, gridseg.Attr{}))
		}
	}
	addIce(t, w, grid)
	b, _ := w.Body(w.World.AddBody(w.Def(quarry.BodyDef{
		Type: quarry.Dynamic, Position: geom.V(5, 3.01), Angle: 0.3,
		FixedRotation: true,
	})))
	worldtest.Must(t, worldtest.AddGround(t, w.World, b.ID()).Fill(gridseg.Rect{MaxX: 2, MaxY: 3},
		gridseg.Tile{Shape: gridseg.Full}))
	w.Steps(60)
	w.SetVelocity(b, geom.V(8, 0))
	at := w.Position(b)
	for k := range 300 {
		w.Step(worldtest.DT)
		if p, v := w.Position(b), w.Velocity(b); math.Abs(p.Y-at.Y) > 1e-4 || math.Abs(v.X-8) > 1e-4 ||
			math.Abs(p.X-at.X-8*float64(k+1)/60) > 1e-3 {
			t.Fatalf("step %d: at %v with %v, from %v", k, p, v, at)
		}
	}
}

// TestGroundSlidesOverGaps is law 1 of contact: a ground without friction slides over pillars with gaps between them,
// and a ground on legs over flat ground and past the ends of a platform: it keeps its speed and does not turn.
func TestGroundSlidesOverGaps(t *testing.T) {
	for _, legs := range []bool{false, true} {
		t.Run(fmt.Sprintf("legs=%v", legs), func(t *testing.T) {
			worldtest.OnCarriers(t, func(t *testing.T, on worldtest.Carrier) { slideOverGaps(t, on, legs) })
		})
	}
}

func slideOverGaps(t *testing.T, on worldtest.Carrier, legs bool) {
	w := on.NewSite()
	grid := gridseg.New(nil)
	worldtest.Must(t, grid.Fill(gridseg.Rect{MaxX: 99, MaxY: 2}, gridseg.Tile{Shape: gridseg.Full}))
	for x := int32(1); x < 100; x += 2 {
		if !legs || x%10 == 1 {
			worldtest.Must(t, grid.Set(x, 2, gridseg.Tile{}))
		}
	}
	addIce(t, w, grid)
	b, _ := w.Body(w.World.AddBody(w.Def(quarry.BodyDef{
		Type: quarry.Dynamic, Position: geom.V(3, 3),
		Velocity: geom.V(6, 0),
	})))
	g := worldtest.AddGround(t, w.World, b.ID())
	worldtest.Must(t, g.Fill(gridseg.Rect{MaxX: 6, MaxY: 2}, gridseg.Tile{Shape: gridseg.Full}))
	for x := int32(2); x < 7 && legs; x += 3 {
		worldtest.Must(t, g.Clear(x, 0))
	}
	for k := range 400 {
		w.Step(worldtest.DT)
		if v := w.Velocity(b); math.Abs(v.X-6) > 1e-3 || math.Abs(b.AngularVelocity()) > 0.01 {
			t.Fatalf("step %d: %v with spin %v at %v", k, v, b.AngularVelocity(), w.Position(b))
		}
	}
}
