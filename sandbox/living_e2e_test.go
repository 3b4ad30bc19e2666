//go:build !js

package sandbox

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// testLiving is the part of TestPageInChromium about ground that falls, and bodies of tiles that are painted and dug.
func testLiving(t *testing.T, b *browser) {
	t.Run("loose ground falls", func(t *testing.T) {
		b.t = t
		b.choose("shelf")
		b.until("quarry.tiles === 29 && !quarry.state.breaks")
		b.click("tool-dig")
		b.click("breaks")
		b.until("quarry.state.breaks")
		b.drag(-1, 2, 2, 2) // through the post
		b.step(60)
		b.until("quarry.grounds.length === 2 && quarry.grounds[1].tiles === 7 && Math.abs(quarry.grounds[1].angle) " +
			"> 0.1")
		b.shot("shelf")
		b.click("breaks")
		b.until("!quarry.state.breaks")
	})
	t.Run("a stroke is one edit until the button is released", func(t *testing.T) {
		b.t = t
		b.choose("bare")
		b.choose("shelf")
		b.until("quarry.tiles === 29 && quarry.grounds.length === 1")
		b.do(chromedp.KeyEvent("k")) // the check box shows with a brush only
		b.click("pause")
		b.until("quarry.state.breaks && !quarry.state.paused")
		for _, tool := range []string{"build", "paint"} {
			b.click("tool-" + tool)
			x, y := b.toScreen(-9.5, 6.5)
			b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y),
				chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft))
			before := evaluate[int](b, "quarry.grounds[0].tiles")
			for i := range 8 {
				x, y := b.toScreen(-9.5+float64(i+1), 6.5)
				b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y, chromedp.ButtonLeft))
				b.until(fmt.Sprintf("quarry.grounds[0].tiles > %d", before+i)) // each part is seen at once
				step := evaluate[float64](b, "quarry.state.step")
				b.until(fmt.Sprintf("quarry.state.step > %v + 2", step))
				if n := evaluate[int](b, "quarry.grounds.length"); n != 1 {
					t.Fatalf("%s: %d grounds before the button is released", tool, n)
				}
			}
			b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x, y, chromedp.ButtonLeft))
			b.until("quarry.grounds.length === 2 && quarry.grounds[1].y < -1")
			if n := evaluate[int](b, "quarry.grounds[1].tiles"); n < 9 {
				t.Errorf("%s: %d tiles fall, want the whole beam", tool, n)
			}
			b.click("reset")
			b.until("quarry.tiles === 29 && quarry.grounds.length === 1 && !quarry.state.breaks")
			b.do(chromedp.KeyEvent("k"))
			b.until("quarry.state.breaks")
		}
		b.do(chromedp.KeyEvent("k"))
		b.click("pause")
		b.until("!quarry.state.breaks && quarry.state.paused")
	})
	t.Run("tiles are painted on a body of tiles, and dug from it", func(t *testing.T) {
		b.t = t
		b.choose("bare")
		b.choose("shelf")
		b.until("quarry.tiles === 29 && quarry.grounds.length === 1")
		b.click("tool-drop")
		b.click("kind-tiles")
		x, y := b.toScreen(-6, 4)
		b.do(chromedp.MouseClickXY(x, y))
		b.until("quarry.grounds.length === 2 && quarry.grounds[1].tiles === 1")
		b.click("tool-paint")
		b.drag(-5, 4, -3, 4) // beside it
		b.until("quarry.grounds[1].tiles === 4 && quarry.grounds[0].tiles === 29")
		b.shot("painted raft")
		b.click("tool-erase")
		b.drag(-6, 4, -6, 4)
		b.until("quarry.grounds[1].tiles === 3")
		b.step(30)
		b.until("quarry.grounds[1].y < 3.4")
		if errors := evaluate[[]string](b, "[...quarry.state.errors]"); len(errors) != 0 {
			t.Errorf("errors: %q", errors)
		}
		b.click("tool-drop")
		b.click("kind-box")
	})
}
