//go:build !js

package sandbox

import (
	"fmt"
	"strings"
	"testing"

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
