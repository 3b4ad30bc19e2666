package worldtest

import (
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// DT is the default time of a step in tests, in seconds.
const DT = 1.0 / 60

// New returns a world with gravity (0, -10).
func New() *quarry.World { return quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)}) }

// Steps steps the world n times by DT.
func Steps(w *quarry.World, n int) {
	for range n {
		w.Step(DT)
	}
}

// Add adds a dynamic body at p with one shape of density 1 and the default material.
func Add(w *quarry.World, p geom.Vec, s geom.Shape) quarry.Body {
	return AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: p}, s, quarry.ShapeDef{})
}

// AddBody adds a body with one shape.
func AddBody(w *quarry.World, d quarry.BodyDef, s geom.Shape, sd quarry.ShapeDef) quarry.Body {
	id := w.AddBody(d)
	w.AddShape(id, s, sd)
	b, _ := w.Body(id)
	return b
}

// AddGround adds an empty ground to a body, or a static one in place if the body is 0.
func AddGround(t Failer, w *quarry.World, body quarry.BodyID) quarry.Ground {
	t.Helper()
	id, err := w.AddGround(body, quarry.GroundDef{})
	Must(t, err)
	g, _ := w.Ground(id)
	return g
}

// Floor adds a static ground of full blocks in the cells of r.
func Floor(t Failer, w *quarry.World, r gridseg.Rect) quarry.Ground {
	t.Helper()
	g := AddGround(t, w, 0)
	Must(t, g.Fill(r, gridseg.Tile{Shape: gridseg.Full}))
	return g
}

// Near reports an error, with the name of the quantity, unless got is within the given
// distance of want. NaN is an error.
func Near(t testing.TB, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v within %v", what, got, want, within)
	}
}

// MustPanic reports an error unless f panics with a text of this module, which begins
// with "quarry: ".
func MustPanic(t testing.TB, what string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if text, _ := recover().(string); !strings.HasPrefix(text, "quarry: ") {
			t.Errorf("%s: panic %q", what, text)
		}
	}()
	f()
}
