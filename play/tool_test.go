package play

import (
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// fails gives a command that must be refused with a text, and checks that it changes nothing.
func fails(t *testing.T, w *World, c Command, want string) {
	t.Helper()
	before := w.Engine().Hash()
	if err := c.Check(); err == nil {
		err = w.Do(1, c)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want an error with %q", c, err, want)
		}
	} else if !strings.Contains(err.Error(), want) {
		t.Errorf("%+v: %v, want an error with %q", c, err, want)
	}
	if w.Engine().Hash() != before {
		t.Errorf("%+v is refused and changes the world", c)
	}
	if why := w.Stopped(); why != "" {
		t.Fatalf("%+v stops the world: %s", c, why)
	}
}

// newest returns the body that was added last.
func newest(w *World) (b quarry.Body) {
	for o := range w.Engine().Bodies() {
		if b == (quarry.Body{}) || o.ID() > b.ID() {
			b = o
		}
	}
	return b
}

// Each stamp adds its bodies and joints, and comes to no harm in the next seconds: no body is lost, and the bodies of
// one stamp that share a group do not collide.
func TestStamps(t *testing.T) {
	for _, kind := range Stamps {
		w := newWorld(t, pit)
		before := w.Engine().Stats().Bodies
		give(t, w, 1, Command{Do: "stamp", Kind: kind, X: 0, Y: 9, Size: 1, Angle: 0.1})
		added, joints := w.Engine().Stats().Bodies-before, 0
		for range w.Engine().Joints() {
			joints++
		}
		cost := stamps[kind]
		if added != cost.bodies && added != cost.bodies+1 || joints != cost.joints { // perhaps the world's static body
			t.Errorf("%s: %d bodies and %d joints, want %d and %d", kind, added, joints, cost.bodies, cost.joints)
		}
		for b := range w.Engine().Bodies() {
			if d := b.Bounds().Center().Sub(geom.V(0, 9)); b.Type() == quarry.Dynamic && b.Name() != "" &&
				d.Len() > cost.reach+1.5 {
				t.Errorf("%s: a part is %v away, its reach is %v", kind, d.Len(), cost.reach)
			}
		}
		for range 60 {
			step(t, w)
		}
		if w.Stopped() != "" || w.Engine().Stats().Bodies < before+cost.bodies {
			t.Errorf("%s: %s, %d bodies are left", kind, w.Stopped(), w.Engine().Stats().Bodies)
		}
	}
	w := newWorld(t, pit)
	fails(t, w, Command{Do: "stamp", Kind: "moon", Size: 1}, "unknown kind")
	fails(t, w, Command{Do: "stamp", Kind: "car", Size: 11}, "size")
	full, _ := New(pit, 5)
	fails(t, full, Command{Do: "stamp", Kind: "tower", Y: 9, Size: 1}, "full")
}

// A car that was stamped drives to the right, its copy drives as far, and a copy of twice the size is twice as wide.
func TestCopy(t *testing.T) {
	w := newWorld(t, pit)
	give(t, w, 1, Command{Do: "stamp", Kind: "car", X: -6, Y: 1.2, Size: 1})
	var car quarry.Body
	for b := range w.Engine().Bodies() {
		if b.Name() == "car" {
			car = b
		}
	}
	give(t, w, 1, Command{Do: "copy", Body: car.ID(), X: 0, Y: 30, Size: 2})
	joints := 0
	for range w.Engine().Joints() {
		joints++
	}
	if joints != 4 {
		t.Errorf("%d joints, want the joints of the car and of its copy", joints)
	}
	for b := range w.Engine().Bodies() {
		if b.Name() != "car" || b.ID() == car.ID() {
			continue
		}
		if d := b.CenterOfMass().Dist(geom.V(0, 30)); d > 1e-9 {
			t.Errorf("the copy is %v beside its place", d)
		}
		if wide, was := b.Bounds().Size().X, car.Bounds().Size().X; math.Abs(wide-2*was) > 1e-6 {
			t.Errorf("the copy is %v wide, the car %v", wide, was)
		}
	}
	from := car.Position().X
	for range 60 {
		step(t, w)
	}
	if d := car.Position().X - from; d < 1 {
		t.Errorf("the car drove %v", d)
	}
	for k := range w.grounds { // the floor stays
		if g, ok := w.Engine().Ground(w.grounds[k].ID()); ok {
			fails(t, w, Command{Do: "copy", Body: g.Body().ID(), Size: 1}, "carries the ground")
			fails(t, w, Command{Do: "delete", Body: g.Body().ID()}, "carries the ground")
		}
	}
	bodies := w.Engine().Stats().Bodies
	give(t, w, 1, Command{Do: "delete", Body: car.ID(), All: true})
	if n := w.Engine().Stats().Bodies; n != bodies-3 {
		t.Errorf("%d bodies of %d are left without the car", n, bodies)
	}
}

