package quarry_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// raftPair builds a world with a raft of tiles on a dynamic body, and in its way an obstacle of the kind: a ground on a
// static, a kinematic or a dynamic body, a chain, or a shape on a static or a dynamic body. The raft has the flags and
// the mask, and so has the obstacle if both is set; a chain has none.
func raftPair(t testing.TB, kind int, v geom.Vec, flags quarry.EventFlags, mask uint64,
	both bool,
) (*quarry.World, quarry.Body) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	tiles := func(r gridseg.Rect) *gridseg.Grid {
		g := gridseg.New(nil)
		worldtest.Must(t, g.Fill(r, gridseg.Tile{Shape: gridseg.Full}))
		return g
	}
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-1, 1.7), Velocity: v, AngularVelocity: 0.2})
	_, err := w.AddGround(id, quarry.GroundDef{Grid: tiles(gridseg.Rect{MaxX: 1, MaxY: 0}), Flags: flags, Mask: mask})
	worldtest.Must(t, err)
	if !both {
		flags = 0
	}
	under := gridseg.Rect{MinX: -4, MinY: -2, MaxX: 3, MaxY: -1}
	switch kind {
	case 0, 1, 2:
		d := quarry.BodyDef{Type: quarry.BodyType(kind), Weightless: true, Velocity: geom.V(0.5, 0.5)}
		_, err = w.AddGround(w.AddBody(d), quarry.GroundDef{Grid: tiles(under), Flags: flags, Mask: mask})
	case 3:
		_, err = w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{geom.V(5, 0), geom.V(-5, 0)}})
	case 4, 5:
		d := quarry.BodyDef{Type: []quarry.BodyType{quarry.Static, quarry.Dynamic}[kind-4], Weightless: true}
		w.AddShape(w.AddBody(d), geom.NewOffsetBox(4, 1, geom.V(0, -1), geom.Identity),
			quarry.ShapeDef{Flags: flags, Mask: mask})
	}
	worldtest.Must(t, err)
	b, _ := w.Body(id)
	return w, b
}

// TestFilterOfGroundsIsAMask: a ground and another ground, a chain or a shape that the custom filter refuses move as
// two that masks keep apart, at any speed; those that it admits as those that nobody asks about. The function is not
// asked without the flag; with the flag, of either side, the ids are the two's.
func TestFilterOfGroundsIsAMask(t *testing.T) {
	for kind := range 6 {
		for _, v := range pairSpeeds {
			apart, b := raftPair(t, kind, v, 0, 2, true)
			far := run(apart, b, 60)
			plain, b := raftPair(t, kind, v, 0, 0, true)
			near := run(plain, b, 60)
			if near == far {
				t.Fatalf("kind %d, %v: the two never meet", kind, v)
			}
			for _, x := range []struct {
				flags       quarry.EventFlags
				both, admit bool
				want        string
			}{{quarry.AskFilter, true, false, far}, {quarry.AskFilter, false, false, far}, {
				quarry.AskFilter, true,
				true, near,
			}, {0, true, false, near}} {
				w, b := raftPair(t, kind, v, x.flags, 0, x.both)
				asked := 0
				w.SetCustomFilter(func(p, q quarry.Side) bool {
					asked++
					if p.Body == q.Body || (p.Ground == 0) != (kind == 3) || q.Ground == 0 && q.Shape == 0 ||
						(q.Shape != 0) != (kind > 3) {
						t.Errorf("kind %d: asked about %+v and %+v", kind, p, q)
					}
					return x.admit
				})
				if got := run(w, b, 60); got != x.want {
					t.Errorf("kind %d, %v, flags %b, both %v, admit %v: differs", kind, v, x.flags, x.both, x.admit)
				}
				if (asked > 0) != (x.flags != 0) {
					t.Errorf("kind %d, %v, flags %b: asked %d times", kind, v, x.flags, asked)
				}
			}
		}
	}
}

// TestPreSolveOfGrounds: a function that changes nothing changes no bit; one that leaves out each manifold is a mask;
// one that sets the properties of the points is a material of both sides.
func TestPreSolveOfGrounds(t *testing.T) {
	for kind := range 6 {
		v := geom.V(1.3, -1)
		plain, b := raftPair(t, kind, v, 0, 0, true)
		near := run(plain, b, 60)
		w, b := raftPair(t, kind, v, quarry.AskPreSolve, 0, false)
		asked := 0
		w.SetPreSolve(func(p *quarry.PreSolve) {
			asked++
			of, to := p.A, p.B
			if kind > 3 { // the raft is side A of a shape
				of, to = to, of
			}
			if to.Body != b.ID() && of.Body != b.ID() || (p.B.Ground == 0) != (kind > 3) ||
				(p.A.Chain != 0) != (kind == 3) {
				t.Errorf("kind %d: asked about %+v", kind, p)
			}
		})
		if run(w, b, 60) != near || asked == 0 {
			t.Errorf("kind %d: differs, asked %d times", kind, asked)
		}
		apart, b := raftPair(t, kind, v, 0, 2, true)
		far := run(apart, b, 60)
		w, b = raftPair(t, kind, v, quarry.AskPreSolve, 0, true)
		w.SetPreSolve(func(p *quarry.PreSolve) { p.Disabled = true })
		if run(w, b, 60) != far {
			t.Errorf("kind %d: not as if nothing were there", kind)
		}
		for _, x := range []quarry.Material{
			{Friction: 0.1},
			{Friction: 1, TangentSpeed: 3},
			{Friction: 0.5, Restitution: 0.7},
		} {
			m := x
			m.TangentSpeed /= 2 // the speeds of both sides add
			w, b := raftPair(t, kind, v, quarry.AskPreSolve, 0, true)
			w.SetPreSolve(func(p *quarry.PreSolve) {
				for k := range p.N {
					q := &p.Points[k]
					q.Friction, q.Restitution, q.TangentSpeed = x.Friction, x.Restitution, x.TangentSpeed
				}
			})
			got := run(w, b, 60)
			w, b = raftPair(t, kind, v, 0, 0, true)
			w.SetMaterial(0, m)
			if want := run(w, b, 60); got != want || got == near {
				t.Errorf("kind %d, %+v: differs from the material: %v, not from none: %v", kind, x, got != want,
					got == near)
			}
		}
	}
}

