package quarry_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

func TestChainRefuses(t *testing.T) {
	v, nan, inf := geom.V, math.NaN(), math.Inf(1)
	ok := []geom.Vec{v(2, 0), v(1, 0.5), v(0, 0)}
	for name, c := range map[string]struct {
		d    quarry.ChainDef
		says string
	}{
		"none":              {quarry.ChainDef{}, "0 points"},
		"one":               {quarry.ChainDef{Points: ok[:1]}, "1 points: it must have 2"},
		"loop of two":       {quarry.ChainDef{Points: ok[:2], Loop: true}, "2 points: it must have 3"},
		"too many":          {quarry.ChainDef{Points: make([]geom.Vec, quarry.MaxChainPoints+1)}, "1048577 points"},
		"NaN":               {quarry.ChainDef{Points: []geom.Vec{v(0, 0), v(1, nan)}}, "point 1 "},
		"infinite":          {quarry.ChainDef{Points: []geom.Vec{v(0, 0), v(1, 0), v(-inf, 0)}}, "point 2 "},
		"far":               {quarry.ChainDef{Points: []geom.Vec{v(2*geom.MaxCoord, 0), v(1, 0)}}, "point 0 "},
		"same points":       {quarry.ChainDef{Points: []geom.Vec{v(0, 0), v(1, 0), v(1, 0)}}, "points 1 and 2 "},
		"too near":          {quarry.ChainDef{Points: []geom.Vec{v(0, 0), v(0.004, 0), v(1, 0)}}, "0.005"},
		"loop with its end": {quarry.ChainDef{Points: append(slices.Clone(ok), ok[0]), Loop: true}, "points 3 and 0 "},
		"few materials": {
			quarry.ChainDef{Points: ok, Materials: make([]quarry.MaterialID, 1)},
			"2 segments with 1 materials",
		},
		"many materials": {
			quarry.ChainDef{Points: ok, Loop: true, Materials: make([]quarry.MaterialID, 4)},
			"3 segments with 4 materials",
		},
		"loop with a ghost": {quarry.ChainDef{Points: ok, Loop: true, HasGhost2: true}, "no ends"},
		"NaN ghost":         {quarry.ChainDef{Points: ok, HasGhost1: true, Ghost1: v(nan, 0)}, "ghost 1"},
		"ghost at the end":  {quarry.ChainDef{Points: ok, HasGhost2: true, Ghost2: v(0, 0.004)}, "ghost 2"},
	} {
		w := worldtest.New()
		before := w.Hash()
		id, err := w.AddChain(0, c.d)
		if err == nil || id != 0 || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %d, %v; want an error with %q", name, id, err, c.says)
		}
		if w.Hash() != before || w.Stats() != (quarry.Stats{}) {
			t.Errorf("%s: the error left a trace", name)
		}
	}

	w := worldtest.New()
	d := quarry.ChainDef{Points: ok}
	if _, err := w.AddChain(7, d); err == nil {
		t.Error("a chain on no body")
	}
	if _, err := w.AddChain(worldtest.Add(w, v(0, 9), geom.Circle{Radius: 1}).ID(), d); err == nil {
		t.Error("a chain on a dynamic body")
	}
	far := w.AddBody(quarry.BodyDef{Position: v(1e18, 0)})
	before := w.Hash()
	if _, err := w.AddChain(far, d); err == nil || w.Hash() != before {
		t.Errorf("a chain out of the world's bounds: %v", err)
	}
	if w.RemoveChain(0) || w.RemoveChain(99) {
		t.Error("removed what is not there")
	}
	if _, ok := w.Chain(0); ok {
		t.Error("chain 0 is one")
	}
}

