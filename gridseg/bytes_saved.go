package gridseg

import (
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Saved holds the tiles and polygons of a grid at one time, for the Rewind of a world. It is immutable. Successive
// Saves share unchanged chunks: the tiles of a chunk of 16x16 cells are copied once after each change.
type Saved struct {
	grid    *Grid
	chunks  []savedChunk
	away    unloaded
	back    unloaded
	changes *placeChange // of unloaded places, from then on
}

// savedChunk is a chunk that holds tiles.
type savedChunk struct {
	cx, cy int32
	tiles  *savedTiles
}

// keeping is what a grid keeps of its Saves, and who may edit it.
type keeping struct {
	saved    *Saved       // of the present tiles; nil: edited since the last Save
	changes  *placeChange // the end of the list of Loads and Unloads; nil before the first Save; see bytes_history.go
	reverted [][]byte     // unloaded places whose tiles a Restore has set back; see EachReverted
	owner    *owner       // nil: everybody may edit
	locked   bool         // by owner, but for its edits, or because asked; see lock
	asked    bool         // the function of Keep is being asked, in an edit that is planned from the present tiles
}

// Save returns the present tiles and polygons. It resolves no edits. If the grid has no edits since the last
// Resolve and has not changed since the last Save, Save returns the same Saved at once. Otherwise it costs a few
// words for each chunk, and a copy of each chunk that has changed.
func (e gridEngine) Save() *Saved {
	g := e.grid
	if g.saved != nil {
		return g.saved
	}
	g.away.shared, g.back.shared = true, true
	s := &Saved{
		grid: g, chunks: make([]savedChunk, 0, len(g.chunks)), away: g.away, back: g.back,
		changes: g.endOfChanges(),
	}
	for _, c := range g.chunks {
		if c.tiles == 0 || c.ghost {
			continue
		}
		t := c.saved
		if t == nil {
			t = g.saveChunk(c)
		}
		if s.chunks = append(s.chunks, savedChunk{c.cx, c.cy, t}); !c.pending {
			c.saved = t
		}
	}
	if len(g.pending) == 0 {
		g.saved = s
	}
	return s
}

func (g *Grid) saveChunk(c *chunk) *savedTiles {
	t := new(savedTiles)
	for i := range t.cells {
		if t.cells[i].form = c.form[i]; c.form[i] == 0 {
			continue
		}
		if t.cells[i].attr = c.attrAt(i); c.form[i] == patchForm {
			t.patches = append(t.patches, g.patches.list[c.attrAt(i).user])
			t.cells[i].attr = attr{user: uint32(len(t.patches) - 1)}
		}
	}
	return t
}

// Restore sets the grid back to s, and resolves. Places that were loaded at the time of s are loaded again, and those
// that were unloaded are unloaded; EachReverted lists those whose tiles have gone back. It costs a few words for each
// chunk, and an edit for each cell that differs. By the law of history, segments and their ids are those at the time
// of s. Restore panics if s is of another grid, or if the grid has an owner.
func (e gridEngine) Restore(s *Saved) { e.grid.restoreOwn(s) }

// restoreOwn is Restore.
func (g *Grid) restoreOwn(s *Saved) {
	if s.grid != g {
		panic("quarry: gridseg: Restore: the tiles were saved from another grid")
	}
	g.mustNotBeOwned("Restore")
	if g.saved != s {
		g.restore(s)
	}
}

// restore is Restore, also of tiles that were saved from another grid with the same shapes and layers.
func (g *Grid) restore(s *Saved) {
	moved := g.goBack(s) || !slices.Equal(g.away.squares, s.away.squares) // a place may only count otherwise
	if moved {
		g.back = s.back
		g.census++
	}
	if moved && g.away.n+s.away.n > 0 {
		defer g.recountMoments()()
		g.markUnloaded(lattice.EveryCell)
		g.Resolve()
		g.setUnloaded(s.away)
	}
	for _, o := range s.chunks {
		c := g.table.find(o.cx, o.cy)
		if c == nil || c.saved != o.tiles || c.pending {
			g.loadChunk(g.chunkAt(o.cx, o.cy), o.tiles)
		}
	}
	if used := g.usedChunks(); used > len(s.chunks) {
		is := make(map[[2]int32]bool, len(s.chunks))
		for _, o := range s.chunks {
			is[[2]int32{o.cx, o.cy}] = true
		}
		for _, c := range g.chunks {
			if c.tiles > 0 && !c.ghost && !is[[2]int32{c.cx, c.cy}] {
				g.fillChunk(c, c.rect(), Tile{})
			}
		}
	}
	g.Resolve()
	g.dropGhosts(lattice.EveryCell)
	for _, o := range s.chunks {
		g.table.find(o.cx, o.cy).saved = o.tiles
	}
	if g.saved = s; s.grid != g || s.changes != g.changes {
		g.saved = &Saved{grid: g, chunks: s.chunks, away: s.away, back: s.back, changes: g.changes}
	}
}

// usedChunks returns the number of loaded chunks that hold tiles.
func (g *Grid) usedChunks() (n int) {
	for _, c := range g.chunks {
		if c.tiles > 0 && !c.ghost {
			n++
		}
	}
	return n
}

func (g *Grid) loadChunk(c *chunk, t *savedTiles) {
	for i := range t.cells {
		now := t.cells[i]
		if now.form != patchForm {
			g.put(c, i, now)
			continue
		}
		at := c.cell(i)
		g.putContent(at.X, at.Y, content{patch: t.patches[now.attr.user].copy()})
	}
}
