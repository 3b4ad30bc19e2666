package draw

import (
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// view is a list with a view of 10 units about (100, 0), which is its origin.
func view() *List {
	return &List{View: geom.Box(geom.V(95, -5), geom.V(105, 5)), Origin: geom.V(100, 0)}
}

// TestHullInView: a shape in the view is a hull with its points relative to the origin; a segment is a line; a shape
// out of the view, or in another layer, is left out.
func TestHullInView(t *testing.T) {
	l := view()
	box, line := collide.NewHull(geom.NewBox(1, 2)), collide.NewHull(geom.Segment{B: geom.V(1, 0)})
	at := geom.At(geom.V(102, 1))
	l.Hull(Tag{Layer: Shapes, Body: 3}, &box, at)
	l.Hull(Tag{Layer: Shapes}, &line, at)
	l.Hull(Tag{Layer: Shapes}, &box, geom.At(geom.V(130, 0)))
	l.Hull(Tag{Layer: Boxes}, &box, at)
	if len(l.Parts) != 2 {
		t.Fatalf("%d parts", len(l.Parts))
	}
	p := l.Parts[0]
	bounds := geom.Empty
	for _, q := range p.Points[:p.N] {
		bounds = bounds.Union(geom.Box(q, q))
	}
	if p.Form != Hull || p.Body != 3 || bounds != geom.Box(geom.V(1, -1), geom.V(3, 3)) {
		t.Errorf("the box is %+v", p)
	}
	if q := l.Parts[1]; q.Form != Line || q.N != 2 {
		t.Errorf("the segment is %+v", q)
	}
}

// TestSurfaceInView: of a ground and of a chain, only the segments in the view are listed, as lines, normals or ghost
// vertices.
func TestSurfaceInView(t *testing.T) {
	grid, chain := gridseg.New(nil), &surface.Chain{}
	_ = grid.Fill(gridseg.Rect{MinX: 0, MinY: -20, MaxX: 199, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
	grid.Resolve()
	for x := 200; x >= 0; x-- {
		chain.Points = append(chain.Points, geom.V(float64(x), float64(x%2)*0.125))
	}
	chain.Build()
	for name, add := range map[string]func(*List, Layers){
		"ground": func(l *List, of Layers) {
			l.Ground(Tag{Layer: of}, &surface.Tiles{Grid: grid},
				geom.At(geom.Vec{}))
		},
		"chain": func(l *List, of Layers) { l.Chain(Tag{Layer: of}, chain, geom.At(geom.Vec{})) },
	} {
		for layer, form := range map[Layers]Form{Surfaces: Line, Normals: Arrow, Ghosts: Point} {
			l := view()
			add(l, layer)
			if n := len(l.Parts); n < 10 || n > 30 {
				t.Errorf("%s, layer %s: %d parts for 10 units", name, layer.Names(), n)
			}
			for _, p := range l.Parts {
				a, b := p.Points[0], p.Points[1]
				if p.Form != form || a.X < -8 || a.X > 8 || layer == Normals && (b.Sub(a).Y < 0.9 ||
					b.Dist(a) > 1+1e-9) ||
					layer == Surfaces && b.X-a.X != -1 {
					t.Errorf("%s, layer %s: %+v", name, layer.Names(), p)
				}
			}
		}
		l := view()
		if add(l, Contacts); len(l.Parts) > 0 {
			t.Errorf("%s: %d parts in a layer that has no segments", name, len(l.Parts))
		}
	}
}

// TestContactParts: a contact is a point and a normal, with the separation; its impulse is an arrow of both parts of
// the impulse.
func TestContactParts(t *testing.T) {
	l := view()
	p := contact.Point{Separation: -0.01}
	l.Contact(Tag{Layer: Contacts}, geom.V(101, 1), geom.V(0, 1), &p, &[2]float32{2, 3})
	l.Contact(Tag{Layer: Impulses}, geom.V(101, 1), geom.V(0, 1), &p, &[2]float32{2, 3})
	l.Contact(Tag{Layer: Impulses}, geom.V(101, 1), geom.V(0, 1), &p, &[2]float32{})
	l.Contact(Tag{Layer: Contacts}, geom.V(120, 1), geom.V(0, 1), &p, &[2]float32{2, 3})
	if len(l.Parts) != 3 {
		t.Fatalf("%d parts", len(l.Parts))
	}
	at := geom.V(1, 1)
	for k, want := range []struct {
		form Form
		to   geom.Vec
	}{{Point, geom.Vec{}}, {Arrow, geom.V(1, 2)}, {Arrow, at.Add(geom.V(3, 2))}} {
		if p := l.Parts[k]; p.Form != want.form || p.Points[0] != at || p.Form == Arrow && p.Points[1] != want.to ||
			p.Value != -0.01 {
			t.Errorf("part %d is %+v, want %+v", k, p, want)
		}
	}
}

// TestJoined: the box of a group holds the boxes of its members, and counts them; an empty group, and one out of the
// view, are left out.
func TestJoined(t *testing.T) {
	l := view()
	j := l.Joined(Tag{Layer: Islands}, 3)
	j.Extend(1, geom.Box(geom.V(99, 0), geom.V(100, 1)))
	j.Extend(1, geom.Box(geom.V(101, -1), geom.V(102, 0)))
	j.Extend(3, geom.Box(geom.V(150, 0), geom.V(151, 1)))
	if j.End(); len(l.Parts) != 1 || l.Parts[0].Points[0] != geom.V(-1, -1) ||
		l.Parts[0].Points[2] != geom.V(2, 1) || l.Parts[0].Value != 2 {
		t.Errorf("the groups are %+v", l.Parts)
	}
}
