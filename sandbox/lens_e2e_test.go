//go:build !js

package sandbox

import (
	"fmt"
	"image"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry/scene"
)

// point moves the pointer to a point of the world.
func (b *browser) point(x, y float64) {
	b.t.Helper()
	px, py := b.toScreen(x, y)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, px, py))
}

// look takes a lens and points at a place.
func (b *browser) look(lens string, x, y float64) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
		`{ const s = document.getElementById("lens"); s.value = %q; s.dispatchEvent(new Event("change")); }`, lens)))
	b.point(x, y)
	b.until(fmt.Sprintf("quarry.state.lens === %q", lens))
}

// still is a screenshot with the pointer where it is.
func (b *browser) still(name string) image.Image {
	b.t.Helper()
	return b.picture(name)
}

func TestLensesInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	radial, _ := scene.Get("radial_match")
	addr, _ := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{pit, shelf, radial}, Paused: true})
	b := browse(t, addr)
	testEveryLens(t, b)
	b.t = t
	b.checkConsole()
}

// testEveryLens looks through every lens, on a page with the scenes pit and radial_match.
func testEveryLens(t *testing.T, b *browser) {
	b.t = t
	b.fresh()
	b.tool("drop")
	b.at(0.3, 1.55)
	b.until("quarry.bodies.length === 2")
	b.step(20)
	b.look("colors", 0, 1)
	b.until(`quarry.lens("colors")?.facts["contacts solved here"] === "2" && quarry.lens("colors").roles["color c0"] === 4`)
	b.until(`document.querySelectorAll("#overlay circle.ring.color").length === 2`)
	if fills := evaluate[[]string](b, `[...document.querySelectorAll("#overlay circle.dot.color")].map((e) => getComputedStyle(e).fill)`); len(fills) != 2 || fills[0] != fills[1] || fills[0] == "rgb(0, 0, 0)" {
		t.Errorf("the dots of a colour are %q", fills)
	}
	colored := b.still("lens-colors")
	b.look("", 0, 1)
	b.until(`document.getElementById("overlay").childElementCount === 0`)
	if n := differing(colored, b.still("lens-off")); n < 150 {
		t.Errorf("the lens colors changes %d pixels", n)
	}
	b.step(40)
	plain := b.still("lens-none")
	drawn := func(name string) {
		t.Helper()
		if n := differing(plain, b.still("lens-"+name)); n < 150 {
			t.Errorf("the lens %s changes %d pixels", name, n)
		}
	}

	b.look("cell", 5.5, -0.5)
	b.until(`quarry.lens("cell")?.facts.cancelled?.startsWith("3") && quarry.lens("cell").facts["segments left"] === "1"`)
	b.until(`document.querySelectorAll("#overlay .cancelled").length > 3 && document.getElementById("lens-card").textContent.includes("raw faces")`)
	drawn("cell")
	b.look("contact", 0, 0.1)
	b.until(`quarry.lens("contact")?.roles["gauss snap"] === 2 && quarry.lens("contact").roles.normal === 1`)
	drawn("contact")
	b.look("clip", 0.2, 1)
	b.until(`quarry.lens("clip")?.roles.reference === 1 && quarry.lens("clip").roles.clipped === 1`)
	drawn("clip")
	b.look("heat", 0, 1)
	b.until(`Number.parseInt(quarry.lens("heat")?.facts["proxies near"]) >= 2`)
	drawn("heat")
	b.look("trip", -8.5, 1.5)
	b.until(`quarry.lens("trip")?.facts["with ghosts"]?.includes("7.00 cells a second")`)
	drawn("trip")
	b.look("edits", 5, 1)
	b.tool("dig")
	b.at(5, 0)
	b.until("quarry.state.flashed >= 12")
	b.look("", 0, 5)
	b.until(`document.getElementById("overlay").childElementCount === 0 && document.getElementById("lens-card").hidden`)
	b.tool("ray")
	b.drag(-6, 4, 4, -0.8)
	b.until(`quarry.lens("ray")?.facts.hit?.startsWith("ground") || quarry.lens("ray")?.facts.hit?.startsWith("body")`)
	b.until(`quarry.lens("ray").roles.visited > 10`)
	drawn("ray")
	b.tool("drop")
	b.until(`quarry.lens("ray") === null`)

	b.click("show-graph")
	b.click("pause")
	b.until("!quarry.state.paused && quarry.state.samples > 5")
	b.until(`[...document.querySelectorAll("#graph li b")].some((e) => Number(e.textContent) > 0)`)
	b.click("pause")
	b.until("quarry.state.paused")
	b.still("lens-graph")
	b.click("show-graph")

	b.choose("radial_match")
	b.until("quarry.tiles > 20")
	b.look("radial", 0.1, 0.1)
	b.until(`quarry.lens("radial")?.facts.vertex === "0, 0" && quarry.lens("radial").roles.ghost1 > 0`)
	b.until(`[...document.querySelectorAll("#overlay text")].some((e) => e.textContent === "ghost1")`)
	b.still("lens-radial")
	b.do(chromedp.KeyEvent("\u001b"))
	b.until(`quarry.state.lens === ""`)
	// The key takes one lens after the other, and comes round.
	n := evaluate[int](b, `document.getElementById("lens").length`)
	for range n {
		b.do(chromedp.KeyEvent("z"))
	}
	b.until(`quarry.state.lens === ""`)
}
