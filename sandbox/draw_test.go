//go:build !js

package sandbox

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// hung is a box that hangs on a hinge, far from the origin.
var hung = scene.Scene{
	Name: "hung", Doc: "A pendulum.", View: geom.Box(geom.V(1e6-5, -5), geom.V(1e6+5, 5)),
	Config: quarry.Config{Gravity: geom.V(0, -10)},
	Build: func(w *quarry.World) *scene.Instance {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1e6+1, 2)})
		w.AddShape(b, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
		w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, b, geom.V(1e6, 2))})
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

// TestDraw: a client gets the layers that it asks for, in its box, in the place where they are, also of
// a paused world; and none before it asks or after it asks for none.
func TestDraw(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{hung, pit, bare}, Paused: true}))
	p.until("a frame", func() bool { return p.frames > 0 })
	if p.draws != 0 || len(p.hello.Layers) == 0 {
		t.Fatalf("%d draw lists unasked, layers %q", p.draws, p.hello.Layers)
	}
	p.send(`{"do":"draw","layers":"joints,centers,boxes","x0":999990,"y0":-9,"x1":1000010,"y1":9}`)
	p.until("a list", func() bool { return p.draws > 0 })
	count := func() map[string]int {
		n := map[string]int{}
		for _, it := range p.drawn {
			n[it.layer]++
		}
		return n
	}
	if n := count(); n["joints"] != 4 || n["boxes"] != 1 || n["centers"] != 1 { // the world's body is at 0
		t.Errorf("items: %v", n)
	}
	for _, it := range p.drawn {
		if want := geom.V(1e6+1, 2); it.layer == "centers" && (it.form != byte(quarry.DrawFrame) ||
			len(it.points) != 3 || it.points[0].Dist(want) > 1e-3) {
			t.Errorf("the centre is drawn as %+v, want it at %v", it, want)
		}
	}
	p.send(`{"do":"draw","layers":"joints","x0":-5,"x1":5}`)
	p.until("a list of nothing", func() bool { return len(p.drawn) == 0 })
	p.send(`{"do":"draw"}`)
	p.send(`{"do":"step"}`)
	p.until("the step", func() bool { return p.step == 1 })
	n := p.draws
	p.send(`{"do":"step","n":3}`)
	p.until("three steps", func() bool { return p.step == 4 })
	if p.draws != n {
		t.Errorf("%d draw lists after the client asked for none", p.draws-n)
	}
}

// TestDrawIsBounded: a list has at most maxDrawItems items, and tells that it is cut.
func TestDrawIsBounded(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{swarm}, Paused: true}))
	p.until("a frame", func() bool { return p.frames > 0 })
	p.send(`{"do":"draw","layers":"boxes","x0":-1e6,"y0":-1e6,"x1":1e6,"y1":1e6}`)
	p.until("the boxes", func() bool { return len(p.drawn) == 3000 })
	if p.cut {
		t.Error("3000 items are cut")
	}
	p.send(`{"do":"draw","layers":"boxes,proxies,centers,velocities","x0":-1e6,"y0":-1e6,"x1":1e6,"y1":1e6}`)
	p.until("more", func() bool { return len(p.drawn) > 3000 })
	if len(p.drawn) != maxDrawItems || !p.cut {
		t.Errorf("%d items, cut: %v; want %d", len(p.drawn), p.cut, maxDrawItems)
	}
}

