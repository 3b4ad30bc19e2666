package tilemap

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
)

// A pixel is ground from half opacity on, or, in an image without transparency, below half
// luminance.
const (
	solidAlpha = 128
	lightGrey  = 128
)

// bitmap reads a PNG image; each pixel is a cell.
func (m *Map) bitmap(at spot, data []byte) error {
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return at.err(pngError(err))
	}
	if int64(size.Width)*int64(size.Height) > MaxCells {
		return at.errorf("the image has %d x %d pixels, more than %d in all", size.Width, size.Height, MaxCells)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return at.err(pngError(err))
	}
	return m.paint(at, img)
}

// paint sets the cells of the map to the ground pixels of img. It fails if there are more than
// MaxTiles.
func (m *Map) paint(at spot, img image.Image) error {
	b := img.Bounds()
	m.Width, m.Height = b.Dx(), b.Dy()
	alpha := hasAlpha(img)
	color := colors(img)
	solid := func(col, row int) bool {
		c := color(b.Min.X+col, b.Min.Y+row)
		if alpha {
			return c.A >= solidAlpha
		}
		return luminance(c) < lightGrey
	}
	// The first of two passes counts the pixels, so that Cells is allocated once in its exact size.
	n, opaque := 0, true
	for row := b.Dy() - 1; row >= 0; row-- {
		for col := range b.Dx() {
			if solid(col, row) {
				if n++; n > MaxTiles {
					return at.in(fmt.Sprintf("pixel (%d, %d)", col, row)).errorf("more than %d pixels of ground",
						MaxTiles)
				}
			}
			opaque = opaque && (!alpha || color(b.Min.X+col, b.Min.Y+row).A == 0xff)
		}
	}
	if n > 0 {
		m.Cells = make([]Cell, 0, n)
		m.Shapes = []Shape{{Name: "full", Polygons: clonePolygons(full)}}
	}
	for row := b.Dy() - 1; row >= 0; row-- {
		for col := range b.Dx() {
			if solid(col, row) {
				c := color(b.Min.X+col, b.Min.Y+row)
				m.Cells = append(m.Cells, Cell{
					X: int32(col), Y: int32(b.Dy() - 1 - row),
					User: uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B),
				})
			}
		}
	}
	if alpha && opaque {
		m.Warnings = append(m.Warnings,
			"the image has an alpha channel but no transparent pixel: all pixels are ground")
	}
	return nil
}

// colors returns a function that reads a pixel. It allocates nothing for the image types of the PNG
// decoder.
func colors(img image.Image) func(x, y int) color.NRGBA {
	switch img := img.(type) {
	case *image.Paletted:
		var palette [256]color.NRGBA // the decoder refuses an index beyond the palette
		for i, c := range img.Palette {
			palette[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
		}
		return func(x, y int) color.NRGBA { return palette[img.ColorIndexAt(x, y)] }
	case *image.NRGBA:
		return img.NRGBAAt
	case *image.RGBA:
		return func(x, y int) color.NRGBA { return divided(img.RGBAAt(x, y).RGBA()) }
	case *image.Gray:
		return func(x, y int) color.NRGBA { return divided(img.GrayAt(x, y).RGBA()) }
	case *image.Gray16:
		return func(x, y int) color.NRGBA { return divided(img.Gray16At(x, y).RGBA()) }
	case *image.RGBA64:
		return func(x, y int) color.NRGBA { return divided(img.RGBA64At(x, y).RGBA()) }
	case *image.NRGBA64:
		return func(x, y int) color.NRGBA { return divided(img.NRGBA64At(x, y).RGBA()) }
	}
	return func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA) }
}

// divided converts a colour of premultiplied 16-bit channels to 8-bit channels that are not
// premultiplied.
func divided(r, g, b, a uint32) color.NRGBA {
	if a == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{
		uint8(r * 0xffff / a >> 8), uint8(g * 0xffff / a >> 8), uint8(b * 0xffff / a >> 8),
		uint8(a >> 8),
	}
}

// luminance returns 0 to 255 for an opaque colour, as color.GrayModel does:
// 0.299 R + 0.587 G + 0.114 B, of 16 bits each, to the nearest.
func luminance(c color.NRGBA) uint8 {
	r, g, b, _ := c.RGBA()
	return uint8((19595*r + 38470*g + 7471*b + 1<<15) >> 24)
}

// hasAlpha reports whether the file can have transparent pixels, by the image type that the decoder
// chose for it.
func hasAlpha(img image.Image) bool {
	switch img := img.(type) {
	case *image.Gray, *image.Gray16, *image.RGBA, *image.RGBA64:
		return false
	case *image.Paletted:
		for _, c := range img.Palette {
			if _, _, _, a := c.RGBA(); a != 0xffff {
				return true
			}
		}
		return false
	}
	return true
}

// pngError replaces io.ErrUnexpectedEOF by a message about a truncated file.
func pngError(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the PNG image is cut short")
	}
	return err
}
