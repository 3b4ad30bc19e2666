package step

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/state"
)

// terrain is a world with gravity and a floor of tiles with its top at y = 0.
func terrain() (*rig, int32) {
	r := newRig(state.Config{Gravity: geom.V(0, -10)}, 1)
	floor := r.body(broad.StaticBody, geom.Vec{})
	return r, r.tiles(floor, gridseg.Rect{MinX: -10, MinY: -4, MaxX: 9, MaxY: -1})
}

// TestRestOnTiles: a box and a block of tiles come to rest on tiles, with two points of one manifold each, whose
// impulses are the weights; they stay there.
func TestRestOnTiles(t *testing.T) {
	r, _ := terrain()
	box := r.body(broad.DynamicBody, geom.V(-3, 0.52))
	r.shape(box, geom.NewBox(0.5, 0.5), false, 0)
	block := r.body(broad.DynamicBody, geom.V(3, 0.02))
	r.tiles(block, gridseg.Rect{MaxX: 1})
	r.w.UpdateMass(block)
	for range 60 {
		r.step()
	}
	if y := r.at(box).Center.Y; math.Abs(y-0.5) > 0.01 {
		t.Errorf("the box rests at %v", y)
	}
	if y := r.at(block).Transform().P.Y; math.Abs(y) > 0.01 || r.at(block).Velocity.Len() > 1e-3 {
		t.Errorf("the block rests at %v, with the velocity %v", y, r.at(block).Velocity)
	}
	n := 0
	for _, c := range r.w.Contacts.All() {
		if m := r.w.Contacts.SurfaceOf(c).Manifolds; !c.Touching || len(m) != 1 || m[0].N != 2 {
			t.Errorf("a contact with %d manifolds, touching %v", len(m), c.Touching)
		}
		n++
	}
	if n != 2 || r.touched != 2 || r.ended != 0 {
		t.Errorf("%d contacts, %d begins, %d ends", n, r.touched, r.ended)
	}
}

// TestOutOfTiles: a disc in solid tiles is pushed out, also in a ground that falls, slowly, and the ground takes the
// opposite momentum. One that has no room to leave is crushed.
func TestOutOfTiles(t *testing.T) {
	r := newRig(state.Config{}, 1)
	raft := r.body(broad.DynamicBody, geom.Vec{})
	r.tiles(raft, gridseg.Rect{MinX: -4, MinY: -4, MaxX: 3, MaxY: -1})
	r.w.UpdateMass(raft)
	disc := r.disc(broad.DynamicBody, geom.V(0.2, -1.2), 0.3)
	fastest := 0.0
	for range 128 {
		r.step()
		fastest = max(fastest, r.at(disc).Velocity.Len())
	}
	local := r.at(raft).Transform().Inv(r.at(disc).Center)
	if local.Y < 0.25 || fastest > 10 || fastest == 0 {
		t.Errorf("the disc is at %v of the raft, after a speed of %v", local, fastest)
	}
	p := r.at(disc).Velocity.Mul(1/r.at(disc).InvMass).MulAdd(1/r.at(raft).InvMass, r.at(raft).Velocity)
	if p.Len() > 1e-5 {
		t.Errorf("momentum %v", p)
	}
}

// TestPlaceOfSensor: the place at which a sensor overlaps tiles is the first cell that it reaches, and zero where it
// overlaps none.
func TestPlaceOfSensor(t *testing.T) {
	r := newRig(state.Config{}, 1)
	raft := r.body(broad.DynamicBody, geom.Vec{})
	r.tiles(raft, gridseg.Rect{MinX: -10, MinY: -4, MaxX: 9, MaxY: -1})
	r.w.UpdateMass(raft)
	zone := r.body(broad.KinematicBody, geom.V(2.5, 0.4))
	r.shape(zone, geom.Circle{Radius: 0.5}, true, 0)
	r.step()
	if r.touched != 1 {
		t.Fatalf("%d begins", r.touched)
	}
	for _, c := range r.w.Contacts.All() {
		if at := r.Sense.Place(&r.w, c); at.Cell != (gridseg.Cell{X: 2, Y: -1}) || at.Tile.Shape != gridseg.Full {
			t.Errorf("the place is %+v", *at)
		}
		r.at(zone).Center = geom.V(2.5, 0.6)
		if at := r.Sense.Place(&r.w, c); at.Tile.Shape != 0 {
			t.Errorf("above the raft, the place is %+v", *at)
		}
	}
}

