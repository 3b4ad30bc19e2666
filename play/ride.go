package play

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/mover"
)

// The keys of the command "drive", to be summed up.
const (
	KeyLeft  = 1
	KeyRight = 2
	KeyUp    = 4 // jumps; a ship's thrust
	KeyDown  = 8 // falls through one-way tiles; a car's brake
	maxKeys  = 15
)

// A character that a player walks with, in cells and seconds.
const (
	walkSpeed  = 6
	walkGrip   = 40  // acceleration on the ground
	airGrip    = 15  // and in the air
	jumpSpeed  = 9.5 // more than two cells high
	walkWeight = 2   // times the world's gravity, so that jumps are short
)

// How other bodies are driven.
const (
	wheelSpeed = 14 // radians a second
	wheelForce = 2  // torque, in units of the mass of the chassis
	shipForce  = 25 // acceleration
	shipTurn   = 5  // radians a second squared
)

// ride is a body that a player drives: the body of a character, or a dynamic body.
type ride struct {
	body  quarry.BodyID
	walks bool
	keys  uint8
	char  mover.Character // if it walks
}

// walker is the outline of a character.
var walker = geom.Capsule{A: geom.V(0, 0.4), B: geom.V(0, 1.2), Radius: 0.4}

// newCharacter returns a character whose body is id.
func newCharacter(id quarry.BodyID, at geom.Vec) mover.Character {
	return mover.Character{
		Mover:    mover.Mover{Shape: walker, Filter: quarry.QueryFilter{Except: id}},
		Position: at, StepHeight: 0.55, Mass: 2, MaxForce: 60,
	}
}

// Rides returns the body that a player drives, 0 for none, and whether it is the body of a character.
func (w *World) Rides(by Player) (body quarry.BodyID, walks bool) {
	if p := w.players[by]; p != nil && p.ride != nil {
		return p.ride.body, p.ride.walks
	}
	return 0, false
}

// board lets the player drive the dynamic body at a point, or, with All or where there is none, a new character.
func (w *World) board(p *player, m Command) error {
	_ = w.leave(p, m) // the last one
	at := geom.V(m.X, m.Y)
	if b, ok := w.bodyAt(at); ok && !m.All {
		if b.Type() != quarry.Dynamic {
			return errors.New("board: the body at this point cannot be driven")
		}
		if chassis, ok := chassisOf(b); ok {
			b = chassis
		}
		p.ride = &ride{body: b.ID()}
	} else {
		if w.bodies >= w.most {
			return fmt.Errorf("board: the world is full: it has %d bodies, the limit", w.bodies)
		}
		id := w.in.World.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: at, Name: "character"})
		// The character pushes bodies by queries, not by this body, which collides with none.
		w.in.World.AddShape(id, walker, quarry.ShapeDef{Category: 1 << 63, Mask: 1 << 63})
		w.bodies++
		p.ride = &ride{body: id, walks: true, char: newCharacter(id, at)}
	}
	if i, found := slices.BinarySearch(w.riders, w.by); !found {
		w.riders = slices.Insert(w.riders, i, w.by)
	}
	return nil
}

// drive presses keys until the next "drive".
func (w *World) drive(p *player, m Command) error {
	if p.ride == nil {
		return errors.New("drive: you drive nothing; board something first")
	}
	p.ride.keys = m.Keys
	return nil
}

// leave ends the player's drive. A character vanishes; a car stops.
func (w *World) leave(p *player, _ Command) error {
	if p.ride == nil {
		return nil
	}
	if b, ok := w.in.World.Body(p.ride.body); ok {
		if p.ride.walks {
			w.in.World.RemoveBody(b.ID())
			w.bodies--
		} else {
			steer(b, 0)
		}
	}
	p.ride = nil
	if i, found := slices.BinarySearch(w.riders, w.by); found {
		w.riders = slices.Delete(w.riders, i, i+1)
	}
	return nil
}

// ride moves all that players drive, before a step.
func (w *World) ride() {
	for i := 0; i < len(w.riders); i++ {
		w.by = w.riders[i]
		p := w.players[w.by]
		b, ok := w.in.World.Body(p.ride.body)
		if !ok || p.ride.walks && !w.walk(p.ride, b) {
			_ = w.leave(p, Command{})
			if *p == (player{}) {
				delete(w.players, w.by)
			}
			i--
			continue
		}
		if p.ride.walks || p.ride.keys == 0 && !b.Awake() {
			continue
		}
		if !steer(b, p.ride.keys) {
			fly(b, w.in.World.Gravity().Len(), p.ride.keys)
		}
	}
}

