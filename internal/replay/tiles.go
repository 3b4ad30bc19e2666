package replay

import "github.com/quarry2d/quarry/gridseg"

// appendGrid appends g with its registry of shapes; no bytes stand for nil.
func appendGrid(dst []byte, g *gridseg.Grid) []byte {
	if g == nil {
		return AppendBytes(dst, nil)
	}
	dst = AppendBytes(dst, g.AppendBinary(nil))
	return AppendBytes(dst, g.Shapes().AppendBinary(nil))
}

func readGrid(data []byte) (*gridseg.Grid, []byte, error) {
	tiles, data, err := Bytes(data)
	if err != nil || len(tiles) == 0 {
		return nil, data, err
	}
	names, data, err := Bytes(data)
	if err != nil {
		return nil, nil, err
	}
	shapes, err := gridseg.ReadShapes(names)
	if err != nil {
		return nil, nil, err
	}
	g, err := gridseg.ReadGrid(tiles, shapes)
	return g, data, err
}

// appendCells appends the cells of r (closed), as they are in g, for ReadCells.
func appendCells(dst []byte, g *gridseg.Grid, r gridseg.Rect) ([]byte, error) {
	s, err := g.Copy(r)
	if err != nil {
		return dst, err
	}
	alone := gridseg.New(g.Shapes())
	if err := alone.Place(0, 0, s); err != nil {
		return dst, err
	}
	return alone.AppendBinary(dst), nil
}

// ReadCells returns the stamp of the cells of r that appendCells wrote, to place into g. It leaves the unloaded cells.
func ReadCells(data []byte, g *gridseg.Grid, r gridseg.Rect) (*gridseg.Stamp, error) {
	alone, err := gridseg.ReadGrid(data, g.Shapes())
	if err != nil {
		return nil, err
	}
	s, err := alone.Copy(gridseg.Rect{MaxX: r.MaxX - r.MinX, MaxY: r.MaxY - r.MinY})
	if err != nil {
		return nil, err
	}
	w, h := s.Size()
	for y := range h {
		for x := range w {
			if !g.Loaded(r.MinX+int32(x), r.MinY+int32(y)) {
				s.Leave(x, y)
			}
		}
	}
	return s, nil
}
