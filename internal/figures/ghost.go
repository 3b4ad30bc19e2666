package main

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

var ghostPart = chapter{
	title: "Ghost collisions",
	text: "Solid is sand-coloured; a short tick is a face's normal, a blue ring a ghost vertex. Green arrows are " +
		"the resulting normals, red ones those without ghosts. \"Without ghosts\" is the same face with both ends " +
		"open, \"two-sided\" the same line as a segment that collides on both sides. A Gauss map tests the face in " +
		"every direction, degree by degree, with a box laid 0.02 deep on the end that the direction leans over: " +
		"green is admitted, yellow snapped, red skipped, grey behind; the black arrow is the face's normal, the " +
		"blue ones its neighbours'.",
	plates: []plate{
		{
			id: "seam", title: "The ghost collision",
			text: "A box of 0.8 slides right over two faces that meet at (1, 0), 0.03 deep and 0.02 past the " +
				"seam. Without ghosts the right face has its greatest separation to the left, (-1, 0), and stops " +
				"the box. With ghosts its left end is flat, and the normal snaps.",
			columns: 2, draw: drawSeam,
		},
		{
			id: "peak", title: "A peak from behind",
			text: "A box of 0.6 came up a slope of 0.3 in 2 and passed the peak at (1, 0) by 0.01, 0.03 deep. A " +
				"two-sided slope beyond pushes it back down (left). A face beyond has the box's centre behind its " +
				"line and makes no contact (right): the slope below carries the box alone.",
			columns: 2, draw: drawPeak,
		},
		{
			id: "ghosts", title: "Ghost vertices",
			text: "A face has two vertices, A and B, and its neighbours' far ends: ghost1 before A, ghost2 after B. " +
				"Solid is on the left from A to B. The source's chains are given them; [gridseg](gridseg.md) finds " +
				"them for every segment.",
			wide: 420, columns: 1, draw: drawGhosts,
		},
		{
			id: "voronoi", title: "A convex corner",
			text: "A box tips, and a circle rolls, over the corner at (0, 0), from level ground to a slope of 4 " +
				"in 5. The box's normal turns with it from (0, 1) to the slope's (0.625, 0.781), never beyond; the " +
				"circle's points from the corner to its centre.",
			columns: 2, draw: drawVoronoi,
		},
		{
			id: "concave", title: "A concave corner",
			text: "Left, each face pushes a circle along its own normal; the corner pushes nothing. Right, a box " +
				"is 0.15 into the floor and 0.1 into it from the side, so its own right face has the greatest " +
				"separation, with (-1, 0). The concave corner snaps the normal to the floor's.",
			columns: 2, draw: drawConcave,
		},
		{
			id: "combinations", title: "The combinations and their Gauss maps",
			text: "The heavy face runs from (0.6, 0) to (-0.6, 0). Its normal is at 90 degrees, the falling " +
				"neighbours' 38.7 to either side. Convex at both ends, it admits 90 +- 38.7 degrees and skips the " +
				"rest; concave at both, it snaps all to 90; with one of each, it admits, snaps and skips. Below the " +
				"horizontal, or behind a rising neighbour (14 degrees above it), is solid: no face is tested there.",
			columns: 2, wide: 420, draw: drawCombinations,
		},
		{
			id: "skip", title: "Convex at both ends: skip",
			text: "A box turned by -30 degrees presses on the left slope, 0.06 over the top's edge. Without " +
				"ghosts the top pushes it with (-0.866, 0.5), beyond the slope's normal at 128.7 degrees. The top " +
				"skips it, because the slope collides. If the neighbour is not the better face, the top uses its " +
				"own normal, so that no corner falls between two skipping faces.",
			columns: 2, draw: drawSkip,
		},
		{
			id: "snap", title: "Concave at both ends: snap",
			text: "The floor and box of [a concave corner](#concave). Unsnapped, the floor would push the box " +
				"against the rise; skipped, it would let the box through. Snapped, the floor holds it, and the rise " +
				"along its own normal.",
			columns: 2, draw: drawSnap,
		},
		{
			id: "mixed", title: "One end of each kind",
			text: "The floor's left end is concave, its right end convex. A box over the left end, at (-1, " +
				"0.35), is snapped; a box on the right slope, turned by 30 degrees, is skipped by the floor and " +
				"held by the slope.",
			columns: 2, draw: drawMixed,
		},
		{
			id: "admit", title: "Admit, snap and skip: before and after",
			text: "The same floor, with a box on one of its ends. A lean of 20 degrees to the right is in the " +
				"convex corner's range: admitted; 20 to the left, over the concave end: snapped; 60 to the right, " +
				"beyond the slope's normal: skipped.",
			draw: drawAdmit,
		},
		{
			id: "tall", title: "Inside or outside by the neighbours",
			text: "A two-sided chain infers a body's side from its neighbours: a tall box that leans over the low " +
				"wall on the left counts as outside. With one-sided faces the corner at (0, 0) is always concave: " +
				"the floor holds the box with (0, 1) in all three.",
			draw: drawTall,
		},
		{
			id: "oneside", title: "One-sided faces",
			text: "A circle of radius 0.4 at heights 0.3, 0 and -0.1 over a floor. With its centre in front of the " +
				"line or on it, it is pushed out by its depth; with its centre behind, [the cell](#inside) decides.",
			draw: drawOneSide,
		},
		{
			id: "circles", title: "Circles and capsules: regions of the surface",
			text: "Each tick is the normal of a circle (left) or lying capsule (right) centred there, in the " +
				"colour of its face: parallel over a face, a fan over a convex corner, none of its own at a concave " +
				"one. Near a concave corner two faces (once three for the capsule) touch, and each makes a contact. " +
				"No tick points into the solid; one of the circle's always points from the nearest surface point.",
			columns: 2, draw: drawCircles,
		},
		{
			id: "open", title: "The end of an open chain",
			text: "The chain ends at (0, 0). An end without a ghost admits any direction in front of the face: " +
				"the circle is pushed from the tip to its centre, the box by its own face. Ground of tiles has such " +
				"ends only with preserved layers or one-way tiles.",
			columns: 2, draw: drawOpen,
		},
	},
}

