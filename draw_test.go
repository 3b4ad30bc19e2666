package quarry_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// debugWorld is a world with something for each layer, at (far, 0): two heaps on a floor of tiles with a
// slope, a chain on a moving body, a sensor, a bullet, a segment and a sleeper.
func debugWorld(t testing.TB, far float64, steps int) *quarry.World {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	red := w.AddMaterial(quarry.Material{Friction: 0.5, Color: 0xcc2010})
	at := w.AddBody(quarry.BodyDef{Position: geom.V(far, 0)})
	gid, err := w.AddGround(at, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(gid)
	if err := g.Fill(gridseg.Rect{MinX: -8, MinY: -2, MaxX: 7, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(red)}); err != nil {
		t.Fatal(err)
	}
	if err := g.Dig(geom.V(far+6, 0), geom.V(far+6, 0), 0.8); err != nil {
		t.Fatal(err)
	}
	lift := w.AddBody(quarry.BodyDef{
		Type: quarry.Kinematic, Position: geom.V(far+12, 3), Angle: 0.2,
		Velocity: geom.V(0, 0.25),
	})
	worldtest.AddChain(t, w, lift, quarry.ChainDef{
		Points: []geom.Vec{{X: 2}, {X: 1}, {X: 0, Y: 0.5}, {X: -2}},
		Ghost1: geom.V(3, 1), HasGhost1: true, Materials: []quarry.MaterialID{0, red, 0},
	})
	worldtest.AddChain(t, w, at, quarry.ChainDef{
		Points: []geom.Vec{{X: -12, Y: 0}, {X: -10, Y: 0}, {X: -11, Y: 1}},
		Loop:   true,
	})
	shapes := []geom.Shape{geom.Circle{Radius: 0.4}, geom.NewBox(0.5, 0.3), geom.Capsule{
		A: geom.V(-0.3, 0),
		B: geom.V(0.3, 0), Radius: 0.2,
	}, geom.NewRoundedBox(0.2, 0.2, 0.1)}
	for i := range 12 {
		b := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(far+float64(i%2)*6-4, 0.6+float64(i/2)), AngularVelocity: 0.5,
			Bullet: i == 3,
		})
		w.AddShape(b, shapes[i%4], quarry.ShapeDef{})
		w.AddShape(b, geom.Circle{Center: geom.V(0.1, 0.1), Radius: 0.7}, quarry.ShapeDef{
			Sensor: true, Massless: true,
			Material: red,
		})
	}
	w.AddShape(at, geom.Segment{A: geom.V(-7, 4), B: geom.V(-5, 4)}, quarry.ShapeDef{})
	rest := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(far+3, 0.5), Asleep: true})
	w.AddShape(rest, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	worldtest.Steps(w, steps)
	return w
}

