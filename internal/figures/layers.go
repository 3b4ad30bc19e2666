package main

import (
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/render"
)

// debugWorld is the world of docs/debug-draw: tiles with a crater, a chain on a lift, a stack, a
// sleeper, a trigger and bodies that fly and roll.
func debugWorld(t *report) *quarry.World {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	if err := g.Fill(gridseg.Rect{MinX: -7, MinY: -2, MaxX: 3, MaxY: -1}, full(0)); err != nil {
		t.Fatal(err)
	}
	if err := g.Dig(geom.V(-4.5, 0.4), geom.V(-4.5, 0.4), 1.2); err != nil {
		t.Fatal(err)
	}
	lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(5.5, -0.6), Velocity: geom.V(0, 0.8)})
	if _, err := w.AddChain(lift, quarry.ChainDef{Points: []geom.Vec{
		{X: 1.6, Y: 0.5},
		{X: 0.8},
		{X: -0.8},
		{X: -1.6, Y: 0.5},
	}}); err != nil {
		t.Fatal(err)
	}
	add := func(d quarry.BodyDef, s geom.Shape, of quarry.ShapeDef) {
		d.Type = quarry.Dynamic
		w.AddShape(w.AddBody(d), s, of)
	}
	for i := range 3 {
		add(quarry.BodyDef{Position: geom.V(-1+0.1*float64(i), 0.5+float64(i))}, geom.NewBox(0.5, 0.5),
			quarry.ShapeDef{})
	}
	add(quarry.BodyDef{Position: geom.V(2, 0.4), Asleep: true}, geom.NewRoundedBox(0.5, 0.3, 0.1), quarry.ShapeDef{})
	add(quarry.BodyDef{Position: geom.V(-5.2, 1.2)}, geom.Circle{Radius: 0.45}, quarry.ShapeDef{})
	add(quarry.BodyDef{Position: geom.V(-3, 2.4), Velocity: geom.V(-3, 1), AngularVelocity: 2},
		geom.Capsule{A: geom.V(-0.4, 0), B: geom.V(0.4, 0), Radius: 0.25}, quarry.ShapeDef{})
	add(quarry.BodyDef{Position: geom.V(5.2, 0.6)}, geom.NewBox(0.6, 0.3), quarry.ShapeDef{})
	trigger := w.AddBody(quarry.BodyDef{Position: geom.V(2, 2.4)})
	w.AddShape(trigger, geom.NewBox(1, 0.6), quarry.ShapeDef{Sensor: true})
	swing := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-5.8, 3)})
	w.AddShape(swing, geom.NewBox(0.6, 0.15), quarry.ShapeDef{})
	hinge := quarry.RevoluteJoint{JointBase: w.JointAt(0, swing, geom.V(-6.4, 3)), Limit: quarry.JointLimit{
		On:    true,
		Lower: -0.8, Upper: 0.3,
	}}
	w.AddJoint(hinge)
	hung := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(5.5, 2)})
	w.AddShape(hung, geom.Circle{Radius: 0.3}, quarry.ShapeDef{})
	d := quarry.DistanceJoint{
		JointBase: w.JointAt(trigger, hung, geom.V(5.5, 2.3)), Length: 1.8,
		Spring: quarry.JointSpring{Hertz: 1.5, DampingRatio: 0.3},
	}
	d.FrameA = quarry.JointFrame{Position: geom.V(2, 1)}
	w.AddJoint(d)
	piston := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0.2, 3.3)})
	w.AddShape(piston, geom.NewBox(0.3, 0.2), quarry.ShapeDef{})
	w.AddJoint(quarry.PrismaticJoint{
		JointBase: w.JointAlong(trigger, piston, geom.V(0.2, 3.3), geom.V(1, 0)), Limit: quarry.JointLimit{
			On:    true,
			Lower: -1.2, Upper: 1,
		},
	})
	for range 30 {
		w.Step(1.0 / 60)
	}
	return w
}

// layerPictures draws the pictures of docs/debug-draw, one for each layer.
func layerPictures(t *report) {
	w := debugWorld(t)
	o := render.Options{View: view(-7.5, -2.2, 7.5, 3.8), Width: 750, Height: 300, Light: true}
	plain := t.svg(w, o)
	for name := range strings.SplitSeq(quarry.DrawAll.String(), ",") {
		t.within = name
		var err error
		if o.Draw, err = quarry.ParseDrawLayers(name); err != nil {
			t.Fatal(err)
		}
		got := t.svg(w, o)
		if n := pathsOf(got, name); (n == 0) != (o.Draw == quarry.DrawShapes) || pathsOf(plain, name) != 0 {
			t.Errorf("%d paths, and %d without the layer", n, pathsOf(plain, name))
		}
		t.show("docs/debug-draw.md", "docs/debug-draw/"+name+".svg", got)
	}
	t.within = ""
}
