package tilemap

import (
	"image"
	"image/color"
)

// The size of the cave, in cells.
const (
	caveW = 64
	caveH = 40
)

// cavePicture grows a cave out of noise: a pixel becomes rock where most of the
// nine round it are, a few times over, which leaves smooth chambers. A shaft
// from above and a wide hall make it something to drop bodies into.
func cavePicture() *image.NRGBA {
	var rock [caveH][caveW]bool
	state := uint32(2463534242)
	for y := range rock {
		for x := range rock[y] {
			state ^= state << 13 // xorshift; Marsaglia, Xorshift RNGs, 2003
			state ^= state >> 17
			state ^= state << 5
			rock[y][x] = state%100 < 46
		}
	}
	at := func(x, y int) bool { return x < 0 || x >= caveW || y < 0 || y >= caveH || rock[y][x] }
	for range 5 {
		var next [caveH][caveW]bool
		for y := range rock {
			for x := range rock[y] {
				n := 0
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						if at(x+dx, y+dy) {
							n++
						}
					}
				}
				next[y][x] = n >= 5
			}
		}
		rock = next
	}
	img := image.NewNRGBA(image.Rect(0, 0, caveW, caveH))
	for y := range rock {
		for x := range rock[y] {
			hall := (x-32)*(x-32)+4*(y-20)*(y-20) < 18*18
			shaft := x >= 28 && x < 36 && y < 20
			border := x == 0 || x == caveW-1 || y == caveH-1
			if border || rock[y][x] && !hall && !shaft {
				shade := uint8(0x90 - y)
				img.SetNRGBA(x, y, color.NRGBA{shade, shade - 0x10, shade - 0x18, 0xff})
			}
		}
	}
	return img
}
