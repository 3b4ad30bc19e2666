package quarry_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

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
