package render

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// The sheet that the pictures of docs/ghosts are drawn on: panels in rows, each with a
// head, a view of a few cells, and its results in figures below.

const (
	panelRow = 24. // pixels, of a line of text
	panelGap = 34.
)

var (
	inkSolid   = rgb(0xe4dccb)
	inkLine    = rgb(0xc9c2b4)
	inkFace    = rgb(0x4a4438)
	inkBodyA   = rgb(0x7f9fc4)
	inkBodyB   = rgb(0xe0a070)
	inkGiven   = rgb(0x1f7a34) // the engine's results
	inkBefore  = rgb(0xc8281e) // results without ghosts, or dropped points
	inkGhost   = rgb(0x1e6ec8)
	inkSnap    = rgb(0xe8b93c)
	inkPlane   = rgb(0x8a50b0)
	inkNothing = rgb(0xb8b8b8)
)

// fact is a manifold that a plate shows: a row of its table.
type fact struct {
	panel, what string
	m           collide.Manifold
	face        bool // A is a face of the ground
}

// sheet is one picture while it is drawn.
type sheet struct {
	t          *testing.T
	wide, high float64 // of each panel
	columns    int
	panels     []*panel
	facts      []fact
}

type panel struct {
	s        *sheet
	head     string
	cam      camera
	v        *vectorFile
	buf      bytes.Buffer
	texts    strings.Builder
	captions []string
	path     path
	bare     bool // without coordinates at the rim
}

// panel begins the next panel, of the view from lo to hi (in cells).
func (s *sheet) panel(head string, x0, y0, x1, y1 float64) *panel {
	p := &panel{s: s, head: head, cam: newCamera(geom.Box(geom.V(x0, y0), geom.V(x1, y1)), int(s.wide), int(s.high))}
	p.v = &vectorFile{out: bufio.NewWriter(&p.buf), clips: 10 * len(s.panels)}
	s.panels = append(s.panels, p)
	p.path.polygon(geom.V(0, 0), geom.V(s.wide, 0), geom.V(s.wide, s.high), geom.V(0, s.high))
	p.v.fill(&p.path, rgb(0xffffff))
	p.v.clip(&p.path)
	return p
}

