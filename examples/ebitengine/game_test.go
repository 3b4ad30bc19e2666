package main

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// play makes n ticks with one input.
func play(g *game, n int, in input) {
	for range n {
		g.update(in)
	}
}

func TestHeroWalksAndJumps(t *testing.T) {
	g := newGame()
	play(g, 60, input{})
	if !g.hero.OnGround {
		t.Fatalf("the hero is in the air at %v after a second", g.hero.Position)
	}
	from := g.hero.Position
	play(g, 60, input{left: true})
	if g.hero.Position.X > from.X-4 {
		t.Errorf("a second to the left: from %v to %v", from, g.hero.Position)
	}
	y := g.hero.Position.Y
	play(g, 10, input{jump: true})
	if g.hero.Position.Y < y+1 {
		t.Errorf("jumped from height %.2f to %.2f", y, g.hero.Position.Y)
	}
}

// Digging through the floor makes a hole to fall into, and gives earth to build with.
func TestDigAndBuild(t *testing.T) {
	g := newGame()
	play(g, 60, input{})
	y, had := g.hero.Position.Y, g.earth
	play(g, 120, input{dig: true, aim: g.hero.Position.Add(geom.V(0, -0.6))})
	if g.hero.Position.Y > y-0.7 || g.earth < had+0.5 {
		t.Errorf("after digging the hero is at %.2f, was at %.2f; earth %.2f, was %.2f", g.hero.Position.Y, y, g.earth,
			had)
	}
	at := g.hero.Position.Add(geom.V(3, 3))
	had = g.earth
	g.update(input{build: true, aim: at})
	breaks := g.world.Breaks()
	if len(breaks) != 1 || breaks[0].Body == 0 || g.earth > had-0.5 {
		t.Errorf("what was built in the air did not come off as a body: %+v, earth %.2f, was %.2f", breaks, g.earth,
			had)
	}
}

// A house of which the legs are dug away falls.
func TestHouseFalls(t *testing.T) {
	g := newGame()
	play(g, 60, input{})
	for _, x := range []int32{22, 29} {
		g.dig(geom.V(float64(x)+0.5, float64(heightAt(x))+2.5), 0.8, false)
	}
	g.update(input{})
	breaks := g.world.Breaks()
	if len(breaks) != 1 || breaks[0].Area < 10 {
		t.Fatalf("no house came off: %+v", breaks)
	}
	house, _ := g.world.Body(breaks[0].Body)
	y := house.Position().Y
	play(g, 120, input{})
	if house.Position().Y > y-1 {
		t.Errorf("the house fell from %.2f to %.2f", y, house.Position().Y)
	}
}

// A bomb digs a crater and is gone.
func TestBomb(t *testing.T) {
	g := newGame()
	play(g, 60, input{})
	from := g.hero.Position
	g.update(input{throw: true, aim: from.Add(geom.V(3, -1))})
	had := g.world.Stats().Bodies
	if play(g, 120, input{}); len(g.bombs) != 0 || g.world.Stats().Bodies >= had {
		t.Errorf("%d bombs are left after two seconds, %d bodies of %d", len(g.bombs), g.world.Stats().Bodies, had)
	}
	if g.earth < 12 {
		t.Errorf("a crater gave %.1f cells of earth", g.earth-10)
	}
}

// Going back and playing the same again comes to the same world.
func TestBackInTime(t *testing.T) {
	g := newGame()
	play(g, 60, input{})
	script := func() {
		play(g, 30, input{right: true, dig: true, aim: g.hero.Position.Add(geom.V(1, 0))})
		g.update(input{throw: true, aim: g.hero.Position.Add(geom.V(3, 3))})
		play(g, 120, input{})
	}
	script()
	hash, hero, steps := g.world.Hash(), g.hero.Position, g.world.StepCount()
	for g.world.StepCount() > 60 {
		play(g, 1, input{rewind: true})
	}
	for g.world.StepCount() < 60 {
		g.update(input{})
	}
	script()
	if g.world.StepCount() != steps || g.world.Hash() != hash || g.hero.Position != hero {
		t.Errorf("step %d, hash %x, hero %v; the first time %d, %x, %v", g.world.StepCount(), g.world.Hash(),
			g.hero.Position, steps, hash, hero)
	}
}
