package play

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Limits of what players can undo. Beyond them the oldest edits are forgotten.
const (
	maxEdits   = 100     // of one player
	maxHistory = 2 << 20 // estimated bytes, of all players
	maxEdit    = 256 << 10
	// flipCells is the number of cells that one "undo" or "redo" changes.
	flipCells = 512
	cellCost  = 64 // bytes of a change of a cell, besides its content
)

// history has the edits that players can undo, the oldest first.
type history struct {
	edits []*edit
	cost  int   // estimated bytes
	now   *edit // of the command being executed; nil if the command is none
}

// edit is what a stroke, or one command, has changed. To undo it and to redo it is the same: to flip it. A flip leaves
// cells alone that others have changed since, and bodies and joints that are gone.
type edit struct {
	by     Player
	undone bool
	open   bool // its stroke goes on
	left   int  // cells that the last flip has not come to
	cells  []cellChange
	things []thing
	cost   int

	index map[cellKey]int // of cells, while it is open
}

type cellKey struct {
	ground quarry.GroundID
	at     gridseg.Cell
}

// thing is a body or a joint that an edit has added or removed: in the world by its id, or kept. One with settings is
// a body or a joint that an edit has changed.
type thing struct {
	body     quarry.BodyID
	joint    quarry.JointID
	kept     *kept
	beside   quarry.GroundID // the ground that the body was a part of; it comes back where that has moved to
	settings []setting
	undone   bool // of the settings
}

// begin begins the edit of a command, or goes on with the one of the player's stroke.
func (h *history) begin(by Player, hold bool) {
	for i := len(h.edits) - 1; i >= 0; i-- {
		e := h.edits[i]
		if e.by != by {
			continue
		}
		if e.open && hold && !e.undone && e.cost < maxEdit {
			h.now = e
			return
		}
		break
	}
	h.now = &edit{by: by, open: hold}
}

// end puts the edit of the command into the list, if it has changed anything.
func (h *history) end() {
	e := h.now
	h.now = nil
	if e == nil || len(e.cells)+len(e.things) == 0 {
		return
	}
	if n := len(h.edits); n == 0 || !slices.Contains(h.edits, e) {
		// What the player has undone cannot be redone any more.
		h.drop(func(o *edit) bool { return o.by == e.by && o.undone })
		h.edits = append(h.edits, e)
	}
	h.bound(e.by)
}

// bound forgets the oldest edits beyond the limits.
func (h *history) bound(by Player) {
	h.cost = 0
	mine := 0
	for _, e := range h.edits {
		h.cost += e.cost
		if e.by == by {
			mine++
		}
	}
	h.drop(func(e *edit) bool {
		if mine > maxEdits && e.by == by {
			mine--
			return true
		}
		return false
	})
	for len(h.edits) > 0 && h.cost > maxHistory {
		h.cost -= h.edits[0].cost
		h.edits = slices.Delete(h.edits, 0, 1)
	}
}

// drop forgets edits.
func (h *history) drop(which func(*edit) bool) {
	h.edits = slices.DeleteFunc(h.edits, func(e *edit) bool {
		if !which(e) {
			return false
		}
		h.cost -= e.cost
		return true
	})
}

// close ends the stroke of a player.
func (h *history) close(by Player) {
	for _, e := range h.edits {
		if e.by == by && e.open {
			e.open, e.index = false, nil
		}
	}
}

// changed notes the change of a cell.
func (h *history) changed(c cellChange) {
	e := h.now
	if e == nil || c.was == c.is {
		return
	}
	key := cellKey{c.ground, c.at}
	if e.index == nil {
		e.index = map[cellKey]int{}
		for i := range e.cells {
			e.index[cellKey{e.cells[i].ground, e.cells[i].at}] = i
		}
	}
	if i, ok := e.index[key]; ok {
		e.cost += len(c.is) - len(e.cells[i].is)
		e.cells[i].is = c.is
		return
	}
	e.index[key] = len(e.cells)
	e.cells = append(e.cells, c)
	e.cost += cellCost + len(c.was) + len(c.is)
}

