package mover

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Character is a mover that walks, jumps and falls. Set Mover.Shape and Position, and before each Move the Velocity
// that the player wants.
type Character struct {
	Mover
	// Position is the place of the shape's frame, in the world.
	Position geom.Vec
	// Velocity is relative to the surface under the character while it is on the ground, and to the world in the
	// air. On the ground, a positive component along up is a jump; otherwise that component is ignored. Move
	// removes the components into walls and ceilings, and adds gravity in the air.
	Velocity geom.Vec
	// StepHeight is the height of the highest step that the character walks up, and down without falling,
	// in units of length; 0 means that it climbs none.
	StepHeight float64
	// Mass is the mass with which the character pushes bodies and weighs on a dynamic body under it; with 0 it does
	// neither. MaxForce, in mass times units of length a second squared, limits a push; with 0 the character pushes
	// no body.
	Mass, MaxForce float64

	// OnGround, Footing, OnWall and OnCeiling are results of Move.
	OnGround bool
	Footing  Footing // the surface of the last time on the ground
	// OnWall is the side of a wall within 2*Skin, touched or not, with up at the top: -1 left, 1 right, 0 none.
	// With walls on both sides it is one of them.
	OnWall    int
	OnCeiling bool // a ceiling is within 2*Skin

	pressed weight // of the last Move
}

// Move moves the character by its velocity for dt seconds. Call it once before each World.Step: its forces add up
// until the step, and the character rides on platforms that the step will move. The character first moves along the
// ground, or through the air, where gravity, in units of length a second squared, accelerates it. It climbs steps,
// pushes bodies, and follows the ground down. Then it moves with the body under it, by as much as the step will move
// that body. Move panics if Shape is nil, a pointer or not Valid, if gravity, Velocity, Position or Turn is not finite,
// or if dt is not in (0, 1].
func (c *Character) Move(w *quarry.World, gravity geom.Vec, dt float64) {
	switch {
	case c.Shape == nil:
		panic("quarry: mover: Character.Move: Mover.Shape is nil")
	case !byValue(c.Shape):
		panic(fmt.Sprintf("quarry: mover: Character.Move: Mover.Shape is a %T: it must be one of geom's shapes, by "+
			"value", c.Shape))
	case c.Shape.Valid() != nil: // it would find no obstacles
		panic(fmt.Sprintf("quarry: mover: Character.Move: Mover.Shape: %v", c.Shape.Valid()))
	case !gravity.IsFinite() || !c.Velocity.IsFinite() || !c.Position.IsFinite() || !(c.Turn-c.Turn == 0):
		panic(fmt.Sprintf(
			"quarry: mover: Character.Move: gravity %v, Velocity %v, Position %v or Turn %v is not finite",
			gravity, c.Velocity, c.Position, c.Turn))
	case !(dt > 0 && dt <= 1):
		panic(fmt.Sprintf("quarry: mover: Character.Move: dt %v is out of range: more than 0 and at most 1 second", dt))
	}
	c.dropping = c.dropping && c.inOneWay(w)
	// The character moves as if the body under it were at rest, and then with that body.
	var carrier, belt geom.Vec
	was, drops, under := true, false, &c.Footing
	if !c.OnGround {
		var g Footing
		if g, was = c.approach(w, gravity, dt); !was {
			under, carrier = &g, g.contact.Mul(g.bodyVelocity(w).Dot(g.contact))
			c.Velocity = c.Velocity.Sub(carrier)
		}
	}
	if was {
		carrier = c.Footing.bodyVelocity(w)
		belt = c.Footing.Velocity(w).Sub(carrier)
		drops = c.DropThrough && oneWay(w, c.Footing.Target)
	}
	if was && !drops && c.axes().Inv(c.Velocity).Y <= rising {
		c.walk(w, carrier, belt, dt)
	} else {
		c.fly(w, carrier, belt, gravity, drops, dt)
	}
	c.press(w, gravity)
	c.rode, c.lastDT = 0, dt
	if c.OnGround {
		under = &c.Footing
	}
	if c.OnGround || carrier != (geom.Vec{}) {
		c.ride(w, under, was, carrier, dt)
	}
}

