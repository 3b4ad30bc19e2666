package worldtest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"testing"
)

// Unpack returns the bytes that a text file of testdata has: base64, in lines, of gzip. So a golden in a binary
// format can be kept as text.
func Unpack(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
