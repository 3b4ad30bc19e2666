package tilemap

import (
	"fmt"
	"testing"
)

// pixels is a tile as it is seen: rows from the top.
type pixels [16][16]bool

// raster fills an outline, in pixels and y down: even-odd, at pixel centres.
func raster(outline [][2]float64) (p pixels) {
	for r := range p {
		for c := range p[r] {
			x, y := float64(c)+0.5, float64(r)+0.5
			for i, a := range outline {
				b := outline[(i+1)%len(outline)]
				if (a[1] > y) != (b[1] > y) && x < a[0]+(y-a[1])*(b[0]-a[0])/(b[1]-a[1]) {
					p[r][c] = !p[r][c]
				}
			}
		}
	}
	return p
}

// moved returns p with the pixel at (r, c) taken from the pixel that from returns.
func (p pixels) moved(from func(r, c int) (int, int)) (q pixels) {
	for r := range p {
		for c := range p[r] {
			fr, fc := from(r, c)
			q[r][c] = p[fr][fc]
		}
	}
	return q
}

// The eight combinations of flags show the pixels that Tiled's documented order
// gives: first the anti-diagonal flip, which exchanges the axes, then left and
// right, then top and bottom. No edge of the outline meets a pixel's centre.
func TestTurns(t *testing.T) {
	outline := [][2]float64{{0, 16}, {15, 16}, {9, 3}, {4, 7}}
	for flags := range uint32(16) {
		want := raster(outline)
		if flags&2 != 0 {
			want = want.moved(func(r, c int) (int, int) { return c, r })
		}
		if flags&8 != 0 {
			want = want.moved(func(r, c int) (int, int) { return r, 15 - c })
		}
		if flags&4 != 0 {
			want = want.moved(func(r, c int) (int, int) { return 15 - r, c })
		}

		text := tmx(1, 1, set(`<tile id="4">`+objects(`<object id="1"><polygon points="0,16 15,16 9,3 4,7"/></object>`)+
			`</tile>`)+
			layerXML(1, 1, "", fmt.Sprint(flags<<28|5)))
		m := mustLoad(t, tree("m.tmx", text), "m.tmx")
		if m.Cells[0].User != 5 {
			t.Fatalf("flags %x: the gid is %d", flags, m.Cells[0].User)
		}
		g, err := m.Grid()
		if err != nil {
			t.Fatal(err)
		}
		var got pixels
		for r := range got {
			for c := range got[r] {
				got[r][c] = g.Solid((float64(c)+0.5)/16, 1-(float64(r)+0.5)/16)
			}
		}
		if got != want {
			t.Errorf("flags %04b (left-right, up-down, diagonal, hex):\ngot\n%vwant\n%v", flags, got, want)
		}
		for _, p := range m.Shapes[0].Polygons {
			if area(p) <= 0 {
				t.Errorf("flags %04b: clockwise", flags)
			}
		}
	}
}

func (p pixels) String() string {
	s := ""
	for _, row := range p {
		for _, on := range row {
			s += map[bool]string{false: ".", true: "#"}[on]
		}
		s += "\n"
	}
	return s
}
