// Package replay writes and reads the log of a world's calls: blocks with checksums, and in these the names of calls
// and their arguments. It does not know the effect of a call.
package replay

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// types lists the concrete types that arguments of interface types may have. Their order is part of the format.
type types []reflect.Type

// typesOf returns geom's shapes, and the types of values.
func typesOf(values []any) (t types) {
	for _, v := range append([]any{geom.Circle{}, geom.Capsule{}, geom.Segment{}, geom.Polygon{}}, values...) {
		t = append(t, reflect.TypeOf(v))
	}
	return t
}

var gridType = reflect.TypeFor[*gridseg.Grid]()

// append appends the value v to dst: numbers that are integers in as many bytes as they need, floats as their bits,
// lists after their length, structs field by field. It returns an error for a value that cannot be written, such as a
// function.
func (t types) append(dst []byte, v reflect.Value) ([]byte, error) {
	if v.Type() == gridType {
		return appendGrid(dst, v.Interface().(*gridseg.Grid)), nil
	}
	var err error
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(dst, 1), nil
		}
		return append(dst, 0), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(dst, v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(dst, v.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float())), nil
	case reflect.String:
		return append(binary.AppendUvarint(dst, uint64(v.Len())), v.String()...), nil
	case reflect.Slice:
		dst = binary.AppendUvarint(dst, uint64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(dst, v.Bytes()...), nil
		}
		fallthrough
	case reflect.Array:
		for i := 0; i < v.Len() && err == nil; i++ {
			dst, err = t.append(dst, v.Index(i))
		}
		return dst, err
	case reflect.Struct:
		for i := 0; i < v.NumField() && err == nil; i++ {
			if !v.Type().Field(i).IsExported() {
				return dst, fmt.Errorf("a %v cannot be recorded", v.Type())
			}
			dst, err = t.append(dst, v.Field(i))
		}
		return dst, err
	case reflect.Interface:
		if v.IsNil() {
			return append(dst, 0), nil
		}
		for k, c := range t {
			if v.Elem().Type() == c {
				return t.append(append(dst, byte(k+1)), v.Elem())
			}
		}
		return dst, fmt.Errorf("a %v cannot be recorded", v.Elem().Type())
	}
	return dst, fmt.Errorf("a %v cannot be recorded", v.Type())
}

// read decodes into v, which must be settable, a value of v's type that append encoded, and returns the rest of data.
// Memory is in proportion to the data that is there.
func (t types) read(data []byte, v reflect.Value) ([]byte, error) {
	var err error
	if v.Type() == gridType {
		g, rest, err := readGrid(data)
		v.Set(reflect.ValueOf(g))
		return rest, err
	}
	switch v.Kind() {
	case reflect.Bool:
		if len(data) == 0 || data[0] > 1 {
			return nil, errData
		}
		v.SetBool(data[0] == 1)
		return data[1:], nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, n := binary.Varint(data)
		if n <= 0 || v.OverflowInt(x) {
			return nil, errData
		}
		v.SetInt(x)
		return data[n:], nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x, rest, err := Uvarint(data)
		if err != nil || v.OverflowUint(x) {
			return nil, errData
		}
		v.SetUint(x)
		return rest, nil
	case reflect.Float32, reflect.Float64:
		if len(data) < 8 {
			return nil, errData
		}
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(data)))
		return data[8:], nil
	case reflect.String:
		b, rest, err := Bytes(data)
		v.SetString(string(b))
		return rest, err
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			b, rest, err := Bytes(data)
			v.SetBytes(append([]byte(nil), b...))
			return rest, err
		}
		n, rest, err := Uvarint(data)
		if err != nil || n > uint64(len(rest)) { // an element takes at least a byte
			return nil, errData
		}
		if n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), 0, min(int(n), 64)))
		}
		for range n {
			e := reflect.New(v.Type().Elem()).Elem()
			if rest, err = t.read(rest, e); err != nil {
				return nil, err
			}
			v.Set(reflect.Append(v, e))
		}
		return rest, nil
	case reflect.Array:
		for i := 0; i < v.Len() && err == nil; i++ {
			data, err = t.read(data, v.Index(i))
		}
		return data, err
	case reflect.Struct:
		for i := 0; i < v.NumField() && err == nil; i++ {
			data, err = t.read(data, v.Field(i))
		}
		return data, err
	case reflect.Interface:
		if len(data) == 0 || int(data[0]) > len(t) {
			return nil, errData
		}
		if data[0] == 0 {
			return data[1:], nil
		}
		c := reflect.New(t[data[0]-1]).Elem()
		if !c.Type().Implements(v.Type()) {
			return nil, errData
		}
		data, err = t.read(data[1:], c)
		v.Set(c)
		return data, err
	}
	return nil, errData
}

// Uvarint returns the number at the start of data, and the rest.
func Uvarint(data []byte) (uint64, []byte, error) {
	x, n := binary.Uvarint(data)
	if n <= 0 {
		return 0, nil, errData
	}
	return x, data[n:], nil
}

// Bytes returns the bytes at the start of data, which follow their number, and the rest.
func Bytes(data []byte) (b, rest []byte, err error) {
	n, rest, err := Uvarint(data)
	if err != nil || n > uint64(len(rest)) {
		return nil, nil, errData
	}
	return rest[:n], rest[n:], nil
}

// AppendBytes appends the number of bytes in b, and b.
func AppendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// readAll decodes all of data into the settable values to.
func (t types) readAll(data []byte, to ...reflect.Value) (err error) {
	for _, v := range to {
		if data, err = t.read(data, v); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		return fmt.Errorf("%d bytes too many", len(data))
	}
	return nil
}
