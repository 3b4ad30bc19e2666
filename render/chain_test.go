package render

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

// chainWorld is a chain of the points on a kinematic body at p, turned.
func chainWorld(t *testing.T, p geom.Vec, angle float64, d quarry.ChainDef) *quarry.World {
	t.Helper()
	w := quarry.NewWorld(quarry.Config{})
	d.Material = w.AddMaterial(quarry.Material{Color: red})
	b := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: p, Angle: angle})
	if _, err := w.AddChain(b, d); err != nil {
		t.Fatal(err)
	}
	return w
}

// The solid side of a chain has the colour of its material, the other the air's,
// wherever its body is and however it is turned; a loop is solid inside or outside.
func TestChainSides(t *testing.T) {
	line := []geom.Vec{{X: 4, Y: 1}, {X: 0, Y: 0}, {X: -4, Y: 1}}
	square := []geom.Vec{{X: -2, Y: -2}, {X: 2, Y: -2}, {X: 2, Y: 2}, {X: -2, Y: 2}}
	hollow := []geom.Vec{{X: -2, Y: 2}, {X: 2, Y: 2}, {X: 2, Y: -2}, {X: -2, Y: -2}}
	for _, c := range []struct {
		name       string
		d          quarry.ChainDef
		solid, air []geom.Vec
	}{
		{
			"line",
			quarry.ChainDef{Points: line},
			[]geom.Vec{{X: 0, Y: -0.25}, {X: 2, Y: 0.25}, {X: -3.5, Y: 0.6}},
			[]geom.Vec{{X: 0, Y: 0.15}, {X: 2, Y: 0.65}, {X: -3.5, Y: 1.05}, {X: 0, Y: -1.2}, {X: 4.1, Y: 0.9}},
		},
		{
			"island",
			quarry.ChainDef{Points: square, Loop: true},
			[]geom.Vec{{X: 0, Y: -1.75}, {X: 1.75, Y: 1.75}, {X: -1.75, Y: 0}},
			[]geom.Vec{{X: 0, Y: -2.15}, {X: 2.15, Y: 2.15}, {}},
		},
		{
			"room",
			quarry.ChainDef{Points: hollow, Loop: true},
			[]geom.Vec{{X: 0, Y: -2.25}, {X: 2.25, Y: 2.25}, {X: -2.25, Y: 0}},
			[]geom.Vec{{X: 0, Y: -1.85}, {X: 1.85, Y: 1.85}, {}},
		},
	} {
		for _, at := range []geom.Vec{{}, {X: 3e6, Y: -7e6}} {
			for _, angle := range []float64{0, 0.7, 3} {
				w := chainWorld(t, at, angle, c.d)
				o := Options{View: view(at.X-5, at.Y-5, at.X+5, at.Y+5), Width: 400, Height: 400, Background: 0x102030}
				img := mustImage(t, w, o)
				q := geom.NewRot(angle)
				pixel := func(p geom.Vec) (int, int) {
					p = q.Apply(p)
					return int(200 + 40*p.X), int(200 - 40*p.Y)
				}
				for _, p := range c.solid {
					if got := img.RGBAAt(pixel(p)); got.R < 0x60 {
						t.Errorf("%s at %v, turned %v: %v is %v, and should be solid", c.name, at, angle, p, got)
					}
				}
				for _, p := range c.air {
					if got := img.RGBAAt(pixel(p)); got != hex(0x102030) {
						t.Errorf("%s at %v, turned %v: %v is %v, and should be air", c.name, at, angle, p, got)
					}
				}
			}
		}
	}
}

var number = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)

