//go:build !js

package sandbox

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// see returns what a lens shows at a place, after a round trip through JSON.
func see(t *testing.T, s *sim, name string, l lensPlace) lensPicture {
	t.Helper()
	p := lensPicture{Lens: name}
	lenses[name](s, l, &p)
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var got lensPicture
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func (p *lensPicture) fact(name string) string {
	var list []string
	for _, f := range p.Facts {
		if f.Name == name {
			list = append(list, f.Value)
		}
	}
	return strings.Join(list, " | ")
}

func (p *lensPicture) roles() map[string]int {
	n := map[string]int{}
	for _, m := range p.Marks {
		n[m.Role]++
	}
	return n
}

func (p *lensPicture) want(t *testing.T, facts ...string) {
	t.Helper()
	for i := 0; i < len(facts); i += 2 {
		if got := p.fact(facts[i]); !strings.Contains(got, facts[i+1]) {
			t.Errorf("%s: %s is %q, want %q", p.Lens, facts[i], got, facts[i+1])
		}
	}
}

// stepped returns a sim of a scene after some steps.
func stepped(t *testing.T, sc scene.Scene, steps int, commands ...play.Command) *sim {
	t.Helper()
	s := newSim(sc)
	for _, c := range commands {
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		if err := s.Do(1, c); err != nil {
			t.Fatal(err)
		}
	}
	for range steps {
		s.step()
	}
	return s
}

// Of a block in the top row of a floor, the face at its top is left, and three cancel; at the corner, two.
func TestLensCell(t *testing.T) {
	s := stepped(t, pit, 0)
	p := see(t, s, "cell", lensPlace{at: geom.V(0.5, -0.5)})
	p.want(t, "cell", "0, -1", "tile", "full", "raw faces", "4", "cancelled", "3", "segments left", "1")
	if n := p.roles(); n["segment"] != 6 || n["cancelled"] == 0 {
		t.Errorf("marks: %v", n)
	}
	p = see(t, s, "cell", lensPlace{at: geom.V(-9.5, -0.5)}) // at the corner
	p.want(t, "cancelled", "2", "segments left", "2")
	p = see(t, s, "cell", lensPlace{at: geom.V(0.5, 7.5)})
	p.want(t, "cell", "no tiles")
}

// Lenses show the first and the last cells of an int32 as others: a file can have a ground there, on a body that brings
// them to the view. (The lens of a cell counted up to the last one without end, and the server stood still.)
func TestLensesAtTheEndsOfInt32(t *testing.T) {
	for _, c := range []gridseg.Cell{
		{X: math.MaxInt32, Y: math.MaxInt32},
		{X: math.MaxInt32 - 1, Y: math.MaxInt32 - 1},
		{X: math.MaxInt32 - 1, Y: 0},
		{X: 0, Y: math.MaxInt32 - 1},
		{X: math.MinInt32, Y: math.MinInt32},
		{X: math.MinInt32 + 1, Y: 0},
	} {
		far := pit
		far.Build = func(w *quarry.World) *scene.Instance {
			in := pit.Build(w)
			id, err := w.AddGround(w.AddBody(quarry.BodyDef{
				Type: quarry.Kinematic, Position: geom.V(-float64(c.X), 5-float64(c.Y)),
			}), quarry.GroundDef{})
			if err != nil {
				t.Fatal(err)
			}
			g, _ := w.Ground(id)
			if err := g.Set(c.X, c.Y, gridseg.Tile{Shape: gridseg.Full}); err != nil {
				t.Fatal(err)
			}
			return in
		}
		s := stepped(t, far, 0)
		for name := range lenses {
			see(t, s, name, lensPlace{at: geom.V(0.5, 5.4), to: geom.V(0.5, 9)})
		}
		p := see(t, s, "cell", lensPlace{at: geom.V(0.5, 5.4)})
		p.want(t, "cell", fmt.Sprintf("%d, %d", c.X, c.Y), "segments left", "4", "cancelled", "0")
	}
}

// At a convex corner the one incoming and the one outgoing segment take each other, over three quarters of a turn.
func TestLensRadial(t *testing.T) {
	s := stepped(t, pit, 0)
	p := see(t, s, "radial", lensPlace{at: geom.V(10.1, 0.1)}) // the convex corner at the right end of the floor
	p.want(t, "vertex", "10, 0", "segments", "1 in, 1 out", "ghost1", "10, -1", "ghost2", "9, 0")
	n := p.roles()
	if n["outgoing"] != 1 || n["incoming"] != 1 || n["ghost1"] != 2 || n["ghost2"] != 2 || n["search out"] < 16 {
		t.Errorf("marks: %v", n)
	}
	for _, m := range p.Marks { // the way through air, over three quarters of a turn
		if m.Form == "text" && m.Role == "search out" && m.Text != "270\u00b0" {
			t.Errorf("the turn is %s", m.Text)
		}
	}
}

// The document's worked example, case A: the outgoing segment (0, 0) to (0, 1) takes ghost1 = (1, 0), 90 degrees
// clockwise; the other incoming segment is at 315 degrees.
func TestLensRadialExample(t *testing.T) {
	sc, _ := scene.Get("radial_match")
	p := see(t, stepped(t, sc, 0), "radial", lensPlace{at: geom.V(0.05, 0.4)})
	p.want(t, "vertex", "0, 0", "ghost1", "1, 0", "not matched", "315")
	for _, m := range p.Marks {
		if m.Form == "text" && m.Role == "search out" && m.Text != "90\u00b0" {
			t.Errorf("the turn is %s", m.Text)
		}
	}
}

// A box at rest on a floor is admitted by the segments below it; at a wall, its contact with the floor is, too, and the
// Gauss map of a floor between concave ends snaps.
func TestLensContact(t *testing.T) {
	s := stepped(t, pit, 30)
	p := see(t, s, "contact", lensPlace{at: geom.V(0, 0.2)})
	if n := p.roles(); n["segment admit"] < 1 || n["gauss snap"] != 2 || n["normal"] != 1 || n["point"] != 2 {
		t.Errorf("marks: %v; facts %v", n, p.Facts)
	}
	p.want(t, "contact normal", "90", "least overlap", "90")
	end := stepped(t, pit, 60, play.Command{Do: "add", Kind: "box", X: 9.9, Y: 0.5, Size: 1})
	p = see(t, end, "contact", lensPlace{at: geom.V(9.9, 0.2)})
	if n := p.roles(); n["gauss admit"] < 1 || n["gauss skip"] < 1 {
		t.Errorf("at a convex end: marks: %v; facts %v", n, p.Facts)
	}
	p = see(t, s, "contact", lensPlace{at: geom.V(5, 5)})
	p.want(t, "contact", "no shape")
}

// judge snaps the normal of a box that is pushed against a seam, and skips the segment behind it.
func TestLensVerdicts(t *testing.T) {
	s := stepped(t, shelf, 0)
	if err := s.Do(1, play.Command{Do: "add", Kind: "box", X: 0.5, Y: 5.7, Size: 0.9}); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		s.step()
	}
	p := see(t, s, "contact", lensPlace{at: geom.V(0.5, 5.2)})
	if n := p.roles(); n["segment admit"] == 0 {
		t.Errorf("marks: %v; facts %v", n, p.Facts)
	}
}