// TestPreSolveBetweenTiles: of two grounds, the function leaves out the manifolds on tiles of one material on either
// side.
func TestPreSolveBetweenTiles(t *testing.T) {
	w := worldtest.New()
	mist := w.AddMaterial(quarry.Material{Friction: 0.6})
	floor := worldtest.AddGround(t, w, 0)
	worldtest.Must(t, floor.Fill(gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full}))
	worldtest.Must(t, floor.Fill(gridseg.Rect{MinX: -9, MinY: 2, MaxX: 0, MaxY: 2},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(mist)}))
	worldtest.Must(t, floor.Fill(gridseg.Rect{MinX: 1, MinY: 2, MaxX: 9, MaxY: 2}, gridseg.Tile{Shape: gridseg.Full}))
	for k, want := range []float64{0, 3, 0, 3} {
		raft := worldtest.Raft(t, w, geom.V([]float64{-3, 3, 6, -7}[k], 5), 0, 1, 1)
		switch k {
		case 0:
			raft.SetFlags(quarry.AskPreSolve) // through the mist
		case 1:
			raft.SetFlags(quarry.AskPreSolve) // on stone
		case 2: // a raft of mist falls through stone, down to the floor, of which the function does not leave it out
			worldtest.Must(t, raft.Set(0, 0, gridseg.Tile{Shape: gridseg.Full, Material: uint16(mist)}))
			raft.SetFlags(quarry.AskPreSolve)
		}
		defer func() { worldtest.Near(t, "height of a raft", raft.Body().Position().Y, want, 0.01) }()
	}
	w.SetPreSolve(func(p *quarry.PreSolve) {
		for k := range p.N {
			q := &p.Points[k]
			if q.Cell.Y == 2 && (q.Material == mist || q.MaterialB == mist) {
				p.Disabled = true
			}
		}
	})
	worldtest.Steps(w, 240)
}

