package quarry

import "fmt"

// MaterialID indexes the world's material table; 0 is the default material.
type MaterialID uint16

// Material is a surface, of shapes and of tiles. Its zero value is ice: give
// it a friction (the default material, id 0, has 0.6). Two that touch mix:
// friction is the geometric mean, restitution the larger, surface speeds add.
type Material struct {
	// Friction is the Coulomb coefficient, 0 (ice) and up; 0.6 is common.
	Friction float64
	// Restitution is the share of the approach speed that a bounce gives
	// back, in [0, 1].
	Restitution float64
	// TangentSpeed is the speed of the surface along itself, as of a conveyor
	// belt, in units of length a second; positive moves what lies on it
	// towards +x on a floor.
	TangentSpeed float64
	// Color is 0xRRGGBB for drawing; 0 leaves the choice to who draws.
	Color uint32
	// User is yours.
	User uint64
}

// defaultMaterial is the table's entry 0.
var defaultMaterial = Material{Friction: 0.6}

// AddMaterial adds m to the table and returns its id. It panics when a number
// in m is out of range, and when the table holds 65536.
func (w *World) AddMaterial(m Material) MaterialID {
	m.check()
	if len(w.materials) > 0xffff {
		panic("quarry: more than 65536 materials")
	}
	w.materials = append(w.materials, m)
	return MaterialID(len(w.materials) - 1)
}

// Material returns the material id; one that is not in the table is the
// default, so a tile of an unknown material has an ordinary surface.
func (w *World) Material(id MaterialID) Material { return *w.material(id) }

// SetMaterial changes the material id, from the next step on, wherever it is
// used. It returns false when there is none. Sleeping bodies stay asleep.
func (w *World) SetMaterial(id MaterialID, m Material) bool {
	m.check()
	if int(id) >= len(w.materials) {
		return false
	}
	w.materials[id] = m
	return true
}

func (w *World) material(id MaterialID) *Material {
	if int(id) >= len(w.materials) {
		id = 0
	}
	return &w.materials[id]
}

func (m Material) check() {
	if !(m.Friction >= 0) || !(m.Restitution >= 0 && m.Restitution <= 1) ||
		!isFinite(m.Friction) || !isFinite(m.TangentSpeed) {
		panic(fmt.Sprintf("quarry: material out of range: %+v", m))
	}
}