func drawSeam(s *sheet) {
	b := boxAt(.4, .4, .62, .37, 0)
	for i, head := range []string{"without ghosts", "with ghosts"} {
		p := s.panel(head, .05, -.35, 1.95, 1.05)
		p.solid(under(-1, vertices(flatSeam)...))
		p.shape(b.shape, b.at, inkBodyB)
		if i == 0 {
			p.faces(flatSeam)
			p.gauss(bare(flatSeam[1]), geom.V(1.6, .6), 30)
			m := onFace(bare(flatSeam[1]), b)
			p.found("right face", m, true, inkBefore)
			s.want("seam without ghosts", &m, 1, geom.V(-1, 0))
		} else {
			p.faces(flatSeam, 1)
			n := p.gauss(flatSeam[1], geom.V(1.6, .6), 30)
			s.holds(n[snapped] == 180, "not all is snapped: %v", n)
			m := onFace(flatSeam[1], b)
			p.found("right face", m, true, inkGiven)
			s.want("seam", &m, 2, geom.V(0, 1))
			s.depth("seam", &m, 0, -.03)
		}
		m := onFace(flatSeam[2], b)
		p.found("left face", m, true, inkGiven)
		s.want("left face", &m, 2, geom.V(0, 1))
	}
}

func drawPeak(s *sheet) {
	fs := surface(geom.V(2.2, -1), geom.V(1, 0), geom.V(-1, -.3))
	u, _ := geom.V(2, .3).Unit()
	n := u.Left()
	b := solidBody{geom.NewBox(.3, .3), geom.Transform{
		P: geom.V(1, 0).MulAdd(-.29, u).MulAdd(.27, n),
		Q: geom.Rot{C: u.X, S: u.Y},
	}}
	for i, head := range []string{"two-sided", "with ghosts"} {
		p := s.panel(head, -.3, -.6, 1.8, .9)
		p.solid(under(-2, vertices(fs)...))
		p.shape(b.shape, b.at, inkBodyB)
		if i == 0 {
			p.faces(fs)
			m := twoSided(fs[0], b)
			p.found("the slope beyond", m, true, inkBefore)
			s.holds(m.N > 0 && m.Normal.Dot(u) < -.5, "two-sided: %+v", m)
		} else {
			p.faces(fs, 0)
			p.gauss(fs[0], geom.V(1.5, .5), 30)
			m := onFace(fs[0], b)
			p.found("the slope beyond", m, true, inkGiven)
			s.want("behind the peak", &m, 0, n)
		}
		m := onFace(fs[1], b)
		p.found("the slope below", m, true, inkGiven)
		s.want("the slope", &m, 2, n)
		s.depth("the slope", &m, 0, -.03)
	}
}

