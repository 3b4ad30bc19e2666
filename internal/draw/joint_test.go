package draw

import (
	"math"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/joint"
)

// forms are the forms of the parts of l.
func forms(l *List) (f []Form) {
	for _, p := range l.Parts {
		f = append(f, p.Form)
	}
	return f
}

// TestJointParts: a joint between a moving body and a static one is a line to the moving body's anchor, one between the
// anchors, the two frames and the ends of its range; a spring is a zigzag that ends at the anchors; a filter joint is
// one line; a mouse joint has a point in place of a frame; a joint out of the view is left out.
func TestJointParts(t *testing.T) {
	a := JointSide{Body: 4, Frame: geom.At(geom.V(101, 0)), Center: geom.V(100, 0), Moves: true}
	b := JointSide{Body: 5, Frame: geom.At(geom.V(103, 0)), Center: geom.V(103, 1)}
	plain := joint.Joint{Kind: joint.Distance}
	plain.A.Rot, plain.B.Rot = geom.Identity, geom.Identity
	limited, hinge, spring, mouse, filter := plain, plain, plain, plain, plain
	limited.Linear.Limit.On, limited.Linear.Limit.Lower, limited.Linear.Limit.Upper = true, 0.5, 1.5
	hinge.Kind, hinge.Angular.Limit.On, hinge.Angular.Limit.Upper = joint.Revolute, true, math.Pi/2
	spring.Linear.Spring.Hertz = 2
	mouse.Kind, filter.Kind = joint.Mouse, joint.Filter
	lines := slices.Repeat([]Form{Line}, springLines)
	for name, c := range map[string]struct {
		j    joint.Joint
		want []Form
	}{
		"plain":   {plain, []Form{Line, Line, Frame, Frame}},
		"limited": {limited, []Form{Line, Line, Frame, Frame, Point, Point}},
		"hinge":   {hinge, []Form{Line, Line, Frame, Frame, Arrow, Arrow}},
		"spring":  {spring, slices.Concat([]Form{Line}, lines, []Form{Frame, Frame})},
		"mouse":   {mouse, []Form{Line, Line, Point, Frame}},
		"filter":  {filter, []Form{Line}},
	} {
		l := view()
		l.Joint(Tag{Layer: Joints, Joint: 7}, &c.j, a, b)
		if got := forms(l); !slices.Equal(got, c.want) {
			t.Errorf("%s: forms %v, want %v", name, got, c.want)
			continue
		}
		for k, p := range l.Parts {
			if p.Joint != 7 || p.Body != 4 && p.Body != 5 {
				t.Errorf("%s: part %d is of joint %d, body %d", name, k, p.Joint, p.Body)
			}
		}
		first, last := l.Parts[0], l.Parts[len(l.Parts)-1]
		switch name {
		case "plain":
			if first.Points[1] != geom.V(1, 0) || l.Parts[1].Points[1] != geom.V(3, 0) ||
				last.Points[0] != geom.V(3, 0) || last.Points[1] != geom.V(4, 0) || last.Points[2] != geom.V(3, 1) {
				t.Errorf("plain: %+v", l.Parts)
			}
		case "limited":
			if last.Points[0] != geom.V(2.5, 0) {
				t.Errorf("the longest length is at %v", last.Points[0])
			}
		case "hinge":
			if last.Points[1].Dist(geom.V(1, 1)) > 1e-12 {
				t.Errorf("the upper angle points to %v", last.Points[1])
			}
		case "spring":
			zigzag := l.Parts[1 : 1+springLines]
			if zigzag[0].Points[0] != geom.V(1, 0) || zigzag[springLines-1].Points[1] != geom.V(3, 0) {
				t.Errorf("the spring is from %v to %v", zigzag[0].Points[0], zigzag[springLines-1].Points[1])
			}
			for k := range zigzag[1:] {
				from := zigzag[k+1].Points[0]
				if from != zigzag[k].Points[1] || math.Abs(math.Abs(from.Y)-springWide) > 1e-12 {
					t.Errorf("line %d of the spring is from %v", k+1, from)
				}
			}
		case "filter":
			if first.Points[0] != geom.V(0, 0) || first.Points[1] != geom.V(3, 1) {
				t.Errorf("a filter joint is drawn from %v to %v", first.Points[0], first.Points[1])
			}
		}
	}
	l, far := view(), geom.V(30, 0)
	for _, side := range []*JointSide{&a, &b} {
		side.Frame.P, side.Center = side.Frame.P.Add(far), side.Center.Add(far)
	}
	if l.Joint(Tag{}, &plain, a, b); len(l.Parts) > 0 {
		t.Errorf("%d parts of a joint out of the view", len(l.Parts))
	}
}

