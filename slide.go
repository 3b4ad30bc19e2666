package quarry

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// A shape that touches an obstacle as the step begins. The contact keeps the two from
// approaching, but only along the normal at the start of the step. A rod that turns fast
// sinks in as it slides along a post, or leaves the post and comes round to it in the
// same step. So such a shape is swept as if it were lifted off the obstacle along the
// normal of the contact, by its depth and sinkDepth. The lifted shape meets the obstacle
// where the real one has sunk in by sinkDepth; where it comes round to the other side,
// it meets the obstacle a little early.

// sinkDepth is how much deeper, in units of length, a shape may sink in one step into
// an obstacle that it touches as the step begins.
const sinkDepth = 2 * touchSlop

// mostShift is by how much, in units of length, slide corrects the depth at the start of a
// step at most, and mostLift that at its end: a body that was put deep into an obstacle
// does not jump out.
const (
	mostShift = 4 * geom.LinearSlop
	mostLift  = 20 * geom.LinearSlop
)

// mostSlide (radians) is how much a shape may turn in a step for slide to take the normals
// at the start and the end of the step, where they agree, for those of one side.
const mostSlide = 1

// slide sets m to where the shape, of b, has sunk by sinkDepth into o, which it touches as
// it sets out, if that is earlier; o is the core of the shape t, or of the face. Before
// that it corrects the place of b as long as this keeps the step whole: first by the depth
// at the start, then, if the shape is still on the same side of o as the step ends, by the
// depth there.
func (v *view) slide(m *meeting, o *geom.Core, t *shape, face *collide.Face, f *flight, b *body) {
	turn := math.Abs(f.turn - v.way.turn)
	if 0.5*turn*(f.d.Len()+v.way.d.Len()+float64(turn*b.reach)) <= sinkDepth {
		return // it hardly turns: its contact does
	}
	n, depth, ok := v.touch(t, face, v.at)
	if !ok {
		return
	}
	sunk := v.sink(o, n.Mul(sinkDepth+depth))
	if sunk.share == 1 {
		return
	}
	if out := min(depth-touchSlop, mostShift); out > 0 {
		v.shift(n.Mul(out), f, b)
		depth -= out
		if sunk = v.sink(o, n.Mul(sinkDepth+depth)); sunk.share == 1 {
			return
		}
	}
	if turn < mostSlide && sunk.normal.Dot(n) > 0 {
		end := v.moved.At(1).InvMul(v.moves.At(1).Mul(v.at))
		if out, deep, ok := v.touch(t, face, end); ok && out.Dot(n) > 0 && deep > depth && deep < depth+mostLift {
			lift := v.way.to.Q.Apply(out).Mul(deep - depth)
			f.d, f.lifted = f.d.Add(lift), true
			b.center = b.center.Add(lift)
			v.moves.To = v.moves.To.Add(v.way.from.Q.Inv(lift))
			sunk = v.sink(o, n.Mul(sinkDepth+depth))
		}
	}
	if sunk.share < m.share {
		*m = sunk
	}
}

// shift moves the start and the end of b's motion by out, which is in the frame of v.
func (v *view) shift(out geom.Vec, f *flight, b *body) {
	by := v.way.from.Q.Apply(out)
	f.center, f.lifted = f.center.Add(by), true
	b.center = b.center.Add(by)
	v.moves.From, v.moves.To = v.moves.From.Add(out), v.moves.To.Add(out)
}

// sink returns where the shape, moved by lift, meets o.
func (v *view) sink(o *geom.Core, lift geom.Vec) meeting {
	m := meeting{share: 1}
	moves := v.moves
	moves.From, moves.To = moves.From.Add(lift), moves.To.Add(lift)
	m.earlier(v, o, &v.outer, &moves)
	return m
}

// touch returns the normal, in the frame of the obstacle, and the depth (0 where they are
// apart) of the contact of the shape, its body in the frame at, with the shape t or the
// face; false if they do not touch.
func (v *view) touch(t *shape, face *collide.Face, at geom.Transform) (n geom.Vec, depth float64, ok bool) {
	var c collide.Manifold
	if face != nil {
		collide.FaceHull(&c, face, &v.shape.hull, at, geom.LinearSlop)
	} else {
		at.P = at.P.Add(v.origin)
		collide.Hulls(&c, &t.hull, &v.shape.hull, at, geom.LinearSlop)
	}
	for k := range c.N {
		depth = max(depth, -c.Points[k].Separation)
	}
	return c.Normal, depth, c.N > 0
}
