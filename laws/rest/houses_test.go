package rest_test

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/scene"
)

// TestHousesStand: the house of cards and the arch stand for a minute, in which no body moves farther than a
// twentieth of its size, and sleep. Awake for the whole minute, they stand as well, also on tiles, on each carrier.
func TestHousesStand(t *testing.T) {
	for _, name := range []string{"card_house", "arch"} {
		for _, awake := range []bool{false, true} {
			s, ok := scene.Get(name)
			if !ok {
				t.Fatal("no scene ", name)
			}
			s.Config.NoSleep = awake
			in := s.New()
			asleep := stands(t, fmt.Sprintf("%s, awake %v", name, awake),
				&worldtest.Site{World: in.World, Carrier: worldtest.Carriers()[0].Add(in.World)})
			if !awake && (asleep == 0 || asleep > 20*60) {
				t.Errorf("%s: asleep at step %d", name, asleep)
			}
		}
		worldtest.OnCarriers(t, func(t *testing.T, on worldtest.Carrier) {
			stands(t, name, onTiles(t, name, on))
		})
	}
}

// stands steps w for a minute. It reports an error if a body moves by more than 0.1, and returns the first step at
// which all bodies sleep, 0 if there is none.
func stands(t *testing.T, what string, w *worldtest.Site) (asleep int) {
	var from []geom.Vec
	for b := range w.Bodies() {
		from = append(from, w.Position(b))
	}
	for range 60 * 60 {
		w.Step(worldtest.DT)
		if asleep == 0 && w.Stats().Awake == 0 {
			asleep = int(w.StepCount())
		}
	}
	most, i := 0.0, 0
	for b := range w.Bodies() {
		most = max(most, w.Position(b).Dist(from[i]))
		i++
	}
	t.Logf("%s: a body moved by up to %.4f; asleep at step %d", what, most, asleep)
	if most > 0.1 {
		t.Errorf("%s: a body moved by %.3f", what, most)
	}
	return asleep
}

// onTiles returns the bodies of a scene on a floor of tiles with the material of the scene's floor, which is its static
// shape, on a carrier. None sleeps.
func onTiles(t *testing.T, name string, on worldtest.Carrier) *worldtest.Site {
	s, _ := scene.Get(name)
	s.Config.NoSleep = true
	from, w := s.New().World, on.NewSiteOf(s.Config)
	materials := map[quarry.MaterialID]quarry.MaterialID{}
	for b := range from.Bodies() {
		for shape := range b.Shapes() {
			d := shape.Def()
			if _, ok := materials[d.Material]; !ok {
				materials[d.Material] = w.AddMaterial(from.Material(d.Material))
			}
			d.Material = materials[d.Material]
			if b.Type() == quarry.Dynamic {
				w.AddBody(b.Def(), shape.Geometry(), d)
				continue
			}
			g := w.AddGround(t)
			worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -20, MinY: -1, MaxX: 19, MaxY: -1},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(d.Material)}))
		}
	}
	return w
}
