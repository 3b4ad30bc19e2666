package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// pistonRoom is a shaft 4 wide with 20 boxes of many sizes, and a piston above them.
type pistonRoom struct {
	w      *worldtest.Site
	shaft  quarry.Ground
	piston quarry.Body
	boxes  []quarry.Body
}

func newPistonRoom(t *testing.T, on worldtest.Carrier, seed uint64) *pistonRoom {
	w := on.NewSite()
	r := &pistonRoom{w: w, shaft: w.Floor(t, gridseg.Rect{MinX: -3, MinY: -3, MaxX: 6, MaxY: 20})}
	if err := r.shaft.Fill(gridseg.Rect{MaxX: 3, MaxY: 20}, gridseg.Tile{}); err != nil {
		t.Fatal(err)
	}
	random := seed*7919 + 1
	next := func() float64 {
		random = random*6364136223846793005 + 1442695040888963407
		return float64(random>>40) / (1 << 24)
	}
	for k := range 20 {
		b := w.Add(geom.Vec{}, geom.NewBox(0.25+0.2*next(), 0.25+0.2*next()))
		w.SetTransform(b, geom.V(0.5+float64(k%4), 0.5+float64(k/4)), 6*next())
		r.boxes = append(r.boxes, b)
	}
	w.Steps(200)
	r.piston = w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(2, 8)}, geom.NewBox(1.95, 0.5),
		quarry.ShapeDef{})
	return r
}

// press lowers the piston until its lower side is by far (units of length) below the highest
// top of a box, and stops it.
func (r *pistonRoom) press(far float64) {
	top := 0.0
	for _, b := range r.boxes {
		top = max(top, r.w.Bounds(b).Max.Y)
	}
	r.w.SetVelocity(r.piston, geom.V(0, -1))
	for r.w.Position(r.piston).Y-0.5 > top-far {
		r.w.Step(worldtest.DT)
	}
	r.w.SetVelocity(r.piston, geom.Vec{})
}

func (r *pistonRoom) awake() (n int) {
	for _, b := range r.boxes {
		if b.Awake() {
			n++
		}
	}
	return n
}

// settle makes at most most steps, until all boxes sleep, and returns their number.
func (r *pistonRoom) settle(most int) int {
	for n := range most {
		if r.awake() == 0 {
			return n
		}
		r.w.Step(worldtest.DT)
	}
	return most
}

// TestJamFallsAsleep: boxes that a stopped piston holds jammed, overlapping with no room
// to part, fall asleep. The solver keeps pushing them apart, so their speeds stay above
// sleepSpeed: 15 of these 24 jams were awake after 20 seconds.
func TestJamFallsAsleep(t *testing.T) { worldtest.OnStaticCarriers(t, jamFallsAsleep) }

func jamFallsAsleep(t *testing.T, on worldtest.Carrier) {
	sum, worst := 0, 0
	for _, far := range []float64{1, 2} {
		for seed := range uint64(12) {
			r := newPistonRoom(t, on, seed)
			r.press(far)
			n := r.settle(1200)
			sum, worst = sum+n, max(worst, n)
			if n == 1200 {
				t.Errorf("pressed by %v, seed %d: %d boxes are awake after 20 s", far, seed, r.awake())
			}
		}
	}
	t.Logf("asleep after %.1f s on average, %.1f s at most", float64(sum)/24*worldtest.DT, float64(worst)*worldtest.DT)
	// The softer the contacts of moving bodies, the longer a jam slips: 10.7 s at 44 Hz, the stiffness at which
	// pyramids rest in the time that TestRestTimes allows.
	if limit := 12.0; float64(worst)*worldtest.DT > limit {
		t.Errorf("a jam slept after %.1f s, want at most %v", float64(worst)*worldtest.DT, limit)
	}
}

// TestJamWakes: jammed sleepers wake when the piston moves, when their ground is edited
// and when the game pushes one of them, and are free once the piston is gone.
func TestJamWakes(t *testing.T) { worldtest.OnStaticCarriers(t, jamWakes) }

func jamWakes(t *testing.T, on worldtest.Carrier) {
	for _, by := range []string{"piston up", "piston down", "edit", "impulse"} {
		t.Run(by, func(t *testing.T) {
			r := newPistonRoom(t, on, 1)
			r.press(1)
			if r.settle(1200) == 1200 {
				t.Fatal("awake")
			}
			switch by {
			case "piston up":
				r.w.SetVelocity(r.piston, geom.V(0, 1))
			case "piston down":
				r.w.SetVelocity(r.piston, geom.V(0, -0.1))
			case "edit":
				if err := r.shaft.Fill(gridseg.Rect{MinX: 4, MinY: 0, MaxX: 4, MaxY: 2}, gridseg.Tile{}); err != nil {
					t.Fatal(err)
				}
			case "impulse":
				r.boxes[0].ApplyImpulse(r.w.Carrier.WorldVector(geom.V(0, 0.1)), r.boxes[0].Position())
			}
			r.w.Steps(3)
			if r.awake() == 0 {
				t.Fatal("all boxes sleep on")
			}
			if by == "piston down" {
				r.w.Steps(120)
				if r.awake() == 0 {
					t.Error("boxes sleep under a piston that moves")
				}
			}
			r.w.RemoveBody(r.piston.ID())
			if n := r.settle(1200); n == 1200 {
				t.Error("awake without the piston")
			}
			for i, a := range r.boxes {
				if depth := worldtest.Buried(r.shaft, a); depth > 0.05 {
					t.Errorf("box %d rests %.3g deep in the ground without the piston", i, depth)
				}
			}
		})
	}
}

// TestJamKeepsNoSleep: a body that must not sleep keeps its jammed island awake.
func TestJamKeepsNoSleep(t *testing.T) { worldtest.OnStaticCarriers(t, jamKeepsNoSleep) }

func jamKeepsNoSleep(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	w.Floor(t, gridseg.Rect{MinX: -5, MinY: -3, MaxX: 5, MaxY: -1})
	w.AddBody(quarry.BodyDef{Position: geom.V(0, 1)}, geom.NewBox(3, 0.5), quarry.ShapeDef{})
	var all []quarry.Body
	for i := range 2 {
		all = append(all, w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(float64(i), 0.25),
			NoSleep: i == 0,
		}, geom.NewBox(0.6, 0.4), quarry.ShapeDef{}))
	}
	w.Steps(300)
	for i, b := range all {
		if !b.Awake() {
			t.Errorf("body %d sleeps", i)
		}
	}
}
