package main

import (
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/mover"
)

// The rules, in cells and seconds.
const (
	dt        = 1.0 / 60
	runSpeed  = 6.0
	jumpSpeed = 11.5
	reach     = 5.0 // of the pick, from the chest
	pick      = 0.7 // radius of a hole
	clod      = 0.5 // radius of a build
	fuse      = 1.5
	blast     = 2.4 // radius of a crater
	saveEvery = 3   // steps between two moments to go back to
	moments   = 200 // ten seconds of them
)

// input is the state of the keys and of the mouse in a tick.
type input struct {
	left, right, jump, down, throw, dig, build, rewind bool
	aim                                                geom.Vec // the mouse, in the world
}

// game is the state of a game: the world, and facts of the rules that the world does not know.
type game struct {
	world  *quarry.World
	ground quarry.Ground
	mat    materials
	state
	from   geom.Vec // the hero's position before the last step
	past   []moment // ring of the last moments
	newest int      // number of moments taken, less those gone back over
	kept   int      // of past
	report gridseg.Report
}

// state is the part of a game beside its world that changes with time.
type state struct {
	hero  mover.Character
	gold  float64 // dug, in cells
	earth float64 // dug, to build with, in cells
	bombs []bomb
	puffs []puff
}

// bomb is a body that explodes.
type bomb struct {
	body quarry.BodyID
	left float64 // seconds
}

// puff is a cloud of dust, for the eye only.
type puff struct {
	at        geom.Vec
	size, age float64
}

// moment is a state of game and world to go back to.
type moment struct {
	world quarry.Snapshot
	state state
}

func newGame() *game {
	w, ground, m, start := newLevel()
	g := &game{world: w, ground: ground, mat: m, past: make([]moment, moments)}
	g.hero = mover.Character{
		Mover:    mover.Mover{Shape: geom.Capsule{A: geom.V(0, 0.35), B: geom.V(0, 1.25), Radius: 0.35}},
		Position: start, StepHeight: 0.6, Mass: 2, MaxForce: 60,
	}
	g.from, g.earth = start, 10
	return g
}

// heroAt is the hero's position at a fraction of the last step.
func (g *game) heroAt(alpha float64) geom.Vec { return g.from.Lerp(g.hero.Position, alpha) }

// chest is the point of the hero from which the arms reach.
func (g *game) chest() geom.Vec { return g.hero.Position.Add(geom.V(0, 1)) }

// update makes one step of 1/60 s.
func (g *game) update(in input) {
	g.from = g.hero.Position
	if in.rewind {
		g.goBack()
		return
	}
	if g.world.StepCount()%saveEvery == 0 {
		g.keep()
	}

	// Input: the hero's velocity, then the pick, the builds and the bombs.
	g.hero.Velocity.X = 0
	if in.left {
		g.hero.Velocity.X -= runSpeed
	}
	if in.right {
		g.hero.Velocity.X += runSpeed
	}
	if in.jump && g.hero.OnGround {
		g.hero.Velocity.Y = jumpSpeed
	}
	g.hero.DropThrough = in.down
	if to := in.aim.Sub(g.chest()); to.Len() > reach {
		in.aim = g.chest().Add(to.Mul(reach / to.Len()))
	}
	switch {
	case in.dig:
		g.dig(in.aim, pick, false)
	case in.build:
		g.build(in.aim)
	}
	if in.throw {
		g.throw(in.aim)
	}

	// The hero moves before the world, so that it rides on fallen pieces that move.
	g.hero.Move(g.world, geom.V(0, -25), dt)
	g.world.Step(dt)

	// Events: dust where pieces came off, and bombs whose time is over.
	for _, b := range g.world.Breaks() {
		g.puffs = append(g.puffs, puff{at: b.Center, size: min(2, 0.5+0.2*b.Area)})
	}
	for i := range g.puffs {
		g.puffs[i].age += dt
	}
	g.puffs = slices.DeleteFunc(g.puffs, func(p puff) bool { return p.age > 0.5 })
	for i := range g.bombs {
		b := &g.bombs[i]
		if b.left -= dt; b.left <= 0 {
			g.explode(b.body)
		}
	}
	g.bombs = slices.DeleteFunc(g.bombs, func(b bomb) bool { return b.left <= 0 })
}

