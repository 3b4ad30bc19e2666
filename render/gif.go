package render

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"image"
	"io"

	"github.com/quarry2d/quarry/internal/canvas"
)

// gifStream encodes the frames of an animated GIF (89a) one at a time and keeps only their
// compressed bytes; image/gif needs all frames at once.
type gifStream struct {
	body    bytes.Buffer // the frames so far
	delayAt int          // offset of the last frame's delay in body
	z       *lzw.Writer
}

// frame adds a frame for the given part of the picture. pix has its palette indices by row; the
// index transparent leaves a pixel unchanged. setDelay must be called before writeTo.
func (g *gifStream) frame(part image.Rectangle, pix []uint8) error {
	const (
		extension = 0x21
		control   = 0xf9
		separator = 0x2c
		// Disposal 1 (the next frame is drawn over this one), with a transparent index.
		flags    = 1<<2 | 1
		codeSize = 8
	)
	b := &g.body
	b.Write([]byte{extension, control, 4, flags})
	g.delayAt = b.Len()
	b.Write([]byte{0, 0, transparent, 0})
	b.WriteByte(separator)
	b.Write(le16(part.Min.X, part.Min.Y, part.Dx(), part.Dy()))
	b.Write([]byte{0, codeSize})
	blocks := blockWriter{out: b}
	if g.z == nil {
		g.z = lzw.NewWriter(&blocks, lzw.LSB, codeSize).(*lzw.Writer)
	} else {
		g.z.Reset(&blocks, lzw.LSB, codeSize)
	}
	if _, err := g.z.Write(pix); err != nil {
		return err
	}
	if err := g.z.Close(); err != nil {
		return err
	}
	blocks.end()
	return nil
}

// setDelay sets the duration of the last frame in hundredths of a second.
func (g *gifStream) setDelay(cs int) {
	binary.LittleEndian.PutUint16(g.body.Bytes()[g.delayAt:], uint16(min(cs, 0xffff)))
}

// writeTo writes the file, which repeats without end.
func (g *gifStream) writeTo(out io.Writer, w, h int, colours []canvas.Ink) error {
	var head bytes.Buffer
	head.WriteString("GIF89a")
	head.Write(le16(w, h))
	head.Write([]byte{0xf7, 0, 0}) // a palette of 256 colours of 8 bits follows
	var table [3 * 256]byte
	for i, c := range colours {
		table[3*i], table[3*i+1], table[3*i+2] = c.R, c.G, c.B
	}
	head.Write(table[:])
	head.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
	for _, part := range [][]byte{head.Bytes(), g.body.Bytes(), {0x3b}} {
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func le16(values ...int) []byte {
	b := make([]byte, 0, 8)
	for _, v := range values {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	return b
}

// blockWriter writes bytes as sub-blocks of a GIF: a length of 1 to 255, then that many bytes.
type blockWriter struct {
	out   *bytes.Buffer
	block [256]byte
	n     int
}

func (w *blockWriter) Write(p []byte) (int, error) {
	for _, c := range p {
		w.n++
		w.block[w.n] = c
		if w.n == 255 {
			w.flush()
		}
	}
	return len(p), nil
}

func (w *blockWriter) flush() {
	if w.n > 0 {
		w.block[0] = byte(w.n)
		w.out.Write(w.block[:w.n+1])
		w.n = 0
	}
}

// end writes the remaining bytes and the block of length 0.
func (w *blockWriter) end() {
	w.flush()
	w.out.WriteByte(0)
}
