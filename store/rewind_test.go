package store

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// rewindCells are the cells of the world of TestRewind, of 8 x 2 chunks.
var rewindCells = gridseg.Rect{MinX: -4 * Side, MinY: -Side, MaxX: 4*Side - 1, MaxY: Side - 1}

// rewindTiles makes the tiles of a chunk, or of all cells: rock below y = 0, with pores, and a tower.
func rewindTiles(g *gridseg.Grid, cells gridseg.Rect) error {
	rock := gridseg.Rect{MinX: cells.MinX, MinY: cells.MinY, MaxX: cells.MaxX, MaxY: min(cells.MaxY, -1)}
	if rock.Empty() {
		return nil
	}
	if err := g.Fill(rock, gridseg.Tile{Shape: gridseg.Full, User: 7}); err != nil {
		return err
	}
	for y := rock.MinY; y <= rock.MaxY; y += 16 {
		for x := rock.MinX; x <= rock.MaxX; x += 16 {
			if err := g.Set(x+(y&15), y, gridseg.Tile{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// rewound is a streamed world that is saved, and its twin: the same ground, always in memory as a whole.
type rewound struct {
	as       gridseg.Unloaded
	file     string // "": in memory
	s        *Store
	w        *quarry.World
	ground   quarry.Ground
	saver    *Saver
	streamer *Streamer
	x        float64 // of the player

	twin      *gridseg.Grid
	snapshots [4]quarry.Snapshot
	of        [4]*gridseg.Saved // the twin's, at the times of snapshots
	hash      [4]uint64
	saved     *gridseg.Saved    // at the last Save
	sums      map[string]uint64 // tilesSum of the chunks in the store, by cells and bytes
	savedHash uint64
}

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newRewound(t *rapid.T, file string, as gridseg.Unloaded) *rewound {
	r := &rewound{as: as, file: file, twin: gridseg.New(nil), sums: map[string]uint64{}}
	must(t, rewindTiles(r.twin, rewindCells))
	var err error
	if r.s = Memory(); file != "" {
		r.s, err = Open(file, Options{})
		must(t, err)
	}
	r.w = quarry.NewWorld(quarry.Config{Workers: 1})
	id, err := r.w.AddGround(0, quarry.GroundDef{})
	must(t, err)
	r.ground, _ = r.w.Ground(id)
	_, err = r.ground.UnloadPlace(rewindCells, as)
	must(t, err)
	r.begin()
	return r
}

// begin makes the Saver and the Streamer.
func (r *rewound) begin() {
	for g := range r.w.Grounds() {
		r.ground = g
	}
	r.saver = NewSaver(r.s, r.w)
	r.streamer = NewStreamer(r.s, r.ground, GroundName(r.ground.ID()), StreamOptions{
		Radius: 40, Memory: 4, Budget: 3,
		As: r.as, Generate: rewindTiles,
	})
	r.snapshots, r.of = [4]quarry.Snapshot{}, [4]*gridseg.Saved{}
}

func (r *rewound) step(t *rapid.T, n int) {
	for range n {
		_, err := r.streamer.Step([]StreamPoint{{Position: geom.V(r.x, -3)}})
		must(t, err)
		r.w.Step(1. / 60)
	}
}

func (r *rewound) save(t *rapid.T) {
	_, err := r.saver.Save()
	must(t, err)
	r.saved, r.savedHash = r.twin.Engine(lattice.Key{}).Save(), r.w.Hash()
}

// dig digs or builds at the same place in both, if its cells are loaded.
func (r *rewound) dig(t *rapid.T, x, y, radius float64, build bool) {
	loops, err := gridseg.Circle(x, y, radius)
	must(t, err)
	if build {
		err = r.ground.Unite(loops, gridseg.Attr{User: 3})
	} else {
		err = r.ground.Subtract(loops)
	}
	if err != nil {
		return // not all cells are loaded
	}
	if build {
		err = r.twin.Unite(loops, gridseg.Attr{User: 3})
	} else {
		err = r.twin.Subtract(loops)
	}
	must(t, err)
	r.twin.Resolve()
}

// restart ends the program without a Save, and begins again from the file.
func (r *rewound) restart(t *rapid.T) {
	if r.file == "" {
		r.s.queued, r.s.put = nil, nil
	} else {
		must(t, r.s.Close())
		var err error
		r.s, err = Open(r.file, Options{MustExist: true})
		must(t, err)
	}
	r.w = quarry.NewWorld(quarry.Config{Workers: 1})
	must(t, LoadWorld(r.s, r.w))
	if h := r.w.Hash(); h != r.savedHash {
		t.Fatalf("the file has a world of hash %x: saved was %x", h, r.savedHash)
	}
	r.twin.Engine(lattice.Key{}).Restore(r.saved)
	r.begin()
}

// tilesSum returns the sum of the tiles of a chunk.
func tilesSum(g gridseg.View, cells gridseg.Rect) (sum uint64) {
	for y := cells.MinY; y <= cells.MaxY; y += 16 {
		for x := cells.MinX; x <= cells.MaxX; x += 16 {
			sum += g.Engine(lattice.Key{}).ChunkSum(x, y)
		}
	}
	return sum
}

// check compares all cells: those that are loaded, and in the store, or not yet generated.
func (r *rewound) check(t *rapid.T) {
	reverted := map[gridseg.Rect][]byte{} // as the next Step or Save puts them
	r.ground.Grid().Engine(lattice.Key{}).EachReverted(func(place gridseg.Rect, data []byte) bool {
		reverted[place] = data
		return false
	})
	for y := rewindCells.MinY >> sideBits; y <= rewindCells.MaxY>>sideBits; y++ {
		for x := rewindCells.MinX >> sideBits; x <= rewindCells.MaxX>>sideBits; x++ {
			cells := cellsOf(x, y)
			want, is, where := tilesSum(r.twin.View(), cells), uint64(0), "loaded"
			if r.ground.Grid().Loaded(cells.MinX, cells.MinY) {
				is = tilesSum(r.ground.Grid(), cells)
			} else {
				data, ok, err := r.s.Get(Chunk(r.streamer.name, x, y))
				must(t, err)
				if now := reverted[cells]; now != nil {
					data, ok = now, true
				}
				if where = "stored"; !ok {
					where = "not generated"
				}
				bytes := fmt.Sprint(cells, string(data))
				if is, ok = r.sums[bytes]; !ok {
					g := gridseg.New(r.ground.Grid().Shapes())
					if where == "not generated" {
						err = rewindTiles(g, cells)
					} else {
						_, err = g.Unload(cells, gridseg.UnloadedEmpty)
						must(t, err)
						_, err = g.Load(data)
					}
					must(t, err)
					is = tilesSum(g.View(), cells)
					r.sums[bytes] = is
				}
			}
			if is != want {
				t.Fatalf("chunk (%d, %d), %s: its tiles differ from the ground in memory", x, y, where)
			}
		}
	}
}

// TestRewind: a player walks, digs and builds in a streamed world; the world is saved, goes back and forward by
// World.Rewind to any of four Snapshots, and the program ends and begins again. All cells have the tiles of a ground
// that is in memory as a whole, and every file can be loaded.
func TestRewind(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		file := ""
		if n++; n%16 == 0 {
			file = filepath.Join(dir, fmt.Sprint(n))
		}
		r := newRewound(t, file, rapid.SampledFrom([]gridseg.Unloaded{
			gridseg.UnloadedEmpty,
			gridseg.UnloadedSolid,
		}).Draw(t, "as"))
		defer func() { r.s.Close() }()
		saving := rapid.Bool().Draw(t, "saving")
		r.step(t, 4)
		r.save(t)
		t.Repeat(map[string]func(*rapid.T){
			"walk": func(t *rapid.T) {
				to := rapid.Float64Range(-200, 200).Draw(t, "x")
				for k := range 4 {
					if r.x += (to - r.x) / float64(4-k); saving {
						r.save(t)
					}
					r.step(t, 2)
				}
			},
			"dig": func(t *rapid.T) {
				x, y := rapid.Float64Range(-30, 30).Draw(t, "x"), rapid.Float64Range(-30, 10).Draw(t, "y")
				r.dig(t, r.x+x, y, rapid.Float64Range(1, 12).Draw(t, "radius"), rapid.Bool().Draw(t, "build"))
			},
			"snapshot": func(t *rapid.T) {
				k := rapid.IntRange(0, 3).Draw(t, "k")
				r.w.Capture(&r.snapshots[k])
				r.of[k], r.hash[k] = r.twin.Engine(lattice.Key{}).Save(), r.w.Hash()
			},
			"rewind": func(t *rapid.T) {
				k := rapid.IntRange(0, 3).Draw(t, "k")
				if r.of[k] == nil {
					return
				}
				r.w.Rewind(&r.snapshots[k])
				r.twin.Engine(lattice.Key{}).Restore(r.of[k])
				if h := r.w.Hash(); h != r.hash[k] {
					t.Fatalf("after Load the hash is %x: it was %x", h, r.hash[k])
				}
				r.step(t, rapid.IntRange(0, 2).Draw(t, "steps"))
			},
			"save": r.save,
			"restart": func(t *rapid.T) {
				if rapid.IntRange(0, 3).Draw(t, "seldom") == 0 {
					r.restart(t)
				}
			},
			"": r.check,
		})
		r.save(t)
		r.restart(t)
		r.check(t)
	})
}

// skyline makes the tiles of a chunk: rock below y = 0, air above.
func skyline(g *gridseg.Grid, cells gridseg.Rect) error {
	if cells.MinY < 0 {
		return g.Fill(cells, gridseg.Tile{Shape: gridseg.Full})
	}
	return nil
}

// planned returns a world whose cells, 2^15 x 512, are unloaded.
func planned(t *testing.T, as gridseg.Unloaded) (*quarry.World, quarry.Ground) {
	t.Helper()
	w := quarry.NewWorld(quarry.Config{Workers: 1})
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	ground, _ := w.Ground(id)
	if _, err := ground.UnloadPlace(gridseg.Rect{MinX: 0, MinY: -256, MaxX: 1<<15 - 1, MaxY: 255}, as); err != nil {
		t.Fatal(err)
	}
	return w, ground
}

// TestAirIsUnloaded: behind a player who walks, flies, goes back by World.Rewind and comes again in another program,
// chunks of air are unloaded, too: the numbers of loaded chunks, segments and bytes of the unloaded places stay as they
// are near the start.
func TestAirIsUnloaded(t *testing.T) {
	for _, as := range []gridseg.Unloaded{gridseg.UnloadedEmpty, gridseg.UnloadedSolid} {
		w, ground := planned(t, as)
		s := Memory()
		o := StreamOptions{Radius: 100, Memory: 12, Budget: 40, As: as, Generate: skyline}
		saver, st := NewSaver(s, w), NewStreamer(s, ground, GroundName(ground.ID()), o)
		var snapshot quarry.Snapshot
		most, first := [3]int{}, [3]int{}
		for step := range 300 {
			p := StreamPoint{Position: geom.V(1000+40*float64(step), 5+float64(step%7*20))}
			done, err := st.Step([]StreamPoint{p})
			if err != nil {
				t.Fatal(err)
			}
			_, segments := ground.Grid().Count()
			is := [3]int{
				done.Chunks + done.Air, segments,
				len(ground.Grid().Engine(lattice.Key{}).AppendWithoutTiles(nil)),
			}
			for k := range is {
				most[k] = max(most[k], is[k])
			}
			switch {
			case step == 60:
				first, most = most, [3]int{}
			case step%50 == 10:
				w.Capture(&snapshot)
			case step%50 == 30:
				w.Rewind(&snapshot)
			case step%100 == 99: // again, from the store
				if _, err := saver.Save(); err != nil {
					t.Fatal(err)
				}
				w = quarry.NewWorld(quarry.Config{Workers: 1})
				if err := LoadWorld(s, w); err != nil {
					t.Fatal(err)
				}
				ground, _ = w.Ground(ground.ID())
				saver, st = NewSaver(s, w), NewStreamer(s, ground, GroundName(ground.ID()), o)
			}
		}
		for k, what := range []string{"loaded chunks", "segments", "bytes of unloaded places"} {
			if most[k] > first[k]+first[k]/4 {
				t.Errorf("as %d: %d %s at most, near the start %d", as, most[k], what, first[k])
			}
		}
	}
}

// TestTwoStreamers: two Streamers of a ground come to rest, and fill the Memory while chunks wait: with little Memory,
// or different sizes of it, with points near each other, and with steps at different rates.
func TestTwoStreamers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{Workers: 1})
		id, err := w.AddGround(0, quarry.GroundDef{})
		must(t, err)
		ground, _ := w.Ground(id)
		_, err = ground.UnloadPlace(gridseg.Rect{MinX: -1024, MinY: -256, MaxX: 1023, MaxY: 255},
			rapid.SampledFrom([]gridseg.Unloaded{gridseg.UnloadedEmpty, gridseg.UnloadedSolid}).Draw(t, "as"))
		must(t, err)
		s := Memory()
		var all []*Streamer
		var points []StreamPoint
		var every []int
		for range rapid.IntRange(2, 3).Draw(t, "streamers") {
			every = append(every, rapid.IntRange(1, 3).Draw(t, "every"))
			all = append(all, NewStreamer(s, ground, GroundName(id), StreamOptions{
				Radius: rapid.Float64Range(30, 150).Draw(t, "radius"), Memory: rapid.IntRange(1, 8).Draw(t, "memory"),
				Budget: rapid.IntRange(1, 5).Draw(t, "budget"), Generate: skyline,
			}))
			points = append(points, StreamPoint{Position: geom.V(rapid.Float64Range(-900, 900).Draw(t, "x"),
				rapid.Float64Range(-100, 60).Draw(t, "y"))})
		}
		memory := 0
		for _, st := range all {
			memory = max(memory, st.o.Memory)
		}
		rested := 130 * slices.Max(every)
		for step := range rested + 30 {
			for k, st := range all {
				if step%every[k] > 0 {
					continue
				}
				done, err := st.Step(points[k : k+1])
				must(t, err)
				if step >= rested && done.Loaded+done.Unloaded > 0 {
					t.Fatalf("step %d: Streamer %d still loads and unloads: %+v", step, k, done)
				}
				if step >= rested && done.Chunks > memory {
					t.Fatalf("%d chunks are loaded, of %d", done.Chunks, memory)
				}
				if step >= rested && done.Waiting > 0 && done.Chunks < memory {
					t.Fatalf("%d chunks wait, though only %d of %d are loaded", done.Waiting, done.Chunks, memory)
				}
			}
		}
	})
}

