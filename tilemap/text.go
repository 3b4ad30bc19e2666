package tilemap

import (
	"bytes"
	"strings"
)

// plainText removes the byte order mark of an XML or JSON file, and refuses UTF-16 with a clearer
// error than a parser's.
func plainText(at spot, data []byte) ([]byte, error) {
	for _, sign := range [...]string{"\xff\xfe", "\xfe\xff", "\x00<", "<\x00", "\x00{", "{\x00"} {
		if bytes.HasPrefix(data, []byte(sign)) {
			return nil, at.errorf("the text is in UTF-16: save it as UTF-8")
		}
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil
}

// sameAsUTF8 reports whether text in the named encoding can be read as UTF-8.
func sameAsUTF8(encoding string) bool {
	switch strings.ToLower(encoding) {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return true
	}
	return false
}
