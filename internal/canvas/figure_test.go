package canvas

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

func TestInsetLeavesNoInsideOutFigure(t *testing.T) {
	var l Lens
	l.Scale, l.T = 10, geom.At(geom.Vec{})
	thin := geom.NewBox(2, 0.02)
	f := FigureOf(thin, l)
	if g, ok := f.Inset(1); ok {
		t.Errorf("a box 0.4 pixels high was inset by 1: %v", g)
	}
	box := geom.NewBox(2, 1)
	f = FigureOf(box, l)
	g, ok := f.Inset(1)
	if !ok {
		t.Fatal("a box of 40 x 20 pixels could not be inset by 1")
	}
	for i := range g.N {
		if p := g.Pts[i]; math.Abs(math.Abs(p.X)-19) > 1e-9 || math.Abs(math.Abs(p.Y)-9) > 1e-9 {
			t.Errorf("corner %d went to %v", i, p)
		}
	}
}
