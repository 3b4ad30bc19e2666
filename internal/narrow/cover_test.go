package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/surface"
)

// normalsOf returns the normals of boxes in A and in B, as directions in which B may leave.
func normalsOf(q geom.Rot) (along []geom.Vec, weights []float64) {
	for _, d := range []geom.Vec{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		along, weights = append(along, d, q.Apply(d)), append(weights, 1, 1)
	}
	return along, weights
}

// TestLeastOfRectangles: two rectangles of tiles are parted along the separating axis of smallest overlap of two boxes.
func TestLeastOfRectangles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parted := 0
	for range 2000 {
		var covers [2]Cover
		var size [2]geom.Vec
		q, at := geom.NewRot(7*r.Float64()), geom.V(8*r.Float64()-4, 8*r.Float64()-4)
		for k := range covers {
			w, h := 1+r.Int32N(20), 1+r.Int32N(20)
			g := gridseg.New(nil)
			_ = g.Fill(gridseg.Rect{MaxX: w - 1, MaxY: h - 1}, gridseg.Tile{Shape: gridseg.Full})
			size[k] = geom.V(float64(w), float64(h))
			rot, middle := geom.Identity, size[k].Mul(0.5)
			if k == 1 {
				rot, middle = q, middle.Sub(q.Inv(at))
			}
			covers[k].Add(&surface.Tiles{Grid: g}, gridseg.Rect{MinX: -1, MinY: -1, MaxX: 40, MaxY: 40}, middle, rot)
			if len(covers[k].parts) != 1 {
				t.Fatalf("%d parts of a rectangle", len(covers[k].parts))
			}
		}
		along, weights := normalsOf(q)
		want := math.MaxFloat64
		for _, n := range along {
			inB := q.Inv(n)
			reach := 0.5 * (math.Abs(n.X)*size[0].X + math.Abs(n.Y)*size[0].Y + math.Abs(inB.X)*size[1].X +
				math.Abs(inB.Y)*size[1].Y)
			want = min(want, reach-at.Dot(n))
		}
		var s Separation
		_, by, ok := s.Least(&covers[0], &covers[1], along, weights, 0.01, 64)
		if !ok || math.Abs(by-max(0, want-0.01)) > 1e-9 {
			t.Fatalf("%v and %v at %v, %v: parted by %v, %v; want %v", size[0], size[1], at, q, by, ok, want-0.01)
		}
		if by > 0 {
			parted++
		}
	}
	if parted < 1000 {
		t.Errorf("only %d overlap", parted)
	}
}

// TestLeastParts: after the translation no two parts of random tiles overlap by more than the slop, and along the same
// vector they do a little before it.
func TestLeastParts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	parted := 0
	for range 500 {
		var covers [2]Cover
		q, at := geom.NewRot(7*r.Float64()), geom.V(4*r.Float64(), 4*r.Float64())
		for k := range covers {
			g := gridseg.New(nil)
			for y := range int32(6) {
				for x := range int32(6) {
					if r.IntN(2) == 0 {
						_ = g.Set(x, y, gridseg.Tile{Shape: []gridseg.ShapeID{
							gridseg.Full, gridseg.Full, gridseg.Ramp,
							gridseg.Slab,
						}[r.IntN(4)], Turn: gridseg.Turn(r.IntN(8))})
					}
				}
			}
			rot, middle := geom.Identity, geom.V(3, 3)
			if k == 1 {
				rot, middle = q, middle.Sub(q.Inv(at))
			}
			covers[k].Add(&surface.Tiles{Grid: g}, gridseg.Rect{MaxX: 5, MaxY: 5}, middle, rot)
		}
		const slop = 0.01
		along, weights := normalsOf(q)
		var s Separation
		k, by, ok := s.Least(&covers[0], &covers[1], along, weights, slop, 64)
		if !ok {
			t.Fatal("no way apart")
		}
		if by == 0 {
			continue
		}
		parted++
		if d := overlapOf(&covers[0], &covers[1], along[k].Mul(by)); d > slop+1e-3 { // Hulls prefers axes of a a little
			t.Fatalf("still %v deep after %v", d, by)
		}
		if d := overlapOf(&covers[0], &covers[1], along[k].Mul(by-1e-6)); d <= slop {
			t.Fatalf("%v deep before %v", d, by)
		}
	}
	if parted < 300 {
		t.Errorf("only %d overlap", parted)
	}
}

// overlapOf returns the depth of the deepest overlap of a part of a and one of b, moved by d.
func overlapOf(a, b *Cover, d geom.Vec) (deepest float64) {
	hull := func(p *part) collide.Hull {
		h := collide.Hull{N: p.len, V: p.v, Nrm: p.n}
		for i := range p.len {
			h.Centroid = h.Centroid.MulAdd(1/float64(p.len), p.v[i])
		}
		return h
	}
	for i := range a.parts {
		for j := range b.parts {
			var m collide.Manifold
			x, y := hull(&a.parts[i]), hull(&b.parts[j])
			collide.Hulls(&m, &x, &y, geom.At(d), 0)
			least := 0.0
			for k := range m.N {
				least = min(least, m.Points[k].Separation)
			}
			deepest = max(deepest, -least)
		}
	}
	return deepest
}
