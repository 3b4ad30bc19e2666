//go:build !js

package sandbox

import (
	"testing"

	"github.com/quarry2d/quarry"
)

// pieces returns the number of dynamic bodies of tiles.
func pieces(s *sim) (n int) {
	for g := range s.in.World.Grounds() {
		if g.Body().Type() == quarry.Dynamic {
			n++
		}
	}
	return n
}

// A stroke whose parts come in many steps is one edit: what it builds or cuts loose falls when it ends, in one piece,
// as if the world had been paused. (A beam that was built while loose ground fell became 13 stones.)
func TestStrokeIsOneEdit(t *testing.T) {
	for _, do := range []string{"build", "paint"} {
		for _, paused := range []bool{false, true} {
			s := newSim(shelf)
			s.setBreaks(true)
			a, b := newClient("a"), newClient("b")
			s.clients = append(s.clients, a, b)
			part := func(x int) Command {
				if do == "build" {
					return Command{Do: do, X0: float64(x), X1: float64(x + 1), Y0: 8, Y1: 8, Radius: 0.4, Hold: true}
				}
				return Command{Do: do, Shape: 1, Cells: []int32{int32(x), 8}, Hold: true}
			}
			for x := range 13 {
				if err := s.do(a, part(x-6)); err != nil {
					t.Fatal(err)
				}
				if !paused {
					s.step()
				}
				if n := pieces(s); n != 0 {
					t.Fatalf("%s: %d pieces fall after part %d of the stroke", do, n, x+1)
				}
			}
			// Another client's stroke, of one part, does not end this one.
			for _, m := range []Command{{Do: "erase", Cells: []int32{0, 1}, Hold: true}, {Do: "release"}} {
				if err := s.do(b, m); err != nil {
					t.Fatal(err)
				}
			}
			if s.step(); pieces(s) != 0 {
				t.Fatalf("%s: %d pieces fall before the stroke has ended", do, pieces(s))
			}
			if err := s.do(a, Command{Do: "release"}); err != nil {
				t.Fatal(err)
			}
			if s.step(); pieces(s) != 2 {
				t.Errorf("%s, paused %v: %d pieces fall, want the beam and the shelf", do, paused, pieces(s))
			}
			for g := range s.in.World.Grounds() {
				d := g.Def()
				if standing := g.Body().Type() != quarry.Dynamic; standing && !d.Breaks {
					t.Error("the ground does not break any more")
				}
			}
		}
	}
}

// The choice whether loose ground falls, made during a stroke, holds after it; a world without ground gets one that
// keeps it; and a new world knows no stroke of the old.
func TestBreaksDuringAStroke(t *testing.T) {
	s := newSim(bare)
	c := newClient("")
	s.clients = append(s.clients, c)
	do := func(m Command) {
		t.Helper()
		if err := s.do(c, m); err != nil {
			t.Fatal(err)
		}
	}
	breaks := func() bool {
		for g := range s.in.World.Grounds() {
			if g.Body().Type() != quarry.Dynamic {
				return g.Def().Breaks
			}
		}
		return false
	}
	stroke := Command{Do: "build", X1: 5, Radius: 1, Hold: true}
	do(Command{Do: "breaks", All: true})
	do(stroke)
	if breaks() {
		t.Error("the first ground breaks during the stroke")
	}
	do(Command{Do: "release"})
	if !breaks() {
		t.Error("the first ground does not break after the stroke")
	}
	do(stroke)
	do(Command{Do: "breaks"})
	do(Command{Do: "release"})
	if breaks() {
		t.Error("it breaks, though that was ended during the stroke")
	}
	do(stroke)
	do(Command{Do: "breaks", All: true})
	if breaks() {
		t.Error("it breaks during the stroke")
	}
	do(Command{Do: "release"})
	if !breaks() {
		t.Error("it does not break, though that was begun during the stroke")
	}
	do(stroke)
	s.start(bare)
	do(Command{Do: "release"})
	if s.strokes != 0 {
		t.Errorf("%d strokes in a new world", s.strokes)
	}
	do(stroke)
	do(stroke)
	if s.strokes != 1 {
		t.Errorf("%d strokes, want 1", s.strokes)
	}
}
