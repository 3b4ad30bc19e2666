package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

// The sheet that the pictures of docs/ghosts are drawn on: panels in rows, each with a
// head, a view of a few cells, and its results in figures below.

const (
	panelRow = 24. // pixels, of a line of text
	panelGap = 34.
)

var (
	inkSolid   = canvas.RGB(0xe4dccb)
	inkLine    = canvas.RGB(0xc9c2b4)
	inkFace    = canvas.RGB(0x4a4438)
	inkBodyA   = canvas.RGB(0x7f9fc4)
	inkBodyB   = canvas.RGB(0xe0a070)
	inkGiven   = canvas.RGB(0x1f7a34) // the engine's results
	inkBefore  = canvas.RGB(0xc8281e) // results without ghosts, or dropped points
	inkGhost   = canvas.RGB(0x1e6ec8)
	inkSnap    = canvas.RGB(0xe8b93c)
	inkPlane   = canvas.RGB(0x8a50b0)
	inkNothing = canvas.RGB(0xb8b8b8)
)

// inks returns the opaque inks of 0xRRGGBB numbers.
func inks(colours ...uint32) (list []canvas.Ink) {
	for _, c := range colours {
		list = append(list, canvas.RGB(c))
	}
	return list
}

// fact is a manifold that a plate shows: a row of its table.
type fact struct {
	panel, what string
	m           collide.Manifold
	face        bool // A is a face of the ground
}

// sheet is one picture while it is drawn.
type sheet struct {
	t          *report
	wide, high float64 // of each panel
	columns    int
	panels     []*panel
	facts      []fact
}

type panel struct {
	s        *sheet
	head     string
	cam      canvas.Camera
	v        *canvas.SVG
	buf      bytes.Buffer
	texts    strings.Builder
	captions []string
	path     canvas.Path
	bare     bool // without coordinates at the rim
}

// panel begins the next panel, of the view from lo to hi (in cells).
func (s *sheet) panel(head string, x0, y0, x1, y1 float64) *panel {
	p := &panel{s: s, head: head}
	p.cam = canvas.NewCamera(geom.Box(geom.V(x0, y0), geom.V(x1, y1)), int(s.wide), int(s.high))
	p.v = &canvas.SVG{Out: bufio.NewWriter(&p.buf), Clips: 10 * len(s.panels)}
	s.panels = append(s.panels, p)
	p.path.Polygon(geom.V(0, 0), geom.V(s.wide, 0), geom.V(s.wide, s.high), geom.V(0, s.high))
	p.v.Fill(&p.path, canvas.RGB(0xffffff))
	p.v.Clip(&p.path)
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
	v := canvas.NewSVG(&out, w, h)
	v.Text("<style>text { font: 12px sans-serif; fill: #333 } .head { font-weight: bold; font-size: 14px } " +
		".small { font-size: 10px; fill: #777 } .end { text-anchor: end } .mid { text-anchor: middle } " +
		".id { font-size: 11px; paint-order: stroke; stroke: #fff; stroke-width: 3px }</style>\n")
	fmt.Fprintf(v.Out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", w, h)
	for i, p := range s.panels {
		x := panelGap + float64(i%columns)*(s.wide+panelGap)
		y := 28 + float64(i/columns)*high
		fmt.Fprintf(v.Out, "<g transform=\"translate(%.0f %.0f)\">\n<text class=\"head\" y=\"-9\">%s</text>\n", x, y,
			escape(p.head))
		p.v.Unclip()
		p.rim()
		_ = p.v.Out.Flush()
		_, _ = v.Out.Write(p.buf.Bytes())
		v.Text(p.texts.String())
		fmt.Fprintf(v.Out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"none\" stroke=\"#ccc\"/>\n", s.wide, s.high)
		for k, c := range p.captions {
			fmt.Fprintf(v.Out, "<text y=\"%.0f\">%s</text>\n", s.high+32+18*float64(k), escape(c))
		}
		v.Text("</g>\n")
	}
	if err := v.Finish(); err != nil {
		s.t.Fatal(err)
	}
	return out.String()
}

func escape(s string) string { return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(s) }

// at maps cells to the panel's pixels.
func (p *panel) at(v geom.Vec) geom.Vec { return p.cam.Point(v) }

// step is the distance of the panel's lines: one cell, or more where cells are small.
func (p *panel) step() float64 {
	step := 1.0
	for step*p.cam.Scale < 22 {
		step *= 5
	}
	for step*p.cam.Scale > 160 {
		step /= 2
	}
	return step
}

// rim writes the coordinates of the lines.
func (p *panel) rim() {
	if p.bare {
		return
	}
	box, step := p.cam.View(), p.step()
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
		p.path.Reset()
		at := make([]geom.Vec, len(poly))
		for i, v := range poly {
			at[i] = p.at(v)
		}
		p.path.Polygon(at...)
		p.v.Fill(&p.path, inkSolid)
	}
	p.path.Reset()
	box, step := p.cam.View(), p.step()
	for k := math.Ceil(box.Min.X / step); k*step <= box.Max.X; k++ {
		x := p.at(geom.V(k*step, 0)).X
		p.path.Segment(geom.V(x, 0), geom.V(x, p.s.high))
	}
	for k := math.Ceil(box.Min.Y / step); k*step <= box.Max.Y; k++ {
		y := p.at(geom.V(0, k*step)).Y
		p.path.Segment(geom.V(0, y), geom.V(p.s.wide, y))
	}
	p.v.Stroke(&p.path, 1, inkLine.Fade(.6))
}

