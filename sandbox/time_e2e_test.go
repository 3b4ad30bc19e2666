//go:build !js

package sandbox

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry/scene"
)

// The bar of time in Chromium: undo by button and by key, the last seconds by dragging the slider, the speed.
func TestTimeInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	addr, _ := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{pit, bare}})
	testTimePage(t, browse(t, addr))
}

// A world of a host does the same, and is kept under names.
func TestHostedInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	v := serveHosted(t, t.TempDir())
	t.Cleanup(v.end)
	b := browse(t, v.addr)
	testTimePage(t, b)
	testWorldsPage(t, b)
	b.checkConsole()
}

func testTimePage(t *testing.T, b *browser) {
	t.Helper()
	b.until("quarry.tiles === 40")
	b.click("tool-erase")
	b.drag(-9.5, -0.5, -6.5, -0.5)
	b.until("quarry.tiles === 36 && quarry.state.status.undo === 1")
	b.click("undo")
	b.until("quarry.tiles === 40 && quarry.state.status.redo === 1")
	key := func(name string) { b.do(chromedp.KeyEvent(name, chromedp.KeyModifiers(chromedp.ModifierCtrl))) }
	key("y")
	b.until("quarry.tiles === 36")
	key("z")
	b.until("quarry.tiles === 40")
	if !evaluate[bool](b, `document.getElementById("undo").disabled && !document.getElementById("redo").disabled`) {
		t.Error("the buttons do not tell what can be undone")
	}

	b.click("tool-drop")
	x, y := b.toScreen(6, 8)
	b.do(chromedp.MouseClickXY(x, y))
	b.until(`quarry.bodies.length === 2 && document.getElementById("rest").textContent === "Everything is at rest"`)
	box := evaluate[struct{ X, Y, W, H float64 }](b,
		`(() => { const r = document.getElementById("past").getBoundingClientRect(); return { X: r.x, Y: r.y, W: r.width, H: r.height } })()`)
	middle := box.Y + box.H/2
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, box.X+box.W-4, middle, chromedp.ButtonLeft))
	for i := range 10 {
		b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box.X+box.W*(1-float64(i+1)/10), middle,
			chromedp.ButtonLeft))
	}
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, box.X+1, middle, chromedp.ButtonLeft))
	b.until("quarry.state.paused && quarry.bodies.length === 1 && quarry.state.step < quarry.state.status.to - 60")
	b.shot("rewound")
	if text := evaluate[string](b, `document.getElementById("past-value").textContent`); text == "now" {
		t.Errorf("the label is %q", text)
	}
	evaluate[bool](b,
		`(() => { const r = document.getElementById("rate"); r.value = "0.0625"; return r.dispatchEvent(new Event("change")) })()`)
	b.until("quarry.state.status.rate === 0.0625")
	b.checkConsole()
}