// picture returns the SVG of all panels.
func (s *sheet) picture() string {
	lines := 0
	for _, p := range s.panels {
		lines = max(lines, len(p.captions))
	}
	columns := min(s.columns, len(s.panels))
	rows := (len(s.panels) + columns - 1) / columns
	high := s.high + panelRow + 18*float64(lines) + 30
	w := int(float64(columns)*(s.wide+panelGap) + panelGap)
	h := int(float64(rows)*high + 10)
	var out bytes.Buffer
	v := newVectorFile(&out, w, h)
	v.text("<style>text { font: 12px sans-serif; fill: #333 } .head { font-weight: bold; font-size: 14px } " +
		".small { font-size: 10px; fill: #777 } .end { text-anchor: end } .mid { text-anchor: middle } " +
		".id { font-size: 11px; paint-order: stroke; stroke: #fff; stroke-width: 3px }</style>\n")
	fmt.Fprintf(v.out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", w, h)
	for i, p := range s.panels {
		x := panelGap + float64(i%columns)*(s.wide+panelGap)
		y := 28 + float64(i/columns)*high
		fmt.Fprintf(v.out, "<g transform=\"translate(%.0f %.0f)\">\n<text class=\"head\" y=\"-9\">%s</text>\n", x, y,
			escape(p.head))
		p.v.unclip()
		p.rim()
		_ = p.v.out.Flush()
		_, _ = v.out.Write(p.buf.Bytes())
		v.text(p.texts.String())
		fmt.Fprintf(v.out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"none\" stroke=\"#ccc\"/>\n", s.wide, s.high)
		for k, c := range p.captions {
			fmt.Fprintf(v.out, "<text y=\"%.0f\">%s</text>\n", s.high+32+18*float64(k), escape(c))
		}
		v.text("</g>\n")
	}
	if err := v.finish(); err != nil {
		s.t.Fatal(err)
	}
	return out.String()
}

func escape(s string) string { return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(s) }

// at maps cells to the panel's pixels.
func (p *panel) at(v geom.Vec) geom.Vec { return p.cam.point(v) }

// step is the distance of the panel's lines: one cell, or more where cells are small.
func (p *panel) step() float64 {
	step := 1.0
	for step*p.cam.scale < 22 {
		step *= 5
	}
	for step*p.cam.scale > 160 {
		step /= 2
	}
	return step
}

// rim writes the coordinates of the lines.
func (p *panel) rim() {
	if p.bare {
		return
	}
	box, step := p.cam.view(), p.step()
	for k := math.Ceil(box.Min.X/step + .1); k*step < box.Max.X; k++ {
		p.text("small mid", geom.V(p.at(geom.V(k*step, 0)).X, p.s.high+12), num(k*step))
	}
	for k := math.Ceil(box.Min.Y/step + .1); k*step < box.Max.Y; k++ {
		p.text("small end", geom.V(-4, p.at(geom.V(0, k*step)).Y+4), num(k*step))
	}
}

func (p *panel) text(class string, at geom.Vec, s string) {
	fmt.Fprintf(&p.texts, "<text class=%q x=\"%.1f\" y=\"%.1f\">%s</text>\n", class, at.X, at.Y, escape(s))
}

// label writes s beside a place in cells, moved by pixels.
func (p *panel) label(v geom.Vec, dx, dy float64, s string) {
	at := p.at(v)
	if at.X < 0 || at.X > p.s.wide || at.Y < 0 || at.Y > p.s.high {
		return
	}
	if wide := 6.5 * float64(len(s)); at.X+dx+wide > p.s.wide {
		dx = -wide - 6
	}
	p.text("id", at.Add(geom.V(dx, dy)), s)
}

// num writes a number as a reader would: three digits after the point at most.
func num(x float64) string {
	s := fmt.Sprintf("%.3f", x)
	s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func vec(v geom.Vec) string { return "(" + num(v.X) + ", " + num(v.Y) + ")" }

// solid fills polygons of ground; then come the lines of the cells.
func (p *panel) solid(polys ...[]geom.Vec) {
	for _, poly := range polys {
		p.path.reset()
		at := make([]geom.Vec, len(poly))
		for i, v := range poly {
			at[i] = p.at(v)
		}
		p.path.polygon(at...)
		p.v.fill(&p.path, inkSolid)
	}
	p.path.reset()
	box, step := p.cam.view(), p.step()
	for k := math.Ceil(box.Min.X / step); k*step <= box.Max.X; k++ {
		x := p.at(geom.V(k*step, 0)).X
		p.path.segment(geom.V(x, 0), geom.V(x, p.s.high))
	}
	for k := math.Ceil(box.Min.Y / step); k*step <= box.Max.Y; k++ {
		y := p.at(geom.V(0, k*step)).Y
		p.path.segment(geom.V(0, y), geom.V(p.s.wide, y))
	}
	p.v.stroke(&p.path, 1, inkLine.fade(.6))
}

func (p *panel) line(a, b geom.Vec, width float64, c ink) {
	p.path.reset()
	p.path.segment(p.at(a), p.at(b))
	p.v.stroke(&p.path, width, c)
}

func (p *panel) dashed(a, b geom.Vec, c ink) { p.dashes(a, b, 1.4, c) }

func (p *panel) dashes(a, b geom.Vec, width float64, c ink) {
	p.path.reset()
	from, to := p.at(a), p.at(b)
	u, l := to.Sub(from).Unit()
	for d := 0.0; d < l; d += 9 {
		p.path.segment(from.MulAdd(d, u), from.MulAdd(min(d+5, l), u))
	}
	p.v.stroke(&p.path, width, c)
}

func (p *panel) dot(v geom.Vec, r float64, c ink) {
	p.path.reset()
	p.path.circle(p.at(v), r)
	p.v.fill(&p.path, c)
}

// arrow draws a direction d (world axes) of some pixels from a place in cells.
func (p *panel) arrow(from, d geom.Vec, pixels, width float64, c ink) {
	p.arrowAt(p.at(from), d, pixels, width, c)
}

func (p *panel) arrowAt(a, d geom.Vec, pixels, width float64, c ink) {
	u, _ := geom.V(d.X, -d.Y).Unit()
	b := a.MulAdd(pixels, u)
	head := min(4*width, .6*pixels)
	p.path.reset()
	p.path.segment(a, b.MulAdd(-.8*head, u))
	p.v.stroke(&p.path, width, c)
	p.path.reset()
	back := b.MulAdd(-head, u)
	p.path.polygon(b, back.MulAdd(.45*head, u.Left()), back.MulAdd(-.45*head, u.Left()))
	p.v.fill(&p.path, c)
}

// faces draws pieces of the surface, each with its normal, and the ghosts of those
// asked for: a dashed way from the face's end, and a ring at the ghost vertex.
func (p *panel) faces(fs []collide.Face, ghostsOf ...int) {
	for i := range fs {
		f := &fs[i]
		p.line(f.A, f.B, 2.2, inkFace)
		p.dot(f.A, 2.6, inkFace)
		p.dot(f.B, 2.6, inkFace)
		p.arrow(f.A.Lerp(f.B, .5), f.B.Sub(f.A).Right(), 11, 1.3, inkFace)
	}
	for _, i := range ghostsOf {
		f := &fs[i]
		p.line(f.A, f.B, 4, inkFace)
		for _, g := range []struct {
			has     bool
			from, v geom.Vec
			name    string
		}{{f.HasGhost1, f.A, f.Ghost1, "ghost1"}, {f.HasGhost2, f.B, f.Ghost2, "ghost2"}} {
			if g.has {
				p.dashes(g.from, g.v, 3.4, inkGhost.mix(rgb(0xffffff), .25))
				p.path.reset()
				p.path.circle(p.at(g.v), 4.5)
				p.v.stroke(&p.path, 2, inkGhost)
				p.label(g.v, 8, -7, g.name)
			}
		}
	}
}

// shape draws a shape in the frame t.
func (p *panel) shape(s geom.Shape, t geom.Transform, c ink) {
	f := figureOf(s, p.cam.lens(t))
	p.path.reset()
	if f.n == 2 && f.radius == 0 {
		p.path.segment(f.pts[0], f.pts[1])
		p.v.stroke(&p.path, 3, c)
		return
	}
	f.outline(&p.path)
	p.v.fill(&p.path, c.fade(.32))
	p.v.stroke(&p.path, 1.4, c.mix(rgb(0), .25))
}

// points draws the points of a manifold with their normals.
func (p *panel) points(m *collide.Manifold, c ink) {
	for k := range m.N {
		p.arrow(m.Points[k].Anchor, m.Normal, 34, 2.2, c)
		p.dot(m.Points[k].Anchor, 3.6, c)
	}
}

// found draws a manifold, and lists it below the panel and in the plate's table.
func (p *panel) found(what string, m collide.Manifold, face bool, c ink) {
	p.points(&m, c)
	p.tell(what, m, face)
}

// tell writes a manifold below the panel and in the table.
func (p *panel) tell(what string, m collide.Manifold, face bool) {
	p.s.facts = append(p.s.facts, fact{p.head, what, m, face})
	s := what + ": "
	switch m.N {
	case 0:
		s += "nothing"
	case 1:
		s += vec(m.Normal) + ", one point"
	default:
		s += vec(m.Normal) + ", two points"
	}
	p.captions = append(p.captions, s)
}

func (p *panel) caption(format string, args ...any) {
	p.captions = append(p.captions, fmt.Sprintf(format, args...))
}

// names writes each point's feature id beside it.
func (p *panel) names(m *collide.Manifold, face bool) {
	for k := range m.N {
		dx := 8.
		if m.N == 2 && m.Points[k].Anchor.X < m.Points[1-k].Anchor.X {
			dx = -44
		}
		p.label(m.Points[k].Anchor, dx, 18, name(m.Points[k].ID, face))
	}
}

// name writes a feature id as the pair that it is: a v or an e with its number, of A
// and then of B. Of a face, A and B are its ends.
func name(id collide.FeatureID, face bool) string {
	one := func(n uint32, vertex bool) string {
		if vertex {
			return fmt.Sprint("v", (n-1)/2)
		}
		return fmt.Sprint("e", (n-2)/2)
	}
	va, vb := id.Vertices()
	a := one(id.Flip().HullFeature(), va)
	if face {
		switch {
		case id.CornerA():
			a = "A"
		case id.CornerB():
			a = "B"
		default:
			a = "face"
		}
	}
	return a + "·" + one(id.HullFeature(), vb)
}

// figureOf returns s in the pixels of l.
func figureOf(s geom.Shape, l lens) figure {
	var f figure
	switch s := s.(type) {
	case geom.Circle:
		f.pts[0], f.n, f.radius = s.Center, 1, s.Radius
	case geom.Capsule:
		f.pts[0], f.pts[1], f.n, f.radius = s.A, s.B, 2, s.Radius
	case geom.Segment:
		f.pts[0], f.pts[1], f.n = s.A, s.B, 2
	case geom.Polygon:
		f.pts, f.n, f.radius = s.Vertices, s.N, s.Radius
	}
	for i := range f.n {
		f.pts[i] = l.point(f.pts[i])
	}
	f.radius *= l.scale
	return f
}
