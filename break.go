package quarry

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// DefaultMinFragment, 1/64, is the area that a GroundDef.MinFragment of 0 stands for.
const DefaultMinFragment = state.DefaultMinFragment

// MaxFragment is the area, in cells, above which a part never comes off: it stays in place, as if it were anchored. So
// it bounds the time of a step, in which a part comes off as a whole. A game that wants to move such a part takes it
// off with gridseg.Parts.Extract before AddGround, or cuts it.
const MaxFragment = 1 << 20

// mostBreaks bounds the pieces of one step, over all grounds, and mostBroken their area, except for the last one.
const mostBreaks, mostBroken = 64, lattice.CellArea << 16

func fractureOf(d *GroundDef) state.Fracture {
	check.Within("AddGround", "GroundDef.MinFragment", d.MinFragment, 0, state.MostDensity, "")
	return state.Fracture{
		Breaks: d.Breaks, Anchors: append([]gridseg.Rect(nil), d.Anchors...), Bits: d.AnchorBits,
		Least: cmp.Or(d.MinFragment, DefaultMinFragment),
	}
}

// SetBreaks changes the rules by which g breaks on a static or kinematic body: GroundDef.Breaks, Anchors and
// AnchorBits. Parts that nothing holds by the new rules come off at the beginning of the next Step. SetBreaks copies
// the slice.
func (g Ground) SetBreaks(breaks bool, anchors []gridseg.Rect, bits uint32) {
	replay.Call3(g.w.recorder(g.get()), "Ground.SetBreaks", g.id, breaks, anchors, bits)
	st := g.get()
	st.Breaks, st.Anchors, st.Bits = breaks, append([]gridseg.Rect(nil), anchors...), bits
	g.w.state.Tear(g.slot)
}

// SetWhole makes g hold all its parts, on any body, until SetWhole(false): so an edit over several steps, such as a
// stroke that a player draws, breaks it once. Parts that nothing holds come off at the beginning of the next Step.
func (g Ground) SetWhole(on bool) {
	replay.Call1(g.w.recorder(g.get()), "Ground.SetWhole", g.id, on)
	g.get().Whole = on
}

// Whole reports whether g holds all its parts; see SetWhole. A new ground does not.
func (g Ground) Whole() bool { return g.get().Whole }

// SetMinFragment changes GroundDef.MinFragment, in cells; at least 0, and 0 means DefaultMinFragment.
func (g Ground) SetMinFragment(area float64) {
	replay.Call1(g.w.recorder(g.get()), "Ground.SetMinFragment", g.id, area)
	check.Within("SetMinFragment", "area", area, 0, state.MostDensity, "")
	g.get().Least = cmp.Or(area, DefaultMinFragment)
}

// BreakEvent reports that a part of a ground has come off.
type BreakEvent struct {
	Ground GroundID // the ground that had the part
	// Piece is the new ground with the tiles of the part, and Body the dynamic body that carries it, in the same frame,
	// with the shapes and joints beside these tiles. Both are 0 if the part was smaller than GroundDef.MinFragment and
	// has vanished: debris, for the game to draw.
	Piece GroundID
	Body  BodyID
	Cells gridseg.Rect // the smallest rectangle with the part's cells, the same in the lattices of both grounds
	// the part's tiles and polygons, in those cells, to draw debris with; of a Piece, as edited since
	Tiles    gridseg.View
	Area     float64    // in cells
	Center   geom.Vec   // centre of mass, in the world
	Velocity geom.Vec   // of the centre
	Spin     float64    // radians a second
	Material MaterialID // the material of the largest area
}

// Breaks returns the parts of grounds that came off at the beginning of the last step, in the order of the grounds'
// slots, and then of the parts' first cells by row and column. Parts larger than MaxFragment stay.
//
// Grounds break at the beginning of a step, not at the edit: so several edits, such as the strokes of a ring around
// a hill, break a ground once, and no view or id changes while a game edits. At most 64 parts come off in a step,
// and none after parts of 65,536 cells in all; the others follow in the next steps.
func (w *World) Breaks() []BreakEvent { return w.events.breaks }

