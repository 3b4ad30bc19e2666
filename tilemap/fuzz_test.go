package tilemap

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/fstest"
)

// fuzzed loads a map with a tileset file in each format beside it: it gives
// either an *Error or a map that a grid can be made of.
func fuzzed(t *testing.T, name string, data []byte) {
	m, err := Load(fstest.MapFS{
		name: {Data: data},
		"s.tsx": {Data: []byte(`<tileset name="s" tilewidth="16" tileheight="16" tilecount="8">` + tilesXML +
			`</tileset>`)},
		"s.tsj": {Data: []byte(`{"name":"s","tilewidth":16,"tileheight":16,"tilecount":8,` + tilesJSON + `}`)},
	}, name, Options{})
	var e *Error
	if err != nil {
		if m != nil || !errors.As(err, &e) || e.File == "" || e.Err == nil {
			t.Fatalf("map %v, error %#v", m, err)
		}
		return
	}
	for i := 1; i < len(m.Cells); i++ {
		if a, b := m.Cells[i-1], m.Cells[i]; a.Y > b.Y || a.Y == b.Y && a.X >= b.X {
			t.Fatalf("cells out of order: %+v %+v", a, b)
		}
	}
	if len(m.Cells) > 1<<14 {
		return // it is right, and would only be slow
	}
	g, err := m.Grid()
	if err != nil && strings.Contains(err.Error(), "the squared numbers of vertices") {
		return // no other limit can be passed by so few cells
	}
	if err != nil {
		t.Fatal(err)
	}
	if tiles, _ := g.Count(); tiles != len(m.Cells) {
		t.Fatalf("%d tiles in the grid, %d cells", tiles, len(m.Cells))
	}
}

// addBad adds the faulty files of one format to the seeds.
func addBad(f *testing.F, name string) {
	for _, c := range badMaps(f) {
		if c.file == name && len(c.text) < 4096 {
			f.Add([]byte(c.text))
		}
	}
}

func FuzzTMX(f *testing.F) {
	addBad(f, "m.tmx")
	for _, p := range packings {
		f.Add([]byte(tmx(2, 2, set(tilesXML)+`<layer name="l">`+p.xml(f, []uint32{1, 2, flipX | flipDiag | 3, 4})+
			`</layer>`)))
	}
	f.Add([]byte(tmx(1, 1, `<tileset firstgid="1" source="s.tsx"/>`+layerXML(1, 1, "", "2"))))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "m.tmx", data) })
}

func FuzzTMJ(f *testing.F) {
	addBad(f, "m.tmj")
	for _, p := range packings {
		f.Add([]byte(tmj(2, 2, `"tilesets":[{"firstgid":1,"name":"s","tilewidth":16,"tileheight":16,`+tilesJSON+`}],
			"layers":[{"type":"tilelayer","name":"l",`+p.json(f, []uint32{1, 2, flipX | flipDiag | 3, 4})+`}]`)))
	}
	f.Add([]byte(tmj(1, 1, `"tilesets":[{"firstgid":1,"source":"s.tsj"}],"layers":[{"type":"tilelayer","data":[2]}]`)))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "m.tmj", data) })
}

func FuzzLDtk(f *testing.F) {
	addBad(f, "m.ldtk")
	f.Add([]byte(ldtkProject("LinearVertical", ldtkLevel("A", 0, 0, 2, 2, ldtkLayer("L", 2, 2, "1,0,0,2")),
		ldtkLevel("B", 0, 0, 1, 1, ldtkLayer("L", 1, 1, "5")))))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "m.ldtk", data) })
}

func FuzzPNG(f *testing.F) {
	r := image.Rect(0, 0, 3, 2)
	grey, clear := image.NewGray(r), image.NewNRGBA(r)
	grey.SetGray(1, 1, color.Gray{200})
	clear.SetNRGBA(1, 1, color.NRGBA{1, 2, 3, 255})
	f.Add([]byte(encodePNG(f, grey)))
	f.Add([]byte(encodePNG(f, clear)))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "m.png", data) })
}
