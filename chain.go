package quarry

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/store"
	"github.com/quarry2d/quarry/internal/surface"
)

// A chain is a line of points that is solid on one side. From its definition to its
// contacts:
//
//   - AddChain checks and copies the points, which never change afterwards. The chain
//     belongs to a body; RemoveChain and RemoveBody remove it.
//   - Segments in a straight line are joined into faces once, in a tree of boxes (package
//     internal/surface).
//   - The broad phase has the box of the whole chain and finds the shapes near it (pair.go);
//     each pair has one contact.
//   - In a step, the faces under the shape, each with the far ends of its neighbours, go to
//     package collide, which returns a manifold for each (internal/narrow). The solver, the
//     events and AppendContacts treat the contact like any other; its points have a segment
//     number and material.
//   - Fast shapes are swept against the faces (obstacle.go); queries search them
//     (chainquery.go).

// MaxChainPoints is the largest number of points of a chain.
const MaxChainPoints = 1 << 20

// ChainDef defines a chain. Only Points must be set.
type ChainDef struct {
	// Points are the vertices in order, in the body's frame: at least 2, or 3 in a loop, at
	// most MaxChainPoints, each at least geom.LinearSlop from the previous one and within
	// geom.MaxCoord. AddChain copies them. From each to the next runs a segment, solid on
	// its left: a floor runs towards -x; a loop is solid inside if it runs counter-clockwise
	// and outside if clockwise.
	Points []geom.Vec
	// Loop adds a segment from the last point to the first.
	Loop bool
	// Ghost1 and Ghost2, if set, are the ghost vertices before the first point and after the
	// last, for a surface that another chain continues: they do not collide, but tell which
	// contacts at the ends are real. An end without a ghost is a true end, which bodies go
	// around.
	Ghost1, Ghost2       geom.Vec
	HasGhost1, HasGhost2 bool
	// Material is the material of all segments, unless Materials has one for each. All must
	// be in the world's table.
	Material  MaterialID
	Materials []MaterialID
	// Category and Mask are as in ShapeDef.
	Category, Mask uint64
	User           uint64
}

// segments returns the number of segments between the points.
func (d *ChainDef) segments() int {
	if d.Loop {
		return len(d.Points)
	}
	return len(d.Points) - 1
}

// Valid returns nil, or the reason why AddChain would refuse the definition in every world.
func (d *ChainDef) Valid() error {
	n, least := len(d.Points), 2
	if d.Loop {
		least = 3
	}
	if n < least || n > MaxChainPoints {
		return fmt.Errorf("quarry: a chain of %d points: it must have %d to %d", n, least, MaxChainPoints)
	}
	if d.Materials != nil && len(d.Materials) != d.segments() {
		return fmt.Errorf("quarry: a chain of %d segments with %d materials", d.segments(), len(d.Materials))
	}
	for i, p := range d.Points {
		if !isCoord(p) {
			return fmt.Errorf("quarry: point %d of a chain, %v, is not within geom.MaxCoord (%d) of 0 in each coordinate", i, p, int64(geom.MaxCoord))
		}
	}
	for i := range d.segments() {
		j := (i + 1) % n
		if l := d.Points[i].Dist(d.Points[j]); l < geom.LinearSlop {
			return fmt.Errorf("quarry: points %d and %d of a chain are %v apart, less than geom.LinearSlop (%v)", i, j, l, geom.LinearSlop)
		}
	}
	if d.Loop && (d.HasGhost1 || d.HasGhost2) {
		return errors.New("quarry: a loop has no ends, and so no ghosts")
	}
	for k, p := range [2]geom.Vec{d.Ghost1, d.Ghost2} {
		has, point := d.HasGhost1, 0
		if k == 1 {
			has, point = d.HasGhost2, n-1
		}
		if !has {
			continue
		}
		if !isCoord(p) {
			return fmt.Errorf("quarry: ghost %d of a chain, %v, is not within geom.MaxCoord (%d) of 0 in each coordinate", k+1, p, int64(geom.MaxCoord))
		}
		if l := p.Dist(d.Points[point]); l < geom.LinearSlop {
			return fmt.Errorf("quarry: ghost %d and point %d of a chain are %v apart, less than geom.LinearSlop (%v)", k+1, point, l, geom.LinearSlop)
		}
	}
	return nil
}

// isCoord reports whether p may be a point of a chain.
func isCoord(p geom.Vec) bool {
	return math.Abs(p.X) <= geom.MaxCoord && math.Abs(p.Y) <= geom.MaxCoord
}

// chain is a chain on a body, in the body's frame.
type chain struct {
	surface.Chain
	moved    bool // listed in scratch.moved
	box      geom.AABB
	fat      geom.AABB // box in the world, grown by aabbMargin
	category uint64
	mask     uint64
	user     uint64
	sum      uint64 // sum of all fields above but user, for World.Hash
	proxy    grid.ID
	body     int32
	next     int32 // the body's other chains, -1: none
}

