package tilemap

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"
)

// A packing is one of the ways in which Tiled writes layer data.
type packing struct{ encoding, compression string }

var packings = []packing{
	{"", ""}, {"csv", ""}, {"base64", ""}, {"base64", "gzip"}, {"base64", "zlib"}, {"base64", "zstd"},
}

func (p packing) String() string { return strings.TrimSpace(p.encoding + " " + p.compression) }

// pack writes gids; the encoding "" is XML's.
func (p packing) pack(t testing.TB, gids []uint32) string {
	t.Helper()
	switch p.encoding {
	case "":
		var b strings.Builder
		for _, g := range gids {
			fmt.Fprintf(&b, "<tile gid=\"%d\"/>", g)
		}
		return b.String()
	case "csv":
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(gids), " ", ",\n"), "[]")
	}
	var raw, out bytes.Buffer
	if err := binary.Write(&raw, binary.LittleEndian, gids); err != nil {
		t.Fatal(err)
	}
	var w io.WriteCloser
	switch p.compression {
	case "":
		return base64.StdEncoding.EncodeToString(raw.Bytes())
	case "gzip":
		w = gzip.NewWriter(&out)
	case "zlib":
		w = zlib.NewWriter(&out)
	case "zstd":
		z, err := zstd.NewWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	}
	if _, err := w.Write(raw.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// xml writes the <data> element of gids.
func (p packing) xml(t testing.TB, gids []uint32) string {
	return p.open() + p.pack(t, gids) + "</data>"
}

func (p packing) open() string {
	s := "<data"
	if p.encoding != "" {
		s += fmt.Sprintf(" encoding=%q", p.encoding)
	}
	if p.compression != "" {
		s += fmt.Sprintf(" compression=%q", p.compression)
	}
	return s + ">\n  "
}

// json writes the members of a layer that hold gids.
func (p packing) json(t testing.TB, gids []uint32) string {
	if p.encoding != "base64" {
		return `"data":[` + packing{"csv", ""}.pack(t, gids) + `]`
	}
	return fmt.Sprintf(`"encoding":"base64","compression":%q,"data":%q`, p.compression, p.pack(t, gids))
}

// tmx writes a finite map with tiles of 16 pixels around its inside.
func tmx(w, h int, inside string) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="%d" height="%d" tilewidth="16" tileheight="16" infinite="0">
%s
</map>
`, w, h, inside)
}

// tmj writes the same in JSON.
func tmj(w, h int, inside string) string {
	return fmt.Sprintf(`{"type":"map","version":"1.10","orientation":"orthogonal","width":%d,"height":%d,
"tilewidth":16,"tileheight":16,"infinite":false,
%s}`, w, h, inside)
}

// set writes a tileset of 16 tiles with firstgid 1 in the map.
func set(tiles string) string {
	return `<tileset firstgid="1" name="s" tilewidth="16" tileheight="16" tilecount="16">
` + tiles + "</tileset>"
}

// layerXML writes a layer of comma-separated gids.
func layerXML(w, h int, attrs, csv string) string {
	return fmt.Sprintf(`<layer name="l" width="%d" height="%d" %s><data encoding="csv">%s</data></layer>`, w, h, attrs,
		csv)
}

// tileMap writes a map of one cell with a tile that has the given inside.
func tileMap(inside string) string {
	return tmx(1, 1, set(`<tile id="0">`+inside+`</tile>`)+layerXML(1, 1, "", "1"))
}

// objects writes the inside of a tile with collision objects.
func objects(list string) string { return "<objectgroup>" + list + "</objectgroup>" }

// tree makes a file system of names and contents in turn.
func tree(files ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fsys
}

// mustLoad loads a map that is all right.
func mustLoad(t testing.TB, fsys fs.FS, name string, layers ...string) *Map {
	t.Helper()
	m, err := Load(fsys, name, Options{Layers: layers})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
