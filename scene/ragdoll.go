package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// bone is a capsule of a ragdoll and the hinge by which it hangs on another bone. Lengths are of
// a person of 1.8 units, with the hip at the origin.
type bone struct {
	on           int // index in bones of the other bone; the hip has none
	a, b         geom.Vec
	radius       float64
	hinge        geom.Vec
	lower, upper float64 // limits of the hinge, radians
}

// bones are the parts of a ragdoll that faces +x.
var bones = [...]bone{
	{-1, geom.V(0, -0.03), geom.V(0, 0.03), 0.11, geom.Vec{}, 0, 0},            // hip
	{0, geom.V(0, 0.2), geom.V(0, 0.48), 0.12, geom.V(0, 0.1), -0.6, 0.2},      // trunk
	{1, geom.V(0, 0.72), geom.V(0, 0.78), 0.09, geom.V(0, 0.62), -0.6, 0.4},    // head
	{0, geom.V(0, -0.15), geom.V(0, -0.45), 0.08, geom.V(0, -0.06), -0.3, 1.6}, // thigh
	{3, geom.V(0, -0.58), geom.V(0, -0.86), 0.06, geom.V(0, -0.52), -2, 0.02},  // shin
	{0, geom.V(0, -0.15), geom.V(0, -0.45), 0.08, geom.V(0, -0.06), -0.3, 1.6}, // thigh
	{5, geom.V(0, -0.58), geom.V(0, -0.86), 0.06, geom.V(0, -0.52), -2, 0.02},  // shin
	{1, geom.V(0, 0.26), geom.V(0, 0.5), 0.05, geom.V(0, 0.52), -0.6, 2.6},     // upper arm
	{7, geom.V(0, 0.02), geom.V(0, 0.2), 0.045, geom.V(0, 0.23), -0.02, 2.4},   // forearm
	{1, geom.V(0, 0.26), geom.V(0, 0.5), 0.05, geom.V(0, 0.52), -0.6, 2.6},     // upper arm
	{9, geom.V(0, 0.02), geom.V(0, 0.2), 0.045, geom.V(0, 0.23), -0.02, 2.4},   // forearm
}

// ragdoll is the ids of a ragdoll's bones, the hip first.
type ragdoll [len(bones)]quarry.BodyID

// addRagdoll adds a ragdoll with its hip at p. Its bones do not collide with each other: they share the
// filter group -group, and group is positive. Hinges are limited, sprung at springs hertz, and braked
// by a motor of the given torque.
func addRagdoll(w *quarry.World, p geom.Vec, group int32, springs, brake float64) (r ragdoll) {
	for i, bone := range bones {
		r[i] = w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p.Add(bone.a.Add(bone.b).Mul(0.5))})
		half := bone.b.Sub(bone.a).Mul(0.5)
		w.AddShape(r[i], geom.Capsule{A: half.Neg(), B: half, Radius: bone.radius}, quarry.ShapeDef{Group: -group})
		if bone.on < 0 {
			continue
		}
		w.AddJoint(quarry.RevoluteJoint{
			JointBase: w.JointAt(r[bone.on], r[i], p.Add(bone.hinge)),
			Spring:    quarry.JointSpring{Hertz: springs, DampingRatio: 0.5},
			Limit:     quarry.JointLimit{On: true, Lower: bone.lower, Upper: bone.upper},
			Motor:     quarry.JointMotor{Max: brake},
		})
	}
	return r
}

// remove removes the ragdoll's bones, and the hinges with them.
func (r *ragdoll) remove(w *quarry.World) {
	for _, id := range r {
		w.RemoveBody(id)
	}
}

// ragdolls has ragdolls on tiles.
var ragdolls = Scene{
	Name:   "ragdolls",
	Doc:    "Sixteen ragdolls of 11 bones and 10 limited, sprung hinges tumble down steps of tiles into a pit.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(-4, -8), Max: geom.V(28, 14)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		g := ground(w)
		for i := range int32(8) {
			fill(g, -2+2*i, -7, -1+2*i, 3-i)
		}
		fill(g, 14, -7, 24, -6)
		fill(g, 25, -7, 26, 6)
		fill(g, -3, -7, -3, 8)
		for i := range 16 {
			at := geom.V(-0.5+float64(0.9*float64(i%4)), 6+float64(2*float64(i/4)))
			r := addRagdoll(w, at, int32(1+i), 1, 0.05)
			for _, id := range r {
				b, _ := w.Body(id)
				b.SetVelocity(geom.V(3, 0))
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