// Of two boxes, one on the other, the edges that meet are the reference and the incident edge, and two points are left.
func TestLensClip(t *testing.T) {
	s := stepped(t, pit, 60, play.Command{Do: "add", Kind: "box", X: 0.3, Y: 1.5, Size: 1})
	p := see(t, s, "clip", lensPlace{at: geom.V(0.2, 1)})
	n := p.roles()
	if n["reference"] != 1 || n["incident"] != 1 || n["plane"] != 2 || n["clipped"] != 1 || n["point"] != 4 {
		t.Errorf("marks: %v", n)
	}
	p.want(t, "point 1", "edge", "point 2", "edge")
	for _, m := range p.Marks {
		if m.Role == "clipped" && math.Abs(math.Abs(m.Points[0]-m.Points[2])-0.7) > 0.01 {
			t.Errorf("the clipped edge is %v", m.Points)
		}
	}
}

func TestLensHeat(t *testing.T) {
	s := stepped(t, pit, 1, play.Command{Do: "add", Kind: "box", X: 0.1, Y: 0.6, Size: 0.4})
	p := see(t, s, "heat", lensPlace{at: geom.V(0, 0.5)})
	p.want(t, "proxies near", "3", "finest cell", "1")
	if p.fact("fullest cell") == "0 proxies" || len(p.Marks) == 0 {
		t.Errorf("%+v", p.Facts)
	}
}