// drawOracle lists the items of a layer, without a view, as the world's views tell them.
func drawOracle(w *quarry.World, layer quarry.DrawLayers) []quarry.DrawItem {
	var all []quarry.DrawItem
	add := func(b quarry.Body, form quarry.DrawForm, value float64, pts ...geom.Vec) *quarry.DrawItem {
		it := quarry.DrawItem{
			Layer: layer, Form: form, N: len(pts), Value: value, Body: b.ID(), Type: b.Type(),
			Asleep: b.Type() == quarry.Dynamic && !b.Awake(), Bullet: b.Bullet(), Axis: b.Transform().Q.Apply(geom.V(1,
				0)),
		}
		copy(it.Points[:], pts)
		all = append(all, it)
		return &all[len(all)-1]
	}
	corners := func(b geom.AABB) []geom.Vec {
		return []geom.Vec{b.Min, geom.V(b.Max.X, b.Min.Y), b.Max, geom.V(b.Min.X, b.Max.Y)}
	}
	segment := func(b quarry.Body, p, q geom.Vec, of quarry.DrawItem, ghosts ...geom.Vec) {
		from, middle := len(all), p.Lerp(q, 0.5)
		switch layer {
		case quarry.DrawSurfaces:
			add(b, quarry.DrawLine, 0, p, q)
		case quarry.DrawNormals:
			n, _ := q.Sub(p).Unit()
			add(b, quarry.DrawArrow, 0, middle, middle.Add(geom.V(n.Y, -n.X)))
		case quarry.DrawGhosts:
			for _, ghost := range ghosts {
				add(b, quarry.DrawPoint, 0, ghost, middle)
			}
		}
		for i := range all[from:] {
			it := &all[from+i]
			it.Ground, it.Chain, it.Cell, it.Segment, it.Material, it.Color = of.Ground, of.Chain, of.Cell, of.Segment,
				of.Material, w.Material(of.Material).Color
		}
	}
	for b := range w.Bodies() {
		at, centre := b.Transform(), b.CenterOfMass()
		switch layer {
		case quarry.DrawCenters:
			add(b, quarry.DrawFrame, 0, centre, centre.Add(at.Q.Apply(geom.V(1, 0))),
				centre.Add(at.Q.Apply(geom.V(0, 1))))
		case quarry.DrawVelocities:
			if b.Velocity() != (geom.Vec{}) || b.AngularVelocity() != 0 {
				add(b, quarry.DrawArrow, b.AngularVelocity(), centre, centre.Add(b.Velocity()))
			}
		}
		for s := range b.Shapes() {
			var it *quarry.DrawItem
			switch layer {
			case quarry.DrawShapes:
				form, radius := quarry.DrawHull, 0.0
				var pts []geom.Vec
				switch g := s.Geometry().(type) {
				case geom.Circle:
					pts, radius = []geom.Vec{g.Center}, g.Radius
				case geom.Capsule:
					pts, radius = []geom.Vec{g.A, g.B}, g.Radius
				case geom.Segment:
					pts, form = []geom.Vec{g.A, g.B}, quarry.DrawLine
				case geom.Polygon:
					pts, radius = g.Vertices[:g.N], g.Radius
				}
				for i, p := range pts {
					if i == 0 {
						pts = slices.Clone(pts)
					}
					pts[i] = at.Apply(p)
				}
				it = add(b, form, 0, pts...)
				it.Radius = radius
			case quarry.DrawBoxes:
				it = add(b, quarry.DrawHull, 0, corners(s.Bounds())...)
			default:
				continue
			}
			it.Shape, it.Sensor, it.Material, it.Color = s.ID(), s.Sensor(), s.Material(),
				w.Material(s.Material()).Color
		}
		for g := range w.Grounds() {
			r, _ := g.Grid().Bounds()
			if g.Body().ID() != b.ID() {
				continue
			}
			if layer == quarry.DrawBoxes {
				box := geom.AABB{Min: geom.V(float64(r.MinX), float64(r.MinY)), Max: geom.V(float64(r.MaxX+1),
					float64(r.MaxY+1))}
				it := add(b, quarry.DrawHull, 0, corners(box.In(at))...)
				it.Ground = g.ID()
			}
			for _, s := range g.AppendSegments(nil, r) {
				p := func(v gridseg.Point) geom.Vec { return at.Apply(geom.V(float64(v.X)/4096, float64(v.Y)/4096)) }
				var ghosts []geom.Vec
				if s.HasGhost1 {
					ghosts = append(ghosts, p(s.Ghost1))
				}
				if s.HasGhost2 {
					ghosts = append(ghosts, p(s.Ghost2))
				}
				segment(b, p(s.A), p(s.B), quarry.DrawItem{
					Ground: g.ID(), Cell: s.ID.Cell,
					Material: g.Material(s.Tile),
				}, ghosts...)
			}
		}
		for c := range w.Chains() {
			if c.Body().ID() != b.ID() {
				continue
			}
			if layer == quarry.DrawBoxes {
				it := add(b, quarry.DrawHull, 0, corners(c.Bounds())...)
				it.Chain = c.ID()
			}
			points, _ := c.Count()
			ends, has := c.Ghosts()
			for i, s := range c.Segments() {
				var ghosts []geom.Vec
				if i > 0 {
					ghosts = append(ghosts, at.Apply(c.Point(i-1)))
				} else if c.Loop() {
					ghosts = append(ghosts, at.Apply(c.Point(points-1)))
				} else if has[0] {
					ghosts = append(ghosts, at.Apply(ends[0]))
				}
				if i+2 < points {
					ghosts = append(ghosts, at.Apply(c.Point(i+2)))
				} else if c.Loop() {
					ghosts = append(ghosts, at.Apply(c.Point(i+2-points)))
				} else if has[1] {
					ghosts = append(ghosts, at.Apply(ends[1]))
				}
				segment(b, at.Apply(s.A), at.Apply(s.B), quarry.DrawItem{
					Chain: c.ID(), Segment: i,
					Material: c.Material(i),
				}, ghosts...)
			}
		}
	}
	if layer&(quarry.DrawContacts|quarry.DrawImpulses) != 0 {
		for _, c := range w.AppendContacts(nil) {
			s, _ := w.Shape(c.ShapeB)
			for _, p := range c.Points[:c.N] {
				from := len(all)
				impulse := c.Normal.Mul(p.NormalImpulse).Add(c.Normal.Right().Mul(p.TangentImpulse))
				if layer == quarry.DrawContacts {
					add(s.Body(), quarry.DrawPoint, p.Separation, p.Point)
					add(s.Body(), quarry.DrawArrow, p.Separation, p.Point, p.Point.Add(c.Normal))
				} else if impulse != (geom.Vec{}) {
					add(s.Body(), quarry.DrawArrow, p.Separation, p.Point, p.Point.Add(impulse))
				}
				for i := range all[from:] {
					it := &all[from+i]
					it.Shape, it.Ground, it.Chain, it.Cell, it.Segment = c.ShapeB, c.Ground, c.Chain, p.Cell, p.Segment
					it.Material, it.Color = p.Material, w.Material(p.Material).Color
				}
			}
		}
	}
	return all
}

