package quarry

import "github.com/quarry2d/quarry/gridseg"

// Names of before v0.1. They go with v0.2.

// ShapeFlags is EventFlags.
//
// Deprecated: use EventFlags.
type ShapeFlags = EventFlags

// Save is Capture.
//
// Deprecated: use Capture.
func (w *World) Save(s *Snapshot) { w.Capture(s) }

// Load is Rewind.
//
// Deprecated: use Rewind.
func (w *World) Load(s *Snapshot) { w.Rewind(s) }

// Unload is UnloadPlace.
//
// Deprecated: use UnloadPlace.
func (g Ground) Unload(r gridseg.Rect, as gridseg.Unloaded) ([]byte, error) {
	return g.UnloadPlace(r, as)
}
