package render

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

var redraw = flag.Bool("redraw", false, "write docs/ghosts/*.svg and the plates of docs/ghosts.md")

const (
	galleryPage     = "../docs/ghosts.md"
	galleryPictures = "../docs/ghosts"
	galleryList     = "manifolds.txt" // the manifolds of all plates, beside their pictures
	galleryBegin    = "<!-- written by go test ./render -run TestGallery -redraw -->\n"
	galleryEnd      = "<!-- end of the written part -->\n"
)

// plate is one picture of the gallery with its text. Draw makes the manifolds, draws
// them, and fails the test if they contradict the text.
type plate struct {
	id, title  string
	text       string
	wide, high float64 // of a panel; 0 is 290 by 230
	columns    int     // 0 is 3
	draw       func(s *sheet)
}

// chapter is a chapter of the gallery.
type chapter struct {
	title, text string
	plates      []plate
}

var gallery = []chapter{clippingPart, ghostPart, groundPart, runPart}

// want fails the test unless m has n points and, if any, the normal.
func (s *sheet) want(what string, m *collide.Manifold, n int, normal geom.Vec) {
	s.t.Helper()
	if m.N != n || n > 0 && m.Normal.Dist(normal) > 1e-9 {
		s.t.Errorf("%s: %d points, normal %v; the text says %d and %v: %+v", what, m.N, m.Normal, n, normal, *m)
	}
}

// depth fails the test unless point k of m has the separation.
func (s *sheet) depth(what string, m *collide.Manifold, k int, separation float64) {
	s.t.Helper()
	if d := m.Points[k].Separation - separation; m.N <= k || d > 1e-9 || d < -1e-9 {
		s.t.Errorf("%s: point %d has not the separation %v: %+v", what, k, separation, *m)
	}
}

// holds fails the test unless ok.
func (s *sheet) holds(ok bool, format string, args ...any) {
	s.t.Helper()
	if !ok {
		s.t.Errorf(format, args...)
	}
}

func (p *plate) sheet(t *testing.T) *sheet {
	s := &sheet{t: t, wide: p.wide, high: p.high, columns: p.columns}
	if s.wide == 0 {
		s.wide = 290
	}
	if s.high == 0 {
		s.high = 230
	}
	if s.columns == 0 {
		s.columns = 3
	}
	p.draw(s)
	return s
}

// table writes the manifolds of a sheet, one a line, and leaves out the shapes where all lines have the same two.
// listed has the manifolds of the plates before; a table without others is left out, since the picture has the figures.
func (s *sheet) table(listed map[string]bool) string {
	if len(s.facts) == 0 {
		return ""
	}
	several, fresh := false, false
	for _, f := range s.facts {
		several = several || f.what != s.facts[0].what
	}
	var out strings.Builder
	for _, f := range s.facts {
		panel, normal, points := f.panel, "", "none"
		if f.m.N > 0 {
			normal = vec(f.m.Normal)
			var list []string
			for k := range f.m.N {
				q := f.m.Points[k]
				one := vec(q.Anchor) + ", " + num(q.Separation)
				if q.ID != 0 {
					one += ", " + name(q.ID, f.face)
				}
				list = append(list, one)
			}
			points = strings.Join(list, "; ")
		}
		fresh = fresh || !listed[normal+points]
		listed[normal+points] = true
		cells := []string{panel, normal, points}
		if several {
			cells = []string{panel, f.what, normal, points}
		}
		fmt.Fprintf(&out, "%s\n", strings.TrimPrefix(strings.Join(cells, " | "), " | "))
	}
	if !fresh {
		return ""
	}
	return out.String()
}

// TestGallery draws every picture of docs/ghosts from the current manifolds, and compares
// page and pictures with the result; with -redraw it writes them.
func TestGallery(t *testing.T) {
	check := func(path, want string) {
		switch {
		case *redraw:
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		case runtime.GOARCH != "amd64":
			// A fused product may move the last digit of a pixel.
		default:
			if got, err := os.ReadFile(path); err != nil {
				t.Error(err)
			} else if string(got) != want {
				t.Errorf("%s differs from the result: run with -redraw and look at it", path)
			}
		}
	}
	var page, manifolds strings.Builder
	manifolds.WriteString("Written by go test ./render -run TestGallery -redraw: panel | shapes | normal | points " +
		"of each manifold.\n")
	drawn, listed := map[string]bool{}, map[string]bool{}
	n, all := 0, 0
	for _, c := range gallery {
		all += len(c.plates)
	}
	for _, c := range gallery {
		fmt.Fprintf(&page, "\n## %s\n\n%s\n", c.title, c.text)
		for i := range c.plates {
			p := &c.plates[i]
			t.Run(p.id, func(t *testing.T) {
				s := p.sheet(t)
				n++
				if drawn[p.id+".svg"] {
					t.Fatal("two plates have one name")
				}
				drawn[p.id+".svg"] = true
				check(filepath.Join(galleryPictures, p.id+".svg"), s.picture())
				fmt.Fprintf(&page, "\n<a id=%q></a>\n\n### %d. %s\n\n%s\n\n![%s](ghosts/%s.svg)\n",
					p.id, n, p.title, p.text, p.id, p.id)
				if table := s.table(listed); table != "" {
					fmt.Fprintf(&manifolds, "\n%d. %s\n%s", n, p.id, table)
				}
			})
		}
	}
	if t.Failed() || len(drawn) < all {
		return // -run names some plates only
	}
	text, err := os.ReadFile(galleryPage)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), galleryBegin)
	_, tail, closed := strings.Cut(rest, galleryEnd)
	if !ok || !closed {
		t.Fatal(galleryPage, " has no place for the plates")
	}
	check(filepath.Join(galleryPictures, galleryList), manifolds.String())
	check(galleryPage, head+galleryBegin+page.String()+"\n"+galleryEnd+tail)
	whole := head + page.String() + tail
	for _, m := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(whole, -1) {
		if !strings.Contains(whole, fmt.Sprintf("<a id=%q>", m[1])) {
			t.Errorf("%s links to #%s, which is no plate", galleryPage, m[1])
		}
	}
	for plate := range drawn {
		if id := strings.TrimSuffix(plate, ".svg"); !strings.Contains(head, "(#"+id+")") {
			t.Errorf("%s has no entry for plate %s", galleryPage, id)
		}
	}
	files, err := os.ReadDir(galleryPictures)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !drawn[f.Name()] && f.Name() != galleryList {
			t.Errorf("%s/%s is of no plate", galleryPictures, f.Name())
		}
	}
}
