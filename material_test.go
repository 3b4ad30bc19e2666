package quarry_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

func TestMaterialMistakesPanic(t *testing.T) {
	w := worldtest.New()
	id := w.AddMaterial(quarry.Material{Friction: 0.5})
	nan, inf := math.NaN(), math.Inf(1)
	before := w.Hash()
	for _, m := range []quarry.Material{
		{Friction: nan},
		{Friction: -1},
		{Friction: inf},
		{Friction: 1e7},
		{Restitution: nan},
		{Restitution: -0.1},
		{Restitution: 1.1},
		{RollingResistance: nan},
		{RollingResistance: -1},
		{RollingResistance: inf},
		{TangentSpeed: nan},
		{TangentSpeed: -inf},
		{TangentSpeed: 401},
		{FrictionMix: quarry.MixMax + 1},
		{RestitutionMix: 255},
		{OneWay: quarry.OneWayRight + 1},
	} {
		for name, f := range map[string]func(){
			"AddMaterial": func() { w.AddMaterial(m) },
			"SetMaterial": func() { w.SetMaterial(id, m) },
		} {
			worldtest.MustPanic(t, fmt.Sprintf("%s(%+v)", name, m), f)
		}
	}
	if w.Hash() != before {
		t.Error("the world was changed")
	}
	if w.SetMaterial(99, quarry.Material{}) {
		t.Error("a material that is not there was set")
	}
}

// TestMixing: the slide and the bounce of a body show how the friction and restitution of
// two surfaces are mixed.
func TestMixing(t *testing.T) {
	const a, b = 0.9, 0.1
	for _, c := range []struct {
		ma, mb                quarry.Mix
		friction, restitution float64
	}{
		{quarry.MixDefault, quarry.MixDefault, 0.3, a},
		{quarry.MixAverage, quarry.MixDefault, 0.5, 0.5},
		{quarry.MixDefault, quarry.MixAverage, 0.5, 0.5},
		{quarry.MixMin, quarry.MixAverage, b, b},
		{quarry.MixMin, quarry.MixMultiply, a * b, a * b},
		{quarry.MixMax, quarry.MixMultiply, a, a},
	} {
		for _, ground := range []bool{true, false} {
			w := worldtest.New()
			under := w.AddMaterial(quarry.Material{
				Friction: a, Restitution: a, FrictionMix: c.ma,
				RestitutionMix: c.ma,
			})
			over := w.AddMaterial(quarry.Material{Friction: b, Restitution: b, FrictionMix: c.mb, RestitutionMix: c.mb})
			if ground {
				g := worldtest.Floor(t, w, gridseg.Rect{MinX: -1, MinY: -1, MaxX: -1, MaxY: -1})
				if err := g.Fill(gridseg.Rect{MinX: -9, MinY: -1, MaxX: 40, MaxY: -1},
					gridseg.Tile{Shape: gridseg.Full, Material: uint16(under)}); err != nil {
					t.Fatal(err)
				}
			} else {
				s := w.AddBody(quarry.BodyDef{Position: geom.V(15, -0.5)})
				w.AddShape(s, geom.NewBox(25, 0.5), quarry.ShapeDef{Material: under})
			}
			put := func(x, y float64, v geom.Vec) quarry.Body {
				id := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(x, y), Velocity: v,
					FixedRotation: true,
				})
				w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Material: over})
				body, _ := w.Body(id)
				return body
			}
			slider := put(0, 0.5, geom.V(6, 0))
			bouncer := put(25, 3, geom.V(0, 0))
			fastest := 0.0
			for range 60 {
				w.Step(worldtest.DT)
				fastest = max(fastest, bouncer.Velocity().Y)
			}
			worldtest.Near(t, "speed after a second", slider.Velocity().X, max(0, 6-10*c.friction), 0.15)
			worldtest.Near(t, "bounce", fastest, c.restitution*math.Sqrt(2*10*2.5), 0.2)
		}
	}
}