// drawNear compares points up to a distance.
func drawNear(most float64) cmp.Option {
	return cmp.Comparer(func(a, b geom.Vec) bool { return a.Dist(b) < most })
}

var drawLayers = []quarry.DrawLayers{
	quarry.DrawShapes, quarry.DrawSurfaces, quarry.DrawNormals, quarry.DrawGhosts, quarry.DrawJoints,
	quarry.DrawContacts,
	quarry.DrawImpulses, quarry.DrawBoxes, quarry.DrawProxies, quarry.DrawIslands, quarry.DrawCenters,
	quarry.DrawVelocities,
}

// TestDraw: each layer agrees with the world's views, and the layers come one after another.
func TestDraw(t *testing.T) {
	for _, steps := range []int{0, 1, 25, 90} {
		w := debugWorld(t, 0, steps)
		hash := w.Hash()
		var l, all quarry.DrawList
		w.Draw(&all, quarry.DrawOptions{Layers: quarry.DrawAll})
		var joined []quarry.DrawItem
		for _, layer := range drawLayers {
			w.Draw(&l, quarry.DrawOptions{Layers: layer})
			joined = append(joined, l.Items...)
			if layer&(quarry.DrawProxies|quarry.DrawIslands|quarry.DrawJoints) != 0 {
				continue // below
			}
			if d := cmp.Diff(drawOracle(w, layer), l.Items, drawNear(1e-12), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%s after %d steps: -want +got\n%s", layer, steps, d)
			}
			if len(l.Items) == 0 && steps > 1 {
				t.Errorf("%s: nothing after %d steps", layer, steps)
			}
		}
		if !slices.Equal(joined, all.Items) {
			t.Errorf("after %d steps all layers at once have %d items, one after another %d", steps, len(all.Items),
				len(joined))
		}
		if w.Hash() != hash {
			t.Error("Draw changed the world")
		}
	}
}

