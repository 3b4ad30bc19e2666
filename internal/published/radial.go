package published

import "math"

// assignGhosts matches the segments that meet at one vertex.
func (w *World) assignGhosts(k key) {
	segs := w.vertices[k]
	v := k.unhash()
	var outgoing, incoming []*Seg
	for _, s := range segs {
		if s.Start.equals(v) {
			outgoing = append(outgoing, s)
		}
		if s.End.equals(v) {
			incoming = append(incoming, s)
		}
	}
	for _, s := range segs {
		out := s.Start.equals(v)
		far, candidates := s.Start, outgoing
		if out {
			far, candidates = s.End, incoming
		}
		best := findBestMatch(far.sub(v), candidates, v, out)
		if best == nil {
			continue
		}
		if out {
			ghost := best.Start
			s.Ghost1 = &ghost
		} else {
			ghost := best.End
			s.Ghost2 = &ghost
		}
	}
}

// findBestMatch returns the candidate at vertex v that a turn from target meets
// first, or nil. One that takes no turn at all is skipped.
func findBestMatch(target Vec, candidates []*Seg, v Vec, clockwise bool) *Seg {
	var best *Seg
	least := math.Inf(1)
	for _, c := range candidates {
		far := c.Start
		if c.Start.equals(v) {
			far = c.End
		}
		angle := directionalAngle(target, far.sub(v), clockwise)
		if angle < Epsilon {
			continue
		}
		if angle < least {
			best, least = c, angle
		}
	}
	return best
}

// directionalAngle returns the turn between two directions, in radians, 0 to 2 pi.
func directionalAngle(from, to Vec, clockwise bool) float64 {
	if clockwise {
		from, to = to, from
	}
	angle := math.Atan2(to[1], to[0]) - math.Atan2(from[1], from[0])
	if angle < 0 {
		angle += 2 * math.Pi
	}
	return angle
}