// TestRollingResistance: the rolling resistance of the material slows a rolling ball, and
// no box.
func TestRollingResistance(t *testing.T) {
	for _, resistance := range []float64{0, 0.05, 0.2} {
		for _, ground := range []bool{true, false} {
			w := worldtest.New()
			grass := w.AddMaterial(quarry.Material{Friction: 1, RollingResistance: resistance})
			g := worldtest.Floor(t, w, gridseg.Rect{MinX: -40, MinY: -1, MaxX: 80, MaxY: -1})
			if ground {
				if err := g.Fill(gridseg.Rect{MinX: -40, MinY: -1, MaxX: 80, MaxY: -1},
					gridseg.Tile{Shape: gridseg.Full, Material: uint16(grass)}); err != nil {
					t.Fatal(err)
				}
			}
			id := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(0, 0.5), Velocity: geom.V(5, 0),
				AngularVelocity: -10,
			})
			w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{Material: grass})
			b, _ := w.Body(id)
			worldtest.Steps(w, 60)
			// Rolling, m a r = -c r N - I a / r and I = m r^2 / 2: a = -c g / 1.5.
			worldtest.Near(t, "speed after a second", b.Velocity().X, 5-resistance*10/1.5, 0.02)
			worldtest.Near(t, "it rolls", b.AngularVelocity(), -2*b.Velocity().X, 0.05)
			worldtest.Steps(w, 400)
			if resistance == 0.2 && (b.Awake() || b.Velocity().X != 0) {
				t.Errorf("still rolls at %v", b.Velocity())
			}
		}
	}
	// On a slope a ball lies still if the resistance is more than the pitch.
	for _, c := range []struct {
		resistance float64
		stays      bool
	}{{0.45, false}, {0.55, true}} {
		w := worldtest.New()
		felt := w.AddMaterial(quarry.Material{Friction: 2, RollingResistance: c.resistance})
		s := w.AddBody(quarry.BodyDef{Angle: geom.Atan2(1, 2)})
		w.AddShape(s, geom.NewOffsetBox(30, 1, geom.V(0, -1), geom.Identity), quarry.ShapeDef{Material: felt})
		b := worldtest.Add(w, geom.NewRot(geom.Atan2(1, 2)).Apply(geom.V(0, 0.5)), geom.Circle{Radius: 0.5})
		worldtest.Steps(w, 120)
		if moved := b.Position().Len() > 0.6; moved == c.stays {
			t.Errorf("resistance %v on 1:2: at %v", c.resistance, b.Position())
		}
	}
}

// TestPointsKnowWhatTheyRestOn is law 7 of the ground: on a row of tiles of different
// materials, each contact point has the cell, tile and material under it.
func TestPointsKnowWhatTheyRestOn(t *testing.T) {
	w := worldtest.New()
	var ids []quarry.MaterialID
	for i := range 12 {
		ids = append(ids, w.AddMaterial(quarry.Material{Friction: 0.5, User: uint64(i)}))
	}
	gid, err := w.AddGround(0, quarry.GroundDef{Materials: ids})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(gid)
	for x := range int32(12) {
		if err := g.Set(x, -1, gridseg.Tile{
			Shape: gridseg.Full, Material: uint16(11 - x),
			User: uint32(x),
		}); err != nil {
			t.Fatal(err)
		}
	}
	worldtest.Add(w, geom.V(5.2, 0.3), geom.NewBox(2.6, 0.3)) // from 2.6 to 7.8
	worldtest.Add(w, geom.V(10.4, 0.3), geom.Circle{Radius: 0.3})
	worldtest.Steps(w, 30)
	var at []float64
	for _, c := range w.AppendContacts(nil) {
		for _, p := range c.Points[:c.N] {
			x := int32(math.Floor(p.Point.X))
			want := gridseg.Tile{Shape: gridseg.Full, Material: uint16(11 - x), User: uint32(x)}
			if p.Cell != (gridseg.Cell{X: x, Y: -1}) || p.Tile != want || p.Material != ids[11-x] {
				t.Errorf("point at %v: %+v", p.Point, p)
			}
			at = append(at, p.Point.X)
		}
	}
	if len(at) != 3 {
		t.Errorf("points at %v, want three", at)
	}
	stone := w.AddMaterial(quarry.Material{Friction: 1})
	s := w.AddBody(quarry.BodyDef{Position: geom.V(30, 0)})
	w.AddShape(s, geom.NewBox(1, 1), quarry.ShapeDef{Material: stone})
	worldtest.Add(w, geom.V(30, 1.3), geom.Circle{Radius: 0.3})
	worldtest.Steps(w, 30)
	all := w.AppendContacts(nil)
	last := all[len(all)-1]
	if last.Ground != 0 || last.Points[0].Material != stone {
		t.Errorf("on a shape: %+v", last)
	}
}