// breakGrounds is the first stage of a step: it makes bodies of the parts that have come off torn grounds.
func (w *World) breakGrounds() {
	left, area := mostBreaks, gridseg.Area(mostBroken)
	for gi := range w.state.Torn.All() {
		if w.state.Bodies.At(w.state.Grounds.At(gi).Body).Flags&state.Disabled == 0 {
			left, area = w.breakGround(gi, left, area)
		}
	}
}

// breakGround takes loose parts off a ground until the number left or the area left of this step is used up, and
// returns the number and the area that are left.
func (w *World) breakGround(gi int32, left int, area gridseg.Area) (int, gridseg.Area) {
	if left == 0 || area == 0 {
		return left, area
	}
	g := w.state.Grounds.At(gi)
	if g.Whole {
		return left, area
	}
	b := w.state.Bodies.At(g.Body)
	if b.Type != broad.DynamicBody && !g.Breaks { // it was dynamic when it was torn
		w.state.Torn.Remove(gi)
		return left, area
	}
	parts := g.Tiles.Grid.Parts()
	if b.Type == broad.DynamicBody {
		parts.SetAnchors(nil, 0)
	} else {
		parts.SetAnchors(g.Anchors, g.Bits)
	}
	list, more := parts.AppendLoose(w.parts[:0], left, area, MaxFragment*lattice.CellArea)
	w.parts = list
	for _, of := range list {
		area -= min(area, of.Area)
	}
	if len(list) > 0 {
		old, first, whole := *b, len(w.events.breaks), geom.Mass{}
		if old.Flags&state.OwnMass != 0 {
			whole = w.state.MassOf(g.Body)
		}
		replay.Edit(w.log, uint64(w.state.Grounds.ID(gi)), g.Tiles.Grid, false) // the step is recorded, not its edits
		g.Edit()
		grids := parts.Extract(list)
		w.groundAt(gi).edited()
		g.Done()
		for k, of := range grids {
			w.breakOff(gi, &old, &list[k], of)
		}
		w.divide(w.state.Grounds.At(gi).Body, &old, whole, w.events.breaks[first:])
	}
	if !more {
		w.state.Torn.Remove(gi)
	}
	return left - len(list), area
}

// breakOff makes a ground of a part of ground gi, on a body that moves as the part did on the old one.
func (w *World) breakOff(gi int32, old *state.Body, p *gridseg.Part, of *gridseg.Grid) {
	g, from := w.groundAt(gi), w.state.Grounds.At(gi).Body
	d := GroundDef{Grid: of, Category: g.get().Category, Mask: g.get().Mask, Group: g.get().Group, Flags: g.Flags()}
	ev := BreakEvent{Ground: g.id, Cells: p.Cells, Tiles: of.View(), Area: p.Area.Cells(), Spin: old.Spin}
	of.Resolve()
	tiles := surface.Tiles{Grid: of, Materials: g.get().Tiles.Materials}
	m := w.state.TileMass(&tiles)
	most := 0.0
	for _, a := range w.state.Moments {
		if a.Area > most {
			most, ev.Material = a.Area, g.Material(gridseg.Tile{Material: a.Material})
		}
	}
	ev.Center = old.Transform().Apply(m.Center)
	ev.Velocity = old.VelocityAt(ev.Center.Sub(old.Center))
	if ev.Area >= g.get().Least {
		bd := w.bodyAt(from).Def()
		bd.Type, bd.Name, bd.Asleep, bd.Velocity = Dynamic, "", false, ev.Velocity
		ev.Body = w.addBody(bd)
		i, _ := w.state.Bodies.Find(uint64(ev.Body))
		b := w.state.Bodies.At(i)
		b.Rot, b.Center = old.Rot, old.Transform().P
		if id, err := w.addGround(i, d, nil, tiles.Materials, state.Fracture{Least: g.get().Least}); err == nil {
			ev.Piece = id
			w.state.Torn.Remove(b.FirstGround) // it holds together
		}
	}
	w.events.breaks = append(w.events.breaks, ev)
}

