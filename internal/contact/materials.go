package contact

// AppendMaterials appends the materials that a shape with the manifolds touches, each with the source of its
// first point. A point farther than SpeculativeDistance from the surface does not touch it.
func AppendMaterials(dst []Source, manifolds []SurfaceManifold) []Source {
	from := len(dst)
	for k := range manifolds {
		m := &manifolds[k]
		for j := range m.N {
			if s := &m.Sources[j]; m.Points[j].Separation <= SpeculativeDistance && !HasMaterial(dst[from:], s.Material) {
				dst = append(dst, *s)
			}
		}
	}
	return dst
}

// HasMaterial reports whether a source of the list has the material.
func HasMaterial(list []Source, material uint16) bool {
	for k := range list {
		if list[k].Material == material {
			return true
		}
	}
	return false
}

// SameMaterials reports whether a and b, results of AppendMaterials, have the same materials.
func SameMaterials(a, b []Source) bool {
	for k := range a {
		if !HasMaterial(b, a[k].Material) {
			return false
		}
	}
	return len(a) == len(b)
}
