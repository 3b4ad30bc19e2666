package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/render"
)

// overlay is marks in the world's coordinates over a picture.
type overlay struct {
	strings.Builder
	view  geom.AABB
	scale float64
}

// point returns p in the picture.
func (o *overlay) point(p geom.Vec) (x, y float64) {
	return (p.X - o.view.Min.X) * o.scale, (o.view.Max.Y - p.Y) * o.scale
}

func (o *overlay) line(a, b geom.Vec, colour string) {
	ax, ay := o.point(a)
	bx, by := o.point(b)
	fmt.Fprintf(o, `<path d="M%.2f %.2fL%.2f %.2f" stroke="%s" stroke-width="1.6" fill="none"/>`+"\n", ax, ay, bx, by,
		colour)
}

func (o *overlay) dot(p geom.Vec, colour string) {
	x, y := o.point(p)
	fmt.Fprintf(o, `<circle cx="%.2f" cy="%.2f" r="4" fill="%s"/>`+"\n", x, y, colour)
}

// hit marks a point and the normal there.
func (o *overlay) hit(p, n geom.Vec, colour string) {
	o.line(p, p.MulAdd(0.6, n), colour)
	o.dot(p, colour)
}

// shape draws the outline of s; more is further attributes.
func (o *overlay) shape(s geom.Shape, at geom.Transform, colour, more string) {
	style := fmt.Sprintf(`stroke="%s" stroke-width="1.6" fill="none" %s`, colour, more)
	switch s := s.(type) {
	case geom.Circle:
		x, y := o.point(at.Apply(s.Center))
		fmt.Fprintf(o, `<circle cx="%.2f" cy="%.2f" r="%.2f" %s/>`+"\n", x, y, s.Radius*o.scale, style)
	case geom.Capsule: // upright
		x, y := o.point(at.Apply(s.B))
		r, l := s.Radius*o.scale, s.A.Dist(s.B)*o.scale
		fmt.Fprintf(o, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" rx="%.2f" %s/>`+"\n", x-r, y-r, 2*r, l+2*r,
			r, style)
	case geom.Polygon:
		o.WriteString(`<path d="`)
		for i, v := range s.Vertices[:s.N] {
			x, y := o.point(at.Apply(v))
			fmt.Fprintf(o, "%s%.2f %.2f", map[bool]string{true: "M", false: "L"}[i == 0], x, y)
		}
		fmt.Fprintf(o, `Z" %s/>`+"\n", style)
	}
}

// queryPictures draws the picture of docs/queries.md from the answers of queries.
func queryPictures(t *report) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	for _, err := range []error{
		g.Fill(gridseg.Rect{MinX: -9, MinY: -2, MaxX: 9, MaxY: -1}, full(0)), g.Fill(gridseg.Rect{
			MinX: -9, MinY: 0,
			MaxX: -8, MaxY: 3,
		}, full(0)),
		g.Set(-3, 0, gridseg.Tile{Shape: gridseg.Ramp}), g.Set(-2, 0, full(0)), g.Dig(geom.V(2.5, 0.2),
			geom.V(2.5, 0.2), 1.3),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{
		{X: 8.5, Y: 2.6},
		{X: 7, Y: 2},
		{X: 5.5, Y: 2.4},
	}}); err != nil {
		t.Fatal(err)
	}
	for _, b := range []struct {
		at geom.Vec
		s  geom.Shape
	}{
		{geom.V(-5.5, 0.5), geom.NewBox(0.5, 0.5)},
		{geom.V(0.4, 0.45), geom.Circle{Radius: 0.45}},
		{geom.V(5, 0.5), geom.NewBox(0.5, 0.5)},
		{geom.V(-1, 3), geom.NewBox(0.5, 0.3)},
	} {
		w.AddShape(w.AddBody(quarry.BodyDef{Position: b.at}), b.s, quarry.ShapeDef{})
	}
	o := overlay{view: view(-9, -2, 9, 4.5), scale: 50}
	var f quarry.QueryFilter
	ray := func(a, b geom.Vec) {
		hits := w.AppendRayHits(nil, a, b.Sub(a), f)
		o.line(a, b, "#c0392b")
		for _, h := range hits {
			o.hit(h.Point, h.Normal, "#c0392b")
		}
	}
	first, ok := w.RayCast(geom.V(-6.7, 4), geom.V(3, -9), f)
	if !ok {
		t.Error("the ray")
	}
	o.line(geom.V(-6.7, 4), first.Point, "#c0392b")
	o.hit(first.Point, first.Normal, "#c0392b")
	ray(geom.V(-3, 3.6), geom.V(8, -1.46))
	cast := func(s geom.Shape, at, d geom.Vec) {
		hit, ok := w.ShapeCast(s, geom.At(at), d, f)
		if !ok {
			t.Errorf("the cast of %T", s)
		}
		end := at.MulAdd(hit.Fraction, d)
		o.shape(s, geom.At(at), "#2471a3", `stroke-dasharray="5 4"`)
		o.line(at, end, "#2471a3")
		o.shape(s, geom.At(end), "#2471a3", "")
		o.hit(hit.Point, hit.Normal, "#2471a3")
	}
	cast(geom.Capsule{A: geom.V(0, 0), B: geom.V(0, 0.7), Radius: 0.35}, geom.V(-4.4, 0.35), geom.V(9, 0))
	cast(geom.NewBox(0.4, 0.3), geom.V(7, 4), geom.V(-0.8, -6))
	blob := geom.Circle{Radius: 0.9}
	o.shape(blob, geom.At(geom.V(4.4, 0.2)), "#1e8449", "")
	for _, to := range w.AppendOverlaps(nil, blob, geom.At(geom.V(4.4, 0.2)), f) {
		if to.Ground != 0 {
			o.dot(geom.V(float64(to.Cell.X)+0.5, float64(to.Cell.Y)+0.5), "#1e8449")
		} else if s, ok := w.Shape(to.Shape); ok {
			o.dot(s.Bounds().Center(), "#1e8449")
		}
	}
	for _, p := range []geom.Vec{{X: 2.2, Y: 0.3}, {X: 0.6, Y: 3.4}, {X: 7.6, Y: 1.2}} {
		near, ok := w.Nearest(p, math.Inf(1), f)
		if !ok {
			t.Error("the nearest")
		}
		o.line(p, near.Point, "#7d3c98")
		o.dot(p, "#7d3c98")
		o.dot(near.Point, "#7d3c98")
	}
	stand := geom.Capsule{A: geom.V(0, 0.4), B: geom.V(0, 1), Radius: 0.4}
	o.shape(stand, geom.At(geom.V(-6.59, 0)), "#ca6f1e", "")
	planes := w.AppendPlanes(nil, stand, geom.At(geom.V(-6.59, 0)), 0.3, f)
	if len(planes) != 3 { // of the floor, the wall and the crate
		t.Errorf("planes %+v", planes)
	}
	for _, p := range planes {
		o.hit(p.Point, p.Normal, "#ca6f1e")
	}
	picture := string(t.svg(w, render.Options{View: o.view, Width: 900, Height: 325, Light: true}))
	t.show("docs/queries.md", "docs/queries.svg", []byte(strings.Replace(picture, "</svg>", o.String()+"</svg>", 1)))
}
