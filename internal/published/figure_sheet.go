package published

import (
	"fmt"
	"math"
	"strings"
)

// sheet is the picture of a figure: panels side by side, each a view of a few cells with
// a head and lines of text below it.
type sheet struct {
	tb     Failer
	panels []*sheetPanel
	facts  strings.Builder // a table below the picture, as Markdown
}

type sheetPanel struct {
	panel
	head     string
	rim      string // coordinates beside it
	captions []string
}

const figureStyle = `<style>
.raw0 { stroke: #1e6ec8; stroke-width: 3.5 } .raw1 { stroke: #d07a1c; stroke-width: 3.5 } .gone { stroke: #c8281e; stroke-width: 3; stroke-dasharray: 4 4 }
.inner { stroke: #888; stroke-width: 2.5 } .mark { fill: #333 } .vertex { fill: #fff; stroke: #1e6ec8; stroke-width: 2.5 } .axis { stroke: #333; stroke-width: 1 }
.label { font-size: 12px; fill: #222; paint-order: stroke; stroke: #fff; stroke-width: 3.5px } .mid { text-anchor: middle } .end { text-anchor: end }
.best { stroke: #287838; stroke-width: 2.2; fill: none } .other { stroke: #999; stroke-width: 1.6; fill: none; stroke-dasharray: 5 4 }
.tip-best { fill: #287838 } .tip-other { fill: #999 } .tip-raw0 { fill: #1e6ec8 } .tip-raw1 { fill: #d07a1c } .tip-right { fill: #287838 } .tip-inner { fill: #888 } .tip-same { fill: #444 } .tip-flow { fill: #555 } .tip-gone { fill: #c8281e }
.box { fill: #f6f2e9; stroke: #b9ae97 } .box-out { fill: #e6f1e6; stroke: #8ab58f } .flow { stroke: #555; stroke-width: 1.5; fill: none } .bold { font-weight: bold; fill: #222 } line.normal { stroke-width: 1.5 } .ghost { fill: none; stroke: #1e6ec8; stroke-width: 2 }
</style>
`

// panel begins the next panel.
func (s *sheet) panel(head string, v view) *sheetPanel {
	p := &sheetPanel{head: head}
	p.v = v
	s.panels = append(s.panels, p)
	return p
}

// ground fills polygons and draws the grid over them.
func (p *sheetPanel) ground(polys ...[]Vec) {
	p.tiles(polys)
	p.rim = p.lines()
}

func (p *sheetPanel) caption(format string, args ...any) {
	p.captions = append(p.captions, fmt.Sprintf(format, args...))
}

// holds reports a fault unless ok.
func (s *sheet) holds(ok bool, format string, args ...any) {
	s.tb.Helper()
	if !ok {
		s.tb.Errorf(format, args...)
	}
}

// label writes text at a point in cells, moved by some pixels.
func (p *sheetPanel) label(class string, at Vec, dx, dy float64, text string) {
	p.text("label "+class, plus(p.v.at(at), 1, Vec{dx, dy}), text)
}

// beside writes text next to the middle of a segment: so many pixels out along its normal.
func (p *sheetPanel) beside(a, b Vec, out float64, text string) {
	from, to := p.v.at(a), p.v.at(b)
	n := outward(unit(Vec{to[0] - from[0], to[1] - from[1]}))
	m := plus(Vec{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2}, out, n)
	p.text("label mid bold", Vec{m[0], m[1] + 4}, text)
}

// tip draws an arrowhead at b, in pixels, of the direction d.
func (p *sheetPanel) tip(class string, b, d Vec) {
	d = unit(d)
	n := outward(d)
	back := plus(b, -9, d)
	l, r := plus(back, 4, n), plus(back, -4, n)
	fmt.Fprintf(p, `<polygon class="tip-%s" points="%.1f,%.1f %.1f,%.1f %.1f,%.1f"/>`+"\n", class, b[0], b[1], l[0],
		l[1], r[0], r[1])
}

