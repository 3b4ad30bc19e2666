//go:build !js

package sandbox

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry/scene"
)

// at clicks a point of the world.
func (b *browser) at(x, y float64) {
	b.t.Helper()
	px, py := b.toScreen(x, y)
	b.do(chromedp.MouseClickXY(px, py))
}

// number returns the number of an expression in the page.
func (b *browser) number(expression string) float64 {
	b.t.Helper()
	return evaluate[float64](b, expression)
}

// tool chooses a tool.
func (b *browser) tool(name string) {
	b.t.Helper()
	b.click("tool-" + name)
	b.until(fmt.Sprintf("quarry.state.tool === %q", name))
}

// fresh starts the scene pit again, in the paused world.
func (b *browser) fresh() {
	b.t.Helper()
	if evaluate[string](b, "quarry.state.scene") != "pit" {
		b.choose("pit")
	}
	n := b.number("quarry.state.hellos")
	b.click("reset")
	b.until(fmt.Sprintf("quarry.state.hellos === %v", n+1))
	b.until("quarry.state.step === 0 && quarry.tiles === 40 && quarry.bodies.length === 1 && quarry.state.paused")
}

// TestToolsInChromium drives every tool by clicks and drags, and looks at the world.
func TestToolsInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	addr, _ := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{pit, shelf, hung}, Paused: true})
	b := browse(t, addr)
	testEveryTool(t, b)
	b.t = t
	b.checkConsole()
}

