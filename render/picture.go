package render

import (
	"image"
	"image/png"
	"io"
	"strconv"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/canvas"
)

// Image draws w. It returns an error only if o is out of range.
func Image(w *quarry.World, o Options) (*image.RGBA, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r := newRaster(o.Width, o.Height)
	drawWorld(r, w, o)
	return r.picture, nil
}

// WritePNG writes a picture of w as PNG. It returns Image's error before it writes, or out's
// error.
func WritePNG(out io.Writer, w *quarry.World, o Options) error {
	img, err := Image(w, o)
	if err != nil {
		return err
	}
	return png.Encode(out, img)
}

// WriteSVG writes Image's drawing of w as SVG 1.1, with one path for each shape and each
// colour of ground and chain. Its errors are WritePNG's.
func WriteSVG(out io.Writer, w *quarry.World, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	v := canvas.NewSVG(out, o.Width, o.Height)
	drawWorld(v, w, o)
	return v.Finish()
}

// drawing draws a world on a canvas.
type drawing struct {
	c        canvas.Canvas
	o        Options
	cam      canvas.Camera
	theme    theme
	path     canvas.Path // scratch
	segments []gridseg.Segment
	list     quarry.DrawList
	numbers  []int // of a chain's segments
}

// drawWorld draws w on c, for all formats. o must have its defaults set.
func drawWorld(c canvas.Canvas, w *quarry.World, o Options) {
	if o.View == (geom.AABB{}) {
		o.View = Fit(w)
	}
	d := drawing{c: c, o: o, cam: canvas.NewCamera(o.View, o.Width, o.Height), theme: themeOf(o)}
	c.Group("background")
	c.Fill(d.everything(), d.theme.background)
	if o.Grid {
		d.backdrop()
	}
	n := 0
	for g := range w.Grounds() {
		n++
		d.terrain(w, g, "ground-"+strconv.Itoa(n))
	}
	d.chains(w)
	d.bodies(w)
	d.overlays(w)
}

// everything returns the rectangle of the picture in the scratch path.
func (d *drawing) everything() *canvas.Path {
	w, h := 2*d.cam.Half.X, 2*d.cam.Half.Y
	d.path.Reset()
	d.path.Polygon(geom.V(0, 0), geom.V(w, 0), geom.V(w, h), geom.V(0, h))
	return &d.path
}

// strokeSome and fillSome ignore empty paths.
func (d *drawing) strokeSome(p *canvas.Path, width float64, c canvas.Ink) {
	if !p.Empty() {
		d.c.Stroke(p, width, c)
	}
}

func (d *drawing) fillSome(p *canvas.Path, c canvas.Ink) {
	if !p.Empty() {
		d.c.Fill(p, c)
	}
}
