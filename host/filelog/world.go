package filelog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/quarry2d/quarry/host"
)

const (
	// magic begins a log whose first record has the number 1. Its last byte is the version.
	magic = "QLOG\x00\x00\x00\x01"
	// magicTrimmed begins a log that was trimmed. It has at least one record. No change of a byte of one head gives the
	// other.
	magicTrimmed = "QCUT\x00\x00\x00\x01"
	// headBytes is the length of a frame without its record: the length (4), the checksum (4) and the number (8).
	headBytes = 16
	// MaxRecord is the greatest length of a record.
	MaxRecord = 8 << 20
	// lateBytes is the length below which a log of OpenLate is not trimmed.
	lateBytes = 1 << 20
	// snapshotName begins the name of a snapshot.
	snapshotName = "snapshot-"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// world is the log of a world, and its snapshots.
type world struct {
	path    string
	disk    disk
	late    bool       // see OpenLate
	keeping sync.Mutex // held while a snapshot is written

	mu     sync.Mutex
	log    file
	base   uint64  // number of records that were trimmed
	ends   []int64 // end of the frame of each record that is there
	failed error   // why the log cannot be used
	dirty  bool    // records are not flushed
	buffer []byte
}

// last returns the number of the last record.
func (w *world) last() uint64 { return w.base + uint64(len(w.ends)) }

// end returns the end of record n; of the last that was trimmed, or of record 0, the end of the head.
func (w *world) end(n uint64) int64 {
	if n == w.base {
		return int64(len(magic))
	}
	return w.ends[n-w.base-1]
}

// open opens the log, and makes it if that is asked for.
func (w *world) open(make bool) error {
	if w.failed != nil || w.log != nil {
		return w.failed
	}
	if make {
		if err := w.disk.MakeDir(w.path); err != nil {
			return err
		}
	}
	name := filepath.Join(w.path, "log")
	log, err := w.disk.Open(name)
	if make && errors.Is(err, fs.ErrNotExist) {
		if err = w.disk.Replace(name, []byte(magic)); err == nil {
			log, err = w.disk.Open(name)
		}
	}
	if err != nil {
		return err
	}
	w.log = log
	for _, dir := range [...]string{filepath.Dir(w.path), w.path} { // an earlier process may have failed to
		if err == nil {
			err = w.disk.SyncDir(dir)
		}
	}
	if err == nil {
		err = w.scan()
	}
	if err == nil {
		err = w.checkSnapshots()
	}
	if err != nil {
		log.Close()
		w.log, w.ends = nil, nil
	}
	return err
}

// scan finds the records, and cuts off one that is incomplete.
func (w *world) scan() error {
	b, err := w.log.ReadAll()
	if err != nil {
		return err
	}
	w.ends, w.base = nil, 0
	if len(b) < len(magic) || string(b[:len(magic)]) != magic && string(b[:len(magic)]) != magicTrimmed {
		return errors.New("the log is none, or of a later version")
	}
	at := len(magic)
	if string(b[:at]) == magicTrimmed {
		if err := w.scanFirst(b[at:]); err != nil {
			return err
		}
	}
	for at < len(b) {
		n := frameLength(b[at:], w.last()+1)
		if n == 0 {
			return w.cut(b, at)
		}
		at += n
		w.ends = append(w.ends, int64(at))
	}
	return w.log.Sync() // the process before may have ended between writing and flushing
}

// scanFirst finds out the number of the first record of a trimmed log. It was written as a whole, so that it is damage
// if it is not intact.
func (w *world) scanFirst(b []byte) error {
	if len(b) < headBytes || frameLength(b, binary.LittleEndian.Uint64(b[8:])) == 0 {
		return errors.New("the log is damaged: its first record is not intact")
	}
	if w.base = binary.LittleEndian.Uint64(b[8:]) - 1; w.base > maxRecords {
		return fmt.Errorf("the log is damaged: its first record has number %d", w.base+1)
	}
	return nil
}

// maxRecords bounds the number of a record, so that it cannot overflow.
const maxRecords = 1 << 62

// frameLength returns the length of the frame with which b begins, or 0 if it has none of record number.
func frameLength(b []byte, number uint64) int {
	if len(b) < headBytes {
		return 0
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n > MaxRecord || n > len(b)-headBytes || binary.LittleEndian.Uint64(b[8:]) != number ||
		crc32.Checksum(b[8:headBytes+n], castagnoli) != binary.LittleEndian.Uint32(b[4:]) {
		return 0
	}
	return headBytes + n
}

// cut removes an incomplete record at the end of the log, b, and keeps its bytes. If intact records of later numbers
// follow, it is damage, and an error.
func (w *world) cut(b []byte, at int) error {
	next := w.last() + 1
	for i := at + 1; i+headBytes <= len(b); i++ {
		if n := binary.LittleEndian.Uint64(b[i+8:]); n > next && n-next < uint64(len(b)) && frameLength(b[i:], n) != 0 {
			return fmt.Errorf("the log is damaged: record %d at byte %d is not intact, and record %d at byte %d is",
				next, at,
				n, i)
		}
	}
	if err := w.disk.Replace(filepath.Join(w.path, "torn"), b[at:]); err != nil {
		return err
	}
	if err := w.log.Truncate(int64(at)); err != nil {
		return err
	}
	return w.log.Sync()
}

// append appends a record.
func (w *world) append(record []byte) error {
	if len(record) > MaxRecord {
		return fmt.Errorf("it has %d bytes, the limit is %d", len(record), MaxRecord)
	}
	b := binary.LittleEndian.AppendUint32(w.buffer[:0], uint32(len(record)))
	b = append(b, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint64(b, w.last()+1)
	b = append(b, record...)
	binary.LittleEndian.PutUint32(b[4:], crc32.Checksum(b[8:], castagnoli))
	w.buffer = b
	at := w.end(w.last())
	err := w.log.WriteAt(b, at)
	if w.dirty = w.late; err == nil && !w.late {
		err = w.log.Sync()
	}
	if err != nil {
		w.undo(at)
		return err
	}
	w.ends = append(w.ends, at+int64(len(b)))
	return nil
}

// flush flushes the records. Meanwhile others are appended.
func (w *world) flush() {
	w.mu.Lock()
	log := w.log
	if !w.dirty {
		log = nil
	}
	w.dirty = false
	w.mu.Unlock()
	if log == nil {
		return
	}
	err := log.Sync()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && w.log == log { // and no other log has taken its place
		w.fail(err)
	}
}

// fail ends the use of the log: nobody knows what the disk has, until it is opened again.
func (w *world) fail(err error) {
	if w.log != nil {
		w.log.Close()
	}
	w.log, w.failed = nil, fmt.Errorf("the log cannot be used after an error of the disk: %w", err)
}

// undo removes a record that was not written as a whole.
func (w *world) undo(at int64) {
	err := w.log.Truncate(at)
	if err == nil {
		err = w.log.Sync()
	}
	if err != nil {
		w.fail(err)
	}
}

// read reads record n.
func (w *world) read(n uint64) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.log == nil {
		return nil, w.failed
	}
	if n <= w.base {
		return nil, host.ErrTrimmed
	}
	b := make([]byte, w.end(n)-w.end(n-1))
	if err := w.log.ReadAt(b, w.end(n-1)); err != nil {
		return nil, err
	}
	if frameLength(b, n) != len(b) {
		return nil, errors.New("it is damaged")
	}
	return b[headBytes:], nil
}

// keep writes a snapshot, unless there is an intact one with that number.
func (w *world) keep(number uint64, snapshot []byte) error {
	if n, _, err := w.kept(number); err == nil && n == number {
		return w.disk.SyncDir(w.path) // an earlier call may have failed to
	}
	b := binary.LittleEndian.AppendUint32(nil, crc32.Checksum(snapshot, castagnoli))
	name := snapshotName + fmt.Sprintf("%016x", number)
	return w.disk.Replace(filepath.Join(w.path, name), append(b, snapshot...))
}

// trim removes the records before the last one of a snapshot that is there, and then the snapshots before it, apart
// from the snapshot of the first record.
func (w *world) trim(number uint64, whole bool) error {
	if n, _, err := w.kept(number); err != nil || n != number {
		return errors.Join(host.ErrNone, err)
	}
	if w.late && len(w.ends) > 0 && w.end(w.last()) < lateBytes { // records wait meanwhile
		whole = true
	}
	if !whole && number > w.base+1 {
		if err := w.rewrite(number); err != nil {
			return err
		}
	}
	numbers, err := w.snapshots()
	for _, n := range numbers {
		if n < number && n != w.base+1 && err == nil {
			err = w.disk.Remove(filepath.Join(w.path, snapshotName+fmt.Sprintf("%016x", n)))
		}
	}
	return err
}

// rewrite replaces the log by one that begins with a later record. After a failure the old or the new log is there. If
// it is not known which, the log must be opened again before it is used.
func (w *world) rewrite(first uint64) error {
	from, to := w.end(first-1), w.end(w.last())
	b := make([]byte, int64(len(magic))+to-from)
	copy(b, magicTrimmed)
	if err := w.log.ReadAt(b[len(magic):], from); err != nil {
		return err
	}
	name := filepath.Join(w.path, "log")
	bad := w.disk.Replace(name, b)
	log, err := w.disk.Open(name)
	if err == nil && bad != nil {
		err = w.disk.SyncDir(w.path)
	}
	w.log.Close()
	if w.log = log; err == nil {
		err = w.scan()
	}
	if err != nil {
		w.fail(err)
	}
	return errors.Join(bad, err)
}

// snapshots returns the numbers of the snapshots, the greatest first.
func (w *world) snapshots() (numbers []uint64, err error) {
	names, err := w.disk.List(w.path)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if hex, ok := strings.CutPrefix(name, snapshotName); ok && len(hex) == 16 {
			if n, err := strconv.ParseUint(hex, 16, 64); err == nil {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	slices.Reverse(numbers)
	return numbers, nil
}

// checkSnapshots returns an error if a snapshot contains records that the log does not have: then the log has lost
// some.
func (w *world) checkSnapshots() error {
	numbers, err := w.snapshots()
	if err != nil {
		return err
	}
	if len(numbers) > 0 && numbers[0] > w.last() {
		return fmt.Errorf("the log is damaged: record %d is its last, and a snapshot contains record %d", w.last(),
			numbers[0])
	}
	return nil
}

// kept returns the newest intact snapshot with at most that number.
func (w *world) kept(most uint64) (uint64, []byte, error) {
	numbers, err := w.snapshots()
	if err != nil {
		return 0, nil, err
	}
	for _, n := range numbers {
		if n > most {
			continue
		}
		b, err := w.disk.Read(filepath.Join(w.path, snapshotName+fmt.Sprintf("%016x", n)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, nil, err
		}
		if len(b) >= 4 && crc32.Checksum(b[4:], castagnoli) == binary.LittleEndian.Uint32(b) {
			return n, b[4:], nil
		}
	}
	return 0, nil, host.ErrNone
}
