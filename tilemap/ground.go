package tilemap

import (
	"errors"
	"sort"
	"strconv"

	"github.com/quarry2d/quarry/gridseg"
)

// noShape marks a tile that is not ground.
const noShape = -1

// ground is the ground of a tile of a tileset.
type ground struct {
	shape    int // index in grounds.shapes, or noShape
	material uint16
}

// grounds computes the ground of each tile when it is first placed, so that a fault in an unused
// tile is no error.
type grounds struct {
	doc      *document
	plain    bool // no tile of any tileset has collision data: all are full blocks
	known    map[uint32]ground
	shapes   [][][][2]float64
	vertices int // of all shapes
	byKey    map[string]int
	check    *gridseg.Shapes // registers every shape, to check it
	misfits  []int           // by tileset: tiles of another size that became full blocks
	lastGID  uint32          // cache, because most tiles repeat the previous one
	lastTile ground
}

func newGrounds(d *document) *grounds {
	g := &grounds{
		doc: d, plain: true,
		known: map[uint32]ground{}, byKey: map[string]int{},
		check: gridseg.NewShapes(), misfits: make([]int, len(d.tilesets)),
	}
	for _, ref := range d.tilesets {
		if ref.set.speaks {
			g.plain = false
		}
	}
	return g
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
			return ground{}, true, g.doc.tilesets[i].set.at.errorf("the map places more than %d different tiles", maxUsed)
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
	switch {
	case t.solid == yes || g.plain && t.solid == unset:
		if !fits {
			g.misfits[i]++
		}
		return ground{g.shape(full), t.material}, nil
	case t.solid == no || len(t.objects) == 0:
		return ground{noShape, 0}, nil
	}
	w, h, tall := g.doc.tileW, g.doc.tileH, g.doc.tileH
	if set.stretched {
		w, h, tall = t.w, t.h, t.h
		fits = t.w > 0 && t.h > 0 && (!set.fitted || t.w*g.doc.tileH == t.h*g.doc.tileW)
	}
	if !fits {
		return ground{}, t.at.errorf("a tile of %d x %d pixels with collision objects does not fit the map's cells of %d x %d pixels",
			t.w, t.h, g.doc.tileW, g.doc.tileH)
	}
	var polygons [][][2]float64
	for k := range t.objects {
		if k == gridseg.MaxPolygons {
			return ground{}, t.at.errorf("more than %d collision objects", gridseg.MaxPolygons)
		}
		p, err := t.objects[k].polygon(float64(w), float64(h), float64(tall))
		if err != nil {
			return ground{}, err
		}
		polygons = append(polygons, p)
	}
	if s, ok := g.byKey[outlineKey(polygons)]; ok {
		return ground{s, t.material}, nil
	}
	for _, p := range polygons {
		g.vertices += len(p)
	}
	if g.vertices > maxVertices {
		return ground{}, t.at.errorf("the shapes of the tiles that the map places have more than %d vertices together", maxVertices)
	}
	_, err := g.check.Register(strconv.Itoa(len(g.shapes)), polygons...)
	var refused *gridseg.ShapeError
	switch {
	case errors.As(err, &refused) && refused.Polygon >= 0 && refused.Vertex >= 0:
		// gridseg numbers polygons and vertices differently, so name the object and the pixel
		// instead.
		v := polygons[refused.Polygon][refused.Vertex]
		return ground{}, t.objects[refused.Polygon].at.errorf("%w, at the edge from pixel (%.6g, %.6g)",
			reason(refused.Err), float64(v[0]*float64(w)), float64(tall)-float64(v[1]*float64(h)))
	case errors.As(err, &refused) && refused.Polygon >= 0:
		return ground{}, t.objects[refused.Polygon].at.err(refused.Err)
	case errors.As(err, &refused):
		return ground{}, t.at.err(refused.Err)
	case err != nil:
		return ground{}, t.at.err(err)
	}
	return ground{g.shape(polygons), t.material}, nil
}

// reason returns the cause of a refused shape without gridseg's numbers of vertices and polygons.
func reason(err error) error {
	for _, kind := range [...]error{gridseg.ErrCrossing, gridseg.ErrOverlap, gridseg.ErrDegenerate, gridseg.ErrClockwise} {
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
