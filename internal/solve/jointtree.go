package solve

// Joints over moving bodies form graphs. A component of such a graph that is a tree, or has few loops, is solved directly
// (jointdirect.go). For this its bodies are in an order in which each comes after the body that its joint leads to: the
// parents first. A component that static or kinematic bodies hold has them, as one, for its root; another component has one of
// its own bodies. A joint that closes a loop, also through the root, is in no tree.
//
// The order and the choice follow from the graph alone, so a component is solved in the same way in each step.

// treeNode is a body of a component, with the joint to its parent. Its matrices are symmetric: 11, 12, 13, 22, 23, 33.
type treeNode struct {
	body   int32 // index in Solver.bodies
	parent int32 // index in worker.nodes; -1: the static and kinematic bodies, or nothing
	joint  int32 // index in worker.joints; -1: a body of the root, which no joint holds
	ofB    bool  // the body is the joint's B

	// Of each row that holds, 0 of the others.
	frame  [3]rowFrame   // with the sign of the body
	inv    [6]float64    // inverse of the matrix of the rows
	u      [3][3]float64 // velocity of the body for an impulse of 1, if the parent did not move
	wanted [3]float64    // velocity that the row is to get
	y      [3]float64    // impulse, if the parent did not move
	x      [3]float64    // impulse

	mass    [6]float64 // matrix of the body with the joints below it; after factoring, its inverse
	f, v    [3]float64 // impulse on the body, and its velocity
	inertia float64    // moment of inertia with the geometric stiffness
	pull    float64    // sum of the products of impulses and arms

	directRows
}

// rowFrame is a direction and the arms of a body and its parent.
type rowFrame struct{ x, y, own, parent float64 }

// loopJoint is a joint that closes a loop.
type loopJoint struct {
	joint int32
	a, b  int32 // nodes of its bodies; -1: one that does not move
	directRows
}

// component is joints that share moving bodies.
type component struct {
	from, to           int32 // of its bodies in worker.nodes
	loopsFrom, loopsTo int32 // in worker.loopJoints
	rows               int   // of its loops' joints, when it was factored
	schur              int   // index in worker.schurs of the matrix of these rows
	stiffen            bool  // its masses differ so much that it needs the geometric stiffness
	touches            bool  // a contact holds one of its bodies
	softNow            bool  // factored with the softness of the springs
}

// A component is direct if its loops have at most mostLoops joints, and these times its bodies are at most mostLoopWork:
// each row of a loop costs a solve of the tree when it is factored.
const (
	mostLoops    = 24
	mostLoopWork = 4096
)

// findTrees finds the components of the batch's joints that are solved directly, and the order of each. It sets
// worker.inTree of the joints of the batch that are in these components.
func (s *worker) findTrees() {
	t := s.batch
	s.nodes, s.loopJoints, s.components, s.schurs = s.nodes[:0], s.loopJoints[:0], s.components[:0], s.schurs[:0]
	n := t.to - t.from
	s.inTree = resized(s.inTree, len(t.joints))
	clear(s.inTree)
	if len(t.joints) == 0 {
		return
	}
	s.listJointsByBody()
	s.nodeOf = resized(s.nodeOf, n)
	clear(s.nodeOf)
	s.nodes, s.loopJoints = room(s.nodes, n), room(s.loopJoints, len(t.joints))
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

// room returns a without elements, with room for n.
func room[T any](a []T, n int) []T { return resized(a, n)[:0] }

// localBody returns the number of a motion's body in the batch; a negative number for one that does not move.
func (s *worker) localBody(motion int32) int32 { return s.bodyOf[motion] - int32(s.batch.from) }

// listJointsByBody lists the batch's joints by their moving bodies: those of body b are
// jointList[jointsOf[b]:jointsOf[b+1]], as numbers in batch.joints.
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

// growTree adds the component of body b, which joint k of the batch holds to the root; -1: b is the root. Until the joints
// have numbers, treeNode.joint and loopJoint.joint are numbers in batch.joints.
func (s *worker) growTree(b, k int32) {
	c := component{from: int32(len(s.nodes)), loopsFrom: int32(len(s.loopJoints))}
	s.addNode(b, k, -1)
	for at := c.from; at < int32(len(s.nodes)); at++ {
		body := s.nodes[at].body - int32(s.batch.from)
		for _, k := range s.jointList[s.jointsOf[body]:s.jointsOf[body+1]] {
			if s.inTree[k] {
				continue
			}
			l := &s.JointLinks[s.batch.joints[k]]
			other := s.localBody(l.A) + s.localBody(l.B) - body
			switch {
			case other >= 0 && s.nodeOf[other] == 0:
				s.addNode(other, k, at)
			default:
				s.inTree[k] = true
				s.loopJoints = append(s.loopJoints, loopJoint{joint: k, a: s.nodeNumber(l.A), b: s.nodeNumber(l.B)})
			}
		}
	}
	c.to, c.loopsTo = int32(len(s.nodes)), int32(len(s.loopJoints))
	if loops := c.loopsTo - c.loopsFrom; loops > mostLoops || loops*(c.to-c.from) > mostLoopWork {
		for i := c.from; i < c.to; i++ {
			if k := s.nodes[i].joint; k >= 0 {
				s.inTree[k] = false
			}
		}
		for i := c.loopsFrom; i < c.loopsTo; i++ {
			s.inTree[s.loopJoints[i].joint] = false
		}
		s.nodes, s.loopJoints = s.nodes[:c.from], s.loopJoints[:c.loopsFrom]
		return
	}
	rows := 3 * int(c.loopsTo-c.loopsFrom)
	c.schur = len(s.schurs)
	s.schurs = append(s.schurs, make([]float64, rows*rows)...)
	s.components = append(s.components, c)
}

// addNode adds body b, which joint k of the batch holds to a parent.
func (s *worker) addNode(b, k, parent int32) {
	n := treeNode{body: b + int32(s.batch.from), parent: parent, joint: k}
	if k >= 0 {
		s.inTree[k] = true
		n.ofB = s.localBody(s.JointLinks[s.batch.joints[k]].B) == b
	}
	s.nodes = append(s.nodes, n)
	s.nodeOf[b] = int32(len(s.nodes))
}

// nodeNumber returns the index of the node of a motion's body, or -1.
func (s *worker) nodeNumber(motion int32) int32 {
	if b := s.localBody(motion); b >= 0 {
		return s.nodeOf[b] - 1
	}
	return -1
}

// numberTrees gives the joints of the components their places in worker.joints, from first on, in the order of the nodes.
func (s *worker) numberTrees(first int32) {
	for i := range s.components {
		c := &s.components[i]
		for k := c.from; k < c.to; k++ {
			if n := &s.nodes[k]; n.joint >= 0 {
				n.joint, first = s.placeTree(n.joint, first), first+1
			}
		}
		for k := c.loopsFrom; k < c.loopsTo; k++ {
			l := &s.loopJoints[k]
			l.joint, first = s.placeTree(l.joint, first), first+1
		}
	}
}

// placeTree makes joint k of the batch number at of worker.joints, and returns at.
func (s *worker) placeTree(k, at int32) int32 {
	i := s.batch.joints[k]
	j := &s.joints[at]
	j.source, j.island = i, s.jointIslands[i]
	s.jointNumbers[k] = s.pinNumbers() + at
	return at
}
