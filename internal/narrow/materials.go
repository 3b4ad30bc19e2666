package narrow

import "github.com/quarry2d/quarry/internal/contact"

// AppendMaterials appends the materials of side A, or of side B of two grounds, that the other side touches, each with
// the source of its first point. A point farther than SpeculativeDistance from the surface does not touch it.
func (m *Memory) AppendMaterials(dst []contact.Source, ofB bool) []contact.Source {
	from := len(dst)
	for k := range m.Manifolds {
		on := &m.Manifolds[k]
		sources := &on.Sources
		if ofB {
			sources = &m.Others[k].Sources
		}
		for j := range on.N {
			if s := &sources[j]; on.Points[j].Separation <= contact.SpeculativeDistance &&
				!contact.HasMaterial(dst[from:], s.Material) {
				dst = append(dst, *s)
			}
		}
	}
	return dst
}
