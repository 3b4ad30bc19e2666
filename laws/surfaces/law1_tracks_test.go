package surfaces_test

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// track is a straight surface of tiles along the line through the origin that
// rises by rise for each run cells.
type track struct {
	name      string
	run, rise int32
	drop      float64                                          // of the surface below that line
	lay       func(g quarry.Ground, x int32, ice uint16) error // column x
	carrier   worldtest.Carrier                                // of the ground
	layers    bool                                             // 0 and 1 are preserved against each other
	// where the middle of the track is, in cells along each axis; a multiple of run
	far int32
}

// trackHalf is how far a track reaches from its middle, in cells.
const trackHalf = 200

func (tr *track) rot() geom.Rot { return geom.NewRot(geom.Atan2(float64(tr.rise), float64(tr.run))) }

// level returns the row that the track's surface is in, or just above, at column x.
func (tr *track) level(x int32) int32 {
	return int32(math.Floor(float64(x) * float64(tr.rise) / float64(tr.run)))
}

// grid returns an empty grid for the track.
func (tr *track) grid() *gridseg.Grid {
	g := gridseg.New(nil)
	if tr.layers {
		if err := g.Preserve(0, 1); err != nil {
			panic(err)
		}
	}
	return g
}

// origin returns the middle of the track, in cells.
func (tr *track) origin() geom.Vec {
	return geom.V(float64(tr.far), float64(tr.far)*float64(tr.rise)/float64(tr.run))
}

// put lays column x with a base down to five cells below the surface, so that a ground that breaks stays in one piece.
func (tr *track) put(g quarry.Ground, x int32, ice uint16) error {
	if tr.carrier.Body.Type == quarry.Dynamic {
		y := tr.level(x)
		if err := g.Fill(gridseg.Rect{MinX: x, MinY: y - 5, MaxX: x, MaxY: y - 2},
			gridseg.Tile{Shape: gridseg.Full, Material: ice}); err != nil {
			return err
		}
	}
	return tr.lay(g, x, ice)
}

// wipe empties column x down to two cells below the surface.
func (tr *track) wipe(g quarry.Ground, x int32) error {
	y := tr.level(x)
	return g.Fill(gridseg.Rect{MinX: x, MinY: y - 2, MaxX: x, MaxY: y + max(1, tr.rise/tr.run)}, gridseg.Tile{})
}

// tiles returns a function that lays, in column x, the pattern's tile for that column,
// with its top row at level(x)+up, and with below a full tile under it.
func tiles(tr *track, up int32, below bool, pattern ...gridseg.Tile) func(quarry.Ground, int32, uint16) error {
	return func(g quarry.Ground, x int32, ice uint16) error {
		n := int32(len(pattern))
		t := pattern[((x%n)+n)%n]
		t.Material = ice
		y := tr.level(x) + up
		if err := g.Set(x, y, t); err != nil || !below {
			return err
		}
		return g.Set(x, y-1, gridseg.Tile{Shape: gridseg.Full, Material: ice})
	}
}

// pieces returns a function that lays free-form polygons: the part of column x below the
// surface, cut by lines at other places in each column.
func pieces(tr *track, cuts int32) func(quarry.Ground, int32, uint16) error {
	return func(g quarry.Ground, x int32, ice uint16) error {
		const u = gridseg.Unit
		top := func(at int64) int64 { return (int64(x)*u + at) * int64(tr.rise) / int64(tr.run) }
		seed := worldtest.Random(x)
		last := int64(0)
		for k := range cuts + 1 {
			next := int64(u)
			if k < cuts {
				// On a multiple of the run, or the surface is not on the lattice.
				step := int64(tr.run)
				next = last + step*(1+int64(seed.Next()%uint64((u-last)/step/2)))
			}
			base := (int64(tr.level(x)) - 1) * u
			loop := []gridseg.Point{
				{X: int64(x)*u + last, Y: base},
				{X: int64(x)*u + next, Y: base},
				{X: int64(x)*u + next, Y: top(next)},
				{X: int64(x)*u + last, Y: top(last)},
			}
			if err := g.Unite([][]gridseg.Point{loop}, gridseg.Attr{Material: ice, User: uint32(k)}); err != nil {
				return err
			}
			last = next
		}
		return nil
	}
}

