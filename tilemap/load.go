package tilemap

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Options select the parts of a map file that become ground. The zero value reads all visible tile layers, of LDtk all
// visible IntGrid layers.
type Options struct {
	// Layers names the tile layers to read, visible or not, each by its name or by its
	// path through the groups ("caves/ground"), of LDtk by its level ("Level_0/Walls"). Empty: all visible ones. A name
	// without a layer is an error; for a bitmap, any name is.
	Layers []string
	// Plain says whether tiles of a Tiled map without collision data are ground.
	Plain PlainTiles
	// World names the world of an LDtk project to read, by its identifier. Empty: the only one that has levels. A name
	// without a world is an error; for other files, any name is.
	World string
	// LeaveOut lists values of an LDtk project's IntGrid layers that are no ground, each by its number or by its name
	// in the project ("water", in any layer). A name that the project does not have is an error; for other files, any
	// value is.
	LeaveOut []string
}

// Load reads the map file name of fsys. Its extension must be .tmx, .tmj, .json, .ldtk or .png.
// Names of external tilesets and levels are relative to the map file, and must stay in fsys.
//
// Every error is an *Error, and the Map is then nil. The Map keeps no reference to fsys or
// opt. Load panics if fsys is nil.
func Load(fsys fs.FS, name string, opt Options) (*Map, error) {
	if fsys == nil {
		panic("quarry: tilemap.Load without a file system")
	}
	return load(&files{fsys: fsys}, name, path.Base(name), opt)
}

// LoadFile is Load for a file on the disk. Relative names of its tilesets may contain "..".
func LoadFile(name string, opt Options) (*Map, error) {
	return load(&files{}, name, filepath.Base(name), opt)
}

// load reads the map file name; base is the last part of the name.
func load(src *files, name, base string, opt Options) (*Map, error) {
	at := spot{file: name}
	ext := strings.ToLower(path.Ext(base))
	var parse func(file string, data []byte) (*document, error)
	switch ext {
	case ".tmx":
		parse = parseTMX
	case ".tmj", ".json":
		parse = parseTMJ
	case ".ldtk":
		parse = func(file string, data []byte) (*document, error) { return parseLDtk(src, file, data, opt) }
	case ".png":
	case ".tsx", ".tsj":
		return nil, at.errorf("the file is a tileset, not a map")
	case ".ldtkl":
		return nil, at.errorf("the file is a level of an LDtk project: load the project (.ldtk)")
	default:
		return nil, at.errorf("unknown kind of map file %s: it must be .tmx, .tmj, .json, .ldtk or .png", quote(ext))
	}
	if ext != ".ldtk" {
		switch {
		case opt.World != "":
			return nil, at.errorf("world %s was requested, but only an LDtk project has worlds", quote(opt.World))
		case len(opt.LeaveOut) > 0:
			return nil, at.errorf("value %s is to be left out, but only an LDtk project has values",
				quote(opt.LeaveOut[0]))
		}
	}
	data, err := src.read(name)
	if err != nil {
		return nil, at.err(err)
	}
	m := &Map{Name: base[:len(base)-len(ext)]}
	if parse == nil {
		if len(opt.Layers) > 0 {
			return nil, at.errorf("layer %s was requested, but a bitmap has no layers", quote(opt.Layers[0]))
		}
		err = m.bitmap(at, data)
	} else {
		var d *document
		if d, err = parse(name, data); err == nil {
			if ext != ".ldtk" {
				d.plain = opt.Plain
			}
			if err = d.loadTilesets(src); err == nil {
				err = m.build(d, opt)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// loadTilesets reads the external tilesets, each file once, and sorts all tilesets by their gids.
func (d *document) loadTilesets(src *files) error {
	loaded := map[string]*tileset{}
	for i := range d.tilesets {
		ref := &d.tilesets[i]
		if ref.source == "" {
			continue
		}
		name, err := src.beside(ref.at.file, ref.source)
		if err != nil {
			return ref.at.err(err)
		}
		if ref.set = loaded[name]; ref.set != nil {
			continue
		}
		var parse func(file string, data []byte) (*tileset, error)
		switch strings.ToLower(path.Ext(ref.source)) {
		case ".tsx", ".xml":
			parse = parseTSX
		case ".tsj", ".json":
			parse = parseTSJ
		default:
			return ref.at.err(errors.New("unknown kind of tileset file: it must be .tsx, .tsj, .xml or .json"))
		}
		data, err := src.read(name)
		if err != nil {
			return ref.at.err(err)
		}
		if ref.set, err = parse(name, data); err != nil {
			return err
		}
		loaded[name] = ref.set
	}
	slices.SortStableFunc(d.tilesets, func(a, b tilesetRef) int { return int(a.first) - int(b.first) })
	for i := range d.tilesets[min(1, len(d.tilesets)):] {
		if a, b := &d.tilesets[i], &d.tilesets[i+1]; a.first == b.first {
			return b.at.errorf("two tilesets have the firstgid %d", a.first)
		}
	}
	return nil
}
