package tilemap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Which layers are read, their order, and the warnings.
func TestLayers(t *testing.T) {
	layerOf := func(name, attrs, csv string) string {
		return fmt.Sprintf(`<layer name=%q width="3" height="1" %s><data encoding="csv">%s</data></layer>`, name, attrs,
			csv)
	}
	inside := set("") +
		layerOf("low", "", "1,0,0") +
		`<objectgroup name="people"><object id="1" x="3" y="4"/></objectgroup><imagelayer name="sky"/>` +
		`<group name="outer"><group name="inner" visible="0">` + layerOf("ground", "", "2,2,0") + `</group>` +
		layerOf("ground", `offsetx="4"`, "3,3,0") + `</group>` +
		layerOf("top", "", "4,4,4") + layerOf("unseen", `visible="0"`, "5,5,5")
	x := tree("m.tmx", tmx(3, 1, inside))

	jsonLayer := func(name, more, list string) string {
		return fmt.Sprintf(`{"type":"tilelayer","name":%q,"width":3,"height":1,"x":0,"y":0,%s"data":[%s]}`, name, more,
			list)
	}
	j := tree("m.tmj",
		tmj(3, 1, `"tilesets":[{"firstgid":1,"name":"s","tilewidth":16,"tileheight":16,"tilecount":16}],"layers":[`+
			jsonLayer("low", "", "1,0,0")+
			`,{"type":"objectgroup","name":"people","objects":[{"id":1,"x":3,"y":4}]},{"type":"imagelayer","name":"sky"},`+
			`{"type":"group","name":"outer","layers":[{"type":"group","name":"inner","visible":false,"layers":[`+
			jsonLayer("ground", "", "2,2,0")+`]},`+jsonLayer("ground", `"offsetx":4,`, "3,3,0")+`]},`+
			jsonLayer("top", `"visible":true,`, "4,4,4")+`,`+jsonLayer("unseen", `"visible":false,`, "5,5,5")+`]`))

	const people = `object layers are not read: 1 (objects in them: 1), the first "people"`
	const shifted = `layer "outer/ground": its offset is ignored`
	dropped := func(n int) string {
		return fmt.Sprintf("tiles left out because a lower layer has ground in the same cell: %d", n)
	}
	for _, c := range []struct {
		layers   []string
		want     string
		warnings []string
	}{
		{nil, "134", []string{people, shifted, dropped(3)}},
		{[]string{"top"}, "444", []string{people}},
		{[]string{"unseen"}, "555", []string{people}},
		{[]string{"top", "low"}, "144", []string{people, dropped(1)}},
		{[]string{"ground"}, "22-", []string{people, shifted, dropped(2)}},
		{[]string{"outer/ground", "unseen"}, "335", []string{people, shifted, dropped(2)}},
		{[]string{"outer/inner/ground"}, "22-", []string{people}},
	} {
		for name, fsys := range map[string]map[string]string{
			"m.tmx": {"m.tmx": string(x["m.tmx"].Data)},
			"m.tmj": {"m.tmj": string(j["m.tmj"].Data)},
		} {
			m := mustLoad(t, tree(name, fsys[name]), name, c.layers...)
			got := []byte("---")
			for _, cell := range m.Cells {
				got[cell.X] = '0' + byte(cell.User)
			}
			if string(got) != c.want {
				t.Errorf("%s, layers %q: %s, want %s", name, c.layers, got, c.want)
			}
			if d := cmp.Diff(c.warnings, m.Warnings); d != "" {
				t.Errorf("%s, layers %q: warnings -want +got\n%s", name, c.layers, d)
			}
		}
	}

	for _, name := range []string{"inner", "people", ""} {
		_, err := Load(x, "m.tmx", Options{Layers: []string{name}})
		if err == nil || !strings.Contains(err.Error(), `"outer/inner/ground"`) {
			t.Errorf("layer %q: %v", name, err)
		}
	}
}

// A map without visible layers has no ground, and a warning.
func TestNoLayers(t *testing.T) {
	m := mustLoad(t, tree("m.tmx", tmx(3, 2, "")), "m.tmx")
	want := &Map{Name: "m", Width: 3, Height: 2, Warnings: []string{"no tile layer is visible: there is no ground"}}
	if d := cmp.Diff(want, m); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	g, err := m.Grid()
	if err != nil {
		t.Fatal(err)
	}
	if tiles, _ := g.Count(); tiles != 0 {
		t.Errorf("%d tiles", tiles)
	}
}

// Two tilesets of one name and with tiles of one number keep their shapes
// apart, and a shape that is in both is one.
func TestTwoTilesets(t *testing.T) {
	ramp := `<tile id="0">` + objects(`<object id="1"><polygon points="0,16 16,16 16,0"/></object>`) + `</tile>`
	slab := `<tile id="0">` + objects(`<object id="1" y="8" width="16" height="8"/>`) + `</tile>`
	ofSet := func(first int, tiles string) string {
		return fmt.Sprintf(`<tileset firstgid="%d" name="s" tilewidth="16" tileheight="16" tilecount="1">%s</tileset>`,
			first, tiles)
	}
	// They need not be in order.
	m := mustLoad(t, tree("m.tmx", tmx(3, 1, ofSet(20, ramp)+ofSet(10, slab)+ofSet(1, ramp)+layerXML(3, 1, "",
		"1,10,20"))), "m.tmx")
	var got []string
	for _, c := range m.Cells {
		got = append(got, m.Shapes[c.Shape].Name)
	}
	if s := strings.Join(got, " "); s != "s/0 s/0#10 s/0" {
		t.Error(s)
	}
	if _, err := m.Grid(); err != nil {
		t.Error(err)
	}
}

// A faulty tile that the map does not use does no harm.
func TestUnusedTile(t *testing.T) {
	tiles := `<tile id="3">` + objects(`<object id="1" x="-9" width="40" height="40"/>`) + `</tile>
		<tile id="0"><properties><property name="solid" type="bool" value="true"/></properties></tile>`
	if m := mustLoad(t, tree("m.tmx", tmx(1, 1, set(tiles)+layerXML(1, 1, "", "1"))), "m.tmx"); len(m.Cells) != 1 {
		t.Error(m.Cells)
	}
}