// TestJointsWake: a sleeping body that a joint holds to one that moves wakes in the next step; a joint of two sleepers,
// and a filter joint, wake none.
func TestJointsWake(t *testing.T) {
	r := newRig(state.Config{}, 1)
	var bodies [6]int32
	for k := range bodies {
		bodies[k] = r.disc(broad.DynamicBody, geom.V(3*float64(k), 0), 0.25)
		r.at(bodies[k]).Awake = k == 1 || k == 5
	}
	r.joint(joint.Revolute, bodies[0], bodies[1], geom.V(1.5, 0))
	r.joint(joint.Revolute, bodies[2], bodies[3], geom.V(7.5, 0))
	r.joint(joint.Filter, bodies[4], bodies[5], geom.V(13.5, 0))
	r.step()
	for k, want := range []bool{true, true, false, false, false, true} {
		if got := r.at(bodies[k]).Awake; got != want {
			t.Errorf("body %d is awake: %v", k, got)
		}
	}
}

// TestContactsAreMoved: contacts that lie far out of the order of their pairs are moved among their slots, and the
// table of pairs, the lists of the bodies and the manifolds go along.
func TestContactsAreMoved(t *testing.T) {
	r := newRig(state.Config{}, 2)
	const n = 2048
	for k := range int32(2 * n) { // pairs k and k+n, apart
		r.disc(broad.DynamicBody, geom.V(float64(k%n), 10*float64(k/n)), 0.25)
	}
	r.step()
	for round := range int32(8) { // an eighth of the pairs after the other meet
		for k := range int32(n) {
			if (k*5)%8 == round {
				r.at(k + n).Center.Y = 0.49
				r.w.UpdateBoxes(k+n, nil)
			}
		}
		r.step()
	}
	count, last := 0, uint64(0)
	sorted := true
	for i, c := range r.w.Contacts.All() {
		at, ok := r.w.Broad.Pairs.Get(uint64(broad.KeyOf(r.w.Contacts.SideA(c), c.ShapeB)))
		if !ok || at != i {
			t.Fatalf("contact %d is in the table at %d, %v", i, at, ok)
		}
		found := 0
		for l := range r.w.ContactsOf(c.BodyA) {
			if l>>1 == i {
				found++
			}
		}
		if found != 1 {
			t.Fatalf("contact %d is %d times in the list of its body", i, found)
		}
		d := r.at(c.BodyB).Center.Sub(r.at(c.BodyA).Center).Len()
		if m := &r.w.Contacts.Manifolds[i]; c.Touching && math.Abs(d-0.5-m.Points[0].Separation) > 0.02 {
			t.Fatalf("contact %d of bodies %v apart has the manifold %+v", i, d, *m)
		}
		rank := uint64(broad.Rank(r.w.Contacts.SideA(c), c.ShapeB))
		sorted, last = sorted && rank > last, rank
		count++
	}
	if count < n || !sorted {
		t.Errorf("%d contacts, in order: %v", count, sorted)
	}
}

// TestSensorsOfFastBodies: a sensor on a fast kinematic body reports the disc that it passes, a fast block of tiles
// passes a sensor, and a fast disc passes one again in a later step; each once.
func TestSensorsOfFastBodies(t *testing.T) {
	r := newRig(state.Config{}, 1)
	r.disc(broad.DynamicBody, geom.V(90, 0), 0.25)
	blade := r.body(broad.KinematicBody, geom.V(88, 0))
	r.shape(blade, geom.NewBox(0.05, 1), true, 0)
	r.at(blade).Velocity = geom.V(400, 0)
	if r.step(); r.crossed != 1 || r.touched != 0 {
		t.Errorf("a sensor that passed a disc: %d crossed, %d begins", r.crossed, r.touched)
	}
	r = newRig(state.Config{}, 1)
	gate := r.body(broad.StaticBody, geom.V(90, 0))
	r.shape(gate, geom.NewBox(0.05, 1), true, 0)
	block := r.body(broad.DynamicBody, geom.V(87, -0.5))
	r.tiles(block, gridseg.Rect{})
	r.w.UpdateMass(block)
	r.at(block).Velocity = geom.V(400, 0)
	if r.step(); r.crossed != 1 || r.touched != 0 {
		t.Errorf("tiles that passed a sensor: %d crossed, %d begins", r.crossed, r.touched)
	}
	for range 3 {
		r.step()
	}
	disc := r.disc(broad.DynamicBody, geom.V(87, 0), 0.1)
	for n := 2; n < 4; n++ {
		r.at(disc).Velocity = r.at(disc).Velocity.Neg()
		if n == 2 {
			r.at(disc).Velocity = geom.V(400, 0)
		}
		if r.step(); r.crossed != n {
			t.Errorf("%d crossed, want %d", r.crossed, n)
		}
	}
	if r.step(); r.crossed != 3 {
		t.Errorf("%d crossed after a step in which nothing passed", r.crossed)
	}
}
