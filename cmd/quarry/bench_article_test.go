package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/gridseg"
)

// TestBenchArticle: the table has a line for each algorithm and each scene, with the measured
// columns, and the figures that the article gives.
func TestBenchArticle(t *testing.T) {
	status, out, errs := command("bench", "article_block", "article_ramp", "--json", "--runs", "1")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, said %q", status, errs)
	}
	all := lines(t, out, "scene", "algorithm", "side", "polygons", "segments", "polys_ms", "build_ms", "remove_ms",
		"edit_ns", "quoted", "timed")
	want := []struct {
		scene, algorithm string
		segments         float64
		quoted           [2]float64 // buildPolys and initSegs
	}{
		{"article_block", "gridseg", 400, [2]float64{}},
		{"article_block", "gridseg, by one Fill", 400, [2]float64{}},
		{"article_block", "published, in Go", 400, [2]float64{}},
		{"article_block", "polygon union, in Go", 400, [2]float64{}},
		{"article_block", "quoted: TypeScript", 0, [2]float64{11.73, 29.02}},
		{"article_block", "quoted: baseline C++", 0, [2]float64{1.26, 5.28}},
		{"article_block", "quoted: optimized C++", 0, [2]float64{0.91, 3.87}},
		{"article_ramp", "gridseg", rampSegments(100), [2]float64{}},
		{"article_ramp", "published, in Go", rampSegments(100), [2]float64{}},
		{"article_ramp", "polygon union, in Go", rampSegments(100), [2]float64{}},
		{"article_ramp", "quoted: TypeScript", 0, [2]float64{9.57, 43.44}},
		{"article_ramp", "quoted: baseline C++", 0, [2]float64{0.85, 23.28}},
		{"article_ramp", "quoted: optimized C++", 0, [2]float64{0.68, 18.42}},
	}
	if len(all) != len(want) {
		t.Fatalf("%d lines, want %d", len(all), len(want))
	}
	for i, w := range want {
		m := all[i]
		if m["scene"] != w.scene || m["algorithm"] != w.algorithm || m["side"] != 100.0 || m["polygons"] != 10000.0 ||
			m["segments"] != w.segments {
			t.Errorf("%v, want %+v on 100 x 100 cells", m, w)
		}
		polys, build, remove, edit := m["polys_ms"].(float64), m["build_ms"].(float64), m["remove_ms"].(float64),
			m["edit_ns"].(float64)
		switch {
		case w.segments == 0:
			if m["quoted"] != true || polys != w.quoted[0] || build != w.quoted[1] || remove != 0 || edit != 0 {
				t.Errorf("%v, want %+v", m, w)
			}
		case m["quoted"] != false || m["timed"] != timed || build <= 0 || remove <= 0 || edit <= 0 ||
			(polys > 0) == (w.algorithm[:7] == "gridseg"):
			t.Errorf("%v: the measured columns are not the expected ones", m)
		}
	}
}

// TestPolygonUnion: the union of all polygons gives the segments and ghosts of gridseg,
// for blocks and for ramps, with some cells empty.
func TestPolygonUnion(t *testing.T) {
	for _, shape := range []gridseg.ShapeID{gridseg.Full, gridseg.Ramp} {
		b := groundBenchmark{side: 17, shape: shape}
		turns := b.turns()
		g := gridseg.New(nil)
		var polygons [][]gridseg.Point
		for i := range int(b.side * b.side) {
			if i%5 == 3 {
				polygons = append(polygons, nil)
				continue
			}
			x, y, tile := int32(i)%b.side, int32(i)/b.side, gridseg.Tile{Shape: shape}
			if turns != nil {
				tile.Turn = turns[i]
			}
			if err := g.Set(x, y, tile); err != nil {
				t.Fatal(err)
			}
			var p []gridseg.Point
			for _, v := range g.Shapes().Polygons(shape, tile.Turn)[0] {
				p = append(p, gridseg.Point{X: int64(x)*gridseg.Unit + v.X, Y: int64(y)*gridseg.Unit + v.Y})
			}
			polygons = append(polygons, p)
		}
		g.Resolve()
		var w polygonUnion
		edges, prev, next, err := w.compute(polygons)
		if err != nil {
			t.Fatal(err)
		}
		type linked [4]gridseg.Point
		var got, want []linked
		for i, e := range edges {
			got = append(got, linked{e.A, e.B, edges[prev[i]].A, edges[next[i]].B})
		}
		for _, s := range g.AppendSegments(nil, gridseg.Rect{MaxX: b.side, MaxY: b.side}) {
			want = append(want, linked{s.A, s.B, s.Ghost1, s.Ghost2})
		}
		order := func(p, q linked) int {
			for i := range p {
				if c := cmp.Or(cmp.Compare(p[i].X, q[i].X), cmp.Compare(p[i].Y, q[i].Y)); c != 0 {
					return c
				}
			}
			return 0
		}
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if len(want) < 100 || !slices.Equal(got, want) {
			t.Errorf("shape %d: %d segments of the union, %d of gridseg, or they differ", shape, len(got),
				len(want))
		}
	}
}

// TestUnionOfAnyPolygons: of squares of several sizes that lie on and in each other, the outline has the area of the
// cells that they cover, and is cut at each corner on it. Edges that cross are an error.
func TestUnionOfAnyPolygons(t *testing.T) {
	square := func(x, y, side int64) []gridseg.Point {
		return []gridseg.Point{{X: x, Y: y}, {X: x + side, Y: y}, {X: x + side, Y: y + side}, {X: x, Y: y + side}}
	}
	r := rand.New(rand.NewPCG(7, 9))
	for range 300 {
		var polygons [][]gridseg.Point
		var covered [16][16]bool
		corners := map[gridseg.Point]bool{}
		for range 1 + r.IntN(30) {
			side := int64(1) << r.IntN(4) // squares of a quadtree cross none
			x, y := side*r.Int64N(16/side), side*r.Int64N(16/side)
			polygons = append(polygons, square(x, y, side))
			for i := range side * side {
				covered[y+i/side][x+i%side] = true
			}
			for _, p := range square(x, y, side) {
				corners[p] = true
			}
		}
		var u polygonUnion
		edges, prev, next, err := u.compute(polygons)
		if err != nil {
			t.Fatal(err)
		}
		want, area := int64(0), int64(0)
		for _, row := range covered {
			for _, c := range row {
				if c {
					want += 2
				}
			}
		}
		for i, e := range edges {
			area += e.A.X*e.B.Y - e.A.Y*e.B.X
			if prev[i] < 0 || next[i] < 0 || edges[next[i]].A != e.B {
				t.Fatalf("%v: edge %v has the neighbours %d and %d", polygons, e, prev[i], next[i])
			}
			for p := range corners {
				if p.X == e.A.X && e.A.X == e.B.X && (p.Y-e.A.Y)*(p.Y-e.B.Y) < 0 ||
					p.Y == e.A.Y && e.A.Y == e.B.Y && (p.X-e.A.X)*(p.X-e.B.X) < 0 {
					t.Fatalf("%v: edge %v is not cut at %v", polygons, e, p)
				}
			}
		}
		if area != want {
			t.Fatalf("%v: the union has the area %d/2, the cells %d/2", polygons, area, want)
		}
	}
	var u polygonUnion
	if _, _, _, err := u.compute([][]gridseg.Point{square(0, 0, 4), square(1, 2, 4)}); err == nil {
		t.Error("edges that cross have no error")
	}
}
