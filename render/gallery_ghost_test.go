package render

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// surface returns the faces of an open line of vertices, solid on the left, each with
// the ghosts that the line has.
func surface(v ...geom.Vec) []collide.Face {
	var fs []collide.Face
	for i := range len(v) - 1 {
		f := collide.Face{A: v[i], B: v[i+1]}
		if i > 0 {
			f.Ghost1, f.HasGhost1 = v[i-1], true
		}
		if i+2 < len(v) {
			f.Ghost2, f.HasGhost2 = v[i+2], true
		}
		fs = append(fs, f)
	}
	return fs
}

// bare returns a face without its ghosts: what it would say if it knew nothing of its
// neighbours, and so what the separating axes alone say.
func bare(f collide.Face) collide.Face { return collide.Face{A: f.A, B: f.B} }

// meet1 returns the manifold of a face and a body, in the world's axes.
func onFace(f collide.Face, b solidBody) collide.Manifold {
	var m collide.Manifold
	h := collide.NewHull(b.shape)
	collide.FaceHull(&m, &f, &h, b.at, .02)
	return m
}

// twoSided returns the manifold of a face taken as a line that collides on both sides
// and a body.
func twoSided(f collide.Face, b solidBody) collide.Manifold {
	return touch(solidBody{geom.Segment{A: f.A, B: f.B}, geom.At(geom.Vec{})}, b, .02)
}

func normalOf(f collide.Face) geom.Vec {
	n, _ := f.B.Sub(f.A).Right().Unit()
	return n
}

// under is the line of vertices with solid below it, down to y, as a polygon.
func under(y float64, v ...geom.Vec) []geom.Vec {
	return append(append([]geom.Vec{}, v...), geom.V(v[len(v)-1].X, y), geom.V(v[0].X, y))
}

func circleAt(r, x, y float64) solidBody { return solidBody{geom.Circle{Radius: r}, geom.At(geom.V(x, y))} }

// verdict is what a face does with a direction.
type verdict int

const (
	behind verdict = iota
	admitted
	snapped
	skipped
)

// judge lays a box with its lower side against the direction d 0.02 deep on the end of
// f that d leans over, and returns what f makes of it.
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
	case m.N == 0 && inWall(f, end, end.MulAdd(1.48, d)):
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
	g := f.Ghost2.Sub(f.B).Right()
	if end == f.A {
		g = f.A.Sub(f.Ghost1).Right()
	}
	concave := g.Dot(normalOf(f)) > 0 && g.Cross(normalOf(f)) > 0 == (end == f.B)
	return concave && g.Dot(place.Sub(end)) < 0
}

// gauss draws the Gauss map of a face by asking it about 360 directions: green is
// admitted, yellow snapped, red skipped, and grey is behind the face. It returns the
// sums of degrees of each.
func (p *panel) gauss(f collide.Face, at geom.Vec, r float64) [4]int {
	var count [4]int
	colours := [4]ink{inkNothing.fade(.5), inkGiven.fade(.8), inkSnap, inkBefore.fade(.75)}
	c := p.at(at)
	p.path.reset()
	p.path.circle(c, r+3)
	p.v.fill(&p.path, rgb(0xffffff))
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
		p.path.reset()
		p.path.move(c)
		p.path.line(rim(from))
		p.path.arc(c, rim(k))
		p.path.close()
		p.v.fill(&p.path, colours[v])
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

var (
	flatSeam = surface(geom.V(2, 0), geom.V(1, 0), geom.V(0, 0))
	// The four kinds of face: x from 0.6 to -0.6, and a neighbour on either side.
	dome   = surface(geom.V(1.6, -.8), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.6, -.8))
	tray   = surface(geom.V(1.8, .3), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.8, .3))
	ledge  = surface(geom.V(1.6, -.8), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.8, .3))
	mirror = surface(geom.V(1.8, .3), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.6, -.8))
)

// vertices returns the line that faces run along.
func vertices(fs []collide.Face) []geom.Vec {
	v := []geom.Vec{fs[0].A}
	for _, f := range fs {
		v = append(v, f.B)
	}
	return v
}

