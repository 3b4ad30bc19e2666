package main

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

func drawCombinations(s *sheet) {
	for _, c := range []struct {
		head                   string
		fs                     []collide.Face
		admitted, snap, skipOf int
	}{
		{"convex and convex", dome, 77, 0, 103},
		{"concave and concave", tray, 0, 152, 0},
		{"concave and convex", ledge, 39, 76, 51},
		{"convex and concave", mirror, 39, 76, 51},
	} {
		p := s.panel(c.head, -1.9, -.9, 1.9, 1.3)
		p.solid(under(-2, vertices(c.fs)...))
		p.faces(c.fs, 1)
		n := p.gauss(c.fs[1], geom.V(0, .62), 46)
		p.caption("admitted %d degrees, snapped %d, skipped %d", n[admitted], n[snapped], n[skipped])
		near := func(a, b int) bool { return a-b <= 2 && b-a <= 2 }
		s.holds(near(n[admitted], c.admitted) && near(n[snapped], c.snap) && near(n[skipped], c.skipOf) &&
			near(n[behind], 360-c.admitted-c.snap-c.skipOf),
			"%s: %v", c.head, n)
	}
}

// pressed is a box turned by angle on the slope of the dome at that end, its side 0.06
// over the corner.
func pressed(side float64) solidBody {
	b := boxAt(.5, .5, -.856, .4365, -math.Pi/6)
	if side > 0 {
		b = boxAt(.5, .5, .856, .4365, math.Pi/6)
	}
	return b
}

func drawSkip(s *sheet) {
	b := pressed(-1)
	for i, head := range []string{"without ghosts", "with ghosts"} {
		p := s.panel(head, -1.9, -.9, 1, 1.4)
		p.solid(under(-2, vertices(dome)...))
		p.shape(b.shape, b.at, inkBodyB)
		p.faces(dome, []int{1}[:i]...)
		f, c := bare(dome[1]), inkBefore
		if i == 1 {
			f, c = dome[1], inkGiven
		}
		m := onFace(f, b)
		p.found("top", m, true, c)
		if i == 0 {
			s.want("top without ghosts", &m, 1, geom.NewRot(math.Pi*5/6).Apply(geom.V(1, 0)))
		} else {
			s.want("top", &m, 0, geom.Vec{})
			p.gauss(f, geom.V(.4, .85), 34)
		}
		m = onFace(dome[2], b)
		p.found("left slope", m, true, inkGiven)
		s.holds(m.N > 0 && m.Normal.Dist(normalOf(dome[2])) < 1e-9, "the slope: %+v", m)
	}
}

func drawSnap(s *sheet) {
	b := boxAt(.5, .5, -1, .35, 0)
	for i, head := range []string{"without ghosts", "with ghosts"} {
		p := s.panel(head, -1.9, -.6, .9, 1.5)
		p.solid(under(-1, vertices(tray)...))
		p.shape(b.shape, b.at, inkBodyB)
		p.faces(tray, []int{1}[:i]...)
		f, c := bare(tray[1]), inkBefore
		if i == 1 {
			f, c = tray[1], inkGiven
			p.gauss(f, geom.V(.4, 1), 34)
		}
		m := onFace(f, b)
		p.found("floor", m, true, c)
		if i == 0 {
			s.want("floor without ghosts", &m, 1, geom.V(-1, 0))
		} else {
			s.holds(m.N > 0 && m.Normal == geom.V(0, 1), "floor: %+v", m)
			s.depth("floor", &m, 0, -.15)
		}
		m = onFace(tray[2], b)
		p.found("left rise", m, true, inkGiven)
		s.holds(m.N > 0 && m.Normal.Dist(normalOf(tray[2])) < 1e-9, "the rise: %+v", m)
	}
}

func drawMixed(s *sheet) {
	p := s.panel("over the concave end", -1.9, -.8, 1.4, 1.5)
	p.solid(under(-2, vertices(ledge)...))
	b := boxAt(.5, .5, -1, .35, 0)
	p.shape(b.shape, b.at, inkBodyB)
	p.faces(ledge, 1)
	p.gauss(ledge[1], geom.V(.8, 1), 34)
	m := onFace(ledge[1], b)
	p.found("floor", m, true, inkGiven)
	s.holds(m.N > 0 && m.Normal == geom.V(0, 1), "floor: %+v", m)
	p = s.panel("over the convex end", -1.4, -.8, 1.9, 1.5)
	p.solid(under(-2, vertices(ledge)...))
	b = pressed(1)
	p.shape(b.shape, b.at, inkBodyB)
	p.faces(ledge, 1)
	p.gauss(ledge[1], geom.V(-.8, 1), 34)
	m = onFace(bare(ledge[1]), b)
	p.found("floor without ghosts", m, true, inkBefore)
	s.want("bare floor", &m, 1, geom.NewRot(math.Pi/6).Apply(geom.V(1, 0)))
	m = onFace(ledge[1], b)
	p.tell("floor", m, true)
	s.want("floor", &m, 0, geom.Vec{})
	m = onFace(ledge[0], b)
	p.found("right slope", m, true, inkGiven)
	s.holds(m.N > 0 && m.Normal.Dist(normalOf(ledge[0])) < 1e-9, "slope: %+v", m)
}

func drawAdmit(s *sheet) {
	for _, c := range []struct {
		head    string
		degrees float64
		end     geom.Vec
		want    verdict
	}{
		{"admitted", 20, ledge[1].A, admitted}, {"snapped", -20, ledge[1].B, snapped}, {
			"skipped", 60, ledge[1].A,
			skipped,
		},
	} {
		p := s.panel(fmt.Sprintf("%s: leaning by %s degrees", c.head, num(c.degrees)), -1.5, -.8, 1.9, 1.7)
		p.solid(under(-2, vertices(ledge)...))
		q := geom.NewRot(-c.degrees * math.Pi / 180)
		d := q.Apply(geom.V(0, 1))
		b := solidBody{geom.NewBox(.5, .4), geom.Transform{P: c.end.MulAdd(.36, d), Q: q}}
		p.shape(b.shape, b.at, inkBodyB)
		p.faces(ledge, 1)
		p.gauss(ledge[1], geom.V(-1, 1.2), 30)
		m := onFace(bare(ledge[1]), b)
		p.points(&m, inkBefore.Fade(.6))
		p.tell("before", m, true)
		s.holds(m.N > 0 && m.Normal.Dist(d) < 1e-9, "%s before: %+v", c.head, m)
		m = onFace(ledge[1], b)
		p.found("after", m, true, inkGiven)
		switch c.want {
		case admitted:
			s.want(c.head, &m, 1, d)
		case snapped:
			s.holds(m.N > 0 && m.Normal == geom.V(0, 1), "snapped: %+v", m)
		case skipped:
			s.want(c.head, &m, 0, d)
		}
		s.holds(judge(ledge[1], d) == c.want, "the Gauss map says %v", judge(ledge[1], d))
	}
}