// walk moves a character, and its body in the next step. It returns false once the character has fallen out of the
// world.
func (w *World) walk(r *ride, b quarry.Body) bool {
	c := &r.char
	wanted, grip := 0.0, walkGrip*w.in.DT
	if r.keys&KeyLeft != 0 {
		wanted -= walkSpeed
	}
	if r.keys&KeyRight != 0 {
		wanted += walkSpeed
	}
	if !c.OnGround {
		grip = airGrip * w.in.DT
	}
	if wanted != 0 || c.OnGround {
		c.Velocity.X += max(-grip, min(grip, wanted-c.Velocity.X))
	}
	if c.OnGround && r.keys&KeyUp != 0 {
		c.Velocity.Y = jumpSpeed
	}
	c.DropThrough = r.keys&KeyDown != 0
	c.Move(w.in.World, w.in.World.Gravity().Mul(walkWeight), w.in.DT)
	if p := c.Position; p.Y < w.floor-fallDepth || !within(p.X, MaxCoordinate) || !within(p.Y, MaxCoordinate) {
		return false
	}
	b.SetTarget(c.Position, 0, w.in.DT)
	return true
}

// wheel reports whether a joint holds a wheel of b, and its sign: 1 if the wheel is the joint's body B. A wheel is
// held by a WheelJoint, or is a circle on a hinge.
func wheel(j quarry.Joint, b quarry.Body) (sign float64, motor quarry.JointMotor, ok bool) {
	a, c := j.Bodies()
	sign, other := 1.0, c
	if c.ID() == b.ID() {
		sign, other = -1, a
	}
	if other.Type() != quarry.Dynamic || other.Mass() > b.Mass() {
		return 0, motor, false
	}
	switch d := j.Def().(type) {
	case quarry.WheelJoint:
		return sign, d.Motor, sign > 0
	case quarry.RevoluteJoint:
		for s := range other.Shapes() {
			if _, round := s.Geometry().(geom.Circle); round {
				return sign, d.Motor, true
			}
		}
	}
	return 0, motor, false
}

// chassisOf returns the body on which b is a wheel.
func chassisOf(b quarry.Body) (quarry.Body, bool) {
	for j := range b.Joints() {
		a, c := j.Bodies()
		for _, o := range [...]quarry.Body{a, c} {
			if o.ID() != b.ID() && o.Type() == quarry.Dynamic {
				if _, _, ok := wheel(j, o); ok {
					return o, true
				}
			}
		}
	}
	return b, false
}

// steer sets the motors of the wheels of b. It returns false if b has none.
func steer(b quarry.Body, keys uint8) (ok bool) {
	speed := 0.0
	if keys&KeyLeft != 0 {
		speed += wheelSpeed
	}
	if keys&KeyRight != 0 {
		speed -= wheelSpeed
	}
	for j := range b.Joints() {
		sign, m, is := wheel(j, b)
		if !is {
			continue
		}
		ok = true
		if m.Speed = sign * speed; m.Max == 0 || math.IsInf(m.Max, 1) {
			m.Max = wheelForce * b.Mass()
		}
		j.SetMotor(m) // wakes the car only if this is another motor
	}
	if ok && keys != 0 {
		b.Wake()
	}
	if ok && keys&KeyUp != 0 { // turns a car that lies on its back
		b.ApplyTorque(-4 * b.Inertia() * b.Rotation().S * shipTurn)
	}
	return ok
}

// fly drives a body without wheels by a thrust along its y axis, and turns it.
func fly(b quarry.Body, gravity float64, keys uint8) {
	thrust, turn := 0.0, -2*b.AngularVelocity() // which stops it
	if keys&KeyUp != 0 {
		thrust += max(shipForce, 2*gravity)
	}
	if keys&KeyDown != 0 {
		thrust -= shipForce / 2
	}
	if keys&KeyLeft != 0 {
		turn = shipTurn
	}
	if keys&KeyRight != 0 {
		turn = -shipTurn
	}
	if thrust != 0 {
		b.ApplyForceToCenter(b.WorldVector(geom.V(0, thrust*b.Mass())))
	}
	if keys != 0 {
		b.ApplyTorque(turn * b.Inertia())
	}
}

// savedRide is a ride in a snapshot.
type savedRide struct {
	Body   quarry.BodyID `json:"body"`
	Walks  bool          `json:"walks,omitempty"`
	Keys   uint8         `json:"keys,omitempty"`
	Memory mover.Memory  `json:"memory,omitzero"`
}

func (r *ride) save() *savedRide {
	if r == nil {
		return nil
	}
	s := &savedRide{Body: r.body, Walks: r.walks, Keys: r.keys}
	if r.walks {
		s.Memory = r.char.Memory()
	}
	return s
}

// restored returns the ride of a snapshot.
func (s *savedRide) restored() (*ride, error) {
	if s == nil {
		return nil, nil
	}
	r := &ride{body: s.Body, walks: s.Walks, keys: s.Keys}
	if s.Keys > maxKeys || !(s.Memory.LastDT >= 0 && s.Memory.LastDT <= 1) {
		return nil, errors.New("a drive in it is damaged")
	}
	if r.walks {
		r.char = newCharacter(r.body, s.Memory.Position)
		r.char.SetMemory(s.Memory)
	}
	return r, nil
}

// copied returns a copy of r.
func (r *ride) copied() *ride {
	if r == nil {
		return nil
	}
	c := *r
	return &c
}
