package render

import "github.com/quarry2d/quarry/geom"

// clipPolygon appends the part of the polygon inside of the box from the origin to (w, h) to dst.
// Parts connected outside of the box stay connected along its sides, by edges without area. tmp is
// scratch. The method is Sutherland and Hodgman's (1974).
func clipPolygon(dst, tmp, poly []geom.Vec, w, h float64) (out, scratch []geom.Vec) {
	tmp = clipSide(tmp[:0], poly, func(p geom.Vec) float64 { return p.X })
	dst = clipSide(dst[:0], tmp, func(p geom.Vec) float64 { return w - p.X })
	tmp = clipSide(tmp[:0], dst, func(p geom.Vec) float64 { return p.Y })
	dst = clipSide(dst[:0], tmp, func(p geom.Vec) float64 { return h - p.Y })
	return dst, tmp
}

// clipSide appends the part of the polygon in which depth is not negative.
func clipSide(dst, poly []geom.Vec, depth func(geom.Vec) float64) []geom.Vec {
	if len(poly) == 0 {
		return dst
	}
	a := poly[len(poly)-1]
	da := depth(a)
	for _, b := range poly {
		db := depth(b)
		if (da < 0) != (db < 0) {
			dst = append(dst, a.Lerp(b, da/(da-db)))
		}
		if db >= 0 {
			dst = append(dst, b)
		}
		a, da = b, db
	}
	return dst
}
