package tilemap

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/quarry2d/quarry/gridseg"
)

// Sizes that Write uses: the side of a chunk in tiles, and of a tile in pixels.
const (
	writeSide   = 64
	writePixels = 16
)

// Write writes the loaded tiles and polygons of g to out as an infinite Tiled map in JSON (.tmj). The map has an
// embedded tileset with a tile for each different outline and material, whose polygons are collision objects, exact
// to the lattice step. Load reads the map into the same cells, with the same surface, layers and materials, if the
// map is within the bounds of Load. A turned tile is read as a shape of its own, and the user number is replaced by
// the gid.
//
// Each warning is a sentence on content that a Tiled map cannot hold: holes of polygons within a cell, which are
// filled, and cells of several materials or layers, which get their first polygon's.
func Write(out io.Writer, g gridseg.View) (warnings []string, err error) {
	w := writer{g: g, tiles: map[string]uint32{}, layers: map[uint8]map[gridseg.Cell]*writtenChunk{}}
	w.collect()
	b := bufio.NewWriter(out)
	w.write(b)
	return w.warnings(), b.Flush()
}

// writtenChunk has the gids of a chunk, the top row first.
type writtenChunk [writeSide * writeSide]uint32

type writer struct {
	g      gridseg.View
	tiles  map[string]uint32 // gids by outline and material
	list   []writtenTile     // of gid 1 on
	layers map[uint8]map[gridseg.Cell]*writtenChunk
	holes  int // cells
	mixed  int
}

// writtenTile is a tile of the tileset.
type writtenTile struct {
	outline  [][]gridseg.Point
	material uint16
}

// collect lists the tiles and the gids of all cells.
func (w *writer) collect() {
	all, ok := w.g.Bounds()
	if !ok {
		w.layers[0] = nil // Load wants a layer
		return
	}
	for at, t := range w.g.Tiles(all) {
		tile := writtenTile{w.g.Shapes().Polygons(t.Shape, t.Turn), t.Material}
		if t.Shape == gridseg.Patch {
			tile, t.Layer = w.patch(at)
		}
		layer := w.layers[t.Layer]
		if layer == nil {
			layer = map[gridseg.Cell]*writtenChunk{}
			w.layers[t.Layer] = layer
		}
		corner := gridseg.Cell{X: at.X &^ (writeSide - 1), Y: at.Y &^ (writeSide - 1)}
		c := layer[corner]
		if c == nil {
			c = new(writtenChunk)
			layer[corner] = c
		}
		c[(writeSide-1-int(at.Y-corner.Y))*writeSide+int(at.X-corner.X)] = w.gid(tile)
	}
}

// gid returns the gid of a tile.
func (w *writer) gid(t writtenTile) uint32 {
	key := fmt.Sprint(t.outline, t.material)
	id, known := w.tiles[key]
	if !known {
		w.list = append(w.list, t)
		id = uint32(len(w.list))
		w.tiles[key] = id
	}
	return id
}

// patch returns the outlines of the polygons of a cell as a tile, and its layer.
func (w *writer) patch(at gridseg.Cell) (t writtenTile, layer uint8) {
	holes, mixed := false, false
	for p, loops := range w.g.Polygons(at.X, at.Y) {
		if t.outline == nil {
			t.material, layer = p.Material, p.Layer
		}
		mixed = mixed || p.Material != t.material || p.Layer != layer
		for _, loop := range loops {
			if clockwise(loop) {
				holes = true
			} else {
				t.outline = append(t.outline, loop)
			}
		}
	}
	if holes {
		w.holes++
	}
	if mixed {
		w.mixed++
	}
	return t, layer
}

// clockwise reports whether a loop is the outline of a hole.
func clockwise(loop []gridseg.Point) bool {
	area, last := int64(0), loop[len(loop)-1]
	for _, p := range loop {
		area += last.X*p.Y - p.X*last.Y
		last = p
	}
	return area < 0
}

func (w *writer) warnings() (list []string) {
	if w.holes > 0 {
		list = append(list, fmt.Sprintf("%d cells have polygons with holes: the holes are filled", w.holes))
	}
	if w.mixed > 0 {
		list = append(list, fmt.Sprintf("%d cells have polygons of several materials or layers: they get those of "+
			"the first one", w.mixed))
	}
	return list
}

