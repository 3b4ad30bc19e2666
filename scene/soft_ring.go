package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// addSoftRing adds a ring of capsules around p, each welded to the next with springs.
func addSoftRing(w *quarry.World, p geom.Vec, radius float64, parts int, hertz float64) {
	rubber := w.AddMaterial(quarry.Material{Friction: 0.8, Restitution: 0.1, Color: 0xc86f5a})
	ids := make([]quarry.BodyID, parts)
	at := func(i float64) geom.Vec {
		sin, cos := geom.SinCos(float64(2 * math.Pi * i / float64(parts)))
		return p.Add(geom.V(float64(radius*cos), float64(radius*sin)))
	}
	half := float64(math.Pi*radius) / float64(parts)
	for i := range parts {
		angle := 2*math.Pi*float64(i)/float64(parts) + math.Pi/2
		ids[i] = w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at(float64(i)), Angle: angle})
		w.AddShape(ids[i], geom.Capsule{A: geom.V(-half, 0), B: geom.V(half, 0), Radius: 0.1},
			quarry.ShapeDef{Material: rubber})
	}
	for i := range parts {
		w.AddJoint(quarry.WeldJoint{
			JointBase:     w.JointAt(ids[i], ids[(i+1)%parts], at(float64(i)+0.5)),
			AngularSpring: quarry.JointSpring{Hertz: hertz, DampingRatio: 0.3},
		})
	}
}

// softRing has loops of elastic joints.
var softRing = Scene{
	Name: "soft_ring",
	Doc: "Four elastic rings, of capsules welded with angular springs, fall down steps of tiles, with " +
		"crates on top.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(-4, -5), Max: geom.V(22, 14)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		g := ground(w)
		fill(g, -2, -4, 20, -1)
		for i := range int32(4) {
			fill(g, -2, 0, 6-2*i, i)
		}
		fill(g, -3, -4, -3, 10)
		fill(g, 21, -4, 21, 6)
		for i, hertz := range [...]float64{2, 4, 8, 12} {
			addSoftRing(w, geom.V(1+float64(4.5*float64(i)), 6), 1.5, 16, hertz)
		}
		for i := range 4 {
			put(w, geom.V(1+float64(4.5*float64(i)), 9), geom.NewBox(0.4, 0.4), 0)
		}
		return &Instance{World: w, DT: dt}
	},
}
