package tilemap

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// kind is the kind of a collision object.
type kind uint8

const (
	rectangle kind = iota
	polygon
	ellipse
	polyline
	point
	text
	capsule
	placedTile
	empty // a rectangle or an ellipse of area 0, as a stray click makes, or a polygon of fewer than three points
	kinds = iota
)

// ground reports whether objects of the kind enclose ground.
func (k kind) ground() bool { return k <= ellipse }

// kindNames are the names of the kinds in warnings.
var kindNames = [kinds]string{
	polyline: "polyline", point: "point", text: "text", capsule: "capsule",
	placedTile: "tile", empty: "empty",
}

// object is a collision object, in pixels relative to the tile's top left corner, y down.
type object struct {
	at         spot
	kind       kind
	x, y, w, h float64
	turned     float64      // degrees, clockwise on the screen, about (x, y)
	outline    [][2]float64 // of polygons, relative to (x, y)
}

// maxOutline bounds the vertices of a collision polygon, as gridseg does.
const maxOutline = 256

// object reads the attributes of a collision object in a group with the offset ox, oy.
func (t *tile) object(f *fields, ox, oy float64) (object, error) {
	id := f.integer("id", 0, 0, math.MaxInt32)
	f.at = t.at.at(f.at.line).in("object " + strconv.FormatInt(id, 10))
	o := object{
		at: f.at,
		x:  f.number("x", 0) + ox, y: f.number("y", 0) + oy,
		w: f.size("width"), h: f.size("height"),
		turned: f.number("rotation", 0),
	}
	if f.err == nil && f.text("template", "") != "" {
		return o, f.at.errorf("object templates are not supported")
	}
	if f.has("gid") {
		o.kind = placedTile
	}
	return o, f.err
}

// finish sets the kind of an object after all its parts were read.
func (o *object) finish() {
	switch {
	case (o.kind == rectangle || o.kind == ellipse) && (o.w == 0 || o.h == 0), o.kind == polygon && len(o.outline) < 3:
		o.kind = empty
	}
}

// parsePoints parses the points of a polygon in XML: "x,y x,y ...".
func (o *object) parsePoints(list string) error {
	for item := range strings.FieldsSeq(list) {
		xs, ys, ok := strings.Cut(item, ",")
		if !ok {
			return o.at.errorf("a point of the polygon has not the form x,y: %s", quote(item))
		}
		x, err := parseNumber(xs)
		if err == nil {
			var y float64
			if y, err = parseNumber(ys); err == nil {
				if err := o.addPoint(x, y); err != nil {
					return err
				}
			}
		}
		if err != nil {
			return o.at.errorf("a point of the polygon %w", err)
		}
	}
	return nil
}

// addPoint adds a vertex to a polygon.
func (o *object) addPoint(x, y float64) error {
	if len(o.outline) == maxOutline {
		return o.at.errorf("a polygon with more than %d points", maxOutline)
	}
	o.outline = append(o.outline, [2]float64{x, y})
	return nil
}

// sixteenth are the cosines of 0, 22.5, 45, 67.5 and 90 degrees.
var sixteenth = [5]float64{1, 0.92387953251128674, math.Sqrt2 / 2, 0.38268343236508977, 0}

// cosine returns the cosine of k/16 turns, exactly symmetric.
func cosine(k int) float64 {
	k &= 15
	if k > 8 {
		k = 16 - k
	}
	if k > 4 {
		return -sixteenth[8-k]
	}
	return sixteenth[k]
}

// corners returns the object's vertices in pixels, y down, relative to (x, y), before rotation.
func (o *object) corners() [][2]float64 {
	switch o.kind {
	case polygon:
		return o.outline
	case ellipse:
		// The vertices of the 16-gon lie on the ellipse, four of them on its axes.
		rx, ry := float64(o.w*0.5), float64(o.h*0.5) // without the conversion the product would fuse below
		pts := make([][2]float64, 16)
		for k := range pts {
			pts[k] = [2]float64{rx + float64(rx*cosine(k)), ry + float64(ry*cosine(k-4))}
		}
		return pts
	}
	return [][2]float64{{0, 0}, {o.w, 0}, {o.w, o.h}, {0, o.h}}
}

