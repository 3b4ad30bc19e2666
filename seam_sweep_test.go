package quarry_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Law 1 of contact over everything that may slide: every track is one straight
// surface of many tiles, and what slides over it must not tell it from one
// unbroken segment. By default a slice of the sweep is run; with QUARRY_SOAK=1
// all of it, which takes minutes.

// soak reports whether the long forms of tests are asked for.
func soak() bool { return os.Getenv("QUARRY_SOAK") != "" }

// track is a straight surface of tiles along the line through the origin that
// rises by rise for each run cells.
type track struct {
	name      string
	run, rise int32
	drop      float64 // of the surface below that line
	lay       func(g quarry.Ground, x int32, ice uint16) error
	clear     func(g quarry.Ground, x int32) error
	carrier   quarry.BodyDef // of the ground, at the origin unless it says otherwise
	prepare   func(*gridseg.Grid)
}

// trackHalf is how far a track reaches from its middle, in cells.
const trackHalf = 260

func (tr *track) rot() geom.Rot { return geom.NewRot(geom.Atan2(float64(tr.rise), float64(tr.run))) }

// level returns the row that the track's surface is in, or just above, at column x.
func (tr *track) level(x int32) int32 {
	return int32(math.Floor(float64(x) * float64(tr.rise) / float64(tr.run)))
}

// wipe empties column x down to two cells below the surface.
func (tr *track) wipe(g quarry.Ground, x int32) error {
	y := tr.level(x)
	return g.Fill(gridseg.Rect{MinX: x, MinY: y - 2, MaxX: x, MaxY: y + max(1, tr.rise/tr.run)}, gridseg.Tile{})
}

// tiles returns the function that lays, in column x, the tile of the pattern
// that is due with its top row at level(x)+up, and full ones below it.
func tiles(tr *track, up int32, below bool, pattern ...gridseg.Tile) func(quarry.Ground, int32, uint16) error {
	return func(g quarry.Ground, x int32, ice uint16) error {
		n := int32(len(pattern))
		t := pattern[((x%n)+n)%n]
		t.Material = ice
		y := tr.level(x) + up
		if err := g.Set(x, y, t); err != nil || !below {
			return err
		}
		return g.Set(x, y-1, gridseg.Tile{Shape: gridseg.Full, Material: ice})
	}
}

// pieces lays free-form polygons: the part of column x below the surface, cut
// into several by lines that are at other places in each column.
func pieces(tr *track, cuts int32) func(quarry.Ground, int32, uint16) error {
	return func(g quarry.Ground, x int32, ice uint16) error {
		const u = gridseg.Unit
		top := func(at int64) int64 { return (int64(x)*u + at) * int64(tr.rise) / int64(tr.run) }
		seed := random(x)
		last := int64(0)
		for k := range cuts + 1 {
			next := int64(u)
			if k < cuts {
				// On a multiple of the run, or the surface is not on the lattice.
				step := int64(tr.run)
				next = last + step*(1+int64(seed.next()%uint64((u-last)/step/2)))
			}
			base := (int64(tr.level(x)) - 1) * u
			loop := []gridseg.Point{
				{X: int64(x)*u + last, Y: base},
				{X: int64(x)*u + next, Y: base},
				{X: int64(x)*u + next, Y: top(next)},
				{X: int64(x)*u + last, Y: top(last)},
			}
			if err := g.Unite([][]gridseg.Point{loop}, gridseg.Attr{Material: ice, User: uint32(k)}); err != nil {
				return err
			}
			last = next
		}
		return nil
	}
}

// random is a small generator (splitmix: G. Steele and others, 2014).
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// float returns a number in [lo, hi).
func (r *random) float(lo, hi float64) float64 {
	return lo + (hi-lo)*float64(r.next()>>11)/(1<<53)
}

