package tilemap

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/gridseg"
)

// Objects of a tile that overlap are united, and what lies outside of the tile is cut off: a point of the cell is solid
// if it is in one of the objects, by its winding number.
func TestObjectsAreUnited(t *testing.T) {
	united, cut := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var list strings.Builder
		var outlines [][][2]float64 // in cells, y up
		for id := range rapid.IntRange(1, 4).Draw(t, "objects") {
			text, outline := drawObject(t, id)
			list.WriteString(text)
			outlines = append(outlines, outline)
		}
		m, err := Load(tree("m.tmx", tileMap(objects(list.String()))), "m.tmx", Options{})
		if err != nil {
			t.Fatalf("%s: %v", list.String(), err)
		}
		g, err := m.Grid()
		if err != nil {
			t.Fatal(err)
		}
		warned := strings.Join(m.Warnings, ";")
		if strings.Contains(warned, "united") {
			united++
		}
		if strings.Contains(warned, "clipped") {
			cut++
		}
		for range 40 {
			x, y := rapid.Float64Range(0.001, 0.999).Draw(t, "x"), rapid.Float64Range(0.001, 0.999).Draw(t, "y")
			in, near := false, false
			for _, o := range outlines {
				in = in || winding(o, x, y) != 0
				near = near || distance(o, x, y) < 4.0/gridseg.Unit
			}
			if got := g.Solid(x, y); got != in && !near && !(got && strings.Contains(warned, "a hole")) {
				t.Fatalf("(%v, %v): solid %v, want %v: %s %q", x, y, got, in, list.String(), warned)
			}
		}
	})
	if united == 0 || cut == 0 {
		t.Errorf("%d maps with united objects, %d with clipped ones", united, cut)
	}
}

// drawObject draws a rectangle, an ellipse or a simple polygon about a tile of 16 pixels, and returns its XML and its
// outline.
func drawObject(t *rapid.T, id int) (string, [][2]float64) {
	pixel := func(name string, lo, hi int) float64 { return float64(rapid.IntRange(4*lo, 4*hi).Draw(t, name)) / 4 }
	x, y, turned := pixel("x", -6, 14), pixel("y", -6, 14), float64(rapid.IntRange(0, 7).Draw(t, "turn"))*15
	w, h := pixel("w", 1, 20), pixel("h", 1, 20)
	o := object{x: x, y: y, w: w, h: h, turned: turned}
	inner := ""
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 1:
		o.kind, inner = ellipse, "<ellipse/>"
	case 2: // a comb, which borders cut in several parts
		o.kind = polygon
		o.outline = [][2]float64{
			{0, 0},
			{w, 0},
			{w, h},
			{0.8 * w, 0.2 * h},
			{0.6 * w, h},
			{0.4 * w, 0.2 * h},
			{0.2 * w, h},
		}
		for _, v := range o.outline {
			inner += fmt.Sprintf(" %v,%v", v[0], v[1])
		}
		inner = `<polygon points="` + inner + `"/>`
	}
	var outline [][2]float64
	sin, cos := math.Sincos(turned * math.Pi / 180)
	for _, c := range o.corners() {
		px, py := x+cos*c[0]-sin*c[1], y+sin*c[0]+cos*c[1]
		outline = append(outline, [2]float64{px / 16, 1 - py/16})
	}
	return fmt.Sprintf(`<object id="%d" x="%v" y="%v" width="%v" height="%v" rotation="%v">%s</object>`, id, x, y, w, h,
		turned, inner), outline
}

// winding returns how often an outline winds about a point, by the crossings of the ray to the right.
func winding(outline [][2]float64, x, y float64) int {
	n := 0
	for i, a := range outline {
		b := outline[(i+1)%len(outline)]
		if (a[1] > y) == (b[1] > y) || a[0]+(y-a[1])/(b[1]-a[1])*(b[0]-a[0]) < x {
			continue
		}
		if b[1] > a[1] {
			n++
		} else {
			n--
		}
	}
	return n
}

