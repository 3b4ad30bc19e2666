// Package check refuses arguments that are out of range, by a panic whose text names the call, the
// argument or field, its value and its range. A value that is NaN is out of every range.
package check

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Refuse panics: call received value for field, outside the range that limit describes.
func Refuse(call, field string, value any, limit string) {
	panic(fmt.Sprintf("quarry: %s: %s %v is out of range: it must be %s", call, field, value, limit))
}

// Finite panics if x is NaN or an infinity.
func Finite(call, field string, x float64) {
	if !(math.Abs(x) <= math.MaxFloat64) {
		Refuse(call, field, x, "finite")
	}
}

// FiniteVec panics if a coordinate of v is NaN or an infinity.
func FiniteVec(call, field string, v geom.Vec) {
	if !v.IsFinite() {
		Refuse(call, field, v, "finite")
	}
}

// Positive panics if x is negative, NaN or an infinity.
func Positive(call, field string, x float64) {
	if !(x >= 0 && x <= math.MaxFloat64) {
		Refuse(call, field, x, "finite and at least 0")
	}
}

// Within panics if x is less than lo or more than hi; or is appended to the limits in the message.
func Within(call, field string, x, lo, hi float64, or string) {
	if !(x >= lo && x <= hi) {
		Refuse(call, field, x, fmt.Sprintf("%v to %v%s", lo, hi, or))
	}
}

// Number is a number of a configuration, where 0 stands for Usual.
type Number struct {
	Name        string
	Value       *float64
	Least, Most float64
	Usual       float64
}

// Complete sets the number to the usual one if it is 0. It panics if it is out of range; owner is the type of the
// configuration.
func (n *Number) Complete(call, owner string) {
	if *n.Value == 0 {
		*n.Value = n.Usual
	}
	Within(call, owner+"."+n.Name, *n.Value, n.Least, n.Most, fmt.Sprintf(", or 0 for %v", n.Usual))
}

// VecWithin panics if a coordinate of v is beyond most, on either side of 0.
func VecWithin(call, field string, v geom.Vec, most float64) {
	if !(math.Abs(v.X) <= most && math.Abs(v.Y) <= most) {
		Refuse(call, field, v, fmt.Sprintf("-%v to %v in each coordinate", most, most))
	}
}

// UpTo panics if x, a number of a list, is more than the last number, which has a name.
func UpTo[T ~uint8](call, field string, x, last T, name string) {
	if x > last {
		Refuse(call, field, x, fmt.Sprintf("0 to %d (%s)", last, name))
	}
}

// Index panics if an element does not exist: the one with the number i, of n in a list.
func Index(element string, i int, list string, n int) {
	if i < 0 || i >= n {
		panic(fmt.Sprintf("quarry: %s %d is out of range: the %s has 0 to %d", element, i, list, n-1))
	}
}

// NotNil panics if an argument of the name field is nil.
func NotNil(call, field string, isNil bool) {
	if isNil {
		panic("quarry: " + call + ": " + field + " is nil")
	}
}

// Exists panics if a body, shape and so on, as kind says, of the id does not exist.
func Exists(ok bool, kind string, id uint64) {
	if ok {
		return
	}
	if id == 0 {
		panic(fmt.Sprintf("quarry: there is no %s 0: the id 0, and a view of it, names none", kind))
	}
	panic(fmt.Sprintf("quarry: there is no %s of the id %d: it was removed, or never added to this world", kind, id))
}