// touched notes that a body or a joint was added, removed or changed.
func (h *history) touched(t thing) {
	if e := h.now; e != nil {
		e.things = append(e.things, t)
		e.cost += t.cost()
	}
}

func (t *thing) cost() int {
	n := cellCost
	if t.kept != nil {
		n += t.kept.cost()
	}
	for _, s := range t.settings {
		n += cellCost + len(s.Was) + len(s.Is)
	}
	return n
}

// last returns the edit that "undo" flips, or "redo"; nil if there is none.
func (h *history) last(by Player, redo bool) *edit {
	var found *edit
	for _, e := range h.edits {
		if e.by == by && e.undone == redo && (!redo || found == nil) {
			found = e
		}
	}
	return found
}

// rename puts the ids of what was put back in the place of those that it had.
func (h *history) rename(r *renames) {
	for _, e := range h.edits {
		for i := range e.cells {
			e.cells[i].ground = r.ground(e.cells[i].ground)
		}
		for i := range e.things {
			t := &e.things[i]
			t.body, t.joint, t.beside = r.of(t.body), r.joint(t.joint), r.ground(t.beside)
			if t.kept == nil {
				continue
			}
			for k := range t.kept.Joints {
				j := &t.kept.Joints[k]
				j.A, j.B, j.ID = r.of(j.A), r.of(j.B), r.joint(j.ID)
			}
		}
	}
}

// Edits returns how many edits of a player "undo" can undo, and "redo" can redo.
func (w *World) Edits(by Player) (done, undone int) {
	for _, e := range w.history.edits {
		switch {
		case e.by != by:
		case e.undone:
			undone++
		default:
			done++
		}
	}
	return done, undone
}

// Unfinished reports whether the last "undo" or "redo" of a player has cells left, which the same command given again
// changes.
func (w *World) Unfinished(by Player) bool {
	for _, e := range w.history.edits {
		if e.by == by && e.left > 0 {
			return true
		}
	}
	return false
}

// undo undoes the player's last edit, or with "redo" does it again: at most flipCells of its cells at a time.
func (w *World) undo(p *player, m Command) error {
	w.letGo(p)
	redo := m.Do == "redo"
	// A flip that is unfinished goes on.
	for _, e := range w.history.edits {
		if e.by == w.by && e.left > 0 && e.undone != redo {
			return w.flipCells(e, m.Do)
		}
	}
	e := w.history.last(w.by, redo)
	if e == nil {
		return fmt.Errorf("%s: there is nothing to %s", m.Do, m.Do)
	}
	for _, o := range w.history.edits {
		if o.by == w.by {
			o.left = 0 // of a flip the other way
		}
	}
	e.open, e.index = false, nil
	e.undone, e.left = !redo, len(e.cells)
	return errors.Join(w.flipThings(e, m.Do), w.flipCells(e, m.Do))
}

// flipThings puts back the bodies and joints of an edit that are kept, and keeps those that are there.
func (w *World) flipThings(e *edit, do string) (bad error) {
	order := slices.Collect(func(yield func(int) bool) {
		for i := range e.things {
			if e.undone { // the last first
				i = len(e.things) - 1 - i
			}
			if !yield(i) {
				return
			}
		}
	})
	for _, i := range order {
		t := &e.things[i]
		e.cost -= t.cost()
		if err := w.flipThing(t); err != nil && bad == nil {
			bad = fmt.Errorf("%s: %w", do, err)
		}
		e.cost += t.cost()
	}
	w.bodies = w.in.World.Stats().Bodies
	w.numberGrounds()
	w.history.bound(e.by)
	return bad
}

