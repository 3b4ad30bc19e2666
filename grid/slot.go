package grid

import "github.com/quarry2d/quarry/geom"

// A slot is the index of an object's box and other data; cells list slots. Until a grid shrinks, an
// object's slot is its id. But objects keep their ids: if a hundred objects are left of a million,
// their ids may be any of the million. Then the slots are renumbered without gaps, and two tables
// map ids to slots and slots to ids, which cost 4 bytes for each id ever given out.

// slotOf returns the slot of object id, which must be in the grid.
func (g *Grid) slotOf(id ID) ID {
	if g.slots == nil {
		return id
	}
	return g.slots[id]
}

// idOf returns the id of the object in a slot.
func (g *Grid) idOf(slot ID) ID {
	if g.ids == nil {
		return slot
	}
	return g.ids[slot]
}

// toIDs replaces slots by ids.
func (g *Grid) toIDs(slots []ID) {
	if g.ids == nil {
		return
	}
	for i, s := range slots {
		slots[i] = g.ids[s]
	}
}

// hitsToIDs replaces the slots of hits by ids.
func (g *Grid) hitsToIDs(hits []Hit) {
	if g.ids == nil {
		return
	}
	for i := range hits {
		hits[i].ID = g.ids[hits[i].ID]
	}
}

// pairsToIDs replaces the slots of pairs by ids, the lower id first.
func (g *Grid) pairsToIDs(pairs [][2]ID) {
	if g.ids == nil {
		return
	}
	for i, p := range pairs {
		pairs[i] = pair(g.ids[p[0]], g.ids[p[1]])
	}
}

// idLimit returns the lowest number above all ids.
func (g *Grid) idLimit() int {
	if g.slots == nil {
		return len(g.boxes)
	}
	return len(g.slots)
}

// noSlot is the entry in slots of a vacant id; next is the next vacant id.
func noSlot(next ID) ID { return -2 - next }

// pack renumbers the slots without gaps. The caller must then lay out the cells.
func (g *Grid) pack() {
	if g.slots == nil {
		g.slots, g.ids = make([]ID, len(g.boxes)), make([]ID, len(g.boxes))
		for id := range g.ids {
			g.ids[id] = ID(id)
		}
		for id := g.vacant; id != none; {
			next := ID(g.qboxes[id].x0)
			g.slots[id] = noSlot(next)
			id = next
		}
	}
	var from []ID // the old slots, in order
	for s := range g.at {
		if g.at[s] != vacant {
			from = append(from, ID(s))
		}
	}
	g.takeSlots(from)
	for s, id := range g.ids {
		g.slots[id] = ID(s)
	}
	g.gap = none
}

// unpack makes each object's slot its id. All ids must be in use. The caller must then lay out the
// cells.
func (g *Grid) unpack() {
	g.takeSlots(g.slots)
	g.slots, g.ids = nil, nil
}

// takeSlots replaces the data of all slots by the data of the given slots, in that order.
func (g *Grid) takeSlots(from []ID) {
	n := len(from)
	boxes, at, data, ids := make([]geom.AABB, n), make([]uint8, n), make([]uint64, n), make([]ID, n)
	var groups []uint64
	if g.categories != nil {
		groups = make([]uint64, n)
	}
	for i, s := range from {
		boxes[i], at[i], data[i], ids[i] = g.boxes[s], g.at[s], g.data[s], g.ids[s]
		if groups != nil {
			groups[i] = g.categories[s]
		}
	}
	g.boxes, g.at, g.data, g.ids, g.categories = boxes, at, data, ids, groups
	g.qboxes = make([]qbox, n)
}
