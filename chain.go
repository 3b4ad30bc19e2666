package quarry

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/surface"
)

// MaxChainPoints is the largest number of points of a chain: 1,048,576.
const MaxChainPoints = surface.MaxChainPoints

// ChainDef defines a chain. Only Points must be set.
type ChainDef struct {
	// Points are the vertices in order, in the body's frame: at least 2, or 3 in a loop, at most
	// MaxChainPoints, each at least geom.LinearSlop from the previous one and within geom.MaxCoord.
	// AddChain copies them. From each to the next runs a segment, solid on its left: a floor runs
	// towards -x; a loop is solid inside if it runs counter-clockwise and outside if clockwise.
	Points []geom.Vec
	// Loop adds a segment from the last point to the first.
	Loop bool
	// Ghost1 and Ghost2, if set, are the ghost vertices before the first point and after the last, for a surface
	// that another chain continues: they do not collide, but decide which contacts at the ends are real. An end
	// without a ghost is a true end, which bodies go around.
	Ghost1, Ghost2       geom.Vec
	HasGhost1, HasGhost2 bool
	// Material is the material of all segments, unless Materials has one for each. All must
	// be in the world's table.
	Material  MaterialID
	Materials []MaterialID
	// Category, Mask and Group filter collisions as in ShapeDef.
	Category, Mask uint64
	Group          int32
	User           uint64 // for the game
}

// surface returns the chain that d defines; it shares d's points.
func (d *ChainDef) surface() surface.Chain {
	return surface.Chain{
		Points: d.Points, Loop: d.Loop, Material: uint16(d.Material), Materials: rows.Numbers[uint16](d.Materials),
		Ghost: [2]geom.Vec{d.Ghost1, d.Ghost2}, HasGhost: [2]bool{d.HasGhost1, d.HasGhost2},
	}
}

// Valid returns nil, or the reason why AddChain would refuse the definition in every world.
func (d *ChainDef) Valid() error {
	c := d.surface()
	return c.Check()
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
	replay.Call2(w.recorder(w), "World.AddChain", replay.OfWorld, id, d)
	c := state.Chain{Chain: d.surface(), User: d.User}
	s := &w.state.Surfaces
	if err := cmp.Or(c.Check(), s.Has("AddChain", "ChainDef.Material", c.Chain.Material),
		s.HasAll("AddChain", "ChainDef.Materials", c.Materials)); err != nil {
		return 0, err
	}
	bi, ok := w.bodyOrWorld(id)
	if !ok {
		return 0, fmt.Errorf("quarry: AddChain: no body %d", id)
	}
	b := w.state.Bodies.At(bi)
	if b.Type == broad.DynamicBody {
		return 0, errors.New("quarry: AddChain: a chain on a dynamic body: it has no mass and no inside; use shapes " +
			"or tiles")
	}
	c.Points = slices.Clone(c.Points)
	c.Build()
	c.Box = c.Chain.Bounds()
	fat := c.Box.In(b.Transform()).Expand(state.AABBMargin)
	ci, cid, slot := w.state.Chains.Add()
	c.Proxied, c.Filter = state.Proxied{Proxy: broad.None, Body: bi}, filterOf(d.Category, d.Mask, d.Group)
	if err := w.state.AddProxy(broad.OwnerOf(broad.Chain, ci), &c.Proxied, c.Filter, fat); err != nil {
		w.state.Chains.Remove(ci)
		return 0, fmt.Errorf("quarry: AddChain: %w", err)
	}
	c.Digest = c.Sum(c.Category, c.Mask)
	*slot = c
	w.state.Link(broad.OwnerOf(broad.Chain, ci))
	w.state.WakeNear(&slot.Proxied)
	return ChainID(cid), nil
}

// RemoveChain removes a chain and wakes the bodies that touched it. It returns false if the
// chain does not exist.
func (w *World) RemoveChain(id ChainID) bool {
	replay.Call1(w.recorder(w), "World.RemoveChain", replay.OfWorld, id)
	return pool.Remove(&w.state.Chains, uint64(id), w.state.RemoveChain)
}

// Chain is a view of a chain: a small value, valid until the chain is removed. After that
// all its methods but ID panic. The zero Chain is not a chain. A segment has the number of
// the point at which it begins; in a loop the last segment leads back to the first point.
type Chain struct {
	w    *World
	id   ChainID
	slot int32
}

// Chain returns a view of the chain id; ok is false if it does not exist.
func (w *World) Chain(id ChainID) (Chain, bool) {
	i, ok := w.state.Chains.Find(uint64(id))
	return Chain{w, id, i}, ok
}

// Chains yields every chain, in slot order.
func (w *World) Chains() iter.Seq[Chain] { return pool.Views(&w.state.Chains, w.chainAt) }

func (w *World) chainAt(i int32) Chain { return Chain{w, ChainID(w.state.Chains.ID(i)), i} }

func (c Chain) get() *state.Chain {
	check.Exists(c.w != nil && c.w.state.Chains.Is(c.slot, uint64(c.id)), "chain", uint64(c.id))
	return c.w.state.Chains.At(c.slot)
}

// ID returns the chain's id.
func (c Chain) ID() ChainID { return c.id }

// Body returns the chain's body.
func (c Chain) Body() Body { return c.w.bodyAt(c.get().Body) }

