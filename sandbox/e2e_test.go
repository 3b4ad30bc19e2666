//go:build !js

package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// browser is the page in a real Chromium.
type browser struct {
	t       *testing.T
	ctx     context.Context
	mu      sync.Mutex
	console []string // warnings, errors and exceptions
}

// chromium finds a browser, or skips the test; with QUARRY_E2E=1 to lack one
// is a failure.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{
		os.Getenv("CHROMIUM"), "/usr/bin/chromium", "chromium", "chromium-browser",
		"google-chrome", "google-chrome-stable", "chrome",
	} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const why = "no Chromium: set CHROMIUM to the program, or install one"
	if os.Getenv("QUARRY_E2E") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
	return ""
}

// browse opens the page of the server at addr, 1280 by 720.
func browse(t *testing.T, addr string) *browser {
	t.Helper()
	b := openBrowser(t)
	b.open("http://" + addr + "/")
	return b
}

// open opens a page, and waits until it shows a world.
func (b *browser) open(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
	b.until(`window.quarry && quarry.state.connection === "connected" && quarry.state.frames > 0 && quarry.state.drawn > 0`)
}

// openBrowser opens an empty page, 1280 by 720.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true),
		// Only the canvas needs WebGL. Without a graphics card the rest of the page takes twice the processor time
		// if it is drawn by WebGL, too.
		chromedp.Flag("disable-gpu-compositing", true),
	)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 720)); err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	}); err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, ctx: ctx}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if strings.Contains(m.String(), "GPU stall due to ReadPixels") {
				continue // the browser itself reads the canvas, since it draws the rest of the page without WebGL
			}
			if m.IsException() || m.Type == "error" || m.Type == "warning" || m.Type == "assert" {
				b.mu.Lock()
				b.console = append(b.console, m.String())
				b.mu.Unlock()
			}
		}
	}()
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// evaluate returns the value of an expression in the page.
func evaluate[T any](b *browser, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits until an expression in the page is true.
func (b *browser) until(expression string) {
	b.t.Helper()
	for end := time.Now().Add(patience); !evaluate[bool](b, "Boolean("+expression+")"); time.Sleep(15 *
		time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("in vain: %s; the state is %s", expression,
				evaluate[string](b, "window.quarry ? JSON.stringify(quarry.state) : 'none'"))
		}
	}
}

func (b *browser) click(id string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS("#" + id)))
}

// toScreen returns where in the page a world point is drawn.
func (b *browser) toScreen(x, y float64) (float64, float64) {
	b.t.Helper()
	p := evaluate[struct{ X, Y float64 }](b, fmt.Sprintf("quarry.worldToScreen(%v, %v)", x, y))
	return p.X, p.Y
}

// drag moves the mouse, with a button down, between two world points.
func (b *browser) drag(x1, y1, x2, y2 float64, options ...chromedp.MouseOption) {
	b.t.Helper()
	px, py := b.toScreen(x1, y1)
	qx, qy := b.toScreen(x2, y2)
	if len(options) == 0 {
		options = append(options, chromedp.ButtonLeft)
	}
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, px, py),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, px, py, options...))
	for i := 1; i <= 8; i++ {
		f := float64(i) / 8
		b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, px+f*(qx-px), py+f*(qy-py), options...))
	}
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, qx, qy, options...))
}

// shot returns a screenshot of the page. With QUARRY_SHOTS set to a folder it is also
// saved there.
func (b *browser) shot(name string) image.Image {
	b.t.Helper()
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 100, 700)) // no preview under the pointer
	b.until("!quarry.state.sparking")
	return b.picture(name)
}

// picture is shot with the pointer where it is.
func (b *browser) picture(name string) image.Image {
	b.t.Helper()
	b.until("!quarry.state.due") // what changed is drawn
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if dir := os.Getenv("QUARRY_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644); err != nil {
			b.t.Error(err)
		}
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	return img
}

// canvasBox is a part of the page that no panel covers.
var canvasBox = image.Rect(240, 20, 1260, 670)

// differing counts the pixels of canvasBox that differ clearly.
func differing(a, b image.Image) int {
	n := 0
	for y := canvasBox.Min.Y; y < canvasBox.Max.Y; y++ {
		for x := canvasBox.Min.X; x < canvasBox.Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			d := func(u, v uint32) float64 { return math.Abs(float64(u) - float64(v)) }
			if d(r1, r2)+d(g1, g2)+d(b1, b2) > 0x1800 {
				n++
			}
		}
	}
	return n
}

func (b *browser) checkConsole() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.console {
		b.t.Errorf("console: %s", m)
	}
}

