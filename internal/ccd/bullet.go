package ccd

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// sweepBullet sweeps sh, of a bullet, against dynamic bodies: the whole shape if it is fast, or
// moves fast relative to one.
func (s *Sweeper) sweepBullet(sh *Shape, f *shapeSweep, fast bool) {
	s.dynamic = s.obstacles.AppendDynamic(s.dynamic[:0], sh.ID, f.box)
	for i := range s.dynamic {
		o := &s.dynamic[i]
		var rest Motion
		motion := o.Motion
		if motion == nil {
			rest = AtRest(o.Frame, o.Body)
		} else {
			rest = motion.after(s.since)
		}
		motion = &rest
		v := f.relativeTo(sh, motion)
		if !v.box.Overlaps(o.Hull.Bounds(geom.At(v.origin.Neg()))) {
			continue
		}
		v.dynamic = true
		v.thin = true // otherwise a body turned by an oblique impact ends deep in the obstacle
		if fast || f.maxRelativeTravel(motion) > Gate(sh.InnerRadius) {
			v.hitHull(o.Hull, f)
			v.hitCentroid(o.Hull, discFraction*sh.InnerRadius, f)
		}
	}
}

// hitCentroid stops f before the centroid of the shape passes the surface of the shape of hull h. Without it, a
// shape that several steps have pressed or turned into a thin shape would be pushed out behind that shape. The
// swept disc has the radius r, or half the distance if that is less.
func (v *relativeSweep) hitCentroid(h *collide.Hull, r float64, f *shapeSweep) {
	whole := coreOf(h)
	o := whole.In(geom.At(v.origin.Neg()))
	p := geom.PointCore(v.centroid)
	gap, on, at := geom.Gap(&o, &p, here)
	switch {
	case gap <= 0: // the body was placed there, or came slowly
	case gap <= 2*touchSlop:
		// Nearer than geom.TimeOfImpact can resolve: the shape is lifted in front of the obstacle
		// at the end of the step, and slides. If it were stopped it would stick, for the contact
		// may push it another way.
		n := at.Sub(on).Mul(1 / gap)
		end := v.obstacleSweep.At(1).Inv(v.sweep.At(1).Apply(v.centroid)).Sub(on)
		if by := touchSlop - end.Dot(n); by > 0 {
			lift := v.obstacle.To.Q.Apply(n).Mul(by)
			f.d, f.lifted = f.d.Add(lift), true
			f.to.Center = f.to.Center.Add(lift)
		}
	default:
		p.Radius = min(r, 0.5*gap)
		x := impact{fraction: 1}
		x.takeEarlier(v, &o, &p, &v.sweep, toiSlop)
		v.stopAt(&x, false, f)
	}
}
