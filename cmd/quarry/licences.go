package main

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"unicode"
)

// built has the licences that were there when the program was built. A program that is given away must carry them:
//
//	go run ./cmd/quarry licences >cmd/quarry/licences/all.txt && go build ./cmd/quarry
//
//go:embed all:licences
var built embed.FS

// licencesCommand prints the licences of the modules in the program.
type licencesCommand struct{}

// Run prints the texts that were built in, or those in the module cache.
func (licencesCommand) Run(s streams) error {
	if text, err := built.ReadFile("licences/all.txt"); err == nil && len(text) > 0 {
		_, err := s.out.Write(text)
		return err
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return fmt.Errorf("licences: the program was built without modules")
	}
	where, err := exec.Command("go", "env", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("licences: none were built in, and there is no go command to find them: %w", err)
	}
	cache, root, _ := strings.Cut(strings.TrimSpace(string(where)), "\n")
	var text bytes.Buffer // all or nothing
	if err := writeLicences(&text, info, cache, root); err != nil {
		return err
	}
	_, err = text.WriteTo(s.out)
	return err
}

// writeLicences writes the texts of Go, in the folder root, and of the modules in info, in a module cache.
func writeLicences(out io.Writer, info *debug.BuildInfo, cache, root string) error {
	if err := writeLicence(out, "Go "+info.GoVersion, root); err != nil {
		return err
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		dir := filepath.Join(cache, filepath.FromSlash(escapedPath(m.Path)+"@"+escapedPath(m.Version)))
		if err := writeLicence(out, m.Path+" "+m.Version, dir); err != nil {
			return err
		}
	}
	return nil
}

// writeLicence writes the licences and notices in a folder. It is an error if there are none.
func writeLicence(out io.Writer, name, dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("licences: %s: %w", name, err)
	}
	found := false
	for _, f := range files {
		stem, _, _ := strings.Cut(strings.ToUpper(f.Name()), ".")
		switch stem {
		case "LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS":
		default:
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return fmt.Errorf("licences: %s: %w", name, err)
		}
		found = true
		if _, err := fmt.Fprintf(out, "==== %s, %s\n\n%s\n\n", name, f.Name(), bytes.TrimSpace(text)); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("licences: %s has no licence in %s", name, dir)
	}
	return nil
}

// escapedPath returns a path or version as the module cache writes it: !x for a capital X.
func escapedPath(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
