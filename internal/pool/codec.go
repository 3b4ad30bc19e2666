package pool

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// Codec visits the state of a world, field by field, and does one of three things with each: it adds the
// field to a hash, appends it to a snapshot, or reads it from one. Its methods take pointers, so that one
// function for each record lists the fields for all three. Each field is a little-endian word of 64 bits.
//
// A reader that meets a fault keeps the first one and reads zeros from then on: see Err. It allocates
// nothing for a list before it knows that the data holds so many elements.
type Codec struct {
	mode    mode
	version uint64 // of the snapshot, when reading
	sum     Hasher
	data    []byte // written, or still to be read
	begin   int    // of the snapshot in data, when writing
	length  int    // of the snapshot, when reading
	record  string // being visited, for errors
	index   int
	err     error

	// A snapshot may be without the tiles of grounds, which the game keeps apart. Then Bare is set, and Tiles, for a
	// reader, returns the tiles of a ground by its id.
	Bare  bool
	Tiles func(ground uint64) ([]byte, error)
}

type mode uint8

const (
	hashing mode = iota
	writing
	reading
)

// A snapshot begins with the magic number and the version, and ends with a checksum: CRC-32C of all before it.
const (
	magic     = 0x6e73797272617571 // "quarrysn"
	magicBare = 0x746e797272617571 // "quarrynt": no tiles
	overhead  = 3 * 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Hashing returns a codec that hashes; see Sum.
func Hashing() *Codec { return &Codec{mode: hashing} }

// Writing returns a codec that appends a snapshot of the given version to dst, with or without tiles; see Finish.
func Writing(dst []byte, version uint64, bare bool) *Codec {
	c := &Codec{mode: writing, data: dst, begin: len(dst), Bare: bare}
	m := magicOf(bare)
	c.Word(&m)
	c.Word(&version)
	return c
}

func magicOf(bare bool) uint64 {
	if bare {
		return magicBare
	}
	return magic
}

// Reading returns a codec that reads a snapshot with or without tiles, once its length, its version, at most the given
// one, and its checksum are found right.
func Reading(data []byte, most uint64, bare bool) (*Codec, error) {
	if len(data) < overhead || len(data)%8 != 0 {
		return nil, fmt.Errorf("quarry: not a snapshot: the length of one is a multiple of 8 bytes, at least %d, "+
			"but this has %d", overhead, len(data))
	}
	if binary.LittleEndian.Uint64(data) != magicOf(bare) {
		return nil, fmt.Errorf("quarry: not a snapshot: it begins with %q, not with %s", data[:8],
			map[bool]string{false: `"quarrysn"`, true: `"quarrynt" (without tiles)`}[bare])
	}
	body := data[:len(data)-8]
	if sum, want := uint64(crc32.Checksum(body, castagnoli)),
		binary.LittleEndian.Uint64(data[len(body):]); sum != want {
		return nil, fmt.Errorf("quarry: snapshot: damaged: its checksum is %#x, but its bytes give %#x", want, sum)
	}
	version := binary.LittleEndian.Uint64(data[8:])
	if version == 0 || version > most {
		return nil, fmt.Errorf("quarry: snapshot: version %d: this program knows the versions 1 to %d", version, most)
	}
	return &Codec{mode: reading, version: version, data: body[16:], length: len(body), Bare: bare}, nil
}

// Hashing reports whether c hashes. A hash has only the state that decides whether two worlds evolve alike.
func (c *Codec) Hashing() bool { return c.mode == hashing }

// Has reports whether the state that c visits has the fields that a version of snapshots added. It is false only if
// c reads a snapshot of an older version.
func (c *Codec) Has(version uint64) bool { return c.mode != reading || c.version >= version }

// Reading reports whether c reads.
func (c *Codec) Reading() bool { return c.mode == reading }

// Sum returns the hash.
func (c *Codec) Sum() uint64 { return uint64(c.sum) }

// Hasher returns the hash, to add to.
func (c *Codec) Hasher() *Hasher { return &c.sum }

// Finish appends the checksum and returns the slice.
func (c *Codec) Finish() []byte {
	return binary.LittleEndian.AppendUint64(c.data, uint64(crc32.Checksum(c.data[c.begin:], castagnoli)))
}

// End refuses data after the last field, and returns the fault, if there is one.
func (c *Codec) End() error {
	if len(c.data) > 0 && c.err == nil {
		c.In("the end", -1)
		c.Refuse("%d bytes follow", len(c.data))
	}
	return c.err
}

// Err returns the first fault.
func (c *Codec) Err() error { return c.err }

// In names the record that is visited next, for errors; index is below 0 if there is only one of its kind.
func (c *Codec) In(record string, index int) { c.record, c.index = record, index }

// Refuse records a fault in the present record.
func (c *Codec) Refuse(format string, args ...any) {
	if c.err != nil || c.mode != reading {
		return
	}
	where := c.record
	if c.index >= 0 {
		where = fmt.Sprintf("%s %d", where, c.index)
	}
	c.err = fmt.Errorf("quarry: snapshot: %s, near byte %d: %w", where, c.length-len(c.data),
		fmt.Errorf(format, args...))
	c.data = nil
}

// Need refuses the record unless ok, when c reads.
func (c *Codec) Need(ok bool, format string, args ...any) {
	if !ok && c.mode == reading {
		c.Refuse(format, args...)
	}
}

// Word visits x.
func (c *Codec) Word(x *uint64) {
	switch c.mode {
	case hashing:
		c.sum.Word(*x)
	case writing:
		c.data = binary.LittleEndian.AppendUint64(c.data, *x)
	default:
		if *x = 0; len(c.data) >= 8 {
			*x = binary.LittleEndian.Uint64(c.data)
			c.data = c.data[8:]
		} else {
			c.Refuse("the data ends")
		}
	}
}

// Words visits each x.
func (c *Codec) Words(xs ...*uint64) {
	for _, x := range xs {
		c.Word(x)
	}
}

// Up visits x, which is at most most.
func Up[T ~uint8 | ~uint16 | ~uint32 | ~int32 | ~int | ~uint64](c *Codec, x *T, most uint64) {
	u := uint64(*x)
	c.Word(&u)
	c.Need(u <= most, "%d is out of range: it must be 0 to %d", u, most)
	if c.mode == reading {
		if c.err != nil {
			u = 0
		}
		*x = T(u)
	}
}

// Integer visits x, of any sign.
func Integer[T ~int | ~int64 | ~int32](c *Codec, x *T) {
	u := uint64(int64(*x))
	c.Word(&u)
	if c.mode == reading {
		*x = T(int64(u))
		c.Need(uint64(int64(*x)) == u, "%d is out of range", int64(u))
	}
}

// Pair visits two numbers in one word, the first one in the high half.
func (c *Codec) Pair(a, b *int32) {
	u := uint64(uint32(*a))<<32 | uint64(uint32(*b))
	c.Word(&u)
	if c.mode == reading {
		*a, *b = int32(u>>32), int32(u)
	}
}

// Floats visits each x, which is finite.
func (c *Codec) Floats(xs ...*float64) {
	for _, x := range xs {
		c.Float(x)
	}
}

// Float visits x, which is finite.
func (c *Codec) Float(x *float64) {
	u := math.Float64bits(*x)
	c.Word(&u)
	if c.mode == reading {
		c.Need(u>>52&0x7ff != 0x7ff, "a number is %v: it must be finite", math.Float64frombits(u))
		if *x = math.Float64frombits(u); c.err != nil {
			*x = 0
		}
	}
}

// Any visits each x, which may be any float64, also NaN.
func (c *Codec) Any(xs ...*float64) {
	for _, x := range xs {
		u := math.Float64bits(*x)
		if c.Word(&u); c.Reading() {
			*x = math.Float64frombits(u)
		}
	}
}

// Positive visits each x, which is finite and not negative.
func (c *Codec) Positive(xs ...*float64) {
	for _, x := range xs {
		c.Float(x)
		c.Need(*x >= 0, "a number is %v: it must be at least 0", *x)
	}
}

// Seconds visits x, which is at least 0, and may be infinite. A hash leaves 0 out.
func (c *Codec) Seconds(x *float64) {
	if c.mode == hashing && *x == 0 {
		return
	}
	u := math.Float64bits(*x)
	c.Word(&u)
	if c.mode == reading {
		*x = math.Float64frombits(u)
		c.Need(*x >= 0, "a time is %v: it must be at least 0", *x)
	}
}

// Rare visits x; a hash leaves 0 out.
func (c *Codec) Rare(x *float64) {
	if c.mode != hashing || *x != 0 {
		c.Float(x)
	}
}

// Rare32 visits x. A hash leaves 0 out, and has the name before any other value; see Hasher.Rare.
func (c *Codec) Rare32(name rune, x *int32) {
	if c.mode == hashing {
		c.sum.Rare(name, uint64(uint32(*x)))
		return
	}
	Integer(c, x)
}

// Single visits x, which is finite; a hash leaves 0 out.
func (c *Codec) Single(x *float32) {
	if c.mode == hashing && *x == 0 {
		return
	}
	u := uint64(math.Float32bits(*x))
	c.Word(&u)
	if c.mode == reading {
		*x = c.single(u)
	}
}

// Singles visits two finite numbers in one word, the first one in the high half.
func (c *Codec) Singles(a, b *float32) {
	u := uint64(math.Float32bits(*a))<<32 | uint64(math.Float32bits(*b))
	c.Word(&u)
	if c.mode == reading {
		*a, *b = c.single(u>>32), c.single(u&math.MaxUint32)
	}
}

func (c *Codec) single(u uint64) float32 {
	c.Need(u>>31 <= 1 && u>>23&0xff != 0xff, "%#x is no finite number of 32 bits", u)
	if c.err != nil {
		return 0
	}
	return math.Float32frombits(uint32(u))
}

// Flags visits a number of 8 bits, at most most, and flags, in one word: flag k is bit 8+k.
func (c *Codec) Flags(number *uint8, most uint8, flags ...*bool) {
	u := uint64(*number)
	for k, f := range flags {
		if *f {
			u |= 1 << (8 + k)
		}
	}
	c.Word(&u)
	if c.mode == reading {
		c.Need(u>>(8+len(flags)) == 0 && uint8(u) <= most, "the flags %#x are out of range", u)
		*number = min(uint8(u), most)
		for k, f := range flags {
			*f = u>>(8+k)&1 == 1
		}
	}
}

// Flag visits x.
func (c *Codec) Flag(x *bool) {
	u := uint64(0)
	if *x {
		u = 1
	}
	c.Word(&u)
	if c.mode == reading {
		c.Need(u <= 1, "a flag is %d", u)
		*x = u == 1
	}
}

// Length visits the length n of a list. The reader refuses a length for which the data is too short: each
// element takes at least so many words.
func (c *Codec) Length(n int, words int) int {
	u := uint64(n)
	c.Word(&u)
	if c.mode == reading {
		c.Need(u <= uint64(len(c.data)/8/words), "a list of %d elements: %d bytes are left", u, len(c.data))
		if c.err != nil {
			return 0
		}
	}
	return int(u)
}

// List visits a list, each element with visit, in at least so many words, which is at least 1.
func List[T any](c *Codec, list *[]T, words int, visit func(i int, x *T)) {
	n := c.Length(len(*list), words)
	if c.mode == reading {
		*list = make([]T, n)
	}
	for i := range *list {
		if visit(i, &(*list)[i]); c.err != nil {
			return
		}
	}
}

// Text visits s: its length, and its bytes, eight in a word.
func (c *Codec) Text(s *string) {
	b := []byte(*s)
	c.Bytes(&b)
	*s = string(b)
}

// Bytes visits b: its length, and its bytes, eight in a word. A reader returns a part of its data.
func (c *Codec) Bytes(b *[]byte) {
	u := uint64(len(*b))
	c.Word(&u)
	if c.mode != reading {
		for at := 0; at < len(*b); at += 8 {
			var room [8]byte
			copy(room[:], (*b)[at:])
			w := binary.LittleEndian.Uint64(room[:])
			c.Word(&w)
		}
		return
	}
	c.Need(u <= uint64(len(c.data)), "a text of %d bytes: %d bytes are left", u, len(c.data))
	if c.err != nil {
		*b = nil
		return
	}
	*b = c.data[:u:u]
	for _, x := range c.data[u : (u+7)&^7] {
		c.Need(x == 0, "the padding of a text is not 0")
	}
	if c.err == nil {
		c.data = c.data[(u+7)&^7:]
	}
}

// Visit visits the values in use with visit, in the order of slots; a snapshot has the generations and the free
// slots, too. With ids, a hash has the ids of the values. A value takes at least one word.
func (p *Pool[T]) Visit(c *Codec, record string, ids bool, visit func(i int32, x *T)) {
	if c.mode != hashing {
		p.visitSlots(c, record)
	}
	for i, x := range p.All() {
		c.In(record, int(i))
		if id := p.ID(i); ids && c.mode == hashing {
			c.Word(&id)
		}
		if visit(i, x); c.err != nil {
			return
		}
	}
}

func (p *Pool[T]) visitSlots(c *Codec, record string) {
	c.In("the slots of every "+record, -1)
	List(c, &p.gen, 1, func(_ int, g *uint32) { Up(c, g, genMask) })
	List(c, &p.free, 1, func(_ int, i *int32) { Up(c, i, uint64(max(1, len(p.gen))-1)) })
	if c.mode != reading {
		return
	}
	used := 0
	for _, g := range p.gen {
		used += int(g & 1)
	}
	c.Need(len(p.gen) < 1<<slotBits-1 && used+len(p.free) == len(p.gen), "%d slots, %d in use and %d free", len(p.gen),
		used, len(p.free))
	var listed Bits
	for _, i := range p.free {
		if c.err == nil {
			c.Need(p.gen[i]&1 == 0 && !listed.Has(i), "slot %d is not free, or is listed twice", i)
			listed.Add(i)
		}
	}
	if c.err != nil {
		*p = Pool[T]{}
	}
	p.items = make([]T, len(p.gen))
}

// Has reports whether slot i, 0 or more, is in the set.
func (b Bits) Has(i int32) bool { return int(i>>6) < len(b) && b[i>>6]>>(i&63)&1 == 1 }

// Visit visits the set: slots below n. has reports whether a slot may be in it.
func (b *Bits) Visit(c *Codec, record string, n int32, has func(i int32) bool) {
	c.In(record, -1)
	words := *b
	for len(words) > 0 && words[len(words)-1] == 0 {
		words = words[:len(words)-1]
	}
	List(c, (*[]uint64)(&words), 1, func(_ int, x *uint64) { c.Word(x) })
	if c.mode == reading {
		if c.Need(len(words) <= (int(n)+63)/64, "%d words for %d slots", len(words), n); c.err != nil {
			return
		}
		*b = words
		for i := range b.All() {
			if c.Need(i < n && has(i), "slot %d is not in use", i); c.err != nil {
				return
			}
		}
	}
}

// Visit visits the ends of an edge.
func (e Edges) Visit(c *Codec, edge int32) {
	c.Pair(&e[edge].next[0], &e[edge].next[1])
	c.Pair(&e[edge].prev[0], &e[edge].prev[1])
}

// Check reports whether the list of ends that starts at first is one, and each end in it is good.
// left is the number of ends that it may have at most, and becomes the number left.
func (e Edges) Check(first int32, left *int, good func(end int32) bool) bool {
	prev := int32(-1)
	for l := first; l >= 0; l = e[l>>1].next[l&1] {
		if *left--; *left < 0 || int(l>>1) >= len(e) || !good(l) || e[l>>1].prev[l&1] != prev {
			return false
		}
		prev = l
	}
	return true
}

// Visit visits the events of the next step; events of the last step are not part of a world's state, and a reader
// forgets them.
func (l *Log[T]) Visit(c *Codec, record string, words int, visit func(x *T)) {
	c.In(record, -1)
	List(c, &l.later, words, func(_ int, x *T) { visit(x) })
	if c.mode == reading {
		l.Now = nil
	}
}
