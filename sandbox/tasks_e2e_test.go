//go:build !js

package sandbox

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry/scene"
)

// TestPageIsSmall: the page without its program is under 250 KB, compressed.
func TestPageIsSmall(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	err := fs.WalkDir(Files(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(Files(), path)
		if err != nil {
			return err
		}
		_, err = z.Write(text)
		return err
	})
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	if n := b.Len(); n > 250_000 {
		t.Errorf("the page has %d bytes", n)
	}
}

// testSiteTools: the page without a server, in a folder, passes the same lists of tools and lenses as the served one,
// and the tasks of a newcomer. It replaces the program of the page.
func testSiteTools(t *testing.T, goCommand, dir string) {
	file := filepath.Join(dir, "quarry.wasm")
	build := exec.Command(goCommand, "build", "-trimpath", "-tags", "quarrysimd", "-o", file, "./testdata/page")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the page's program: %v: %s", err, out)
	}
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(program); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+".gz", packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	files := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer files.Close()
	b := openBrowser(t)
	b.open(files.URL + "/?world=tools")
	t.Run("tools", func(t *testing.T) { testEveryTool(t, b) })
	t.Run("lenses", func(t *testing.T) { testEveryLens(t, b) })
	t.Run("tasks", func(t *testing.T) { testTasks(t, b, files.URL+"/?scene=pit") })
	b.t = t
	b.checkConsole()
}

func TestTasksInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	addr, _ := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{pit}, Paused: true})
	b := openBrowser(t)
	testTasks(t, b, "http://"+addr+"/")
	b.t = t
	b.checkConsole()
}

// slide sets a slider or a field of the toolbar.
func (b *browser) slide(id string, to float64) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
		`{ const e = document.getElementById(%q); e.value = %v; e.dispatchEvent(new Event("input")); }`, id, to)))
}

// testTasks does what a newcomer would, by clicks and drags, and logs the time of each.
func testTasks(t *testing.T, b *browser, url string) {
	began := time.Now()
	task := func(name string, do func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			b.t = t
			do(t)
			t.Logf("%s: %.1f s", name, time.Since(began).Seconds())
		})
		began = time.Now()
		b.t = t
		b.fresh()
	}
	task("dig a tunnel after loading", func(t *testing.T) {
		b.open(url)
		began = time.Now()
		b.tool("dig")
		b.slide("radius", 0.6)
		b.drag(-9, 0.5, -7, -1.5)
		b.drag(-7, -1, 7, -1)
		b.until("quarry.state.segments > 80")
	})
	task("build a bridge and drive over it", func(t *testing.T) {
		b.tool("erase")
		b.drag(-1.5, -0.5, 1.5, -0.5)
		b.drag(-1.5, -1.5, 1.5, -1.5)
		b.until("quarry.tiles === 32")
		b.tool("remove")
		b.at(0, 0.5)
		b.tool("stamp")
		b.click("stamp-bridge")
		b.slide("scale", 0.4)
		b.at(0, -0.05)
		b.until("quarry.bodies.length === 12")
		b.click("stamp-car")
		b.slide("scale", 0.5)
		b.at(-6, 1)
		b.until("quarry.bodies.length === 15")
		car := evaluate[float64](b, `quarry.bodies.findIndex((x) => x.size > 1.4)`)
		for range 30 {
			if b.step(10); b.number(fmt.Sprintf("quarry.bodies[%v].x", car)) > 3 {
				break
			}
		}
		if at := b.bodies()[int(car)]; at.X < 3 || at.Y < 0 {
			t.Errorf("the car came to %v, %v", at.X, at.Y)
		}
		b.shot("task-bridge")
	})
	task("shoot a ship until it breaks in two", func(t *testing.T) {
		b.tool("stamp")
		b.click("stamp-ship")
		b.slide("scale", 0.6)
		b.at(0, 4)
		b.until("quarry.grounds.length === 2")
		b.tool("bomb")
		b.slide("radius", 0.8)
		for y := 1.0; y < 8 && b.number("quarry.grounds.length") < 3; y++ {
			b.at(0.2, y)
			b.step(1)
		}
		b.until("quarry.grounds.filter((g) => g.tiles > 8).length >= 3")
		b.shot("task-ship")
	})
	task("make a see-saw", func(t *testing.T) {
		b.tool("remove")
		b.at(0, 0.5)
		b.tool("drop")
		b.click("kind-capsule")
		b.slide("size", 4)
		b.at(0, 3)
		b.until("quarry.bodies.length === 1")
		b.tool("join")
		b.click("joint-revolute")
		b.drag(0, 3, 0, 7)
		b.until(`quarry.draw.some((i) => i.kind === "revolute")`)
		b.tool("drop")
		b.click("kind-box")
		b.slide("size", 1)
		b.at(1.6, 5)
		b.until("quarry.bodies.length === 2")
		b.step(50)
		if a := b.bodies()[0].Angle; a > -0.1 || math.Abs(b.bodies()[0].X) > 0.2 {
			t.Errorf("the see-saw has an angle of %v at x = %v", a, b.bodies()[0].X)
		}
		b.shot("task-seesaw")
	})
	task("share a link that opens the same place", func(t *testing.T) {
		b.drag(0, 5, 4, 7, chromedp.ButtonRight)
		link := evaluate[string](b, "quarry.link")
		x, y := b.toScreen(0, 0)
		scale := b.number("quarry.state.scale")
		b.do(chromedp.Navigate("about:blank")) // a tab of its own
		b.open(link)
		b.until(fmt.Sprintf("Math.abs(quarry.state.scale - %v) < 0.01 * %v", scale, scale))
		if px, py := b.toScreen(0, 0); math.Abs(px-x) > 3 || math.Abs(py-y) > 3 {
			t.Errorf("the link %s shows the origin at %v, %v; it was at %v, %v", link, px, py, x, y)
		}
	})
}