func (w *World) flipThing(t *thing) error {
	q := w.in.World
	if len(t.settings) > 0 {
		return w.flipSettings(t)
	}
	if t.kept != nil {
		w.follow(t)
		if err := w.fits(t.kept); err != nil {
			return err
		}
		renamed := newRenames()
		if err := w.putBack(t.kept, renamed); err != nil {
			return err
		}
		if t.kept.Body != 0 {
			t.body = renamed.to
			w.lower(t.kept.Box.Min.Y)
		} else {
			t.joint = renamed.joints[t.kept.Joints[0].ID]
		}
		t.kept = nil
		w.history.rename(renamed)
		return nil
	}
	if b, ok := q.Body(t.body); ok {
		k, err := w.keepBody(b)
		if err != nil {
			return err
		}
		if g, ok := q.Ground(t.beside); ok {
			k.Then = g.Transform()
		}
		q.RemoveBody(t.body)
		t.kept = k
		return nil
	}
	if j, ok := q.Joint(t.joint); ok {
		k, err := w.keepJoint(j)
		if err != nil {
			return err
		}
		q.RemoveJoint(t.joint)
		t.kept = &kept{Joints: []keptJoint{k}}
	}
	return nil
}

// follow moves a kept body as the ground has moved that it was a part of.
func (w *World) follow(t *thing) {
	g, ok := w.in.World.Ground(t.beside)
	if !ok {
		return
	}
	by := t.kept.Then.InvMul(g.Transform())
	// As the centre of mass moves, the frame is rounded.
	if by.P.Len() < 1e-9 && by.Q.C > 0 && math.Abs(by.Q.S) < 1e-9 {
		return
	}
	move := g.Transform().Mul(t.kept.Then.InvMul(geom.Transform{Q: geom.Rot{C: 1}}))
	d := &t.kept.Def
	d.Position, d.Angle = move.Apply(d.Position), d.Angle+move.Q.Angle()
	d.Velocity, d.AngularVelocity = g.Body().VelocityAt(d.Position), g.Body().AngularVelocity()
	t.kept.Box, t.kept.Then = t.kept.Box.In(move), g.Transform()
}

// fits returns an error if a kept body would exceed a limit of the world.
func (w *World) fits(k *kept) error {
	if k.Body == 0 {
		return w.jointRoom(1)
	}
	if n := w.in.World.Stats().Bodies; n >= w.most {
		return fmt.Errorf("the world is full: it has %d bodies, the limit", n)
	}
	d := k.Box.Size()
	size := max(d.X, d.Y)
	shapes, crowd := w.overlapped(k.Box.Center(), size)
	if crowd >= maxCrowd {
		return fmt.Errorf("%d bodies overlap each other here, the limit is %d", crowd, maxCrowd)
	}
	tiles := 0
	for _, g := range k.Grounds {
		tiles += g.Count
	}
	if tiles > 0 {
		if len(w.numberOf) >= maxGrounds {
			return fmt.Errorf("the world has %d grounds, the limit", len(w.numberOf))
		}
		if err := w.room("add", tiles, 1+tiles/ChunkCells); err != nil {
			return err
		}
	}
	w.budget.touched++
	return w.budget.add(shapes, w.segmentsIn(k.Box.Center(), size))
}

// flipCells flips the next cells of an edit. It returns the first error, and still flips the others.
func (w *World) flipCells(e *edit, do string) (bad error) {
	from := len(e.cells) - e.left
	n := min(e.left, flipCells)
	e.left -= n
	if n == 0 {
		return nil
	}
	if err := w.room(do, n, 0); err != nil {
		return err
	}
	for i := from; i < from+n; i++ {
		c := &e.cells[i]
		expected, wanted := c.was, c.is
		if e.undone {
			expected, wanted = wanted, expected
		}
		if err := w.flipCell(c, expected, wanted, do); err != nil && bad == nil {
			bad = fmt.Errorf("%s: %w", do, err)
		}
	}
	return bad
}

