package published

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quarry2d/quarry/gridseg"
)

const (
	panelWide = 320. // pixels
	panelHigh = 240. // of views that stretch one axis
	margin    = 34.
)

// view is the part of the world that a picture shows, in cells.
type view struct {
	x0, y0, x1, y1 float64
	stepX, stepY   float64 // between lines of the grid; 0 is one cell. If either is set, each axis has its own scale
}

func (v view) stretched() bool { return v.stepX != 0 || v.stepY != 0 }

func (v view) high() float64 {
	if v.stretched() {
		return panelHigh
	}
	return math.Round(panelWide * (v.y1 - v.y0) / (v.x1 - v.x0))
}

// at maps cells to pixels of a panel.
func (v view) at(p Vec) Vec {
	return Vec{(p[0] - v.x0) / (v.x1 - v.x0) * panelWide, (v.y1 - p[1]) / (v.y1 - v.y0) * v.high()}
}

func (v view) point(p gridseg.Point) Vec {
	return v.at(Vec{float64(p.X) / gridseg.Unit, float64(p.Y) / gridseg.Unit})
}

func plus(a Vec, f float64, b Vec) Vec { return Vec{a[0] + f*b[0], a[1] + f*b[1]} }

func length(a Vec) float64 { return math.Hypot(a[0], a[1]) }

// unit returns a direction of length one; of nothing, nothing.
func unit(a Vec) Vec {
	if n := length(a); n > 0 {
		return Vec{a[0] / n, a[1] / n}
	}
	return a
}

// outward is the normal of a direction in pixels, where y points down.
func outward(d Vec) Vec { return Vec{-d[1], d[0]} }

// panel draws one algorithm's answer.
type panel struct {
	strings.Builder
	v view
}