// TestRemoveMaterial: a material that no shape, chain or list of a ground has can be removed. Its tiles then have the
// default material, in queries, contacts, masses and after a snapshot, and its id is in no table until it is given
// again.
func TestRemoveMaterial(t *testing.T) {
	w := worldtest.New()
	ice := w.AddMaterial(quarry.Material{Name: "ice", Density: 5})
	plank := w.AddMaterial(quarry.Material{Name: "plank", Friction: 0.6, OneWay: quarry.OneWayUp, Strength: 1})
	of := w.AddMaterial(quarry.Material{Name: "of a shape"})
	g := worldtest.AddGround(t, w, w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Weightless: true}))
	worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -9, MinY: 0, MaxX: 8, MaxY: 0},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)}))
	floor := worldtest.Floor(t, w, gridseg.Rect{MinX: -9, MinY: -9, MaxX: 9, MaxY: -9})
	worldtest.Must(t, floor.Fill(gridseg.Rect{MinX: 20, MinY: 0, MaxX: 29, MaxY: 0},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(plank)}))
	shape := w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(99, 0)}), geom.NewBox(1, 1),
		quarry.ShapeDef{Material: of})
	_, err := w.AddChain(0, quarry.ChainDef{
		Points:    []geom.Vec{geom.V(99, 9), geom.V(98, 9), geom.V(97, 9)},
		Materials: []quarry.MaterialID{0, plank},
	})
	worldtest.Must(t, err)
	if _, err := w.AddGround(0, quarry.GroundDef{Materials: []quarry.MaterialID{plank}}); err != nil {
		t.Fatal(err)
	}
	for id, text := range map[quarry.MaterialID]string{
		0: "default", of: "shape", plank: "chain",
		99: "not in the world's table",
	} {
		before := w.Hash()
		if err := w.RemoveMaterial(id); err == nil || !strings.Contains(err.Error(), text) || w.Hash() != before {
			t.Errorf("material %d: %v", id, err)
		}
	}
	puck := worldtest.Add(w, geom.V(-5, 1.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 60)
	mass := g.Body().Mass()
	worldtest.Must(t, w.RemoveMaterial(ice))
	if m := g.Body().Mass(); m != mass/5 || w.Material(ice) != w.Material(0) || w.SetMaterial(ice, quarry.Material{}) ||
		w.RemoveMaterial(ice) == nil {
		t.Errorf("the mass was %v and is %v; %+v", mass, m, w.Material(ice))
	}
	if _, ok := w.MaterialByName("ice"); ok || !puck.Awake() {
		t.Error("the removed material has its name, or the body on it sleeps")
	}
	worldtest.MustPanic(t, "a shape of it", func() {
		w.AddShape(puck.ID(), geom.NewBox(1, 1), quarry.ShapeDef{Material: ice})
	})
	puck.SetVelocity(geom.V(1, 0))
	again := quarry.NewWorld(quarry.Config{})
	worldtest.Must(t, again.Restore(w.AppendSnapshot(nil)))
	for _, x := range []*quarry.World{w, again} {
		worldtest.Steps(x, 60)
		if b, _ := x.Body(puck.ID()); math.Abs(b.Velocity().X) > 0.2 || x.Hash() != w.Hash() {
			t.Errorf("on tiles without the material: %v; hash %x", b.Velocity(), x.Hash())
		}
	}
	w.RemoveShape(shape)
	worldtest.Must(t, w.RemoveMaterial(of))
	if id := w.AddMaterial(quarry.Material{}); id != of+1 {
		t.Errorf("the next id is %d: ids are given again only when all have been given", id)
	}
}

// TestTableOfMaterialsIsFull: of more than 65,536 materials AddMaterial returns 0, and gives the ids of removed ones
// again. It panicked.
func TestTableOfMaterialsIsFull(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	for i := 1; i <= math.MaxUint16; i++ {
		if id := w.AddMaterial(quarry.Material{User: uint64(i)}); id != quarry.MaterialID(i) {
			t.Fatalf("material %d has the id %d", i, id)
		}
	}
	hash := w.Hash()
	if id := w.AddMaterial(quarry.Material{}); id != 0 || w.Hash() != hash {
		t.Errorf("one more has the id %d", id)
	}
	for _, id := range []quarry.MaterialID{7, 65535} {
		worldtest.Must(t, w.RemoveMaterial(id))
	}
	for _, want := range []quarry.MaterialID{7, 65535, 0} {
		if id := w.AddMaterial(quarry.Material{User: 1 << 40}); id != want || id != 0 && w.Material(id).User != 1<<40 {
			t.Errorf("id %d, want %d", id, want)
		}
	}
}

