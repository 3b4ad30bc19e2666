package filelog

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/host"
)

var ctx = context.Background()

func open(t *testing.T, path string) *Folder {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// records returns the records of a world after a number.
func records(t testing.TB, f *Folder, name string, after uint64) (list [][]byte) {
	t.Helper()
	err := f.Read(ctx, name, after, func(n uint64, b []byte) error {
		if want := after + uint64(len(list)) + 1; n != want {
			t.Errorf("record %d, want %d", n, want)
		}
		list = append(list, b)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func add(t testing.TB, f *Folder, name string, after uint64, record string) {
	t.Helper()
	if n, err := f.Append(ctx, name, after, []byte(record)); n != after+1 || err != nil {
		t.Fatalf("record %d: number %d, %v", after+1, n, err)
	}
}

// What was appended is there after the folder was opened again, by one process at a time.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	f := open(t, dir)
	add(t, f, "a", 0, "one")
	add(t, f, "a", 1, "")
	add(t, f, "lock", 0, "a world of that name, too")
	if _, err := f.Append(ctx, "a", 1, []byte("two")); !errors.Is(err, host.ErrRefused) {
		t.Errorf("an append after the wrong record: %v", err)
	}
	if _, err := f.Append(ctx, "../a", 0, []byte("two")); err == nil {
		t.Error("a world outside of the folder was made")
	}
	if _, err := f.Append(ctx, "b", 1, []byte("two")); err == nil {
		t.Error("a world without a first record was made")
	}
	if _, err := f.Append(ctx, "a", 2, make([]byte, MaxRecord+1)); err == nil {
		t.Error("a record that is too long was appended")
	}
	if _, err := Open(dir); err == nil {
		t.Error("the folder was opened twice")
	}
	if err := f.Keep(ctx, "a", 3, nil); err == nil {
		t.Error("a snapshot with a record that is not there was kept")
	}
	for n, s := range []string{"first", "second", "third"} { // the third does not take the place of the second
		if err := f.Keep(ctx, "a", uint64(min(n+1, 2)), []byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Append(ctx, "a", 2, []byte("two")); !errors.Is(err, errClosed) {
		t.Errorf("an append to a closed folder: %v", err)
	}

	f = open(t, dir)
	if names, err := f.Worlds(); err != nil || !slices.Equal(names, []string{"a", "lock"}) {
		t.Errorf("worlds %q, %v", names, err)
	}
	if list := records(t, f, "a", 0); len(list) != 2 || string(list[0]) != "one" || len(list[1]) != 0 {
		t.Errorf("records %q", list)
	}
	if list := records(t, f, "a", 1); len(list) != 1 {
		t.Errorf("records after 1: %q", list)
	}
	for most, want := range map[uint64]string{9: "second", 2: "second", 1: "first"} {
		if n, b, err := f.Kept(ctx, "a", most); err != nil || string(b) != want || n != min(most, 2) {
			t.Errorf("snapshot up to %d: number %d, %q, %v", most, n, b, err)
		}
	}
	if _, _, err := f.Kept(ctx, "a", 0); !errors.Is(err, host.ErrNone) { // there is none of no record
		t.Errorf("snapshot 0: %v", err)
	}
}

// A log that is trimmed regularly stays small, however many records it has had, and has the same records after it has
// been opened again.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	last, size := uint64(0), func() (n int64) {
		for _, name := range []string{"log", snapshotName + "*"} {
			list, _ := filepath.Glob(filepath.Join(dir, "a", name))
			for _, p := range list {
				i, err := os.Stat(p)
				if err != nil {
					t.Fatal(err)
				}
				n += i.Size()
			}
		}
		return n
	}
	for round := range uint64(20) {
		for range 100 {
			add(t, f, "a", last, "a record of a hundred bytes, more or less, as those of players are, and some more")
			last++
		}
		if err := f.Keep(ctx, "a", last, []byte("a snapshot")); err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			continue
		}
		if err := f.Trim(ctx, "a", last-100, false); err != nil {
			t.Fatal(err)
		}
		if n := size(); n > 12_000 {
			t.Fatalf("%d bytes after %d records", n, last)
		}
		if round%5 == 4 {
			f.Close()
			f = open(t, dir)
		}
		if n := len(records(t, f, "a", last-100)); n != 100 {
			t.Fatalf("%d records after the snapshot", n)
		}
		if err := f.Read(ctx, "a", last-101, nil); !errors.Is(err, host.ErrTrimmed) {
			t.Fatalf("a reading of what was trimmed: %v", err)
		}
		if n, _, err := f.Kept(ctx, "a", last-101); !errors.Is(err, host.ErrNone) {
			t.Fatalf("snapshot %d, %v", n, err)
		}
	}
	if err := f.Trim(ctx, "a", last-1, false); !errors.Is(err, host.ErrNone) {
		t.Errorf("trimmed to a snapshot that is not there: %v", err)
	}
	if err := f.Keep(ctx, "a", last-101, nil); err == nil {
		t.Error("a snapshot was kept whose records were trimmed")
	}
	for range 2 {
		add(t, f, "a", last, "a record")
		last++
		if err := f.Keep(ctx, "a", last, []byte("a snapshot")); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Trim(ctx, "a", last, true); err != nil {
		t.Fatal(err)
	}
	if n := len(records(t, f, "a", last-102)); n != 102 {
		t.Errorf("%d records after a trim that keeps them", n)
	}
	if n, _, err := f.Kept(ctx, "a", last-1); n != last-102 || err != nil {
		t.Errorf("snapshot %d, %v, want the snapshot of the first record", n, err)
	}
	f.Close()
	name := filepath.Join(dir, "a", "log")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(magic)+headBytes] ^= 1
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := open(t, dir).Read(ctx, "a", 0, nil); err == nil || !strings.Contains(err.Error(), "first record") {
		t.Errorf("a log whose first record is damaged: %v", err)
	}
}

// A damaged snapshot is passed over; a log that ends before a snapshot is refused.
func TestDamagedSnapshot(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	add(t, f, "a", 0, "one")
	add(t, f, "a", 1, "two")
	for n := uint64(1); n <= 2; n++ {
		if err := f.Keep(ctx, "a", n, []byte("a snapshot")); err != nil {
			t.Fatal(err)
		}
	}
	newest := filepath.Join(dir, "a", snapshotName+"0000000000000002")
	b, err := os.ReadFile(newest)
	if err != nil {
		t.Fatal(err)
	}
	b[7] ^= 1
	if err := os.WriteFile(newest, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if n, _, err := f.Kept(ctx, "a", 9); n != 1 || err != nil {
		t.Errorf("snapshot %d, %v", n, err)
	}
	f.Close()
	log := filepath.Join(dir, "a", "log")
	if b, err = os.ReadFile(log); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, b[:len(b)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	f = open(t, dir)
	if err := f.Read(ctx, "a", 0, nil); err == nil || !bytes.Contains([]byte(err.Error()),
		[]byte("a snapshot contains record 2")) {
		t.Errorf("a log without record 2: %v", err)
	}
}
