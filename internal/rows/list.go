package rows

import (
	"slices"

	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/solve"
)

// Ref names a manifold, with the fields of its contact that rows read.
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
	Impulse  float64 // of the manifold in the step, along the normal
}

// Group is a part of the solver's list: Gauss-Seidel satisfies the last rows best.
type Group int8

const (
	Free Group = iota // between bodies that impulses move
	// with a body that is static, or counts as static (solve.Kind): overlap with the floor is worst
	Fixed
	KinematicGround // of a ground or chain, with a kinematic body that moves
	// KinematicShape is of two shapes, with a kinematic body that moves. It comes last: continuous collision then finds
	// the bodies crushed that the kinematic body presses onto a floor.
	KinematicShape
	groups
)

// GroupOf returns the group of a contact that is not Free. kinematic is true if it has a kinematic body that moves,
// shapes if it is of two shapes.
func GroupOf(kinematic, shapes bool) Group {
	switch {
	case !kinematic:
		return Fixed
	case shapes:
		return KinematicShape
	}
	return KinematicGround
}

// List lists the manifolds of a step in the order of the solver: group by group. Workers make it together, each a Part.
type List struct {
	parts    []Part  // Finish appends all manifolds to the group Free of the first one
	hits     [][]Hit // by worker
	hitSpeed float64 // smallest approach speed of a hit, in units of length a second

	// Strengths has, by material id, the impulse above which a contact is a hit at any speed; 0 for a material without.
	// An id beyond the slice counts as 0. It is empty if no material has a strength.
	Strengths []float64
}

// Part is the part of a List that one worker makes. In each group its manifolds come after earlier parts'.
type Part struct {
	groups [groups]members
	_      [64]byte // the counts of the next Part, which another worker changes, are in other cache lines
}

// members holds the n manifolds of a group, with their links for the solver. The slices are longer than n: they are
// memory for more.
type members struct {
	refs  []Ref
	links []solve.Link
	n     int
}

// grow makes room for n more manifolds.
func (p *members) grow(n int) {
	n = max(64, 2*len(p.refs), p.n+n)
	p.refs = append(p.refs, make([]Ref, n-len(p.refs))...)
	p.links = append(p.links, make([]solve.Link, n-len(p.links))...)
}

// add adds the manifolds of q.
func (p *members) add(q *members) {
	if p.n+q.n > len(p.refs) {
		p.grow(q.n)
	}
	copy(p.refs[p.n:], q.refs[:q.n])
	copy(p.links[p.n:], q.links[:q.n])
	p.n += q.n
}

// Begin begins a step with the given number of workers, in which a hit has at least the given speed of approach. The
// manifolds of the step before stay; Reset removes them.
func (l *List) Begin(workers int, hitSpeed float64) {
	l.hitSpeed = max(0, hitSpeed)
	for len(l.hits) < workers {
		l.hits = append(l.hits, nil)
	}
	for i := range l.hits {
		l.hits[i] = l.hits[i][:0]
	}
}

// Reset removes all manifolds, and makes the given number of parts.
func (l *List) Reset(parts int) {
	if len(l.parts) != parts {
		l.parts = slices.Grow(l.parts, max(0, parts-len(l.parts)))[:parts]
	}
	for i := range l.parts {
		for g := range l.parts[i].groups {
			l.parts[i].groups[g].n = 0
		}
	}
}

// Part returns part i, valid until the next Reset. Several workers may add to different parts at once.
func (l *List) Part(i int) *Part { return &l.parts[i] }

// Add adds a manifold to a group, with its link for the solver, and returns both, valid until the next call. The caller
// sets all of their fields, in place; see "Large structs" in docs/house.md.
func (p *Part) Add(g Group) (*Ref, *solve.Link) {
	m := &p.groups[g]
	k := m.n
	if k == len(m.refs) {
		m.grow(1)
	}
	m.n = k + 1
	return &m.refs[k], &m.links[k]
}

// Room returns memory for n manifolds of the group Free, and for their links. The caller sets a part of them, and calls
// Took with their number: together a faster Add.
func (p *Part) Room(n int) ([]Ref, []solve.Link) {
	m := &p.groups[Free]
	if m.n+n > len(m.refs) {
		m.grow(n)
	}
	return m.refs[m.n:], m.links[m.n:]
}

// Took adds the first n manifolds that Room returned last, and returns the number of manifolds in the part's group
// Free.
func (p *Part) Took(n int) int32 {
	m := &p.groups[Free]
	m.n += n
	return int32(m.n)
}

// Finish joins all groups of all parts into one list, and returns the number of manifolds of the group Free, which come
// first.
func (l *List) Finish() (free int) {
	all := &l.parts[0].groups[Free]
	for g := range groups {
		for i := range l.parts {
			if m := &l.parts[i].groups[g]; m != all {
				all.add(m)
			}
		}
		if g == Free {
			free = all.n
		}
	}
	return free
}

// Links returns the links of the manifolds after Finish, valid until the next Reset.
func (l *List) Links() []solve.Link {
	all := &l.parts[0].groups[Free]
	return all.links[:all.n]
}

// At returns manifold i after Finish, valid until the next Reset.
func (l *List) At(i int32) *Ref { return &l.parts[0].groups[Free].refs[i] }

// Take stores the solver's impulses in m, manifold i: the solver may have had a copy of it (Contact.Filled). The point
// of its fastest impact is a hit if the speed is at least the hit speed. The workers of the step may call it at once,
// for different manifolds.
func (l *List) Take(worker int, i int32, m *contact.Manifold, from *solve.Impulses) {
	m.RollImpulse = from.Roll
	hit := int32(-1)
	for j := range m.N {
		p, q := &m.Points[j&1], &from.Points[j&1]
		p.NormalImpulse, p.TangentImpulse = q.Normal, q.Tangent
		if -float64(q.Velocity) >= l.hitSpeed && q.Most > 0 && (hit < 0 || q.Velocity <= from.Points[hit].Velocity) {
			hit = j
		}
	}
	if hit >= 0 {
		l.hits[worker] = append(l.hits[worker], Hit{
			Manifold: i, Point: hit, Speed: -float64(from.Points[hit].Velocity),
			Impulse: impulse(m, from),
		})
	}
}

// impulse returns the impulse of m in the step along its normal.
func impulse(m *contact.Manifold, from *solve.Impulses) (sum float64) {
	for j := range m.N {
		sum += float64(from.Points[j&1].Total)
	}
	return sum
}

// Strain lists a hit if the impulse of a manifold is above the strength of the material at a point with an impulse, in
// place of the hit that Take has listed for the manifold. Of several such points it takes the one with the largest
// impulse. on is manifold i, of a ground or chain; other has the sources of side B if that is a ground, or is nil.
func (l *List) Strain(worker int, i int32, on *contact.SurfaceManifold, other *[2]contact.Source,
	from *solve.Impulses,
) {
	hit, most := Hit{Manifold: i, Point: -1, Impulse: impulse(&on.Manifold, from)}, float32(0)
	for j := range on.N {
		q := &from.Points[j]
		if q.Total > most && (l.strains(hit.Impulse, on.Sources[j].Material) || other != nil && l.strains(hit.Impulse,
			other[j].Material)) {
			hit.Point, hit.Speed, most = j, max(0, -float64(q.Velocity)), q.Total
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
