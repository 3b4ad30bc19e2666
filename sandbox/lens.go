package sandbox

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/play"
)

// A lens shows how the engine came to a result at one place, as the figures do of the documents from which it is made.
// It reads the world and changes nothing.

// lensPlace is the place of a client's lens.
type lensPlace struct {
	at, to geom.Vec      // the pointer; to is the end of a drawn ray
	body   quarry.BodyID // of the lens "object"; 0: what is at the place
	joint  quarry.JointID
}

// lensPicture is what a lens shows: the JSON of LENS.
type lensPicture struct {
	Lens  string `json:"lens"`
	Facts []fact `json:"facts,omitempty"`
	Marks []mark `json:"marks,omitempty"`
	// Body and Joint are the object of the lens "object".
	Body  quarry.BodyID  `json:"body,omitempty"`
	Joint quarry.JointID `json:"joint,omitempty"`
	// Object has the values that tools change, by name.
	Object map[string]any `json:"object,omitempty"`
	// Numbers are the times of the stages, in ms, of the lens "phases".
	Numbers []float64 `json:"numbers,omitempty"`

	origin geom.Vec // of the marks being made
}

// fact is a line of text of a lens.
type fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// mark is a part of the drawing of a lens, with points in the world.
type mark struct {
	Form   string    `json:"form"` // line, arrow, dot, ring, area, text; arc has its centre, its start and its end
	Role   string    `json:"role"` // what it stands for; the page chooses its look
	Points []float64 `json:"points"`
	Text   string    `json:"text,omitempty"`
}

const (
	// maxLenses bounds the lenses of a client.
	maxLenses = 4
	// maxMarks bounds the marks of a picture.
	maxMarks = 1500
	// lensReach is the distance in cells within which a lens finds bodies and contacts.
	lensReach = 2.5
	// maxNear bounds the shapes that a lens looks at.
	maxNear = 64
)

// lenses are the lenses by name.
var lenses = map[string]func(s *sim, l lensPlace, p *lensPicture){
	"object":  (*sim).lensObject,
	"cell":    (*sim).lensCell,
	"radial":  (*sim).lensRadial,
	"contact": (*sim).lensContact,
	"clip":    (*sim).lensClip,
	"heat":    (*sim).lensHeat,
	"colors":  (*sim).lensColors,
	"ray":     (*sim).lensRay,
	"trip":    (*sim).lensTrip,
	"phases":  (*sim).lensPhases,
}

func lensNames() []string { return slices.Sorted(maps.Keys(lenses)) }

// checkLens checks the command "lens".
func checkLens(c *Command) error {
	if lenses[c.Name] == nil && (c.Name != "" || !c.Off) {
		return fmt.Errorf("lens: there is no lens %.40q; the lenses are %s", c.Name, strings.Join(lensNames(), ", "))
	}
	if !within(c.X, play.MaxJointCoordinate) || !within(c.Y, play.MaxJointCoordinate) {
		return fmt.Errorf("lens: (%v, %v) is out of range: x and y must be within %.0f of 0", c.X, c.Y,
			float64(play.MaxJointCoordinate))
	}
	return c.CheckLine()
}

// setLens begins, moves or ends a lens of a client.
func setLens(_ *sim, c *client, m Command) error {
	switch {
	case m.Off && m.Name == "":
		c.lenses = nil
	case m.Off:
		delete(c.lenses, m.Name)
	default:
		if c.lenses == nil {
			c.lenses = map[string]lensPlace{}
		}
		if _, ok := c.lenses[m.Name]; !ok && len(c.lenses) >= maxLenses {
			return fmt.Errorf("lens: %d lenses are open, the limit", maxLenses)
		}
		l := lensPlace{at: geom.V(m.X, m.Y), to: geom.V(m.X1, m.Y1), body: m.Body, joint: m.Joint}
		if m.Name == "ray" {
			l.at = geom.V(m.X0, m.Y0)
		}
		c.lenses[m.Name] = l
	}
	return nil
}

// syncLenses appends a LENS for each lens of the client.
func (c *client) syncLenses(s *sim) {
	for _, name := range slices.Sorted(maps.Keys(c.lenses)) {
		p := lensPicture{Lens: name}
		lenses[name](s, c.lenses[name], &p)
		if name == "object" { // it stays with the object
			l := c.lenses[name]
			l.body, l.joint = p.Body, p.Joint
			c.lenses[name] = l
		}
		c.batch.bytes = appendJSON(c.batch.bytes, msgLens, p)
		c.batch.cut()
	}
}

// say adds a fact.
func (p *lensPicture) say(name, format string, args ...any) {
	p.Facts = append(p.Facts, fact{name, fmt.Sprintf(format, args...)})
}

// draw adds a mark. It leaves out those with points that are not finite, for which JSON has no form.
func (p *lensPicture) draw(form, role string, points ...geom.Vec) *mark {
	m := mark{Form: form, Role: role}
	for _, v := range points {
		v = v.Add(p.origin)
		if !within(v.X, 1e15) || !within(v.Y, 1e15) {
			return &m
		}
		m.Points = append(m.Points, v.X, v.Y)
	}
	if len(p.Marks) >= maxMarks {
		return &m
	}
	p.Marks = append(p.Marks, m)
	return &p.Marks[len(p.Marks)-1]
}

// write adds a text.
func (p *lensPicture) write(role string, at geom.Vec, format string, args ...any) {
	p.draw("text", role, at).Text = fmt.Sprintf(format, args...)
}

// nearShapes returns shapes near a point, the nearest boxes first.
func (s *sim) nearShapes(at geom.Vec) []quarry.Shape {
	w := s.Engine()
	var list []quarry.Shape
	for _, id := range w.AppendShapesIn(nil, geom.Box(at, at).Expand(lensReach)) {
		if sh, ok := w.Shape(id); ok && len(list) < maxNear {
			list = append(list, sh)
		}
	}
	return list
}

// nearContact returns the touching contact nearest to a point that fits.
func (s *sim) nearContact(at geom.Vec, fits func(c *quarry.Contact) bool) (best quarry.Contact, ok bool) {
	least := lensReach
	var contacts []quarry.Contact
	for _, sh := range s.nearShapes(at) {
		contacts = sh.AppendContacts(contacts[:0])
		for i := range contacts {
			c := &contacts[i]
			if c.N == 0 || !fits(c) {
				continue
			}
			for k := range c.N {
				if d := c.Points[k].Point.Dist(at); d < least {
					best, least, ok = *c, d, true
				}
			}
		}
	}
	return best, ok
}

// groundUnder returns the ground with a tile at a point, or else with one near it; ok is false if there is none.
func (s *sim) groundUnder(at geom.Vec) (best quarry.Ground, ok bool) {
	near := false
	for g := range s.Engine().Grounds() {
		cell, is := g.CellAt(at)
		if !is {
			continue
		}
		r := cellsAround(cell)
		switch {
		case g.Tile(cell.X, cell.Y).Shape != 0:
			best, ok, near = g, true, true
		case !near && g.Grid().Engine(lattice.Key{}).AnySolid(r):
			best, ok = g, true
		}
	}
	return best, ok
}
