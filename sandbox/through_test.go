//go:build !js

package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// material returns the number of the material with that name in the list.
func (p *peer) material(name string) uint16 {
	p.t.Helper()
	for _, m := range p.hello.Materials {
		if m.Name == name {
			return m.Index
		}
	}
	p.t.Fatalf("no material %q in %+v", name, p.hello.Materials)
	return 0
}

// Two boxes stand on a platform that is painted under them, a third on the floor: each
// falls through if the command points at it, all fall with All, and the box on no
// platform sleeps on.
func TestThroughOneWayTiles(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{pit}, Paused: true}))
	p.until("the world", func() bool { return p.frames > 0 })
	wood := p.material("one-way platform")
	p.send(fmt.Sprintf(`{"do":"paint","cells":[3,3,4,3,5,3,6,3,7,3],"shape":1,"material":%d}`, wood))
	for _, x := range []float64{3.5, 6.5} {
		p.send(fmt.Sprintf(`{"do":"add","kind":"box","x":%v,"y":4.6,"size":0.8}`, x))
	}
	p.send(`{"do":"step","n":240}`)
	p.until("240 steps", func() bool { return p.step == 240 })
	heights := func() (y [3]float64) {
		for _, b := range p.moving() {
			switch {
			case b.at.X < 1:
				y[0] = b.at.Y
			case b.at.X < 5:
				y[1] = b.at.Y
			default:
				y[2] = b.at.Y
			}
		}
		return y
	}
	near := func(got, want [3]float64) {
		t.Helper()
		for i := range got {
			if d := got[i] - want[i]; d > 0.02 || d < -0.02 {
				t.Fatalf("at %v, want %v", got, want)
			}
		}
	}
	near(heights(), [3]float64{0.5, 4.4, 4.4})
	p.send(`{"do":"through","x":3.5,"y":4.5}`)
	p.send(`{"do":"through","x":-8,"y":8}`)
	p.send(`{"do":"step","n":120}`)
	p.until("360 steps", func() bool { return p.step == 360 })
	near(heights(), [3]float64{0.5, 0.4, 4.4})
	if len(p.errors) != 1 || !strings.Contains(p.errors[0], "no body") {
		t.Errorf("errors: %q", p.errors)
	}
	p.send(`{"do":"through","all":true}`)
	p.send(`{"do":"step"}`)
	p.until("361 steps", func() bool { return p.step == 361 })
	for _, b := range p.moving() {
		if b.awake != (b.at.X > 5) {
			t.Errorf("at %v: awake %v", b.at, b.awake)
		}
	}
	p.send(`{"do":"step","n":119}`)
	p.until("480 steps", func() bool { return p.step == 480 })
	near(heights(), [3]float64{0.5, 0.4, 0.4})
}

// A world is given no one-way material before somebody paints or builds with ours.
func TestOneWayMaterialWaits(t *testing.T) {
	for _, do := range []string{"paint", "build"} {
		s := newSim(pit)
		list, _ := s.Palette()
		i := slices.IndexFunc(list, func(m play.Material) bool { return m.Way == "up" })
		if i < 0 {
			t.Fatalf("there is none in %+v", list)
		}
		m := list[i]
		way := func() quarry.OneWay { return s.Engine().Material(quarry.MaterialID(m.Index)).OneWay }
		c := &client{}
		if err := s.order(c, Command{Command: play.Command{
			Do: do, Cells: []int32{0, 5}, Shape: 1, X0: 0.5, Y0: 5.5,
			X1: 0.5, Y1: 5.5, Radius: 0.4,
		}}); err != nil {
			t.Fatal(err)
		}
		if way() != quarry.NotOneWay {
			t.Error("one-way before it is painted with")
		}
		if err := s.order(c, Command{Command: play.Command{
			Do: do, Cells: []int32{0, 7}, Shape: 1, X0: 0.5, Y0: 7.5,
			X1: 0.5, Y1: 7.5, Radius: 0.4, Material: m.Index,
		}}); err != nil {
			t.Fatal(err)
		}
		if way() != quarry.OneWayUp {
			t.Errorf("%s: not one-way", do)
		}
		s.look()
		list, _ = s.Palette()
		if got := list[i]; got != m {
			t.Errorf("%s: told as %+v, before as %+v", do, got, m)
		}
		if err := s.order(c, Command{Command: play.Command{Do: "reset"}}); err != nil {
			t.Fatal(err)
		}
		s.ticks(t, "the reset", func() bool { return s.epoch == 2 })
		if way() != quarry.NotOneWay {
			t.Error("one-way after a reset")
		}
	}
}

// If a scene turns a belt on, its materials and its tiles in their new colour are sent
// again.
func TestScenesMaterialsAreTold(t *testing.T) {
	belt := scene.Scene{
		Name: "belt", Doc: "A belt that is turned on.", View: geom.Box(geom.V(-4, -4), geom.V(4, 4)),
		Build: func(w *quarry.World) *scene.Instance {
			m := w.AddMaterial(quarry.Material{Friction: 1, Color: 0x111111})
			id, err := w.AddGround(0, quarry.GroundDef{})
			if err != nil {
				panic(err)
			}
			g, _ := w.Ground(id)
			if err := g.Set(0, 0, gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}); err != nil {
				panic(err)
			}
			return &scene.Instance{World: w, DT: 1.0 / 60, BeforeStep: func(step int) {
				if step == 5 {
					w.SetMaterial(m, quarry.Material{Friction: 1, TangentSpeed: -2, Color: 0x222222})
				}
			}}
		},
	}
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{belt}, Paused: true}))
	p.until("the world", func() bool { return p.frames > 0 })
	if m := p.hello.Materials[1]; m.Color != 0x111111 || m.Speed != 0 || m.Name != "the scene's 1" {
		t.Errorf("before: %+v", m)
	}
	p.send(`{"do":"step","n":5}`)
	p.until("5 steps", func() bool { return p.step == 5 })
	if p.palettes != 0 {
		t.Error("told of nothing")
	}
	before := p.chunksSeen
	p.send(`{"do":"step","n":2}`)
	p.until("7 steps", func() bool { return p.step == 7 })
	if m := p.hello.Materials[1]; p.palettes != 1 || m.Color != 0x222222 || m.Speed != -2 ||
		m.Name != "the scene's 1, a belt to the left" {
		t.Errorf("after: %+v, told %d times", m, p.palettes)
	}
	if p.chunksSeen != before+1 {
		t.Errorf("%d chunks came again, want 1", p.chunksSeen-before)
	}
}
