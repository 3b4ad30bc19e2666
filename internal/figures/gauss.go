package main

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

// verdict is the treatment of a direction by a face.
type verdict int

const (
	behind verdict = iota
	admitted
	snapped
	skipped
)

// judge lays a box with its lower side against the direction d 0.02 deep on the end of f
// that d leans over, and returns the verdict of f.
func judge(f collide.Face, d geom.Vec) verdict {
	n := normalOf(f)
	end, other := f.A, f.B
	if d.Dot(f.B.Sub(f.A)) > 0 {
		end, other = f.B, f.A
	}
	if d.Dot(n) <= 0 {
		return behind
	}
	q := geom.Rot{C: d.Y, S: -d.X}
	half := .5 * end.Dist(other)
	m := onFace(f, solidBody{geom.NewBox(half, 1.5), geom.Transform{P: end.MulAdd(1.48, d), Q: q}})
	switch {
	case inWall(f, end, end.MulAdd(1.48, d)):
		return behind
	case m.N == 0:
		return skipped
	case m.Normal.Dist(d) < 1e-6:
		return admitted
	case m.Normal.Dist(n) < 1e-6:
		return snapped
	}
	return behind
}

// inWall reports whether a place is behind the neighbour at a concave end of f, where
// only the inside of solid is.
func inWall(f collide.Face, end, place geom.Vec) bool {
	t, g := f.B.Sub(f.A), f.Ghost2.Sub(f.B)
	has, concave := f.HasGhost2, t.Cross(g) < 0
	if end == f.A {
		g = f.A.Sub(f.Ghost1)
		has, concave = f.HasGhost1, g.Cross(t) < 0
	}
	return has && concave && g.Right().Dot(place.Sub(end)) < 0
}

// gauss draws the Gauss map of a face by asking it about 360 directions: green is
// admitted, yellow snapped, red skipped, and grey is behind the face. It returns the
// sums of degrees of each.
func (p *panel) gauss(f collide.Face, at geom.Vec, r float64) [4]int {
	return p.gaussAt(f, p.at(at), r)
}

// gaussAt is gauss at a place in pixels.
func (p *panel) gaussAt(f collide.Face, c geom.Vec, r float64) [4]int {
	var count [4]int
	colours := [4]canvas.Ink{inkNothing.Fade(.5), inkGiven.Fade(.8), inkSnap, inkBefore.Fade(.75)}
	p.path.Reset()
	p.path.Circle(c, r+3)
	p.v.Fill(&p.path, canvas.RGB(0xffffff))
	rim := func(deg int) geom.Vec {
		q := geom.NewRot(float64(deg) * math.Pi / 180)
		return c.Add(geom.V(r*q.C, -r*q.S))
	}
	of := func(k int) verdict { // from k to k+1 degrees
		q := geom.NewRot((float64(k) + .5) * math.Pi / 180)
		return judge(f, geom.V(q.C, q.S))
	}
	for k := 0; k < 360; {
		v, from := of(k), k
		for k < 360 && k-from < 90 && of(k) == v {
			k++
		}
		count[v] += k - from
		p.path.Reset()
		p.path.Move(c)
		p.path.Line(rim(from))
		p.path.Arc(c, rim(k))
		p.path.Close()
		p.v.Fill(&p.path, colours[v])
	}
	p.arrowAt(c, normalOf(f), r+10, 2, inkFace)
	for _, g := range []struct {
		has bool
		d   geom.Vec
	}{{f.HasGhost1, f.A.Sub(f.Ghost1)}, {f.HasGhost2, f.Ghost2.Sub(f.B)}} {
		if g.has {
			p.arrowAt(c, g.d.Right(), r+10, 1.4, inkGhost)
		}
	}
	return count
}
