package surfaces_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// The surfaces of "Ghost Collisions": the middle segment, from (0.6, 0) to
// (-0.6, 0), is number 1 in each.
var (
	peakChain   = []geom.Vec{geom.V(1.6, -.8), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.6, -.8)}
	valleyChain = []geom.Vec{geom.V(1.8, .3), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.8, .3)}
	ledgeChain  = []geom.Vec{geom.V(1.6, -.8), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.8, .3)}
)

// placed puts a shape before a chain, without gravity, and makes a step too short to move
// it. It returns the contacts by segment, the world and the body.
func placed(t testing.TB, points []geom.Vec, s geom.Shape, p geom.Vec,
	angle float64,
) (map[int]quarry.Contact, *quarry.World, quarry.Body) {
	t.Helper()
	w := quarry.NewWorld(quarry.Config{})
	worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: points})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: angle})
	w.AddShape(id, s, quarry.ShapeDef{})
	w.Step(1e-9)
	out := map[int]quarry.Contact{}
	for _, c := range w.AppendContacts(nil) {
		out[c.Points[0].Segment] = c
	}
	b, _ := w.Body(id)
	return out, w, b
}

// TestChainAdmitsSnapsSkips is law 2 of contact in each case of the article on ghost
// collisions: the normal that the axes alone give, and whether it is admitted, snapped or
// skipped.
func TestChainAdmitsSnapsSkips(t *testing.T) {
	up := geom.V(0, 1)
	box := geom.NewBox(0.5, 0.5)
	left, _ := peakChain[3].Sub(peakChain[2]).Right().Unit()
	for _, c := range []struct {
		name   string
		points []geom.Vec
		shape  geom.Shape
		at     geom.Vec
		angle  float64
		want   map[int]geom.Vec // normals by segment; the zero one: any in the corner's cone
	}{
		// Voronoi regions: a box tilts on the corner, its own face is the normal.
		{"admit", peakChain, box, geom.V(-.6, .48), 0.3, map[int]geom.Vec{1: geom.NewRot(0.3).Apply(up)}},
		// Case 1: overlapping the left edge, and the top by its own lower right face,
		// which leaves the direction of that face as the only one the top may use.
		{"skip", peakChain, box, geom.V(-1.19, .09), 0.75, map[int]geom.Vec{2: left}},
		// Case 2: in the corner of floor and bank, the normal of the box's face points
		// away from the bank; the floor pushes up.
		{"snap", valleyChain, geom.NewBox(0.3, 0.5), geom.V(-.75, .42), 0.05, map[int]geom.Vec{1: up, 2: {X: 1}}},
		// Case 3: the concave end snaps, the convex one skips.
		{"snap, mixed", ledgeChain, geom.NewBox(0.3, 0.5), geom.V(-.75, .42), 0.05, map[int]geom.Vec{1: up, 2: {X: 1}}},
		{"skip, mixed", ledgeChain, box, geom.V(1.19, .09), -0.75, map[int]geom.Vec{0: geom.V(-left.X, left.Y)}},
		{"admit, mixed", ledgeChain, box, geom.V(.6, .48), -0.3, map[int]geom.Vec{0: geom.NewRot(-0.3).Apply(up)}},
	} {
		got, _, _ := placed(t, c.points, c.shape, c.at, c.angle)
		for i, n := range c.want {
			g, ok := got[i]
			if i == 2 && n == geom.V(1, 0) {
				n, _ = c.points[3].Sub(c.points[2]).Right().Unit() // the bank's own
			}
			if !ok || g.Normal.Dist(n) > 1e-9 {
				t.Errorf("%s: segment %d says %v, %v; want %v", c.name, i, g.Normal, ok, n)
			}
		}
		for i, g := range got {
			if _, ok := c.want[i]; !ok {
				t.Errorf("%s: segment %d says %v; it should be silent", c.name, i, g.Normal)
			}
		}
	}
}