// A copy or a change of size that would make a shape too small is refused. (It stopped the world: the ends of a
// capsule were less than geom.LinearSlop apart.)
func TestTooSmall(t *testing.T) {
	w := newWorld(t, bare)
	give(t, w, 1, Command{Do: "stamp", Kind: "ragdoll", Size: 0.25})
	for b := range w.Engine().Bodies() {
		if b.Type() != quarry.Dynamic {
			continue
		}
		fails(t, w, Command{Do: "copy", Body: b.ID(), Y: 5, Size: 0.25}, "less than 0.005")
		for s := range b.Shapes() {
			if c, ok := s.Geometry().(geom.Capsule); ok {
				s.SetGeometry(geom.Capsule{A: c.A, B: c.A.Add(geom.V(0.006, 0)), Radius: 0.1})
				fails(t, w, Command{Do: "alter", Kind: "size", Body: b.ID(), Value: 0.5}, "less than 0.005")
			}
		}
	}
}

// Each property has the value that it was given, and values out of range are refused.
func TestAlter(t *testing.T) {
	w := newWorld(t, pit)
	b := newest(w)
	for _, c := range []struct {
		kind  string
		value float64
		read  func() float64
	}{
		{"mass", 7, b.Mass},
		{"angle", 0.5, b.Angle},
		{"vx", 3, func() float64 { return b.Velocity().X }},
		{"vy", -2, func() float64 { return b.Velocity().Y }},
		{"spin", 4, b.AngularVelocity},
		{"gravity", -1, func() float64 { return b.Def().GravityScale }},
		{"type", 1, func() float64 { return float64(b.Type()) }},
		{"type", 2, func() float64 { return float64(b.Type()) }},
	} {
		give(t, w, 1, Command{Do: "alter", Body: b.ID(), Kind: c.kind, Value: c.value})
		if got := c.read(); math.Abs(got-c.value) > 1e-9 {
			t.Errorf("%s is %v, want %v", c.kind, got, c.value)
		}
	}
	wide := b.Bounds().Size().X
	give(t, w, 1, Command{Do: "alter", Body: b.ID(), Kind: "size", Value: 2})
	if got := b.Bounds().Size().X; math.Abs(got-2*wide) > 1e-6 {
		t.Errorf("the body is %v wide, want %v", got, 2*wide)
	}
	give(t, w, 1, Command{Do: "label", Body: b.ID(), Text: "Anna"})
	if b.Name() != "Anna" {
		t.Errorf("the name is %q", b.Name())
	}
	list, _ := w.Palette()
	give(t, w, 1, Command{Do: "alter", Body: b.ID(), Kind: "material", Value: float64(list[1].Index)})
	for s := range b.Shapes() {
		if got := w.Engine().Material(s.Material()).Color; got != list[1].Color {
			t.Errorf("the colour is %06x, want %06x", got, list[1].Color)
		}
	}
	for kind, value := range map[string]float64{
		"mass": 0, "angle": 2000, "size": 1e5, "vx": 1e5, "spin": -1e4, "gravity": 1e5, "material": 999, "type": 3,
	} {
		fails(t, w, Command{Do: "alter", Body: b.ID(), Kind: kind, Value: value}, "alter: ")
	}
	fails(t, w, Command{Do: "alter", Body: 1 << 50, Kind: "mass", Value: 1}, "no body")
	fails(t, w, Command{Do: "label", Body: b.ID(), Text: strings.Repeat("x", MaxText+1)}, "bytes")
}