// AddChain adds a chain to a static or kinematic body; with body 0, to a static body of the
// world's own at the origin. Dynamic bodies collide with the chain from its front: a shape
// whose centroid is behind a face does not collide with that face.
//
// It returns an error if the body does not exist or is dynamic, since a line has no mass and
// no inside; if d is not Valid or names a material that is not in the world's table; and if
// the chain is beyond the bounds of the broad phase. An error changes nothing.
//
// It wakes the bodies whose boxes overlap the chain's.
func (w *World) AddChain(id BodyID, d ChainDef) (ChainID, error) {
	w.mustNotStep()
	if err := d.Valid(); err != nil {
		return 0, err
	}
	if err := w.materialError("AddChain", "ChainDef.Material", d.Material); err != nil {
		return 0, err
	}
	for i, m := range d.Materials {
		if int(m) >= len(w.materials) {
			return 0, w.materialError("AddChain", fmt.Sprintf("ChainDef.Materials[%d]", i), m)
		}
	}
	t := geom.At(geom.Vec{})
	if bi, ok := w.bodies.Find(uint64(orDefault(uint64(id), uint64(w.worldBody)))); ok {
		t = w.bodies.At(bi).transform()
		if w.bodies.At(bi).kind == Dynamic {
			return 0, errors.New("quarry: AddChain: a chain on a dynamic body: it has no mass and no inside; use shapes")
		}
	} else if id != 0 {
		return 0, fmt.Errorf("quarry: AddChain: no body %d", id)
	}
	c := chain{
		Chain: surface.Chain{
			Points: slices.Clone(d.Points), Loop: d.Loop,
			Ghost: [2]geom.Vec{d.Ghost1, d.Ghost2}, HasGhost: [2]bool{d.HasGhost1, d.HasGhost2},
			Material: uint16(d.Material),
		},
		category: orDefault(d.Category, 1), mask: orDefault(d.Mask, math.MaxUint64), user: d.User,
		box: geom.Empty,
	}
	if d.Materials != nil {
		c.Materials = make([]uint16, len(d.Materials))
		for i, m := range d.Materials {
			c.Materials[i] = uint16(m)
		}
	}
	for _, p := range c.Points {
		c.box.Min, c.box.Max = c.box.Min.Min(p), c.box.Max.Max(p)
	}
	c.Build()
	c.sum = c.hash()
	c.fat = c.box.In(t).Expand(aabbMargin)
	ci, cid, slot := w.chains.Add()
	box, err := w.addProxy(chainProxy|proxy(ci), c.fat, inChains)
	if err != nil {
		w.chains.Remove(ci)
		return 0, fmt.Errorf("quarry: AddChain: %w", err)
	}
	if id == 0 {
		id = w.fixedBody()
	}
	bi, _ := w.bodies.Find(uint64(id))
	b := w.bodies.At(bi)
	c.proxy, c.body, c.next = box, bi, b.firstChain
	*slot = c
	b.firstChain = ci
	w.noteMoved(chainProxy | proxy(ci))
	w.wakeUnlessNewIn(c.fat)
	return ChainID(cid), nil
}

// RemoveChain removes a chain and wakes the bodies that touched it. It returns false if
// there is no such chain.
func (w *World) RemoveChain(id ChainID) bool {
	w.mustNotStep()
	i, ok := w.chains.Find(uint64(id))
	if ok {
		w.removeChain(i)
	}
	return ok
}

func (w *World) removeChain(ci int32) {
	ch := w.chains.At(ci)
	b := w.bodies.At(ch.body)
	for l := b.firstContact; l >= 0; {
		c := w.contacts.At(l >> 1)
		next := c.next[l&1]
		if c.chain == ci {
			w.removeContact(l>>1, true)
		}
		l = next
	}
	for at := &b.firstChain; *at >= 0; at = &w.chains.At(*at).next {
		if *at == ci {
			*at = ch.next
			break
		}
	}
	w.dropMoved(chainProxy | proxy(ci))
	w.broad.Remove(ch.proxy)
	w.chains.Remove(ci)
}

// hash returns a sum of the definition without User.
func (ch *chain) hash() uint64 {
	var h store.Hasher
	h.Word(uint64(len(ch.Points)))
	for _, p := range ch.Points {
		h.Float(p.X)
		h.Float(p.Y)
	}
	for k, p := range ch.Ghost {
		if ch.HasGhost[k] {
			h.Word(uint64(k))
			h.Float(p.X)
			h.Float(p.Y)
		}
	}
	if ch.Loop {
		h.Word(1)
	}
	h.Word(uint64(ch.Material))
	for _, m := range ch.Materials {
		h.Word(uint64(m))
	}
	h.Word(ch.category)
	h.Word(ch.mask)
	return uint64(h)
}
