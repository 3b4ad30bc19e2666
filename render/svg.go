package render

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/quarry2d/quarry/geom"
)

// vectorFile is the canvas of SVG 1.1 text: a path element for each fill and stroke, a g element
// for each group, a clipPath for each clip. Coordinates are rounded to 1/100 pixel.
type vectorFile struct {
	out     *bufio.Writer
	num     []byte // scratch
	grouped bool
	clips   int
}

// newVectorFile writes the head of a picture of w by h pixels. finish returns errors of the writer.
func newVectorFile(out io.Writer, w, h int) *vectorFile {
	v := &vectorFile{out: bufio.NewWriterSize(out, 1<<16)}
	fmt.Fprintf(v.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"+
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", w, h, w, h)
	return v
}

// finish writes the end of the file and returns the first error of the writer.
func (v *vectorFile) finish() error {
	v.endGroup()
	v.text("</svg>\n")
	return v.out.Flush()
}

func (v *vectorFile) text(s string) {
	// A bufio.Writer returns its first error again from Flush.
	_, _ = v.out.WriteString(s)
}

func (v *vectorFile) endGroup() {
	if v.grouped {
		v.text("</g>\n")
	}
	v.grouped = false
}

func (v *vectorFile) group(name string) {
	v.endGroup()
	v.text("<g id=\"" + name + "\">\n")
	v.grouped = true
}

func (v *vectorFile) fill(p *path, c ink) {
	v.text("<path fill=\"")
	v.colour(c)
	v.text("\"")
	v.opacity("fill-opacity", c)
	v.data(p)
	v.text("/>\n")
}

func (v *vectorFile) stroke(p *path, width float64, c ink) {
	v.text("<path fill=\"none\" stroke=\"")
	v.colour(c)
	v.text("\" stroke-width=\"")
	v.number(width)
	v.text("\"")
	v.opacity("stroke-opacity", c)
	v.data(p)
	v.text("/>\n")
}

func (v *vectorFile) clip(p *path) {
	v.clips++
	id := "clip" + strconv.Itoa(v.clips)
	v.text("<clipPath id=\"" + id + "\"><path")
	v.data(p)
	v.text("/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n")
}

func (v *vectorFile) unclip() { v.text("</g>\n") }

func (v *vectorFile) colour(c ink) {
	const hex = "0123456789abcdef"
	v.num = append(v.num[:0], '#')
	for _, b := range [...]uint8{c.R, c.G, c.B} {
		v.num = append(v.num, hex[b>>4], hex[b&15])
	}
	_, _ = v.out.Write(v.num)
}

func (v *vectorFile) opacity(name string, c ink) {
	if c.A == 255 {
		return
	}
	v.text(" " + name + "=\"")
	v.number(float64(c.A) / 255)
	v.text("\"")
}

// data writes the path as a d attribute.
func (v *vectorFile) data(p *path) {
	v.text(" d=\"")
	var pen geom.Vec
	for _, s := range p.steps {
		switch s.verb {
		case moveTo:
			v.text("M")
			v.point(s.p)
		case lineTo:
			v.text("L")
			v.point(s.p)
		case arcTo:
			r := pen.Dist(s.centre)
			v.text("A")
			v.point(geom.V(r, r))
			// An arc is at most half a turn; sweep 0 is counter-clockwise on the screen.
			v.text(" 0 0 0 ")
			v.point(s.p)
		case closed:
			v.text("Z")
		}
		pen = s.p
	}
	v.text("\"")
}

func (v *vectorFile) point(p geom.Vec) {
	v.number(p.X)
	v.text(" ")
	v.number(p.Y)
}

// number writes x with at most two digits after the point.
func (v *vectorFile) number(x float64) {
	b := strconv.AppendFloat(v.num[:0], x, 'f', 2, 64)
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	if string(b) == "-0" {
		b = b[1:]
	}
	_, _ = v.out.Write(b)
	v.num = b[:0]
}
