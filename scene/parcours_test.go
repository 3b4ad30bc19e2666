package scene

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
)

// The character of the parcours comes to the end, behind the crate, which it has pushed to the wall; in no
// step does it move farther than its speeds allow.
func TestParcours(t *testing.T) {
	in := parcours.New()
	var walker, crate quarry.Body
	for b := range in.World.Bodies() {
		switch b.Type() {
		case quarry.Dynamic:
			crate = b
		case quarry.Kinematic:
			walker = b // the last one
		}
	}
	last := walker.Position()
	for step := range parcours.Steps {
		in.Step()
		if moved := walker.Position().Sub(last); math.Abs(moved.X) > 0.13 || moved.Y > 0.5 || moved.Y < -0.7 {
			t.Fatalf("step %d: it moves by %v from %v", step, moved, last)
		}
		last = walker.Position()
	}
	if crate.Position().X < 60 || math.Abs(last.X-(crate.Position().X-0.9)) > 0.1 || math.Abs(last.Y-4) > 0.05 {
		t.Errorf("the character ends at %v, the crate at %v", last, crate.Position())
	}
}
