package tilemap

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The shapes made of collision objects. Tiles are of 16 pixels.
func TestObjects(t *testing.T) {
	half := [][2]float64{{0, 0}, {1, 0}, {1, 0.5}, {0, 0.5}}
	for _, c := range []struct {
		name, objects string
		want          [][][2]float64 // nil: no ground
	}{
		{"rectangle", `<object id="1" x="0" y="8" width="16" height="8"/>`, [][][2]float64{half}},
		{
			"rectangle turned a quarter", `<object id="1" x="16" y="8" width="8" height="16" rotation="90"/>`,
			[][][2]float64{half},
		},
		{
			"rectangle turned three quarters", `<object id="1" x="0" y="16" width="8" height="16" rotation="-90"/>`,
			[][][2]float64{half},
		},
		{
			"rectangle turned by half", `<object id="1" x="16" y="16" width="16" height="8" rotation="180"/>`,
			[][][2]float64{half},
		},
		{
			"rectangle turned by an eighth",
			`<object id="1" x="8" y="0" width="11.3137085" height="11.3137085" rotation="45"/>`,
			[][][2]float64{{{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}}},
		},
		{
			"polygon, clockwise", `<object id="1" y="16"><polygon points="0,0 0,-8 16,-8 16,0"/></object>`,
			[][][2]float64{half},
		},
		{
			"polygon, counter-clockwise", `<object id="1" y="16"><polygon points="0,0 16,0 16,-8 0,-8"/></object>`,
			[][][2]float64{half},
		},
		{
			"polygon that says its first point again",
			`<object id="1" y="16"><polygon points="0,0 16,0 16,-8 0,-8 0,0"/></object>`,
			[][][2]float64{half},
		},
		{
			"polygon with a point twice", `<object id="1" y="16"><polygon points="0,0 16,0 16,0 16,-8 0,-8"/></object>`,
			[][][2]float64{half},
		},
		{
			"polygon, turned",
			`<object id="1" x="16" y="8" rotation="90"><polygon points="0,0 8,0 8,16 0,16"/></object>`,
			[][][2]float64{half},
		},
		{
			"polygon, not convex", `<object id="1"><polygon points="0,0 4,0 4,12 16,12 16,16 0,16"/></object>`,
			[][][2]float64{{{0, 0}, {1, 0}, {1, 0.25}, {0.25, 0.25}, {0.25, 1}, {0, 1}}},
		},
		{
			"two that share an edge",
			`<object id="1" y="8" width="16" height="8"/><object id="2"><polygon points="0,8 16,8 16,0"/></object>`,
			[][][2]float64{half, {{0, 0.5}, {1, 0.5}, {1, 1}}},
		},
		{"a hair outside", `<object id="1" x="-0.2" y="8" width="16.4" height="8.2"/>`, [][][2]float64{half}},
		{"hidden", `<object id="1" x="0" y="8" width="16" height="8" visible="0"/>`, [][][2]float64{half}},
		{"the whole tile", `<object id="1" width="16" height="16"/>`, full},
		{
			"a polyline, a point, a text, an empty one",
			`<object id="1"><polyline points="0,0 3,3"/></object><object id="2"><point/></object>
			<object id="3" width="9" height="9"><text>solid</text></object><object id="4" x="3" y="3"/><object id="5"><ellipse/></object>`, nil,
		},
		{
			"capsules and tiles",
			`<object id="1" width="4" height="9"><capsule/></object><object id="2" gid="3" width="16" height="16"/>`,
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The second tile has collision data, so that the first is no full block without any.
			text := tmx(1, 1, set(`<tile id="0">`+objects(c.objects)+`</tile>
				<tile id="1"><properties><property name="solid" type="bool" value="true"/></properties></tile>`)+layerXML(2, 1, "", "1,2"))
			text = strings.Replace(text, `width="1"`, `width="2"`, 1)
			m := mustLoad(t, tree("m.tmx", text), "m.tmx")
			var got [][][2]float64
			if len(m.Cells) == 2 {
				got = m.Shapes[m.Cells[0].Shape].Polygons
			}
			if d := cmp.Diff(c.want, got, cmpopts.EquateApprox(0, 0.5/4096)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if ignored := len(m.Warnings) > 0; ignored != (c.want == nil) {
				t.Errorf("warnings: %v", m.Warnings)
			}
			if _, err := m.Grid(); err != nil {
				t.Error(err)
			}
		})
	}
}

