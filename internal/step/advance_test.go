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

// walls add a wall from x = 5 on to a body at (5, 0), with flags, of which each names itself.
var walls = map[string]func(r *rig, body int32, flags state.Flags){
	"box": func(r *rig, body int32, flags state.Flags) {
		r.shape(body, geom.NewOffsetBox(0.5, 20, geom.V(0.5, 0), geom.Identity), false, flags)
	},
	"tiles": func(r *rig, body int32, flags state.Flags) {
		r.w.Grounds.At(r.tiles(body, gridseg.Rect{MinY: -20, MaxY: 20})).Flags = flags
	},
	"chain": func(r *rig, body int32, flags state.Flags) {
		r.chain(body, geom.V(0, 20), geom.V(0, -20)).Flags = flags
	},
}

// TestAdvanceAgainstWalls: a fast disc stops at a wall of any kind, also if it is on a kinematic body that moves; a
// disc that passes beside it is not stopped. A pre-solve function that is asked may let the disc pass.
func TestAdvanceAgainstWalls(t *testing.T) {
	for name, add := range walls {
		for _, kind := range []broad.BodyType{broad.StaticBody, broad.KinematicBody} {
			for _, c := range []struct {
				flags            state.Flags
				disables, passes bool
			}{{0, false, false}, {0, true, false}, {state.AskPreSolve, false, false}, {state.AskPreSolve, true, true}} {
				r := newRig(state.Config{}, 2)
				r.disables = c.disables
				wall := r.body(kind, geom.V(5, 0))
				add(r, wall, c.flags)
				if kind == broad.KinematicBody {
					r.at(wall).Velocity = geom.V(-8, 0)
				}
				disc := r.disc(broad.DynamicBody, geom.V(4, 0), 0.25)
				beside := r.disc(broad.DynamicBody, geom.V(4, 30), 0.25)
				r.at(disc).Velocity, r.at(beside).Velocity = geom.V(300, 0), geom.V(300, 0)
				r.step()
				left := r.at(wall).Center.X
				if x := r.at(disc).Center.X; (x > left) != c.passes || x < 4 {
					t.Errorf("%s of kind %v, %+v: the disc is at %v, the wall at %v", name, kind, c, x, left)
				}
				if x := r.at(beside).Center.X; math.Abs(x-4-300*stepTime) > 1e-4 {
					t.Errorf("%s of kind %v: a disc beside the wall is at %v", name, kind, x)
				}
			}
		}
	}
}

// TestAdvanceGrounds: a fast block of tiles on a dynamic body stops at tiles and boxes; a block that flies at a small
// disc does not pass it, though the disc is at rest.
func TestAdvanceGrounds(t *testing.T) {
	for _, name := range []string{"box", "tiles"} {
		r := newRig(state.Config{}, 1)
		wall := r.body(broad.StaticBody, geom.V(5, 0))
		walls[name](r, wall, 0)
		block := r.body(broad.DynamicBody, geom.V(3, 5))
		r.tiles(block, gridseg.Rect{})
		r.w.UpdateMass(block)
		r.at(block).Velocity = geom.V(300, 0)
		r.step()
		if x := r.at(block).Transform().P.X; x > 4.01 || x < 3.9 {
			t.Errorf("%s: the block is at %v", name, x)
		}
	}
	r := newRig(state.Config{}, 1)
	disc := r.disc(broad.DynamicBody, geom.V(0, 0.5), 0.05)
	block := r.body(broad.DynamicBody, geom.V(3, 0))
	r.tiles(block, gridseg.Rect{})
	r.w.UpdateMass(block)
	r.at(block).Velocity = geom.V(-400, 0)
	for range 20 {
		r.step()
		if d, x := r.at(disc).Center.X, r.at(block).Transform().P.X; d > x {
			t.Fatalf("the block is at %v, and has passed the disc at %v", x, d)
		}
	}
}

// TestAdvanceStopsJoined: a body that a joint holds to one that stops at a wall stops at the same fraction, however
// long the chain of joints, so that no joint opens; a body that is alone, or held by a filter joint, goes on.
func TestAdvanceStopsJoined(t *testing.T) {
	r := newRig(state.Config{}, 1)
	wall := r.body(broad.StaticBody, geom.V(5, 0))
	r.shape(wall, geom.NewBox(0.05, 2), false, 0)
	var bodies [5]int32
	for k := range bodies {
		bodies[k] = r.disc(broad.DynamicBody, geom.V(4, 3*float64(k)), 0.25)
		r.at(bodies[k]).Velocity = geom.V(300, 0)
	}
	middle := func(k int) geom.Vec { return geom.V(4, 3*float64(k)+1.5) }
	r.joint(joint.Revolute, bodies[0], bodies[1], middle(0))
	last := r.joint(joint.Revolute, bodies[1], bodies[2], middle(1))
	r.joint(joint.Filter, bodies[2], bodies[3], middle(2))
	r.step()
	for k, i := range bodies {
		if x := r.at(i).Center.X; (x > 5) != (k > 2) {
			t.Errorf("body %d of the row is at %v", k, x)
		}
	}
	a, b := r.w.JointSides(last)
	if gap := last.Gap(&a, &b); gap > mostGap {
		t.Errorf("a joint has opened by %v", gap)
	}
}

// TestBullets: a bullet stops at a fast body that crosses its way, also at one that has left that way; another fast
// body passes.
func TestBullets(t *testing.T) {
	for _, bullet := range []bool{false, true} {
		for name, v := range map[string]geom.Vec{"at rest": {}, "leaves": geom.V(0, 40)} {
			r := newRig(state.Config{}, 1)
			target := r.disc(broad.DynamicBody, geom.V(1, 0), 0.25)
			r.at(target).Velocity = v
			fast := r.disc(broad.DynamicBody, geom.V(0, 0), 0.1)
			r.at(fast).Velocity, r.at(fast).Bullet = geom.V(400, 0), bullet
			r.w.CountBullet(bullet, 1)
			r.step()
			if x := r.at(fast).Center.X; (x < 1) != bullet || x < 0.5 {
				t.Errorf("target %s, bullet %v: it is at %v", name, bullet, x)
			}
		}
	}
}
