package mover

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

const (
	// strides is the largest number of parts of a motion on the ground by at most the width of the character; a longer
	// one has as many for each width. A part ends where the ground bends, and at steps.
	strides = 32
	// mostStrides bounds the number of parts of any motion.
	mostStrides = 1 << 16
	// leastStride is the length, in units of length, of a part that makes no headway.
	leastStride = 0.1 * Skin
	// tunnelMouth is the length, in units of length, of the shortest way into a tunnel without room for Skin: on a
	// shorter one the edge above would push the character back by Skin.
	tunnelMouth = 2 * Skin
	// halvings is the number of places at which lastGround looks for the ground.
	halvings = 10
)

// walk moves the character along the ground for dt seconds, at its speed and the speed of the belt under it. The body
// under it has the velocity carrier. OnGround is then whether there is ground at the end.
func (c *Character) walk(w *quarry.World, carrier, belt geom.Vec, dt float64) {
	q, from := c.axes(), c.Footing
	vx := q.Inv(c.Velocity).X
	rest := (vx + belt.Dot(c.Footing.along())) * dt // of the motion, along the ground: to the right, if up is up
	toward, bent, blocked := math.Copysign(1, rest), false, false
	way := c.Footing.along()
	for range int(min(mostStrides, strides*(1+math.Floor(math.Abs(rest)/c.width())))) {
		start := c.Position
		end, stopped := c.slide(w, start, way.Mul(rest), true)
		g, ok := c.ground(w, end, c.landing()+c.StepHeight, leastRest)
		if !ok {
			// In front of a slope that is too steep the character stays on the ground beside it.
			stopped = q.Inv(g.contact).Y > 0 && float64(q.Inv(g.contact).X*toward) < 0
			if end, g, ok = c.lastGround(w, start, end); !ok && stopped {
				end, g, ok = start, c.Footing, true
				g.Distance = g.rest
			}
			if !ok {
				c.Position, _ = c.slide(w, start, q.Apply(geom.V(rest, 0)), true)
				c.OnGround = false
				break
			}
			c.collect(w, end, geom.Vec{})
		}
		moved := max(0, math.Copysign(end.Dist(start), float64(q.Inv(end.Sub(start)).X*toward)))
		c.Position = end
		c.settle(g)
		moved = min(moved, c.Position.Dist(start)) // a wall ahead lifts a slide along a slope, and settle undoes that
		if rest -= float64(toward * moved); float64(rest*toward) < leastSlide {
			break
		}
		headway := moved > leastStride
		way = c.Footing.along()
		if bent = stopped && (headway || !bent) && c.bend(&way, toward); bent {
			continue
		}
		// The last part of a slide, to Skin from surfaces, may undo the rest: without headway it is stopped.
		if blocked = !headway && !c.over(w, &rest); blocked || float64(rest*toward) < leastSlide {
			break
		}
	}
	c.noteWalls()
	surface := carrier.Add(belt)
	c.push(w, c.Velocity.Add(carrier), dt)
	switch {
	case !c.OnGround:
		c.Velocity = c.Velocity.Add(surface)
		return
	case blocked && float64(vx*float64(c.OnWall)) > 0:
		vx = 0
	case c.Footing.Body != from.Body || c.Footing.Material != from.Material: // to another surface at its own speed
		vx += q.Inv(surface.Sub(c.Footing.Velocity(w))).X
	}
	c.Velocity = q.Apply(geom.V(vx, 0))
}

// bend turns way, along which the motion is if toward is 1, and against which if it is -1, up along the walkable
// surface that the last slide met, if there is one.
func (c *Character) bend(way *geom.Vec, toward float64) bool {
	q, found := c.axes(), false
	for _, pl := range c.planes {
		if pl.Separation < Skin+leastStride && !c.steep(q.Inv(pl.Normal)) &&
			float64(pl.Normal.Dot(*way)*toward) < -parallel {
			*way, found = geom.V(pl.Normal.Y, -pl.Normal.X), true
		}
	}
	return found
}

// lastGround returns the last place on the way from start to end that has ground, and this ground, if the way to it
// makes headway.
func (c *Character) lastGround(w *quarry.World, start, end geom.Vec) (geom.Vec, Footing, bool) {
	var last Footing
	low, high := 0.0, 1.0
	for range halvings {
		middle := 0.5 * (low + high)
		if g, ok := c.ground(w, start.Lerp(end, middle), c.landing()+c.StepHeight, leastRest); ok {
			low, last = middle, g
		} else {
			high = middle
		}
	}
	place := start.Lerp(end, low)
	return place, last, place.Dist(start) > leastStride
}

// over moves the character, which is stopped, over a step, or into a tunnel that has no room for Skin above the
// ground, a little farther than rest if it must. It takes the distance from rest.
func (c *Character) over(w *quarry.World, rest *float64) bool {
	q, at := c.axes(), c.Position
	step := func(p geom.Vec) bool {
		x := q.Inv(p.Sub(at)).X
		g, ok := c.ground(w, p, c.landing()+c.StepHeight, leastRest)
		if !ok || float64(x**rest) <= 0 {
			return false
		}
		c.Position = p
		c.collect(w, p, geom.Vec{})
		c.settle(g)
		if *rest -= x; float64(x**rest) < 0 {
			*rest = 0
		}
		return true
	}
	if c.StepHeight > 0 {
		if p, ok := c.StepUp(w, at, *rest, c.StepHeight); ok {
			return step(p)
		}
	}
	low := at.Sub(q.Apply(geom.V(0, min(c.Footing.Distance, c.Footing.rest))))
	d := c.Footing.along().Mul(math.Copysign(max(math.Abs(*rest), tunnelMouth), *rest))
	if !c.free(w, low, d.Mul(leastStride/d.Len())) {
		return false
	}
	p, _ := c.slide(w, low, d, true)
	return float64(q.Inv(p.Sub(at)).X*math.Copysign(1, *rest)) > leastStride && step(p)
}
