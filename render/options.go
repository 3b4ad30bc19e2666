package render

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Limits of Options. Drawing takes about fifteen bytes a pixel: a gigabyte at MaxPixels.
const (
	MaxSide   = 16384   // pixels, of Width and of Height
	MaxPixels = 1 << 26 // Width times Height
)

// The size of a picture, in pixels, where Options.Width and Height are 0.
const (
	DefaultWidth  = 960
	DefaultHeight = 540
)

// maxCoord bounds the coordinates of a view in cells; float64 has a resolution of 1/8 cell there.
// minView is the smallest width or height of a view in cells.
const (
	maxCoord = 1 << 50
	minView  = 1e-6
)

// Options select the content of a picture. The zero value shows the whole world (see Fit)
// in 960 x 540 pixels on a dark background.
type Options struct {
	// View is the part of the world to show, in cells: finite, not empty, at least 1e-6 cells
	// wide or high, and within 2^50 cells of the origin. It is centred and keeps its aspect
	// ratio, so a wider or higher picture shows more of the world. The zero View is Fit's.
	View geom.AABB
	// Width and Height are the picture's size in pixels, up to MaxSide each and up to
	// MaxPixels in area. 0 selects DefaultWidth or DefaultHeight.
	Width, Height int

	Grid bool // lines along the cells, or along every fifth, tenth, ... where cells are small
	// Draw are layers of World.Draw to draw on top. DrawShapes has no effect: shapes are always drawn. A velocity
	// is drawn as the distance in a tenth of a second; impulses in proportion to the largest one in the picture.
	Draw quarry.DrawLayers

	// Light draws on a light background.
	Light bool
	// Background is the background colour, 0xRRGGBB; 0 selects the theme's (Light or
	// dark). Use 0x010101 for black.
	Background uint32
}

// Check returns the error that drawing with o would return, or nil. Call it before a long
// run.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// withDefaults returns o with default sizes for zeros, or an error.
func (o Options) withDefaults() (Options, error) {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	if o.Height == 0 {
		o.Height = DefaultHeight
	}
	if o.Width < 0 || o.Height < 0 || o.Width > MaxSide || o.Height > MaxSide {
		return o, fmt.Errorf("render: a picture of %d x %d pixels; each side must be 1 to %d", o.Width, o.Height,
			MaxSide)
	}
	if o.Width*o.Height > MaxPixels {
		return o, fmt.Errorf("render: a picture of %d x %d pixels has more than %d pixels", o.Width, o.Height,
			MaxPixels)
	}
	if o.Background > 0xffffff {
		return o, fmt.Errorf("render: background %#x is not a colour 0xRRGGBB", o.Background)
	}
	if o.View == (geom.AABB{}) {
		return o, nil
	}
	limit := geom.AABB{Min: geom.V(-maxCoord, -maxCoord), Max: geom.V(maxCoord, maxCoord)}
	size := o.View.Size()
	switch {
	case !o.View.IsFinite():
		return o, fmt.Errorf("render: the view %v has a coordinate that is not finite", o.View)
	case o.View.IsEmpty():
		return o, fmt.Errorf("render: the view %v is empty", o.View)
	case !limit.Contains(o.View):
		return o, fmt.Errorf("render: the view %v reaches more than %d cells from the origin", o.View, int64(maxCoord))
	case max(size.X, size.Y) < minView:
		return o, fmt.Errorf("render: the view %v is less than %v cells wide and high", o.View, minView)
	}
	return o, nil
}
