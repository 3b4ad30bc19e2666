package grid

import (
	"cmp"
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
// the ids may be given out again; once fewer than an eighth of the objects are left, memory is
// released. The cost depends on the objects of the chunk and those in its cells.
//
// Load restores the objects. If no id was given out in between, they get their old ids, provided
// that several chunks are loaded in the reverse order of unloading. A program that saves them to
// disk must save boxes, data, categories and Excluded, and restore them unchanged.
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
	return dst
}

// Load adds objects with all their data, and sets their ID fields to the new ids. If Add would
// refuse a box, Load returns its error, and nothing changes.
func (g *Grid) Load(objects []Object) error {
	for i := range objects {
		if err := g.check(objects[i].Box); err != nil {
			return err
		}
	}
	// The id freed last is given out first.
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