func tracks() []*track {
	full := gridseg.Tile{Shape: gridseg.Full}
	ramp := gridseg.Tile{Shape: gridseg.Ramp}
	low, high := gridseg.Tile{Shape: gridseg.SlopeLow}, gridseg.Tile{Shape: gridseg.SlopeHigh}
	teeth := []gridseg.Tile{
		{Shape: gridseg.SlopeLow, Turn: 2},
		{Shape: gridseg.SlopeHigh, Turn: 2},
		{Shape: gridseg.Ramp, Turn: 2},
		full,
		{Shape: gridseg.Ramp, Turn: 6},
		{Shape: gridseg.SlopeHigh, Turn: 6},
	}
	var all []*track
	add := func(name string, run, rise int32, lay func(*track) func(quarry.Ground, int32, uint16) error, change func(*track)) {
		tr := &track{name: name, run: run, rise: rise}
		tr.lay = lay(tr)
		tr.clear = tr.wipe
		if change != nil {
			change(tr)
		}
		all = append(all, tr)
	}
	of := func(up int32, below bool, p ...gridseg.Tile) func(*track) func(quarry.Ground, int32, uint16) error {
		return func(tr *track) func(quarry.Ground, int32, uint16) error { return tiles(tr, up, below, p...) }
	}
	cut := func(n int32) func(*track) func(quarry.Ground, int32, uint16) error {
		return func(tr *track) func(quarry.Ground, int32, uint16) error { return pieces(tr, n) }
	}
	add("flat", 1, 0, of(-1, true, full), nil)
	add("flat teeth", 1, 0, of(-1, false, teeth...), nil)
	add("slabs", 1, 0, of(-1, false, gridseg.Tile{Shape: gridseg.Slab}), func(tr *track) { tr.drop = 0.5 })
	add("flat pieces", 1, 0, cut(4), nil)
	add("1:1", 1, 1, of(0, true, ramp), nil)
	add("1:1 bare", 1, 1, of(0, false, ramp), nil)
	add("1:1 pieces", 1, 1, cut(3), nil)
	add("1:2", 2, 1, of(0, true, low, high), nil)
	add("1:2 bare", 2, 1, of(0, false, low, high), nil)
	add("1:2 mixed", 2, 1, func(tr *track) func(quarry.Ground, int32, uint16) error {
		a, b, c := tiles(tr, 0, true, low, high), tiles(tr, 0, false, low, high), pieces(tr, 2)
		return func(g quarry.Ground, x int32, ice uint16) error {
			seed := random(x)
			switch seed.next() % 3 {
			case 0:
				return a(g, x, ice)
			case 1:
				return b(g, x, ice)
			}
			return c(g, x, ice)
		}
	}, nil)
	add("3:4 pieces", 4, 3, cut(1), nil)
	add("2:1 pieces", 1, 2, cut(1), nil)
	add("flat, turned", 1, 0, of(-1, true, full), func(tr *track) { tr.carrier.Angle = 0.7 })
	add("flat, carried", 1, 0, of(-1, true, full), func(tr *track) {
		tr.carrier.Type, tr.carrier.Velocity = quarry.Kinematic, geom.V(-3, 2)
	})
	return all
}

// slider is a shape with a flat or round bottom, about one unit wide at size 1.
type slider struct {
	name string
	// shape returns the shape and the height of its origin when it lies.
	shape func(size float64) (geom.Shape, float64)
}

func sliders() []slider {
	all := []slider{
		{"box", func(s float64) (geom.Shape, float64) { return geom.NewBox(s/2, s/2), s / 2 }},
		{"plank", func(s float64) (geom.Shape, float64) { h := max(0.005, s/40); return geom.NewBox(s/2, h), h }},
		{"circle", func(s float64) (geom.Shape, float64) { return geom.Circle{Radius: s / 2}, s / 2 }},
		{"capsule", func(s float64) (geom.Shape, float64) {
			return geom.Capsule{A: geom.V(-s/4, 0), B: geom.V(s/4, 0), Radius: s / 4}, s / 4
		}},
		{"rounded box", func(s float64) (geom.Shape, float64) { return geom.NewRoundedBox(0.35*s, 0.35*s, 0.15*s), s / 2 }},
	}
	for n := 3; n <= geom.MaxVertices; n++ {
		all = append(all, slider{fmt.Sprintf("%d-gon", n), func(s float64) (geom.Shape, float64) {
			points := make([]geom.Vec, n)
			for i := range points { // one edge at the bottom
				points[i] = geom.NewRot(-math.Pi/2 + math.Pi*float64(2*i+1)/float64(n)).Apply(geom.V(s/2, 0))
			}
			p, err := geom.NewPolygon(points, 0)
			if err != nil {
				panic(err)
			}
			low := 0.0
			for i := range p.N {
				low = max(low, -p.Vertices[i].Y)
			}
			return p, low
		}})
	}
	return all
}

// ride is one world with one track, tiled or unbroken, in which bodies slide
// one after the other.
type ride struct {
	w       *quarry.World
	tr      *track
	along   geom.Rot // turns x into the direction of the track, in the world
	g       quarry.Ground
	carrier quarry.Body
	m       quarry.MaterialID
}

