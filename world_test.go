package quarry_test

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestWarmStepAllocatesNothing: a warm step with ground, pairs, events and sleep
// allocates nothing.
func TestWarmStepAllocatesNothing(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1})
	for i := range 60 {
		worldtest.Add(w, geom.V(float64(i%12)-6, 1+float64(i/12)), geom.NewBox(0.4, 0.4))
	}
	worldtest.Steps(w, 300)
	if n := testing.AllocsPerRun(50, func() { w.Step(worldtest.DT) }); n != 0 {
		t.Errorf("a step allocates %v times", n)
	}
	tile := gridseg.Tile{Shape: gridseg.Full}
	edit := func() {
		if g.Clear(15, -1) != nil || g.Set(15, -1, tile) != nil {
			t.Error("edit failed")
		}
		w.Step(worldtest.DT)
	}
	edit()
	if n := testing.AllocsPerRun(50, edit); n != 0 {
		t.Errorf("an edit and a step allocate %v times", n)
	}
	if n := testing.AllocsPerRun(50, func() {
		w.RayCast(geom.V(-9, 9), geom.V(20, -20), quarry.QueryFilter{})
	}); n != 0 {
		t.Errorf("a ray allocates %v times", n)
	}
}

func TestFreeFall(t *testing.T) {
	w := worldtest.New()
	b := worldtest.Add(w, geom.V(3, 100), geom.Circle{Radius: 0.5})
	b.SetVelocity(geom.V(2, 0))
	worldtest.Steps(w, 60)
	// Semi-implicit Euler in n = 240 sub-steps falls (n+1)/n of g t^2 / 2.
	worldtest.Near(t, "y", b.Position().Y, 100-5*241.0/240, 1e-5)
	worldtest.Near(t, "x", b.Position().X, 5, 1e-5)
	worldtest.Near(t, "speed", b.Velocity().Y, -10, 1e-5)
}

func TestZeroConfig(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	b := worldtest.Add(w, geom.Vec{}, geom.NewBox(1, 1))
	b.SetVelocity(geom.V(1, 0))
	worldtest.Steps(w, 60)
	worldtest.Near(t, "x", b.Position().X, 1, 1e-5)
	worldtest.Near(t, "y", b.Position().Y, 0, 0)
}

func TestRestsOnGround(t *testing.T) {
	for name, s := range map[string]geom.Shape{
		"box": geom.NewBox(0.5, 0.5), "circle": geom.Circle{Radius: 0.5},
		"capsule": geom.Capsule{A: geom.V(-1, 0), B: geom.V(1, 0), Radius: 0.5},
		"rounded": geom.NewRoundedBox(0.3, 0.3, 0.2), "large": geom.NewOffsetBox(10, 0.5, geom.Vec{}, geom.Identity),
	} {
		t.Run(name, func(t *testing.T) {
			w := worldtest.New()
			worldtest.Floor(t, w, gridseg.Rect{MinX: -50, MinY: -3, MaxX: 50, MaxY: -1})
			b := worldtest.Add(w, geom.V(0.3, 1.5), s)
			worldtest.Steps(w, 240)
			worldtest.Near(t, "height", b.Position().Y, 0.5, 2*geom.LinearSlop)
			if b.Awake() {
				t.Error("still awake after four seconds")
			}
		})
	}
}

func TestStack(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	var top quarry.Body
	for i := range 15 {
		top = worldtest.Add(w, geom.V(0.5, 0.5+float64(i)), geom.NewBox(0.5, 0.5))
	}
	worldtest.Steps(w, 600)
	worldtest.Near(t, "x of the top", top.Position().X, 0.5, 0.02)
	worldtest.Near(t, "y of the top", top.Position().Y, 14.5, 0.1)
	if s := w.Stats(); s.Awake != 0 {
		t.Errorf("%d bodies still awake", s.Awake)
	}
}