// TestGrab: a body follows the point to which its client drags it, falls when it is released, and also
// when the client leaves; and a drag of nothing is refused.
func TestGrab(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{pit, bare}, Paused: true})
	p := dial(t, addr)
	p.until("the box", func() bool { return p.frames > 0 && len(p.bodies) == 2 })
	box := func(of *peer) geom.Vec {
		for _, b := range of.bodies {
			if b.typ == 2 {
				return b.at
			}
		}
		return geom.V(math.NaN(), 0)
	}
	step := func(of *peer, n int) {
		to := of.step + float64(n)
		of.send(fmt.Sprintf(`{"do":"step","n":%d}`, n))
		of.until("steps", func() bool { return of.step == to })
	}
	p.send(`{"do":"grab","x":5,"y":5}`)
	p.until("a refusal", func() bool { return len(p.errors) == 1 })
	p.send(`{"do":"grab","x":5,"y":5,"all":true}`) // begins no drag, and is no error
	p.send(`{"do":"grab","x":0.2,"y":0.5}`)
	p.send(`{"do":"grab","x":3,"y":4,"all":true}`)
	step(p, 180)
	if at := box(p); at.Dist(geom.V(3, 4)) > 0.5 {
		t.Errorf("the box was dragged to (3, 4), and is at %v", at)
	}
	p.send(`{"do":"release"}`)
	step(p, 180)
	if at := box(p); at.Y > 1 {
		t.Errorf("the box was released, and hangs at %v", at)
	}
	if len(p.errors) != 1 {
		t.Errorf("errors: %q", p.errors)
	}
	// Another client drags it, and leaves.
	other := dial(t, addr)
	other.until("the box", func() bool { return other.frames > 0 && len(other.bodies) == 2 })
	at := box(other)
	other.send(fmt.Sprintf(`{"do":"grab","x":%v,"y":%v}`, at.X, at.Y))
	other.send(fmt.Sprintf(`{"do":"grab","x":%v,"y":6,"all":true}`, at.X))
	step(other, 120)
	if at := box(other); at.Y < 5 {
		t.Errorf("the other client's box is at %v", at)
	}
	other.conn.CloseNow()
	p.step = other.step
	for range 10 { // the server learns of the end in its own time
		if step(p, 60); box(p).Y < 1 {
			break
		}
	}
	if at := box(p); at.Y > 1 {
		t.Errorf("the client left, and the box hangs at %v", at)
	}
	p.send(`{"do":"scene","name":"bare"}`) // a drag does not outlive its world
	p.until("the scene", func() bool { return p.hello.Scene == "bare" && p.frames > 0 })
	p.send(`{"do":"release"}`)
	p.send(`{"do":"grab","x":0,"y":0,"all":true}`)
	p.step = 0
	step(p, 2)
}

// TestJoin: each kind of joint that holds a body in place joins two bodies, or a body and the world, from either end.
// Package play tests the others.
func TestJoin(t *testing.T) {
	for _, kind := range []string{"revolute", "distance", "weld"} {
		p := dial(t, serve(t, Config{Scenes: []scene.Scene{bare}, Paused: true}))
		p.until("a frame", func() bool { return p.frames > 0 })
		p.send(`{"do":"add","kind":"box","x":0,"y":0}`)
		p.send(`{"do":"add","kind":"box","x":3,"y":0}`)
		p.until("two boxes", func() bool { return len(p.bodies) == 2 })
		p.send(`{"do":"draw","layers":"joints","x0":-50,"y0":-50,"x1":50,"y1":50}`)
		for _, bad := range []string{`"x0":9,"x1":8`, `"x0":0,"x1":0.2`, `"x0":0,"x1":-1e9`} {
			n := len(p.errors)
			p.send(`{"do":"join","kind":"` + kind + `",` + bad + `}`)
			p.until("a refusal", func() bool { return len(p.errors) == n+1 })
		}
		p.send(`{"do":"join","kind":"` + kind + `","x0":0,"x1":3}`)
		p.until("a joint", func() bool { return len(p.drawn) == 5 })
		p.send(`{"do":"join","kind":"` + kind + `","x0":0,"x1":-2}`) // the world at (-2, 0)
		p.until("a joint with the world", func() bool { return len(p.drawn) == 9 })
		p.send(`{"do":"step","n":60}`)
		p.until("steps", func() bool { return p.step == 60 })
		least := math.Inf(1)
		for _, b := range p.bodies {
			least = min(least, b.at.Len())
		}
		if least > 4.2 { // free, both would be 5 cells lower
			t.Errorf("%s: no body within %v of the joint with the world", kind, least)
		}
		if len(p.errors) != 3 {
			t.Errorf("%s: errors %q", kind, p.errors)
		}
	}
}
