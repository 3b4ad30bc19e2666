package gridseg

// The files of this package, from those that use others to those that are used:
//
//	bytes_*    a grid, a place or a registry as bytes; Save and Restore
//	edit_*     edits of cells, polygons, strokes and stamps; who may edit
//	parts_*    the sets of tiles that hold together
//	query_*    segments, runs, rays, nearest points, outlines, areas, hashes
//	resolve_*  from edits to segments and their links, and the Delta
//	chunk_*    16x16 cells: their tiles and patches, lists, table and tree; unloaded chunks
//	shape_*    a shape in its turns, cut into faces and inner edges
//
// go test . -run TestArrowsBackUp -v prints which uses which.

// Grid is a grid of tiles and the segments of their surface. Its cells span the full range of
// int32; cells beyond it count as empty. Make one with New.
//
// Its methods that change nothing are the methods of a View, too.
type Grid struct{ reader }

// View reads a Grid and cannot edit it: it has the methods of Grid that change no tile, no polygon
// and no segment. It is a single pointer, to be passed by value, and always shows the present state
// of the grid. Make one with Grid.View; the zero View is not valid.
//
// Shapes returns the registry of the grid, to which shapes may be added; that changes no tile.
type View struct{ *reader }

// View returns a read-only view of g.
func (g *Grid) View() View { return View{&g.reader} }

// reader holds a grid, and the methods that change nothing.
type reader struct {
	// Queries read these fields, on one cache line, to find chunks.
	table  table
	layers layers
	beyond *chunk // stands for every unloaded chunk that counts as solid and is no ghost; nil until there is one
	last   *chunk // the chunk of the last edit

	shapes  *Shapes
	tree    tree
	chunks  []*chunk // all chunks, in no defined order
	pending []*chunk // edited since the last Resolve
	patches patches

	parts *Parts // nil until Parts is called

	tiles, segments int
	moments         *moments // of the tiles as of the last Resolve; nil unless tracked

	away   unloaded
	back   unloaded // chunks that have been in away and were loaded again
	ghosts int      // chunks that are ghosts
	census uint64   // counts the changes of the list of chunks that are no ghosts, see LoadedVersion

	resolving
	keeping

	uniform *[chunkCells]formID // the forms that the last whole chunk of a Fill shares

	// Memory released by chunks, kept for reuse.
	spare      []*chunk
	spareAttrs []*[chunkCells]attr
	spareOld   []*[chunkCells]cellTile
}

// New returns an empty grid with the given registry of shapes; nil means NewShapes().
func New(shapes *Shapes) *Grid {
	if shapes == nil {
		shapes = NewShapes()
	}
	return &Grid{reader{shapes: shapes}}
}

// Shapes returns the registry of g's shapes. Shapes may be registered at any time.
func (g *reader) Shapes() *Shapes { return g.shapes }

// Count returns the number of loaded cells that hold a tile or polygons, and the number of segments as of
// the last Resolve.
func (g *reader) Count() (tiles, segments int) { return g.tiles - chunkCells*g.ghosts, g.segments }

// Edited reports whether an edit since the last Resolve changed a tile or a polygon. An edit that
// writes the same tile again changes nothing.
func (g engine) Edited() bool { return len(g.pending) > 0 }
