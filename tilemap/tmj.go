package tilemap

// parseTMJ reads a Tiled map in JSON.
func parseTMJ(file string, data []byte) (*document, error) {
	j, root, err := parseJSON(file, data, nil)
	if err != nil {
		return nil, err
	}
	at := spot{file: file}
	if root.kind != objectNode {
		return nil, root.at(at).errorf("the file holds no map: its value is not an object")
	}
	f := j.fields(&root, at)
	if typ := f.text("type", "map"); f.err == nil && typ != "map" {
		return nil, f.at.errorf("the file holds a %s, not a map", quote(typ))
	}
	d := &document{}
	if err := d.header(f); err != nil {
		return nil, err
	}
	d.at = at
	err = root.each("tilesets", at, func(n *node) error {
		ref, err := d.tilesetRef(j.fields(n, at))
		if err != nil {
			return err
		}
		if ref.source == "" {
			if ref.set, err = j.tileset(n); err != nil {
				return err
			}
		}
		d.tilesets = append(d.tilesets, ref)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return d, d.tmjLayers(j, &root, group{})
}

// tmjLayers reads the layers of a map, or of a group of layers.
func (d *document) tmjLayers(j *jsonFile, parent *node, g group) error {
	return parent.each("layers", d.at, func(n *node) error {
		f := j.fields(n, d.at)
		switch typ := f.text("type", ""); {
		case f.err != nil:
			return f.err
		case typ == "group":
			inner, err := g.enter(f)
			if err != nil {
				return err
			}
			return d.tmjLayers(j, n, inner)
		case typ == "tilelayer":
			return d.tmjLayer(j, n, f, g)
		case typ == "objectgroup":
			if objects := n.get("objects"); objects != nil {
				d.unread.note(g.path+f.text("name", ""), len(objects.items))
			}
		}
		return nil
	})
}

// tmjLayer reads a tile layer.
func (d *document) tmjLayer(j *jsonFile, n *node, f *fields, g group) error {
	l, err := d.layer(f, g)
	if err != nil {
		return err
	}
	encoding, packing := f.text("encoding", "csv"), f.text("compression", "")
	if f.err != nil {
		return f.err
	}
	// Before Tiled 1.2 the properties were an object of names and values.
	if p := n.get("properties"); p == nil || p.kind != objectNode {
		if err := n.each("properties", l.at, func(n *node) error { return l.property(j.fields(n, l.at)) }); err != nil {
			return err
		}
	}
	data := n.get("data")
	err = n.each("chunks", l.at, func(n *node) error {
		c, err := d.chunk(j.fields(n, l.at), &l)
		if err != nil {
			return err
		}
		c.encoding, c.packing = encoding, packing
		l.chunks = append(l.chunks, c)
		return j.chunkData(&l.chunks[len(l.chunks)-1], n.get("data"))
	})
	switch {
	case err != nil:
		return err
	case !d.infinite:
		c := d.whole(&l)
		c.encoding, c.packing = encoding, packing
		if err := j.chunkData(&c, data); err != nil {
			return err
		}
		l.chunks = append(l.chunks, c)
	case data != nil && data.end-data.start > 2: // neither [] nor ""
		return data.at(l.at).errorf("tiles outside chunks, in an infinite map")
	}
	d.layers = append(d.layers, l)
	return nil
}

// chunkData reads the data of a chunk.
func (j *jsonFile) chunkData(c *chunk, data *node) error {
	switch {
	case data == nil:
		return c.at.errorf("data are missing")
	case c.encoding == "base64" && data.kind == stringNode:
		c.text = j.text(data)
	case c.encoding == "csv" && data.kind == numbersNode:
		c.text = j.list(data)
	case c.encoding != "base64" && c.encoding != "csv":
		return c.at.errorf("unknown encoding %s", quote(c.encoding))
	case c.encoding == "csv":
		return data.at(c.at).errorf("data are not an array of numbers")
	default:
		return data.at(c.at).errorf("data are not a string, but the encoding is base64")
	}
	c.at = data.at(c.at)
	return nil
}
