package worldtest

import (
	"slices"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Carrier is a body to put a test's ground on. The laws of contact hold in the frame of each as on ground at rest.
type Carrier struct {
	Name string
	// Body is at rest, kinematic or dynamic. It may be turned, moving and far away, but has no spin: gravity turns
	// along, and nothing else depends on the frame.
	Body quarry.BodyDef
}

// AtRest reports whether c is the static body at the origin. Long tests run there whole, and on the others in part.
func (c Carrier) AtRest() bool { return c.Body == quarry.BodyDef{} }

// Still reports whether c does not move, so that bodies on it may fall asleep.
func (c Carrier) Still() bool { return c.Body.Velocity == geom.Vec{} }

// Carriers returns a static body at the origin; bodies that are turned, moving or far away, alone and together;
// and dynamic ones.
func Carriers() []Carrier {
	far, v := geom.V(1e6+0.3, -1e6-0.7), geom.V(-7.3, 4.1)
	return []Carrier{
		{"at rest", quarry.BodyDef{}},
		{"turned", quarry.BodyDef{Angle: 0.7}},
		{"moving", quarry.BodyDef{Type: quarry.Kinematic, Velocity: v}},
		{"far", quarry.BodyDef{Position: far}},
		{"turned, moving and far", quarry.BodyDef{Type: quarry.Kinematic, Angle: -2.1, Velocity: v, Position: far}},
		{"dynamic", quarry.BodyDef{Type: quarry.Dynamic}},
		{"dynamic, turned, moving and far", quarry.BodyDef{
			Type: quarry.Dynamic, Angle: 2.6, Velocity: v,
			Position: far,
		}},
	}
}

// InTurn returns the carriers for the i-th case of a long sweep: the one at rest, and for a third of the cases one of
// the others. Which one follows from i as if drawn, so that it is independent of the other variables of the sweep.
func InTurn(i int) []Carrier { return inTurn(i, quarry.Dynamic) }

// InTurnFixed is InTurn of static and kinematic carriers, on which ground does not break.
func InTurnFixed(i int) []Carrier { return inTurn(i, quarry.Kinematic) }

// inTurn is InTurn of carriers of types up to last.
func inTurn(i int, last quarry.BodyType) []Carrier {
	all := slices.DeleteFunc(Carriers(), func(c Carrier) bool { return c.Body.Type > last })
	r := Random(i)
	if n := 1 + int(r.Next()%uint64(3*(len(all)-1))); n < len(all) {
		return []Carrier{all[0], all[n]}
	}
	return all[:1]
}

// OnCarriers runs f on each of Carriers, as a subtest.
func OnCarriers(t *testing.T, f func(t *testing.T, c Carrier)) {
	for _, c := range Carriers() {
		t.Run(c.Name, func(t *testing.T) { f(t, c) })
	}
}

// OnFixedCarriers runs f on each static and kinematic one of Carriers: on these, ground does not break.
func OnFixedCarriers(t *testing.T, f func(t *testing.T, c Carrier)) {
	for _, c := range Carriers() {
		if c.Body.Type != quarry.Dynamic {
			t.Run(c.Name, func(t *testing.T) { f(t, c) })
		}
	}
}

// Slop returns the rounding of a position on c, in units of length.
func (c Carrier) Slop() float64 { return 1e-15 * (1 + 10*c.Body.Position.Len()) }

// OnStillCarriers runs f on each one of Carriers that does not move: bodies on the others do not fall asleep.
func OnStillCarriers(t *testing.T, f func(t *testing.T, c Carrier)) {
	for _, c := range Carriers() {
		if c.Still() {
			t.Run(c.Name, func(t *testing.T) { f(t, c) })
		}
	}
}

// OnStaticCarriers runs f on each static one of Carriers. On a dynamic one all bodies are one island, which
// sleeps and wakes as a whole.
func OnStaticCarriers(t *testing.T, f func(t *testing.T, c Carrier)) {
	for _, c := range Carriers() {
		if c.Body.Type == quarry.Static {
			t.Run(c.Name, func(t *testing.T) { f(t, c) })
		}
	}
}

// CarrierMass is the mass of a dynamic carrier: of a billion tiles and more, so that the impulses of a test's
// bodies move it by less than 1e-9.
const CarrierMass = 1e15

// Add adds the carrier to a world and turns the world's gravity along with it. Gravity does not act on the carrier.
func (c Carrier) Add(w *quarry.World) quarry.Body {
	d := c.Body
	d.Weightless = true
	b, _ := w.Body(w.AddBody(d))
	makeHeavy(b)
	w.SetGravity(b.Rotation().Apply(w.Gravity()))
	return b
}

// MakeHeavy gives b CarrierMass, if it is dynamic.
func makeHeavy(b quarry.Body) {
	if b.Type() == quarry.Dynamic {
		b.SetMass(geom.Mass{Mass: CarrierMass, Inertia: 1e6 * CarrierMass})
	}
}

// Site is a world seen from a carrier: positions, angles and velocities are those in its frame, and relative to its
// velocity.
type Site struct {
	*quarry.World
	Carrier quarry.Body
}

// NewSite returns a world with gravity (0, -10) in the frame of the carrier.
func (c Carrier) NewSite() *Site { return c.NewSiteOf(quarry.Config{Gravity: geom.V(0, -10)}) }

// NewSiteOf returns a world with the gravity of d in the frame of the carrier.
func (c Carrier) NewSiteOf(d quarry.Config) *Site {
	w := quarry.NewWorld(d)
	return &Site{w, c.Add(w)}
}

// Beside adds another body of a type at p, turned and moving as the carrier does. A dynamic one weighs CarrierMass.
func (s *Site) Beside(kind quarry.BodyType, p geom.Vec) quarry.Body {
	d := s.Def(quarry.BodyDef{Type: kind, Position: p, Weightless: true})
	if kind == quarry.Static {
		d.Velocity = geom.Vec{}
	}
	b, _ := s.Body(s.World.AddBody(d))
	makeHeavy(b)
	return b
}

// AddGround adds an empty ground to the carrier.
func (s *Site) AddGround(t Failer) quarry.Ground { return AddGround(t, s.World, s.Carrier.ID()) }

// Floor adds a ground of full blocks in the cells of r to the carrier.
func (s *Site) Floor(t Failer, r gridseg.Rect) quarry.Ground {
	t.Helper()
	g := s.AddGround(t)
	Must(t, g.Fill(r, gridseg.Tile{Shape: gridseg.Full}))
	return g
}

// Def returns d, given in the carrier's frame, as the world takes it. The carrier has no spin.
func (s *Site) Def(d quarry.BodyDef) quarry.BodyDef {
	at := s.Carrier.Transform()
	d.Position, d.Angle = at.Apply(d.Position), at.Q.Mul(geom.NewRot(d.Angle)).Angle()
	d.Velocity = at.Q.Apply(d.Velocity).Add(s.Carrier.Velocity())
	return d
}

// AddBody adds a body with one shape.
func (s *Site) AddBody(d quarry.BodyDef, shape geom.Shape, sd quarry.ShapeDef) quarry.Body {
	return AddBody(s.World, s.Def(d), shape, sd)
}

// Add adds a dynamic body at p with one shape of density 1 and the default material.
func (s *Site) Add(p geom.Vec, shape geom.Shape) quarry.Body {
	return s.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p}, shape, quarry.ShapeDef{})
}

