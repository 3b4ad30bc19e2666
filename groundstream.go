package quarry

import (
	"errors"
	"fmt"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// ErrOccupied is the reason why Ground.UnloadPlace refuses a place with a dynamic body.
var ErrOccupied = errors.New("a dynamic body is in the place")

// UnloadPlace removes the tiles of the cells of r, extended to whole chunks of 16x16 cells, from the ground, gives
// their memory back, and returns bytes for LoadPlace. Until a LoadPlace the cells count as empty or as solid, for
// bodies and queries, and edits of them are refused with gridseg.ErrUnloaded. See gridseg.Grid.Unload;
// Grid().AppendLoaded lists the chunks that are loaded.
//
// A dynamic body, asleep or awake, keeps its place loaded: UnloadPlace returns an ErrOccupied that names the body if
// the box of one of its shapes in the broad phase, a little larger than the shape, overlaps the place. Shapes of
// static and kinematic bodies, and chains, are not part of a ground, and stay.
//
// UnloadPlace wakes no body. So a world whose places are unloaded and loaded again goes on with the same bits as
// without, under two conditions. Moving bodies must stay some cells away from unloaded places, or they may feel the
// border. And a place that counts as solid must not reach beyond the box of all tiles: it would enlarge the
// ground's box in the broad phase, which may change the order of contacts. UnloadPlace raises Version and is listed in
// GroundEdits.
//
// It also returns an error if the body of the ground is dynamic, whose mass is the mass of all its tiles; if r is empty
// or larger than 2^28 cells; or if a cell is unloaded already. It then changes nothing.
func (g Ground) UnloadPlace(r gridseg.Rect, as gridseg.Unloaded) ([]byte, error) {
	st, w := g.get(), g.w
	replay.Call2(w.recorder(st), "Ground.UnloadPlace", g.id, r, as)
	if w.state.Bodies.At(st.Body).Type == broad.DynamicBody {
		return nil, fmt.Errorf(
			"quarry: Ground.UnloadPlace: ground %d is on the dynamic body %d, whose mass is that of "+
				"all its tiles",
			g.id,
			w.state.Bodies.ID(st.Body),
		)
	}
	if !r.Empty() {
		box := surface.BoxOf(lattice.ChunksOf(r))
		for i := range w.state.BodiesIn(box.In(g.Transform())) {
			if w.state.Bodies.At(i).Type == broad.DynamicBody {
				return nil, fmt.Errorf(
					"quarry: Ground.UnloadPlace: cells (%d, %d) to (%d, %d): body %d: %w",
					r.MinX,
					r.MinY,
					r.MaxX,
					r.MaxY,
					w.state.Bodies.ID(i),
					ErrOccupied,
				)
			}
		}
		if as == gridseg.UnloadedSolid {
			if err := w.state.FitGround(g.slot, st.Bounds().Union(box)); err != nil {
				return nil, fmt.Errorf("quarry: Ground.UnloadPlace: %w", err)
			}
		}
	}
	defer st.Done()
	data, err := st.Edit().Unload(r, as)
	if err == nil {
		w.state.GroundChanged(g.slot, state.GroundChange{Kind: state.Unload, Cells: lattice.ChunksOf(r)})
	} else if !st.Bounds().IsEmpty() {
		err = errors.Join(err, w.state.FitGround(g.slot, st.Bounds()))
	}
	return data, err
}

// LoadPlace puts a place into the ground again, from the bytes of UnloadPlace, and returns its cells. The ground then
// has the same tiles, segments and ids, in any order of places. Bodies beside the place do not wake; bodies that have
// come into it since the UnloadPlace do.
//
// It returns an error, and changes nothing, if a cell of the place is loaded, if the data is damaged, or if one of
// its tile shapes differs in this ground; see gridseg.Grid.Load. LoadPlace raises Version and is listed in GroundEdits.
func (g Ground) LoadPlace(data []byte) (gridseg.Rect, error) {
	st, w := g.get(), g.w
	replay.Call1(w.recorder(st), "Ground.LoadPlace", g.id, data)
	defer st.Done()
	r, err := st.Edit().Load(data)
	if err != nil {
		return r, err
	}
	w.state.GroundChanged(g.slot, state.GroundChange{Kind: state.Load, Cells: r})
	return r, nil
}
