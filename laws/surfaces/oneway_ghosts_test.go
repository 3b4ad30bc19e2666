package surfaces_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestGhostsMeetSolidsOnly: for bodies that drop through for good, a world with one-way
// tiles, of all turns and ways, alone in their cells or beside others, is the world
// without them, to the last bit. (Tiles with vertices in the middle of a cell's side are
// left out: they would cut solid faces, which changes the paths of fast bodies a little.)
func TestGhostsMeetSolidsOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const wide = 8
		type placed struct {
			at   gridseg.Cell
			tile gridseg.Tile
		}
		draw := func(kind string, most int, last gridseg.ShapeID) (out []placed) {
			for range rapid.IntRange(0, most).Draw(t, kind) {
				out = append(out, placed{
					gridseg.Cell{
						X: int32(rapid.IntRange(0, wide-1).Draw(t, "x")),
						Y: int32(rapid.IntRange(0, wide-1).Draw(t, "y")),
					},
					gridseg.Tile{
						Shape: gridseg.ShapeID(rapid.IntRange(1, int(last)).Draw(t, "shape")),
						Turn:  gridseg.Turn(rapid.IntRange(0, 7).Draw(t, "turn")),
					},
				})
			}
			return out
		}
		solids, airs := draw("solids", 25, gridseg.SlopeHigh), draw("one-ways", 50, gridseg.Ramp)
		way := quarry.OneWay(rapid.IntRange(1, 4).Draw(t, "way"))
		type thrown struct {
			p, v geom.Vec
			s    geom.Shape
			spin float64
		}
		var all []thrown
		for range rapid.IntRange(1, 3).Draw(t, "bodies") {
			f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
			size := f(0.1, 0.7, "size")
			s := worldtest.DrawShape(t, size)
			speed := rapid.SampledFrom([]float64{1, 10, 60, 400}).Draw(t, "speed")
			all = append(all, thrown{
				geom.V(f(0.7, wide-0.7, "px"), f(0.7, wide-0.7, "py")), geom.V(f(-speed, speed, "vx"),
					f(-speed, speed, "vy")), s, f(-20, 20, "spin"),
			})
		}
		on := worldtest.DrawFixedCarrier(t) // tiles at random hold to no others
		build := func(ways bool) (*worldtest.Site, []quarry.Body) {
			w := on.NewSite()
			m := w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: way})
			id, err := w.World.AddGround(w.Carrier.ID(), quarry.GroundDef{})
			worldtest.Must(t, err)
			g, _ := w.Ground(id)
			worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -1, MinY: -1, MaxX: wide, MaxY: wide},
				gridseg.Tile{Shape: gridseg.Full}))
			worldtest.Must(t, g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: wide - 1, MaxY: wide - 1}, gridseg.Tile{}))
			for _, s := range solids {
				worldtest.Must(t, g.Set(s.at.X, s.at.Y, s.tile))
			}
			if ways {
				for _, s := range airs {
					s.tile.Material = uint16(m)
					if (g.Tile(s.at.X, s.at.Y) == gridseg.Tile{}) {
						worldtest.Must(t, g.Set(s.at.X, s.at.Y, s.tile))
						continue
					}
					// Beside the present polygons, if it overlaps none.
					for _, loop := range g.Grid().Shapes().Polygons(s.tile.Shape, s.tile.Turn) {
						_ = g.AddPolygon(s.at.X, s.at.Y, [][]gridseg.Point{loop}, gridseg.Attr{Material: uint16(m)})
					}
				}
			}
			var bodies []quarry.Body
			for _, o := range all {
				b := w.Add(o.p, o.s)
				w.SetVelocity(b, o.v)
				b.SetAngularVelocity(o.spin)
				b.DropThrough(math.Inf(1))
				bodies = append(bodies, b)
			}
			return w, bodies
		}
		wa, a := build(false)
		wb, b := build(true)
		for range 120 {
			wa.Step(worldtest.DT)
			wb.Step(worldtest.DT)
			for i := range a {
				if a[i].Position() != b[i].Position() || a[i].Velocity() != b[i].Velocity() ||
					a[i].Angle() != b[i].Angle() {
					t.Fatalf("step %d, body %d: at %v, %v; without one-way tiles %v, %v", wa.StepCount(), i,
						b[i].Position(), b[i].Velocity(), a[i].Position(), a[i].Velocity())
				}
			}
		}
	})
}
