package ccd

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Motion is the motion of a body through the step: its centre of mass moves on a straight line at
// constant velocity, and its spin is constant.
type Motion struct {
	From, To  geom.Transform // the body's frame at the start and at the end
	Center, D geom.Vec       // the centre of mass at the start, and its displacement
	Turn      float64        // radians, counter-clockwise
	Body      int32          // the caller's number of the body
	Moves     bool
}

// AtRest returns the motion of a body that stays in the frame t.
func AtRest(t geom.Transform, body int32) Motion {
	return Motion{From: t, To: t, Body: body}
}

// Between returns the motion of a body from one pose to another, with its centre of mass at local in its frame;
// turnGuess is the angle of the turn in radians, to within half a turn.
func Between(body int32, from, to Pose, local geom.Vec, turnGuess float64) Motion {
	return Motion{
		From: geom.Transform{P: from.Center.Sub(from.Rot.Apply(local)), Q: from.Rot}, To: geom.Transform{
			P: to.Center.Sub(to.Rot.Apply(local)), Q: to.Rot,
		},
		Center: from.Center, D: to.Center.Sub(from.Center), Turn: TurnOf(from.Rot, to.Rot, turnGuess), Body: body,
		Moves: true,
	}
}

// TurnOf returns the angle in radians from rot to end that is nearest to guess.
func TurnOf(rot, end geom.Rot, guess float64) float64 {
	if rot == end && math.Abs(guess) < math.Pi {
		return 0
	}
	turn := rot.InvMul(end).Angle()
	return turn + float64(2*math.Pi*math.Floor(float64((guess-turn)/(2*math.Pi))+0.5))
}

// Turned returns rot after a turn with the given cosine and sine: rot itself if there is none.
func Turned(rot geom.Rot, c, s float64) geom.Rot {
	if c == 1 && s == 0 {
		return rot
	}
	return geom.Rot{C: c, S: s}.Mul(rot).Norm()
}

// GravityGain returns the part of a step's gravity impulse that a body of unit mass has kept: between 0 and
// gravity*dt along gravity, and zero for a resting body. d is the change of its velocity in the step of dt seconds.
func GravityGain(gravity, d geom.Vec, dt float64) geom.Vec {
	down, g := gravity.Unit()
	if g == 0 {
		return geom.Vec{}
	}
	return down.Mul(max(0, min(g*dt, d.Dot(down))))
}

// Cut returns the velocity, at the end of the step of dt seconds, of a body that was stopped at a fraction of the
// step. v is the velocity after the whole step, and was the velocity at its start. Cut removes the part of the
// gravity gain after the stop, unless the speed would then exceed most.
func Cut(v, was, gravity geom.Vec, fraction, dt, most float64) geom.Vec {
	if cut := v.MulAdd(fraction-1, GravityGain(gravity, v.Sub(was), dt)); cut.Len2() <= max(most*most, v.Len2()) {
		return cut
	}
	return v
}

// MaxTravel returns a bound on the distance that a point of a body of the given extent moves from
// one pose to another; turnGuess is the angle of the turn in radians, to within half a turn.
func MaxTravel(from, to Pose, turnGuess, extent float64) float64 {
	// An arc is at most half of pi times its chord, up to half a turn.
	turned := float64(0.5*math.Pi) * geom.V(to.Rot.C-from.Rot.C, to.Rot.S-from.Rot.S).Len()
	if math.Abs(turnGuess) > math.Pi {
		turned = math.Abs(turnGuess)
	}
	return to.Center.Sub(from.Center).Len() + float64(turned*extent)
}

// Sagitta returns a bound on the distance of the arc of a point, at the given distance from the
// centre of mass, from its chord.
func (m *Motion) Sagitta(distance float64) float64 {
	return min(0.125*distance*m.Turn*m.Turn, 2*distance)
}

// relative returns the motion from p along d, in the frame of the body of m.
func (m *Motion) relative(p, d geom.Vec) (origin, step geom.Vec) {
	origin = m.From.Inv(p)
	if !m.Moves {
		return origin, m.To.Q.Inv(d)
	}
	return origin, m.To.Inv(p.Add(d)).Sub(origin)
}

// between returns the motion from the fraction t0 to the fraction t1 of the step.
func (m *Motion) between(t0, t1 float64) Motion {
	out := *m
	at := func(t float64) geom.Transform {
		q := geom.NewRot(t * m.Turn).Mul(m.From.Q).Norm()
		local := m.From.Inv(m.Center) // the centre of mass
		return geom.Transform{P: m.Center.MulAdd(t, m.D).Sub(q.Apply(local)), Q: q}
	}
	if t0 > 0 {
		out.From = at(t0)
	}
	if t1 < 1 {
		out.To = at(t1)
	}
	return out
}

// after returns the motion from the fraction t of the step on.
func (m *Motion) after(t float64) Motion {
	if t == 0 {
		return *m
	}
	out := m.between(t, 1)
	out.Center, out.D, out.Turn = m.Center.MulAdd(t, m.D), m.D.Mul(1-t), float64((1-t)*m.Turn)
	return out
}
