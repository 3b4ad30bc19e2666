package published

import (
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry/gridseg"
)

// The ramps that the figures use: solid below and to the left, and above and to the right.
const (
	rampLeft  = gridseg.Turn(3)
	rampRight = gridseg.Turn(1)
)

// world is an empty world of both algorithms with the shapes of the figures.
func (s *sheet) world() *both {
	shapes := gridseg.NewShapes()
	for _, o := range []outline{
		{"two posts", [][][2]float64{{{0, 0}, {1, 0}, {1, 1}, {.75, 1}, {.75, .5}, {.25, .5}, {.25, 1}, {0, 1}}}},
		{"right half", [][][2]float64{{{.5, 0}, {1, 0}, {1, 1}, {.5, 1}}}},
		{"cell of figure 1", [][][2]float64{
			{{0, 0}, {.5, 0}, {.5, .25}, {.25, .25}, {.25, .625}, {0, .625}},
			{{.5625, .3125}, {.8125, .25}, {.6875, .625}},
			{{1, .5}, {1, 1}, {.25, 1}, {.375, .8125}, {.75, .8125}, {.8125, .5}},
		}},
	} {
		if _, err := shapes.Register(o.name, o.polys...); err != nil {
			s.tb.Fatal(err)
		}
	}
	b := newBoth(s.tb, shapes)
	return b
}

func (b *both) tile(shape string, turn gridseg.Turn) gridseg.Tile {
	b.tb.Helper()
	id, ok := b.shapes.Lookup(shape)
	if !ok {
		b.tb.Fatalf("no shape %s", shape)
	}
	return gridseg.Tile{Shape: id, Turn: turn}
}

// lay puts a tile of a shape into a cell of both.
func (b *both) lay(c Cell, shape string, turn gridseg.Turn) { b.set(c, b.tile(shape, turn)) }

// outlinesOf returns the polygons of the tiles in the cells.
func (b *both) outlinesOf(cells ...Cell) (polys [][]Vec) {
	for _, c := range cells {
		polys = append(polys, b.polygons(c, b.tiles[c])...)
	}
	return polys
}

// facing names the direction of a segment's normal, (e.y, -e.x).
func facing(a, b Vec) string {
	switch n := (Vec{b[1] - a[1], a[0] - b[0]}); {
	case n[0] == 0 && n[1] > 0:
		return "up"
	case n[0] == 0:
		return "down"
	case n[1] == 0 && n[0] > 0:
		return "right"
	case n[1] == 0:
		return "left"
	}
	return "aslant"
}

func vec(v Vec) string { return fmt.Sprintf("(%v, %v)", v[0], v[1]) }

// drawCell is figure 1: a cell with polygons in it, by kind of edge.
func drawCell(s *sheet) string {
	b := s.world()
	b.lay(Cell{}, "cell of figure 1", 0)
	b.resolve()
	p := s.panel("cell (0, 0)", view{x0: -.35, y0: -.35, x1: 1.35, y1: 1.35})
	polys := b.outlinesOf(Cell{})
	p.ground(polys...)
	border, inner := 0, 0
	for _, poly := range polys {
		for i, v := range poly {
			w := poly[(i+1)%len(poly)]
			class := "inner"
			if on, _ := b.pub.place(Cell{}, &Seg{Start: v, End: w}); on != nil {
				class = "raw1"
				border++
			} else {
				inner++
			}
			p.directed(class, v, w, 4)
		}
	}
	p.caption("%d polygons, %d edges:", len(polys), border+inner)
	p.caption("%d on a border of the cell (orange), %d interior (grey)", border, inner)
	s.holds(len(polys) == 3 && border == 4 && inner == 11, "%d polygons, %d and %d edges", len(polys), border, inner)
	pub, quarry := b.published(), b.quarry()
	s.holds(len(pub) == 15 && slices.Equal(pub, quarry), "published %v\nquarry %v", pub, quarry)
	return s.picture()
}

