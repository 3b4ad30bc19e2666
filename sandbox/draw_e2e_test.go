//go:build !js

package sandbox

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"
)

// testDrawPage is the part of TestPageInChromium about the debug draw, and the tools for joints.
func testDrawPage(t *testing.T, b *browser) {
	of := func(layer string) string { return fmt.Sprintf(`quarry.draw.filter((i) => i.layer === %q)`, layer) }
	t.Run("layers of the debug draw", func(t *testing.T) {
		b.t = t
		b.choose("hung")
		b.until(`quarry.state.step === 0 && quarry.bodies.length === 1 && ` + of("joints") +
			`.length === 4 && quarry.marks > 0`)
		if p := evaluate[[]float64](b, of("joints")+`[0].points`); math.Abs(p[0]-1e6-1) > 1e-3 ||
			math.Abs(p[2]-1e6) > 1e-3 {
			t.Errorf("the first line of the joint is %v, want it from (1000001, 2) to (1000000, 2)", p)
		}
		plain := b.shot("draw-joints")
		b.click("debug")
		for _, layer := range []string{"boxes", "proxies", "centers", "velocities", "islands"} {
			b.click("show-" + layer)
			b.until(fmt.Sprintf(`quarry.state.shown.layers.includes(%q)`, layer))
		}
		b.step(1)
		for _, layer := range []string{"joints", "boxes", "proxies", "centers", "velocities", "islands"} {
			b.until(of(layer) + `.length > 0`)
		}
		if n := differing(plain, b.shot("draw-layers")); n < 100 {
			t.Errorf("five layers change %d pixels", n)
		}
		// The numbers toggle the layers: 1 is joints.
		b.do(chromedp.KeyEvent("1"))
		b.until(`!quarry.state.shown.layers.includes("joints") && ` + of("joints") + `.length === 0`)
		for _, layer := range []string{"boxes", "proxies", "centers", "velocities", "islands"} {
			b.click("show-" + layer)
		}
		b.until(`quarry.state.shown.layers.length === 0 && quarry.draw.length === 0 && quarry.marks === 0`)
		b.do(chromedp.KeyEvent("1"))
		b.until(of("joints") + `.length === 4`)
		b.choose("pit")
		b.until(`quarry.tiles === 40 && quarry.draw.length === 0`)
		b.do(chromedp.KeyEvent("2"))
		b.until(`quarry.state.shown.layers.includes("contacts")`)
		b.step(30)
		b.until(of("contacts") + `.length === 4`) // two points, each with a normal
		b.shot("draw-contacts")
		b.do(chromedp.KeyEvent("2"))
		b.click("debug")
	})

	t.Run("grab and join", func(t *testing.T) {
		b.t = t
		b.choose("pit")
		b.click("reset")
		b.until("quarry.state.step === 0 && quarry.bodies.length === 1")
		b.click("tool-drop")
		x, y := b.toScreen(3, 3)
		b.do(chromedp.MouseClickXY(x, y))
		b.until("quarry.bodies.length === 2")
		b.click("tool-join")
		b.click("joint-distance")
		b.until(`quarry.state.tool === "join" && quarry.state.joint === "distance"`)
		b.drag(3, 3, 3, 6) // hangs from the world
		b.until(of("joints") + `.length === 4`)
		b.step(30)
		if at := b.bodies()[1]; math.Abs(at.Y-3) > 0.1 {
			t.Errorf("the joined box is at %v, %v", at.X, at.Y)
		}
		b.click("tool-grab")
		// The drag begins and ends between two steps of the paused world, so what is left to see is its joint.
		b.drag(0, 0.5, -3, 3)
		b.until(`!quarry.state.grabbing && ` + of("joints") + `.length === 4`)
		b.click("tool-drop")
	})
}
