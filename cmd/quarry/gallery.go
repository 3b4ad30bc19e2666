//go:build !js

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/quarry2d/quarry/sandbox"
	"github.com/quarry2d/quarry/scene"
)

// galleryCommand makes the pictures of the gallery.
type galleryCommand struct {
	Out string `help:"Folder to write to; it is made if it is missing." placeholder:"DIR" required:""`
}

// Run writes a picture of each scene.
func (c galleryCommand) Run(s streams) error {
	n, err := writeGallery(c.Out, s)
	if err != nil {
		return fmt.Errorf("gallery: %w", err)
	}
	fmt.Fprintf(s.out, "quarry: %d pictures are in %s, %d KB\n", len(scene.All()), c.Out, n/1000)
	return nil
}

// writeGallery writes a picture of each scene to a folder, and returns their bytes.
func writeGallery(dir string, s streams) (bytes int, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	all := scene.All()
	bar := progress(s.err, 100, "pictures")
	defer finish(bar)
	for i, sc := range all {
		b, err := sandbox.Picture(sc)
		if err != nil {
			return 0, err
		}
		if err := os.WriteFile(filepath.Join(dir, sc.Name+".png"), b, 0o666); err != nil {
			return 0, err
		}
		bytes += len(b)
		setPart(bar, int64(i+1), int64(len(all)))
	}
	return bytes, nil
}