func TestChainView(t *testing.T) {
	w := worldtest.New()
	ms := []quarry.MaterialID{
		w.AddMaterial(quarry.Material{}), w.AddMaterial(quarry.Material{}), 0,
		w.AddMaterial(quarry.Material{}),
	}
	body := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(10, 0), Angle: math.Pi / 2})
	points := []geom.Vec{geom.V(0, 0), geom.V(0, 2), geom.V(3, 2), geom.V(3, 0)}
	c := worldtest.AddChain(t, w, body, quarry.ChainDef{Points: points, Loop: true, Materials: ms, User: 5})
	points[0] = geom.V(9, 9) // it was copied
	ms[0] = 0
	if n, m := c.Count(); n != 4 || m != 4 || !c.Loop() || c.User() != 5 || c.Body().ID() != body {
		t.Errorf("%d points, %d segments, loop %v, user %d, body %d", n, m, c.Loop(), c.User(), c.Body().ID())
	}
	if c.Point(0) != (geom.Vec{}) || c.Segment(3) != (geom.Segment{A: geom.V(3, 0)}) || c.Material(0) != 1 ||
		c.Material(3) != 3 {
		t.Errorf("%v, %v, materials %d, %d", c.Point(0), c.Segment(3), c.Material(0), c.Material(3))
	}
	n := 0
	for i, p := range c.Points() {
		if p != c.Point(i) || i != n {
			t.Errorf("point %d is %v", i, p)
		}
		n++
	}
	for i, s := range c.Segments() {
		if s != c.Segment(i) {
			t.Errorf("segment %d is %v", i, s)
		}
		n++
	}
	if n != 8 {
		t.Errorf("%d points and segments, want 8", n)
	}
	b := c.Bounds()
	worldtest.Near(t, "left", b.Min.X, 8, 1e-9)
	worldtest.Near(t, "top", b.Max.Y, 3, 1e-9)
	if s := w.Stats(); s.Chains != 1 || s.ChainSegments != 4 {
		t.Errorf("%+v", s)
	}
	for range w.Chains() {
		n--
	}
	if n != 7 {
		t.Error("not one chain")
	}
	open := worldtest.AddChain(t, w, 0, quarry.ChainDef{
		Points:    worldtest.Line(geom.V(2, 0), geom.V(0, 0), 2),
		HasGhost2: true, Ghost2: geom.V(-1, 4),
	})
	if g, has := open.Ghosts(); has != [2]bool{false, true} || g[1] != geom.V(-1, 4) {
		t.Errorf("ghosts %v, %v", g, has)
	}
	// A removed one is no more, and its slot is used again under another id.
	w.RemoveChain(c.ID())
	if _, ok := w.Chain(c.ID()); ok {
		t.Error("a removed chain is still there")
	}
	again := worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: worldtest.Line(geom.V(2, 0), geom.V(0, 0), 2)})
	if again.ID() == c.ID() {
		t.Error("an id is used twice")
	}
	for name, f := range map[string]func(){
		"removed chain": func() { c.Count() }, "zero chain": func() { quarry.Chain{}.Count() },
		"segment 2 of 2": func() { again.Segment(2) }, "material -1": func() { again.Material(-1) },
	} {
		worldtest.MustPanic(t, name, f)
	}
	w.RemoveBody(body)
	w.RemoveBody(again.Body().ID())
	if s := w.Stats(); s.Chains != 0 {
		t.Errorf("%d chains without bodies", s.Chains)
	}
}

func TestChainHash(t *testing.T) {
	base := quarry.ChainDef{Points: worldtest.Line(geom.V(5, 0), geom.V(-5, 0), 10)}
	hash := func(change func(*quarry.ChainDef)) uint64 {
		w := worldtest.New()
		for range 3 {
			w.AddMaterial(quarry.Material{})
		}
		d := base
		d.Points = slices.Clone(base.Points)
		change(&d)
		worldtest.AddChain(t, w, 0, d)
		return w.Hash()
	}
	same := hash(func(*quarry.ChainDef) {})
	if hash(func(d *quarry.ChainDef) { d.User = 9 }) != same {
		t.Error("User is in the hash")
	}
	for name, f := range map[string]func(*quarry.ChainDef){
		"point":     func(d *quarry.ChainDef) { d.Points[3].Y = math.Copysign(0, -1) },
		"loop":      func(d *quarry.ChainDef) { d.Loop = true },
		"ghost":     func(d *quarry.ChainDef) { d.HasGhost1 = true; d.Ghost1 = geom.V(8, 8) },
		"material":  func(d *quarry.ChainDef) { d.Material = 3 },
		"materials": func(d *quarry.ChainDef) { d.Materials = make([]quarry.MaterialID, 10); d.Materials[9] = 1 },
		"category":  func(d *quarry.ChainDef) { d.Category = 2 },
		"mask":      func(d *quarry.ChainDef) { d.Mask = 2 },
	} {
		if hash(f) == same {
			t.Errorf("%s is not in the hash", name)
		}
	}
}

// TestChainMasks: a body has contacts with the chains that both masks allow; a sensor has
// none.
func TestChainMasks(t *testing.T) {
	for name, c := range map[string]struct {
		d     quarry.ChainDef
		s     quarry.ShapeDef
		stops bool
	}{
		"default":      {stops: true},
		"own mask":     {s: quarry.ShapeDef{Mask: 2}},
		"own category": {s: quarry.ShapeDef{Category: 4}, stops: true},
		"chain's mask": {d: quarry.ChainDef{Mask: 2}},
		"both": {
			d: quarry.ChainDef{Mask: 2, Category: 8}, s: quarry.ShapeDef{Mask: 8, Category: 2},
			stops: true,
		},
		"sensor":        {s: quarry.ShapeDef{Sensor: true}},
		"chain's group": {d: quarry.ChainDef{Category: 2}, s: quarry.ShapeDef{Mask: 1}},
	} {
		w := worldtest.New()
		c.d.Points = worldtest.Line(geom.V(5, 0), geom.V(-5, 0), 10)
		worldtest.AddChain(t, w, 0, c.d)
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1)})
		w.AddShape(id, geom.Circle{Radius: 0.5}, c.s)
		worldtest.Steps(w, 90)
		if b, _ := w.Body(id); (b.Position().Y > 0) != c.stops {
			t.Errorf("%s: at %v", name, b.Position())
		}
		if len(w.SensorBegins()) > 0 {
			t.Errorf("%s: a sensor told of a chain", name)
		}
	}
}
