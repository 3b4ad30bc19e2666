package tilemap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quarry2d/quarry/gridseg"
)

// The tileset that the encodings are compared with, in both formats: a solid
// tile of material 7, a clockwise triangle, a slab as a rectangle in a moved
// group, an ellipse, and a tile that is no ground in spite of its object.
const tilesXML = `
<tile id="0"><properties><property name="solid" type="bool" value="true"/>
 <property name="material" type="int" value="7"/></properties></tile>
<tile id="1"><objectgroup><object id="1" x="0" y="16"><polygon points="0,0 16,-16 16,0"/></object></objectgroup></tile>
<tile id="2"><objectgroup offsetx="0" offsety="2"><object id="2" x="0" y="6" width="16" height="8"/></objectgroup></tile>
<tile id="3"><objectgroup><object id="3" x="4" y="4" width="8" height="8"><ellipse/></object>
 <object id="4" x="1" y="1"><point/></object></objectgroup></tile>
<tile id="4"><properties><property name="solid" type="bool" value="false"/></properties>
 <objectgroup><object id="5" width="16" height="16"/></objectgroup></tile>
`

const tilesJSON = `"tiles":[
{"id":0,"properties":[{"name":"solid","type":"bool","value":true},{"name":"material","type":"int","value":7}]},
{"id":1,"objectgroup":{"objects":[{"id":1,"x":0,"y":16,"polygon":[{"x":0,"y":0},{"x":16,"y":-16},{"x":16,"y":0}]}]}},
{"id":2,"objectgroup":{"offsety":2,"objects":[{"id":2,"x":0,"y":6,"width":16,"height":8}]}},
{"id":3,"objectgroup":{"objects":[{"id":3,"x":4,"y":4,"width":8,"height":8,"ellipse":true},{"id":4,"x":1,"y":1,"point":true}]}},
{"id":4,"properties":[{"name":"solid","type":"bool","value":false}],"objectgroup":{"objects":[{"id":5,"width":16,"height":16}]}}
]`

// encodings returns the map in every way that it can be written.
func encodings(t *testing.T, w, h int, gids []uint32) map[string][]string {
	const setAttrs = `name="s" tilewidth="16" tileheight="16" tilecount="8"`
	const setMembers = `"name":"s","tilewidth":16,"tileheight":16,"tilecount":8,` + tilesJSON
	xmlSets := map[string]string{
		"within": `<tileset firstgid="1" ` + setAttrs + `>` + tilesXML + `</tileset>`,
		"tsx":    `<tileset firstgid="1" source="../sets/s.tsx"/>`,
		"tsj":    `<tileset firstgid="1" source="../sets/s.tsj"/>`,
	}
	jsonSets := map[string]string{
		"within": `{"firstgid":1,` + setMembers + `}`,
		"tsx":    `{"firstgid":1,"source":"..\/sets\/s.tsx"}`,
		"tsj":    `{"firstgid":1,"source":"../sets/s.tsj"}`,
	}
	ways := map[string][]string{}
	for _, p := range packings {
		for where := range xmlSets {
			sets := []string{
				"sets/s.tsx", `<?xml version="1.0"?><!DOCTYPE tileset><tileset ` + setAttrs + `>` + tilesXML +
					`</tileset>`,
				"sets/s.tsj", `{"type":"tileset",` + setMembers + `}`,
			}
			inside := xmlSets[where] + fmt.Sprintf(`<layer id="1" name="ground" width="%d" height="%d">`, w, h) +
				p.xml(t, gids) + `</layer>`
			ways[fmt.Sprintf("tmx, %v, set %s", p, where)] = append([]string{"maps/m.tmx", tmx(w, h, inside)}, sets...)
			inside = `"tilesets":[` + jsonSets[where] +
				`],"layers":[{"type":"tilelayer","name":"ground","visible":true,` + p.json(t, gids) + `}]`
			ways[fmt.Sprintf("tmj, %v, set %s", p, where)] = append([]string{"maps/m.tmj", tmj(w, h, inside)}, sets...)
		}
	}
	return ways
}

