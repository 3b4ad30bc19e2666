//go:build !js

package sandbox

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/klauspost/compress/zstd"

	"github.com/quarry2d/quarry/scene"
)

// drop drops files on the page.
func (b *browser) drop(list files) {
	b.t.Helper()
	var add strings.Builder
	for name, content := range list {
		fmt.Fprintf(&add, "data.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q));\n",
			base64.StdEncoding.EncodeToString(content), name)
	}
	evaluate[bool](b, fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		%s
		return window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true })) || true;
	})()`, add.String()))
}

// testMaps drops maps of several kinds on the page: each becomes the world, and one that cannot be read says why.
func testMaps(t *testing.T, b *browser) {
	t.Helper()
	hills := files{}
	for _, name := range []string{"hills.tmx", "hills.tsx", "hills-tiles.png"} {
		hills[name] = testFile(t, name)
	}
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte{1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		list files
		name string
	}{
		{files{"cave.png": testFile(t, "cave.png")}, "cave"},
		{hills, "hills"},
		{files{"packed.tmj": fmt.Appendf(nil, `{"type": "map", "orientation": "orthogonal", "width": 3, "height": 1,
			"tilewidth": 8, "tileheight": 8, "tilesets": [{"firstgid": 1, "name": "t", "tilewidth": 8, "tileheight": 8,
			"tilecount": 1, "columns": 1}], "layers": [{"type": "tilelayer", "name": "l", "width": 3, "height": 1,
			"encoding": "base64", "compression": "zstd", "data": %q}]}`,
			base64.StdEncoding.EncodeToString(packed.Bytes()))}, "packed"},
	} {
		want, _, err := c.list.world(nil, 1000)
		if err != nil {
			t.Fatal(err)
		}
		tiles := 0
		for g := range want.Engine().Grounds() {
			n, _ := g.Grid().Count()
			tiles += n
		}
		b.drop(c.list)
		b.until(fmt.Sprintf("quarry.state.scene === %q && quarry.tiles === %d", c.name, tiles))
	}
	if !evaluate[bool](b, `Boolean(document.querySelector('meta[name="quarry"]'))`) {
		return // a server's refusal would be an error of the console
	}
	b.drop(files{"bad.tmx": []byte("<map")})
	b.until(`[...document.querySelectorAll("#messages *")].some((e) => e.textContent.includes("bad.tmx"))`)
	if name := evaluate[string](b, "quarry.state.scene"); name != "packed" {
		t.Errorf("after a map that cannot be read, the world is %s", name)
	}
	b.until(`document.getElementById("messages").textContent === ""`) // the message covers a part of the view
}

// testWorldsPage keeps a world under a name, drops a map, and goes on with the world.
func testWorldsPage(t *testing.T, b *browser) {
	b.t = t
	b.click("menu-worlds")
	b.click("world-name")
	b.do(chromedp.KeyEvent("my pit"), chromedp.KeyEvent("\r"))
	b.until(`document.querySelector("#worlds-list li")?.textContent.startsWith("my pit")`)
	b.until(`(() => { const i = document.querySelector("#worlds-list img"); return i.complete && i.naturalWidth === 320 })()`)
	b.shot("worlds")
	tiles := evaluate[int](b, "quarry.tiles") // of the world that was kept: it is paused, and its last frame is here
	testMaps(t, b)
	b.do(chromedp.Click(chromedp.CSS("#worlds-list li button")))
	b.until(fmt.Sprintf(`quarry.state.scene !== "packed" && quarry.tiles === %d`, tiles))
	b.do(chromedp.Click(chromedp.CSS("#worlds-list .forget")))
	b.until(`document.querySelectorAll("#worlds-list li").length === 0`)
	b.do(chromedp.Click(chromedp.CSS("#worlds .close")))
	b.until(`document.getElementById("worlds").hidden`)
	evaluate[bool](b, `HTMLAnchorElement.prototype.click = function () { window.saved = this.download + " " + this.href }, true`)
	b.click("menu-picture")
	b.until(`window.saved && saved.includes(".png data:image/png;base64,") && saved.length > 10000`)
	evaluate[bool](b, `URL.createObjectURL = (blob) => {
		const reader = new FileReader();
		reader.onload = () => { window.film = reader.result };
		reader.readAsDataURL(blob);
		return "blob:film";
	}, true`)
	b.click("menu-gif")
	b.until(`window.saved.includes(".gif blob:film")`)
	b.until("window.film")
	_, text, _ := strings.Cut(evaluate[string](b, "film"), ",")
	film, err := gif.DecodeAll(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	if len(film.Image) != 38 || film.Config.Width != 480 || film.Delay[0] != 8 || film.LoopCount != 0 {
		t.Fatalf("%d frames of width %d, delay %v", len(film.Image), film.Config.Width, film.Delay[0])
	}
	checkFilm(t, film, b.shot("film"))
}

// checkFilm compares the last frame of a film with a picture of the page, where no panel covers the view.
func checkFilm(t *testing.T, film *gif.GIF, page image.Image) {
	t.Helper()
	last := film.Image[len(film.Image)-1]
	scale := float64(page.Bounds().Dx()) / float64(last.Bounds().Dx())
	far, colors := 0, map[color.Color]bool{}
	for y := 60; y < 240; y += 4 {
		for x := 160; x < 440; x += 4 {
			r, g, b, _ := last.At(x, y).RGBA()
			pr, pg, pb, _ := page.At(int((float64(x)+0.5)*scale), int((float64(y)+0.5)*scale)).RGBA()
			colors[last.At(x, y)] = true
			if max(diff(r, pr), diff(g, pg), diff(b, pb)) > 0x3800 {
				far++
			}
		}
	}
	if far > 45*70/20 || len(colors) < 4 {
		t.Errorf("%d of %d places have another colour than the page, %d colours in all", far, 45*70, len(colors))
	}
}

func diff(a, b uint32) uint32 { return max(a, b) - min(a, b) }

// Worlds in Chromium, and a link to a place.
func TestWorldsInChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	addr, _ := listen(t, "127.0.0.1:0", Config{Scenes: []scene.Scene{pit, bare}, Paused: true, Worlds: t.TempDir()})
	b := browse(t, addr)
	b.click("tool-erase")
	b.drag(-9.5, -0.5, -7.5, -0.5)
	b.until("quarry.tiles === 37")
	testWorldsPage(t, b)
	b.drag(0, 5, 3, 6, chromedp.ButtonRight)
	x, y := b.toScreen(0, 0)
	link := evaluate[string](b, "quarry.link")
	b.do(chromedp.Navigate("about:blank"))
	b.open(link)
	if px, py := b.toScreen(0, 0); max(px-x, x-px, py-y, y-py) > 1 {
		t.Errorf("the link %s shows the origin at %v, %v, not at %v, %v", link, px, py, x, y)
	}
	// A link with another place, opened in the same tab.
	evaluate[string](b, `location.hash = "-7.00,3.00,50.00"`)
	b.until("quarry.state.scale === 50 && !quarry.state.fitted")
	if px, py := b.toScreen(-7, 3); max(px-640, 640-px, py-360, 360-py) > 1 {
		t.Errorf("the place of the link is at %v, %v, not in the middle", px, py)
	}
	evaluate[string](b, `location.hash = "0,0,1e9"`)
	b.until("quarry.state.scale === 400")
	evaluate[string](b, `location.hash = "nowhere"`)
	b.click("menu-gallery")
	b.until(`(() => { const i = document.querySelector('#gallery [data-scene="bare"] img'); return i && i.complete && i.naturalWidth === 320 })()`)
	b.shot("gallery")
	b.do(chromedp.Click(chromedp.CSS(`#gallery [data-scene="bare"]`)))
	b.until(`quarry.state.scene === "bare" && document.getElementById("gallery").hidden`)
	b.checkConsole()
}