// fly moves the character through the air for dt seconds, from the ground if it was there. Its Velocity is
// relative to a body under it that has the velocity carrier, with a belt on it. If drops is set, it leaves one-way
// tiles under it.
func (c *Character) fly(w *quarry.World, carrier, belt, gravity geom.Vec, drops bool, dt float64) {
	c.OnGround = false
	c.Velocity = c.Velocity.Add(belt).MulAdd(dt, gravity)
	own, d := c.Velocity, c.Velocity.Mul(dt)
	if drops { // from Skin before the tiles to a place behind them, at which they do not stop a mover
		d = d.MulAdd(-2.5*Skin/c.tilt(), c.axes().Apply(geom.V(0, 1)))
		b, ok := w.Body(c.Footing.Body)
		c.dropping = ok && b.Type() != quarry.Static
	}
	end, stopped := c.slide(w, c.Position, d, false)
	c.Position = end
	c.noteWalls()
	c.push(w, own.Add(carrier), dt)
	if stopped {
		c.Velocity = c.clip(w, c.Velocity.Add(carrier))
	} else {
		c.Velocity = c.Velocity.Add(carrier)
	}
	c.land(w)
}

// mostLift is the distance, in units of length, by which a step may bring the ground up to a character in the air,
// without an overlap in between.
const mostLift = 1

// approach puts a character in the air on the ground if the last step has brought that. Otherwise, it returns the
// ground that the character may reach in dt seconds; without any, its contact is 0.
func (c *Character) approach(w *quarry.World, gravity geom.Vec, dt float64) (g Footing, lands bool) {
	d := c.Velocity.MulAdd(dt, gravity).Mul(dt)
	c.fresh = false
	c.Position = c.part(w, c.Position, d, geom.Vec{}, geom.Vec{}, 0, false)
	if c.land(w); c.OnGround {
		return g, true
	}
	g, ok := c.GroundUnder(w, c.Position, c.landing()+mostLift+max(0, -c.axes().Inv(d).Y))
	if !ok {
		return Footing{}, false
	}
	return g, false
}

// land puts the character on the ground under it, if it does not rise from that.
func (c *Character) land(w *quarry.World) {
	g, ok := c.GroundUnder(w, c.Position, c.landing())
	if relative := c.axes().Inv(c.Velocity.Sub(g.Velocity(w))); ok && relative.Y <= rising {
		c.Velocity = c.axes().Apply(geom.V(relative.X, 0))
		c.settle(g)
		c.OnGround = true
	}
}

// settle puts the character, with the planes at its place, down on the ground g, to Skin from the first surface that it
// can stand on. Nearer, the next Slide would push it away along the normal: it would creep down slopes, and off edges.
func (c *Character) settle(g Footing) {
	q, down := c.axes(), g.Distance-g.rest
	for _, pl := range c.planes {
		if n := q.Inv(pl.Normal); !c.steep(n) {
			down = min(down, (pl.Separation-Skin)/n.Y)
		}
	}
	c.Position = c.Position.Sub(q.Apply(geom.V(0, max(0, down))))
	c.Footing = g
}

// push pushes the bodies in the way.
func (c *Character) push(w *quarry.World, v geom.Vec, dt float64) {
	if c.Mass > 0 && c.MaxForce > 0 {
		c.Push(w, v, c.Mass, c.MaxForce, dt)
	}
}

// inOneWay reports whether the character is in or near a one-way tile.
func (c *Character) inOneWay(w *quarry.World) bool {
	f := c.filter()
	f.OneWay = quarry.OneWaySolid
	c.update()
	c.spare = w.AppendPlanes(c.spare[:0], c.outer, c.at(c.Position), 2*Skin, f)
	for _, pl := range c.spare {
		if oneWay(w, pl.Target) {
			return true
		}
	}
	return false
}

// noteWalls sets OnWall and OnCeiling from the planes of the slide.
func (c *Character) noteWalls() {
	c.OnWall, c.OnCeiling = 0, false
	for _, pl := range c.planes {
		switch n := c.axes().Inv(pl.Normal); {
		case n.Y < -0.5:
			c.OnCeiling = true
		case c.steep(n) && n.X > 0:
			c.OnWall = -1
		case c.steep(n) && n.X < 0:
			c.OnWall = 1
		}
	}
}