func TestFriction(t *testing.T) {
	// On a 1:2 slope a body slides when its friction is below 1/2.
	for _, c := range []struct {
		friction float64
		slides   bool
	}{{0.6, false}, {0.4, true}} {
		w := worldtest.New()
		m := w.AddMaterial(quarry.Material{Friction: c.friction})
		g := worldtest.Floor(t, w, gridseg.Rect{MinX: 0, MinY: -1, MaxX: 19, MaxY: -1})
		for x := range int32(20) {
			shape := gridseg.SlopeLow
			if x%2 == 1 {
				shape = gridseg.SlopeHigh
			}
			if x >= 2 {
				if err := g.Fill(gridseg.Rect{MinX: x, MinY: 0, MaxX: x, MaxY: x/2 - 1},
					gridseg.Tile{Shape: gridseg.Full}); err != nil {
					t.Fatal(err)
				}
			}
			if err := g.Set(x, x/2, gridseg.Tile{Shape: shape, Material: uint16(m)}); err != nil {
				t.Fatal(err)
			}
		}
		angle := geom.Atan2(1, 2)
		at := geom.V(10, 5).Add(geom.NewRot(angle).Apply(geom.V(0, 0.5)))
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: angle})
		w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Material: m})
		b, _ := w.Body(id)
		worldtest.Steps(w, 60)
		moved := b.Position().Dist(at)
		if c.slides {
			// g (sin - mu cos) t^2 / 2
			worldtest.Near(t, "way slid", moved, 5*(1-0.4*2)/math.Sqrt(5), 0.05)
		} else if moved > 0.02 {
			t.Errorf("friction %v: moved %v", c.friction, moved)
		}
	}
}

func TestRestitution(t *testing.T) {
	w := worldtest.New()
	rubber := w.AddMaterial(quarry.Material{Restitution: 0.8})
	worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 5.5)})
	w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{Material: rubber})
	b, _ := w.Body(id)
	top, hit := 0.0, false
	for range 150 {
		w.Step(worldtest.DT)
		for _, h := range w.Hits() {
			hit = true
			worldtest.Near(t, "speed of the hit", h.Speed, 10, 0.3)
			if h.ShapeB == 0 || h.Ground == 0 || h.Normal != geom.V(0, 1) || h.Cell.Y != -1 {
				t.Errorf("hit: %+v", h)
			}
		}
		if b.Velocity().Y > 0 {
			top = max(top, b.Position().Y-0.5)
		}
		if hit && b.Velocity().Y < 0 {
			break
		}
	}
	worldtest.Near(t, "bounce", top, 5*0.8*0.8, 0.2)
}

func TestMomentum(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	a := worldtest.Add(w, geom.V(-2, 0.2), geom.NewBox(0.5, 0.5))
	b := worldtest.Add(w, geom.V(2, 0), geom.NewBox(0.5, 0.5))
	a.SetVelocity(geom.V(5, 0))
	worldtest.Steps(w, 120)
	p := a.Velocity().Mul(a.Mass()).Add(b.Velocity().Mul(b.Mass()))
	worldtest.Near(t, "momentum x", p.X, 5, 1e-4)
	worldtest.Near(t, "momentum y", p.Y, 0, 1e-4)
	angular := 0.0
	for _, o := range []quarry.Body{a, b} {
		angular += o.Inertia()*o.AngularVelocity() + o.Mass()*o.CenterOfMass().Cross(o.Velocity())
	}
	worldtest.Near(t, "angular momentum", angular, -0.2*5, 0.02)
}

func TestConveyor(t *testing.T) {
	w := worldtest.New()
	belt := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: 2})
	g := worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 40, MaxY: -1})
	if err := g.Fill(gridseg.Rect{MinX: 0, MinY: -1, MaxX: 40, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(belt)}); err != nil {
		t.Fatal(err)
	}
	b := worldtest.Add(w, geom.V(2, 0.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 120)
	worldtest.Near(t, "speed on the belt", b.Velocity().X, 2, 0.01)
}

