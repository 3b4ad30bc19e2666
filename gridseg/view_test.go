package gridseg

import (
	"reflect"
	"slices"
	"testing"
)

// A View has every method of Grid that reads, with the same parameters and results, and no other.
func TestViewHasTheReadingMethods(t *testing.T) {
	edits := []string{
		"Add", "Clear", "Engine", "Fill", "Join", "Load", "Move", "Parts", "Place", "Preserve", "Remove", "Resolve",
		"Set", "Subtract", "Unite", "Unload", "View",
	}
	grid, view := reflect.TypeFor[*Grid](), reflect.TypeFor[View]()
	want := grid.NumMethod() - len(edits) + 1 // and an Engine of its own
	if view.NumMethod() != want {
		t.Errorf("View has %d methods, want %d", view.NumMethod(), want)
	}
	signature := func(m reflect.Method) (s []reflect.Type) {
		for i := 1; i < m.Type.NumIn(); i++ { // without the receiver
			s = append(s, m.Type.In(i))
		}
		for i := range m.Type.NumOut() {
			s = append(s, m.Type.Out(i))
		}
		return s
	}
	for m := range grid.Methods() {
		if slices.Contains(edits, m.Name) {
			continue
		}
		v, ok := view.MethodByName(m.Name)
		if !ok {
			t.Errorf("View has no method %s", m.Name)
		} else if !slices.Equal(signature(v), signature(m)) {
			t.Errorf("%s: View has %v, Grid has %v", m.Name, v.Type, m.Type)
		}
	}
}

// Reading through a View allocates no more than reading the Grid.
func TestViewAllocatesNothing(t *testing.T) {
	g := New(nil)
	if err := g.Fill(Rect{MinX: -9, MinY: -9, MaxX: 9, MaxY: 9}, Tile{Shape: Full}); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	n := 0
	v := g.View()
	direct := testing.AllocsPerRun(50, func() {
		for range g.Tiles(Rect{MinX: -2, MinY: -2, MaxX: 2, MaxY: 2}) {
			n++
		}
	})
	viewed := testing.AllocsPerRun(50, func() {
		for range v.Tiles(Rect{MinX: -2, MinY: -2, MaxX: 2, MaxY: 2}) {
			n++
		}
	})
	if viewed > direct {
		t.Errorf("%v allocations through the view, %v without it", viewed, direct)
	}
	if a := testing.AllocsPerRun(50, func() { g.View().Solid(0.5, 0.5) }); a > 0 {
		t.Errorf("Solid: %v allocations", a)
	}
}
