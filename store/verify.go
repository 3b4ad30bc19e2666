package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Fault is a damaged place of a store. As an error it names the file and the place.
type Fault struct {
	File  string // path of the file; empty in memory
	Place string // `ground "1", chunk (3, -2)`, `record "world"`, `page 7`
	Err   error
}

func (f *Fault) Error() string {
	if f.File == "" {
		return fmt.Sprintf("store: %s: %v", f.Place, f.Err)
	}
	return fmt.Sprintf("store: %s: %s: %v", f.File, f.Place, f.Err)
}

func (f *Fault) Unwrap() error { return f.Err }

// Report lists the contents of a store, and the faults that Verify finds.
type Report struct {
	FileBytes int64          // length of the file; 0 in memory
	Records   []ValueReport  // by name, without the store's own
	Grounds   []GroundReport // by name
	Faults    []*Fault       // in the order in which they were found
	// Recovered is true if one of the two states that the file holds is damaged, as after a loss of power during a
	// write, and the other one is used. Faults has an entry for the damaged state, too.
	Recovered bool
}

// ValueReport describes one value.
type ValueReport struct {
	Name  string
	Bytes int64 // as it was put
	Size  int64 // in the store
}

// GroundReport describes the chunks of a ground.
type GroundReport struct {
	Name                   string
	Chunks                 int
	Unloaded               int   // chunks among them that the ground has unloaded
	Bytes                  int64 // as they were put
	Size                   int64 // in the store
	MinX, MinY, MaxX, MaxY int32 // the smallest rectangle of all chunks, closed
}

// Verify reads and checks all of the store: of a file every page that is in use, each key, checksum and length, and the
// sum of all entries, so that no lost entry is missed. It returns an error only if the file cannot be read, or is no
// store: faults are in the report. Values that are not written yet are left out; call Commit and Flush before.
// progress, if not nil, is called with the part of the work that is done.
func (s *Store) Verify(progress func(done, all int64)) (*Report, error) {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.Lock()
	closed, inMemory := s.closed, s.path == ""
	if inMemory || closed {
		defer s.mu.Unlock() // its map is changed by Commit
	} else {
		s.mu.Unlock()
	}
	if closed {
		return nil, fmt.Errorf("store: %s: Verify: %w", s.path, errClosed)
	}
	r, err := s.back.verify(progress)
	if err != nil {
		err = fmt.Errorf("store: %s: %w", s.path, err)
	}
	return r, err
}

// verifier collects a report.
type verifier struct {
	path          string
	report        *Report
	shallow       bool // leaves out the checksums of values
	totals, claim totals
	head          bool
	ground        map[string]int
}

func newVerifier(path string) *verifier {
	return &verifier{path: path, report: new(Report), ground: map[string]int{}}
}

func (v *verifier) fault(place string, err error) {
	v.report.Faults = append(v.report.Faults, &Fault{File: v.path, Place: place, Err: err})
}

// entry checks an entry.
func (v *verifier) entry(key string, value []byte) {
	k, ok := decodeKey([]byte(key))
	switch {
	case !ok:
		v.fault(place(key), errors.New("it names no chunk and no record"))
		return
	case len(value) < valueHead:
		v.fault(k.String(), errShort)
		return
	case k == headKey:
		t, err := decodeTotals(value)
		if err != nil {
			v.fault(k.String(), err)
			return
		}
		v.head, v.claim = true, t
		return
	}
	v.totals.add(key, value)
	n, unloaded := 0, 0
	if !v.shallow {
		data, err := decodeValue(key, value)
		if err != nil {
			v.fault(k.String(), err)
			return
		}
		if n = len(data); !isTiles(data) {
			unloaded = 1
		}
	}
	if k.Ground == "" {
		v.report.Records = append(v.report.Records, ValueReport{k.Record, int64(n), int64(len(value))})
		return
	}
	at, known := v.ground[k.Ground]
	if !known {
		at = len(v.report.Grounds)
		v.ground[k.Ground] = at
		v.report.Grounds = append(v.report.Grounds, GroundReport{
			Name: k.Ground, MinX: k.X, MaxX: k.X, MinY: k.Y,
			MaxY: k.Y,
		})
	}
	g := &v.report.Grounds[at]
	g.Chunks, g.Unloaded, g.Bytes, g.Size = g.Chunks+1, g.Unloaded+unloaded, g.Bytes+int64(n), g.Size+int64(len(value))
	g.MinX, g.MaxX, g.MinY, g.MaxY = min(g.MinX, k.X), max(g.MaxX, k.X), min(g.MinY, k.Y), max(g.MaxY, k.Y)
}

// checkTotals compares the entries with the totals in the head.
func (v *verifier) checkTotals() {
	if len(v.report.Faults) > 0 {
		return // they are the reason
	}
	if v.shallow {
		v.totals.values = v.claim.values // Get reports a damaged checksum
	}
	if !v.head {
		v.fault(headKey.String(), errors.New("it is missing"))
	} else if v.totals != v.claim {
		v.fault(headKey.String(), fmt.Errorf("it counts %d entries with the sums %x and %x, but there are %d with "+
			"%x and %x",
			v.claim.n, v.claim.keys, v.claim.values, v.totals.n, v.totals.keys, v.totals.values))
	}
}

// walkFile checks the file path and returns the report.
func walkFile(path string, shallow bool, progress func(done, all int64)) (*Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return walk(path, f, info.Size(), shallow, progress)
}

// walk checks the file that r reads, of so many bytes.
func walk(path string, r io.ReaderAt, size int64, shallow bool, progress func(done, all int64)) (*Report, error) {
	v := newVerifier(path)
	v.shallow = shallow
	v.report.FileBytes = size
	w := &walker{r: r, size: size, entry: v.entry, fault: v.fault}
	var stale []*Fault
	w.stale = func(page int, err error) {
		stale = append(stale, &Fault{
			File: path, Place: fmt.Sprintf("page %d", page),
			Err: fmt.Errorf("%w; the file is used as of its last write, or the one before", err),
		})
	}
	var done int64
	w.read = func(n int64) {
		done += n
		progress(min(done, w.size), w.size)
	}
	if err := w.walk(); err != nil {
		return nil, err
	}
	v.checkTotals()
	v.report.Faults = append(v.report.Faults, stale...)
	v.report.Recovered = len(stale) > 0
	slices.SortFunc(v.report.Grounds, func(a, b GroundReport) int { return strings.Compare(a.Name, b.Name) })
	return v.report, nil
}

// verifyFile checks all of the file path.
func verifyFile(path string, progress func(done, all int64)) (*Report, error) {
	return walkFile(path, false, progress)
}

// checkStructure returns an error if the structure of the file path is damaged, or if it is no store. Values are not
// checked, nor is it an error if one of the two states of the file is damaged.
func checkStructure(path string) error {
	r, err := walkFile(path, true, func(int64, int64) {})
	if err != nil {
		return err
	}
	for _, f := range r.Faults {
		if !r.Recovered || len(r.Faults) > 1 {
			return f
		}
	}
	return nil
}
