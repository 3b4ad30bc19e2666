package quarry_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// addRaft adds a dynamic body at p with blocks, the lower left corner at its origin.
func addRaft(t worldtest.Failer, w *quarry.World, p geom.Vec, angle float64, wide, high int32) quarry.Ground {
	t.Helper()
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: angle})
	grid := gridseg.New(nil)
	worldtest.Must(t, grid.Fill(gridseg.Rect{MaxX: wide - 1, MaxY: high - 1}, gridseg.Tile{Shape: gridseg.Full}))
	gid, err := w.AddGround(id, quarry.GroundDef{Grid: grid})
	worldtest.Must(t, err)
	g, _ := w.Ground(gid)
	return g
}

// near reports whether a and b are equal to within a relative error of 1e-12.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b)) }

// TestTilesHaveMass: a body with tiles has the mass, the centre of mass and the inertia of its shapes and tiles
// together, each tile by the density of its material, at once after each change of one of these; and each point of it
// keeps its velocity.
func TestTilesHaveMass(t *testing.T) {
	w := worldtest.New()
	lead := w.AddMaterial(quarry.Material{Density: 11})
	g := addRaft(t, w, geom.V(3, 4), 0.5, 4, 2)
	b := g.Body()
	b.SetVelocity(geom.V(1, 2))
	b.SetAngularVelocity(3)
	at := geom.V(5, 5)
	v := b.VelocityAt(at)
	expect := func(name string, mass float64, center geom.Vec, inertia float64) {
		t.Helper()
		if c := b.LocalPoint(b.CenterOfMass()); !near(b.Mass(), mass) || c.Dist(center) > 1e-12 ||
			!near(b.Inertia(), inertia) {
			t.Errorf("%s: mass %v at %v, inertia %v; want %v at %v, %v", name, b.Mass(), c, b.Inertia(), mass, center,
				inertia)
		}
		if u := b.VelocityAt(at); u.Dist(v) > 1e-12 {
			t.Errorf("%s: the velocity of a point was %v, is %v", name, v, u)
		}
	}
	expect("blocks", 8, geom.V(2, 1), 8.0/12*(16+4))
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: 2, MaxX: 3, MaxY: 1}, gridseg.Tile{}))
	expect("dug", 4, geom.V(1, 1), 4.0/12*(4+4))
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: 2, MaxX: 3, MaxY: 1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(lead)}))
	two := func(m1, m2 float64) (float64, geom.Vec, float64) { // squares of 2 x 2 with their centres at x = 1 and 3
		x := (m1 + 3*m2) / (m1 + m2)
		return m1 + m2, geom.V(x, 1), (m1+m2)*8/12 + m1*(x-1)*(x-1) + m2*(3-x)*(3-x)
	}
	m, c, i := two(4, 44)
	expect("lead", m, c, i)
	w.SetMaterial(lead, quarry.Material{Density: 2})
	m, c, i = two(4, 8)
	expect("lighter", m, c, i)
	w.SetMaterial(lead, quarry.Material{})
	s := w.AddShape(b.ID(), geom.NewOffsetBox(1, 1, geom.V(1, 1), geom.NewRot(0)), quarry.ShapeDef{})
	m, c, i = two(8, 4)
	expect("with a shape", m, c, i)
	w.RemoveShape(s)
	w.RemoveGround(g.ID())
	if b.Mass() != 1 || b.Inertia() != 0 {
		t.Errorf("without tiles: %v, %v", b.Mass(), b.Inertia())
	}
	b.SetType(quarry.Static)
	_, err := w.AddGround(b.ID(), quarry.GroundDef{Grid: blocks(t, 3, 3)})
	worldtest.Must(t, err)
	if b.Mass() != 0 {
		t.Errorf("static: %v", b.Mass())
	}
	if b.SetType(quarry.Dynamic); b.Mass() != 9 {
		t.Errorf("dynamic again: %v", b.Mass())
	}
}

// blocks returns a grid of blocks.
func blocks(t testing.TB, wide, high int32) *gridseg.Grid {
	g := gridseg.New(nil)
	worldtest.Must(t, g.Fill(gridseg.Rect{MaxX: wide - 1, MaxY: high - 1}, gridseg.Tile{Shape: gridseg.Full}))
	return g
}

// TestRaftRests: tiles on a dynamic body fall on a static floor, thick or thin, come to rest there and sleep, wherever
// along the floor they land. (With the centroid of the floor to tell which faces of the raft are near, a raft fell
// through a floor far from its middle.)
func TestRaftRests(t *testing.T) {
	floors := []geom.Shape{
		geom.NewOffsetBox(500, 0.5, geom.V(0, -0.5), geom.NewRot(0)), geom.NewOffsetBox(500, 0.01, geom.V(0, -0.01),
			geom.NewRot(0)),
		geom.Segment{A: geom.V(-500, 0), B: geom.V(500, 0)},
		geom.Capsule{A: geom.V(-500, -0.25), B: geom.V(500, -0.25), Radius: 0.25},
	}
	for k, floor := range floors {
		for _, x := range []float64{-3, 40, -80, 490} {
			for _, angle := range []float64{0, 0.3, -1} {
				w := worldtest.New()
				w.AddShape(w.AddBody(quarry.BodyDef{}), floor, quarry.ShapeDef{})
				g := addRaft(t, w, geom.V(x, 5.5), angle, 6, 2)
				b := g.Body()
				for step := 0; step < 600 && b.Awake(); step++ {
					w.Step(worldtest.DT)
				}
				low := math.Inf(1)
				for _, p := range []geom.Vec{{}, {X: 6}, {Y: 2}, {X: 6, Y: 2}} {
					low = min(low, b.WorldPoint(p).Y)
				}
				if b.Awake() || math.Abs(low) > 0.01 || math.Abs(b.Position().X-x) > 3 {
					t.Errorf("floor %d, x %v, angle %v: awake %v, at %v, lowest point %v", k, x, angle, b.Awake(),
						b.Position(), low)
				}
			}
		}
	}
}

