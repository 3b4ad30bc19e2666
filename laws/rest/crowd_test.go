package rest_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// newCrowd returns a carrier with a floor whose top is at y = 0 and n discs at p.
func newCrowd(t testing.TB, on worldtest.Carrier, c quarry.Config, n int, p geom.Vec) (*worldtest.Site, []quarry.Body) {
	c.Gravity = geom.V(0, -10)
	w := on.NewSiteOf(c)
	w.Floor(t, gridseg.Rect{MinX: -200, MinY: -3, MaxX: 200, MaxY: -1})
	var all []quarry.Body
	for range n {
		all = append(all, w.Add(p, geom.Circle{Radius: 0.5}))
	}
	return w, all
}

// TestCrowdIsBounded: the contacts and memory of the first step of n bodies at one point
// are in proportion to n. For 1,000 bodies it made 499,500 contacts, in 1.9 s and with
// 842 MB.
func TestCrowdIsBounded(t *testing.T) {
	for _, n := range []int{1000, 2000} {
		// With several workers the memory depends on how much of the work each of them took.
		w, _ := newCrowd(t, worldtest.Carriers()[0], quarry.Config{Workers: 1}, n, geom.V(0, 5))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		from := time.Now()
		w.Step(worldtest.DT)
		took := time.Since(from)
		runtime.ReadMemStats(&after)
		st := w.Stats()
		mb := float64(after.TotalAlloc-before.TotalAlloc) / 1e6
		t.Logf("%d bodies: %v, %.0f MB, %d contacts, %d pairs dropped", n, took, mb, st.Contacts, st.Dropped)
		if most := 8 * n; st.Contacts > most {
			t.Errorf("%d bodies at one point have %d contacts, want at most %d", n, st.Contacts, most)
		}
		if all := n * (n - 1) / 2; st.Dropped+st.Contacts != all {
			t.Errorf("%d bodies at one point: %d contacts and %d dropped pairs of %d", n, st.Contacts, st.Dropped, all)
		}
		if limit := 0.012 * float64(n); mb > limit {
			t.Errorf("the first step of %d bodies at one point allocates %.0f MB, want at most %v", n, mb, limit)
		}
	}
}

// TestCrowdBoundsEachBody: no body of a crowd has more than 16 contacts with the others,
// not even the largest, which overlaps each of them more than they overlap each other.
// Contacts were bounded on average only, and the largest body had one with each other
// body.
func TestCrowdBoundsEachBody(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	worldtest.Add(w, geom.V(0, 0), geom.NewBox(3, 3))
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1, 1)})
	for k := range 4 { // a body of several shapes is bounded as one
		w.AddShape(id, geom.NewOffsetBox(1.5, 1.5, geom.V(0.1*float64(k), 0), geom.Identity), quarry.ShapeDef{})
	}
	for i := range 300 {
		worldtest.Add(w, geom.V(0.1*float64(i%20), 0.1*float64(i/20)), geom.NewBox(1.1, 1.1))
	}
	for step := range 10 {
		w.Step(worldtest.DT)
		counts, most := map[quarry.BodyID]int{}, 0
		for _, c := range w.AppendContacts(nil) {
			for _, id := range []quarry.ShapeID{c.ShapeA, c.ShapeB} {
				s, _ := w.Shape(id)
				b := s.Body().ID()
				counts[b]++
				most = max(most, counts[b])
			}
		}
		if most > 16 {
			t.Fatalf("step %d: a body has %d contacts", step, most)
		}
	}
}

// TestCrowdDisperses: the dropped pairs of a crowd come back as it disperses. No body
// gets through the floor meanwhile, and no two bodies overlap in the end.
func TestCrowdDisperses(t *testing.T) { worldtest.OnCarriers(t, crowdDisperses) }

