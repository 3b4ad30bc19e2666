package canvas

// Ink is a colour with opacity, not premultiplied.
type Ink struct{ R, G, B, A uint8 }

// RGB returns the opaque ink of a 0xRRGGBB number.
func RGB(c uint32) Ink { return Ink{uint8(c >> 16), uint8(c >> 8), uint8(c), 255} }

// Mix returns the opaque colour between a (t = 0) and b (t = 1).
func (a Ink) Mix(b Ink, t float64) Ink {
	return Ink{BlendByte(a.R, b.R, t), BlendByte(a.G, b.G, t), BlendByte(a.B, b.B, t), 255}
}

// Fade returns a with the opacity t (0 to 1).
func (a Ink) Fade(t float64) Ink {
	a.A = BlendByte(0, 255, t)
	return a
}

// Grey returns the grey of the brightness of a (Rec. 601 luma).
func (a Ink) Grey() Ink {
	y := uint8((299*int(a.R) + 587*int(a.G) + 114*int(a.B) + 500) / 1000)
	return Ink{y, y, y, a.A}
}

func BlendByte(a, b uint8, t float64) uint8 {
	return uint8(float64(a) + (float64(b)-float64(a))*t + 0.5)
}