// Every way to write a map gives the same Map, which is this one.
func TestEncodings(t *testing.T) {
	gids := []uint32{
		0, 2, flipX | 2, 0,
		1, 1, 1, 3,
		5, 4, flipHex | 1, 8,
	}
	circle := make([][2]float64, 16)
	for k := range circle { // from the lowest vertex on
		x := 0.5 + 0.25*cosine(k-4)
		y := 0.5 + 0.25*cosine(k-8)
		circle[k] = [2]float64{snap(x), snap(y)}
	}
	want := &Map{
		Name: "m", Width: 4, Height: 3,
		Shapes: []Shape{
			{"s/3", [][][2]float64{circle}},
			{"full", full},
			{"s/2", [][][2]float64{{{0, 0}, {1, 0}, {1, 0.5}, {0, 0.5}}}},
			{"s/1", [][][2]float64{{{0, 0}, {1, 0}, {1, 1}}}},
		},
		Cells: []Cell{
			{X: 1, Y: 0, Shape: 0, User: 4},
			{X: 2, Y: 0, Shape: 1, Material: 7, User: 1},
			{X: 0, Y: 1, Shape: 1, Material: 7, User: 1},
			{X: 1, Y: 1, Shape: 1, Material: 7, User: 1},
			{X: 2, Y: 1, Shape: 1, Material: 7, User: 1},
			{X: 3, Y: 1, Shape: 2, User: 3},
			{X: 1, Y: 2, Shape: 3, User: 2},
			{X: 2, Y: 2, Shape: 3, Turn: 4, User: 2},
		},
		Warnings: []string{
			`tileset "s": point objects enclose no area: 1 ignored, the first in tile 3`,
			`layer "ground": tiles of tileset "s" without collision data are left out, because tile 3 has some: 1`,
		},
	}
	for way, files := range encodings(t, 4, 3, gids) {
		t.Run(way, func(t *testing.T) {
			m := mustLoad(t, tree(files...), files[0])
			if d := cmp.Diff(want, m); d != "" {
				t.Fatalf("-want +got\n%s", d)
			}
		})
	}

	g, err := want.Grid()
	if err != nil {
		t.Fatal(err)
	}
	if tiles, _ := g.Count(); tiles != len(want.Cells) {
		t.Errorf("%d tiles in the grid, want %d", tiles, len(want.Cells))
	}
	if got := g.Tile(2, 2); got.Turn != 4 || got.User != 2 || g.Shapes().Name(got.Shape) != "s/1" {
		t.Errorf("the mirrored ramp is %+v", got)
	}
	if got, want := g.Tile(2, 0), (gridseg.Tile{Shape: gridseg.Full, Material: 7, User: 1}); got != want {
		t.Errorf("the solid tile is %+v, want %+v", got, want)
	}
}

// An infinite map is read from chunks, in both formats and all packings, and
// keeps its origin.
func TestInfinite(t *testing.T) {
	chunks := []struct {
		x, y int
		gids []uint32
	}{
		{-2, -2, []uint32{1, 0, 0, 2}},
		{0, -2, []uint32{0, 0, 3, 0}},
		{0, 0, []uint32{1, 1, 0, flipY | 2}},
		{1 << 20, -(1 << 20), []uint32{0, 0, 0, 1}},
	}
	want := []Cell{
		{X: 1, Y: -2, User: 2, Turn: 6},
		{X: 0, Y: -1, User: 1},
		{X: 1, Y: -1, User: 1},
		{X: -1, Y: 0, User: 2},
		{X: 0, Y: 0, User: 3},
		{X: -2, Y: 1, User: 1},
		{X: 1<<20 + 1, Y: 1<<20 - 2, User: 1},
	}
	for _, p := range packings {
		var x, j strings.Builder
		for i, c := range chunks {
			fmt.Fprintf(&x, `<chunk x="%d" y="%d" width="2" height="2">%s</chunk>`, c.x, c.y, p.pack(t, c.gids))
			if i > 0 {
				j.WriteByte(',')
			}
			data := "[" + packing{"csv", ""}.pack(t, c.gids) + "]"
			if p.encoding == "base64" {
				data = `"` + p.pack(t, c.gids) + `"`
			}
			fmt.Fprintf(&j, `{"x":%d,"y":%d,"width":2,"height":2,"data":%s}`, c.x, c.y, data)
		}
		enc := ""
		if p.encoding == "base64" {
			enc = fmt.Sprintf(`"encoding":"base64","compression":%q,`, p.compression)
		}
		fsys := tree(
			"m.tmx", `<map width="30" height="20" tilewidth="16" tileheight="16" infinite="1">`+set("")+
				`<layer name="l">`+p.open()+x.String()+`</data></layer>
				<layer name="nothing" width="1" height="1"><data encoding="csv">
				</data></layer></map>`,
			"m.json", `{"width":30,"height":20,"tilewidth":16,"tileheight":16,"infinite":true,
				"tilesets":[{"firstgid":1,"name":"s","tilewidth":16,"tileheight":16,"tilecount":16}],
				"layers":[{"type":"tilelayer","name":"l","visible":true,`+enc+`"chunks":[`+j.String()+`]},
				{"type":"tilelayer","name":"nothing","chunks":[],"data":[]}]}`,
		)
		for _, name := range []string{"m.tmx", "m.json"} {
			m := mustLoad(t, fsys, name)
			wantMap := &Map{Name: "m", Shapes: []Shape{{"full", full}}, Cells: want}
			if d := cmp.Diff(wantMap, m); d != "" {
				t.Errorf("%s, %v: -want +got\n%s", name, p, d)
			}
		}
	}
}
