package published

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/quarry2d/quarry/gridseg"
)

// flow is the effect of one add or remove, with its compute, on the article's maps, as
// counted on the maps: the numbers in figure 2.
type flow struct {
	head        string
	edges       [3]int // of the polygon: on a horizontal border, on a vertical one, interior
	dropped     int    // resolved segments that the edit takes out of vertexManifold
	dirty       [3]int // after the edit: horizontal borders, vertical ones, vertices
	in, out     [2]int // segments that the sweep of each kind of border takes, and gives
	matched     int    // vertices whose ghosts are assigned
	segments    int    // at the end
	whole       int    // of them with both ghosts
	marked      bool   // the vertex (1, 0) was dirty before the sweep
	quarryDelta [3]int // added, removed and relinked, as Resolve tells it
}

// edit adds or removes the tile's polygon in published and in gridseg, and computes
// step by step, counting.
func (f *flow) edit(s *sheet, b *both, c Cell, poly []Vec, add bool) {
	w := b.pub
	resolved := func() int {
		n := 0
		for _, border := range []*borders{&w.horizontal, &w.vertical} {
			for _, segs := range border.resolved {
				n += len(segs)
			}
		}
		return n
	}
	for i, v := range poly {
		e := &Seg{Start: v, End: poly[(i+1)%len(poly)]}
		switch border, _ := w.place(c, e); border {
		case &w.horizontal:
			f.edges[0]++
		case &w.vertical:
			f.edges[1]++
		default:
			f.edges[2]++
		}
	}
	before := resolved()
	if add {
		w.Add(c, poly, 0)
	} else {
		w.Remove(c, poly, 0)
	}
	f.dropped = before - resolved()
	f.dirty = [3]int{len(w.horizontal.dirty.list), len(w.vertical.dirty.list), len(w.dirty.list)}
	_, f.marked = w.dirty.has[hash(Vec{1, 0})]
	for i, border := range []*borders{&w.horizontal, &w.vertical} {
		for _, k := range border.dirty.list {
			f.in[i] += len(border.raw[k])
			w.resolve(border, k)
			f.out[i] += len(border.resolved[k])
		}
		border.dirty.clear()
	}
	f.matched = len(w.dirty.list)
	w.Compute()
	for _, l := range b.published() {
		f.segments++
		if l.has1 && l.has2 {
			f.whole++
		}
	}
	s.holds(f.whole == f.segments, "%s: %d of %d segments have both ghosts", f.head, f.whole, f.segments)
}

// The width of a chart and of a third of it, in pixels.
const (
	flowWide = 3*wide + 2*14
	wide     = 168.
)

// chart draws one flow at an offset.
func (f *flow) chart(x0 float64) string {
	var p panel
	const high, gap = 42., 14.
	box := func(class string, x, y, w float64, lines ...string) {
		fmt.Fprintf(&p, `<rect class=%q x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="5"/>`+"\n", class, x, y, w,
			high)
		for i, l := range lines {
			weight := ""
			if i > 0 {
				weight = " bold"
			}
			p.text("mid"+weight, Vec{x + w/2, y + high/2 + 4 + 16*(float64(i)-float64(len(lines)-1)/2)}, l)
		}
	}
	var head sheetPanel
	arrow := func(x0, y0, x1, y1 float64) {
		head.line("flow", Vec{x0, y0}, Vec{x1, y1})
		head.tip("flow", Vec{x1, y1}, Vec{x1 - x0, y1 - y0})
	}
	column := func(i int) float64 { return float64(i) * (wide + gap) }
	middle := func(i int) float64 { return column(i) + wide/2 }
	const all = flowWide
	const row = 78.
	box("box", 0, 0, all, f.head, fmt.Sprintf("%d edges", f.edges[0]+f.edges[1]+f.edges[2]))
	for i, name := range [3]string{"horizontalBoundarySegs", "verticalBoundarySegs", "vertexManifold"} {
		arrow(middle(i), high, middle(i), row)
		kind := [3]string{"on y = 0: %d", "on x = 1: %d", "interior: %d"}[i]
		box("box", column(i), row, wide, name, fmt.Sprintf(kind, f.edges[i]))
	}
	for i, name := range [3]string{"dirtyHorizontal", "dirtyVertical", "dirtyVertices"} {
		arrow(middle(i), row+high, middle(i), 2*row)
		box("box", column(i), 2*row, wide, name, fmt.Sprint(f.dirty[i]))
		if i < 2 {
			arrow(middle(i), 2*row+high, middle(i), 3*row)
			name := [2]string{"resolvedHorizontal", "resolvedVertical"}[i]
			box("box", column(i), 3*row, wide, name, fmt.Sprintf("phase 1: %d in, %d left", f.in[i], f.out[i]))
			arrow(middle(i), 3*row+high, middle(i), 4*row)
		}
	}
	arrow(middle(2), 2*row+high, middle(2), 4*row)
	box("box", 0, 4*row, all, "phase 2: radial match", fmt.Sprintf("at %d vertices", f.matched))
	arrow(all/2, 4*row+high, all/2, 5*row)
	box("box-out", 0, 5*row, all, "segments, all with both ghosts", fmt.Sprint(f.segments))
	return fmt.Sprintf(`<g transform="translate(%.0f 24)">`+"\n%s%s</g>\n", x0, head.String(), p.String())
}

