//go:build !js

package sandbox

import (
	"math"
	"slices"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// peerChain is a chain as a peer knows it.
type peerChain struct {
	frame    geom.Transform
	segments []peerSegment
}

type peerSegment struct {
	a, b, g1, g2 geom.Vec
	flags        byte
	look         chainLook
}

func (p *peer) takeChain(r *reader) {
	p.chainBytes += len(r.b)
	number, first, n, looks := r.u32(), r.u32(), r.u32(), r.u32()
	reach, middle := r.f32(), r.vec64()
	c := p.chains[number]
	if c == nil {
		c = &peerChain{}
		p.chains[number] = c
	}
	if first == 0 {
		c.segments = nil
	}
	if int(first) != len(c.segments) {
		p.t.Errorf("a piece of chain %d from segment %d on, after %d", number, first, len(c.segments))
	}
	table := make([]chainLook, looks)
	for i := range table {
		table[i] = chainLook{r.u32(), r.f32()}
	}
	for ; n > 0; n-- {
		v := [4]geom.Vec{r.vec32(), r.vec32(), r.vec32(), r.vec32()}
		if d := max(v[0].Len(), v[1].Len()); d > reach*1.0001 {
			p.t.Errorf("a point %v from the middle of its piece, which reaches %v", d, reach)
		}
		s := peerSegment{
			a: v[0].Add(middle), b: v[1].Add(middle), g1: v[2].Add(middle), g2: v[3].Add(middle),
			flags: r.u8(),
		}
		r.u8()
		s.look = table[r.u16()]
		c.segments = append(c.segments, s)
	}
}

// drum is a loop that turns, with a ball in it, far from the origin, and an open chain
// with a ghost; when the ball jumps, they change.
func drum(edit func(w *quarry.World, step int, turning, open quarry.ChainID)) scene.Scene {
	return scene.Scene{
		Name: "drum", Doc: "A drum that turns.", View: geom.Box(geom.V(1e6-10, -10), geom.V(1e6+10, 10)),
		Config: quarry.Config{Gravity: geom.V(0, -10)},
		Build: func(w *quarry.World) *scene.Instance {
			m := w.AddMaterial(quarry.Material{Color: 0x808040, Friction: 1})
			belt := w.AddMaterial(quarry.Material{Color: 0xd0a040, Friction: 1, TangentSpeed: 3})
			d := quarry.ChainDef{Loop: true, Material: m}
			for i := range 60 {
				sin, cos := geom.SinCos(-float64(i) * math.Pi / 30)
				d.Points = append(d.Points, geom.V(4*cos, 4*sin))
			}
			body := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(1e6, 2), AngularVelocity: 1})
			turning, err := w.AddChain(body, d)
			if err != nil {
				panic(err)
			}
			open, err := w.AddChain(0, quarry.ChainDef{
				Points:    []geom.Vec{{X: 1e6 + 9, Y: -5}, {X: 1e6, Y: -5.5}, {X: 1e6 - 9, Y: -5}},
				Materials: []quarry.MaterialID{m, belt},
				Ghost1:    geom.V(1e6+12, -3), HasGhost1: true,
			})
			if err != nil {
				panic(err)
			}
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1e6, 2)})
			w.AddShape(b, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
			return &scene.Instance{World: w, DT: 1.0 / 60, BeforeStep: func(step int) {
				if edit != nil {
					edit(w, step, turning, open)
				}
			}}
		},
	}
}

