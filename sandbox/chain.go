package sandbox

import (
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

const (
	// MaxChainSegments bounds the segments of a chain that are sent. Of a longer chain, every n-th
	// point is sent.
	MaxChainSegments = 1 << 16
	// pieceSegments bounds the segments of one CHAIN message.
	pieceSegments = 1 << 10
	// maxChainMaterials bounds the materials of a chain that are sent; segments of further
	// materials get the first.
	maxChainMaterials = 256
)

// line is a chain as it is sent to clients. Its points never change; colours and belt speeds may.
type line struct {
	id        quarry.ChainID
	number    uint32
	rev       uint64 // grows with each change of look, and when the chain is removed
	every     int    // of that many points, the first is sent
	segments  int    // that are sent
	materials []quarry.MaterialID
	look      []chainLook // of each material
	seen      uint64      // the last change at which the chain existed
	gone      bool
}

// chainLook is the appearance of the segments of one material.
type chainLook struct {
	color uint32
	speed float64
}

// lineSent is the part of a line that was sent to a client.
type lineSent struct {
	rev   uint64
	next  int // the first segment not sent
	frame geom.Transform
}

func newLine(number uint32, c quarry.Chain) *line {
	_, n := c.Count()
	l := &line{id: c.ID(), number: number, rev: 1, every: (n + MaxChainSegments - 1) / MaxChainSegments}
	l.segments = (n + l.every - 1) / l.every
	for k := range l.segments {
		if m := c.Material(k * l.every); len(l.materials) < maxChainMaterials && !slices.Contains(l.materials, m) {
			l.materials = append(l.materials, m)
		}
	}
	l.look = make([]chainLook, len(l.materials))
	return l
}

// view updates the looks of the materials.
func (l *line) view(w *quarry.World) {
	for i, id := range l.materials {
		m := w.Material(id)
		if now := (chainLook{m.Color, m.TangentSpeed}); now != l.look[i] {
			l.look[i] = now
			l.rev++
		}
	}
}

// lookAtChains brings the lines up to date with the world.
func (s *shown) lookAtChains() {
	w := s.Engine()
	for c := range w.Chains() {
		i, ok := s.lineOf[c.ID()]
		if !ok {
			i = s.addLine(c)
		}
		s.lines[i].seen = s.looked
		s.lines[i].view(w)
	}
	for _, l := range s.lines {
		if l.seen != s.looked && !l.gone {
			l.gone = true
			l.rev++
			delete(s.lineOf, l.id)
			s.freeLines = append(s.freeLines, l.number)
		}
	}
}

// addLine gives a chain a number, if possible of a removed chain.
func (s *shown) addLine(c quarry.Chain) int {
	i := len(s.lines)
	if n := len(s.freeLines); n > 0 {
		i = int(s.freeLines[n-1])
		s.freeLines = s.freeLines[:n-1]
		rev := s.lines[i].rev
		s.lines[i] = newLine(uint32(i), c)
		s.lines[i].rev += rev
	} else {
		s.lines = append(s.lines, newLine(uint32(i), c))
	}
	s.lineOf[c.ID()] = i
	return i
}

// syncChains appends new, removed and changed chains, and reports whether the batch had room for
// all of them.
func (c *client) syncChains(s *sim) bool {
	for i, l := range s.lines {
		if i == len(c.lines) {
			c.lines = append(c.lines, lineSent{})
		}
		sent := &c.lines[i]
		if sent.rev != l.rev {
			sent.rev, sent.next = l.rev, 0
		} else if l.gone {
			continue
		}
		chain, ok := s.Engine().Chain(l.id)
		if l.gone || !ok {
			c.batch.bytes = appendChainHead(c.batch.bytes, l.number, 0, 0, geom.Empty, nil)
			c.batch.cut()
			continue
		}
		for sent.next < l.segments {
			if len(c.batch.bytes) > batchBytes {
				return false
			}
			n := min(pieceSegments, l.segments-sent.next)
			c.batch.bytes = l.appendPiece(c.batch.bytes, chain, sent.next, n)
			c.batch.cut()
			sent.next += n
		}
	}
	return true
}

// appendPiece appends a CHAIN message with n segments, the first of number first.
func (l *line) appendPiece(dst []byte, c quarry.Chain, first, n int) []byte {
	box := geom.Empty
	for k := first; k <= first+n; k++ {
		p, _ := l.point(c, k)
		box = box.Union(geom.AABB{Min: p, Max: p})
	}
	dst = appendChainHead(dst, l.number, first, n, box, l.look)
	middle := box.Center()
	for k := first; k < first+n; k++ {
		flags := byte(0)
		a, _ := l.point(c, k)
		b, _ := l.point(c, k+1)
		g1, before := l.point(c, k-1)
		if !before {
			g1 = a
		} else {
			flags |= 1
		}
		g2, after := l.point(c, k+2)
		if !after {
			g2 = b
		} else {
			flags |= 2
		}
		for _, p := range [...]geom.Vec{a, b, g1, g2} {
			dst = appendF32(dst, p.X-middle.X)
			dst = appendF32(dst, p.Y-middle.Y)
		}
		dst = append(dst, flags, 0)
		dst = wire.AppendUint16(dst, uint16(max(0, slices.Index(l.materials, c.Material(k*l.every)))))
	}
	return dst
}

// point returns the start of sent segment k; k = -1 and k = segments+1 give the points before the
// first and after the last, which are the ghosts of an open chain. It returns false if there is no
// such point.
func (l *line) point(c quarry.Chain, k int) (geom.Vec, bool) {
	points, _ := c.Count()
	switch ghosts, has := c.Ghosts(); {
	case c.Loop():
		return c.Point((k + l.segments) % l.segments * l.every), true
	case k < 0:
		return ghosts[0], has[0]
	case k > l.segments:
		return ghosts[1], has[1]
	}
	return c.Point(min(k*l.every, points-1)), true
}

// appendChainHead appends a CHAIN message up to its segments; box is their bounding box.
func appendChainHead(dst []byte, number uint32, first, n int, box geom.AABB, looks []chainLook) []byte {
	if n == 0 {
		box = geom.AABB{}
	}
	dst = wire.AppendUint32(appendHeader(dst, msgChain, 0), number)
	dst = wire.AppendUint32(dst, uint32(first))
	dst = wire.AppendUint32(dst, uint32(n))
	dst = wire.AppendUint32(dst, uint32(len(looks)))
	dst = appendF32(dst, box.Size().Len()/2)
	dst = appendF64(dst, box.Center().X)
	dst = appendF64(dst, box.Center().Y)
	for _, k := range looks {
		dst = wire.AppendUint32(dst, k.color)
		dst = appendF32(dst, k.speed)
	}
	return dst
}
