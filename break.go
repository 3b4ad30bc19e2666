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

// mostBreaks bounds the pieces of one step, over all grounds.
const mostBreaks = 64

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
	// Piece is the new ground with the tiles of the part, and Body the dynamic body that carries it. Both are 0
	// if the part was smaller than GroundDef.MinFragment and has vanished: debris, for the game to draw.
	Piece    GroundID
	Body     BodyID
	Cells    gridseg.Rect // the smallest rectangle with the part's cells, the same in the lattices of both grounds
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
// break a ground once, and no view or id changes under a game that edits. At most 64 parts come off in a step; the others
// follow in the next steps.
func (w *World) Breaks() []BreakEvent { return w.events.breaks }

// tear makes the next step look for parts of a ground that have come off, if it may break.
func (w *World) tear(gi int32) {
	if g := w.grounds.At(gi); g.breaks || w.bodies.At(g.body).kind == Dynamic {
		w.torn.Add(gi)
	}
}

// breakGrounds is the first stage of a step: it gives the parts of torn grounds that have come off bodies of their own.
func (w *World) breakGrounds() {
	left := mostBreaks
	for gi := range w.torn.All() {
		if b := w.bodies.At(w.grounds.At(gi).body); left > 0 && b.flags&disabled == 0 {
			left -= w.breakGround(gi, left)
		}
	}
}

// breakGround takes at most so many parts off a ground, and returns their number.
func (w *World) breakGround(gi int32, most int) int {
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
	n := min(len(list), most)
	if n > 0 {
		old := *b
		record.Edit(w.log, uint64(w.grounds.ID(gi)), g.tiles.Grid, false) // the step is recorded, not its edits
		grids := parts.Extract(list[:n])
		w.groundAt(gi).edited(nil)
		for k, of := range grids {
			w.breakOff(gi, &old, &list[k], of)
		}
	}
	if n == len(list) {
		w.torn.Remove(gi)
	}
	return n
}

// breakOff makes a ground of a part of ground gi, on a body that moves as the part did on the old one.
func (w *World) breakOff(gi int32, old *body, p *gridseg.Part, of *gridseg.Grid) {
	g, from := w.groundAt(gi), w.grounds.At(gi).body
	d := GroundDef{Grid: of, Category: g.get().Category, Mask: g.get().Mask, Group: g.get().Group, Flags: g.get().flags}
	ev := BreakEvent{Ground: g.id, Cells: p.Cells, Area: p.Area.Cells(), Spin: old.spin}
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
		b.velocity = b.free(old.velocityAt(b.center.Sub(old.center)))
		ev.Center, ev.Velocity = b.center, b.velocity
	}
	w.events.breaks = append(w.events.breaks, ev)
	w.rehang(from, ev.Body, g.get().tiles.Grid, of)
}

// rehang moves the joints of body i whose anchors are in the tiles of a piece, and not in those that are left, to
// the piece's body; it removes them if there is none. Both bodies have the same frame.
func (w *World) rehang(i int32, to BodyID, left, piece *gridseg.Grid) {
	k, ok := w.bodies.Find(uint64(to))
	for l, j := range w.jointsOf(i) {
		end, at := &j.bodyA, j.A.Origin
		if l&1 != 0 {
			end, at = &j.bodyB, j.B.Origin
		}
		if left.Solid(at.X, at.Y) || !piece.Solid(at.X, at.Y) {
			continue
		}
		if !ok {
			w.removeJoint(l >> 1)
			continue
		}
		w.exclude(j, false)
		w.joints.ends.Unlink(l>>1, &w.rare(j.bodyA).firstJoint, &w.rare(j.bodyB).firstJoint)
		*end = k
		w.joints.ends.Link(l>>1, &w.rare(j.bodyA).firstJoint, &w.rare(j.bodyB).firstJoint)
		w.collideConnected(j, j.collide)
		w.switchJoint(l >> 1)
		w.wakeJoint(j)
	}
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
