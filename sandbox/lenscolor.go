package sandbox

import (
	"fmt"

	"github.com/quarry2d/quarry/geom"
)

// colorReach is half the side of the square around the pointer whose contacts the lens "colors" shows, in cells.
const colorReach = 12.0

// lensColors shows the graph colours of the contacts around the pointer, as the solver took them in the last step: a
// dot at each point, with the number of its colour. Contacts with static bodies, which are solved last, are rings.
func (s *sim) lensColors(l lensPlace, p *lensPicture) {
	s.solved = s.Engine().AppendSolved(s.solved[:0], geom.Box(l.at, l.at).Expand(colorReach))
	var moving, fixed [32]int // contacts by colour
	alone, numbers := 0, len(s.solved) <= 150
	for i := range s.solved {
		c := &s.solved[i]
		form, role, count := "dot", "color alone", &moving
		if c.Fixed {
			form, count = "ring", &fixed
		}
		if c.Color < 0 {
			alone++
		} else {
			count[c.Color]++
			role = fmt.Sprintf("color c%d", c.Color)
		}
		for k := range c.N {
			p.draw(form, role, c.Points[k].Point)
			if numbers && c.Color >= 0 {
				p.write("color", c.Points[k].Point, "%d", c.Color)
			}
		}
	}
	p.say("contacts solved here", "%d", len(s.solved))
	p.say("colours", "%d of moving bodies, then %d with static ones", used(&moving), used(&fixed))
	if alone > 0 {
		p.say("solved alone", "%d: more contacts at a body than colours", alone)
	}
	for k := range moving {
		if n, m := moving[k], fixed[k]; n+m > 0 {
			p.say(fmt.Sprintf("colour %d", k), "%d moving, %d with static", n, m)
		}
	}
}

// used returns the number of colours with contacts.
func used(count *[32]int) (n int) {
	for _, k := range count {
		if k > 0 {
			n++
		}
	}
	return n
}
