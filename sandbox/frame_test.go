//go:build !js

package sandbox

import (
	"math"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// A body's place arrives as it was sent, however it moves, in the fewest bytes where it flies straight.
func TestTracks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SampledFrom([]float64{0, 1, 1e7, -1 << 30, 1 << 30})
		far := func(name string) float64 {
			return at.Draw(t, name) + rapid.Float64Range(-100, 100).Draw(t, name)
		}
		var sent track
		p := &peer{bodies: map[uint32]*peerBody{3: {}}}
		for range 20 {
			now := geom.Transform{
				P: geom.V(far("x"), far("y")),
				Q: geom.NewRot(rapid.Float64Range(-4, 4).Draw(t, "angle")),
			}
			frame := appendFrameHead(nil, frameHead{})
			wire.PutUint32(frame[frameCounts+4:], 1)
			frame = sent.append(frame, 3, true, placeOf(now))
			p.takeFrame(&reader{b: frame[4:]}, 0)
			b := p.bodies[3]
			if d := b.at.Sub(now.P).Len(); d > 1.0/placeUnit {
				t.Fatalf("%v arrives as %v", now.P, b.at)
			}
			if d := math.Hypot(b.c-now.Q.C, b.s-now.Q.S); d > 1e-4 {
				t.Fatalf("%v arrives as %v, %v", now.Q, b.c, b.s)
			}
		}
		v := geom.V(rapid.Float64Range(-2, 2).Draw(t, "vx"), rapid.Float64Range(-2, 2).Draw(t, "vy"))
		v = geom.V(math.Floor(v.X*placeUnit)/placeUnit, math.Floor(v.Y*placeUnit)/placeUnit)
		for k := range 5 {
			now := geom.Transform{P: v.Mul(float64(k)), Q: geom.Rot{C: 1}}
			if b := sent.append(nil, 0, true, placeOf(now)); k > 2 && len(b) != 4 {
				t.Fatalf("%d bytes of a body that flies straight", len(b))
			}
		}
	})
}

// A frame has the bodies of the view, and others seldom, but none is lost: at rest each is where it is.
func TestFramesOfTheView(t *testing.T) {
	row := bare
	row.Build = func(w *quarry.World) *scene.Instance {
		for i := range 400 {
			at := geom.V(float64(10*i), 0)
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Velocity: geom.V(0, 1)})
			w.AddShape(b, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	}
	row.Config.Gravity = geom.Vec{}
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{row}, Paused: true}))
	p.until("the world", func() bool { return len(p.moving()) == 400 })
	p.send(`{"do":"view","x":100,"y":0,"x0":95,"y0":-1000,"x1":145,"y1":1000}`)
	p.send(`{"do":"step","n":1}`)
	p.until("a step", func() bool { return p.step == 1 })
	if n := p.frameBodies; n < 5 || n > 5+400/unseenEvery+1 {
		t.Errorf("%d bodies in a frame, of 5 in the view", n)
	}
	if b := p.frameBytes; b > 8*p.frameBodies {
		t.Errorf("%d bytes of %d bodies", b, p.frameBodies)
	}
	p.send(`{"do":"view","x":0,"y":0}`)
	p.until("all", func() bool {
		for _, b := range p.moving() {
			if math.Abs(b.at.Y-1.0/60) > 1e-3 {
				return false
			}
		}
		return true
	})
}

// pour is 5,000 bodies that tumble in a drum that turns, so that none sleeps.
var pour = scene.Scene{
	Name: "pour", Doc: "5,000 bodies in a drum.", View: geom.Box(geom.V(-60, -60), geom.V(60, 60)),
	Config: quarry.Config{Gravity: geom.V(0, -10), NoSleep: true},
	Build: func(w *quarry.World) *scene.Instance {
		drum := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, AngularVelocity: 0.3})
		for _, side := range [...]geom.Vec{geom.V(58, 0), geom.V(-58, 0), geom.V(0, 58), geom.V(0, -58)} {
			half := geom.V(2, 60)
			if side.X == 0 {
				half = geom.V(60, 2)
			}
			w.AddShape(drum, geom.NewOffsetBox(half.X, half.Y, side, geom.Rot{C: 1}), quarry.ShapeDef{})
		}
		for i := range 5000 {
			at := geom.V(float64(i%100)-50, float64(i/100)-25)
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at})
			if i%2 == 0 {
				w.AddShape(b, geom.Circle{Radius: 0.4}, quarry.ShapeDef{})
			} else {
				w.AddShape(b, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
			}
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

// 5,000 bodies that all move, and 4 clients: bytes a frame, and the processor time of a step and of four frames.
func TestFrameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("300 steps of 5,000 bodies")
	}
	runtime.LockOSThread() // whose processor time the stopwatch reads
	defer runtime.UnlockOSThread()
	s := newSim(pour)
	s.longStep = time.Hour
	s.guard.limit = time.Hour
	s.resume()
	for range 4 {
		c := newClient()
		s.clients = append(s.clients, c)
	}
	bytes, frames := 0, 0
	var stepping, telling time.Duration
	for i := range 300 {
		w := startWatch()
		s.step()
		stepping += w.elapsed()
		w = startWatch()
		for _, c := range s.clients {
			c.acked.Store(c.seq)
			c.sync(s, true)
			select {
			case b := <-c.outbox:
				if i >= 100 {
					frames++
					bytes += len(b.bytes)
				}
				c.idle.Store(true)
			default:
			}
		}
		telling += w.elapsed()
	}
	each := float64(bytes) / float64(frames)
	t.Logf("%d awake bodies, %d contacts: %.0f bytes a frame, %.2f a body; a step takes %v, four frames %v",
		s.stats.Awake, s.stats.Contacts, each, each/5000, stepping/300, telling/300)
	if each > 5000*7 {
		t.Errorf("%.0f bytes a frame, want at most 7 a body", each)
	}
}
