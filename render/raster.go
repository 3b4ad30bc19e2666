package render

import (
	"image"
	"image/draw"
	"math"

	"github.com/quarry2d/quarry/internal/canvas"

	"golang.org/x/image/vector"

	"github.com/quarry2d/quarry/geom"
)

// raster is the canvas of pixels. The coverage of a whole path is summed before pixels are drawn,
// so that two tiles of one path cover their common edge completely.
//
// Its buffers are reused for further pictures.
type raster struct {
	dst        *image.RGBA // the target of drawing: the picture or the layer
	picture    *image.RGBA
	layer      *image.RGBA // the target under a clip
	clipping   image.Alpha // the clip's coverage
	clipBox    image.Rectangle
	z          vector.Rasterizer
	mask       image.Alpha
	flat, line contours
	cut, tmp   []geom.Vec
}

// newRaster returns a canvas for pictures of w by h pixels.
func newRaster(w, h int) *raster {
	r := &raster{picture: image.NewRGBA(image.Rect(0, 0, w, h))}
	r.dst = r.picture
	return r
}

func (r *raster) Group(string) {}

func (r *raster) Fill(p *canvas.Path, c canvas.Ink) {
	r.flat.reset()
	r.flat.flatten(p)
	box := r.cover(&r.flat, &r.mask, len(r.flat.ends) > 1)
	r.paint(box, c)
}

func (r *raster) Stroke(p *canvas.Path, width float64, c canvas.Ink) {
	r.flat.reset()
	r.flat.flatten(p)
	r.line.reset()
	r.line.strokeOf(&r.flat, width)
	box := r.cover(&r.line, &r.mask, false)
	r.paint(box, c)
}

func (r *raster) Clip(p *canvas.Path) {
	r.flat.reset()
	r.flat.flatten(p)
	r.clipBox = r.cover(&r.flat, &r.clipping, true)
	if r.layer == nil {
		r.layer = image.NewRGBA(r.picture.Rect)
	}
	// The layer starts as a copy of the picture, so that translucent drawing blends with it.
	draw.Draw(r.layer, r.clipBox, r.picture, r.clipBox.Min, draw.Src)
	r.dst = r.layer
}

// whole is the clip coverage from which a pixel counts as fully covered: along inner edges that
// should cancel, float32 loses up to three of 255 levels.
const whole = 250

func (r *raster) Unclip() {
	w := r.clipBox.Dx()
	for y := range r.clipBox.Dy() {
		from := r.layer.PixOffset(r.clipBox.Min.X, r.clipBox.Min.Y+y)
		src, dst := r.layer.Pix[from:from+4*w], r.picture.Pix[from:from+4*w]
		for x, m := range r.clipping.Pix[y*w : y*w+w] {
			if m >= whole {
				m = 255
			}
			if m != 0 {
				s := src[4*x : 4*x+4 : 4*x+4]
				over(dst[4*x:4*x+4:4*x+4], canvas.Ink{R: s[0], G: s[1], B: s[2], A: 255}, uint32(m))
			}
		}
	}
	r.dst = r.picture
}

// fineRows is the height or width from which vector.Rasterizer computes in floating point. A
// smaller one rounds vertices to fractions of a pixel, so that two edges on one line with different
// vertices do not cancel.
const fineRows = 513

// cover computes the coverage of the contours into mask and returns the part of the picture that
// mask covers. With fine set, common edges of the contours cancel; this makes small pictures
// slower.
func (r *raster) cover(c *contours, mask *image.Alpha, fine bool) image.Rectangle {
	size := r.picture.Rect.Max
	w, h := float64(size.X), float64(size.Y)
	box := geom.Empty
	for _, p := range c.pts {
		box = box.Union(geom.AABB{Min: p, Max: p})
	}
	inside := geom.AABB{Max: geom.V(w, h)}
	if !box.IsFinite() || !box.Overlaps(inside) {
		return image.Rectangle{}
	}
	cut := !inside.Contains(box)
	box.Min, box.Max = box.Min.Max(inside.Min), box.Max.Min(inside.Max)
	rect := image.Rect(int(math.Floor(box.Min.X)), int(math.Floor(box.Min.Y)),
		int(math.Ceil(box.Max.X)), int(math.Ceil(box.Max.Y)))
	if rect.Empty() {
		return image.Rectangle{}
	}
	wide, high := rect.Dx(), rect.Dy()
	if fine && wide < fineRows {
		high = max(high, fineRows)
	}
	r.z.Reset(wide, high)
	ox, oy := float64(rect.Min.X), float64(rect.Min.Y)
	for i := range c.ends {
		pts := c.at(i)
		if cut {
			r.cut, r.tmp = clipPolygon(r.cut, r.tmp, pts, w, h)
			pts = r.cut
		}
		for k, p := range pts {
			x, y := float32(p.X-ox), float32(p.Y-oy)
			if k == 0 {
				r.z.MoveTo(x, y)
			} else {
				r.z.LineTo(x, y)
			}
		}
		if len(pts) > 0 {
			r.z.ClosePath()
		}
	}
	n := wide * high
	if cap(mask.Pix) < n {
		mask.Pix = make([]uint8, n)
	}
	mask.Pix, mask.Stride, mask.Rect = mask.Pix[:n], wide, image.Rect(0, 0, wide, high)
	r.z.DrawOp = draw.Src
	r.z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return rect
}

// paint blends c over the box of dst that mask covers.
func (r *raster) paint(box image.Rectangle, c canvas.Ink) {
	w := box.Dx()
	alpha := uint32(c.A)
	for y := range box.Dy() {
		from := r.dst.PixOffset(box.Min.X, box.Min.Y+y)
		dst := r.dst.Pix[from : from+4*w]
		for x, m := range r.mask.Pix[y*w : y*w+w] {
			if m != 0 {
				over(dst[4*x:4*x+4:4*x+4], c, (uint32(m)*alpha+127)/255)
			}
		}
	}
}

// over blends the opaque colour of c over an opaque pixel with weight a, 0 to 255; 255 gives c
// exactly.
func over(dst []uint8, c canvas.Ink, a uint32) {
	_ = dst[3]
	if a == 255 {
		dst[0], dst[1], dst[2], dst[3] = c.R, c.G, c.B, 255
		return
	}
	b := 255 - a
	dst[0] = uint8((uint32(dst[0])*b + uint32(c.R)*a + 127) / 255)
	dst[1] = uint8((uint32(dst[1])*b + uint32(c.G)*a + 127) / 255)
	dst[2] = uint8((uint32(dst[2])*b + uint32(c.B)*a + 127) / 255)
	dst[3] = 255
}
