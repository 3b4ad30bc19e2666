package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/gridseg"
)

// RayHit is where a ray meets a shape or a ground.
type RayHit struct {
	Shape  ShapeID  // 0 where it is a ground
	Ground GroundID // 0 where it is a shape
	Cell   gridseg.Cell
	Tile   gridseg.Tile
	// Fraction of the ray's length at which it enters, in [0, 1].
	Fraction float64
	Point    geom.Vec // world
	Normal   geom.Vec // unit, out of what was hit
}

// RayCast returns the first thing that the ray from origin along d (its length
// is the ray's) enters, of the shapes and grounds with a category in mask; 0
// means all. Sensors are passed through, and so is what origin lies within.
// A ray that is not finite hits nothing.
func (w *World) RayCast(origin, d geom.Vec, mask uint64) (RayHit, bool) {
	if !origin.IsFinite() || !d.IsFinite() {
		return RayHit{}, false
	}
	mask = orDefault(mask, math.MaxUint64)
	best := RayHit{Fraction: math.MaxFloat64}
	var room [32]grid.ID
	for _, id := range w.broad.AppendRay(room[:0], origin, d) {
		si := int32(w.broad.Data(id))
		s := &w.shapes.items[si]
		if s.sensor || s.category&mask == 0 {
			continue
		}
		t := w.bodies.items[s.body].transform()
		hit, ok := s.geometry.RayCast(t.Inv(origin), t.Q.Inv(d))
		if ok && hit.Fraction < best.Fraction {
			best = RayHit{Shape: ShapeID(w.shapes.id(si)), Fraction: hit.Fraction, Normal: t.Q.Apply(hit.Normal)}
		}
	}
	for gi := range w.grounds.items {
		g := &w.grounds.items[gi]
		if !w.grounds.used(int32(gi)) || g.category&mask == 0 {
			continue
		}
		t := w.bodies.items[g.body].transform()
		if hit, ok := g.rayCast(t.Inv(origin), t.Q.Inv(d)); ok && hit.Fraction < best.Fraction {
			hit.Ground, hit.Normal = GroundID(w.grounds.id(int32(gi))), t.Q.Apply(hit.Normal)
			best = hit
		}
	}
	if best.Fraction > 1 {
		return RayHit{}, false
	}
	best.Point = origin.MulAdd(best.Fraction, d)
	return best, true
}

// rayCast returns the first surface that a ray, in the ground's frame, enters
// from the front. It walks the lattice in slabs one cell thick across the
// ray's longer axis, from the near end, and looks at the cells of each that
// the ray comes near.
func (g *ground) rayCast(origin, d geom.Vec) (RayHit, bool) {
	box, ok := g.bounds()
	if !ok {
		return RayHit{}, false
	}
	t0, t1, ok := clip(origin, d, box)
	if !ok {
		return RayHit{}, false
	}
	best := RayHit{Fraction: math.MaxFloat64}
	var room [16]gridseg.Segment
	segments := room[:0]
	tall := math.Abs(d.Y) > math.Abs(d.X)
	along, o := d.X, origin.X
	if tall {
		along, o = d.Y, origin.Y
	}
	// Slab k is between k and k+1 of the longer axis. Its times come from
	// (k-o)/along, not from sums, so nothing drifts.
	first := math.Floor(o + float64(along*t0))
	last := math.Floor(o + float64(along*t1))
	step := math.Copysign(1, along)
	for k := first; ; k += step {
		in, out := t0, t1
		if along != 0 {
			a, b := (k-o)/along, (k+1-o)/along
			in, out = max(t0, min(a, b)), min(t1, max(a, b))
		}
		if in > best.Fraction {
			break
		}
		// A lattice unit to each side takes in the cells that the ray only
		// brushes at a corner.
		part := geom.Box(origin.MulAdd(in, d), origin.MulAdd(out, d)).Expand(1 / lattice)
		if r, ok := cells(part); ok {
			segments = g.grid.AppendSegments(segments[:0], r)
			for i := range segments {
				rayFace(&best, &segments[i], origin, d)
			}
		}
		if k == last || along == 0 {
			break
		}
	}
	return best, best.Fraction <= 1
}

// rayFace makes s the best hit when the ray enters it from the front sooner.
func rayFace(best *RayHit, s *gridseg.Segment, origin, d geom.Vec) {
	a, b := local(s.A, origin), local(s.B, origin)
	e := b.Sub(a)
	n, _ := e.Right().Unit()
	vn := d.Dot(n)
	if vn >= 0 || a.Dot(n) > 0 {
		return
	}
	t := a.Dot(n) / vn
	along := d.Mul(t).Sub(a).Dot(e)
	if t < best.Fraction && t <= 1 && along >= 0 && along <= e.Len2() {
		*best = RayHit{Fraction: t, Normal: n, Cell: s.ID.Cell, Tile: s.Tile}
	}
}

// clip returns the part of the ray, in shares of d, that lies in the box.
func clip(origin, d geom.Vec, box geom.AABB) (t0, t1 float64, ok bool) {
	t0, t1 = 0, 1
	for _, a := range [2][4]float64{
		{origin.X, d.X, box.Min.X, box.Max.X},
		{origin.Y, d.Y, box.Min.Y, box.Max.Y},
	} {
		if a[1] == 0 {
			if a[0] < a[2] || a[0] > a[3] {
				return 0, 0, false
			}
			continue
		}
		u, v := (a[2]-a[0])/a[1], (a[3]-a[0])/a[1]
		t0, t1 = max(t0, min(u, v)), min(t1, max(u, v))
	}
	return t0, t1, t0 <= t1
}

// AppendOverlaps appends the shapes, sensors too, whose boxes overlap box, in
// an order that depends only on the calls made.
func (w *World) AppendOverlaps(dst []ShapeID, box geom.AABB) []ShapeID {
	var room [64]grid.ID
	for _, id := range w.broad.AppendOverlaps(room[:0], box) {
		si := int32(w.broad.Data(id))
		s := &w.shapes.items[si]
		if s.bounds(w.bodies.items[s.body].transform()).Overlaps(box) {
			dst = append(dst, ShapeID(w.shapes.id(si)))
		}
	}
	return dst
}

// AppendShapesAt appends the shapes that hold the world point p, borders
// included, in an order that depends only on the calls made.
func (w *World) AppendShapesAt(dst []ShapeID, p geom.Vec) []ShapeID {
	var room [64]grid.ID
	for _, id := range w.broad.AppendOverlaps(room[:0], geom.AABB{Min: p, Max: p}) {
		si := int32(w.broad.Data(id))
		s := &w.shapes.items[si]
		if s.geometry.Contains(w.bodies.items[s.body].transform().Inv(p)) {
			dst = append(dst, ShapeID(w.shapes.id(si)))
		}
	}
	return dst
}
