package tilemap

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
)

// Where a pixel starts to be ground: at half opacity, or below half luminance.
const (
	solidAlpha = 128
	lightGrey  = 128
)

// bitmap reads a PNG image, a pixel a cell.
func (m *Map) bitmap(at spot, data []byte) error {
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return at.err(pngError(err))
	}
	if int64(size.Width)*int64(size.Height) > MaxCells {
		return at.errorf("the image is %d x %d pixels, more than %d in all", size.Width, size.Height, MaxCells)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return at.err(pngError(err))
	}
	m.paint(img)
	return nil
}

// paint makes the map the ground that img shows.
func (m *Map) paint(img image.Image) {
	b := img.Bounds()
	m.Width, m.Height = b.Dx(), b.Dy()
	alpha := hasAlpha(img)
	opaque := true
	for row := b.Dy() - 1; row >= 0; row-- {
		for col := range b.Dx() {
			c := color.NRGBAModel.Convert(img.At(b.Min.X+col, b.Min.Y+row)).(color.NRGBA)
			solid := c.A >= solidAlpha
			opaque = opaque && c.A == 0xff
			if !alpha {
				solid = color.GrayModel.Convert(c).(color.Gray).Y < lightGrey
			}
			if solid {
				m.Cells = append(m.Cells, Cell{
					X: int32(col), Y: int32(b.Dy() - 1 - row),
					User: uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B),
				})
			}
		}
	}
	if len(m.Cells) > 0 {
		m.Shapes = []Shape{{Name: "full", Polygons: clonePolygons(full)}}
	}
	if alpha && opaque {
		m.Warnings = append(m.Warnings, "the image has an alpha channel but nothing in it is transparent: all is ground")
	}
}

// hasAlpha reports whether the file can say that a pixel is transparent: the
// decoder gives every kind of PNG an image type of its own.
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

// pngError says a broken-off file in words.
func pngError(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the PNG image is cut short")
	}
	return err
}
