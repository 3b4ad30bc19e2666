package lattice

// Area is an area in halves of a square lattice unit. The area of every lattice polygon is a whole
// number of them.
type Area uint64

// CellArea is the area of one cell.
const CellArea Area = 2 * Unit * Unit

// Cells converts a to cells.
func (a Area) Cells() float64 { return float64(a) / float64(CellArea) }

// AreaOf returns the area of non-overlapping polygons of a cell: counter-clockwise loops count as
// positive, holes (clockwise) as negative.
func AreaOf(polys [][]Point) Area {
	var sum int64
	for _, ps := range polys {
		a := ps[len(ps)-1]
		for _, b := range ps {
			sum += Cross(Vec(a), Vec(b))
			a = b
		}
	}
	return Area(sum)
}

// Moments are the moments of the solid area of one material, in cells.
type Moments struct {
	Material uint16
	Area     float64
	X, Y     float64 // the centroid
	Inertia  float64 // the integral of the squared distance from the centroid
}
