package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

// A walk of a bbolt file without bbolt, which trusts the structure of a file: a damaged page can make it loop for ever,
// or read outside the mapped memory. The walk checks every byte that leads to a key or value, and holds one page at a
// time.
//
// Format, as of bbolt's version 2, little-endian. A page begins with its number (8 bytes), kind (2), number of elements
// (2) and number of further pages that it continues on (4). Pages 0 and 1 hold the last two states of the file, each
// with letters, version, page size, flags (4 each), root page and sequence of the outer bucket, page of the free list,
// number of pages, transaction (8 each) and FNV-1a of these. A branch's element is the place of a key, counted from the
// element, its length (4 each) and the page of the keys from that key on (8); a leaf's is a kind, the key's place, its
// length and the length of the value behind it (4 each). The outer bucket is a tree whose values of kind 1 are buckets:
// a root page and a sequence (8 each), or with root 0 a page that follows.
const (
	pageSize     = 4096
	bucket       = "quarry"
	pageHead     = 16
	elementSize  = 16
	metaSize     = 56 // up to the checksum
	metaLetters  = 0xED0CDAED
	metaVersion  = 2
	pageBranch   = 1
	pageLeaf     = 2
	kindBucket   = 1
	noFreePages  = 1<<64 - 1
	mostPageSize = 1 << 26
)

// walker walks a file. Faults are counted and reported; after a fault in a page the rest of the page is left out.
type walker struct {
	r       io.ReaderAt
	size    int64 // of the file
	page    int64 // size of a page
	pages   uint64
	visited map[uint64]bool
	entry   func(key string, value []byte)
	fault   func(place string, err error)
	stale   func(page int, err error) // one of the two states is damaged; the other is used
	read    func(bytes int64)
}

// meta is one of the two states of a file.
type meta struct {
	page, root, pages, transaction uint64
	size                           int64
}

// readMeta reads a state from page number at of the given size.
func (w *walker) readMeta(at uint64, size int64) (meta, error) {
	var b [pageHead + metaSize + 8]byte
	if _, err := w.r.ReadAt(b[:], int64(at)*size); err != nil {
		return meta{}, errors.New("the file ends before")
	}
	m := b[pageHead:]
	sum := fnv.New64a()
	_, _ = sum.Write(m[:metaSize]) // never fails
	u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	got := meta{page: at, root: u64(m[16:]), pages: u64(m[40:]), transaction: u64(m[48:]), size: int64(u32(m[8:]))}
	switch {
	case u32(m) != metaLetters || u32(m[4:]) != metaVersion:
		return got, fmt.Errorf("magic number %08x and version %d: %08x and %d expected", u32(m), u32(m[4:]),
			uint32(metaLetters), metaVersion)
	case sum.Sum64() != u64(m[metaSize:]):
		return got, fmt.Errorf("its checksum is %016x, but its bytes give %016x", u64(m[metaSize:]), sum.Sum64())
	case got.size != size:
		return got, fmt.Errorf("its page size is %d bytes", got.size)
	}
	return got, nil
}

// errNoStore is the reason for refusing a file of another program.
var errNoStore = errors.New("it is not a quarry world file")

// walk walks the tree. It returns an error if there is none.
func (w *walker) walk() error {
	first, err0 := w.readMeta(0, pageSize)
	second, err1 := w.readMeta(1, pageSize)
	if err0 != nil && err1 != nil {
		// Another page size, or no such file. bbolt reads all page sizes.
		if first, err0 = w.readMeta(0, first.size); err0 != nil || first.size < 1024 || first.size > mostPageSize {
			return errNoStore
		}
		second, err1 = w.readMeta(1, first.size)
	}
	newest := first
	if err0 != nil || err1 == nil && second.transaction > first.transaction {
		newest = second
	}
	for k, err := range [...]error{err0, err1} {
		if err != nil {
			w.stale(k, err)
		}
	}
	w.page, w.pages = newest.size, newest.pages
	if w.pages < 2 || w.pages > uint64(w.size/w.page) {
		w.fault(fmt.Sprintf("page %d", newest.page), fmt.Errorf("it counts %d pages, but the file has %d bytes",
			w.pages, w.size))
		return nil
	}
	w.visited = map[uint64]bool{0: true, 1: true}
	found, faults, fault := false, 0, w.fault
	w.fault = func(place string, err error) {
		faults++
		fault(place, err)
	}
	w.tree(newest.root, nil, nil, 0, func(kind uint32, key, value []byte) error {
		if kind != kindBucket || string(key) != bucket || len(value) < 16 {
			return fmt.Errorf("an entry of kind %d and key %q: only bucket %q is expected", kind, key, bucket)
		}
		found = true
		if root := binary.LittleEndian.Uint64(value); root != 0 {
			w.tree(root, nil, nil, 0, w.leaf)
		} else if err := w.elements(value[16:], w.leaf); err != nil {
			return err
		}
		return nil
	})
	if !found && faults == 0 {
		return errNoStore
	}
	return nil
}

// leaf visits an entry of the bucket.
func (w *walker) leaf(kind uint32, key, value []byte) error {
	if kind != 0 {
		return fmt.Errorf("%s is of kind %d", place(string(key)), kind)
	}
	w.entry(string(key), value)
	return nil
}

// deepest bounds the depth of a tree: a file of 2^64 bytes has not so many levels.
const deepest = 64

