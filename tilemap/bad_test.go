package tilemap

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// bad is a faulty file with the parts of its error, in order.
type bad struct {
	name string
	file string // the name decides on the format
	text string
	want string // parts, with | between them
}

// data is a map of 2 x 2 tiles with the given data element.
func data(element string) string {
	return tmx(2, 2, set("")+"\n"+`<layer name="l" width="2" height="2">`+element+`</layer>`)
}

// packed is the same with data in base64.
func packed(compression, text string) string {
	return data(fmt.Sprintf(`<data encoding="base64" compression=%q>%s</data>`, compression, text))
}

// polygonMap is a map of one cell whose tile has the given polygons.
func polygonMap(points ...string) string {
	s := ""
	for i, p := range points {
		s += fmt.Sprintf("\n"+`<object id="%d"><polygon points=%q/></object>`, i+1, p)
	}
	return tileMap(objects(s))
}

func badMaps(t testing.TB) []bad {
	four := []uint32{1, 1, 1, 1}
	b64 := func(compression string, gids []uint32) string { return packing{"base64", compression}.pack(t, gids) }
	list := []bad{
		{"empty", "m.tmx", "", "no <map>"},
		{"not XML", "m.tmx", "GIF89a", "no <map>"},
		{"truncated", "m.tmx", data("<data>")[:280], "invalid XML"},
		{"another root", "m.tmx", "<tileset/>", "line 1|<tileset>|not a <map>"},
		{"two roots", "m.tmx", tmx(1, 1, "") + "<map/>", "line 5|second root"},
		{"text behind", "m.tmx", tmx(1, 1, "") + "x", "line 5|text after the root element"},
		{"unknown entity", "m.tmx", tmx(1, 1, "<layer name='&bomb;'/>"), "line 3|invalid XML|bomb"},
		{
			"DTD with entities", "m.tmx", `<!DOCTYPE map [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>` + tmx(1, 1, "&b;"),
			"line 1|document type",
		},
		{"other encoding", "m.tmx", `<?xml version="1.0" encoding="UTF-16"?><map/>`, `line 1|"UTF-16"`},
		{"nested deep", "m.tmx", tmx(1, 1, strings.Repeat("<a>", 1000)), "line 3|nested"},
		{"attribute twice", "m.tmx", `<map width="1" width="2"/>`, `line 1|"width" twice`},
		{
			"isometric", "m.tmx", strings.Replace(tmx(1, 1, ""), "orthogonal", "isometric", 1),
			"line 2|isometric maps are not supported",
		},
		{"staggered", "m.tmx", strings.Replace(tmx(1, 1, ""), "orthogonal", "staggered", 1), "staggered"},
		{
			"hexagonal", "m.tmj", strings.Replace(tmj(1, 1, `"layers":[]`), "orthogonal", "hexagonal", 1),
			"line 1|hexagonal",
		},
		{"other orientation", "m.tmx", strings.Replace(tmx(1, 1, ""), "orthogonal", "odd", 1), `"odd"`},
		{"no size", "m.tmx", `<map tilewidth="16" tileheight="16"/>`, "width is missing"},
		{"10 GB", "m.tmx", tmx(100000, 100000, set("")+layerXML(100000, 100000, "", "1")), "line 2|100000 x 100000"},
		{"10 GB in JSON", "m.tmj", tmj(100000, 100000, `"layers":[]`), "line 1|100000 x 100000"},
		{"too many digits", "m.tmx", tmx(1, 1, ""+layerXML(1, 1, `offsetx="1e999"`, "0")), "offsetx is out of range"},
		{
			"size beyond integers", "m.tmx",
			`<map width="99999999999999999999" height="1" tilewidth="1" tileheight="1"/>`,
			"width is",
		},
		{"negative size", "m.tmx", tmx(-3, 4, ""), `line 2: width is "-3"`},
		{"no tile size", "m.tmx", `<map width="1" height="1" tilewidth="0" tileheight="16"/>`, "tilewidth"},
		{
			"not a number", "m.tmx", `<map width="one" height="1" tilewidth="16" tileheight="16"/>`,
			`width is not a whole number: "one"`,
		},
		{"NaN offset", "m.tmx", tmx(1, 1, layerXML(1, 1, `offsetx="NaN"`, "0")), "line 3|offsetx is out of range"},
		{"layer of another size", "m.tmx", tmx(2, 2, layerXML(3, 2, "", "1")), `line 3, layer "l"|3 x 2`},
		{"layer without data", "m.tmx", tmx(1, 1, `<layer name="l"/>`), `line 3, layer "l"|no <data>`},
		{
			"data twice", "m.tmx", tmx(1, 1, `<layer name="l"><data encoding="csv">0</data><data/></layer>`),
			"second <data>",
		},
		{
			"groups too deep", "m.tmx", tmx(1, 1, strings.Repeat("<group>", 33)+strings.Repeat("</group>", 33)),
			"line 3|nested more than 32",
		},
		{"groups too deep in JSON", "m.tmj", tmj(1, 1, `"layers":[`+strings.Repeat(`{"type":"group","layers":[`,
			33)+strings.Repeat("]}", 33)+"]"), "nested more than 32"},
		{
			"long name", "m.tmx", tmx(1, 1, `<group name="`+strings.Repeat("x", 257)+`"/>`),
			"line 3: name is longer than 256 bytes",
		},
		{"tileset in group", "m.tmx", tmx(1, 1, "<group>"+set("")+"</group>"), "line 3|<tileset> in a <group>"},

		{"too few elements", "m.tmx", data("<data><tile/></data>"), `layer "l"|1 tiles, but 2 x 2 = 4`},
		{
			"too many elements", "m.tmx", data("<data>" + strings.Repeat("<tile/>", 5) + "</data>"),
			`layer "l"|more than the declared 4`,
		},
		{
			"element with words", "m.tmx", data(`<data><tile gid="x"/></data>`),
			`layer "l"|gid is not a tile number: "x"`,
		},
		{"element among csv", "m.tmx", data(`<data encoding="csv"><tile gid="1"/></data>`), `"csv"`},
		{
			"too few in csv", "m.tmx", data(`<data encoding="csv">1,1,1</data>`),
			`line 5, layer "l"|3 tiles, but 2 x 2 = 4`,
		},
		{"too many in csv", "m.tmx", data(`<data encoding="csv">1,1,1,1,1</data>`), "more than the declared 4"},
		{
			"words in csv", "m.tmx", data(`<data encoding="csv">1,1,1,wall</data>`),
			`item 4 is not a tile number: "wall"`,
		},
		{"negative in csv", "m.tmx", data(`<data encoding="csv">1,1,1,-1</data>`), "item 4"},
		{"too large in csv", "m.tmx", data(`<data encoding="csv">4294967296,1,1,1</data>`), "item 1"},
		{"compressed csv", "m.tmx", data(`<data encoding="csv" compression="zlib">1,1,1,1</data>`), "compression"},
		{"unknown encoding", "m.tmx", data(`<data encoding="base32"></data>`), `layer "l"|encoding "base32"`},
		{"unknown compression", "m.tmx", packed("lzma", b64("", four)), `compression "lzma"`},
		{"wrong base64", "m.tmx", packed("", "AQAA*AAA"), `line 5, layer "l"|invalid base64`},
		{"wrong base64 at the end", "m.tmx", packed("zlib", b64("zlib", four)+"*"), `layer "l"|invalid base64`},
		{"base64 broken off", "m.tmx", packed("", b64("", four)[:9]), `layer "l"|data end after 6 of 16`},
		{"base64 broken off within a byte", "m.tmx", packed("", b64("", four)+"A"), `layer "l"|`},
		{"base64 too short", "m.tmx", packed("", b64("", four[:3])), "data end after 12 of 16"},
		{"base64 too long", "m.tmx", packed("", b64("", append(four, 1))), "longer than the declared 16 bytes"},
		{"a bit too long", "m.tmx", packed("", "AQAAAAEAAAABAAAAAQAAAAA="), "longer than the declared 16 bytes"},
		{"base64 without anything", "m.tmx", packed("", ""), "data end after 0 of 16"},
		{
			"json: data missing", "m.tmj", tmj(1, 1, `"layers":[{"type":"tilelayer","name":"l"}]`),
			`line 3, layer "l"|data are missing`,
		},
		{
			"json: data a string", "m.tmj", tmj(1, 1, `"layers":[{"type":"tilelayer","name":"l","data":"x"}]`),
			`layer "l"|not an array`,
		},
		{"json: data an array", "m.tmj", tmj(1, 1,
			`"layers":[{"type":"tilelayer","name":"l","encoding":"base64","data":[1]}]`), `layer "l"|not a string`},
		{
			"json: data of strings", "m.tmj", tmj(1, 1, `"layers":[{"type":"tilelayer","name":"l","data":["1"]}]`),
			`layer "l"|not an array of numbers`,
		},
		{
			"json: data of fractions", "m.tmj", tmj(1, 1, `"layers":[{"type":"tilelayer","name":"l","data":[1.5]}]`),
			`layer "l"|"1.5"`,
		},
		{
			"json: too many data", "m.tmj", tmj(1, 1, `"layers":[{"type":"tilelayer","name":"l","data":[0,0]}]`),
			`layer "l"|more than the declared 1`,
		},
		{"json: not JSON", "m.tmj", "{\n]", "line 2|invalid JSON"},
		{"json: nothing", "m.tmj", "", "invalid JSON"},
		{"json: truncated", "m.tmj", tmj(1, 1, `"layers":[{"type"`), "line 3|invalid JSON"},
		{"json: an array", "m.tmj", "[]", "not an object"},
		{"json: another type", "m.json", `{"type":"tileset"}`, `"tileset"`},
		{"json: key twice", "m.tmj", "{\"width\":1,\n\"width\":2}", `line 2|"width" occurs twice`},
		{
			"json: number in quotes", "m.tmj", `{"width":"1","height":1,"tilewidth":1,"tileheight":1}`,
			"width is not a number",
		},
		{"json: nested deep", "m.tmj", strings.Repeat(`{"layers":`, 500) + "1" + strings.Repeat("}", 500), "nested"},
		{"json: layers a number", "m.tmj", tmj(1, 1, `"layers":7`), "layers is not an array"},
		{"json: layer a number", "m.tmj", tmj(1, 1, `"layers":[{},7]`), "item 1 of layers"},
		{
			"json: old tileset", "m.tmj", tmj(1, 1,
				`"tilesets":[{"firstgid":1,"name":"s","tilewidth":1,"tileheight":1,"tiles":{"0":{}}}]`),
			`tileset "s"|save the file`,
		},

		{"no tileset", "m.tmx", tmx(1, 1, "\n"+layerXML(1, 1, "", "1")), `line 4, layer "l"|column 0, row 0|number 1`},
		{"tile before the first tileset", "m.tmx", tmx(2, 1, strings.Replace(set(""), `"1"`, `"5"`, 1)+layerXML(2, 1,
			"", "5,4")), "column 1, row 0|number 4"},
		{"tile behind the last one", "m.tmx", tmx(1, 1, set("")+layerXML(1, 1, "", "17")), "number 17"},
		{"firstgid twice", "m.tmx", tmx(1, 1, set("")+set("")), "firstgid 1"},
		{"firstgid 0", "m.tmx", tmx(1, 1, strings.Replace(set(""), `"1"`, `"0"`, 1)), "firstgid"},
		{"firstgid missing", "m.tmx", tmx(1, 1, `<tileset source="s.tsx"/>`), "firstgid is missing"},
		{
			"missing tileset", "a/m.tmx", tmx(1, 1, `<tileset firstgid="1" source="no.tsx"/>`),
			`line 3, tileset "no.tsx"|not exist`,
		},
		{
			"tileset outside", "a/m.tmx", tmx(1, 1, `<tileset firstgid="1" source="../../no.tsx"/>`),
			`tileset "../../no.tsx"|leaves the file system`,
		},
		{"tileset anywhere", "a/m.tmx", tmx(1, 1, `<tileset firstgid="1" source="/etc/no.tsx"/>`), "not relative"},
		{
			"tileset in the net", "a/m.tmx", tmx(1, 1, `<tileset firstgid="1" source="https://localhost/no.tsx"/>`),
			"not relative",
		},
		{"tileset of another kind", "a/m.tmx", tmx(1, 1, `<tileset firstgid="1" source="no.xls"/>`), "unknown kind"},
		{"tile twice", "m.tmx", tmx(1, 1, set(`<tile id="0"/><tile id="0"/>`)), `tileset "s", tile 0|twice`},
		{"tile without id", "m.tmx", tmx(1, 1, set(`<tile/>`)), `tileset "s"|id is missing`},
		{
			"solid is a word", "m.tmx",
			tileMap(`<properties><property name="solid" type="bool" value="ja"/></properties>`),
			"tile 0, property solid|neither",
		},
		{
			"solid is a string", "m.tmx", tileMap(`<properties><property name="solid" value="true"/></properties>`),
			"tile 0, property solid|must be bool",
		},
		{
			"solid twice", "m.tmx",
			tileMap(`<properties>` + strings.Repeat(`<property name="solid" type="bool" value="true"/>`, 2) +
				`</properties>`), "tile 0, property solid|twice",
		},
		{
			"material too large", "m.tmx",
			tileMap(`<properties><property name="material" type="int" value="65536"/></properties>`),
			"property material|65536",
		},
		{
			"material negative", "m.tmx",
			tileMap(`<properties><property name="material" type="int" value="-1"/></properties>`),
			"property material|-1",
		},
		{
			"material a string", "m.tmx", tileMap(`<properties><property name="material" value="1"/></properties>`),
			"property material|must be int",
		},

		{
			"negative object", "m.tmx", tileMap(objects(`<object id="7" width="-1" height="4"/>`)),
			"tile 0, object 7|width is negative",
		},
		{
			"object at NaN", "m.tmx", tileMap(objects(`<object id="7" x="NaN" width="1" height="4"/>`)),
			"tile 0, object 7|x is out of range",
		},
		{
			"object at infinity", "m.tmx", tileMap(objects(`<object id="7" y="-Inf" width="1" height="4"/>`)),
			"object 7|y is out of range",
		},
		{
			"object turned without end", "m.tmx",
			tileMap(objects(`<object id="7" rotation="1e300" width="1" height="4"/>`)), "object 7|rotation",
		},
		{"template", "m.tmx", tileMap(objects(`<object id="7" template="a.tx"/>`)), "object 7|templates"},
		{
			"self-crossing", "m.tmx", polygonMap("0,0 16,16 16,0 0,12"),
			`line 5, tileset "s", tile 0, object 1|polygon meets itself, at the edge from pixel (`,
		},
		{"half a point", "m.tmx", polygonMap("0,0 16,0 16"), `tile 0, object 1|"16"`},
		{"NaN point", "m.tmx", polygonMap("0,0 16,0 NaN,3"), `tile 0, object 1|"NaN"`},
		{"too many points", "m.tmx", polygonMap(strings.Repeat("1,1 ", 257)), "tile 0, object 1|more than 256"},
		{
			"too many polygons", "m.tmx", tileMap(objects(strings.Repeat(`<object id="7" width="1" height="1"/>`, 65))),
			"tile 0|more than 64",
		},
		{
			"too many objects", "m.tmx", tileMap(objects(strings.Repeat(`<object id="7"/>`, 1025))),
			"tile 0|more than 1024",
		},
		{"json: point without y", "m.tmj", tmj(1, 1,
			`"tilesets":[{"firstgid":1,"name":"s","tilewidth":1,"tileheight":1,"tiles":[
			{"id":3,"objectgroup":{"objects":[{"id":4,"polygon":[{"x":1}]}]}}]}]`), `line 4, tileset "s", tile 3, object 4|without x or y`},

		{
			"chunk in a finite map", "m.tmx",
			data(`<data encoding="csv"><chunk x="0" y="0" width="1" height="1">1</chunk></data>`),
			"chunk (0,0)|not infinite",
		},
		{"unknown extension", "m.map", "", `".map"`},
		{"no extension", "m", "", "unknown kind"},
		{"ldtk: another file", "m.ldtk", "{}", "line 1|no LDtk project"},
		{"ldtk: a level as map", "m.ldtkl", "{}", "a level of an LDtk project"},
		{"ldtk: two worlds", "m.ldtk", `{"jsonVersion":"1.5.3","worlds":[` + strings.Repeat(`{"levels":[{}]},`, 2) +
			`{"levels":[]}]}`, "2 worlds of the project have levels"},
		{
			"ldtk: level without size", "m.ldtk", ldtkProject("Free", `{"identifier":"A"}`),
			`line 3, level "A"|pxWid is missing`,
		},
		{
			"ldtk: level far out", "m.ldtk", ldtkProject("Free", ldtkLevel("A", 1<<30, 0, 1, 1)),
			`level "A"|worldX is "1073741824"`,
		},
		{
			"ldtk: level file missing", "m.ldtk", ldtkProject("Free",
				`{"identifier":"A","pxWid":8,"pxHei":8,"layerInstances":null,"externalRelPath":"a/b.ldtkl"}`),
			`level "A"|file "a/b.ldtkl"|not exist`,
		},
		{
			"ldtk: level file outside", "m.ldtk", ldtkProject("Free",
				`{"identifier":"A","pxWid":8,"pxHei":8,"layerInstances":null,"externalRelPath":"../b.ldtkl"}`),
			`level "A"|leaves the file system`,
		},
		{"ldtk: too few cells", "m.ldtk", ldtkProject("Free", ldtkLevel("A", 0, 0, 2, 2,
			ldtkLayer("L", 2, 2, "1,0,1"))), `layer "L"|3 tiles, but 2 x 2 = 4`},
		{
			"ldtk: value", "m.ldtk", ldtkProject("Free", ldtkLevel("A", 0, 0, 2, 1,
				ldtkLayer("L", 2, 1, "1,2147483649"))),
			`layer "L"|column 1, row 0: the value 2147483649 is more than 65535`,
		},
		{
			"ldtk: negative value", "m.ldtk", ldtkProject("Free", ldtkLevel("A", 0, 0, 1, 1,
				ldtkLayer("L", 1, 1, "-1"))),
			`layer "L"|"-1"`,
		},
		{
			"ldtk: 10 GB", "m.ldtk", ldtkProject("Free", ldtkLevel("A", 0, 0, 1, 1, ldtkLayer("L", 100000, 100000,
				"1"))),
			`layer "L"|100000 x 100000`,
		},
		{"ldtk: cells of two sizes", "m.ldtk", ldtkProject("Free", ldtkLevel("A", 0, 0, 1, 1,
			strings.Replace(ldtkLayer("L", 2, 2, "1,1,1,1"), `Size": 8`, `Size": 4`, 1), ldtkLayer("M", 1, 1,
				"1"))), `layer "M"|8 pixels wide, the cells of another layer 4`},
		{"ldtk: before 1.0", "m.ldtk", ldtkProject("Free", ldtkLevel("A", 0, 0, 1, 1,
			strings.Replace(ldtkLayer("L", 1, 1, "1"), "intGridCsv", "intGrid", 1))), `layer "L"|before 1.0`},
		{"tileset as map", "m.tsx", "<tileset/>", "the file is a tileset, not a map"},
		{"png: nothing", "m.png", "", "cut short"},
		{"png: not one", "m.png", "GIF89a, and more of it", "png"},
	}
	inf := func(chunks string) string {
		return `<map tilewidth="16" tileheight="16" infinite="1">` + set("") + "\n" +
			`<layer name="l"><data encoding="csv">` + chunks + `</data></layer></map>`
	}
	chunk := func(x, y, w, h, csv string) string {
		return fmt.Sprintf(`<chunk x=%q y=%q width=%q height=%q>%s</chunk>`, x, y, w, h, csv)
	}
	list = append(list, []bad{
		{"no chunks", "m.tmx", inf("1,1"), `layer "l"|outside chunks`},
		{
			"short chunk", "m.tmx", inf(chunk("-16", "32", "2", "1", "1")),
			`line 3, layer "l", chunk (-16,32)|1 tiles, but 2 x 1 = 2`,
		},
		{"huge chunk", "m.tmx", inf(chunk("0", "0", "100000", "100000", "1")), "chunk (0,0)|100000 x 100000"},
		{"chunk far out", "m.tmx", inf(chunk("2000000000", "0", "1", "1", "1")), `layer "l"|x is "2000000000"`},
		{"chunk without place", "m.tmx", inf(`<chunk width="1" height="1">1</chunk>`), `layer "l"|x is missing`},
		{
			"chunks overlap", "m.tmx", inf(chunk("0", "0", "2", "1", "1,1") + chunk("1", "0", "1", "1", "1")),
			`layer "l"|two chunks have a tile for column 1, row 0`,
		},
		{
			"chunk with an unknown tile", "m.tmx", inf(chunk("4", "-9", "1", "1", "99")),
			"chunk (4,-9): column 4, row -9|number 99",
		},
	}...)
	for _, c := range []string{"gzip", "zlib", "zstd"} {
		good := b64(c, four)
		list = append(list, []bad{
			{c + " of nothing", "m.tmx", packed(c, ""), `layer "l"|`},
			{c + " of something else", "m.tmx", packed(c, b64("", four)), `layer "l"|invalid ` + c},
			{c + " truncated", "m.tmx", packed(c, good[:len(good)/8*4]), `line 5, layer "l"|`},
			{c + " without its last bytes", "m.tmx", packed(c, good[:len(good)-4]), `layer "l"|`},
			{c + " too short", "m.tmx", packed(c, b64(c, four[:3])), "data end after 12 of 16 bytes"},
			{c + " too long", "m.tmx", packed(c, b64(c, append(four, 1))), "longer than the declared 16 bytes"},
			{c + " bomb", "m.tmx", packed(c, b64(c, make([]uint32, 1<<20))), "longer than the declared 16 bytes"},
		}...)
	}
	return list
}

