package quarry

import (
	"fmt"
	"slices"

	"github.com/quarry2d/quarry/internal/mass"
	"github.com/quarry2d/quarry/internal/record"
)

// Join moves the tiles of another ground to g, where they are in the world, and removes that ground, with its body if nothing
// else is on it. The tiles of g stay. Both must have the same GroundDef.Materials. Where the lattices differ by a quarter turn, it
// is exact but for at most half a lattice step of 1/4096; otherwise the tiles become polygons, and their outlines move by at
// most two steps; see gridseg.Grid.Join. If both bodies are dynamic, the body of g takes the momentum and angular momentum of the tiles;
// energy is lost as in a collision in which two bodies stick together. Joints stay with the body they are on.
//
// It returns an error, and changes nothing, if there is no other ground of that id, the materials differ, or as
// gridseg.Grid.Join does.
func (g Ground) Join(other GroundID) error {
	record.Call1(g.beginEdit(false), "Ground.Join", g.id, other)
	w, st := g.w, g.get()
	oi, ok := w.grounds.Find(uint64(other))
	if !ok || oi == g.slot {
		return fmt.Errorf("quarry: Ground.Join: no other ground %d", other)
	}
	from := w.grounds.At(oi)
	if !slices.Equal(from.tiles.Materials, st.tiles.Materials) {
		return fmt.Errorf("quarry: Ground.Join: ground %d has other GroundDef.Materials", other)
	}
	a, b := w.bodies.At(st.body), w.bodies.At(from.body)
	frame := a.transform().InvMul(b.transform())
	if err := st.tiles.Grid.Join(from.tiles.Grid, frame.Q.C, frame.Q.S, frame.P.X, frame.P.Y); err != nil {
		return fmt.Errorf("quarry: Ground.Join: %w", err)
	}
	old := mass.Moving{Mass: a.mass, Inertia: a.inertia, Center: a.center, Velocity: a.velocity, Spin: a.spin}
	tiles := mass.Combine(w.appendTileMasses(w.scratch.masses[:0], &from.tiles))
	part := mass.Moving{Mass: tiles.Mass, Inertia: tiles.Inertia, Center: b.transform().Apply(tiles.Center), Spin: b.spin}
	part.Velocity = b.velocityAt(part.Center.Sub(b.center))
	stick := a.kind == Dynamic && b.kind == Dynamic && st.body != from.body
	bi := from.body
	if w.removeGround(oi); stick && b.firstShape < 0 && b.firstGround < 0 && b.firstChain < 0 {
		w.removeBody(bi)
	} else {
		w.tilesChanged(bi)
	}
	err := g.edited(nil)
	if a = w.bodies.At(st.body); stick {
		v, spin := mass.Stick(old, part, mass.Moving{Mass: a.mass, Inertia: a.inertia, Center: a.center})
		if a.velocity = a.free(v); a.invInertia > 0 {
			a.spin = spin
		}
	}
	return err
}