// tree visits the elements of the tree from page at on. Its keys are at least lo and below hi; nil is no bound.
func (w *walker) tree(at uint64, lo, hi []byte, depth int, visit func(kind uint32, key, value []byte) error) {
	if err := w.onePage(at, lo, hi, depth, visit); err != nil {
		w.fault(fmt.Sprintf("page %d", at), err)
	}
}

func (w *walker) onePage(at uint64, lo, hi []byte, depth int, visit func(kind uint32, key, value []byte) error) error {
	if at >= w.pages {
		return fmt.Errorf("another page leads to it, but the file has %d pages", w.pages)
	}
	if w.visited[at] || depth > deepest {
		return errors.New("two other pages lead to it")
	}
	var head [pageHead]byte
	if _, err := w.r.ReadAt(head[:], int64(at)*w.page); err != nil {
		return err
	}
	number, more := binary.LittleEndian.Uint64(head[:]), uint64(binary.LittleEndian.Uint32(head[12:]))
	if number != at {
		return fmt.Errorf("its number is %d", number)
	}
	if at+more >= w.pages {
		return fmt.Errorf("it continues on %d further pages, but the file has %d pages", more, w.pages)
	}
	for k := range more + 1 {
		if w.visited[at+k] {
			return fmt.Errorf("it continues on page %d, to which another leads", at+k)
		}
		w.visited[at+k] = true
	}
	data := make([]byte, int64(more+1)*w.page)
	if _, err := w.r.ReadAt(data, int64(at)*w.page); err != nil {
		return err
	}
	w.read(int64(len(data)))
	within := func(key []byte) error {
		if lo != nil && bytes.Compare(key, lo) < 0 || hi != nil && bytes.Compare(key, hi) >= 0 {
			return fmt.Errorf("%s is out of order", place(string(key)))
		}
		return nil
	}
	// bbolt finds the place of a page in its branch by the page's first key: another one would corrupt the file at the
	// next write.
	first := lo != nil
	inside := func(key []byte) error {
		if first && !bytes.Equal(key, lo) {
			return fmt.Errorf("it begins with %s, but the page that leads to it names %s", place(string(key)),
				place(string(lo)))
		}
		first = false
		return within(key)
	}
	switch kind, n := binary.LittleEndian.Uint16(data[8:]), int(binary.LittleEndian.Uint16(data[10:])); kind {
	case pageLeaf:
		if n == 0 && lo != nil {
			return errors.New("a leaf without elements")
		}
		return w.elements(data, func(kind uint32, key, value []byte) error {
			if err := inside(key); err != nil {
				return err
			}
			return visit(kind, key, value)
		})
	case pageBranch:
		type child struct {
			key  []byte
			page uint64
		}
		var children []child
		for k := range n {
			e := pageHead + k*elementSize
			if e+elementSize > len(data) {
				return fmt.Errorf("%d elements", n)
			}
			key, err := cut(data, e, binary.LittleEndian.Uint32(data[e:]), binary.LittleEndian.Uint32(data[e+4:]))
			if err != nil {
				return err
			}
			if err := inside(key); err != nil {
				return err
			}
			if k > 0 && bytes.Compare(key, children[k-1].key) <= 0 {
				return fmt.Errorf("%s is out of order", place(string(key)))
			}
			children = append(children, child{key, binary.LittleEndian.Uint64(data[e+8:])})
		}
		if n == 0 {
			return errors.New("a branch without elements")
		}
		data = nil
		for k, c := range children {
			to := hi
			if k+1 < len(children) {
				to = children[k+1].key
			}
			w.tree(c.page, c.key, to, depth+1, visit)
		}
		return nil
	default:
		return fmt.Errorf("a page of kind %d", kind)
	}
}

// elements visits the elements of a leaf.
func (*walker) elements(data []byte, visit func(kind uint32, key, value []byte) error) error {
	if len(data) < pageHead || binary.LittleEndian.Uint16(data[8:]) != pageLeaf {
		return errors.New("no leaf")
	}
	n := int(binary.LittleEndian.Uint16(data[10:]))
	var last []byte
	for k := range n {
		e := pageHead + k*elementSize
		if e+elementSize > len(data) {
			return fmt.Errorf("%d elements", n)
		}
		u32 := binary.LittleEndian.Uint32
		size, rest := u32(data[e+8:]), u32(data[e+12:])
		key, err := cut(data, e, u32(data[e+4:]), size)
		if err != nil {
			return err
		}
		both, err := cut(data, e, u32(data[e+4:]), size+rest)
		if err != nil || size+rest < size {
			return fmt.Errorf("%s has a value of %d bytes", place(string(key)), rest)
		}
		if k > 0 && bytes.Compare(key, last) <= 0 {
			return fmt.Errorf("%s is out of order", place(string(key)))
		}
		last = key
		if err := visit(u32(data[e:]), key, both[size:]); err != nil {
			return err
		}
	}
	return nil
}

// cut returns size bytes of data, from the place at, counted from the element at e.
func cut(data []byte, e int, at, size uint32) ([]byte, error) {
	from := int64(e) + int64(at)
	if to := from + int64(size); at < elementSize || to > int64(len(data)) {
		return nil, fmt.Errorf("the element at byte %d leads to bytes %d to %d", e, from, to)
	}
	return data[int64(e)+int64(at):][:size:size], nil
}

// place returns the name of an encoded key, for messages.
func place(key string) string {
	if k, ok := decodeKey([]byte(key)); ok {
		return k.String()
	}
	return fmt.Sprintf("key %q", key)
}
