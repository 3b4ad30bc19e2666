package joint

import (
	"github.com/quarry2d/quarry/internal/store"
)

// Sound reports whether the impulses of j are finite.
func (j *Joint) Sound() bool {
	for _, y := range each(&j.Impulses) {
		if *y-*y != 0 {
			return false
		}
	}
	return true
}

// Hash adds to h all of j that later steps depend on.
func (j *Joint) Hash(h *store.Hasher) {
	h.Word(uint64(j.Kind))
	for _, f := range [...]*Frame{&j.A, &j.B} {
		h.Floats(f.Origin.X, f.Origin.Y, f.Rot.C, f.Rot.S)
	}
	for _, x := range [...]*Axis{&j.Linear, &j.Angular} {
		h.Floats(x.Spring.Hertz, x.Spring.DampingRatio, x.Target, x.MinForce, x.MaxForce, x.Motor.Speed, x.Motor.Max)
		h.Flag(x.Limit.On)
		h.Floats(x.Limit.Lower, x.Limit.Upper)
	}
	h.Floats(j.Length, j.Drag.X, j.Drag.Y, j.MaxDrag, j.Rigid.Hertz, j.Rigid.DampingRatio)
	for _, y := range each(&j.Impulses) {
		h.Float(float64(*y))
	}
	h.Float(j.substep)
}
