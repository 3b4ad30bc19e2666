package main

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/render"
)

// jointFigures are the pictures of docs/joints: each adds bodies and a joint to a world with a floor at y = 0.
var jointFigures = []struct {
	name string
	add  func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID)
}{
	{"revolute", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		arm := box(0.2, 2.6, 1.2, 0.15)
		w.AddJoint(quarry.RevoluteJoint{
			JointBase: w.JointAt(0, arm, geom.V(-1, 2.6)),
			Limit:     quarry.JointLimit{On: true, Lower: -0.9, Upper: 0.6},
		})
	}},
	{"prismatic", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		lift := box(0, 1, 0.8, 0.15)
		w.AddJoint(quarry.PrismaticJoint{
			JointBase: w.JointAlong(0, lift, geom.V(0, 1), geom.V(0.3, 1)),
			Limit:     quarry.JointLimit{On: true, Lower: -0.5, Upper: 1.8},
			Motor:     quarry.JointMotor{Speed: 1.5, MaxForce: 100},
		})
		box(0, 1.5, 0.3, 0.3)
	}},
	{"distance", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		for i, d := range []quarry.DistanceJoint{
			{Length: 1.5},
			{Length: 1.5, Spring: quarry.JointSpring{Hertz: 1.2, DampingRatio: 0.3}},
			{Length: 1.5, Limit: quarry.JointLimit{On: true, Upper: 1.8}},
		} {
			x := -1.5 + 1.5*float64(i)
			b := box(x+0.4, 2, 0.25, 0.25)
			d.JointBase = w.JointAt(0, b, geom.V(x+0.4, 2))
			d.FrameA = quarry.JointFrame{Position: geom.V(x, 3.4)}
			w.AddJoint(d)
		}
	}},
	{"weld", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		last := quarry.BodyID(0)
		for i := range 5 {
			b := box(-1.6+0.8*float64(i), 2.6, 0.38, 0.12)
			w.AddJoint(quarry.WeldJoint{
				JointBase:     w.JointAt(last, b, geom.V(-2+0.8*float64(i), 2.6)),
				AngularSpring: quarry.JointSpring{Hertz: 6, DampingRatio: 0.5},
			})
			last = b
		}
	}},
	{"wheel", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		chassis := box(0, 1, 1.3, 0.25)
		for _, x := range [...]float64{-0.9, 0.9} {
			wheel := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0.45)})
			w.AddShape(wheel, geom.Circle{Radius: 0.4}, quarry.ShapeDef{})
			w.AddJoint(quarry.WheelJoint{
				JointBase: w.JointAlong(chassis, wheel, geom.V(x, 0.45), geom.V(0, 1)),
				Spring:    quarry.JointSpring{Hertz: 3, DampingRatio: 0.7},
				Limit:     quarry.JointLimit{On: true, Lower: -0.25, Upper: 0.25},
				Motor:     quarry.JointMotor{Speed: -3, MaxForce: 10},
			})
		}
	}},
	{"motor", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		b := box(-1, 1, 0.5, 0.2)
		d := w.JointAt(0, b, geom.V(-1, 1))
		d.FrameA = quarry.JointFrame{Position: geom.V(0.8, 2.4), Angle: 0.5}
		w.AddJoint(quarry.MotorJoint{
			JointBase: d, Spring: quarry.JointSpring{Hertz: 0.8, DampingRatio: 1}, MaxSpringForce: 60,
			AngularSpring: quarry.JointSpring{Hertz: 0.8, DampingRatio: 1}, MaxSpringTorque: 30,
		})
	}},
	{"mouse", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		b := box(-0.6, 0.5, 0.5, 0.5)
		d := w.JointAt(0, b, geom.V(-0.2, 0.9))
		w.AddJoint(quarry.MouseJoint{JointBase: d, Target: geom.V(1, 2.8), MaxForce: 40})
	}},
	{"filter", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		wall := w.AddBody(quarry.BodyDef{Position: geom.V(0, 1)})
		w.AddShape(wall, geom.NewBox(1.6, 0.2), quarry.ShapeDef{})
		box(-0.9, 1.6, 0.35, 0.35)
		b := box(0.9, 1.6, 0.35, 0.35)
		w.AddJoint(quarry.FilterJoint{JointBase: quarry.JointBase{A: wall, B: b}})
	}},
	{"gear", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		var gears [2]quarry.BodyID
		for i, r := range [...]float64{0.5, 1.2} {
			x := -1.2 + 1.7*float64(i)
			gears[i] = w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 2)})
			w.AddShape(gears[i], geom.Circle{Radius: r}, quarry.ShapeDef{})
			w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, gears[i], geom.V(x, 2))})
		}
		w.AddJoint(quarry.GearJoint{
			JointBase: w.JointAt(gears[0], gears[1], geom.V(-0.7, 2)), Ratio: -1.2 / 0.5,
		})
		b, _ := w.Body(gears[0])
		b.SetAngularVelocity(3)
	}},
	{"ratchet", func(w *quarry.World, box func(x, y, hx, hy float64) quarry.BodyID) {
		drum := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 2.4)})
		w.AddShape(drum, geom.Circle{Radius: 0.7}, quarry.ShapeDef{})
		w.AddShape(drum, geom.NewOffsetBox(0.3, 0.08, geom.V(1, 0), geom.NewRot(0)), quarry.ShapeDef{})
		w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, drum, geom.V(0, 2.4))})
		w.AddJoint(quarry.RatchetJoint{JointBase: w.JointAt(0, drum, geom.V(0, 2.4)), Tooth: math.Pi / 8})
		b, _ := w.Body(drum)
		b.SetAngularVelocity(5)
	}},
}

// jointPictures draws the pictures of docs/joints, one for each joint.
func jointPictures(t *report) {
	for _, p := range jointFigures {
		t.within = p.name
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
		w.AddShape(w.AddBody(quarry.BodyDef{}), geom.NewOffsetBox(3, 0.5, geom.V(0, -0.5), geom.NewRot(0)),
			quarry.ShapeDef{})
		p.add(w, func(x, y, hx, hy float64) quarry.BodyID {
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, y)})
			w.AddShape(b, geom.NewBox(hx, hy), quarry.ShapeDef{})
			return b
		})
		for range 20 {
			w.Step(1.0 / 60)
		}
		got := t.svg(w, render.Options{
			View: view(-2.5, -0.3, 2.5, 3.7), Width: 300, Height: 240, Light: true,
			Draw: quarry.DrawShapes | quarry.DrawJoints,
		})
		if pathsOf(got, "joints") == 0 {
			t.Error("no joint is drawn")
		}
		t.show("docs/joints.md", "docs/joints/"+p.name+".svg", got)
	}
	t.within = ""
}
