package step

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/state"
)

// TestMotorKeepsAwake: a slow motor that turns its body keeps it awake; without a motor, or one that cannot turn it,
// the body falls asleep.
func TestMotorKeepsAwake(t *testing.T) {
	for _, c := range []struct {
		name  string
		motor joint.Drive
		awake bool
	}{
		{"no motor", joint.Drive{}, false},
		{"a slow motor", joint.Drive{Speed: 0.02, Max: 100}, true},
		{"a motor without force", joint.Drive{Speed: 0.02, Max: 1e-9}, false},
	} {
		r := newRig(state.Config{SleepTime: 0.25, SleepSpeed: 0.05}, 1)
		hub := r.body(broad.StaticBody, geom.Vec{})
		wheel := r.disc(broad.DynamicBody, geom.Vec{}, 0.5)
		r.joint(joint.Revolute, hub, wheel, geom.Vec{}).Angular.Motor = c.motor
		for range 64 {
			r.step()
		}
		if got := r.at(wheel).Awake; got != c.awake {
			t.Errorf("%s: awake is %v, spin %v", c.name, got, r.at(wheel).Spin)
		}
	}
}

// TestSupport: of the bodies without velocity in a weak gravity, those sleep that something holds: a static body, a
// lock, a joint with a static body; one that must not sleep stays awake even so.
func TestSupport(t *testing.T) {
	r := newRig(state.Config{SleepTime: 0.25, Gravity: geom.V(0, -0.0001)}, 1)
	ground := r.body(broad.StaticBody, geom.V(0, -1))
	r.shape(ground, geom.NewBox(20, 1), false, 0)
	held := map[string]int32{
		"on the ground": r.disc(broad.DynamicBody, geom.V(0, 0.5), 0.5),
		"locked":        r.disc(broad.DynamicBody, geom.V(4, 5), 0.5),
		"on a joint":    r.disc(broad.DynamicBody, geom.V(8, 5), 0.5),
	}
	r.at(held["locked"]).Flags |= state.LockX
	r.joint(joint.Weld, ground, held["on a joint"], geom.V(8, 5))
	free, restless := r.disc(broad.DynamicBody, geom.V(-4, 5), 0.5), r.disc(broad.DynamicBody, geom.V(-8, 0.5), 0.5)
	r.at(restless).NoSleep = true
	for range 64 {
		r.step()
	}
	for name, i := range held {
		if r.at(i).Awake {
			t.Errorf("the body %s is awake", name)
		}
	}
	if !r.at(free).Awake || !r.at(restless).Awake {
		t.Errorf("awake: in the air %v, without sleep %v", r.at(free).Awake, r.at(restless).Awake)
	}
}