func (p *panel) line(a, b geom.Vec, width float64, c canvas.Ink) {
	p.path.Reset()
	p.path.Segment(p.at(a), p.at(b))
	p.v.Stroke(&p.path, width, c)
}

func (p *panel) dashed(a, b geom.Vec, c canvas.Ink) { p.dashes(a, b, 1.4, c) }

func (p *panel) dashes(a, b geom.Vec, width float64, c canvas.Ink) {
	p.path.Reset()
	from, to := p.at(a), p.at(b)
	u, l := to.Sub(from).Unit()
	for d := 0.0; d < l; d += 9 {
		p.path.Segment(from.MulAdd(d, u), from.MulAdd(min(d+5, l), u))
	}
	p.v.Stroke(&p.path, width, c)
}

func (p *panel) dot(v geom.Vec, r float64, c canvas.Ink) {
	p.path.Reset()
	p.path.Circle(p.at(v), r)
	p.v.Fill(&p.path, c)
}

// arrow draws a direction d (world axes) of some pixels from a place in cells.
func (p *panel) arrow(from, d geom.Vec, pixels, width float64, c canvas.Ink) {
	p.arrowAt(p.at(from), d, pixels, width, c)
}

func (p *panel) arrowAt(a, d geom.Vec, pixels, width float64, c canvas.Ink) {
	u, _ := geom.V(d.X, -d.Y).Unit()
	b := a.MulAdd(pixels, u)
	head := min(4*width, .6*pixels)
	p.path.Reset()
	p.path.Segment(a, b.MulAdd(-.8*head, u))
	p.v.Stroke(&p.path, width, c)
	p.path.Reset()
	back := b.MulAdd(-head, u)
	p.path.Polygon(b, back.MulAdd(.45*head, u.Left()), back.MulAdd(-.45*head, u.Left()))
	p.v.Fill(&p.path, c)
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
				p.dashes(g.from, g.v, 3.4, inkGhost.Mix(canvas.RGB(0xffffff), .25))
				p.path.Reset()
				p.path.Circle(p.at(g.v), 4.5)
				p.v.Stroke(&p.path, 2, inkGhost)
				p.label(g.v, 8, -7, g.name)
			}
		}
	}
}

// shape draws a shape in the frame t.
func (p *panel) shape(s geom.Shape, t geom.Transform, c canvas.Ink) {
	f := canvas.FigureOf(s, p.cam.Lens(t))
	p.path.Reset()
	if f.N == 2 && f.Radius == 0 {
		p.path.Segment(f.Pts[0], f.Pts[1])
		p.v.Stroke(&p.path, 3, c)
		return
	}
	f.Outline(&p.path)
	p.v.Fill(&p.path, c.Fade(.32))
	p.v.Stroke(&p.path, 1.4, c.Mix(canvas.RGB(0), .25))
}

// points draws the points of a manifold with their normals.
func (p *panel) points(m *collide.Manifold, c canvas.Ink) {
	for k := range m.N {
		p.arrow(m.Points[k].Anchor, m.Normal, 34, 2.2, c)
		p.dot(m.Points[k].Anchor, 3.6, c)
	}
}

// found draws a manifold, and lists it below the panel and in the plate's table.
func (p *panel) found(what string, m collide.Manifold, face bool, c canvas.Ink) {
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
