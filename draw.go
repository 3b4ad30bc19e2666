package quarry

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/draw"
)

// DrawLayers is a set of layers of a debug draw. Its numbers may change; to store or send a set, use
// String and ParseDrawLayers.
type DrawLayers uint32

// The layers, in the order in which Draw lists their items. Lengths of arrows are true (a velocity of 2
// units of length a second is 2 units long): scale them for the screen.
const (
	// DrawShapes has each shape as a DrawHull, and a geom.Segment as a DrawLine. Bodies are in the order of their
	// slots, and of each body the shape added last is first.
	DrawShapes = DrawLayers(draw.Shapes)
	// DrawSurfaces has each segment of the grounds and chains of each body as a DrawLine; the solid is on
	// its left.
	DrawSurfaces = DrawLayers(draw.Surfaces)
	// DrawNormals has a DrawArrow of unit length from the middle of each segment, out of the solid.
	DrawNormals = DrawLayers(draw.Normals)
	// DrawGhosts has a DrawPoint at each ghost vertex of each segment. Points[1] is the middle of the
	// segment.
	DrawGhosts = DrawLayers(draw.Ghosts)
	// DrawJoints has for each joint a DrawLine from the centre of mass of each body that is not static to its
	// anchor; a DrawLine between the anchors, or a zigzag of ten lines if the joint has a spring on its line; a
	// DrawFrame at each anchor, but a DrawPoint at the target of a MouseJoint; a DrawPoint at each end of a range
	// of lengths; and a DrawArrow of unit length at each end of a range of angles. A FilterJoint has only a
	// DrawLine between the centres. Value is the force of the last step.
	DrawJoints = DrawLayers(draw.Joints)
	// DrawContacts has for each contact point (see Contact) a DrawPoint, whose Value is the separation,
	// and a DrawArrow along the unit normal, from A to B. The item's body and shape are B's.
	DrawContacts = DrawLayers(draw.Contacts)
	// DrawImpulses has a DrawArrow for each contact point with an impulse: the sum of its normal and its tangent
	// impulse on B in the last step, in mass times speed.
	DrawImpulses = DrawLayers(draw.Impulses)
	// DrawBoxes has the AABB of each shape, ground and chain as a DrawHull of four points. It is the smallest box;
	// only the box of a ground holds all cells in which it has ever had tiles.
	DrawBoxes = DrawLayers(draw.Boxes)
	// DrawProxies has the boxes of shapes, grounds and chains in the broad phase. They are larger than the AABBs,
	// so that a small motion changes no box. Pairs of boxes that overlap have a contact.
	DrawProxies = DrawLayers(draw.Proxies)
	// DrawIslands has a DrawHull of four points around the bodies of each island of the last step; Value is the
	// number of the bodies. A sleeping island is listed only in the step in which it falls asleep.
	DrawIslands = DrawLayers(draw.Islands)
	// DrawCenters has a DrawFrame with axes of unit length at each body's centre of mass.
	DrawCenters = DrawLayers(draw.Centers)
	// DrawVelocities has a DrawArrow for each body that moves: the velocity of its centre of mass, in units of
	// length a second. Value is the spin, in radians a second.
	DrawVelocities = DrawLayers(draw.Velocities)

	// DrawAll has all layers.
	DrawAll = DrawLayers(draw.All)
)

// String returns the names of the layers, separated by commas, such as "contacts,boxes".
func (l DrawLayers) String() string { return draw.Layers(l).Names() }

// ParseDrawLayers returns the layers of the names in text, separated by commas; "all" stands for all
// layers. It returns an error that names the first unknown layer, and all layers that there are.
func ParseDrawLayers(text string) (DrawLayers, error) {
	l, err := draw.Parse(text)
	return DrawLayers(l), err
}

// DrawForm is the meaning of the points of a DrawItem.
type DrawForm uint8

const (
	// DrawPoint is a dot at Points[0].
	DrawPoint = DrawForm(draw.Point)
	// DrawLine is a line from Points[0] to Points[1].
	DrawLine = DrawForm(draw.Line)
	// DrawArrow is a vector from Points[0] to Points[1].
	DrawArrow = DrawForm(draw.Arrow)
	// DrawHull is the convex hull of the points, expanded by Radius: one point is a circle, two are a
	// capsule, more a polygon, counter-clockwise.
	DrawHull = DrawForm(draw.Hull)
	// DrawFrame is a frame with its origin at Points[0] and the tips of its axes at Points[1] and Points[2].
	DrawFrame = DrawForm(draw.Frame)
)

