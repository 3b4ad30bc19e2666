package mover

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// weight is the force with which a character presses on a dynamic body; zero without one.
type weight struct {
	body  quarry.BodyID
	at    geom.Vec // in the body's frame
	force geom.Vec // in world axes
}

// press presses with the weight of the character on the dynamic body under it. A body asleep ignores forces. So the
// character wakes it when the weight comes, moves by more than Skin, changes or leaves, and lets it sleep while it
// stands still.
func (c *Character) press(w *quarry.World, gravity geom.Vec) {
	now := weight{}
	b, ok := w.Body(c.Footing.Body)
	if ok = ok && c.OnGround && b.Type() == quarry.Dynamic && c.Mass > 0; ok {
		now = weight{b.ID(), b.LocalPoint(c.Footing.Point), gravity.Mul(c.Mass)}
	}
	if was := c.pressed; now.body != was.body || now.at.Dist(was.at) > Skin || now.force != was.force {
		c.pressed = now
		if old, exists := w.Body(was.body); exists {
			old.Wake()
		}
		if ok {
			b.Wake()
		}
	}
	if ok {
		b.ApplyForce(now.force, c.Footing.Point)
	}
}