func tracks() []*track {
	full := gridseg.Tile{Shape: gridseg.Full}
	ramp := gridseg.Tile{Shape: gridseg.Ramp}
	low, high := gridseg.Tile{Shape: gridseg.SlopeLow}, gridseg.Tile{Shape: gridseg.SlopeHigh}
	teeth := []gridseg.Tile{
		{Shape: gridseg.SlopeLow, Turn: 2},
		{Shape: gridseg.SlopeHigh, Turn: 2},
		{Shape: gridseg.Ramp, Turn: 2},
		full,
		{Shape: gridseg.Ramp, Turn: 6},
		{Shape: gridseg.SlopeHigh, Turn: 6},
	}
	var all []*track
	add := func(name string, run, rise int32, lay func(*track) func(quarry.Ground, int32, uint16) error,
		change func(*track),
	) {
		tr := &track{name: name, run: run, rise: rise}
		tr.lay = lay(tr)
		if change != nil {
			change(tr)
		}
		all = append(all, tr)
	}
	of := func(up int32, below bool, p ...gridseg.Tile) func(*track) func(quarry.Ground, int32, uint16) error {
		return func(tr *track) func(quarry.Ground, int32, uint16) error { return tiles(tr, up, below, p...) }
	}
	cut := func(n int32) func(*track) func(quarry.Ground, int32, uint16) error {
		return func(tr *track) func(quarry.Ground, int32, uint16) error { return pieces(tr, n) }
	}
	add("flat", 1, 0, of(-1, true, full), nil)
	add("flat teeth", 1, 0, of(-1, false, teeth...), nil)
	add("slabs", 1, 0, of(-1, false, gridseg.Tile{Shape: gridseg.Slab}), func(tr *track) { tr.drop = 0.5 })
	add("flat pieces", 1, 0, cut(4), nil)
	add("1:1", 1, 1, of(0, true, ramp), nil)
	add("1:1 bare", 1, 1, of(0, false, ramp), nil)
	add("1:1 pieces", 1, 1, cut(3), nil)
	add("1:2", 2, 1, of(0, true, low, high), nil)
	add("1:2 bare", 2, 1, of(0, false, low, high), nil)
	add("1:2 mixed", 2, 1, func(tr *track) func(quarry.Ground, int32, uint16) error {
		a, b, c := tiles(tr, 0, true, low, high), tiles(tr, 0, false, low, high), pieces(tr, 2)
		return func(g quarry.Ground, x int32, ice uint16) error {
			seed := worldtest.Random(x)
			switch seed.Next() % 3 {
			case 0:
				return a(g, x, ice)
			case 1:
				return b(g, x, ice)
			}
			return c(g, x, ice)
		}
	}, nil)
	add("1:4 pieces", 4, 1, cut(1), nil)
	add("2:1 pieces", 1, 2, cut(1), nil)
	for _, c := range worldtest.Carriers()[1:] {
		add("flat, on a carrier "+c.Name, 1, 0, of(-1, true, full), func(tr *track) { tr.carrier = c })
		add("1:2, on a carrier "+c.Name, 2, 1, of(0, true, low, high), func(tr *track) { tr.carrier = c })
	}
	// Every other column keeps its own outline: no segment is linked over a seam.
	layered := func(tr *track) {
		tr.layers = true
		lay := tr.lay
		tr.lay = func(g quarry.Ground, x int32, m uint16) error {
			if err := lay(g, x, m); err != nil || x&1 == 0 {
				return err
			}
			for y := tr.level(x) - 1; y <= tr.level(x); y++ {
				tile := g.Tile(x, y)
				if tile.Shape == 0 {
					continue
				}
				tile.Layer = 1
				if err := g.Set(x, y, tile); err != nil {
					return err
				}
			}
			return nil
		}
	}
	add("flat, layers", 1, 0, of(-1, true, full), layered)
	add("1:2, layers", 2, 1, of(0, true, low, high), layered)
	// A chunk is 16 cells: these cross the borders far out, on both axes.
	add("flat, far", 1, 0, of(-1, true, full), func(tr *track) { tr.far = 10_000_000 })
	add("1:2, far", 2, 1, of(0, true, low, high), func(tr *track) { tr.far = -10_000_000 })
	return all
}
