package main

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// The level is 200 cells wide. Its surface is near height 0, and bedrock begins at height floor.
const (
	width = 200
	floor = -40
)

// materials are the world's materials that the rules ask for.
type materials struct {
	earth, stone, gold, bedrock, wood, plank quarry.MaterialID
}

// newLevel makes the world: hills with caves, veins of stone and gold, a hut, a bridge and crates.
// It returns the ground, and the place for the hero's feet.
func newLevel() (*quarry.World, quarry.Ground, materials, geom.Vec) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -20)})
	m := materials{
		earth:   w.AddMaterial(quarry.Material{Name: "earth", Friction: 0.7, Color: 0x7a5538}),
		stone:   w.AddMaterial(quarry.Material{Name: "stone", Friction: 0.6, Density: 2, Color: 0x6d7178}),
		gold:    w.AddMaterial(quarry.Material{Name: "gold", Friction: 0.5, Density: 4, Color: 0xe8b923}),
		bedrock: w.AddMaterial(quarry.Material{Name: "bedrock", Friction: 0.6, Color: 0x2f3136}),
		wood:    w.AddMaterial(quarry.Material{Name: "wood", Friction: 0.6, Density: 0.6, Color: 0xa9743f}),
		plank: w.AddMaterial(quarry.Material{
			Name: "plank", Friction: 0.6, Density: 0.6, OneWay: quarry.OneWayUp,
			Color: 0xc99655,
		}),
	}

	// The whole ground is made before it joins the world: so it is resolved only once.
	grid := gridseg.New(nil)
	fill := func(x0, y0, x1, y1 int32, id quarry.MaterialID) {
		must(grid.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(id)}))
	}
	fill(0, floor-2, width-1, floor-1, m.bedrock)
	fill(-1, floor-2, -1, 20, m.bedrock)
	fill(width, floor-2, width, 20, m.bedrock)
	for x := range int32(width) {
		h, left, right := heightAt(x), heightAt(x-1), heightAt(x+1)
		fill(x, floor, x, h-1, m.earth)
		slope := gridseg.Tile{Shape: gridseg.Ramp, Material: uint16(m.earth)} // rises to the right
		switch {
		case right > h && left <= h:
			must(grid.Set(x, h, slope))
		case left > h && right <= h:
			slope.Turn = 3 // rises to the left
			must(grid.Set(x, h, slope))
		}
	}

	id, err := w.AddGround(0, quarry.GroundDef{
		Grid:        grid,
		Breaks:      true, // parts that are cut off fall
		Anchors:     []gridseg.Rect{{MinX: -1, MinY: floor - 2, MaxX: width, MaxY: floor - 1}},
		MinFragment: 0.4,
	})
	must(err)
	ground, _ := w.Ground(id)

	// Brushes make the caves and the veins: strokes between random points.
	r := random(7)
	at := func() geom.Vec { return geom.V(r.between(4, width-4), r.between(floor+3, -5)) }
	for range 25 {
		a := at()
		b := a.Add(geom.V(r.between(-9, 9), r.between(-3, 3)))
		must(ground.Dig(a, b, r.between(0.8, 2)))
		if r.between(0, 1) < 0.5 { // a vein of stone takes the place of earth
			must(ground.Build(a, b, 0.7, gridseg.Attr{Material: uint16(m.stone)}))
		}
	}
	for range 60 {
		a := at()
		must(ground.Dig(a, a, 0.6))
		must(ground.Build(a, a, 0.6, gridseg.Attr{Material: uint16(m.gold)}))
	}

	house(ground, m, 22)
	house(ground, m, 96)
	for i := range 6 {
		crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(30+float64(i%3)*1.1,
			float64(heightAt(30))+2.5+float64(i/3)*1.1)})
		w.AddShape(crate, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: 0.5, Material: m.wood})
	}
	return w, ground, m, geom.V(12.5, float64(heightAt(12))+2)
}

// house builds a hut of wood on legs, with a floor of planks that can be jumped through, from column x.
func house(ground quarry.Ground, m materials, x int32) {
	y := heightAt(x)
	for i := range int32(8) {
		y = max(y, heightAt(x+i))
	}
	fill := func(x0, y0, x1, y1 int32, id quarry.MaterialID) {
		must(ground.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(id)}))
	}
	for _, leg := range []int32{x, x + 7} {
		fill(leg, heightAt(leg), leg, y+6, m.wood)
	}
	fill(x+1, y+3, x+6, y+3, m.plank)
	fill(x-1, y+7, x+8, y+7, m.wood)
}

// heightAt returns the row of the first free cell over column x.
func heightAt(x int32) int32 {
	s1, _ := geom.SinCos(float64(x) * 0.11)
	s2, _ := geom.SinCos(float64(x)*0.043 + 2)
	return int32(3*s1 + 5*s2)
}

// random is a small generator of numbers (xorshift, Marsaglia 2003), so that each start has the same level.
type random uint64

// between returns a number in [low, high).
func (r *random) between(low, high float64) float64 {
	*r ^= *r << 13
	*r ^= *r >> 7
	*r ^= *r << 17
	return low + (high-low)*float64(*r>>11)/(1<<53)
}

// must stops the program at errors that the level's constants exclude.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
