package published

import (
	"errors"
	"slices"

	"github.com/quarry2d/quarry/gridseg"
	exact "github.com/quarry2d/quarry/internal/lattice"
)

// laid is a tile of a shape by its name in a cell; no name clears the cell.
type laid struct {
	x, y  int32
	shape string
	turn  gridseg.Turn
	layer uint8
}

// outline is a shape to register: its polygons, in cells.
type outline struct {
	name  string
	polys [][][2]float64
}

// difference is a smallest world in which the two differ: a section of
// docs/gridseg.md, its picture, and a test.
type difference struct {
	id, title string
	law       string // of the ground that decides
	why       string // the result of each, and the reason

	shapes   []outline
	preserve bool     // layers 1 and 2 preserve against each other
	slanted  bool     // the article's 4.1 to the letter: World.DropSlanted
	twice    bool     // published is told to add each tile twice
	refused  error    // gridseg's error for the shape, which is then left out
	rounds   [][]laid // edits, with a Compute and a Resolve after each round
	edges    [][2]Vec // instead of tiles: for the radial match alone

	published, quarry []string // segments of only one of them, as line.String writes them

	view    view
	marked  string // a line of both that the picture shows as published's own
	verdict string // a remark in quarry's picture
}

// lay builds the world of a difference.
func (d *difference) lay(t Failer) *both {
	t.Helper()
	shapes := gridseg.NewShapes()
	b := newBoth(t, shapes)
	if d.preserve {
		if err := b.grid.Preserve(1, 2); err != nil {
			t.Fatal(err)
		}
		b.pub.ShouldPreserve = func(p, q int) bool { return p+q == 3 }
	}
	b.pub.DropSlanted = d.slanted
	for _, o := range d.shapes {
		id, err := shapes.Register(o.name, o.polys...)
		if !errors.Is(err, d.refused) {
			t.Fatalf("%s: registering %s: %v, want %v", d.id, o.name, err, d.refused)
		}
		if err == nil {
			b.raw[id] = o.polys
		}
	}
	for _, round := range d.rounds {
		for _, l := range round {
			c := Cell{l.x, l.y}
			if d.refused != nil {
				for _, p := range d.shapes[0].polys {
					var vs []Vec
					for _, v := range p {
						vs = append(vs, Vec{float64(l.x) + v[0], float64(l.y) + v[1]})
					}
					b.pub.Add(c, vs, 0)
				}
				continue
			}
			tile := gridseg.Tile{Turn: l.turn, Layer: l.layer}
			if l.shape != "" {
				tile.Shape = lookup(t, shapes, l.shape)
			}
			b.set(c, tile)
			if d.twice {
				for _, p := range b.polygons(c, tile) {
					b.pub.Add(c, p, int(tile.Layer))
				}
			}
		}
		b.resolve()
	}
	return b
}

// answers returns the segments of both, and the polygons that they come from.
func (d *difference) answers(t Failer) (pub, quarry []line, polys [][]Vec) {
	t.Helper()
	if d.edges != nil {
		return d.match(t)
	}
	b := d.lay(t)
	if d.refused != nil {
		for _, p := range d.shapes[0].polys {
			polys = append(polys, nil)
			for _, v := range p {
				polys[len(polys)-1] = append(polys[len(polys)-1], Vec(v))
			}
		}
	}
	for _, round := range d.rounds {
		for _, l := range round {
			polys = append(polys, b.polygons(Cell{l.x, l.y}, b.tiles[Cell{l.x, l.y}])...)
		}
	}
	return b.published(), b.quarry(), polys
}

// match links bare edges in both.
func (d *difference) match(t Failer) (pub, quarry []line, polys [][]Vec) {
	t.Helper()
	b := both{pub: New()}
	var edges []exact.Edge
	for _, e := range d.edges {
		s := &Seg{Start: e[0], End: e[1]}
		b.pub.insert(s)
		b.pub.mark(s)
		edges = append(edges, exact.Edge{A: snap(e[0]), B: snap(e[1])})
	}
	b.pub.Compute()
	prev, next, err := exact.RadialMatch(edges)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range edges {
		l := line{a: e.A, b: e.B}
		if k := prev[i]; k >= 0 {
			l.ghost1, l.has1 = edges[k].A, true
		}
		if k := next[i]; k >= 0 {
			l.ghost2, l.has2 = edges[k].B, true
		}
		quarry = append(quarry, l)
	}
	slices.SortFunc(quarry, compareLines)
	return b.published(), quarry, nil
}
