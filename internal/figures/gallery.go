package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

const (
	galleryPage     = "docs/ghosts.md"
	galleryPictures = "docs/ghosts"
	galleryList     = "manifolds.txt" // the manifolds of all plates, beside their pictures
	galleryBegin    = "<!-- written by go run ./internal/figures -->\n"
	galleryEnd      = "<!-- end of the written part -->\n"
)

// plate is one picture of the gallery with its text. Draw makes the manifolds, draws
// them, and reports if they contradict the text.
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

// want reports a fault unless m has n points and, if any, the normal.
func (s *sheet) want(what string, m *collide.Manifold, n int, normal geom.Vec) {
	s.t.Helper()
	if m.N != n || n > 0 && m.Normal.Dist(normal) > 1e-9 {
		s.t.Errorf("%s: %d points, normal %v; the text says %d and %v: %+v", what, m.N, m.Normal, n, normal, *m)
	}
}

// depth reports a fault unless point k of m has the separation.
func (s *sheet) depth(what string, m *collide.Manifold, k int, separation float64) {
	s.t.Helper()
	if d := m.Points[k].Separation - separation; m.N <= k || d > 1e-9 || d < -1e-9 {
		s.t.Errorf("%s: point %d has not the separation %v: %+v", what, k, separation, *m)
	}
}

// holds reports a fault unless ok.
func (s *sheet) holds(ok bool, format string, args ...any) {
	s.t.Helper()
	if !ok {
		s.t.Errorf(format, args...)
	}
}

func (p *plate) sheet(t *report) *sheet {
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

// ghostPictures draws the plates of docs/ghosts from the current manifolds, and writes them into the page.
func ghostPictures(t *report) {
	var page, manifolds strings.Builder
	manifolds.WriteString("Written by go run ./internal/figures: panel | shapes | normal | points of each manifold.\n")
	drawn, listed := map[string]bool{}, map[string]bool{}
	n := 0
	for _, c := range gallery {
		fmt.Fprintf(&page, "\n## %s\n\n%s\n", c.title, c.text)
		for i := range c.plates {
			p := &c.plates[i]
			t.within = p.id
			s := p.sheet(t)
			n++
			if drawn[p.id] {
				t.Fatal("two plates have one name")
			}
			drawn[p.id] = true
			t.Add(path.Join(galleryPictures, p.id+".svg"), []byte(s.picture()))
			fmt.Fprintf(&page, "\n<a id=%q></a>\n\n### %d. %s\n\n%s\n\n![%s](ghosts/%s.svg)\n",
				p.id, n, p.title, p.text, p.id, p.id)
			if table := s.table(listed); table != "" {
				fmt.Fprintf(&manifolds, "\n%d. %s\n%s", n, p.id, table)
			}
		}
	}
	t.within = ""
	t.Add(path.Join(galleryPictures, galleryList), []byte(manifolds.String()))
	t.Part(galleryPage, galleryBegin, galleryEnd, page.String()+"\n")
	whole := t.page(galleryPage)
	for _, m := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(whole, -1) {
		if !strings.Contains(whole, fmt.Sprintf("<a id=%q>", m[1])) {
			t.Errorf("%s links to #%s, which is no plate", galleryPage, m[1])
		}
	}
	head, _, _ := strings.Cut(whole, galleryBegin)
	for _, c := range gallery {
		for i := range c.plates {
			if id := c.plates[i].id; !strings.Contains(head, "(#"+id+")") {
				t.Errorf("%s has no entry for plate %s", galleryPage, id)
			}
		}
	}
}
