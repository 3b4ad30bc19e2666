package store

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

var update = flag.Bool("update", false, "add testdata files for formats that have none")

// goldens has for each format of files a file of testdata, as text: base64 of gzip; and the sum of its content and the
// hash of its world. A new format gets a new line: old files must be read for ever.
var goldens = []struct{ name, content, world string }{
	{"v1", "6b6f3bc0e5331b03", "a51f294dc7f35eb7"},
	{"v2", "64bb68c2ef03c135", "de4dcd368a12fc2a"}, // worlds and chunks of tiles of version 2
}

// sumOf returns a sum of all that s holds.
func sumOf(t *testing.T, s *Store) string {
	t.Helper()
	all := content(t, s)
	h := sha256.New()
	for _, k := range slices.SortedFunc(maps.Keys(all), func(a, b Key) int {
		return strings.Compare(a.encode(), b.encode())
	}) {
		fmt.Fprintf(h, "%s: %d %s\n", k, len(all[k]), all[k])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// TestGolden reads files of all formats that there have been.
func TestGolden(t *testing.T) {
	for _, g := range goldens {
		text := filepath.Join("testdata", g.name+".txt")
		if _, err := os.Stat(text); err != nil && *update {
			writeGolden(t, text)
		}
		data := worldtest.Unpack(t, text)
		path := filepath.Join(t.TempDir(), g.name+".db")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s := openQuiet(t, path)
		if r, err := s.Verify(nil); err != nil || len(r.Faults) > 0 {
			t.Errorf("%s: %v, %+v", g.name, err, r)
		}
		w := quarry.NewWorld(quarry.Config{})
		if err := LoadWorld(s, w); err != nil {
			t.Errorf("%s: %v", g.name, err)
		}
		if a, b := sumOf(t, s), fmt.Sprintf("%016x", w.Hash()); a != g.content || b != g.world {
			t.Errorf("%s: content %q, world %q; want %q, %q", g.name, a, b, g.content, g.world)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// writeGolden writes a world of tiles and polygons, of which a place is unloaded, the place of another ground, and a
// record.
func writeGolden(t *testing.T, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := openQuiet(t, path)
	w := digWorld(t)
	for range 30 {
		dig(t, w)
		w.Step(1. / 60)
	}
	g := groundOf(t, w)
	here, err := g.UnloadPlace(cellsOf(1, -1), gridseg.UnloadedSolid)
	if err != nil {
		t.Fatal(err)
	}
	s.Put(Chunk(GroundName(g.ID()), 1, -1), here)
	away := gridseg.New(nil)
	if err := away.Set(7, 9, gridseg.Tile{Shape: gridseg.Ramp}); err != nil {
		t.Fatal(err)
	}
	place, err := away.Unload(gridseg.Rect{MaxX: Side - 1, MaxY: Side - 1}, gridseg.UnloadedSolid)
	if err != nil {
		t.Fatal(err)
	}
	s.Put(Record(RecordName), []byte("a golden world"))
	if err := SaveWorld(s, w); err != nil {
		t.Fatal(err)
	}
	s.Put(Chunk("another", 0, 0), place)
	s.Commit()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	for b := base64.StdEncoding.EncodeToString(packed.Bytes()); len(b) > 0; {
		n := min(120, len(b))
		lines.WriteString(b[:n] + "\n")
		b = b[n:]
	}
	if err := os.WriteFile(text, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
