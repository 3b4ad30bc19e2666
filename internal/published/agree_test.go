package published

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/gridseg"
)

// The cases where the article's algorithm is right: near the origin, on gridseg's five
// built-in shapes, without layers, its segments equal gridseg's after edits in any order.
// The other tests have the cases where they differ.

// TestEveryTwoByTwo lays every arrangement of {empty, block, four ramps} in 2 x 2
// cells round the origin, so that half of the cells are negative.
func TestEveryTwoByTwo(t *testing.T) {
	kinds := []gridseg.Tile{
		{},
		{Shape: gridseg.Full},
		{Shape: gridseg.Ramp},
		{Shape: gridseg.Ramp, Turn: 1},
		{Shape: gridseg.Ramp, Turn: 2},
		{Shape: gridseg.Ramp, Turn: 3},
	}
	b := newBoth(t, gridseg.NewShapes())
	for k := range 6 * 6 * 6 * 6 {
		rest := k
		for i := range int32(4) {
			b.set(Cell{i%2 - 1, i/2 - 1}, kinds[rest%6])
			rest /= 6
		}
		b.resolve()
		b.agree(t)
	}
}

// TestEveryPair lays every two of the five shapes in every turn side by side, and
// one above the other.
func TestEveryPair(t *testing.T) {
	for _, at := range []Cell{{1, 0}, {0, 1}, {1, 1}} {
		b := newBoth(t, gridseg.NewShapes())
		for k := range 5 * 5 * 64 {
			one := gridseg.Tile{Shape: gridseg.ShapeID(k/64%5 + 1), Turn: gridseg.Turn(k & 7)}
			two := gridseg.Tile{Shape: gridseg.ShapeID(k/64/5 + 1), Turn: gridseg.Turn(k >> 3 & 7)}
			b.set(Cell{}, one)
			b.set(at, two)
			b.resolve()
			b.agree(t)
		}
	}
}

// TestEdits makes random edits, additions and removals in any order, one or more
// to a Compute.
func TestEdits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBoth(rt, gridseg.NewShapes())
		for range rapid.IntRange(1, 30).Draw(rt, "computes") {
			for range rapid.IntRange(1, 4).Draw(rt, "edits") {
				c := Cell{rapid.Int32Range(-2, 1).Draw(rt, "x"), rapid.Int32Range(-2, 1).Draw(rt, "y")}
				tile := gridseg.Tile{Shape: gridseg.ShapeID(rapid.IntRange(0, 5).Draw(rt, "shape"))}
				if tile.Shape != 0 {
					tile.Turn = gridseg.Turn(rapid.IntRange(0, 7).Draw(rt, "turn"))
				}
				b.set(c, tile)
			}
			b.resolve()
			b.agree(rt)
		}
	})
}

// gallery is shapes of every kind of meeting, on coordinates that float32 holds.
// seams says which have polygons that share edges within the cell.
var gallery = []struct {
	name  string
	seams bool
	polys [][][2]float64
}{
	{"notch", false, [][][2]float64{{{0, 0}, {1, 0}, {1, 1}, {.75, 1}, {.75, .5}, {.25, .5}, {.25, 1}, {0, 1}}}},
	{"diamond", false, [][][2]float64{{{.5, 0}, {1, .5}, {.5, 1}, {0, .5}}}},
	{"halves", true, [][][2]float64{{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}}},
	{"pillars", false, [][][2]float64{{{0, 0}, {.25, 0}, {.25, 1}, {0, 1}}, {{.75, 0}, {1, 0}, {1, 1}, {.75, 1}}}},
	{"stack", true, [][][2]float64{{{0, 0}, {1, 0}, {1, .25}, {0, .25}}, {
		{.25, .25},
		{.75, .25},
		{.75, .5},
		{.25, .5},
	}}},
	{"island", false, [][][2]float64{{{.25, .25}, {.75, .25}, {.5, .75}}}},
	{"vertices", false, [][][2]float64{{{0, 0}, {.5, 0}, {1, 0}, {1, .25}, {1, 1}, {.375, 1}, {0, 1}, {0, .5}}}},
	{"bow tie", false, [][][2]float64{{{0, 0}, {.5, .5}, {0, 1}}, {{1, 0}, {1, 1}, {.5, .5}}}},
	{"corners", false, [][][2]float64{{{0, 0}, {.5, 0}, {0, .5}}, {{1, 1}, {.5, 1}, {1, .5}}}},
	{"three steps", false, [][][2]float64{{
		{0, 0},
		{1, 0},
		{1, .125},
		{.875, .25},
		{1, .375},
		{1, .625},
		{.875, .75},
		{1, .875},
		{1, 1},
		{0, 1},
	}}},
	{"fans", true, [][][2]float64{{{0, 0}, {1, 0}, {.5, .5}}, {{1, 0}, {1, 1}, {.5, .5}}, {{1, 1}, {0, 1}, {.5, .5}}}},
}

