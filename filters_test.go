package quarry_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// filterDef is a filter in a test.
type filterDef struct {
	category, mask uint64
	group          int32
}

func drawFilter(t *rapid.T) filterDef {
	return filterDef{
		rapid.Uint64Range(0, 3).Draw(t, "category"), rapid.Uint64Range(0, 3).Draw(t, "mask"), rapid.Int32Range(-1,
			1).Draw(t, "group"),
	}
}

// allows is the rule of the documents.
func (f filterDef) allows(g filterDef) bool {
	if f.group != 0 && f.group == g.group {
		return f.group > 0
	}
	in := func(category, mask uint64) bool {
		if category == 0 {
			category = 1
		}
		return mask == 0 || category&mask != 0
	}
	return in(f.category, g.mask) && in(g.category, f.mask)
}

// TestSetFilter: whatever filters the things of a heap have had, after a Step exactly those pairs touch
// that overlap and that the filters of now allow, asleep or awake, and the begins and ends of each pair add
// up to that.
func TestSetFilter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Nothing moves: the heap overlaps, has no gravity, and is put to sleep or not.
		w := quarry.NewWorld(quarry.Config{})
		n := rapid.IntRange(2, 7).Draw(t, "shapes")
		filters := make([]filterDef, n+2)
		var shapes []quarry.Shape
		for i := range n {
			d := quarry.BodyDef{
				Type:     quarry.BodyType(rapid.IntRange(0, 2).Draw(t, "type")),
				Position: geom.V(0.3*float64(i), 1),
			}
			filters[i] = drawFilter(t)
			f := filters[i]
			b := worldtest.AddBody(w, d, geom.Circle{Radius: 0.5}, quarry.ShapeDef{
				Category: f.category, Mask: f.mask, Group: f.group, Sensor: rapid.IntRange(0, 4).Draw(t, "sensor") == 0,
			})
			for s := range b.Shapes() {
				shapes = append(shapes, s)
			}
		}
		grid := gridseg.New(nil)
		worldtest.Must(t, grid.Fill(gridseg.Rect{MinX: -3, MinY: 0, MaxX: 6, MaxY: 0},
			gridseg.Tile{Shape: gridseg.Full}))
		g, c := drawFilter(t), drawFilter(t)
		filters[n], filters[n+1] = g, c
		gid, err := w.AddGround(0, quarry.GroundDef{Grid: grid, Category: g.category, Mask: g.mask, Group: g.group})
		worldtest.Must(t, err)
		cid, err := w.AddChain(0, quarry.ChainDef{
			Points:   []geom.Vec{geom.V(5, 0.9), geom.V(-3, 0.9)},
			Category: c.category, Mask: c.mask, Group: c.group,
		})
		worldtest.Must(t, err)
		ground, _ := w.Ground(gid)
		chain, _ := w.Chain(cid)

		touching := map[string]int{}
		step := func() {
			at := make([]geom.Vec, 0, n)
			for _, s := range shapes {
				at = append(at, s.Body().Position())
			}
			w.Step(1e-9)
			for i, s := range shapes { // a body is not pushed out of reach of another
				s.Body().SetVelocity(geom.Vec{})
				s.Body().SetTransform(at[i], 0)
				s.Body().Sleep()
			}
			for _, ev := range slices.Concat(w.ContactBegins(), w.SensorBegins()) {
				touching[fmt.Sprint(ev.ShapeA, ev.Ground, ev.Chain, ev.ShapeB)]++
			}
			for _, ev := range slices.Concat(w.ContactEnds(), w.SensorEnds()) {
				touching[fmt.Sprint(ev.ShapeA, ev.Ground, ev.Chain, ev.ShapeB)]--
			}
		}
		check := func() {
			count := 0
			want := func(a string, allowed bool) {
				if touching[a] == 1 != allowed {
					t.Fatalf("%s: %d more begins than ends; filters %v", a, touching[a], filters)
				}
				count += touching[a]
			}
			for i, a := range shapes {
				kind := a.Body().Type()
				for j, b := range shapes[i+1:] {
					most := max(kind, b.Body().Type())
					apart := a.Body().Position().Dist(b.Body().Position()) > 1
					able := most == quarry.Dynamic || most == quarry.Kinematic && (a.Sensor() || b.Sensor())
					want(fmt.Sprint(a.ID(), 0, 0, b.ID()), !apart && able && !(a.Sensor() && b.Sensor()) &&
						filters[i].allows(filters[i+1+j]))
				}
				solid := kind == quarry.Dynamic && !a.Sensor()
				want(fmt.Sprint(0, gid, 0, a.ID()), solid && filters[i].allows(filters[n]))
				want(fmt.Sprint(0, 0, cid, a.ID()), solid && filters[i].allows(filters[n+1]))
			}
			all := 0
			for _, n := range touching {
				all += max(n, -n)
			}
			if count != all {
				t.Fatalf("%d pairs touch, want %d", all, count)
			}
		}
		step()
		check()
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			k, f := rapid.IntRange(0, n+1).Draw(t, "of"), drawFilter(t)
			filters[k] = f
			switch k {
			case n:
				ground.SetFilter(f.category, f.mask, f.group)
			case n + 1:
				chain.SetFilter(f.category, f.mask, f.group)
			default:
				shapes[k].SetFilter(f.category, f.mask, f.group)
				if d := shapes[k].Def(); d.Group != f.group {
					t.Fatalf("group %d, not %d", d.Group, f.group)
				}
			}
			if rapid.Bool().Draw(t, "step") {
				step()
				check()
			}
		}
		step()
		check()
	})
}
