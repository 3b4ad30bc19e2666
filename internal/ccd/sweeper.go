package ccd

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// Pose is the pose of a body: its centre of mass, in the world, and its rotation.
type Pose struct {
	Center geom.Vec
	Rot    geom.Rot
}

// Shape is a shape of the body that moves.
type Shape struct {
	Hull        *collide.Hull // in the body's frame
	InnerRadius float64       // radius of the largest disc about the hull's centroid in the shape
	ID          int32         // the caller's number of the shape
}

// Mover is a dynamic body that is swept, and its motion through a step if nothing is in the way.
type Mover struct {
	From, To    Pose
	Turn        float64  // radians from From to To, counter-clockwise, to within half a turn
	LocalCenter geom.Vec // centre of mass in the body's frame
	InvMass     geom.Vec // along each axis: 0 if the axis is locked
	InvInertia  float64
	Extent      float64 // distance of the farthest point of its shapes from the centre of mass
	Shapes      []Shape // without sensors
	// Deep: a shape is deeper in an obstacle than PressedDepth, so that its disc is swept however
	// short its path is. Sunk: a shape is deeper than SunkDepth in a surface without an inside (see
	// Obstacle.Open); the shapes then keep their distance from such surfaces.
	Deep, Sunk bool
	// Jointed: a joint holds the body, which the sweep does not know. So the body stops at an impact, and is neither
	// deflected nor carried along: that would tear it off.
	Jointed bool
	// NearMoving: moving obstacles, kinematic bodies and dynamic bodies with grounds, may be in the way.
	NearMoving bool
	// Bullet: dynamic bodies are obstacles, too. Pushed: the bullet touches a dynamic body, which
	// may push it, so that it is swept however slow it is.
	Bullet, Pushed bool
}

// Result is the outcome of a motion.
type Result struct {
	To       Pose    // at the end of the step
	Fraction float64 // of the motion, which the body has made; below 1 an obstacle stopped it
	// Squeezed: a moving body carried the mover along, up to an obstacle that does not move.
	Squeezed bool
}

// kinds is a set of kinds of obstacles of AppendNear.
type kinds uint8

const (
	still  kinds = 1 << iota // of bodies that do not move in this step
	moving                   // of bodies that move
	// moving obstacles that are firmer than all that have carried the mover along: see Obstacle.firmness
	walls
)

// Obstacle is a shape, or a surface: a set of one-sided faces.
type Obstacle struct {
	ID     uint64         // the caller's number of the obstacle, below 1<<48; see firmness
	Box    geom.AABB      // its box in the broad phase, in the world
	Motion *Motion        // of its body; nil if the body does not move
	Frame  geom.Transform // of its body, if that does not move
	Body   int32          // the caller's number of the body, if that does not move
	// Hull and Geometry are the shape, in its body's frame; nil for a surface.
	Hull     *collide.Hull
	Geometry geom.Shape
	// Open: the surface has no inside. So a shape that is deep in it has to keep its distance from the faces: no
	// later step could find out that the shape is on the wrong side.
	Open bool
}

// firmness orders the obstacles that move. Where one presses the mover against another, the firmer one is the wall:
// ground before chains, chains before shapes, and the lower ID of two of a kind. The solver has the same order: the
// last rows that it solves belong to the smallest firm ones (broad.Rank).
func (o *Obstacle) firmness() uint64 {
	kind := uint64(3)
	switch {
	case o.Hull != nil:
		kind = 1
	case o.Open:
		kind = 2
	}
	return kind<<48 - o.ID
}

// Region is the part of a surface that a shape may meet, in the frame of the surface's body.
type Region struct {
	Box    geom.AABB // bounds of the path of the shape
	Origin geom.Vec  // the faces are relative to it
	// Joined: faces in a straight line are joined, and have their ghosts. Otherwise the ends of
	// the faces suffice.
	Joined bool
}

// Obstacles finds the obstacles to the motion of a body. The shape is Shape.ID of one of the
// mover's shapes.
type Obstacles interface {
	// AppendNear appends the obstacles of bodies that are not dynamic, whose boxes overlap box, in
	// the world.
	AppendNear(dst []Obstacle, box geom.AABB) []Obstacle
	// MayStop reports whether an obstacle of AppendNear may stop the shape.
	MayStop(o *Obstacle, shape int32) bool
	// AppendDynamic appends the shapes of dynamic bodies that may stop the shape, and whose boxes
	// overlap box, now or before their motion: bodies that have made their motion, or make none.
	AppendDynamic(dst []Obstacle, shape int32, box geom.AABB) []Obstacle
	// AppendFaces appends the faces of the surface o in r that stop the shape.
	AppendFaces(dst []collide.Face, o *Obstacle, shape int32, r Region) []collide.Face
}

