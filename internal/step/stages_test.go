package step

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/state"
)

// TestPairs: after the stage there is one contact for each two boxes in the broad phase that overlap and may
// collide, with the same slots for any number of workers.
func TestPairs(t *testing.T) {
	var want []string
	for workers := 1; workers <= 3; workers++ {
		random := rand.New(rand.NewPCG(1, 2))
		r := newRig(state.Config{}, workers)
		for range 60 {
			r.disc(broad.BodyType(random.IntN(3)), geom.V(8*random.Float64(), 8*random.Float64()),
				0.1+0.4*random.Float64())
		}
		for round := range 3 {
			if round > 0 {
				for range 20 { // their boxes change
					i := int32(random.IntN(60))
					r.at(i).Center = geom.V(8*random.Float64(), 8*random.Float64())
					r.w.UpdateBoxes(i, nil)
				}
			}
			r.w.MeasureAll()
			r.Begin(&r.w, stepTime)
			r.Pairs.Step(&r.w, r.Team)
			r.end()
			var got []string
			for i, c := range r.w.Contacts.All() {
				got = append(got, fmt.Sprint(i, c.ShapeA, c.ShapeB, c.BodyA, c.BodyB))
				if c.BodyA != r.w.Shapes.At(c.ShapeA).Body || c.BodyB != r.w.Shapes.At(c.ShapeB).Body {
					t.Fatalf("the bodies of %+v do not own its shapes", c)
				}
				if r.w.BoxesOverlap(c) { // other contacts end in the narrow phase
					continue
				}
				if round == 0 {
					t.Fatalf("a contact of boxes that do not overlap: %+v", c)
				}
			}
			for a := int32(0); a < 60; a++ {
				for b := a + 1; b < 60; b++ {
					_, has := r.w.Broad.Pairs.Get(uint64(broad.KeyOf(broad.OwnerOf(broad.Shape, a), b)))
					meet := r.w.Broad.ShapesOverlap(a, b) && (r.at(a).Type == broad.DynamicBody ||
						r.at(b).Type == broad.DynamicBody)
					if meet && !has || !meet && has && round == 0 {
						t.Fatalf("round %d: shapes %d and %d overlap: %v; they have a contact: %v", round, a, b, meet,
							has)
					}
				}
			}
			key := fmt.Sprint(got)
			if at := round; workers == 1 {
				want = append(want, key)
			} else if want[at] != key {
				t.Fatalf("round %d: %d workers add other contacts", round, workers)
			}
		}
	}
}

// TestNarrowAppliesNothing: the narrow phase computes manifolds, and what else a contact changes waits for Apply:
// the begin of a touch, its end, and the end of a contact whose boxes have parted.
func TestNarrowAppliesNothing(t *testing.T) {
	r := newRig(state.Config{}, 1)
	a, b := r.disc(broad.StaticBody, geom.Vec{}, 1), r.disc(broad.DynamicBody, geom.V(0, 1.999), 1)
	r.contacts()
	c := r.w.Contacts.At(0)
	m := &r.w.Contacts.Manifolds[0]
	if m.N != 1 || math.Abs(m.Points[0].Separation+0.001) > 1e-12 || m.Normal.Dist(geom.V(0, 1)) > 1e-12 &&
		m.Normal.Dist(geom.V(0, -1)) > 1e-12 {
		t.Fatalf("the manifold is %+v", m)
	}
	if c.Touching || r.touched > 0 {
		t.Fatal("the narrow phase begins a touch itself")
	}
	r.Apply.Step(&r.w, r.Team, &r.Narrow)
	if r.end(); !c.Touching || r.touched != 1 {
		t.Fatalf("after Apply: touching %v, %d begins", c.Touching, r.touched)
	}
	r.at(b).Center = geom.V(0, 9)
	r.w.UpdateBoxes(b, nil)
	r.contacts()
	if !r.w.Contacts.Has(0) || r.ended > 0 {
		t.Fatal("the narrow phase ends a contact itself")
	}
	r.Apply.Step(&r.w, r.Team, &r.Narrow)
	if r.end(); r.w.Contacts.Has(0) || r.ended != 1 || r.at(a).FirstContact >= 0 || r.at(b).FirstContact >= 0 {
		t.Fatalf("after Apply: the contact exists %v, %d ends", r.w.Contacts.Has(0), r.ended)
	}
}

