package quarry_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

func TestFilter(t *testing.T) {
	const red, blue = 1, 2
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1}) // category 1
	drop := func(category, mask uint64, x, y float64) quarry.Body {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, y)})
		w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{Category: category, Mask: mask})
		b, _ := w.Body(id)
		return b
	}
	onFloor := drop(red, red, 0, 1)
	through := drop(blue, blue, 3, 1)
	drop(blue, red|blue, 0, 3) // red's mask does not have blue
	worldtest.Steps(w, 90)
	worldtest.Near(t, "the red", onFloor.Position().Y, 0.5, 0.02)
	if through.Position().Y > -2 {
		t.Errorf("the blue stopped at %v", through.Position().Y)
	}
}