// flipCell gives a cell its wanted content, if it has the expected one.
func (w *World) flipCell(c *cellChange, expected, wanted, do string) error {
	g, ok := w.in.World.Ground(c.ground)
	k, known := w.numberOf[c.ground]
	if !ok || !known || content(g, c.at) != expected {
		return nil
	}
	t := w.grounds[k]
	if _, ok := t.chunks[chunkOf(c.at)]; !ok {
		if err := w.room(do, 0, 1); err != nil {
			return err
		}
	}
	err := setContent(g, c.at, wanted)
	w.cellChanged(t, g, c.at)
	t.version = g.Version()
	return err
}

// cellChanged counts and marks the change of a cell of a ground.
func (w *World) cellChanged(t *Ground, g quarry.Ground, c gridseg.Cell) {
	corner := geom.V(float64(c.X), float64(c.Y))
	w.touch(geom.Box(corner, corner.Add(geom.V(1, 1))).In(g.Transform()))
	t.at(chunkOf(c))
	t.mark(gridseg.Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y})
	if g.Body().Type() != quarry.Dynamic {
		w.lower(g.Transform().Apply(corner).Y)
	}
}

// savedEdit is an edit in a snapshot.
type savedEdit struct {
	By     Player       `json:"by"`
	Undone bool         `json:"undone,omitempty"`
	Open   bool         `json:"open,omitempty"`
	Left   int          `json:"left,omitempty"`
	Cells  []byte       `json:"cells,omitempty"`
	Things []savedThing `json:"things,omitempty"`
}

type savedThing struct {
	Body     quarry.BodyID   `json:"body,omitempty"`
	Joint    quarry.JointID  `json:"joint,omitempty"`
	Kept     *kept           `json:"kept,omitempty"`
	Beside   quarry.GroundID `json:"beside,omitempty"`
	Settings []setting       `json:"settings,omitempty"`
	Undone   bool            `json:"undone,omitempty"`
}

func (h *history) save() (list []savedEdit) {
	for _, e := range h.edits {
		s := savedEdit{By: e.by, Undone: e.undone, Open: e.open, Left: e.left}
		for i := range e.cells {
			s.Cells = appendChange(s.Cells, &e.cells[i])
		}
		for _, t := range e.things {
			s.Things = append(s.Things, savedThing{t.body, t.joint, t.kept, t.beside, t.settings, t.undone})
		}
		list = append(list, s)
	}
	return list
}

// restoreHistory sets the history to the history in a snapshot.
func (w *World) restoreHistory(list []savedEdit) error {
	for _, s := range list {
		e := &edit{by: s.By, undone: s.Undone, open: s.Open, left: s.Left}
		var ok bool
		if e.cells, ok = readChanges(s.Cells); !ok || s.Left < 0 || s.Left > len(e.cells) {
			return errors.New("an edit in its history is damaged")
		}
		for i := range e.cells {
			e.cost += cellCost + len(e.cells[i].was) + len(e.cells[i].is)
		}
		for _, t := range s.Things {
			if t.Kept != nil {
				if err := w.tryKept(t.Kept); err != nil {
					return fmt.Errorf("an edit in its history is damaged: %w", err)
				}
			}
			e.things = append(e.things, thing{t.Body, t.Joint, t.Kept, t.Beside, t.Settings, t.Undone})
			e.cost += e.things[len(e.things)-1].cost()
		}
		w.history.edits = append(w.history.edits, e)
		w.history.cost += e.cost
	}
	if w.history.cost > maxHistory {
		return fmt.Errorf("its history has %d bytes, the limit is %d", w.history.cost, maxHistory)
	}
	return nil
}

// tryKept returns an error if a kept body or joint of a snapshot cannot be put into the world. The world is then as it
// was.
func (w *World) tryKept(k *kept) error {
	if k.Body == 0 {
		if len(k.Joints) != 1 || len(k.Shapes) > 0 {
			return fmt.Errorf("it has %d joints", len(k.Joints))
		}
		_, err := k.Joints[0].def()
		return err
	}
	var s quarry.Snapshot
	w.in.World.Capture(&s)
	defer w.in.World.Rewind(&s)
	return w.putBack(k, newRenames())
}
