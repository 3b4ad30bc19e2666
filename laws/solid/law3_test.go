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
	bury func(t worldtest.Failer, r *worldtest.Random, w *worldtest.Site, g quarry.Ground, b quarry.Body)
}

func burials() []burial {
	set := func(t worldtest.Failer, g quarry.Ground, x, y int32, tile gridseg.Tile) {
		if err := g.Set(x, y, tile); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return []burial{
		{"block", func(t worldtest.Failer, r *worldtest.Random, w *worldtest.Site, g quarry.Ground, b quarry.Body) {
			box := w.Bounds(b)
			c, _ := g.CellAt(w.Point(geom.V(r.Float(box.Min.X, box.Max.X), r.Float(box.Min.Y, box.Max.Y))))
			set(t, g, c.X, c.Y, gridseg.Tile{Shape: gridseg.Full})
		}},
		{"slope", func(t worldtest.Failer, r *worldtest.Random, w *worldtest.Site, g quarry.Ground, b quarry.Body) {
			c, _ := g.CellAt(b.Position())
			set(t, g, c.X, c.Y, gridseg.Tile{Shape: gridseg.ShapeID(1 + r.Next()%5), Turn: gridseg.Turn(r.Next() % 8)})
		}},
		{"chunk", func(t worldtest.Failer, r *worldtest.Random, w *worldtest.Site, g quarry.Ground, b quarry.Body) {
			// A chunk's worth of hilly ground arrives, its surface near the body.
			c, _ := g.CellAt(b.Position())
			top := c.Y + int32(r.Next()%8)
			for x := c.X - 8; x < c.X+8; x++ {
				h := top + int32(r.Next()%3)
				if err := g.Fill(gridseg.Rect{MinX: x, MinY: h - 16, MaxX: x, MaxY: h},
					gridseg.Tile{Shape: gridseg.Full}); err != nil {
					t.Fatalf("%v", err)
				}
				set(t, g, x, h+1, gridseg.Tile{
					Shape: gridseg.ShapeID(1 + r.Next()%5),
					Turn:  gridseg.Turn(r.Next() % 8),
				})
			}
		}},
		{"brush", func(t worldtest.Failer, r *worldtest.Random, w *worldtest.Site, g quarry.Ground, b quarry.Body) {
			p := w.Position(b)
			q := p.Add(geom.V(r.Float(-2, 2), r.Float(-2, 2)))
			if err := g.Build(w.Point(p.Add(geom.V(r.Float(-1, 1), r.Float(-1, 1)))), w.Point(q), r.Float(0.2, 2),
				gridseg.Attr{}); err != nil {
				t.Fatalf("%v", err)
			}
		}},
		{"spawn", func(t worldtest.Failer, r *worldtest.Random, w *worldtest.Site, g quarry.Ground, b quarry.Body) {
			w.SetTransform(b, geom.V(r.Float(-15, 15), r.Float(-8, 3)), r.Float(-3, 3))
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
	for _, by := range burials() {
		t.Run(by.name, func(t *testing.T) {
			var sum fates
			for i, land := range worldtest.Lands() {
				for seed := range seeds {
					for _, on := range worldtest.InTurn(i*seeds + seed) {
						sum.bury(t, on, by, land, seed)
					}
				}
			}
			t.Logf("%d cases: %d crushed, %d still in solid, %d fell through, %d shot", sum.cases, sum.crushed,
				sum.stuck, sum.through, sum.shot)
		})
	}
}

// fates counts buried bodies, and of these the ones that were crushed or broke the law.
type fates struct{ cases, crushed, stuck, through, shot int }

// bury drops a body on a land on a carrier, buries it, and looks at it for ten seconds.
func (sum *fates) bury(t *testing.T, on worldtest.Carrier, by burial, land worldtest.Land, seed int) {
	if on.Body.Type == quarry.Dynamic && land.Loose {
		return
	}
	r := worldtest.Random(1000 + seed)
	w := on.NewSite()
	g := w.AddGround(t)
	for _, r := range []gridseg.Rect{
		{MinX: -40, MinY: -60, MaxX: 40, MaxY: -3},
		{MinX: -42, MinY: -60, MaxX: -41, MaxY: 20},
		{MinX: 41, MinY: -60, MaxX: 42, MaxY: 20}, // so that nothing rolls off
	} {
		worldtest.Must(t, g.Fill(r, gridseg.Tile{Shape: gridseg.Full}))
	}
	land.Lay(t, g)
	all := worldtest.Sliders()
	sl := all[r.Next()%uint64(len(all))]
	size := 0.2 * math.Pow(10, r.Float(0, 1))
	s, _ := sl.Shape(size)
	b := w.Add(geom.V(r.Float(-12, 12), r.Float(8, 12)), s)
	w.SetVelocity(b, geom.V(r.Float(-5, 5), 0))
	w.Steps(60 + int(r.Next()%90))
	by.bury(t, &r, w, g, b)
	from, deep, speed := w.Position(b), worldtest.Buried(g, b), w.Velocity(b).Len()
	if deep < 0.01 {
		return
	}
	told, excess := 0, 0.0
	for range 600 {
		w.Step(worldtest.DT)
		if len(w.Breaks()) > 0 {
			return // tiles put into the air have come off, and are a body with a share of CarrierMass
		}
		told += len(w.Crushed())
		// It may keep its speed, and the speed gained by falling.
		free := math.Sqrt(max(speed*speed+20*(from.Y-w.Position(b).Y), 0))
		if worldtest.Buried(g, b) > 0.01 {
			excess = max(excess, w.Velocity(b).Len()-free)
		}
	}
	sum.cases++
	name := func(what string) {
		t.Errorf("%s, %s, seed %d: %s %s of %.3g, %.3g deep at %v: %s, now %.3g deep at %v",
			on.Name, land.Name, seed, by.name, sl.Name, size, deep, from, what, worldtest.Buried(g, b), w.Pose(b))
	}
	const still = 0.05 // deeper than this after ten seconds is still in solid
	switch {
	case told > 0:
		sum.crushed++
	case worldtest.Buried(g, b) > still:
		sum.stuck++
		name("still in solid")
	}
	if w.Position(b).Y < -30 {
		sum.through++
		name("fell through")
	}
	if excess > 10 {
		sum.shot++
		name("shot")
	}
}
