//go:build !js

package sandbox

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry/scene"
)

// emulate sets the media features of the browser: names and values in turn.
func (b *browser) emulate(features ...string) {
	b.t.Helper()
	var p emulation.SetEmulatedMediaParams
	for i := 0; i < len(features); i += 2 {
		p.Features = append(p.Features, &emulation.MediaFeature{Name: features[i], Value: features[i+1]})
	}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, p); err != nil {
		b.t.Fatal(err)
	}
}

// check sets a checkbox of the settings.
func (b *browser) check(id string, on bool) {
	b.t.Helper()
	if evaluate[bool](b, fmt.Sprintf("document.getElementById(%q).checked", id)) != on {
		b.click(id)
	}
	b.until(fmt.Sprintf("document.getElementById(%q).checked === %t", id, on))
}

// TestJuiceInChromium: digs make dust, impacts sparks and sounds, explosions shake; each can be turned off, and a
// system that asks for little motion gets none. Light colours are light.
func TestJuiceInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	addr, _ := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{pit}, Paused: true})
	b := browse(t, addr)
	if got := evaluate[string](b, "quarry.state.audio"); got != "none" {
		t.Errorf("before a gesture there is sound: %s", got)
	}
	made := func(name string, do func()) float64 {
		t.Helper()
		before := b.number("quarry.state." + name)
		do()
		return b.number("quarry.state."+name) - before
	}
	dig := func(x float64) func() {
		return func() {
			b.tool("dig")
			n := b.number("quarry.state.segments")
			b.at(x, 0)
			b.until(fmt.Sprintf("quarry.state.segments !== %v", n))
		}
	}
	blow := func(x float64) func() {
		return func() {
			b.tool("bomb")
			n := b.number("quarry.state.segments")
			b.at(x, -0.2)
			b.until(fmt.Sprintf("quarry.state.segments !== %v", n))
		}
	}
	fall := func() { // from a height
		b.tool("drop")
		b.at(-2, 9)
		b.step(100)
	}
	if n := made("particles", dig(7)); n == 0 {
		t.Error("a dig makes no dust")
	}
	b.until(`quarry.state.audio === "running"`)
	if n := made("particles", fall); n == 0 {
		t.Error("an impact makes no sparks")
	}
	if n := b.number("quarry.state.sounds"); n == 0 {
		t.Error("nothing sounds")
	}
	if n := made("shaken", blow(-7)); n != 1 {
		t.Errorf("an explosion shakes %v times", n)
	}
	b.picture("juice")
	b.until(`document.getElementById("canvas").style.transform === ""`) // it ends

	b.click("show-settings")
	b.check("set-shake", false)
	if n := made("shaken", blow(-3)); n != 0 {
		t.Error("it shakes although that is off")
	}
	b.check("set-effects", false)
	b.check("set-sound", false)
	if n := made("particles", dig(2)) + made("sounds", fall); n != 0 {
		t.Errorf("%v particles and sounds although they are off", n)
	}
	b.do(chromedp.Reload())
	b.until(`window.quarry && quarry.state.frames > 0 && !quarry.state.effects && !document.getElementById("set-sound").checked`)
	b.do(chromedp.Evaluate[chromedp.Void](`localStorage.clear()`))

	b.emulate("prefers-color-scheme", "dark", "prefers-reduced-motion", "reduce")
	b.do(chromedp.Reload())
	b.until(`window.quarry && quarry.state.frames > 0 && !quarry.state.effects && !quarry.state.shake`)
	if n := made("particles", dig(0)); n != 0 {
		t.Errorf("%v particles although the system asks for little motion", n)
	}
	b.emulate("prefers-color-scheme", "light")
	b.do(chromedp.Reload())
	b.until(`window.quarry && quarry.state.frames > 0 && quarry.state.light && quarry.state.effects && document.documentElement.dataset.theme === "light"`)
	light := b.shot("light")
	if v := b.bright(light, 5, 7); v < 170 {
		t.Errorf("in light colours the air has a brightness of %d", v)
	}
	b.click("show-settings")
	b.do(chromedp.Evaluate[chromedp.Void](`{ const s = document.getElementById("set-theme"); s.value = "dark"; s.dispatchEvent(new Event("change")); }`))
	b.until("!quarry.state.light")
	if v := b.bright(b.shot("dark"), 5, 7); v > 60 {
		t.Errorf("in dark colours the air has a brightness of %d", v)
	}
	b.checkConsole()
}
