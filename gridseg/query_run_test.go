package gridseg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// runsOf is the slow way: the segments of r, and for each the one among them that is
// its next if the two are in line.
func runsOf(g *Grid, r Rect) (all []Segment, runs [][]int) {
	all = g.AppendSegments(nil, r)
	at := map[SegmentID]int{}
	for i, s := range all {
		at[s.ID] = i
	}
	next, joined := map[int]int{}, map[int]bool{}
	for i, s := range all {
		u, v := lattice.Sub(s.B, s.A), lattice.Sub(s.Ghost2, s.B)
		if j, ok := at[s.Next]; ok && s.HasGhost2 && lattice.Cross(u, v) == 0 && lattice.Dot(u, v) > 0 {
			next[i], joined[j] = j, true
		}
	}
	for i := range all {
		if joined[i] {
			continue
		}
		run := []int{i}
		for j, ok := next[i]; ok; j, ok = next[j] {
			run = append(run, j)
		}
		runs = append(runs, run)
	}
	return all, runs
}

// checkRuns compares the runs of r with a slow search, and looks up the tiles under
// points along and beyond each run.
func checkRuns(rs *Runs, g *Grid, r Rect, rnd *rand.Rand) error {
	rs.Gather(g, r)
	all, want := runsOf(g, r)
	if len(rs.List) != len(want) {
		return fmt.Errorf("%v: %d runs, want %d", r, len(rs.List), len(want))
	}
	for k := range rs.List {
		run, segs := &rs.List[k], want[k]
		first, last := &all[segs[0]], &all[segs[len(segs)-1]]
		is := Run{
			A: first.A, B: last.B, Ghost1: first.Ghost1, Ghost2: last.Ghost2,
			HasGhost1: first.HasGhost1, HasGhost2: last.HasGhost2, from: run.from, to: run.to,
		}
		if *run != is {
			return fmt.Errorf("%v: run %d is %+v, want %+v", r, k, *run, is)
		}
		for range 4 {
			ox, oy := float64(run.A.X)/Unit+rnd.NormFloat64(), float64(run.A.Y)/Unit+rnd.NormFloat64()
			f := rnd.Float64()*1.4 - 0.2
			if rnd.IntN(4) == 0 { // right on an end
				e := all[segs[rnd.IntN(len(segs))]].B
				ox, oy, f = float64(e.X)/Unit, float64(e.Y)/Unit, math.NaN()
			}
			local := func(p Point) (float64, float64) { return float64(p.X)/Unit - ox, float64(p.Y)/Unit - oy }
			ax, ay := local(run.A)
			bx, by := local(run.B)
			x, y := ax+float64(f*(bx-ax)), ay+float64(f*(by-ay))
			if math.IsNaN(f) {
				x, y = 0, 0
			}
			i := 0
			for ; i < len(segs)-1; i++ {
				ax, ay := local(all[segs[i]].A)
				bx, by := local(all[segs[i]].B)
				if float64((x-bx)*(bx-ax))+float64((y-by)*(by-ay)) < 0 {
					break
				}
			}
			var tile Tile
			cell := g.Engine(lattice.Key{}).Under(rs, &tile, run, x, y, ox, oy)
			if s := &all[segs[i]]; cell != s.ID.Cell || tile != s.Tile {
				return fmt.Errorf("%v: under (%v,%v) of run %d is %v %v, want %v %v", r, x, y, k, cell, tile, s.ID.Cell,
					s.Tile)
			}
		}
	}
	return nil
}

// checkWhole compares the form that chunks know of their blocks with the forms of the cells.
func checkWhole(g *Grid) error {
	for _, c := range g.chunks {
		for i, f := range c.form {
			if c.whole != 0 && c.flag[blocks].has(i) && f != c.whole {
				return fmt.Errorf("%v has the form %d, not %d", c.cell(i), f, c.whole)
			}
		}
	}
	return nil
}

// TestRuns: the runs of any rectangle are its segments joined, after edits of all kinds,
// resolved or not, also at the ends of the world.
func TestRuns(t *testing.T) {
	var rs Runs
	edits := 6000
	if testing.Short() {
		edits = 1500
	}
	for seed := range uint64(4) {
		l := long{g: New(gallery(t)), r: rand.New(rand.NewPCG(seed, 1)), placed: map[Cell]Tile{}}
		for n := range edits {
			if n%500 == 0 && seed%2 == 0 { // a field of blocks to begin with
				r := Rect{
					MinX: -longSide / 2, MinY: -longSide / 2, MaxX: longSide/2 - 1,
					MaxY: int32(l.r.IntN(longSide)) - longSide/2,
				}
				if err := l.g.Fill(r, Tile{Shape: Full}); err != nil {
					t.Fatal(err)
				}
			}
			_ = l.edit() // refused or not
			if l.r.IntN(8) > 0 {
				l.g.Resolve()
			}
			x, y := l.r.Int32N(longSide)-longSide/2, l.r.Int32N(longSide)-longSide/2
			r := Rect{MinX: x, MinY: y, MaxX: x + l.r.Int32N(14) - 1, MaxY: y + l.r.Int32N(4)}
			switch l.r.IntN(20) {
			case 0:
				r = Rect{MinX: -longSide, MinY: -longSide, MaxX: longSide, MaxY: longSide}
			case 1:
				o := ends[l.r.IntN(len(ends))]
				r = Rect{MinX: max(o.X, -1<<31+2) - 2, MinY: o.Y, MaxX: min(o.X, 1<<31-10) + 9, MaxY: min(o.Y,
					1<<31-10) + 9}
			}
			err := checkRuns(&rs, l.g, r, l.r)
			if err == nil {
				err = checkWhole(l.g)
			}
			if err != nil {
				t.Fatalf("seed %d, edit %d: %v", seed, n, err)
			}
		}
	}
}

