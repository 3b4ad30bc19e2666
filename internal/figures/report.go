package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/render"
)

// file is a file of a page: its path from the root of the repository, and its content.
type file struct {
	path string
	data []byte
}

// report has the files made so far, and what contradicts the text of a figure. A figure reports to it as a test does.
type report struct {
	files  []file
	faults []string
	within string // the figure that is being drawn
}

// stopped is the panic by which Fatal ends a part.
type stopped struct{}

// run runs a part of the figures, until its end or a fatal fault.
func (r *report) run(part func(*report)) {
	defer func() {
		if e := recover(); e != nil && e != (stopped{}) {
			panic(e)
		}
	}()
	part(r)
}

// Add adds a file.
func (r *report) Add(path string, data []byte) {
	r.files = append(r.files, file{path, bytes.Clone(data)})
}

// show adds a picture of a page, which must show it.
func (r *report) show(page, picture string, data []byte) {
	r.Add(picture, data)
	if text := r.page(page); !strings.Contains(text, "]("+strings.TrimPrefix(picture, path.Dir(page)+"/")+")") {
		r.Errorf("%s does not show %s", page, picture)
	}
}

// page returns the text of a page: as it will be, if a part of it has been made.
func (r *report) page(path string) string {
	for _, f := range r.files {
		if f.path == path {
			return string(f.data)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		r.Fatal(err)
	}
	return string(text)
}

// Part replaces the part of a page between two lines.
func (r *report) Part(page, first, last, text string) {
	head, rest, ok := strings.Cut(r.page(page), first)
	_, tail, closed := strings.Cut(rest, last)
	if !ok || !closed {
		r.Fatalf("%s has no place between %q and %q", page, first, last)
	}
	data := []byte(head + first + text + last + tail)
	for i := range r.files {
		if r.files[i].path == page {
			r.files[i].data = data
			return
		}
	}
	r.Add(page, data)
}

// Helper makes a report a Failer, as tests are.
func (r *report) Helper() {}

// Error notes a fault.
func (r *report) Error(args ...any) {
	fault := strings.TrimSuffix(fmt.Sprintln(args...), "\n")
	if r.within != "" {
		fault = r.within + ": " + fault
	}
	r.faults = append(r.faults, fault)
}

// Errorf notes a fault.
func (r *report) Errorf(format string, args ...any) { r.Error(fmt.Sprintf(format, args...)) }

// Fatal notes a fault and ends the part.
func (r *report) Fatal(args ...any) {
	r.Error(args...)
	panic(stopped{})
}

// Fatalf notes a fault and ends the part.
func (r *report) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

// svg returns the picture of a world.
func (r *report) svg(w *quarry.World, o render.Options) []byte {
	var out bytes.Buffer
	if err := render.WriteSVG(&out, w, o); err != nil {
		r.Fatal(err)
	}
	return out.Bytes()
}

// pathsOf returns the number of paths in a group of a picture.
func pathsOf(svg []byte, group string) int {
	_, rest, _ := bytes.Cut(svg, []byte(`<g id="`+group+`">`))
	inside, _, _ := bytes.Cut(rest, []byte("</g>"))
	return bytes.Count(inside, []byte("<path"))
}

// view is the part of a world from (x0, y0) to (x1, y1).
func view(x0, y0, x1, y1 float64) geom.AABB {
	return geom.AABB{Min: geom.V(x0, y0), Max: geom.V(x1, y1)}
}

// full is a block of a material.
func full(material uint16) gridseg.Tile { return gridseg.Tile{Shape: gridseg.Full, Material: material} }
