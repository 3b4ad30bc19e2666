package quarry

import (
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/surface"
)

// GroundEdit is an edit that changed a tile or a polygon of a ground.
type GroundEdit struct {
	Ground GroundID // it may have been removed since
	// Cells is the smallest rectangle that contains the cells whose tiles or polygons changed.
	// Segments may have changed in the cells beside it too, one cell further on each side.
	Cells gridseg.Rect
	// Version is the ground's Version after the edit.
	Version uint64
}

// maxGroundEdits bounds the list of edits: 4,096 entries are 128 KB. A world that is edited but
// not stepped, as in an editor, must not grow without limit.
const maxGroundEdits = 4096

// GroundEdits returns the edits of grounds since the last Step, in their order. Edits without
// effect and refused edits are not listed; an edit that changes no surface is. It may be called
// at any time between steps, and again after further edits; the next Step empties the list first,
// so read the edits that come before a step before that step. The slice is valid until the next
// edit or Step.
//
// A reader that keeps the Version of its copy of a ground needs only the edits with a greater
// Version. AddGround and RemoveGround are not edits: look for new and missing ids in Grounds, and
// take the tiles and the Version of a new ground from the Ground itself.
//
// The list has at most 4,096 entries, and one more for each ground edited after that. A further
// edit joins the last entry of its ground: Cells becomes the smallest rectangle that contains
// both, and Version that of the later edit.
func (w *World) GroundEdits() []GroundEdit { return w.events.edits }

// noteEdit lists an edit.
func (e *events) noteEdit(ed GroundEdit) {
	if len(e.edits) >= maxGroundEdits {
		for i := len(e.edits) - 1; i >= 0; i-- {
			if last := &e.edits[i]; last.Ground == ed.Ground {
				last.Cells, last.Version = surface.UnionRect(last.Cells, ed.Cells), ed.Version
				return
			}
		}
	}
	e.edits = append(e.edits, ed)
}
