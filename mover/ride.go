package mover

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// rider leaves out of queries the body that carries a mover. Copies of a Mover share it, as they share Planes.
type rider struct {
	on   quarry.BodyID            // 0: none
	test func(quarry.Target) bool // of Mover.Filter, or nil
	both func(quarry.Target) bool // test, and not on
}

// ride moves the character with the body of g, by as much as a step of dt seconds will move that body. Other obstacles
// stop it. If was is not set, the character was in the air, and has flown relative to carrier, a velocity: it moves by
// that, and the surface brings it along only where it comes closer, since the flight has moved it along the surface.
func (c *Character) ride(w *quarry.World, g *Footing, was bool, carrier geom.Vec, dt float64) {
	b, ok := w.Body(g.Body)
	if !ok || b.Type() == quarry.Static || b.Velocity() == (geom.Vec{}) && b.AngularVelocity() == 0 {
		return
	}
	center, turn := b.CenterOfMass(), geom.NewRot(b.AngularVelocity()*dt)
	arm := g.Point.Sub(center)
	to := b.Velocity().Mul(dt).Add(turn.Apply(arm).Sub(arm))
	// The surface turns under the shape, which does not turn: keep their distance.
	n, r := turn.Apply(g.contact), c.Position.Sub(g.Point)
	d := to
	if !was {
		d = carrier.Mul(dt)
		d = d.MulAdd(to.Sub(d).Dot(n), n)
	}
	d = d.MulAdd(g.contact.Dot(r)+c.lowest(g.contact)-n.Dot(r)-c.lowest(n), n)
	if c.rider == nil {
		r := &rider{}
		r.both = func(t quarry.Target) bool { return t.Body != r.on && (r.test == nil || r.test(t)) }
		c.rider = r
	}
	c.rider.on = g.Body
	c.planes, c.spare = c.spare, c.planes
	c.Position, _ = c.slide(w, c.Position, d, true)
	c.planes, c.spare = c.spare, c.planes
	c.rider.on, c.rode = 0, g.Body
	g.Point, g.Normal, g.contact = g.Point.Add(to), turn.Apply(g.Normal), n
}