// drawFlow is figure 2: a ramp is added beside a block, and removed again.
func drawFlow(s *sheet) string {
	b := s.world()
	b.lay(Cell{0, 0}, "full", 0)
	s.holds(len(b.pub.dirty.list) == 0, "adding a block marks vertices dirty before any sweep")
	b.resolve()
	foot := b.published()[slices.IndexFunc(b.published(), func(l line) bool { return l.b == snap(Vec{1, 0}) })]
	s.holds(foot.has2 && foot.ghost2 == snap(Vec{1, 1}), "the block's foot is %v", foot)
	c, tile := Cell{1, 0}, b.tile("ramp", rampLeft)
	poly := b.polygons(c, tile)[0]
	var flows [2]flow
	for i, head := range [2]string{"add: a ramp to cell (1, 0)", "remove: the ramp again"} {
		f := &flows[i]
		f.head = head
		f.edit(s, b, c, poly, i == 0)
		if i > 0 {
			tile = gridseg.Tile{}
		}
		if err := b.grid.Set(c.X, c.Y, tile); err != nil {
			s.tb.Fatal(err)
		}
		delta := b.grid.Resolve()
		for k, list := range []iter.Seq[gridseg.Segment]{delta.Added(), delta.Removed(), delta.Relinked()} {
			f.quarryDelta[k] = len(slices.Collect(list))
		}
		s.holds(len(only(b.published(), b.quarry())) == 0 && len(only(b.quarry(), b.published())) == 0,
			"%s: published %v, quarry %v", head, b.published(), b.quarry())
	}
	s.holds(!flows[0].marked, "adding marks the vertex (1, 0) dirty, where nothing of the ramp's interior ends")
	var rows [][]string
	for _, f := range flows {
		rows = append(rows, []string{
			f.head, fmt.Sprint(f.edges[0] + f.edges[1]), fmt.Sprint(f.edges[2]), fmt.Sprint(f.dropped),
			fmt.Sprintf("%d, %d, %d", f.dirty[0], f.dirty[1], f.dirty[2]),
			fmt.Sprintf("%d of %d", f.out[0]+f.out[1], f.in[0]+f.in[1]),
			fmt.Sprint(f.matched), fmt.Sprint(f.segments),
			fmt.Sprintf("%d, %d, %d", f.quarryDelta[0], f.quarryDelta[1], f.quarryDelta[2]),
		})
	}
	s.table([]string{
		"edit", "boundary edges", "interior", "resolved segments dropped", "dirty: horizontal, vertical, vertices",
		"left by the sweep", "vertices matched", "segments", "`Resolve` here: added, removed, relinked",
	}, rows...)
	var in strings.Builder
	in.WriteString(flows[0].chart(20) + flows[1].chart(20+flowWide+40))
	return frame(2*flowWide+80, 24+5*78+42+20, in.String())
}
