package collide

// FeatureID identifies a manifold point by the pair of features that made it: one of A, one of B,
// each a vertex or an edge. Vertex i of a hull is V[i], edge i runs from V[i] to the next vertex; a
// Face has edge 0, vertex 0 at A and vertex 1 at B.
//
// A vertex over an edge of the other shape has the id of that vertex and edge. So does a point
// clipped from an edge above the other shape's vertex. So the id does not depend on which hull was
// the reference. It is never 0, and is only unique within one pair of shapes.
type FeatureID uint32

// A feature is 1 + 2*index for a vertex, 2 + 2*index for an edge: never 0, below 32.
type feature uint32

func vertex(i int) feature { return feature(1 + 2*i) }
func edge(i int) feature   { return feature(2 + 2*i) }

func pair(a, b feature) FeatureID { return FeatureID(a<<8 | b) }

// Flip returns the id of the same point with A and B exchanged.
func (id FeatureID) Flip() FeatureID { return id&0xff<<8 | id>>8 }

// CornerA reports whether the point of a FaceHull manifold is at the face's vertex A. The previous
// face, whose B is the same corner, may report the same point, with CornerB and the same
// HullFeature. A caller with linked faces must drop one of the two.
func (id FeatureID) CornerA() bool { return feature(id>>8) == vertex(0) }

// CornerB is CornerA for the face's vertex B.
func (id FeatureID) CornerB() bool { return feature(id>>8) == vertex(1) }

// Vertices reports for each of the two features whether it is a vertex; otherwise it is an edge.
func (id FeatureID) Vertices() (a, b bool) { return id>>8&1 == 1, id&1 == 1 }

// HullFeature returns a non-zero number for the feature of the second hull (B, or FaceHull's hull)
// alone.
func (id FeatureID) HullFeature() uint32 { return uint32(id & 0xff) }
