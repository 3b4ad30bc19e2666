//go:build !js

package sandbox

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"
)

// swatch presses the button of a material.
func (b *browser) swatch(name string) {
	b.t.Helper()
	id := evaluate[float64](b, fmt.Sprintf("(quarry.state.materials.find((m) => m.name === %q) || { index: -1 }).index",
		name))
	if id < 0 {
		b.t.Fatalf("no material %q: %s", name, evaluate[string](b, "JSON.stringify(quarry.state.materials)"))
	}
	b.click(fmt.Sprintf("material-%v", id))
	b.until(fmt.Sprintf(`quarry.state.material === %v && document.getElementById("material-value").textContent === %q`,
		id, name))
}

// testMaterials is the part of TestPageInChromium about materials: belts and one-way
// tiles.
func testMaterials(t *testing.T, b *browser) {
	t.Run("a belt carries a box", func(t *testing.T) {
		b.t = t
		b.choose("pit")
		b.until("quarry.tiles === 40 && quarry.bodies.length === 1")
		b.click("tool-paint")
		b.click("shape-1")
		for evaluate[int](b, "quarry.state.turn") != 0 {
			b.do(chromedp.KeyEvent("r"))
		}
		b.swatch("belt to the right")
		plain := b.shot("no belt")
		b.drag(-9.5, -0.5, 9.5, -0.5)
		b.until(`quarry.state.segments === 44`)
		b.step(1)
		belt := b.shot("belt")
		if n := differing(plain, belt); n < 3000 {
			t.Errorf("a belt changes %d pixels", n)
		}
		b.step(59)
		if x := b.bodies()[0].X; x < 2 || x > 4 {
			t.Errorf("after a second the box is at x = %v", x)
		}
		b.swatch("belt to the left")
		b.drag(-9.5, -0.5, 9.5, -0.5)
		b.step(120)
		if x := b.bodies()[0].X; x > 1 {
			t.Errorf("two seconds back the box is at x = %v", x)
		}
		b.shot("belt back")
	})

	t.Run("one-way tiles, and through them", func(t *testing.T) {
		b.t = t
		b.click("reset")
		b.until("quarry.state.step === 0 && quarry.bodies.length === 1")
		b.swatch("one-way platform")
		b.drag(4.5, 3.5, 8.5, 3.5)
		b.until("quarry.tiles === 45")
		b.click("tool-drop")
		b.click("kind-box")
		for _, x := range []float64{5, 8} {
			px, py := b.toScreen(x, 4.8)
			b.do(chromedp.MouseClickXY(px, py))
		}
		b.until("quarry.bodies.length === 3")
		b.step(180)
		height := func(i int) float64 { return b.bodies()[i].Y }
		if a, c := height(1), height(2); math.Abs(a-4.5) > 0.02 || math.Abs(c-4.5) > 0.02 {
			t.Fatalf("the boxes stand at %v and %v", a, c)
		}
		b.shot("platform")
		px, py := b.toScreen(5, 4.5)
		b.do(chromedp.MouseEvent("mouseMoved", px, py), chromedp.KeyEvent("s"))
		b.step(120)
		if a, c := height(1), height(2); math.Abs(a-0.5) > 0.02 || math.Abs(c-4.5) > 0.02 {
			t.Errorf("after S the boxes are at %v and %v", a, c)
		}
		b.click("through")
		b.step(120)
		if c := height(2); math.Abs(c-0.5) > 0.02 {
			t.Errorf("after the button the box is at %v", c)
		}
		b.shot("through")
	})

	t.Run("the keyboard goes through the materials", func(t *testing.T) {
		b.t = t
		b.click("tool-paint")
		first := evaluate[int](b, "quarry.state.material")
		n := evaluate[int](b, "quarry.state.materials.length")
		for range n {
			b.do(chromedp.KeyEvent("o"))
		}
		b.until(fmt.Sprintf("quarry.state.material === %d", first))
		b.click("material-0")
	})
}
