package filelog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/quarry2d/quarry/host"
)

// Folder is a host.Log in a folder. Its methods may be called from several goroutines.
type Folder struct {
	path string
	disk disk
	lock *os.File

	mu     sync.Mutex
	worlds map[string]*world
	closed bool
	late   bool          // see OpenLate
	end    chan struct{} // closed by Close; nil unless late
}

// Open opens a folder, and makes it if it is missing. It returns an error if another process has it open. Worlds are
// opened, and checked, when they are used.
func Open(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("filelog: %w", err)
	}
	lock, err := lockFile(filepath.Join(path, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("filelog: %s is in use by another process: %w", path, err)
	}
	return &Folder{path: path, disk: realDisk{}, lock: lock, worlds: map[string]*world{}}, nil
}

// OpenLate is Open of a folder whose records are flushed to the disk up to a second after Append returns, so that
// nobody waits for the disk. A kill of the process loses none. After a loss of power the last ones may be missing, or
// the log be damaged, which SetAside is for.
func OpenLate(path string) (*Folder, error) {
	f, err := Open(path)
	if err == nil {
		f.late, f.end = true, make(chan struct{})
		go f.flush(f.end)
	}
	return f, err
}

// flush flushes the records once a second.
func (f *Folder) flush(end <-chan struct{}) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-end:
			return
		case <-t.C:
		}
		f.mu.Lock()
		list := slices.Collect(maps.Values(f.worlds))
		f.mu.Unlock()
		for _, w := range list {
			w.flush()
		}
	}
}

// Close closes the folder. Calls that are under way end first.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	if f.end != nil {
		close(f.end)
	}
	var bad error
	for _, w := range f.worlds {
		w.mu.Lock()
		if w.log != nil {
			bad = errors.Join(bad, w.log.Sync(), w.log.Close())
		}
		w.log, w.failed = nil, errClosed
		w.mu.Unlock()
	}
	return errors.Join(bad, f.lock.Close())
}

var errClosed = errors.New("the folder is closed")

// Worlds returns the names of the worlds that have a log, sorted.
func (f *Folder) Worlds() (names []string, err error) {
	list, err := os.ReadDir(f.path)
	if err != nil {
		return nil, fmt.Errorf("filelog: %w", err)
	}
	for _, e := range list {
		if !e.IsDir() || host.CheckName(e.Name()) != nil {
			continue
		}
		if i, err := os.Stat(filepath.Join(f.path, e.Name(), "log")); err == nil && i.Size() > int64(len(magic)) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// world returns a world, open and locked. The caller unlocks it.
func (f *Folder) world(name string, make bool) (*world, error) {
	if err := host.CheckName(name); err != nil {
		return nil, fmt.Errorf("filelog: %w", err)
	}
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return nil, fmt.Errorf("filelog: world %s: %w", name, errClosed)
	}
	w := f.worlds[name]
	if w == nil {
		w = &world{path: filepath.Join(f.path, name), disk: f.disk, late: f.late}
		f.worlds[name] = w
	}
	f.mu.Unlock()
	w.mu.Lock()
	if err := w.open(make); err != nil {
		w.mu.Unlock()
		return nil, fmt.Errorf("filelog: world %s: %w", name, err)
	}
	return w, nil
}

// SetAside renames the folder of a world, which then has no log, whether that can be read or not. It returns the new
// path, and the intact snapshots, the newest first.
func (f *Folder) SetAside(name string) (path string, snapshots [][]byte, err error) {
	if err := host.CheckName(name); err != nil {
		return "", nil, fmt.Errorf("filelog: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.worlds[name]; w != nil {
		w.mu.Lock()
		if w.log != nil {
			w.log.Close()
		}
		w.log, w.failed = nil, errors.New("the log was set aside")
		w.mu.Unlock()
		delete(f.worlds, name)
	}
	for i := 1; path == "" || err == nil; i++ { // a name that is free; no name of a world has a dot
		path = filepath.Join(f.path, fmt.Sprintf("%s.bad%d", name, i))
		_, err = os.Lstat(path)
	}
	if err := os.Rename(filepath.Join(f.path, name), path); err != nil {
		return "", nil, fmt.Errorf("filelog: world %s: %w", name, err)
	}
	w := &world{path: path, disk: f.disk}
	for most := uint64(maxRecords); most > 0; {
		n, b, err := w.kept(most)
		if errors.Is(err, host.ErrNone) {
			break
		}
		if err != nil {
			return path, nil, fmt.Errorf("filelog: world %s: %w", name, err)
		}
		snapshots, most = append(snapshots, b), n-1
	}
	return path, snapshots, nil
}

// Append implements host.Log. It makes the world if after is 0.
func (f *Folder) Append(_ context.Context, name string, after uint64, record []byte) (uint64, error) {
	w, err := f.world(name, after == 0)
	if err != nil {
		return 0, err
	}
	defer w.mu.Unlock()
	if after != w.last() {
		return 0, fmt.Errorf("filelog: world %s: record %d is the last, not %d: %w", name, w.last(), after,
			host.ErrRefused)
	}
	if err := w.append(record); err != nil {
		return 0, fmt.Errorf("filelog: world %s: record %d: %w", name, after+1, err)
	}
	return after + 1, nil
}

// Read implements host.Log.
func (f *Folder) Read(ctx context.Context, name string, after uint64, do func(uint64, []byte) error) error {
	w, err := f.world(name, false)
	if err != nil {
		return err
	}
	base, last := w.base, w.last()
	w.mu.Unlock()
	if after > 0 && after <= base {
		return fmt.Errorf("filelog: world %s: record %d: %w", name, after, host.ErrTrimmed)
	}
	after = max(after, base)
	for n := after + 1; n <= last; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := w.read(n)
		if err != nil {
			return fmt.Errorf("filelog: world %s: record %d: %w", name, n, err)
		}
		if err := do(n, b); err != nil {
			return err
		}
	}
	return nil
}

// Keep implements host.Log.
func (f *Folder) Keep(_ context.Context, name string, number uint64, snapshot []byte) error {
	w, err := f.world(name, false)
	if err != nil {
		return err
	}
	first, last := w.base+1, w.last()
	w.mu.Unlock() // records need not wait for the snapshot
	if number < first || number > last {
		return fmt.Errorf("filelog: world %s: a snapshot with record %d, and there are records %d to %d", name, number,
			first, last)
	}
	w.keeping.Lock()
	defer w.keeping.Unlock()
	if err := w.keep(number, snapshot); err != nil {
		return fmt.Errorf("filelog: world %s: snapshot %d: %w", name, number, err)
	}
	return nil
}

// Trim implements host.Log. The records that stay are written to a new file, which replaces the log.
func (f *Folder) Trim(_ context.Context, name string, number uint64, whole bool) error {
	w, err := f.world(name, false)
	if err != nil {
		return err
	}
	defer w.mu.Unlock()
	if err := w.trim(number, whole); err != nil {
		return fmt.Errorf("filelog: world %s: trim to snapshot %d: %w", name, number, err)
	}
	return nil
}

// Kept implements host.Log. A snapshot that is damaged is passed over.
func (f *Folder) Kept(_ context.Context, name string, most uint64) (uint64, []byte, error) {
	w, err := f.world(name, false)
	if err != nil {
		return 0, nil, err
	}
	defer w.mu.Unlock()
	return w.kept(most)
}