// TestApplyWakes: a sleeping body that an awake one touches is awake after Apply, and its contacts are of
// this step.
func TestApplyWakes(t *testing.T) {
	r := newRig(state.Config{}, 1)
	a, b := r.disc(broad.DynamicBody, geom.Vec{}, 1), r.disc(broad.DynamicBody, geom.V(1.99, 0), 1)
	r.disc(broad.DynamicBody, geom.V(-1.99, 0), 1)
	r.at(a).Awake = false
	r.at(2).Awake = false
	r.contacts()
	r.Apply.Step(&r.w, r.Team, &r.Narrow)
	r.end()
	if !r.at(a).Awake || !r.at(b).Awake || r.at(2).Awake {
		t.Errorf("awake: %v, %v, %v, want the layer beside the awake body alone to wake", r.at(a).Awake,
			r.at(b).Awake, r.at(2).Awake)
	}
	for i, c := range r.w.Contacts.All() {
		if !c.Touching {
			t.Errorf("contact %d of a body that woke was not computed again", i)
		}
	}
}

// TestList: the solver gets the awake bodies, in the order of slots, the contacts between them, and their
// islands.
func TestList(t *testing.T) {
	for workers := 1; workers <= 2; workers++ {
		r := newRig(state.Config{}, workers)
		r.disc(broad.StaticBody, geom.V(0, -1), 1)
		for x := range 3 { // 0 and 1 touch each other, 2 is alone
			r.disc(broad.DynamicBody, geom.V(1.99*float64(x+x/2), 0.99), 1)
		}
		sleeper := r.disc(broad.DynamicBody, geom.V(50, 0), 1)
		r.at(sleeper).Awake = false
		r.contacts()
		r.Apply.Step(&r.w, r.Team, &r.Narrow)
		r.List.Step(&r.w, r.Team, &r.Solver, &r.Narrow)
		r.end()
		if got := r.List.Awake.Bodies; !slices.Equal(got, []int32{1, 2, 3}) {
			t.Fatalf("%d workers: awake are %v", workers, got)
		}
		for k, i := range r.List.Awake.Bodies {
			if r.at(i).SolverIndex != int32(k+1) {
				t.Errorf("body %d has the index %d in the solver", i, r.at(i).SolverIndex)
			}
		}
		if r.at(sleeper).SolverIndex != 0 || len(r.Solver.Links) != 2 {
			t.Errorf("the sleeper has the index %d; %d links", r.at(sleeper).SolverIndex, len(r.Solver.Links))
		}
		if of := r.Solver.Islands; of[1] != of[2] || of[1] == of[3] || of[1] == 0 {
			t.Errorf("islands %v", of)
		}
	}
}

// TestSolveHoldsWeight: a body that rests on another has no velocity, and the impulse of its contact is its
// weight for the time of the step. A pre-solve function sees each manifold, and one that disables it lets the
// body fall.
func TestSolveHoldsWeight(t *testing.T) {
	for _, disables := range []bool{false, true} {
		r := newRig(state.Config{Gravity: geom.V(0, -10)}, 1)
		r.disables = disables
		ground := r.body(broad.StaticBody, geom.V(0, -1))
		r.shape(ground, geom.NewBox(20, 1), false, state.AskPreSolve)
		b := r.body(broad.DynamicBody, geom.V(0, 0.5))
		r.shape(b, geom.NewBox(0.5, 0.5), false, 0)
		for range 20 {
			r.step()
		}
		if disables {
			if v := r.at(b).Velocity.Y; math.Abs(v+10*20*stepTime) > 1e-3 {
				t.Errorf("a body whose contact is left out has the velocity %v", v)
			}
			continue
		}
		sum := float64(0)
		for k := range 2 {
			sum += float64(r.w.Contacts.Totals[0][k][0])
		}
		if want := 10 * stepTime; math.Abs(sum-want) > 0.01*want || r.at(b).Velocity.Len() > 1e-3 || r.mixed == 0 {
			t.Errorf("impulse %v, want %v; velocity %v; %d manifolds mixed", sum, want, r.at(b).Velocity, r.mixed)
		}
		r.disables = true
		r.step()
		if v := r.at(b).Velocity.Y; math.Abs(v+10*stepTime) > 1e-3 || r.ended != 1 {
			t.Errorf("a contact that is left out from now on: velocity %v, %d ends", v, r.ended)
		}
	}
}

