package render

import (
	"bytes"
	"os"
	"runtime"
	"testing"
)

// keepPicture compares a picture of a page with the file path, or with -redraw writes it. Other targets round drawn
// numbers differently, so the bytes are compared on amd64 alone.
func keepPicture(t *testing.T, path string, picture []byte) {
	t.Helper()
	if *redraw {
		if err := os.WriteFile(path, picture, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want, err := os.ReadFile(path); err != nil {
		t.Error(err)
	} else if runtime.GOARCH == "amd64" && !bytes.Equal(picture, want) {
		t.Errorf("%s differs from the world: run with -redraw and look at it", path)
	}
}