func drawGhosts(s *sheet) {
	p := s.panel("A face and its ghosts", -2, -1, 2, 1.2)
	p.solid(under(-2, vertices(ledge)...))
	p.faces(ledge, 1)
	p.gauss(ledge[1], geom.V(0, .7), 34)
	f := ledge[1]
	p.label(f.A, -4, -10, "A")
	p.label(f.B, -4, -10, "B")
	p.caption("A %s, B %s, ghost1 %s, ghost2 %s", vec(f.A), vec(f.B), vec(f.Ghost1), vec(f.Ghost2))
	s.holds(f.Ghost1 == ledge[0].A && f.Ghost2 == ledge[2].B && f.HasGhost1 && f.HasGhost2, "ghosts %v", f)
}

// slope is a level that ends at (0, 0) and a slope of 4 in 5 down from there.
var slope = surface(geom.V(2, -1.6), geom.V(0, 0), geom.V(-2, 0))

func drawVoronoi(s *sheet) {
	last := normalOf(slope[0])
	p := s.panel("a box tips over", -1.3, -1, 1.3, 1.1)
	p.solid(under(-3, vertices(slope)...))
	p.faces(slope)
	p.gauss(slope[1], geom.V(-.9, .75), 26)
	worst := 0.0
	tip := func(angle float64, drawn bool) (normals []geom.Vec) {
		q := geom.NewRot(-angle)
		b := solidBody{geom.NewBox(.5, .3), geom.Transform{P: q.Apply(geom.V(0, .295)), Q: q}}
		if drawn {
			p.shape(b.shape, b.at, inkBodyB.Fade(.5))
		}
		given := 0
		for _, f := range slope {
			m := onFace(f, b)
			if m.N == 0 {
				continue
			}
			given++
			if drawn {
				normals = append(normals, m.Normal)
			}
			worst = max(worst, m.Normal.Dist(q.Apply(geom.V(0, 1))))
			s.holds(m.Normal.Cross(geom.V(0, 1)) > -1e-9 && last.Cross(m.Normal) > -1e-9, "out of range: %v", m.Normal)
		}
		s.holds(given > 0, "nothing holds the box at %v", angle)
		return normals
	}
	var arrows []geom.Vec
	for k := range 101 {
		arrows = append(arrows, tip(float64(k)/100*math.Atan2(4, 5), k%25 == 0)...)
	}
	for _, n := range arrows {
		p.arrow(geom.V(0, 0), n, 70, 2, inkGiven)
	}
	arrows = arrows[:0]
	p.caption("from (0, 1) to %s", vec(last))
	s.holds(worst < .01, "a normal is %v off the box's side", worst)

	p = s.panel("a circle rolls over", -1.3, -1, 1.3, 1.1)
	p.solid(under(-3, vertices(slope)...))
	p.faces(slope)
	p.gauss(slope[0], geom.V(.95, .75), 26)
	for k := range 5 {
		q := geom.NewRot(-float64(k) / 4 * math.Atan2(4, 5))
		c := q.Apply(geom.V(0, .395))
		b := circleAt(.4, c.X, c.Y)
		p.shape(b.shape, b.at, inkBodyB.Fade(.5))
		given := 0
		for _, f := range slope {
			if m := onFace(f, b); m.N > 0 {
				given++
				arrows = append(arrows, m.Normal)
				s.want("rolling", &m, 1, q.Apply(geom.V(0, 1)))
				s.depth("rolling", &m, 0, -.005)
			}
		}
		s.holds(given > 0, "nothing holds the circle")
	}
	for _, n := range arrows {
		p.arrow(geom.V(0, 0), n, 70, 2, inkGiven)
	}
}

