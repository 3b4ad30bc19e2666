package surface

import (
	"errors"
	"fmt"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/pool"
)

// MaxChainPoints is the largest number of points of a chain.
const MaxChainPoints = 1 << 20

// Check returns nil, or the reason why the exported fields do not define a chain.
func (c *Chain) Check() error {
	n, least := len(c.Points), 2
	if c.Loop {
		least = 3
	}
	if n < least || n > MaxChainPoints {
		return fmt.Errorf("quarry: ChainDef.Points: %d points: it must have %d to %d", n, least, MaxChainPoints)
	}
	if c.Materials != nil && len(c.Materials) != c.Segments() {
		return fmt.Errorf("quarry: ChainDef.Materials: %d segments with %d materials", c.Segments(), len(c.Materials))
	}
	for i, p := range c.Points {
		if !isCoord(p) {
			return fmt.Errorf("quarry: ChainDef.Points: point %d %v is not within geom.MaxCoord (%d) of 0 in each "+
				"coordinate", i, p, int64(geom.MaxCoord))
		}
	}
	for i := range c.Segments() {
		if l := c.Points[i].Dist(c.Point(i + 1)); l < geom.LinearSlop {
			return fmt.Errorf("quarry: ChainDef.Points: points %d and %d are %v apart, less than geom.LinearSlop (%v)",
				i, (i+1)%n, l, geom.LinearSlop)
		}
	}
	if c.Loop && c.HasGhost != [2]bool{} {
		return errors.New("quarry: ChainDef: a loop has no ends, and so no ghosts")
	}
	for k, p := range c.Ghost {
		end := k * (n - 1)
		if !c.HasGhost[k] {
			continue
		}
		if !isCoord(p) {
			return fmt.Errorf("quarry: ChainDef: ghost %d %v is not within geom.MaxCoord (%d) of 0 in each coordinate",
				k+1, p, int64(geom.MaxCoord))
		}
		if l := p.Dist(c.Points[end]); l < geom.LinearSlop {
			return fmt.Errorf("quarry: ChainDef: ghost %d and point %d are %v apart, less than geom.LinearSlop (%v)",
				k+1, end, l, geom.LinearSlop)
		}
	}
	return nil
}

// isCoord reports whether p may be a point of a chain.
func isCoord(p geom.Vec) bool {
	return math.Abs(p.X) <= geom.MaxCoord && math.Abs(p.Y) <= geom.MaxCoord
}

// Sum returns a sum of the exported fields and of the category and mask of the chain.
func (c *Chain) Sum(category, mask uint64) uint64 {
	var h pool.Hasher
	h.Word(uint64(len(c.Points)))
	for _, p := range c.Points {
		h.Floats(p.X, p.Y)
	}
	for k, p := range c.Ghost {
		if c.HasGhost[k] {
			h.Word(uint64(k))
			h.Floats(p.X, p.Y)
		}
	}
	if c.Loop {
		h.Word(1)
	}
	h.Word(uint64(c.Material))
	for _, m := range c.Materials {
		h.Word(uint64(m))
	}
	h.Word(category)
	h.Word(mask)
	return uint64(h)
}

// Visit visits the exported fields, for a snapshot. A reader refuses a chain that Check refuses, and builds the faces.
func (c *Chain) Visit(v *pool.Codec) {
	pool.List(v, &c.Points, 2, func(_ int, p *geom.Vec) { v.Floats(&p.X, &p.Y) })
	v.Any(&c.Ghost[0].X, &c.Ghost[0].Y, &c.Ghost[1].X, &c.Ghost[1].Y) // Check looks at those that are set
	one := c.Materials == nil
	v.Flags(new(uint8), 0, &c.Loop, &c.HasGhost[0], &c.HasGhost[1], &one)
	pool.Up(v, &c.Material, math.MaxUint16)
	pool.List(v, &c.Materials, 1, func(_ int, m *uint16) { pool.Up(v, m, math.MaxUint16) })
	if one {
		c.Materials = nil
	}
	if v.Reading() && v.Err() == nil {
		if err := c.Check(); err != nil {
			v.Refuse("%v", err)
			return
		}
		c.Build()
	}
}

// Names reports whether f may name a point of the chain, and segment is one of its segments.
func (c *Chain) Names(f *contact.Feature, segment int32) bool {
	return (f.Kind == contact.ChainFace || f.Kind == contact.Corner) && f.X >= 0 && f.X < int64(len(c.corners)) &&
		segment >= 0 && int(segment) < c.Segments()
}

// Bounds returns the smallest box around the points.
func (c *Chain) Bounds() geom.AABB {
	box := geom.Empty
	for _, p := range c.Points {
		box.Min, box.Max = box.Min.Min(p), box.Max.Max(p)
	}
	return box
}

// AppendOverlaps appends the numbers of the segments that share a point with box (closed), at most
// so many, face by face. t is the frame of the points.
func (c *Chain) AppendOverlaps(dst []int, box geom.AABB, t geom.Transform, most int) []int {
	if box.IsEmpty() {
		return dst
	}
	inverse := geom.Transform{P: t.Q.Inv(t.P.Neg()), Q: geom.Rot{C: t.Q.C, S: -t.Q.S}}
	var room [64]int32
	for _, k := range c.AppendNear(room[:0], box.In(inverse).Expand(RunSlop)) {
		for i, n := c.First(int(k)), c.Count(int(k)); n > 0; n-- {
			if meetsBox(box, t.Apply(c.Point(i)), t.Apply(c.Point(i+1))) {
				if dst = append(dst, i); len(dst) >= most {
					return dst
				}
			}
			if i++; i == len(c.Points) {
				i = 0
			}
		}
	}
	return dst
}

// meetsBox reports whether the segment a-b shares a point with box: whether neither the
// box's sides nor the segment's line separate them.
func meetsBox(box geom.AABB, a, b geom.Vec) bool {
	if !box.Overlaps(geom.Box(a, b)) {
		return false
	}
	e := b.Sub(a)
	lo, hi := false, false // corners on either side of the line
	for _, p := range [4]geom.Vec{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}} {
		x := e.Cross(p.Sub(a))
		lo, hi = lo || x <= 0, hi || x >= 0
	}
	return lo && hi
}