// TestAdvance: a body moves by the solver's displacement, a fast one stops at a wall, and both have boxes that
// hold them.
func TestAdvance(t *testing.T) {
	for workers := 1; workers <= 2; workers++ {
		r := newRig(state.Config{}, workers)
		wall := r.body(broad.StaticBody, geom.V(5, 0))
		r.shape(wall, geom.NewBox(0.05, 20), false, 0)
		free, fast := r.disc(broad.DynamicBody, geom.V(0, 10), 0.25), r.disc(broad.DynamicBody, geom.V(4, 0), 0.25)
		r.at(free).Velocity, r.at(free).Spin = geom.V(-3, 2), 4
		r.at(fast).Velocity = geom.V(300, 0)
		r.step()
		if got, want := r.at(free).Center, geom.V(-3*stepTime, 10+2*stepTime); got.Dist(want) > 1e-6 {
			t.Errorf("a free body is at %v, want %v", got, want)
		}
		if got := r.at(free).Rot.Angle(); math.Abs(got-4*stepTime) > 1e-4 {
			t.Errorf("a free body has turned by %v", got)
		}
		if x := r.at(fast).Center.X; x > 5 || x < 4.5 {
			t.Errorf("a fast body is at x = %v, beyond or before the wall at 5", x)
		}
		for _, i := range []int32{free, fast} {
			if box := r.w.Broad.At(r.w.Shapes.At(r.at(i).FirstShape).Proxy).Box; !box.Contains(geom.Box(r.at(i).Center,
				r.at(i).Center).Expand(0.25)) {
				t.Errorf("the box %v does not hold body %d", box, i)
			}
		}
	}
}

// TestSense: a sensor reports a shape at the end of the step in which it comes to overlap, its end when it
// leaves, and a shape that passes within a step as crossed.
func TestSense(t *testing.T) {
	r := newRig(state.Config{}, 1)
	zone := r.body(broad.StaticBody, geom.Vec{})
	r.shape(zone, geom.NewBox(0.5, 5), true, 0)
	b := r.disc(broad.DynamicBody, geom.V(-0.8, 0), 0.25)
	r.at(b).Velocity = geom.V(8, 0) // an eighth of a unit in a step
	for n := 1; n <= 14; n++ {
		r.step()
		x := r.at(b).Center.X
		in := x > -0.75 && x < 0.75
		if begins, ends := r.touched, r.ended; in && (begins != 1 || ends != 0) || x > 0.8 && (begins != 1 ||
			ends != 1) {
			t.Fatalf("x = %v: %d begins, %d ends", x, begins, ends)
		}
	}
	r.at(b).Velocity, r.at(b).Center = geom.V(-64, 0), geom.V(1.6, 0)
	r.w.UpdateBoxes(b, nil)
	if r.step(); r.touched != 2 { // its box met the sensor's within this step
		t.Errorf("at x = %v: %d begins", r.at(b).Center.X, r.touched)
	}
	r.at(b).Velocity, r.at(b).Center = geom.Vec{}, geom.V(2, 0)
	r.w.UpdateBoxes(b, nil)
	r.step()
	r.touched, r.at(b).Velocity = 1, geom.V(-380, 0)
	if r.step(); r.crossed != 1 || r.touched != 1 {
		t.Errorf("a shape that passed: %d crossed, %d begins; it is at %v", r.crossed, r.touched, r.at(b).Center.X)
	}
}

// TestSleep: a resting body falls asleep after Config.SleepTime, once; one that moves does not, nor one without a
// support on which gravity acts.
func TestSleep(t *testing.T) {
	r := newRig(state.Config{SleepTime: 0.25}, 1)
	still, moving := r.disc(broad.DynamicBody, geom.Vec{}, 0.5), r.disc(broad.DynamicBody, geom.V(9, 0), 0.5)
	r.at(moving).Velocity = geom.V(1, 0)
	late := r.disc(broad.DynamicBody, geom.V(0, 9), 0.5)
	r.at(late).Velocity = geom.V(1, 0)
	var fell []string
	for n := 1; n <= 40; n++ {
		if n == 11 {
			r.at(late).Velocity = geom.Vec{}
		}
		for _, i := range r.step() {
			fell = append(fell, fmt.Sprint("body ", i, " in step ", n))
		}
	}
	want := []string{fmt.Sprint("body ", still, " in step 16"), fmt.Sprint("body ", late, " in step 26")}
	if !slices.Equal(fell, want) || r.at(still).Awake || !r.at(moving).Awake {
		t.Errorf("%v fell asleep, want %v", fell, want)
	}
	hung := newRig(state.Config{SleepTime: 0.25, Gravity: geom.V(0, -0.0001)}, 1)
	ground := hung.body(broad.StaticBody, geom.V(0, -1))
	hung.shape(ground, geom.NewBox(20, 1), false, 0)
	rests, falls := hung.disc(broad.DynamicBody, geom.V(0, 0.5), 0.5), hung.disc(broad.DynamicBody, geom.V(5, 5), 0.5)
	for range 64 {
		hung.step()
	}
	if hung.at(rests).Awake || !hung.at(falls).Awake {
		t.Errorf("awake: on the ground %v, in the air %v", hung.at(rests).Awake, hung.at(falls).Awake)
	}
}
