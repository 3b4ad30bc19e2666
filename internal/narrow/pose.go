package narrow

import "github.com/quarry2d/quarry/geom"

// Pose is the pose of a body B in the frame of a body A, both frames at the centres of mass.
type Pose struct {
	D geom.Vec // position of B's frame
	Q geom.Rot // its rotation
}

// Set sets p to the pose of B in A's frame, number by number; see "Large structs" in docs/house.md. a and b are the
// rotations of the bodies, apart is the vector from A's centre of mass to B's in the world.
func (p *Pose) Set(a, b geom.Rot, apart geom.Vec) {
	p.D.X = float64(a.C*apart.X) + float64(a.S*apart.Y)
	p.D.Y = float64(a.C*apart.Y) - float64(a.S*apart.X)
	p.Q.C = float64(a.C*b.C) + float64(a.S*b.S)
	p.Q.S = float64(a.C*b.S) - float64(a.S*b.C)
}

// In sets p to the pose, in a frame, of a body with its centre of mass at center and the rotation rot.
func (p *Pose) In(frame geom.Transform, center geom.Vec, rot geom.Rot) {
	p.D, p.Q = frame.Inv(center), frame.Q.InvMul(rot)
}
