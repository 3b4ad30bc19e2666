package scene

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// walk is a world of 10,000 x 10,000 cells, all unloaded but for 5 x 3 chunks around the walker.
var walk = Scene{
	Name: "walk",
	Doc: "A character walks out and back in a world of 10^8 cells: 15 chunks around it are loaded, made as it " +
		"comes, and it finds the holes that it dug.",
	Steps:  1200,
	View:   geom.AABB{Min: geom.V(0, -36), Max: geom.V(160, 36)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		grass := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x6f9a53})
		rock := w.AddMaterial(quarry.Material{Friction: 0.7, Color: 0x7d7f86})
		s := &streamed{ground: ground(w), grass: uint16(grass), rock: uint16(rock), stored: map[gridseg.Cell][]byte{}}
		_, err := s.ground.UnloadPlace(
			gridseg.Rect{MinX: 0, MinY: -5000, MaxX: 9999, MaxY: 4999},
			gridseg.UnloadedEmpty,
		)
		must(err)
		k := addWalker(w, geom.V(42, float64(hillTop(42)+2)), nil)
		k.Mover.MaxSlope = 1 // radians: steeper than the ramps
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if has(w, s.ground) {
				s.to(chunkAt(k.Position))
				if step%90 == 60 && step < 600 {
					p := k.Position.Add(geom.V(0, -4))
					_ = s.ground.Dig(p, p, 1.5)
				}
			}
			k.Velocity.X = 8
			if step/600%2 == 1 {
				k.Velocity.X = -8
			}
			k.Move(w, w.Gravity(), dt)
			k.carry(w)
		}}
	},
}

// streamed is a ground of which the chunks near a place are loaded.
type streamed struct {
	ground      quarry.Ground
	grass, rock uint16
	at          gridseg.Cell            // the chunk in the middle
	loaded      []gridseg.Cell          // the loaded chunks
	stored      map[gridseg.Cell][]byte // chunks that were loaded before
}

// chunkAt returns the coordinates of the chunk at p.
func chunkAt(p geom.Vec) gridseg.Cell {
	return gridseg.Cell{X: int32(math.Floor(p.X / 16)), Y: int32(math.Floor(p.Y / 16))}
}

// to loads the unloaded chunks within 2 columns and 1 row of chunk c, and unloads the others. A chunk with a body in it
// stays loaded.
func (s *streamed) to(c gridseg.Cell) {
	if c == s.at && len(s.loaded) > 0 {
		return
	}
	s.at = c
	for y := c.Y - 1; y <= c.Y+1; y++ {
		for x := c.X - 2; x <= c.X+2; x++ {
			if s.ground.Grid().Loaded(x*16, y*16) {
				continue
			}
			data, ok := s.stored[gridseg.Cell{X: x, Y: y}]
			if !ok {
				data = s.make(x, y)
			}
			if _, err := s.ground.LoadPlace(data); err == nil {
				s.loaded = append(s.loaded, gridseg.Cell{X: x, Y: y})
			}
		}
	}
	s.loaded = slices.DeleteFunc(s.loaded, func(k gridseg.Cell) bool {
		if k.X >= c.X-2 && k.X <= c.X+2 && k.Y >= c.Y-1 && k.Y <= c.Y+1 {
			return false
		}
		data, err := s.ground.UnloadPlace(placeOf(k.X, k.Y), gridseg.UnloadedEmpty)
		if err == nil {
			s.stored[k] = data
		}
		return err == nil
	})
}

// make returns the tiles of a chunk as bytes.
func (s *streamed) make(x, y int32) []byte {
	place := placeOf(x, y)
	maker := gridseg.New(s.ground.Grid().Shapes())
	for cx := place.MinX; cx <= place.MaxX; cx++ {
		left, right := hillTop(cx), hillTop(cx+1)
		top := min(left, right)
		for cy := place.MinY; cy <= min(place.MaxY, top); cy++ {
			t := gridseg.Tile{Shape: gridseg.Full, Material: s.grass}
			switch {
			case cy == top && left == right || cy < top-6 && (cx*31+cy*17)%23 == 0:
				continue // air, and pores in the rock
			case cy == top && left < right:
				t.Shape = gridseg.Ramp
			case cy == top:
				t.Shape, t.Turn = gridseg.Ramp, 4
			case cy < top-2:
				t.Material = s.rock
			}
			must(maker.Set(cx, cy, t))
		}
	}
	data, err := maker.Unload(place, gridseg.UnloadedEmpty)
	must(err)
	return data
}

// placeOf returns the cells of a chunk.
func placeOf(x, y int32) gridseg.Rect {
	return gridseg.Rect{MinX: x * 16, MinY: y * 16, MaxX: x*16 + 15, MaxY: y*16 + 15}
}

// hillTop returns the height of the hills at grid line x. From line to line it changes by at most one cell.
func hillTop(x int32) int32 {
	s1, _ := geom.SinCos(0.06 * float64(x))
	s2, _ := geom.SinCos(float64(0.021*float64(x)) + 1)
	return int32(float64(7*s1)+float64(5*s2)+100) - 100
}
