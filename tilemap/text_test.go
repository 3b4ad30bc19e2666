package tilemap

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// utf16Text is text in UTF-16 with the byte order mark.
func utf16Text(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// Text is UTF-8, with or without a byte order mark and with either end of line. Any other
// encoding is refused by name, with a remedy.
func TestTextEncodings(t *testing.T) {
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	texts := map[string]string{
		"m.tmx": head + tmx(2, 1, set("")+"\n"+layerXML(2, 1, "", "1,\n0")),
		"m.tmj": tmj(2, 1, `"tilesets":[{"firstgid":1,"name":"s","tilewidth":16,"tileheight":16}],`+"\n"+
			`"layers":[{"type":"tilelayer","name":"l","data":[1,0]}]`),
	}
	for name, text := range texts {
		for how, same := range map[string]string{
			"plain":             text,
			"byte order mark":   "\xef\xbb\xbf" + text,
			"carriage returns":  strings.ReplaceAll(text, "\n", "\r\n"),
			"declared as ASCII": strings.Replace(text, "UTF-8", "US-ASCII", 1),
		} {
			if m := mustLoad(t, tree(name, same), name); len(m.Cells) != 1 {
				t.Errorf("%s, %s: %+v", name, how, m)
			}
		}
		for how, other := range map[string]string{
			"little endian": utf16Text(text, binary.LittleEndian),
			"big endian":    utf16Text(text, binary.BigEndian),
			"without mark":  utf16Text(text, binary.BigEndian)[2:],
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				m, err := Load(tree(name, other), name, Options{})
				checkError(t, m, err, name+"|UTF-16|UTF-8")
			})
		}
	}
	m, err := Load(tree("m.tmx", strings.Replace(texts["m.tmx"], "UTF-8", "ISO-8859-1", 1)), "m.tmx", Options{})
	checkError(t, m, err, `m.tmx|line 1|"ISO-8859-1"|UTF-8`)
}

// Base64 may be broken into lines and indented, as programs that tidy XML do.
func TestIndentedBase64(t *testing.T) {
	text := packing{"base64", "zlib"}.pack(t, []uint32{1, 0, 0, 1})
	m := mustLoad(t, tree("m.tmx", packed("zlib", "\n\t  "+text[:7]+"\r\n\t  "+text[7:]+"\n ")), "m.tmx")
	if len(m.Cells) != 2 {
		t.Errorf("%+v", m.Cells)
	}
}
