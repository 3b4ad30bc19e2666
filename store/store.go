package store

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/quarry2d/quarry"
)

// Options configure Open. The zero value is valid.
type Options struct {
	// ReadOnly opens the file for reading only: several programs may do so at once. Flush and Close then fail if
	// anything was committed.
	ReadOnly bool
	// MustExist refuses a file that does not exist; without it (and without ReadOnly) a new one is made.
	MustExist bool
	// Interval is the time from one write of the file to the next, above 0; 0 means a quarter of a second. With a
	// Save each half second the file is then at most a second old: an interval and a write may pass until a moment
	// is written, and half a second and a write until the next moment is.
	Interval time.Duration
}

// usualInterval is the default of Options.Interval.
const usualInterval = 250 * time.Millisecond

// backend holds encoded entries. Its methods are not called concurrently, but for get.
type backend interface {
	// get returns a copy of the value of key, or nil.
	get(key string) ([]byte, error)
	// write makes the changes, all or none; a nil value deletes.
	write(changes map[string][]byte) error
	// keys returns the encoded keys, sorted.
	keys() ([]string, error)
	// verify checks each entry. progress is called from time to time, in bytes or entries.
	verify(progress func(done, all int64)) (*Report, error)
	close() error
}

// Store keeps values by key. Memory and Open make one. Its methods may be called concurrently.
type Store struct {
	path     string
	interval time.Duration
	readOnly bool

	write sync.Mutex // held while back is written, verified or closed

	mu       sync.Mutex
	back     backend
	queued   map[string][]byte // encoded changes since the last Commit; nil deletes
	unloaded map[string]bool   // keys in queued of putUnloaded
	put      map[Key]bool      // keys of all changes since a Saver's last Save; nil without a Saver
	ready    map[string][]byte // changes of the moments that are not written yet
	writing  map[string][]byte // changes that are being written
	err      error             // of the last write
	closing  bool
	closed   bool

	streams map[string]*streams // Streamers by the name of their ground
	saved   *quarry.World       // of the last Saver

	wake, stop, stopped chan struct{} // of the goroutine that writes; nil without one
}

var errClosed = errors.New("the store is closed")

// Memory returns an empty store that keeps its values in memory, encoded as in a file. It needs no Close.
func Memory() *Store {
	return &Store{back: memory{}}
}

// Open opens the file path, or creates it with the permissions 0666 before umask. It returns an error, which names
// the file, if another program has the file open, or if the file cannot be read or written, is no store, or is of a
// later version. If the file's structure is damaged, the error is a *Fault. Open reads the whole file once, but
// does not check its values; see Verify.
func Open(path string, o Options) (*Store, error) {
	if o.Interval < 0 {
		panic(fmt.Sprintf("quarry: store: Open: Options.Interval is %v: it must be at least 0", o.Interval))
	}
	back, err := openFile(path, o)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, interval: cmp.Or(o.Interval, usualInterval), readOnly: o.ReadOnly, back: back}
	if !o.ReadOnly {
		s.wake, s.stop, s.stopped = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
		go s.writeEachInterval()
	}
	return s, nil
}

// Get returns the value of k, and whether there is one; a value may not be committed yet. It returns an error,
// which names the file and k, if the value is damaged or cannot be read. The caller owns the slice.
func (s *Store) Get(k Key) ([]byte, bool, error) {
	k.check("Get")
	return s.get(k, false)
}

// get is Get. If committed, it gives the values of chunks that a Streamer has unloaded as of the last Commit.
func (s *Store) get(k Key, committed bool) ([]byte, bool, error) {
	key := k.encode()
	v, err := s.encoded(key, committed)
	if err == nil && v == nil {
		return nil, false, nil
	}
	if err == nil {
		var data []byte
		if data, err = decodeValue(key, v); err == nil {
			return data, true, nil
		}
	}
	return nil, false, &Fault{File: s.path, Place: k.String(), Err: err}
}

// encoded returns the encoded value of key, or nil.
func (s *Store) encoded(key string, committed bool) ([]byte, error) {
	s.mu.Lock()
	for k, of := range [...]map[string][]byte{s.queued, s.ready, s.writing} {
		if v, ok := of[key]; ok && !(committed && k == 0 && s.unloaded[key]) {
			s.mu.Unlock()
			return v, nil
		}
	}
	if s.closed {
		s.mu.Unlock()
		return nil, errClosed
	}
	defer s.mu.Unlock()
	return s.back.get(key)
}

// Put queues the value of k, which replaces any before it, for the next Commit. It copies data, of at most MaxValue
// bytes. It panics if k is no key.
func (s *Store) Put(k Key, data []byte) {
	k.check("Put")
	s.queue(k, encodeValue(k.encode(), data))
}

// Delete queues the removal of the value of k, for the next Commit. It panics if k is no key.
func (s *Store) Delete(k Key) {
	k.check("Delete")
	s.queue(k, nil)
}

func (s *Store) queue(k Key, v []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.queued == nil {
		s.queued = map[string][]byte{}
	}
	s.queued[k.encode()] = v
	if s.put != nil {
		s.put[k] = true
	}
}