// dig digs a round hole out of every ground that it touches, the world's and fallen pieces. The pick
// spares stone; nothing digs bedrock.
func (g *game) dig(p geom.Vec, radius float64, stone bool) {
	for ground := range g.world.Grounds() {
		hard := func(_ gridseg.Cell, t gridseg.Tile) bool {
			m := ground.Material(t)
			return m == g.mat.bedrock || m == g.mat.stone && !stone
		}
		if ground.Dig(p, p, radius, gridseg.Keep(hard), gridseg.ReportTo(&g.report)) != nil {
			continue // too far from this ground's cells
		}
		for _, a := range g.report.Areas {
			switch quarry.MaterialID(a.Material) {
			case g.mat.gold:
				g.gold += a.Removed()
			case g.mat.earth:
				g.earth += a.Removed()
			}
		}
	}
}

// build adds earth, as long as there is some, where no body and no hero is.
func (g *game) build(p geom.Vec) {
	free := p.Sub(g.chest()).Len() > 1.6 && !g.world.Overlaps(geom.Circle{Radius: clod}, geom.At(p), quarry.QueryFilter{
		Test: func(t quarry.Target) bool { return t.Ground != g.ground.ID() },
	})
	if !free || g.earth < 1 {
		return
	}
	if g.ground.Build(p, p, clod, gridseg.Attr{Material: uint16(g.mat.earth)}, gridseg.ReportTo(&g.report)) == nil {
		for _, a := range g.report.Areas {
			g.earth += a.Removed() // below 0: an area was added
		}
	}
}

// throw throws a bomb towards p.
func (g *game) throw(p geom.Vec) {
	d := p.Sub(g.chest())
	if d.Len() < 0.1 {
		return
	}
	d = d.Mul(1 / d.Len())
	id := g.world.AddBody(quarry.BodyDef{
		Type: quarry.Dynamic, Position: g.chest(), Velocity: d.Mul(14),
		AngularVelocity: -4 * d.X,
	})
	g.world.AddShape(id, geom.Circle{Radius: 0.25}, quarry.ShapeDef{Density: 3})
	g.bombs = append(g.bombs, bomb{id, fuse})
}

// explode removes a bomb, digs a crater and throws bodies.
func (g *game) explode(id quarry.BodyID) {
	body, ok := g.world.Body(id)
	if !ok {
		return
	}
	p := body.Position()
	g.world.RemoveBody(id)
	g.dig(p, blast, true)
	g.world.Explode(quarry.ExplosionDef{Center: p, Radius: blast, Falloff: 3, ImpulsePerLength: 8})
	if d := g.chest().Sub(p); d.Len() < blast+2 {
		g.hero.Velocity = g.hero.Velocity.Add(d.Mul(6 / max(0.5, d.Len())))
	}
	g.puffs = append(g.puffs, puff{at: p, size: 2 * blast})
}

// keep stores this moment in place of the oldest one.
func (g *game) keep() {
	m := &g.past[g.newest%moments]
	g.world.Capture(&m.world)
	bombs, puffs := m.state.bombs[:0], m.state.puffs[:0]
	m.state = g.state
	m.state.bombs, m.state.puffs = append(bombs, g.bombs...), append(puffs, g.puffs...)
	g.newest++
	g.kept = min(g.kept+1, moments)
}

// goBack goes back to the last stored moment, and forgets it.
func (g *game) goBack() {
	if g.kept == 0 {
		return
	}
	g.newest--
	g.kept--
	m := &g.past[g.newest%moments]
	g.world.Rewind(&m.world)
	bombs, puffs := g.bombs[:0], g.puffs[:0]
	g.state = m.state
	g.bombs, g.puffs = append(bombs, m.state.bombs...), append(puffs, m.state.puffs...)
}
