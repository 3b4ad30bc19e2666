package quarry

import "github.com/quarry2d/quarry/geom"

// sweepCoreChain sweeps the core of s against the faces of the chain in slot ci.
func (w *World) sweepCoreChain(ci int32, s *shape, sw *coreSweep, motion *bodyMotion, origin, step geom.Vec) {
	ch := w.chains.At(ci)
	if !w.mayMeet(chainProxy|proxy(ci), s) {
		return
	}
	path := geom.Box(geom.Vec{}, step).Expand(sw.r).Translate(origin)
	w.scratch.chainNear = ch.AppendNear(w.scratch.chainNear[:0], path)
	for _, k := range w.scratch.chainNear {
		a, b := ch.Ends(int(k))
		a, b = a.Sub(origin), b.Sub(origin)
		f := sw.fractionToFace(a, b, step)
		if sw.keepsOff {
			f = min(f, fractionToSink(a, b, step))
		}
		sw.stopAt(motion, origin, step, f)
	}
}

// sunkDepth returns how deep s must be in a face to count as pressed into it: deeper than
// the unswept part of its core, and deeper than any resting shape.
func (s *shape) sunkDepth() float64 { return max(2*geom.LinearSlop, (1-coreFraction)*s.core) }

// fractionToSink returns the fraction of d at which the centroid of a sunk shape is
// geom.LinearSlop from the front of a-b, relative to the centroid, or 1. The distance is
// fixed: under a lasting load a disc that halves in each step would shrink to nothing.
func fractionToSink(a, b, d geom.Vec) float64 {
	t, length := b.Sub(a).Unit()
	n := t.Right()
	h, speed := -a.Dot(n), -d.Dot(n)
	if speed <= 0 || h < 0 {
		return 1
	}
	f := max(0, h-geom.LinearSlop) / speed
	x := d.Mul(f).Sub(a).Dot(t)
	if f >= 1 || x < -geom.LinearSlop || x > length+geom.LinearSlop {
		return 1
	}
	return f
}

// sweepChain sweeps the shape of v against the faces of the chain in slot ci.
func (w *World) sweepChain(ci int32, v *relativeSweep, f *shapeSweep, b *body) {
	ch := w.chains.At(ci)
	w.scratch.chainNear = ch.AppendNear(w.scratch.chainNear[:0], v.box.Translate(v.origin))
	for _, k := range w.scratch.chainNear {
		face := ch.Face(int(k), v.origin)
		v.hitFace(&face, f, b)
	}
}