// TestMaterialEventsOfGrounds: of grounds with the flag, the materials that have begun and not ended are those under
// the points of the world's contacts, of both sides, step by step, while tiles change, come off and are removed.
func TestMaterialEventsOfGrounds(t *testing.T) {
	type pair struct {
		on, by   quarry.GroundID
		chain    quarry.ChainID
		material quarry.MaterialID
	}
	rapid.Check(t, func(t *rapid.T) {
		w := worldtest.New()
		var all []quarry.Ground
		w.AddMaterial(quarry.Material{Friction: 0.2})
		w.AddMaterial(quarry.Material{Friction: 0.9})
		draw := func() gridseg.Tile {
			return gridseg.Tile{Shape: gridseg.Full, Material: rapid.Uint16Range(0, 2).Draw(t, "material")}
		}
		floor := worldtest.AddGround(t, w, 0)
		for x := range int32(12) {
			worldtest.Must(t, floor.Set(x-6, -1, draw()))
		}
		_, err := w.AddChain(0, quarry.ChainDef{
			Points:   []geom.Vec{geom.V(6, 1), geom.V(6, 0), geom.V(9, 0)},
			Material: 1,
		})
		worldtest.Must(t, err)
		all = append(all, floor)
		for k := range 3 {
			g := worldtest.Raft(t, w, geom.V(rapid.Float64Range(-4, 3).Draw(t, "x"), 0.5+1.5*float64(k)),
				rapid.Float64Range(-1, 1).Draw(t, "angle"), 3, 1)
			for x := range int32(3) {
				worldtest.Must(t, g.Set(x, 0, draw()))
			}
			g.Body().SetVelocity(geom.V(rapid.Float64Range(-4, 4).Draw(t, "v"), 0))
			if g.SetFlags(quarry.MaterialEvents); k == 2 && rapid.Bool().Draw(t, "not all") {
				g.SetFlags(0)
			}
			all = append(all, g)
		}
		on := map[pair]bool{}
		steps := rapid.IntRange(60, 120).Draw(t, "steps")
		for step := range steps {
			if step > 20 && step%7 == 0 {
				g := all[rapid.IntRange(0, 3).Draw(t, "ground")]
				if x := rapid.Int32Range(0, 2).Draw(t, "cell"); g == floor {
					worldtest.Must(t, g.Set(3*x-4, -1, draw()))
				} else {
					worldtest.Must(t, g.Set(x, 0, draw()))
				}
			}
			if step == steps-2 {
				w.RemoveGround(all[1].ID())
				all[1] = all[2]
			}
			if step == 50 {
				worldtest.Must(t, w.Restore(w.AppendSnapshot(nil)))
			}
			w.Step(worldtest.DT)
			contacts := w.AppendContacts(nil)
			for _, ev := range w.MaterialEnds() {
				p := pair{ev.Ground, ev.GroundB, ev.Chain, ev.Material}
				if !on[p] {
					t.Fatalf("step %d: an end without a begin: %+v", step, ev)
				}
				delete(on, p)
			}
			for _, ev := range w.MaterialBegins() {
				p := pair{ev.Ground, ev.GroundB, ev.Chain, ev.Material}
				if on[p] {
					t.Fatalf("step %d: a second begin: %+v", step, ev)
				}
				on[p] = true
				if !slices.ContainsFunc(contacts, func(c quarry.Contact) bool {
					return slices.ContainsFunc(c.Points[:c.N], func(p quarry.ContactPoint) bool {
						return c.Ground == ev.Ground && c.GroundB == ev.GroundB && p.Cell == ev.Cell &&
							p.Tile == ev.Tile && p.Segment == ev.Segment && p.Material == ev.Material ||
							c.Ground == ev.GroundB && c.GroundB == ev.Ground && p.CellB == ev.Cell &&
								p.TileB == ev.Tile && p.MaterialB == ev.Material
					})
				}) {
					t.Fatalf("step %d: no point at %+v", step, ev)
				}
			}
			want := map[pair]bool{}
			flag := func(id quarry.GroundID) bool {
				g, ok := w.Ground(id)
				return ok && g.Flags()&quarry.MaterialEvents != 0
			}
			for _, c := range contacts {
				for _, p := range c.Points[:c.N] {
					if p.Separation > 0.02 || !flag(c.Ground) && !flag(c.GroundB) {
						continue
					}
					if want[pair{c.Ground, c.GroundB, c.Chain, p.Material}] = true; c.Chain == 0 {
						want[pair{c.GroundB, c.Ground, 0, p.MaterialB}] = true
					}
				}
			}
			if !maps.Equal(on, want) {
				t.Fatalf("step %d: begun %v, touched %v", step, on, want)
			}
		}
	})
}

// TestStrengthOfBothSides: where two grounds meet hard, the hit is reported if the impulse is above the strength of
// either side, at any speed, with the cells of both; each side takes a crater. A ground that is stronger than the
// impulse keeps its tiles if the game compares.
func TestStrengthOfBothSides(t *testing.T) {
	for kind, strong := range [][2]float64{{5, 5}, {0, 5}, {5, 0}, {0, 0}, {1e6, 5}} {
		w := quarry.NewWorld(quarry.Config{HitSpeed: 400})
		var rafts [2]quarry.Ground
		for k, s := range strong {
			m := w.AddMaterial(quarry.Material{Friction: 0.5, Strength: s})
			g := worldtest.Raft(t, w, geom.V(-4+4.5*float64(k), 0), 0, 3, 3)
			worldtest.Must(t, g.Fill(gridseg.Rect{MaxX: 2, MaxY: 2},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
			g.Body().SetVelocity(geom.V(6-12*float64(k), 0))
			rafts[k] = g
		}
		area := func(g quarry.Ground) float64 { return g.Grid().SolidArea(gridseg.Rect{MaxX: 2, MaxY: 2}).Cells() }
		hits := 0
		for range 30 {
			w.Step(worldtest.DT)
			for _, h := range w.Hits() {
				hits++
				for k, side := range []struct {
					id   quarry.GroundID
					cell gridseg.Cell
					tile gridseg.Tile
				}{{h.Ground, h.Cell, h.Tile}, {h.GroundB, h.CellB, h.TileB}} {
					g, ok := w.Ground(side.id)
					if !ok || g.Tile(side.cell.X, side.cell.Y) != side.tile || side.tile == (gridseg.Tile{}) {
						t.Fatalf("side %d: %+v", k, h)
					}
					if s := w.Material(g.Material(side.tile)).Strength; s > 0 && h.Impulse > s {
						worldtest.Must(t, g.Crater(h, 0.5))
					}
				}
			}
			if hits > 0 {
				break
			}
		}
		if (hits > 0) != (strong != [2]float64{}) {
			t.Errorf("kind %d: %d hits", kind, hits)
		}
		for k, g := range rafts {
			dug, want := 9-area(g), 0.0
			if strong[k] == 5 {
				want = 0.2 // at a corner of the ground
			}
			if dug < want || want == 0 && dug > 0 {
				t.Errorf("kind %d: a crater of %v in ground %d of strength %v", kind, dug, k, strong[k])
			}
		}
	}
}
