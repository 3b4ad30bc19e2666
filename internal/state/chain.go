package state

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/surface"
)

// Chain is a chain on a body, in the body's frame. Its points never change: a Snapshot shares its lists.
type Chain struct {
	Proxied
	broad.Filter
	surface.Chain
	Box    geom.AABB
	Prev   int32 // the chain that has this one as its next, -1: none
	User   uint64
	Digest uint64 // of the definition without user, for World.Hash
}

// Visit visits s.
func (s *Chain) Visit(c *pool.Codec) {
	of := uint64(uint32(s.Body))
	c.Word(&of)
	if c.Hashing() {
		c.Word(&s.Digest)
		c.Rare32('g', &s.Group)
		return
	}
	c.Words(&s.Category, &s.Mask, &s.User)
	c.Rare32('g', &s.Group)
	pool.Integer(c, &s.Next)
	s.Chain.Visit(c)
	if c.Reading() && c.Err() == nil {
		s.Body, s.Box, s.Digest = int32(of), s.Chain.Bounds(), s.Sum(s.Category, s.Mask)
	}
}

// RemoveChain removes the chain in slot ci and its contacts.
func (w *World) RemoveChain(ci int32) {
	w.removeProxy(broad.OwnerOf(broad.Chain, ci))
	w.unlink(broad.OwnerOf(broad.Chain, ci))
	w.Chains.Remove(ci)
}

// PlaceChains updates the boxes of chain faces that NearFaces and NearObstacle read in a step.
func (w *World) PlaceChains() {
	f := &w.faces
	f.Begin()
	for _, c := range w.Chains.All() {
		if c.Proxy == broad.None {
			continue
		}
		if b := w.Bodies.At(c.Body); b.Static() {
			f.Place(c.Points, b.Transform())
		} else {
			f.Move(c.Proxy)
		}
	}
	if !f.Changed(w.Broad) {
		return
	}
	for _, c := range w.Chains.All() {
		if b := w.Bodies.At(c.Body); c.Proxy != broad.None && b.Static() {
			for _, box := range c.AppendParts(nil) {
				f.Count(box.In(b.Transform()).Expand(geom.LinearSlop)) // more than rounding
			}
		}
	}
}

// NearFaces reports whether a face of a chain may be within distance of a shape's box in the broad phase. It is
// false for most shapes in the box of a long chain.
func (w *World) NearFaces(shape int32, distance float64) bool {
	return w.faces.MayMeet(w.Broad, w.Broad.BoxOf(shape).Expand(distance))
}

// NearObstacle reports whether box may meet an obstacle of continuous collision.
func (w *World) NearObstacle(box geom.AABB) bool {
	return w.Broad.MayMeetOtherThanChains(box) || w.faces.MayMeet(w.Broad, box)
}
