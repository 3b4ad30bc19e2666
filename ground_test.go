package quarry_test

import (
	"testing"

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