// newRide makes a track in a world with gravity square to the track or,
// with slope, down.
func newRide(t testing.TB, tr *track, tiled, slope bool, m quarry.Material) *ride {
	t.Helper()
	w := quarry.NewWorld(quarry.Config{NoSleep: true})
	r := &ride{w: w, tr: tr, m: w.AddMaterial(m)}
	id := w.AddBody(tr.carrier)
	r.carrier, _ = w.Body(id)
	r.along = r.carrier.Rotation().Mul(tr.rot())
	w.SetGravity(geom.V(0, -10))
	if !slope {
		w.SetGravity(r.along.Apply(geom.V(0, -10)))
	}
	if tiled {
		gid, err := w.AddGround(id, quarry.GroundDef{})
		if err != nil {
			t.Fatal(err)
		}
		r.g, _ = w.Ground(gid)
		for x := int32(-trackHalf); x < trackHalf; x++ {
			if err := tr.lay(r.g, x, uint16(r.m)); err != nil {
				t.Fatalf("%s: column %d: %v", tr.name, x, err)
			}
		}
	} else {
		d := geom.V(float64(tr.run), float64(tr.rise)).Mul(1 << 9) // exact: the same line as the tiles'
		down := geom.V(0, -tr.drop)
		w.AddShape(id, geom.Segment{A: d.Neg().Add(down), B: d.Add(down)}, quarry.ShapeDef{Material: r.m})
	}
	return r
}

// start puts a body on the track, so far from its middle and so deep, moving
// along it (as seen from the carrier).
func (r *ride) start(s geom.Shape, rest, at, depth, speed, spin float64) quarry.Body {
	up := r.along.Apply(geom.V(0, 1))
	p := r.carrier.Transform().Apply(r.tr.rot().Apply(geom.V(at, 0)).Add(geom.V(0, -r.tr.drop)))
	id := r.w.AddBody(quarry.BodyDef{
		Type: quarry.Dynamic, Position: p.MulAdd(rest-depth, up), Angle: r.along.Angle(),
		Velocity: r.along.Apply(geom.V(speed, 0)).Add(r.carrier.Velocity()), AngularVelocity: spin,
	})
	r.w.AddShape(id, s, quarry.ShapeDef{Material: r.m})
	b, _ := r.w.Body(id)
	return b
}

// state is where a body is and how it moves, as seen from the carrier, x along
// the track.
type state struct {
	p, v        geom.Vec
	angle, spin float64
}

func (r *ride) state(b quarry.Body) state {
	return state{
		p: r.along.Inv(b.Position().Sub(r.carrier.Position())), v: r.along.Inv(b.Velocity().Sub(r.carrier.Velocity())),
		angle: b.Rotation().Mul(geom.Rot{C: r.along.C, S: -r.along.S}).Angle(), spin: b.AngularVelocity(),
	}
}

// felt is the most that a slider felt of the seams, over all its steps.
type felt struct {
	path, speed, spin float64 // by how much it differs from the unbroken track
	normal            float64 // by how much a loaded normal differs from the surface's
	lift              float64 // the greatest |normal velocity|
	turn              float64 // the greatest |spin| beyond that of rolling
	lost              float64 // speed
	step              int     // where it differs most
}

func (f felt) String() string {
	return fmt.Sprintf("path %.2g speed %.2g spin %.2g off, normal %.2g off, lift %.2g, lost %.2g, worst at step %d", f.path, f.speed, f.spin, f.normal, f.lift, f.lost, f.step)
}

// slide is one run of the sweep.
type slide struct {
	shape       string
	size, speed float64
	at          float64 // where it starts
	rolls       bool
	edits       bool
}

// go_ slides the same body over both and returns what it felt.
func (s slide) over(t testing.TB, a, b *ride, make func(float64) (geom.Shape, float64), n int) felt {
	t.Helper()
	shape, rest := make(s.size)
	spin := 0.0
	if s.rolls {
		spin = -s.speed / (s.size / 2)
	}
	const depth = 1e-4 // about as deep as what is at rest lies
	ba, bb := a.start(shape, rest, s.at, depth, s.speed, spin), b.start(shape, rest, s.at, depth, s.speed, spin)
	defer a.w.RemoveBody(ba.ID())
	defer b.w.RemoveBody(bb.ID())
	up := b.along.Apply(geom.V(0, 1))
	var f felt
	var gone int32 = math.MaxInt32
	var contacts []quarry.Contact
	for i := range n {
		if s.edits {
			gone = s.edit(t, b, bb, i, gone)
		}
		a.w.Step(dt)
		b.w.Step(dt)
		u, v := a.state(ba), b.state(bb)
		if d := u.p.Dist(v.p); d > f.path {
			f.path, f.step = d, i
		}
		f.speed = max(f.speed, u.v.Dist(v.v))
		f.spin = max(f.spin, math.Abs(u.spin-v.spin))
		f.lift = max(f.lift, math.Abs(v.v.Y))
		f.turn = max(f.turn, math.Abs(v.spin-spin))
		f.lost = max(f.lost, math.Abs(v.v.X)-math.Abs(v.v.X))
		contacts = b.w.AppendContacts(contacts[:0])
		for _, c := range contacts {
			for k := range c.N {
				if c.Points[k].NormalImpulse > 0 {
					f.normal = max(f.normal, c.Normal.Dist(up))
				}
			}
		}
	}
	if gone != math.MaxInt32 {
		if err := b.tr.lay(b.g, gone, uint16(b.m)); err != nil {
			t.Fatal(err)
		}
	}
	f.lost = max(0, a.state(ba).v.Len()-b.state(bb).v.Len())
	return f
}

