package rows

import (
	"slices"

	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/solve"
)

// Ref names a manifold, with all that rows read of its contact.
type Ref struct {
	Contact int32 // its slot
	A, B    int32 // slots of the shapes; A is below 0 with a ground or chain: ^ the slot of that contact's state
	Index   int32 // of the manifold, with a ground or chain
}

// Hit is an impact in a step.
type Hit struct {
	Manifold int32 // index in the list
	Point    int32
	Speed    float64 // of approach, units of length a second
	Impulse  float64 // the largest of a sub-step, along the normal
}

// List lists the manifolds of a step in the order of the solver: first those between two bodies of
// finite mass, then those with a static or kinematic body. These are solved last, because
// Gauss-Seidel satisfies the last row best, and penetration into the floor is worst.
type List struct {
	refs, fixed []Ref
	links       []solve.Link // of fixed
	hits        [][]Hit      // by worker
	hitSpeed    float64      // least approach speed of a hit, in units of length a second

	// Strengths has the impulses above which there is a hit at any speed, by the world's material id; 0: none. An id beyond the
	// list counts as 0. Without any, the list is empty.
	Strengths []float64
}

// Reset removes all manifolds, for a step with so many workers in which hits have at least the given speed of approach.
func (l *List) Reset(workers int, hitSpeed float64) {
	l.hitSpeed = hitSpeed
	l.refs, l.fixed, l.links = l.refs[:0], l.fixed[:0], l.links[:0]
	for len(l.hits) < workers {
		l.hits = append(l.hits, nil)
	}
	for i := range l.hits {
		l.hits[i] = l.hits[i][:0]
	}
}

// Add adds a manifold, and its link for the solver, and returns both, zero, until the next call. static is
// Link.Static. (The caller sets them in place: a struct that is made elsewhere and copied stalls the processor, which
// waits for its parts to be written before it reads them as one.)
func (l *List) Add(s *solve.Solver, static bool) (*Ref, *solve.Link) {
	refs, links := &l.refs, &s.Links
	if static {
		refs, links = &l.fixed, &l.links
	}
	*refs, *links = append(*refs, Ref{}), append(*links, solve.Link{})
	n := len(*refs) - 1
	return &(*refs)[n], &(*links)[n]
}

// Finish ends the list of the solver's links.
func (l *List) Finish(s *solve.Solver) {
	l.refs, s.Links = append(l.refs, l.fixed...), append(s.Links, l.links...)
}

// At returns manifold i.
func (l *List) At(i int32) Ref { return l.refs[i] }

// Take stores the solver's impulses in m, manifold i, for the warm start of the next step. The point of its fastest
// impact is a hit if the speed is at least the hit speed. The workers of the step may call it at once, for different manifolds.
func (l *List) Take(worker int, i int32, m *contact.Manifold, from *solve.Impulses) {
	m.RollImpulse = from.Roll
	hit := Hit{Manifold: i, Point: -1}
	for j := range m.N {
		p, q := &m.Points[j], &from.Points[j]
		p.NormalImpulse, p.TangentImpulse = q.Normal, q.Tangent
		if speed := -float64(q.Velocity); q.Most > 0 && speed >= hit.Speed {
			hit.Point, hit.Speed, hit.Impulse = j, speed, float64(q.Most)
		}
	}
	if hit.Point >= 0 && hit.Speed >= l.hitSpeed {
		l.hits[worker] = append(l.hits[worker], hit)
	}
}

// Strain makes a hit of the largest impulse that is above the strength of a material there, after Take, if there is one: on is manifold
// i, on a ground or chain, and other has the sources of side B if that is a ground, or is nil.
func (l *List) Strain(worker int, i int32, on *contact.SurfaceManifold, other *[2]contact.Source, from *solve.Impulses) {
	hit := Hit{Manifold: i, Point: -1}
	for j := range on.N {
		q := &from.Points[j]
		most := float64(q.Most)
		if most > hit.Impulse && (l.strains(most, on.Sources[j].Material) || other != nil && l.strains(most, other[j].Material)) {
			hit.Point, hit.Speed, hit.Impulse = j, max(0, -float64(q.Velocity)), most
		}
	}
	if hit.Point < 0 {
		return
	}
	hits := &l.hits[worker]
	if n := len(*hits); n > 0 && (*hits)[n-1].Manifold == i {
		*hits = (*hits)[:n-1]
	}
	*hits = append(*hits, hit)
}

// strains reports whether an impulse is above the strength of a material.
func (l *List) strains(impulse float64, material uint16) bool {
	id := int(material)
	if id >= len(l.Strengths) {
		id = 0
	}
	s := l.Strengths[id]
	return s > 0 && impulse > s
}

// Hits returns the hits, in the order of the manifolds, valid until the next Reset.
func (l *List) Hits() []Hit {
	for _, hits := range l.hits[1:] {
		l.hits[0] = append(l.hits[0], hits...)
	}
	slices.SortFunc(l.hits[0], func(a, b Hit) int { return int(a.Manifold - b.Manifold) })
	return l.hits[0]
}
