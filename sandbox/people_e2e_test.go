//go:build !js

package sandbox

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry/scene"
)

// Two pages in Chromium see each other: names, pointers and deeds; the one asks, and the other, who owns, grants it.
func TestPeopleInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts browsers")
	}
	addr, _ := listen(t, "127.0.0.1:0", Config{
		Scenes: []scene.Scene{pit, bare}, Paused: true, Guests: Build, Tokens: map[string]Role{"secret": Own},
	})
	owner, guest := openBrowser(t), openBrowser(t)
	owner.open("http://" + addr + "/?token=secret")
	guest.open("http://" + addr + "/")
	owner.until(`quarry.state.people.length === 2 && quarry.state.status.role === "own"`)
	guest.until(`quarry.state.status.role === "build"`)

	guest.click("people input")
	guest.do(chromedp.KeyEvent("Dora"), chromedp.KeyEvent("\r"))
	owner.until(`quarry.state.people.some((p) => p.name === "Dora")`)
	if tool := evaluate[string](guest, "quarry.state.tool"); tool != "drop" {
		t.Errorf("a letter of the name has chosen the tool %s", tool)
	}
	x, y := guest.toScreen(3, 4)
	guest.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	owner.until(`quarry.state.pointers.some((p) => p.name === "Dora" && Math.abs(p.x - 3) < 0.1 && Math.abs(p.y - 4) < 0.1)`)
	owner.until(`document.querySelector("#pointers span")?.textContent === "Dora"`)
	guest.do(chromedp.MouseClickXY(x, y))
	owner.until(`quarry.bodies.length === 2 && [...document.querySelectorAll("#people li")].some((e) => e.textContent.includes("dropped a body"))`)
	owner.shot("two people")

	guest.click("pause")
	owner.until(`document.querySelector("#people .ask")?.textContent.startsWith("Dora asks to resume")`)
	owner.shot("asked")
	owner.click("people .ask button")
	guest.until("!quarry.state.paused && quarry.state.step > 3")
	owner.until(`!document.querySelector("#people .ask")`)
	guest.click("reset")
	owner.until(`document.querySelector("#people .ask")?.textContent.startsWith("Dora asks to reset")`)
	owner.do(chromedp.Click(chromedp.CSS("#people .ask button:last-child")))
	guest.until(`quarry.state.errors.some((e) => e.endsWith(" says no"))`)
	if n := evaluate[int](guest, "quarry.bodies.length"); n != 2 {
		t.Errorf("%d bodies after a reset that was refused", n)
	}
	if err := chromedp.Cancel(owner.ctx); err != nil {
		t.Fatal(err)
	}
	guest.until("quarry.state.people.length === 1")
	guest.click("pause")
	guest.until(fmt.Sprintf("quarry.state.errors.some((e) => e.includes(%q))", "none is here"))
	guest.checkConsole()
}
