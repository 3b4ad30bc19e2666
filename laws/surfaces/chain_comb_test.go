package surfaces_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// battlements is a chain of pillars whose tops are in one line through the origin, turned by rot;
// gravity is perpendicular to the tops.
type battlements struct {
	w    *quarry.World
	rot  geom.Rot
	ice  quarry.MaterialID
	tops [][2]float64 // start and end of each
}

// newBattlements draws pillars of these widths and gaps, over and over, from -reach to reach. The
// chain's points are turned by points, and its body by body.
func newBattlements(t *rapid.T, points, body, reach float64, widths, gaps []float64) *battlements {
	k := &battlements{rot: geom.NewRot(body).Mul(geom.NewRot(points))}
	k.w = quarry.NewWorld(quarry.Config{Gravity: k.rot.Apply(geom.V(0, -10))})
	k.ice = k.w.AddMaterial(quarry.Material{})
	var line []geom.Vec
	for x, i := -reach, 0; x < reach; i++ {
		to := x + widths[i%len(widths)]
		k.tops = append(k.tops, [2]float64{x, to})
		line = append(line, geom.V(x, -1), geom.V(x, 0), geom.V(to, 0), geom.V(to, -1))
		x = to + gaps[i%len(gaps)]
	}
	// Solid is on the left: below a line that runs towards -x.
	var out []geom.Vec
	turn := geom.NewRot(points)
	for i := range line {
		out = append(out, turn.Apply(line[len(line)-1-i]))
	}
	id := k.w.AddBody(quarry.BodyDef{Angle: body})
	if _, err := k.w.AddChain(id, quarry.ChainDef{Points: out, Material: k.ice}); err != nil {
		t.Fatal(err)
	}
	return k
}

// add puts a body of ice at p, relative to the tops.
func (k *battlements) add(p geom.Vec, s geom.Shape) quarry.Body {
	id := k.w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: k.rot.Apply(p), Angle: k.rot.Angle()})
	k.w.AddShape(id, s, quarry.ShapeDef{Material: k.ice})
	b, _ := k.w.Body(id)
	return b
}

// drawBattlements draws battlements on which a box of the half width lies stably at any place.
func drawBattlements(t *rapid.T) (k *battlements, half float64) {
	some := func(name string, most float64) []float64 {
		return rapid.SliceOfN(rapid.Float64Range(0.3, most), 1, 5).Draw(t, name)
	}
	angles := rapid.SampledFrom([]float64{0, 0.3, math.Pi / 2, -1})
	k = newBattlements(t, angles.Draw(t, "points turned"), angles.Draw(t, "body turned"), 90, some("widths", 2),
		some("gaps", 3))
	return k, rapid.Float64Range(5.1, 12).Draw(t, "half")
}

// TestChainCombHoldsAtTheOutermost: a box on many pillars rests on two points, the outermost places
// of its face that are over a top. Each point names a segment of a top under it.
func TestChainCombHoldsAtTheOutermost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, half := drawBattlements(t)
		x := rapid.Float64Range(-3, 3).Draw(t, "x")
		b := k.add(geom.V(x, 0.5), geom.NewBox(half, 0.5))
		for range 60 {
			k.w.Step(worldtest.DT)
		}
		x = k.rot.Inv(b.Position()).X
		lo, hi := math.MaxFloat64, -math.MaxFloat64
		for _, top := range k.tops {
			for _, end := range top {
				if math.Abs(math.Abs(end-x)-half) < 0.02 {
					return // a corner this near to a pillar's may be on the pillar or beside it
				}
			}
			if top[0] < x+half && top[1] > x-half {
				lo, hi = min(lo, max(top[0], x-half)), max(hi, min(top[1], x+half))
			}
		}
		contacts := k.w.AppendContacts(nil)
		if len(contacts) != 1 || contacts[0].N != 2 {
			t.Fatalf("%d contacts: %+v", len(contacts), contacts)
		}
		var at [2]float64
		for i, p := range contacts[0].Points[:2] {
			q := k.rot.Inv(p.Point)
			at[i] = q.X
			top := k.tops[len(k.tops)-1-p.Segment/4]
			if p.Segment%4 != 1 || q.X < top[0]-1e-6 || q.X > top[1]+1e-6 {
				t.Fatalf("the point at %v names segment %d, under which is the top %v", q, p.Segment, top)
			}
		}
		if a, b := min(at[0], at[1]), max(at[0], at[1]); math.Abs(a-lo) > 1e-6 || math.Abs(b-hi) > 1e-6 {
			t.Fatalf("it rests on %v and %v, want %v and %v", a, b, lo, hi)
		}
	})
}

// TestChainCombIsNotFelt is law 1 of contact for tops in one line: a body that slides over the gaps
// between them is neither lifted nor turned nor slowed.
func TestChainCombIsNotFelt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, half := drawBattlements(t)
		high := rapid.Float64Range(0.05, 1).Draw(t, "high")
		speed := rapid.SampledFrom([]float64{0.1, 0.7, 1, 3, 9.7, 40, 200}).Draw(t, "speed")
		b := k.add(geom.V(-60, high), geom.NewBox(half, high))
		for range 30 {
			k.w.Step(worldtest.DT)
		}
		rest := k.rot.Inv(b.Position()).Y
		b.SetVelocity(k.rot.Apply(geom.V(speed, 0)))
		for i := 0; i < 100 && k.rot.Inv(b.Position()).X < 60; i++ {
			k.w.Step(worldtest.DT)
			at, v := k.rot.Inv(b.Position()), k.rot.Inv(b.Velocity())
			if c := k.w.AppendContacts(nil); len(c) != 1 || c[0].N != 2 {
				t.Fatalf("step %d, at %v: %d contacts: %+v", i, at, len(c), c)
			}
			if math.Abs(at.Y-rest) > 1e-5 || math.Abs(v.Y) > 1e-5 || math.Abs(v.X-speed) > 1e-6 ||
				math.Abs(b.AngularVelocity()) > 1e-5 {
				t.Fatalf("step %d, at %v: rested at %v; velocity %v, spin %v", i, at, rest, v, b.AngularVelocity())
			}
		}
	})
}

// TestChainCombHasGaps: a body narrower than a gap falls in.
func TestChainCombHasGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := newBattlements(t, 0.3, 0, 20, []float64{1}, []float64{2})
		gap := 0.5 * (k.tops[5][1] + k.tops[6][0])
		b := k.add(geom.V(gap+rapid.Float64Range(-0.4, 0.4).Draw(t, "x"), 0.6), geom.NewBox(0.5, 0.5))
		for range 120 {
			k.w.Step(worldtest.DT)
		}
		if y := k.rot.Inv(b.Position()).Y; math.Abs(y+0.5) > 0.02 {
			t.Fatalf("it is at the height %v", y)
		}
	})
}