// TestLoadAgain: a program that has streamed since its last Save loads the world again, into the world itself or
// another, from the open store. It is as at the Save, and the world itself goes on from there.
func TestLoadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRewound(t, "", rapid.SampledFrom([]gridseg.Unloaded{gridseg.UnloadedEmpty, gridseg.UnloadedSolid}).Draw(
			t, "as"))
		for range 3 {
			for range rapid.IntRange(1, 4).Draw(t, "walks") {
				r.x = rapid.Float64Range(-200, 200).Draw(t, "x")
				r.step(t, 4)
				r.dig(t, r.x, -5, 4, false)
			}
			r.save(t)
			for range rapid.IntRange(1, 4).Draw(t, "more") {
				r.x = rapid.Float64Range(-200, 200).Draw(t, "x")
				r.step(t, 4)
				r.dig(t, r.x, -9, 5, false)
			}
			other := quarry.NewWorld(quarry.Config{})
			must(t, LoadWorld(r.s, other))
			must(t, LoadWorld(r.s, r.w))
			if h := r.w.Hash(); h != r.savedHash || other.Hash() != h {
				t.Fatalf("loaded %x and %x: saved was %x", h, other.Hash(), r.savedHash)
			}
			r.twin.Engine(lattice.Key{}).Restore(r.saved)
			r.check(t)
		}
	})
}

