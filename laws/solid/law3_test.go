package solid_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// burial is one way for a body to come to be in solid ground.
type burial struct {
	name string
	// lay makes the ground without the tiles that bury the body; bury adds these.
	bury func(t worldtest.Failer, r *worldtest.Random, g quarry.Ground, b quarry.Body)
}

func burials() []burial {
	set := func(t worldtest.Failer, g quarry.Ground, x, y int32, tile gridseg.Tile) {
		if err := g.Set(x, y, tile); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return []burial{
		{"block", func(t worldtest.Failer, r *worldtest.Random, g quarry.Ground, b quarry.Body) {
			box := b.Bounds()
			c, _ := g.CellAt(geom.V(r.Float(box.Min.X, box.Max.X), r.Float(box.Min.Y, box.Max.Y)))
			set(t, g, c.X, c.Y, gridseg.Tile{Shape: gridseg.Full})
		}},
		{"slope", func(t worldtest.Failer, r *worldtest.Random, g quarry.Ground, b quarry.Body) {
			c, _ := g.CellAt(b.Position())
			set(t, g, c.X, c.Y, gridseg.Tile{Shape: gridseg.ShapeID(1 + r.Next()%5), Turn: gridseg.Turn(r.Next() % 8)})
		}},
		{"chunk", func(t worldtest.Failer, r *worldtest.Random, g quarry.Ground, b quarry.Body) {
			// A chunk's worth of hilly ground arrives, its surface near the body.
			c, _ := g.CellAt(b.Position())
			top := c.Y + int32(r.Next()%8)
			for x := c.X - 8; x < c.X+8; x++ {
				h := top + int32(r.Next()%3)
				if err := g.Fill(gridseg.Rect{MinX: x, MinY: h - 16, MaxX: x, MaxY: h}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
					t.Fatalf("%v", err)
				}
				set(t, g, x, h+1, gridseg.Tile{Shape: gridseg.ShapeID(1 + r.Next()%5), Turn: gridseg.Turn(r.Next() % 8)})
			}
		}},
		{"brush", func(t worldtest.Failer, r *worldtest.Random, g quarry.Ground, b quarry.Body) {
			p := b.Position()
			q := p.Add(geom.V(r.Float(-2, 2), r.Float(-2, 2)))
			if err := g.Build(p.Add(geom.V(r.Float(-1, 1), r.Float(-1, 1))), q, r.Float(0.2, 2), gridseg.Attr{}); err != nil {
				t.Fatalf("%v", err)
			}
		}},
		{"spawn", func(t worldtest.Failer, r *worldtest.Random, g quarry.Ground, b quarry.Body) {
			b.SetTransform(geom.V(r.Float(-15, 15), r.Float(-8, 3)), r.Float(-3, 3))
		}},
	}
}

// TestOutOfSolid is law 3 of contact: a body that comes to be in solid ground, in any
// way, gets out or is reported as crushed. It neither falls through nor is shot out.
func TestOutOfSolid(t *testing.T) {
	seeds := 4
	if worldtest.Soak() {
		seeds = 40
	}
	const still = 0.05 // deeper than this after ten seconds is still in solid
	for _, by := range burials() {
		t.Run(by.name, func(t *testing.T) {
			cases, crushed, stuck, through, shot := 0, 0, 0, 0, 0
			for _, land := range worldtest.Lands() {
				for seed := range seeds {
					r := worldtest.Random(1000 + seed)
					w := worldtest.New()
					g := worldtest.AddGround(t, w, 0)
					for _, r := range []gridseg.Rect{
						{MinX: -40, MinY: -60, MaxX: 40, MaxY: -3},
						{MinX: -42, MinY: -60, MaxX: -41, MaxY: 20},
						{MinX: 41, MinY: -60, MaxX: 42, MaxY: 20}, // so that nothing rolls off
					} {
						if err := g.Fill(r, gridseg.Tile{Shape: gridseg.Full}); err != nil {
							t.Fatal(err)
						}
					}
					land.Lay(t, g)
					all := worldtest.Sliders()
					sl := all[r.Next()%uint64(len(all))]
					size := 0.2 * math.Pow(10, r.Float(0, 1))
					s, _ := sl.Shape(size)
					b := worldtest.Add(w, geom.V(r.Float(-12, 12), r.Float(8, 12)), s)
					b.SetVelocity(geom.V(r.Float(-5, 5), 0))
					worldtest.Steps(w, 60+int(r.Next()%90))
					by.bury(t, &r, g, b)
					from, deep, speed := b.Position(), worldtest.Buried(g, b), b.Velocity().Len()
					if deep < 0.01 {
						continue
					}
					cases++
					told, excess := 0, 0.0
					for range 600 {
						w.Step(worldtest.DT)
						told += len(w.Crushed())
						// It may keep its speed, and the speed gained by falling.
						free := math.Sqrt(max(speed*speed+20*(from.Y-b.Position().Y), 0))
						if worldtest.Buried(g, b) > 0.01 {
							excess = max(excess, b.Velocity().Len()-free)
						}
					}
					name := func(what string) {
						t.Errorf("%s, seed %d: %s %s of %.3g, %.3g deep at %v: %s, now %.3g deep at %v, turned %v",
							land.Name, seed, by.name, sl.Name, size, deep, from, what, worldtest.Buried(g, b), b.Position(), b.Angle())
					}
					switch {
					case told > 0:
						crushed++
					case worldtest.Buried(g, b) > still:
						stuck++
						name("still in solid")
					}
					if b.Position().Y < -30 {
						through++
						name("fell through")
					}
					if excess > 10 {
						shot++
						name("shot")
					}
				}
			}
			t.Logf("%d cases: %d crushed, %d still in solid, %d fell through, %d shot", cases, crushed, stuck, through, shot)
		})
	}
}
