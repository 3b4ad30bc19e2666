//go:build !js

package main

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/sandbox"
)

// Tokens are the same after a restart, also of one with other guests in between, and only the owner can read them.
func TestTokensPersist(t *testing.T) {
	file := filepath.Join(t.TempDir(), "quarry", "tokens.json")
	get := func(file string, guests sandbox.Role) map[string]sandbox.Role {
		t.Helper()
		list, err := tokens(file, guests)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != int(guests) {
			t.Fatalf("guests may %v: %d tokens", guests, len(list))
		}
		return list
	}
	play := get(file, sandbox.Play)
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	look := get(file, sandbox.Look)
	get(file, sandbox.Own)
	if !maps.Equal(get(file, sandbox.Play), play) || !maps.Equal(get(file, sandbox.Look), look) {
		t.Error("other tokens after a restart")
	}
	for token, r := range play {
		if look[token] != r || len(token) < shortestToken {
			t.Errorf("token %q of %v", token, r)
		}
	}
	if maps.Equal(get("", sandbox.Play), get("", sandbox.Play)) {
		t.Error("tokens without a file are the same")
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// A damaged file is refused and stays.
func TestDamagedTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens.json")
	long := strings.Repeat("A", shortestToken)
	for text, want := range map[string]string{
		"{":                       "damaged",
		"":                        "damaged",
		`{"own":"short"}`:         "needs 26",
		`{"king":"` + long + `"}`: "unknown role",
		`{"own":"` + long + `","build":"` + long + `"}`: "the same token",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := tokens(file, sandbox.Look)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if now, _ := os.ReadFile(file); string(now) != text {
			t.Errorf("%s became %s", text, now)
		}
	}
}
