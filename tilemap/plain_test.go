package tilemap

import (
	"fmt"
	"strings"
	"testing"
)

// A tile without collision data is a full block, unless its layer also places tiles of its tileset with such data; the
// option and the property solid of the layer decide otherwise. A warning tells of tilesets that have both.
func TestPlainTiles(t *testing.T) {
	spike := objects(`<object id="1" y="12" width="16" height="4"/>`)
	walls := strings.Replace(set(`<tile id="1">`+spike+`</tile>`), `name="s"`, `name="walls"`, 1)
	other := `<tileset firstgid="101" name="other" tilewidth="16" tileheight="16" tilecount="16"/>`
	text := func(properties string, layers ...string) string {
		b := walls + other
		for i, csv := range layers {
			b += fmt.Sprintf(`<layer name="%c" width="4" height="1">%s<data encoding="csv">%s</data></layer>`, 'a'+i,
				properties, csv)
		}
		return tmx(4, 1, b)
	}
	solid := func(v bool) string {
		return fmt.Sprintf(`<properties><property name="solid" type="bool" value="%v"/></properties>`, v)
	}
	const left, full = "are left out, because tile 1 has some: ", "are full blocks, although tile 1, which the " +
		"layer does not place, has some: "
	for _, c := range []struct {
		name     string
		text     string
		opt      Options
		want     string // the gids of the cells
		warnings []string
	}{
		{
			"walls alone", text("", "1,1,1,0"),
			Options{},
			"1 1 1",
			[]string{`layer "a": tiles of tileset "walls" without collision data ` + full + "3"},
		},
		{
			"walls and a spike", text("", "1,1,2,3"),
			Options{},
			"2",
			[]string{`layer "a": tiles of tileset "walls" without collision data ` + left + "3"},
		},
		{"the spike in another layer", text("", "1,0,0,3", "0,2,0,0"), Options{}, "1 2 3", []string{full + "2"}},
		{
			"the spike in another layer, which is not read", text("", "1,0,0,3", "0,2,0,0"),
			Options{Layers: []string{"a"}},
			"1 3",
			[]string{full + "2"},
		},
		{"another tileset", text("", "101,0,2,1"), Options{}, "101 2", []string{left + "1"}},
		{"another tileset alone", text("", "101,102,0,2"), Options{}, "101 102 2", nil},
		{"all solid", text("", "1,1,2,3"), Options{Plain: PlainSolid}, "1 1 2 3", nil},
		{"all air", text("", "1,101,2,3"), Options{Plain: PlainAir}, "2", nil},
		{"a layer that is solid", text(solid(true), "1,101,2,3"), Options{Plain: PlainAir}, "1 101 2 3", nil},
		{"a layer that is not", text(solid(false), "1,101,2,3"), Options{Plain: PlainSolid}, "2", nil},
		{"flipped", text("", "1,2147483649,2147483650,0"), Options{}, "2", []string{left + "2"}},
	} {
		m, err := Load(tree("m.tmx", c.text), "m.tmx", c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, cell := range m.Cells {
			got = append(got, fmt.Sprint(cell.User))
		}
		ok := len(m.Warnings) == len(c.warnings)
		for i := range c.warnings {
			ok = ok && strings.HasSuffix(m.Warnings[i], c.warnings[i])
		}
		if s := strings.Join(got, " "); s != c.want || !ok {
			t.Errorf("%s: cells %s with %q, want %s with %q", c.name, s, m.Warnings, c.want, c.warnings)
		}
	}

	// Many layers do not make many warnings.
	layers := make([]string, 40)
	for i := range layers {
		layers[i] = "1,1,2,0"
	}
	m := mustLoad(t, tree("m.tmx", text("", layers...)), "m.tmx")
	if n := len(m.Warnings); n != maxDecided+2 || m.Warnings[maxDecided] != "the same for 24 more layers and tilesets" {
		t.Errorf("%d warnings: %q", n, m.Warnings)
	}
	for _, bad := range []struct{ properties, want string }{
		{solid(true)[:len(solid(true))-len("</properties>")] +
			`<property name="solid" type="bool" value="true"/></properties>`, "occurs twice"},
		{strings.Replace(solid(true), "bool", "int", 1), "must be bool"},
	} {
		m, err := Load(tree("m.tmx", text(bad.properties, "1,1,2,0")), "m.tmx", Options{})
		checkError(t, m, err, `m.tmx|layer "a", property solid|`+bad.want)
	}
}
