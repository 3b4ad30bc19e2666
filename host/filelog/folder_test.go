package filelog

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
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
	for n, s := range []string{"first", "second", "third"} {
		if err := f.Keep(ctx, "a", uint64(n), []byte(s)); err != nil {
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
	for most, want := range map[uint64]string{9: "third", 2: "third", 1: "second"} {
		if n, b, err := f.Kept(ctx, "a", most); err != nil || string(b) != want || n != min(most, 2) {
			t.Errorf("snapshot up to %d: number %d, %q, %v", most, n, b, err)
		}
	}
	if _, _, err := f.Kept(ctx, "a", 0); !errors.Is(err, host.ErrNone) { // the third took the place of the first
		t.Errorf("snapshot 0: %v", err)
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