// A chain of 100,000 points makes a small file from any view, without coordinates far
// outside the picture.
func TestChainOfManyPoints(t *testing.T) {
	var d quarry.ChainDef
	for i := range 100_000 {
		sin, _ := geom.SinCos(float64(i) / 700)
		d.Points = append(d.Points, geom.V(50_000-float64(i), 300*sin))
	}
	w := chainWorld(t, geom.Vec{}, 0, d)
	for _, c := range []struct {
		view geom.AABB
		most int // bytes
	}{
		{geom.AABB{}, 200e3},
		{view(49_900, -10, 50_000, 50), 30e3},
		{geom.Box(d.Points[100], d.Points[100]).Expand(1e-3), 4e3},
		{view(1e6, 1e6, 1e6+10, 1e6+10), 1e3},
	} {
		o := Options{View: c.view}
		var b bytes.Buffer
		if err := WriteSVG(&b, w, o); err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %d bytes", c.view, b.Len())
		if b.Len() > c.most {
			t.Errorf("%v: %d bytes, more than %d", c.view, b.Len(), c.most)
		}
		for _, path := range regexp.MustCompile(` d="[^"]*"`).FindAllString(b.String(), -1) {
			for _, n := range number.FindAllString(path, -1) {
				if x, _ := strconv.ParseFloat(n, 64); x < -600 || x > 1600 {
					t.Fatalf("%v: a coordinate of %v in the file", c.view, x)
				}
			}
		}
	}
}

// A chain that goes to and fro a hundred thousand times makes a bounded file, too:
// within the view, and when it only looks in.
func TestChainToAndFro(t *testing.T) {
	var d quarry.ChainDef
	for i := range 100_000 {
		d.Points = append(d.Points, geom.V(float64(i)/1000, float64(i%2*50)))
	}
	w := chainWorld(t, geom.Vec{}, 0, d)
	for _, v := range []geom.AABB{{}, view(0, 48, 100, 51)} {
		var b bytes.Buffer
		if err := WriteSVG(&b, w, Options{View: v, Draw: quarry.DrawNormals | quarry.DrawGhosts}); err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %d bytes", v, b.Len())
		if b.Len() > 6e6 {
			t.Errorf("%v: %d bytes", v, b.Len())
		}
	}
}

// A chain that is all there is is in view, and one out of view costs nothing.
func TestChainFits(t *testing.T) {
	w := chainWorld(t, geom.V(100, 50), 0, quarry.ChainDef{Points: []geom.Vec{{X: 20, Y: 0}, {X: -20, Y: 7}}})
	if got := Fit(w); !got.Contains(view(80, 50, 120, 57)) {
		t.Errorf("Fit gives %v", got)
	}
}

// Normals, ghost vertices and boxes of chains show: a segment in the middle has two ghost
// vertices, a segment at an end one, and with Ghost1 or Ghost2 two.
func TestChainOverlays(t *testing.T) {
	w := chainWorld(t, geom.Vec{}, 0, quarry.ChainDef{
		Points: []geom.Vec{{X: 3, Y: 0}, {X: 1, Y: 1}, {X: -1, Y: 0}, {X: -3, Y: 1}},
		Ghost1: geom.V(4, 1), HasGhost1: true,
	})
	r := &strokeCounter{strokes: map[string]int{}}
	o, err := Options{
		View: view(-5, -5, 5, 5),
		Draw: quarry.DrawNormals | quarry.DrawGhosts | quarry.DrawBoxes,
	}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	drawWorld(r, w, o)
	if got := [...]int{r.strokes["normals"], r.strokes["ghosts"], r.strokes["boxes"]}; got != [...]int{3, 5, 1} {
		t.Errorf("%v normals, links and boxes", got)
	}
}

// strokeCounter counts the contours that are stroked in each group.
type strokeCounter struct {
	name    string
	strokes map[string]int
}

func (c *strokeCounter) Group(name string)           { c.name = name }
func (*strokeCounter) Fill(*canvas.Path, canvas.Ink) {}
func (*strokeCounter) Clip(*canvas.Path)             {}
func (*strokeCounter) Unclip()                       {}
func (c *strokeCounter) Stroke(p *canvas.Path, _ float64, _ canvas.Ink) {
	for _, s := range p.Steps {
		if s.Verb == canvas.MoveTo {
			c.strokes[c.name]++
		}
	}
}
