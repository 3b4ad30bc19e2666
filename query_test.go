package quarry_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

func TestQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		for range rapid.IntRange(0, 30).Draw(t, "bodies") {
			p := geom.V(rapid.Float64Range(-9, 9).Draw(t, "x"), rapid.Float64Range(-9, 9).Draw(t, "y"))
			id := w.AddBody(quarry.BodyDef{Position: p, Angle: rapid.Float64Range(-4, 4).Draw(t, "angle")})
			w.AddShape(id, geom.NewBox(rapid.Float64Range(0.1, 3).Draw(t, "hx"), 0.4), quarry.ShapeDef{})
		}
		q := geom.V(rapid.Float64Range(-10, 10).Draw(t, "qx"), rapid.Float64Range(-10, 10).Draw(t, "qy"))
		d := geom.V(rapid.Float64Range(-10, 10).Draw(t, "dx"), rapid.Float64Range(-10, 10).Draw(t, "dy"))
		box := geom.Box(q, q.Add(d))
		var in, at []quarry.ShapeID
		best := 2.0
		for b := range w.Bodies() {
			for s := range b.Shapes() {
				if s.Bounds().Overlaps(box) {
					in = append(in, s.ID())
				}
				tf := b.Transform()
				if s.Geometry().Contains(tf.Inv(q)) {
					at = append(at, s.ID())
				}
				if h, ok := s.Geometry().RayCast(tf.Inv(q), tf.Q.Inv(d)); ok {
					best = min(best, h.Fraction)
				}
			}
		}
		if got := w.AppendShapesIn(nil, box); !slices.Equal(sorted(got), sorted(in)) {
			t.Fatalf("overlaps %v, by hand %v", got, in)
		}
		if got := w.AppendShapesAt(nil, q); !slices.Equal(sorted(got), sorted(at)) {
			t.Fatalf("at a point %v, by hand %v", got, at)
		}
		hit, ok := w.RayCast(q, d, quarry.QueryFilter{})
		if ok != (best <= 1) || ok && hit.Fraction != best {
			t.Fatalf("ray %v %v, by hand %v", hit.Fraction, ok, best)
		}
	})
}

// TestRayCast holds rays against an oracle that looks at every segment.
func TestRayCast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worldtest.New()
		g := worldtest.AddGround(t, w, 0)
		for range rapid.IntRange(0, 40).Draw(t, "tiles") {
			tile := gridseg.Tile{
				Shape: gridseg.ShapeID(rapid.IntRange(1, int(gridseg.SlopeHigh)).Draw(t, "shape")),
				Turn:  gridseg.Turn(rapid.IntRange(0, 7).Draw(t, "turn")),
			}
			if err := g.Set(int32(rapid.IntRange(-6, 6).Draw(t, "x")), int32(rapid.IntRange(-6, 6).Draw(t, "y")),
				tile); err != nil {
				t.Fatal(err)
			}
		}
		// Sixty-fourths, whose products here are exact, so that nothing is left to
		// rounding; gridseg's own tests take any number.
		number := rapid.Map(rapid.OneOf(
			rapid.IntRange(-768, 768), rapid.Map(rapid.IntRange(-12, 12), func(i int) int { return 64 * i }),
		), func(i int) float64 { return float64(i) / 64 })
		o := geom.V(number.Draw(t, "ox"), number.Draw(t, "oy"))
		d := geom.V(number.Draw(t, "dx"), number.Draw(t, "dy"))
		hit, ok := w.RayCast(o, d, quarry.QueryFilter{})

		best := math.Inf(1)
		all, _ := g.Grid().Bounds()
		for _, s := range g.AppendSegments(nil, all) {
			a := geom.V(float64(s.A.X)/gridseg.Unit, float64(s.A.Y)/gridseg.Unit)
			e := geom.V(float64(s.B.X)/gridseg.Unit, float64(s.B.Y)/gridseg.Unit).Sub(a)
			cross := d.Cross(e)
			if cross >= 0 { // parallel, or out of the solid
				continue
			}
			u, v := a.Sub(o).Cross(e)/cross, a.Sub(o).Cross(d)/cross
			if u >= 0 && u <= 1 && v >= 0 && v <= 1 {
				best = min(best, u)
			}
		}
		if ok != (best <= 1) {
			t.Fatalf("hit %v %+v, by hand at %v", ok, hit, best)
		}
		if ok && math.Abs(hit.Fraction-best)*d.Len() > 1e-9 {
			t.Fatalf("hit at %v, by hand at %v", hit.Fraction, best)
		}
	})
}
