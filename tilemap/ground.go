package tilemap

import (
	"errors"
	"sort"
	"strconv"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// noShape marks a tile that is not ground.
const noShape = -1

// ground is the ground of a tile of a tileset.
type ground struct {
	shape    int // index in grounds.shapes, or noShape
	set      int // index of the tileset
	material uint16
	plain    bool // the tile has no collision data: the layer decides (plain.go)
	misfit   bool // a full block of another size than a cell
}

// grounds computes the ground of each tile when it is first placed, so that a fault in an unused
// tile is no error.
type grounds struct {
	doc       *document
	known     map[uint32]ground
	shapes    [][][][2]float64
	vertices  int // of all shapes
	byKey     map[string]int
	joined    map[string]union // by the key of the polygons that were united
	unitedSum int              // see maxUnited
	check     *gridseg.Shapes  // registers every shape, to check it
	notes     []notes          // by tileset
	uses      []use            // by tileset, of the layer that is placed
	decided   []string         // warnings about tiles without collision data
	undecided int              // such warnings beyond maxDecided
	anyMisfit bool             // of the tiles in known
	lastGID   uint32           // cache, because most tiles repeat the previous one
	lastTile  ground
}

// notes counts the placed tiles of a tileset that became something else than the file says.
type notes struct {
	misfits                 int // tiles of another size that became full blocks
	clipped, united, filled noted
	flat, unplaced          noted
}

// noted counts tiles, and has the number of the first.
type noted struct {
	count int
	first uint32
}

func (n *noted) add(id uint32) {
	if n.count == 0 {
		n.first = id
	}
	n.count++
}

func newGrounds(d *document) *grounds {
	return &grounds{
		doc:   d,
		known: map[uint32]ground{}, byKey: map[string]int{}, joined: map[string]union{},
		check: gridseg.NewShapes(),
		notes: make([]notes, len(d.tilesets)), uses: make([]use, len(d.tilesets)),
	}
}

// tile returns the ground of the tile with a gid without flags, not 0. ok is false if no tileset
// has the tile. An error names the place of the fault in the tileset.
func (g *grounds) tile(gid uint32) (ground, bool, error) {
	if gid == g.lastGID {
		return g.lastTile, true, nil
	}
	t, ok := g.known[gid]
	if !ok {
		i := g.tileset(gid)
		if i < 0 || !g.doc.tilesets[i].set.has(gid-g.doc.tilesets[i].first) {
			return ground{}, false, nil
		}
		var err error
		if t, err = g.meaning(i, gid-g.doc.tilesets[i].first); err != nil {
			return ground{}, true, err
		}
		if len(g.known) == maxUsed {
			return ground{}, true, g.doc.tilesets[i].set.at.errorf("the map places more than %d different tiles",
				maxUsed)
		}
		g.known[gid] = t
	}
	g.lastGID, g.lastTile = gid, t
	return t, true, nil
}

// tileset returns the index of the tileset of a gid, which is the last that starts at or before it,
// or -1.
func (g *grounds) tileset(gid uint32) int {
	sets := g.doc.tilesets
	return sort.Search(len(sets), func(i int) bool { return sets[i].first > gid }) - 1
}

// meaning computes the ground of tile id of tileset i.
func (g *grounds) meaning(i int, id uint32) (ground, error) {
	set := g.doc.tilesets[i].set
	t := set.get(id)
	fits := t.w == g.doc.tileW && t.h == g.doc.tileH || set.stretched
	out := ground{shape: noShape, set: i, material: t.material}
	whole := t.solid == yes || t.solid == unset && len(t.objects) == 0
	if t.solid == no {
		return ground{shape: noShape, set: i}, nil
	}
	if !whole {
		w, h, tall := g.doc.tileW, g.doc.tileH, t.h
		if set.stretched {
			w, h = t.w, t.h
		}
		if t.w <= 0 || t.h <= 0 || set.stretched && set.fitted && t.w*g.doc.tileH != t.h*g.doc.tileW {
			g.notes[i].unplaced.add(id)
			return out, nil
		}
		var err error
		out.shape, whole, err = g.outline(t, &g.notes[i], float64(w), float64(h), float64(tall))
		if err != nil || !whole {
			return out, err
		}
	}
	out.shape, out.plain, out.misfit = g.shape(full), t.solid == unset, !fits
	g.anyMisfit = g.anyMisfit || out.misfit
	return out, nil
}

// outline returns the shape of the collision objects of a tile, or noShape if they lie outside of its cell. w and h are
// the size of a cell in pixels; tall is the height of the tile in pixels. none is true if no object has an area: then
// the tile has no collision data.
func (g *grounds) outline(t *tile, n *notes, w, h, tall float64) (shape int, none bool, err error) {
	if len(t.objects) > lattice.MaxPolygons {
		return noShape, false, t.at.errorf("more than %d collision objects", lattice.MaxPolygons)
	}
	var polygons [][][2]float64
	var objects []int // by polygon: its object
	var clipped []bool
	anyFar, anyFlat := false, false
	none = true
	for k := range t.objects {
		p, cut, far := t.objects[k].polygon(w, h, tall)
		isFlat := p == nil && !cut
		anyFar, anyFlat, none = anyFar || far, anyFlat || isFlat, none && isFlat
		if p != nil {
			polygons, objects, clipped = append(polygons, p), append(objects, k), append(clipped, cut)
		}
	}
	if anyFar {
		n.clipped.add(t.id)
	}
	if anyFlat {
		n.flat.add(t.id)
	}
	if len(polygons) == 0 {
		return noShape, none, nil
	}
	key := outlineKey(polygons)
	if s, ok := g.byKey[key]; ok {
		return s, false, nil
	}
	if u, ok := g.joined[key]; ok {
		u.note(n, t.id)
		return u.shape, false, nil
	}
	if err := g.count(t, polygons); err != nil {
		return noShape, false, err
	}
	_, err = g.check.Register(strconv.Itoa(len(g.shapes)), polygons...)
	var refused *gridseg.ShapeError
	switch isOf := errors.As(err, &refused) && refused.Polygon >= 0; {
	case err == nil:
		return g.shape(polygons), false, nil
	case errors.Is(err, gridseg.ErrOverlap) || isOf && clipped[refused.Polygon]:
		shape, err = g.unite(t, n, key, polygons, errors.Is(err, gridseg.ErrOverlap))
		return shape, false, err
	case isOf && refused.Vertex >= 0:
		// gridseg numbers polygons and vertices differently, so name the object and the pixel
		// instead.
		v := polygons[refused.Polygon][refused.Vertex]
		return noShape, false, t.objects[objects[refused.Polygon]].at.errorf("%w, at the edge from pixel (%.6g, %.6g)",
			reason(refused.Err), float64(v[0]*w), tall-float64(v[1]*h))
	case isOf:
		return noShape, false, t.objects[objects[refused.Polygon]].at.err(refused.Err)
	case refused != nil:
		return noShape, false, t.at.err(refused.Err)
	}
	return noShape, false, t.at.err(err)
}

// count adds the vertices of a shape to the map's, which are bounded.
func (g *grounds) count(t *tile, polygons [][][2]float64) error {
	for _, p := range polygons {
		g.vertices += len(p)
	}
	if g.vertices > maxVertices {
		return t.at.errorf("the shapes of the tiles that the map places have more than %d vertices together",
			maxVertices)
	}
	return nil
}

// reason returns the cause of a refused shape without gridseg's numbers of vertices and polygons.
func reason(err error) error {
	for _, kind := range [...]error{
		lattice.ErrCrossing, lattice.ErrOverlap, lattice.ErrDegenerate, lattice.ErrClockwise,
	} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return err
}

// shape returns the index of a shape and adds the shape if it is new.
func (g *grounds) shape(polygons [][][2]float64) int {
	key := outlineKey(polygons)
	s, ok := g.byKey[key]
	if !ok {
		s = len(g.shapes)
		g.byKey[key] = s
		g.shapes = append(g.shapes, polygons)
	}
	return s
}

// name returns a name, not in taken, for a shape that is not full, after the tile with the gid.
func (g *grounds) name(gid uint32, taken map[string]bool) string {
	ref := &g.doc.tilesets[g.tileset(gid)]
	name := ref.set.name
	if len(name) > maxQuoted {
		name = name[:maxQuoted]
	}
	name += "/" + strconv.FormatUint(uint64(gid-ref.first), 10)
	if taken[name] { // two tilesets of one name
		name += "#" + strconv.FormatUint(uint64(gid), 10)
	}
	taken[name] = true
	return name
}
