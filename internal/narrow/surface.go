package narrow

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/surface"
)

// Scratch is the working memory of the narrow phase for one worker. The zero value is ready for use.
type Scratch struct {
	Tiles   surface.Filter     // the tiles near the current shape
	Chain   surface.ChainQuery // the faces of a chain near it
	Exits   exitScratch        // of shapes in solid ground
	Matcher contact.Matcher

	backed   collide.Hull     // see back
	face     collide.Face     // current
	manifold collide.Manifold // of the shape and face
	seam     SeamPoint        // a point of it

	outlines outlines // of two grounds

	room []contact.SurfaceManifold // for the manifolds of contacts that need room, see add
	next int                       // length of the room made next
}

// Input is a shape and the surface of a ground or chain. Coordinates are relative to the centre of
// mass of the shape's body, in the surface's axes, so they are as exact far from the world's origin
// as at it.
type Input struct {
	exitShape                   // Tiles is nil with a chain
	Frame     geom.Transform    // of the surface's body in the world
	Apart     geom.Vec          // from the centre of mass of the surface's body to the shape's
	Velocity  geom.Vec          // of the shape's body, relative to the surface
	Time      float64           // simulated, in seconds
	Pace      float64           // of the world; see Pace
	OneWay    *surface.WayQuery // of the shape; nil if no material is one-way. Ground sets its field Old
	Chain     *surface.Chain
	Bounds    geom.AABB      // of the ground's tiles, in cells
	Was       geom.Transform // At at the start of the last step, if Yields
	Yields    bool           // the surface's body is dynamic
	Moves     bool           // the surface's body is dynamic or kinematic
	Fixed     bool           // the shape's body is not dynamic
	Beside    Beside         // nil if there is no other surface
	// of a contact with a ground, not touching in the step before, of a shape that does not drop; else nil. See apart
	Last   *Last
	Extent float64 // distance of the shape's farthest point from its centroid
}

// Set sets the fields that follow from the poses: frame of the surface's body; center and rot of
// the shape's body, and localCenter, the centre of mass in its frame.
func (in *Input) Set(frame geom.Transform, center geom.Vec, rot geom.Rot, localCenter geom.Vec) {
	in.Frame = frame
	in.Origin = frame.Inv(center)
	q := frame.Q.InvMul(rot)
	in.At = geom.Transform{P: q.Apply(localCenter).Neg(), Q: q}
}

// Memory is the state of the contact of a shape and a surface from step to step. The zero value is a new contact.
// The caller sets OneWay and Stuck.State.
type Memory struct {
	Manifolds []contact.SurfaceManifold
	Others    []Opposite // between two grounds, or a chain and a ground: side B of each manifold
	Stuck     Stuck
	Searched  Searched // with a ground

	OneWay surface.WayMemory // with a ground
}

// Reset makes m as in a new contact, and keeps its room.
func (m *Memory) Reset() {
	m.OneWay.Reset()
	*m = Memory{Manifolds: m.Manifolds[:0], Others: m.Others[:0], OneWay: m.OneWay}
}

// Idle reports whether the shape neither is nor was stuck in the step before.
func (m *Memory) Idle() bool { return m.Stuck.Idle() }

// Deepest returns the smallest separation of the points, at most 0.
func (m *Memory) Deepest() (deepest float64) {
	for k := range m.Manifolds {
		deepest = min(deepest, m.Manifolds[k].LeastSeparation())
	}
	return deepest
}

// Empty reports whether m, apart from its lists, is as in a new contact.
func (m *Memory) Empty() bool {
	return m.Stuck == Stuck{} && m.Searched == Searched{} && m.OneWay.Empty()
}

// WithoutLists returns m without its lists.
func (m *Memory) WithoutLists() Memory {
	c := *m
	c.Manifolds, c.Others, c.OneWay.Stood = nil, nil, nil
	return c
}

// Visit visits m; a hash has the manifolds and the drop, if the shape drops.
func (m *Memory) Visit(c *pool.Codec) {
	m.OneWay.Visit(c)
	if !c.Hashing() {
		m.Stuck.Visit(c)
		n := c.Length(len(m.Manifolds), leastManifold)
		for len(m.Manifolds) < n {
			m.Manifolds = append(m.Manifolds, contact.SurfaceManifold{})
		}
	}
	for k := range m.Manifolds {
		m.Manifolds[k].Visit(c)
	}
}

// leastManifold is the smallest number of words of a manifold in a snapshot.
const leastManifold = 23

// Outcome is the result of the narrow phase for one contact, besides its manifolds. The zero Outcome
// is as in a contact that does not touch.
type Outcome struct {
	Touching bool
	Stuck    StuckState     // not Between
	Thin     bool           // the shape is pushed out, and may slide along the surface meanwhile; see Exit
	Crushed  bool           // the shape has been stuck for StuckTime
	Normal   geom.Vec       // along which it is pushed out, in world axes
	Deepest  float64        // the smallest separation of the points, at most 0
	Last     contact.Source // of the first point in the step before, if the contact no longer touches
}

