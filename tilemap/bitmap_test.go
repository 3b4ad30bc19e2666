package tilemap

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// encodePNG writes img as a file.
func encodePNG(t testing.TB, img image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// art paints an image of the size of rows of letters.
func art(img interface {
	image.Image
	Set(x, y int, c color.Color)
}, colours map[byte]color.Color, rows ...string,
) image.Image {
	for y, row := range rows {
		for x := range row {
			img.Set(x, y, colours[row[x]])
		}
	}
	return img
}

// One picture in every kind of PNG that can hold it.
func TestBitmap(t *testing.T) {
	r := image.Rect(0, 0, 4, 3)
	rows := []string{"..#.", "#..#", "####"}
	clear := map[byte]color.Color{'#': color.NRGBA{200, 180, 0, 128}, '.': color.NRGBA{0, 0, 0, 127}}
	dark := map[byte]color.Color{'#': color.Gray{127}, '.': color.Gray{128}}
	// Green is brighter than blue, though both are at the top of their range.
	hues := map[byte]color.Color{'#': color.NRGBA{0, 0, 255, 255}, '.': color.NRGBA{0, 255, 0, 255}}
	for _, c := range []struct {
		name string
		img  image.Image
		user uint32
	}{
		{"alpha", art(image.NewNRGBA(r), clear, rows...), 0xc8b400},
		{"alpha, 16 bits", art(image.NewNRGBA64(r), clear, rows...), 0xc8b400},
		{
			"palette with alpha", art(image.NewPaletted(r, color.Palette{clear['#'], clear['.']}), clear, rows...),
			0xc8b400,
		},
		{"palette", art(image.NewPaletted(r, color.Palette{hues['#'], hues['.']}), hues, rows...), 0x0000ff},
		{"grey", art(image.NewGray(r), dark, rows...), 0x7f7f7f},
		{"grey, 16 bits", art(image.NewGray16(r), dark, rows...), 0x7f7f7f},
		{"no alpha", art(image.NewRGBA(r), hues, rows...), 0x0000ff},
	} {
		m := mustLoad(t, tree("m.png", encodePNG(t, c.img)), "m.png")
		want := &Map{Name: "m", Width: 4, Height: 3, Shapes: []Shape{{"full", full}}}
		for _, at := range [][2]int32{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}, {3, 1}, {2, 2}} {
			want.Cells = append(want.Cells, Cell{X: at[0], Y: at[1], User: c.user})
		}
		if d := cmp.Diff(want, m); d != "" {
			t.Errorf("%s: -want +got\n%s", c.name, d)
		}
		if _, err := m.Grid(); err != nil {
			t.Error(err)
		}
	}
}

// Alpha decides only in a file that can be transparent; if no pixel is, there is a
// warning.
func TestOpaqueBitmap(t *testing.T) {
	// The encoder leaves the channel out of opaque images: one that is not is
	// made, and the channel then filled, as other programs do.
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.SetNRGBA(0, 0, color.NRGBA{255, 255, 255, 255})
	img.SetNRGBA(1, 0, color.NRGBA{255, 255, 255, 254})
	m := mustLoad(t, tree("m.png", encodePNG(t, img)), "m.png")
	if len(m.Cells) != 2 || len(m.Warnings) != 0 {
		t.Errorf("nearly opaque: %v %v", m.Cells, m.Warnings)
	}
	all := &Map{}
	if all.paint(spot{}, opaqueNRGBA{img}); len(all.Cells) != 2 || len(all.Warnings) != 1 {
		t.Errorf("opaque: %v %v", all.Cells, all.Warnings)
	}
	white := image.NewGray(image.Rect(0, 0, 2, 1))
	white.Pix = []byte{255, 255}
	m = mustLoad(t, tree("m.png", encodePNG(t, white)), "m.png")
	if len(m.Cells) != 0 || m.Shapes != nil {
		t.Errorf("white: %v", m.Cells)
	}
}

// opaqueNRGBA is an image with an alpha channel that is full.
type opaqueNRGBA struct{ *image.NRGBA }

func (o opaqueNRGBA) At(x, y int) color.Color {
	c := o.NRGBAAt(x, y)
	c.A = 255
	return c
}

func TestBadBitmaps(t *testing.T) {
	good := encodePNG(t, image.NewGray(image.Rect(0, 0, 9, 9)))
	// Byte 17 is of the width, which a checksum covers: a size that is too large
	// needs a file of its own.
	huge := encodePNG(t, tall{})
	for _, c := range []struct{ name, text, want string }{
		{"signature", good[:8], "cut short"},
		{"header", good[:30], "cut short"},
		{"data", good[:45], "not enough"},
		{"end", good[:len(good)-12], "cut short"},
		{"checksum", good[:17] + "\xff" + good[18:], "checksum"},
		{"size", huge, "1 x 16777217 pixels"},
	} {
		m, err := Load(tree("m.png", c.text), "m.png", Options{})
		checkError(t, m, err, "m.png|"+c.want)
	}
	m, err := Load(tree("m.png", good), "m.png", Options{Layers: []string{"l"}})
	checkError(t, m, err, `m.png|"l"|no layers`)
	if !strings.HasPrefix(good, "\x89PNG") {
		t.Error("not a PNG")
	}
}

// tall is an image of one column too many rows.
type tall struct{}

func (tall) ColorModel() color.Model { return color.GrayModel }
func (tall) Bounds() image.Rectangle { return image.Rect(0, 0, 1, MaxCells+1) }
func (tall) At(x, y int) color.Color { return color.Gray{} }
