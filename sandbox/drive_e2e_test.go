//go:build !js

package sandbox

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry/scene"
)

// hold holds a key of the page down, or releases it.
func (b *browser) hold(key string, down bool) {
	b.t.Helper()
	name := map[bool]string{true: "keydown", false: "keyup"}[down]
	evaluate[bool](b, fmt.Sprintf(`window.dispatchEvent(new KeyboardEvent(%q, { key: %q, cancelable: true })) || true`, name, key))
}

// A newcomer walks, digs into the ground and builds with keys and fingers; a car drives; the view follows.
func TestDriveInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	car, _ := scene.Get("car")
	addr, _ := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{pit, car}})
	b := browse(t, addr)
	b.until("quarry.tiles === 40")
	hero := func() bodyState {
		t.Helper()
		all := evaluate[[]bodyState](b, "quarry.bodies.filter((b) => b.id === quarry.state.status.drives)")
		if len(all) != 1 {
			t.Fatalf("%d bodies are driven", len(all))
		}
		return all[0]
	}
	b.click("menu-walk")
	b.until("quarry.state.status.walks && quarry.state.following === quarry.state.status.drives")
	b.until("Math.abs(quarry.body(quarry.state.status.drives).y) < 1.2") // it has landed
	b.hold("d", true)
	b.until("quarry.body(quarry.state.status.drives).x > 4")
	b.hold("d", false)
	time.Sleep(time.Second) // it stops, so that the hole is under it
	if x, _ := b.toScreen(hero().X, hero().Y); math.Abs(x-640) > 60 {
		t.Errorf("the character is shown at x = %v", x)
	}
	tiles := evaluate[int](b, "quarry.state.tiles")
	b.hold("s", true)
	b.hold("e", true)
	b.hold("e", false)
	b.hold("s", false)
	b.until("quarry.body(quarry.state.status.drives).y < -0.4")
	b.shot("a hole under the character")
	b.hold("w", true)
	b.until("quarry.body(quarry.state.status.drives).y > 0.5")
	b.hold("w", false)
	b.hold("q", true)
	b.hold("q", false)
	b.until("quarry.state.status.undo === 2")
	t.Logf("%d tiles, now %d", tiles, evaluate[int](b, "quarry.state.tiles"))

	b.hold("a", true)
	b.hold("w", true) // out of the hole, if the character has come down into it again
	b.until("quarry.body(quarry.state.status.drives).x < 2")
	b.hold("w", false)
	b.hold("a", false)

	// By a finger.
	box := evaluate[struct{ X, Y float64 }](b,
		`(() => { const r = document.getElementById("drive-left").getBoundingClientRect(); return { X: r.x + r.width / 2, Y: r.y + r.height / 2 } })()`)
	from := hero().X
	finger := func(kind input.DispatchTouchEventType, at ...*input.TouchPoint) {
		t.Helper()
		p := input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, at...)}
		if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, p); err != nil {
			t.Fatal(err)
		}
	}
	finger(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: box.X, Y: box.Y})
	b.until(fmt.Sprintf("quarry.body(quarry.state.status.drives).x < %v", from-1))
	finger(input.DispatchTouchEventTypeTouchEnd)
	b.shot("walking")
	b.click("menu-walk")
	b.until("quarry.state.status.drives === 0 && quarry.bodies.length === 1")

	b.choose("car")
	b.until("quarry.bodies.length > 8")
	b.click("pause") // the car drives off by itself, and a busy machine takes its time to click
	b.until("quarry.state.paused")
	id := evaluate[float64](b, "quarry.bodies.filter((b) => b.type === 'dynamic')[0].id")
	at := evaluate[bodyState](b, fmt.Sprintf("quarry.body(%v)", id))
	x, y := b.toScreen(at.X, at.Y)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	b.hold("y", true)
	b.until("quarry.state.status.drives !== 0 && !quarry.state.status.walks")
	b.click("pause")
	b.hold("ArrowRight", true)
	began := hero().X
	b.until(fmt.Sprintf("quarry.body(quarry.state.status.drives).x > %v", began+3))
	b.hold("ArrowRight", false)
	b.shot("driving")
	b.hold("Escape", true)
	b.until("quarry.state.status.drives === 0")
	b.checkConsole()
}