// TestDrawProxies: the box of each shape, ground and chain in the broad phase holds its AABB.
func TestDrawProxies(t *testing.T) {
	w := debugWorld(t, 0, 40)
	var tight, wide quarry.DrawList
	w.Draw(&tight, quarry.DrawOptions{Layers: quarry.DrawBoxes})
	w.Draw(&wide, quarry.DrawOptions{Layers: quarry.DrawProxies})
	if len(tight.Items) != len(wide.Items) {
		t.Fatalf("%d AABBs and %d boxes in the broad phase", len(tight.Items), len(wide.Items))
	}
	for i, p := range wide.Items {
		a := tight.Items[i]
		if p.Shape != a.Shape || p.Ground != a.Ground || p.Chain != a.Chain || p.Body != a.Body {
			t.Errorf("item %d is of shape %d ground %d chain %d, its AABB of %d %d %d", i, p.Shape, p.Ground, p.Chain,
				a.Shape, a.Ground, a.Chain)
		}
		room := geom.Box(p.Points[0], p.Points[2]).Room(geom.Box(a.Points[0], a.Points[2]))
		if room < 0 || room > 0.2 {
			t.Errorf("item %d: the AABB has %v room in its box", i, room)
		}
	}
}

// TestDrawIslands: the islands are the sets of awake dynamic bodies joined by the contacts of the step.
func TestDrawIslands(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	worldtest.Floor(t, w, gridseg.Rect{MinX: -20, MinY: -2, MaxX: 20, MaxY: -1})
	var stacks [3][]quarry.Body
	for i := range stacks {
		for k := range i + 1 {
			stacks[i] = append(stacks[i], worldtest.Add(w, geom.V(float64(5*i), 0.5+float64(k)), geom.NewBox(0.5, 0.5)))
		}
	}
	islands := func(view geom.AABB) []quarry.DrawItem {
		var l quarry.DrawList
		w.Draw(&l, quarry.DrawOptions{Layers: quarry.DrawIslands, View: view})
		return l.Items
	}
	if n := len(islands(geom.AABB{})); n != 0 {
		t.Errorf("%d islands before the first step", n)
	}
	worldtest.Steps(w, 5)
	got := islands(geom.AABB{})
	if len(got) != 3 {
		t.Fatalf("%d islands of three stacks", len(got))
	}
	for i, it := range got {
		box := geom.Empty
		for _, b := range stacks[i] {
			box = box.Union(b.Bounds())
		}
		if it.Value != float64(i+1) || it.N != 4 || it.Body != 0 ||
			(geom.AABB{Min: it.Points[0], Max: it.Points[2]}) != box {
			t.Errorf("island %d: %+v, want %d bodies in %v", i, it, i+1, box)
		}
	}
	if got := islands(geom.Box(geom.V(4, 0), geom.V(4.6, 1))); len(got) != 1 || got[0].Value != 2 {
		t.Errorf("in view of the second stack: %+v", got)
	}
	w.RemoveBody(stacks[0][0].ID()) // and another body takes its slot
	worldtest.Add(w, geom.V(-15, 9), geom.NewBox(0.5, 0.5))
	if got := islands(geom.AABB{}); len(got) != 2 || got[0].Value != 2 {
		t.Errorf("after a removal: %+v", got)
	}
	worldtest.Steps(w, 200)
	if got := islands(geom.AABB{}); len(got) != 0 {
		t.Errorf("%d islands while all bodies sleep", len(got))
	}
}

