package host

import (
	"encoding/binary"
)

// Frame tells those who watch a world how far it is. It is a hint: the log is the truth. An old owner that was stopped
// for a while may send frames of its epoch: take a frame only if its epoch is later than the last one's, or its epoch
// is the same and its step is later.
type Frame struct {
	World string // not in the binary form
	Epoch uint64
	Step  uint64
	Hash  uint64 // of the world right after the step; 0 if it is not told
}

// AppendBinary appends the binary form of a frame.
func (f Frame) AppendBinary(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, f.Epoch)
	dst = binary.AppendUvarint(dst, f.Step)
	return binary.LittleEndian.AppendUint64(dst, f.Hash)
}

// DecodeFrame decodes a frame of a world. On failure it returns the zero Frame and an error.
func DecodeFrame(world string, b []byte) (Frame, error) {
	r := reader{b: b}
	f := Frame{World: world, Epoch: r.uvarint(), Step: r.uvarint(), Hash: r.uint64()}
	if err := r.end("frame"); err != nil {
		return Frame{}, err
	}
	return f, nil
}