// Steps steps the world n times by DT.
func (s *Site) Steps(n int) { Steps(s.World, n) }

// SetVelocity sets the velocity of b.
func (s *Site) SetVelocity(b quarry.Body, v geom.Vec) {
	b.SetVelocity(s.Carrier.WorldVector(v).Add(s.Carrier.Velocity()))
}

// SetTransform places b.
func (s *Site) SetTransform(b quarry.Body, p geom.Vec, angle float64) {
	d := s.Def(quarry.BodyDef{Position: p, Angle: angle})
	b.SetTransform(d.Position, d.Angle)
}

// Pose returns the frame of b.
func (s *Site) Pose(b quarry.Body) geom.Transform {
	return s.Carrier.Transform().InvMul(b.Transform())
}

// Position returns the origin of b.
func (s *Site) Position(b quarry.Body) geom.Vec { return s.Carrier.LocalPoint(b.Position()) }

// Velocity returns the velocity of b.
func (s *Site) Velocity(b quarry.Body) geom.Vec {
	return s.Carrier.LocalVector(b.Velocity().Sub(s.Carrier.Velocity()))
}

// Bounds returns the box of the shapes of b.
func (s *Site) Bounds(b quarry.Body) geom.AABB {
	box, at := geom.Empty, s.Pose(b)
	for shape := range b.Shapes() {
		box = box.Union(shape.Geometry().Bounds(at))
	}
	return box
}

// Point returns the world's point of a point of the site.
func (s *Site) Point(p geom.Vec) geom.Vec { return s.Carrier.WorldPoint(p) }

// Energy returns the kinetic energy of b relative to the carrier, and its potential energy at gravity 10.
func (s *Site) Energy(b quarry.Body) float64 {
	spin := b.AngularVelocity()
	return 0.5*b.Mass()*s.Velocity(b).Len2() + 0.5*b.Inertia()*spin*spin +
		10*b.Mass()*s.Carrier.LocalPoint(b.CenterOfMass()).Y
}