// rotation returns the cosine and sine of an angle in degrees. Quarter turns, the common case, are
// exact.
func rotation(degrees float64) geom.Rot {
	degrees -= float64(360 * math.Floor(degrees/360))
	switch degrees {
	case 0, 360:
		return geom.Rot{C: 1, S: 0}
	case 90:
		return geom.Rot{C: 0, S: 1}
	case 180:
		return geom.Rot{C: -1, S: 0}
	case 270:
		return geom.Rot{C: 0, S: -1}
	}
	return geom.NewRot(float64(degrees * (math.Pi / 180)))
}

// slack is the distance in cells by which an object may reach out of its tile without a warning: half a pixel of a tile
// of 32.
const slack = 1.0 / 64

// polygon returns the outline of o relative to its cell (0..1), y up, on gridseg's lattice,
// counter-clockwise from its lowest, then leftmost vertex. w and h are the size of a cell in
// pixels; tall is the height of the tile in pixels. Tile and cell have the same bottom left corner.
//
// An object that reaches out of its cell is clipped: cut is true, and the outline may run along the cell's border
// twice. far is true if the object reaches more than slack out. The outline is nil if it has no area when rounded.
func (o *object) polygon(w, h, tall float64) (outline [][2]float64, cut, far bool) {
	q := rotation(o.turned)
	corners := o.corners()
	raw := make([][2]float64, 0, len(corners)+4)
	for _, c := range corners {
		// With y down, a positive angle is clockwise on the screen.
		p := q.Apply(geom.Vec{X: c[0], Y: c[1]})
		v := [2]float64{(o.x + p.X) / w, (tall - (o.y + p.Y)) / h}
		beyond := max(-v[0], v[0]-1, -v[1], v[1]-1)
		cut = cut || beyond > 0.5/gridseg.Unit
		far = far || beyond > slack
		raw = append(raw, v)
	}
	if cut {
		raw = clip(raw)
	}
	var pts [][2]float64
	for _, v := range raw {
		v = [2]float64{snap(v[0]), snap(v[1])}
		if len(pts) == 0 || pts[len(pts)-1] != v {
			pts = append(pts, v)
		}
	}
	for len(pts) > 1 && pts[0] == pts[len(pts)-1] {
		pts = pts[:len(pts)-1]
	}
	double := area(pts)
	if double == 0 && (cut || onALine(pts)) {
		return nil, cut, far
	}
	if double < 0 {
		slices.Reverse(pts)
	}
	return startLowest(pts), cut, far
}

// snap rounds a coordinate in cells to the lattice, and moves one outside of the cell to its border.
func snap(v float64) float64 {
	v = math.Floor(float64(v*gridseg.Unit)+0.5) / gridseg.Unit
	return min(max(v, 0), 1)
}

// area returns twice the signed area of pts. It is exact for lattice points, because their products
// have 24 fraction bits.
func area(pts [][2]float64) float64 {
	var sum float64
	for i, p := range pts {
		q := pts[(i+1)%len(pts)]
		sum += float64(p[0]*q[1]) - float64(p[1]*q[0])
	}
	return sum
}

// onALine reports whether all points lie on a line. It is exact, as area is.
func onALine(pts [][2]float64) bool {
	for i := 2; i < len(pts); i++ {
		if area([][2]float64{pts[0], pts[1], pts[i]}) != 0 {
			return false
		}
	}
	return true
}

// startLowest rotates the list of pts to begin with the lowest vertex, so that equal outlines are
// equal lists.
func startLowest(pts [][2]float64) [][2]float64 {
	first := 0
	for i, p := range pts {
		if q := pts[first]; p[1] < q[1] || p[1] == q[1] && p[0] < q[0] {
			first = i
		}
	}
	return append(append(make([][2]float64, 0, len(pts)), pts[first:]...), pts[:first]...)
}
