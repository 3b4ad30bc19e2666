//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/quarry2d/quarry/internal/solve/simd"
	"github.com/quarry2d/quarry/sandbox"
)

// siteCommand writes the sandbox as static files.
type siteCommand struct {
	Out string `help:"Folder to write to; it is made if it is missing." placeholder:"DIR" required:""`
}

// programs are the programs that run in the browser: the world, and the readers of maps, which the page loads once a
// map is dropped on it.
var programs = [...]struct{ path, file string }{
	{module + "sandbox/page", "quarry.wasm"},
	{module + "sandbox/maps", "maps.wasm"},
}

const module = "github.com/quarry2d/quarry/"

// Run writes the files of the page, the programs and the solver's kernels as WebAssembly, and Go's script that starts
// a program. The programs are built here, because the script must come from the same version of Go.
func (c siteCommand) Run(s streams) error {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return errors.New("site: needs the command go, to build the program of the page")
	}
	if err := os.MkdirAll(c.Out, 0o777); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if err := copyPage(c.Out, sandbox.Files()); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if _, err := writeGallery(filepath.Join(c.Out, "scenes"), s); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	sizes := map[string][2]int{} // as it is and as gzip, by file
	for _, p := range programs {
		file := filepath.Join(c.Out, p.file)
		if out, err := buildPage(goCommand, p.path, file).CombinedOutput(); err != nil {
			return fmt.Errorf("site: building %s: %w; run this command in a module that requires it: %s", p.path, err,
				bytes.TrimSpace(out))
		}
		raw, packed, err := pack(file)
		if err != nil {
			return fmt.Errorf("site: %w", err)
		}
		sizes[p.file] = [2]int{raw, packed}
	}
	root, err := exec.Command(goCommand, "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("site: go env GOROOT: %w", err)
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if err := os.WriteFile(filepath.Join(c.Out, "wasm_exec.js"), script, 0o666); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	kernels := filepath.Join(c.Out, "kernels.wasm")
	if err := os.WriteFile(kernels, simd.Module(), 0o666); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if _, err := writePacked(kernels, simd.Module()); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	main, maps := sizes[programs[0].file], sizes[programs[1].file]
	fmt.Fprintf(s.out, "quarry: the sandbox is in %s; the program has %.1f MB, %.1f MB compressed, and its readers of "+
		"maps %.1f MB compressed\n", c.Out, float64(main[0])/1e6, float64(main[1])/1e6, float64(maps[1])/1e6)
	fmt.Fprintf(s.out, "quarry: any web server can serve the folder, such as: python3 -m http.server -d %s\n", c.Out)
	return nil
}

// buildPage returns the command that builds a program of the page.
func buildPage(goCommand, program, out string) *exec.Cmd {
	build := exec.Command(goCommand, "build", "-trimpath", "-tags", "quarrysimd", "-ldflags", "-s -w", "-o", out,
		program)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	return build
}

// copyPage writes the files of the page to a folder. In index.html it chooses the world of a Worker.
func copyPage(dir string, files fs.FS) error {
	return fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		if path == "index.html" {
			const head = "<head>\n"
			before, after, ok := bytes.Cut(text, []byte(head))
			if !ok {
				return errors.New("index.html has no head")
			}
			text = bytes.Join([][]byte{before, []byte(head + `<meta name="quarry" content="worker">` + "\n"), after},
				nil)
		}
		return os.WriteFile(filepath.Join(dir, path), text, 0o666)
	})
}

// pack makes a program smaller (slim.go) and writes a gzip file beside it. It returns both sizes.
func pack(path string) (raw, packed int, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	if text, err = slim(text); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return 0, 0, err
	}
	packed, err = writePacked(path, text)
	return len(text), packed, err
}

// writePacked writes the gzip file beside a file, which the page loads from servers that do not compress. It returns
// the size.
func writePacked(path string, text []byte) (int, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	if _, err := z.Write(text); err != nil {
		return 0, err
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	return b.Len(), os.WriteFile(path+".gz", b.Bytes(), 0o666)
}
