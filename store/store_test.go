package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// open opens a store that writes only when told to.
func openQuiet(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(path, Options{Interval: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// content returns all that s holds.
func content(t testing.TB, s *Store) map[Key]string {
	t.Helper()
	all := map[Key]string{}
	for k, err := range s.Keys() {
		if err != nil {
			t.Fatal(err)
		}
		v, ok, err := s.Get(k)
		if err != nil || !ok {
			t.Fatalf("%v: %v, %v", k, ok, err)
		}
		all[k] = string(v)
	}
	return all
}

// filled returns the path of a closed file with records and chunks, and its content: some values compressed, one longer
// than a page.
func filled(t testing.TB) (string, map[Key]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := openQuiet(t, path)
	rng := rand.New(rand.NewPCG(1, 2))
	want := map[Key]string{Record("world"): strings.Repeat("a world ", 200), Record("name"): "cave"}
	for y := range int32(5) {
		for x := range int32(8) {
			b := make([]byte, 20+rng.IntN(100))
			for k := range b {
				b[k] = byte(rng.Uint32())
			}
			want[Chunk("1", x-3, y-2)] = string(b)
		}
	}
	long := make([]byte, 5000)
	for k := range long {
		long[k] = byte(rng.Uint32())
	}
	want[Chunk("the second", 0, 0)] = string(long)
	want[Chunk("the second", -1<<31, 1<<31-1)] = ""
	for k, v := range want {
		s.Put(k, []byte(v))
	}
	s.Commit()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path, want
}

// TestKeepsWhatWasPut: a store equals a map, through commits, flushes and reopening, in memory and in a file; what was
// not committed is gone when the file was not closed.
func TestKeepsWhatWasPut(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n, ".db"))
		inFile := rapid.Bool().Draw(t, "in a file")
		s := Memory()
		open := func() {
			var err error
			if s, err = Open(path, Options{Interval: time.Hour}); err != nil {
				t.Fatal(err)
			}
		}
		if inFile {
			open()
		}
		key := rapid.Custom(func(t *rapid.T) Key {
			if rapid.Bool().Draw(t, "record") {
				return Record(rapid.SampledFrom([]string{"a", "b", "\x00", strings.Repeat("r", 255)}).Draw(t, "name"))
			}
			return Chunk(rapid.SampledFrom([]string{"1", "12", strings.Repeat("g", 255)}).Draw(t, "ground"),
				rapid.Int32Range(-2, 2).Draw(t, "x"), rapid.SampledFrom([]int32{-1 << 31, 0, 1, 1<<31 - 1}).Draw(t,
					"y"))
		})
		value := rapid.OneOf(rapid.SliceOfN(rapid.Byte(), 0, 300), rapid.Custom(func(t *rapid.T) []byte {
			return bytes.Repeat([]byte{7}, rapid.IntRange(0, 20000).Draw(t, "length"))
		}))
		model, committed := map[Key]string{}, map[Key]string{}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				k, v := key.Draw(t, "key"), value.Draw(t, "value")
				s.Put(k, v)
				model[k] = string(v)
				for i := range v {
					v[i]++ // the store has a copy
				}
			},
			"delete": func(t *rapid.T) {
				k := key.Draw(t, "key")
				s.Delete(k)
				delete(model, k)
			},
			"commit": func(*rapid.T) {
				s.Commit()
				committed = maps.Clone(model)
			},
			"flush": func(t *rapid.T) {
				if err := s.Flush(); err != nil {
					t.Fatal(err)
				}
			},
			"reopen": func(t *rapid.T) {
				if !inFile {
					return
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				open()
				model = maps.Clone(committed)
			},
			"": func(t *rapid.T) {
				got := map[Key]string{}
				last := ""
				for k, err := range s.Keys() {
					if err != nil {
						t.Fatal(err)
					}
					if e := k.encode(); e <= last {
						t.Fatalf("%v comes after %q", k, last)
					} else {
						last = e
					}
					v, ok, err := s.Get(k)
					if err != nil || !ok {
						t.Fatalf("%v: %v, %v", k, ok, err)
					}
					got[k] = string(v)
				}
				if !maps.Equal(got, model) {
					t.Fatalf("%d values, and %d in the model: %v, %v", len(got), len(model), got, model)
				}
				if _, ok, err := s.Get(Record("never put")); ok || err != nil {
					t.Fatal(ok, err)
				}
			},
		})
		s.Commit()
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
		r, err := s.Verify(nil)
		if err != nil || len(r.Faults) > 0 {
			t.Fatal(err, r.Faults)
		}
		count := len(r.Records)
		for _, g := range r.Grounds {
			count += g.Chunks
		}
		if count != len(model) {
			t.Fatalf("Verify counts %d values, the model %d", count, len(model))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestUncommittedIsNotWritten: a write of the file has whole moments only, also one by the goroutine.
func TestUncommittedIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	s, err := Open(path, Options{Interval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	a, b := Record("a"), Record("b")
	s.Put(a, []byte("1"))
	s.Put(b, []byte("1"))
	s.Commit()
	s.Put(a, []byte("2"))
	for { // until the goroutine has written the first moment
		if v, err := s.back.get(a.encode()); err != nil {
			t.Fatal(err)
		} else if v != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	v, err := s.back.get(a.encode())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decodeValue(a.encode(), v); string(got) != "1" || err != nil {
		t.Errorf("the file has %q, %v before the second moment ends", got, err)
	}
	if got, _, err := s.Get(a); string(got) != "2" || err != nil {
		t.Errorf("Get returns %q, %v: it must see what is queued", got, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err == nil {
		t.Error("a second Close succeeded")
	}
	s = openQuiet(t, path)
	if got, _, err := s.Get(a); string(got) != "1" || err != nil {
		t.Errorf("after Close the file has %q, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s.Put(a, nil)
	s.Commit()
	if err := s.Flush(); !errors.Is(err, errClosed) {
		t.Error("Flush of a closed store:", err)
	}
	if _, _, err := s.Get(b); !errors.Is(err, errClosed) {
		t.Error("Get of a closed store:", err)
	}
}

// TestOpenRefuses: files that cannot be opened are errors that name the file and the reason, and stay as they are.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	held := filepath.Join(dir, "held.db")
	holder := openQuiet(t, held)
	for _, c := range []struct {
		path, says string
		o          Options
	}{
		{put("empty", ""), "it is not a quarry world file", Options{}},
		{put("text", strings.Repeat("text", 20000)), "it is not a quarry world file", Options{}},
		{put("short", "text"), "it is not a quarry world file", Options{}},
		{dir, "it is not a plain file", Options{}},
		{filepath.Join(dir, "none"), "no such file", Options{MustExist: true}},
		{filepath.Join(dir, "none"), "no such file", Options{ReadOnly: true}},
		{filepath.Join(dir, "no", "folder"), "no such file", Options{}},
		{held, "another program has the file open", Options{}},
		{held, "another program has the file open", Options{ReadOnly: true}},
	} {
		before, _ := os.ReadFile(c.path)
		s, err := Open(c.path, c.o)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(),
			"store: "+c.path+": ") || strings.Count(err.Error(), c.path) > 1 {
			t.Errorf("%s: %v; it must say %q", c.path, err, c.says)
		}
		if err == nil {
			_ = s.Close()
		}
		if after, _ := os.ReadFile(c.path); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", c.path)
		}
	}
	if err := holder.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 4 {
		t.Errorf("refused files left something: %v, %v", names, err)
	}
}

// TestReadOnly: two readers at once, and changes are refused.
func TestReadOnly(t *testing.T) {
	path, want := filled(t)
	a, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(content(t, a), want) || !maps.Equal(content(t, b), want) {
		t.Error("the content differs")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	a.Put(Record("a"), nil)
	a.Commit()
	if err := a.Close(); err == nil || !strings.Contains(err.Error(), path+": 1 changes: the file was opened with "+
		"Options.ReadOnly") {
		t.Error(err)
	}
}

// TestMistakes: keys that are none panic.
func TestMistakes(t *testing.T) {
	s := Memory()
	for _, k := range []Key{
		{},
		{Ground: "g", Record: "r"},
		{Record: "r", X: 1},
		{Ground: strings.Repeat("g", 256)},
		{Record: strings.Repeat("r", 256)},
		{Record: "quarry"},
	} {
		for name, call := range map[string]func(){
			"Get": func() { _, _, _ = s.Get(k) }, "Put": func() { s.Put(k, nil) }, "Delete": func() { s.Delete(k) },
		} {
			func() {
				defer func() {
					if r, _ := recover().(string); !strings.HasPrefix(r, "quarry: store: "+name+": ") {
						t.Errorf("%s(%+v): %q", name, k, r)
					}
				}()
				call()
			}()
		}
	}
}

// TestFailedWriteLosesNothing: after a failed write Err and Flush tell of it, all moments stay queued, and the next
// write has them.
func TestFailedWriteLosesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := openQuiet(t, path)
	f := &failing{backend: s.back}
	s.back = f // before the first Commit, which wakes the goroutine that writes
	a, b := Record("a"), Record("b")
	s.Put(a, []byte("1"))
	s.Put(b, []byte("1"))
	s.Commit()
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	f.fail(fs.ErrInvalid)
	s.Put(a, []byte("2"))
	s.Commit()
	if err := s.Flush(); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), path) ||
		!errors.Is(s.Err(), fs.ErrInvalid) {
		t.Errorf("%v, %v", err, s.Err())
	}
	s.Put(a, []byte("3"))
	s.Delete(b)
	s.Commit()
	if err := s.Flush(); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	if got := content(t, s); !maps.Equal(got, map[Key]string{a: "3"}) {
		t.Error(got)
	}
	f.fail(nil)
	if err := s.Flush(); err != nil || s.Err() != nil {
		t.Error(err, s.Err())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openQuiet(t, path)
	defer s.Close()
	if got := content(t, s); !maps.Equal(got, map[Key]string{a: "3"}) {
		t.Error(got)
	}
}

// failing fails to write while it has an error. Store's own goroutine writes, too, so a lock guards the error.
type failing struct {
	backend
	mu  sync.Mutex
	err error
}

// fail sets the error of the writes to come, nil for none.
func (f *failing) fail(err error) {
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
}

func (f *failing) write(changes map[string][]byte) error {
	f.mu.Lock()
	err := f.err
	f.mu.Unlock()
	if err != nil {
		return err
	}
	return f.backend.write(changes)
}

// TestReportCounts: the report of a file that is well.
func TestReportCounts(t *testing.T) {
	path, want := filled(t)
	s, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	calls, last := 0, int64(0)
	r, err := s.Verify(func(done, all int64) {
		if calls++; done < last || done > all {
			t.Errorf("%d of %d after %d", done, all, last)
		}
		last = done
	})
	if err != nil || len(r.Faults) > 0 || calls == 0 {
		t.Fatal(err, r, calls)
	}
	bytes := map[string]int64{}
	for k, v := range want {
		bytes[k.Ground] += int64(len(v))
	}
	if len(r.Records) != 2 || r.Records[0].Name != "name" || r.Records[0].Bytes != 4 ||
		r.Records[1].Size >= r.Records[1].Bytes {
		t.Errorf("%+v", r.Records)
	}
	first := GroundReport{
		Name: "1", Chunks: 40, Unloaded: 40, Bytes: bytes["1"], Size: r.Grounds[0].Size, MinX: -3,
		MinY: -2, MaxX: 4, MaxY: 2,
	}
	second := GroundReport{
		Name: "the second", Chunks: 2, Unloaded: 2, Bytes: bytes["the second"],
		Size: r.Grounds[1].Size, MinX: -1 << 31, MaxX: 0, MinY: 0, MaxY: 1<<31 - 1,
	}
	if !slices.Equal(r.Grounds, []GroundReport{first, second}) {
		t.Errorf("%+v", r.Grounds)
	}
}
