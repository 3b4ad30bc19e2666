package quarry_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestJoin joins two moving grounds, at any angle and at a quarter turn: momentum and angular momentum are kept, no
// energy is gained, and the other body is gone.
func TestJoin(t *testing.T) {
	for _, angle := range []float64{0, math.Pi / 2, 0.7} {
		w := quarry.NewWorld(quarry.Config{})
		a, ga := addBlocks(t, w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(1, 2), Velocity: geom.V(1, 2),
			AngularVelocity: .3,
		}, quarry.GroundDef{
			Grid: tileBlocks(t, gridseg.Rect{MinX: 0, MinY: 0, MaxX: 5, MaxY: 2}),
		})
		b, gb := addBlocks(t, w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(12, 2), Angle: angle,
			Velocity: geom.V(-3, 1), AngularVelocity: -2,
		}, quarry.GroundDef{
			Grid: tileBlocks(t, gridseg.Rect{MinX: 0, MinY: 0, MaxX: 3, MaxY: 3}),
		})
		m, p, l, e, terms := momentum(w)
		if err := ga.Join(gb.ID()); err != nil {
			t.Fatal(err)
		}
		m2, p2, l2, e2, _ := momentum(w)
		if math.Abs(m2-m) > 16*4*2./gridseg.Unit || angle != .7 && math.Abs(m2-m) > 1e-12*m ||
			p2.Sub(p).Len() > 1e-12*m || math.Abs(l2-l) > 1e-12*terms || e2 > e {
			t.Errorf("angle %v: mass %v to %v, momentum %v to %v, angular %v to %v, energy %v to %v", angle, m, m2, p,
				p2, l, l2, e, e2)
		}
		if _, ok := w.Body(b.ID()); ok {
			t.Error("the other body is still there")
		}
		if _, ok := w.Ground(gb.ID()); ok {
			t.Error("the other ground is still there")
		}
		if w.Step(1e-6); len(w.Breaks()) != 1 { // they do not touch
			t.Errorf("%+v", w.Breaks())
		}
		if ga.Join(gb.ID()) == nil || ga.Join(ga.ID()) == nil {
			t.Error("joined with itself or nothing")
		}
		if a.Mass() != 18 {
			t.Errorf("mass %v", a.Mass())
		}
	}
}

// TestReplayOfBreaks records edits, breaks and a join, and plays them back.
func TestReplayOfBreaks(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	_, g := addBlocks(t, w, quarry.BodyDef{}, quarry.GroundDef{
		Grid: tileBlocks(t, gridseg.Rect{MinX: -8, MinY: -3, MaxX: 8, MaxY: 6}), Breaks: true, AnchorBits: 1,
		Anchors: []gridseg.Rect{{MinX: -8, MinY: -3, MaxX: 8, MaxY: -3}},
	})
	var log bytes.Buffer
	w.Record(&log, 1)
	def := g.Def()
	if !def.Breaks || def.AnchorBits != 1 || len(def.Anchors) != 1 || def.MinFragment != quarry.DefaultMinFragment {
		t.Errorf("%+v", def)
	}
	breaks := 0
	for step := range 60 {
		x := float64(step%17) - 8
		if err := g.Dig(geom.V(x, 2), geom.V(x+1, 2.5), .4); err != nil {
			t.Fatal(err)
		}
		w.Step(1. / 60)
		for _, ev := range w.Breaks() {
			if breaks++; ev.Piece != 0 && breaks > 3 {
				if err := g.Join(ev.Piece); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := w.StopRecording(); err != nil || breaks == 0 {
		t.Fatalf("%d breaks: %v", breaks, err)
	}
	o := quarry.NewWorld(quarry.Config{})
	if err := o.Replay(bytes.NewReader(log.Bytes())); err != nil || o.Hash() != w.Hash() {
		t.Errorf("replayed: %v", err)
	}
}
