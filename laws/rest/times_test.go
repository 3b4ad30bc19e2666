package rest_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// yard is a world of an ordinary scene, with a floor at the height 0 and a material with the friction 0.6.
type yard struct {
	w      *quarry.World
	random uint64
	jitter float64 // bodies are moved by up to this, in units of length
	plain  quarry.MaterialID
}

func newYard() *yard {
	y := &yard{w: worldtest.New(), random: 12345}
	y.plain = y.w.AddMaterial(quarry.Material{Friction: 0.6})
	y.wall(0, -1, 5000, 1)
	return y
}

// float returns a number of 0 to 1, of the same sequence as for the times of Box2D.
func (y *yard) float() float64 {
	y.random = y.random*6364136223846793005 + 1442695040888963407
	return float64(y.random>>40) / (1 << 24)
}

func (y *yard) wall(x, at, halfX, halfY float64) quarry.BodyID {
	return worldtest.AddBody(y.w, quarry.BodyDef{Position: geom.V(x, at)}, geom.NewBox(halfX, halfY),
		quarry.ShapeDef{Material: y.plain}).ID()
}

// add adds a body at (x, at), turned by angle.
func (y *yard) add(x, at, angle float64, s geom.Shape, density float64) quarry.Body {
	if y.jitter > 0 {
		x += y.jitter * y.float()
	}
	d := quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, at), Angle: angle}
	return worldtest.AddBody(y.w, d, s, quarry.ShapeDef{Density: density, Material: y.plain})
}

func (y *yard) hinge(a, b quarry.BodyID, x, at float64) {
	y.w.AddJoint(quarry.RevoluteJoint{JointBase: y.w.JointAt(a, b, geom.V(x, at))})
}

// pyramid adds n rows of boxes 0.1 apart, of which the upper half has the given density.
func pyramid(n int, density float64) func(y *yard) {
	return func(y *yard) {
		for r := range n {
			for k := range n - r {
				d := 1.0
				if r >= n/2 {
					d = density
				}
				y.add((float64(k)-float64(n-r-1)/2)*1.1, 0.5+float64(r), 0, cube, d)
			}
		}
	}
}

// columns adds columns of n boxes, each off by up to 0.02.
func columns(count, n int) func(y *yard) {
	return func(y *yard) {
		for k := range count {
			for r := range n {
				y.add(3*float64(k)+0.02*y.float(), 0.5+float64(r), 0, cube, 1)
			}
		}
	}
}

// heapOf drops 96 bodies into a pit 10 wide.
func heapOf(shape func(y *yard, k int) (s geom.Shape, density float64)) func(y *yard) {
	return func(y *yard) {
		y.wall(-6, 15, 1, 15)
		y.wall(6, 15, 1, 15)
		for k := range 96 {
			x := 1.15*float64(k%8) - 4 + 0.1*y.float()
			angle := 6 * y.float()
			s, density := shape(y, k)
			y.add(x, 1+1.2*float64(k/8), angle, s, density)
		}
	}
}

// pile drops n boxes into a pit 20 wide, about half of them with the density heavy.
func pile(n int, heavy float64) func(y *yard) {
	return func(y *yard) {
		y.wall(-11, 30, 1, 30)
		y.wall(11, 30, 1, 30)
		for k := range n {
			x := 1.05*float64(k%18) - 9.3 + 0.1*y.float()
			angle := 6 * y.float()
			density := 1.0
			if y.float() < 0.5 {
				density = heavy
			}
			y.add(x, 1+1.2*float64(k/18), angle, geom.NewBox(0.4, 0.4), density)
		}
	}
}

// mixed returns discs, boxes and capsules of many sizes, of which a third have the density heavy.
func mixed(heavy float64) func(y *yard, k int) (geom.Shape, float64) {
	return func(y *yard, k int) (geom.Shape, float64) {
		density := 1.0
		if y.float() < 0.3 {
			density = heavy
		}
		r := 0.2 + 0.3*y.float()
		switch k % 3 {
		case 0:
			return geom.Circle{Radius: r}, density
		case 1:
			return geom.NewBox(r, 0.3), density
		}
		return geom.Capsule{A: geom.V(-r, 0), B: geom.V(r, 0), Radius: 0.15}, density
	}
}

