package render

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/internal/canvas"
)

// theme is the set of inks of a picture.
type theme struct {
	background, gridMinor, gridMajor canvas.Ink
	grounds                          []canvas.Ink // for materials without a colour, by number
	bodies                           []canvas.Ink // for bodies whose material has no colour
	still                            canvas.Ink   // static bodies
	edge                             canvas.Ink   // mixed into rims and outlines
	normal, ghost, contact, box      canvas.Ink
	proxy, island, axisX, axisY      canvas.Ink
	velocity, impulse, joint         canvas.Ink
}

var dark = theme{
	background: canvas.RGB(0x15191f),
	grounds:    inks(0x4b5a70, 0x7b5f49, 0x5f7a52, 0x8d7d5c, 0x6a6480, 0x7d5157, 0x4f7778, 0x6e6e6e),
	bodies:     inks(0xe07a5f, 0x5fa8a0, 0xe0b05a, 0x7fa650, 0x6c8fd6, 0xb57bc4, 0xd77a9a, 0x58a4cf),
	still:      canvas.RGB(0x5b6472),
	edge:       canvas.RGB(0xffffff),
	normal:     canvas.RGB(0x6fe0d0),
	ghost:      canvas.RGB(0xff7ac8),
	contact:    canvas.RGB(0xffd24a),
	box:        canvas.RGB(0x8fa3bd),
	proxy:      canvas.RGB(0x7d8a55),
	island:     canvas.RGB(0xb98cff),
	axisX:      canvas.RGB(0xff5a4d),
	axisY:      canvas.RGB(0x62d84e),
	velocity:   canvas.RGB(0x5cc8ff),
	impulse:    canvas.RGB(0xff8f4a),
	joint:      canvas.RGB(0x4fe0a0),
}

var light = theme{
	background: canvas.RGB(0xf4f2ec),
	grounds:    inks(0x8c9bb0, 0xb5967a, 0x93b083, 0xcdb98c, 0xa79fc2, 0xc48f92, 0x86b3b1, 0xa8a8a8),
	bodies:     inks(0xe58a6f, 0x6bb5ac, 0xecc06a, 0x9cc06c, 0x86a5e2, 0xc592d2, 0xe493ae, 0x72b7dd),
	still:      canvas.RGB(0xa9b0bb),
	edge:       canvas.RGB(0x20242c),
	normal:     canvas.RGB(0x0f8f86),
	ghost:      canvas.RGB(0xc8207f),
	contact:    canvas.RGB(0xb85c00),
	box:        canvas.RGB(0x6b7f99),
	proxy:      canvas.RGB(0x8a8f3c),
	island:     canvas.RGB(0x6d3fd1),
	axisX:      canvas.RGB(0xc4261a),
	axisY:      canvas.RGB(0x2a8f1c),
	velocity:   canvas.RGB(0x0a6fb8),
	impulse:    canvas.RGB(0xc24a00),
	joint:      canvas.RGB(0x00734a),
}

func inks(colours ...uint32) []canvas.Ink {
	all := make([]canvas.Ink, len(colours))
	for i, c := range colours {
		all[i] = canvas.RGB(c)
	}
	return all
}

// themeOf returns the theme that o selects.
func themeOf(o Options) theme {
	t := dark
	if o.Light {
		t = light
	}
	if o.Background != 0 {
		t.background = canvas.RGB(o.Background)
	}
	t.gridMinor = t.background.Mix(t.edge, 0.035)
	t.gridMajor = t.background.Mix(t.edge, 0.08)
	return t
}

// ground returns the ink of a tile's material.
func (t *theme) ground(id quarry.MaterialID, m quarry.Material) canvas.Ink {
	if m.Color != 0 {
		return canvas.RGB(m.Color)
	}
	return t.grounds[int(id)%len(t.grounds)]
}

// rim and soft are the inks of a ground's surface line and of the wider, fainter line below it.
func (t *theme) rim(c canvas.Ink) canvas.Ink  { return c.Mix(t.edge, 0.34) }
func (t *theme) soft(c canvas.Ink) canvas.Ink { return c.Mix(t.edge, 0.10) }

// sign is the ink of arrows on belts and one-way tiles.
func (t *theme) sign() canvas.Ink { return canvas.RGB(0x101318).Fade(0.7) }

// body returns the ink of a shape. A hash of slot and kind chooses it from the palette: a body has
// the same colour in every picture, and rows of bodies show no stripes.
func (t *theme) body(it *quarry.DrawItem) canvas.Ink {
	const slotMask = 1<<26 - 1
	var c canvas.Ink
	switch {
	case it.Color != 0:
		c = canvas.RGB(it.Color)
	case it.Type == quarry.Static:
		return t.still
	default:
		kind := uint32(min(it.N, 3))
		h := (uint32(it.Body&slotMask)*4 + kind) * 0x9e3779b1
		h = (h ^ h>>15) * 0x85ebca6b
		c = t.bodies[int(h>>13)%len(t.bodies)]
	}
	if it.Asleep {
		c = t.asleep(c)
	}
	return c
}

// asleep returns c with half of its saturation.
func (t *theme) asleep(c canvas.Ink) canvas.Ink { return c.Mix(c.Grey(), 0.5).Mix(t.background, 0.25) }

// outline is the ink of a shape's outline.
func (t *theme) outline(c canvas.Ink) canvas.Ink { return c.Mix(t.edge, 0.42) }

// spoke is the ink of a circle's radius line.
func (t *theme) spoke(c canvas.Ink) canvas.Ink { return c.Mix(canvas.RGB(0x101318), 0.55) }

// all returns every ink of a picture of a world without material colours.
func (t *theme) all() []canvas.Ink {
	list := []canvas.Ink{
		t.background, t.gridMinor, t.gridMajor, t.still, t.outline(t.still), t.normal, t.ghost, t.contact, t.box,
		t.proxy, t.island, t.axisX, t.axisY, t.velocity, t.impulse, t.joint,
	}
	for _, c := range t.grounds {
		list = append(list, c, t.rim(c), t.soft(c))
	}
	for _, c := range t.bodies {
		list = append(list, c, t.outline(c), t.spoke(c), t.asleep(c), t.outline(t.asleep(c)), t.spoke(t.asleep(c)))
	}
	return list
}
