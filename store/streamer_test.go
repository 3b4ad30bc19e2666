package store

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// alone is a grid without a world.
type alone struct{ g *gridseg.Grid }

func (a alone) Grid() gridseg.View { return a.g.View() }

func (a alone) UnloadPlace(r gridseg.Rect, as gridseg.Unloaded) ([]byte, error) {
	return a.g.Unload(r, as)
}

func (a alone) LoadPlace(data []byte) (gridseg.Rect, error) { return a.g.Load(data) }

// hilly returns a grid of w x h chunks with some tiles in each, from chunk (-w/2, -h/2) on.
func hilly(t testing.TB, w, h int32) *gridseg.Grid {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	g := gridseg.New(nil)
	for range w * h * 12 {
		x, y := rng.Int32N(w*Side)-w/2*Side, rng.Int32N(h*Side)-h/2*Side
		r := gridseg.Rect{MinX: x, MinY: y, MaxX: min(x+rng.Int32N(20), (w-w/2)*Side-1), MaxY: min(y+rng.Int32N(9),
			(h-h/2)*Side-1)}
		if err := g.Fill(r, gridseg.Tile{Shape: gridseg.Full, User: rng.Uint32()}); err != nil {
			t.Fatal(err)
		}
	}
	g.Resolve()
	return g
}

// countLoaded returns the number of chunks with tiles that are loaded.
func countLoaded(g *gridseg.Grid) int {
	all := map[[2]int32]bool{}
	for _, c := range g.Engine(lattice.Key{}).AppendLoaded(nil) {
		all[[2]int32{c.X >> sideBits, c.Y >> sideBits}] = true
	}
	return len(all)
}