func drawConcave(s *sheet) {
	steep := surface(geom.V(1.4, .8), geom.V(0, 0), geom.V(-1.4, .8))
	p := s.panel("a circle in a corner", -1.2, -.5, 1.2, 1.4)
	p.solid(under(-1, vertices(steep)...))
	b := circleAt(.4, 0, .45)
	p.shape(b.shape, b.at, inkBodyB)
	p.faces(steep)
	p.gauss(steep[0], geom.V(.85, 1.1), 24)
	p.gauss(steep[1], geom.V(-.85, 1.1), 24)
	for i, f := range steep {
		m := onFace(f, b)
		p.found([]string{"right face", "left face"}[i], m, true, inkGiven)
		s.want("corner", &m, 1, normalOf(f))
	}
	floor := tray[1]
	box := boxAt(.5, .5, -1, .35, 0)
	p = s.panel("a box's side is least", -1.9, -.6, .9, 1.3)
	p.solid(under(-1, vertices(tray)...))
	p.shape(box.shape, box.at, inkBodyB)
	p.faces(tray, 1)
	p.gauss(floor, geom.V(.4, .9), 30)
	m := onFace(bare(floor), box)
	p.found("floor without ghosts", m, true, inkBefore)
	s.want("bare floor", &m, 1, geom.V(-1, 0))
	s.depth("bare floor", &m, 0, -.1)
	m = onFace(floor, box)
	p.found("floor with ghosts", m, true, inkGiven)
	s.holds(m.N > 0 && m.Normal == geom.V(0, 1), "floor: %+v", m)
}

func drawTall(s *sheet) {
	low := []geom.Vec{geom.V(2, 0), geom.V(0, 0), geom.V(-.1, .15)}
	for i, head := range []string{"upright", "tilted", "with a second neighbour"} {
		angle := []float64{0, math.Pi / 3, math.Pi / 3}[i]
		v := low
		if i == 2 {
			v = append(append([]geom.Vec{}, low...), geom.V(-1.5, .9))
		} else {
			v = append(append([]geom.Vec{}, low...), geom.V(-.1, -1))
		}
		fs := surface(v...)
		p := s.panel(head, -1.9, -.5, 1.7, 2.3)
		p.solid(under(-1, v...))
		q := geom.NewRot(angle)
		b := solidBody{geom.NewBox(.3, 1), geom.Transform{P: geom.V(.2, -.03).Sub(q.Apply(geom.V(-.3, -1))), Q: q}}
		p.shape(b.shape, b.at, inkBodyB)
		p.dot(b.at.P, 3, inkBodyB.Mix(canvas.RGB(0), .4))
		p.faces(fs, 0)
		p.gauss(fs[0], geom.V(1.3, 1.6), 26)
		p.dashed(geom.V(-1, 1.5), geom.V(.3, -.45), inkPlane)
		wall := normalOf(fs[1]).Dot(b.at.P)
		s.holds(wall > 0 == (i == 0), "the middle is %v before the wall", wall)
		m := onFace(fs[0], b)
		p.found("floor", m, true, inkGiven)
		s.holds(m.N > 0 && m.Normal == geom.V(0, 1), "%s: %+v", head, m)
	}
}

func drawOpen(s *sheet) {
	fs := surface(geom.V(2, 0), geom.V(0, 0))
	p := s.panel("a circle at the tip", -1.2, -.7, 1.2, 1.1)
	p.solid(under(-.12, vertices(fs)...))
	b := circleAt(.4, -.25, .28)
	p.shape(b.shape, b.at, inkBodyB)
	p.faces(fs)
	p.gauss(fs[0], geom.V(.8, .75), 26)
	m := onFace(fs[0], b)
	p.found("face", m, true, inkGiven)
	n, d := geom.V(-.25, .28).Unit()
	s.want("tip", &m, 1, n)
	s.depth("tip", &m, 0, d-.4)
	p = s.panel("a box at the tip", -1.2, -.7, 1.2, 1.1)
	p.solid(under(-.12, vertices(fs)...))
	b = boxAt(.3, .3, -.28, .2, 0)
	p.shape(b.shape, b.at, inkBodyB)
	p.faces(fs)
	m = onFace(fs[0], b)
	p.found("face", m, true, inkGiven)
	s.want("tip", &m, 1, geom.V(-1, 0))
	s.depth("tip", &m, 0, -.02)
}
