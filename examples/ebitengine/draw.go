package main

import (
	"fmt"
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/vector"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// The picture, in pixels.
const (
	screenW, screenH = 960, 540
	scale            = 30 // pixels a cell
)

// camera maps the world to the screen: its centre is at the middle of the picture.
type camera struct{ center geom.Vec }

// at returns the pixel of p.
func (c camera) at(p geom.Vec) (x, y float32) {
	d := p.Sub(c.center)
	return float32(screenW/2 + scale*d.X), float32(screenH/2 - scale*d.Y)
}

// world returns the point under a pixel.
func (c camera) world(x, y int) geom.Vec {
	return c.center.Add(geom.V(float64(x-screenW/2)/scale, float64(screenH/2-y)/scale))
}

// view is the box that the picture shows.
func (c camera) view() geom.AABB {
	h := geom.V(screenW/2/scale+1, screenH/2/scale+1)
	return geom.AABB{Min: c.center.Sub(h), Max: c.center.Add(h)}
}

// canvas draws one picture of the game.
type canvas struct {
	screen *ebiten.Image
	cam    camera
	areas  []vector.Path // of each material, of tiles
	list   quarry.DrawList
	alpha  float64 // the fraction of the last step at which all is drawn
}

// draw draws g at a fraction of its last step.
func (c *canvas) draw(screen *ebiten.Image, g *game, cam camera, alpha float64) {
	c.screen, c.cam, c.alpha = screen, cam, alpha
	screen.Fill(color.RGBA{0x9f, 0xc9, 0xe6, 0xff})
	c.tiles(g.world)
	c.bodies(g.world)
	c.hero(g)
	for _, p := range g.puffs {
		x, y := cam.at(p.at)
		alpha := uint8(200 * max(0, 1-2*p.age))
		vector.FillCircle(screen, x, y, float32(scale*p.size*(0.5+p.age)), color.RGBA{alpha, alpha, alpha, alpha}, true)
	}
	ebitenutil.DebugPrint(screen, fmt.Sprintf("gold %.1f   earth %.1f   bodies %d\n"+
		"A D move, W jump, S drop through planks, left mouse digs, right mouse builds, F throws a bomb, hold R to "+
		"go back in time",
		g.gold, g.earth, g.world.Stats().Bodies))
}

// tiles draws all grounds: a path for each material, with runs of whole blocks as rectangles.
func (c *canvas) tiles(w *quarry.World) {
	for ground := range w.Grounds() {
		t := ground.Body().TransformAt(c.alpha)
		cells, ok := ground.Grid().BoundsIn(cellsIn(t, c.cam.view()))
		if !ok {
			continue
		}
		var run gridseg.Rect // of whole blocks of one material, in one row
		of := -1
		flush := func() {
			if of >= 0 {
				x0, y0, x1, y1 := float64(run.MinX), float64(run.MinY), float64(run.MaxX)+1, float64(run.MaxY)+1
				c.polygon(of, t, geom.V(x0, y0), geom.V(x1, y0), geom.V(x1, y1), geom.V(x0, y1))
			}
			of = -1
		}
		var points []geom.Vec
		for cell, tile := range ground.Grid().Tiles(cells) {
			if m := int(ground.Material(tile)); tile.Shape == gridseg.Full {
				if of == m && cell.Y == run.MinY && cell.X == run.MaxX+1 {
					run.MaxX++
					continue
				}
				flush()
				of, run = m, gridseg.Rect{MinX: cell.X, MinY: cell.Y, MaxX: cell.X, MaxY: cell.Y}
				continue
			}
			for part, loops := range ground.Grid().Polygons(cell.X, cell.Y) {
				for _, loop := range loops {
					points = points[:0]
					for _, p := range loop {
						points = append(points, geom.V(float64(cell.X)+float64(p.X)/gridseg.Unit,
							float64(cell.Y)+float64(p.Y)/gridseg.Unit))
					}
					c.polygon(int(ground.Material(part)), t, points...)
				}
			}
		}
		flush()
	}
	for m := range c.areas {
		var o vector.DrawPathOptions
		o.ColorScale.ScaleWithColor(rgb(w.Material(quarry.MaterialID(m)).Color))
		vector.FillPath(c.screen, &c.areas[m], nil, &o)
		c.areas[m].Reset()
	}
}

// cellsIn returns the cells of a lattice in the frame t that a box of the world overlaps.
func cellsIn(t geom.Transform, box geom.AABB) gridseg.Rect {
	low, high := geom.V(math.Inf(1), math.Inf(1)), geom.V(math.Inf(-1), math.Inf(-1))
	for _, corner := range []geom.Vec{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}} {
		p := t.Inv(corner)
		low, high = geom.V(min(low.X, p.X), min(low.Y, p.Y)), geom.V(max(high.X, p.X), max(high.Y, p.Y))
	}
	cell := func(x float64) int32 { return int32(math.Floor(min(max(x, math.MinInt32), math.MaxInt32))) }
	return gridseg.Rect{MinX: cell(low.X), MinY: cell(low.Y), MaxX: cell(high.X), MaxY: cell(high.Y)}
}

