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

// pageProgram is the program that runs in the browser.
const pageProgram = "github.com/quarry2d/quarry/sandbox/page"

// Run writes the files of the page, the program and the solver's kernels as WebAssembly, and Go's script that starts
// the program. The program is built here, because the script must come from the same version of Go.
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
	program := filepath.Join(c.Out, "quarry.wasm")
	if out, err := buildPage(goCommand, program).CombinedOutput(); err != nil {
		return fmt.Errorf("site: building %s: %w; run this command in a module that requires it: %s", pageProgram, err,
			bytes.TrimSpace(out))
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
	if err := os.WriteFile(filepath.Join(c.Out, "kernels.wasm"), simd.Module(), 0o666); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	raw, packed, err := pack(program)
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	fmt.Fprintf(s.out, "quarry: the sandbox is in %s; the program has %.1f MB, %.1f MB compressed\n", c.Out,
		float64(raw)/1e6, float64(packed)/1e6)
	fmt.Fprintf(s.out, "quarry: any web server can serve the folder, such as: python3 -m http.server -d %s\n", c.Out)
	return nil
}

// buildPage returns the command that builds the program of the page. What takes no time in a step is not inlined
// (-l), and tilemap reads no zstd: each makes the download a twentieth smaller.
func buildPage(goCommand, out string) *exec.Cmd {
	const module = "github.com/quarry2d/quarry/"
	args := []string{"build", "-trimpath", "-tags", "quarrysimd,quarrypage", "-ldflags", "-s -w"}
	for _, cold := range []string{
		module + "sandbox", module + "play", module + "scene", module + "tilemap", "encoding/...",
	} {
		args = append(args, "-gcflags="+cold+"=-l")
	}
	build := exec.Command(goCommand, append(args, "-o", out, pageProgram)...)
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

// pack writes a gzip file beside a file, for servers that send such files as they are, and returns both sizes.
func pack(path string) (raw, packed int, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return 0, 0, err
	}
	if _, err := z.Write(text); err != nil {
		return 0, 0, err
	}
	if err := z.Close(); err != nil {
		return 0, 0, err
	}
	return len(text), b.Len(), os.WriteFile(path+".gz", b.Bytes(), 0o666)
}
