package grid

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Object is all data of an object.
type Object struct {
	ID       ID
	Box      geom.AABB
	Data     uint64
	Category uint64
	Excluded bool
}

// ChunkOf returns the chunk of 16x16 finest cells that contains p, the same for all kinds of grid:
// chunk (0, 0) has the cells from 0 to 15 in both directions. A p beyond Limit is clamped.
func (g *Grid) ChunkOf(p geom.Vec) (x, y int64) {
	const by = subBits + chunkBits
	return floor64(p.X*g.scale) >> by, floor64(p.Y*g.scale) >> by
}

// Unload removes the objects of a chunk, appends them in ascending order of id and returns the
// extended slice. These are the objects whose box has its lower left corner in the chunk, excluded
// ones included, so that every object belongs to one chunk. Unused cells and bounds are freed, and
// the ids may be given out again; when half of the objects or fewer are left, memory is released, but for
// 4 bytes an id. The cost depends on the objects of the chunk and those in its cells.
//
// Load restores the objects with their old ids, in any order of chunks, if these were not given out in
// between. AppendObjects makes bytes of them, for a file.
func (g *Grid) Unload(dst []Object, x, y int64) []Object {
	start := len(dst)
	const by = subBits + chunkBits
	corner := fineBox{x << by, y << by, (x+1)<<by - 1, (y+1)<<by - 1}
	take := func(slot ID) {
		if cx, cy := g.ChunkOf(g.boxes[slot].Min); cx == x && cy == y {
			id := g.idOf(slot)
			dst = append(dst, Object{
				ID: id, Box: g.boxes[slot], Data: g.data[slot], Category: g.Category(id),
				Excluded: g.at[slot] == excluded,
			})
		}
	}
	const most = 2 * Limit >> chunkBits
	if x < -most || x > most || y < -most || y > most {
		return dst
	}
	var room [fewRegions]*region
	q := query{g: g, visit: take}
	for at, rest := nextLevel(g.used); at < oversize; at, rest = nextLevel(rest) {
		for _, r := range g.levels[at].regionsMeeting(&room, corner) {
			q.appendFrom(nil, r, corner)
		}
	}
	g.eachUnlisted(corner, take)
	slices.SortFunc(dst[start:], func(a, b Object) int { return cmp.Compare(a.ID, b.ID) })
	for i := range dst[start:] {
		g.Remove(dst[start+i].ID)
	}
	for at, rest := nextLevel(g.used); at < oversize; at, rest = nextLevel(rest) {
		for _, r := range g.levels[at].regionsMeeting(&room, corner) {
			if r.stale > 0 {
				r.shrinkBounds()
			}
		}
	}
	if g.peak > spareObjects && len(dst) > start && g.n <= g.peak/2 {
		g.Compact()
	}
	return dst
}

// Load adds objects with all their data. Each gets the id in its ID field if that was given out once and is
// free now, as after an Unload; otherwise another one, and its ID field is set to it. If Add would
// refuse a box, Load returns its error, and nothing changes. The cost depends on the number of objects; if they are not
// those removed last, also on the number of free ids.
func (g *Grid) Load(objects []Object) error {
	for i := range objects {
		if err := g.check(objects[i].Box); err != nil {
			return err
		}
	}
	if free := g.freeIDs(); len(objects)-free > math.MaxInt32-g.idLimit() {
		return fmt.Errorf("grid: more than %d objects", math.MaxInt32)
	}
	free := g.claim(objects)
	// The id freed last is given out first.
	for _, asked := range [2]bool{true, false} {
		for i := len(objects) - 1; i >= 0; i-- {
			if o := &objects[i]; (free == nil || free[i]) == asked {
				g.loadObject(o)
			}
		}
	}
	return nil
}

// freeIDs returns the number of ids that were given out once and are free.
func (g *Grid) freeIDs() int { return g.idLimit() - g.n }

// loadObject adds an object whose box is valid.
func (g *Grid) loadObject(o *Object) {
	id, err := g.Add(o.Box, o.Data)
	if err != nil {
		panic("quarry: " + err.Error()) // Load has checked it
	}
	o.ID = id
	g.SetCategory(id, o.Category)
	if o.Excluded {
		g.Exclude(id)
	}
}

// claim puts the free ids of objects first in the list of free ids, so that the last of these objects gets its id
// first. It reports which objects these are; nil stands for all.
func (g *Grid) claim(objects []Object) []bool {
	at := g.vacant
	i := len(objects) - 1
	for ; i >= 0 && at != none && objects[i].ID == at; i-- {
		at = g.nextFree(at)
	}
	if i < 0 {
		return nil
	}
	free := make([]bool, len(objects))
	wanted := make(map[ID]int, len(objects))
	for i := range objects {
		if id := objects[i].ID; id >= 0 && int(id) < g.idLimit() && !g.Has(id) {
			if _, twice := wanted[id]; !twice {
				wanted[id], free[i] = i, true
			}
		}
	}
	// Link the others in their order, and the wanted ids before them.
	first, last := none, none
	for at := g.vacant; at != none; {
		next := g.nextFree(at)
		if _, is := wanted[at]; !is {
			if last == none {
				first = at
			} else {
				g.setNextFree(last, at)
			}
			last = at
		}
		at = next
	}
	if last != none {
		g.setNextFree(last, none)
	}
	g.vacant = first
	for i := range objects {
		if free[i] {
			g.setNextFree(objects[i].ID, g.vacant)
			g.vacant = objects[i].ID
		}
	}
	return free
}

// nextFree returns the free id after id, which is free.
func (g *Grid) nextFree(id ID) ID {
	if g.slots != nil {
		return noSlot(g.slots[id])
	}
	return ID(g.qboxes[id].x0)
}

func (g *Grid) setNextFree(id, next ID) {
	if g.slots != nil {
		g.slots[id] = noSlot(next)
	} else {
		g.qboxes[id] = qbox{x0: int32(next)}
	}
}

// Compact releases all memory that the present objects do not need, but for 4 bytes for each id that was given out. Ids
// and results stay as they are. It takes as long as adding all objects.
func (g *Grid) Compact() {
	if g.n < len(g.boxes) {
		g.pack()
	}
	g.Rebuild()
}