// testEveryTool drives every tool on a page with the scenes pit and shelf.
func testEveryTool(t *testing.T, b *browser) {
	run := func(name string, f func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.fresh()
			f(t)
			if errs := evaluate[[]string](b, "[...quarry.state.errors]"); len(errs) != 0 {
				t.Errorf("errors on the page: %q", errs)
			}
		})
	}
	run("line, rectangle, fill and hill build", func(t *testing.T) {
		b.tool("line")
		b.drag(-6, 4, 0, 4)
		b.until("quarry.tiles > 50")
		b.fresh()
		b.tool("rect")
		b.drag(2.5, 0.5, 5.5, 2.5)
		b.until("quarry.tiles === 52")
		b.click("hollow")
		b.drag(3.5, 0.5, 4.5, 1.5)
		b.until("quarry.tiles === 48")
		b.click("hollow")
		b.tool("rect") // a closed place of one cell, which is filled
		b.drag(-7.5, 0.5, -5.5, 2.5)
		b.until("quarry.tiles === 57")
		b.click("hollow")
		b.at(-6.5, 1.5)
		b.until("quarry.tiles === 56")
		b.click("hollow")
		b.tool("fill")
		b.at(-6.5, 1.5)
		b.until("quarry.tiles === 57")
		b.fresh()
		b.tool("hill")
		b.drag(5, 0, 8, 3)
		b.until("quarry.tiles > 48")
		b.shot("tools-hill")
	})
	run("stamps, copies and deletes", func(t *testing.T) {
		b.tool("stamp")
		for _, kind := range evaluate[[]string](b, `[...document.querySelectorAll("#stamps button")].map((x) => x.id)`) {
			n := len(b.bodies()) + int(b.number("quarry.grounds.length"))
			b.click(kind)
			b.at(0, 6)
			b.until(fmt.Sprintf("quarry.bodies.length + quarry.grounds.length > %d", n))
			b.fresh()
			b.tool("stamp")
		}
		b.click("stamp-car")
		b.at(-4, 4)
		b.until("quarry.bodies.length === 4")
		b.tool("copy")
		b.at(-4, 4.2) // selects
		b.until("quarry.state.selected !== 0")
		b.at(4, 6)
		b.until("quarry.bodies.length === 7")
		b.tool("remove")
		b.at(4, 6.1)
		b.until("quarry.bodies.length === 6")
		b.shot("tools-stamp")
		b.do(chromedp.KeyEvent("\u001b"))
	})
	run("joints by drag, with a motor, and their removal", func(t *testing.T) {
		b.tool("join")
		for k, kind := range []string{"revolute", "prismatic", "wheel", "motor", "ratchet", "weld", "distance"} {
			b.fresh()
			b.tool("drop")
			b.at(-5, 5)
			b.until("quarry.bodies.length === 2")
			b.tool("join")
			b.click("joint-" + kind)
			if k == 0 {
				b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("joint-speed").value = 3`))
			}
			b.drag(-5, 5, -5, 6)
			b.until(fmt.Sprintf(`quarry.draw.some((i) => i.layer === "joints" && i.kind === %q) && quarry.marks > 8`, kind))
			if k > 0 {
				continue
			}
			b.step(20)
			if a := math.Abs(b.bodies()[1].Angle); a < 0.3 {
				t.Errorf("the motor turned the box by %v", a)
			}
			b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("joint-speed").value = 0`))
			b.tool("unjoin")
			b.at(-5, 5)
			b.until(`quarry.draw.filter((i) => i.layer === "joints").length === 0`)
		}
		b.fresh()
	})
	run("grab shows what it holds and throws it", func(t *testing.T) {
		b.tool("grab")
		x, y := b.toScreen(0, 0.5)
		b.do(chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft))
		b.until(`quarry.state.grabbing && document.querySelectorAll("#hover .body, #hover .pull").length === 2`)
		x, y = b.toScreen(3, 5)
		b.do(chromedp.MouseEvent("mouseMoved", x, y, chromedp.ButtonLeft))
		b.step(20)
		b.shot("tools-grab")
		b.do(chromedp.MouseEvent("mouseReleased", x, y, chromedp.ButtonLeft))
		b.step(2)
		if at := b.bodies()[0]; at.Y < 1.5 || at.X < 0.5 {
			t.Errorf("the box was thrown to %v, %v", at.X, at.Y)
		}
	})
	run("a bomb digs and throws", func(t *testing.T) {
		b.tool("bomb")
		b.at(1.5, 0)
		b.step(10)
		b.until("quarry.state.segments > 44 && quarry.state.particles > 20")
		if x := b.bodies()[0].X; x > -0.1 {
			t.Errorf("the box is at x = %v", x)
		}
		b.click("fuse")
		b.at(-5, 1)
		b.until("quarry.bodies.length === 2")
		before := b.number("quarry.state.segments")
		b.step(155)
		b.until(fmt.Sprintf("quarry.bodies.length === 1 && quarry.state.segments > %v", before))
		b.click("fuse")
		b.shot("tools-bomb")
	})
	run("cut loose and glue", func(t *testing.T) {
		b.tool("loosen")
		b.drag(7.5, -1.5, 9.5, -0.5)
		b.until("quarry.grounds.length === 2 && quarry.grounds[1].tiles === 6 && quarry.grounds[0].tiles === 34")
		b.tool("glue")
		b.drag(8.5, -0.5, 6.5, -0.5)
		b.until("quarry.grounds.length === 1 && quarry.grounds[0].tiles === 40")
	})
	run("select inspects and edits", func(t *testing.T) {
		b.step(30)
		b.tool("select")
		b.at(0, 0.5)
		b.until(`quarry.state.selected === quarry.bodies[0].id && !document.getElementById("inspector").hidden`)
		for _, fact := range []string{"mass", "speed", "contact"} {
			b.until(fmt.Sprintf("(quarry.lens('object')?.facts[%q] || '') !== ''", fact))
		}
		set := func(field, value string) {
			b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
				`{ const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); }`,
				"inspect-"+field, value)))
		}
		set("mass", "7")
		b.until("quarry.lens('object').object.mass === 7")
		set("name", "Anna <b>")
		b.until(`quarry.lens('object').object.name === "Anna <b>" && document.querySelector("#inspector h2").textContent === "Anna <b>"`)
		set("vy", "6")
		b.step(20)
		if y := b.bodies()[0].Y; y < 1 {
			t.Errorf("with a speed the box came to y = %v", y)
		}
		b.click("inspect-larger")
		b.step(1)
		b.until("Math.abs(quarry.bodies[0].size - 1.25) < 0.01")
		b.shot("tools-select")
		b.click("inspect-delete")
		b.until(`quarry.bodies.length === 0 && document.getElementById("inspector").hidden`)
		b.at(5.5, -0.5)
		b.until(`quarry.lens('object')?.facts.cell === "5, -1"`)
		b.shot("tools-tile")
		b.do(chromedp.KeyEvent("\u001b"))
		b.until(`document.getElementById("inspector").hidden`)
	})
	run("by keyboard", func(t *testing.T) {
		b.do(chromedp.KeyEvent("D"), chromedp.Sleep(0))
		b.do(chromedp.Evaluate[chromedp.Void](`{
			for (const k of ["F", "H", "L", "B", "J", "C", "G", "E", "X", "T", "Z"]) dispatchEvent(new KeyboardEvent("keydown", { key: k, shiftKey: true }));
		}`))
		b.until(`quarry.state.tool === "ray"`)
		b.do(chromedp.Evaluate[chromedp.Void](`{
			dispatchEvent(new KeyboardEvent("keydown", { key: "d" }));
			dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
			dispatchEvent(new KeyboardEvent("keyup", { key: "Enter" }));
		}`))
		b.until("quarry.bodies.length === 2")
		// A drag by keyboard: Enter held while the view moves under the pointer.
		b.do(chromedp.Evaluate[chromedp.Void](`{
			dispatchEvent(new KeyboardEvent("keydown", { key: "e" }));
			document.getElementById("canvas").dispatchEvent(new PointerEvent("pointermove", { clientX: quarry.worldToScreen(-5.5, -0.5).x, clientY: quarry.worldToScreen(-5.5, -0.5).y }));
			dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
			for (let i = 0; i < 3; i++) dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
			dispatchEvent(new KeyboardEvent("keyup", { key: "Enter" }));
		}`))
		b.until("quarry.tiles < 39")
		// All controls have a name.
		if n := evaluate[[]string](b, `[...document.querySelectorAll("button, input, select, canvas, aside")].filter((e) =>
			!(e.getAttribute("aria-label") || e.getAttribute("aria-hidden") || e.textContent.trim() || e.labels?.length || e.title)).map((e) => e.id || e.outerHTML.slice(0, 80))`); len(n) > 0 {
			t.Errorf("without a name: %q", n)
		}
		b.click("fit")
	})
}