// Every fault is an *Error that names the file, the place and the fault, and
// there is no Map then.
func TestBadMaps(t *testing.T) {
	for _, c := range badMaps(t) {
		t.Run(c.name, func(t *testing.T) {
			m, err := Load(tree(c.file, c.text), c.file, Options{})
			checkError(t, m, err, c.file+"|"+c.want)
		})
	}
}

// checkError looks at the error and its text, parts of it in order.
func checkError(t *testing.T, m *Map, err error, want string) {
	t.Helper()
	var e *Error
	if m != nil || !errors.As(err, &e) {
		t.Fatalf("map %v, error %v", m, err)
	}
	rest := err.Error()
	for part := range strings.SplitSeq(want, "|") {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Fatalf("%q does not say %q", err, part)
		}
		rest = after
	}
	if n := strings.Count(err.Error(), "tilemap:"); n != 1 {
		t.Errorf("the error names a place %d times: %q", n, err)
	}
	if len(err.Error()) > 400 || strings.Contains(err.Error(), "\n") {
		t.Errorf("too long for a line: %q", err)
	}
}

// Faults in a tileset's own file name that file.
func TestBadTilesetFiles(t *testing.T) {
	m := tmx(1, 1, `<tileset firstgid="1" source="sub/s.tsx"/><tileset firstgid="9" source="sub/s.tsj"/>`+layerXML(1, 1,
		"", "1"))
	const tsx = `<tileset name="s" tilewidth="16" tileheight="16" tilecount="4">`
	for _, c := range []struct{ tsx, tsj, want string }{
		{"", "{}", "sub/s.tsx|no <tileset>"},
		{`<tileset source="../m.tmx"/>`, "{}", `sub/s.tsx|line 1|only refers to another`},
		{tmx(1, 1, ""), "{}", "sub/s.tsx|line 2|<map>"},
		{`<tileset source="s.tsx"/>`, "{}", `sub/s.tsx|line 1|only refers to another tileset file, "s.tsx"`},
		{
			tsx + "\n" + `<tile id="0">` + objects(`<object id="5"><polygon points="0,0 8,8 8,0 0,8"/></object>`) +
				`</tile></tileset>`, `{"tilewidth":1,"tileheight":1}`,
			`sub/s.tsx|line 2, tileset "s", tile 0, object 5|meets itself`,
		},
		{tsx + "</tileset>", "[]", "sub/s.tsj|not an object"},
		{tsx + "</tileset>", `{"source":"s.tsj"}`, "sub/s.tsj|line 1|only refers"},
		{tsx + "</tileset>", `{"type":"map"}`, "sub/s.tsj|line 1|not a tileset"},
	} {
		got, err := Load(tree("m.tmx", m, "sub/s.tsx", c.tsx, "sub/s.tsj", c.tsj), "m.tmx", Options{})
		checkError(t, got, err, c.want)
	}

	_, err := Load(tree("a/m.tmx", m), "a/m.tmx", Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "a/m.tmx") {
		t.Errorf("a missing tileset: %v", err)
	}
	if _, err = Load(fstest.MapFS{}, "m.tmx", Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing map: %v", err)
	}
	_, err = Load(tree("m.tmx/x", ""), "m.tmx", Options{})
	checkError(t, nil, err, "m.tmx|is a directory")
}

