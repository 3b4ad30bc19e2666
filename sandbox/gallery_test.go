//go:build !js

package sandbox

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/quarry2d/quarry/scene"
)

// The gallery has a picture of each scene, some steps after its start, and no other.
func TestGalleryPictures(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{pit, failing}, Paused: true})
	for range 2 {
		status, b := fetch(t, "http://"+addr+"/scenes/pit.png")
		img, err := png.Decode(bytes.NewReader(b))
		if status != 200 || err != nil || img.Bounds().Dx() != pictureWidth {
			t.Errorf("status %d, %v", status, err)
		}
	}
	for name, want := range map[string]int{"failing.png": 500, "none.png": 404, "pit": 404} {
		if status, _ := fetch(t, "http://"+addr+"/scenes/"+name); status != want {
			t.Errorf("%s: status %d, want %d", name, status, want)
		}
	}
}
