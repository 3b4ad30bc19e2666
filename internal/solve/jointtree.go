package solve

// Joints over moving bodies form graphs. A component of such a graph that is a tree, or has few loops, is solved
// directly (jointdirect.go). Its bodies are in an order in which each comes after its parent, the body to which its
// joint leads. The root of a component that static or kinematic bodies hold is these bodies, as one; another component
// has one of its own bodies for its root. Joints that close a loop, also through the root, belong to no body.
//
// The order and the choice follow from the graph alone, so a component is solved in the same way in each step.

// component is joints that share moving bodies.
type component struct {
	from, to int32 // of its bodies in worker.nodes
	// of its joints in worker.direct: the joint of each body in the order of bodies, then the joints that close loops
	first, end int32
	loops      int32 // the first of the latter
	rows       int   // of its loops, when it was factored
	schur      int   // index in worker.schurs of their matrix
	soft, axes bool  // one of its joints is soft; has axes
	springs    bool  // it is factored with the softness of a pass with springs
	factored   bool  // with the rows as they are
}

// nodeOf returns the node of joint k of c, which closes no loop: the last nodes have these joints in the same order.
func (c *component) nodeOf(k int32) int32 { return c.to - (c.loops - k) }

// treeNode is a body of a component, with the joint to its parent. Its matrices are symmetric: 11, 12, 13, 22, 23, 33.
type treeNode struct {
	body   int32 // index in Solver.bodies
	parent int32 // index in worker.nodes; -1: the static and kinematic bodies, or nothing
	joint  int32 // index in worker.direct; -1: none
	rows   int32 // that hold
	ofB    bool  // the body is the joint's B

	component int32 // index in worker.components

	// Of each row that holds, 0 of the others.
	frame  [3]rowFrame   // with the sign of the body
	inv    [6]float64    // inverse of the matrix of the rows
	u      [3][3]float64 // velocity of the body for an impulse of 1, if the parent did not move
	wanted [3]float64    // velocity that the row is to get
	x      [3]float64    // impulse

	mass [6]float64 // matrix of the body with the joints below it; after factoring, its inverse
	f, v [3]float64 // impulse on the body, and its velocity
	pull float64    // of the impulses of its joints, see stiffenTrees

	ownMass, ownInertia float64
	inertia             float64 // with the geometric stiffness
	invInertia          float32
}

// rowFrame is a direction, and the arms of a body and its parent.
type rowFrame struct{ x, y, own, parent float64 }

// directJoint is a joint of a component.
type directJoint struct {
	joint int32 // index in worker.joints; until the joints have numbers, in batch.joints
	a, b  int32 // nodes of its bodies; -1: one that does not move
	// inLoop: the joint closes a loop, or is on the path in the tree between the bodies of a joint that does
	inLoop bool
	directRows
	wanted, change [3]float64 // of a joint that closes a loop: velocities of its rows, and changes of impulses
}

// findTrees finds the components of the batch's joints that are solved directly, and sets worker.inTree of their
// joints.
func (s *worker) findTrees() {
	t := s.batch
	s.nodes, s.direct, s.components, s.schurs = s.nodes[:0], s.direct[:0], s.components[:0], s.schurs[:0]
	s.inTree = resized(s.inTree, len(t.joints))
	clear(s.inTree)
	if len(t.joints) == 0 {
		return
	}
	n := t.to - t.from
	s.listJointsByBody()
	s.nodeOf = resized(s.nodeOf, n)
	clear(s.nodeOf)
	s.nodes, s.direct = resized(s.nodes, n)[:0], resized(s.direct, len(t.joints))[:0]
	for k, i := range t.joints {
		l := &s.JointLinks[i]
		a, b := s.localBody(l.A), s.localBody(l.B)
		if (a < 0) != (b < 0) && s.nodeOf[max(a, b)] == 0 {
			s.growTree(max(a, b), int32(k))
		}
	}
	for b := range int32(n) {
		if s.nodeOf[b] == 0 && s.jointsOf[b] < s.jointsOf[b+1] {
			s.growTree(b, -1)
		}
	}
}

// localBody returns the number of a motion's body in the batch; a negative number for one that does not move.
func (s *worker) localBody(motion int32) int32 { return s.bodyOf[motion] - int32(s.batch.from) }

// nodeAt returns the index of the node of a motion's body, or -1.
func (s *worker) nodeAt(motion int32) int32 {
	if b := s.localBody(motion); b >= 0 {
		return s.nodeOf[b] - 1
	}
	return -1
}

