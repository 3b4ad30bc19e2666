package worldtest

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// AddChain adds a chain to a body, or in place if the body is 0.
func AddChain(t Failer, w *quarry.World, body quarry.BodyID, d quarry.ChainDef) quarry.Chain {
	t.Helper()
	id, err := w.AddChain(body, d)
	Must(t, err)
	c, ok := w.Chain(id)
	if !ok || c.ID() != id {
		t.Fatalf("a chain that was added is not there")
	}
	return c
}

// Line returns n+1 points from a to b, evenly apart.
func Line(a, b geom.Vec, n int) []geom.Vec {
	var out []geom.Vec
	for i := range n + 1 {
		out = append(out, a.Lerp(b, float64(i)/float64(n)))
	}
	return out
}

// Ring returns n points on a circle, clockwise: a chain of them is solid outside.
func Ring(center geom.Vec, r float64, n int) []geom.Vec {
	var out []geom.Vec
	for i := range n {
		out = append(out, center.Add(geom.NewRot(-2*math.Pi*float64(i)/float64(n)).Apply(geom.V(r, 0))))
	}
	return out
}
