//go:build !js

package sandbox

import (
	"image"
	"testing"

	"github.com/quarry2d/quarry/scene"
)

// bright is how bright the page is at a world point: the air is dark.
func (b *browser) bright(img image.Image, x, y float64) uint32 {
	b.t.Helper()
	px, py := b.toScreen(x, y)
	r, g, bl, _ := img.At(int(px), int(py)).RGBA()
	return (r + g + bl) / 3 >> 8
}

// checkDrawn tells where the page shows solid and where air.
func (b *browser) checkDrawn(img image.Image, solid, air [][2]float64) {
	b.t.Helper()
	for _, p := range solid {
		if v := b.bright(img, p[0], p[1]); v < 65 {
			b.t.Errorf("at %v there is air, of brightness %d", p, v)
		}
	}
	for _, p := range air {
		if v := b.bright(img, p[0], p[1]); v > 60 {
			b.t.Errorf("at %v there is solid, of brightness %d", p, v)
		}
	}
}

func TestBrushInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	addr, _ := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{crater, pit}, Paused: true})
	b := browse(t, addr)

	t.Run("draws patches", func(t *testing.T) {
		b.t = t
		b.until("quarry.tiles > 60")
		b.click("show-grid")
		b.checkDrawn(b.shot("crater"),
			[][2]float64{{-8.5, -2.5}, {1.2, -3.2}, {-1.2, -3.2}, {1.2, -0.8}, {0.5, -1.5}, {-5.85, -1.5}, {-5.5, -1.15}, {-5.15, -1.85}},
			[][2]float64{{-0.5, -2.5}, {0.9, -2.9}, {-0.9, -1.1}, {0.5, -1.9}, {0.15, -1.15}, {-5.5, -1.5}, {-5.4, -1.6}, {0.5, 2.5}})
	})

	b.t = t
	if errs := evaluate[[]string](b, "quarry.state.errors"); len(errs) != 0 {
		t.Errorf("errors on the page: %q", errs)
	}
	b.checkConsole()
}