// Files of the disk: tilesets beside and above, and paths that are no plain files.
func TestLoadFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	name := write("maps/Level One.TMX", tmx(1, 1, `<tileset firstgid="1" source="../sets/s.tsx"/>`+layerXML(1, 1, "",
		"1")))
	write("sets/s.tsx", `<tileset name="s" tilewidth="16" tileheight="16" tilecount="4"/>`)
	m, err := LoadFile(name, Options{})
	if err != nil || m.Name != "Level One" || len(m.Cells) != 1 {
		t.Errorf("%+v, %v", m, err)
	}

	_, err = LoadFile(filepath.Join(dir, "no.tmx"), Options{})
	if !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), "no.tmx") != 1 {
		t.Error(err)
	}
	big := write("big.tmx", "")
	if err := os.Truncate(big, MaxFileBytes+1); err != nil {
		t.Fatal(err)
	}
	m, err = LoadFile(big, Options{})
	checkError(t, m, err, "big.tmx|larger than 64 MiB")
	if err := os.Mkdir(filepath.Join(dir, "dir.tmx"), 0o755); err != nil {
		t.Fatal(err)
	}
	m, err = LoadFile(filepath.Join(dir, "dir.tmx"), Options{})
	checkError(t, m, err, "dir.tmx|is a directory")
}

// The layers that are read may not declare more than memory is for, however
// small the file is.
func TestManyLayers(t *testing.T) {
	zeros := packing{"base64", "zstd"}.pack(t, make([]uint32, 4096*4096))
	l := `<layer name="l" width="4096" height="4096"><data encoding="base64" compression="zstd">` + zeros +
		`</data></layer>`
	start := time.Now()
	m, err := Load(tree("m.tmx", tmx(4096, 4096, strings.Repeat(l, 200))), "m.tmx", Options{})
	checkError(t, m, err, fmt.Sprintf(`layer "l"|more than %d tiles`, maxDecoded))
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("it took %v to refuse", d)
	}
	if math.MaxInt32 < maxChunkAt+MaxCells {
		t.Error("cells may leave int32")
	}
}
