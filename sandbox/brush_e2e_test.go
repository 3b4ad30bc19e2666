//go:build !js

package sandbox

import (
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/chromedp/chromedp"
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

// choose takes another scene from the list.
func (b *browser) choose(scene string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](
		fmt.Sprintf(
			`{ const s = document.getElementById("scene"); s.value = %q; s.dispatchEvent(new Event("change")); }`,
			scene)))
	b.until(fmt.Sprintf("quarry.state.scene === %q && quarry.state.frames > 0", scene))
}

// testBrush is the part of TestPageInChromium that is about ground which keeps
// to no tiles.
func testBrush(t *testing.T, b *browser) {
	t.Run("draws patches", func(t *testing.T) {
		b.t = t
		b.choose("crater")
		b.until("quarry.tiles === 77")
		b.click("show-grid")
		b.checkDrawn(b.shot("crater"),
			[][2]float64{
				{-8.5, -2.5},
				{1.2, -3.2},
				{-1.2, -3.2},
				{1.2, -0.8},
				{0.5, -1.5},
				{-5.85, -1.5},
				{-5.5, -1.15},
				{-5.15, -1.85},
			},
			[][2]float64{
				{-0.5, -2.5},
				{0.9, -2.9},
				{-0.9, -1.1},
				{0.5, -1.9},
				{0.15, -1.15},
				{-5.5, -1.5},
				{-5.4, -1.6},
				{0.5, 2.5},
			})
	})

	t.Run("digs under a box, which falls", func(t *testing.T) {
		b.t = t
		b.choose("pit")
		b.until("quarry.tiles === 40 && quarry.bodies.length === 1")
		b.step(30)
		if y := b.bodies()[0].Y; math.Abs(y-0.5) > 0.02 {
			t.Fatalf("the box does not rest: y = %v", y)
		}
		b.click("tool-dig")
		for range 3 {
			b.do(chromedp.KeyEvent("]"))
		}
		b.until(`quarry.state.tool === "dig" && quarry.state.radius === 1.6 && document.getElementById("radius-value").textContent === "1.6"`)
		before := b.shot("before digging")
		b.drag(0, 0.5, 0, -1.5)
		b.step(1)                      // after the last part of the stroke
		b.until("quarry.tiles === 36") // the cells to both sides of the middle are gone
		after := b.shot("dug")
		if n := differing(before, after); n < 2000 {
			t.Errorf("digging changes %d pixels", n)
		}
		b.checkDrawn(after, [][2]float64{{-1.8, -0.5}, {1.8, -1.5}, {-4.5, -1.5}},
			[][2]float64{{-1.4, -0.5}, {1.4, -1.5}, {0, -1.8}})
		b.step(60)
		if y := b.bodies()[0].Y; y > -1.5 {
			t.Errorf("the box hangs above the hole: y = %v", y)
		}
		b.shot("fallen")
	})

	t.Run("builds", func(t *testing.T) {
		b.t = t
		b.do(chromedp.KeyEvent("u"))
		b.until(`quarry.state.tool === "build" && !document.getElementById("materials").closest("section").hidden`)
		for range 5 {
			b.do(chromedp.KeyEvent("["))
		}
		b.until(`Math.abs(quarry.state.radius - 0.6) < 1e-9`)
		b.drag(4, 2, 8, 4)
		b.step(1) // after the last part of the stroke
		b.until("quarry.tiles > 45")
		b.checkDrawn(b.shot("built"), [][2]float64{{4, 2}, {6, 3}, {8, 4}, {6, 3.5}},
			[][2]float64{{4, 3}, {8, 3}, {6, 4}})
		b.click("show-grid")
	})
}