// distance returns the distance of a point from the edges of an outline.
func distance(outline [][2]float64, x, y float64) float64 {
	least := math.Inf(1)
	for i, a := range outline {
		b := outline[(i+1)%len(outline)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		f := min(max(((x-a[0])*dx+(y-a[1])*dy)/(dx*dx+dy*dy), 0), 1)
		least = min(least, math.Hypot(x-a[0]-f*dx, y-a[1]-f*dy))
	}
	return least
}

// Unions at their ends: warnings, holes, objects outside of their tile, and what is refused.
func TestUnions(t *testing.T) {
	ring := `<object id="1" width="16" height="4"/><object id="2" y="12" width="16" height="4"/><object id="3" width="4" height="16"/><object id="4" x="12" width="4" height="16"/>`
	for _, c := range []struct{ name, objects, shape, warning string }{
		{
			"sticks out", `<object id="7" x="8" y="8" width="8.5" height="4"/>`,
			"[[[0.5 0.25] [1 0.25] [1 0.5] [0.5 0.5]]]", "reach out of the tile, where they are clipped: 1, the " +
				"first is tile 0",
		},
		{
			"sticks out by 1/64 cell", `<object id="7" x="8" y="8" width="8.25" height="4"/>`,
			"[[[0.5 0.25] [1 0.25] [1 0.5] [0.5 0.5]]]", "",
		},
		{"outside", `<object id="7" x="20" y="8" width="8" height="4"/>`, "", "clipped"},
		{
			"outside and inside",
			`<object id="7" x="20" y="8" width="8" height="4"/><object id="8" y="12" width="16" height="4"/>`,
			"[[[0 0] [1 0] [1 0.25] [0 0.25]]]", "clipped",
		},
		{
			"as wide as the world", `<object id="7" x="-9e8" y="8" width="9.9e8" height="8"/>`,
			"[[[0 0] [1 0] [1 0.5] [0 0.5]]]", "clipped",
		},
		{
			"overlap", `<object id="1" width="16" height="9"/><object id="2" y="8" width="16" height="8"/>`,
			"[[[0 0] [1 0] [1 1] [0 1]]]", "overlap and are united: 1, the first is tile 0",
		},
		{
			"one in another",
			`<object id="1" width="16" height="16"/><object id="2" x="4" y="4" width="4" height="4"/>`,
			"[[[0 0] [1 0] [1 1] [0 1]]]", "united",
		},
		{
			"touch", `<object id="1" width="16" height="8"/><object id="2" y="8" width="8" height="8"/>`,
			"[[[0 0.5] [1 0.5] [1 1] [0 1]] [[0 0] [0.5 0] [0.5 0.5] [0 0.5]]]", "",
		},
		{"a ring", ring, "[[[0 0] [1 0] [1 1] [0 1]]]", "enclose a hole, which is filled"},
		{
			"a ring about an island", ring + `<object id="5" x="7" y="7" width="2" height="2"/>`,
			"[[[0 0] [1 0] [1 1] [0 1]]]", "enclose a hole, which is filled",
		},
	} {
		m, err := Load(tree("m.tmx", tileMap(objects(c.objects))), "m.tmx", Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := ""
		if len(m.Shapes) > 0 {
			got = fmt.Sprint(m.Shapes[0].Polygons)
		}
		if warned := strings.Join(m.Warnings, ";"); got != c.shape || !strings.Contains(warned, c.warning) ||
			(warned == "") != (c.warning == "") {
			t.Errorf("%s: %s with %q; want %s with %q", c.name, got, warned, c.shape, c.warning)
		}
	}

	// Tiles of the same objects are counted each, and share a shape.
	tiles := ""
	for id := range 3 {
		tiles += fmt.Sprintf(`<tile id="%d">%s</tile>`, id, objects(ring))
	}
	m := mustLoad(t, tree("m.tmx", tmx(3, 1, set(tiles)+layerXML(3, 1, "", "3,2,1"))), "m.tmx")
	if w := fmt.Sprint(m.Warnings); len(m.Shapes) != 1 || !strings.Contains(w, "united: 3, the first is tile 2") ||
		!strings.Contains(w, "filled: 3,") {
		t.Errorf("three rings: %d shapes, %s", len(m.Shapes), w)
	}

	// The work of uniting is bounded, for a tile and for a map.
	var outline strings.Builder // the border of the tile, with many points
	for i := range 60 {
		fmt.Fprintf(&outline, " %v,0", float64(i)/4)
	}
	for i := range 60 {
		fmt.Fprintf(&outline, " 16,%v", float64(i)/4)
	}
	squares := strings.Repeat(`<object id="1"><polygon points="`+outline.String()+` 16,16 0,16"/></object>`, 2)
	tiles = ""
	csv := ""
	for id := range 300 {
		tiles += fmt.Sprintf(`<tile id="%d">%s</tile>`, id,
			objects(squares+fmt.Sprintf(`<object id="9" x="%v" width="3" height="3"/>`, float64(id)/32)))
		csv += fmt.Sprintf(",%d", id+1)
	}
	many := strings.Replace(set(tiles), `tilecount="16"`, `tilecount="300"`, 1)
	_, err := Load(tree("m.tmx", tmx(300, 1, many+layerXML(300, 1, "", csv[1:]))), "m.tmx", Options{})
	if err == nil || !strings.Contains(err.Error(), "tile 272: the squared numbers of vertices of tiles with "+
		"objects that overlap add up to more than 16777216") {
		t.Errorf("300 tiles of squares of many vertices: %v", err)
	}
}