// Of two boxes on each other, the contact with the ground is a ring, the other a dot; both are the first of their kind.
// At rest, there is none.
func TestLensColors(t *testing.T) {
	s := stepped(t, pit, 10, play.Command{Do: "add", Kind: "box", X: 0.1, Y: 1.5, Size: 1})
	p := see(t, s, "colors", lensPlace{at: geom.V(0, 0.5)})
	p.want(t, "contacts solved here", "2", "colours", "1 of moving bodies, then 1 with static ones",
		"colour 0", "1 moving, 1")
	forms := map[string]int{}
	for _, m := range p.Marks {
		forms[m.Form+" "+m.Role]++
	}
	if forms["ring color c0"] != 2 || forms["dot color c0"] != 2 || forms["text color"] != 4 || len(forms) != 3 {
		t.Errorf("marks: %v", forms)
	}
	p = see(t, s, "colors", lensPlace{at: geom.V(100, 0.5)})
	p.want(t, "contacts solved here", "0")
	for range 200 {
		s.step()
	}
	p = see(t, s, "colors", lensPlace{at: geom.V(0, 0.5)})
	p.want(t, "contacts solved here", "0")
}

// A ray visits each cell from its start to its hit once.
func TestLensRay(t *testing.T) {
	s := stepped(t, pit, 0)
	p := see(t, s, "ray", lensPlace{at: geom.V(5.5, 3.5), to: geom.V(5.5, -9)})
	p.want(t, "hit", "ground", "cell", "5, -1")
	if n := p.roles(); n["visited"] < 8 || n["hit"] != 1 { // cells and their numbers
		t.Errorf("marks: %v", n)
	}
	p = see(t, s, "ray", lensPlace{at: geom.V(5.5, 3.5), to: geom.V(9.5, 7.2)})
	p.want(t, "hit", "nothing")
}

// With ghosts a box slides over the seams without losing speed; without them it trips.
func TestLensTrip(t *testing.T) {
	s := stepped(t, pit, 0)
	hash := s.Engine().Hash()
	p := see(t, s, "trip", lensPlace{at: geom.V(-9, 1)})
	var with, without, slow float64
	t.Log(p.Facts)
	if _, err := fmt.Sscanf(p.fact("with ghosts"), "slides %f cells; slowest %f", &with, &slow); err != nil {
		t.Fatal(err)
	}
	if slow < tripSpeed-0.01 || with < 10 {
		t.Errorf("with ghosts: %s", p.fact("with ghosts"))
	}
	if _, err := fmt.Sscanf(p.fact("without ghosts"), "slides %f cells; slowest %f", &without, &slow); err != nil {
		t.Fatal(err)
	}
	if slow > tripSpeed-0.5 {
		t.Errorf("without ghosts: %s", p.fact("without ghosts"))
	}
	if s.Engine().Hash() != hash {
		t.Error("the lens changed the world")
	}
}

// The object lens finds a body, a joint and a tile, stays with a body that moves, and tells its contacts.
func TestLensObject(t *testing.T) {
	s := stepped(t, pit, 30)
	p := see(t, s, "object", lensPlace{at: geom.V(0, 0.5)})
	p.want(t, "mass", "1", "contact", "ground at", "contact", "impulse")
	if p.Body == 0 || p.Object["type"] != 2.0 {
		t.Errorf("%+v", p)
	}
	p = see(t, s, "object", lensPlace{at: geom.V(99, 99), body: p.Body})
	p.want(t, "mass", "1")
	p = see(t, s, "object", lensPlace{at: geom.V(5.5, -0.5)})
	p.want(t, "cell", "5, -1", "segment", "from 6, 0 to 5, 0; ghost1 7, 0; ghost2 4, 0; layer 0", "layer", "0")
	p = see(t, s, "object", lensPlace{body: 1 << 40})
	p.want(t, "object", "gone")
	hinge := stepped(t, hung, 1)
	p = see(t, hinge, "object", lensPlace{at: geom.V(1e6, 2)})
	p.want(t, "joint", "revolute")
	if p.Joint == 0 || p.Object["motor"] != 0.0 {
		t.Errorf("%+v", p)
	}
}

