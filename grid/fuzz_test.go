package grid

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// script reads a fuzzed byte string as changes and queries.
type script struct{ b []byte }

func (s *script) byte() byte {
	if len(s.b) == 0 {
		return 0
	}
	v := s.b[0]
	s.b = s.b[1:]
	return v
}

// coord returns mostly small multiples of a quarter, but with the right first
// byte any number at all, NaN and infinities too.
func (s *script) coord() float64 {
	switch k := s.byte(); {
	case k == 255 && len(s.b) >= 8:
		v := math.Float64frombits(binary.LittleEndian.Uint64(s.b))
		s.b = s.b[8:]
		return v
	case k >= 240:
		return math.Ldexp(float64(int8(s.byte())), int(k-240)*4)
	default:
		return float64(int(k)-120) * 0.25
	}
}

func (s *script) vec() geom.Vec { return geom.V(s.coord(), s.coord()) }

// size returns an extent of 0 to 2^40 or so.
func (s *script) size() float64 {
	k := s.byte()
	return math.Ldexp(float64(k&15), int(k>>4)*3-2)
}

func (s *script) box() geom.AABB {
	p := s.vec()
	return geom.AABB{Min: p, Max: geom.V(p.X+s.size(), p.Y+s.size())}
}

// mask returns a set of categories.
func (s *script) mask() uint64 {
	if k := s.byte(); k > 7 {
		return uint64(k & 7)
	}
	return All
}

// reach returns a reach: 0 to 2^40 or so, or infinite.
func (s *script) reach() float64 {
	if r := s.size(); r > 0 {
		return r
	}
	return math.Inf(1)
}

// refuses expects all grids to refuse a box, for a new object or for id.
func (m *model) refuses(id ID, b geom.AABB) {
	m.t.Helper()
	for _, g := range m.grids {
		err := error(nil)
		if id == none {
			_, err = g.Add(b, 0)
		} else {
			err = g.Update(id, b)
		}
		if err == nil {
			m.t.Fatalf("%v: %v is not refused", g.Kind(), b)
		}
	}
}

// FuzzScript runs scripts of changes and queries against the list of boxes,
// and looks at the grid's insides after each change.
func FuzzScript(f *testing.F) {
	f.Add([]byte{0, 120, 120, 17, 17, 0, 121, 121, 17, 17, 3, 120, 120, 33, 33, 5})
	f.Add([]byte("\x00\xf5\x7f\xf5\x80\x11\x11\x01\x00\x78\x78\xf0\xf0\x04\x00\x00\xf7\x7f\x10"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := script{b: b[:min(len(b), 2000)]}
		m := newModel(t, 1)
		for len(s.b) > 0 && len(m.objects) < 60 {
			op := s.byte()
			switch op % 16 {
			case 0:
				if b := s.box(); m.grids[0].check(b) == nil {
					m.add(b)
				} else {
					m.refuses(none, b)
				}
			case 1, 2:
				if len(m.live) == 0 {
					continue
				}
				i := int(s.byte()) % len(m.live)
				id := m.live[i]
				var b geom.AABB
				if op%16 == 1 {
					b = s.box()
				} else {
					b = m.objects[id].Box.Translate(s.vec())
				}
				if m.grids[0].check(b) == nil {
					m.update(id, b)
				} else {
					m.refuses(id, b)
				}
			case 3:
				if len(m.live) > 0 {
					m.remove(m.live[int(s.byte())%len(m.live)])
				}
			case 4:
				m.checkOverlaps(s.box(), s.mask())
				continue
			case 5:
				m.checkRay(s.vec(), s.vec())
				continue
			case 6:
				m.checkCast(boxCast(s.box(), s.vec(), s.reach(), s.mask()))
				continue
			case 7:
				at, size := s.vec(), s.size()
				m.checkCast(boxCast(geom.Box(at, at).Expand(size), s.vec(), s.reach(), s.mask()))
				continue
			case 8:
				m.checkNearest(s.vec(), s.reach(), s.mask())
				continue
			case 9:
				if len(m.live) > 0 {
					k := s.byte()
					m.exclude(m.live[int(k>>1)%len(m.live)], k&1 == 1)
				}
			case 10:
				if len(m.live) > 0 {
					m.setCategory(m.live[int(s.byte())%len(m.live)], s.mask())
				}
			case 11:
				m.stream(s.vec())
			case 12:
				for _, g := range m.grids {
					g.Rebuild()
				}
			case 13:
				m.clear()
			case 14:
				var boxes []geom.AABB
				for range s.byte() % 8 {
					if b := s.box(); m.grids[0].check(b) == nil {
						boxes = append(boxes, b)
					}
				}
				m.build(boxes)
			case 15:
				m.checkPairs()
				continue
			}
			m.checkInside()
		}
		m.checkAll()
	})
}
