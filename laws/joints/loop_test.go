package joints_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestCraneHoldsItsLoad: a tower of eight welds, with a boom on a hinge that a rod holds to the tower's top, carries a
// load of 400 blocks on a rope, upright. (The loop of boom and rod made the welds below it soft, too, which are in no
// loop: the tower bent by 0.25 rad, with two sub-steps by 0.88.)
func TestCraneHoldsItsLoad(t *testing.T) {
	for _, subSteps := range []int{2, 4, 8} {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -gravity), SubSteps: subSteps})
		bar := func(x, y, halfX, halfY float64) quarry.Body {
			return worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, y)},
				geom.NewBox(halfX, halfY), quarry.ShapeDef{Category: 2, Mask: 4})
		}
		tower := quarry.Body{}
		for k := range 8 {
			b := bar(0, float64(k)+0.5, 0.2, 0.5)
			below := quarry.BodyID(0)
			if k > 0 {
				below = tower.ID()
			}
			w.AddJoint(quarry.WeldJoint{JointBase: w.JointAt(below, b.ID(), geom.V(0, float64(k)))})
			tower = b
		}
		boom, top := bar(3, 8, 3, 0.1), bar(0, 8.5, 0.1, 0.5)
		hinge(w, tower.ID(), boom.ID(), geom.V(0, 8))
		w.AddJoint(quarry.WeldJoint{JointBase: w.JointAt(tower.ID(), top.ID(), geom.V(0, 8))})
		rope := func(a, b quarry.Body, p, q geom.Vec) {
			w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{
				A: a.ID(), B: b.ID(),
				FrameA: quarry.JointFrame{Position: a.LocalPoint(p)},
				FrameB: quarry.JointFrame{Position: b.LocalPoint(q)},
			}})
		}
		rope(top, boom, geom.V(0, 9), geom.V(6, 8))
		load := bar(6, 4, 0.5, 0.5)
		setMass(load, 400*tower.Mass())
		rope(boom, load, geom.V(6, 8), load.Position())
		most := 0.0
		for range 600 {
			w.Step(worldtest.DT)
			most = max(most, math.Abs(tower.Angle()))
		}
		if most > 0.01 {
			t.Errorf("%d sub-steps: the tower bent by %.3f rad", subSteps, most)
		}
	}
}

// TestTrussCarriesLoad: a bridge of bars between light nodes, eight panels long, whose hinges close loops, carries a
// load of 1,000 times the mass of a node with 2 sub-steps, and longer steps, too. (It sagged, and with two sub-steps
// came apart.)
func TestTrussCarriesLoad(t *testing.T) {
	for _, subSteps := range []int{2, 4, 8} {
		const panels = 8
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -gravity), SubSteps: subSteps})
		at := func(i, j int) geom.Vec { return geom.V(2*float64(i), 2*float64(j)) }
		nodes := map[[2]int]quarry.BodyID{}
		node := func(i, j int) quarry.BodyID {
			if nodes[[2]int{i, j}] == 0 {
				b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: at(i, j)},
					geom.Circle{Radius: 0.1}, quarry.ShapeDef{Category: 2, Mask: 4})
				nodes[[2]int{i, j}] = b.ID()
			}
			return nodes[[2]int{i, j}]
		}
		bar := func(i, j, k, l int) {
			b := rod(w, at(i, j).Lerp(at(k, l), 0.1), at(i, j).Lerp(at(k, l), 0.9), 0.2)
			hinge(w, node(i, j), b.ID(), at(i, j))
			hinge(w, b.ID(), node(k, l), at(k, l))
		}
		for i := range panels {
			bar(i, 0, i+1, 0)
			switch {
			case i == 0:
				bar(0, 0, 1, 1)
				bar(panels, 0, panels-1, 1)
			case i < panels/2:
				bar(i, 1, i+1, 0)
			case i < panels-1:
				bar(i, 0, i+1, 1)
			}
			if i > 0 {
				bar(i, 0, i, 1)
			}
			if i > 0 && i < panels-1 {
				bar(i, 1, i+1, 1)
			}
		}
		hinge(w, 0, node(0, 0), at(0, 0))
		w.AddJoint(quarry.WheelJoint{JointBase: w.JointAlong(0, node(panels, 0), at(panels, 0), geom.V(1, 0))})
		middle, _ := w.Body(node(panels/2, 0))
		load := worldtest.Add(w, geom.V(panels, -2), geom.NewBox(0.5, 0.5))
		setMass(load, 1000*middle.Mass())
		w.AddJoint(quarry.DistanceJoint{JointBase: quarry.JointBase{A: middle.ID(), B: load.ID()}})
		open, sag := 0.0, 0.0
		for range 600 {
			w.Step(worldtest.DT)
			for j := range w.Joints() {
				if _, ok := j.Def().(quarry.RevoluteJoint); ok {
					open = max(open, j.Length())
				}
			}
			sag = max(sag, -middle.Position().Y)
		}
		if !(open < 0.005 && sag < 0.05) {
			t.Errorf("%d sub-steps: hinges opened by %.4f, the middle sank by %.4f", subSteps, open, sag)
		}
	}
}