func TestKinematic(t *testing.T) {
	w := worldtest.New()
	lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Velocity: geom.V(0, 1)})
	g := worldtest.AddGround(t, w, lift)
	if err := g.Fill(gridseg.Rect{MinX: -3, MinY: -1, MaxX: 2, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 120)
	worldtest.Near(t, "the lift", g.Transform().P.Y, 2, 1e-4)
	worldtest.Near(t, "the box on it", b.Position().Y, 2.5, 0.02)
}

func TestMistakesPanic(t *testing.T) {
	w := worldtest.New()
	b := worldtest.Add(w, geom.Vec{}, geom.NewBox(1, 1))
	nan := math.NaN()
	for name, f := range map[string]func(){
		"step 0":          func() { w.Step(0) },
		"step NaN":        func() { w.Step(nan) },
		"position":        func() { w.AddBody(quarry.BodyDef{Position: geom.V(nan, 0)}) },
		"velocity":        func() { b.SetVelocity(geom.V(0, math.Inf(1))) },
		"g is nil":        func() { w.AddShape(b.ID(), nil, quarry.ShapeDef{}) },
		"zero polygon":    func() { w.AddShape(b.ID(), geom.Polygon{}, quarry.ShapeDef{}) },
		"negative radius": func() { w.AddShape(b.ID(), geom.Circle{Radius: -1}, quarry.ShapeDef{}) },
		"density":         func() { w.AddShape(b.ID(), geom.NewBox(1, 1), quarry.ShapeDef{Density: -1}) },
		"material":        func() { w.AddMaterial(quarry.Material{Friction: nan}) },
		"config":          func() { quarry.NewWorld(quarry.Config{SubSteps: -1}) },
		"gravity":         func() { w.SetGravity(geom.V(nan, 0)) },
		"too far": func() {
			w.AddShape(b.ID(), geom.Circle{Center: geom.V(1e300, 0), Radius: 1}, quarry.ShapeDef{})
		},
		"zero view": func() { quarry.Body{}.Mass() },
		"pointer":   func() { box := geom.NewBox(1, 1); w.AddShape(b.ID(), &box, quarry.ShapeDef{}) },
	} {
		t.Run(name, func(t *testing.T) {
			before := w.Hash()
			worldtest.MustPanic(t, name, f)
			if w.Hash() != before {
				t.Error("the world was changed")
			}
		})
	}
	if _, err := w.AddChain(b.ID(), quarry.ChainDef{Points: []geom.Vec{{X: 1}, {}}}); err == nil {
		t.Error("a chain on a dynamic body: no error")
	}
	if _, err := w.AddGround(99, quarry.GroundDef{}); err == nil {
		t.Error("a ground on no body: no error")
	}
}

func TestStaleIDs(t *testing.T) {
	w := worldtest.New()
	b := worldtest.Add(w, geom.V(0, 5), geom.NewBox(1, 1))
	id := b.ID()
	var sid quarry.ShapeID
	for s := range b.Shapes() {
		sid = s.ID()
	}
	if !w.RemoveBody(id) || w.RemoveBody(id) {
		t.Error("RemoveBody: want true, then false")
	}
	again := worldtest.Add(w, geom.V(0, 5), geom.NewBox(1, 1))
	if again.ID() == id {
		t.Error("an id was used again")
	}
	if _, ok := w.Body(id); ok {
		t.Error("a stale body id was found")
	}
	if _, ok := w.Shape(sid); ok {
		t.Error("a stale shape id was found")
	}
	if w.AddShape(id, geom.NewBox(1, 1), quarry.ShapeDef{}) != 0 {
		t.Error("AddShape took a stale body")
	}
	for _, made := range []uint64{0, 1 << 60, math.MaxUint64, 12345} {
		if _, ok := w.Body(quarry.BodyID(made)); ok {
			t.Errorf("the made-up id %d was found", made)
		}
	}
	if uint64(again.ID()) >= 1<<53 {
		t.Error("an id is not safe in a float64")
	}
}