// TestChainsAreTold: a chain comes once, with its ghosts and looks, and turns with
// its body from then on.
func TestChainsAreTold(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{drum(nil)}}))
	p.until("both chains", func() bool {
		return p.frames > 0 && len(p.chains) == 2 && len(p.chains[0].segments) == 60 && len(p.chains[1].segments) == 2
	})
	for i, s := range p.chains[0].segments {
		sin, cos := geom.SinCos(-float64(i) * math.Pi / 30)
		if d := s.a.Dist(geom.V(4*cos, 4*sin)); d > 1e-6 {
			t.Fatalf("segment %d begins %v off", i, d)
		}
		next, before := p.chains[0].segments[(i+1)%60], p.chains[0].segments[(i+59)%60]
		if s.flags != 3 || s.b.Dist(next.a) > 1e-6 || s.g2.Dist(next.b) > 1e-6 || s.g1.Dist(before.a) > 1e-6 {
			t.Fatalf("segment %d: %+v before %+v", i, s, next)
		}
	}
	open := p.chains[1].segments
	if open[0].flags != 3 || open[1].flags != 1 || open[0].g1.Dist(geom.V(1e6+12, -3)) > 1e-6 ||
		open[1].g1.Dist(geom.V(1e6+9, -5)) > 1e-6 {
		t.Errorf("the open chain: %+v", open)
	}
	if open[0].look != (chainLook{0x808040, 0}) || open[1].look != (chainLook{0xd0a040, 3}) {
		t.Errorf("the open chain looks like %+v", open)
	}
	bytes := p.chainBytes
	p.until("a turn", func() bool { return p.step > 60 && p.chains[0].frame.Q.S > 0.9 })
	if at := p.chains[0].frame.P; at != geom.V(1e6, 2) {
		t.Errorf("the drum is at %v", at)
	}
	if p.chainBytes != bytes {
		t.Errorf("%d bytes of chains became %d", bytes, p.chainBytes)
	}
}

// TestChainsChange: chains that are removed, added or recoloured are sent.
func TestChainsChange(t *testing.T) {
	p := dial(t,
		serve(t, Config{Scenes: []scene.Scene{drum(func(w *quarry.World, step int, turning, open quarry.ChainID) {
			switch step {
			case 40:
				c, _ := w.Chain(turning)
				m := w.Material(c.Material(0))
				m.Color = 0x123456
				w.SetMaterial(c.Material(0), m)
			case 80:
				w.RemoveChain(turning)
			case 120:
				if _, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{{X: 5}, {X: 1}, {X: -5}}}); err != nil {
					panic(err)
				}
			}
		})}, Paused: true}))
	p.until("the chains", func() bool { return p.frames > 0 && len(p.chains) == 2 })
	p.send(`{"do":"step","n":60}`)
	p.until("another colour", func() bool {
		return len(p.chains[0].segments) == 60 && len(p.chains[1].segments) == 2 &&
			p.chains[0].segments[59].look.color == 0x123456 && p.chains[1].segments[0].look.color == 0x123456
	})
	p.send(`{"do":"step","n":40}`)
	p.until("one chain less", func() bool { return len(p.chains[0].segments) == 0 })
	p.send(`{"do":"step","n":40}`)
	p.until("a chain in its place", func() bool {
		return len(p.chains[0].segments) == 2 && p.chains[0].frame == geom.At(geom.Vec{})
	})
	if len(p.chains[1].segments) != 2 || len(p.chains) != 2 {
		t.Error("the other chain changed")
	}
}

// TestChainsAreBounded: of a chain of very many points only as many segments are sent as
// pages can draw, and they still reach from its beginning to its end.
func TestChainsAreBounded(t *testing.T) {
	const n = 300_001
	long := scene.Scene{
		Name: "long", Doc: "A long chain.", View: geom.Box(geom.V(0, 0), geom.V(10, 10)),
		Build: func(w *quarry.World) *scene.Instance {
			d := quarry.ChainDef{Points: make([]geom.Vec, n)}
			for i := range d.Points {
				d.Points[i] = geom.V(float64(n-i), float64(i%2))
			}
			if _, err := w.AddChain(0, d); err != nil {
				panic(err)
			}
			return &scene.Instance{World: w, DT: 1.0 / 60}
		},
	}
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{long}}))
	p.until("the chain", func() bool {
		c := p.chains[0]
		return c != nil && len(c.segments) > 0 && c.segments[len(c.segments)-1].b.X == 1
	})
	s := p.chains[0].segments
	if len(s) > MaxChainSegments || len(s) < MaxChainSegments/2 || s[0].a.X != n {
		t.Errorf("%d segments, from %v", len(s), s[0].a)
	}
	if i := slices.IndexFunc(s[1:], func(s peerSegment) bool { return s.flags&1 == 0 }); i >= 0 {
		t.Errorf("segment %d follows none", i+1)
	}
}
