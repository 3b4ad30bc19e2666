package render

import (
	"errors"
	"fmt"
	"image"
	"io"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// MaxAnimation is the most bytes of compressed frames that a Recorder holds.
const MaxAnimation = 256 << 20

// ErrAnimationFull is Frame's error once a Recorder holds MaxAnimation bytes.
var ErrAnimationFull = fmt.Errorf("render: the animation has more than %d bytes", MaxAnimation)

// Recorder collects pictures of a world and writes them as an animated GIF.
//
// All frames share one palette of 255 colours, chosen from the first frame and the theme,
// and each frame holds only the part that differs from its predecessor. A Recorder keeps
// one picture and at most MaxAnimation bytes of compressed frames.
//
// GIF counts time in hundredths of a second, and browsers show a frame of one hundredth for
// ten. So a frame less than two hundredths after its predecessor is dropped, and delays are
// rounded to keep the total length: of 60 frames a second, 50 are kept.
//
// A Recorder must not be used by two goroutines at once.
type Recorder struct {
	o      Options
	fps    float64
	frames int // calls of Frame
	kept   int // frames in the stream
	shown  int // start of the last kept frame, in hundredths of a second
	r      *raster
	swatch *swatch
	before []uint8 // palette indices of the last kept frame
	pix    []uint8 // palette indices of the changed part
	stream gifStream
}

// NewRecorder returns a Recorder of fps frames a second, more than 0 and at most 1000. It
// returns an error if fps or o is out of range. A zero View is Fit's of the first frame, for
// all frames.
func NewRecorder(o Options, fps float64) (*Recorder, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if !(fps > 0 && fps <= 1000) {
		return nil, fmt.Errorf("render: %v frames a second is out of range: it must be more than 0 and at most 1000",
			fps)
	}
	return &Recorder{o: o, fps: fps}, nil
}

// Len returns the number of frames so far.
func (a *Recorder) Len() int { return a.kept }

// start returns the start of frame i, rounded to hundredths of a second; above 50 frames a second
// it is rounded down to an even hundredth, which several frames may share.
func (a *Recorder) start(i int) int {
	if a.fps > 50 {
		return 2 * int(50*float64(i)/a.fps)
	}
	return int(math.Round(100 * float64(i) / a.fps))
}

// Frame adds a picture of w in its present state, or drops the frame (see Recorder), which costs nothing. If it
// returns ErrAnimationFull, the frame was not added.
func (a *Recorder) Frame(w *quarry.World) error {
	at := a.start(a.frames)
	if a.kept > 0 && at == a.shown {
		a.frames++
		return nil
	}
	if a.stream.body.Len() > MaxAnimation {
		return ErrAnimationFull
	}
	if a.r == nil {
		a.r = newRaster(a.o.Width, a.o.Height)
		if a.o.View == (geom.AABB{}) {
			a.o.View = Fit(w)
		}
	}
	drawWorld(a.r, w, a.o)
	if a.swatch == nil {
		t := themeOf(a.o)
		a.swatch = newSwatch(a.r.picture.Pix, &t)
	}
	if a.kept > 0 {
		a.stream.setDelay(at - a.shown)
	}
	if err := a.stream.frame(a.changes()); err != nil {
		return err
	}
	a.frames++
	a.kept++
	a.shown = at
	return nil
}

// changes returns the bounding box of the changed pixels. Unchanged pixels in it are transparent,
// because these compress well. A picture without changes gives one pixel.
func (a *Recorder) changes() (image.Rectangle, []uint8) {
	w, h := a.o.Width, a.o.Height
	src := a.r.picture.Pix
	if a.before == nil {
		a.before = make([]uint8, w*h)
		a.pix = make([]uint8, w*h)
		for i := range a.before {
			a.before[i] = a.swatch.index(src[4*i], src[4*i+1], src[4*i+2])
		}
		copy(a.pix, a.before)
		return a.r.picture.Rect, a.pix
	}
	part := image.Rectangle{Min: image.Pt(w, h)}
	for y := range h {
		first, last := w, -1
		for x := range w {
			i := y*w + x
			c := a.swatch.index(src[4*i], src[4*i+1], src[4*i+2])
			a.pix[i] = transparent
			if c != a.before[i] {
				a.before[i], a.pix[i] = c, c
				first, last = min(first, x), x
			}
		}
		if last >= 0 {
			part.Min.X, part.Max.X = min(part.Min.X, first), max(part.Max.X, last+1)
			part.Min.Y, part.Max.Y = min(part.Min.Y, y), y+1
		}
	}
	if part.Empty() {
		part = image.Rect(0, 0, 1, 1)
	}
	n := 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		n += copy(a.pix[n:], a.pix[y*w+part.Min.X:y*w+part.Max.X])
	}
	return part, a.pix[:n]
}

// WriteGIF writes the animation so far, repeating without end; more frames may
// be added after it. It fails when there is no frame, and as out does.
func (a *Recorder) WriteGIF(out io.Writer) error {
	if a.kept == 0 {
		return errors.New("render: the animation has no frames")
	}
	a.stream.setDelay(max(a.start(a.frames)-a.shown, 2))
	return a.stream.writeTo(out, a.o.Width, a.o.Height, a.swatch.colours)
}