// An ellipse lies in its rectangle, fills nearly all of it that an ellipse
// does, and touches its sides.
func TestEllipse(t *testing.T) {
	m := mustLoad(t, tree("m.tmx", tileMap(objects(`<object id="1" y="8" width="16" height="8"><ellipse/></object>`))),
		"m.tmx")
	p := m.Shapes[0].Polygons[0]
	minX, maxX, minY, maxY := 1.0, 0.0, 1.0, 0.0
	for _, v := range p {
		minX, maxX = min(minX, v[0]), max(maxX, v[0])
		minY, maxY = min(minY, v[1]), max(maxY, v[1])
	}
	if got := [4]float64{minX, maxX, minY, maxY}; len(p) != 16 || got != [4]float64{0, 1, 0, 0.5} {
		t.Errorf("%d vertices within %v", len(p), got)
	}
	// Twice the area: pi/4 of the rectangle, less 2.55% for 16 corners.
	if a := area(p); a < 0.764 || a > 0.767 {
		t.Errorf("twice the area is %v, want 16/2*sin(pi/8)/4 = 0.7654", a)
	}
}

// Ground or not: tiles with objects, with the property solid, and without.
func TestMeaning(t *testing.T) {
	solid := func(v string) string {
		return `<properties><property name="solid" type="bool" value="` + v + `"/></properties>`
	}
	ramp := objects(`<object id="1"><polygon points="0,16 16,16 16,0"/></object>`)
	for _, c := range []struct {
		name, tiles, want string // the names of the shapes of gids 1 and 2; - for none
	}{
		{"nothing said", ``, "full full"},
		{"only points", `<tile id="0">` + objects(`<object><point/></object>`) + `</tile>`, "full full"},
		{"only solid=false", `<tile id="0">` + solid("false") + `</tile>`, "- full"},
		{"one is solid", `<tile id="1">` + solid("true") + `</tile>`, "- full"},
		{"one has objects", `<tile id="1">` + ramp + `</tile>`, "- s/1"},
		{"solid and objects", `<tile id="1">` + solid("true") + ramp + `</tile>`, "- full"},
		{
			"not solid, with objects", `<tile id="0">` + solid("false") + ramp + `</tile><tile id="1">` + ramp +
				`</tile>`,
			"- s/1",
		},
		{"a tile that is not used has objects", `<tile id="9">` + ramp + `</tile>`, "full full"},
		{"two of one shape", `<tile id="1">` + ramp + `</tile><tile id="0">` + ramp + `</tile>`, "s/0 s/0"},
	} {
		m := mustLoad(t, tree("m.tmx", tmx(2, 1, set(c.tiles)+layerXML(2, 1, "", "1,2"))), "m.tmx")
		got := []string{"-", "-"}
		for _, cell := range m.Cells {
			got[cell.X] = m.Shapes[cell.Shape].Name
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// Tiles that are not of the size of a cell.
func TestSizes(t *testing.T) {
	ramp := objects(`<object id="1"><polygon points="0,32 32,32 32,0"/></object>`)
	big := func(attrs, tiles string) string {
		return tmx(2, 1, `<tileset firstgid="1" name="s" tilewidth="32" tileheight="32" tilecount="2" `+attrs+`>`+tiles+
			`</tileset>`+
			layerXML(2, 1, "", "1,0"))
	}
	want := [][2]float64{{0, 0}, {1, 0}, {1, 1}}

	m := mustLoad(t, tree("m.tmx", big(`tilerendersize="grid"`, `<tile id="0">`+ramp+`</tile>`)), "m.tmx")
	if d := cmp.Diff(want, m.Shapes[0].Polygons[0]); d != "" || len(m.Warnings) > 0 {
		t.Errorf("drawn at the size of a cell: %v -want +got\n%s", m.Warnings, d)
	}

	m = mustLoad(t, tree("m.tmx", big("", "")), "m.tmx")
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "of another size than a cell") || len(m.Cells) != 1 {
		t.Errorf("a large full block: %v", m.Warnings)
	}

	// Tiled draws a large tile from the lower left corner of its cell. (Such a tile was an error, and so the map.)
	m = mustLoad(t, tree("m.tmx", big("", `<tile id="0">`+ramp+`</tile>`)), "m.tmx")
	if d := cmp.Diff(want, m.Shapes[0].Polygons[0]); d != "" || len(m.Warnings) != 1 ||
		!strings.Contains(m.Warnings[0], "are clipped: 1, the first is tile 0") {
		t.Errorf("a large tile with objects: %v -want +got\n%s", m.Warnings, d)
	}

	// A collection of images: each tile has the size of its image.
	images := `<tileset firstgid="1" name="s" tilewidth="99" tileheight="99" tilecount="2" columns="0">
		<tile id="0"><image source="a.png" width="99" height="99"/></tile>
		<tile id="7"><image source="b.png" width="16" height="16"/>` + objects(`<object id="1" width="16" height="16"/>`) + `</tile></tileset>`
	m = mustLoad(t, tree("m.tmx", tmx(2, 1, images+layerXML(2, 1, "", "1,8"))), "m.tmx")
	if len(m.Cells) != 1 || m.Cells[0].User != 8 || len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0],
		"left out, because tile 7") {
		t.Errorf("image collection: %+v %v", m.Cells, m.Warnings)
	}

	// Cells are square, also of tiles that are not.
	flat := `<map width="1" height="1" tilewidth="32" tileheight="16"><tileset firstgid="1" name="s" tilewidth="32" tileheight="16" tilecount="1">
		<tile id="0">` + objects(`<object id="1" width="16" height="16"/>`) + `</tile></tileset>` + layerXML(1, 1, "", "1") + `</map>`
	m = mustLoad(t, tree("m.tmx", flat), "m.tmx")
	if d := cmp.Diff([][2]float64{{0, 0}, {0.5, 0}, {0.5, 1}, {0, 1}}, m.Shapes[0].Polygons[0]); d != "" ||
		len(m.Warnings) != 1 {
		t.Errorf("tiles that are not square: %v -want +got\n%s", m.Warnings, d)
	}
}

