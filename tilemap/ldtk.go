package tilemap

import (
	"maps"
	"math"
	"strings"
)

// maxIntGridValue bounds the values of IntGrid cells. LDtk counts them up from 1.
const maxIntGridValue = 1<<16 - 1

// ldtkSkipped are the keys of an LDtk file that hold most of its text and say nothing about its ground.
var ldtkSkipped = map[string]bool{
	"autoLayerTiles": true, "gridTiles": true, "entityInstances": true, "fieldInstances": true, "__neighbours": true,
	"autoRuleGroups": true, "intGridValuesGroups": true, "entities": true, "tilesets": true, "enums": true,
	"externalEnums": true, "levelFields": true, "toc": true,
}

// ldtk reads a project of LDtk (https://ldtk.io/json) into a document.
type ldtk struct {
	src    *files
	doc    *document
	names  []string                   // Options.Layers
	air    map[string]map[uint32]bool // values to leave out, by layer
	layout string                     // worldLayout
	x, y   int64                      // of the next level of a linear layout, in pixels
}

// parseLDtk reads an LDtk project and the files of its levels. Each IntGrid layer of each level becomes a layer with
// one chunk, whose path is level/layer. A level that is not at depth 0 counts as hidden.
func parseLDtk(src *files, file string, data []byte, opt Options) (*document, error) {
	j, root, err := parseJSON(file, data, ldtkSkipped)
	if err != nil {
		return nil, err
	}
	at := spot{file: file}
	if root.kind != objectNode || root.get("jsonVersion") == nil {
		return nil, root.at(at).errorf("the file holds no LDtk project: it has no jsonVersion")
	}
	set := &tileset{at: at, name: "IntGrid", count: maxIntGridValue + 1, stretched: true}
	l := &ldtk{src: src, names: opt.Layers, doc: &document{
		at: at, infinite: true, layerNoun: "IntGrid layer",
		tilesets: []tilesetRef{{at: at, set: set}},
	}}
	world, err := j.world(&root, at, opt.World)
	if err != nil {
		return nil, err
	}
	if l.air, err = j.leftOut(&root, at, opt.LeaveOut); err != nil {
		return nil, err
	}
	f := j.fields(world, at)
	if l.layout = f.text("worldLayout", "Free"); f.err != nil {
		return nil, f.err
	}
	if err := world.each("levels", at, func(n *node) error { return l.level(j, n) }); err != nil {
		return nil, err
	}
	return l.doc, nil
}

// world returns the node that has the levels of the named world: of a project without worlds the project. Without a
// name it is the only world that has levels.
func (j *jsonFile) world(root *node, at spot, name string) (*node, error) {
	world, count := root, 0
	var names []string
	err := root.each("worlds", at, func(n *node) error {
		f := j.fields(n, at)
		its := f.text("identifier", "")
		names = append(names, quote(its))
		if levels := n.get("levels"); name != "" && its == name ||
			name == "" && levels != nil && len(levels.items) > 0 {
			world = n
			count++
		}
		return f.err
	})
	list := strings.Join(names[:min(len(names), 8)], ", ")
	switch {
	case err != nil:
		return nil, err
	case count > 1:
		return nil, root.at(at).errorf("%d worlds of the project have levels, and a map is of one: name it (%s)", count,
			list)
	case name != "" && count == 0 && len(names) == 0:
		return nil, root.at(at).errorf("world %s was requested, but the project has no named worlds", quote(name))
	case name != "" && count == 0:
		return nil, root.at(at).errorf("no world is named %s; the worlds are %s", quote(name), list)
	}
	return world, nil
}

// leftOut returns the values of Options.LeaveOut by layer. A number counts in every layer, under the name "".
func (j *jsonFile) leftOut(root *node, at spot, wanted []string) (map[string]map[uint32]bool, error) {
	air := map[string]map[uint32]bool{}
	add := func(layer string, value int64) {
		if air[layer] == nil {
			air[layer] = map[uint32]bool{}
		}
		air[layer][uint32(value)] = true
	}
	named := map[string]bool{} // the names that are wanted: whether the project has them
	for _, w := range wanted {
		v, err := parseInteger(w, 1, maxIntGridValue)
		switch {
		case err == nil:
			add("", v)
		case strings.Trim(w, "0123456789") == "":
			return nil, root.at(at).errorf("value %s to leave out %w", quote(w), err)
		default:
			named[w] = false
		}
	}
	defs := root.get("defs")
	if len(named) == 0 || defs == nil {
		defs = &node{}
	}
	err := defs.each("layers", at, func(n *node) error {
		f := j.fields(n, at)
		layer := f.text("identifier", "")
		if f.err != nil {
			return f.err
		}
		return n.each("intGridValues", at, func(n *node) error {
			if id := n.get("identifier"); id == nil || id.kind == nullNode {
				return nil // a value without a name
			}
			f := j.fields(n, at)
			name, value := f.text("identifier", ""), f.need("value", 1, maxIntGridValue)
			if _, ok := named[name]; ok && f.err == nil {
				named[name] = true
				add(layer, value)
			}
			return f.err
		})
	})
	if err != nil {
		return nil, err
	}
	for _, w := range wanted {
		if found, ok := named[w]; ok && !found {
			return nil, root.at(at).errorf("no value of an IntGrid layer is named %s", quote(w))
		}
	}
	return air, nil
}

