package state

import "github.com/quarry2d/quarry/geom"

// massTrees are trees by the slot of their body.
type massTrees map[int32]*massTree

// massTree combines the masses of many shapes, or grounds, by their slots: a binary tree over the bits of the slots,
// whose nodes combine the masses below. So a change of one costs as many combinations as a slot has bits, and the
// result depends on the present slots and masses alone, not on the calls before. The zero value is empty.
type massTree struct {
	nodes []treeNode // nodes[0] is none
	free  []int32
	root  int32
	n     int
}

type treeNode struct {
	mass geom.Mass
	kids [2]int32
}

// slotBits is the number of bits of a slot.
const slotBits = 31

// Len returns the number of shapes or grounds, with those without mass.
func (t *massTree) Len() int { return t.n }

// Mass returns the combination of all masses.
func (t *massTree) Mass() geom.Mass {
	if t.root == 0 {
		return geom.Mass{}
	}
	return t.nodes[t.root].mass
}

// Set sets the mass of the shape or ground in a slot, which may be new.
func (t *massTree) Set(slot int32, m geom.Mass) {
	var path [slotBits + 1]int32
	at := &t.root
	for bit := slotBits; ; bit-- {
		if *at == 0 {
			k := t.node() // moves the nodes
			if bit == slotBits {
				t.root = k
			} else {
				t.nodes[path[bit+1]].kids[slot>>bit&1] = k
			}
			if bit == 0 {
				t.n++
			}
			path[bit] = k
		} else {
			path[bit] = *at
		}
		if bit == 0 {
			break
		}
		at = &t.nodes[path[bit]].kids[slot>>(bit-1)&1]
	}
	t.nodes[path[0]].mass = m
	t.combine(path[1:])
}

// Remove removes the shape or ground in a slot, which must be there.
func (t *massTree) Remove(slot int32) {
	var path [slotBits + 1]int32
	k := t.root
	for bit := slotBits; bit > 0; bit-- {
		path[bit] = k
		k = t.nodes[k].kids[slot>>(bit-1)&1]
	}
	path[0] = k
	t.n--
	for bit := range path { // up to the first node that has another kid
		if k := path[bit]; t.nodes[k].kids == [2]int32{} {
			t.free = append(t.free, k)
			if bit == slotBits {
				t.root = 0
				return
			}
			t.nodes[path[bit+1]].kids[slot>>bit&1] = 0
			continue
		}
		t.combine(path[bit:])
		return
	}
}

// node returns a new node.
func (t *massTree) node() int32 {
	if n := len(t.free); n > 0 {
		k := t.free[n-1]
		t.free = t.free[:n-1]
		t.nodes[k] = treeNode{}
		return k
	}
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, treeNode{})
	}
	t.nodes = append(t.nodes, treeNode{})
	return int32(len(t.nodes) - 1)
}

// combine computes the masses of nodes, each the parent of the one before.
func (t *massTree) combine(path []int32) {
	for _, k := range path {
		n := &t.nodes[k]
		a, b := n.kids[0], n.kids[1]
		switch {
		case a == 0 || b != 0 && t.nodes[a].mass.Mass == 0:
			n.mass = t.nodes[b].mass
		case b == 0 || t.nodes[b].mass.Mass == 0:
			n.mass = t.nodes[a].mass
		default:
			n.mass = combineMasses([]geom.Mass{t.nodes[a].mass, t.nodes[b].mass})
		}
	}
}
