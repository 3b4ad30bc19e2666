package published

import "math"

// Epsilon is the article's tolerance, in cells, and of angles in radians.
const Epsilon = 1e-3

// Vec is a point or a direction, in cells.
type Vec [2]float64

func (v Vec) sub(o Vec) Vec { return Vec{v[0] - o[0], v[1] - o[1]} }

// equals is the article's vec2Equals.
func (v Vec) equals(o Vec) bool {
	return math.Abs(v[0]-o[0]) < Epsilon && math.Abs(v[1]-o[1]) < Epsilon
}

// key is a hashed position: the bits of both coordinates as float32.
type key uint64

func hash(v Vec) key {
	return key(math.Float32bits(float32(v[0])))<<32 | key(math.Float32bits(float32(v[1])))
}

// unhash returns the position of a key, rounded as float32 is.
func (k key) unhash() Vec {
	return Vec{float64(math.Float32frombits(uint32(k >> 32))), float64(math.Float32frombits(uint32(k)))}
}

// keySet is a set that keeps the order of insertion.
type keySet struct {
	has  map[key]struct{}
	list []key
}

func (s *keySet) add(k key) {
	if _, ok := s.has[k]; ok {
		return
	}
	if s.has == nil {
		s.has = map[key]struct{}{}
	}
	s.has[k] = struct{}{}
	s.list = append(s.list, k)
}

func (s *keySet) clear() {
	clear(s.has)
	s.list = s.list[:0]
}