// polygon adds a loop of points in the frame t to the area of a material.
func (c *canvas) polygon(material int, t geom.Transform, points ...geom.Vec) {
	for len(c.areas) <= material {
		c.areas = append(c.areas, vector.Path{})
	}
	p := &c.areas[material]
	for i, q := range points {
		if x, y := c.cam.at(t.Apply(q)); i == 0 {
			p.MoveTo(x, y)
		} else {
			p.LineTo(x, y)
		}
	}
	p.Close()
}

// bodies draws shapes: crates and bombs.
func (c *canvas) bodies(w *quarry.World) {
	w.Draw(&c.list, quarry.DrawOptions{Layers: quarry.DrawShapes, View: c.cam.view(), Alpha: c.alpha})
	for i := range c.list.Items {
		it := &c.list.Items[i]
		ink := rgb(it.Color)
		if it.Form != quarry.DrawHull {
			continue
		}
		if x, y := c.cam.at(it.Points[0]); it.N == 1 {
			vector.FillCircle(c.screen, x, y, float32(scale*it.Radius), color.RGBA{0x22, 0x22, 0x26, 0xff}, true)
			x2, y2 := c.cam.at(it.Points[0].Add(it.Axis.Mul(it.Radius)))
			vector.StrokeLine(c.screen, x, y, x2, y2, 3, color.RGBA{0xe0, 0x50, 0x30, 0xff}, true)
			continue
		}
		var p vector.Path
		for k := range it.N {
			if x, y := c.cam.at(it.Points[k]); k == 0 {
				p.MoveTo(x, y)
			} else {
				p.LineTo(x, y)
			}
		}
		p.Close()
		o := vector.DrawPathOptions{AntiAlias: true}
		o.ColorScale.ScaleWithColor(ink)
		vector.FillPath(c.screen, &p, nil, &o)
	}
}

// hero draws the hero, and the reach of the hands.
func (c *canvas) hero(g *game) {
	p := g.heroAt(c.alpha)
	x, y := c.cam.at(p)
	r := float32(0.35 * scale)
	vector.FillRect(c.screen, x-r, y-1.25*scale, 2*r, 0.9*scale, color.RGBA{0xc0, 0x39, 0x2b, 0xff}, true)
	vector.FillCircle(c.screen, x, y-r, r, color.RGBA{0x2c, 0x3e, 0x50, 0xff}, true)
	vector.FillCircle(c.screen, x, y-1.25*scale, r, color.RGBA{0xf0, 0xc8, 0xa0, 0xff}, true)
	x, y = c.cam.at(p.Add(g.chest().Sub(g.hero.Position)))
	vector.StrokeCircle(c.screen, x, y, reach*scale, 1, color.RGBA{0x30, 0x30, 0x30, 0x30}, true)
}

// rgb returns the colour 0xRRGGBB.
func rgb(c uint32) color.RGBA { return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff} }
