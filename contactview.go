package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/state"
)

// Contact is a view of two touching shapes, or of a shape or ground that touches a ground or chain.
type Contact struct {
	ShapeA  ShapeID  // 0 if A is a ground or chain
	Ground  GroundID // 0 if A is not a ground
	Chain   ChainID  // 0 if A is not a chain
	ShapeB  ShapeID  // 0 if B is a ground
	GroundB GroundID // 0 if B is a shape
	Normal  geom.Vec // unit, from A to B
	N       int      // points in use, 1 or 2
	Points  [2]ContactPoint
}

// ContactPoint is one point of a Contact.
type ContactPoint struct {
	Point geom.Vec // world; midway between the surfaces
	// Separation is the distance of the surfaces, negative if they overlap. The second of
	// two points may be far apart, for example the raised end of a tilted box.
	Separation float64
	// ID names the features of A and B that make the point. It stays the same from step to step as long as the
	// features do.
	ID ContactID
	// NormalImpulse and TangentImpulse are the impulses on B in the last step, in mass times speed, along Normal and
	// along Normal.Right(): the sums over its sub-steps, with impacts and bounces. Divided by the time of the step,
	// they are the mean forces. A sleeping body's are of the step in which it fell asleep. Where continuous collision
	// stops a body at the same place in two steps, its second impulse is in no contact.
	NormalImpulse, TangentImpulse float64
	// Cell and Tile are the ground's under the point, if A is a ground.
	Cell gridseg.Cell
	Tile gridseg.Tile
	// Segment is the chain's segment under the point, if A is a chain.
	Segment int
	// Material is A's material at the point: of the tile or segment under it, or of shape A.
	Material MaterialID
	// CellB and TileB are of the ground B under the point, and MaterialB its material there, or the material of the
	// shape B.
	CellB     gridseg.Cell
	TileB     gridseg.Tile
	MaterialB MaterialID
}

// AppendContacts appends the touching contacts of the world (one for each normal of the ground or
// chain under a shape), in an order that depends only on the calls made. Sensors have no contacts;
// see Shape.AppendOverlaps.
func (w *World) AppendContacts(dst []Contact) []Contact {
	for i, c := range w.state.Contacts.All() {
		dst = w.appendContact(dst, i, c)
	}
	return dst
}

// AppendContacts appends the touching contacts of the body's shapes, grounds and chains, like
// World.AppendContacts: the body may be on either side. Their order depends only on the calls made.
func (b Body) AppendContacts(dst []Contact) []Contact {
	b.get()
	for l, c := range b.w.state.ContactsOf(b.slot) {
		dst = b.w.appendContact(dst, l>>1, c)
	}
	return dst
}

// AppendContacts appends the touching contacts of the shape, like World.AppendContacts: the shape
// may be on either side. Their order depends only on the calls made.
func (s Shape) AppendContacts(dst []Contact) []Contact {
	s.get()
	for i, c := range s.w.state.ContactsWith(broad.OwnerOf(broad.Shape, s.slot)) {
		dst = s.w.appendContact(dst, i, c)
	}
	return dst
}

// AppendOverlaps appends the shapes that the sensor s overlaps: shapes of SensorBegins that have
// not ended. For a shape that is no sensor, it appends the sensors that it is in. Their order depends
// only on the calls made. Like the events, it describes the end of the last step. For grounds see AppendGrounds.
func (s Shape) AppendOverlaps(dst []ShapeID) []ShapeID {
	s.get()
	return appendSensed(dst, s.w, broad.OwnerOf(broad.Shape, s.slot), broad.Shape, s.w.state.Shapes.ID)
}

// AppendGrounds appends the grounds that the sensor s overlaps, as AppendOverlaps appends shapes; grounds of static
// bodies only if s has SenseGround.
func (s Shape) AppendGrounds(dst []GroundID) []GroundID {
	s.get()
	return appendSensed(dst, s.w, broad.OwnerOf(broad.Shape, s.slot), broad.Ground, s.w.state.Grounds.ID)
}