// Changes reports whether the outcome changes more than manifolds, where m is the state of the contact: a
// body's velocity or an event.
func (out *Outcome) Changes(m *Memory) bool {
	was := m.Stuck.State
	return (out.Stuck == Held) != (was == Held) || was.IsPinched() || out.Stuck > Held || out.Crushed
}

// Leave returns the new velocity of a body that is pushed out of a surface. v is the body's velocity,
// base the surface's. The body keeps only the part of v along the exit, since gravity and sliding
// would move it past the exit, and deeper in. A thin body keeps all of v that does not lead back in. A
// body that is carried gets the velocity of the surface.
func (out *Outcome) Leave(v, base geom.Vec) geom.Vec {
	if out.Stuck == Carried {
		return base
	}
	along := v.Sub(base).Dot(out.Normal)
	if out.Thin {
		return v.MulAdd(-min(0, along), out.Normal)
	}
	return base.MulAdd(max(0, along), out.Normal)
}

// Ground computes the contact of a shape and a ground: one manifold for each run of segments that
// the shape touches.
func (s *Scratch) Ground(out *Outcome, mem *Memory, in *Input) {
	if s.apart(mem, in) {
		s.Apart(out, mem)
		return
	}
	*out = Outcome{}
	in.Searched = &mem.Searched
	s.back(mem, in)
	middle := in.Middle()
	if s.pushOut(out, mem, in, middle) {
		return
	}
	box := in.Hull.Bounds(in.At).Expand(contact.SpeculativeDistance).Translate(in.Origin)
	if r, ok := surface.Cells(box); ok {
		s.Tiles.Collect(in.Tiles, in.OneWay, r)
		s.Tiles.Select(in.Hull, in.At, box, middle, in.Origin)
		s.faces(out, mem, in, &s.Tiles)
	}
	stuck := false
	if out.Deepest < -geom.LinearSlop { // the depth of a pinched shape is larger
		if depth := PinchDepthOf(in.InnerRadius); out.Deepest < -depth {
			stuck = pinched(mem.Manifolds, depth) ||
				contact.Escaping(s.Matcher.Old) && deeper(mem.Manifolds, depth)
		}
	}
	if stuck && out.Stuck == Free {
		s.escape(out, mem, in)
	}
	s.noteStuck(out, mem, in, stuck || mem.Stuck.State == Between || out.Stuck == Carried)
	s.end(out, mem)
}

// Apart sets the outcome for a shape that neither touches the surface nor did in the step before.
func (s *Scratch) Apart(out *Outcome, mem *Memory) {
	*out = Outcome{}
	s.begin(mem)
}

// Clearance is the distance around a shape, in units of length, within which apart looks for a ground's faces: the
// motion of a few steps in a heap, and hardly more cells than the shape overlaps.
const Clearance = 0.1

// apart reports whether a shape that did not touch a ground in the step before is still apart from it, so that
// Ground would find no contact: it has moved less than its distance from the faces when they were last examined, or
// the faces are far enough now. The caller resets in.Last when a face has changed within Clearance and
// contact.SpeculativeDistance of the shape.
func (s *Scratch) apart(mem *Memory, in *Input) bool {
	last, at := in.Last, Pose{in.Origin, in.At.Q}
	if last == nil {
		return false
	}
	if last.Holds(&at) {
		return true
	}
	last.gap = 0
	middle := in.At.Apply(in.Hull.Centroid)
	p := middle.Add(in.Origin)
	if !mem.Idle() || in.Tiles.Grid.Solid(p.X, p.Y) { // also in one-way tiles, which may bury faces
		return false
	}
	box := in.Hull.Bounds(in.At).Expand(contact.SpeculativeDistance)
	r, ok := surface.Cells(box.Expand(Clearance).Translate(in.Origin))
	if !ok {
		return false
	}
	s.Tiles.Query.Collect(in.Tiles.Grid, r)
	last.set(&at, min(Clearance, s.Tiles.Distance(box, in.Origin)), in.Extent+middle.Len())
	return last.gap > 0
}

// ChainFaces computes the contact of a shape and a chain: one manifold for each face that the shape
// touches.
func (s *Scratch) ChainFaces(out *Outcome, mem *Memory, in *Input) {
	*out = Outcome{}
	s.begin(mem)
	box := in.Hull.Bounds(in.At).Expand(contact.SpeculativeDistance).Translate(in.Origin)
	s.Chain.Collect(in.Chain, in.Hull, in.At, box, in.Origin)
	s.faces(out, mem, in, &s.Chain)
	if depth := PinchDepthOf(in.InnerRadius); out.Deepest < -depth && pinched(mem.Manifolds, depth) {
		out.Stuck = Pinched
	}
	s.noteStuck(out, mem, in, out.Stuck == Pinched || mem.Stuck.State == Between)
	s.end(out, mem)
}