// level reads a level, whose layers may be in a file of their own.
func (l *ldtk) level(j *jsonFile, n *node) error {
	f := j.fields(n, l.doc.at)
	name := f.text("identifier", "")
	f.at = f.at.in("level " + quote(name))
	x, y := f.integer("worldX", 0, -maxPixel, maxPixel), f.integer("worldY", 0, -maxPixel, maxPixel)
	w, h := f.need("pxWid", 1, maxPixel), f.need("pxHei", 1, maxPixel)
	depth := f.integer("worldDepth", 0, math.MinInt32, math.MaxInt32)
	file := f.text("externalRelPath", "")
	if f.err == nil && len(name) > maxName {
		f.fail("identifier", "is longer than the bound of names")
	}
	switch { // linear layouts have no places
	case f.err != nil:
		return f.err
	case l.layout == "LinearHorizontal":
		x, y = l.x, 0
		l.x += w
	case l.layout == "LinearVertical":
		x, y = 0, l.y
		l.y += h
	}
	if max(l.x, l.y) > maxPixel {
		return f.at.errorf("the levels side by side are more than %d pixels long", maxPixel)
	}
	at := f.at
	if n.get("layerInstances") == nil && file != "" {
		name, err := l.src.beside(l.doc.at.file, file)
		if err != nil {
			return at.err(err)
		}
		data, err := l.src.read(name)
		if err != nil {
			return at.errorf("file %s: %w", quote(name), err)
		}
		inner, root, err := parseJSON(name, data, ldtkSkipped)
		if err != nil {
			return err
		}
		at = spot{file: name, what: at.what}
		if root.kind != objectNode {
			return root.at(at).errorf("the file holds no level: its value is not an object")
		}
		j, n = inner, &root
	}
	// The first layer is the topmost one.
	first := len(l.doc.layers)
	if err := n.each("layerInstances", at, func(n *node) error {
		return l.layer(j, n, at, name, depth == 0, x, y)
	}); err != nil {
		return err
	}
	for a, b := first, len(l.doc.layers)-1; a < b; a, b = a+1, b-1 {
		l.doc.layers[a], l.doc.layers[b] = l.doc.layers[b], l.doc.layers[a]
	}
	return nil
}

// maxPixel bounds places and sizes of levels, in pixels.
const maxPixel = 1 << 29

// layer reads a layer of the level whose top left corner is at (x, y) in pixels, y down, and does nothing
// unless it is an IntGrid layer.
func (l *ldtk) layer(j *jsonFile, n *node, at spot, level string, shown bool, x, y int64) error {
	f := j.fields(n, at)
	kind, name := f.text("__type", ""), f.text("__identifier", "")
	f.at = f.at.in("layer " + quote(name))
	switch {
	case f.err != nil:
		return f.err
	case kind != "IntGrid":
		return nil
	case len(name) > maxName:
		f.fail("__identifier", "is longer than the bound of names")
	case len(l.doc.layers) == maxLayers:
		return f.at.errorf("more than %d IntGrid layers", maxLayers)
	}
	out := layer{at: f.at, name: name, path: level + "/" + name, visible: f.flag("visible", true) && shown}
	cell := f.need("__gridSize", 1, maxTileSize)
	w, h := f.need("__cWid", 1, MaxCells), f.need("__cHei", 1, MaxCells)
	x += f.integer("__pxTotalOffsetX", 0, -maxPixel, maxPixel)
	y += f.integer("__pxTotalOffsetY", 0, -maxPixel, maxPixel)
	if f.err != nil {
		return f.err
	}
	if out.chosen(l.names) {
		data := n.get("intGridCsv")
		switch {
		case l.doc.tileW == 0:
			l.doc.tileW, l.doc.tileH = int(cell), int(cell)
		case l.doc.tileW != int(cell):
			return f.at.errorf("its cells are %d pixels wide, the cells of another layer %d: select layers of one size",
				cell, l.doc.tileW)
		}
		switch {
		case w*h > MaxCells:
			return f.at.errorf("the layer is %d x %d cells, more than %d in all", w, h, MaxCells)
		case data == nil || data.kind != numbersNode:
			return f.at.errorf("intGridCsv is not an array of numbers: files of LDtk before 1.0 must be saved by a " +
				"later version")
		}
		column, row := nearest(x, cell), nearest(y, cell)
		out.snapped = [2]int64{column*cell - x, row*cell - y}
		out.air = l.air[""]
		if named := l.air[name]; named != nil {
			out.air = maps.Clone(named)
			maps.Copy(out.air, l.air[""])
		}
		out.chunks = []chunk{{
			at: data.at(f.at), x: int(column), y: int(row), w: int(w), h: int(h),
			encoding: "csv", text: j.list(data), most: maxIntGridValue,
		}}
	}
	l.doc.layers = append(l.doc.layers, out)
	return nil
}

// nearest returns the multiple of cell that is nearest to x, as a factor; of two, the larger one.
func nearest(x, cell int64) int64 {
	n := 2*x + cell
	q := n / (2 * cell)
	if n%(2*cell) < 0 {
		q--
	}
	return q
}