// restTimes lists ordinary scenes with the simulated seconds until all bodies sleep: times of Box2D v3.2 (617d32ab)
// with the same layout, gravity 10, friction 0.6, steps of 1/60 with four sub-steps, and the most that Quarry may take.
// Scenes that fall into piles are chaotic, and so is the pyramid under 3,000 times its weight: a change of bits changes
// their times by a second or two. So Quarry's time is the median of nine layouts, of which the first is Box2D's.
var restTimes = []struct {
	name         string
	box2d, limit float64
	add          func(y *yard)
}{
	{"pyramid of 10 rows", 0.78, 1.2, pyramid(10, 1)},
	{"pyramid of 15 rows", 1.07, 1.07, pyramid(15, 1)},
	{"pyramid of 20 rows", 1.45, 1.45, pyramid(20, 1)},
	{"pyramid of 30 rows", 2.03, 2.03, pyramid(30, 1)},
	{"pyramid of 40 rows", 2.37, 2.37, pyramid(40, 1)},
	{"pyramid of 100 rows", 12.2, 12.2, pyramid(100, 1)},
	{"pyramid of 10 rows, upper half 30 times as heavy", 1.72, 2.5, pyramid(10, 30)},
	{"pyramid of 10 rows, upper half 100 times as heavy", 5.92, 6, pyramid(10, 100)},
	{"pyramid of 12 rows, upper half 100 times as heavy", 8.30, 6, pyramid(12, 100)},
	{"pyramid of 10 rows, upper half 200 times as heavy", 9.58, 6, pyramid(10, 200)},
	{"pyramid of 10 rows, upper half 3000 times as heavy", 8.90, 9, pyramid(10, 3000)},
	{"10 columns of 5", 0.52, 0.8, columns(10, 5)},
	{"10 columns of 10", 0.72, 1, columns(10, 10)},
	{"10 columns of 20", 1.00, 1.4, columns(10, 20)},
	{"column of 40", 1.80, 2, columns(1, 40)},
	{"wall of 10 rows of bricks", 6.00, 7, func(y *yard) {
		for r := range 10 {
			for k := range 10 {
				y.add(float64(2*k+r%2), 0.5+float64(r), 0, geom.NewBox(1, 0.5), 1)
			}
		}
	}},
	{"10 boxes dropped one on another", 1.67, 3, func(y *yard) {
		for r := range 10 {
			y.add(0.1*y.float(), 0.6+1.2*float64(r), 0, cube, 1)
		}
	}},
	{"heap of discs", 4.72, 6, heapOf(func(*yard, int) (geom.Shape, float64) { return ball, 1 })},
	{"heap of boxes", 4.88, 8, heapOf(func(*yard, int) (geom.Shape, float64) { return geom.NewBox(0.4, 0.4), 1 })},
	{"heap of capsules", 3.45, 5, heapOf(func(*yard, int) (geom.Shape, float64) {
		return geom.Capsule{A: geom.V(-0.3, 0), B: geom.V(0.3, 0), Radius: 0.2}, 1
	})},
	{"heap of many shapes", 3.53, 5, heapOf(mixed(1))},
	{"heap of many shapes, a third 10 times as heavy", 4.47, 11, heapOf(mixed(10))},
	{"heap of boxes, half of them 10 times as heavy", 6.28, 8, heapOf(func(_ *yard, k int) (geom.Shape, float64) {
		return geom.NewBox(0.4, 0.4), float64(1 + 9*(k%2))
	})},
	{"pile of 500 boxes, half of them 100 times as heavy", math.Inf(1), 14, pile(500, 100)},
	{"pile of 500 boxes, half of them 1000 times as heavy", 13.6, 14, pile(500, 1000)},
	{"20 dominoes", 6.55, 8, func(y *yard) {
		for k := range 20 {
			angle := 0.0
			if k == 0 {
				angle = -0.3
			}
			y.add(float64(k), 1, angle, geom.NewBox(0.125, 1), 1)
		}
	}},
	{"house of cards of 4 storeys", 1.25, 1.8, cards},
	{"box 50 times as heavy on 10", 1.62, 2, func(y *yard) {
		columns(1, 10)(y)
		y.add(0, 10.5, 0, cube, 50)
	}},
	{"box that slides at 10", 2.15, 2.3, func(y *yard) { y.add(0, 0.5, 0, cube, 1).SetVelocity(geom.V(10, 0)) }},
	{"box dropped on its corner", 2.08, 2.3, func(y *yard) { y.add(0, 5, 0.7, cube, 1) }},
	{"seesaw", 3.55, 5, func(y *yard) {
		plank := y.add(0, 1, 0, geom.NewBox(4, 0.1), 1)
		y.hinge(y.wall(0, 0.5, 0.1, 0.1), plank.ID(), 0, 1)
		y.add(-3, 1.6, 0, cube, 1)
		y.add(3, 5, 0, cube, 1)
	}},
}

// cards adds a house of cards of 4 storeys.
func cards(y *yard) {
	const half, thin = 1.0, 0.02
	lean := geom.NewRot(0.25)
	up, across := half*lean.C+thin*lean.S, half*lean.S+thin*lean.C
	floor := 0.0
	for n := 4; n > 0; n-- {
		at := func(k, count int) float64 { return (float64(k) - float64(count-1)/2) * (4*across + 0.02) }
		for k := range n {
			y.add(at(k, n)-across, floor+up, -0.25, geom.NewBox(thin, half), 1)
			y.add(at(k, n)+across, floor+up, 0.25, geom.NewBox(thin, half), 1)
		}
		floor += 2 * up
		for k := range n - 1 {
			y.add(at(k, n-1), floor+thin, 0, geom.NewBox(2*across+0.2, thin), 1)
		}
		floor += 2 * thin
	}
}

// settle steps the world until all bodies sleep, and returns the time; infinity if one is awake after these seconds.
func (y *yard) settle(seconds float64) float64 {
	for k := range int(seconds * 60) {
		if y.w.Step(worldtest.DT); y.w.Stats().Awake == 0 {
			return float64(k+1) / 60
		}
	}
	return math.Inf(1)
}

// TestRestTimes: ordinary scenes come to rest, about as fast as in Box2D, and stay asleep.
func TestRestTimes(t *testing.T) {
	for _, s := range restTimes {
		var times []float64
		for seed := range uint64(9) {
			y := newYard()
			if seed > 0 {
				y.random, y.jitter = y.random+seed, 0.001
			}
			s.add(y)
			times = append(times, y.settle(25))
		}
		slices.Sort(times)
		line := fmt.Sprintf("%-50s %6.2f s (%.2f to %.2f), Box2D %5.2f", s.name, times[4], times[0], times[8], s.box2d)
		if times[4] > s.limit {
			t.Errorf("%s: want at most %v s", line, s.limit)
		} else {
			t.Log(line)
		}
	}
}