// TestRunsOfFlatGround: a row of blocks across any chunks is one run, and allocates no
// memory.
func TestRunsOfFlatGround(t *testing.T) {
	g := New(nil)
	if err := g.Fill(Rect{MinX: -100, MinY: -9, MaxX: 99, MaxY: -1}, Tile{Shape: Full, Material: 3}); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	var rs Runs
	rs.Gather(g, Rect{MinX: -50, MinY: -4, MaxX: 49, MaxY: 3})
	if len(rs.List) != 1 || rs.List[0].A != (Point{X: 50 * Unit, Y: 0}) ||
		rs.List[0].B != (Point{X: -50 * Unit, Y: 0}) {
		t.Errorf("runs %+v", rs.List)
	}
	if n := testing.AllocsPerRun(10, func() { rs.Gather(g, Rect{MinX: -50, MinY: -4, MaxX: 49, MaxY: 3}) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	defer func() {
		if recover() == nil {
			t.Error("preserved layers: no panic")
		}
	}()
	g = New(nil)
	if err := g.Preserve(1, 2); err != nil {
		t.Fatal(err)
	}
	rs.Gather(g, Rect{MinX: 0, MinY: 0, MaxX: 1, MaxY: 1})
}

// BenchmarkRuns gathers the runs that a body of ten cells by one needs.
func BenchmarkRuns(b *testing.B) {
	for _, name := range []string{"flat", "ramps"} {
		g := New(nil)
		if name == "flat" {
			if err := g.Fill(Rect{MinX: 0, MinY: 0, MaxX: 99, MaxY: 49}, Tile{Shape: Full}); err != nil {
				b.Fatal(err)
			}
		} else {
			fillRamps(b, g, 100)
		}
		g.Resolve()
		b.Run(name+"/runs", func(b *testing.B) {
			var rs Runs
			b.ReportAllocs()
			k := int32(0)
			for b.Loop() {
				x := k % 80
				rs.Gather(g, Rect{MinX: x, MinY: 49, MaxX: x + 10, MaxY: 51})
				k++
			}
		})
		b.Run(name+"/segments", func(b *testing.B) {
			var dst []Segment
			b.ReportAllocs()
			k := int32(0)
			for b.Loop() {
				x := k % 80
				dst = g.AppendSegments(dst[:0], Rect{MinX: x, MinY: 49, MaxX: x + 10, MaxY: 51})
				k++
			}
		})
	}
}

// BenchmarkRunsOfMany gathers the runs at a corner of one of 1,000 grids of 10 x 5 blocks after the other: most of
// their memory is in no near cache.
func BenchmarkRunsOfMany(b *testing.B) {
	grids := make([]*Grid, 1000)
	for k := range grids {
		grids[k] = New(nil)
		if err := grids[k].Fill(Rect{MinX: -5, MinY: -2, MaxX: 4, MaxY: 2}, Tile{Shape: Full}); err != nil {
			b.Fatal(err)
		}
		grids[k].Resolve()
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(grids), func(i, j int) { grids[i], grids[j] = grids[j], grids[i] })
	var rs Runs
	var tile Tile
	b.ReportAllocs()
	k := 0
	for b.Loop() {
		g := grids[k%len(grids)]
		rs.Gather(g, Rect{MinX: -5, MinY: -2, MaxX: -2 + int32(k%4), MaxY: int32(k / 4 % 3)})
		g.Engine(lattice.Key{}).Under(&rs, &tile, &rs.List[0], -4, -2, 0, 0)
		k++
	}
}

// TestTopsOfSeveralPolygons: a block of several polygons has one top, whose tile has the attributes of its polygon.
// (Under and AppendMaterials panicked.)
func TestTopsOfSeveralPolygons(t *testing.T) {
	g := New(nil)
	lower := []Point{{X: 0, Y: 0}, {X: Unit, Y: 0}, {X: Unit, Y: Unit / 2}, {X: 0, Y: Unit / 2}}
	upper := []Point{{X: 0, Y: Unit / 2}, {X: Unit, Y: Unit / 2}, {X: Unit, Y: Unit}, {X: 0, Y: Unit}}
	for x := range int32(3) {
		for n, loop := range [][]Point{lower, upper} {
			if err := g.Add(x, 0, [][]Point{loop}, Attr{Material: uint16(n)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	g.Resolve()
	var rs Runs
	rs.Gather(g, Rect{MinX: -1, MinY: -1, MaxX: 3, MaxY: 1})
	for i := range rs.List {
		run := &rs.List[i]
		if run.A.Y != Unit || run.B.Y != Unit {
			continue
		}
		var tile Tile
		at := g.Engine(lattice.Key{}).Under(&rs, &tile, run, 1.5, 1, 0, 0)
		if at != (Cell{X: 1, Y: 0}) || tile.Material != 1 {
			t.Errorf("the top belongs to %v in %v", tile, at)
		}
		if m := g.Engine(lattice.Key{}).AppendMaterials(&rs, nil, run); !slices.Equal(m, []uint16{1, 1, 1}) {
			t.Errorf("materials %v", m)
		}
		return
	}
	t.Error("no top")
}