// bodyState is a body as the page knows it.
type bodyState struct {
	ID, X, Y, Angle float64
	Type            string
	Awake           bool
}

func (b *browser) bodies() []bodyState {
	b.t.Helper()
	return evaluate[[]bodyState](b, "quarry.bodies")
}

// step makes n steps of the paused world by the page's own button.
func (b *browser) step(n int) {
	b.t.Helper()
	to := evaluate[float64](b, "quarry.state.step") + float64(n)
	for ; n >= 10; n -= 10 {
		b.do(chromedp.KeyEvent(">"))
	}
	for ; n > 0; n-- {
		b.click("step")
	}
	b.until(fmt.Sprintf("quarry.state.step === %v", to))
}

func TestPageInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	addr, stop := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{
		bare, pit, crater, room, rows, hung, shelf,
		failing,
	}, Paused: true})
	b := browse(t, addr)

	t.Run("draws a world", func(t *testing.T) {
		b.t = t
		blank := b.shot("blank")
		b.choose("pit")
		b.until(`quarry.tiles === 40 && quarry.bodies.length === 1`)
		before := b.shot("pit")
		if n := differing(blank, before); n < 5000 {
			t.Errorf("the world changes %d pixels of the blank page", n)
		}
	})

	t.Run("a click drops a body", func(t *testing.T) {
		b.t = t
		for i, kind := range play.Kinds[:len(play.Kinds)-1] { // one of tiles is in testLiving
			b.click("kind-" + kind)
			x, y := b.toScreen(float64(3*i)-7, 5)
			b.do(chromedp.MouseClickXY(x, y))
			b.until(fmt.Sprintf("quarry.bodies.length === %d", i+2))
		}
		got := b.bodies()[1:]
		for i, body := range got {
			if math.Abs(body.X-(float64(3*i)-7)) > 0.03 || math.Abs(body.Y-5) > 0.03 || body.Type != "dynamic" {
				t.Errorf("body %d: %+v", i, body)
			}
		}
		still := b.shot("dropped")
		b.step(23)
		moved := b.shot("falling")
		if n := differing(still, moved); n < 1000 {
			t.Errorf("falling bodies change %d pixels", n)
		}
		for i, body := range b.bodies()[1:] {
			if body.Y > 4.5 {
				t.Errorf("body %d does not fall: %+v", i, body)
			}
		}
	})

	t.Run("a drag erases tiles and what lay there falls", func(t *testing.T) {
		b.t = t
		b.click("reset")
		b.until("quarry.state.step === 0 && quarry.bodies.length === 1 && quarry.tiles === 40")
		b.step(30)
		if y := b.bodies()[0].Y; math.Abs(y-0.5) > 0.02 {
			t.Fatalf("the box does not rest: y = %v", y)
		}
		b.click("tool-erase")
		b.drag(-1.5, -0.5, 1.5, -0.5)
		b.drag(1.5, -1.5, -1.5, -1.5)
		b.until("quarry.tiles === 32")
		b.step(40)
		if y := b.bodies()[0].Y; y > -0.5 {
			t.Errorf("the box hangs above the hole: y = %v", y)
		}
		b.shot("hole")
	})

	t.Run("a drag paints tiles", func(t *testing.T) {
		b.t = t
		b.click("tool-paint")
		b.click("shape-2")
		b.do(chromedp.KeyEvent("r"))
		b.until(`quarry.state.turn === 1 && quarry.state.shape === 2`)
		b.drag(4.5, 2.5, 7.5, 2.5)
		b.until("quarry.tiles === 36")
	})

	testBrush(t, b)
	testMaterials(t, b)
	testLayers(t, b)
	testLiving(t, b)
	testChains(t, b)
	testDrawPage(t, b)
	testPhone(t, b)
	testStopped(t, b)

	t.Run("toggles and view", func(t *testing.T) {
		b.t = t
		plain := b.shot("plain")
		b.click("show-normals")
		b.until("quarry.state.shown.normals")
		normals := b.shot("normals")
		if n := differing(plain, normals); n < 200 {
			t.Errorf("normals change %d pixels", n)
		}
		b.do(chromedp.KeyEvent("g"))
		b.until("quarry.state.shown.ghosts")
		if n := differing(normals, b.shot("ghosts")); n < 200 {
			t.Errorf("ghost vertices change %d pixels", n)
		}
		x, _ := b.toScreen(0, 0)
		b.drag(0, 5, 3, 5, chromedp.ButtonRight)
		if moved, _ := b.toScreen(0, 0); math.Abs(moved-x-3*evaluate[float64](b, "quarry.state.scale")) > 1 {
			t.Errorf("a right drag moved the view from %v to %v", x, moved)
		}
		scale := evaluate[float64](b, "quarry.state.scale")
		b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, 700,
			300, func(p *input.DispatchMouseEventParams) { p.DeltaX, p.DeltaY = 0.001, -100 }))
		b.until(fmt.Sprintf("quarry.state.scale > %v", scale))
	})

	t.Run("follows a body", func(t *testing.T) {
		b.t = t
		b.choose("pit")
		b.until("quarry.tiles === 40 && quarry.bodies.length === 1")
		if about := evaluate[string](b, `document.getElementById("about").textContent`); about != pit.Doc {
			t.Errorf("the scene is told as %q", about)
		}
		px, py := b.toScreen(3, 5)
		b.click("tool-drop")
		b.do(chromedp.MouseClickXY(px, py), chromedp.KeyEvent("v"))
		b.until("quarry.bodies.length === 2")
		// The first key press follows the body that was nearest then: none, the box or the new body.
		if evaluate[bool](b, "quarry.state.following !== 0") {
			b.do(chromedp.KeyEvent("v"))
			b.until("quarry.state.following === 0")
		}
		b.do(chromedp.KeyEvent("v"))
		b.until("quarry.state.following === quarry.bodies[1].id")
		b.step(20)
		body := b.bodies()[1]
		if x, y := b.toScreen(body.X, body.Y); math.Abs(x-640) > 1 || math.Abs(y-360) > 1 || body.Y > 4.6 {
			t.Errorf("the body at %v, %v is shown at %v, %v", body.X, body.Y, x, y)
		}
		b.click("fit")
		b.until("quarry.state.following === 0")
	})

	t.Run("time", func(t *testing.T) {
		b.t = t
		b.click("pause")
		b.until("!quarry.state.paused && quarry.state.step > 75")
		b.do(chromedp.KeyEvent(" "))
		b.until("quarry.state.paused")
	})

	t.Run("a small window shows all of the panels", func(t *testing.T) {
		b.t = t
		b.do(chromedp.EmulateViewport(800, 600))
		for _, tool := range []string{"drop", "dig", "build", "paint"} {
			b.click("tool-" + tool)
			for _, id := range []string{"panel", "status"} {
				if !evaluate[bool](b,
					fmt.Sprintf(
						`{ const e = document.getElementById(%q); e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight }`, id)) {
					t.Errorf("%s is cut off with the tool %s", id, tool)
				}
			}
		}
		b.shot("small")
		b.click("fold")
		b.until(`document.getElementById("tool-drop").offsetHeight === 0 && document.getElementById("panel").offsetHeight < 60`)
		b.do(chromedp.EmulateViewport(390, 844))
		b.until("document.body.clientWidth === 390")
		b.shot("narrow")
		b.do(chromedp.KeyEvent("h"))
		b.until(`document.getElementById("tool-drop").offsetHeight > 0`)
		b.do(chromedp.EmulateViewport(1280, 720))
	})

	b.t = t
	if errs := evaluate[[]string](b, "quarry.state.errors"); len(errs) != 0 {
		t.Errorf("errors on the page: %q", errs)
	}
	b.checkConsole()

	t.Run("an error that is told again is counted", func(t *testing.T) {
		b.t = t
		// The page shows a message for seconds, in which a busy machine may not come to the third key.
		for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
			// nothing lies there
			b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 1200, 40), chromedp.KeyEvent("x"))
			if evaluate[bool](b,
				`document.querySelectorAll("#messages p").length === 1 && / \(([3-9]|\d\d+) times\)$/.test(document.getElementById("messages").textContent)`) {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("the messages are %q", evaluate[string](b, `document.getElementById("messages").textContent`))
			}
		}
	})

	t.Run("a lost connection shows, and is made again", func(t *testing.T) {
		b.t = t
		stop()
		b.until(`quarry.state.connection === "lost" && !document.getElementById("lost").hidden`)
		b.shot("lost")
		listen(t, addr, Config{Scenes: []scene.Scene{pit}, Paused: true})
		b.until(`quarry.state.connection === "connected" && quarry.tiles === 40 && document.getElementById("lost").hidden`)
	})
}

// listen runs a server until stop is called or the test ends.
func listen(t *testing.T, addr string, c Config) (address string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	for began := time.Now(); address == ""; {
		go func() { ended <- New(c).ListenAndServe(ctx, addr, func(a string) { ready <- a }) }()
		select {
		case address = <-ready:
		case err := <-ended:
			if time.Since(began) > patience || !strings.Contains(err.Error(), "in use") {
				cancel()
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond) // another connection may have the port of a server before for a moment
		}
	}
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return address, stop
}
