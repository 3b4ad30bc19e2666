package narrow

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/pool"
)

// Last is the result of the last comparison of a pair of shapes or grounds, as far as later steps need it: it lets them
// skip the pair while the two have hardly moved. The zero Last is for a pair that has not been compared. 32 bytes.
type Last struct {
	d    geom.Vec // Pose.D at the comparison
	c, s float32  // Pose.Q at the comparison
	// gap is the distance, in units of length, that a point of B may move in A's frame before shapes that are apart
	// have a contact, or two kept points are computed again; at most 0 if the pair must be compared in each step.
	gap   float32
	reach float32 // at least the distance of the farthest point of B's shape from its body's centre of mass
}

// gapSlop is more than the rounding error of a gap, in units of length near the bodies. gapShare is
// more than the relative rounding error of a distance of the bodies as a float64, and shortShare as a float32.
const (
	gapSlop    = 1e-9
	gapShare   = 1e-14
	shortShare = 1e-6
)

// Known reports whether there is a result that may hold.
func (l *Last) Known() bool { return l.gap > 0 }

// Holds reports whether the result still holds with the bodies at the pose p: the shapes have moved too little,
// relative to each other, to change it.
func (l *Last) Holds(p *Pose) bool {
	return l.gap > 0 && l.motion(p) < float64(l.gap)
}

// motion returns a bound on the distance that a point of B has moved in A's frame since the comparison.
func (l *Last) motion(p *Pose) float64 {
	turned := geom.V(p.Q.C-float64(l.c), p.Q.S-float64(l.s)).Len()
	return p.D.Sub(l.d).Len() + float64(turned*float64(l.reach))
}

// KeepApart records that two sides at the pose p stay apart until a point of B moves by gap in A's frame; reach is at
// smallest the distance of the farthest point of B from its body's centre of mass.
func (l *Last) KeepApart(p *Pose, gap, reach float64) { l.set(p, gap, reach) }

// set records that the result at the pose p holds until a point of B moves by gap in A's frame.
func (l *Last) set(p *Pose, gap, reach float64) {
	*l = Last{d: p.D, c: float32(p.Q.C), s: float32(p.Q.S), reach: float32(reach * (1 + shortShare))}
	// The rounding of the pose counts as motion.
	l.gap = float32((gap - gapSlop - float64(gapShare*p.D.Len()) - l.motion(p)) * (1 - shortShare))
}

// Visit visits l, and b, the Base of two sides that touch. A hash has both only for two points that are kept.
func (l *Last) Visit(c *pool.Codec, b *Base, touching bool) {
	if !c.Hashing() {
		c.Singles(&l.gap, &l.reach)
	}
	if l.gap <= 0 || c.Hashing() && !touching {
		return
	}
	cos, sin := float64(l.c), float64(l.s)
	if c.Floats(&l.d.X, &l.d.Y, &cos, &sin); c.Reading() {
		l.c, l.s = float32(cos), float32(sin)
	}
	if touching {
		c.Floats(&b.rotA.C, &b.rotA.S, &b.rotB.C, &b.rotB.S, &b.separations[0], &b.separations[1])
	}
}
