//go:build !js

package sandbox

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// room is a square that is solid outside and turns by half a right angle in a
// second, and an island beside it, far from the origin.
var room = scene.Scene{
	Name: "room", Doc: "A room that turns.", View: geom.Box(geom.V(1e6-8, -6), geom.V(1e6+16, 6)),
	Build: func(w *quarry.World) *scene.Instance {
		m := w.AddMaterial(quarry.Material{Color: 0xa0a060})
		body := w.AddBody(quarry.BodyDef{
			Type: quarry.Kinematic, Position: geom.V(1e6, 0),
			AngularVelocity: math.Pi / 4,
		})
		for _, d := range []struct {
			on quarry.BodyID
			quarry.ChainDef
		}{
			{body, quarry.ChainDef{Points: []geom.Vec{{X: -3, Y: 3}, {X: 3, Y: 3}, {X: 3, Y: -3}, {X: -3, Y: -3}}}},
			{0, quarry.ChainDef{Points: []geom.Vec{
				{X: 1e6 + 8, Y: -2},
				{X: 1e6 + 12, Y: -2},
				{X: 1e6 + 12, Y: 2},
				{X: 1e6 + 8, Y: 2},
			}}},
		} {
			d.Loop, d.Material = true, m
			if _, err := w.AddChain(d.on, d.ChainDef); err != nil {
				panic(err)
			}
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

// testChains is the part of TestPageInChromium that is about chains.
func testChains(t *testing.T, b *browser) {
	t.Run("draws chains on their solid side, and moves them", func(t *testing.T) {
		b.t = t
		b.choose("room")
		b.until("quarry.chains.length === 2 && quarry.chains[0] === 4 && quarry.chains[1] === 4")
		b.until(`quarry.state.chainSegments === 8 && document.getElementById("chain-count").innerText.trim() === "(8 of chains)"`)
		b.click("show-grid")
		island := [][2]float64{{8.2, 0}, {11.8, 1}, {10, -1.8}, {8.2, -1.8}}
		around := [][2]float64{{7.8, 0}, {10, 0}, {12.2, 2.2}, {10, -2.3}}
		check := func(name string, solid, air [][2]float64) {
			far := func(list ...[2]float64) (out [][2]float64) {
				for _, p := range list {
					out = append(out, [2]float64{1e6 + p[0], p[1]})
				}
				return out
			}
			b.checkDrawn(b.shot(name), far(append(solid, island...)...), far(append(air, around...)...))
		}
		r := math.Sqrt2
		check("room", [][2]float64{{3.2, 0}, {0, -3.2}, {3.2, 3.2}}, [][2]float64{{2.8, 0}, {0, 2.8}, {4.2, 0}, {0, 0}})
		before := b.shot("room at first")
		b.step(60)
		check("room turned", [][2]float64{{3.2 / r, 3.2 / r}, {3.2 / r, -3.2 / r}, {4.3, 0}},
			[][2]float64{{3.2, 0}, {0, -3.2}, {4, 0}, {3.2, 3.2}})
		b.click("show-normals")
		b.until("quarry.state.shown.normals")
		if n := differing(before, b.shot("room with normals")); n < 500 {
			t.Errorf("normals and turning change %d pixels", n)
		}
		b.click("show-normals")
		b.click("show-grid")
		b.choose("pit") // and the chains are gone
		b.until("quarry.chains.length === 0 && quarry.tiles === 40")
	})
}