func TestLensPhases(t *testing.T) {
	s := stepped(t, pit, 1)
	hash := s.Engine().Hash()
	see(t, s, "phases", lensPlace{})
	if s.Engine().Hash() != hash {
		t.Error("measuring changes the world")
	}
	s.step()
	sum := 0.0
	for _, ms := range see(t, s, "phases", lensPlace{}).Numbers {
		sum += ms
	}
	if sum <= 0 || sum > s.took.Seconds()*1000 {
		t.Errorf("the stages take %v ms, the step took %v", sum, s.took)
	}
}

// Whatever is looked at in whatever scene, a lens makes JSON, changes nothing, and is bounded.
func TestLensesEverywhere(t *testing.T) {
	for _, name := range []string{"valley", "ragdolls", "ship", "junctions", "layers", "one_way", "chains", "car"} {
		sc, ok := scene.Get(name)
		if !ok {
			t.Fatalf("no scene %s", name)
		}
		s := stepped(t, sc, 40)
		hash := s.Engine().Hash()
		v := sc.View
		for k := range 40 {
			at := geom.V(v.Min.X+v.Size().X*float64(k%8+1)/9, v.Min.Y+v.Size().Y*float64(k/8+1)/6)
			for lens := range lenses {
				p := see(t, s, lens, lensPlace{at: at, to: v.Center()})
				if len(p.Marks) > maxMarks || p.Lens != lens {
					t.Errorf("%s: %s has %d marks", name, p.Lens, len(p.Marks))
				}
			}
		}
		if s.Engine().Hash() != hash {
			t.Errorf("%s: a lens changed the world", name)
		}
	}
}

// The news of a step are its impacts; of a command its edit and explosion; each is told once.
func TestNews(t *testing.T) {
	s := newSim(pit)
	c := &client{}
	s.clients = append(s.clients, c)
	if err := s.order(c, Command{Command: play.Command{Do: "news"}}); err != nil {
		t.Fatal(err)
	}
	take := func() (n news) {
		c.batch = batch{}
		if c.syncNews(s); len(c.batch.bytes) > 0 {
			if err := json.Unmarshal(c.batch.bytes[4:], &n); err != nil {
				t.Fatal(err)
			}
		}
		return n
	}
	give := func(m play.Command) {
		if err := s.order(c, Command{Command: m}); err != nil {
			t.Fatal(err)
		}
		s.report(false)
	}
	take()
	give(play.Command{Do: "dig", X0: 5, X1: 5, Radius: 0.5})
	if n := take(); len(n.Edits) != 1 || n.Edits[0].Cells != [4]int32{4, -1, 5, -1} {
		t.Errorf("an edit: %+v", n)
	}
	give(play.Command{Do: "explode", X: -5, Radius: 1})
	if n := take(); len(n.Blasts) != 1 || n.Blasts[0].X != -5 || len(n.Edits) == 0 {
		t.Errorf("an explosion: %+v", n)
	}
	if n := take(); len(n.Blasts)+len(n.Edits)+len(n.Hits) > 0 {
		t.Errorf("told twice: %+v", n)
	}
	give(play.Command{Do: "add", Kind: "box", X: 3, Y: 4, Size: 1})
	hits := 0
	for range 90 {
		s.step()
		hits += len(take().Hits)
	}
	if hits == 0 || hits > 10 {
		t.Errorf("%d impacts of a box that falls", hits)
	}
	if err := s.order(c, Command{Command: play.Command{Do: "news"}, Off: true}); err != nil {
		t.Fatal(err)
	}
	give(play.Command{Do: "explode", X: -5, Radius: 1})
	if n := take(); len(n.Blasts) > 0 {
		t.Error("news for a client that wants none")
	}
}
