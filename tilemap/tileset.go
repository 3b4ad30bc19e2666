package tilemap

import "strconv"

// tileset has the data of a tileset that concern the ground, from the map file or from a file of
// its own.
type tileset struct {
	at           spot
	name         string
	tileW, tileH int    // in pixels; the largest tile of an image collection
	count        int    // tiles 0..count-1 exist; -1 = unknown
	stretched    bool   // tiles are drawn at the size of a cell
	fitted       bool   // stretched tiles keep their aspect ratio
	offset       bool   // tiles are drawn with an offset
	speaks       bool   // a tile has the property solid = true or collision objects
	speaker      uint32 // the number of the first such tile in the file
	tiles        map[uint32]*tile
	ignored      [kinds]int    // collision objects that are not ground
	firstIgnored [kinds]uint32 // the tile of the first of them
}

// tile is a tile with an entry in its tileset.
type tile struct {
	at       spot
	id       uint32
	w, h     int // pixels
	solid    tristate
	surfaced bool // the tile has the property material
	material uint16
	objects  []object // collision objects with an area
}

// tristate is the value of a property that may be absent.
type tristate uint8

const (
	unset tristate = iota
	no
	yes
)

// header reads the attributes of a tileset.
func (s *tileset) header(f *fields) error {
	s.name = f.name()
	f.at = f.at.in("tileset " + quote(s.name))
	s.at = f.at
	if f.err == nil && f.has("source") {
		// Following it could lead to a chain or a cycle of files.
		return f.at.errorf("the tileset file only refers to another tileset file, %s", quote(f.text("source", "")))
	}
	s.tileW = int(f.need("tilewidth", 0, maxTileSize))
	s.tileH = int(f.need("tileheight", 0, maxTileSize))
	s.count = int(f.integer("tilecount", -1, 0, maxGID))
	s.stretched = f.text("tilerendersize", "tile") == "grid"
	s.fitted = f.text("fillmode", "stretch") == "preserve-aspect-fit"
	s.tiles = map[uint32]*tile{}
	return f.err
}

// tile reads the attributes of a tile's entry and adds the tile.
func (s *tileset) tile(f *fields) (*tile, error) {
	id := uint32(f.need("id", 0, maxGID))
	f.at = s.at.at(f.at.line).in("tile " + strconv.FormatUint(uint64(id), 10))
	t := &tile{at: f.at, id: id}
	t.w = int(f.integer("width", int64(s.tileW), 0, maxTileSize))
	t.h = int(f.integer("height", int64(s.tileH), 0, maxTileSize))
	switch {
	case f.err != nil:
		return nil, f.err
	case s.tiles[id] != nil:
		return nil, f.at.errorf("the tile is described twice")
	case len(s.tiles) == maxTiles:
		return nil, f.at.errorf("more than %d described tiles", maxTiles)
	}
	s.tiles[id] = t
	return t, nil
}

// image reads the attributes of the image of a single tile. Its size is the size of a tile without a
// size.
func (t *tile) image(width, height int64, own *fields) {
	if !own.has("width") && width > 0 {
		t.w = int(width)
	}
	if !own.has("height") && height > 0 {
		t.h = int(height)
	}
}

// property reads a custom property of a tile, and ignores unknown ones.
func (s *tileset) property(t *tile, f *fields) error {
	name := f.text("name", "")
	if f.err != nil || name != "solid" && name != "material" {
		return f.err
	}
	f.at = t.at.at(f.at.line).in("property " + name)
	typ := f.text("type", "string")
	switch name {
	case "solid":
		if t.solid != unset {
			return f.at.errorf("the property occurs twice")
		}
		if typ != "bool" {
			f.fail("type", "is "+quote(typ)+", must be bool")
		}
		t.solid = no
		if f.flag("value", false) {
			t.solid = yes
			s.speak(t)
		}
	case "material":
		if t.surfaced {
			return f.at.errorf("the property occurs twice")
		}
		t.surfaced = true
		if typ != "int" {
			f.fail("type", "is "+quote(typ)+", must be int")
		}
		t.material = uint16(f.integer("value", 0, 0, 1<<16-1))
	}
	return f.err
}

// add adds a collision object to t, or counts it as ignored.
func (s *tileset) add(t *tile, o object) {
	if o.kind.ground() {
		t.objects = append(t.objects, o)
		s.speak(t)
		return
	}
	if s.ignored[o.kind] == 0 {
		s.firstIgnored[o.kind] = t.id
	}
	s.ignored[o.kind]++
}

// speak notes that a tile has collision data.
func (s *tileset) speak(t *tile) {
	if !s.speaks {
		s.speaks, s.speaker = true, t.id
	}
}

// has reports whether the tileset has the tile id.
func (s *tileset) has(id uint32) bool {
	return s.count < 0 || int64(id) < int64(s.count) || s.tiles[id] != nil
}

// get returns tile id; without an entry in the file, it has no data.
func (s *tileset) get(id uint32) *tile {
	if t := s.tiles[id]; t != nil {
		return t
	}
	return &tile{at: s.at.in("tile " + strconv.FormatUint(uint64(id), 10)), id: id, w: s.tileW, h: s.tileH}
}
