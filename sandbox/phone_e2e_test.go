//go:build !js

package sandbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/scene"
)

// testPhone is the part of TestPageInChromium about a window of the size of a phone: the list of keys, which covers the
// button that opened it, can be closed. (It could not.)
func testPhone(t *testing.T, b *browser) {
	t.Run("the list of keys can be closed on a phone", func(t *testing.T) {
		b.t = t
		for _, size := range [][2]int64{{390, 844}, {360, 640}} {
			b.do(chromedp.EmulateViewport(size[0], size[1]))
			b.until(fmt.Sprintf("document.body.clientWidth === %d", size[0]))
			b.click("show-keys")
			b.until(`!document.getElementById("keys").hidden`)
			b.shot(fmt.Sprint("keys ", size[0]))
			// The button is where a finger meets it, also after the list was scrolled, and large enough.
			b.until(`(() => {
				const list = document.getElementById("keys"), close = document.getElementById("close-keys");
				list.scrollTop = 200;
				const r = close.getBoundingClientRect(), at = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
				return at === close && r.width >= 44 && r.height >= 44 && r.x >= 0 && r.right <= innerWidth && r.y >= 0;
			})()`)
			b.click("close-keys")
			b.until(`document.getElementById("keys").hidden && document.getElementById("show-keys").getAttribute("aria-expanded") === "false"`)
		}
		b.do(chromedp.EmulateViewport(1280, 720))
		b.until("document.body.clientWidth === 1280")
		b.do(chromedp.KeyEvent("?"))
		b.until(`!document.getElementById("keys").hidden`)
		b.do(chromedp.KeyEvent("\u001b"))
		b.until(`document.getElementById("keys").hidden`)
	})
}

// TestPhoneInChromium: on a phone the tools are a bar at the bottom whose targets are 44 pixels, the tool in use is
// always in sight, a finger uses it, and the view is fitted again when the phone is turned.
func TestPhoneInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	addr, _ := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{pit}, Paused: true})
	b := openBrowser(t)
	b.do(chromedp.EmulateViewport(360, 640, chromedp.EmulateTouch))
	b.open("http://" + addr + "/")
	inSight := func(id string) {
		t.Helper()
		b.until(fmt.Sprintf(`(() => {
			const r = document.getElementById(%[1]q).getBoundingClientRect(), at = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
			return r.width >= 44 && r.height >= 44 && r.x >= 0 && r.right <= innerWidth && r.bottom <= innerHeight && at && Boolean(at.closest("#" + %[1]q));
		})()`, id))
	}
	small := func() {
		t.Helper()
		if list := evaluate[[]string](b, `[...document.querySelectorAll("button, select, #panel .check")].filter((e) => {
			const r = e.getBoundingClientRect();
			return r.width > 0 && (r.height < 43.5 || r.width < 43.5);
		}).map((e) => (e.id || e.textContent) + " " + e.getBoundingClientRect().width + "x" + e.getBoundingClientRect().height)`); len(list) > 0 {
			t.Errorf("smaller than 44 pixels: %q", list)
		}
	}
	if evaluate[bool](b, "document.documentElement.scrollWidth > innerWidth") {
		t.Error("the page is wider than the phone")
	}
	inSight("tool-chip")
	inSight("fold")
	small()
	b.shot("phone")
	// A phone has no keys to name, a desk has.
	hints := `[...document.querySelectorAll("#hints li")].map((e) => e.textContent).join(". ")`
	b.until(hints + `.includes("choose Dig and drag") && ` + hints + `.includes("tick it, and")`)
	if text := evaluate[string](b, hints); strings.ContainsAny(text, "()[]") {
		t.Errorf("the hints of a phone name keys: %s", text)
	}
	b.do(chromedp.EmulateViewport(1280, 720))
	b.until(hints + `.includes("choose Dig (C) and drag")`)
	b.do(chromedp.EmulateViewport(360, 640, chromedp.EmulateTouch))
	b.until(`document.body.clientWidth === 360 && ` + hints + `.includes("choose Dig and drag")`)
	b.click("tool-bomb") // scrolls the bar
	b.until(`quarry.state.tool === "bomb" && document.getElementById("tool-chip").getAttribute("aria-label").includes("Bomb")`)
	inSight("tool-bomb")
	inSight("tool-chip")
	b.click("tool-chip") // the options
	inSight("fuse-label")
	small()
	b.shot("phone-options")
	b.click("tool-chip")
	b.click("tool-dig")
	x, y := b.toScreen(3, 0.2)
	qx, qy := b.toScreen(3, -1.5)
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		t.Helper()
		if points == nil {
			points = []*input.TouchPoint{}
		}
		p := input.DispatchTouchEventParams{Type: kind, TouchPoints: points}
		if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, p); err != nil {
			t.Fatal(err)
		}
	}
	n := b.number("quarry.state.segments")
	touch("touchStart", &input.TouchPoint{X: x, Y: y})
	touch("touchMove", &input.TouchPoint{X: qx, Y: qy})
	touch("touchEnd")
	b.until(fmt.Sprintf("quarry.state.segments !== %v", n))

	scale := b.number("quarry.state.scale")
	b.do(chromedp.EmulateViewport(640, 360, chromedp.EmulateTouch))
	b.until(fmt.Sprintf("document.body.clientWidth === 640 && quarry.state.fitted && quarry.state.scale !== %v", scale))
	for _, p := range [][2]float64{{-12, -4}, {12, 10}} {
		if x, y := b.toScreen(p[0], p[1]); x < -1 || x > 641 || y < -1 || y > 361 {
			t.Errorf("after the turn %v is at %v, %v", p, x, y)
		}
	}
	inSight("tool-chip")
	inSight("tool-dig")
	small()
	b.shot("phone-turned")
	b.do(chromedp.EmulateViewport(360, 640, chromedp.EmulateTouch))
	b.until(fmt.Sprintf("Math.abs(quarry.state.scale - %v) < 0.01", scale))
	b.checkConsole()
}

// failing is pit with a scene's function that fails at step 5.
var failing = func() scene.Scene {
	sc := pit
	sc.Name = "failing"
	sc.Build = func(w *quarry.World) *scene.Instance {
		in := pit.Build(w)
		in.BeforeStep = func(step int) {
			if step == 4 {
				panic("the scene is broken")
			}
		}
		return in
	}
	return sc
}()

// testStopped is the part of TestPageInChromium about a world that has stopped.
func testStopped(t *testing.T, b *browser) {
	t.Run("the page says that the world has stopped", func(t *testing.T) {
		b.t = t
		b.choose("failing")
		b.until("quarry.state.paused && quarry.bodies.length === 1")
		b.do(chromedp.KeyEvent(">"))
		b.until(`quarry.state.stopped && !document.getElementById("stopped").hidden`)
		if text := evaluate[string](b, `document.getElementById("stopped").textContent`); !strings.Contains(text,
			"step 5 failed: the scene is broken") || !strings.Contains(text, "reset it or choose another scene") {
			t.Errorf("the page says %q", text)
		}
		b.shot("stopped")
		b.choose("pit")
		b.until(`!quarry.state.stopped && document.getElementById("stopped").hidden && quarry.bodies.length === 1`)
	})
}
