package render

// ink is a colour with opacity, not premultiplied.
type ink struct{ R, G, B, A uint8 }

// rgb returns the opaque ink of a 0xRRGGBB number.
func rgb(c uint32) ink { return ink{uint8(c >> 16), uint8(c >> 8), uint8(c), 255} }

// mix returns the opaque colour between a (t = 0) and b (t = 1).
func (a ink) mix(b ink, t float64) ink {
	return ink{blendByte(a.R, b.R, t), blendByte(a.G, b.G, t), blendByte(a.B, b.B, t), 255}
}

// fade returns a with the opacity t (0 to 1).
func (a ink) fade(t float64) ink {
	a.A = blendByte(0, 255, t)
	return a
}

// grey returns the grey of the brightness of a (Rec. 601 luma).
func (a ink) grey() ink {
	y := uint8((299*int(a.R) + 587*int(a.G) + 114*int(a.B) + 500) / 1000)
	return ink{y, y, y, a.A}
}

func blendByte(a, b uint8, t float64) uint8 {
	return uint8(float64(a) + (float64(b)-float64(a))*t + 0.5)
}
