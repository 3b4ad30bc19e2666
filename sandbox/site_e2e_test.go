//go:build !js

package sandbox

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/scene"
)

// The sandbox runs in the browser, from a plain file server.
func TestSiteInChromium(t *testing.T) {
	path := worldtest.GoCommand(t)
	chromium(t)
	dir := t.TempDir()
	if out, err := exec.Command(path, "run", "../cmd/quarry", "site", "--out", dir).CombinedOutput(); err != nil {
		t.Fatalf("quarry site: %v: %s", err, out)
	}
	for _, sc := range scene.All() {
		if _, err := os.Stat(filepath.Join(dir, "scenes", sc.Name+".png")); err != nil {
			t.Error("no picture for the gallery: ", err)
		}
	}
	t.Run("world", func(t *testing.T) { testSiteWorld(t, dir) })
	t.Run("tools", func(t *testing.T) { testSiteTools(t, path, dir) })
}

// testSiteWorld: a body falls, a drag digs, a link opens a scene, and the world is where it was after a reload.
func testSiteWorld(t *testing.T, dir string) {
	files := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer files.Close()
	b := openBrowser(t)
	b.open(files.URL + "/")
	b.until(`quarry.state.scene === "outpost" && quarry.state.step > 5`)
	b.click("pause")
	b.until("quarry.state.paused")
	if n := evaluate[int](b, `document.querySelectorAll("#hints li").length`); n != 3 {
		t.Errorf("%d hints, want 3", n)
	}
	b.shot("site")

	at := evaluate[struct{ X, Y float64 }](b, "quarry.screenToWorld(700, 120)")
	bodies := len(b.bodies())
	b.do(chromedp.MouseClickXY(700, 120))
	b.until(fmt.Sprintf("quarry.bodies.length === %d", bodies+1))
	b.step(20)
	fell := b.bodies()
	if y := fell[len(fell)-1].Y; y > at.Y-0.3 {
		t.Errorf("the body is at y = %v, and was dropped at %v", y, at.Y)
	}
	tiles := evaluate[int](b, "quarry.state.segments")
	b.click("tool-dig")
	b.drag(0, 0, 3, 0)
	b.until(fmt.Sprintf("quarry.state.segments !== %d", tiles))
	b.step(1) // the whole stroke
	if n := evaluate[int](b, `document.querySelectorAll("#hints li").length`); n != 2 {
		t.Errorf("%d hints are left after digging, want 2", n)
	}

	// The world is kept every two seconds.
	// Its scene moves, so its bodies and its ground are others when the page looks.
	kept := fmt.Sprintf("quarry.state.step >= %v && quarry.state.status.undo === %d",
		evaluate[float64](b, "quarry.state.step"), evaluate[int](b, "quarry.state.status.undo"))
	if n := evaluate[int](b, "quarry.state.status.undo"); n != 2 {
		t.Errorf("%d edits to undo, want the body and the stroke", n)
	}
	time.Sleep(4 * time.Second)
	b.open(files.URL + "/")
	b.until(kept)

	b.click("pause")
	testWorldsPage(t, b)
	b.t = t

	b.open(files.URL + "/?scene=arch")
	b.until(`quarry.state.scene === "arch" && quarry.state.step > 5`)
	b.open(files.URL + "/?world=another")
	b.until(`quarry.state.scene === "outpost" && quarry.state.step < 100000 && quarry.bodies.length !== ` +
		fmt.Sprint(bodies+1))
	b.checkConsole()
}
