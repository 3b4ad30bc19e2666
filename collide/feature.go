package collide

// FeatureID names a manifold point by the pair of features that made it: one of
// A, one of B, each a vertex or an edge. Vertex i of a hull is its V[i], edge i
// runs from V[i] to the next; of a Face the edge is 0, vertex 0 is A and vertex
// 1 is B.
//
// A vertex of one over an edge of the other is that vertex and that edge, and so
// is a point that was cut off an edge above the other's vertex. So the name of a
// point does not depend on which hull was the reference. It is never 0, and it
// holds its meaning only for one pair of shapes.
type FeatureID uint32

// A feature is 1 + twice the index, and one more for an edge: never 0, below 32.
type feature uint32

func vertex(i int) feature { return feature(1 + 2*i) }
func edge(i int) feature   { return feature(2 + 2*i) }

func pair(a, b feature) FeatureID { return FeatureID(a<<8 | b) }

// Flip returns the name that the same point has with A and B exchanged.
func (id FeatureID) Flip() FeatureID { return id&0xff<<8 | id>>8 }

// CornerA reports whether the point of a FaceHull manifold is at the face's
// vertex A. The face before it, whose B is the same corner, may report the same
// point: then that has CornerB, and the same HullFeature. The caller, who knows
// that the faces are linked, drops one.
func (id FeatureID) CornerA() bool { return feature(id>>8) == vertex(0) }

// CornerB is CornerA for the face's vertex B.
func (id FeatureID) CornerB() bool { return feature(id>>8) == vertex(1) }

// Vertices reports which of the two features are vertices; the others are edges.
func (id FeatureID) Vertices() (a, b bool) { return id>>8&1 == 1, id&1 == 1 }

// HullFeature returns a number, not 0, that stands for the feature of the
// second hull (B, or FaceHull's hull) alone.
func (id FeatureID) HullFeature() uint32 { return uint32(id & 0xff) }
