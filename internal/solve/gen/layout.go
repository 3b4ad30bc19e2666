package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// rare is the type of the rows beside a block of contacts, and rareBodies that of the rest of the bodies beside a block
// of bodies.
const (
	rare       = "rareRows"
	rareBodies = "eightRareBodies"
)

// layout knows the structures of block.go.
type layout struct {
	scope *types.Scope
	sizes types.Sizes
}

// readLayout reads a file that has only types.
func readLayout(path string) (*layout, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		return nil, err
	}
	pkg, err := new(types.Config).Check("solve", set, []*ast.File{file}, nil)
	if err != nil {
		return nil, err
	}
	return &layout{pkg.Scope(), types.SizesFor("gc", "amd64")}, nil
}

// size returns the size of a type.
func (l *layout) size(name string) int {
	return int(l.sizes.Sizeof(l.scope.Lookup(name).Type()))
}

// field returns the place of a field of a structure, as "nx" or "points[1].slip".
func (l *layout) field(structure, path string) place {
	at, ok := l.find(structure, path)
	if !ok {
		panic(structure + " has no field " + path)
	}
	return at
}

// find returns the place of a field, if the structure has it.
func (l *layout) find(structure, path string) (place, bool) {
	t := l.scope.Lookup(structure).Type()
	offset := 0
	for _, part := range strings.Split(path, ".") {
		name, index := part, -1
		if i := strings.IndexByte(part, '['); i >= 0 {
			name = part[:i]
			fmt.Sscanf(part[i:], "[%d]", &index)
		}
		at, of := l.step(t, name)
		if at < 0 {
			return place{}, false
		}
		offset, t = offset+at, of
		if index >= 0 {
			element := t.Underlying().(*types.Array).Elem()
			offset += index * int(l.sizes.Sizeof(element))
			t = element
		}
	}
	text := path
	if _, ok := t.Underlying().(*types.Array); ok {
		text += "[i]"
	}
	return place{text: "k." + text, offset: offset}, true
}

// ofBlock returns the place of a field of a type of blocks, or of the rows that are in an array beside these.
func (l *layout) ofBlock(block, path string) place {
	if at, ok := l.find(block, path); ok {
		return at
	}
	at := l.field(rare, path)
	at.text, at.rare = "r"+at.text[1:], true
	return at
}

// step returns the offset and type of a field, which may be one of an embedded structure; -1
// if there is none.
func (l *layout) step(t types.Type, name string) (int, types.Type) {
	s := t.Underlying().(*types.Struct)
	var fields []*types.Var
	for i := range s.NumFields() {
		fields = append(fields, s.Field(i))
	}
	offsets := l.sizes.Offsetsof(fields)
	for i, f := range fields {
		if f.Name() == name {
			return int(offsets[i]), f.Type()
		}
		if f.Embedded() {
			if at, of := l.step(f.Type(), name); at >= 0 {
				return int(offsets[i]) + at, of
			}
		}
	}
	return -1, nil
}
