package published

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/gridseg/*.svg, and the figures and differences in docs/gridseg.md")

const (
	document = "../../docs/gridseg.md"
	pictures = "../../docs/gridseg"
	begin    = "<!-- written by go test ./internal/published -run TestPictures -update -->\n"
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
	list.WriteString("Segments of only one algorithm, as ghost1: start > end :ghost2. Written by go test " +
		"./internal/published -run TestPictures -update.\n")
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

// TestPictures compares the document and its pictures with the two algorithms as they
// are; with -update it writes them.
func TestPictures(t *testing.T) {
	drawn := map[string]bool{}
	for _, f := range figures {
		drawn[f.file()] = true // TestFigures draws it
	}
	for i := range differences {
		d := &differences[i]
		pub, quarry, polys := d.answers(t)
		drawn[d.id+".svg"] = true
		check(t, filepath.Join(pictures, d.id+".svg"), d.picture(polys, pub, quarry))
	}
	page, segments := table()
	checkPart(t, begin, end, page)
	check(t, filepath.Join(pictures, lists), segments)
	files, err := os.ReadDir(pictures)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !drawn[f.Name()] && f.Name() != lists {
			t.Errorf("%s/%s is of no difference and no figure", pictures, f.Name())
		}
	}
}

// check compares a file with the text that it should have; with -update it writes the file.
func check(t *testing.T, path, want string) {
	t.Helper()
	switch {
	case *update:
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	case strings.HasSuffix(path, ".svg") && runtime.GOARCH != "amd64":
		// A fused product may move the last digit of a pixel.
	default:
		if got, err := os.ReadFile(path); err != nil {
			t.Error(err)
		} else if string(got) != want {
			t.Errorf("%s differs from the output of the algorithms: run with -update and check the file", path)
		}
	}
}

// checkPart is check for the part of the document between two lines.
func checkPart(t *testing.T, first, last, want string) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), first)
	_, tail, closed := strings.Cut(rest, last)
	if !ok || !closed {
		t.Fatalf("%s has no place between %q and %q", document, first, last)
	}
	check(t, document, head+first+want+last+tail)
}
