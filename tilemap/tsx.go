package tilemap

// parseTSX reads a Tiled tileset in XML.
func parseTSX(file string, data []byte) (*tileset, error) {
	r, err := newXMLReader(file, data)
	if err != nil {
		return nil, err
	}
	root, err := r.root("tileset")
	if err != nil {
		return nil, err
	}
	s, err := readTSX(r, root)
	if err != nil {
		return nil, err
	}
	return s, r.end()
}

// readTSX reads the tileset with the start tag e, which was read last.
func readTSX(r *xmlReader, e element) (*tileset, error) {
	s := &tileset{}
	if err := s.header(e.fields(spot{file: e.at.file})); err != nil {
		return nil, err
	}
	err := r.each(nil, func(e element) error {
		f := e.fields(s.at)
		switch e.name {
		case "tile":
			return s.tsxTile(r, f)
		case "tileoffset":
			s.offset = f.number("x", 0) != 0 || f.number("y", 0) != 0
		}
		return f.err
	})
	return s, err
}

// tsxTile reads a tile's entry.
func (s *tileset) tsxTile(r *xmlReader, own *fields) error {
	t, err := s.tile(own)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	return r.each(nil, func(e element) error {
		f := e.fields(t.at)
		switch e.name {
		case "image", "properties", "objectgroup":
			if seen[e.name] {
				return f.at.errorf("a second <%s>", e.name)
			}
			seen[e.name] = true
		}
		switch e.name {
		case "image":
			t.image(f.integer("width", 0, 0, maxTileSize), f.integer("height", 0, 0, maxTileSize), own)
			return f.err
		case "properties":
			return r.each(nil, func(e element) error {
				if e.name != "property" {
					return nil
				}
				return s.property(t, e.fields(t.at))
			})
		case "objectgroup":
			return s.tsxObjects(r, t, f)
		}
		return nil
	})
}

// tsxObjects reads the collision objects of a tile.
func (s *tileset) tsxObjects(r *xmlReader, t *tile, f *fields) error {
	ox, oy := f.number("offsetx", 0), f.number("offsety", 0)
	if f.err != nil {
		return f.err
	}
	n := 0
	return r.each(nil, func(e element) error {
		if e.name != "object" {
			return nil
		}
		if n++; n > maxObjects {
			return f.at.errorf("more than %d collision objects", maxObjects)
		}
		o, err := t.object(e.fields(t.at), ox, oy)
		if err != nil {
			return err
		}
		err = r.each(nil, func(e element) error {
			switch e.name {
			case "polygon":
				if o.kind == polygon {
					return o.at.errorf("a second <polygon>")
				}
				o.kind = polygon
				f := e.fields(o.at)
				return o.parsePoints(f.text("points", ""))
			case "ellipse":
				o.kind = ellipse
			case "polyline":
				o.kind = polyline
			case "point":
				o.kind = point
			case "text":
				o.kind = text
			case "capsule":
				o.kind = capsule
			}
			return nil
		})
		if err == nil {
			o.finish()
			s.add(t, o)
		}
		return err
	})
}
