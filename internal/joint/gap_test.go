package joint

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestGap: the frame of B is at (0.3, -0.4) from A's, whose line is the x axis. Joints that have no gap here
// never have one, but for a slack rope.
func TestGap(t *testing.T) {
	limit := Axis{Limit: Limit{On: true, Lower: -0.1, Upper: 0.1}}
	spring := Axis{Spring: Spring{Hertz: 2}}
	for _, c := range []struct {
		name  string
		joint Joint
		want  float64
	}{
		{"revolute", Joint{Kind: Revolute}, 0.5},
		{"weld", Joint{Kind: Weld}, 0.5},
		{"soft weld", Joint{Kind: Weld, Linear: spring}, 0},
		{"prismatic", Joint{Kind: Prismatic}, 0.4},
		{"prismatic past its limit", Joint{Kind: Prismatic, Linear: limit}, math.Hypot(0.2, 0.4)},
		{"wheel with a suspension", Joint{Kind: Wheel, Linear: spring}, 0.4},
		{"rod", Joint{Kind: Distance, Length: 0.7}, 0.2},
		{"spring", Joint{Kind: Distance, Length: 0.7, Linear: spring}, 0},
		{"rope", Joint{Kind: Distance, Linear: limit}, 0.4},
		{"slack rope", Joint{Kind: Distance, Linear: Axis{Limit: Limit{On: true, Upper: 0.6}}}, 0},
		{"motor", Joint{Kind: Motor}, 0},
		{"mouse", Joint{Kind: Mouse}, 0},
		{"gear", Joint{Kind: Gear}, 0},
		{"filter", Joint{Kind: Filter}, 0},
	} {
		a, b := Side{Rot: geom.Identity}, Side{Rot: geom.NewRot(1), LocalCenter: geom.V(1, 1)}
		b.Center = geom.V(0.3, -0.4).Add(b.Rot.Apply(b.LocalCenter))
		c.joint.A, c.joint.B = FrameAt(geom.Vec{}, 0), FrameAt(geom.Vec{}, 0)
		if got := c.joint.Gap(&a, &b); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if opens := c.want > 0 || c.name == "slack rope"; c.joint.Opens() != opens {
			t.Errorf("%s: it opens: %v", c.name, !opens)
		}
	}
}
