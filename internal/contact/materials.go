package contact

// HasMaterial reports whether a source of the list has the material.
func HasMaterial(list []Source, material uint16) bool {
	for k := range list {
		if list[k].Material == material {
			return true
		}
	}
	return false
}

// SameMaterials reports whether a and b, lists without duplicates, have the same materials.
func SameMaterials(a, b []Source) bool {
	for k := range a {
		if !HasMaterial(b, a[k].Material) {
			return false
		}
	}
	return len(a) == len(b)
}
