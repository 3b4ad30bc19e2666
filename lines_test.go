package quarry_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// mostColumns is the largest width of a line of Go, with a tab as four columns.
const mostColumns = 120

// TestLineLength: lines of Go have at most 120 columns, except lines of raw strings, such as help texts, and of
// generated files.
func TestLineLength(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		files++
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		raw := rawLines(src)
		n := 0
		for line := range strings.Lines(string(src)) {
			n++
			line = strings.TrimSuffix(line, "\n")
			if n == 1 && strings.HasPrefix(line, "// Code generated") {
				return nil
			}
			if wide := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); wide > mostColumns && !raw[n] {
				t.Errorf("%s:%d has %d columns; the limit is %d", name, n, wide, mostColumns)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("%d files; are they still read?", files)
	}
}

// rawLines returns the lines of a file that hold a part of a raw string, counted from 1.
func rawLines(src []byte) map[int]bool {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		at, tok, text := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.STRING && text[0] == '`' {
			first := file.Line(at)
			for k := range strings.Count(text, "\n") + 1 {
				lines[first+k] = true
			}
		}
	}
}