// DrawItem is one element of a debug draw.
type DrawItem struct {
	Layer  DrawLayers // one layer
	Form   DrawForm
	N      int                        // points in use
	Points [geom.MaxVertices]geom.Vec // relative to DrawOptions.Origin
	Radius float64
	Value  float64  // the meaning depends on the layer
	Axis   geom.Vec // unit: the x axis of the body, such as for the radius line of a circle

	Body BodyID // 0 for an island
	// Shape, Ground and Chain are set if the item belongs to one. In a contact, Shape is B, and A if it
	// is a ground or chain.
	Shape  ShapeID
	Ground GroundID
	Chain  ChainID
	Joint  JointID // of the layer DrawJoints
	// Cell and Segment name the item's segment, or of the segment under the point of a contact.
	Cell    gridseg.Cell // of a ground
	Segment int          // of a chain
	// Material is the material of the shape or segment, and Color its Material.Color: 0xRRGGBB, or 0 for none.
	Material MaterialID
	Color    uint32
	Type     BodyType // of the body
	Asleep   bool     // of a dynamic body
	Sensor   bool
	Bullet   bool
}

// DrawOptions select the items of a debug draw.
type DrawOptions struct {
	Layers DrawLayers
	// View leaves out items outside it: shapes and boxes that do not overlap it; joints if the box around their
	// anchors and centres does not; contacts, centres and velocities whose first point is not in it; segments in
	// cells that it does not overlap; and faces of chains whose boxes it does not overlap. The zero View leaves out
	// nothing.
	View geom.AABB
	// Origin is subtracted from all points, before they are rounded to float64: so a picture ten million
	// cells from the world's origin is as exact as one at it, also in float32.
	Origin geom.Vec
	// Alpha is the fraction of the last step, above 0 and at most 1, at whose poses bodies are drawn, with their
	// shapes, tight boxes, grounds, chains, joints and centres, as by Body.TransformAt; 0 means 1, the poses at its
	// end. Clock.Alpha returns one. Contacts, boxes of the broad phase and islands do not follow it.
	Alpha float64
}

// DrawList holds the items of a debug draw. The zero DrawList is empty. It keeps its memory, so that a
// Draw that is no larger than an earlier one allocates nothing.
type DrawList struct {
	Items []DrawItem // in the order of their layers

	list  draw.List
	alpha float64 // of the current Draw
}

// Draw sets l.Items to a description of the world for pictures that help to find errors: pure data, in an order
// that depends only on the calls made and on o, valid until the next Draw with l. Draw changes nothing else, and
// may run concurrently with other queries, each with its own list. A View that is empty or not finite has no items.
// Draw panics if o.Alpha is not in [0, 1].
func (w *World) Draw(l *DrawList, o DrawOptions) {
	w.mustBeMade()
	check.NotNil("Draw", "l", l == nil)
	check.Within("Draw", "DrawOptions.Alpha", o.Alpha, 0, 1, "")
	if l.alpha = o.Alpha; o.Alpha == 0 {
		l.alpha = 1
	}
	if o.View == (geom.AABB{}) {
		const all = 1e300 // a rotated box stays finite
		o.View = geom.AABB{Min: geom.V(-all, -all), Max: geom.V(all, all)}
	}
	d := &l.list
	d.Parts, d.View, d.Origin = d.Parts[:0], o.View, o.Origin
	if o.View.IsFinite() && !o.View.IsEmpty() {
		d.Bodies = d.Bodies[:0]
		for i, b := range w.state.Bodies.All() {
			// A body that has moved may have come into its box in the broad phase within the step, or turned into it.
			if l.alpha != 1 && w.state.LastPose(i, false) != b.Transform() {
				d.Bodies = append(d.Bodies, i)
			}
		}
		d.Find(w.state.Broad)
		for k := range 32 {
			w.drawLayer(l, draw.Layers(o.Layers)&(1<<k))
		}
	}
	l.Items = slices.Grow(l.Items[:0], len(d.Parts))[:len(d.Parts)]
	for i := range d.Parts {
		w.drawItem(&l.Items[i], &d.Parts[i], l.alpha)
	}
}

// drawLayer adds the parts of one layer.
func (w *World) drawLayer(l *DrawList, layer draw.Layers) {
	d := &l.list
	tag := draw.Tag{Layer: layer, Body: draw.NoBody, Owners: [2]broad.Owner{draw.NoOwner, draw.NoOwner}}
	switch layer {
	case 0:
	case draw.Contacts, draw.Impulses:
		w.drawContacts(d, tag)
	case draw.Joints:
		for i, j := range w.state.Joints.All() {
			tag.Joint, tag.Value = i, geom.V(j.Reaction.ForceX, j.Reaction.ForceY).Len()
			d.Joint(tag, &j.Joint, w.drawSide(j.BodyA, l.alpha), w.drawSide(j.BodyB, l.alpha))
		}
	case draw.Islands:
		w.drawIslands(d, tag)
	case draw.Centers, draw.Velocities:
		for i, b := range w.state.Bodies.All() {
			tag.Body = i
			s := w.drawSide(i, l.alpha)
			d.Center(tag, geom.Transform{P: s.Center, Q: s.Frame.Q}, b.Velocity, b.Spin)
		}
	default:
		for _, i := range d.Bodies {
			tag.Body = i
			w.drawBody(d, tag, w.poseAt(i, l.alpha))
		}
	}
}