// pile returns a world with a pile of boxes on a ground.
func pile(t *testing.T, c quarry.Config) *quarry.World {
	c.Gravity = geom.V(0, -10)
	w := quarry.NewWorld(c)
	worldtest.Floor(t, w, gridseg.Rect{MinX: -20, MinY: -3, MaxX: 20, MaxY: -1})
	for i := range 60 {
		worldtest.Add(w, geom.V(float64(i%12)-6, 1+float64(i/12)), geom.NewBox(0.4, 0.4))
	}
	return w
}

// TestProfile: the stages add up to the step, every stage with work has a time, and a world
// without Config.Profile has none.
func TestProfile(t *testing.T) {
	w, plain := pile(t, quarry.Config{Profile: true}), pile(t, quarry.Config{})
	var sum quarry.Profile
	for range 60 {
		w.Step(worldtest.DT)
		plain.Step(worldtest.DT)
		p := w.Profile()
		stages := p.Pairs + p.Narrow + p.List + p.Solve + p.Advance + p.Sensors + p.Sleep
		if p.Step != stages || min(p.Pairs, p.Narrow, p.List, p.Solve, p.Advance, p.Sensors, p.Sleep) < 0 {
			t.Fatalf("%+v: the stages add up to %v", p, stages)
		}
		sum.Pairs += p.Pairs
		sum.Narrow += p.Narrow
		sum.List += p.List
		sum.Solve += p.Solve
		sum.Advance += p.Advance
		sum.Sleep += p.Sleep
	}
	// Sums, because a clock may be too coarse for a stage of one step.
	if min(sum.Pairs, sum.Narrow, sum.List, sum.Solve, sum.Advance, sum.Sleep) == 0 {
		t.Errorf("a stage of 60 steps took no time: %+v", sum)
	}
	if p := plain.Profile(); p != (quarry.Profile{}) {
		t.Errorf("without Config.Profile: %+v", p)
	}
	if w.Hash() != plain.Hash() {
		t.Error("Config.Profile changed the world")
	}
}

// TestSameCallsSameBits makes two worlds by the same calls, in which bodies
// come and go and the ground is dug.
func TestSameCallsSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type act struct{ kind, a, b int }
		acts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) act {
			return act{rapid.IntRange(0, 5).Draw(t, "kind"), rapid.IntRange(-8, 8).Draw(t, "a"), rapid.IntRange(0,
				8).Draw(t, "b")}
		}), 1, 40).Draw(t, "acts")
		run := func() (hashes []uint64) {
			w := worldtest.New()
			g := worldtest.AddGround(t, w, 0)
			if err := g.Fill(gridseg.Rect{MinX: -10, MinY: -3, MaxX: 10, MaxY: -1},
				gridseg.Tile{Shape: gridseg.Full}); err != nil {
				t.Fatal(err)
			}
			var ids []quarry.BodyID
			for _, a := range acts {
				switch a.kind {
				case 0, 1:
					ids = append(ids, worldtest.Add(w, geom.V(float64(a.a), float64(a.b)), geom.NewBox(0.5, 0.3)).ID())
				case 2:
					if len(ids) > 0 {
						w.RemoveBody(ids[a.b%len(ids)])
					}
				case 3:
					_ = g.Clear(int32(a.a), -1-int32(a.b%3))
				case 4:
					_ = g.Set(int32(a.a), int32(a.b), gridseg.Tile{Shape: gridseg.Ramp, Turn: gridseg.Turn(a.b % 8)})
				case 5:
					worldtest.Steps(w, a.b)
				}
				w.Step(worldtest.DT)
				hashes = append(hashes, w.Hash())
			}
			return hashes
		}
		if a, b := run(), run(); !slices.Equal(a, b) {
			t.Fatalf("%x\n%x", a, b)
		}
	})
}