// TestStreamer: random points walk, run and jump over a ground of 300 chunks. A step loads and unloads at most Budget
// chunks; no more than Memory are loaded once it was reached; when nothing waits, every chunk within the radius is
// loaded, by a plain search over all; edits of loaded chunks stay; and in the end the ground is what it was without a
// Streamer.
func TestStreamer(t *testing.T) {
	for _, as := range []gridseg.Unloaded{gridseg.UnloadedEmpty, gridseg.UnloadedSolid} {
		var log [2][]Streamed
		for round := range log {
			g, want := hilly(t, 30, 10), hilly(t, 30, 10)
			s := Memory()
			o := StreamOptions{Radius: 150, Memory: 130, Budget: 3 + 4*int(as), As: as}
			st := NewStreamer(s, alone{g}, "1", o)
			rng := rand.New(rand.NewPCG(1, uint64(as)))
			points := []StreamPoint{{}, {Position: geom.V(700, -200)}}
			settled, warm := 0, false
			for step := range 700 {
				for k := range points {
					p := &points[k]
					if rng.IntN(60) == 0 {
						p.Velocity = geom.V(rng.Float64()-0.5, (rng.Float64()-0.5)/4).Mul(200)
					}
					p.Position = p.Position.Add(p.Velocity.Mul(1. / 60))
					if math.Abs(p.Position.X) > 900 || math.Abs(p.Position.Y) > 300 || rng.IntN(400) == 0 {
						*p = StreamPoint{Position: geom.V(rng.Float64()*1600-800, rng.Float64()*500-250)}
					}
				}
				before := countLoaded(g)
				done, err := st.Step(points)
				if err != nil {
					t.Fatal(err)
				}
				log[round] = append(log[round], done)
				n := countLoaded(g)
				warm = warm || n <= o.Memory
				if done.Loaded+done.Unloaded > o.Budget || done.Chunks != n || warm && n > o.Memory || done.Held > 0 ||
					before+done.Loaded-done.Unloaded < n {
					t.Fatalf("step %d: %+v, %d chunks loaded, %d before", step, done, n, before)
				}
				if done.Waiting == 0 && warm {
					settled++
					for y := int32(-8); y < 8; y++ {
						for x := int32(-20); x < 20; x++ {
							for _, p := range points {
								box := geom.AABB{
									Min: geom.V(float64(x)*Side, float64(y)*Side),
									Max: geom.V(float64(x+1)*Side, float64(y+1)*Side),
								}
								q := geom.V(max(box.Min.X, min(box.Max.X, p.Position.X)),
									max(box.Min.Y, min(box.Max.Y, p.Position.Y)))
								if q.Sub(p.Position).Len() < o.Radius && !g.Loaded(x*Side, y*Side) {
									t.Fatalf("step %d: chunk (%d, %d) is not loaded", step, x, y)
								}
							}
						}
					}
				}
				if p := points[0].Position; g.Loaded(int32(p.X), int32(p.Y)) { // dig
					for _, to := range []*gridseg.Grid{g, want} {
						if err := to.Set(int32(p.X), int32(p.Y),
							gridseg.Tile{Shape: gridseg.Ramp, User: uint32(step)}); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if settled < 200 {
				t.Errorf("only in %d steps nothing waited", settled)
			}
			for y := int32(-9); y < 9; y++ {
				for x := int32(-21); x < 21; x++ {
					if !g.Loaded(x*Side, y*Side) {
						if err := st.load(nearChunk{x: x, y: y}); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			want.Resolve()
			if g.Hash() != want.Hash() {
				t.Error("the ground is another one after streaming")
			}
		}
		for k := range log[0] {
			if log[0][k] != log[1][k] {
				t.Fatalf("step %d: %+v, and in a second run %+v", k, log[0][k], log[1][k])
			}
		}
	}
}

// TestStreamerAhead: a point that runs at 100 cells/s finds all chunks within the radius loaded at each step, with two
// loads or unloads a step: they were loaded before it came.
func TestStreamerAhead(t *testing.T) {
	g := hilly(t, 60, 3)
	st := NewStreamer(Memory(), alone{g}, "1", StreamOptions{Radius: 64, Memory: 24, Budget: 2})
	p := StreamPoint{Position: geom.V(-1800, 0)}
	for range 300 { // unload all but what is near
		if _, err := st.Step([]StreamPoint{p}); err != nil {
			t.Fatal(err)
		}
	}
	for p.Velocity = geom.V(100, 0); p.Position.X < 1700; p.Position.X += 100. / 60 {
		if _, err := st.Step([]StreamPoint{p}); err != nil {
			t.Fatal(err)
		}
		for x := math.Floor((p.Position.X - 64) / Side); x <= math.Floor((p.Position.X+64)/Side); x++ {
			for y := int32(-1); y <= 1; y++ {
				if !g.Loaded(int32(x)*Side, y*Side) {
					t.Fatalf("x %v: chunk (%v, %d) is not loaded", p.Position.X, x, y)
				}
			}
		}
	}
}

// TestStreamerErrors: damaged chunks are named, points must be finite, options in range.
func TestStreamerErrors(t *testing.T) {
	g := hilly(t, 10, 3)
	s := Memory()
	st := NewStreamer(s, alone{g}, "1", StreamOptions{Radius: 10, Memory: 1, Budget: 100})
	here, there := []StreamPoint{{Position: geom.V(-250, 10)}}, []StreamPoint{{Position: geom.V(250, 10)}}
	if _, err := st.Step(here); err != nil {
		t.Fatal(err)
	}
	s.Put(Chunk("1", 3, 0), []byte("QGRD"))
	hash := g.Hash()
	if _, err := st.Step(there); err == nil || !strings.HasPrefix(err.Error(),
		`store: ground "1", chunk (3, 0): gridseg: Load: `) {
		t.Error(err)
	}
	if countLoaded(g) > 1 || g.Hash() == hash {
		t.Error("nothing was unloaded")
	}
	if _, err := st.Step([]StreamPoint{{Velocity: geom.V(math.NaN(), 0)}}); err == nil || !strings.Contains(err.Error(),
		"point 0 is") {
		t.Error(err)
	}
	for _, o := range []StreamOptions{
		{Radius: -1},
		{Radius: math.NaN()},
		{Radius: 1025},
		{Ahead: 61},
		{Memory: -1},
		{Budget: -1},
		{As: 9},
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.HasPrefix(r, "quarry: store: NewStreamer: StreamOptions is ") {
					t.Errorf("%+v: %q", o, r)
				}
			}()
			NewStreamer(s, alone{g}, "1", o)
		}()
	}
}

// terrain returns a world of a ground of 60 x 3 chunks with bumps, and boxes that slide and tumble on it.
func terrain(t testing.TB) *quarry.World {
	t.Helper()
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	rng := rand.New(rand.NewPCG(8, 9))
	g := gridseg.New(nil)
	for x := int32(-30 * Side); x < 30*Side; x++ {
		if err := g.Fill(gridseg.Rect{MinX: x, MinY: -100, MaxX: x, MaxY: rng.Int32N(2)},
			gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AddGround(0, quarry.GroundDef{Grid: g}); err != nil {
		t.Fatal(err)
	}
	for k := range 40 {
		b := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(float64(k*70-1400), 6),
			Velocity: geom.V(rng.Float64()*60-30, 10*rng.Float64()),
		})
		w.AddShape(b, geom.NewBox(0.4, 0.5), quarry.ShapeDef{})
	}
	return w
}

// stream makes a Step of a Streamer around all bodies and a camera that runs along the terrain.
func stream(t testing.TB, st *Streamer, w *quarry.World) Streamed {
	t.Helper()
	points := []StreamPoint{{Position: geom.V(float64(w.StepCount())*4-1000, 0), Velocity: geom.V(240, 0)}}
	for b := range w.Bodies() {
		if b.Type() == quarry.Dynamic {
			points = append(points, StreamPoint{b.Position(), b.Velocity()})
		}
	}
	done, err := st.Step(points)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// loadAll loads all chunks of the store.
func loadAll(t testing.TB, st *Streamer) {
	t.Helper()
	for k, err := range st.s.Keys() {
		if err != nil {
			t.Fatal(err)
		}
		if k.Ground != "" && !st.ground.Grid().Loaded(k.X*Side, k.Y*Side) {
			if err := st.load(nearChunk{x: k.X, y: k.Y}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestStreamedWorld: a world whose chunks leave memory and return while a camera runs over it, that is saved to a file,
// and loaded from it into a new world, moves each body as one that never left memory; with all chunks loaded again it
// has the same hash.
func TestStreamedWorld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := openQuiet(t, path)
	want, w := terrain(t), terrain(t)
	name := GroundName(groundOf(t, w).ID())
	o := StreamOptions{Radius: 40, Ahead: 0.5, Memory: 110, Budget: 12}
	st, saver := NewStreamer(s, groundOf(t, w), name, o), NewSaver(s, w)
	unloaded, held := 0, 0
	for step := range 300 {
		done := stream(t, st, w)
		unloaded, held = unloaded+done.Unloaded, held+done.Held
		if done.Waiting > 0 && step > 20 {
			t.Fatalf("step %d: %+v", step, done)
		}
		w.Step(1. / 60)
		want.Step(1. / 60)
		if step%20 == 0 {
			if _, err := saver.Save(); err != nil {
				t.Fatal(err)
			}
		}
		if step%100 == 60 {
			hash := w.Hash()
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s, w = openQuiet(t, path), quarry.NewWorld(quarry.Config{})
			if err := LoadWorld(s, w); err != nil {
				t.Fatal(err)
			}
			if w.Hash() != hash {
				t.Fatalf("step %d: the file has another world", step)
			}
			st, saver = NewStreamer(s, groundOf(t, w), name, o), NewSaver(s, w)
		}
		for b := range want.Bodies() {
			if a, _ := w.Body(b.ID()); a.Position() != b.Position() || a.Velocity() != b.Velocity() ||
				a.Angle() != b.Angle() {
				t.Fatalf("step %d: body %d is at %v, without streaming at %v", step, b.ID(), a.Position(), b.Position())
			}
		}
	}
	if unloaded < 70 {
		t.Errorf("%d chunks were unloaded", unloaded)
	}
	r, err := s.Verify(nil)
	if err != nil || len(r.Faults) > 0 {
		t.Error(err, r)
	}
	loadAll(t, st)
	if w.Hash() != want.Hash() {
		t.Error("with all chunks loaded the hash is another one")
	}
	t.Logf("%d chunks unloaded, %d times held by bodies", unloaded, held)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestGenerate: a world that is generated as two points walk over it, in different ways, digging, has in the end the
// tiles of one that was generated as a whole, and dug; each chunk is generated at most once; an error of Generate is
// returned, and the chunk asked for again.
func TestGenerate(t *testing.T) {
	const w, h = 20, 6
	whole := gridseg.New(nil)
	for y := range int32(h) {
		for x := range int32(w) {
			landscape(t, whole, x, y-h/2)
		}
	}
	place := gridseg.Rect{MinX: 0, MinY: -h / 2 * Side, MaxX: w*Side - 1, MaxY: h/2*Side - 1}
	for _, as := range []gridseg.Unloaded{gridseg.UnloadedEmpty, gridseg.UnloadedSolid} {
		g, want := gridseg.New(nil), gridseg.New(nil)
		tiles, err := whole.Copy(place)
		if err != nil {
			t.Fatal(err)
		}
		if err := want.Place(place.MinX, place.MinY, tiles); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Unload(place, as); err != nil {
			t.Fatal(err)
		}
		made, failures := map[gridseg.Rect]int{}, 0
		failed := errors.New("no such biome")
		generate := func(g *gridseg.Grid, cells gridseg.Rect) error {
			if failures < 3 {
				failures++
				return failed
			}
			made[cells]++
			landscape(t, g, cells.MinX>>sideBits, cells.MinY>>sideBits)
			return g.Set(cells.MaxX+1, cells.MinY, gridseg.Tile{Shape: gridseg.Ramp, User: 99}) // outside
		}
		st := NewStreamer(Memory(), alone{g}, "1", StreamOptions{
			Radius: 70, Memory: 20, Budget: 5, As: as,
			Generate: generate,
		})
		rng := rand.New(rand.NewPCG(3, uint64(as)))
		dig := func(x, y int32) {
			if !g.Loaded(x, y) {
				return
			}
			for _, to := range []*gridseg.Grid{g, want} {
				if err := to.Clear(x, y); err != nil {
					t.Fatal(err)
				}
			}
		}
		errs := 0
		for k := range 400 {
			points := []StreamPoint{{Position: geom.V(float64(k)*3, 0)}, {Position: geom.V(1200-float64(k)*3,
				150*math.Sin(float64(k)/30))}}
			if _, err := st.Step(points); errors.Is(err, failed) && strings.Contains(err.Error(),
				`ground "1", chunk (`) {
				errs++
			} else if err != nil {
				t.Fatal(err)
			}
			dig(int32(k*3), -20+rng.Int32N(20))
		}
		for y := place.MinY; y < place.MaxY; y += Side {
			for x := place.MinX; x < place.MaxX; x += Side {
				if !g.Loaded(x, y) {
					if err := st.load(nearChunk{x: x >> sideBits, y: y >> sideBits}); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		want.Resolve()
		if errs != 3 || g.Hash() != want.Hash() {
			t.Errorf("%d errors; or another ground than without streaming", errs)
		}
		for cells, n := range made {
			if n > 1 {
				t.Errorf("%v was generated %d times", cells, n)
			}
		}
		if len(made) != w*h {
			t.Errorf("%d chunks were generated", len(made))
		}
	}
}
