package joint

import (
	"math"

	"github.com/quarry2d/quarry/internal/solve"
)

// turns holds the fields of a Gear or Ratchet: the ratio or the teeth, and the angles of its bodies. A pose has an
// angle only up to whole turns, so the angles of both frames are counted from step to step.
type turns struct {
	Ratio float64 // 0: 1
	tooth float64 // of a Ratchet, radians; 0: none, it holds any angle
	back  bool    // a Ratchet: it turns clockwise
	a, b  float64 // angles of the frames of A and B in the world, over whole turns
	held  float64 // a Ratchet: the angle below which it does not turn back
}

// GearOf returns a Gear with the given ratio; 0 means 1.
func GearOf(ratio float64, x Axis) Joint {
	return Joint{Kind: Gear, Angular: x, turns: turns{Ratio: ratio}}
}

// RatchetOf returns a Ratchet with teeth of so many radians, 0: none.
func RatchetOf(tooth float64, clockwise bool) Joint {
	j := Joint{Kind: Ratchet, turns: turns{tooth: tooth, back: clockwise, held: math.Inf(-1)}}
	if clockwise {
		j.turns.held = math.Inf(1)
	}
	return j
}

// Ratio returns the ratio of a Gear as it was given.
func (j *Joint) Ratio() float64 { return j.turns.Ratio }

// Teeth returns the tooth of a Ratchet, whether it turns clockwise, and the angle that it holds.
func (j *Joint) Teeth() (tooth float64, clockwise bool, held float64) {
	return j.turns.tooth, j.turns.back, j.turns.held
}

// Geared reports whether the axis of j is of turns.
func (j *Joint) Geared() bool { return j.Kind >= Gear }

func (j *Joint) ratio() float64 {
	if j.turns.Ratio == 0 {
		return 1
	}
	return j.turns.Ratio
}

// TurnRatio returns the ratio of a gear or ratchet, and 0 for other joints (solve.Link).
func (j *Joint) TurnRatio() float32 {
	if j.Kind != Gear && j.Kind != Ratchet {
		return 0
	}
	return float32(j.ratio())
}

// turned returns the turns of j with the angles of a and b, unwrapped to the branch nearest the previous angles.
func (j *Joint) turned(a, b *Side) turns {
	t := j.turns
	t.a += wrapped(a.Rot.Mul(j.A.Rot).Angle()-t.a, true)
	t.b += wrapped(b.Rot.Mul(j.B.Rot).Angle()-t.b, true)
	return t
}

// value returns the value of j's axis at t.
func (j *Joint) value(t *turns) float64 { return float64(j.ratio()*t.b) - t.a }

// Fit sets the fields of j that depend on the present poses of a and b: the length of a Distance whose definition
// has none, and the turns and the tooth of a Gear or Ratchet.
func (j *Joint) Fit(a, b *Side) {
	if j.Kind == Distance && j.Length == 0 {
		j.Length = j.State(a, b).Apart.Len()
	}
	if j.Geared() {
		j.count(a, b)
	}
}

// Turn adds the rotations of A and B in the last step, in radians, so that no turn is lost if a body turns far in a
// step.
func (j *Joint) Turn(a, b float64) {
	if j.Geared() {
		j.turns.a, j.turns.b = j.turns.a+a, j.turns.b+b
	}
}

// count sets the turns to the present angles, and returns the value of the axis. A Ratchet advances to the last
// tooth at that value.
func (j *Joint) count(a, b *Side) float64 {
	j.turns = j.turned(a, b)
	t, value := &j.turns, j.value(&j.turns)
	switch {
	case j.Kind != Ratchet:
	case t.back:
		t.held = min(t.held, j.toothAt(value))
	default:
		t.held = max(t.held, j.toothAt(value))
	}
	return value
}

// toothAt returns the last tooth at the angle value. A thousandth of a tooth is left to rounding.
func (j *Joint) toothAt(value float64) float64 {
	t := &j.turns
	n := value / t.tooth
	if !(math.Abs(n) < 1<<52) { // teeth finer than the rounding of the angle, or none
		return value
	}
	if t.back {
		n = math.Ceil(n - 0x1p-10)
	} else {
		n = math.Floor(n + 0x1p-10)
	}
	return n * t.tooth
}

// fillTurns sets the rows of a Gear or Ratchet.
func (j *Joint) fillTurns(out *solve.Joint, a, b *Side) {
	x, value, r := &out.Linear, j.count(a, b), j.ratio()
	out.Shape, out.Ratio, out.Spin = solve.Turns, float32(r), float32(float64(r*b.Spin)-a.Spin)
	gap := float32(value - j.turns.held)
	switch {
	case j.Kind == Ratchet && j.turns.back:
		x.Flags, x.FromUpper = solve.Highest, gap
	case j.Kind == Ratchet:
		x.Flags, x.FromLower = solve.Lowest, gap
	default:
		if j.Angular.fill(x, value, false); x.Flags == 0 {
			x.Flags = solve.Held
		}
	}
}
