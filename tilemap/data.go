package tilemap

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// chunkName returns the name of a chunk for errors.
func chunkName(x, y int) string { return "chunk (" + strconv.Itoa(x) + "," + strconv.Itoa(y) + ")" }

// decode appends the c.w*c.h gids of the chunk to dst, row by row from the top. More or fewer gids
// are an error. The allocated memory is proportional to the decoded gids, not to the declared size.
func (c *chunk) decode(dst []uint32) ([]uint32, error) {
	want := c.w * c.h
	start := len(dst)
	var err error
	switch {
	case c.encoding == "" && c.packing == "":
		dst = append(dst, c.gids...)
	case c.encoding == "csv" && c.packing == "":
		dst, err = appendCSV(dst, c.text, want)
	case c.encoding == "base64":
		dst, err = c.appendBase64(dst, want)
	case c.encoding == "csv" || c.encoding == "":
		err = fmt.Errorf("compression %s without base64", quote(c.packing))
	default:
		err = fmt.Errorf("unknown encoding %s", quote(c.encoding))
	}
	if err != nil {
		return dst, c.at.err(err)
	}
	for i, v := range dst[start:] {
		if c.most > 0 && v > c.most {
			return dst, c.at.errorf("column %d, row %d: the value %d is more than %d", i%c.w, i/c.w, v, c.most)
		}
	}
	if n := len(dst) - start; n != want {
		return dst, c.at.errorf("%d tiles, but %d x %d = %d are declared", n, c.w, c.h, want)
	}
	return dst, nil
}

// appendCSV reads comma-separated numbers with any white space around them. More than want numbers
// are an error.
func appendCSV(dst []uint32, text string, want int) ([]uint32, error) {
	const space = " \t\r\n"
	text = strings.Trim(text, space)
	if text == "" {
		return dst, nil
	}
	for n := 1; ; n++ {
		// Fast path for items of a few digits.
		gid, digits := uint32(0), 0
		for digits < min(9, len(text)) && '0' <= text[digits] && text[digits] <= '9' {
			gid = gid*10 + uint32(text[digits]-'0')
			digits++
		}
		rest, more := text[digits:], false
		if digits > 0 && rest != "" && rest[0] == ',' {
			rest, more = rest[1:], true
		} else {
			var item string
			item, rest, more = strings.Cut(text, ",")
			v, err := strconv.ParseUint(strings.Trim(item, space), 10, 32)
			if err != nil {
				return dst, fmt.Errorf("item %d is not a tile number: %s", n, quote(item))
			}
			gid = uint32(v)
		}
		if n > want {
			return dst, fmt.Errorf("more than the declared %d tiles", want)
		}
		dst = append(dst, gid)
		if !more {
			return dst, nil
		}
		text = rest
	}
}

// withoutBlanks removes spaces and tabs, which XML formatters insert into base64. The decoder
// itself skips line ends.
func withoutBlanks(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, " \t") {
		return text
	}
	return strings.NewReplacer(" ", "", "\t", "").Replace(text)
}

// appendBase64 reads base64 of little-endian gids, compressed or not.
func (c *chunk) appendBase64(dst []uint32, want int) ([]uint32, error) {
	// The decompressors read single bytes from a ByteReader, so they stop exactly at the end of
	// their stream: bytes that remain in src are an error.
	src := bufio.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(withoutBlanks(c.text))))
	var plain io.Reader
	switch c.packing {
	case "":
		plain = src
	case "gzip":
		z, err := gzip.NewReader(src)
		if err != nil {
			return dst, dataError(c.packing, err)
		}
		plain = z
	case "zlib":
		z, err := zlib.NewReader(src)
		if err != nil {
			return dst, dataError(c.packing, err)
		}
		plain = z
	case "zstd":
		z, err := newZstd(src)
		if err != nil {
			return dst, dataError(c.packing, err)
		}
		defer z.Close()
		plain = z
	default:
		return dst, fmt.Errorf("unknown compression %s", quote(c.packing))
	}

	var buf [4096]byte
	for left := want; left > 0; {
		b := buf[:min(len(buf), 4*left)]
		n, err := io.ReadFull(plain, b)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			// There are too few tiles, or the stream or the base64 is truncated.
			return dst, fmt.Errorf("the data end after %d of %d bytes", 4*(want-left)+n, 4*want)
		}
		if err != nil {
			return dst, dataError(c.packing, err)
		}
		for i := 0; i < len(b); i += 4 {
			dst = append(dst, binary.LittleEndian.Uint32(b[i:]))
		}
		left -= len(b) / 4
	}
	// Reading to the end also verifies the checksums.
	switch n, err := io.ReadFull(plain, buf[:1]); {
	case n > 0:
		return dst, fmt.Errorf("the data are longer than the declared %d bytes", 4*want)
	case err != io.EOF:
		return dst, dataError(c.packing, err)
	}
	switch _, err := src.ReadByte(); {
	case err == nil:
		return dst, fmt.Errorf("bytes follow the end of the %s data", c.packing)
	case err != io.EOF:
		return dst, dataError("", err)
	}
	return dst, nil
}

// dataError adds the failed step of decoding to err.
func dataError(packing string, err error) error {
	var corrupt base64.CorruptInputError
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return err
	case errors.As(err, &corrupt):
		return fmt.Errorf("invalid base64: %w", err)
	case packing == "":
		return fmt.Errorf("invalid base64: %w", err)
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return fmt.Errorf("the %s data are cut short", packing)
	}
	return fmt.Errorf("invalid %s data: %w", packing, err)
}