// border draws the faces on one border before the sweep.
func (s *sheet) border(head string, v view, b *both, on *borders, at Vec, cells ...Cell) *sheetPanel {
	p := s.panel(head, v)
	p.ground(b.outlinesOf(cells...)...)
	for i, raw := range on.raw[hash(at)] {
		class := "raw0"
		if raw.Start[on.axis] > raw.End[on.axis] {
			class = "raw1"
		}
		p.directed(class, raw.Start, raw.End, 5)
		p.beside(raw.Start, raw.End, -22, letter(i))
	}
	return p
}

// letter names the segments of a border in the order in which they were added.
func letter(i int) string { return string(rune('a' + i)) }

// drawBorders is figure 3: the entries of the two maps for one border each.
func drawBorders(s *sheet) string {
	for _, c := range []struct {
		head, name string
		cells      [2]Cell
		shapes     [2]string
		turns      [2]gridseg.Turn
		at         Vec
		want       []string
		ways       [2]string // of the segments of the first cell, and of the second
	}{
		{
			"3.1: y = 1", "y = 1",
			[2]Cell{{0, 0}, {0, 1}},
			[2]string{"two posts", "right half"},
			[2]gridseg.Turn{},
			Vec{0, 1},
			[]string{"(1, 1) > (0.75, 1)", "(0.25, 1) > (0, 1)", "(0.5, 1) > (1, 1)"},
			[2]string{"up", "down"},
		},
		{
			"3.2: x = 1", "x = 1",
			[2]Cell{{0, 0}, {1, 0}},
			[2]string{"two posts", "right half"},
			[2]gridseg.Turn{3, 3},
			Vec{1, 0},
			[]string{"(1, 0) > (1, 0.25)", "(1, 0.75) > (1, 1)", "(1, 0.5) > (1, 0)"},
			[2]string{"right", "left"},
		},
	} {
		b := s.world()
		for i, cell := range c.cells {
			b.lay(cell, c.shapes[i], c.turns[i])
		}
		on := &b.pub.horizontal
		v := view{x0: -.3, y0: .4, x1: 1.3, y1: 1.6}
		if c.at[0] == 1 {
			on, v = &b.pub.vertical, view{x0: .2, y0: -.1, x1: 1.8, y1: 1.1}
		}
		p := s.border(c.head, v, b, on, c.at, c.cells[:]...)
		var got []string
		for i, raw := range on.raw[hash(c.at)] {
			got = append(got, vec(raw.Start)+" > "+vec(raw.End))
			way := facing(raw.Start, raw.End)
			p.caption("%s: %s, faces %s, of cell %s", letter(i), got[i], way, vec(raw.cell.unhash()))
			side := 0
			if raw.cell == hash(c.cells[1].position()) {
				side = 1
			}
			s.holds(way == c.ways[side], "%s: %s faces %s", c.head, got[i], way)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		s.holds(slices.Equal(got, c.want), "%s holds %q, the text says %q", c.name, got, c.want)
		b.resolve()
		b.agree(s.tb)
	}
	return s.picture()
}

// interval is a piece of a border between two events of the sweep.
type interval struct {
	from, to   float64
	up, down   int // segments that run up the axis over it, and down
	kept       bool
	start, end Vec
}

// sweep counts the segments over each interval of a border, apart from the code under
// test, and returns the expected rest.
func sweep(segs []*Seg, axis int) (out []interval) {
	var at []float64
	for _, s := range segs {
		at = append(at, s.Start[axis], s.End[axis])
	}
	slices.Sort(at)
	at = slices.Compact(at)
	for i := range len(at) - 1 {
		v := interval{from: at[i], to: at[i+1], start: segs[0].Start, end: segs[0].Start}
		for _, s := range segs {
			lo, hi := min(s.Start[axis], s.End[axis]), max(s.Start[axis], s.End[axis])
			switch {
			case lo > v.from || hi < v.to:
			case s.Start[axis] < s.End[axis]:
				v.up++
			default:
				v.down++
			}
		}
		v.kept = (v.up > 0) != (v.down > 0)
		v.start[axis], v.end[axis] = v.from, v.to
		if v.down > 0 {
			v.start, v.end = v.end, v.start
		}
		out = append(out, v)
	}
	return out
}

// cancel draws a border before and after the sweep, and checks the remaining segments.
func (s *sheet) cancel(b *both, cells [2]Cell, at Vec) []interval {
	v := view{x0: -.35, y0: -.35, x1: 2.35, y1: 1.35}
	p := s.border("before: x = 1", v, b, &b.pub.vertical, at, cells[:]...)
	raw := slices.Clone(b.pub.vertical.raw[hash(at)])
	for i, r := range raw {
		p.caption("%s: %s > %s, faces %s", letter(i), vec(r.Start), vec(r.End), facing(r.Start, r.End))
	}
	parts := sweep(raw, 1)
	b.resolve()
	b.agree(s.tb)
	p = s.panel("after", v)
	p.ground(b.outlinesOf(cells[:]...)...)
	lines := b.quarry()
	for _, l := range lines {
		p.segment(l, "same", 2)
	}
	for _, l := range lines {
		p.links(l)
	}
	left := b.pub.vertical.resolved[hash(at)]
	k := 0
	for _, i := range parts {
		if !i.kept {
			p.line("gone", p.v.at(i.start), p.v.at(i.end))
			p.caption("(1, %v) to (1, %v): cancelled", i.from, i.to)
			continue
		}
		s.holds(k < len(left) && left[k].Start == i.start && left[k].End == i.end,
			"left of the border: %v, want %v > %v", left, i.start, i.end)
		k++
		p.caption("%s > %s, faces %s: remains", vec(i.start), vec(i.end), facing(i.start, i.end))
	}
	s.holds(k == len(left), "%d segments are left of the border, the count says %d", len(left), k)
	p.caption("%d segments, each with both ghosts", len(lines))
	for _, l := range lines {
		s.holds(l.has1 && l.has2, "%v", l)
	}
	return parts
}

// drawFull is figure 4.1: two blocks.
func drawFull(s *sheet) string {
	b := s.world()
	cells := [2]Cell{{0, 0}, {1, 0}}
	b.lay(cells[0], "full", 0)
	b.lay(cells[1], "full", 0)
	s.holds(len(b.pub.vertical.raw[hash(Vec{1, 0})]) == 2, "not two segments on x = 1")
	parts := s.cancel(b, cells, Vec{1, 0})
	s.holds(len(parts) == 1 && !parts[0].kept, "%+v", parts)
	s.holds(len(b.quarry()) == 6, "%d segments", len(b.quarry()))
	// The caption's horizontal border gives the same.
	b = s.world()
	b.lay(Cell{0, 0}, "full", 0)
	b.lay(Cell{0, 1}, "full", 0)
	b.resolve()
	b.agree(s.tb)
	s.holds(len(b.pub.horizontal.resolved[hash(Vec{0, 1})]) == 0 && len(b.quarry()) == 6, "one above the other: %v",
		b.quarry())
	return s.picture()
}

// drawPart is figure 4.2: half a face against a whole one.
func drawPart(s *sheet) string {
	b := s.world()
	cells := [2]Cell{{0, 0}, {1, 0}}
	b.lay(cells[0], "slab", 2)
	b.lay(cells[1], "full", 0)
	parts := s.cancel(b, cells, Vec{1, 0})
	s.holds(len(parts) == 2 && parts[0].kept && parts[0].from == 0 && parts[0].to == .5 && !parts[1].kept &&
		parts[1].to == 1, "%+v", parts)
	var rows [][]string
	for _, i := range parts {
		left := "nothing"
		if i.kept {
			left = fmt.Sprintf("`%s > %s`", vec(i.start), vec(i.end))
		}
		rows = append(rows, []string{
			fmt.Sprintf("y = %v to %v", i.from, i.to), fmt.Sprint(i.up), fmt.Sprint(i.down),
			left,
		})
	}
	s.table([]string{"interval", "activeRight", "activeLeft", "left"}, rows...)
	return s.picture()
}

// matchCase is a case of the worked example: bare segments, the first of which is seg1.
type matchCase struct {
	name     string
	edges    [3][2]Vec
	clock    bool // seg1 is outgoing: the search is clockwise
	angles   [2]float64
	best     int
	ghost    Vec
	ghostKey string
}

var matchCases = []matchCase{
	{
		"A",
		[3][2]Vec{{{0, 0}, {0, 1}}, {{1, 0}, {0, 0}}, {{-1, 1}, {0, 0}}},
		true,
		[2]float64{90, 315},
		1,
		Vec{1, 0},
		"ghost1",
	},
	{
		"B",
		[3][2]Vec{{{0, 1}, {0, 0}}, {{0, 0}, {1, 0}}, {{0, 0}, {-1, 1}}},
		false,
		[2]float64{270, 45},
		2,
		Vec{-1, 1},
		"ghost2",
	},
}

// farEnd is the end of a segment that is not the vertex (0, 0).
func farEnd(e [2]Vec) Vec {
	if e[0] == (Vec{}) {
		return e[1]
	}
	return e[0]
}

// drawMatch is figure 5: both worked cases, with the angles and the ghost of seg1.
func drawMatch(s *sheet) string {
	var rows [][]string
	for _, c := range matchCases {
		p := s.panel("case "+c.name, view{x0: -1.5, y0: -1.15, x1: 1.5, y1: 1.4})
		p.ground()
		d := difference{edges: c.edges[:]}
		pub, quarry, _ := d.match(s.tb)
		s.holds(slices.Equal(pub, quarry), "case %s: published %v, quarry %v", c.name, pub, quarry)
		for i, e := range c.edges {
			p.directed([]string{"right", "same", "inner"}[i], e[0], e[1], 0)
			far := farEnd(e)
			at := [3]Vec{{10, 2}, {-16, 26}, {-44, 14}}[i]
			p.label("", far, at[0], at[1], fmt.Sprintf("seg%d", i+1))
		}
		p.circle("vertex", p.v.at(Vec{}), 4)
		seg1 := farEnd(c.edges[0])
		for k := range 2 {
			far := farEnd(c.edges[k+1])
			degrees := directionalAngle(seg1, far, c.clock) * 180 / math.Pi
			s.holds(math.Abs(degrees-c.angles[k]) < 1e-9, "case %s: seg%d is at %v degrees, the text says %v", c.name,
				k+2, degrees, c.angles[k])
			class := "other"
			if k+1 == c.best {
				class = "best"
			}
			radius := 62.
			if c.angles[k] > 180 {
				radius = 84
			}
			out := 14.
			if c.angles[k] == 90 {
				out = -18 // there is room within
			}
			p.arc(class, Vec{}, seg1, far, c.clock, radius, out, fmt.Sprintf("%.0f°", c.angles[k]))
		}
		p.circle("ghost", p.v.at(c.ghost), 8)
		p.caption("seg1.%s = %s: the far end of seg%d, at %v degrees", c.ghostKey, vec(c.ghost), c.best+1,
			c.angles[c.best-1])
		for i, e := range c.edges {
			l := quarry[slices.IndexFunc(quarry, func(l line) bool { return l.a == snap(e[0]) && l.b == snap(e[1]) })]
			ghost, has, key, kind, dir := l.ghost2, l.has2, "ghost2", "incoming", Vec{-e[0][0], -e[0][1]}
			if e[0] == (Vec{}) {
				ghost, has, key, kind, dir = l.ghost1, l.has1, "ghost1", "outgoing", e[1]
			}
			s.holds(has, "case %s: seg%d has no %s", c.name, i+1, key)
			if i == 0 {
				s.holds(ghost == snap(c.ghost) && key == c.ghostKey, "case %s: %s is %v", c.name, key, ghost)
			}
			angle := ""
			if i > 0 {
				angle = fmt.Sprintf("%v°", c.angles[i-1])
			}
			rows = append(rows, []string{
				c.name, fmt.Sprintf("seg%d: `%s > %s`", i+1, vec(e[0]), vec(e[1])), kind,
				normalOf(dir), angle, fmt.Sprintf("%s = (%s, %s)", key, number(ghost.X), number(ghost.Y)),
			})
		}
	}
	s.table([]string{"case", "segment", "at (0, 0)", "normal", "from seg1", "ghost there"}, rows...)
	return s.picture()
}

// normalOf writes the normal of a direction, (e.y, -e.x), as words.
func normalOf(d Vec) string {
	words := ""
	switch {
	case -d[0] > 0:
		words = "up"
	case -d[0] < 0:
		words = "down"
	}
	side := ""
	switch {
	case d[1] > 0:
		side = "right"
	case d[1] < 0:
		side = "left"
	}
	if words != "" && side != "" {
		return words + "-" + side
	}
	return words + side
}

// drawTiles is figure 6: the two cases as they come in a world of tiles.
func drawTiles(s *sheet) string {
	for i, c := range matchCases {
		b := s.world()
		cells := [2]Cell{{0, -1}, {-1, 0}}
		turns := [2]gridseg.Turn{0, rampRight}
		if i > 0 {
			cells[0], turns[1] = Cell{0, 0}, rampLeft
		}
		b.lay(cells[0], "full", 0)
		b.lay(cells[1], "ramp", turns[1])
		b.resolve()
		b.agree(s.tb)
		v := view{x0: -1.5, y0: -1.3, x1: 1.5, y1: 1.3}
		p := s.panel("case "+c.name+" in tiles", v)
		p.ground(b.outlinesOf(cells[:]...)...)
		lines := b.quarry()
		at := gridseg.Point{}
		meet := 0
		for _, l := range lines {
			class := "inner"
			if l.a == at || l.b == at {
				meet++
				class = "same"
			}
			if l.a == snap(c.edges[0][0]) && l.b == snap(c.edges[0][1]) {
				class = "right"
				ghost, has := l.ghost1, l.has1
				if c.ghostKey == "ghost2" {
					ghost, has = l.ghost2, l.has2
				}
				s.holds(has && ghost == snap(c.ghost), "case %s: seg1 is %v", c.name, l)
				p.caption("seg1: ghost1 (%s, %s), ghost2 (%s, %s)", number(l.ghost1.X), number(l.ghost1.Y),
					number(l.ghost2.X), number(l.ghost2.Y))
			}
			p.segment(l, class, 2)
		}
		for _, l := range lines {
			p.links(l)
		}
		for k, e := range c.edges {
			where := [2][3]Vec{{{-.34, .72}, {.32, -.2}, {-.98, .36}}, {{.06, .62}, {.32, .1}, {-.64, .74}}}[i][k]
			p.label("", where, 0, 0, fmt.Sprintf("seg%d", k+1))
			s.holds(slices.ContainsFunc(lines, func(l line) bool { return l.a == snap(e[0]) && l.b == snap(e[1]) }),
				"case %s: no seg%d", c.name, k+1)
		}
		p.circle("ghost", p.v.at(c.ghost), 9)
		s.holds(meet == 4, "%d segments meet at (0, 0)", meet)
		fourth := lines[slices.IndexFunc(lines, func(l line) bool {
			return (l.a == at || l.b == at) && !slices.ContainsFunc(c.edges[:], func(e [2]Vec) bool {
				return l.a == snap(e[0]) && l.b == snap(e[1])
			})
		})]
		p.label("", [2]Vec{{.06, -.56}, {-.85, .1}}[i], 0, 0, "the fourth")
		p.caption("the fourth: (%s, %s) &gt; (%s, %s)", number(fourth.a.X), number(fourth.a.Y), number(fourth.b.X),
			number(fourth.b.Y))
	}
	return s.picture()
}