// Transform returns the frame of the chain's points.
func (c Chain) Transform() geom.Transform { return c.w.state.Bodies.At(c.get().Body).Transform() }

// Loop reports whether a segment joins the last point to the first.
func (c Chain) Loop() bool { return c.get().Loop }

// User returns ChainDef.User.
func (c Chain) User() uint64 { return c.get().User }

// SetUser changes ChainDef.User.
func (c Chain) SetUser(user uint64) {
	replay.Call1(c.w.recorder(c.get()), "Chain.SetUser", c.id, user)
	c.get().User = user
}

// SetFilter changes the categories, the mask and the group; see Shape.SetFilter.
func (c Chain) SetFilter(category, mask uint64, group int32) {
	replay.Call3(c.w.recorder(c.get()), "Chain.SetFilter", c.id, category, mask, group)
	st := c.get()
	c.w.state.SetFilter(broad.OwnerOf(broad.Chain, c.slot), &st.Filter, filterOf(category, mask, group))
	st.Digest = st.Sum(st.Category, st.Mask)
}

// Def returns a definition of the chain as it is now: AddChain with it makes another like it.
func (c Chain) Def() ChainDef {
	st := c.get()
	return ChainDef{
		Points: slices.Clone(st.Points), Loop: st.Loop, Ghost1: st.Ghost[0], Ghost2: st.Ghost[1],
		HasGhost1: st.HasGhost[0], HasGhost2: st.HasGhost[1], Material: MaterialID(st.Chain.Material),
		Materials: rows.Numbers[MaterialID](st.Materials),
		Category:  st.Category, Mask: st.Mask, Group: st.Group, User: st.User,
	}
}

// Count returns the numbers of points and of segments.
func (c Chain) Count() (points, segments int) {
	ch := c.get()
	return len(ch.Points), ch.Segments()
}

// Point returns point i, in the body's frame. It panics if i is out of range.
func (c Chain) Point(i int) geom.Vec {
	ch := c.get()
	check.Index("point", i, "chain", len(ch.Points))
	return ch.Points[i]
}

// Points yields the points by number, in the body's frame.
func (c Chain) Points() iter.Seq2[int, geom.Vec] { return slices.All(c.get().Points) }

// Segment returns segment i, in the body's frame; the solid is on its left. It panics if i
// is out of range.
func (c Chain) Segment(i int) geom.Segment { return c.getSegment(i).Segment(i) }

// Segments yields the segments by number, in the body's frame.
func (c Chain) Segments() iter.Seq2[int, geom.Segment] { return c.get().All() }

// Ghosts returns the ghost vertices before the first point and after the last, and whether
// the definition set them.
func (c Chain) Ghosts() (ghosts [2]geom.Vec, has [2]bool) {
	ch := c.get()
	return ch.Ghost, ch.HasGhost
}

// Material returns the material of segment i. It panics if i is out of range.
func (c Chain) Material(i int) MaterialID { return MaterialID(c.getSegment(i).MaterialOf(i)) }

// SetMaterial changes the material of segment i, from the next step on, and wakes the bodies that touch the chain, with
// their islands, if it differs. It panics if i is out of range, or m is not in the world's table.
func (c Chain) SetMaterial(i int, m MaterialID) {
	replay.Call2(c.w.recorder(c.get()), "Chain.SetMaterial", c.id, i, m)
	st, w := c.getSegment(i), c.w
	w.state.Surfaces.MustHave("SetMaterial", "m", uint16(m))
	if st.MaterialOf(i) == uint16(m) {
		return
	}
	st.SetMaterial(i, uint16(m))
	st.Digest = st.Sum(st.Category, st.Mask)
	for _, t := range w.state.ContactsWith(broad.OwnerOf(broad.Chain, c.slot)) {
		w.state.Wake(t.BodyB)
	}
}

// getSegment is get, and panics if the chain has no segment i.
func (c Chain) getSegment(i int) *state.Chain {
	ch := c.get()
	check.Index("segment", i, "chain", ch.Segments())
	return ch
}

// Bounds returns a box around the chain, in the world: the smallest one if the body is not turned.
func (c Chain) Bounds() geom.AABB { return c.get().Box.In(c.Transform()) }

// AppendChains appends the chains with a segment that shares a point with box (in the
// world), in an order that depends only on the calls made, and returns the extended slice.
func (w *World) AppendChains(dst []ChainID, box geom.AABB) []ChainID {
	w.mustBeMade()
	var room [64]grid.ID
	for _, id := range w.state.Broad.Grid.AppendOverlaps(room[:0], box, broad.Chains) {
		c := w.chainAt(w.state.Broad.At(id).Owner.Slot())
		var one [1]int
		if len(c.get().AppendOverlaps(one[:0], box, c.Transform(), 1)) > 0 {
			dst = append(dst, c.id)
		}
	}
	return dst
}

// AppendOverlaps appends the numbers of the segments that share a point with box (in the
// world, closed), in ascending order, and returns the extended slice. Sides, masks and
// materials do not matter.
func (c Chain) AppendOverlaps(dst []int, box geom.AABB) []int {
	from := len(dst)
	dst = c.get().AppendOverlaps(dst, box, c.Transform(), math.MaxInt)
	slices.Sort(dst[from:]) // a loop's last face may begin before its first point
	return dst
}
