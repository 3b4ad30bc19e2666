package replay

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"reflect"
)

// A log is a magic number and a version (8 bytes each), and blocks. A block is the length of its content (4 bytes),
// the content, and the CRC-32C of all contents so far (4 bytes), so that no block can be changed, left out or
// moved. The content is records: the number of a call's name, and if it is new the name; the number of bytes of the
// arguments; the arguments. A name that begins with a dot is no call of the game: see the constants. Version 2
// numbers the concrete types of interfaces in one list.
const (
	magic    = "quarryrc"
	version  = 2
	maxBlock = 1<<31 - 1
)

// Names of records that are no calls.
const (
	Start = ".start" // the snapshot, and what the receiving world must have
	Hash  = ".hash"  // steps made, and the hash
	End   = ".end"
)

var (
	errData    = errors.New("a value is damaged, or of another kind")
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// Writer writes a log.
type Writer struct {
	types types
	out   io.Writer
	names map[string]uint64
	block []byte // being filled, after 4 bytes for its length
	args  []byte // of one record
	sum   uint32
	err   error
}

// newWriter returns a writer of a new log.
func newWriter(out io.Writer, types types) *Writer {
	w := &Writer{types: types, out: out, names: map[string]uint64{}, block: make([]byte, 4)}
	w.write(binary.LittleEndian.AppendUint64([]byte(magic), version))
	return w
}

// Record adds a record to the log, with the values to which args point. Its bytes are written by Flush, or when there
// are many of them.
func (w *Writer) Record(name string, args ...any) {
	if w.err != nil {
		return
	}
	w.args = w.args[:0]
	for k := range args {
		var err error
		if w.args, err = w.types.append(w.args, reflect.ValueOf(args[k]).Elem()); err != nil {
			w.Fail(fmt.Errorf("%s: %w", name, err))
			return
		}
	}
	k, ok := w.names[name]
	if !ok {
		k = uint64(len(w.names))
		w.names[name] = k
	}
	w.block = binary.AppendUvarint(w.block, k)
	if !ok {
		w.block = AppendBytes(w.block, []byte(name))
	}
	if w.block = AppendBytes(w.block, w.args); len(w.block) > 1<<16 {
		w.Flush()
	}
}

// Flush writes the records of the block.
func (w *Writer) Flush() {
	if len(w.block)-4 > maxBlock {
		w.Fail(fmt.Errorf("a block of %d bytes is too long", len(w.block)))
		return
	}
	content := w.block[4:]
	w.sum = crc32.Update(w.sum, castagnoli, content)
	binary.LittleEndian.PutUint32(w.block, uint32(len(content)))
	w.write(binary.LittleEndian.AppendUint32(w.block, w.sum))
	w.block = w.block[:4]
}

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
}

// Fail ends the log with an error, unless it has one.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Reader reads a log. Its memory is one block, and the names.
type Reader struct {
	in    io.Reader
	names []string
	block bytes.Buffer
	rest  []byte // of the block
	sum   uint32
	n     int // blocks read
}

// NewReader returns a reader, or an error if in holds no log that this version can read.
func NewReader(in io.Reader) (*Reader, error) {
	var head [16]byte
	if _, err := io.ReadFull(in, head[:]); err != nil && !ends(err) {
		return nil, fmt.Errorf("the log cannot be read: %w", err)
	} else if err != nil || string(head[:8]) != magic {
		return nil, errors.New("the log is not a recording")
	}
	if v := binary.LittleEndian.Uint64(head[8:]); v != version {
		return nil, fmt.Errorf("the log has version %d: this package reads %d", v, version)
	}
	return &Reader{in: in}, nil
}

// ends reports whether err says that a reader has no more bytes, and not that they cannot be read.
func ends(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// Next returns the name and the arguments of the next record; they are valid until the next call. A log that ends
// before a record of the name End is an error.
func (r *Reader) Next() (name string, args []byte, err error) {
	for len(r.rest) == 0 {
		if err := r.next(); err != nil {
			return "", nil, err
		}
	}
	k, rest, err := Uvarint(r.rest)
	if err == nil && k == uint64(len(r.names)) {
		var b []byte
		if b, rest, err = Bytes(rest); err == nil {
			r.names = append(r.names, string(b))
		}
	}
	if err == nil && k < uint64(len(r.names)) {
		if args, rest, err = Bytes(rest); err == nil {
			r.rest = rest
			return r.names[k], args, nil
		}
	}
	return "", nil, fmt.Errorf("block %d: a record is damaged", r.n)
}

// next reads the next block.
func (r *Reader) next() error {
	r.n++
	var word [4]byte
	if _, err := io.ReadFull(r.in, word[:]); err != nil && !ends(err) {
		return fmt.Errorf("block %d cannot be read: %w", r.n, err)
	} else if err != nil {
		return fmt.Errorf("the log ends early, before block %d", r.n)
	}
	n := int64(binary.LittleEndian.Uint32(word[:]))
	r.block.Reset()
	if read, err := io.CopyN(&r.block, r.in, n); err != nil && !ends(err) {
		return fmt.Errorf("block %d cannot be read: %w", r.n, err)
	} else if err != nil {
		return fmt.Errorf("the log ends early, in block %d: %d bytes of %d", r.n, read, n)
	}
	if _, err := io.ReadFull(r.in, word[:]); err != nil && !ends(err) {
		return fmt.Errorf("block %d cannot be read: %w", r.n, err)
	} else if err != nil {
		return fmt.Errorf("the log ends early, in block %d", r.n)
	}
	r.rest = r.block.Bytes()
	if r.sum = crc32.Update(r.sum, castagnoli, r.rest); r.sum != binary.LittleEndian.Uint32(word[:]) {
		return fmt.Errorf("block %d is damaged: its checksum differs", r.n)
	}
	return nil
}
