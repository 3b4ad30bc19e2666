package contact

import "github.com/quarry2d/quarry/geom"

// Matcher matches the points of a contact with the points of the step before, and finds points that
// were already added to the contact. The zero value is ready for use after Begin, and keeps its
// memory.
type Matcher struct {
	Old      []SurfaceManifold // the contact's manifolds of the step before
	Rolls    bool              // a manifold in Old has a rolling impulse
	Cold     int               // points that found no old point, since the caller last set it to 0
	Compared int               // manifolds and points that were compared with a point, in all contacts

	found     int   // index in Old of the manifold in which a point was found last
	points    Table // of the points found in this contact; see Find
	oldPoints Table // of the points in Old
	oldPlaces Table // of the points in Old, by place
}

// someManifolds is the number of manifolds up to which a linear search is faster than a
// table of places.
const someManifolds = 64

// placeSide is the width of the squares of a table of places.
const placeSide = 2 * SpeculativeDistance

func byFeature(m *SurfaceManifold, k int32) Feature { return m.Features[k] }

func byPlace(m *SurfaceManifold, k int32) Feature {
	return PlaceOf(m.Points[k].AnchorA, placeSide, 0, 0)
}

// Begin takes the manifolds of a contact of the step before, and clears the results of the
// contact before it.
func (mt *Matcher) Begin(old []SurfaceManifold) {
	mt.Old = append(mt.Old[:0], old...)
	mt.found, mt.Rolls = 0, false
	mt.points.Clear()
	mt.oldPoints.Clear()
	mt.oldPlaces.Clear()
	for j := range mt.Old {
		mt.Rolls = mt.Rolls || mt.Old[j].RollImpulse != 0
	}
}

// Restart forgets the points found in this contact, whose manifolds are rebuilt.
func (mt *Matcher) Restart() {
	mt.found, mt.Cold = 0, 0
	mt.points.Clear()
}

// Find reports whether one of the manifolds has a point with the feature f (met), and
// whether the normal of such a point is nearly n (same). The manifolds are all of the
// current contact but the last. Few manifolds are searched one by one; the points of many,
// as of a wide shape on rough ground, are found in a table.
func (mt *Matcher) Find(manifolds []SurfaceManifold, f Feature, n geom.Vec) (met, same bool) {
	if len(manifolds) > Few {
		mt.points.Add(manifolds, byFeature)
		for at := mt.points.First(f); at > 0; at = mt.points.Next(at) {
			mt.Compared++
			m := &manifolds[(at-1)>>1]
			if m.Features[(at-1)&1] != f {
				continue
			}
			if m.Normal.Dot(n) >= SameNormal {
				return true, true
			}
			met = true
		}
		return met, false
	}
	mt.Compared += len(manifolds)
	for i := range manifolds {
		m := &manifolds[i]
		for k := range m.N {
			if m.Features[k] != f {
				continue
			}
			if m.Normal.Dot(n) >= SameNormal {
				return true, true
			}
			met = true
		}
	}
	return met, false
}

// Inherit sets the impulses of p, which has the feature f, from the old point with that feature, or else of
// an old point at p's place, if there is one. The search starts at the manifold found last: most points come in the
// order of the step before.
func (mt *Matcher) Inherit(p *Point, f *Feature, normal geom.Vec) {
	old, from := mt.Old, mt.found
	ahead := len(old)
	if ahead > Few {
		ahead = min(ahead, from+Few)
	}
	mt.Compared += ahead - from
	for j := from; j < ahead; j++ {
		if p.Inherit(f, &old[j]) {
			mt.found = j
			return
		}
	}
	if len(old) > Few {
		if j := mt.oldWith(*f); j >= 0 {
			p.Inherit(f, &old[j])
			mt.found = j
			return
		}
	} else {
		mt.Compared += from
		for j := range from {
			if p.Inherit(f, &old[j]) {
				mt.found = j
				return
			}
		}
	}
	if len(old) > someManifolds {
		if j := mt.oldNear(p.AnchorA, normal); j < len(old) {
			p.InheritNear(&old[j].Manifold, normal)
			return
		}
	} else {
		mt.Compared += len(old)
		for j := range old {
			if p.InheritNear(&old[j].Manifold, normal) {
				return
			}
		}
	}
	mt.Cold++
}

// oldNear returns the index of the first old manifold that Point.InheritNear accepts: its normal
// is like this one, and it has a point near at. If there is none, it returns the number of
// old manifolds.
func (mt *Matcher) oldNear(at, normal geom.Vec) int {
	mt.oldPlaces.Add(mt.Old, byPlace)
	first := len(mt.Old)
	for dy := -1.0; dy <= 1; dy++ {
		for dx := -1.0; dx <= 1; dx++ {
			for k := mt.oldPlaces.First(PlaceOf(at, placeSide, dx, dy)); k > 0; k = mt.oldPlaces.Next(k) {
				mt.Compared++
				j := int(k-1) >> 1
				m := &mt.Old[j]
				if j < first && m.Normal.Dot(normal) >= SameNormal &&
					m.Points[(k-1)&1].AnchorA.Sub(at).Len2() < SpeculativeDistance*SpeculativeDistance {
					first = j
				}
			}
		}
	}
	return first
}

// oldWith returns the index of an old manifold with a point of the feature f, or -1. Of
// several it is the next one, cyclically, from mt.found on.
func (mt *Matcher) oldWith(f Feature) int {
	mt.oldPoints.Add(mt.Old, byFeature)
	best, least := -1, len(mt.Old)
	for at := mt.oldPoints.First(f); at > 0; at = mt.oldPoints.Next(at) {
		mt.Compared++
		j := int(at-1) >> 1
		if mt.Old[j].Features[(at-1)&1] != f {
			continue
		}
		ahead := j - mt.found
		if ahead < 0 {
			ahead += len(mt.Old)
		}
		if ahead < least {
			best, least = j, ahead
		}
	}
	return best
}