// divide divides the shapes, joints and mass of body i, whose record before the break was old, among body i and the
// bodies of the parts, and completes their events; see state.World.Divide.
func (w *World) divide(i int32, old *state.Body, whole geom.Mass, parts []BreakEvent) {
	var bodies []int32
	for e := range parts {
		if k, ok := w.state.Bodies.Find(uint64(parts[e].Body)); ok {
			bodies = append(bodies, k)
		}
	}
	w.state.Divide(i, old, whole, bodies)
	for e := range parts {
		if k, ok := w.state.Bodies.Find(uint64(parts[e].Body)); ok {
			parts[e].Center, parts[e].Velocity = w.state.Bodies.At(k).Center, w.state.Bodies.At(k).Velocity
		}
	}
}

// Crater digs a disc at the point of a hit. On a flat surface the crater is half of the disc, of about the given
// area in cells. Options are as in Dig. A game may take the area from the energy, such as h.Impulse*h.Speed/2,
// or from the excess over Material.Strength, so that strong tiles hold out longer. Crater returns an error, and
// changes nothing, if area is not above 0 or is too small for the lattice, or as Dig does.
func (g Ground) Crater(h HitEvent, area float64, options ...gridseg.BrushOption) error {
	if err := g.Dig(h.Point, h.Point, math.Sqrt(area*(2/math.Pi)), options...); err != nil {
		return fmt.Errorf("quarry: Crater: area %v: %w", area, err)
	}
	return nil
}

// Join moves the tiles of another ground to g, at their place in the world. It removes the other ground, and its
// body, of any type, if that has no other ground, shape or chain (but not the world's own). The tiles of g stay. Both
// grounds must have the same GroundDef.Materials. If the lattices differ by a quarter turn, the tiles move by at most
// half a lattice step of 1/4096; otherwise the tiles become polygons, and their outlines move by at most two steps; see
// gridseg.Grid.Join.
// If both bodies are dynamic, the body of g takes the momentum and angular momentum of the tiles; energy is lost as
// in a collision in which two bodies stick together, unless tiles overlap: the area of both is counted once, so the
// joined body is lighter, and its energy may be greater. Joints stay with their bodies. If SetMass has set the mass of
// one of the two, the tiles take their share of the mass of theirs, as if they had broken off, and the joined body has
// the sum of both masses, as set by SetMass.
//
// It returns an error, and changes nothing, if there is no other ground of that id, the materials differ, or as
// gridseg.Grid.Join does.
func (g Ground) Join(other GroundID) error {
	replay.Call1(g.beginEdit(false), "Ground.Join", g.id, other)
	w, st := g.w, g.get()
	oi, ok := w.state.Grounds.Find(uint64(other))
	if !ok || oi == g.slot {
		return fmt.Errorf("quarry: Ground.Join: no other ground %d", other)
	}
	from := w.state.Grounds.At(oi)
	if !slices.Equal(from.Tiles.Materials, st.Tiles.Materials) {
		return fmt.Errorf("quarry: Ground.Join: ground %d has other GroundDef.Materials", other)
	}
	a, b := w.state.Bodies.At(st.Body), w.state.Bodies.At(from.Body)
	frame := a.Transform().InvMul(b.Transform())
	defer st.Done()
	if err := st.Edit().Join(from.Tiles.Grid, frame.Q.C, frame.Q.S, frame.P.X, frame.P.Y); err != nil {
		return fmt.Errorf("quarry: Ground.Join: %w", err)
	}
	bi, own := from.Body, w.state.Bodies.ID(from.Body) == w.state.WorldBody
	stick := a.Type == broad.DynamicBody && b.Type == broad.DynamicBody && st.Body != bi
	var joint state.Joining
	if stick {
		joint = w.state.Joins(st.Body, bi, w.state.TileMass(&from.Tiles))
	}
	w.state.RemoveGround(oi)
	if empty := b.FirstShape < 0 && b.FirstGround < 0 && b.FirstChain < 0; empty && !own {
		w.state.RemoveBody(bi)
	} else {
		w.state.GroundsChanged(bi)
	}
	g.edited()
	if stick {
		w.state.Joined(&joint)
	}
	return nil
}
