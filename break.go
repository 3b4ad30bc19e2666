package quarry

import (
	"cmp"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/mass"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/record"
	"github.com/quarry2d/quarry/internal/store"
	"github.com/quarry2d/quarry/internal/surface"
)

// fracture tells how a ground breaks.
type fracture struct {
	breaks  bool
	anchors []gridseg.Rect
	bits    uint32
	least   float64 // area of a piece, in cells
}

// DefaultMinFragment is the value of GroundDef.MinFragment that 0 stands for.
const DefaultMinFragment = 1.0 / 64

// holdReach is the distance from the tiles of a part, in cells, within which it holds joints, and shapes beyond their extent.
const holdReach = 1

// mostBreaks bounds the pieces of one step, over all grounds, and mostBroken their area, except for the last one.
const mostBreaks, mostBroken = 64, gridseg.CellArea << 16

func fractureOf(d *GroundDef) fracture {
	check.Within("AddGround", "GroundDef.MinFragment", d.MinFragment, 0, mostDensity, "")
	return fracture{d.Breaks, append([]gridseg.Rect(nil), d.Anchors...), d.AnchorBits, cmp.Or(d.MinFragment, DefaultMinFragment)}
}

// SetBreaks changes the rules by which g breaks on a static or kinematic body: GroundDef.Breaks, Anchors and AnchorBits. Parts that
// nothing holds by the new rules come off at the beginning of the next Step. SetBreaks copies the slice.
func (g Ground) SetBreaks(breaks bool, anchors []gridseg.Rect, bits uint32) {
	record.Call3(g.w.recorder(g.get()), "Ground.SetBreaks", g.id, breaks, anchors, bits)
	st := g.get()
	st.breaks, st.anchors, st.bits = breaks, append([]gridseg.Rect(nil), anchors...), bits
	g.w.tear(g.slot)
}

// SetMinFragment changes GroundDef.MinFragment, in cells; at least 0, and 0 means DefaultMinFragment.
func (g Ground) SetMinFragment(area float64) {
	record.Call1(g.w.recorder(g.get()), "Ground.SetMinFragment", g.id, area)
	check.Within("SetMinFragment", "area", area, 0, mostDensity, "")
	g.get().least = cmp.Or(area, DefaultMinFragment)
}

// BreakEvent reports that a part of a ground has come off.
type BreakEvent struct {
	Ground GroundID // the ground that it was part of, on the body that it keeps
	// Piece is the new ground with the tiles of the part, and Body the dynamic body that carries it, in the same frame, with the
	// shapes and joints beside these tiles. Both are 0 if the part was smaller than GroundDef.MinFragment and has vanished:
	// debris, for the game to draw.
	Piece    GroundID
	Body     BodyID
	Cells    gridseg.Rect // the smallest rectangle with the part's cells, the same in the lattices of both grounds
	Tiles    gridseg.View // the part's tiles and polygons, in those cells, to draw debris with; of a Piece, as edited since
	Area     float64      // in cells
	Center   geom.Vec     // centre of mass, in the world
	Velocity geom.Vec     // of the centre
	Spin     float64      // radians a second
	Material MaterialID   // the one with the greatest area
}

// Breaks returns the parts of grounds that came off at the beginning of the last step, in the order of the grounds' slots, and
// then of the parts' first cells by row and column.
//
// Grounds break at the beginning of a step, not at the edit: so several edits, such as the strokes of a ring around a hill,
// break a ground once, and no view or id changes under a game that edits. At most 64 parts come off in a step, and none after
// parts of 65,536 cells in all; the others follow in the next steps.
func (w *World) Breaks() []BreakEvent { return w.events.breaks }

// tear makes the next step look for parts of a ground that have come off, if it may break.
func (w *World) tear(gi int32) {
	if g := w.grounds.At(gi); g.breaks || w.bodies.At(g.body).kind == Dynamic {
		w.torn.Add(gi)
	}
}

// breakGrounds is the first stage of a step: it gives the parts of torn grounds that have come off bodies of their own.
func (w *World) breakGrounds() {
	left, area := mostBreaks, int64(mostBroken)
	for gi := range w.torn.All() {
		if w.bodies.At(w.grounds.At(gi).body).flags&disabled == 0 {
			left, area = w.breakGround(gi, left, area)
		}
	}
}

// breakGround takes loose parts off a ground until the number left or the area left of this step is used up, and returns the number and
// the area that are left.
func (w *World) breakGround(gi int32, left int, area int64) (int, int64) {
	if left == 0 || area <= 0 {
		return left, area
	}
	g := w.grounds.At(gi)
	b := w.bodies.At(g.body)
	parts := g.tiles.Grid.Parts()
	if b.kind == Dynamic {
		parts.SetAnchors(nil, 0)
	} else {
		parts.SetAnchors(g.anchors, g.bits)
	}
	list := parts.AppendLoose(w.scratch.parts[:0])
	w.scratch.parts = list
	if b.kind != Dynamic && !g.breaks { // it was dynamic when it was torn
		list = list[:0]
	}
	n := 0
	for ; n < len(list) && n < left && area > 0; n++ {
		area -= int64(list[n].Area)
	}
	if n > 0 {
		old, first, whole := *b, len(w.events.breaks), geom.Mass{}
		if old.kind == Dynamic && old.flags&ownMass != 0 {
			whole = w.massOf(g.body)
		}
		record.Edit(w.log, uint64(w.grounds.ID(gi)), g.tiles.Grid, false) // the step is recorded, not its edits
		grids := parts.Extract(list[:n])
		w.groundAt(gi).edited(nil)
		for k, of := range grids {
			w.breakOff(gi, &old, &list[k], of)
		}
		w.shareOut(w.grounds.At(gi).body, &old, whole, w.events.breaks[first:])
	}
	if n == len(list) {
		w.torn.Remove(gi)
	}
	return left - n, area
}

