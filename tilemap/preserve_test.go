package tilemap

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quarry2d/quarry/internal/lattice"
)

// twoLayers is a map of a row of four blocks, two on a layer "rock" and two on a layer
// "sand" beside them, with the properties given; in XML and in JSON.
func twoLayers(rock, sand string) map[string]string {
	xmlProperties := func(list string) string {
		var s strings.Builder
		for _, p := range strings.Fields(list) {
			name, rest, _ := strings.Cut(p, ":")
			typ, value, _ := strings.Cut(rest, "=")
			s.WriteString(`<property name="` + name + `" type="` + typ + `" value="` + value + `"/>`)
		}
		return "<properties>" + s.String() + "</properties>"
	}
	jsonProperties := func(list string) string {
		var all []string
		for _, p := range strings.Fields(list) {
			name, rest, _ := strings.Cut(p, ":")
			typ, value, _ := strings.Cut(rest, "=")
			if typ != "int" {
				value = `"` + value + `"`
			}
			all = append(all, `{"name":"`+name+`","type":"`+typ+`","value":`+value+`}`)
		}
		return `"properties":[` + strings.Join(all, ",") + `],`
	}
	xml := func(name, list, csv string) string {
		return `<layer name="` + name + `" width="4" height="1">` + xmlProperties(list) + `<data encoding="csv">` +
			csv + `</data></layer>`
	}
	json := func(name, list, csv string) string {
		return `{"type":"tilelayer","name":"` + name + `","width":4,"height":1,"x":0,"y":0,` + jsonProperties(list) +
			`"data":[` + csv + `]}`
	}
	return map[string]string{
		"m.tmx": tmx(4, 1, set("")+xml("rock", rock, "1,1,0,0")+xml("sand", sand, "0,0,1,1")),
		"m.tmj": tmj(4, 1,
			`"tilesets":[{"firstgid":1,"name":"s","tilewidth":16,"tileheight":16,"tilecount":16}],"layers":[`+
				json("rock", rock, "1,1,0,0")+","+json("sand", sand, "0,0,1,1")+"]"),
	}
}

// TestPreserve: the properties layer and preserve of a tile layer become layers of the
// ground whose faces stay where they meet. Map files had no such properties.
func TestPreserve(t *testing.T) {
	for _, c := range []struct {
		rock, sand string
		read       []string
		layers     string // of the cells from left to right
		preserve   [][2]uint8
		segments   int
	}{
		{"", "", nil, "0000", nil, 10},
		{"layer:int=1", "layer:int=2", nil, "1122", nil, 10},
		{"layer:int=1", "layer:int=2 preserve:string=1", nil, "1122", [][2]uint8{{1, 2}}, 12},
		{"layer:int=1 preserve:string=2", "layer:int=2 preserve:string=1", nil, "1122", [][2]uint8{{1, 2}}, 12},
		{"preserve:string=200,255,0", "layer:int=255", nil, "00\xff\xff", [][2]uint8{{0, 0}, {0, 200}, {0, 255}}, 14},
		{"layer:int=1", "layer:int=2 preserve:string=1", []string{"rock"}, "11", nil, 6},
	} {
		for name, text := range twoLayers(c.rock, c.sand) {
			m := mustLoad(t, tree(name, text), name, c.read...)
			var got []byte
			for _, cell := range m.Cells {
				n := cell.Layer
				if n < 10 {
					n += '0'
				}
				got = append(got, n)
			}
			if string(got) != c.layers {
				t.Errorf("%s, %q and %q: layers %q, want %q", name, c.rock, c.sand, got, c.layers)
			}
			if d := cmp.Diff(c.preserve, m.Preserve); d != "" {
				t.Errorf("%s, %q and %q: -want +got\n%s", name, c.rock, c.sand, d)
			}
			g, err := m.Grid()
			if err != nil {
				t.Fatal(err)
			}
			if _, n := g.Count(); n != c.segments || g.Engine(lattice.Key{}).Preserves() != (c.preserve != nil) {
				t.Errorf("%s, %q and %q: %d segments, want %d; preserves: %v", name, c.rock, c.sand, n, c.segments,
					g.Engine(lattice.Key{}).Preserves())
			}
		}
	}
}

// TestOldLayerProperties: a map with layer properties as Tiled wrote them before 1.2 is
// read, without the properties.
func TestOldLayerProperties(t *testing.T) {
	text := strings.ReplaceAll(twoLayers("", "")["m.tmj"], `"properties":[]`, `"properties":{"layer":3}`)
	if m := mustLoad(t, tree("m.tmj", text), "m.tmj"); len(m.Cells) != 4 || m.Cells[0].Layer != 0 {
		t.Errorf("%+v", m.Cells)
	}
}

// TestBadPreserve: errors of the properties name the layer and the property.
func TestBadPreserve(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"layer:int=256", `"256", not within 0..255`},
		{"layer:int=-1", `"-1", not within 0..255`},
		{"layer:string=1", "must be int"},
		{"layer:int=1 layer:int=1", "property layer|occurs twice"},
		{"preserve:int=1", "must be string"},
		{"preserve:string=rock", `not a whole number: "rock"`},
		{"preserve:string=1,,2", `not a whole number: ""`},
		{"preserve:string=1,256", `"256", not within 0..255`},
		{"preserve:string=1 preserve:string=1", "property preserve|occurs twice"},
		{"preserve:string=" + strings.Repeat("1,", 256) + "1", "more than 256 layers"},
	} {
		for name, text := range twoLayers("", c.list) {
			_, err := Load(tree(name, text), name, Options{})
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Place, `layer "sand", property `) {
				t.Errorf("%s, %q: %v", name, c.list, err)
				continue
			}
			for _, part := range strings.Split(c.want, "|") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s, %q: %v, want %q in it", name, c.list, err, part)
				}
			}
		}
	}
}
