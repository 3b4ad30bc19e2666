package tilemap

import "fmt"

// PlainTiles says whether the tiles of a Tiled map without collision data are ground: those with neither collision
// objects that enclose an area nor the property solid. The property solid (bool) of a layer decides for its tiles,
// whatever the option.
type PlainTiles uint8

const (
	// PlainByUse makes them full blocks, except in a layer that also places tiles of the same tileset with collision
	// data: there they are left out. A warning tells where a tileset has both kinds.
	PlainByUse PlainTiles = iota
	// PlainSolid makes all of them full blocks.
	PlainSolid
	// PlainAir leaves all of them out.
	PlainAir
)

// maxDecided bounds the warnings about tiles without collision data.
const maxDecided = 16

// use counts the tiles of a tileset in the layer that is placed.
type use struct {
	plain   int    // tiles without collision data
	speaks  bool   // a tile with collision data is placed
	speaker uint32 // the number of the first of these
}

// decidePlain removes the tiles without collision data from cells[start:], which are all of layer l, if they are no
// ground there. It forgets the counts of the layer.
func (g *grounds) decidePlain(cells []placed, start int, l *layer) []placed {
	warn := func(format string, args ...any) {
		if len(g.decided) == maxDecided {
			g.undecided++
			return
		}
		g.decided = append(g.decided, fmt.Sprintf(format, args...))
	}
	drop := false
	for i := range g.uses {
		u, set := &g.uses[i], g.doc.tilesets[i].set
		switch {
		case l.plain != unset || g.doc.plain != PlainByUse || u.plain == 0:
		case u.speaks:
			drop = true
			warn("layer %s: tiles of tileset %s without collision data are left out, because tile %d has some: %d",
				quote(l.path), quote(set.name), u.speaker, u.plain)
		case set.speaks && !g.known[g.doc.tilesets[i].first+set.speaker].plain: // or its objects have no area
			warn("layer %s: tiles of tileset %s without collision data are full blocks, although tile %d, which the "+
				"layer does not place, has some: %d",
				quote(l.path), quote(set.name), set.speaker, u.plain)
		}
	}
	if drop {
		kept := cells[:start]
		for _, c := range cells[start:] {
			if c.plain && g.uses[g.tileset(c.User)].speaks {
				continue
			}
			kept = append(kept, c)
		}
		cells = kept
	}
	clear(g.uses)
	return cells
}
