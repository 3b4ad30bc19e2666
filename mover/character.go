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
// until the step, and the character rides on platforms that the step will move. The character first moves with the
// surface under it. Then it moves along the ground, or through the air, where gravity, in units of length a second
// squared, accelerates it. It climbs steps, pushes bodies, and follows the ground down. Move panics if Shape is
// nil, if gravity, Velocity, Position or Turn is not finite, or if dt is not in (0, 1].
func (c *Character) Move(w *quarry.World, gravity geom.Vec, dt float64) {
	switch {
	case c.Shape == nil:
		panic("quarry: mover: Character.Move: Mover.Shape is nil")
	case !gravity.IsFinite() || !c.Velocity.IsFinite() || !c.Position.IsFinite() || !(c.Turn-c.Turn == 0):
		panic(fmt.Sprintf("quarry: mover: Character.Move: gravity %v, Velocity %v, Position %v or Turn %v is not finite", gravity, c.Velocity, c.Position, c.Turn))
	case !(dt > 0 && dt <= 1):
		panic(fmt.Sprintf("quarry: mover: Character.Move: dt %v is out of range: more than 0 and at most 1 second", dt))
	}
	q := c.axes()
	jumps := c.OnGround && q.Inv(c.Velocity).Y > rising
	wasOn := c.OnGround && !jumps
	var carried geom.Vec
	if wasOn {
		carried = c.Footing.Velocity(w)
	} else if jumps { // a jump keeps the speed of the platform
		c.Velocity = c.Velocity.Add(c.Footing.Velocity(w))
	}
	if !wasOn {
		c.Velocity = c.Velocity.MulAdd(dt, gravity)
	}
	own := c.Velocity
	if wasOn { // along the slope, at the requested speed
		own = geom.V(c.Footing.Normal.Y, -c.Footing.Normal.X).Mul(q.Inv(c.Velocity).X)
	}
	if carried != (geom.Vec{}) {
		c.Position = c.Slide(w, c.Position, carried.Mul(dt), true)
	}
	start, d := c.Position, own.Mul(dt)
	end := c.Slide(w, start, d, wasOn)
	c.noteWalls()
	if c.Mass > 0 && c.MaxForce > 0 {
		c.Push(w, own.Add(carried), c.Mass, c.MaxForce, dt)
	}
	stepped, dx := false, q.Inv(d).X
	if wasOn && c.StepHeight > 0 && dx*float64(c.OnWall) > 0 {
		if p, ok := c.StepUp(w, start, dx, c.StepHeight); ok {
			end, stepped, c.OnWall = p, true, 0
		}
	}
	switch {
	case !wasOn:
		c.Velocity = c.Clip(c.Velocity)
	case c.OnWall != 0 && !stepped && q.Inv(c.Velocity).X*float64(c.OnWall) > 0:
		c.Velocity = q.Apply(geom.V(0, q.Inv(c.Velocity).Y))
	}
	c.Position = end
	c.stand(w, wasOn, jumps, carried)
	c.press(w, gravity)
}

// noteWalls sets OnWall and OnCeiling from the planes of the slide.
func (c *Character) noteWalls() {
	c.OnWall, c.OnCeiling = 0, false
	for _, pl := range c.planes {
		switch n := c.axes().Inv(pl.Normal); {
		case n.Y < -0.5:
			c.OnCeiling = true
		case n.Y < c.walkable() && n.X > 0:
			c.OnWall = -1
		case n.Y < c.walkable() && n.X < 0:
			c.OnWall = 1
		}
	}
}

// stand looks for the ground after a motion: a character that was on the ground follows it down.
func (c *Character) stand(w *quarry.World, wasOn, jumps bool, carried geom.Vec) {
	reach := 2.5 * Skin
	if wasOn {
		reach += c.StepHeight
	}
	g, ok, q := Footing{}, false, c.axes()
	if wasOn || !jumps && q.Inv(c.Velocity).Y <= rising {
		g, ok = c.GroundUnder(w, c.Position, reach)
	}
	if ok {
		// Nearer, the next Slide would push it away along the normal: it would creep down slopes, and off edges.
		c.Position = c.Position.Sub(q.Apply(geom.V(0, max(0, g.Distance-g.rest))))
		if surface := g.Velocity(w); !wasOn {
			c.Velocity = c.Velocity.Sub(surface)
		} else if g.Body != c.Footing.Body || g.Material != c.Footing.Material { // from one surface to another at its own speed
			c.Velocity = c.Velocity.Add(carried).Sub(surface)
		}
		c.Velocity, c.Footing, c.OnGround = q.Apply(geom.V(q.Inv(c.Velocity).X, 0)), g, true
		return
	}
	if wasOn {
		c.Velocity = c.Velocity.Add(carried)
	}
	c.OnGround = false
}
