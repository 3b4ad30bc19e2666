package tilemap

import (
	"fmt"
	"strconv"
)

// Error is a fault in a map file or in one of its tileset files. All errors of Load and
// LoadFile are of this type.
type Error struct {
	File  string // the faulty file, by its given or resolved name
	Place string // line, layer, chunk, tileset, tile, object; "" for the whole file
	Err   error  // the fault
}

// Error names the file, the place and the fault, in one line.
func (e *Error) Error() string {
	if e.Place == "" {
		return "tilemap: " + e.File + ": " + e.Err.Error()
	}
	return "tilemap: " + e.File + ": " + e.Place + ": " + e.Err.Error()
}

// Unwrap returns Err, for errors.Is(err, fs.ErrNotExist) and the like.
func (e *Error) Unwrap() error { return e.Err }

// spot is a place in a file. Its methods return narrower spots.
type spot struct {
	file string
	line int // 1-based; 0 = not known or without meaning
	what string
}

// at returns s on another line.
func (s spot) at(line int) spot {
	s.line = line
	return s
}

// in returns s narrowed to a part, such as `tile 7`.
func (s spot) in(part string) spot {
	if s.what != "" {
		part = s.what + ", " + part
	}
	s.what = part
	return s
}

// err returns the fault err at s.
func (s spot) err(err error) *Error {
	place := s.what
	if s.line > 0 {
		place = "line " + strconv.Itoa(s.line)
		if s.what != "" {
			place += ", " + s.what
		}
	}
	return &Error{File: s.file, Place: place, Err: err}
}

func (s spot) errorf(format string, args ...any) *Error {
	return s.err(fmt.Errorf(format, args...))
}

// maxQuoted bounds the bytes of a quoted name in a message.
const maxQuoted = 60

// quote returns a name from a file, shortened and quoted for a message.
func quote(name string) string {
	if len(name) > maxQuoted {
		return strconv.Quote(name[:maxQuoted]) + "..."
	}
	return strconv.Quote(name)
}