// TestRewindOfTwoGrounds: as TestRewind, with two streamed grounds, of which one gets a Grid of the game, and can be
// removed: Rewind brings it back, with its places, and its Streamer, Save and LoadWorld go on.
func TestRewindOfTwoGrounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := Memory(), quarry.NewWorld(quarry.Config{Workers: 1})
		var all [2]*rewound
		own := gridseg.New(nil)
		for k := range all {
			grid := own
			if k == 0 {
				grid = nil
			}
			id, err := w.AddGround(0, quarry.GroundDef{Grid: grid})
			must(t, err)
			r := &rewound{s: s, w: w, twin: gridseg.New(nil), sums: map[string]uint64{}}
			r.as = rapid.SampledFrom([]gridseg.Unloaded{gridseg.UnloadedEmpty, gridseg.UnloadedSolid}).Draw(t, "as")
			must(t, rewindTiles(r.twin, rewindCells))
			r.ground, _ = w.Ground(id)
			_, err = r.ground.UnloadPlace(rewindCells, r.as)
			must(t, err)
			r.streamer = NewStreamer(s, r.ground, GroundName(id), StreamOptions{
				Radius: 40, Memory: 4, Budget: 3, As: r.as, Generate: rewindTiles,
			})
			all[k] = r
		}
		saver := NewSaver(s, w)
		var snapshots [3]quarry.Snapshot
		var of [3][2]*gridseg.Saved // nil: the ground was removed
		there := func(k int) bool {
			_, ok := w.Ground(all[k].ground.ID())
			return ok
		}
		each := func(f func(r *rewound)) {
			for k, r := range all {
				if there(k) {
					f(r)
				}
			}
		}
		step := func(t *rapid.T) {
			each(func(r *rewound) {
				_, err := r.streamer.Step([]StreamPoint{{Position: geom.V(r.x, -3)}})
				must(t, err)
			})
			w.Step(1. / 60)
		}
		capture := func(t *rapid.T) {
			k := rapid.IntRange(0, 2).Draw(t, "k")
			w.Capture(&snapshots[k])
			for i, r := range all {
				if of[k][i] = nil; there(i) {
					of[k][i] = r.twin.Engine(lattice.Key{}).Save()
				}
			}
		}
		save := func(t *rapid.T) {
			_, err := saver.Save()
			must(t, err)
			again := quarry.NewWorld(quarry.Config{Workers: 1})
			if must(t, LoadWorld(s, again)); again.Hash() != w.Hash() {
				t.Fatalf("the store has a world of hash %x: saved was %x", again.Hash(), w.Hash())
			}
			for k := range of {
				if !there(1) && of[k][1] != nil { // a limit: a Save deletes the chunks of a removed ground
					of[k] = [2]*gridseg.Saved{}
				}
			}
		}
		step(t)
		capture(t)
		t.Repeat(map[string]func(*rapid.T){
			"walk": func(t *rapid.T) {
				each(func(r *rewound) { r.x = rapid.Float64Range(-200, 200).Draw(t, "x") })
				for range 2 {
					step(t)
				}
			},
			"dig": func(t *rapid.T) {
				each(func(r *rewound) {
					x, y := rapid.Float64Range(-30, 30).Draw(t, "x"), rapid.Float64Range(-30, 10).Draw(t, "y")
					r.dig(t, r.x+x, y, rapid.Float64Range(1, 12).Draw(t, "radius"), rapid.Bool().Draw(t, "build"))
				})
			},
			"remove": func(t *rapid.T) {
				if w.RemoveGround(all[1].ground.ID()) {
					// The Grid is the game's again, which gives it to another world.
					_, _ = quarry.NewWorld(quarry.Config{}).AddGround(0, quarry.GroundDef{Grid: own})
				}
			},
			"snapshot": capture,
			"rewind": func(t *rapid.T) {
				k := rapid.IntRange(0, 2).Draw(t, "k")
				if of[k] == ([2]*gridseg.Saved{}) {
					return
				}
				w.Rewind(&snapshots[k])
				for i, saved := range of[k] {
					if saved != nil {
						all[i].twin.Engine(lattice.Key{}).Restore(saved)
					}
					if there(i) != (saved != nil) {
						t.Fatalf("after Rewind, whether ground %d exists is %v", i, there(i))
					}
				}
			},
			"step":  step,
			"save":  save,
			"check": func(t *rapid.T) { each(func(r *rewound) { r.check(t) }) },
		})
		save(t)
		each(func(r *rewound) { r.check(t) })
	})
}