// TestObjectsWithoutArea: an object that has no area, or none on the lattice, is left out with a warning that names its
// tile, which is as it would be without the object. (Each of them refused the whole map.)
func TestObjectsWithoutArea(t *testing.T) {
	half := `<object id="1" y="8" width="16" height="8"/>`
	for name, o := range map[string]string{
		"tiny":         `<object id="7" x="3" y="3" width="0.0001" height="0.0001"/>`,
		"thin":         `<object id="7" x="3" y="3" width="0.001" height="9"/>`,
		"folds back":   `<object id="7"><polygon points="0,0 16,0 8,0"/></object>`,
		"on a slope":   `<object id="7"><polygon points="0,0 4,4 8,8 2,2"/></object>`,
		"two points":   `<object id="7"><polygon points="0,0 16,0"/></object>`,
		"no points":    `<object id="7"><polygon points=""/></object>`,
		"tiny outside": `<object id="7" x="-3" y="3" width="0.0001" height="0.0001"/>`,
	} {
		m := mustLoad(t, tree("m.tmx", tileMap(objects(half+o))), "m.tmx")
		if len(m.Cells) != 1 || len(m.Shapes[0].Polygons) != 1 || area(m.Shapes[0].Polygons[0]) != 1 ||
			len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "tile 0") {
			t.Errorf("%s, beside a rectangle: %+v %q", name, m.Shapes, m.Warnings)
		}
		if name == "tiny outside" {
			continue // it is collision data, none of which is in the tile
		}
		m = mustLoad(t, tree("m.tmx", tileMap(objects(o))), "m.tmx")
		if len(m.Cells) != 1 || area(m.Shapes[0].Polygons[0]) != 2 || len(m.Warnings) != 1 {
			t.Errorf("%s, alone: %+v %q: want a full block", name, m.Shapes, m.Warnings)
		}
	}
	const odd = `<tileset firstgid="1" name="s" tilewidth="16" tileheight="32" tilecount="2" tilerendersize="grid" ` +
		`fillmode="preserve-aspect-fit"><tile id="0"><objectgroup><object id="1" width="9" height="9"/></objectgroup></tile>` +
		`</tileset>`
	m := mustLoad(t, tree("m.tmx", tmx(2, 1, odd+layerXML(2, 1, "", "1,2"))), "m.tmx")
	if len(m.Warnings) != 2 || !strings.Contains(m.Warnings[0], "unknown, which are left out: 1, the first is tile 0") {
		t.Errorf("a tile that does not fill its cell: %q", m.Warnings)
	}
}