func (p *panel) line(class string, a, b Vec) {
	fmt.Fprintf(p, `<line class=%q x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", class, a[0], a[1], b[0], b[1])
}

func (p *panel) circle(class string, c Vec, r float64) {
	fmt.Fprintf(p, `<circle class=%q cx="%.1f" cy="%.1f" r="%.1f"/>`+"\n", class, c[0], c[1], r)
}

func (p *panel) text(class string, at Vec, s string) {
	fmt.Fprintf(p, `<text class=%q x="%.1f" y="%.1f">%s</text>`+"\n", class, at[0], at[1], s)
}

// tiles fills polygons, by turns in two tones so that seams can be seen.
func (p *panel) tiles(polys [][]Vec) {
	for i, poly := range polys {
		var at []string
		for _, v := range poly {
			q := p.v.at(v)
			at = append(at, fmt.Sprintf("%.1f,%.1f", q[0], q[1]))
		}
		fmt.Fprintf(p, `<polygon class="tile%d" points=%q/>`+"\n", i%2, strings.Join(at, " "))
	}
}

// lines of the grid, and their coordinates along the lower and the left rim.
func (p *panel) lines() (rim string) {
	var text panel
	step := cmp.Or(p.v.stepX, 1)
	for k := math.Ceil(p.v.x0/step - 1e-6); k*step <= p.v.x1+step*1e-6; k++ {
		x := p.v.at(Vec{k * step, 0})[0]
		p.line("grid", Vec{x, 0}, Vec{x, p.v.high()})
		text.text("x", Vec{x, p.v.high() + 14}, strconv.FormatFloat(math.Round(k*step*1e6)/1e6+0, 'f', -1, 64))
	}
	step = cmp.Or(p.v.stepY, 1)
	for k := math.Ceil(p.v.y0/step - 1e-6); k*step <= p.v.y1+step*1e-6; k++ {
		y := p.v.at(Vec{0, k * step})[1]
		p.line("grid", Vec{0, y}, Vec{panelWide, y})
		text.text("y", Vec{-5, y + 4}, strconv.FormatFloat(math.Round(k*step*1e6)/1e6+0, 'f', -1, 64))
	}
	return text.String()
}

// segment draws a line just inside of its solid, by inset, with its normal.
func (p *panel) segment(l line, class string, inset float64) {
	a, b := p.v.point(l.a), p.v.point(l.b)
	d := unit(Vec{b[0] - a[0], b[1] - a[1]})
	if l.a == l.b {
		p.circle("nothing", a, 6)
		return
	}
	n := outward(d)
	p.line(class, plus(a, -inset, n), plus(b, -inset, n))
	// The normal stands in the middle of the visible part.
	inside := func(q Vec) bool { return q[0] >= 0 && q[0] <= panelWide && q[1] >= 0 && q[1] <= p.v.high() }
	first, last := -1., -1.
	for k := range 101 {
		if t := float64(k) / 100; inside(plus(a, t, Vec{b[0] - a[0], b[1] - a[1]})) {
			if first < 0 {
				first = t
			}
			last = t
		}
	}
	if first >= 0 {
		m := plus(a, (first+last)/2, Vec{b[0] - a[0], b[1] - a[1]})
		p.line("normal "+class, m, plus(m, 12, n))
	}
}

// links draws the ghosts of a line: an arc from a dot on it round the vertex to the
// ghost's segment, or a ring where there is none.
func (p *panel) links(l line) {
	if l.a == l.b {
		return
	}
	p.link(p.v.point(l.b), p.v.point(l.a), p.v.point(l.ghost2), 1, l.has2)
	p.link(p.v.point(l.a), p.v.point(l.b), p.v.point(l.ghost1), -1, l.has1)
}

// link draws one ghost at vertex v of the segment from or to far: way is 1 at its
// end, -1 at its start.
func (p *panel) link(v, far, ghost Vec, way float64, has bool) {
	const off = 6
	leg := func(to Vec) (along, out Vec) {
		e := Vec{to[0] - v[0], to[1] - v[1]}
		along = unit(e)
		return plus(v, min(.3*length(e), 26), along), along
	}
	from, along := leg(far)
	n := outward(along)
	n = Vec{-way * n[0], -way * n[1]}
	if !has {
		p.circle("missing", plus(v, 11, along), 5)
		return
	}
	to, on := leg(ghost)
	m := outward(on)
	m = Vec{way * m[0], way * m[1]}
	from, to = plus(from, off, n), plus(to, off, m)
	// The two offset legs meet where they bend; straight back, it is beyond the tip.
	bend := plus(v, -44, along)
	if sum := (Vec{n[0] + m[0], n[1] + m[1]}); length(sum) > .01 {
		bend = plus(v, min(2*off/length(sum), 3*off), unit(sum))
	}
	fmt.Fprintf(p, `<path class="link" d="M%.1f %.1fQ%.1f %.1f %.1f %.1f"/>`+"\n", from[0], from[1], bend[0], bend[1],
		to[0], to[1])
	p.circle("dot", from, 2.5)
}

const style = `<style>
text { font: 12px sans-serif; fill: #555 } .head { font-weight: bold; font-size: 14px; fill: #222 }
.x { text-anchor: middle } .y { text-anchor: end } .verdict { text-anchor: middle; font-size: 15px; fill: #287838 }
.grid { stroke: #bbb; stroke-dasharray: 3 4 } .tile0 { fill: #e4dccb } .tile1 { fill: #d5c9b0 }
.same { stroke: #444; stroke-width: 2.5 } .wrong { stroke: #c8281e; stroke-width: 3.5 } .right { stroke: #287838; stroke-width: 3.5 }
.normal { stroke-width: 1.5 } .link { stroke: #1e6ec8; stroke-width: 1.8; fill: none } .dot { fill: #1e6ec8 }
.missing, .nothing { stroke: #c8281e; stroke-width: 2; fill: #fff } .frame { fill: none; stroke: #ddd }
</style>
`

// picture draws both answers side by side.
func (d *difference) picture(polys [][]Vec, pub, quarry []line) string {
	v := d.view
	wide, high := 2*(panelWide+margin)+margin+20, v.high()+margin+30
	if v.stretched() {
		wide += 30
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+
		"\n", wide, high, wide, high)
	out.WriteString(style)
	fmt.Fprintf(&out, `<rect width="%.0f" height="%.0f" fill="#fff"/>`+"\n", wide, high)
	fmt.Fprintf(&out, `<clipPath id="panel"><rect width="%.0f" height="%.0f"/></clipPath>`+"\n", panelWide, v.high())
	for i, side := range []struct {
		head, class string
		mine, other []line
	}{{"as published", "wrong", pub, quarry}, {"Quarry", "right", quarry, pub}} {
		x := margin + 20 + float64(i)*(panelWide+margin)
		if v.stretched() {
			x += float64(i) * 30
		}
		fmt.Fprintf(&out, `<g transform="translate(%.0f 30)"><text class="head" x="0" y="-10">%s</text>`+"\n", x,
			side.head)
		p := panel{v: v}
		if i == 0 || d.refused == nil {
			p.tiles(polys)
		}
		rim := p.lines()
		apart := only(side.mine, side.other)
		for _, class := range []string{"same", side.class} {
			for k, l := range side.mine {
				differs := slices.Contains(apart, l) || i == 0 && d.marked != "" && l.String() == d.marked
				if differs == (class != "same") {
					again := slices.Index(side.mine, l) // sorted: those alike are together
					p.segment(l, class, 2+6*float64(k-again))
				}
			}
		}
		for _, l := range side.mine {
			p.links(l)
		}
		if i == 1 && d.verdict != "" {
			p.text("verdict", Vec{panelWide / 2, v.high() / 2}, d.verdict)
		}
		fmt.Fprintf(&out, `<g clip-path="url(#panel)">`+"\n%s</g>\n%s", p.String(), rim)
		fmt.Fprintf(&out, `<rect class="frame" width="%.0f" height="%.0f"/></g>`+"\n", panelWide, v.high())
	}
	out.WriteString("</svg>\n")
	return out.String()
}