// breakOff makes a ground of a part of ground gi, on a body that moves as the part did on the old one.
func (w *World) breakOff(gi int32, old *body, p *gridseg.Part, of *gridseg.Grid) {
	g, from := w.groundAt(gi), w.grounds.At(gi).body
	d := GroundDef{Grid: of, Category: g.get().Category, Mask: g.get().Mask, Group: g.get().Group, Flags: g.get().flags}
	ev := BreakEvent{Ground: g.id, Cells: p.Cells, Tiles: of.View(), Area: p.Area.Cells(), Spin: old.spin}
	of.Resolve()
	tiles := oneway.Tiles{Grid: of, Materials: g.get().tiles.Materials}
	m := mass.Combine(w.appendTileMasses(w.scratch.masses[:0], &tiles))
	most := 0.0
	for _, a := range w.scratch.moments {
		if a.Area > most {
			most, ev.Material = a.Area, g.Material(gridseg.Tile{Material: a.Material})
		}
	}
	ev.Center = old.transform().Apply(m.Center)
	ev.Velocity = old.velocityAt(ev.Center.Sub(old.center))
	if ev.Area >= g.get().least {
		bd := w.bodyAt(from).Def()
		bd.Type, bd.Name, bd.Asleep, bd.Velocity = Dynamic, "", false, ev.Velocity
		ev.Body = w.addBody(bd)
		i, _ := w.bodies.Find(uint64(ev.Body))
		b := w.bodies.At(i)
		b.rot, b.center = old.rot, old.transform().P
		if id, err := w.addGround(i, d, tiles.Materials, fracture{least: g.get().least}); err == nil {
			ev.Piece = id
			w.torn.Remove(b.firstGround) // it holds together
		}
	}
	w.events.breaks = append(w.events.breaks, ev)
}

// shareOut deals out the shapes, the joints and the mass of body i, which was old, to it and to the bodies of the parts that have
// come off it. All have the same frame. whole, with SetMass, is the mass that shapes and tiles gave it.
func (w *World) shareOut(i int32, old *body, whole geom.Mass, parts []BreakEvent) {
	var grids []*gridseg.Grid
	var bodies []int32
	add := func(k int32) {
		for g := w.bodies.At(k).firstGround; g >= 0; g = w.grounds.At(g).next {
			grids, bodies = append(grids, w.grounds.At(g).tiles.Grid), append(bodies, k)
		}
	}
	add(i)
	kept, moved := len(bodies), w.bodies.At(i).kind == Dynamic
	for _, ev := range parts {
		if k, ok := w.bodies.Find(uint64(ev.Body)); ok {
			add(k)
		}
	}
	for s := w.bodies.At(i).firstShape; s >= 0; {
		sh, k := w.shapes.At(s), s
		s = sh.next
		if to := surface.Holder(grids, sh.hull.Centroid, sh.extent+holdReach); to >= kept {
			w.moveShape(k, bodies[to])
			moved = true
		}
	}
	for l, j := range w.jointsOf(i) {
		end, at := &j.bodyA, j.A.Origin
		if l&1 != 0 {
			end, at = &j.bodyB, j.B.Origin
		}
		if to := surface.Holder(grids, at, holdReach); to >= kept {
			w.rehang(l>>1, j, end, bodies[to])
		}
	}
	own := w.rare(i).mass
	if bodies = bodies[kept:]; moved {
		bodies = append(bodies, i)
	}
	for _, k := range bodies {
		b := w.bodies.At(k)
		if whole.Mass > 0 {
			b.flags |= ownMass
			w.rare(k).mass = mass.Share(own, whole, w.massOf(k))
		}
		if w.updateMass(k); b.kind == Dynamic {
			b.velocity = b.free(old.velocityAt(b.center.Sub(old.center)))
		}
	}
	for e := range parts {
		if k, ok := w.bodies.Find(uint64(parts[e].Body)); ok {
			parts[e].Center, parts[e].Velocity = w.bodies.At(k).center, w.bodies.At(k).velocity
		}
	}
}

// rehang moves the end of joint k to another body with the same frame.
func (w *World) rehang(k int32, j *jointState, end *int32, to int32) {
	w.exclude(j, false)
	w.joints.ends.Unlink(k, &w.rare(j.bodyA).firstJoint, &w.rare(j.bodyB).firstJoint)
	*end = to
	w.joints.ends.Link(k, &w.rare(j.bodyA).firstJoint, &w.rare(j.bodyB).firstJoint)
	w.collideConnected(j, j.collide)
	w.switchJoint(k)
	w.wakeJoint(j)
}

// Crater digs a round crater of about an area, in cells, at a hit on g's flat surface: half a disc. Options are those of Dig. An area
// by energy, such as h.Impulse*h.Speed/2, or by the excess over Material.Strength, makes strong tiles hold out longer.
func (g Ground) Crater(h HitEvent, area float64, options ...gridseg.BrushOption) error {
	return g.Dig(h.Point, h.Point, math.Sqrt(area*(2/math.Pi)), options...)
}

// visit visits the rules of a ground that may break.
func (f *fracture) visit(c *store.Codec) {
	c.Flag(&f.breaks)
	store.List(c, &f.anchors, 2, func(_ int, r *gridseg.Rect) {
		c.Pair(&r.MinX, &r.MinY)
		c.Pair(&r.MaxX, &r.MaxY)
	})
	store.Up(c, &f.bits, 1<<32-1)
	c.Positive(&f.least)
}
