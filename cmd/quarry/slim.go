//go:build !js

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// slim returns a WebAssembly program of Go that does the same and compresses better: its data is a few long segments.
// Go's linker begins a segment after every 8 zeros, up to a hundred thousand; their addresses hardly compress, and the
// zeros do.
func slim(program []byte) ([]byte, error) {
	const head, dataSection = "\x00asm\x01\x00\x00\x00", 11
	if !bytes.HasPrefix(program, []byte(head)) {
		return nil, errors.New("slim: no WebAssembly of version 1")
	}
	out := []byte(head)
	r := wasmReader{data: program[len(head):]}
	for len(r.data) > 0 && !r.bad {
		id := r.byte()
		body := r.take(r.unsigned())
		if id == dataSection {
			var ok bool
			if body, ok = slimData(body); !ok {
				r.bad = true
			}
		}
		out = binary.AppendUvarint(append(out, id), uint64(len(body)))
		out = append(out, body...)
	}
	if r.bad {
		return nil, errors.New("slim: damaged, or no program of Go's linker")
	}
	return out, nil
}

// maxMemory bounds the addresses of data.
const maxMemory = 1 << 28

// slimData returns the data section with few segments, and false if the section is not as Go's linker makes it.
func slimData(section []byte) ([]byte, bool) {
	const i32const, end = 0x41, 0x0b
	r := wasmReader{data: section}
	var memory []byte
	for n := r.unsigned(); n > 0 && !r.bad; n-- {
		active := r.byte() == 0 && r.byte() == i32const
		at := r.signed()
		active = active && r.byte() == end
		b := r.take(r.unsigned())
		if !active || at < 0 || at+int64(len(b)) > maxMemory {
			return nil, false
		}
		if short := int(at) + len(b) - len(memory); short > 0 {
			memory = append(memory, make([]byte, short)...)
		}
		copy(memory[at:], b)
	}
	if r.bad {
		return nil, false
	}
	const gap = 64 // zeros between two segments, at least: gzip needs three bytes for them, and an address ten
	var segments []byte
	count := 0
	for i := 0; i < len(memory); i++ {
		if memory[i] == 0 {
			continue
		}
		to := i + 1
		for j := to; j < len(memory) && j < to+gap; j++ {
			if memory[j] != 0 {
				to = j + 1
			}
		}
		segments = appendSigned(append(segments, 0, i32const), int64(i))
		segments = binary.AppendUvarint(append(segments, end), uint64(to-i))
		segments = append(segments, memory[i:to]...)
		count++
		i = to - 1
	}
	return append(binary.AppendUvarint(nil, uint64(count)), segments...), true
}

// wasmReader reads numbers and bytes of WebAssembly; bad tells that there were too few.
type wasmReader struct {
	data []byte
	bad  bool
}

func (r *wasmReader) take(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.bad = true
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *wasmReader) byte() byte {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *wasmReader) unsigned() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *wasmReader) signed() int64 {
	var v int64
	for shift := uint(0); shift < 64 && !r.bad; shift += 7 {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.bad = true
	return 0
}

// appendSigned appends a signed number of variable length.
func appendSigned(b []byte, v int64) []byte {
	for v < -0x40 || v >= 0x40 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}
