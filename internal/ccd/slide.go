package ccd

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// Continuous collision of a shape that touches an obstacle at the start of the step. The
// contact keeps the two from approaching, but only along the normal at the start of the
// step: a rod that turns fast sinks into a post as it slides along it, or leaves the post
// and hits it again in the same step. So such a shape is swept from a start that is lifted
// off the obstacle along the contact normal, by the penetration depth plus sinkDepth. The
// lifted shape hits the obstacle where the real shape has sunk in by sinkDepth; on the far
// side of the obstacle the lifted shape hits a little early. From there the body slides on,
// along a deflected path (slideOn).

// sinkDepth is how much deeper, in units of length, a shape may sink in one step into an obstacle that it touches
// at the start of the step.
const sinkDepth = 2 * touchSlop

// A shape whose inner radius is at most flatRadius (units of length) may not sink in at all: it
// would be behind the obstacle's surface, and out of contact with it. It is moved out to
// flatGap, and stopped when its distance from the obstacle falls below toiSlop: flatSink is less than that, since
// geom.TimeOfImpact stops at a distance between toiSlop and twice as much.
const (
	flatRadius = 2 * geom.LinearSlop
	flatGap    = 0.5 * geom.LinearSlop
	flatSink   = 0.8 * toiSlop
)

// mostShift is the largest correction, in units of length, of the depth at the start of a step: a body that was placed
// deep in an obstacle does not jump out.
const mostShift = 4 * geom.LinearSlop

// mostSlides bounds the number of times that the motion of a body through a step is deflected.
const mostSlides = 8

// slide sets m to the time at which the shape has sunk into the obstacle o, if that is earlier than m. The shape
// touches the obstacle at the start of the step. o is the core of the shape of hull h, or of the face. If the shape
// does not sink once the mover is moved out of the obstacle, by the depth at the start, slide moves the mover instead.
// slide reports whether it has set m: then the impact with the face is that face's own, and not its neighbour's.
func (v *relativeSweep) slide(m *impact, o *geom.Core, h *collide.Hull, face *collide.Face, f *shapeSweep) bool {
	turn := math.Abs(f.turn - v.obstacle.Turn)
	if !v.turns(turn, f) {
		return false
	}
	n, depth, ok := v.touch(h, face, v.at)
	if !ok {
		return false
	}
	rest, sink := touchSlop, sinkDepth // depths: the mover is moved out to rest, and may sink deeper by sink
	if v.shape.InnerRadius <= flatRadius {
		rest, sink = -flatGap, flatGap+flatSink
	} else {
		depth = max(0, depth)
	}
	sunk := v.toiLifted(o, n.Mul(max(0, depth+sink)))
	if sunk.fraction == 1 {
		return false
	}
	if out := min(depth-rest, mostShift); out > 0 {
		v.shift(n.Mul(out), f)
		depth -= out
		if sunk = v.toiLifted(o, n.Mul(max(0, depth+sink))); sunk.fraction == 1 {
			return false
		}
	}
	if sunk.fraction >= m.fraction {
		return false
	}
	*m = sunk
	return true
}

// slideOn deflects the rest of the motion, from the impact of a shape that has sunk into the obstacle on: it removes
// the speed of approach there, as the contact will in the next step. Otherwise a body that turns fast would be stopped
// each time that it has sunk in by sinkDepth: it would hang on the obstacle, in slow motion. at is the pose at the
// impact. It reports whether it could.
func (f *shapeSweep) slideOn(at Pose) bool {
	m := f.mover
	if m.Jointed {
		return false
	}
	n := f.normal
	around := f.arm.Cross(n)
	free := float64(m.InvMass.X*n.X*n.X) + float64(m.InvMass.Y*n.Y*n.Y) + float64(m.InvInertia*around*around)
	if !(free > 0) {
		return false
	}
	j, left := max(0, -f.speed)/free, 1-f.fraction
	d := f.d.Add(geom.V(float64(j*m.InvMass.X*n.X), float64(j*m.InvMass.Y*n.Y))).Mul(left)
	turn := left * (f.turn + float64(j*m.InvInertia*around))
	f.start(at, d, turn)
	f.to.Center, f.to.Rot = f.center.Add(d), f.end
	return true
}

// turns reports whether the shape turns so much, by turn radians, that its contact is not enough.
func (v *relativeSweep) turns(turn float64, f *shapeSweep) bool {
	_, step := v.obstacle.relative(f.center, f.d)
	return 0.5*turn*(step.Len()+float64(turn*f.mover.Extent)) > sinkDepth
}

// shift moves the start and the end of the mover's motion by out, a vector in the frame of v.
func (v *relativeSweep) shift(out geom.Vec, f *shapeSweep) {
	by := v.obstacle.From.Q.Apply(out)
	f.center, f.lifted = f.center.Add(by), true
	f.to.Center = f.to.Center.Add(by)
	v.sweep.From, v.sweep.To = v.sweep.From.Add(out), v.sweep.To.Add(out)
}

// toiLifted returns the first impact of the shape with o, both ends of its motion moved by lift.
func (v *relativeSweep) toiLifted(o *geom.Core, lift geom.Vec) impact {
	m := impact{fraction: 1}
	moves := v.sweep
	moves.From, moves.To = moves.From.Add(lift), moves.To.Add(lift)
	m.takeEarlier(v, o, &v.outer, &moves, toiSlop)
	return m
}

// touch returns the contact of the shape, with its body in the frame at, and the obstacle, which is the face if
// there is one, otherwise the shape of hull h: the normal in the obstacle's frame, and the depth, negative if the
// surfaces are apart. ok is false if there is no contact.
func (v *relativeSweep) touch(h *collide.Hull, face *collide.Face,
	at geom.Transform,
) (n geom.Vec, depth float64, ok bool) {
	var c collide.Manifold
	if face != nil {
		collide.FaceHull(&c, face, v.shape.Hull, at, geom.LinearSlop)
	} else {
		at.P = at.P.Add(v.origin)
		collide.Hulls(&c, h, v.shape.Hull, at, geom.LinearSlop)
	}
	depth = -math.MaxFloat64
	for k := range c.N {
		depth = max(depth, -c.Points[k].Separation)
	}
	return c.Normal, depth, c.N > 0
}
