package broad

import "github.com/quarry2d/quarry/geom"

// Faces tells whether faces of chains may be near a box: most bodies in the box of a long chain are away from its
// faces. For chains on static bodies a raster counts boxes of successive faces; other chains have their boxes in the
// Phase. The zero value is empty.
type Faces struct {
	still  raster
	placed []placedChain
	now    []placedChain // chains listed since Begin
	moving []ID          // proxies of chains on bodies that may move
}

// placedChain is a chain in the frame of its body. Its points never change.
type placedChain struct {
	points *geom.Vec
	n      int
	frame  geom.Transform
}

// Begin begins a list of the chains.
func (f *Faces) Begin() { f.now, f.moving = f.now[:0], f.moving[:0] }

// Place lists a chain, with its points, on a static body with the frame t.
func (f *Faces) Place(points []geom.Vec, t geom.Transform) {
	f.now = append(f.now, placedChain{&points[0], len(points), t})
}

// Move lists a chain on a body that may move, with its proxy.
func (f *Faces) Move(id ID) { f.moving = append(f.moving, id) }

// Changed ends the list. It reports whether the chains of Place, or their frames, differ from the list before: then
// Count must be called for all boxes of their faces, in the world.
func (f *Faces) Changed(p *Phase) bool {
	same := len(f.now) == len(f.placed)
	for i := 0; same && i < len(f.now); i++ {
		same = f.now[i] == f.placed[i]
	}
	f.now, f.placed = f.placed, f.now
	if !same {
		f.still = raster{inv: 1 / p.cellSize}
	}
	return !same
}

// Count counts a box of faces.
func (f *Faces) Count(box geom.AABB) { f.still.add(&box, 1) }

// MayMeet reports whether a face may overlap box. It is false if box is away from all faces.
func (f *Faces) MayMeet(p *Phase, box geom.AABB) bool {
	for _, id := range f.moving {
		if p.entries[id].Box.Overlaps(box) {
			return true
		}
	}
	return f.still.some(&box)
}