// hashCase is all that a world of TestHashTells is made of.
type hashCase struct {
	config     quarry.Config
	fixed      geom.Shape
	shape      quarry.ShapeDef
	at         geom.Vec // of the loose box, in its body
	ground     quarry.GroundDef
	on         geom.Vec // of the ground's body
	tile       [][2]float64
	chainMask  uint64
	chainGroup int32
	then       func(b quarry.Body, s quarry.Shape)
}

func (c *hashCase) hash(t *testing.T) uint64 {
	w := quarry.NewWorld(c.config)
	w.AddMaterial(quarry.Material{Friction: 1})
	shapes := gridseg.NewShapes()
	tile, err := shapes.Register("tile", c.tile)
	if err != nil {
		t.Fatal(err)
	}
	c.ground.Grid = gridseg.New(shapes)
	if err := c.ground.Grid.Set(0, 0, gridseg.Tile{Shape: tile, Material: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddGround(w.AddBody(quarry.BodyDef{Position: c.on}), c.ground); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddChain(0, quarry.ChainDef{
		Points: []geom.Vec{{X: 9}, {X: 8}}, Mask: c.chainMask,
		Group: c.chainGroup,
	}); err != nil {
		t.Fatal(err)
	}
	w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(5, 0)}), c.fixed, quarry.ShapeDef{})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(5, 5).Sub(c.at)})
	s, _ := w.Shape(w.AddShape(id, geom.NewOffsetBox(0.5, 0.5, c.at, geom.Identity), c.shape))
	b, _ := w.Body(id)
	w.Step(worldtest.DT)
	if c.then != nil {
		c.then(b, s)
	}
	return w.Hash()
}