// listJointsByBody lists the batch's joints by their moving bodies: the joints of body b are
// jointList[jointsOf[b]:jointsOf[b+1]], as indices in batch.joints.
func (s *worker) listJointsByBody() {
	t := s.batch
	s.jointsOf = resized(s.jointsOf, t.to-t.from+1)
	clear(s.jointsOf)
	for _, i := range t.joints {
		for _, m := range [2]int32{s.JointLinks[i].A, s.JointLinks[i].B} {
			if b := s.localBody(m); b >= 0 {
				s.jointsOf[b]++
			}
		}
	}
	sumUp(s.jointsOf)
	s.jointList = resized(s.jointList, int(s.jointsOf[t.to-t.from]))
	for k := len(t.joints) - 1; k >= 0; k-- {
		for _, m := range [2]int32{s.JointLinks[t.joints[k]].A, s.JointLinks[t.joints[k]].B} {
			if b := s.localBody(m); b >= 0 {
				s.jointsOf[b]--
				s.jointList[s.jointsOf[b]] = int32(k)
			}
		}
	}
}

// growTree adds the component of body b, which joint k of the batch holds to the root; with k = -1, b is the root.
func (s *worker) growTree(b, k int32) {
	c := component{from: int32(len(s.nodes)), first: int32(len(s.direct))}
	s.addNode(b, k, -1)
	for at := c.from; at < int32(len(s.nodes)); at++ {
		body := s.nodes[at].body - int32(s.batch.from)
		for _, k := range s.jointList[s.jointsOf[body]:s.jointsOf[body+1]] {
			l := &s.JointLinks[s.batch.joints[k]]
			other := s.localBody(l.A) + s.localBody(l.B) - body
			if !s.inTree[k] && other >= 0 && s.nodeOf[other] == 0 {
				s.addNode(other, k, at)
			}
		}
	}
	c.to, c.loops = int32(len(s.nodes)), int32(len(s.direct))
	for at := c.from; at < c.to; at++ {
		body := s.nodes[at].body - int32(s.batch.from)
		for _, k := range s.jointList[s.jointsOf[body]:s.jointsOf[body+1]] {
			if !s.inTree[k] {
				s.addJoint(k)
			}
		}
	}
	c.end = int32(len(s.direct))
	if loops := c.end - c.loops; loops > mostLoops || loops*(c.to-c.from) > mostLoopWork {
		for i := range s.direct[c.first:] {
			s.inTree[s.direct[int(c.first)+i].joint] = false
		}
		s.nodes, s.direct = s.nodes[:c.from], s.direct[:c.first]
		return
	}
	for k := c.loops; k < c.end; k++ {
		s.markLoop(k)
	}
	rows := 3 * int(c.end-c.loops)
	c.schur = len(s.schurs)
	s.schurs = append(s.schurs, make([]float64, rows*rows)...)
	s.components = append(s.components, c)
}

// markLoop marks the joints of the loop that joint k of worker.direct closes. Bodies come after their parents.
func (s *worker) markLoop(k int32) {
	o := &s.direct[k]
	o.inLoop = true
	for a, b := o.a, o.b; a != b; {
		n := &s.nodes[max(a, b)]
		if s.direct[n.joint].inLoop = true; a > b {
			a = n.parent
		} else {
			b = n.parent
		}
	}
}

// addNode adds body b, which joint k of the batch holds to a parent.
func (s *worker) addNode(b, k, parent int32) {
	s.nodes = append(s.nodes, treeNode{
		body: b + int32(s.batch.from), parent: parent, joint: -1,
		component: int32(len(s.components)),
	})
	s.nodeOf[b] = int32(len(s.nodes))
	if k >= 0 {
		n := &s.nodes[len(s.nodes)-1]
		n.joint, n.ofB = int32(len(s.direct)), s.localBody(s.JointLinks[s.batch.joints[k]].B) == b
		s.addJoint(k)
	}
}

// addJoint adds joint k of the batch.
func (s *worker) addJoint(k int32) {
	l := &s.JointLinks[s.batch.joints[k]]
	s.inTree[k] = true
	s.direct = append(s.direct, directJoint{joint: k, a: s.nodeAt(l.A), b: s.nodeAt(l.B)})
}

// numberTrees gives the joints of the components their places in worker.joints, from s.firstTree on; they need no
// colours.
func (s *worker) numberTrees() {
	for i := range s.direct {
		o, at := &s.direct[i], s.firstTree+int32(i)
		source := s.batch.joints[o.joint]
		j := &s.joints[at]
		j.source, j.island = source, s.jointIslands[source]
		s.jointNumbers[o.joint] = s.pinNumbers() + at
		o.joint = at
	}
}
