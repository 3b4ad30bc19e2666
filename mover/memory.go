package mover

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Memory is what a Character keeps from one Move to the next, as plain data, for a file. A Character with the same
// definition to which SetMemory gives it goes on with the same bits, in a world that does.
type Memory struct {
	Position, Velocity  geom.Vec
	OnGround, OnCeiling bool
	OnWall              int
	Footing             Footing
	// The other fields have no meaning elsewhere.
	Contact  geom.Vec
	Rest     float64
	Pressed  quarry.BodyID
	PressAt  geom.Vec
	Press    geom.Vec
	Dropping bool
	Rode     quarry.BodyID
	LastDT   float64
}

// Memory returns the memory of c.
func (c *Character) Memory() Memory {
	return Memory{
		Position: c.Position, Velocity: c.Velocity, OnGround: c.OnGround, OnCeiling: c.OnCeiling, OnWall: c.OnWall,
		Footing: c.Footing, Contact: c.Footing.contact, Rest: c.Footing.rest,
		Pressed: c.pressed.body, PressAt: c.pressed.at, Press: c.pressed.force,
		Dropping: c.dropping, Rode: c.rode, LastDT: c.lastDT,
	}
}

// SetMemory sets the memory of c.
func (c *Character) SetMemory(m Memory) {
	c.Position, c.Velocity = m.Position, m.Velocity
	c.OnGround, c.OnCeiling, c.OnWall = m.OnGround, m.OnCeiling, m.OnWall
	c.Footing = m.Footing
	c.Footing.contact, c.Footing.rest = m.Contact, m.Rest
	c.pressed = weight{m.Pressed, m.PressAt, m.Press}
	c.dropping, c.rode, c.lastDT = m.Dropping, m.Rode, m.LastDT
}