// touch is a material that a shape touches.
type touch struct {
	shape    quarry.ShapeID
	ground   quarry.GroundID
	chain    quarry.ChainID
	material quarry.MaterialID
}

func touchOf(ev *quarry.MaterialEvent) touch {
	return touch{ev.ShapeB, ev.Ground, ev.Chain, ev.Material}
}

// TestMaterialEvents: the materials that have begun and not ended are those under the points of the world's
// contacts, step by step, while tiles are dug and changed, shapes and grounds are removed, bodies sleep and
// wake; no begin or end comes twice. The place of a begin is under such a point.
func TestMaterialEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, all := drawWorld(t, quarry.MaterialEvents)
		on := map[touch]bool{}
		var g quarry.Ground
		for x := range w.Grounds() {
			g = x
		}
		steps := rapid.IntRange(60, 150).Draw(t, "steps")
		for step := range steps {
			if step > 20 && step%7 == 0 {
				switch x := int32(rapid.IntRange(-6, 6).Draw(t, "edit")); rapid.IntRange(0, 7).Draw(t, "call") {
				case 0, 1:
					worldtest.Must(t, g.Clear(x, -1))
				case 2, 3, 4:
					worldtest.Must(t, g.Set(x, -1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(step) % 3}))
				case 5:
					for s := range all[len(all)-1].Shapes() {
						w.RemoveShape(s.ID())
						break
					}
				case 6:
					all[0].SetTransform(geom.V(0, float64(x)), 0)
				}
			}
			if step == steps-1 {
				w.RemoveGround(g.ID())
			}
			w.Step(worldtest.DT)
			contacts := w.AppendContacts(nil)
			for _, ev := range w.MaterialEnds() {
				if !on[touchOf(&ev)] {
					t.Fatalf("step %d: an end without a begin: %+v", step, ev)
				}
				delete(on, touchOf(&ev))
			}
			for _, ev := range w.MaterialBegins() {
				if on[touchOf(&ev)] {
					t.Fatalf("step %d: a second begin: %+v", step, ev)
				}
				on[touchOf(&ev)] = true
				if !slices.ContainsFunc(contacts, func(c quarry.Contact) bool {
					return c.ShapeB == ev.ShapeB &&
						slices.ContainsFunc(c.Points[:c.N], func(p quarry.ContactPoint) bool {
							return p.Cell == ev.Cell && p.Tile == ev.Tile && p.Segment == ev.Segment &&
								p.Material == ev.Material
						})
				}) {
					t.Fatalf("step %d: no point at %+v", step, ev)
				}
			}
			want := map[touch]bool{}
			for _, c := range contacts {
				for _, p := range c.Points[:c.N] {
					if c.ShapeA == 0 && p.Separation <= 0.02 {
						want[touch{c.ShapeB, c.Ground, c.Chain, p.Material}] = true
					}
				}
			}
			if !maps.Equal(on, want) {
				t.Fatalf("step %d: begun %v, touched %v", step, on, want)
			}
		}
	})
}

// TestMaterialEventsAreAskedFor: without the flag there are none; set while a shape rests, it begins the material that
// the shape touches, and cleared, it ends it. The shape may sleep.
func TestMaterialEventsAreAskedFor(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -3, MinY: -1, MaxX: 3, MaxY: -1})
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	count := func() (n int) {
		for range 30 {
			w.Step(worldtest.DT)
			n += len(w.MaterialBegins()) + len(w.MaterialEnds())
		}
		return n
	}
	for _, x := range []struct {
		flags quarry.EventFlags
		want  int
	}{{0, 0}, {quarry.MaterialEvents, 1}, {quarry.MaterialEvents, 0}, {0, 1}, {quarry.MaterialEvents, 1}} {
		for s := range b.Shapes() {
			s.SetFlags(x.flags)
		}
		if n := count(); n != x.want {
			t.Errorf("flags %b: %d events, want %d", x.flags, n, x.want)
		}
	}
}