func crowdDisperses(t *testing.T, on worldtest.Carrier) {
	n := 300
	if !on.AtRest() {
		n = 100
	}
	w, all := newCrowd(t, on, quarry.Config{}, n, geom.V(0, 0.5))
	for k, b := range all { // exactly at one point, they pile up to a column
		w.SetTransform(b, geom.V(0.003*float64(k%17), 0.5+0.003*float64(k/17)), 0)
	}
	for range 1200 {
		w.Step(worldtest.DT)
		for _, b := range all {
			if p := w.Position(b); p.Y < 0.3 && max(p.X, -p.X) < 199 {
				t.Fatalf("a body is at %v, in the floor", p)
			}
		}
	}
	if n := w.Stats().Dropped; n != 0 {
		t.Errorf("%d pairs are dropped after 20 s", n)
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if d := a.Position().Dist(b.Position()); d < 0.9 {
				t.Fatalf("two discs of radius 0.5 are %v apart after 20 s", d)
			}
		}
	}
}

// TestCrowdKeepsGround: contacts with grounds and static bodies are never dropped, however
// many dynamic bodies overlap there.
func TestCrowdKeepsGround(t *testing.T) { worldtest.OnCarriers(t, crowdKeepsGround) }

func crowdKeepsGround(t *testing.T, on worldtest.Carrier) {
	w, all := newCrowd(t, on, quarry.Config{}, 200, geom.V(0, 0.45))
	kind := on.Body.Type
	if kind == quarry.Dynamic {
		kind = quarry.Kinematic // a dynamic body is one of the crowd
	}
	ws := w.AddShape(w.Beside(kind, geom.V(1.4, 1)).ID(), geom.NewBox(1, 1), quarry.ShapeDef{})
	w.Step(worldtest.DT)
	onGround, onWall := 0, 0
	for _, ev := range w.ContactBegins() {
		if ev.Ground != 0 && ev.ShapeB != ws {
			onGround++
		}
		if ev.Ground == 0 && (ev.ShapeA == ws || ev.ShapeB == ws) {
			onWall++
		}
	}
	if w.Stats().Dropped == 0 {
		t.Error("no pair was dropped")
	}
	if onGround != len(all) || onWall != len(all) {
		t.Errorf("of %d bodies %d touch the ground and %d the wall", len(all), onGround, onWall)
	}
}

// TestCrowdIsDeterministic: the pairs that a crowd keeps depend neither on the order of the
// broad phase nor on the contacts of earlier steps.
func TestCrowdIsDeterministic(t *testing.T) { worldtest.OnCarriers(t, crowdIsDeterministic) }

func crowdIsDeterministic(t *testing.T, on worldtest.Carrier) {
	var want []geom.Vec
	for _, size := range []float64{1, 0.3, 7} {
		w, all := newCrowd(t, on, quarry.Config{CellSize: size}, 200, geom.V(0, 5))
		for k, b := range all {
			w.SetTransform(b, geom.V(0.01*float64(k%14), 5+0.01*float64(k/14)), 0)
		}
		w.Steps(60)
		for k, b := range all {
			if size == 1 {
				want = append(want, b.Position())
			} else if b.Position() != want[k] {
				t.Fatalf("with cells of %v body %d is at %v, with cells of 1 at %v", size, k, b.Position(), want[k])
			}
		}
	}
}

// TestRaftKeepsAll: many bodies on one raft are no crowd, since each of them overlaps few.
func TestRaftKeepsAll(t *testing.T) { worldtest.OnCarriers(t, raftKeepsAll) }

func raftKeepsAll(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	w.Floor(t, gridseg.Rect{MinX: -70, MinY: -3, MaxX: 70, MaxY: -1})
	w.Add(geom.V(0, 0.5), geom.NewBox(60, 0.5))
	for i := range 100 {
		w.Add(geom.V(1.1*float64(i)-54, 1.5), geom.NewBox(0.5, 0.5))
	}
	w.Steps(30)
	if st := w.Stats(); st.Dropped != 0 {
		t.Errorf("%d pairs were dropped", st.Dropped)
	}
	// The boxes do not touch each other.
	if st := w.Stats(); st.Touching != 101 {
		t.Errorf("%d contacts touch, want the contacts of the raft with 100 boxes and the ground", st.Touching)
	}
}
