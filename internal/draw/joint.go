package draw

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/joint"
)

// JointSide is a body of a joint: its slot, its frame and its centre of mass, in the world.
type JointSide struct {
	Body   int32
	Frame  geom.Transform
	Center geom.Vec
	Moves  bool // it is not static
}

// Spring is drawn as this many lines, of which each but the first and the last crosses its axis, up to
// springWide units of length (or a tenth of its length, if that is less) on either side.
const (
	springLines = 10
	springWide  = 0.1
)

// Joint adds a joint: of each body that is not static a line from the centre of mass to the anchor; a
// line, or a spring, between the anchors; both frames; and the ends of a range of lengths or angles.
func (l *List) Joint(tag Tag, j *joint.Joint, a, b JointSide) {
	a.Frame, b.Frame = l.rel(a.Frame), l.rel(b.Frame)
	at := a.Frame.Mul(geom.Transform{P: j.A.Origin, Q: j.A.Rot})
	bt := b.Frame.Mul(geom.Transform{P: j.B.Origin, Q: j.B.Rot})
	ca, cb := a.Center.Sub(l.Origin), b.Center.Sub(l.Origin)
	box := geom.Box(at.P, bt.P).Union(geom.Box(cb, cb))
	if a.Moves {
		box = box.Union(geom.Box(ca, ca))
	}
	if !box.Translate(l.Origin).Overlaps(l.View) {
		return
	}
	tag.Body = b.Body
	if j.Kind == joint.Filter { // it has no frames
		l.add(tag, Line, ca, cb)
		return
	}
	if a.Moves {
		tag.Body = a.Body
		l.add(tag, Line, ca, at.P)
	}
	if tag.Body = b.Body; b.Moves {
		l.add(tag, Line, cb, bt.P)
	}
	l.between(tag, j, at, bt)
	if tag.Body = a.Body; j.Kind == joint.Mouse {
		l.add(tag, Point, at.P)
	} else {
		l.add(tag, Frame, at.P, at.Apply(geom.V(1, 0)), at.Apply(geom.V(0, 1)))
	}
	tag.Body = b.Body
	l.add(tag, Frame, bt.P, bt.Apply(geom.V(1, 0)), bt.Apply(geom.V(0, 1)))
	tag.Body = a.Body
	if _, _, held := j.Teeth(); j.Kind == joint.Ratchet {
		l.add(tag, Arrow, at.P, at.Apply(geom.NewRot(held).Apply(geom.V(1, 0))))
	}
	for k, on := range [...]*joint.Axis{&j.Linear, &j.Angular} {
		for _, end := range [...]float64{on.Limit.Lower, on.Limit.Upper} {
			switch u, _ := bt.P.Sub(at.P).Unit(); {
			case !on.Limit.On:
			case k == 1:
				l.add(tag, Arrow, at.P, at.Apply(geom.NewRot(end).Apply(geom.V(1, 0))))
			case j.Kind == joint.Distance:
				l.add(tag, Point, at.P.MulAdd(end, u))
			default:
				l.add(tag, Point, at.Apply(geom.V(end, 0)))
			}
		}
	}
}

// between adds the line between the anchors, or the spring of the joint's line: a zigzag.
func (l *List) between(tag Tag, j *joint.Joint, at, bt geom.Transform) {
	from := at.P
	if j.Kind == joint.Prismatic || j.Kind == joint.Wheel {
		from = at.Apply(geom.V(j.Linear.Target, 0))
	}
	if j.Linear.Spring.Hertz == 0 {
		l.add(tag, Line, at.P, bt.P)
		return
	}
	wide := bt.P.Sub(from)
	if n := wide.Len(); n > 10*springWide {
		wide = wide.Mul(springWide / n)
	} else {
		wide = wide.Mul(0.1)
	}
	last := from
	for k := 1; k <= springLines; k++ {
		next := from.Lerp(bt.P, float64(k)/springLines)
		switch {
		case k == springLines:
		case k%2 == 0:
			next = next.Add(wide.Left())
		default:
			next = next.Add(wide.Right())
		}
		l.add(tag, Line, last, next)
		last = next
	}
}
