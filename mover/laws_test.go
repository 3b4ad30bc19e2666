package mover_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/mover"
)

// level is a world with one body that carries the ground, at any place and angle, at rest or at a constant velocity.
// Points of a level are in the frame of that body, whose y axis is up.
type level struct {
	w       *quarry.World
	body    quarry.BodyID
	kind    string
	gravity geom.Vec // in the world
	dt      float64
}

// drawLevel draws a level without ground.
func drawLevel(t *rapid.T) *level {
	l := &level{w: quarry.NewWorld(quarry.Config{Workers: 1})}
	l.kind = rapid.SampledFrom([]string{"tiles", "chain", "boxes"}).Draw(t, "kind")
	l.dt = 1 / rapid.Float64Range(30, 240).Draw(t, "hertz")
	def := quarry.BodyDef{Type: rapid.SampledFrom([]quarry.BodyType{quarry.Static, quarry.Kinematic}).Draw(t, "type")}
	def.Angle = rapid.SampledFrom([]float64{0, 0, math.Pi / 2, math.Pi, -1.1, 0.7}).Draw(t, "angle")
	def.Position = rapid.SampledFrom([]geom.Vec{{}, {X: 1e6, Y: -1e6}, {X: 0.1, Y: 0.7}}).Draw(t, "place")
	if def.Type == quarry.Kinematic {
		def.Velocity = geom.V(rapid.Float64Range(-9, 9).Draw(t, "vx"), rapid.Float64Range(-9, 9).Draw(t, "vy"))
	}
	l.gravity = geom.NewRot(def.Angle).Apply(gravity)
	l.body = l.w.AddBody(def)
	return l
}

// outline adds ground whose top is the polyline of points, from left to right, at least 0.1 apart in x or y. It is solid
// down to y = -3.
func (l *level) outline(t *rapid.T, points ...geom.Vec) {
	switch l.kind {
	case "chain":
		back := []geom.Vec{}
		for i := range points {
			back = append(back, points[len(points)-1-i])
		}
		if _, err := l.w.AddChain(l.body, quarry.ChainDef{Points: back}); err != nil {
			t.Fatal(err)
		}
	case "tiles":
		id, err := l.w.AddGround(l.body, quarry.GroundDef{})
		if err != nil {
			t.Fatal(err)
		}
		g, _ := l.w.Ground(id)
		end := points[len(points)-1]
		list := [][2]float64{{points[0].X, -3}, {end.X, -3}}
		for i := range points {
			p := points[len(points)-1-i]
			list = append(list, [2]float64{p.X, p.Y})
		}
		polygon, err := gridseg.Polygon(list)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Unite(polygon, gridseg.Attr{}); err != nil {
			t.Fatal(err)
		}
	default:
		for i, a := range points[1:] { // one for each
			if b := points[i]; a.X > b.X+0.01 {
				p, err := geom.NewPolygon([]geom.Vec{{X: b.X, Y: -3}, {X: a.X, Y: -3}, a, b}, 0)
				if err != nil {
					t.Fatal(err)
				}
				l.w.AddShape(l.body, p, quarry.ShapeDef{})
			}
		}
	}
}

// frame returns the frame of the body, and its velocity.
func (l *level) frame() (geom.Transform, geom.Vec) {
	b, _ := l.w.Body(l.body)
	return b.Transform(), b.Velocity()
}

// local returns the position of c in the level.
func (l *level) local(c *mover.Character) geom.Vec {
	f, _ := l.frame()
	return f.Inv(c.Position)
}

// place puts c at p, on the ground after some steps.
func (l *level) place(t *rapid.T, c *mover.Character, p geom.Vec) {
	f, v := l.frame()
	c.Position, c.Turn, c.Velocity = f.Apply(p), f.Q.Angle(), v
	for range 200 {
		c.Move(l.w, l.gravity, l.dt)
		l.w.Step(l.dt)
		if c.OnGround {
			return
		}
	}
	t.Fatalf("at %v it does not come to the ground", l.local(c))
}

// walk makes a step at the speed v.
func (l *level) walk(c *mover.Character, v float64) {
	f, _ := l.frame()
	own := f.Q.Inv(c.Velocity)
	own.X = v
	c.Velocity = f.Q.Apply(own)
	c.Move(l.w, l.gravity, l.dt)
	l.w.Step(l.dt)
}

// drawShape draws a shape whose lowest point is at the origin, with its half width.
func drawShape(t *rapid.T) (geom.Shape, float64) {
	r := rapid.Float64Range(0.15, 0.6).Draw(t, "radius")
	switch rapid.IntRange(0, 2).Draw(t, "shape") {
	case 0:
		return geom.Circle{Center: geom.V(0, r), Radius: r}, r
	case 1:
		return geom.NewOffsetBox(r, 2*r, geom.V(0, 2*r), geom.Identity), r
	}
	return geom.Capsule{A: geom.V(0, r), B: geom.V(0, 3*r), Radius: r}, r
}

// Stairs whose steps are lower than StepHeight are walked up and down without leaving the ground, whatever the shape, its
// size and speed, the time of a step and the depth of the treads, at nearly the speed asked for.
func TestLawStairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLevel(t)
		shape, r := drawShape(t)
		c := &mover.Character{Mover: mover.Mover{Shape: shape}, StepHeight: rapid.Float64Range(0.1, 1.5*r).Draw(t, "StepHeight")}
		high := float64(c.StepHeight * rapid.Float64Range(0.1, 0.97).Draw(t, "high"))
		depth := rapid.Float64Range(0.15, 1.2).Draw(t, "depth")
		points := []geom.Vec{{X: -3, Y: 0}, {X: 0, Y: 0}}
		const n = 3
		for i := range n {
			x, y := float64(i)*depth, float64(i+1)*high
			points = append(points, geom.V(x, y), geom.V(x+depth, y))
		}
		top := points[len(points)-1]
		points[len(points)-1].X += 2
		for i := range n {
			x, y := top.X+2+float64(i)*depth, top.Y-float64(i+1)*high
			points = append(points, geom.V(x, y), geom.V(x+depth, y))
		}
		points[len(points)-1].X += 3
		l.outline(t, points...)
		v := rapid.Float64Range(1, 25).Draw(t, "speed")
		l.place(t, c, geom.V(-1-r, 0.02))
		end := points[len(points)-1].X - 2
		from := l.local(c).X
		steps := int((end-from)/(v*l.dt)*1.5) + 20
		for k := range steps {
			last := l.local(c)
			l.walk(c, v)
			p := l.local(c)
			if !c.OnGround && depth >= r {
				t.Fatalf("step %d: leaves the ground at %v", k, p)
			}
			if p.X < last.X-0.02 {
				t.Fatalf("step %d: goes back from %v to %v", k, last, p)
			}
			if p.X > end {
				return
			}
		}
		t.Fatalf("in %d steps at %v units/s it comes from %v to %v of %v, on wall %d (steps of %v x %v)", steps, v, from, l.local(c), end, c.OnWall, depth, high)
	})
}

var _ = fmt.Sprint