// Each kind of joint is made by a drag between two bodies, or refused; its motor, limit and spring equal the
// command; and it is found and removed at its line.
func TestJointTools(t *testing.T) {
	for _, kind := range JointKinds {
		w := newWorld(t, bare)
		for _, x := range []float64{0, 3} {
			give(t, w, 1, Command{Do: "add", Kind: "circle", X: x, Y: 3, Size: 1})
		}
		give(t, w, 1, Command{Do: "join", Kind: kind, Y0: 3, X1: 3, Y1: 3, Motor: 2, Force: 5, Hertz: 3, Upper: 1})
		j, ok := w.JointNear(geom.V(1.5, 3.1))
		if kind == "revolute" || kind == "motor" || kind == "weld" {
			j, ok = w.JointNear(geom.V(3, 3.1))
		}
		if !ok {
			t.Errorf("%s: there is no joint on the line", kind)
			continue
		}
		switch d := j.Def().(type) {
		case quarry.RevoluteJoint:
			if d.Motor != (quarry.JointMotor{Speed: 2, Max: 5}) || !d.Limit.On || d.Limit.Upper != 1 ||
				d.Spring.Hertz != 3 {
				t.Errorf("%s: %+v", kind, d)
			}
		case quarry.PrismaticJoint:
			if d.Motor.Speed != 2 || !d.Limit.On || d.Spring.Hertz != 3 {
				t.Errorf("%s: %+v", kind, d)
			}
		case quarry.WheelJoint:
			if d.Motor.Speed != 2 || !d.Limit.On || d.Spring.Hertz != 3 {
				t.Errorf("%s: %+v", kind, d)
			}
		case quarry.MotorJoint:
			if d.AngularVelocity != 2 || d.MaxTorque != 5 {
				t.Errorf("%s: %+v", kind, d)
			}
		}
		give(t, w, 1, Command{Do: "tune", Joint: j.ID(), Motor: -1})
		if d, is := j.Def().(quarry.RevoluteJoint); is && (d.Motor.Speed != -1 || d.Motor.Max <= 0 || d.Limit.On) {
			t.Errorf("%s is tuned to %+v", kind, d)
		}
		for range 30 {
			step(t, w)
		}
		at, _ := j.Anchors()
		give(t, w, 1, Command{Do: "unjoin", X: at.X, Y: at.Y})
		if _, ok := w.Engine().Joint(j.ID()); ok {
			t.Errorf("%s: the joint is not removed", kind)
		}
	}
	w := newWorld(t, pit)
	fails(t, w, Command{Do: "unjoin", X: 5, Y: 5}, "no joint")
	fails(t, w, Command{Do: "tune", Joint: 12345}, "no joint")
	fails(t, w, Command{Do: "join", Kind: "gear", Y0: 5, Y1: 0.5}, "two bodies")
	fails(t, w, Command{Do: "join", Kind: "revolute", Y1: 0.5, Lower: 1}, "wrong order")
	give(t, w, 1, Command{Do: "grab", Y: 0.5})
	fails(t, w, Command{Do: "unjoin", Y: 0.5}, "no joint") // a drag is none
}