var ghostPart = chapter{
	title: "Ghost collisions",
	text: "Solid is sand-coloured; each face has its normal as a short tick, and its ghosts are blue rings. Green arrows are the normals that come out, red ones those that would without ghosts. " +
		"\"Without ghosts\" is the same face with both ends open; \"two-sided\" is the same line as a segment that collides on both sides. " +
		"In a Gauss map the face is asked about every direction, degree by degree, by a box that is laid 0.02 deep on the end that the direction leans over: green is admitted, yellow snapped, red skipped, grey behind; the black arrow is the face's normal, the blue ones are its neighbours'.",
	plates: []plate{
		{
			id: "seam", title: "The ghost collision",
			from: "Ghost collisions, figure \"Ghost Collision\"",
			text: "A box of 0.8 slides to the right over two faces that meet at (1, 0); it is 0.03 deep and has come 0.02 over the seam. Without ghosts the right face finds that it takes less to push it to the left, (-1, 0), and stops it. With ghosts the left end of that face is flat, so the normal is snapped to (0, 1).",
			columns: 2, draw: drawSeam,
		},
		{
			id: "peak", title: "A peak from behind",
			from: "Ghost collisions, figure \"Backside Collision\"",
			text: "A box of 0.6 comes up a slope of 0.3 in 2 and has passed the peak at (1, 0) by 0.01, 0.03 deep. The slope beyond is two-sided on the left, and pushes the box back down. On the right it is a face: the box's middle is behind its line, so it says nothing, and the slope under the box carries it alone.",
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
			from: "Ghost collisions, figure \"Voronoi Region\"",
			text: "A box that tips over the corner at (0, 0), from level ground to a slope of 4 in 5, and a circle that rolls over it. The normal turns with the box from (0, 1) to the slope's (0.625, 0.781), and never leaves the range between. The circle's is the way from the corner to its centre.",
			columns: 2, draw: drawVoronoi,
		},
		{
			id: "concave", title: "A concave corner",
			from: "Ghost collisions, figures \"Concave\" and \"Concave Overlap\"",
			text: "Left, a circle lies in a corner: each face pushes it along its own normal, and the corner itself nothing. Right, a box is 0.15 into the floor and 0.1 into it from the side, so that the box's own right face separates best, with (-1, 0). The corner is concave, so the normal is snapped to the floor's.",
			columns: 2, draw: drawConcave,
		},
		{
			id: "combinations", title: "The combinations, each with its Gauss map",
			from: "Ghost collisions, figures \"Edge Combinations\" and of the Gauss map",
			text: "The heavy face runs from (0.6, 0) to (-0.6, 0). Its normal stands at 90 degrees, the falling neighbours' at 38.7 to either side of that. Convex at both ends it admits 90 +- 38.7 degrees and skips the rest; concave at both it snaps all to 90; with one of each it admits, skips and snaps. What is below the horizontal, or behind a rising neighbour (14 degrees above it), is the inside of solid, and nothing is asked of a face there.",
			columns: 2, wide: 420, draw: drawCombinations,
		},
		{
			id: "skip", title: "Convex at both ends: skip",
			from: "Ghost collisions, Case 1",
			text: "A box turned by -30 degrees presses on the left slope and is 0.06 over the edge of the top. Without ghosts the top pushes it with (-0.866, 0.5), which is beyond the slope's normal at 128.7 degrees. The top skips it: the slope has it already. The source skips whatever is out of range; here the neighbour must in fact touch, and be the better of the two, else the face's own normal is used, so that a box's corner right on the ground's corner cannot fall between two faces that both skip it.",
			columns: 2, draw: drawSkip,
		},
		{
			id: "snap", title: "Concave at both ends: snap",
			from: "Ghost collisions, Case 2",
			text: "The same floor as in [a concave corner](#concave), and the same box. The left face would push it to the left, against the rise; skipping it would let it through the floor. Snapped to (0, 1) the floor holds it, 0.15 deep; the rise on the left holds it too, along its own normal.",
			columns: 2, draw: drawSnap,
		},
		{
			id: "mixed", title: "One of each",
			from: "Ghost collisions, Case 3",
			text: "The floor's left end is concave, its right end convex. A box over the left end, at (-1, 0.35), is snapped to (0, 1). One that presses on the right slope, turned by 30 degrees, is skipped by the floor and held by the slope.",
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
			from: "Ghost collisions, \"Voronoi Regions\", for round shapes",
			text: "Each tick is the normal of a circle (left) or a lying capsule (right) whose middle is there, its colour the face that gives it. Over a face the ticks are the face's normal, over a convex corner they fan out from it, a concave corner has none of its own. Every circle's centre in the picture has one normal of one face but for the places where two reach; no tick points into the solid.",
			columns: 2, draw: drawCircles,
		},
		{
			id: "open", title: "The end of an open chain",
			from: "adds to ghost collisions: an end without a ghost",
			text: "The chain ends at (0, 0), with nothing beyond. An end that has no ghost admits any direction, as the tip of a wall does: the circle is pushed along the way from the tip to its centre, the box by its own face. Ground made of tiles has no such ends unless layers are preserved.",
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
			p.faces([]collide.Face{bare(flatSeam[0]), bare(flatSeam[1])})
			m := onFace(bare(flatSeam[0]), b)
			p.found("right face", m, true, inkBefore)
			s.want("seam without ghosts", &m, 1, geom.V(-1, 0))
		} else {
			p.faces(flatSeam, 0)
			m := onFace(flatSeam[0], b)
			p.found("right face", m, true, inkGiven)
			s.want("seam", &m, 2, geom.V(0, 1))
			s.depth("seam", &m, 0, -.03)
		}
		m := onFace(flatSeam[1], b)
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
			p.faces(fs, 1)
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
	m := onFace(bare(floor), box)
	p.found("floor without ghosts", m, true, inkBefore)
	s.want("bare floor", &m, 1, geom.V(-1, 0))
	s.depth("bare floor", &m, 0, -.1)
	m = onFace(floor, box)
	p.found("floor with ghosts", m, true, inkGiven)
	s.holds(m.N > 0 && m.Normal == geom.V(0, 1), "floor: %+v", m)
}

func drawCombinations(s *sheet) {
	for _, c := range []struct {
		head                   string
		fs                     []collide.Face
		admitted, snap, skipOf int
	}{
		{"convex and convex", dome, 77, 0, 103}, {"concave and concave", tray, 0, 152, 0},
		{"concave and convex", ledge, 39, 76, 51}, {"convex and concave", mirror, 39, 76, 51},
	} {
		p := s.panel(c.head, -1.9, -.9, 1.9, 1.3)
		p.solid(under(-2, vertices(c.fs)...))
		p.faces(c.fs, 1)
		n := p.gauss(c.fs[1], geom.V(0, .62), 46)
		p.caption("admitted %d degrees, snapped %d, skipped %d", n[admitted], n[snapped], n[skipped])
		near := func(a, b int) bool { return a-b <= 2 && b-a <= 2 }
		s.holds(near(n[admitted], c.admitted) && near(n[snapped], c.snap) && near(n[skipped], c.skipOf) && near(n[behind], 360-c.admitted-c.snap-c.skipOf),
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
		{"admitted", 20, ledge[1].A, admitted}, {"snapped", -20, ledge[1].B, snapped}, {"skipped", 60, ledge[1].A, skipped},
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
		p.points(&m, inkBefore.fade(.6))
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
		p := s.panel(head, -1.9, -.5, 1.3, 2.05)
		p.solid(under(-1, v...))
		q := geom.NewRot(angle)
		b := solidBody{geom.NewBox(.3, 1), geom.Transform{P: geom.V(.2, -.03).Sub(q.Apply(geom.V(-.3, -1))), Q: q}}
		p.shape(b.shape, b.at, inkBodyB)
		p.dot(b.at.P, 3, inkBodyB.mix(rgb(0), .4))
		p.faces(fs, 0)
		p.dashed(geom.V(-1, 1.5), geom.V(.3, -.45), inkPlane)
		wall := normalOf(fs[1]).Dot(b.at.P)
		s.holds(wall > 0 == (i == 0), "the middle is %v before the wall", wall)
		m := onFace(fs[0], b)
		p.found("floor", m, true, inkGiven)
		s.holds(m.N > 0 && m.Normal == geom.V(0, 1), "%s: %+v", head, m)
	}
}

func drawOneSide(s *sheet) {
	fs := surface(geom.V(3, 0), geom.V(1, 0), geom.V(-1, 0), geom.V(-3, 0))
	for _, y := range []float64{.3, 0, -.1} {
		p := s.panel("centre at y = "+num(y), -1.3, -.9, 1.3, 1.1)
		p.solid(under(-2, vertices(fs)...))
		b := circleAt(.4, .2, y)
		p.shape(b.shape, b.at, inkBodyB)
		p.dot(b.at.P, 3, inkBodyB.mix(rgb(0), .4))
		p.faces(fs)
		m := onFace(fs[1], b)
		p.found("face", m, true, inkGiven)
		if y < 0 {
			s.want("behind", &m, 0, geom.Vec{})
		} else {
			s.want("before", &m, 1, geom.V(0, 1))
			s.depth("before", &m, 0, y-.4)
		}
	}
}

// rolling is ground with a convex and a concave corner.
var rolling = surface(geom.V(3.2, .5), geom.V(1.2, .5), geom.V(.4, -.3), geom.V(-.5, -.3), geom.V(-1, .3), geom.V(-1.7, .3), geom.V(-2.4, -.5))

func drawCircles(s *sheet) {
	colours := []ink{rgb(0x1e6ec8), rgb(0x1f7a34), rgb(0xb0641e), rgb(0x8a50b0), rgb(0xc8281e), rgb(0x2a8a8a)}
	for _, c := range []struct {
		head  string
		shape geom.Shape
	}{
		{"a circle of radius 0.6", geom.Circle{Radius: .6}},
		{"a lying capsule, 1.2 by 0.6", geom.Capsule{A: geom.V(-.3, 0), B: geom.V(.3, 0), Radius: .3}},
	} {
		p := s.panel(c.head, -2.2, -.7, 2.6, 2.1)
		p.solid(under(-2, vertices(rolling)...))
		p.faces(rolling)
		total, most := 0, 0
		ticks := make([]path, len(rolling))
		for iy := range 24 {
			for ix := range 42 {
				at := geom.V(-2.1+float64(ix)*.11, -.6+float64(iy)*.11)
				here := 0
				for i, f := range rolling {
					m := onFace(f, solidBody{c.shape, geom.At(at)})
					if m.N == 0 {
						continue
					}
					here++
					from := p.at(at)
					ticks[i].segment(from, from.Add(geom.V(m.Normal.X, -m.Normal.Y).Mul(7)))
					n := normalOf(f)
					s.holds(m.Normal.Dot(n) > -1e-9, "%s at %v: the normal %v is against the face's %v", c.head, at, m.Normal, n)
				}
				total += min(here, 1)
				most = max(most, here)
			}
		}
		for i := range ticks {
			if !ticks[i].empty() {
				p.v.stroke(&ticks[i], 1.5, colours[i])
			}
		}
		p.caption("%d places touch, at most %d faces at once", total, most)
		s.holds(total > 100 && most <= 3, "%d places, %d faces", total, most)
	}
}

func drawOpen(s *sheet) {
	fs := surface(geom.V(2, 0), geom.V(0, 0))
	p := s.panel("a circle at the tip", -1.2, -.7, 1.2, 1.1)
	p.solid(under(-.12, vertices(fs)...))
	b := circleAt(.4, -.25, .28)
	p.shape(b.shape, b.at, inkBodyB)
	p.faces(fs)
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

