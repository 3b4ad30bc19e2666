package scene

import (
	"os"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// The steps of a long run. A large scene, whose steps cost a hundred times as much, makes fewer: without edits as many
// as one that is measured in bench makes at least, as nothing but World.Step could fail; with edits enough for rain to
// remove each ragdoll of its first round, at step 320. With QUARRY_SOAK=1 all make longRun steps.
const (
	longRun         = 5000
	longRunOfEdits  = 330
	longRunOfLarge  = 50
	large           = 1000 // bodies
	beforeItIsLarge = 40   // steps, in which rain adds its first thousand bodies
)

// longRunOf returns the number of steps of a scene's long run, which has made beforeItIsLarge.
func longRunOf(in *Instance) int {
	switch bodies := in.World.Stats().Bodies; {
	case os.Getenv("QUARRY_SOAK") == "1":
		return longRun
	case bodies > large && in.BeforeStep == nil:
		return longRunOfLarge
	case bodies > large:
		return longRunOfEdits
	case testing.Short():
		return longRun / 10
	}
	return longRun
}

// TestLongRuns: every scene goes on beyond its measured run, and its edits find what they need. The scene ship removed
// a shot twice, at step 549; walk left its world, at step 1297.
func TestLongRuns(t *testing.T) {
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			in := s.New()
			for range beforeItIsLarge {
				in.Step()
			}
			for range longRunOf(in) - beforeItIsLarge {
				in.Step()
			}
		})
	}
}

// TestVandals: the edits of a scene leave out bodies, shapes and grounds that a visitor of a sandbox has removed, and
// edits that his digging has made impossible.
func TestVandals(t *testing.T) {
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			in := s.New()
			if in.BeforeStep == nil {
				return
			}
			w, r, bodies := in.World, random(len(s.Name)), in.World.Stats().Bodies
			each := 1 + bodies/100
			for step := range 250 {
				if bodies > large && step > 60 {
					break
				}
				in.Step()
				for range each {
					vandalise(w, &r)
				}
			}
		})
	}
}

// vandalise removes a body, a shape or the first ground, or fills a rectangle of the first ground with tiles or air.
func vandalise(w *quarry.World, r *random) {
	pick := func(n int) int { return int(r.between(0, float64(n))) }
	switch what := pick(12); {
	case what < 5:
		k := pick(w.Stats().Bodies + 1)
		for b := range w.Bodies() {
			if k--; k < 0 {
				w.RemoveBody(b.ID())
				break
			}
		}
	case what < 8:
		k := pick(w.Stats().Shapes + 1)
		for s := range w.Shapes() {
			if k--; k < 0 {
				w.RemoveShape(s.ID())
				break
			}
		}
	case what == 8 && pick(9) == 0:
		for g := range w.Grounds() {
			w.RemoveGround(g.ID())
			break
		}
	default:
		for g := range w.Grounds() {
			x, y := int32(pick(40))-10, int32(pick(20))-10
			_ = g.Fill(gridseg.Rect{MinX: x, MinY: y, MaxX: x + 3, MaxY: y + 3},
				gridseg.Tile{Shape: gridseg.ShapeID(pick(5))})
			break
		}
	}
}
