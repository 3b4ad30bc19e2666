package state

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/store"
	"github.com/quarry2d/quarry/internal/surface"
)

// Chain is a chain on a body, in the body's frame. Its points never change: a Snapshot shares its lists.
type Chain struct {
	Proxied
	broad.Filter
	surface.Chain
	Box    geom.AABB
	User   uint64
	Digest uint64 // of the definition without user, for World.Hash
}

// Visit visits s.
func (s *Chain) Visit(c *store.Codec) {
	of := uint64(uint32(s.Body))
	c.Word(&of)
	if c.Hashing() {
		c.Word(&s.Digest)
		c.Rare32('g', &s.Group)
		return
	}
	c.Words(&s.Category, &s.Mask, &s.User)
	c.Rare32('g', &s.Group)
	store.Integer(c, &s.Next)
	s.Chain.Visit(c)
	if c.Reading() && c.Err() == nil {
		s.Body, s.Box, s.Digest = int32(of), s.Chain.Bounds(), s.Sum(s.Category, s.Mask)
	}
}

func (w *World) RemoveChain(ci int32) {
	w.removeProxy(broad.OwnerOf(broad.Chain, ci))
	w.Unlink(&w.Bodies.At(w.Chains.At(ci).Body).FirstChain, broad.OwnerOf(broad.Chain, ci))
	w.Chains.Remove(ci)
}