// TestChainNormalsStayInTheirCones is law 2 of contact for any shape before a chain with
// ghosts at its ends: each normal is its segment's own, or lies between it and the normal of
// the neighbour over a convex corner.
func TestChainNormalsStayInTheirCones(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Terrain: x falls, so that it does not meet itself.
		var points []geom.Vec
		x := 0.0
		for range rapid.IntRange(4, 20).Draw(t, "points") {
			points = append(points, geom.V(x, float64(rapid.IntRange(-8, 8).Draw(t, "y"))/8))
			x -= float64(rapid.IntRange(1, 8).Draw(t, "dx")) / 8
		}
		n := len(points)
		w := quarry.NewWorld(quarry.Config{})
		c, err := w.AddChain(0, quarry.ChainDef{
			Points: points[1 : n-1], HasGhost1: true, Ghost1: points[0], HasGhost2: true, Ghost2: points[n-1],
		})
		if err != nil {
			t.Fatal(err)
		}
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		size := f(0.05, 3, "size")
		shape := []geom.Shape{
			geom.Circle{Radius: size},
			geom.NewBox(size, 0.6*size), geom.NewBox(size, 0.02),
			geom.Capsule{A: geom.V(-size, 0), B: geom.V(size, 0), Radius: 0.3 * size},
			geom.NewRoundedBox(0.7*size, 0.5*size, 0.2*size),
		}[rapid.IntRange(0, 4).Draw(t, "shape")]
		id := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(f(x, 0, "px"), f(-1, 2, "py")),
			Angle: f(-3, 3, "angle"),
		})
		w.AddShape(id, shape, quarry.ShapeDef{})
		w.Step(1e-9)
		normal := func(i int) geom.Vec { n, _ := points[i+1].Sub(points[i]).Right().Unit(); return n }
		for _, k := range w.AppendContacts(nil) {
			if k.Chain != c {
				t.Fatal("another chain")
			}
			in := false
			for _, p := range k.Points[:k.N] {
				i := p.Segment + 1 // in points
				own, d := normal(i), k.Normal
				in = in || own.Dist(d) < 1e-6
				for _, to := range []int{-1, 1} { // past collinear segments
					j := i + to
					for j >= 0 && j < n-1 && math.Abs(normal(j).Cross(own)) < 1e-9 && normal(j).Dot(own) > 0 {
						j += to
					}
					if j < 0 || j > n-2 {
						continue
					}
					from, to := normal(max(i, j)), normal(min(i, j)) // clockwise over a convex corner
					in = in || from.Cross(to) < 0 && from.Cross(d) < 1e-6 && d.Cross(to) < 1e-6
				}
			}
			if !in {
				t.Fatalf("%T: segment %d of %v says %v", shape, k.Points[0].Segment, points, k.Normal)
			}
		}
	})
}

// TestChainPeakFromBehind is law 2 of contact: a body that slides over a peak is never
// pushed by the face behind it, be that a slope, a cliff (the cliff problem) or an
// overhang.
func TestChainPeakFromBehind(t *testing.T) {
	for _, foot := range []float64{6, 3, 1, 0.1, 0, -1} {
		for _, speed := range []float64{2, 9.7, 40} {
			w := worldtest.New()
			ice := w.AddMaterial(quarry.Material{})
			worldtest.AddChain(t, w, 0, quarry.ChainDef{Material: ice, Points: []geom.Vec{
				geom.V(200, -3), geom.V(foot, -3), geom.V(0, 0), geom.V(-200, 0),
			}})
			id := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(-3-speed/10, 0.5-0.4*geom.LinearSlop), Velocity: geom.V(speed,
					0),
			})
			w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Material: ice})
			b, _ := w.Body(id)
			for range 120 {
				w.Step(worldtest.DT)
				if foot > 0 && b.Position().X > foot-1 && b.Position().X > 0 {
					break // down at the foot, where floor and slope do slow it
				}
				if b.Velocity().X < speed-1e-3 {
					t.Fatalf("at %v, foot %v, it is held back: %v at %v, spin %v", speed, foot, b.Velocity(),
						b.Position(), b.AngularVelocity())
				}
				if b.Position().X < -0.01 && (math.Abs(b.AngularVelocity()) > 0.02 || math.Abs(b.Velocity().Y) > 0.01) {
					t.Fatalf("at %v, foot %v, it trips before the edge: %v, spin %v", speed, foot, b.Velocity(),
						b.AngularVelocity())
				}
			}
		}
	}
}

// TestChainStaircase is law 2 of contact: down stairs and up walls, at both kinds of
// corner, no body is pushed into the solid.
func TestChainStaircase(t *testing.T) {
	var stairs []geom.Vec
	for i := range 30 {
		stairs = append(stairs, geom.V(30-float64(i), -15+0.5*float64(i)), geom.V(29-float64(i), -15+0.5*float64(i)))
	}
	for kind, s := range map[string]geom.Shape{
		"box": geom.NewBox(0.4, 0.4), "plank": geom.NewBox(1.4, 0.1), "circle": geom.Circle{Radius: 0.3},
		"capsule": geom.Capsule{A: geom.V(-0.4, 0), B: geom.V(0.4, 0), Radius: 0.2}, "rounded": geom.NewRoundedBox(0.3,
			0.3, 0.1),
	} {
		for _, speed := range []float64{1, 8, 30} {
			w := worldtest.New()
			c := worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: stairs})
			b := worldtest.Add(w, geom.V(0.5, 2), s)
			b.SetVelocity(geom.V(speed, -speed))
			for range 400 {
				w.Step(worldtest.DT)
				for _, k := range w.AppendContacts(nil) {
					for _, p := range k.Points[:k.N] {
						seg := c.Segment(p.Segment)
						n, _ := seg.B.Sub(seg.A).Right().Unit()
						if k.Normal.Dot(n) < -1e-6 || k.Normal.X < -1e-6 || k.Normal.Y < -1e-6 {
							t.Fatalf("%s: a push along %v off segment %d, %v", kind, k.Normal, p.Segment, n)
						}
					}
				}
				if p := b.Position(); p.X > 0 && p.X < 30 && p.Y < -15+0.5*math.Floor(30-p.X)-0.5-1e-9 {
					t.Fatalf("%s at %v fell through: %v", kind, speed, p)
				}
			}
		}
	}
}