// begin takes the manifolds of the step before.
func (s *Scratch) begin(mem *Memory) {
	s.Matcher.Begin(mem.Manifolds)
	mem.Manifolds = mem.Manifolds[:0]
}

// end records whether the contact touches. A contact that carries the shape along counts as touching, so that both
// bodies sleep and wake together.
func (s *Scratch) end(out *Outcome, mem *Memory) {
	out.Touching = len(mem.Manifolds) > 0 || out.Stuck == Carried
	if !out.Touching && len(s.Matcher.Old) > 0 {
		out.Last = s.Matcher.Old[0].Sources[0]
	}
}

// faces adds the manifolds of the shape and each face of a surface. If another surface covers a point, all faces get
// ghost vertices on the other surfaces, since a face may have left a corner to one that is covered.
func (s *Scratch) faces(out *Outcome, mem *Memory, in *Input, sf surface.Faces) {
	if s.addFaces(out, mem, in, sf, false) {
		s.Matcher.Restart()
		mem.Manifolds = mem.Manifolds[:0]
		s.addFaces(out, mem, in, sf, true)
	}
}

// addFaces adds the manifolds of all faces, and sets out.Deepest. With joined, faces get ghost vertices on the surfaces
// beside theirs; without, addFaces stops and returns true if such a surface covers a point.
func (s *Scratch) addFaces(out *Outcome, mem *Memory, in *Input, sf surface.Faces, joined bool) (covered bool) {
	f, m, mt := &s.face, &s.manifold, &s.Matcher
	centroid := in.At.Apply(in.Hull.Centroid)
	combed := sf.Combed()
	if combed {
		mt.Cold = 0
	}
	deepest := 0.0
	for i := range sf.Count() {
		k := sf.SetFace(f, i)
		if joined {
			in.Beside.Join(f)
		}
		collide.FaceHull(m, f, in.Hull, in.At, contact.SpeculativeDistance)
		if m.N == 0 {
			continue
		}
		if in.Beside != nil {
			points := s.covered(in)
			if points != 0 && !joined {
				return true
			}
			if points.Drop(m); m.N == 0 {
				continue
			}
		}
		n := len(mem.Manifolds)
		to := s.add(mem)
		to.Normal = in.Frame.Q.Apply(m.Normal)
		occluded := sf.MayOcclude(f, centroid)
		for j := range m.N {
			from := &m.Points[j]
			if occluded && sf.Occluded(from, m.Normal, centroid) || combed && sf.OfComb(from.ID, k, m.Normal) {
				continue
			}
			if s.addPoint(mem.Manifolds[:n], to, from, in, sf, k) && from.Separation < deepest {
				deepest = from.Separation
			}
		}
		if to.N == 0 {
			mem.Manifolds = mem.Manifolds[:n]
			continue
		}
		if combed {
			sf.TakeLoad(to, k, mt)
		}
		if mt.Rolls {
			to.InheritRolling(mt.Old)
		}
	}
	out.Deepest = deepest
	return false
}

// addPoint adds a point of face k to the manifold to, with the impulses of the point of the same name in the step
// before. It returns false if the point is a corner of two faces that one of the manifolds before has already.
func (s *Scratch) addPoint(
	before []contact.SurfaceManifold, to *contact.SurfaceManifold, from *collide.Point, in *Input, sf surface.Faces,
	k int,
) bool {
	mt, name := &s.Matcher, sf.Name(from.ID, k)
	if len(before) > 0 {
		if met, same := mt.Find(before, name, to.Normal); same {
			return false
		} else if met {
			name = sf.OtherName(name, k) // a second point at the corner, with another normal
		}
	}
	p := &to.Points[to.N&1]
	to.Features[to.N&1] = name
	p.AnchorB = in.Frame.Q.Apply(from.Anchor)
	p.AnchorA = p.AnchorB.Add(in.Apart)
	p.Separation = from.Separation
	sf.SetSource(&to.Sources[to.N&1], from, k)
	mt.Inherit(p, &name, to.Normal)
	to.N++
	return true
}

// covered returns which points of the current manifold another surface covers.
func (s *Scratch) covered(in *Input) (points pointSet) {
	m := &s.manifold
	for j := range m.N {
		p := &m.Points[j&1]
		s.seam.OfFace(&s.face, p.Anchor.MulAdd(-0.5*p.Separation, m.Normal), m.Normal)
		if s.seam.MayBeFlush() && in.Beside.Covered(&s.seam) {
			points |= 1 << j
		}
	}
	return points
}

