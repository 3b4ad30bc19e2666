package narrow

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/surface"
)

// seamRig is one surface beside a contact's surface.
type seamRig struct {
	at      geom.Transform
	speed   geom.Vec
	surface SeamSurface
}

func (r *seamRig) AppendBeside(dst []SeamNeighbour) []SeamNeighbour {
	return append(dst, SeamNeighbour{SeamSurface: r.surface, On: seamMover{r.at, r.speed}})
}

// seamMover is a body at a pose with a velocity.
type seamMover struct {
	at geom.Transform
	v  geom.Vec
}

func (b seamMover) Transform() geom.Transform         { return b.at }
func (b seamMover) Static() bool                      { return b.v == geom.Vec{} }
func (b seamMover) PointVelocity(p geom.Vec) geom.Vec { return b.v }

// besides are a block whose top is y = 0 from x = 0 to 4, as tiles, as a chain and as a hull.
func besides() map[string]SeamSurface {
	grid := gridseg.New(nil)
	_ = grid.Fill(gridseg.Rect{MinX: 0, MinY: -2, MaxX: 3, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
	grid.Resolve()
	chain := &surface.Chain{Points: []geom.Vec{{X: 4, Y: -2}, {X: 4}, {}, {Y: -2}}, Loop: true}
	chain.Build()
	hull := collide.NewHull(geom.Polygon{})
	if p, err := geom.NewPolygon([]geom.Vec{{Y: -2}, {X: 4, Y: -2}, {X: 4}, {}}, 0); err == nil {
		hull = collide.NewHull(p)
	}
	return map[string]SeamSurface{
		"tiles": {Tiles: &surface.Tiles{Grid: grid}}, "chain": {Chain: chain},
		"hull": {Hull: &hull},
	}
}

// TestSeam: the right side of a block that ends at x = 0 is covered by a block beside it that is flush with it, up to
// the height of that block, and its top gets the ghost vertex of the one top that both are. A block beside it that is
// lower, farther away or moves across the seam covers nothing above its top.
func TestSeam(t *testing.T) {
	all := besides()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"tiles", "chain", "hull"}).Draw(t, "beside")
		frame := geom.Transform{
			P: geom.V(rapid.Float64Range(-50, 50).Draw(t, "x"), 3),
			Q: geom.NewRot(rapid.Float64Range(-3, 3).Draw(t, "angle")),
		}
		lower := rapid.SampledFrom([]float64{0, 0, 0.5}).Draw(t, "lower")
		apart := rapid.SampledFrom([]float64{0, 0, 0.25}).Draw(t, "apart")
		moves := rapid.SampledFrom([]float64{0, 0, 1}).Draw(t, "speed")
		r := &seamRig{
			at: frame.Mul(geom.At(geom.V(apart, -lower))), speed: frame.Q.Apply(geom.V(moves, moves)),
			surface: all[name],
		}
		var s Seam
		s.Source = r
		s.Begin(seamMover{at: frame}, frame)
		side := collide.Face{
			A: geom.V(0, -1), B: geom.Vec{}, Ghost1: geom.V(-1, -1), Ghost2: geom.V(-1, 0),
			HasGhost1: true, HasGhost2: true,
		}
		flush := apart == 0 && moves == 0
		for _, y := range []float64{-0.9, -0.7, -0.3, -0.1} {
			var c SeamPoint
			c.OfFace(&side, geom.V(0, y), geom.V(1, 0))
			if want := flush && y < -lower; s.Covered(&c) != want {
				t.Fatalf("%s: covered at %v: %v, want %v", name, y, !want, want)
			}
		}
		// Solid is on the left, so the top runs to the left.
		top := collide.Face{
			A: geom.Vec{}, B: geom.V(-3, 0), Ghost1: geom.V(0, -1), Ghost2: geom.V(-3, -1),
			HasGhost1: true, HasGhost2: true,
		}
		s.Join(&top)
		straight := top.HasGhost1 && math.Abs(top.Ghost1.Y) < 1e-3 && top.Ghost1.X > 0
		if want := flush && lower == 0; straight != want {
			t.Fatalf("%s: the top has the ghost vertex %v, straight on: %v, want %v", name, top.Ghost1, straight, want)
		}
	})
}