// motion returns the momentum, the angular momentum about the origin and the kinetic energy of the dynamic bodies.
func motion(w *quarry.World) (p geom.Vec, l, e float64) {
	for b := range w.Bodies() {
		m, i, v, s := b.Mass(), b.Inertia(), b.Velocity(), b.AngularVelocity()
		p = p.MulAdd(m, v)
		l += m*b.CenterOfMass().Cross(v) + i*s
		e += (m*v.Len2() + i*s*s) / 2
	}
	return p, l, e
}

// TestRaftIsPushedBack: what a moving ground does to shapes, they do to it: through impacts, and while a shape is
// pushed out of it, momentum and angular momentum stay, and energy does not grow.
func TestRaftIsPushedBack(t *testing.T) {
	shapes := []geom.Shape{geom.Circle{Radius: 0.5}, geom.NewBox(0.4, 0.7), geom.Capsule{
		A: geom.V(-0.5, 0),
		B: geom.V(0.5, 0), Radius: 0.2,
	}}
	for k, s := range shapes {
		for _, at := range []geom.Vec{{X: 1, Y: 5}, {X: 9, Y: 1}, {X: 3.2, Y: 1.9}, {X: 0.3, Y: 0.4}, {X: 5, Y: 2.6}} {
			w := quarry.NewWorld(quarry.Config{})
			g := addRaft(t, w, geom.Vec{}, 0, 6, 3)
			g.Body().SetVelocity(geom.V(0.5, 1))
			g.Body().SetAngularVelocity(0.3)
			id := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: at, Velocity: geom.V(-2, -3),
				AngularVelocity: 1,
			})
			w.AddShape(id, s, quarry.ShapeDef{Density: 3})
			p, l, e := motion(w)
			scale := l*l + e
			for step := range 240 {
				w.Step(worldtest.DT)
				q, m, f := motion(w)
				// The solver's impulses are in float32. A push that separates shapes moves bodies
				// without a change of velocity, and so changes arms.
				if q.Dist(p) > 1e-5 || math.Abs(m-l) > 0.05*math.Sqrt(scale) || f > e*(1+1e-5) {
					t.Fatalf("shape %d at %v, step %d: momentum %v, %v, energy %v; before %v, %v, %v", k, at, step, q,
						m, f, p, l, e)
				}
			}
			b, _ := w.Body(id)
			if g.Solid(b.CenterOfMass()) {
				t.Errorf("shape %d from %v is in the raft", k, at)
			}
		}
	}
}

// TestRaftPassesNothing: a moving ground, slow or fast, turning or not, passes no thin shape that stands still, and
// a fast shape passes no moving ground, awake or asleep.
func TestRaftPassesNothing(t *testing.T) {
	walls := []geom.Shape{geom.NewOffsetBox(0.01, 50, geom.V(0, 0), geom.NewRot(0)), geom.Segment{
		A: geom.V(0, -50),
		B: geom.V(0, 50),
	}, geom.Circle{Radius: 0.3}}
	for k, wall := range walls {
		for _, speed := range []float64{5, 40, 390} {
			for _, spin := range []float64{0, 1, -6} {
				w := quarry.NewWorld(quarry.Config{})
				w.AddShape(w.AddBody(quarry.BodyDef{}), wall, quarry.ShapeDef{})
				g := addRaft(t, w, geom.V(-30, -1.1), 0, 6, 2)
				g.Body().SetVelocity(geom.V(speed, 0))
				g.Body().SetAngularVelocity(spin)
				for step := 0; step < 600; step++ {
					w.Step(worldtest.DT)
					if x := g.Body().CenterOfMass().X; x > 0.5 && math.Abs(g.Body().CenterOfMass().Y) < 40 && k < 2 {
						t.Errorf("wall %d, speed %v, spin %v: passed in step %d, %v", k, speed, spin, step,
							g.Body().CenterOfMass())
						break
					}
					if g.Body().Velocity().X < 0 {
						break
					}
					if k == 2 && g.Solid(geom.V(0, 0)) {
						t.Errorf("speed %v, spin %v: the peg is in the raft in step %d", speed, spin, step)
						break
					}
				}
			}
		}
	}
	for _, asleep := range []bool{false, true} {
		for _, bullet := range []bool{false, true} {
			for _, speed := range []float64{20, 100, 390} {
				w := quarry.NewWorld(quarry.Config{})
				g := addRaft(t, w, geom.V(0, -10), 0, 1, 20)
				if g.Body().SetVelocity(geom.V(-10, 0)); asleep {
					g.Body().Sleep()
				}
				id := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Bullet: bullet, Position: geom.V(-20, 1.3),
					Velocity: geom.V(speed, 0),
				})
				w.AddShape(id, geom.Circle{Radius: 0.1}, quarry.ShapeDef{})
				b, _ := w.Body(id)
				for range 120 {
					w.Step(worldtest.DT)
				}
				if x := g.Body().LocalPoint(b.Position()).X; x > 0.5 {
					t.Errorf("asleep %v, bullet %v, speed %v: passed, at %v", asleep, bullet, speed, x)
				}
			}
		}
	}
}
