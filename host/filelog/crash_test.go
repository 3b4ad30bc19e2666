package filelog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/host"
)

// crashDisk is a disk in memory that fails and crashes. Like a real one, it keeps only what was flushed, and any part
// of the rest.
type crashDisk struct {
	t     *rapid.T
	files map[string]*crashFile // as a process sees them
	safe  map[string]*crashFile // entries that are safe
	fails int                   // one call in that many fails; 0: none
}

// crashFile is a file. Two entries may be one file.
type crashFile struct {
	d       *crashDisk
	now     []byte
	flushed []byte
}

var errDisk = errors.New("no space left on the device")

// fail returns an error now and then.
func (d *crashDisk) fail() error {
	if d.fails > 0 && rapid.IntRange(1, d.fails).Draw(d.t, "fails") == 1 {
		return errDisk
	}
	return nil
}

func (d *crashDisk) MakeDir(string) error { return d.fail() }

func (d *crashDisk) Open(path string) (file, error) {
	if err := d.fail(); err != nil {
		return nil, err
	}
	if d.files[path] == nil {
		return nil, fs.ErrNotExist
	}
	return d.files[path], nil
}

func (d *crashDisk) Replace(path string, b []byte) error {
	if err := d.fail(); err != nil {
		return err
	}
	b = slices.Clone(b)
	d.files[path] = &crashFile{d, b, b}
	return d.SyncDir("")
}

func (d *crashDisk) Read(path string) ([]byte, error) {
	if err := d.fail(); err != nil {
		return nil, err
	}
	if f := d.files[path]; f != nil {
		return slices.Clone(f.now), nil
	}
	return nil, fs.ErrNotExist
}

func (d *crashDisk) Remove(path string) error {
	if err := d.fail(); err != nil {
		return err
	}
	delete(d.files, path)
	return nil
}

func (d *crashDisk) List(dir string) (names []string, err error) {
	for _, path := range slices.Sorted(maps.Keys(d.files)) {
		if name, ok := strings.CutPrefix(path, dir+"/"); ok {
			names = append(names, name)
		}
	}
	return names, d.fail()
}

func (d *crashDisk) SyncDir(string) error {
	if err := d.fail(); err != nil {
		return err
	}
	d.safe = maps.Clone(d.files)
	return nil
}

// crash forgets what is not safe: each entry may be the old one or the new one, and of the bytes that were not flushed
// any may be there, in place of the old ones or of zeros.
func (d *crashDisk) crash() {
	files := map[string]*crashFile{}
	for _, path := range slices.Sorted(maps.Keys(d.files)) {
		if d.safe[path] == d.files[path] || rapid.Bool().Draw(d.t, "entry") {
			files[path] = d.files[path]
		}
	}
	for path, f := range d.safe {
		if files[path] == nil && d.files[path] != nil {
			files[path] = f
		}
	}
	for _, path := range slices.Sorted(maps.Keys(d.safe)) {
		if d.files[path] == nil && rapid.Bool().Draw(d.t, "removed") {
			files[path] = d.safe[path]
		}
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		files[path].crash()
	}
	d.files, d.safe = files, maps.Clone(files)
}

func (f *crashFile) crash() {
	n := min(len(f.now), len(f.flushed))
	most := max(len(f.now), len(f.flushed))
	b := make([]byte, rapid.IntRange(n, most).Draw(f.d.t, "size"))
	copy(b, f.flushed)
	for i := range b { // blocks of 4 bytes
		if i%4 == 0 && i < len(f.now) && rapid.Bool().Draw(f.d.t, "block") {
			copy(b[i:], f.now[i:min(i+4, len(f.now))])
		}
	}
	f.now, f.flushed = b, slices.Clone(b)
}

func (f *crashFile) ReadAll() ([]byte, error) { return slices.Clone(f.now), f.d.fail() }

func (f *crashFile) ReadAt(b []byte, at int64) error {
	if at > int64(len(f.now)) || copy(b, f.now[at:]) < len(b) {
		return io.ErrUnexpectedEOF
	}
	return f.d.fail()
}

func (f *crashFile) WriteAt(b []byte, at int64) error {
	err := f.d.fail()
	if err != nil { // a part is written
		b = b[:rapid.IntRange(0, len(b)).Draw(f.d.t, "part")]
	}
	if n := int(at) + len(b); n > len(f.now) {
		f.now = append(f.now, make([]byte, n-len(f.now))...)
	}
	copy(f.now[at:], b)
	return err
}

