package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/query"
	"github.com/quarry2d/quarry/internal/record"
)

// ExplosionDef defines an explosion. Only ImpulsePerLength, and Radius or Falloff, must be set.
type ExplosionDef struct {
	Center geom.Vec // in the world
	// Radius is the distance from Center, in units of length, within which shapes and grounds get the whole impulse;
	// over the distance Falloff beyond it, the impulse falls to 0. Both are at least 0.
	Radius, Falloff float64
	// ImpulsePerLength is the impulse (mass times speed) for each unit of length that a shape turns
	// towards Center: the length of its shadow in light from there. Of a ground it is the shadow of the outline within the
	// distance Radius + Falloff. A negative one pulls.
	ImpulsePerLength float64
	// Filter chooses the shapes and tiles; its Solid has no effect on them, and its OneWay none on shapes.
	Filter QueryFilter
	// Shielded leaves out shapes and grounds behind tiles, chains and the shapes of static and kinematic bodies: those
	// of which the nearest point cannot be seen from Center. Filter.Test is asked for these, too.
	Shielded bool
}

// Explode pushes the shapes and grounds of dynamic bodies away from a point, at once, and wakes the bodies: each
// at its point nearest to d.Center, or if it contains d.Center at its centroid, of a ground at the body's centre of mass, along
// the line from there. The cost follows the outline of grounds within reach. It panics if a number in d is not finite, Radius or Falloff is negative, or ImpulsePerLength is
// beyond 1e15. It does not dig: see Ground.Dig.
func (w *World) Explode(d ExplosionDef) {
	w.mustNotStep()
	check.FiniteVec("Explode", "ExplosionDef.Center", d.Center)
	check.Positive("Explode", "ExplosionDef.Radius", d.Radius)
	check.Positive("Explode", "ExplosionDef.Falloff", d.Falloff)
	check.Within("Explode", "ExplosionDef.ImpulsePerLength", d.ImpulsePerLength, -maxInput, maxInput, "")
	a := w.ask(&d.Filter)
	a.kinds = broad.Dynamic | broad.MovingGrounds
	a.probe.Solid = false
	blast := query.Blast{Radius: d.Radius, Falloff: d.Falloff, ImpulsePerLength: d.ImpulsePerLength}
	for e := range a.placed(geom.At(d.Center), &query.PointHull, d.Radius+d.Falloff) {
		j, at, ok := a.Push(&blast, &a.probe, &a.of, w.bodies.At(e.Body).localCenter)
		if at = a.frame.Q.Apply(at); ok && !(d.Shielded && w.isShielded(&d, at)) {
			w.bodyAt(e.Body).ApplyImpulse(a.frame.Q.Apply(j), d.Center.Add(at))
		}
	}
	a.done()
}

// isShielded reports whether a surface that does not move freely is between d.Center and the point at,
// relative to it. A surface that the point touches is not.
func (w *World) isShielded(d *ExplosionDef, at geom.Vec) bool {
	u, l := at.Unit()
	a := w.ask(&d.Filter)
	a.filter.Mask, a.filter.Category, a.kinds = ^uint64(0), 0, broad.Obstacles
	_, hit := a.closest(geom.At(d.Center), &query.PointHull, u.Mul(max(0, l-2*geom.LinearSlop)), true)
	a.done()
	return hit
}

// ApplyWind applies the force of the air, which moves at wind (units of length a second), on the shape
// during the next step only, and wakes its body. Call it in each step in which the wind blows; still air
// is wind, too. Bodies that are not dynamic ignore it.
//
// An edge is loaded by the length that it turns towards the wind times the square of the relative speed:
// with the factor drag along the wind, and with lift across it, away from the edge, as a plate in a
// stream. So lift makes wings and sails, and both brake spin. drag and lift are in mass per area, at least
// 0: 0.5 times the density of the air times a coefficient of about 1. The step's velocity change by drag
// should stay below the relative speed, or light bodies overshoot. It panics if an argument is NaN or beyond
// 1e15, or drag or lift is negative.
func (s Shape) ApplyWind(wind geom.Vec, drag, lift float64) {
	record.Call3(s.w.recorder(s.get()), "Shape.ApplyWind", s.id, wind, drag, lift)
	s.Body().blow(wind, drag, lift, func(gust *query.Gust) { gust.Load(&s.get().hull) })
}

// ApplyWind is Shape.ApplyWind for the outline of a ground: each straight face is an edge. A face behind another one is loaded,
// too. The cost follows the whole outline.
func (g Ground) ApplyWind(wind geom.Vec, drag, lift float64) {
	record.Call3(g.w.recorder(g.get()), "Ground.ApplyWind", g.id, wind, drag, lift)
	g.Body().blow(wind, drag, lift, func(gust *query.Gust) {
		a := g.w.ask(&QueryFilter{})
		a.LoadGround(gust, &g.get().tiles, g.get().bounds())
		a.done()
	})
}

// blow applies the force of a wind on the parts of the body that load adds.
func (b Body) blow(wind geom.Vec, drag, lift float64, load func(*query.Gust)) {
	check.VecWithin("ApplyWind", "wind", wind, maxInput)
	check.Within("ApplyWind", "drag", drag, 0, maxInput, "")
	check.Within("ApplyWind", "lift", lift, 0, maxInput, "")
	st, q := b.change(), b.Rotation()
	if st.kind != Dynamic {
		return
	}
	gust := query.Gust{
		Wind: q.Inv(wind), Velocity: q.Inv(st.velocity), Center: st.localCenter, Spin: st.spin, Drag: drag, Lift: lift,
	}
	load(&gust)
	b.push(q.Apply(gust.Force), gust.Torque)
}