// An explosion digs a crater and throws a body; a bomb does so when its fuse has burnt down, after a restart, too.
func TestBlasts(t *testing.T) {
	w := newWorld(t, pit)
	area := func(w *World) float64 {
		g, _ := w.Engine().Ground(w.grounds[0].ID())
		return g.Grid().SolidArea(gridseg.Rect{MinX: -50, MinY: -50, MaxX: 50, MaxY: 50}).Cells()
	}
	before := area(w)
	give(t, w, 1, Command{Do: "explode", X: 1.5, Y: 0, Radius: 1})
	if d := before - area(w); math.Abs(d-math.Pi/2) > 0.05 {
		t.Errorf("the crater is %v large", d)
	}
	if list := w.Blasts(); len(list) != 1 || list[0].Serial != 1 || list[0].Radius != 1 {
		t.Errorf("blasts: %+v", list)
	}
	if v := newest(w).Velocity(); v.X > -0.5 {
		t.Errorf("the box is thrown at %v", v)
	}
	step(t, w)
	if len(w.Blasts()) != 0 {
		t.Error("a blast is reported in the step after it")
	}
	give(t, w, 1, Command{Do: "stamp", Kind: "bomb", X: -6, Y: 0.5, Size: 1})
	w = restored(t, w)
	for k := range fuseSteps {
		if len(w.Blasts()) > 0 {
			t.Fatalf("the bomb exploded after %d steps", k)
		}
		step(t, w)
	}
	if list := w.Blasts(); len(list) != 1 || list[0].Serial != 2 || len(w.fuses) != 0 {
		t.Errorf("after the fuse: %+v, %d bombs are lit", list, len(w.fuses))
	}
	for range maxFuses + 1 {
		if w.Do(1, Command{Do: "stamp", Kind: "bomb", X: 30 * float64(len(w.fuses)), Y: 50, Size: 1}) != nil {
			break
		}
	}
	if len(w.fuses) != maxFuses {
		t.Errorf("%d bombs are lit, the limit is %d", len(w.fuses), maxFuses)
	}
}

// Tiles that are cut loose fall as one body, and hold to other tiles after gluing.
func TestLoosenAndGlue(t *testing.T) {
	w := newWorld(t, shelf)
	give(t, w, 1, Command{Do: "loosen", X0: 2.5, Y0: 4.5, X1: 4.5, Y1: 4.5})
	piece := newest(w)
	if piece.Type() != quarry.Dynamic || math.Abs(piece.Mass()-3) > 1e-6 {
		t.Fatalf("the piece has the mass %v", piece.Mass())
	}
	if g, _ := w.Engine().Ground(w.grounds[0].ID()); g.Solid(geom.V(3.5, 4.5)) {
		t.Error("the tiles are in both grounds")
	}
	fails(t, w, Command{Do: "loosen", X0: 2.5, Y0: 4.5, X1: 4.5, Y1: 4.5}, "no tiles")
	fails(t, w, Command{Do: "loosen", X0: 2.5, Y0: 4.5, X1: 4.5, Y1: 4.5, Ground: 1}, "loose already")
	give(t, w, 1, Command{Do: "glue", X0: 1.5, Y0: 4.5, X1: 2.5, Y1: 4.5})
	if _, ok := w.Engine().Body(piece.ID()); ok {
		t.Error("the piece is still a body of its own")
	}
	if g, _ := w.Engine().Ground(w.grounds[0].ID()); !g.Solid(geom.V(3.5, 4.5)) {
		t.Error("the tiles are not back")
	}
	fails(t, w, Command{Do: "glue", X0: 1.5, Y0: 4.5, X1: 2.5, Y1: 4.5}, "one piece")
	fails(t, w, Command{Do: "loosen", X0: 100, Y0: 100, X1: 101, Y1: 101}, "no tiles")
	fails(t, w, Command{Do: "loosen", X0: -100, Y0: -100, X1: 101, Y1: 101}, "more than")
	give(t, w, 1, Command{Do: "add", Kind: "box", X: -4, Y: 3, Size: 1})
	give(t, w, 1, Command{Do: "add", Kind: "box", X: -4, Y: 4, Size: 1})
	give(t, w, 1, Command{Do: "glue", X0: -4, Y0: 3, X1: -4, Y1: 4})
	if _, ok := w.JointNear(geom.V(-4, 4)); !ok {
		t.Error("two boxes are not welded")
	}
}
