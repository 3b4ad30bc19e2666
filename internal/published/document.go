package published

import (
	"fmt"
	"math"
	"path"
	"strings"
)

const (
	document = "docs/gridseg.md"
	pictures = "docs/gridseg"
	begin    = "<!-- differences, written by go run ./internal/figures -->\n"
	end      = "<!-- end of the written part -->\n"
	lists    = "segments.txt" // the segments of only one algorithm, beside the pictures
)

// cells lists the tiles of the world and their cells, in the order of the edits. The first tile
// of a shape that is the world's own has the shape's polygons in parentheses.
func (d *difference) cells() string {
	var out []string
	for _, e := range d.edges {
		out = append(out, fmt.Sprintf("the edge `%s > %s`", point(snap(e[0])), point(snap(e[1]))))
	}
	drawn := map[string]bool{}
	for i, round := range d.rounds {
		var now []string
		for _, l := range round {
			name := l.shape
			if name == "" {
				name = d.shapes[0].name
			}
			text := name
			if l.turn != 0 {
				text += fmt.Sprintf(" turned %d", l.turn)
			}
			if l.layer != 0 {
				text += fmt.Sprintf(" of layer %d", l.layer)
			}
			if s := d.outline(name); s != "" && !drawn[name] {
				text += " (" + s + ")"
				drawn[name] = true
			}
			now = append(now, fmt.Sprintf("%s in cell %d,%d", text, l.x, l.y))
		}
		s := strings.Join(now, ", ")
		if i > 0 {
			s = "then, after a compute, " + s
		}
		out = append(out, s)
	}
	s := strings.Join(out, "; ")
	if d.twice {
		s += ", added twice"
	}
	return s
}

// outline returns the polygons of the world's own shape of that name, "" for other shapes.
func (d *difference) outline(name string) string {
	for _, o := range d.shapes {
		if o.name != name {
			continue
		}
		var polys []string
		for _, p := range o.polys {
			var vs []string
			for _, v := range p {
				vs = append(vs, coordinate(v[0])+","+coordinate(v[1]))
			}
			polys = append(polys, "`"+strings.Join(vs, " ")+"`")
		}
		return strings.Join(polys, " and ")
	}
	return ""
}

// coordinate writes a float as exactly as it matters here.
func coordinate(x float64) string {
	switch s := x * 4096; {
	case x == 1./3:
		return "1/3"
	case x == otherThird:
		return "1-2/3"
	case x == 0 && 1/x < 0:
		return "-0"
	case s == math.Trunc(s) && x*64 != math.Trunc(x*64):
		// A small step from a half, or from nothing.
		near := math.Round(x*2) / 2
		if near == 0 {
			return fmt.Sprintf("%.0f/4096", s)
		}
		return fmt.Sprintf("%v%+.0f/4096", near, s-near*4096)
	}
	return fmt.Sprint(x)
}

// table returns the part of the document with the differences, grouped by law, and the lists of segments.
func table() (page, segments string) {
	var out, list strings.Builder
	list.WriteString("Segments of only one algorithm, as ghost1: start > end :ghost2. Written by go run " +
		"./internal/figures.\n")
	law := ""
	for i, d := range differences {
		if d.law != law {
			law = d.law
			fmt.Fprintf(&out, "\n### By %s\n", law)
		}
		fmt.Fprintf(&out, "\n<a id=%q></a>\n\n#### %d. %s\n\nWorld: %s.\n\n%s\n\n![%s](gridseg/%s.svg)\n",
			d.id, i+1, d.title, d.cells(), d.why, d.id, d.id)
		if len(d.published)+len(d.quarry) == 0 {
			fmt.Fprintf(&out, "\nBoth have `%s`; in published it is a new segment.\n", d.marked)
			continue
		}
		fmt.Fprintf(&list, "\n%d. %s\n", i+1, d.id)
		for _, s := range d.published {
			fmt.Fprintf(&list, "published %s\n", s)
		}
		for _, s := range d.quarry {
			fmt.Fprintf(&list, "Quarry %s\n", s)
		}
	}
	return out.String(), list.String()
}

// Failer is a test, or who else makes documents: Errorf notes a fault, Fatal and Fatalf also end the work.
type Failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Reporter takes files, by their paths from the root of the repository, and the parts of pages between two lines.
type Reporter interface {
	Failer
	Add(path string, data []byte)
	Part(page, first, last, text string)
}

// Document draws the figures of the article and the differences of the two algorithms, and writes the parts of
// docs/gridseg.md that list them.
func Document(t Reporter) {
	drawFigures(t)
	for i := range differences {
		d := &differences[i]
		pub, quarry, polys := d.answers(t)
		t.Add(path.Join(pictures, d.id+".svg"), []byte(d.picture(polys, pub, quarry)))
	}
	page, segments := table()
	t.Part(document, begin, end, page)
	t.Add(path.Join(pictures, lists), []byte(segments))
}
