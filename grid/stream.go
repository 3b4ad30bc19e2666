package grid

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Object is all that a grid knows of an object.
type Object struct {
	ID       ID
	Box      geom.AABB
	Data     uint64
	Category uint64
	Excluded bool
}

// ChunkOf returns the chunk, of 16x16 finest cells, that p is in: chunk (0, 0) has
// the cells from 0 to 15 both ways. Every kind of grid counts chunks so. Of a p
// beyond Limit it is that of the nearest p that is not.
func (g *Grid) ChunkOf(p geom.Vec) (x, y int64) {
	const by = subBits + chunkBits
	return floor64(p.X*g.scale) >> by, floor64(p.Y*g.scale) >> by
}

// Unload takes the objects of a chunk out of the grid, appends them in ascending
// order of id and returns the extended slice: those whose box has its lower left
// corner in the chunk, so that every object is of one chunk, excluded ones too.
// Cells and bounds that are no longer needed go with them, and the ids are given out
// again; once fewer than an eighth of the objects are left, their room is given back. It costs
// by the objects of the chunk and those in its cells.
//
// Load brings them back; if no id was given out in between, with the ids that
// they had, and the order of several chunks is from the last unloaded to the
// first. Save boxes, data and categories, if they go to a disk; that what comes
// back is what went, is the caller's affair.
func (g *Grid) Unload(dst []Object, x, y int64) []Object {
	start := len(dst)
	const by = subBits + chunkBits
	corner := fineBox{x << by, y << by, (x+1)<<by - 1, (y+1)<<by - 1}
	take := func(slot ID) {
		if cx, cy := g.ChunkOf(g.boxes[slot].Min); cx == x && cy == y {
			id := g.idOf(slot)
			dst = append(dst, Object{
				ID: id, Box: g.boxes[slot], Data: g.data[slot], Category: g.Category(id), Excluded: g.at[slot] == excluded,
			})
		}
	}
	const most = 2 * Limit >> chunkBits
	if x < -most || x > most || y < -most || y > most {
		return dst
	}
	var room [fewRegions]*region
	q := query{g: g, visit: take}
	for at, rest := nextLevel(g.used); at < Levels; at, rest = nextLevel(rest) {
		for _, r := range g.levels[at].regionsMeeting(&room, corner) {
			q.appendFrom(nil, r, corner)
		}
	}
	g.eachUnlisted(corner, take)
	slices.SortFunc(dst[start:], func(a, b Object) int { return cmp.Compare(a.ID, b.ID) })
	for i := range dst[start:] {
		g.Remove(dst[start+i].ID)
	}
	for at, rest := nextLevel(g.used); at < Levels; at, rest = nextLevel(rest) {
		for _, r := range g.levels[at].regionsMeeting(&room, corner) {
			if r.stale > 0 {
				r.shrinkBounds()
			}
		}
	}
	return dst
}

// Load puts objects in the grid, with everything but their ids, and sets those to
// what they are given. A box that Add would refuse is refused with its error, and
// nothing changes.
func (g *Grid) Load(objects []Object) error {
	for i := range objects {
		if err := g.check(objects[i].Box); err != nil {
			return err
		}
	}
	// The last one removed is the first whose id is given out.
	for i := len(objects) - 1; i >= 0; i-- {
		o := &objects[i]
		id, err := g.Add(o.Box, o.Data)
		if err != nil {
			for _, o := range objects[i+1:] {
				g.Remove(o.ID)
			}
			return err
		}
		o.ID = id
		g.SetCategory(id, o.Category)
		if o.Excluded {
			g.Exclude(id)
		}
	}
	return nil
}
