package filelog

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/quarry2d/quarry/host"
)

// A log that cannot be read is set aside with its intact snapshots, and the world can begin anew.
func TestSetAside(t *testing.T) {
	dir := t.TempDir()
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	fill := func() {
		t.Helper()
		for i := range 9 {
			if _, err := f.Append(ctx, "w", uint64(i), []byte("a record that is long enough")); err != nil {
				t.Fatal(err)
			}
		}
		for n, b := range map[uint64]string{3: "old", 5: "bad", 8: "new"} {
			if err := f.Keep(ctx, "w", n, []byte(b)); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill()
	f.Close()
	for name, at := range map[string]int{"log": 100, snapshotName + "0000000000000005": 5} {
		path := filepath.Join(dir, "w", name)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b[at] ^= 1
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if f, err = Open(dir); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, _, err := f.Kept(ctx, "w", 9); err == nil {
		t.Fatal("a damaged log is opened")
	}
	for range 2 { // the second one is whole
		path, snapshots, err := f.SetAside("w")
		if err != nil || filepath.Dir(path) != dir || string(snapshots[0]) != "new" ||
			string(snapshots[len(snapshots)-1]) != "old" {
			t.Fatalf("%s: %q, %v", path, snapshots, err)
		}
		if _, err := os.Stat(filepath.Join(path, "log")); err != nil {
			t.Error(err)
		}
		fill()
	}
	if list, err := f.Worlds(); err != nil || len(list) != 1 {
		t.Errorf("worlds %q, %v", list, err)
	}
	if _, _, err := f.SetAside("none"); err == nil {
		t.Error("a world that is not there was set aside")
	}
}

// Records of OpenLate are in the file when Append returns, so that a kill loses none, and a short log is not rewritten.
func TestOpenLate(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenLate(dir)
	if err != nil {
		t.Fatal(err)
	}
	record := make([]byte, 1000)
	killed := func() (first, last uint64) { // reads the files as another process would
		t.Helper()
		at := t.TempDir()
		if err := os.CopyFS(at, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		f, err := Open(at)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.Read(ctx, "w", 0, func(n uint64, _ []byte) error {
			if last = n; first == 0 {
				first = n
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return first, last
	}
	for n := uint64(1); n <= 1200; n++ {
		if _, err := f.Append(ctx, "w", n-1, record); err != nil {
			t.Fatal(err)
		}
		if n%100 != 0 {
			continue
		}
		if err := f.Keep(ctx, "w", n, []byte("a snapshot")); err != nil {
			t.Fatal(err)
		}
		if err := f.Trim(ctx, "w", n, false); err != nil {
			t.Fatal(err)
		}
		first, last := killed()
		if last != n || first != 1 && n < 1000 || first != n && n == 1100 {
			t.Errorf("records %d to %d, want the last to be %d", first, last, n)
		}
	}
	w, err := f.world("w", false)
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Unlock()
	if w.flush(); w.dirty || w.failed != nil {
		t.Errorf("not flushed: %v", w.failed)
	}
	w.fail(errors.New("no space"))
	if _, err := f.Append(ctx, "w", 1200, record); err == nil || errors.Is(err, host.ErrRefused) {
		t.Errorf("after an error of the disk: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
