package quarry_test

import (
	"reflect"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestViewsOfNothing: every method of a zero view, or of a view of a removed object,
// panics with a text of this module and changes nothing. Edits of a zero Ground
// dereferenced nil.
func TestViewsOfNothing(t *testing.T) {
	w := worldtest.New()
	b := worldtest.Add(w, geom.Vec{}, geom.NewBox(1, 1))
	views := map[string]any{
		"zero body": quarry.Body{}, "zero shape": quarry.Shape{}, "zero ground": quarry.Ground{},
		"zero chain": quarry.Chain{},
		"body":       b,
	}
	for s := range b.Shapes() {
		views["shape"] = s
	}
	gid, _ := w.AddGround(0, quarry.GroundDef{})
	g, _ := w.Ground(gid)
	cid, _ := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{{X: 1}, {}}})
	views["ground"] = g
	views["chain"], _ = w.Chain(cid)
	if !w.RemoveBody(b.ID()) || !w.RemoveGround(gid) || !w.RemoveChain(cid) {
		t.Fatal("not removed")
	}
	before := w.Hash()
	for name, view := range views {
		v := reflect.ValueOf(view)
		for i := range v.NumMethod() {
			m := v.Type().Method(i)
			if m.Name == "ID" {
				continue
			}
			worldtest.MustPanic(t, name+": "+m.Name, func() {
				var in []reflect.Value
				for k := 1; k < m.Type.NumIn(); k++ {
					in = append(in, reflect.Zero(m.Type.In(k)))
				}
				call := v.Method(i).Call
				if m.Type.IsVariadic() {
					call = v.Method(i).CallSlice
				}
				for _, out := range call(in) {
					if f := out.Type(); f.Kind() == reflect.Func { // an iterator looks when it runs
						stop := func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf(false)} }
						out.Call([]reflect.Value{reflect.MakeFunc(f.In(0), stop)})
					}
				}
			})
		}
	}
	if w.Hash() != before {
		t.Error("the world was changed")
	}
}
