package render

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

var ghostPart = chapter{
	title: "Ghost collisions",
	text: "Solid is sand-coloured; each face has its normal as a short tick, and its ghosts are blue rings. Green arrows are the normals that come out, red ones those that would without ghosts. " +
		"\"Without ghosts\" is the same face with both ends open; \"two-sided\" is the same line as a segment that collides on both sides. " +
		"In a Gauss map the face is asked about every direction, degree by degree, by a box that is laid 0.02 deep on the end that the direction leans over: green is admitted, yellow snapped, red skipped, grey behind; the black arrow is the face's normal, the blue ones are its neighbours'.",
	plates: []plate{
		{
			id: "seam", title: "The ghost collision",
			from:    "Ghost collisions, figure \"Ghost Collision\"",
			text:    "A box of 0.8 slides to the right over two faces that meet at (1, 0); it is 0.03 deep and has come 0.02 over the seam. Without ghosts the right face finds that it takes less to push it to the left, (-1, 0), and stops it. With ghosts the left end of that face is flat, so the normal is snapped to (0, 1).",
			columns: 2, draw: drawSeam,
		},
		{
			id: "peak", title: "A peak from behind",
			from:    "Ghost collisions, figure \"Backside Collision\"",
			text:    "A box of 0.6 comes up a slope of 0.3 in 2 and has passed the peak at (1, 0) by 0.01, 0.03 deep. The slope beyond is two-sided on the left, and pushes the box back down. On the right it is a face: the box's middle is behind its line, so it says nothing, and the slope under the box carries it alone.",
			columns: 2, draw: drawPeak,
		},
		{
			id: "ghosts", title: "Ghost vertices",
			from: "Ghost collisions, figure \"Ghost Vertices\"",
			text: "A face has two vertices, A and B, and the far ends of its neighbours: ghost1 before A, ghost2 after B. Solid is on the left from A to B. In the source they are given by whoever makes the chain; here gridseg finds them for every segment, and keeps them through edits (see [gridseg.md](gridseg.md)).",
			wide: 420, columns: 1, draw: drawGhosts,
		},
		{
			id: "voronoi", title: "A convex corner",
			from:    "Ghost collisions, figure \"Voronoi Region\"",
			text:    "A box that tips over the corner at (0, 0), from level ground to a slope of 4 in 5, and a circle that rolls over it. The normal turns with the box from (0, 1) to the slope's (0.625, 0.781), and never leaves the range between. The circle's is the way from the corner to its centre.",
			columns: 2, draw: drawVoronoi,
		},
		{
			id: "concave", title: "A concave corner",
			from:    "Ghost collisions, figures \"Concave\" and \"Concave Overlap\"",
			text:    "Left, a circle lies in a corner: each face pushes it along its own normal, and the corner itself nothing. Right, a box is 0.15 into the floor and 0.1 into it from the side, so that the box's own right face separates best, with (-1, 0). The corner is concave, so the normal is snapped to the floor's.",
			columns: 2, draw: drawConcave,
		},
		{
			id: "combinations", title: "The combinations, each with its Gauss map",
			from:    "Ghost collisions, figures \"Edge Combinations\" and of the Gauss map",
			text:    "The heavy face runs from (0.6, 0) to (-0.6, 0). Its normal stands at 90 degrees, the falling neighbours' at 38.7 to either side of that. Convex at both ends it admits 90 +- 38.7 degrees and skips the rest; concave at both it snaps all to 90; with one of each it admits, skips and snaps. What is below the horizontal, or behind a rising neighbour (14 degrees above it), is the inside of solid, and nothing is asked of a face there.",
			columns: 2, wide: 420, draw: drawCombinations,
		},
		{
			id: "skip", title: "Convex at both ends: skip",
			from:    "Ghost collisions, Case 1",
			text:    "A box turned by -30 degrees presses on the left slope and is 0.06 over the edge of the top. Without ghosts the top pushes it with (-0.866, 0.5), which is beyond the slope's normal at 128.7 degrees. The top skips it: the slope has it already. The source skips whatever is out of range; here the neighbour must in fact touch, and be the better of the two, else the face's own normal is used, so that a box's corner right on the ground's corner cannot fall between two faces that both skip it.",
			columns: 2, draw: drawSkip,
		},
		{
			id: "snap", title: "Concave at both ends: snap",
			from:    "Ghost collisions, Case 2",
			text:    "The same floor as in [a concave corner](#concave), and the same box. The left face would push it to the left, against the rise; skipping it would let it through the floor. Snapped to (0, 1) the floor holds it, 0.15 deep; the rise on the left holds it too, along its own normal.",
			columns: 2, draw: drawSnap,
		},
		{
			id: "mixed", title: "One of each",
			from:    "Ghost collisions, Case 3",
			text:    "The floor's left end is concave, its right end convex. A box over the left end, at (-1, 0.35), is snapped to (0, 1). One that presses on the right slope, turned by 30 degrees, is skipped by the floor and held by the slope.",
			columns: 2, draw: drawMixed,
		},
		{
			id: "admit", title: "Admit, snap and skip: before and after",
			from: "Ghost collisions, figure of the Gauss map",
			text: "The same floor, a box each laid on one of its ends. Leaning 20 degrees to the right its normal is within the convex corner's range: admitted as it is. Leaning 20 degrees to the left it is over the concave end: snapped to the floor's. Leaning 60 degrees to the right it is beyond the slope's normal: skipped.",
			draw: drawAdmit,
		},
		{
			id: "tall", title: "Inside or outside by the neighbours",
			from: "Ghost collisions, figures \"Tall Box\", \"Tall Box Tilted\" and \"Second Neighbor\"",
			text: "A two-sided chain must guess from its neighbours on which side a body is. A tall box leans over the low wall on the left until its middle is behind the wall's line; the guess would turn from inside to outside, and back if the wall leans on further out. Faces here have one side, so the corner at (0, 0) is concave whatever the box does: the floor holds it with (0, 1) in all three.",
			draw: drawTall,
		},
		{
			id: "oneside", title: "Only the face's own side",
			from: "Ghost collisions, \"Two-sided collision\"",
			text: "A circle of radius 0.4 at heights 0.3, 0 and -0.1 over a floor. Its centre decides: before the line, or on it, it is pushed out along (0, 1), the deeper the farther; behind it the face does nothing. What is then to be done is not asked of the face but of the cells: [Inside, by one look at the cell](#inside).",
			draw: drawOneSide,
		},
		{
			id: "circles", title: "Circles and capsules: whose is which place",
			from:    "Ghost collisions, \"Voronoi Regions\", for round shapes",
			text:    "Each tick is the normal of a circle (left) or a lying capsule (right) whose middle is there, its colour the face that gives it. Over a face the ticks are the face's normal, over a convex corner they fan out from it, a concave corner has none of its own. Near a concave corner two faces (for the capsule once three) reach a place, and each tells. No tick points into the solid, and for the circle one of them is always the way from the nearest point of the surface.",
			columns: 2, draw: drawCircles,
		},
		{
			id: "open", title: "The end of an open chain",
			from:    "adds to ghost collisions: an end without a ghost",
			text:    "The chain ends at (0, 0), with nothing beyond. An end that has no ghost admits any direction before the face, as the tip of a wall does: the circle is pushed along the way from the tip to its centre, the box by its own face. Ground made of tiles has no such ends unless layers are preserved.",
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
	b := solidBody{geom.NewBox(.3, .3), geom.Transform{P: geom.V(1, 0).MulAdd(-.29, u).MulAdd(.27, n), Q: geom.Rot{C: u.X, S: u.Y}}}
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
			p.shape(b.shape, b.at, inkBodyB.fade(.5))
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
		p.shape(b.shape, b.at, inkBodyB.fade(.5))
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
		p.dot(b.at.P, 3, inkBodyB.mix(rgb(0), .4))
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
