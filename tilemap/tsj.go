package tilemap

// parseTSJ reads a Tiled tileset in JSON.
func parseTSJ(file string, data []byte) (*tileset, error) {
	j, root, err := parseJSON(file, data, nil)
	if err != nil {
		return nil, err
	}
	at := spot{file: file}
	if root.kind != objectNode {
		return nil, root.at(at).errorf("the file holds no tileset: its value is not an object")
	}
	f := j.fields(&root, at)
	if typ := f.text("type", "tileset"); f.err == nil && typ != "tileset" {
		return nil, f.at.errorf("the file holds a %s, not a tileset", quote(typ))
	}
	return j.tileset(&root)
}

// tileset reads the tileset n.
func (j *jsonFile) tileset(n *node) (*tileset, error) {
	s := &tileset{}
	if err := s.header(j.fields(n, spot{file: j.name})); err != nil {
		return nil, err
	}
	if o := n.get("tileoffset"); o != nil {
		f := j.fields(o, s.at)
		s.offset = f.number("x", 0) != 0 || f.number("y", 0) != 0
		if f.err != nil {
			return nil, f.err
		}
	}
	if t := n.get("tiles"); t != nil && t.kind == objectNode {
		return nil, t.at(s.at).errorf("tiles is an object, the form before Tiled 1.2: save the file with a later " +
			"version")
	}
	return s, n.each("tiles", s.at, func(n *node) error { return s.tsjTile(j, n) })
}

// tsjTile reads a tile's entry.
func (s *tileset) tsjTile(j *jsonFile, n *node) error {
	own := j.fields(n, s.at)
	t, err := s.tile(own)
	if err != nil {
		return err
	}
	t.image(own.integer("imagewidth", 0, 0, maxTileSize), own.integer("imageheight", 0, 0, maxTileSize), own)
	if own.err != nil {
		return own.err
	}
	err = n.each("properties", t.at, func(n *node) error { return s.property(t, j.fields(n, t.at)) })
	if err != nil {
		return err
	}
	objects := n.get("objectgroup")
	if objects == nil {
		return nil
	}
	f := j.fields(objects, t.at)
	if objects.kind != objectNode {
		return f.at.errorf("objectgroup is not an object")
	}
	ox, oy := f.number("offsetx", 0), f.number("offsety", 0)
	if f.err != nil {
		return f.err
	}
	count := 0
	return objects.each("objects", t.at, func(n *node) error {
		if count++; count > maxObjects {
			return f.at.errorf("more than %d collision objects", maxObjects)
		}
		o, err := t.object(j.fields(n, t.at), ox, oy)
		if err == nil {
			err = o.tsjKind(j, n)
		}
		if err == nil {
			o.finish()
			s.add(t, o)
		}
		return err
	})
}

// tsjKind sets the kind of object n and reads the vertices of a polygon.
func (o *object) tsjKind(j *jsonFile, n *node) error {
	f := j.fields(n, o.at)
	switch {
	case n.get("polygon") != nil:
		o.kind = polygon
		return n.each("polygon", o.at, func(n *node) error {
			f := j.fields(n, o.at)
			x, y := f.number("x", 0), f.number("y", 0)
			if !f.has("x") || !f.has("y") {
				f.fail("polygon", "has a point without x or y")
			}
			if f.err != nil {
				return f.err
			}
			return o.addPoint(x, y)
		})
	case f.flag("ellipse", false):
		o.kind = ellipse
	case n.get("polyline") != nil:
		o.kind = polyline
	case f.flag("point", false):
		o.kind = point
	case n.get("text") != nil:
		o.kind = text
	case f.flag("capsule", false):
		o.kind = capsule
	}
	return f.err
}