// watch calls changed with the keys of all changes since the last watch, and makes the store list changes from now
// on.
func (s *Store) watch(changed func(Key)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.put { // in any order: changed must not depend on it
		changed(k)
	}
	s.put = map[Key]bool{}
}

// putUnloaded is Put of a chunk that a Streamer has unloaded, or World.Rewind has set back: of a moment that a Save
// ends.
func (s *Store) putUnloaded(k Key, data []byte) {
	s.Put(k, data)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unloaded == nil {
		s.unloaded = map[string]bool{}
	}
	s.unloaded[k.encode()] = true
}

// forget drops the chunks of putUnloaded since the last Commit, if a Saver saves w to s.
func (s *Store) forget(w *quarry.World) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.saved == w {
		maps.DeleteFunc(s.queued, func(key string, _ []byte) bool { return s.unloaded[key] })
		s.unloaded = nil
	}
}

// Commit ends a moment: the next write of the file makes all changes since the last Commit, or none. It does not wait
// for the write; Err reports whether writes succeed.
func (s *Store) Commit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queued) == 0 {
		return
	}
	if s.ready == nil {
		s.ready = s.queued
	} else {
		maps.Copy(s.ready, s.queued)
	}
	s.queued, s.unloaded = nil, nil
	if s.wake == nil {
		if s.path == "" && !s.closed {
			s.err, s.ready = s.back.write(s.ready), nil // memory: it cannot fail
		}
		return
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Flush writes all moments so far, and returns nil when they are on disk, or the error. It does not write changes
// since the last Commit. After an error the moments remain queued: the next Flush, Close or interval tries again.
func (s *Store) Flush() error { return s.writeReady() }

// Err returns the error of the last write of the file, or nil if it succeeded.
func (s *Store) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Close flushes and closes the file; changes since the last Commit are lost. After an error some moments were not
// saved; the store is closed nevertheless.
func (s *Store) Close() error {
	s.mu.Lock()
	twice := s.closing
	s.closing = true
	s.mu.Unlock()
	if twice {
		return fmt.Errorf("store: %s: Close: %w", s.path, errClosed)
	}
	if s.stop != nil {
		close(s.stop)
		<-s.stopped
	}
	err := s.Flush()
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if e := s.back.close(); e != nil && err == nil {
		err = fmt.Errorf("store: %s: %w", s.path, e)
	}
	return err
}

// writeReady writes the moments so far.
func (s *Store) writeReady() error {
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.Lock()
	changes := s.ready
	switch {
	case len(changes) == 0:
		defer s.mu.Unlock()
		return s.err
	case s.closed:
		s.err = fmt.Errorf("store: %s: %w", s.path, errClosed)
		defer s.mu.Unlock()
		return s.err
	case s.readOnly:
		s.err = fmt.Errorf("store: %s: %d changes: the file was opened with Options.ReadOnly", s.path, len(changes))
		defer s.mu.Unlock()
		return s.err
	}
	s.writing, s.ready = changes, nil
	s.mu.Unlock()
	err := s.back.write(changes)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing = nil
	if s.err = err; err != nil {
		maps.Copy(changes, s.ready) // later changes win
		s.ready = changes
		if _, named := err.(*Fault); !named {
			s.err = fmt.Errorf("store: %s: %d changes could not be written: %w", s.path, len(changes), err)
		}
	}
	return s.err
}

// writeEachInterval writes the moments so far when there are any, and not before the interval since the last write is
// over.
func (s *Store) writeEachInterval() {
	defer close(s.stopped)
	for {
		select {
		case <-s.stop:
			return
		case <-s.wake:
		}
		again := s.writeReady() != nil
		timer := time.NewTimer(s.interval)
		select {
		case <-s.stop:
			timer.Stop()
			return
		case <-timer.C:
		}
		if again {
			select {
			case s.wake <- struct{}{}:
			default:
			}
		}
	}
}

// Keys yields the keys of all values, also of those that are not committed yet: records by name, then chunks by ground,
// row and column. The loop may call any method. If the file cannot be read, Keys yields an error, once.
func (s *Store) Keys() iter.Seq2[Key, error] { return s.keys(false) }

// keys is Keys, with committed as get has it.
func (s *Store) keys(committed bool) iter.Seq2[Key, error] {
	return func(yield func(Key, error) bool) {
		all, err := s.allKeys(committed)
		if err != nil {
			yield(Key{}, fmt.Errorf("store: %s: %w", s.path, err))
			return
		}
		for _, key := range all {
			if k, ok := decodeKey([]byte(key)); ok && k != headKey && !yield(k, nil) {
				return
			}
		}
	}
}

// allKeys returns the encoded keys of all values, sorted.
func (s *Store) allKeys(committed bool) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	all, err := s.back.keys()
	if err != nil {
		return nil, err
	}
	is := map[string]bool{}
	for n, of := range [...]map[string][]byte{s.writing, s.ready, s.queued} {
		for k, v := range of {
			if !committed || n < 2 || !s.unloaded[k] {
				is[k] = v != nil
			}
		}
	}
	if len(is) == 0 {
		return all, nil
	}
	all = slices.DeleteFunc(all, func(k string) bool { _, changed := is[k]; return changed })
	for k, there := range is {
		if there {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return all, nil
}