// TestRatchetPart: a ratchet has an arrow at the angle that it holds.
func TestRatchetPart(t *testing.T) {
	a := JointSide{Frame: geom.At(geom.V(101, 0)), Center: geom.V(101, 0)}
	j := joint.Joint{Kind: joint.Ratchet}
	j.A.Rot, j.B.Rot = geom.Identity, geom.Identity
	l := view()
	l.Joint(Tag{}, &j, a, a)
	if got, want := forms(l), []Form{Line, Frame, Frame, Arrow}; !slices.Equal(got, want) {
		t.Fatalf("forms %v, want %v", got, want)
	}
	if tip := l.Parts[3].Points[1]; tip != geom.V(2, 0) {
		t.Errorf("a ratchet that holds the angle 0 points to %v", tip)
	}
}

// TestLayerNames: Parse returns the layers that Names has named, in any order, and the error of a layer that does not
// exist names it.
func TestLayerNames(t *testing.T) {
	for l := range All + 1 {
		if got, err := Parse(l.Names()); got != l || err != nil {
			t.Fatalf("%b: %q is %b, %v", l, l.Names(), got, err)
		}
	}
	if l, err := Parse("joints,all"); l != All || err != nil {
		t.Errorf("all is %b, %v", l, err)
	}
	if _, err := Parse("joints,bones"); err == nil || err.Error() != `quarry: ParseDrawLayers: no layer "bones": the `+
		"layers are all, shapes, surfaces, normals, ghosts, joints, contacts, impulses, boxes, proxies, islands, "+
		"centers, velocities" {
		t.Errorf("the error is %v", err)
	}
}

// TestBoxAndCenter: a proxy's box and its AABB are hulls of their layers; a centre of mass is a frame, its velocity an
// arrow with the spin, if it moves; what is out of the view is left out.
func TestBoxAndCenter(t *testing.T) {
	l := view()
	proxy, tight := geom.Box(geom.V(99, -1), geom.V(102, 2)), geom.Box(geom.V(100, 0), geom.V(101, 1))
	l.Box(Tag{Layer: Proxies}, proxy, tight)
	l.Box(Tag{Layer: Boxes}, proxy, tight)
	l.Box(Tag{Layer: Shapes}, proxy, tight)
	l.Box(Tag{Layer: Boxes}, proxy.Translate(geom.V(50, 0)), tight.Translate(geom.V(50, 0)))
	at := geom.Transform{P: geom.V(101, 1), Q: geom.NewRot(math.Pi / 2)}
	l.Center(Tag{Layer: Centers}, at, geom.V(2, 3), 5)
	l.Center(Tag{Layer: Velocities}, at, geom.V(2, 3), 5)
	l.Center(Tag{Layer: Velocities}, at, geom.Vec{}, 0)
	l.Center(Tag{Layer: Centers}, geom.At(geom.V(120, 0)), geom.Vec{}, 0)
	if got, want := forms(l), []Form{Hull, Hull, Frame, Arrow}; !slices.Equal(got, want) {
		t.Fatalf("forms %v, want %v", got, want)
	}
	if p := &l.Parts[0]; p.Points[0] != geom.V(-1, -1) || p.Points[2] != geom.V(2, 2) {
		t.Errorf("the proxy is %+v", p)
	}
	if p := &l.Parts[1]; p.Points[0] != geom.V(0, 0) || p.Points[2] != geom.V(1, 1) {
		t.Errorf("the AABB is %+v", p)
	}
	if p := &l.Parts[2]; p.Points[0] != geom.V(1, 1) || p.Points[1].Dist(geom.V(1, 2)) > 1e-12 {
		t.Errorf("the frame is %+v", p)
	}
	if p := &l.Parts[3]; p.Points[1] != geom.V(3, 4) || p.Value != 5 {
		t.Errorf("the velocity is %+v", p)
	}
}

// TestFind: the bodies with a box in the view, and those that the caller has listed, are found once each, in order.
func TestFind(t *testing.T) {
	p := broad.NewPhase(1)
	for k, x := range []float64{100, 120, 108, 100, 109, 200} {
		e := broad.Entry{Box: geom.Box(geom.V(x, 0), geom.V(x+1, 1)), Owner: broad.OwnerOf(broad.Shape, int32(k))}
		e.Body = []int32{9, 1, 2, 9, 3, 4}[k]
		if _, err := p.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	l := view()
	if l.Find(p); !slices.Equal(l.Bodies, []int32{9}) {
		t.Errorf("in the view: %v", l.Bodies)
	}
	l.Bodies = append(l.Bodies[:0], 10, 9, 2)
	if l.Find(p); !slices.Equal(l.Bodies, []int32{2, 9, 10}) {
		t.Errorf("in the view or listed: %v", l.Bodies)
	}
}
