package render

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

const (
	// chainMargin is the distance outside of the picture, in pixels, at which chains are cut, so
	// that neither ends nor strips of the cut parts are visible.
	chainMargin = 64
	// chainApart is the smallest distance of drawn points of a chain, in pixels: a thousand points
	// in a pixel would enlarge the file and not be seen.
	chainApart = 0.7
	// chainTicks is the smallest distance of drawn normals of a chain, in pixels.
	chainTicks = 6
	// chainDensity bounds the drawn stretches of a chain, for each pixel of half the picture's
	// width and height; more could not be distinguished.
	chainDensity = 16
)

// chains draws the chains in view: the line, and on its solid side a strip in the colour of each
// segment's material.
func (d *drawing) chains(w *quarry.World) {
	begun := false
	for c := range w.Chains() {
		if !c.Bounds().Overlaps(d.cam.View().Expand(chainMargin / d.cam.Scale)) {
			continue
		}
		if !begun {
			begun = true
			d.c.Group("chains")
		}
		d.chain(w, c)
	}
}

// chain draws one chain.
func (d *drawing) chain(w *quarry.World, c quarry.Chain) {
	l := d.cam.Lens(c.Transform())
	var shade, line terrain // parts by colour
	width := min(max(0.09*d.cam.Scale, 1), 4)
	deep := min(max(0.5*d.cam.Scale, 2*width), 24)
	var signs canvas.Path
	way := 0.25 * d.cam.Scale // length of the belt since its last arrow
	d.stretches(c, l, chainApart, func(s *stretch) {
		id := c.Material(s.segment)
		m := w.Material(id)
		ink := d.theme.ground(id, m)
		for _, part := range [...]struct {
			t    *terrain
			deep float64
		}{{&shade, deep}, {&line, width}} {
			strip(&part.t.parts[part.t.part(ink)].area, s.a, s.b, s.from, s.to, 0, part.deep)
		}
		if m.TangentSpeed != 0 && d.cam.Scale >= signsFrom {
			way = d.beltSigns(&signs, s.a, s.b, m.TangentSpeed, way)
		}
	})
	for i := range shade.parts {
		d.c.Fill(&shade.parts[i].area, shade.parts[i].ink.Fade(0.7))
	}
	for i := range line.parts {
		d.c.Fill(&line.parts[i].area, d.theme.rim(line.parts[i].ink))
	}
	d.strokeSome(&signs, min(max(0.07*d.cam.Scale, 1), 3), d.theme.sign())
}

// beltSigns adds arrows along a-b, half a cell apart; the previous arrow is way pixels before a. It
// returns the distance of b from the last arrow.
func (d *drawing) beltSigns(p *canvas.Path, a, b geom.Vec, speed, way float64) float64 {
	u, length := b.Sub(a).Unit()
	in, ahead := canvas.Outward(a, b).Neg(), u
	if speed > 0 {
		ahead = u.Neg() // clockwise around the solid
	}
	every := 0.5 * d.cam.Scale
	next := every - way
	for ; next <= length; next += every {
		tip := a.MulAdd(next, u).MulAdd(0.06*d.cam.Scale, ahead).MulAdd(0.2*d.cam.Scale, in)
		if d.shows(tip) {
			chevron(p, tip, ahead, 0.12*d.cam.Scale)
		}
	}
	return length - (next - every)
}

// shows reports whether a pixel is inside of the picture or close to it.
func (d *drawing) shows(p geom.Vec) bool {
	size := d.cam.Half.Mul(2)
	return geom.AABB{Max: size}.Expand(chainMargin).ContainsPoint(p)
}

// stretch is a part of a chain drawn as a straight line: a segment, or several that are less than a
// pixel together.
type stretch struct {
	a, b     geom.Vec // in pixels; the solid is on the left on the screen
	from, to geom.Vec // directions of the previous and the next stretch; of this one at an end
	before   geom.Vec // start of the previous stretch, if joined[0]
	after    geom.Vec // end of the next stretch, if joined[1]
	joined   [2]bool
	segment  int // the first
}

