package quarry_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// full returns a definition of which no field is zero but those named in without. A field that a test
// does not know gets the value of its kind: true, 1, or "x".
func full[T any](d T, without ...string) T {
	v := reflect.ValueOf(&d).Elem()
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		skip := !f.IsZero()
		for _, w := range without {
			skip = skip || w == name
		}
		if skip {
			continue
		}
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int32:
			f.SetInt(1)
		case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			f.SetUint(1)
		case reflect.Float64:
			f.SetFloat(0.75)
		case reflect.String:
			f.SetString("x")
		case reflect.Struct:
			f.Set(reflect.ValueOf(geom.V(1, 2)))
		}
	}
	return d
}

// TestDefsTellAll: the definition of a body, shape, ground, chain or world is the one that it was made
// with, field by field, so a new field without a getter fails. Definitions in which no field is zero are
// made by reflection.
func TestDefsTellAll(t *testing.T) {
	same := func(name string, got, want any) {
		t.Helper()
		if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	c := full(quarry.Config{CellSize: 2, Workers: 2})
	w := quarry.NewWorld(c)
	same("Config", w.Config(), c)
	w.AddMaterial(quarry.Material{})

	d := full(quarry.BodyDef{Type: quarry.Dynamic}, "Weightless", "Disabled", "LockX", "LockY")
	b, _ := w.Body(w.AddBody(d))
	same("Body", b.Def(), d)
	d.Weightless, d.Asleep, d.GravityScale, d.Disabled = true, false, 1, true
	d.LockX, d.LockY, d.Velocity = true, true, geom.Vec{} // a locked body has no velocity
	b, _ = w.Body(w.AddBody(d))
	same("a weightless and disabled Body", b.Def(), d)

	s := full(quarry.ShapeDef{}, "Massless")
	sh, _ := w.Shape(w.AddShape(b.ID(), geom.NewBox(1, 1), s))
	same("Shape", sh.Def(), s)
	s.Massless, s.Density = true, 0
	sh, _ = w.Shape(w.AddShape(b.ID(), geom.NewBox(1, 1), s))
	same("a massless Shape", sh.Def(), s)

	g := full(quarry.GroundDef{Materials: []quarry.MaterialID{1, 0}})
	gid, err := w.AddGround(0, g)
	if err != nil {
		t.Fatal(err)
	}
	ground, _ := w.Ground(gid)
	same("Ground", ground.Def(), g)

	k := full(quarry.ChainDef{Points: []geom.Vec{{X: 2}, {X: 1}, {X: 0, Y: 1}}, Materials: []quarry.MaterialID{0, 1}},
		"Loop")
	cid, err := w.AddChain(0, k)
	if err != nil {
		t.Fatal(err)
	}
	chain, _ := w.Chain(cid)
	same("Chain", chain.Def(), k)
	k.Loop, k.HasGhost1, k.HasGhost2, k.Ghost1, k.Ghost2, k.Materials = true, false, false, geom.Vec{}, geom.Vec{}, nil
	if cid, err = w.AddChain(0, k); err != nil {
		t.Fatal(err)
	}
	chain, _ = w.Chain(cid)
	same("a loop", chain.Def(), k)

	// The zero definitions are told with the values that zeros stand for.
	z, _ := w.Body(w.AddBody(quarry.BodyDef{}))
	same("the zero Body", z.Def(), quarry.BodyDef{GravityScale: 1})
	all := ^uint64(0)
	zs, _ := w.Shape(w.AddShape(z.ID(), geom.NewBox(1, 1), quarry.ShapeDef{}))
	same("the zero Shape", zs.Def(), quarry.ShapeDef{Density: 1, Category: 1, Mask: all})
	same("the zero Config", quarry.NewWorld(quarry.Config{}).Config(), quarry.Config{
		SubSteps: 4, CellSize: 1, MaxSpeed: 400, HitSpeed: 1, BounceSpeed: 1, PushRate: 6.2, PushSpeed: 3,
		SleepSpeed: 0.05, SleepTime: 0.5,
	})
	// The lists of a body.
	base := ground.Body()
	var grounds, chains []any
	for x := range base.Grounds() {
		grounds = append(grounds, x.ID())
	}
	for x := range base.Chains() {
		chains = append(chains, x.ID())
	}
	if len(grounds) != 1 || grounds[0] != gid || len(chains) != 2 || chains[0] != cid {
		t.Errorf("grounds %v, chains %v", grounds, chains)
	}
	n := 0
	for range w.Shapes() {
		n++
	}
	if n != w.Stats().Shapes {
		t.Errorf("%d shapes of %d", n, w.Stats().Shapes)
	}
}
