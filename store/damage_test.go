package store

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// TestEveryByte changes each byte of a file. Verify must name the place, or the change must be without effect: a
// program that opens the file then finds all as it was. A changed byte in a value is named by the value's key, and all
// other values can be read.
func TestEveryByte(t *testing.T) {
	path, want := filled(t)
	everyByte(t, path, want)
}

// TestEveryByteOfStreamedWorld does so with the file of a world that has unloaded places and bodies; the program that
// opens it loads the world, too.
func TestEveryByteOfStreamedWorld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	s, w := openQuiet(t, path), digWorld(t)
	for range 10 {
		dig(t, w)
		w.Step(1. / 60)
	}
	g := groundOf(t, w)
	for x := int32(-3); x < 2; x += 2 {
		data, err := g.UnloadPlace(cellsOf(x, -2), gridseg.Unloaded(x&2/2))
		if err != nil {
			t.Fatal(err)
		}
		s.Put(Chunk(GroundName(g.ID()), x, -2), data)
	}
	if err := SaveWorld(s, w); err != nil {
		t.Fatal(err)
	}
	want := content(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openQuiet(t, path)
	r, err := s.Verify(nil)
	if err != nil || len(r.Grounds) != 1 || r.Grounds[0].Chunks != 12 || r.Grounds[0].Unloaded != 3 {
		t.Fatal(r, err)
	}
	again := quarry.NewWorld(quarry.Config{})
	// each value, damaged in memory: the world is refused by its name, or the place when it is loaded
	for k := range want {
		v, err := s.back.get(k.encode())
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{0, 1, 5, 8, valueHead, len(v) - 1} {
			bad := bytes.Clone(v)
			bad[at] ^= 0x10
			s.queued = map[string][]byte{k.encode(): bad}
			err := LoadWorld(s, again)
			if k.Ground != "" && g.Grid().Loaded(k.X*Side, k.Y*Side) == false {
				st := NewStreamer(s, groundOf(t, w), k.Ground, StreamOptions{})
				if e := st.load(nearChunk{x: k.X, y: k.Y}); e == nil || !strings.Contains(e.Error(),
					path+": "+k.String()) {
					t.Fatalf("byte %d of %v: %v", at, k, e)
				}
			}
			if err == nil || !strings.Contains(err.Error(), path+": "+k.String()) {
				t.Fatalf("byte %d of %v: %v", at, k, err)
			}
		}
		s.queued = nil
	}
	if err := LoadWorld(s, again); err != nil || again.Hash() != w.Hash() {
		t.Fatal("another world", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	everyByte(t, path, want)
}

// everyByte changes each byte of the file path, which has the entries want.
func everyByte(t *testing.T, path string, want map[Key]string) {
	t.Helper()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	quiet := func(int64, int64) {}
	reads := reading{bytes.NewReader(good), make([]bool, len(good))}
	clean, err := walk(path, reads, int64(len(good)), false, quiet)
	if err != nil || len(clean.Faults) > 0 {
		t.Fatal(err, clean)
	}
	of := make([]string, len(good)) // the key in whose value a byte is
	s := openQuiet(t, path)
	for k := range want {
		v, err := s.back.get(k.encode())
		if err != nil {
			t.Fatal(err)
		}
		for at := range good {
			if bytes.HasPrefix(good[at:], v) {
				for i := range v {
					of[at+i] = k.String()
				}
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// A walk costs microseconds. To open the file costs a hundred times as much, so that is done for a part of the
	// bytes.
	each := 101
	if testing.Short() {
		each = 997
	} else if os.Getenv("QUARRY_SOAK") != "" {
		each = 7
	}
	found, harmless, opened := 0, 0, 0
	bad := bytes.Clone(good)
	for at := range good {
		for _, flip := range [...]byte{1 << (at % 8), 0xff} {
			bad[at] = good[at] ^ flip
			r, err := clean, error(nil) // a walk does not see bytes that it does not read
			if reads.read[at] {
				r, err = walk(path, bytes.NewReader(bad), int64(len(bad)), false, quiet)
			}
			named := false
			if err == nil {
				for _, f := range r.Faults {
					named = named || f.Place == of[at]
				}
			}
			switch {
			case of[at] != "" && (err != nil || !named):
				t.Fatalf("byte %d, of the value of %s: %v, %v", at, of[at], err, r)
			case of[at] != "" && at%each == 0:
				openDamaged(t, path, bad, at, flip, want, of[at])
				opened++
			case err != nil && !errors.Is(err, errNoStore):
				t.Fatalf("byte %d: %v", at, err)
			case err != nil || len(r.Faults) > 0:
				found++
				if at%each == 0 {
					openFaulty(t, path, bad, at, want)
				}
			default:
				if harmless++; at%each == 0 {
					openDamaged(t, path, bad, at, flip, want, "")
					opened++
				}
			}
		}
		bad[at] = good[at]
	}
	t.Logf("%d bytes: %d changes found outside of values, %d without effect; %d files opened", len(good), found,
		harmless, opened)
}

// reading notes which bytes are read.
type reading struct {
	*bytes.Reader
	read []bool
}

func (r reading) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.Reader.ReadAt(b, at)
	for k := range n {
		r.read[int(at)+k] = true
	}
	return n, err
}

// openDamaged opens a file in which only the value of key is damaged, or none. Everything else is as it was, also after
// a further write.
func openDamaged(t *testing.T, path string, bad []byte, at int, flip byte, want map[Key]string, key string) {
	t.Helper()
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{Interval: time.Hour})
	if err != nil {
		t.Fatalf("byte %d ^ %#x: %v", at, flip, err)
	}
	for round := range 2 {
		for k, v := range want {
			got, ok, err := s.Get(k)
			if k.String() == key {
				var f *Fault
				if !errors.As(err, &f) || f.Place != key || f.File != path {
					t.Fatalf("byte %d ^ %#x: %v is damaged, and Get returns %v", at, flip, k, err)
				}
			} else if err != nil || !ok || string(got) != v {
				t.Fatalf("byte %d ^ %#x: %v: %q, %v, %v", at, flip, k, got, ok, err)
			}
		}
		if round == 0 {
			s.Put(Record("later"), []byte("x"))
			s.Commit()
			if err := s.Flush(); err != nil {
				t.Fatalf("byte %d ^ %#x: %v", at, flip, err)
			}
		}
	}
	for k, v := range want { // a new value heals the file
		if k.String() == key {
			s.Put(k, []byte(v))
		}
	}
	s.Commit()
	if err := s.Flush(); err != nil {
		t.Fatalf("byte %d ^ %#x: %v", at, flip, err)
	}
	if r, err := s.Verify(nil); err != nil || len(r.Faults) > 0 {
		t.Fatalf("byte %d ^ %#x: after a new value of %q: %v, %v", at, flip, key, err, r.Faults)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// openFaulty opens a file of which Verify tells a fault outside of values: Open refuses it; or the file is as it was at
// one of its last writes; or the fault is in the length of a value, and all other values can be read.
func openFaulty(t *testing.T, path string, bad []byte, at int, want map[Key]string) {
	t.Helper()
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{Interval: time.Hour})
	if err != nil {
		if !strings.Contains(err.Error(), path) {
			t.Fatalf("byte %d: %v", at, err)
		}
		return
	}
	defer s.Close()
	r, err := s.Verify(nil)
	if err != nil || len(r.Faults) == 0 {
		t.Fatalf("byte %d: %v, %+v", at, err, r)
	}
	if r.Recovered {
		if got := content(t, s); len(got) > 0 && !maps.Equal(got, want) {
			t.Fatalf("byte %d: %d values", at, len(got))
		}
		return
	}
	faulty := map[string]bool{}
	for _, f := range r.Faults {
		faulty[f.Place] = true
	}
	for k, v := range want {
		got, ok, err := s.Get(k)
		if faulty[k.String()] {
			if err == nil || !strings.Contains(err.Error(), k.String()) {
				t.Fatalf("byte %d: %v is damaged, and Get returns %v", at, k, err)
			}
		} else if err != nil || !ok || string(got) != v {
			t.Fatalf("byte %d: %v: %q, %v, %v", at, k, got, ok, err)
		}
	}
}

// TestTruncated: a file that ends early is refused by name, at every length that takes away a page in use.
func TestTruncated(t *testing.T) {
	path, want := filled(t)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(good); n += 511 {
		if err := os.WriteFile(path, good[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, Options{})
		if err != nil && !strings.HasPrefix(err.Error(), "store: "+path+": page ") && !errors.Is(err, errNoStore) {
			t.Errorf("%d bytes: %v", n, err) // such as bbolt's "file size too small"
		}
		if err != nil {
			continue
		}
		if got := content(t, s); n < 9*pageSize || !maps.Equal(got, want) {
			t.Errorf("%d of %d bytes: opened, %d values", n, len(good), len(got))
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
