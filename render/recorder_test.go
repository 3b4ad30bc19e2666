package render

import (
	"bytes"
	"image"
	"image/gif"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/canvas"
)

// falling is a world in which something moves in every step.
func falling(t testing.TB) *quarry.World {
	return world(t, geom.V(0, 2), 0.4, geom.NewBox(0.5, 0.5), func(set func(int32, int32, gridseg.Tile)) {
		for x := int32(-8); x < 8; x++ {
			set(x, -6, full(uint16(x&1)))
		}
	})
}

func record(t testing.TB, w *quarry.World, fps float64, frames int, o Options) (*Recorder, *gif.GIF, int) {
	t.Helper()
	rec, err := NewRecorder(o, fps)
	if err != nil {
		t.Fatal(err)
	}
	for range frames {
		if err := rec.Frame(w); err != nil {
			t.Fatal(err)
		}
		w.Step(1.0 / 60)
	}
	var out bytes.Buffer
	if err := rec.WriteGIF(&out); err != nil {
		t.Fatal(err)
	}
	size := out.Len()
	g, err := gif.DecodeAll(&out)
	if err != nil {
		t.Fatal(err)
	}
	return rec, g, size
}

func TestGIFTiming(t *testing.T) {
	for _, tt := range []struct {
		fps          float64
		frames, want int
	}{
		{50, 50, 50}, {30, 30, 30}, {60, 60, 50}, {25, 10, 10}, {120, 60, 25}, {7, 9, 9}, {0.5, 2, 2},
	} {
		rec, g, _ := record(t, falling(t), tt.fps, tt.frames, Options{Width: 120, Height: 80})
		if len(g.Image) != tt.want || rec.Len() != tt.want {
			t.Errorf("%v fps: %d frames (Len %d), want %d", tt.fps, len(g.Image), rec.Len(), tt.want)
		}
		sum := 0
		for i, d := range g.Delay {
			if d < 2 {
				t.Errorf("%v fps: frame %d stays %d hundredths; browsers make ten of one", tt.fps, i, d)
			}
			sum += d
		}
		if want := 100 * float64(tt.frames) / tt.fps; math.Abs(float64(sum)-want) > 1 {
			t.Errorf("%v fps: lasts %d hundredths, want %v", tt.fps, sum, want)
		}
		if g.LoopCount != 0 {
			t.Errorf("loops %d times", g.LoopCount)
		}
	}
}

// Played as a viewer does, each frame over those before, the animation shows the same as
// Image, within the precision of 255 colours.
func TestGIFShowsTheWorld(t *testing.T) {
	o := Options{Width: 240, Height: 160, View: view(-6, -7, 6, 4), Grid: true}
	w, again := falling(t), falling(t)
	_, g, _ := record(t, w, 50, 100, o)
	screen := image.NewRGBA(image.Rect(0, 0, 240, 160))
	for n, frame := range g.Image {
		for y := frame.Rect.Min.Y; y < frame.Rect.Max.Y; y++ {
			for x := frame.Rect.Min.X; x < frame.Rect.Max.X; x++ {
				if frame.ColorIndexAt(x, y) != transparent {
					screen.Set(x, y, frame.At(x, y))
				}
			}
		}
		want := mustImage(t, again, o)
		again.Step(1.0 / 60)
		for i := range want.Pix {
			if d := int(want.Pix[i]) - int(screen.Pix[i]); d < -40 || d > 40 {
				t.Fatalf("frame %d, pixel (%d,%d): %v, want %v", n, i/4%240, i/4/240, screen.Pix[i&^3:i&^3+4],
					want.Pix[i&^3:i&^3+4])
			}
		}
	}
	// Areas are exact.
	if c := screen.RGBAAt(158, 100); c != hex(red) && c != hex(blue) {
		t.Errorf("a tile is %v", c)
	}
}

func TestGIFHoldsOnlyWhatChanges(t *testing.T) {
	o := Options{View: view(-8, -7, 8, 4), Grid: true}
	_, g, size := record(t, falling(t), 50, 100, o)
	if size > 150_000 {
		t.Errorf("100 frames with one falling box take %d bytes", size)
	}
	for i, frame := range g.Image[1:] {
		if b := frame.Bounds(); b.Dx()*b.Dy() > 160*160 {
			t.Errorf("frame %d covers %v", i+1, b)
		}
	}
	// A world that stands still costs next to nothing a frame.
	still := quarry.NewWorld(quarry.Config{})
	_, _, first := record(t, still, 50, 1, o)
	_, g, all := record(t, still, 50, 101, o)
	if len(g.Image) != 101 || all-first > 100*40 {
		t.Errorf("100 frames of nothing: %d frames, %d bytes more", len(g.Image), all-first)
	}
}

func TestRecorderRefuses(t *testing.T) {
	for _, fps := range []float64{0, -1, math.NaN(), math.Inf(1), 1001} {
		if _, err := NewRecorder(Options{}, fps); err == nil {
			t.Errorf("%v frames a second were taken", fps)
		}
	}
	rec, err := NewRecorder(Options{}, 30)
	if err != nil {
		t.Fatal(err)
	}
	if rec.WriteGIF(&bytes.Buffer{}) == nil {
		t.Error("an animation without a frame was written")
	}
}

func TestSwatchKeepsFlatColours(t *testing.T) {
	img := mustImage(t, falling(t), Options{Grid: true})
	th := themeOf(Options{})
	s := newSwatch(img.Pix, &th)
	if n := len(s.colours); n > swatchSize {
		t.Fatalf("%d colours", n)
	}
	for _, c := range append(th.all(), canvas.RGB(red), canvas.RGB(blue)) {
		if got := s.colours[s.index(c.R, c.G, c.B)]; got != (canvas.Ink{R: c.R, G: c.G, B: c.B, A: 255}) {
			t.Errorf("%v became %v", c, got)
		}
	}
	if again := newSwatch(img.Pix, &th); len(again.colours) != len(s.colours) {
		t.Error("the same picture gave another palette")
	} else {
		for i := range s.colours {
			if s.colours[i] != again.colours[i] {
				t.Fatalf("the same picture gave another palette: entry %d", i)
			}
		}
	}
}