// Contacts take the memory of their manifolds from shared arrays: of firstRoom manifolds, then of twice as many
// each time, up to mostRoom, which is 237 KB. So a contact that touches for the first time, as some do in each step
// of a pile, makes no allocation of its own. A contact keeps its memory (see Memory.Reset), and loses it when it
// needs more.
const firstRoom, mostRoom = 16, 1024

// add appends a manifold and returns it, to be filled in place: a manifold is too large to copy.
func (s *Scratch) add(mem *Memory) *contact.SurfaceManifold {
	n := len(mem.Manifolds)
	if n == cap(mem.Manifolds) {
		size := max(2, 2*n)
		if size > len(s.room) {
			s.next = min(mostRoom, max(firstRoom, 2*s.next))
			s.room = make([]contact.SurfaceManifold, max(s.next, size))
		}
		room := s.room[:n:size]
		s.room = s.room[size:]
		copy(room, mem.Manifolds)
		mem.Manifolds = room
	}
	mem.Manifolds = mem.Manifolds[:n+1]
	m := &mem.Manifolds[n]
	*m = contact.SurfaceManifold{}
	return m
}

// pushOut begins the contact with a ground. If the shape's centroid, at middle, is in solid ground, it pushes the
// shape out and returns true.
func (s *Scratch) pushOut(out *Outcome, mem *Memory, in *Input, middle geom.Vec) bool {
	s.begin(mem)
	if in.OneWay != nil && in.OneWay.Old != nil {
		in.OneWay.Old = s.Matcher.Old
	}
	if !s.Tiles.Solid(in.Tiles, middle) {
		return false
	}
	exit, inside := s.Exits.OutOfSolid(&in.exitShape, contact.Escaping(s.Matcher.Old))
	if exit.Kind == 0 {
		if inside && in.Moves {
			out.Stuck = Carried
		} else if inside {
			out.Stuck = Held
		}
		return false
	}
	s.leave(out, mem, in, &exit, 0, 0)
	out.Touching = true
	s.noteStuck(out, mem, in, true)
	return true
}

// leave gives the shape one point, with the given impulses, that pushes it along an exit.
func (s *Scratch) leave(out *Outcome, mem *Memory, in *Input, exit *Exit, normal, tangent float32) {
	if out.Stuck, out.Thin = Leaving, exit.Thin; exit.Kind == contact.Escape {
		out.Stuck = Escaping
	}
	out.Normal, out.Deepest = in.Frame.Q.Apply(exit.Normal), min(0, exit.Separation)
	mem.Manifolds = mem.Manifolds[:0]
	m := s.add(mem)
	m.Normal, m.N = out.Normal, 1
	at := geom.Vec{} // a shape on a dynamic body is pushed at the centre of mass, so that it does not turn
	if in.Fixed {
		at = in.Frame.Q.Apply(in.At.Apply(in.Hull.Centroid))
	}
	m.Points[0] = contact.Point{
		AnchorA: in.Apart.Add(at), AnchorB: at, Separation: exit.Separation, NormalImpulse: normal,
		TangentImpulse: tangent,
	}
	m.Features[0], m.Sources[0] = contact.Feature{Kind: exit.Kind}, exit.Source
	for j := range s.Matcher.Old {
		if o := &s.Matcher.Old[j]; o.Normal == m.Normal && m.Points[0].Inherit(&m.Features[0], o) {
			break
		}
	}
}

// escape handles a pinched shape. A slow shape is pushed to a free spot, since it will not move out the way it
// came in. A fast shape gets a speed cap.
func (s *Scratch) escape(out *Outcome, mem *Memory, in *Input) {
	if in.Velocity.Len() < PushSpeed {
		m := &mem.Manifolds[0]
		exit, rests := s.Exits.OutOfPinch(&in.exitShape, m.Sources[0])
		if rests {
			return
		}
		if exit.Kind != 0 {
			s.leave(out, mem, in, &exit, m.Points[0].NormalImpulse, m.Points[0].TangentImpulse)
			return
		}
	}
	out.Stuck = Pinched
}

// noteStuck records whether the shape is stuck. In a ground a shape is not crushed if there is a free spot near; a
// chain has no inside through which the shape could be pushed to one.
func (s *Scratch) noteStuck(out *Outcome, mem *Memory, in *Input, stuck bool) {
	if !stuck && !mem.Stuck.Timed() || !mem.Stuck.Update(stuck, in.Middle(), in.Time, in.Pace) {
		return
	}
	if in.Chain == nil && out.Deepest > -PinchDepth && s.Exits.HasRoom(&in.exitShape) {
		mem.Stuck.Restart(in.Time) // such as for a thin shape that a load presses into the ground
		return
	}
	mem.Stuck.SetReported()
	out.Crushed = true
}