// AppendChains appends the chains that the sensor s, with SenseGround, overlaps, as AppendOverlaps appends shapes.
func (s Shape) AppendChains(dst []ChainID) []ChainID {
	s.get()
	return appendSensed(dst, s.w, broad.OwnerOf(broad.Shape, s.slot), broad.Chain, s.w.state.Chains.ID)
}

// AppendSensors appends the sensors that overlap the ground, as Shape.AppendOverlaps does; if the ground's body is
// static, only those with SenseGround.
func (g Ground) AppendSensors(dst []ShapeID) []ShapeID {
	g.get()
	return appendSensed(dst, g.w, broad.OwnerOf(broad.Ground, g.slot), broad.Shape, g.w.state.Shapes.ID)
}

// appendSensed appends the ids of the others of a kind in the contacts of sensors in which o overlaps them.
func appendSensed[ID ~uint64](dst []ID, w *World, o, kind broad.Owner, id func(slot int32) uint64) []ID {
	for _, c := range w.state.ContactsWith(o) {
		other := w.state.Contacts.SideA(c)
		if other == o {
			other = broad.OwnerOfB(c.ShapeB)
		}
		if c.Sensor && c.Touching && other.Kind() == kind {
			dst = append(dst, ID(id(other.Slot())))
		}
	}
	return dst
}

// appendContact appends the views of the manifolds of contact i, which is c.
func (w *World) appendContact(dst []Contact, i int32, c *state.Contact) []Contact {
	for m, on := range w.state.Contacts.ManifoldsOf(i, c) {
		dst = append(dst, w.contactOf(i, c, m, on))
	}
	return dst
}

// contactOf returns the view of the manifold m of contact i, which is c; on is m with its surface, nil between two
// shapes.
func (w *World) contactOf(i int32, c *state.Contact, m *contact.Manifold, on *contact.SurfaceManifold) Contact {
	ev := w.eventOf(c)
	v := Contact{
		ShapeA: ev.ShapeA, Ground: ev.Ground, Chain: ev.Chain, ShapeB: ev.ShapeB, GroundB: ev.GroundB,
		Normal: m.Normal, N: int(m.N),
	}
	totals := w.state.Contacts.TotalsOf(i, on)
	for j := range v.N {
		v.Points[j] = w.contactPoint(c, m, on, j)
		v.Points[j].NormalImpulse, v.Points[j].TangentImpulse = float64(totals[j][0]), float64(totals[j][1])
	}
	return v
}

// contactPoint returns the view of point j of the manifold m of c, without impulses; on is m with its surface, nil
// between two shapes.
func (w *World) contactPoint(c *state.Contact, m *contact.Manifold, on *contact.SurfaceManifold, j int) ContactPoint {
	p := &m.Points[j]
	q := ContactPoint{Point: w.state.Bodies.At(c.BodyB).Center.Add(p.AnchorB), Separation: p.Separation}
	if on == nil {
		q.ID = w.contactID(c, &contact.Feature{Pair: m.IDs[j]})
		q.Material = MaterialID(w.state.Shapes.At(c.ShapeA).Material)
	} else {
		s := &on.Sources[j]
		q.ID, q.Material = w.contactID(c, &on.Features[j]), MaterialID(s.Material)
		q.Cell, q.Tile, q.Segment = s.Cell, s.Tile, int(s.Segment)
	}
	if !c.OfGrounds() {
		q.MaterialB = MaterialID(w.state.Shapes.At(c.ShapeB).Material)
		return q
	}
	o := w.state.Contacts.SurfaceOf(c).OtherOf(on)
	s, b := &o.Sources[j], o.Features[j].Part()
	q.CellB, q.TileB, q.MaterialB, q.ID.B = s.Cell, s.Tile, MaterialID(s.Material), featureOf(b)
	return q
}

// Footing is the place on which a body stands; see Body.Grounded.
type Footing struct {
	Shape ShapeID // of the body that stands
	Body  BodyID  // on which it stands
	// On is the shape on which it stands, or Ground or Chain; the other two are 0.
	On     ShapeID
	Ground GroundID
	Chain  ChainID
	// Cell and Tile are the ground's under the point, Segment the chain's.
	Cell     gridseg.Cell
	Tile     gridseg.Tile
	Segment  int
	Material MaterialID // of the tile or segment, or of the shape On
	Point    geom.Vec   // world
	Normal   geom.Vec   // unit, world, from the surface to the body
	// Velocity is the velocity at Point of the body that carries the surface, in units of length a second:
	// of a lift or a raft. The speed of a belt (Material.TangentSpeed) is not part of it.
	Velocity geom.Vec
}

