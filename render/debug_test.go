package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	debugPage     = "../docs/debug-draw.md"
	debugPictures = "../docs/debug-draw"
)

// debugWorld is the world of docs/debug-draw: tiles with a crater, a chain on a lift, a stack, a
// sleeper, a trigger and bodies that fly and roll.
func debugWorld(t *testing.T) *quarry.World {
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

// TestDebugDraw compares the pictures of docs/debug-draw, one for each layer, with those that are
// drawn now; with -redraw it writes them. The page shows each.
func TestDebugDraw(t *testing.T) {
	w := debugWorld(t)
	page, err := os.ReadFile(debugPage)
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	o := Options{View: view(-7.5, -2.2, 7.5, 3.8), Width: 750, Height: 300, Light: true}
	if err := WriteSVG(&all, w, o); err != nil {
		t.Fatal(err)
	}
	plain := elements(t, all.Bytes())
	for name := range strings.SplitSeq(quarry.DrawAll.String(), ",") {
		if o.Draw, err = quarry.ParseDrawLayers(name); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := WriteSVG(&got, w, o); err != nil {
			t.Fatal(err)
		}
		if n := elements(t, got.Bytes())[name+"/path"]; (n == 0) != (o.Draw == quarry.DrawShapes) ||
			plain[name+"/path"] != 0 {
			t.Errorf("%s: %d paths, and %d without the layer", name, n, plain[name+"/path"])
		}
		path := filepath.Join(debugPictures, name+".svg")
		if !bytes.Contains(page, []byte("](debug-draw/"+name+".svg)")) {
			t.Errorf("%s does not show %s.svg", debugPage, name)
		}
		keepPicture(t, path, got.Bytes())
	}
}

// TestDebugDrawOddViews: all layers can be drawn in views without height, of all the world and of nothing.
func TestDebugDrawOddViews(t *testing.T) {
	w := debugWorld(t)
	for _, v := range []geom.AABB{{}, view(-1, 0, 1, 0), view(-1e15, -1, 1e15, 1), view(0, 0, 1e-5, 1e-5), view(1e9,
		1e9, 1e9+10, 1e9+10)} {
		o := Options{View: v, Draw: quarry.DrawAll, Width: 64, Height: 48}
		mustImage(t, w, o)
		var out bytes.Buffer
		if err := WriteSVG(&out, w, o); err != nil {
			t.Error(err)
		}
		if s := out.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Errorf("the view %v has a coordinate that is not finite", v)
		}
	}
}
