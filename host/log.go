package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrRefused is returned, or wrapped, by a compare-and-set whose expectation was wrong: it changed nothing.
var ErrRefused = errors.New("refused: it has changed meanwhile")

// ErrNone is returned, or wrapped, if there is no such entry or snapshot.
var ErrNone = errors.New("there is none")

// ErrTrimmed is returned, or wrapped, by a reading from a place of a log that was trimmed.
var ErrTrimmed = errors.New("the log was trimmed: its records from there on are not all there")

// Log keeps the records and the snapshots of worlds. Its methods may be called from several goroutines.
type Log interface {
	// Append appends a record to the log of a world if its last record has the number after, 0 if it has none, and
	// returns the record's number, which is greater. It returns when the record is safe. It returns ErrRefused if the
	// last record has another number; the record may be there nevertheless, as after a retry whose first answer was
	// lost. After another error the record may be there or not, and Append may be called again with the same arguments.
	Append(ctx context.Context, world string, after uint64, record []byte) (number uint64, err error)
	// Read calls f with each record of a world after the record number after, in order, until f returns an error, which
	// it returns. It may end before the last record, if that is new. The bytes belong to f. It returns ErrTrimmed if
	// record after is not there; after 0 it begins with the first record that is there.
	Read(ctx context.Context, world string, after uint64, f func(number uint64, record []byte) error) error
	// Keep keeps a snapshot of a world that contains the records up to a number, which exists. It returns nil and
	// changes nothing if there is one with that number.
	Keep(ctx context.Context, world string, number uint64, snapshot []byte) error
	// Kept returns the newest snapshot of a world with at most that number, and its number, or ErrNone.
	Kept(ctx context.Context, world string, most uint64) (number uint64, snapshot []byte, err error)
	// Trim drops the snapshots before the one with a number, which is there, and, unless whole is set, the records
	// before the record with that number.
	Trim(ctx context.Context, world string, number uint64, whole bool) error
}

// Shelf keeps files under names, such as worlds that players want to have again, and their pictures. Its methods may be
// called from several goroutines.
type Shelf interface {
	// Put keeps a file, in place of the one of that name. Who reads meanwhile gets the old or the new one.
	Put(ctx context.Context, name string, b []byte) error
	// Get returns a file, or ErrNone.
	Get(ctx context.Context, name string) ([]byte, error)
	// Drop removes a file, or returns ErrNone.
	Drop(ctx context.Context, name string) error
	// List returns the files by name.
	List(ctx context.Context) ([]Item, error)
}

// Item is a file of a Shelf.
type Item struct {
	Name  string
	Bytes int64
	Time  time.Time // when it was put
}

// MaxItem is the greatest length of the name of a file of a Shelf, in bytes.
const MaxItem = 200

// CheckItem returns an error unless name is the name of a file of a Shelf: it is a file name on every system.
func CheckItem(name string) error {
	if len(name) > MaxItem || !filepath.IsLocal(name) || !utf8.ValidString(name) || strings.HasPrefix(name, ".") ||
		strings.ContainsAny(name, `/\:*?"<>|`) {
		return fmt.Errorf("%.80q is no name of a file of at most %d bytes", name, MaxItem)
	}
	return nil
}

// Entry is an entry of Leases.
type Entry struct {
	Key      string
	Value    []byte
	Revision uint64 // grows with each change of the entry
}

// Leases is a small store of entries that several hosts share: one of each host, which it renews, and one of each
// world, which names the owner. Its methods may be called from several goroutines.
type Leases interface {
	// Set sets an entry if its revision is the given one, 0 if there must be none, and returns the new revision. It
	// returns ErrRefused if the revision is another. After another error the entry may have been set or not.
	Set(ctx context.Context, key string, value []byte, revision uint64) (uint64, error)
	// Get returns the present entry, or ErrNone.
	Get(ctx context.Context, key string) (Entry, error)
	// Entries returns all entries. They may be old: nothing is concluded from them without a Set.
	Entries(ctx context.Context) ([]Entry, error)
	// Changed returns a channel that receives after entries have changed. It is a hint: it may be late, or never come.
	Changed() <-chan struct{}
}

// Bus carries inputs to the owners of worlds, and frames from them. What it loses, its users send again, or do without.
type Bus interface {
	// Serve calls f with each input for a world until stop is called. f calls answer at most once, from any goroutine.
	Serve(world string, f func(input []byte, answer func([]byte))) (stop func(), err error)
	// Request sends an input to the owner of a world and returns the answer. After an error the input may have been
	// applied or not.
	Request(ctx context.Context, world string, input []byte) ([]byte, error)
	// Publish sends a frame to those who watch a world. It does not wait.
	Publish(world string, frame []byte)
	// Watch calls f with each frame of a world until stop is called. Frames belong to f.
	Watch(world string, f func(frame []byte)) (stop func(), err error)
}
