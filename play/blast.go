package play

import (
	"encoding/json"
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

const (
	// blastImpulse is the impulse of an explosion for each unit of length of a shape's shadow, and each cell of radius.
	blastImpulse = 10
	// blastReach is the distance in radii over which the impulse falls to 0.
	blastReach = 2.5
	// fuseSteps is the number of steps from the stamp "bomb" to its explosion.
	fuseSteps = 150
	// bombRadius is the radius of the crater of a bomb of size 1.
	bombRadius = 2
	maxFuses   = 256
)

// Blast is an explosion.
type Blast struct {
	Serial uint64 // its number, from 1
	At     geom.Vec
	Radius float64 // of the crater, in cells
}

// fuse is a bomb that will explode.
type fuse struct {
	Body   quarry.BodyID `json:"body"`
	Step   int           `json:"step"`
	Radius float64       `json:"radius"`
}

// Blasts returns the explosions since the last step began, valid until the next command or step.
func (w *World) Blasts() []Blast { return w.blasts }

// explode makes an explosion.
func (w *World) explode(_ *player, m Command) error {
	was := map[quarry.BodyID][3]float64{}
	for b := range w.in.World.Bodies() {
		was[b.ID()] = motionOf(b)
	}
	err := w.blast(geom.V(m.X, m.Y), m.Radius)
	for b := range w.in.World.Bodies() {
		old, is := was[b.ID()], motionOf(b)
		if old == is {
			continue
		}
		s := setting{Kind: "motion"}
		s.Was, _ = json.Marshal(old)
		s.Is, _ = json.Marshal(is)
		w.history.touched(thing{body: b.ID(), settings: []setting{s}})
	}
	return err
}

// blast digs a crater in all grounds within the radius, and pushes bodies. It returns the first error of digging.
func (w *World) blast(at geom.Vec, radius float64) error {
	bad := w.dig(nil, Command{Do: "dig", All: true, X0: at.X, Y0: at.Y, X1: at.X, Y1: at.Y, Radius: radius})
	w.in.World.Explode(quarry.ExplosionDef{
		Center: at, Radius: radius, Falloff: blastReach * radius, ImpulsePerLength: blastImpulse * radius,
	})
	w.exploded++
	w.blasts = append(w.blasts, Blast{Serial: w.exploded, At: at, Radius: radius})
	return bad
}

// light gives a bomb a fuse.
func (w *World) light(id quarry.BodyID, size float64) error {
	if len(w.fuses) >= maxFuses {
		return fmt.Errorf("stamp: %d bombs are lit, the limit", len(w.fuses))
	}
	radius := max(MinBrush, min(MaxBrush, bombRadius*size))
	w.fuses = append(w.fuses, fuse{Body: id, Step: w.steps + fuseSteps, Radius: radius})
	return nil
}

// burn explodes the bombs whose fuses have burnt down, and forgets those that are gone.
func (w *World) burn() {
	lit := w.fuses[:0]
	for _, f := range w.fuses {
		b, ok := w.in.World.Body(f.Body)
		switch {
		case !ok:
		case w.steps < f.Step || w.Full():
			lit = append(lit, f)
		default:
			at := b.CenterOfMass()
			w.in.World.RemoveBody(f.Body)
			w.bodies--
			_ = w.blast(at, f.Radius) // where the ground is in too many pieces there is no crater
		}
	}
	w.fuses = lit
}
