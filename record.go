package quarry

import (
	"fmt"
	"io"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/record"
)

// worldLog is the log of a world that is being recorded.
type worldLog struct {
	*record.Writer
	every   uint64
	pasting bool // the ground's edit is recorded by the cells that it changes
}

// Record begins a log of the world: a snapshot, every call that changes the world from now on, and the world's Hash after
// each step whose number is a multiple of every. Replay makes the same world of it; with an every of 1 it can tell the first
// step that differs, which costs a visit of the whole world in each step. The log is written to out at each hash, and
// otherwise when 64 KB have gathered. Errors of out are kept: StopRecording returns the first.
//
// Edits of ground by Place, Unite, Subtract, Dig and Build are recorded by the cells that they changed, an Explode by its
// impulses, and a Load by a snapshot. Two things cannot be recorded and end the log with an error: SetCustomFilter and
// SetPreSolve, which must be called before Record. A shape that the game registers in the registry of a ground's tiles after
// Record, and data of the game that its functions use, are missing from the log; a hash tells if they mattered.
//
// Record panics if the world is being recorded, out is nil, or every is less than 1.
func (w *World) Record(out io.Writer, every int) {
	w.mustNotStep()
	switch {
	case w.log != nil:
		panic("quarry: Record: the world is being recorded already")
	case out == nil:
		panic("quarry: Record: out is nil")
	case every < 1:
		check.Refuse("Record", "every", every, "at least 1")
	}
	w.log = &worldLog{Writer: record.NewWriter(out, recorded), every: uint64(every)}
	functions, snapshot := w.functions(), w.AppendSnapshot(nil)
	w.log.Record(record.Start, &functions, &snapshot)
}

// StopRecording ends the log of Record with the world's Hash, and returns the first error, or nil; also if the world was
// not being recorded.
func (w *World) StopRecording() error {
	w.mustNotStep()
	if w.log == nil {
		return nil
	}
	w.noteHash()
	w.log.Record(record.End)
	w.log.Flush()
	err := w.log.Err()
	if w.log = nil; err != nil {
		return fmt.Errorf("quarry: Record: %w", err)
	}
	return nil
}

// functions has a bit for each function that the game has set.
func (w *World) functions() (set uint8) {
	if w.customFilter != nil {
		set = 1
	}
	if w.preSolve != nil {
		set |= 2
	}
	return set
}

// noteHash records the hash, after a step.
func (w *World) noteHash() {
	steps, hash := w.steps, w.Hash()
	w.log.Record(record.Hash, &steps, &hash)
	w.log.Flush()
}

// cannotNote ends the log at a call that cannot be recorded.
func (w *World) cannotNote(call string) {
	if w.log != nil {
		w.log.Fail(fmt.Errorf("%s was called during the recording: a function cannot be recorded", call))
	}
}

// noteCells records the edit of g that has changed the cells of r.
func (w *World) noteCells(g Ground, r gridseg.Rect) {
	cells, err := record.AppendCells(nil, g.get().tiles.Grid, r)
	if err != nil {
		w.log.Fail(err)
	}
	note2(w, "Ground.paste", g, r, cells)
}

// pasting makes edited record the cells of an edit, until the result is called.
func (g Ground) pasting() func() {
	g.get()
	log := g.w.log
	if log == nil {
		return func() {}
	}
	log.pasting = true
	return func() { log.pasting = false }
}

// paste repeats an edit that noteCells recorded.
func (g Ground) paste(r gridseg.Rect, cells []byte) error {
	to := g.change()
	s, err := record.ReadCells(cells, to.Shapes(), r)
	if err != nil {
		return err
	}
	return g.Place(r.MinX, r.MinY, s)
}

// note0 to note4 record a call of a method of r, a World or a view, with its arguments, before it has changed anything. If
// the call is refused so it is in a replay. They are generic so that nothing is allocated unless the world is recorded.
func note0[R any](w *World, name string, r R) {
	if w != nil && w.log != nil && !w.stepping {
		id := idOf(r)
		w.log.Record(name, &id)
	}
}

func note1[R, A any](w *World, name string, r R, a A) {
	if w != nil && w.log != nil && !w.stepping {
		id, a2 := idOf(r), a
		w.log.Record(name, &id, &a2)
	}
}

func note2[R, A, B any](w *World, name string, r R, a A, b B) {
	if w != nil && w.log != nil && !w.stepping {
		id, a2, b2 := idOf(r), a, b
		w.log.Record(name, &id, &a2, &b2)
	}
}

func note3[R, A, B, C any](w *World, name string, r R, a A, b B, c C) {
	if w != nil && w.log != nil && !w.stepping {
		id, a2, b2, c2 := idOf(r), a, b, c
		w.log.Record(name, &id, &a2, &b2, &c2)
	}
}

func note4[R, A, B, C, D any](w *World, name string, r R, a A, b B, c C, d D) {
	if w != nil && w.log != nil && !w.stepping {
		id, a2, b2, c2, d2 := idOf(r), a, b, c, d
		w.log.Record(name, &id, &a2, &b2, &c2, &d2)
	}
}

// idOf returns the id of a view, 0 for a World.
func idOf(r any) uint64 {
	switch v := r.(type) {
	case Body:
		return uint64(v.id)
	case Shape:
		return uint64(v.id)
	case Ground:
		return uint64(v.id)
	case Chain:
		return uint64(v.id)
	case Joint:
		return uint64(v.id)
	}
	return 0
}
