// Command figures writes the pictures of the pages that no command of the program draws, and the parts of pages that
// are made with them:
//
//	go run ./internal/figures
//
// Each figure is drawn from the engine's answers, and checks what its text says of them. The test compares the files
// with what the command would write.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/quarry2d/quarry/internal/published"
)

func main() {
	r := draw()
	for _, f := range r.faults {
		fmt.Fprintln(os.Stderr, f)
	}
	for _, f := range r.files {
		if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := os.WriteFile(f.path, f.data, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if len(r.faults) > 0 {
		os.Exit(1)
	}
}

// draw makes all files. The working directory is the root of the repository.
func draw() *report {
	r := &report{}
	for _, part := range []func(*report){
		ghostPictures, gridPictures, lecturePictures, solverPictures, jointPictures, queryPictures, breakPictures,
		layerPictures,
		func(r *report) { published.Document(r) },
	} {
		r.run(part)
	}
	return r
}
