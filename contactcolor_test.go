package quarry_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	scenes "github.com/quarry2d/quarry/scene"
)

// TestSolvedContacts: contacts of one colour share no moving body, all contacts of awake bodies have a colour, and to
// ask changes nothing and, warm, allocates nothing.
func TestSolvedContacts(t *testing.T) {
	everywhere := geom.AABB{Min: geom.V(-1e6, -1e6), Max: geom.V(1e6, 1e6)}
	for _, name := range []string{"pyramid", "tumbler", "ragdolls", "compounds"} {
		t.Run(name, func(t *testing.T) {
			sc, ok := scenes.Get(name)
			if !ok {
				t.Fatal("no scene")
			}
			in, twin := sc.New(), sc.New()
			w := in.World
			var list []quarry.SolvedContact
			most := 0
			for range 12 {
				for range 5 {
					in.Step()
					twin.Step()
				}
				list = w.AppendSolved(list[:0], everywhere)
				type place struct {
					body  quarry.BodyID
					color int
					fixed bool
				}
				taken := map[place]int{}
				for i := range list {
					c := &list[i]
					if c.N == 0 || c.Color < -1 || c.Color > 31 {
						t.Fatalf("contact %d of %d points has colour %d", i, c.N, c.Color)
					}
					most = max(most, c.Color)
					for _, id := range []quarry.ShapeID{c.ShapeA, c.ShapeB} {
						sh, ok := w.Shape(id)
						if !ok || c.Color < 0 || sh.Body().Type() != quarry.Dynamic {
							continue
						}
						p := place{sh.Body().ID(), c.Color, c.Fixed}
						if before, ok := taken[p]; ok && before != i {
							t.Fatalf("contacts %d and %d of a body have the same colour: %+v", before, i, p)
						}
						taken[p] = i
					}
				}
				if got, all := len(list), len(w.AppendContacts(nil)); got > all || got == 0 && all > 0 {
					t.Fatalf("%d of %d contacts have a colour", got, all)
				}
				if part := w.AppendSolved(nil, geom.Box(geom.V(0, 0), geom.V(3, 3))); len(part) > len(list) {
					t.Fatalf("%d contacts in a part, %d in all", len(part), len(list))
				}
			}
			if most < 1 {
				t.Errorf("the last colour is %d", most)
			}
			if w.Hash() != twin.World.Hash() {
				t.Error("to ask changes the world")
			}
			if n := testing.AllocsPerRun(3, func() { list = w.AppendSolved(list[:0], everywhere) }); n > 0 {
				t.Errorf("%v allocations", n)
			}
			// A restored world has none before its next step, and one without bodies none at all.
			var saved quarry.Snapshot
			w.Capture(&saved)
			w.Rewind(&saved)
			if n := len(w.AppendSolved(nil, everywhere)); n != 0 {
				t.Errorf("%d contacts right after a rewind", n)
			}
			in.Step()
			for b := range w.Bodies() {
				w.RemoveBody(b.ID())
				list = w.AppendSolved(list[:0], everywhere)
			}
			if n := len(w.AppendSolved(nil, everywhere)); n != 0 {
				t.Errorf("%d contacts without bodies", n)
			}
		})
	}
}

// A body with more contacts than colours has some that are solved alone, and a body at rest has none.
func TestSolvedAloneAndAtRest(t *testing.T) {
	everywhere := geom.AABB{Min: geom.V(-1e3, -1e3), Max: geom.V(1e3, 1e3)}
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	plank := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.5)})
	w.AddShape(plank, geom.NewBox(100, 0.5), quarry.ShapeDef{})
	ground := w.AddBody(quarry.BodyDef{Position: geom.V(0, -0.5)})
	w.AddShape(ground, geom.NewBox(200, 0.5), quarry.ShapeDef{})
	for i := range 60 {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(3*i)-90, 1.5)})
		w.AddShape(b, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	}
	w.Step(1.0 / 60)
	alone, fixed := 0, 0
	for _, c := range w.AppendSolved(nil, everywhere) {
		if c.Color < 0 {
			alone++
		}
		if c.Fixed {
			fixed++
		}
	}
	if alone != 60-32 || fixed != 1 {
		t.Errorf("%d contacts are solved alone, want 28; %d are with the ground, want 1", alone, fixed)
	}
	for range 600 {
		w.Step(1.0 / 60)
	}
	if n := len(w.AppendSolved(nil, everywhere)); n != 0 || len(w.AppendContacts(nil)) < 61 {
		t.Errorf("%d contacts of bodies at rest have a colour", n)
	}
}
