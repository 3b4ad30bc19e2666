package scene

import (
	"os"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// The steps of a long run. A large scene, whose steps cost a hundred times as much, makes fewer: enough for rain to remove
// each ragdoll of its first round, at step 320. With QUARRY_SOAK=1 all make longRun steps.
const (
	longRun      = 5000
	longRunLarge = 330
	large        = 1000 // bodies, after a hundred steps
)

// longRunOf returns the number of steps of a scene's long run, which has made a hundred.
func longRunOf(in *Instance) int {
	switch bodies := in.World.Stats().Bodies; {
	case os.Getenv("QUARRY_SOAK") == "1":
		return longRun
	case bodies > large && in.BeforeStep == nil:
		return 100 // no edits: the step is the world's, which other tests know
	case bodies > large:
		return longRunLarge
	case testing.Short():
		return longRun / 10
	}
	return longRun
}

// TestLongRuns: every scene goes on beyond its measured run, and its edits find what they need. The scene ship removed a shot
// twice, at step 549; walk left its world, at step 1297.
func TestLongRuns(t *testing.T) {
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			in := s.New()
			for range 100 {
				in.Step()
			}
			for range longRunOf(in) - 100 {
				in.Step()
			}
		})
	}
}

// TestVandals: the edits of a scene leave out bodies, shapes and grounds that a visitor of a sandbox has removed, and edits
// that his digging has made impossible.
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

// vandalise removes a body or a shape, fills a rectangle of each ground with tiles or air, removes a ground, or puts a body
// somewhere.
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
	case what == 8:
		for g := range w.Grounds() {
			at := gridseg.Cell{X: int32(pick(40)) - 10, Y: int32(pick(20)) - 10}
			_ = g.Fill(gridseg.Rect{MinX: at.X, MinY: at.Y, MaxX: at.X + 3, MaxY: at.Y + 3}, gridseg.Tile{Shape: gridseg.ShapeID(pick(5))})
		}
	case what == 9 && pick(9) == 0:
		for g := range w.Grounds() {
			w.RemoveGround(g.ID())
			break
		}
	default:
		for b := range w.Bodies() {
			if pick(3) == 0 {
				put(w, b.Position(), Body("box", 0.4), 0)
				break
			}
		}
	}
}