// TestDrawJoints: each kind of joint has the parts that its definition tells, in the joint's place.
func TestDrawJoints(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	a := worldtest.Add(w, geom.V(1, 2), geom.NewBox(0.5, 0.5))
	b := worldtest.Add(w, geom.V(4, 3), geom.NewBox(0.5, 0.5))
	a.SetTransform(geom.V(1, 2), 0.3)
	spring := quarry.JointSpring{Hertz: 2, DampingRatio: 0.5}
	limit := quarry.JointLimit{On: true, Lower: -0.5, Upper: 1.5}
	ab := w.JointAlong(a.ID(), b.ID(), geom.V(2, 2.5), geom.V(1, 1))
	ab.FrameB.Position = geom.V(-0.25, 0.5)
	world := ab
	world.A = 0
	for name, c := range map[string]struct {
		def                           quarry.JointDef
		lines, frames, points, arrows int
		limits                        [2]geom.Vec // relative to the frame of A
	}{
		"revolute": {
			quarry.RevoluteJoint{JointBase: ab, Limit: limit},
			3, 2, 0, 2,
			[2]geom.Vec{{X: math.Cos(-0.5), Y: math.Sin(-0.5)}, {X: math.Cos(1.5), Y: math.Sin(1.5)}},
		},
		"to the world": {quarry.RevoluteJoint{JointBase: world}, 2, 2, 0, 0, [2]geom.Vec{}},
		"prismatic": {quarry.PrismaticJoint{JointBase: ab, Limit: limit}, 3, 2, 2, 0, [2]geom.Vec{
			{X: -0.5},
			{X: 1.5},
		}},
		"prismatic spring": {quarry.PrismaticJoint{JointBase: ab, Spring: spring}, 12, 2, 0, 0, [2]geom.Vec{}},
		"wheel": {
			quarry.WheelJoint{JointBase: ab, Spring: spring, Limit: limit},
			12, 2, 2, 0,
			[2]geom.Vec{{X: -0.5}, {X: 1.5}},
		},
		"rod":          {quarry.DistanceJoint{JointBase: ab}, 3, 2, 0, 0, [2]geom.Vec{}},
		"weld":         {quarry.WeldJoint{JointBase: ab}, 3, 2, 0, 0, [2]geom.Vec{}},
		"elastic weld": {quarry.WeldJoint{JointBase: ab, Spring: spring}, 12, 2, 0, 0, [2]geom.Vec{}},
		"motor":        {quarry.MotorJoint{JointBase: ab, MaxForce: 1}, 3, 2, 0, 0, [2]geom.Vec{}},
		"mouse": {
			quarry.MouseJoint{JointBase: quarry.JointBase{B: b.ID()}, Target: geom.V(3, 7)},
			11, 1, 1,
			0,
			[2]geom.Vec{},
		},
		"gear": {
			quarry.GearJoint{JointBase: ab, Limit: limit},
			3, 2, 0, 2,
			[2]geom.Vec{{X: math.Cos(-0.5), Y: math.Sin(-0.5)}, {X: math.Cos(1.5), Y: math.Sin(1.5)}},
		},
		"ratchet": {quarry.RatchetJoint{JointBase: ab, Tooth: 1}, 3, 2, 0, 1, [2]geom.Vec{{X: 1}}},
		"filter":  {quarry.FilterJoint{JointBase: ab}, 1, 0, 0, 0, [2]geom.Vec{}},
	} {
		id := w.AddJoint(c.def)
		j, _ := w.Joint(id)
		var l quarry.DrawList
		w.Draw(&l, quarry.DrawOptions{Layers: quarry.DrawJoints, Origin: geom.V(1, 1)})
		forms := map[quarry.DrawForm][]quarry.DrawItem{}
		for _, it := range l.Items {
			if it.Joint != id || it.Layer != quarry.DrawJoints || it.Body == 0 {
				t.Errorf("%s: %+v", name, it)
			}
			for k := range it.N {
				it.Points[k] = it.Points[k].Add(geom.V(1, 1))
			}
			forms[it.Form] = append(forms[it.Form], it)
		}
		lines, frames, points, arrows := forms[quarry.DrawLine], forms[quarry.DrawFrame], forms[quarry.DrawPoint],
			forms[quarry.DrawArrow]
		if len(lines) != c.lines || len(frames) != c.frames || len(points) != c.points || len(arrows) != c.arrows {
			t.Errorf("%s: %d lines, %d frames, %d points, %d arrows; want %d, %d, %d, %d",
				name, len(lines), len(frames), len(points), len(arrows), c.lines, c.frames, c.points, c.arrows)
		}
		same := func(what string, got, want geom.Vec) {
			t.Helper()
			if got.Dist(want) > 1e-12 {
				t.Errorf("%s: %s is at %v, want %v", name, what, got, want)
			}
		}
		anchorA, anchorB := j.Anchors()
		switch {
		case name == "filter":
			same("the line's start", lines[0].Points[0], a.CenterOfMass())
			same("the line's end", lines[0].Points[1], b.CenterOfMass())
		case name == "mouse":
			same("the target", points[0].Points[0], geom.V(3, 7))
			same("the end of the spring", lines[10].Points[1], anchorB)
		default:
			same("A's frame", frames[0].Points[0], anchorA)
			same("B's frame", frames[1].Points[0], anchorB)
			same("the end of the line or spring", lines[len(lines)-1].Points[1], anchorB)
			bodyA, _ := j.Bodies()
			q := geom.NewRot(bodyA.Angle() + ab.FrameA.Angle)
			same("the tip of A's axis", frames[0].Points[1], anchorA.Add(q.Apply(geom.V(1, 0))))
			for k, it := range points {
				same("the end of a range", it.Points[0], anchorA.Add(q.Apply(c.limits[k])))
			}
			for k, it := range arrows {
				same("the end of a range of angles", it.Points[1], anchorA.Add(q.Apply(c.limits[k])))
			}
		}
		for at, want := range map[geom.Vec]int{anchorB: len(l.Items), {X: 50}: 0} {
			if w.Draw(&l, quarry.DrawOptions{Layers: quarry.DrawJoints, View: geom.Box(at, at)}); len(l.Items) != want {
				t.Errorf("%s: %d items in a view of %v, want %d", name, len(l.Items), at, want)
			}
		}
		w.RemoveJoint(id)
	}
	rope := w.AddJoint(quarry.DistanceJoint{
		JointBase: ab, Limit: quarry.JointLimit{On: true, Upper: 4},
		Spring: spring,
	})
	worldtest.Steps(w, 20)
	j, _ := w.Joint(rope)
	var l quarry.DrawList
	w.Draw(&l, quarry.DrawOptions{Layers: quarry.DrawJoints})
	p, q := j.Anchors()
	u, _ := q.Sub(p).Unit()
	if last := l.Items[len(l.Items)-1]; last.Form != quarry.DrawPoint || last.Points[0].Dist(p.MulAdd(4, u)) > 1e-12 ||
		last.Value != j.Force().Len() {
		t.Errorf("the end of the rope: %+v, want it 4 from %v towards %v, with the force %v", last, p, q, j.Force())
	}
	if n := testing.AllocsPerRun(20, func() { w.Draw(&l, quarry.DrawOptions{Layers: quarry.DrawJoints}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestDrawView: a view leaves out the items outside of it, and no others.
func TestDrawView(t *testing.T) {
	w := debugWorld(t, 0, 40)
	g := slices.Collect(w.Grounds())[0].ID()
	var all, part quarry.DrawList
	w.Draw(&all, quarry.DrawOptions{Layers: quarry.DrawAll})
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(-16, 16)
		view := geom.Box(geom.V(f.Draw(t, "x0"), f.Draw(t, "y0")), geom.V(f.Draw(t, "x1"), f.Draw(t, "y1")))
		w.Draw(&part, quarry.DrawOptions{Layers: quarry.DrawAll, View: view})
		next := 0
		for i := range all.Items {
			it := &all.Items[i]
			in := false
			switch box := boxOf(it); it.Layer {
			case quarry.DrawContacts, quarry.DrawImpulses, quarry.DrawCenters, quarry.DrawVelocities:
				in = view.ContainsPoint(it.Points[0])
			case quarry.DrawSurfaces, quarry.DrawNormals, quarry.DrawGhosts:
				if it.Ground == g { // its body is not turned, and at the origin
					cell := geom.V(float64(it.Cell.X), float64(it.Cell.Y))
					in = cell.X <= view.Max.X && cell.Y <= view.Max.Y && cell.X+1 > view.Min.X && cell.Y+1 > view.Min.Y
				} else if in = next < len(part.Items) && part.Items[next] == *it; !in {
					c, _ := w.Chain(it.Chain)
					at, s := c.Transform(), c.Segment(it.Segment)
					if geom.Box(at.Apply(s.A), at.Apply(s.B)).Overlaps(view) &&
						slices.Contains(c.AppendOverlaps(nil, view), it.Segment) {
						t.Fatalf("a segment of a chain in the view %v is missing: %+v", view, *it)
					}
				}
			default:
				in = box.Overlaps(view)
			}
			if !in {
				continue
			}
			if next == len(part.Items) || part.Items[next] != *it {
				t.Fatalf("the view %v lacks %+v", view, *it)
			}
			next++
		}
		if next != len(part.Items) {
			t.Fatalf("the view %v has %+v", view, part.Items[next])
		}
	})
	for _, bad := range []geom.AABB{
		geom.Empty,
		{Min: geom.V(1, 1)},
		{Max: geom.V(math.NaN(), 1)},
		{Max: geom.V(math.Inf(1), 1)},
	} {
		if w.Draw(&part, quarry.DrawOptions{Layers: quarry.DrawAll, View: bad}); len(part.Items) != 0 {
			t.Errorf("%d items in the view %v", len(part.Items), bad)
		}
	}
}

func boxOf(it *quarry.DrawItem) geom.AABB {
	box := geom.Empty
	for _, p := range it.Points[:it.N] {
		box = box.Union(geom.AABB{Min: p, Max: p})
	}
	return box.Expand(it.Radius)
}

// TestDrawOrigin: relative to an origin near them, bodies ten million cells away have the same points,
// to a rounding of their poses, as bodies at the origin.
func TestDrawOrigin(t *testing.T) {
	const far = 1 << 24
	var here, away quarry.DrawList
	debugWorld(t, 0, 0).Draw(&here, quarry.DrawOptions{Layers: quarry.DrawAll})
	debugWorld(t, far, 0).Draw(&away, quarry.DrawOptions{Layers: quarry.DrawAll, Origin: geom.V(far, 0)})
	if d := cmp.Diff(here.Items, away.Items, drawNear(1e-8)); d != "" {
		t.Errorf("-near +far\n%s", d)
	}
}

// TestDrawAllocatesNothing: neither does a second Draw, of all layers, with or without a view.
func TestDrawAllocatesNothing(t *testing.T) {
	w := debugWorld(t, 0, 40)
	var l quarry.DrawList
	o := quarry.DrawOptions{Layers: quarry.DrawAll}
	w.Draw(&l, o)
	for range 2 {
		if n := testing.AllocsPerRun(20, func() { w.Draw(&l, o) }); n != 0 {
			t.Errorf("%v allocations with the view %v", n, o.View)
		}
		o.View = geom.Box(geom.V(-5, -1), geom.V(5, 5))
	}
}

// TestDrawLayers: names and layers are each other's inverse, and an unknown name is an error.
func TestDrawLayers(t *testing.T) {
	var all quarry.DrawLayers
	for _, layer := range drawLayers {
		all |= layer
		if got, err := quarry.ParseDrawLayers(layer.String()); err != nil || got != layer {
			t.Errorf("%q is %v, %v", layer, got, err)
		}
	}
	if got, err := quarry.ParseDrawLayers(quarry.DrawAll.String()); all != quarry.DrawAll || err != nil || got != all {
		t.Errorf("all layers are %v, %v", got, err)
	}
	if got, err := quarry.ParseDrawLayers("all"); err != nil || got != all {
		t.Errorf("all is %v, %v", got, err)
	}
	if got, err := quarry.ParseDrawLayers(""); err != nil || got != 0 || got.String() != "" {
		t.Errorf("nothing is %v, %v", got, err)
	}
	for _, bad := range []string{"box", "boxes,", ",", "Boxes", strings.Repeat("x", 999)} {
		got, err := quarry.ParseDrawLayers(bad)
		if err == nil || got != 0 || !strings.Contains(err.Error(), "velocities") || len(err.Error()) > 250 {
			t.Errorf("%q is %v, %v", bad, got, err)
		}
	}
}