// stretches calls visit with the visible stretches of a chain in order. It omits points closer than
// apart pixels to the previous if the material does not change, and more if there are still too
// many.
func (d *drawing) stretches(c quarry.Chain, l canvas.Lens, apart float64, visit func(*stretch)) {
	points, _ := c.Count()
	near := c.AppendOverlaps(d.numbers[:0], d.cam.View().Expand(chainMargin/d.cam.Scale))
	d.numbers = near
	ghosts, has := c.Ghosts()
	// at returns point i in pixels, or the ghost before the first or after the last, or false if
	// there is none.
	at := func(i int) (geom.Vec, bool) {
		switch {
		case i >= 0 && i < points:
			return l.Point(c.Point(i)), true
		case c.Loop():
			return l.Point(c.Point((i + points) % points)), true
		case i < 0:
			return l.Point(ghosts[0]), has[0]
		}
		return l.Point(ghosts[1]), has[1]
	}
	var all []chainRun
	kept := 0
	for len(near) > 0 {
		n := 1
		for n < len(near) && near[n] == near[n-1]+1 {
			n++
		}
		var r chainRun
		first, last := near[0], near[n-1]
		near = near[n:]
		for i := first; i <= last; i++ {
			p, _ := at(i)
			if k := len(r.pts); k == 0 || p.Dist(r.pts[k-1]) >= apart || c.Material(i) != c.Material(r.numbers[k-1]) {
				r.pts, r.numbers = append(r.pts, p), append(r.numbers, i)
			}
		}
		end, _ := at(last + 1)
		r.pts = append(r.pts, end)
		r.before, r.joined[0] = at(first - 1)
		r.after, r.joined[1] = at(last + 2)
		all = append(all, r)
		kept += len(r.numbers)
	}
	most := chainDensity * int(d.cam.Half.X+d.cam.Half.Y)
	sparse := 1 + kept/most
	for i := range all {
		if len(all) < most || i%sparse == 0 {
			all[i].thin(sparse)
			all[i].visit(d, visit)
		}
	}
}

// chainRun is a connected visible part of a chain.
type chainRun struct {
	pts           []geom.Vec // in pixels
	numbers       []int      // numbers of the segments that begin at pts, except the last
	before, after geom.Vec
	joined        [2]bool // whether before and after exist
}

// thin keeps every n-th point, and the ends.
func (r *chainRun) thin(every int) {
	if every == 1 {
		return
	}
	n, end := 0, r.pts[len(r.pts)-1]
	for i := 0; i < len(r.numbers); i += every {
		r.pts[n], r.numbers[n] = r.pts[i], r.numbers[i]
		n++
	}
	r.pts, r.numbers = append(r.pts[:n], end), r.numbers[:n]
}

func (r *chainRun) visit(d *drawing, visit func(*stretch)) {
	for k, number := range r.numbers {
		s := stretch{a: r.pts[k], b: r.pts[k+1], segment: number}
		u, length := s.b.Sub(s.a).Unit()
		if length == 0 {
			continue
		}
		s.before, s.after, s.joined = r.before, r.after, r.joined
		if k > 0 {
			s.before, s.joined[0] = r.pts[k-1], true
		}
		if k+2 < len(r.pts) {
			s.after, s.joined[1] = r.pts[k+2], true
		}
		s.from, s.to = u, u
		if s.joined[0] && s.before != s.a {
			s.from, _ = s.a.Sub(s.before).Unit()
		}
		if s.joined[1] && s.after != s.b {
			s.to, _ = s.after.Sub(s.b).Unit()
		}
		if d.cut(&s, u, length) {
			visit(&s)
		}
	}
}

// cut removes the parts of a stretch far outside of the picture, whose coordinates would be too
// large for the formats. It returns false if nothing remains.
func (d *drawing) cut(s *stretch, u geom.Vec, length float64) bool {
	lo, hi := 0.0, length
	size := d.cam.Half.Mul(2)
	for _, side := range [...]struct{ p, u, max float64 }{{s.a.X, u.X, size.X}, {s.a.Y, u.Y, size.Y}} {
		t0, t1 := (-2*chainMargin-side.p)/side.u, (side.max+2*chainMargin-side.p)/side.u
		if side.u == 0 {
			continue // parallel to the side, and near the picture, since the query found it
		}
		lo, hi = max(lo, min(t0, t1)), min(hi, max(t0, t1))
	}
	if lo >= hi {
		return false
	}
	a := s.a
	if lo > 0 {
		s.a, s.from = a.MulAdd(lo, u), u
	}
	if hi < length {
		s.b, s.to = a.MulAdd(hi, u), u
	}
	return true
}

// chainSurfaces draws the normals and the ghost vertices of a chain's segments.
func (d *drawing) chainSurfaces(c quarry.Chain) {
	var s surfaceMarks
	s.size(d.cam.Scale)
	d.stretches(c, d.cam.Lens(c.Transform()), chainTicks, func(st *stretch) {
		tip := s.tick(st.a, st.b)
		if st.joined[0] {
			s.ghost(tip, st.before)
		}
		if st.joined[1] {
			s.ghost(tip, st.after)
		}
	})
	d.marks(&s)
}
