package quarry_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// benchWorld is 1,000 boxes and balls over hills of tiles, 200 cells wide, and a chain.
func benchWorld(b testing.TB) *quarry.World {
	w := worldtest.New()
	g := worldtest.AddGround(b, w, 0)
	r := worldtest.Random(1)
	h := int32(0)
	for x := int32(-100); x < 100; x++ {
		h = max(-4, min(4, h+int32(r.Next()%3)-1))
		worldtest.Must(b, g.Fill(gridseg.Rect{MinX: x, MinY: -20, MaxX: x, MaxY: h}, gridseg.Tile{Shape: gridseg.Full}))
	}
	for i := range 1000 {
		p := geom.V(r.Float(-100, 100), r.Float(6, 30))
		if i%2 == 0 {
			worldtest.Add(w, p, geom.NewBox(0.4, 0.4))
		} else {
			worldtest.Add(w, p, geom.Circle{Radius: 0.4})
		}
	}
	if _, err := w.AddChain(0, quarry.ChainDef{Points: worldtest.Line(geom.V(100, 35), geom.V(-100, 35),
		400)}); err != nil {
		b.Fatal(err)
	}
	return w
}

// BenchmarkQuery measures each query, from a hundred places in turn.
func BenchmarkQuery(b *testing.B) {
	w := benchWorld(b)
	var hits []quarry.CastHit
	var targets []quarry.Target
	var planes []quarry.Plane
	all, shape := quarry.QueryFilter{}, geom.Capsule{A: geom.V(0, -0.4), B: geom.V(0, 0.4), Radius: 0.4}
	test := quarry.QueryFilter{Test: func(quarry.Target) bool { return true }}
	for _, q := range []struct {
		name string
		do   func(p geom.Vec)
	}{
		{"RayCast", func(p geom.Vec) { w.RayCast(p, geom.V(10, -20), all) }},
		{"RayCast, tested", func(p geom.Vec) { w.RayCast(p, geom.V(10, -20), test) }},
		{"RayBlocked", func(p geom.Vec) { w.RayBlocked(p, geom.V(10, -20), all) }},
		{"AppendRayHits", func(p geom.Vec) { hits = w.AppendRayHits(hits[:0], p, geom.V(10, -20), all) }},
		{"ShapeCast 1", func(p geom.Vec) { w.ShapeCast(shape, geom.At(p), geom.V(0.5, -1), all) }},
		{"ShapeCast 20", func(p geom.Vec) { w.ShapeCast(shape, geom.At(p), geom.V(10, -20), all) }},
		{"ShapeCast 20, box", func(p geom.Vec) {
			w.ShapeCast(geom.NewBox(0.4, 0.8), geom.At(p), geom.V(10, -20), all)
		}},
		{"AppendShapeHits", func(p geom.Vec) {
			hits = w.AppendShapeHits(hits[:0], shape, geom.At(p), geom.V(10, -20), all)
		}},
		{"AppendOverlaps 3", func(p geom.Vec) {
			targets = w.AppendOverlaps(targets[:0], geom.Circle{Radius: 3}, geom.At(p), all)
		}},
		{"Overlaps", func(p geom.Vec) { w.Overlaps(shape, geom.At(p), all) }},
		{"AppendPlanes", func(p geom.Vec) { planes = w.AppendPlanes(planes[:0], shape, geom.At(p), 0.1, all) }},
		{"Nearest", func(p geom.Vec) { w.Nearest(p, 100, all) }},
	} {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			r, i := worldtest.Random(2), 0
			var places [100]geom.Vec
			for k := range places {
				places[k] = geom.V(r.Float(-90, 90), r.Float(0, 20))
			}
			for b.Loop() {
				q.do(places[i])
				if i++; i == len(places) {
					i = 0
				}
			}
		})
	}
}