// write writes the map. An error of b stays in it.
func (w *writer) write(b *bufio.Writer) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format, args...) }
	p(`{"type": "map", "version": "1.10", "orientation": "orthogonal", "renderorder": "right-down", "infinite": true,`+
		"\n"+
		`"width": %d, "height": %d, "tilewidth": %d, "tileheight": %d, "nextlayerid": %d, "nextobjectid": 1,`+"\n",
		writeSide, writeSide, writePixels, writePixels, len(w.layers)+1)
	p(`"tilesets": [{"firstgid": 1, "name": "quarry", "tilewidth": %d, "tileheight": %d, "tilecount": %d, "columns": 0, "margin": 0, "spacing": 0, "tiles": [`,
		writePixels, writePixels, len(w.list))
	for id, t := range w.list {
		comma(b, id)
		p("\n"+`{"id": %d, "properties": [{"name": "material", "type": "int", "value": %d}`, id, t.material)
		if len(t.outline) == 1 && isBlock(t.outline[0]) {
			p(`, {"name": "solid", "type": "bool", "value": true}]}`)
			continue
		}
		p(`], "objectgroup": {"type": "objectgroup", "draworder": "index", "name": "", "opacity": 1, "visible": true, "x": 0, "y": 0, "objects": [`)
		for k, loop := range t.outline {
			comma(b, k)
			p(`{"id": %d, "name": "", "type": "", "rotation": 0, "visible": true, "x": 0, "y": 0, "width": 0, "height": 0, "polygon": [`, k+1)
			for i, v := range loop {
				comma(b, i)
				p(`{"x": %s, "y": %s}`, inPixels(v.X), inPixels(gridseg.Unit-v.Y))
			}
			p("]}")
		}
		p("]}}")
	}
	p("]}],\n" + `"layers": [`)
	for k, number := range slices.Sorted(maps.Keys(w.layers)) {
		comma(b, k)
		p("\n"+`{"type": "tilelayer", "id": %d, "name": "ground %d", "opacity": 1, "visible": true, "x": 0, "y": 0, "width": %d, "height": %d, "startx": 0, "starty": 0,`+"\n"+
			`"properties": [{"name": "layer", "type": "int", "value": %d}`, k+1, number, writeSide, writeSide, number)
		if list := w.preserved(number); list != "" {
			p(`, {"name": "preserve", "type": "string", "value": "%s"}`, list)
		}
		p(`], "chunks": [`)
		chunks := w.layers[number]
		for i, corner := range slices.SortedFunc(maps.Keys(chunks), func(a, b gridseg.Cell) int {
			return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
		}) {
			comma(b, i)
			p("\n"+`{"x": %d, "y": %d, "width": %d, "height": %d, "data": [`, corner.X, -int64(corner.Y)-writeSide,
				writeSide, writeSide)
			for j, gid := range chunks[corner] {
				comma(b, j)
				p("%d", gid)
			}
			p("]}")
		}
		p("]}")
	}
	p("]}\n")
}

// comma writes a comma before all but the first element of a list.
func comma(b *bufio.Writer, k int) {
	if k > 0 {
		_ = b.WriteByte(',') // the error stays in b
	}
}

// isBlock reports whether a loop is the outline of a full block.
func isBlock(loop []gridseg.Point) bool {
	if len(loop) != 4 {
		return false
	}
	for _, p := range loop {
		if p.X%gridseg.Unit != 0 || p.Y%gridseg.Unit != 0 {
			return false
		}
	}
	return true
}

// inPixels returns a lattice coordinate in pixels, exactly.
func inPixels(v int64) string {
	return strconv.FormatFloat(float64(v)*writePixels/gridseg.Unit, 'f', -1, 64)
}

// preserved returns the layers against which layer n keeps its faces.
func (w *writer) preserved(n uint8) string {
	var list []string
	for _, p := range w.g.AppendPreserved(nil) {
		if p[0] == n {
			list = append(list, strconv.Itoa(int(p[1])))
		} else if p[1] == n {
			list = append(list, strconv.Itoa(int(p[0])))
		}
	}
	return strings.Join(list, ", ")
}