// Sweeper computes the motions of bodies, one after the other. The zero value is ready; it keeps
// its memory, so that a warm one allocates nothing.
type Sweeper struct {
	mover     *Mover
	obstacles Obstacles
	to        Pose    // of the mover at the end of the step, as far as is known
	turn      float64 // radians from the start of the step to there, to within half a turn
	since     float64 // fraction of the step at which the motion of shapes begins
	faces     []collide.Face
	dynamic   []Obstacle
	impacts   []Impact // of the last Advance; see Impacts
	carried   uint64   // the smallest firmness of the obstacles that have carried the mover along

	// From the first search for obstacles of an Advance on; see nearby.
	searched bool
	near     []Obstacle // whose boxes overlap nearBox
	nearBox  geom.AABB

	shapes shapeSweep
}

// Advance returns the result of the motion of m: up to the first obstacle that m would pass, and
// from there along with the obstacle, if that moves. It changes neither m nor the obstacles.
func (s *Sweeper) Advance(m *Mover, o Obstacles) Result {
	s.mover, s.obstacles, s.to, s.turn, s.searched, s.carried = m, o, m.To, m.Turn, false, math.MaxUint64
	s.impacts = slices.Grow(s.impacts[:0], usualImpacts)
	discs, discCarried := s.sweepDiscs(m.NearMoving)
	if s.searched && len(s.near) == 0 && !m.Bullet {
		return Result{To: m.To, Fraction: 1}
	}
	fraction, carried := s.sweepShapes(discs < 1)
	if carried {
		// The path is straight in the world, but not in the frame of a turning obstacle. So
		// where the body was stopped, and carried to, its centroid may be behind a surface.
		first := len(s.impacts)
		s.sweepDiscs(m.NearMoving)
		s.impacts = s.impacts[:first]
	}
	r := Result{}
	if discCarried || carried {
		r.Squeezed = s.squeeze()
	}
	r.To, r.Fraction = s.to, float64(discs*fraction)
	return r
}

// nearby returns the obstacles near box, and perhaps others, for isObstacle to exclude. One search of
// the path of the whole mover serves the discs of its shapes, along all chords, and the whole shapes.
func (s *Sweeper) nearby(box geom.AABB) []Obstacle {
	if s.searched && s.nearBox.Contains(box) {
		return s.near
	}
	if !s.searched {
		s.nearBox = s.mover.pathBox()
	}
	s.searched, s.nearBox = true, s.nearBox.Union(box)
	s.near = s.obstacles.AppendNear(s.near[:0], s.nearBox)
	return s.near
}

// PathBox returns bounds of the path of a body of the given extent if nothing stops the body. Its centre of mass moves
// from one point to another while it turns, by turn radians to within half a turn.
func PathBox(from, to geom.Vec, turn, extent float64) geom.AABB {
	return geom.Box(from, to).Expand(extent + float64(0.125*extent*turn*turn) + PathSlop)
}

// pathBox returns bounds of the path of the mover if nothing stops it. For a mover of one shape these are the bounds
// of a disc about its centre of mass, which are quickly computed and suffice for most movers; otherwise they are the
// bounds of its shapes, since a large body may have few.
func (m *Mover) pathBox() geom.AABB {
	if len(m.Shapes) == 1 {
		return PathBox(m.From.Center, m.To.Center, m.Turn, m.Extent)
	}
	turn, r := TurnOf(m.From.Rot, m.To.Rot, m.Turn), geom.Empty
	for i := range m.Shapes {
		r = r.Union(m.shapePathBox(&m.Shapes[i], m.From.Center, m.To.Center.Sub(m.From.Center), m.From.Rot, m.To.Rot,
			turn))
	}
	return r.Expand(geom.LinearSlop)
}

// isObstacle reports whether o is of one of the kinds, its box overlaps box, and it may stop sh.
func (s *Sweeper) isObstacle(o *Obstacle, sh *Shape, box geom.AABB, of kinds) bool {
	if m := o.Motion; m == nil && of&still == 0 || m != nil && of&moving == 0 && (of&walls == 0 ||
		o.firmness() <= s.carried) {
		return false
	}
	return o.Box.Overlaps(box) && s.obstacles.MayStop(o, sh.ID)
}

// shapePathBox returns bounds of the path of sh as the mover moves from center by d, and turns from
// rot to end, by turn radians.
func (m *Mover) shapePathBox(sh *Shape, center, d geom.Vec, rot, end geom.Rot, turn float64) geom.AABB {
	from := geom.Transform{P: center.Sub(rot.Apply(m.LocalCenter)), Q: rot}
	to := geom.Transform{P: center.Add(d).Sub(end.Apply(m.LocalCenter)), Q: end}
	return sh.Hull.Bounds(from).Union(sh.Hull.Bounds(to)).Expand(float64(0.125*m.Extent*turn*turn) + touchSlop)
}

// facesIn returns the faces of the surface o in r that stop sh.
func (s *Sweeper) facesIn(o *Obstacle, sh *Shape, r Region) []collide.Face {
	s.faces = s.obstacles.AppendFaces(s.faces[:0], o, sh.ID, r)
	return s.faces
}