// edit changes the ground behind, ahead of and under a body so that the surface
// which it meets stays: columns are taken away and laid again, one behind it is
// gone for a step, and blocks hang over its way where it will not be yet.
func (s slide) edit(t testing.TB, r *ride, b quarry.Body, i int, gone int32) int32 {
	t.Helper()
	box, where := b.Bounds(), r.carrier.Transform()
	lo, hi := math.MaxFloat64, -math.MaxFloat64
	for _, p := range []geom.Vec{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}} {
		x := where.Inv(p).X
		lo, hi = min(lo, x), max(hi, x)
	}
	first, last := int32(math.Floor(lo))-1, int32(math.Floor(hi))+1
	mid := (first + last) / 2
	ahead := s.speed * dt * 2
	front, back := last+1+int32(max(0, ahead)), first-1+int32(min(0, ahead))
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if gone != math.MaxInt32 {
		must(r.tr.lay(r.g, gone, uint16(r.m)))
	}
	for _, x := range []int32{mid, first, last, front, back} {
		must(r.tr.clear(r.g, x))
		must(r.tr.lay(r.g, x, uint16(r.m)))
	}
	if s.speed > 0 {
		gone = back - 2
	} else {
		gone = front + 2
	}
	must(r.tr.clear(r.g, gone))
	return gone
}

func TestSeamSweep(t *testing.T) {
	sizes := []float64{0.1, 0.5, 1, 5, 20}
	speeds := []float64{0.1, 9.7, 40, 200}
	offsets := []float64{0, 0.37}
	if soak() {
		sizes = []float64{0.1, 0.13, 0.25, 0.5, 1, 2, 5, 10, 20}
		speeds = []float64{0.1, 1, 9.7, 10, 40, 127, 200}
		offsets = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}
	}
	type total struct {
		felt
		runs, bad int
	}
	for _, tr := range tracks() {
		for _, kind := range []string{"slide", "edits", "down", "roll"} {
			if kind == "edits" || tr.run==4 || kind == "roll" {
				continue
			}
			if kind == "down" && tr.rise == 0 && tr.carrier.Angle == 0 {
				continue
			}
			m := quarry.Material{}
			if kind == "roll" {
				m.Friction = 0.6
			}
			a, b := newRide(t, tr, false, kind == "down", m), newRide(t, tr, true, kind == "down", m)
			var sum total
			for _, sl := range sliders() {
				if kind == "roll" && sl.name != "circle" {
					continue
				}
				for _, size := range sizes {
					if kind == "edits" && size > 5 && !soak() {
						continue
					}
					for _, speed := range speeds {
						for k, offset := range offsets {
							s := slide{shape: sl.name, size: size, speed: speed, at: -50 + offset, rolls: kind == "roll", edits: kind == "edits"}
							if k%2 == 1 {
								s.speed, s.at = -speed, 50-offset
							}
							n := min(120, 10+int(90*60/speed))
							f := s.over(t, a, b, sl.shape, n)
							sum.runs++
							if f.path > 1e-6 || f.normal > 1e-9 {
								if sum.bad++; f.path > 1e-3 || f.normal > 1e-9 {
									t.Errorf("%s, %s: %+v: %v", tr.name, kind, s, f)
								}
							}
							sum.path, sum.speed, sum.spin = max(sum.path, f.path), max(sum.speed, f.speed), max(sum.spin, f.spin)
							sum.normal, sum.lift, sum.lost = max(sum.normal, f.normal), max(sum.lift, f.lift), max(sum.lost, f.lost)
						}
					}
				}
			}
			t.Logf("%-14s %-6s %4d runs, %d bad: %v", tr.name, kind, sum.runs, sum.bad, sum.felt)
		}
	}
}
