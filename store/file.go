//go:build !(js || wasip1 || plan9)

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// file is a bbolt file with one bucket. Its list of free pages is not stored but rebuilt by Open, so that no damaged
// byte in it can lead to a page in use being overwritten.
type file struct {
	path string
	db   *bbolt.DB
}

// lockPatience is the time for which Open waits for another program to close the file.
const lockPatience = 500 * time.Millisecond

// permissions of a new file, of which the umask removes some.
const permissions = 0o666

func openFile(path string, o Options) (backend, error) {
	refuse := func(err error) (backend, error) {
		var p *fs.PathError
		var f *Fault
		if errors.As(err, &f) {
			return nil, err
		} else if errors.As(err, &p) {
			err = p.Err
		} else if errors.Is(err, bolterrors.ErrTimeout) {
			err = errors.New("another program has the file open")
		}
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist) && !o.ReadOnly && !o.MustExist:
		if err := create(path); err != nil {
			return refuse(err)
		}
	case err != nil:
		return refuse(err)
	case !info.Mode().IsRegular():
		return refuse(errors.New("it is not a plain file"))
	case info.Size() == 0:
		return refuse(errNoStore) // bbolt would fill it
	case info.Size() < 2*pageSize:
		if err := checkStructure(path); err != nil {
			return refuse(err) // bbolt says only that the file is too small
		}
	}
	if !o.ReadOnly {
		// bbolt would report a file that cannot be written only after the file is read.
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return refuse(err)
		}
		if err := f.Close(); err != nil {
			return refuse(err)
		}
	}
	// bbolt trusts a file's structure, and may crash if it is damaged. So it is checked first, with the file locked
	// against writers: as a reader, bbolt looks only at the first two pages.
	check, err := open(path, true)
	if err != nil {
		return refuse(err)
	}
	if err := checkStructure(path); err != nil {
		return refuse(errors.Join(err, check.close()))
	}
	if o.ReadOnly {
		return check, nil
	}
	if err := check.close(); err != nil {
		return refuse(err)
	}
	f, err := open(path, false)
	if err != nil {
		return refuse(err)
	}
	return f, nil
}

// open opens the bbolt file path.
func open(path string, readOnly bool) (f *file, err error) {
	defer guard(&err)()
	db, err := bbolt.Open(path, permissions, &bbolt.Options{
		Timeout: lockPatience, ReadOnly: readOnly,
		NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, PageSize: pageSize,
	})
	switch {
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err,
		bolterrors.ErrVersionMismatch):
		// Say whether it is no store at all, or what is damaged.
		if fault := checkStructure(path); fault != nil {
			return nil, fault
		}
		return nil, err
	case err != nil:
		return nil, err
	}
	return &file{path, db}, nil
}

// create makes an empty store at path, which does not exist: completely or not at all.
func create(path string) error {
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".quarry-%016x", rand.Uint64()))
	err := func() error {
		f, err := open(temporary, false)
		if err != nil {
			return err
		}
		// bbolt makes a file with a list of free pages; two writes replace both its first pages by such without.
		for range 2 {
			if err := f.write(nil); err != nil {
				return errors.Join(err, f.close())
			}
		}
		return f.close()
	}()
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		if e := os.Remove(temporary); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes the names in a folder last. Systems that cannot do so are believed to need it not.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // refused by some systems for folders
	return d.Close()
}

// guard turns a panic of bbolt, or a fault in reading mapped memory, as of a file that has become shorter, into an
// error. Its result is to be deferred.
func guard(err *error) func() {
	was := debug.SetPanicOnFault(true)
	return func() {
		if r := recover(); r != nil {
			*err = fmt.Errorf("the file is damaged, or was changed by another program: %v", r)
		}
		debug.SetPanicOnFault(was)
	}
}

func (f *file) get(key string) (v []byte, err error) {
	defer guard(&err)()
	err = f.db.View(func(tx *bbolt.Tx) error {
		if b := tx.Bucket([]byte(bucket)); b != nil {
			v = slices.Clone(b.Get([]byte(key)))
		}
		return nil
	})
	return v, err
}

func (f *file) write(changes map[string][]byte) (err error) {
	defer guard(&err)()
	return f.db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte(bucket))
		if err != nil {
			return err
		}
		var t totals
		head := []byte(headKey.encode())
		if old := b.Get(head); old != nil {
			if t, err = decodeTotals(old); err != nil {
				return &Fault{File: f.path, Place: headKey.String(), Err: err}
			}
		}
		count := false
		for _, key := range slices.Sorted(maps.Keys(changes)) {
			v := changes[key]
			if old := b.Get([]byte(key)); old != nil && (len(old) < valueHead || storedSum(old) != checksum(key, old)) {
				count = true // the totals have a sum that is lost
			} else if old != nil {
				t.remove(key, old)
			}
			if v == nil {
				err = b.Delete([]byte(key))
			} else {
				t.add(key, v)
				err = b.Put([]byte(key), v)
			}
			if err != nil {
				return err
			}
		}
		if count {
			t = totals{}
			if err := b.ForEach(func(key, v []byte) error {
				if string(key) != string(head) && len(v) >= valueHead {
					t.add(string(key), v)
				}
				return nil
			}); err != nil {
				return err
			}
		}
		return b.Put(head, t.encode())
	})
}

func (f *file) keys() (all []string, err error) {
	defer guard(&err)()
	err = f.db.View(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(bucket))
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, _ []byte) error {
			all = append(all, string(k))
			return nil
		})
	})
	return all, err
}

func (f *file) close() error { return f.db.Close() }

// verify reads the file itself, not through bbolt.
func (f *file) verify(progress func(done, all int64)) (*Report, error) {
	return verifyFile(f.path, progress)
}
