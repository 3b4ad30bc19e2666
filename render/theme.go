package render

import "github.com/quarry2d/quarry"

// theme is the set of inks of a picture.
type theme struct {
	background, gridMinor, gridMajor ink
	grounds                          []ink // for materials without a colour, by number
	bodies                           []ink // for bodies whose material has no colour
	still                            ink   // static bodies
	edge                             ink   // mixed into rims and outlines
	normal, ghost, contact, box      ink
	proxy, island, axisX, axisY      ink
	velocity, impulse, joint         ink
}

var dark = theme{
	background: rgb(0x15191f),
	grounds:    inks(0x4b5a70, 0x7b5f49, 0x5f7a52, 0x8d7d5c, 0x6a6480, 0x7d5157, 0x4f7778, 0x6e6e6e),
	bodies:     inks(0xe07a5f, 0x5fa8a0, 0xe0b05a, 0x7fa650, 0x6c8fd6, 0xb57bc4, 0xd77a9a, 0x58a4cf),
	still:      rgb(0x5b6472),
	edge:       rgb(0xffffff),
	normal:     rgb(0x6fe0d0),
	ghost:      rgb(0xff7ac8),
	contact:    rgb(0xffd24a),
	box:        rgb(0x8fa3bd),
	proxy:      rgb(0x7d8a55),
	island:     rgb(0xb98cff),
	axisX:      rgb(0xff5a4d),
	axisY:      rgb(0x62d84e),
	velocity:   rgb(0x5cc8ff),
	impulse:    rgb(0xff8f4a),
	joint:      rgb(0x4fe0a0),
}

var light = theme{
	background: rgb(0xf4f2ec),
	grounds:    inks(0x8c9bb0, 0xb5967a, 0x93b083, 0xcdb98c, 0xa79fc2, 0xc48f92, 0x86b3b1, 0xa8a8a8),
	bodies:     inks(0xe58a6f, 0x6bb5ac, 0xecc06a, 0x9cc06c, 0x86a5e2, 0xc592d2, 0xe493ae, 0x72b7dd),
	still:      rgb(0xa9b0bb),
	edge:       rgb(0x20242c),
	normal:     rgb(0x0f8f86),
	ghost:      rgb(0xc8207f),
	contact:    rgb(0xb85c00),
	box:        rgb(0x6b7f99),
	proxy:      rgb(0x8a8f3c),
	island:     rgb(0x6d3fd1),
	axisX:      rgb(0xc4261a),
	axisY:      rgb(0x2a8f1c),
	velocity:   rgb(0x0a6fb8),
	impulse:    rgb(0xc24a00),
	joint:      rgb(0x00734a),
}

func inks(colours ...uint32) []ink {
	all := make([]ink, len(colours))
	for i, c := range colours {
		all[i] = rgb(c)
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
		t.background = rgb(o.Background)
	}
	t.gridMinor = t.background.mix(t.edge, 0.035)
	t.gridMajor = t.background.mix(t.edge, 0.08)
	return t
}

// ground returns the ink of a tile's material.
func (t *theme) ground(id quarry.MaterialID, m quarry.Material) ink {
	if m.Color != 0 {
		return rgb(m.Color)
	}
	return t.grounds[int(id)%len(t.grounds)]
}

// rim and soft are the inks of a ground's surface line and of the wider, fainter line below it.
func (t *theme) rim(c ink) ink  { return c.mix(t.edge, 0.34) }
func (t *theme) soft(c ink) ink { return c.mix(t.edge, 0.10) }

// sign is the ink of arrows on belts and one-way tiles.
func (t *theme) sign() ink { return rgb(0x101318).fade(0.7) }

// body returns the ink of a shape. A hash of slot and kind chooses it from the palette: a body has
// the same colour in every picture, and rows of bodies show no stripes.
func (t *theme) body(it *quarry.DrawItem) ink {
	const slotMask = 1<<26 - 1
	var c ink
	switch {
	case it.Color != 0:
		c = rgb(it.Color)
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
func (t *theme) asleep(c ink) ink { return c.mix(c.grey(), 0.5).mix(t.background, 0.25) }

// outline is the ink of a shape's outline.
func (t *theme) outline(c ink) ink { return c.mix(t.edge, 0.42) }

// spoke is the ink of a circle's radius line.
func (t *theme) spoke(c ink) ink { return c.mix(rgb(0x101318), 0.55) }

// all returns every ink of a picture of a world without material colours.
func (t *theme) all() []ink {
	list := []ink{
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
