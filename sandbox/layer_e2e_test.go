//go:build !js

package sandbox

import "testing"

// testLayers is the part of TestPageInChromium about preserved layers of a ground.
func testLayers(t *testing.T, b *browser) {
	t.Run("paint on a preserved layer", func(t *testing.T) {
		b.t = t
		b.choose("pit")
		b.until("quarry.tiles === 40 && quarry.bodies.length === 1")
		b.click("tool-paint")
		if evaluate[bool](b, `!document.getElementById("layer-options").hidden`) {
			t.Error("layers are offered on a ground that preserves none")
		}
		b.choose("rows")
		b.until("quarry.tiles === 6 && quarry.state.segments === 14")
		b.until(`!document.getElementById("layer-options").hidden && document.getElementById("layers").children.length === 3`)
		b.click("shape-1")
		b.click("layer-1")
		b.drag(2.5, 1.5, 2.5, 1.5)
		b.until("quarry.state.layer === 1 && quarry.tiles === 7 && quarry.state.segments === 16")
		b.click("layer-2")
		b.drag(4.5, 1.5, 4.5, 1.5)
		b.until("quarry.state.layer === 2 && quarry.tiles === 8 && quarry.state.segments === 20")
		b.click("show-normals")
		b.shot("layers")
		b.click("show-normals")
		b.click("tool-drop")
		if evaluate[bool](b, `!document.getElementById("layer-options").hidden`) {
			t.Error("layers are offered to drop bodies on")
		}
		b.choose("pit")
		b.click("tool-paint")
		b.until(`quarry.state.layer === 0 && document.getElementById("layer-options").hidden`)
	})
}
