package mover_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/mover"
)

// TestWeightWakesPlank: a character that lands on a plank asleep tips it, the plank sleeps while the character stands,
// and the plank wakes when the character jumps off.
func TestWeightWakesPlank(t *testing.T) {
	w := worldtest.New()
	worldtest.AddBody(w, quarry.BodyDef{}, geom.NewOffsetBox(50, 1, geom.V(0, -1), geom.Identity), quarry.ShapeDef{})
	plank := worldtest.Add(w, geom.V(0, 0.25), geom.NewBox(2, 0.25))
	worldtest.Steps(w, 120)
	if plank.Awake() {
		t.Fatal("the plank is awake")
	}
	c := mover.Character{
		Mover:    mover.Mover{Shape: geom.Capsule{A: geom.V(0, -0.3), B: geom.V(0, 0.3), Radius: 0.3}},
		Position: geom.V(0, 2), Mass: 5,
	}
	move := func(n int) (awake int) {
		for range n {
			c.Move(w, geom.V(0, -10), worldtest.DT)
			w.Step(worldtest.DT)
			if plank.Awake() {
				awake++
			}
		}
		return awake
	}
	if move(90) == 0 {
		t.Error("the character landed, and the plank slept on")
	}
	if move(120); plank.Awake() || !c.OnGround {
		t.Errorf("the character stands %v, and the plank is awake: %v", c.OnGround, plank.Awake())
	}
	c.Velocity = geom.V(0, 5)
	if move(5) == 0 {
		t.Error("the character jumped off, and the plank slept on")
	}
}
