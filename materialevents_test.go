package quarry_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// touch is a material that a shape touches.
type touch struct {
	shape    quarry.ShapeID
	ground   quarry.GroundID
	chain    quarry.ChainID
	material quarry.MaterialID
}

func touchOf(ev *quarry.MaterialEvent) touch {
	return touch{ev.ShapeB, ev.Ground, ev.Chain, ev.Material}
}

// TestMaterialEvents: the materials that have begun and not ended are those under the points of the world's
// contacts, step by step, while tiles are dug and changed, shapes and grounds are removed, bodies sleep and
// wake; no begin or end comes twice. The place of a begin is under such a point.
func TestMaterialEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, all := drawWorld(t, quarry.MaterialEvents)
		on := map[touch]bool{}
		var g quarry.Ground
		for x := range w.Grounds() {
			g = x
		}
		steps := rapid.IntRange(60, 150).Draw(t, "steps")
		for step := range steps {
			if step > 20 && step%7 == 0 {
				switch x := int32(rapid.IntRange(-6, 6).Draw(t, "edit")); rapid.IntRange(0, 7).Draw(t, "call") {
				case 0, 1:
					worldtest.Must(t, g.Clear(x, -1))
				case 2, 3, 4:
					worldtest.Must(t, g.Set(x, -1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(step) % 3}))
				case 5:
					for s := range all[len(all)-1].Shapes() {
						w.RemoveShape(s.ID())
						break
					}
				case 6:
					all[0].SetTransform(geom.V(0, float64(x)), 0)
				}
			}
			if step == steps-1 {
				w.RemoveGround(g.ID())
			}
			w.Step(worldtest.DT)
			contacts := w.AppendContacts(nil)
			for _, ev := range w.MaterialEnds() {
				if !on[touchOf(&ev)] {
					t.Fatalf("step %d: an end without a begin: %+v", step, ev)
				}
				delete(on, touchOf(&ev))
			}
			for _, ev := range w.MaterialBegins() {
				if on[touchOf(&ev)] {
					t.Fatalf("step %d: a second begin: %+v", step, ev)
				}
				on[touchOf(&ev)] = true
				if !slices.ContainsFunc(contacts, func(c quarry.Contact) bool {
					return c.ShapeB == ev.ShapeB &&
						slices.ContainsFunc(c.Points[:c.N], func(p quarry.ContactPoint) bool {
							return p.Cell == ev.Cell && p.Tile == ev.Tile && p.Segment == ev.Segment &&
								p.Material == ev.Material
						})
				}) {
					t.Fatalf("step %d: no point at %+v", step, ev)
				}
			}
			want := map[touch]bool{}
			for _, c := range contacts {
				for _, p := range c.Points[:c.N] {
					if c.ShapeA == 0 && p.Separation <= 0.02 {
						want[touch{c.ShapeB, c.Ground, c.Chain, p.Material}] = true
					}
				}
			}
			if !maps.Equal(on, want) {
				t.Fatalf("step %d: begun %v, touched %v", step, on, want)
			}
		}
	})
}

// TestMaterialEventsAreAskedFor: without the flag there are none; set while a shape rests, it begins the material that
// the shape touches, and cleared, it ends it. The shape may sleep.
func TestMaterialEventsAreAskedFor(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -3, MinY: -1, MaxX: 3, MaxY: -1})
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	count := func() (n int) {
		for range 30 {
			w.Step(worldtest.DT)
			n += len(w.MaterialBegins()) + len(w.MaterialEnds())
		}
		return n
	}
	for _, x := range []struct {
		flags quarry.EventFlags
		want  int
	}{{0, 0}, {quarry.MaterialEvents, 1}, {quarry.MaterialEvents, 0}, {0, 1}, {quarry.MaterialEvents, 1}} {
		for s := range b.Shapes() {
			s.SetFlags(x.flags)
		}
		if n := count(); n != x.want {
			t.Errorf("flags %b: %d events, want %d", x.flags, n, x.want)
		}
	}
}
