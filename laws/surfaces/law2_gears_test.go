package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// wheel is the outline of a toothed wheel with n teeth, from 0.45 below the radius r to 0.45 above it.
func wheel(r float64, n int) (outline [][2]float64) {
	half := math.Pi / float64(n)
	for i := range n {
		for _, p := range [][2]float64{
			{-half * 0.62, r - 0.45},
			{-half * 0.28, r + 0.45},
			{half * 0.28, r + 0.45},
			{half * 0.62, r - 0.45},
		} {
			d := geom.NewRot(2*half*float64(i) + p[0])
			outline = append(outline, [2]float64{p[1] * d.C, p[1] * d.S})
		}
	}
	return outline
}

// TestWheelsMesh is law 2 of contact for two toothed wheels of tiles that mesh with a clearance: only teeth that
// touch push. So one wheel drives the other one freely, in the ratio of their teeth to the play between them. Three
// samples between two faces once missed the gaps between teeth, and the wheels jammed after 0.94 of 60 radians.
func TestWheelsMesh(t *testing.T) {
	for _, c := range []struct {
		teeth [2]int
		apart float64 // beyond the sum of the radii
		at    geom.Vec
		angle float64
	}{
		{[2]int{12, 12}, 0.2, geom.Vec{}, 0},
		{[2]int{12, 12}, 0.3, geom.V(1e5, -3e5), 1},
		{[2]int{12, 24}, 0.2, geom.V(-7, 9), 2.5},
		{[2]int{18, 15}, 0.25, geom.V(0.3, 0.7), -0.7},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			w := quarry.NewWorld(quarry.Config{NoSleep: true})
			smooth := uint16(w.AddMaterial(quarry.Material{})) // teeth that are straight wedge with friction
			var wheels [2]quarry.Body
			q := geom.NewRot(c.angle)
			r := [2]float64{float64(c.teeth[0]) / 3, float64(c.teeth[1]) / 3}
			for k, n := range c.teeth {
				p, angle := c.at, c.angle
				if k == 1 { // a gap towards the other wheel
					p = p.Add(q.Apply(geom.V(r[0]+r[1]+c.apart, 0)))
					angle += math.Pi + math.Pi/float64(n)
				}
				b, _ := w.Body(w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: angle}))
				loops, err := gridseg.Polygon(wheel(r[k], n))
				worldtest.Must(t, err)
				worldtest.Must(t, worldtest.AddGround(t, w, b.ID()).Unite(loops, gridseg.Attr{Material: smooth}))
				hinge := quarry.RevoluteJoint{JointBase: w.JointAt(0, b.ID(), p)}
				if k == 0 {
					hinge.Motor = quarry.JointMotor{Speed: 2, Max: 20 * b.Inertia()} // too weak to bend the hinges
				}
				w.AddJoint(hinge)
				wheels[k] = b
			}
			first := [2]float64{wheels[0].Angle(), wheels[1].Angle()}
			turned := first
			for range 30 * 60 {
				w.Step(worldtest.DT)
				for k, b := range wheels {
					turned[k] += math.Remainder(b.Angle()-turned[k], 2*math.Pi) // radians, from the first angle on
				}
				// The teeth do not pass each other.
				ratio := float64(c.teeth[0]) / float64(c.teeth[1])
				a, b := turned[0]-first[0], turned[1]-first[1]
				if slip := math.Abs(b + a*ratio); slip > 2*math.Pi/float64(c.teeth[1]) {
					t.Fatalf("after %v radians the other wheel has turned by %v", a, b)
				}
			}
			if a := turned[0] - first[0]; a < 55 { // the teeth are straight, so their impacts slow the motor
				t.Errorf("the driving wheel has turned by %v radians of 60", a)
			}
		})
	}
}
