package render

import (
	"errors"
	"fmt"

	"github.com/quarry2d/quarry/geom"
)

// Limits of Options. A picture needs about fifteen bytes a pixel while it is drawn:
// a gigabyte at MaxPixels.
const (
	MaxSide   = 16384   // pixels, of Width and of Height
	MaxPixels = 1 << 26 // Width times Height
)

// The size of a picture whose Options do not say.
const (
	DefaultWidth  = 960
	DefaultHeight = 540
)

// A view's coordinates may be up to maxCoord cells from the origin, where
// float64 still tells an eighth of a cell, and it must be at least minView
// cells wide or high.
const (
	maxCoord = 1 << 50
	minView  = 1e-6
)

// Options says what a picture shows. The zero value shows the whole world, as
// Fit finds it, in 960 x 540 pixels on a dark background.
type Options struct {
	// View is the part of the world to show, in cells. All of it is shown with
	// its shape kept, in the middle: a picture that is wider or higher than the
	// view shows more of the world. The zero View is Fit's.
	View geom.AABB
	// Width and Height are the picture's size in pixels, up to MaxSide each and
	// MaxPixels together. 0 is DefaultWidth, or DefaultHeight.
	Width, Height int

	Grid     bool // lines along the cells, or along every fifth, tenth, ... when those are small
	Normals  bool // of the ground's and of chains' segments, as ticks out of the solid
	Ghosts   bool // ghost vertices of the segments, as dots linked to the segment
	Contacts bool // contact points and their normals
	AABBs    bool // boxes round shapes and chains

	// Light draws on a light background.
	Light bool
	// Background is the background's colour as 0xRRGGBB; 0 is the one of the
	// theme (Light or dark). Black is 0x010101.
	Background uint32
}

// Check returns nil, or the error that drawing with o would give. A long run is
// better asked before it than after.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// withDefaults returns o with its zero sizes filled in, or why it is refused.
func (o Options) withDefaults() (Options, error) {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	if o.Height == 0 {
		o.Height = DefaultHeight
	}
	if o.Width < 0 || o.Height < 0 || o.Width > MaxSide || o.Height > MaxSide {
		return o, fmt.Errorf("render: a picture of %d x %d pixels; each side must be 1 to %d", o.Width, o.Height, MaxSide)
	}
	if o.Width*o.Height > MaxPixels {
		return o, fmt.Errorf("render: a picture of %d x %d pixels has more than %d", o.Width, o.Height, MaxPixels)
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
		return o, errors.New("render: the view has a coordinate that is not a finite number")
	case o.View.IsEmpty():
		return o, fmt.Errorf("render: the view %v is empty", o.View)
	case !limit.Contains(o.View):
		return o, fmt.Errorf("render: the view %v reaches further than %d cells from the origin", o.View, int64(maxCoord))
	case max(size.X, size.Y) < minView:
		return o, fmt.Errorf("render: the view %v is smaller than %v cells", o.View, minView)
	}
	return o, nil
}
