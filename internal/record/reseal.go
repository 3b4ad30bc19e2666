package record

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// Reseal returns a copy of the log with the byte of its contents at the place at changed to to, and with right checksums, for
// tests of hostile logs. What is not made of blocks stays as it is.
func Reseal(log []byte, at int, to byte) []byte {
	log = slices.Clone(log)
	sum := uint32(0)
	for i := 16; i+8 <= len(log); {
		n := int64(binary.LittleEndian.Uint32(log[i:]))
		if i += 4; n > int64(len(log)-i-4) {
			break
		}
		content := log[i : i+int(n)]
		if at >= 0 && at < len(content) {
			content[at] = to
		}
		at -= len(content)
		sum = crc32.Update(sum, castagno, content)
		i += len(content)
		binary.LittleEndian.PutUint32(log[i:], sum)
		i += 4
	}
	return log
}