// drawBody adds the parts of the shapes, grounds and chains of a body in the frame t; d leaves out other layers
// than the tag's.
func (w *World) drawBody(d *draw.List, tag draw.Tag, t geom.Transform) {
	for e := range w.state.ProxiesOf(tag.Body) {
		tag.Owners[0], tag.Material = e.Owner, 0
		switch i := e.Owner.Slot(); e.Owner.Kind() {
		case broad.Ground:
			g := w.state.Grounds.At(i)
			d.Box(tag, e.Box, g.Box.In(t))
			d.Ground(tag, &g.Tiles, t)
		case broad.Chain:
			c := w.state.Chains.At(i)
			d.Box(tag, e.Box, c.Box.In(t))
			d.Chain(tag, &c.Chain, t)
		default:
			s := w.state.Shapes.At(i)
			tag.Material = s.Material
			d.Box(tag, e.Box, s.Hull.Bounds(t))
			d.Hull(tag, &s.Hull, t)
		}
	}
}

// drawSide returns body i, of a joint, at a fraction of the last step.
func (w *World) drawSide(i int32, alpha float64) draw.JointSide {
	b, t := w.state.Bodies.At(i), w.poseAt(i, alpha)
	center := b.Center
	if alpha != 1 {
		center = t.Apply(b.LocalCenter)
	}
	return draw.JointSide{Body: i, Frame: t, Center: center, Moves: b.Type != broad.StaticBody}
}

// drawContacts adds the contact points, or their impulses.
func (w *World) drawContacts(d *draw.List, tag draw.Tag) {
	for i, c := range w.state.Contacts.All() {
		tag.Body, tag.Owners = c.BodyB, [2]broad.Owner{broad.OwnerOfB(c.ShapeB), w.state.Contacts.SideA(c)}
		for m, on := range w.state.Contacts.ManifoldsOf(i, c) {
			totals := w.state.Contacts.TotalsOf(i, on)
			for k, p := range m.Points[:m.N] {
				if on != nil {
					s := &on.Sources[k]
					tag.Cell, tag.Segment, tag.Material = s.Cell, int(s.Segment), s.Material
				} else {
					tag.Cell, tag.Segment, tag.Material = gridseg.Cell{}, 0, w.state.Shapes.At(c.ShapeA).Material
				}
				d.Contact(tag, w.state.Bodies.At(c.BodyB).Center.Add(p.AnchorB), m.Normal, &p, &totals[k])
			}
		}
	}
}

// drawIslands adds the islands of the last step, whose awake bodies are in the move events.
func (w *World) drawIslands(d *draw.List, tag draw.Tag) {
	of := w.state.Islands.Of()
	if len(of) != len(w.events.moved)+1 {
		return // no step yet
	}
	boxes := d.Joined(tag, w.state.Islands.Len()-1) // island 0 has the bodies that are not dynamic
	for k, m := range w.events.moved {
		if i, ok := w.state.Bodies.Find(uint64(m.Body)); ok && of[k+1] > 0 {
			boxes.Extend(of[k+1], w.bodyAt(i).Bounds())
		}
	}
	boxes.End()
}

// drawItem sets it to the part p, of a body at a fraction of the last step.
func (w *World) drawItem(it *DrawItem, p *draw.Part, alpha float64) {
	*it = DrawItem{
		Layer: DrawLayers(p.Layer), Form: DrawForm(p.Form), N: p.N, Points: p.Points, Radius: p.Radius, Value: p.Value,
		Cell: p.Cell, Segment: p.Segment, Material: MaterialID(p.Material),
		Color: w.Material(MaterialID(p.Material)).Color,
	}
	for _, o := range p.Owners {
		shape, ground, chain := w.idsOf(o) // zeros for draw.NoOwner
		if shape != 0 && it.Shape == 0 {
			it.Shape, it.Sensor = shape, w.state.Shapes.At(o.Slot()).Sensor
		}
		it.Ground, it.Chain = max(it.Ground, ground), max(it.Chain, chain)
	}
	if it.Layer == DrawJoints {
		it.Joint = JointID(w.state.Joints.ID(p.Joint))
	}
	if p.Body != draw.NoBody {
		b := w.state.Bodies.At(p.Body)
		it.Body, it.Type, it.Asleep, it.Bullet = BodyID(w.state.Bodies.ID(p.Body)), BodyType(b.Type), b.Asleep(),
			b.Bullet
		it.Axis = w.poseAt(p.Body, alpha).Q.Apply(geom.V(1, 0))
	}
}
