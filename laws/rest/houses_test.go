package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// TestHousesStand: the house of cards and the arch stand for a minute, in which no body moves farther than a
// twentieth of its size, and sleep. Awake for the whole minute, they stand as well.
func TestHousesStand(t *testing.T) {
	for _, name := range []string{"card_house", "arch"} {
		for _, awake := range []bool{false, true} {
			s, ok := scene.Get(name)
			if !ok {
				t.Fatal("no scene ", name)
			}
			s.Config.NoSleep = awake
			in := s.New()
			from := map[quarry.BodyID]geom.Vec{}
			for b := range in.World.Bodies() {
				from[b.ID()] = b.Position()
			}
			asleep := 0
			for range 60 * 60 {
				in.Step()
				if asleep == 0 && in.World.Stats().Awake == 0 {
					asleep = int(in.World.StepCount())
				}
			}
			most := 0.0
			for b := range in.World.Bodies() {
				most = max(most, b.Position().Dist(from[b.ID()]))
			}
			t.Logf("%s, awake %v: a body moved by up to %.4f; asleep at step %d", name, awake, most, asleep)
			if most > 0.1 {
				t.Errorf("%s, awake %v: a body moved by %.3f", name, awake, most)
			}
			if !awake && (asleep == 0 || asleep > 20*60) {
				t.Errorf("%s: asleep at step %d", name, asleep)
			}
		}
	}
}
