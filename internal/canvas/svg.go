package canvas

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/quarry2d/quarry/geom"
)

// SVG is the canvas of SVG 1.1 text: a path element for each fill and stroke, a g element
// for each group, a clipPath for each clip. Coordinates are rounded to 1/100 pixel.
type SVG struct {
	Out     *bufio.Writer // of the text; callers may write elements of their own
	Clips   int           // number of clips so far: their ids continue from it
	num     []byte        // scratch
	grouped bool
}

// NewSVG writes the head of a picture of w by h pixels. Finish returns errors of the writer.
func NewSVG(out io.Writer, w, h int) *SVG {
	v := &SVG{Out: bufio.NewWriterSize(out, 1<<16)}
	fmt.Fprintf(v.Out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"+
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", w, h, w, h)
	return v
}

// Finish writes the end of the file and returns the first error of the writer.
func (v *SVG) Finish() error {
	v.endGroup()
	v.Text("</svg>\n")
	return v.Out.Flush()
}

// Text writes s as it is.
func (v *SVG) Text(s string) {
	// A bufio.Writer returns its first error again from Flush.
	_, _ = v.Out.WriteString(s)
}

func (v *SVG) endGroup() {
	if v.grouped {
		v.Text("</g>\n")
	}
	v.grouped = false
}

// Group implements Canvas.
func (v *SVG) Group(name string) {
	v.endGroup()
	v.Text("<g id=\"" + name + "\">\n")
	v.grouped = true
}

// Fill implements Canvas.
func (v *SVG) Fill(p *Path, c Ink) {
	v.Text("<path fill=\"")
	v.colour(c)
	v.Text("\"")
	v.opacity("fill-opacity", c)
	v.data(p)
	v.Text("/>\n")
}

// Stroke implements Canvas.
func (v *SVG) Stroke(p *Path, width float64, c Ink) {
	v.Text("<path fill=\"none\" stroke=\"")
	v.colour(c)
	v.Text("\" stroke-width=\"")
	v.number(width)
	v.Text("\"")
	v.opacity("stroke-opacity", c)
	v.data(p)
	v.Text("/>\n")
}

// Clip implements Canvas.
func (v *SVG) Clip(p *Path) {
	v.Clips++
	id := "clip" + strconv.Itoa(v.Clips)
	v.Text("<clipPath id=\"" + id + "\"><path")
	v.data(p)
	v.Text("/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n")
}

// Unclip implements Canvas.
func (v *SVG) Unclip() { v.Text("</g>\n") }

func (v *SVG) colour(c Ink) {
	const hex = "0123456789abcdef"
	v.num = append(v.num[:0], '#')
	for _, b := range [...]uint8{c.R, c.G, c.B} {
		v.num = append(v.num, hex[b>>4], hex[b&15])
	}
	_, _ = v.Out.Write(v.num)
}

func (v *SVG) opacity(name string, c Ink) {
	if c.A == 255 {
		return
	}
	v.Text(" " + name + "=\"")
	v.number(float64(c.A) / 255)
	v.Text("\"")
}

// data writes the path as a d attribute.
func (v *SVG) data(p *Path) {
	v.Text(" d=\"")
	var pen geom.Vec
	for _, s := range p.Steps {
		switch s.Verb {
		case MoveTo:
			v.Text("M")
			v.point(s.P)
		case LineTo:
			v.Text("L")
			v.point(s.P)
		case ArcTo:
			r := pen.Dist(s.Centre)
			v.Text("A")
			v.point(geom.V(r, r))
			// An arc is at most half a turn; sweep 0 is counter-clockwise on the screen.
			v.Text(" 0 0 0 ")
			v.point(s.P)
		case Closed:
			v.Text("Z")
		}
		pen = s.P
	}
	v.Text("\"")
}

func (v *SVG) point(p geom.Vec) {
	v.number(p.X)
	v.Text(" ")
	v.number(p.Y)
}

// number writes x with at most two digits after the point.
func (v *SVG) number(x float64) {
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
	_, _ = v.Out.Write(b)
	v.num = b[:0]
}
