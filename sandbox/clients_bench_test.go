//go:build !js

package sandbox

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// bouncing is 5,000 circles that never rest.
var bouncing = scene.Scene{
	Name: "bouncing", Doc: "5000 circles bounce in a room.", View: geom.Box(geom.V(-80, -80), geom.V(80, 80)),
	Build: func(w *quarry.World) *scene.Instance {
		d := quarry.ShapeDef{Material: w.AddMaterial(quarry.Material{Restitution: 1})}
		walls := w.AddBody(quarry.BodyDef{})
		for _, at := range []geom.Vec{{X: -75}, {X: 75}, {Y: -75}, {Y: 75}} {
			half := geom.V(1, 75)
			if at.Y != 0 {
				half = geom.V(75, 1)
			}
			w.AddShape(walls, geom.NewOffsetBox(half.X, half.Y, at, geom.Identity), d)
		}
		w.SetGravity(geom.Vec{})
		r := rand.New(rand.NewPCG(1, 2))
		for k := range 5000 {
			b := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(float64(2*(k%71)-71), float64(2*(k/71)-71)),
				Velocity: geom.V(10*r.Float64()-5, 10*r.Float64()-5),
			})
			w.AddShape(b, geom.Circle{Radius: 0.4}, d)
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

// BenchmarkClients shows 5,000 moving bodies to four clients that see them all and are in this process, too. An
// operation is a step of the world, which makes 60 a second if the machine can. It reports the frames a second of the
// client that got the fewest, bytes of bodies in a frame, and the longest time between two frames of a client.
func BenchmarkClients(b *testing.B) {
	addr := serve(b, Config{Scenes: []scene.Scene{bouncing}})
	views := make([]view, 4)
	for i := range views {
		p := dial(b, addr)
		p.until("all bodies", func() bool { return p.frameBodies == 5000 && p.frames > 60 })
		views[i].peer = p
	}
	ctx, cancel := context.WithCancel(context.Background())
	var others sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	began := time.Now()
	for i := range views {
		views[i].last = began
		if i > 0 {
			others.Go(func() {
				for views[i].read(ctx) == nil {
				}
			})
		}
	}
	first := &views[0]
	for b.Loop() {
		for step := first.peer.step; first.peer.step == step; {
			if err := first.read(ctx); err != nil {
				b.Fatal(err)
			}
		}
	}
	seconds := time.Since(began).Seconds()
	cancel()
	others.Wait()
	all := views[0]
	for _, v := range views[1:] {
		all.frames, all.longest = min(all.frames, v.frames), max(all.longest, v.longest)
	}
	b.ReportMetric(float64(all.frames)/seconds, "frames/s")
	b.ReportMetric(float64(first.bytes)/float64(max(1, first.frames)), "B/frame")
	b.ReportMetric(1000*all.longest.Seconds(), "ms-longest")
}

// view counts the frames that a client has received.
type view struct {
	peer          *peer
	frames, bytes int
	last          time.Time // of the last frame
	longest       time.Duration
}

// read takes the next message.
func (v *view) read(ctx context.Context) error {
	n := v.peer.frames
	if err := v.peer.read(ctx); err != nil || v.peer.frames == n {
		return err
	}
	now := time.Now()
	v.longest, v.last = max(v.longest, now.Sub(v.last)), now
	v.frames++
	v.bytes += v.peer.frameBytes
	return nil
}
