package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var redraw = flag.Bool("redraw", false, "write the pictures of the pages that name the command of each")

// pageCommand matches a command of a page that writes a picture of the repository, as in
// *`quarry run car --steps 320 --out docs/manual/car.png`*.
var pageCommand = regexp.MustCompile("(?m)^\\*(?:Made by )?`(?:go run ./cmd/quarry|quarry) (run [^`]*) --out ([^ " +
	"`]+)([^`]*)`\\*$")

// TestPagePictures makes the pictures of the pages with the commands that the pages name, and compares them with the
// files; with -redraw it writes these. (Nine pictures were still an older engine's.)
func TestPagePictures(t *testing.T) {
	t.Chdir("../..")
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range pageCommand.FindAllStringSubmatch(string(text), -1) {
			picture := match[2]
			if made[picture] {
				t.Errorf("%s: a second command writes %s", page, picture)
			}
			made[picture] = true
			file := filepath.Join(t.TempDir(), filepath.Base(picture))
			comparePicture(t, page, picture, file, append(strings.Fields(match[1]+match[3]), "--out", file))
		}
	}
	if len(made) < 12 {
		t.Errorf("the pages name commands of %d pictures; want at least 12", len(made))
	}
}

// comparePicture runs a command that writes file, and compares it with picture. Other targets round drawn numbers
// differently, so the bytes are compared on amd64 alone.
func comparePicture(t *testing.T, page, picture, file string, args []string) {
	t.Helper()
	if status, _, errs := command(args...); status != 0 {
		t.Errorf("%s: quarry %s: status %d, %s", page, strings.Join(args, " "), status, errs)
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if *redraw {
		if err := os.WriteFile(picture, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(picture)
	if err != nil {
		t.Errorf("%s: %v", page, err)
	} else if runtime.GOARCH == "amd64" && !bytes.Equal(got, want) {
		t.Errorf("%s of %s differs from what its command draws: run go test ./cmd/quarry -run TestPagePictures "+
			"-redraw, and look at it", picture, page)
	}
}
