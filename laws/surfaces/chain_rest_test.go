package surfaces_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestChainHoldsBodies: bodies come to rest and fall asleep on a chain, on two points
// where they are flat.
func TestChainHoldsBodies(t *testing.T) {
	for name, s := range map[string]geom.Shape{
		"box": geom.NewBox(0.5, 0.5), "circle": geom.Circle{Radius: 0.5},
		"capsule": geom.Capsule{A: geom.V(-1, 0), B: geom.V(1, 0), Radius: 0.5},
		"rounded": geom.NewRoundedBox(0.3, 0.3, 0.2), "large": geom.NewBox(10, 0.5),
	} {
		w := worldtest.New()
		worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: worldtest.Line(geom.V(50, 0), geom.V(-50, 0), 73)})
		b := worldtest.Add(w, geom.V(0.3, 1.5), s)
		worldtest.Steps(w, 400)
		worldtest.Near(t, "height of "+name, b.Position().Y, 0.5, 2*geom.LinearSlop)
		if b.Awake() {
			t.Errorf("%s is awake", name)
		}
		n := 0
		for _, c := range w.AppendContacts(nil) {
			n += c.N
		}
		if want := map[bool]int{false: 2, true: 1}[name == "circle"]; n != want {
			t.Errorf("%s rests on %d points, want %d", name, n, want)
		}
	}
}

// TestChainRemovalWakes: a body on a chain, in a stack or under one, wakes and falls when
// the chain or its body is removed or moved; a sleeper beside it does not wake.
func TestChainRemovalWakes(t *testing.T) {
	for name, remove := range map[string]func(*quarry.World, quarry.Chain){
		"chain": func(w *quarry.World, c quarry.Chain) { w.RemoveChain(c.ID()) },
		"body":  func(w *quarry.World, c quarry.Chain) { w.RemoveBody(c.Body().ID()) },
		"moved": func(w *quarry.World, c quarry.Chain) { c.Body().SetTransform(geom.V(0, -50), 0) },
	} {
		w := worldtest.New()
		body := w.AddBody(quarry.BodyDef{})
		c := worldtest.AddChain(t, w, body, quarry.ChainDef{Points: worldtest.Line(geom.V(5, 0), geom.V(-5, 0), 10)})
		worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: worldtest.Line(geom.V(15, 0), geom.V(6, 0), 10)})
		low := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
		top := worldtest.Add(w, geom.V(0, 1.5), geom.NewBox(0.5, 0.5))
		beside := worldtest.Add(w, geom.V(10, 0.5), geom.NewBox(0.5, 0.5))
		worldtest.Steps(w, 120)
		if low.Awake() || top.Awake() || beside.Awake() {
			t.Fatal("they do not sleep")
		}
		remove(w, c)
		if !low.Awake() || !top.Awake() || beside.Awake() {
			t.Errorf("%s: awake: %v, %v, beside it %v", name, low.Awake(), top.Awake(), beside.Awake())
		}
		worldtest.Steps(w, 1)
		if len(w.ContactEnds()) != 1 || w.ContactEnds()[0].Chain != c.ID() {
			t.Errorf("%s: ends %+v", name, w.ContactEnds())
		}
		worldtest.Steps(w, 60)
		if low.Position().Y > -4 {
			t.Errorf("%s: still at %v", name, low.Position())
		}
	}
}

// TestChainWakesWhatItMeets: a chain added under a sleeping body wakes it.
func TestChainWakesWhatItMeets(t *testing.T) {
	w := worldtest.New()
	worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: worldtest.Line(geom.V(5, 0), geom.V(-5, 0), 10)})
	b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 120)
	if b.Awake() {
		t.Fatal("it does not sleep")
	}
	worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: []geom.Vec{geom.V(0.6, 0.2), geom.V(-5, 0.3)}})
	if !b.Awake() {
		t.Error("it sleeps on")
	}
	worldtest.Steps(w, 120)
	if b.Position().Y < 0.6 {
		t.Errorf("it was not lifted: %v", b.Position())
	}
}
