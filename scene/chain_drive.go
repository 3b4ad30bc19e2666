package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// The chain of chain_drive runs around two wheels of driveRadius, driveApart apart.
const (
	driveRadius = 2.0
	driveApart  = 10.0
	driveLinks  = 64
)

// onDrive returns the point at the distance s along the loop around both wheels, counter-clockwise from the
// top of the right one, and the angle of the loop there.
func onDrive(s, radius float64) (geom.Vec, float64) {
	half := float64(math.Pi * radius)
	for k := range 2 {
		side := 1 - 2*float64(k)
		if s < driveApart {
			return geom.V(float64(side*(driveApart/2-s)), float64(side*radius)), math.Pi * (1 - float64(k))
		}
		if s -= driveApart; s < half {
			angle := math.Pi/2 + s/radius + float64(math.Pi*float64(k))
			sin, cos := geom.SinCos(angle)
			return geom.V(float64(-side*driveApart/2)+float64(radius*cos), float64(radius*sin)), angle + math.Pi/2
		}
		s -= half
	}
	return onDrive(0, radius)
}

// chainDrive has a loop of hinges that carries power.
var chainDrive = Scene{
	Name: "chain_drive",
	Doc: "A loop of 64 links on hinges carries the power of a motor from one wheel to another, which lifts a " +
		"weight on a rope.",
	Steps:  900,
	View:   geom.AABB{Min: geom.V(-11, -13), Max: geom.V(11, 5)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		grip := w.AddMaterial(quarry.Material{Friction: 3, FrictionMix: quarry.MixMax, Color: 0xd9a441})
		wheel := func(x float64, motor quarry.JointMotor) quarry.BodyID {
			id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0)})
			w.AddShape(id, geom.Circle{Radius: driveRadius}, quarry.ShapeDef{Material: grip})
			w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, id, geom.V(x, 0)), Motor: motor})
			return id
		}
		wheel(-driveApart/2, quarry.JointMotor{Speed: 1, Max: 400})
		driven := wheel(driveApart/2, quarry.JointMotor{})

		const thick = 0.1
		radius := driveRadius + thick
		length := 2*driveApart + float64(2*math.Pi*radius)
		each := length / driveLinks
		var links [driveLinks]quarry.BodyID
		for i := range links {
			p, angle := onDrive(float64(each*(float64(i)+0.5)), radius)
			links[i] = w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: angle})
			w.AddShape(links[i], geom.Capsule{A: geom.V(-0.3*each, 0), B: geom.V(0.3*each, 0), Radius: thick},
				quarry.ShapeDef{Material: grip})
		}
		for i := range links {
			p, _ := onDrive(float64(each*float64(i)), radius)
			w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(links[(i+driveLinks-1)%driveLinks], links[i], p)})
		}
		// The rope is a distance joint from a peg on the driven wheel: it is wound up by a crank.
		weight := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(driveApart/2, -9)})
		w.AddShape(weight, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Category: 2, Mask: 2})
		rope := w.JointAt(driven, weight, geom.V(driveApart/2, -8.5))
		rope.FrameA = quarry.JointFrame{Position: geom.V(0, -1.2)}
		w.AddJoint(quarry.DistanceJoint{
			JointBase: rope, Length: 7.5,
			Spring: quarry.JointSpring{Hertz: 6, DampingRatio: 0.7},
			Limit:  quarry.JointLimit{On: true, Upper: 7.6},
		})
		return &Instance{World: w, DT: dt}
	},
}