func (f *crashFile) Sync() error {
	if err := f.d.fail(); err != nil {
		return err
	}
	f.flushed = slices.Clone(f.now)
	return nil
}

func (f *crashFile) Truncate(size int64) error {
	if err := f.d.fail(); err != nil {
		return err
	}
	f.now = f.now[:size:size]
	return nil
}

func (f *crashFile) Close() error { return nil }

// Whatever the disk does, a record whose Append returned no error is there after any crash, with its number, unless it
// is before a snapshot to which the log was trimmed, and a snapshot that Kept returns is one that was given to Keep.
func TestCrash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &crashDisk{t: t, files: map[string]*crashFile{}, safe: map[string]*crashFile{}}
		var acked [][]byte             // records that are there for sure
		var maybe [][]byte             // those whose Append failed after acked
		kept := uint64(0)              // the newest snapshot that is there for sure
		cut, trimmed := 0, 0           // numbers of records that may be trimmed, and that are for sure
		tried := map[uint64][]string{} // and those that may be
		for life := range rapid.IntRange(1, 4).Draw(t, "lives") {
			f := &Folder{path: "dir", disk: d, worlds: map[string]*world{}}
			d.fails = rapid.SampledFrom([]int{0, 5, 20}).Draw(t, "one call fails in")
			for range rapid.IntRange(0, 12).Draw(t, "calls") {
				n := uint64(len(acked))
				record := fmt.Appendf(nil, "%d.%d %s", life, n, strings.Repeat("x", rapid.IntRange(0, 20).Draw(t,
					"length")))
				if rapid.IntRange(0, 3).Draw(t, "keep") == 0 && n > 0 {
					s := fmt.Sprint("snapshot ", life, n)
					tried[n] = append(tried[n], s)
					if f.Keep(ctx, "a", n, []byte(s)) == nil {
						kept = n
					}
					continue
				}
				if rapid.IntRange(0, 3).Draw(t, "trim") == 0 && kept > 0 {
					cut = int(kept) - 1
					if f.Trim(ctx, "a", kept, false) == nil {
						trimmed = cut
					}
					continue
				}
				_, err := f.Append(ctx, "a", n, record)
				switch {
				case err == nil:
					acked, maybe = append(acked, record), nil
				case errors.Is(err, host.ErrRefused):
					t.Fatal(err)
				default:
					maybe = append(maybe, record)
				}
			}
			d.fails = 0
			if rapid.Bool().Draw(t, "crash") {
				d.crash()
			}
			f = &Folder{path: "dir", disk: d, worlds: map[string]*world{}}
			if len(acked)+len(maybe) == 0 {
				continue
			}
			var list [][]byte
			base := trimmed
			err := f.Read(ctx, "a", 0, func(n uint64, b []byte) error {
				if list == nil {
					base = int(n) - 1
				}
				list = append(list, b)
				return nil
			})
			if base < trimmed || base > cut {
				t.Fatalf("%d records are trimmed, want %d to %d", base, trimmed, cut)
			}
			trimmed = base
			list = append(slices.Clone(acked[:base]), list...)
			if err != nil && (len(acked) > 0 || !errors.Is(err, fs.ErrNotExist)) {
				t.Fatal(err)
			}
			if len(list) > len(acked) {
				extra := list[len(acked)]
				if len(list) > len(acked)+1 || !slices.ContainsFunc(maybe,
					func(b []byte) bool { return string(b) == string(extra) }) {
					t.Fatalf("records %q after %q", list[len(acked):], acked)
				}
				acked, maybe = append(acked, extra), nil
			}
			if len(list) != len(acked) {
				t.Fatalf("%d records, want %d", len(list), len(acked))
			}
			for i := range acked {
				if string(list[i]) != string(acked[i]) {
					t.Fatalf("record %d is %q, want %q", i+1, list[i], acked[i])
				}
			}
			if len(acked) == 0 {
				continue
			}
			n, b, err := f.Kept(ctx, "a", 1<<60)
			if err != nil && !errors.Is(err, host.ErrNone) {
				t.Fatal(err)
			}
			if kept > 0 && (err != nil || n < kept) {
				t.Fatalf("snapshot %d is lost: %d, %v", kept, n, err)
			}
			if err == nil && !slices.Contains(tried[n], string(b)) {
				t.Fatalf("snapshot %d is %q, want one of %q", n, b, tried[n])
			}
		}
	})
}