// directed draws a segment as an arrow, some pixels on its solid side, with its normal.
func (p *sheetPanel) directed(class string, a, b Vec, inset float64) {
	from, to := p.v.at(a), p.v.at(b)
	d := unit(Vec{to[0] - from[0], to[1] - from[1]})
	n := outward(d)
	from, to = plus(plus(from, -inset, n), 3, d), plus(plus(to, -inset, n), -3, d)
	p.line(class, from, plus(to, -7, d))
	p.tip(class, to, d)
	m := Vec{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2}
	p.line("normal "+class, m, plus(m, 14, n))
}

// arc draws the turn from one direction to another round a point: counter-clockwise, or
// clockwise, with text at its middle, so many pixels outside of it.
func (p *sheetPanel) arc(class string, at, from, to Vec, clockwise bool, radius, out float64, text string) {
	c := p.v.at(at)
	start := math.Atan2(from[1], from[0])
	angle := math.Atan2(to[1], to[0]) - start
	way := 1.
	if clockwise {
		angle, way = -angle, -1
	}
	for angle < 0 {
		angle += 2 * math.Pi
	}
	on := func(turn, r float64) Vec {
		s, k := math.Sincos(start + float64(way*turn))
		return Vec{c[0] + float64(r*k), c[1] - float64(r*s)}
	}
	a, b := on(0, radius), on(angle, radius)
	large, sweep := 0, 0
	if angle > math.Pi {
		large = 1
	}
	if clockwise {
		sweep = 1
	}
	fmt.Fprintf(p, `<path class=%q d="M%.1f %.1fA%.0f %.0f 0 %d %d %.1f %.1f"/>`+"\n", class, a[0], a[1], radius,
		radius, large, sweep, b[0], b[1])
	before := on(angle-8/radius, radius)
	p.tip(class, b, Vec{b[0] - before[0], b[1] - before[1]})
	m := on(angle/2, radius+out)
	p.text("label mid", Vec{m[0], m[1] + 4}, text)
}

// frame returns the content of svg tags: a size and a background.
func frame(wide, high float64, inside string) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+
		"\n", wide, high, wide, high)
	out.WriteString(style + figureStyle)
	fmt.Fprintf(&out, `<rect width="%.0f" height="%.0f" fill="#fff"/>`+"\n%s</svg>\n", wide, high, inside)
	return out.String()
}

// picture returns the SVG of all panels in a row.
func (s *sheet) picture() string {
	lines, tall := 0, 0.
	for _, p := range s.panels {
		lines, tall = max(lines, len(p.captions)), max(tall, p.v.high())
	}
	wide := margin + 20 + float64(len(s.panels))*(panelWide+margin+10)
	high := tall + 62 + 18*float64(lines)
	var in strings.Builder
	for i, p := range s.panels {
		x := margin + 10 + float64(i)*(panelWide+margin+10)
		fmt.Fprintf(&in, `<clipPath id="p%d"><rect width="%.0f" height="%.0f"/></clipPath>`+"\n", i, panelWide,
			p.v.high())
		fmt.Fprintf(&in, `<g transform="translate(%.0f 30)"><text class="head" x="0" y="-10">%s</text>`+"\n", x, p.head)
		fmt.Fprintf(&in, `<g clip-path="url(#p%d)">`+"\n%s</g>\n%s", i, p.String(), p.rim)
		fmt.Fprintf(&in, `<rect class="frame" width="%.0f" height="%.0f"/>`+"\n", panelWide, p.v.high())
		for k, c := range p.captions {
			fmt.Fprintf(&in, `<text x="0" y="%.0f">%s</text>`+"\n", p.v.high()+34+18*float64(k), c)
		}
		in.WriteString("</g>\n")
	}
	return frame(wide, high, in.String())
}

// table writes a head and rows as Markdown below the picture.
func (s *sheet) table(head []string, rows ...[]string) {
	fmt.Fprintf(&s.facts, "\n| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, r := range rows {
		fmt.Fprintf(&s.facts, "| %s |\n", strings.Join(r, " | "))
	}
}
