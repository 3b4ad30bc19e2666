package gridseg

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestFullCellTakesStrokes works on few cells with small brushes for long. A cell at lattice.MaxPatch gives
// up its smallest detail; it used to refuse every stroke from then on.
func TestFullCellTakesStrokes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	g, m := New(nil), mirror{}
	block := Rect{MinX: 0, MinY: 0, MaxX: 2, MaxY: 2}
	if err := g.Fill(block, Tile{Shape: Full}); err != nil {
		t.Fatal(err)
	}
	var holes [][]Point // 225 diamonds, 900 vertices
	for k := range int64(225) {
		x, y := Unit+200+260*(k%15), Unit+200+260*(k/15)
		holes = append(holes, []Point{{X: x - 60, Y: y}, {X: x, Y: y - 60}, {X: x + 60, Y: y}, {X: x, Y: y + 60}})
	}
	if err := g.Subtract(holes); err != nil {
		t.Fatal(err)
	}
	refused, thinned, most := 0, 0, 0
	held := func() (n int) { // by the fullest cell
		for c := range g.Tiles(everywhere) {
			k := 0
			for _, loops := range g.Polygons(c.X, c.Y) {
				for _, loop := range loops {
					k += len(loop)
				}
			}
			n = max(n, k)
		}
		return n
	}
	const strokes = 250
	for k := range strokes {
		x, y := 1+r.Float64(), 1+r.Float64() // over the sides of the cell too
		loops, err := Circle(x, y, .002+.02*r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		if k%2 == 0 {
			err = g.Subtract(loops)
		} else {
			err = g.Unite(loops, Attr{Material: uint16(r.IntN(3))})
		}
		if err != nil {
			if !errors.Is(err, ErrTooLarge) {
				t.Fatal(err)
			}
			refused++
			continue
		}
		if k%25 != 0 && k != strokes-1 {
			continue
		}
		d := g.Resolve()
		m.take(t, &d)
		m.equals(t, g)
		checkPolygons(t, g)
		n := held()
		most = max(most, n)
		if n > lattice.MaxPatch-16 {
			thinned++
		}
	}
	worldOf(g).check(t, g)
	t.Logf("%d of %d strokes refused; the fullest cell has %d vertices, was near the bound %d times", refused, strokes,
		most, thinned)
	if refused > 0 || thinned < 5 {
		t.Errorf("%d strokes refused, near the bound %d times", refused, thinned)
	}
}
