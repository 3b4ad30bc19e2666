package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/canvas"
)

// The figures of the lecture "Uniform Grids", drawn from the answers of the grids. A figure
// reports an answer that differs from the lecture's.
var lecture = []struct {
	name string
	wide float64
	draw func(s *sheet)
}{
	{"fill", 250, drawFillRule},
	{"four", 250, drawFourCells},
	{"many", 250, drawManyCells},
	{"dda", 250, drawDDA},
	{"twice", 250, drawTwice},
	{"under", 330, drawUnder},
	{"sizes", 250, drawCellSizes},
}

// lecturePictures draws the figures of the lecture.
func lecturePictures(t *report) {
	for _, p := range lecture {
		t.within = p.name
		s := &sheet{t: t, wide: p.wide, high: p.wide, columns: 3}
		p.draw(s)
		t.show(gridPage, gridFigures+p.name+".svg", []byte(s.picture()))
	}
	t.within = ""
}

var (
	inkCell  = canvas.RGB(0x7f9fc4) // a cell with objects, or that a ray enters
	inkChunk = canvas.RGB(0x8a50b0)
)

// must adds a box to a grid.
func (s *sheet) must(g *grid.Grid, b geom.AABB) grid.ID {
	s.t.Helper()
	id, err := g.Add(b, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// area fills a box.
func (p *panel) area(b geom.AABB, c canvas.Ink) {
	lo, hi := p.at(b.Min), p.at(b.Max)
	p.path.Reset()
	p.path.Polygon(lo, geom.V(hi.X, lo.Y), hi, geom.V(lo.X, hi.Y))
	p.v.Fill(&p.path, c)
}

// box draws an object's box.
func (p *panel) box(b geom.AABB, c canvas.Ink) {
	p.area(b, c.Fade(.45))
	p.v.Stroke(&p.path, 1.6, c.Mix(canvas.RGB(0), .25))
}

// cell shades a cell.
func (p *panel) cell(k grid.Cell, c canvas.Ink) {
	at := geom.V(float64(k.X), float64(k.Y))
	p.area(geom.AABB{Min: at, Max: at.Add(geom.V(1, 1))}, c)
}

// named shades a cell and writes its name at its outer left corner.
func (p *panel) named(k grid.Cell, c canvas.Ink) {
	p.cell(k, c)
	at := geom.V(float64(k.X), float64(k.Y))
	if k.Y > 0 {
		p.label(at.Add(geom.V(0, 1)), 5, 14, cellName(k))
	} else {
		p.label(at, 5, -6, cellName(k))
	}
}

func cellName(k grid.Cell) string { return fmt.Sprintf("(%d, %d)", k.X, k.Y) }

// cellsOf returns the cells that have objects.
func cellsOf(g *grid.Grid) (cells []grid.Cell) {
	for _, l := range g.AppendLoads(nil) {
		cells = append(cells, l.Cell)
	}
	return cells
}

func drawFillRule(s *sheet) {
	g := grid.NewHashed(1)
	point := func(p *panel, v geom.Vec, want grid.Cell, dx, dy float64) {
		s.t.Helper()
		got := g.CellOf(v)
		s.holds(got == want, "%v is in cell %v, want %v", v, got, want)
		p.dot(v, 4, inkGiven)
		p.label(v, dx, dy, vec(v))
		p.caption("%s is in the cell %s", vec(v), cellName(got))
	}
	owned := func(p *panel, x, y float64) {
		p.area(geom.Box(geom.V(x, y), geom.V(x+1, y+1)), inkCell.Fade(.3))
		p.line(geom.V(x, y), geom.V(x+1, y), 4, inkCell)
		p.line(geom.V(x, y), geom.V(x, y+1), 4, inkCell)
	}
	p := s.panel("A cell has its lower and left side", -.5, -.5, 2.2, 2.2)
	p.solid()
	owned(p, 0, 0)
	owned(p, 1, 1)
	point(p, geom.V(0, 0), grid.Cell{X: 0, Y: 0}, 8, -8)
	point(p, geom.V(.9, .9), grid.Cell{X: 0, Y: 0}, -58, 16)
	point(p, geom.V(1, 1), grid.Cell{X: 1, Y: 1}, 8, -8)

	p = s.panel("Below zero: rounded down, too", -1.6, -1.6, 1.1, 1.1)
	p.solid()
	owned(p, -1, -1)
	owned(p, 0, 0)
	point(p, geom.V(-.2, -.2), grid.Cell{X: -1, Y: -1}, -66, 4)
	point(p, geom.V(-1, -1), grid.Cell{X: -1, Y: -1}, 8, -8)
	point(p, geom.V(.2, .2), grid.Cell{X: 0, Y: 0}, 10, 4)

	p = s.panel("On a line: the upper or right cell", -.5, -.5, 2.2, 2.2)
	p.solid()
	owned(p, 1, 0)
	owned(p, 0, 1)
	point(p, geom.V(1, .5), grid.Cell{X: 1, Y: 0}, 8, -8)
	point(p, geom.V(.5, 1), grid.Cell{X: 0, Y: 1}, 8, -8)
	point(p, geom.V(.95, 1.5), grid.Cell{X: 0, Y: 1}, -64, 16)
	got := g.CellOf(geom.V(math.Nextafter(1, 0), 1.5))
	s.holds(got == grid.Cell{X: 0, Y: 1}, "the last number below 1 is in cell %v", got)
}

func drawFourCells(s *sheet) {
	a, b := geom.Box(geom.V(.55, .6), geom.V(1.3, 1.35)), geom.Box(geom.V(1.1, .9), geom.V(1.8, 1.6))
	view := func(head string) *panel {
		p := s.panel(head, -.2, -.2, 2.5, 2.5)
		p.solid()
		return p
	}
	both := func(p *panel) {
		p.box(a, inkBodyA)
		p.box(b, inkBodyB)
		p.label(a.Min, 5, -6, "A")
		p.label(b.Max, -14, 15, "B")
	}
	g := grid.NewHashed(1)
	one := func(p *panel, of func(geom.AABB) geom.Vec) {
		ka, kb := g.CellOf(of(a)), g.CellOf(of(b))
		s.holds(ka != kb && a.Overlaps(b), "A and B are listed together by one point, or do not overlap")
		p.named(ka, inkBodyA.Fade(.25))
		p.named(kb, inkBodyB.Fade(.25))
		both(p)
		p.dot(of(a), 4, inkBefore)
		p.dot(of(b), 4, inkBefore)
		p.caption("A in %s, B in %s:", cellName(ka), cellName(kb))
		p.caption("they overlap, and share no cell")
	}
	one(view("Listed by the middle"), geom.AABB.Center)
	one(view("Listed by the lower left"), func(b geom.AABB) geom.Vec { return b.Min })

	p := view("Listed in all that it overlaps")
	idA := s.must(g, a)
	cells := cellsOf(g)
	s.holds(slices.Equal(cells, []grid.Cell{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 0, Y: 1}, {X: 1, Y: 1}}),
		"A is in the cells %v", cells)
	for _, k := range cells {
		p.named(k, inkCell.Fade(.25))
	}
	idB := s.must(g, b)
	pairs := g.AppendPairs(nil)
	s.holds(slices.Equal(pairs, [][2]grid.ID{{idA, idB}}), "the pairs are %v", pairs)
	both(p)
	p.caption("A is in all four, B in the right two:")
	p.caption("the pair is found, and once")
	loads := g.AppendLoads(nil)
	s.holds(len(loads) == 4 && loads[1].N == 2 && loads[3].N == 2 && loads[0].N == 1, "loads are %v", loads)
}

func drawManyCells(s *sheet) {
	a, b := geom.Box(geom.V(.2, .25), geom.V(.8, .75)), geom.Box(geom.V(7.2, 7.25), geom.V(7.8, 7.75))
	show := func(g *grid.Grid, head string, wide float64, b geom.AABB) *panel {
		p := s.panel(head, -.06*wide, -.06*wide, 1.06*wide, 1.06*wide)
		s.must(g, a)
		s.must(g, b)
		cells := cellsOf(g)
		s.holds(len(cells) == 2, "%v: cells %v", g.Kind(), cells)
		for _, k := range cells {
			at := geom.V(float64(k.X), float64(k.Y))
			p.area(geom.AABB{Min: at, Max: at.Add(geom.V(1, 1))}, inkCell.Fade(.6))
		}
		return p
	}
	lines := func(p *panel, x0, y0, n float64, c canvas.Ink) {
		for k := range int(n) + 1 {
			d := float64(k)
			p.line(geom.V(x0+d, y0), geom.V(x0+d, y0+n), 1, c)
			p.line(geom.V(x0, y0+d), geom.V(x0+n, y0+d), 1, c)
		}
	}
	objects := func(p *panel, b geom.AABB) {
		p.box(a, inkBodyA)
		p.box(b, inkBodyB)
	}
	p := show(grid.NewFixed(1, geom.Box(geom.V(0, 0), geom.V(7.9, 7.9))), "An array: 64 cells for 2 objects", 8, b)
	lines(p, 0, 0, 8, inkFace.Fade(.5))
	objects(p, b)
	p.caption("8 x 8 cells, of which 2 are used;")
	p.caption("twice as wide, 256 for the same 2")

	g := grid.NewHashed(1)
	p = show(g, "A hash table: the 2 cells in use", 8, b)
	for _, k := range cellsOf(g) {
		lines(p, float64(k.X), float64(k.Y), 1, inkFace)
	}
	objects(p, b)
	p.caption("2 cells, wherever they are")

	far := b.Translate(geom.V(48, 48))
	g = grid.NewChunked(1)
	p = show(g, "Chunks: 16 x 16 cells each", 64, far)
	s.holds(g.Stats().Chunks == 2, "%d chunks", g.Stats().Chunks)
	for _, o := range []geom.AABB{a, far} {
		x, y := g.ChunkOf(o.Min)
		at := geom.V(float64(x), float64(y)).Mul(grid.ChunkSide)
		lines(p, at.X, at.Y, grid.ChunkSide, inkFace.Fade(.35))
		p.area(geom.AABB{Min: at, Max: at.Add(geom.V(grid.ChunkSide, grid.ChunkSide))}, inkChunk.Fade(.08))
		p.v.Stroke(&p.path, 2, inkChunk)
	}
	objects(p, far)
	p.caption("64 x 64 cells: 2 chunks in use of 16,")
	p.caption("%d cells in place of %d", 2*grid.ChunkSide*grid.ChunkSide, 64*64)
}

func drawDDA(s *sheet) {
	// hit returns the T at which the ray reaches a line of the grid.
	hit := func(from, d geom.Vec, line geom.AABB) float64 {
		s.t.Helper()
		g := grid.NewHashed(1)
		s.must(g, line)
		h, ok := g.Ray(from, d, math.Inf(1), grid.All)
		s.holds(ok, "the ray from %v along %v does not reach %v", from, d, line)
		return h.T
	}
	const long = 8
	step := func(head string, view, from, d geom.Vec, x, y, wantX, wantY float64) *panel {
		p := s.panel(head, view.X, view.Y, view.X+2.7, view.Y+2.7)
		p.solid()
		g := grid.NewHashed(1)
		k := g.CellOf(from)
		p.cell(k, inkCell.Fade(.3))
		p.label(geom.V(float64(k.X)+1, float64(k.Y)), -40, -6, cellName(k))
		tx := hit(from, d, geom.Box(geom.V(x, -long), geom.V(x, long)))
		ty := hit(from, d, geom.Box(geom.V(-long, y), geom.V(long, y)))
		s.holds(tx == wantX && ty == wantY, "tx = %v, ty = %v, want %v and %v", tx, ty, wantX, wantY)
		p.line(geom.V(x, view.Y), geom.V(x, view.Y+2.7), 3, inkBodyB)
		p.line(geom.V(view.X, y), geom.V(view.X+2.7, y), 3, inkGhost)
		end := from.MulAdd(max(tx, ty)*1.12, d)
		p.line(from, end, 2, inkFace)
		p.arrow(end.MulAdd(-.01, d), d, 12, 2, inkFace)
		p.dot(from, 4, inkFace)
		p.dot(from.MulAdd(tx, d), 5, inkBodyB)
		p.dot(from.MulAdd(ty, d), 5, inkGhost)
		p.label(from.MulAdd(tx, d), 9, 14, "tx = "+num(tx))
		p.label(from.MulAdd(ty, d), -70, -7, "ty = "+num(ty))
		p.caption("tx = (%s - %s) / %s = %s", num(x), num(from.X), num(d.X), num(tx))
		p.caption("ty = (%s - %s) / %s = %s", num(y), num(from.Y), num(d.Y), num(ty))
		return p
	}
	p := step("p = (1, 0), d = (1, 2)", geom.V(.4, -.3), geom.V(1, 0), geom.V(1, 2), 2, 1, 1, .5)
	p.caption("ty is less: up, to the cell (1, 1)")
	p = step("d = (-1, -2): the other sides", geom.V(.4, .1), geom.V(2.5, 2.25), geom.V(-1, -2), 2, 2, .5, .125)
	p.caption("ty is less: down, to the cell (2, 1)")

	// The whole way, in the order in which the grid walks it.
	p = s.panel("The cells that the ray enters", -.2, -.2, 4.2, 4.2)
	p.solid()
	g := grid.NewHashed(1)
	s.must(g, geom.Box(geom.V(.5, .5), geom.V(3.5, 3.5))) // the cells in use
	from, d := geom.V(1.25, .1), geom.V(1, 2)
	cells := g.AppendRayCells(nil, from, d, 1.7)
	s.holds(slices.Equal(cells, []grid.Cell{{X: 1, Y: 0}, {X: 1, Y: 1}, {X: 2, Y: 1}, {X: 2, Y: 2}, {X: 2, Y: 3}}),
		"the ray's cells are %v", cells)
	for i, k := range cells {
		p.cell(k, inkCell.Fade(.3))
		// In the corner that is farther from the ray.
		left, right := geom.V(float64(k.X), float64(k.Y)+1), geom.V(float64(k.X)+1, float64(k.Y))
		if math.Abs(d.Cross(left.Sub(from))) > math.Abs(d.Cross(right.Sub(from))) {
			p.label(left, 6, 16, fmt.Sprint(i+1))
		} else {
			p.label(right, -14, -7, fmt.Sprint(i+1))
		}
	}
	p.line(from, from.MulAdd(1.7, d), 2, inkFace)
	p.arrow(from.MulAdd(1.62, d), d, 12, 2, inkFace)
	p.dot(from, 4, inkFace)
	p.caption("each time to the cell beyond the")
	p.caption("nearer of the two sides; the last is %s", cellName(cells[len(cells)-1]))
}
