package quarry_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// buried returns how deep in g the deepest point of b is of those that are looked
// at: its centroids, and points most of the way from these to the corners.
func buried(g quarry.Ground, b quarry.Body) float64 {
	deepest := 0.0
	look := func(p geom.Vec) {
		if !g.Solid(p) {
			return
		}
		if near, ok := g.Grid().Nearest(p.X, p.Y, math.Inf(1)); ok {
			deepest = max(deepest, near.Distance)
		}
	}
	at := b.Transform()
	for s := range b.Shapes() {
		var core []geom.Vec
		radius := 0.0
		switch s := s.Geometry().(type) {
		case geom.Circle:
			core, radius = []geom.Vec{s.Center}, s.Radius
		case geom.Capsule:
			core, radius = []geom.Vec{s.A, s.B}, s.Radius
		case geom.Polygon:
			core, radius = s.Vertices[:s.N], s.Radius
		}
		middle := geom.Vec{}
		for _, v := range core {
			middle = middle.MulAdd(1/float64(len(core)), v)
		}
		look(at.Apply(middle))
		for _, v := range core {
			look(at.Apply(v))
			for k := range 8 {
				rim := v.MulAdd(radius, geom.NewRot(float64(k)*math.Pi/4).Apply(geom.V(1, 0)))
				look(at.Apply(middle.Lerp(rim, 0.9)))
			}
		}
	}
	return deepest
}

// burial is one way for a body to come to be in solid ground.
type burial struct {
	name string
	// lay puts the ground where it will be without what buries; bury does the rest.
	bury func(t failer, r *random, g quarry.Ground, b quarry.Body)
}

func burials() []burial {
	set := func(t failer, g quarry.Ground, x, y int32, tile gridseg.Tile) {
		if err := g.Set(x, y, tile); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return []burial{
		{"block", func(t failer, r *random, g quarry.Ground, b quarry.Body) {
			box := b.Bounds()
			c, _ := g.CellAt(geom.V(r.float(box.Min.X, box.Max.X), r.float(box.Min.Y, box.Max.Y)))
			set(t, g, c.X, c.Y, gridseg.Tile{Shape: gridseg.Full})
		}},
		{"slope", func(t failer, r *random, g quarry.Ground, b quarry.Body) {
			c, _ := g.CellAt(b.Position())
			set(t, g, c.X, c.Y, gridseg.Tile{Shape: gridseg.ShapeID(1 + r.next()%5), Turn: gridseg.Turn(r.next() % 8)})
		}},
		{"chunk", func(t failer, r *random, g quarry.Ground, b quarry.Body) {
			// A chunk's worth of hilly ground arrives, its surface near the body.
			c, _ := g.CellAt(b.Position())
			top := c.Y + int32(r.next()%8)
			for x := c.X - 8; x < c.X+8; x++ {
				h := top + int32(r.next()%3)
				if err := g.Fill(gridseg.Rect{MinX: x, MinY: h - 16, MaxX: x, MaxY: h}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
					t.Fatalf("%v", err)
				}
				set(t, g, x, h+1, gridseg.Tile{Shape: gridseg.ShapeID(1 + r.next()%5), Turn: gridseg.Turn(r.next() % 8)})
			}
		}},
		{"brush", func(t failer, r *random, g quarry.Ground, b quarry.Body) {
			p := b.Position()
			q := p.Add(geom.V(r.float(-2, 2), r.float(-2, 2)))
			if err := g.Build(p.Add(geom.V(r.float(-1, 1), r.float(-1, 1))), q, r.float(0.2, 2), gridseg.Attr{}); err != nil {
				t.Fatalf("%v", err)
			}
		}},
		{"spawn", func(t failer, r *random, g quarry.Ground, b quarry.Body) {
			b.SetTransform(geom.V(r.float(-15, 15), r.float(-8, 3)), r.float(-3, 3))
		}},
	}
}

// TestOutOfSolid is law 3 of contact: what comes to be in solid ground, by
// whichever way, gets out, or is told of as crushed; it does not fall through, nor
// is it shot out.
func TestOutOfSolid(t *testing.T) {
	seeds := 4
	if soak() {
		seeds = 40
	}
	const still = 0.05 // deeper than this after ten seconds is still in solid
	for _, by := range burials() {
		t.Run(by.name, func(t *testing.T) {
			cases, crushed, stuck, through, shot := 0, 0, 0, 0, 0
			for _, land := range countries() {
				for seed := range seeds {
					r := random(1000 + seed)
					w := newWorld()
					id, _ := w.AddGround(0, quarry.GroundDef{})
					g, _ := w.Ground(id)
					for _, r := range []gridseg.Rect{
						{MinX: -40, MinY: -60, MaxX: 40, MaxY: -3},
						{MinX: -42, MinY: -60, MaxX: -41, MaxY: 20},
						{MinX: 41, MinY: -60, MaxX: 42, MaxY: 20}, // so that nothing rolls off
					} {
						if err := g.Fill(r, gridseg.Tile{Shape: gridseg.Full}); err != nil {
							t.Fatal(err)
						}
					}
					land.lay(func(x, y int32, s gridseg.ShapeID, turn gridseg.Turn) {
						if err := g.Set(x, y, gridseg.Tile{Shape: s, Turn: turn}); err != nil {
							t.Fatal(err)
						}
					})
					all := sliders()
					sl := all[r.next()%uint64(len(all))]
					size := 0.2 * math.Pow(10, r.float(0, 1))
					s, _ := sl.shape(size)
					b := add(w, geom.V(r.float(-12, 12), r.float(8, 12)), s)
					b.SetVelocity(geom.V(r.float(-5, 5), 0))
					steps(w, 60+int(r.next()%90))
					by.bury(t, &r, g, b)
					from, deep, speed := b.Position(), buried(g, b), b.Velocity().Len()
					if deep < 0.01 {
						continue
					}
					cases++
					told, excess := 0, 0.0
					for range 600 {
						w.Step(dt)
						told += len(w.Crushed())
						// It may keep its speed, and what it gains by falling.
						free := math.Sqrt(max(speed*speed+20*(from.Y-b.Position().Y), 0))
						if buried(g, b) > 0.01 {
							excess = max(excess, b.Velocity().Len()-free)
						}
					}
					name := func(what string) {
						t.Errorf("%s, seed %d: %s %s of %.3g, %.3g deep at %v: %s, now %.3g deep at %v, turned %v",
							land.name, seed, by.name, sl.name, size, deep, from, what, buried(g, b), b.Position(), b.Angle())
					}
					switch {
					case told > 0:
						crushed++
					case buried(g, b) > still:
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
