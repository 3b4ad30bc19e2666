package quarry

import "github.com/quarry2d/quarry/internal/contact"

// ContactID names a contact point by the two features that make it, one of A and one of B,
// so that a game can find the point again in a later step. It is comparable, and unique
// among the points of one pair (a shape with a shape, a ground or a chain); points of
// different pairs may have equal ids. A point that has the same id one step later is warm
// started from its impulses. The id does not depend on which of two shapes was the reference
// of the clipping. No point has the zero ContactID.
type ContactID struct{ A, B ContactFeature }

// ContactFeature is the part of a shape, ground or chain that makes a contact point. Kind
// says which fields are set; the others are 0.
type ContactFeature struct {
	Kind FeatureKind
	// Another is set for the second of two points at one place with different normals: two
	// faces of a ground or chain meet there and both push.
	Another bool
	// Index is the number of a shape's vertex or edge, or of a chain's segment or point.
	Index int32
	// X and Y are a lattice point (gridseg.Unit lattice steps are one cell), or the direction of a
	// line in lowest terms, along the ground's segments: solid is on its left.
	X, Y int64
	// Offset places a line: x*Y - y*X is Offset for each lattice point (x, y) on it.
	Offset int64
}

// FeatureKind is the kind of a ContactFeature.
type FeatureKind uint8

// The kinds of features. The vertices of a shape are numbered as in its definition:
// geom.Polygon by its Vertices, geom.Capsule and geom.Segment by A and B, and a
// geom.Circle has one, 0. Edge i runs from vertex i to the next.
const (
	NoFeature    FeatureKind = iota // no feature: also B if A is InsideGround
	ShapeVertex                     // Index: the vertex
	ShapeEdge                       // Index: the edge
	GroundLine                      // X, Y, Offset: the line of a straight surface, over any number of tiles
	GroundVertex                    // X, Y: the lattice point at which a straight surface ends
	ChainFace                       // Index: the first segment of a straight run of segments
	ChainCorner                     // Index: the point of ChainDef.Points at which such a run ends
	InsideGround                    // the shape is pushed out of solid ground
)

// String returns the kind in words.
func (k FeatureKind) String() string { return contact.PartKind(k).String() }

// String returns the feature in words: "vertex 2", "ground line (-1, 0) at 4096".
func (f ContactFeature) String() string {
	p := contact.Part{Kind: contact.PartKind(f.Kind), Another: f.Another, Index: f.Index, X: f.X, Y: f.Y, Offset: f.Offset}
	return p.String()
}

// String returns both features in words.
func (id ContactID) String() string { return id.A.String() + "; " + id.B.String() }

// contactID returns the id of a point of contact c.
func (w *World) contactID(c *contactState, f *contact.Feature) ContactID {
	a, b := f.Parts()
	if a.Kind == contact.ChainRun || a.Kind == contact.ChainCorner {
		a.Index = int32(w.chains.At(w.sideA(c).Slot()).First(int(a.Index)))
	}
	return ContactID{featureOf(a), featureOf(b)}
}

func featureOf(p contact.Part) ContactFeature {
	return ContactFeature{FeatureKind(p.Kind), p.Another, p.Index, p.X, p.Y, p.Offset}
}
