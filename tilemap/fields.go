package tilemap

import (
	"errors"
	"math"
	"strconv"
)

// valueKind is the type of a value in a file. XML attributes are textual; JSON values have types.
type valueKind uint8

const (
	textual valueKind = iota // an XML attribute, of any type
	jsonString
	jsonNumber
	jsonBool
	jsonNull
	jsonOther // an object or an array
)

// fields are the named scalar values of an XML element or JSON object, which have the same names in
// both formats of Tiled. err is the first fault; after it, all methods return defaults, so a reader
// checks err once at its end.
type fields struct {
	at     spot
	lookup func(key string) (text string, kind valueKind, ok bool)
	err    error
}

func (f *fields) fail(key, why string) {
	if f.err == nil {
		f.err = f.at.errorf("%s %s", key, why)
	}
}

// has reports whether the file has the value.
func (f *fields) has(key string) bool {
	_, kind, ok := f.lookup(key)
	return ok && kind != jsonNull
}

// text returns a string, or def.
func (f *fields) text(key, def string) string {
	s, kind, ok := f.lookup(key)
	if !ok || kind == jsonNull {
		return def
	}
	if kind != textual && kind != jsonString {
		f.fail(key, "is not a string")
		return def
	}
	return s
}

// name returns the name of a layer, a group or a tileset.
func (f *fields) name() string {
	s := f.text("name", "")
	if len(s) > maxName {
		f.fail("name", "is longer than "+strconv.Itoa(maxName)+" bytes")
		return ""
	}
	return s
}

// numeral returns the text of a number, or false if the file has none.
func (f *fields) numeral(key string) (string, bool) {
	s, kind, ok := f.lookup(key)
	switch {
	case !ok || kind == jsonNull:
		return "", false
	case kind != textual && kind != jsonNumber:
		f.fail(key, "is not a number")
		return "", false
	}
	return s, true
}

// number returns a finite number within +-maxNumber, or def.
func (f *fields) number(key string, def float64) float64 {
	s, ok := f.numeral(key)
	if !ok {
		return def
	}
	v, err := parseNumber(s)
	if err != nil {
		f.fail(key, err.Error())
		return def
	}
	return v
}

// size returns a number that is not negative, or 0.
func (f *fields) size(key string) float64 {
	v := f.number(key, 0)
	if v < 0 {
		f.fail(key, "is negative")
		return 0
	}
	return v
}

// integer returns a whole number in lo..hi, or def if the file has none; def need not be in the
// range.
func (f *fields) integer(key string, def, lo, hi int64) int64 {
	s, ok := f.numeral(key)
	if !ok {
		return def
	}
	v, err := parseInteger(s, lo, hi)
	if err != nil {
		f.fail(key, err.Error())
		return def
	}
	return v
}

// need returns a whole number in lo..hi. A missing number is a fault.
func (f *fields) need(key string, lo, hi int64) int64 {
	if !f.has(key) {
		f.fail(key, "is missing")
		return lo
	}
	return f.integer(key, lo, lo, hi)
}

// flag returns a boolean, or def. XML has 0, 1, false or true.
func (f *fields) flag(key string, def bool) bool {
	s, kind, ok := f.lookup(key)
	if !ok || kind == jsonNull {
		return def
	}
	if kind == textual || kind == jsonBool {
		switch s {
		case "1", "true":
			return true
		case "0", "false":
			return false
		}
	}
	f.fail(key, "is neither true nor false")
	return def
}

// maxNumber bounds the pixel coordinates of a file, so that sums and products of them are finite.
const maxNumber = 1e9

// parseNumber parses a decimal number. NaN, infinities and numbers beyond maxNumber are errors.
func parseNumber(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, errors.New("is not a number: " + quote(s))
	case !(math.Abs(v) <= maxNumber): // also NaN and, from ErrRange, infinities
		return 0, errors.New("is out of range: " + quote(s))
	}
	return v, nil
}

// parseInteger parses a whole decimal number in lo..hi.
func parseInteger(s string, lo, hi int64) (int64, error) {
	v, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, errors.New("is not a whole number: " + quote(s))
	case v < lo || v > hi: // after ErrRange v is the limit of int64
		return 0, errors.New("is " + quote(s) + ", not within " +
			strconv.FormatInt(lo, 10) + ".." + strconv.FormatInt(hi, 10))
	}
	return v, nil
}