// tees reports whether a vertex of one tile lies within a face of the other without any
// face beginning or ending there: the T-junctions that a sweep cannot see.
func tees(b *both, c, d Cell) bool {
	type face struct{ from, to Vec }
	vertices, faces := map[Vec]int{}, []face{}
	ends := map[Vec]bool{}
	for _, cell := range []Cell{c, d} {
		for _, p := range b.polygons(cell, b.tiles[cell]) {
			for i, v := range p {
				vertices[v]++
				if w := p[(i+1)%len(p)]; v[0] == w[0] && v[0] == 1 || v[1] == w[1] && v[1] == 1 {
					faces = append(faces, face{v, w})
					ends[v], ends[w] = true, true
				}
			}
		}
	}
	for v := range vertices {
		if !ends[v] && slices.ContainsFunc(faces, func(f face) bool {
			inX := min(f.from[0], f.to[0]) <= v[0] && v[0] <= max(f.from[0], f.to[0])
			inY := min(f.from[1], f.to[1]) <= v[1] && v[1] <= max(f.from[1], f.to[1])
			return inX && inY
		}) {
			return true
		}
	}
	return false
}

// TestGallery lays every pair of the gallery in every turn: the two agree unless a
// shape has a seam within its cell or a vertex touches a face that no other face
// ends on, and then they do not.
func TestGallery(t *testing.T) {
	shapes := gridseg.NewShapes()
	seams := map[gridseg.ShapeID]bool{}
	for _, d := range gallery {
		id, err := shapes.Register(d.name, d.polys...)
		if err != nil {
			t.Fatal(err)
		}
		seams[id] = d.seams
	}
	n, apart := 0, 0
	for _, at := range []Cell{{1, 0}, {0, 1}} {
		b := newBoth(t, shapes)
		for one := range gridseg.ShapeID(shapes.Len()) {
			for two := range gridseg.ShapeID(shapes.Len()) {
				for turn := range gridseg.Turn(64) {
					n++
					if testing.Short() && n%7 != 0 {
						continue
					}
					b.set(Cell{}, gridseg.Tile{Shape: one + 1, Turn: turn & 7})
					b.set(at, gridseg.Tile{Shape: two + 1, Turn: turn >> 3})
					b.resolve()
					same := slices.Equal(b.published(), b.quarry())
					if want := !seams[one+1] && !seams[two+1] && !tees(b, Cell{}, at); same != want {
						t.Fatalf("tiles %v: same is %v, want %v\n%v\n%v", b.tiles, same, want, b.published(),
							b.quarry())
					}
					if !same {
						apart++
					}
				}
			}
		}
	}
	t.Logf("%d of %d pairs differ", apart, n)
}

// TestEventTies shuffles the segments of a border, and so the events that tie: the
// sweep does not depend on their order, since it opens no interval between equals.
func TestEventTies(t *testing.T) {
	faces := [][2]float64{{0, .25}, {.25, .5}, {.5, .75}, {.75, 1}, {.5, 0}, {.75, .5}, {1, .875}}
	r := rand.New(rand.NewPCG(1, 2))
	var want []line
	for round := range 200 {
		r.Shuffle(len(faces), func(i, j int) { faces[i], faces[j] = faces[j], faces[i] })
		b := both{pub: New()}
		for _, f := range faces {
			s := &Seg{Start: Vec{f[0], 0}, End: Vec{f[1], 0}}
			b.pub.horizontal.raw[hash(Vec{})] = append(b.pub.horizontal.raw[hash(Vec{})], s)
		}
		b.pub.resolve(&b.pub.horizontal, hash(Vec{}))
		got := b.published()
		if round == 0 {
			want = got
			if text := write(got); !slices.Equal(text, []string{"-: 0.75,0 > 0.875,0 :-"}) {
				t.Fatal(text)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v gives %v, want %v", faces, got, want)
		}
	}
}

// TestWorkedExample compares the radial match with the article's section 3.2.
func TestWorkedExample(t *testing.T) {
	at := func(s *Seg, flip bool) *Seg {
		if flip {
			s.Start, s.End = s.End, s.Start
		}
		return s
	}
	for _, flip := range []bool{false, true} {
		w := New()
		one := at(&Seg{Start: Vec{0, 0}, End: Vec{0, 1}}, flip)
		for _, s := range []*Seg{one, at(&Seg{Start: Vec{1, 0}}, flip), at(&Seg{Start: Vec{-1, 1}}, flip)} {
			w.insert(s)
			w.mark(s)
		}
		w.Compute()
		if !flip && (one.Ghost1 == nil || *one.Ghost1 != Vec{1, 0}) {
			t.Errorf("case A: ghost1 is %v", one.Ghost1)
		}
		if flip && (one.Ghost2 == nil || *one.Ghost2 != Vec{-1, 1}) {
			t.Errorf("case B: ghost2 is %v", one.Ghost2)
		}
	}
}

// write returns the lines as text.
func write(ls []line) []string {
	out := []string{}
	for _, l := range ls {
		out = append(out, l.String())
	}
	return out
}
