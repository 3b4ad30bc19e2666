package quarry

import (
	"errors"
	"fmt"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/record"
	"github.com/quarry2d/quarry/internal/surface"
)

// ErrOccupied is the reason why Ground.Unload refuses a place with a dynamic body.
var ErrOccupied = errors.New("a dynamic body is in the place")

// Unload takes the tiles of the cells of r, extended to whole chunks of 16x16 cells, out of the ground, gives their memory back, and
// returns bytes for Load. Until then the cells count as empty or as solid, for bodies and queries; edits of them are
// refused with gridseg.ErrUnloaded. See gridseg.Grid.Unload; Grid().AppendLoaded lists the chunks that are loaded.
//
// A dynamic body keeps its place loaded, asleep or awake, and with it the bodies that are jointed to it: Unload
// returns an error of ErrOccupied that names the body, if the box of one of its shapes in the broad phase, a little larger than the shape, overlaps the place. Shapes
// of static and kinematic bodies, and chains, are not part of a ground, and stay as they are.
//
// Unload wakes nothing, so a world whose places are unloaded and loaded again, while no body comes near them, goes on with the same bits
// as without. There are two conditions. A body that moves within a few cells of an unloaded place may feel its border: keep
// places loaded for some cells around each body that moves. And a place that counts as solid and reaches beyond the box of all tiles
// enlarges the ground's box in the broad phase meanwhile, which may change the order of contacts of bodies in there.
// Unload raises Version and is listed in GroundEdits.
//
// It also returns an error if the body of the ground is dynamic, whose mass is that of all its tiles; if r is empty or larger than gridseg.MaxUnload;
// or if a cell is unloaded already. It changes nothing then.
func (g Ground) Unload(r gridseg.Rect, as gridseg.Unloaded) ([]byte, error) {
	st, w := g.get(), g.w
	record.Call2(w.recorder(st), "Ground.Unload", g.id, r, as)
	if w.bodies.At(st.body).kind == Dynamic {
		return nil, fmt.Errorf("quarry: Ground.Unload: ground %d is on the dynamic body %d, whose mass is that of all its tiles", g.id, w.bodies.ID(st.body))
	}
	if !r.Empty() {
		box := surface.BoxOf(r.Chunks())
		for i := range w.bodiesIn(box.In(g.Transform())) {
			if w.bodies.At(i).kind == Dynamic {
				return nil, fmt.Errorf("quarry: Ground.Unload: cells (%d, %d) to (%d, %d): body %d: %w", r.MinX, r.MinY, r.MaxX, r.MaxY, w.bodies.ID(i), ErrOccupied)
			}
		}
		if as == gridseg.UnloadedSolid {
			if err := w.fitGround(g.slot, st.bounds().Union(box)); err != nil {
				return nil, fmt.Errorf("quarry: Ground.Unload: %w", err)
			}
		}
	}
	data, err := st.tiles.Grid.Unload(r, as)
	if err == nil {
		g.streamed(r.Chunks())
	} else if !st.bounds().IsEmpty() {
		err = errors.Join(err, w.fitGround(g.slot, st.bounds()))
	}
	return data, err
}

// Load puts a place into the ground again, from the bytes of Unload, and returns its cells: the same tiles, segments and ids, in
// any order of places. Bodies beside the place sleep on; those that have come into it since the Unload wake.
//
// It returns an error, and changes nothing, if a cell of the place is loaded, if the data is damaged, or if a shape
// of its tiles is another in this ground; see gridseg.Grid.Load. Load raises Version and is listed in GroundEdits.
func (g Ground) Load(data []byte) (gridseg.Rect, error) {
	st, w := g.get(), g.w
	record.Call1(w.recorder(st), "Ground.Load", g.id, data)
	r, err := st.tiles.Grid.Load(data)
	if err != nil {
		return r, err
	}
	if tiles, some := st.tiles.Grid.BoundsIn(r); some {
		if err := w.growGround(g.slot, tiles); err != nil {
			w.markLost(st.body)
		}
	}
	g.streamed(r)
	w.wakeUnlessNewIn(surface.BoxOf(r).In(g.Transform()))
	return r, nil
}

// streamed lists an Unload or a Load of the place r in GroundEdits, and fits the box of the ground.
func (g Ground) streamed(r gridseg.Rect) {
	st := g.get()
	st.tiles.Version++
	g.w.events.noteEdit(GroundEdit{g.id, r, st.tiles.Version})
	g.w.tear(g.slot)
	if box := st.bounds(); !box.IsEmpty() {
		if err := g.w.fitGround(g.slot, box); err != nil {
			g.w.markLost(st.body)
		}
	}
}

// bounds returns the AABB of the tiles, and of unloaded cells that count as solid, in the body's frame.
func (g *ground) bounds() geom.AABB { return g.withWalls(g.box) }

// withWalls returns the smallest box that contains box and the unloaded cells that count as solid.
func (g *ground) withWalls(box geom.AABB) geom.AABB {
	if r, ok := g.tiles.Grid.UnloadedWalls(); ok {
		return box.Union(surface.BoxOf(r))
	}
	return box
}
