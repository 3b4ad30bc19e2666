package tilemap

import (
	"strconv"
	"strings"
)

// parseTMX reads a Tiled map in XML.
func parseTMX(file string, data []byte) (*document, error) {
	r, err := newXMLReader(file, data)
	if err != nil {
		return nil, err
	}
	root, err := r.root("map")
	if err != nil {
		return nil, err
	}
	d := &document{}
	if err := d.header(root.fields(spot{file: file})); err != nil {
		return nil, err
	}
	d.at = spot{file: file}
	if err := d.tmxChildren(r, group{}); err != nil {
		return nil, err
	}
	return d, r.end()
}

// tmxChildren reads the children of a map or of a group of layers.
func (d *document) tmxChildren(r *xmlReader, g group) error {
	return r.each(nil, func(e element) error {
		f := e.fields(spot{file: d.at.file})
		switch e.name {
		case "tileset":
			if g.depth > 0 {
				return e.at.errorf("a <tileset> in a <group>")
			}
			ref, err := d.tilesetRef(f)
			if err != nil {
				return err
			}
			if ref.source == "" {
				if ref.set, err = readTSX(r, e); err != nil {
					return err
				}
			}
			d.tilesets = append(d.tilesets, ref)
		case "group":
			inner, err := g.enter(f)
			if err != nil {
				return err
			}
			return d.tmxChildren(r, inner)
		case "layer":
			return d.tmxLayer(r, f, g)
		case "objectgroup":
			n := 0
			err := r.each(nil, func(e element) error {
				if e.name == "object" {
					n++
				}
				return nil
			})
			d.unread.note(g.path+f.text("name", ""), n)
			return err
		}
		return nil
	})
}

// tmxLayer reads a tile layer.
func (d *document) tmxLayer(r *xmlReader, f *fields, g group) error {
	l, err := d.layer(f, g)
	if err != nil {
		return err
	}
	seen, described := false, false
	err = r.each(nil, func(e element) error {
		switch e.name {
		case "properties":
			if described {
				return l.at.at(e.at.line).errorf("a second <properties>")
			}
			described = true
			return r.each(nil, func(e element) error {
				if e.name != "property" {
					return nil
				}
				return l.property(e.fields(l.at))
			})
		case "data":
		default:
			return nil
		}
		if seen {
			return l.at.at(e.at.line).errorf("a second <data>")
		}
		seen = true
		return d.tmxData(r, e.fields(l.at), &l)
	})
	if err != nil {
		return err
	}
	if !seen && !d.infinite {
		return l.at.errorf("the layer has no <data>")
	}
	d.layers = append(d.layers, l)
	return nil
}

// tmxData reads the <data> of a layer: its tiles or its chunks.
func (d *document) tmxData(r *xmlReader, f *fields, l *layer) error {
	all := d.whole(l)
	all.at = f.at
	all.encoding, all.packing = f.text("encoding", ""), f.text("compression", "")
	if f.err != nil {
		return f.err
	}
	var text strings.Builder
	err := r.each(&text, func(e element) error {
		switch e.name {
		case "tile":
			return all.tmxTile(e)
		case "chunk":
			c, err := d.chunk(e.fields(l.at), l)
			if err != nil {
				return err
			}
			c.encoding, c.packing = all.encoding, all.packing
			var text strings.Builder
			err = r.each(&text, func(e element) error {
				if e.name == "tile" {
					return c.tmxTile(e)
				}
				return nil
			})
			c.text = text.String()
			l.chunks = append(l.chunks, c)
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	all.text = text.String()
	if !d.infinite {
		l.chunks = append(l.chunks, all)
		return nil
	}
	if len(all.gids) > 0 || strings.TrimSpace(all.text) != "" {
		return all.at.errorf("tiles outside chunks, in an infinite map")
	}
	return nil
}

// tmxTile adds a tile of layer data in the form of elements.
func (c *chunk) tmxTile(e element) error {
	if c.encoding != "" {
		return c.at.at(e.at.line).errorf("a <tile> in data with the encoding %s", quote(c.encoding))
	}
	if len(c.gids) >= c.w*c.h {
		return c.at.at(e.at.line).errorf("more than the declared %d tiles", c.w*c.h)
	}
	f := e.fields(c.at)
	text := f.text("gid", "0")
	gid, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return f.at.errorf("gid is not a tile number: %s", quote(text))
	}
	c.gids = append(c.gids, uint32(gid))
	return nil
}
