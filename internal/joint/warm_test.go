package joint_test

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/solve"
)

// TestImpulsesFollowTime: the impulses that a joint gives to a step are as in the step before, in proportion to the
// time of a sub-step, and at most four times as large.
func TestImpulsesFollowTime(t *testing.T) {
	side := joint.Side{Rot: geom.Identity}
	j := joint.Joint{A: joint.FrameAt(geom.Vec{}, 0), B: joint.FrameAt(geom.Vec{}, 0)}
	j.Angular = joint.Axis{
		Spring: joint.Spring{Hertz: 1}, Motor: joint.Drive{Max: 1}, Limit: joint.Limit{On: true},
	}
	var x solve.JointImpulses
	x.U, x.V, x.Angular.Lower, x.Angular.Upper, x.AngularDrive.Spring, x.AngularDrive.Motor = 1, 2, 3, -4, 5, 6
	j.Take(&x, &solve.Reaction{}, 0.004)
	for h, f := range map[float64]float32{0.004: 1, 0.002: 0.5, 0.008: 2, 0.1: 4} {
		var out solve.Joint
		j.Fill(&out, &side, &side, h, false)
		want := solve.JointImpulses{}
		want.U, want.V, want.Angular.Lower, want.Angular.Upper = f, 2*f, 3*f, -4*f
		want.AngularDrive = solve.DriveImpulses{Spring: 5 * f, Motor: 6 * f}
		if out.JointImpulses != want {
			t.Errorf("sub-steps of %v: %+v, want %+v", h, out.JointImpulses, want)
		}
	}
}

// TestImpulsesOfRemovedRows: a row that the definition no longer has takes no impulse with it: a limit that was
// switched off pushed for ever.
func TestImpulsesOfRemovedRows(t *testing.T) {
	side := joint.Side{Rot: geom.Identity}
	for kind := joint.Revolute; kind <= joint.Mouse; kind++ {
		var x, want solve.JointImpulses
		x.U, x.V, x.PullX, x.DragImpulseX = 1, 1, 1, 1
		x.Linear, x.Angular = solve.AxisImpulses{Held: 1, Lower: 1, Upper: 1}, solve.AxisImpulses{
			Held: 1, Lower: 1,
			Upper: 1,
		}
		x.LinearDrive, x.AngularDrive = solve.DriveImpulses{Spring: 1, Motor: 1}, solve.DriveImpulses{
			Spring: 1,
			Motor:  1,
		}
		switch kind { // the rows of a joint without springs, motors and limits
		case joint.Revolute, joint.Prismatic:
			want.U, want.V = 1, 1
		case joint.Wheel:
			want.U = 1
		case joint.Distance:
			want.Linear.Held = 1
		case joint.Weld:
			want.U, want.V, want.Angular.Held = 1, 1, 1
		}
		j := joint.Joint{Kind: kind, A: joint.FrameAt(geom.Vec{}, 0), B: joint.FrameAt(geom.Vec{}, 0)}
		j.Take(&x, &solve.Reaction{}, 0.004)
		var out solve.Joint
		j.Fill(&out, &side, &side, 0.004, false)
		if out.JointImpulses != want {
			t.Errorf("%v: %+v, want %+v", kind, out.JointImpulses, want)
		}
	}
}