// TestHashTells: two worlds that differ in one thing that affects later steps only have
// different hashes. The hash left out shapes.
func TestHashTells(t *testing.T) {
	with := func(change func(c *hashCase)) *hashCase {
		c := &hashCase{fixed: geom.NewBox(1, 1), tile: [][2]float64{{0, 0}, {1, 0}, {1, 0.25}}}
		change(c)
		return c
	}
	plain := with(func(*hashCase) {}).hash(t)
	if plain != with(func(*hashCase) {}).hash(t) {
		t.Error("the same calls, another hash")
	}
	for name, change := range map[string]func(c *hashCase){
		"max speed":     func(c *hashCase) { c.config.MaxSpeed = 300 },
		"hit speed":     func(c *hashCase) { c.config.HitSpeed = 3 },
		"bounce speed":  func(c *hashCase) { c.config.BounceSpeed = 3 },
		"push rate":     func(c *hashCase) { c.config.PushRate = 3 },
		"push speed":    func(c *hashCase) { c.config.PushSpeed = 2 },
		"sleep speed":   func(c *hashCase) { c.config.SleepSpeed = 3 },
		"sleep time":    func(c *hashCase) { c.config.SleepTime = 3 },
		"gravity scale": func(c *hashCase) { c.then = func(b quarry.Body, _ quarry.Shape) { b.SetGravityScale(3) } },
		"body's sleep":  func(c *hashCase) { c.then = func(b quarry.Body, _ quarry.Shape) { b.SetSleepSpeed(3) } },
		"damping":       func(c *hashCase) { c.then = func(b quarry.Body, _ quarry.Shape) { b.SetDamping(3, 0) } },
		"mass": func(c *hashCase) {
			c.then = func(b quarry.Body, _ quarry.Shape) { b.SetMass(geom.Mass{Mass: b.Mass(), Inertia: b.Inertia()}) }
		},
		"density": func(c *hashCase) { c.then = func(_ quarry.Body, s quarry.Shape) { s.SetDensity(0) } },
		"geometry": func(c *hashCase) {
			c.then = func(_ quarry.Body, s quarry.Shape) { s.SetGeometry(geom.Circle{Radius: 0.5}) }
		},
		"type": func(c *hashCase) {
			c.then = func(b quarry.Body, _ quarry.Shape) {
				b.SetType(quarry.Kinematic)
			}
		},
		"lock": func(c *hashCase) {
			c.then = func(b quarry.Body, _ quarry.Shape) {
				b.SetLocks(true, false, false)
			}
		},
		"disabled":         func(c *hashCase) { c.then = func(b quarry.Body, _ quarry.Shape) { b.SetEnabled(false) } },
		"sub-steps":        func(c *hashCase) { c.config.SubSteps = 8 },
		"no sleep":         func(c *hashCase) { c.config.NoSleep = true },
		"bounds":           func(c *hashCase) { c.config.CellSize = 2 },
		"size":             func(c *hashCase) { c.fixed = geom.NewBox(1, 2) },
		"kind":             func(c *hashCase) { c.fixed = geom.Circle{Radius: 1} },
		"rounding":         func(c *hashCase) { c.fixed = geom.NewRoundedBox(1, 1, 0.5) },
		"place in body":    func(c *hashCase) { c.at = geom.V(1, 0) },
		"category":         func(c *hashCase) { c.shape.Category = 2 },
		"mask":             func(c *hashCase) { c.shape.Mask = 3 },
		"group":            func(c *hashCase) { c.shape.Group = 1 },
		"ground's group":   func(c *hashCase) { c.ground.Group = 1 },
		"chain's group":    func(c *hashCase) { c.chainGroup = 1 },
		"sensor":           func(c *hashCase) { c.shape.Sensor = true },
		"material":         func(c *hashCase) { c.shape.Material = 1 },
		"material later":   func(c *hashCase) { c.then = func(_ quarry.Body, s quarry.Shape) { s.SetMaterial(1) } },
		"ground's mask":    func(c *hashCase) { c.ground.Mask = 3 },
		"ground's numbers": func(c *hashCase) { c.ground.Materials = []quarry.MaterialID{1, 0} },
		"ground's place":   func(c *hashCase) { c.on = geom.V(1, 0) },
		"tile's shape":     func(c *hashCase) { c.tile[2][1] = 0.5 },
		"chain's mask":     func(c *hashCase) { c.chainMask = 3 },
		"force":            func(c *hashCase) { c.then = func(b quarry.Body, _ quarry.Shape) { b.ApplyTorque(1) } },
		"dropping":         func(c *hashCase) { c.then = func(b quarry.Body, _ quarry.Shape) { b.DropThrough(1) } },
		"bullet":           func(c *hashCase) { c.then = func(b quarry.Body, _ quarry.Shape) { b.SetBullet(true) } },
	} {
		if with(change).hash(t) == plain {
			t.Errorf("%s: the same hash", name)
		}
	}
}

// TestNoFusedMultiplyAdd builds the core for arm64, whose compiler fuses a
// product with the sum that it meets unless an explicit conversion stands
// between, and reads the assembly. A fused one rounds once instead of twice, so
// a machine that has it would go its own way.
func TestNoFusedMultiplyAdd(t *testing.T) {
	fused := regexp.MustCompile(`\((\S+:\d+)\).*\bFN?M(?:ADD|SUB)[SD]\b`)
	var paths []string
	for _, name := range core {
		paths = append(paths, strings.TrimSuffix(module+"/"+name, "/"))
	}
	goCommand := worldtest.GoCommand(t)
	cmd := exec.Command(goCommand, append([]string{"build", "-gcflags=" + module + "/...=-S"}, paths...)...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, path := range paths {
		if !bytes.Contains(out, []byte("# "+path+"\n")) {
			t.Errorf("%s: the compiler printed no assembly", path)
		}
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(out) { // hundreds of megabytes: the expression reads few of them
		if !bytes.Contains(line, []byte("MADD")) && !bytes.Contains(line, []byte("MSUB")) {
			continue
		}
		if m := fused.FindSubmatch(line); m != nil && !seen[string(m[1])] {
			seen[string(m[1])] = true
			t.Errorf("fused multiply-add at %s", m[1])
		}
	}
}
