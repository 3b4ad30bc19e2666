package play

import (
	"fmt"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// Material is a material to paint with.
type Material struct {
	Index uint16 `json:"index"` // of tiles
	Name  string `json:"name"`
	Color uint32 `json:"color"` // 0xRRGGBB; 0: whoever shows it chooses
	// Speed is the speed of a belt, in cells a second, clockwise around the solid.
	Speed float64 `json:"speed,omitempty"`
	// Way is the direction in which bodies pass a one-way tile: "up", "left", "down" or "right"; ""
	// if the material is not one-way.
	Way string `json:"way,omitempty"`
}

// Palette returns the materials to paint with, valid until the next command or step, and a number that grows with each
// change of the list.
func (w *World) Palette() (list []Material, rev uint64) { return w.palette.list, w.palette.rev }

// MaterialID returns the engine's material of an index of Palette, 0 for any other number.
func (w *World) MaterialID(index uint16) quarry.MaterialID {
	for i := range w.palette.list {
		if w.palette.list[i].Index == index {
			return w.palette.known[i].id
		}
	}
	return 0
}

// palette is the list of materials to paint with: of the scene's own tiles, and the materials
// that New adds to the world.
type palette struct {
	list  []Material
	known []swatch // of each entry of list
	rev   uint64   // grows with each change of list
}

// swatch is the source of an entry of the palette.
type swatch struct {
	id   quarry.MaterialID
	name string // "" for a material of the scene
	// asUsed is the full definition of an added one-way material. The material is two-way until its
	// first use, because a world without one-way materials is faster. It is zero for other
	// materials.
	asUsed quarry.Material
}

// ours are the materials that New adds to every world.
var ours = [...]struct {
	name string
	m    quarry.Material
}{
	{"ice", quarry.Material{Friction: 0.01, Color: 0x9fd8f0}},
	{"rubber", quarry.Material{Friction: 0.9, Restitution: 0.8, Color: 0xd4688c}},
	{"belt to the right", quarry.Material{Friction: 0.9, TangentSpeed: 4, Color: 0xd9a441}},
	{"belt to the left", quarry.Material{Friction: 0.9, TangentSpeed: -4, Color: 0x5aa7a0}},
	{"one-way platform", quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp, Color: 0xb08655}},
	{"wood", quarry.Material{Friction: 0.7, Density: 0.5, Color: 0xa5703c}},
	{"steel", quarry.Material{Friction: 0.4, Density: 5, Color: 0x8a93a0}},
	{"rubber tyre", quarry.Material{Friction: 1.5, Color: 0x3a3d45}},
	{"mud", quarry.Material{Friction: 1.2, RollingResistance: 0.2, Color: 0x6b4f38}},
}

// maxSceneMaterials bounds the scene's own materials in the palette, to keep the page's list short.
const maxSceneMaterials = 16

// open lists the materials of the world's tiles, and adds ours to the world. One of ours is listed
// only if every ground maps its number to it (GroundDef.Materials).
func (p *palette) open(w *quarry.World) {
	p.list, p.known = p.list[:0], p.known[:0]
	p.rev++
	p.add(w, 0, swatch{name: "plain"})
	for g := range w.Grounds() {
		if bounds, ok := g.Grid().Bounds(); ok {
			for _, tile := range g.Grid().Tiles(bounds) {
				if len(p.list) <= maxSceneMaterials && !slices.ContainsFunc(p.list, func(h Material) bool {
					return h.Index == tile.Material
				}) {
					p.add(w, tile.Material, swatch{id: g.Material(tile)})
				}
			}
		}
	}
	for _, m := range ours {
		sw := swatch{name: m.name}
		if m.m.OneWay != quarry.NotOneWay {
			sw.asUsed = m.m
			m.m.OneWay = quarry.NotOneWay
		}
		if sw.id = w.AddMaterial(m.m); sw.id == 0 {
			continue // the table is full
		}
		usable := true
		for g := range w.Grounds() {
			usable = usable && g.Material(gridseg.Tile{Shape: gridseg.Full, Material: uint16(sw.id)}) == sw.id
		}
		if usable {
			p.add(w, uint16(sw.id), sw)
		}
	}
}

func (p *palette) add(w *quarry.World, index uint16, sw swatch) {
	p.list, p.known = append(p.list, sw.told(w, index)), append(p.known, sw)
}

// told returns the description of a material for players.
func (sw *swatch) told(w *quarry.World, index uint16) Material {
	m := w.Material(sw.id)
	h := Material{Index: index, Name: sw.name, Color: m.Color, Speed: m.TangentSpeed}
	if sw.asUsed.OneWay != quarry.NotOneWay {
		m.OneWay = sw.asUsed.OneWay
	}
	if m.OneWay != quarry.NotOneWay {
		h.Way = m.OneWay.String()
	}
	if h.Name != "" {
		return h
	}
	h.Name = fmt.Sprintf("the scene's %d", index)
	switch {
	case h.Way != "":
		h.Name += ", one-way " + h.Way
	case m.TangentSpeed > 0:
		h.Name += ", a belt to the right"
	case m.TangentSpeed < 0:
		h.Name += ", a belt to the left"
	case m.Restitution >= 0.5:
		h.Name += ", bouncy"
	case m.Friction < 0.1:
		h.Name += ", slippery"
	}
	return h
}

// index returns the number of one of our materials for tiles, or 0 if the world has it not.
func (p *palette) index(name string) uint16 {
	for i := range p.known {
		if p.known[i].name == name {
			return p.list[i].Index
		}
	}
	return 0
}

// use makes the material of that number ready to be used by tiles; see swatch.asUsed.
func (p *palette) use(w *quarry.World, index uint16) {
	for i := range p.known {
		sw := &p.known[i]
		if sw.asUsed != (quarry.Material{}) && p.list[i].Index == index && w.Material(sw.id) != sw.asUsed {
			w.SetMaterial(sw.id, sw.asUsed)
		}
	}
}

// look updates the list with changes that the scene made to materials, and reports whether a colour
// has changed.
func (p *palette) look(w *quarry.World) (recolored bool) {
	for i := range p.list {
		if now := p.known[i].told(w, p.list[i].Index); now != p.list[i] {
			recolored = recolored || now.Color != p.list[i].Color
			p.list[i] = now
			p.rev++
		}
	}
	return recolored
}