// Grounded returns the place on which the body stands. Of the contacts whose normal, toward the body, is at most
// maxSlope radians from up, it takes the contact with the smallest slope, and of its points the nearest. up has any
// length; the zero vector means against the gravity of the world. ok is false if there is no such contact, if up is
// not finite, if both up and the gravity are zero, or if maxSlope is not in [0, pi].
//
// The result is from the narrow phase at the start of the last Step. Call Grounded in each step: it visits the
// contacts of the body. A contact begins 0.02 units of length before the shapes touch.
func (b Body) Grounded(up geom.Vec, maxSlope float64) (f Footing, ok bool) {
	b.get()
	w := b.w
	if up == (geom.Vec{}) {
		up = w.state.Config.Gravity.Neg()
	}
	length := up.Len()
	if !(length > 0 && length <= state.MaxInput) || !(maxSlope >= 0 && maxSlope <= math.Pi) {
		return f, false
	}
	best := geom.NewRot(maxSlope).C - slopeSlop
	for l, c := range w.state.ContactsOf(b.slot) {
		for m, on := range w.state.Contacts.ManifoldsOf(l>>1, c) {
			sign := 1.0
			if l&1 == 0 {
				sign = -1 // b is A
			}
			steep := float64(sign*m.Normal.Dot(up)) / length
			if steep < best || ok && steep == best {
				continue
			}
			near := 0
			if m.N > 1 && m.Points[1].Separation < m.Points[0].Separation {
				near = 1
			}
			best, ok = steep, true
			f = w.footing(c, w.contactPoint(c, m, on, near), l&1 == 0)
			f.Normal = m.Normal.Mul(sign)
		}
	}
	return f, ok
}

// slopeSlop is more than the rounding error of the cosine of a slope.
const slopeSlop = 1e-12

// footing returns the place p of the contact c as a Footing of side B, or of side A if flipped is set.
func (w *World) footing(c *state.Contact, p ContactPoint, flipped bool) Footing {
	ev, under := w.eventOf(c), c.BodyA
	f := Footing{
		Shape: ev.ShapeB, On: ev.ShapeA, Ground: ev.Ground, Chain: ev.Chain, Point: p.Point,
		Cell: p.Cell, Tile: p.Tile, Segment: p.Segment, Material: p.Material,
	}
	if flipped {
		under, f.Shape, f.On, f.Material = c.BodyB, ev.ShapeA, ev.ShapeB, p.MaterialB
		f.Ground, f.Chain, f.Cell, f.Tile, f.Segment = ev.GroundB, 0, p.CellB, p.TileB, 0
	}
	a := w.state.Bodies.At(under)
	f.Body, f.Velocity = BodyID(w.state.Bodies.ID(under)), a.VelocityAt(p.Point.Sub(a.Center))
	return f
}

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
	p := contact.Part{
		Kind: contact.PartKind(f.Kind), Another: f.Another, Index: f.Index, X: f.X, Y: f.Y,
		Offset: f.Offset,
	}
	return p.String()
}

// String returns both features in words.
func (id ContactID) String() string { return id.A.String() + "; " + id.B.String() }

// contactID returns the id of a point of contact c.
func (w *World) contactID(c *state.Contact, f *contact.Feature) ContactID {
	a, b := f.Parts()
	if a.Kind == contact.ChainRun || a.Kind == contact.ChainCorner {
		a.Index = int32(w.state.Chains.At(w.state.Contacts.SideA(c).Slot()).First(int(a.Index)))
	}
	return ContactID{featureOf(a), featureOf(b)}
}

func featureOf(p contact.Part) ContactFeature {
	return ContactFeature{FeatureKind(p.Kind), p.Another, p.Index, p.X, p.Y, p.Offset}
}
