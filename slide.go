package quarry

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// What a shape touches as the step begins. Its contact keeps the two from approaching,
// but along the normal at the start of the step: a rod that turns fast sinks in as it
// slides, or leaves, comes round and is back in the same step. So the shape is swept as
// it would be if it were lifted off along the normal of the contact, by its depth and
// sinkDepth. That stays on its side: from the other side it stops a little early.

// sinkDepth is how much deeper, in units of length, a shape may sink in one step into
// what it touches as the step begins.
const sinkDepth = 2 * touchSlop

// slide sets m to where the shape sinks by more than sinkDepth into o, which it touches
// as it sets out, if that is earlier. If it is on the same side still as the step ends,
// it is moved out by as much as it sinks in, and goes on.
func (v *view) slide(m *meeting, o *geom.Core, t *shape, face *collide.Face, f *flight, b *body) {
	turn := math.Abs(f.turn - v.way.turn)
	if 0.5*turn*(f.d.Len()+v.way.d.Len()+float64(turn*b.reach)) <= sinkDepth {
		return // it goes straight, as its contact allows
	}
	n, depth, ok := v.touch(t, face, v.at)
	if !ok {
		return
	}
	sunk := v.sink(o, n.Mul(sinkDepth+depth))
	if sunk.share == 1 {
		return
	}
	if deep := depth - touchSlop; deep > 0 {
		v.shift(n.Mul(deep), f, b)
		depth = touchSlop
		if sunk = v.sink(o, n.Mul(sinkDepth+depth)); sunk.share == 1 {
			return
		}
	}
	if sunk.normal.Dot(n) > 0 {
		end := v.moved.At(1).InvMul(v.moves.At(1).Mul(v.at))
		if out, deep, ok := v.touch(t, face, end); ok && out.Dot(n) > 0 && deep > depth {
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

// shift moves the whole way of b by out, as seen by v.
func (v *view) shift(out geom.Vec, f *flight, b *body) {
	by := v.way.from.Q.Apply(out)
	f.center, f.lifted = f.center.Add(by), true
	b.center = b.center.Add(by)
	v.moves.From, v.moves.To = v.moves.From.Add(out), v.moves.To.Add(out)
}

// sink returns where the shape, lifted, meets o.
func (v *view) sink(o *geom.Core, lift geom.Vec) meeting {
	m := meeting{share: 1}
	moves := v.moves
	moves.From, moves.To = moves.From.Add(lift), moves.To.Add(lift)
	m.earlier(v, o, &v.outer, &moves)
	return m
}

// touch returns the normal, in the frame of what v is seen from, and the depth of the
// contact of the shape, in the given place, with the shape t or the face.
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
