package tilemap

import "slices"

// A document is a parsed map file of Tiled, in either format, or of LDtk. Its numbers are in range; gids are not
// resolved and layer data not decoded.
type document struct {
	at            spot
	layerNoun     string // of a layer, for messages
	width, height int    // in tiles; 0 for infinite maps
	tileW, tileH  int    // in pixels
	infinite      bool
	tilesets      []tilesetRef
	layers        []layer // tile layers only, groups opened, lowest first
	plain         PlainTiles
	unread        unread
}

// unread counts the object layers of a map that have objects. Object layers are not read.
type unread struct {
	layers, objects int
	first           string // path of the first
}

// note counts an object layer with n objects.
func (u *unread) note(path string, n int) {
	if n == 0 {
		return
	}
	if u.layers == 0 {
		u.first = path
	}
	u.layers++
	u.objects += n
}

// tilesetRef is a map's reference to a tileset.
type tilesetRef struct {
	at     spot
	first  uint32 // gid of its tile 0
	source string // file of an external tileset, relative to the map's; "" if embedded
	set    *tileset
}

// layer is a tile layer.
type layer struct {
	at      spot
	name    string
	path    string // with the names of its groups: "outer/inner/name"
	visible bool   // with every group around it
	shifted bool   // drawn with an offset, its own or a group's
	// pixels by which a layer of LDtk that begins between cells is moved, x to the right, y down
	snapped [2]int64
	air     map[uint32]bool // values of a layer of LDtk that are left out
	chunks  []chunk

	number              uint8    // property layer: the ground's layer of its tiles
	plain               tristate // property solid: whether tiles without collision data are full blocks
	preserve            []uint8  // property preserve: layers against which its faces are kept
	numbered, preserves bool     // the file has the property layer, preserve
}

// chosen reports whether l is read for Options.Layers.
func (l *layer) chosen(names []string) bool {
	return len(names) == 0 && l.visible || slices.Contains(names, l.name) || slices.Contains(names, l.path)
}

// chunk is a rectangle of layer data. A layer of a finite map has exactly one.
type chunk struct {
	at         spot
	x, y, w, h int // in tiles, y down; (x, y) is the top left tile
	encoding   string
	packing    string   // Tiled's "compression"
	text       string   // comma-separated or base64 data
	most       uint32   // the largest number in the data; 0: gids, with flags
	gids       []uint32 // in place of text: XML tile elements
}

// Limits of a document. They keep the cost of a hostile file in proportion to its size. Real maps
// are far below them.
const (
	maxLayers   = 4096
	maxGroups   = 32 // groups in groups
	maxTilesets = 1024
	maxTiles    = 1 << 20 // described tiles of one tileset
	maxObjects  = 1024    // collision objects of one tile
	maxTileSize = 1 << 16 // pixels
	maxGID      = 1<<28 - 1
	maxName     = 256     // bytes; paths through groups repeat names
	maxUsed     = 1 << 18 // different tile numbers in the layers that are read
	maxVertices = 1 << 17 // of all shapes of a map; the check of a shape is quadratic in its vertices
)

// header reads the attributes of a map, and refuses maps that are not orthogonal or whose tiles
// have no size.
func (d *document) header(f *fields) error {
	d.at, d.layerNoun = f.at, "tile layer"
	orientation := f.text("orientation", "orthogonal")
	d.infinite = f.flag("infinite", false)
	d.tileW = int(f.need("tilewidth", 1, maxTileSize))
	d.tileH = int(f.need("tileheight", 1, maxTileSize))
	if f.err == nil && orientation != "orthogonal" {
		return f.at.errorf("%s maps are not supported, only orthogonal maps", printable(orientation))
	}
	if !d.infinite {
		d.width = int(f.need("width", 1, MaxCells))
		d.height = int(f.need("height", 1, MaxCells))
		if f.err == nil && int64(d.width)*int64(d.height) > MaxCells {
			return f.at.errorf("the map is %d x %d tiles, more than %d in all", d.width, d.height, MaxCells)
		}
	}
	return f.err
}

// printable returns a word of Tiled's format unquoted, and any other text quoted.
func printable(word string) string {
	switch word {
	case "isometric", "staggered", "hexagonal", "oblique":
		return word
	}
	return quote(word)
}

// tilesetRef reads the attributes of a reference to a tileset.
func (d *document) tilesetRef(f *fields) (tilesetRef, error) {
	r := tilesetRef{at: f.at, first: uint32(f.need("firstgid", 1, maxGID)), source: f.text("source", "")}
	if r.source != "" {
		r.at = r.at.in("tileset " + quote(r.source))
	}
	if f.err == nil && len(d.tilesets) == maxTilesets {
		return r, f.at.errorf("more than %d tilesets", maxTilesets)
	}
	return r, f.err
}

// group is the state that a layer inherits from the groups around it.
type group struct {
	path    string
	hidden  bool
	shifted bool
	depth   int
}

// enter reads the attributes of a group layer.
func (g group) enter(f *fields) (group, error) {
	g.path += f.name() + "/"
	g.hidden = !f.flag("visible", true) || g.hidden
	g.shifted = shifted(f) || g.shifted
	g.depth++
	if f.err == nil && g.depth > maxGroups {
		return g, f.at.errorf("groups are nested more than %d deep", maxGroups)
	}
	return g, f.err
}

// shifted reports whether a layer has an offset, in pixels or (in old files) in tiles.
func shifted(f *fields) bool {
	px := f.number("offsetx", 0) != 0 || f.number("offsety", 0) != 0
	return f.number("x", 0) != 0 || f.number("y", 0) != 0 || px
}

// layer reads the attributes of a tile layer in the group g.
func (d *document) layer(f *fields, g group) (layer, error) {
	name := f.name()
	l := layer{
		name:    name,
		path:    g.path + name,
		visible: f.flag("visible", true) && !g.hidden,
		shifted: shifted(f) || g.shifted,
	}
	f.at = f.at.in("layer " + quote(l.path))
	l.at = f.at
	if f.err == nil && len(d.layers) == maxLayers {
		return l, f.at.errorf("more than %d layers", maxLayers)
	}
	if !d.infinite {
		w, h := f.integer("width", int64(d.width), 0, MaxCells), f.integer("height", int64(d.height), 0, MaxCells)
		if f.err == nil && (w != int64(d.width) || h != int64(d.height)) {
			return l, l.at.errorf("the layer is %d x %d tiles, the map %d x %d", w, h, d.width, d.height)
		}
	}
	return l, f.err
}

// whole returns the chunk of a finite map's layer, without its data.
func (d *document) whole(l *layer) chunk {
	return chunk{at: l.at, w: d.width, h: d.height}
}

// chunk reads the attributes of a chunk of the layer l.
func (d *document) chunk(f *fields, l *layer) (chunk, error) {
	c := chunk{
		x: int(f.need("x", -maxChunkAt, maxChunkAt)),
		y: int(f.need("y", -maxChunkAt, maxChunkAt)),
		w: int(f.need("width", 1, MaxCells)),
		h: int(f.need("height", 1, MaxCells)),
	}
	f.at = l.at.at(f.at.line).in(chunkName(c.x, c.y))
	c.at = f.at
	if f.err == nil && !d.infinite {
		return c, c.at.errorf("a chunk in a map that is not infinite")
	}
	if f.err == nil && int64(c.w)*int64(c.h) > MaxCells {
		return c, c.at.errorf("the chunk is %d x %d tiles, more than %d in all", c.w, c.h, MaxCells)
	}
	return c, f.err
}