// TestMaterialsOfRafts: a change of a material wakes a raft on a ground if a tile of one of the two under a point of
// their contact has the material, and no other. Each change of any material woke all rafts.
func TestMaterialsOfRafts(t *testing.T) {
	for _, of := range []string{"raft", "ground", "neither", "new"} {
		w := worldtest.New()
		used := map[string]quarry.MaterialID{}
		for _, name := range []string{"raft", "ground", "neither"} {
			used[name] = w.AddMaterial(quarry.Material{Friction: 0.5, Name: name})
		}
		tile := func(name string) gridseg.Tile {
			return gridseg.Tile{Shape: gridseg.Full, Material: uint16(used[name])}
		}
		floor := worldtest.Floor(t, w, gridseg.Rect{MinX: 50, MinY: 0, MaxX: 51, MaxY: 0})
		worldtest.Must(t, floor.Fill(gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1}, tile("ground")))
		g := worldtest.AddGround(t, w, w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.1)}))
		worldtest.Must(t, g.Fill(gridseg.Rect{MaxX: 3, MaxY: 1}, tile("raft")))
		if worldtest.Steps(w, 120); g.Body().Awake() {
			t.Fatal("the raft does not sleep")
		}
		if of == "new" {
			w.AddMaterial(quarry.Material{})
		} else {
			w.SetMaterial(used[of], quarry.Material{Friction: 0.1})
		}
		if woke, want := g.Body().Awake(), of == "raft" || of == "ground"; woke != want {
			t.Errorf("the material %s: awake is %v", of, woke)
		}
	}
}

// TestManyMaterialChanges: a change of a material wakes the same bodies, whether it is one of few or of many since the
// last step: as in a copy of the world, which has seen no other. (Each change looked at all contacts.)
func TestManyMaterialChanges(t *testing.T) {
	w := worldtest.New()
	var ids []quarry.MaterialID
	for range 12 {
		ids = append(ids, w.AddMaterial(quarry.Material{Friction: 0.5}))
	}
	floor := worldtest.Floor(t, w, gridseg.Rect{MinX: 90, MinY: 0, MaxX: 91, MaxY: 0})
	for x := range int32(40) {
		worldtest.Must(t, floor.Set(x, -1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(x % 16)}))
	}
	var bodies []quarry.Body
	for x := range 20 {
		p := geom.V(float64(2*x)+0.9, 0.5)
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: p}, geom.NewBox(0.6, 0.5),
			quarry.ShapeDef{Material: ids[x%7]})
		bodies = append(bodies, b)
		if x%3 == 0 {
			p.Y = 1
			g := worldtest.AddGround(t, w, w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p}))
			worldtest.Must(t, g.Set(0, 0, gridseg.Tile{Shape: gridseg.Full, Material: uint16(x % 11)}))
			bodies = append(bodies, g.Body())
		}
	}
	worldtest.Steps(w, 240)
	r := worldtest.Random(3)
	woken := 0
	for n := range 300 {
		id := ids[r.Next()%uint64(len(ids))]
		b := bodies[r.Next()%uint64(len(bodies))]
		kind := r.Next() % 12
		change := func(w *quarry.World) {
			switch {
			case kind == 0:
				of, _ := w.Body(b.ID())
				for s := range of.Shapes() {
					if w.Material(id).Friction > 0 {
						s.SetMaterial(id)
					}
				}
			case kind == 1:
				w.AddMaterial(quarry.Material{Friction: 0.3})
			case kind == 2 && n > 200:
				_ = w.RemoveMaterial(id)
			case kind == 3:
				w.SetMaterial(0, quarry.Material{Friction: float64(n+2) / 1000})
			default:
				w.SetMaterial(id, quarry.Material{Friction: float64(n+1) / 1000})
			}
		}
		for _, b := range bodies {
			b.Sleep()
		}
		again := worldtest.New()
		worldtest.Must(t, again.Restore(w.AppendSnapshot(nil)))
		change(w)
		change(again)
		for _, b := range bodies {
			o, _ := again.Body(b.ID())
			if b.Awake() != o.Awake() {
				t.Fatalf("change %d, kind %d of material %d: body %d is awake: %v, in the copy %v", n, kind, id, b.ID(),
					b.Awake(), o.Awake())
			}
			if b.Awake() {
				woken++
			}
		}
		if w.Hash() != again.Hash() {
			t.Fatalf("change %d, kind %d: the hashes differ", n, kind)
		}
	}
	if woken < 200 {
		t.Errorf("only %d bodies were woken", woken)
	}
}
