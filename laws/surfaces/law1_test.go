package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// Law 1 of contact over everything that may slide: a body that slides over a track of
// tiles must move as over one unbroken segment. By default a slice of the sweep is run;
// with QUARRY_SOAK=1 all of it, which takes some minutes.

// ride is one world with one track, tiled or unbroken, in which bodies slide
// one after the other.
type ride struct {
	w       *quarry.World
	tr      *track
	along   geom.Rot // turns x into the direction of the track, in the world
	middle  geom.Vec // of the track, as seen from the carrier
	g       quarry.Ground
	carrier quarry.Body
	rubs    quarry.MaterialID // of the track; bodies of it have friction, bodies of ice none
	ice     quarry.MaterialID
}

// newRide makes a track in a world with gravity square to the track or, along the slope
// if slope is set.
func newRide(t worldtest.Failer, tr *track, tiled, slope bool) *ride {
	w := quarry.NewWorld(quarry.Config{NoSleep: true})
	r := &ride{w: w, tr: tr, rubs: w.AddMaterial(quarry.Material{Friction: 0.6}), ice: w.AddMaterial(quarry.Material{})}
	w.SetGravity(geom.V(0, -10))
	r.carrier = tr.carrier.Add(w)
	id := r.carrier.ID()
	r.along = r.carrier.Rotation().Mul(tr.rot())
	if !slope {
		w.SetGravity(r.along.Apply(geom.V(0, -10)))
	}
	down := geom.V(0, -tr.drop)
	if !tiled {
		d := geom.V(float64(tr.run), float64(tr.rise)).Mul(1 << 9) // exact: the same line as the tiles'
		w.AddShape(id, geom.Segment{A: d.Neg().Add(down), B: d.Add(down)}, quarry.ShapeDef{Material: r.rubs})
		r.middle = down
		return r
	}
	gid, err := w.AddGround(id, quarry.GroundDef{Grid: tr.grid()})
	if err != nil {
		t.Fatalf("%v", err)
	}
	r.g, _ = w.Ground(gid)
	for x := int32(-trackHalf); x < trackHalf; x++ {
		if err := tr.put(r.g, tr.far+x, uint16(r.rubs)); err != nil {
			t.Fatalf("%s: column %d: %v", tr.name, x, err)
		}
	}
	r.middle = tr.origin().Add(down)
	return r
}

// start puts a body on the track, so far from its middle and so deep, moving
// along it (as seen from the carrier).
func (r *ride) start(s geom.Shape, rest, at, depth, speed, spin float64) quarry.Body {
	up := r.along.Apply(geom.V(0, 1))
	p := r.carrier.Transform().Apply(r.middle.Add(r.tr.rot().Apply(geom.V(at, 0))))
	id := r.w.AddBody(quarry.BodyDef{
		Type: quarry.Dynamic, Position: p.MulAdd(rest-depth, up), Angle: r.along.Angle(),
		Velocity: r.along.Apply(geom.V(speed, 0)).Add(r.carrier.Velocity()), AngularVelocity: spin,
	})
	m := r.ice
	if spin != 0 {
		m = r.rubs
	}
	r.w.AddShape(id, s, quarry.ShapeDef{Material: m})
	b, _ := r.w.Body(id)
	return b
}

// state is the pose and velocity of a body in the carrier's frame, x along the track.
type state struct {
	p, v geom.Vec
	spin float64
}

func (r *ride) state(b quarry.Body) state {
	return state{
		p:    r.tr.rot().Inv(r.carrier.Transform().Inv(b.Position()).Sub(r.middle)),
		v:    r.along.Inv(b.Velocity().Sub(r.carrier.Velocity())),
		spin: b.AngularVelocity(),
	}
}

// felt holds the largest effect of the seams on a slider, over all its steps.
type felt struct {
	path, speed, spin float64 // by how much it differs from the unbroken track
	normal            float64 // by how much a loaded normal differs from the surface's
	lift              float64 // the largest |normal velocity|
	end               state
}

func (f *felt) add(o felt) {
	f.path, f.speed, f.spin = max(f.path, o.path), max(f.speed, o.speed), max(f.spin, o.spin)
	f.normal, f.lift = max(f.normal, o.normal), max(f.lift, o.lift)
}

func (f felt) String() string {
	return fmt.Sprintf("off by: path %.2g, speed %.2g, spin %.2g, normal %.2g; greatest normal velocity %.2g",
		f.path, f.speed, f.spin, f.normal, f.lift)
}

// slide is one run of the sweep.
type slide struct {
	shape       string
	size, speed float64
	at          float64 // where it starts
	rolls       bool
	edits       bool
	steps       int
}

// over slides the same body over the unbroken track a and the tiled track b, and returns
// the differences.
func (s slide) over(t worldtest.Failer, a, b *ride, shape geom.Shape, rest float64) felt {
	spin := 0.0
	if s.rolls {
		spin = -s.speed / rest
	}
	const depth = 1e-4 // about the depth of a body at rest
	ba, bb := a.start(shape, rest, s.at, depth, s.speed, spin), b.start(shape, rest, s.at, depth, s.speed, spin)
	defer a.w.RemoveBody(ba.ID())
	defer b.w.RemoveBody(bb.ID())
	up := b.along.Apply(geom.V(0, 1))
	var f felt
	gone := none
	var contacts []quarry.Contact
	for range s.steps {
		if s.edits {
			gone = s.edit(t, b, bb, gone)
		}
		a.w.Step(worldtest.DT)
		b.w.Step(worldtest.DT)
		u, v := a.state(ba), b.state(bb)
		f.add(felt{
			path: u.p.Dist(v.p), speed: u.v.Dist(v.v), spin: math.Abs(u.spin - v.spin), lift: math.Abs(v.v.Y),
		})
		f.end = v
		contacts = b.w.AppendContacts(contacts[:0])
		for _, c := range contacts {
			for k := range c.N {
				if c.Points[k].NormalImpulse > 0 {
					f.normal = max(f.normal, c.Normal.Dist(up))
				}
			}
		}
	}
	if gone != none {
		b.mend(t, gone)
	}
	return f
}

const none int32 = math.MaxInt32

// mend lays column x again.
func (r *ride) mend(t worldtest.Failer, x int32) {
	if err := r.tr.put(r.g, x, uint16(r.rubs)); err != nil {
		t.Fatalf("%s: column %d: %v", r.tr.name, x, err)
	}
}

// edit changes the ground behind, ahead of and under a body, and leaves the surface under
// it: columns are removed and laid again, and one behind the body, which is returned, is
// missing until the next step.
func (s slide) edit(t worldtest.Failer, r *ride, b quarry.Body, gone int32) int32 {
	box, where := b.Bounds(), r.carrier.Transform()
	lo, hi := math.MaxFloat64, -math.MaxFloat64
	for _, p := range []geom.Vec{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}} {
		x := where.Inv(p).X
		lo, hi = min(lo, x), max(hi, x)
	}
	ahead := s.speed * worldtest.DT * 2
	first, last := int32(math.Floor(lo))-1, int32(math.Floor(hi))+1
	front, back := last+1+int32(max(0, ahead)), first-1+int32(min(0, ahead))
	if gone != none {
		r.mend(t, gone)
	}
	for _, x := range []int32{(first + last) / 2, first, last, front, back} {
		if err := r.tr.wipe(r.g, x); err != nil {
			t.Fatalf("%v", err)
		}
		r.mend(t, x)
	}
	gone = back - 2
	if s.speed < 0 {
		gone = front + 2
	}
	if err := r.tr.wipe(r.g, gone); err != nil {
		t.Fatalf("%v", err)
	}
	return gone
}

// judge returns the faults of s on tr, or an empty text: 1e-6 in path and speed. At 10^7
// cells float64 places a body to 2e-9. The spring of a contact turns this error into an
// impulse, and friction takes its share: a wheel that slips, because it would have to
// turn by more than a quarter in a sub-step, is slowed by a little more or less there, in
// the soak by up to 2.6e-6.
func (s slide) judge(tr *track, f felt) string {
	path, speed := 1e-6, 1e-6
	if tr.far != 0 && s.rolls {
		path, speed = 5e-6, 5e-6
	}
	switch {
	case f.normal > 1e-9:
		return "pushed off the surface's normal"
	case f.path > path:
		return fmt.Sprintf("leaves the path by more than %.2g", path)
	case f.speed > speed:
		return fmt.Sprintf("leaves the velocity by more than %.2g", speed)
	}
	return ""
}

// kinds are the ways a track is run: with gravity square to it, without friction;
// that with edits going on; with gravity down; circles that roll with friction,
// either way.
var kinds = []struct {
	name              string
	edits, down, roll bool
}{
	{name: "slide"},
	{name: "edits", edits: true},
	{name: "down", down: true},
	{name: "roll", roll: true},
	{name: "roll down", roll: true, down: true},
}

// sweepOf returns the sizes, speeds and offsets that a kind of run is swept over,
// and its longest run in steps.
func sweepOf(edits bool) (sizes, speeds, offsets []float64, long int) {
	switch {
	case worldtest.Soak() && edits:
		return []float64{0.1, 0.5, 1, 5, 20}, []float64{1, 9.7, 40, 200}, []float64{0.3, 0.7}, 60
	case worldtest.Soak():
		return []float64{0.1, 0.13, 0.25, 0.5, 1, 2, 5, 10, 20},
			[]float64{0.1, 1, 9.7, 10, 40, 127, 200},
			[]float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, 300
	case edits:
		return []float64{0.1, 1}, []float64{60}, []float64{0.37}, 15
	}
	return []float64{0.1, 1, 20}, []float64{9.7, 200}, []float64{0.37}, 60
}

// TestSeamSweep is law 1 of contact: each slider, at each size, speed and offset, slides
// over each track as over one unbroken segment, with edits going on or not. Bodies also
// end at the same place, as seen from the carrier, on all tracks of one line: of static, kinematic and
// dynamic carriers, turned, moving or far away.
func TestSeamSweep(t *testing.T) {
	ends := map[string]geom.Vec{}
	for _, tr := range tracks() {
		t.Run(tr.name, func(t *testing.T) { sweep(t, tr, ends) })
	}
}

// sweep runs all sliders over one track. ends holds the end position by line and run:
// where another track of the same line has been run, every body must end at the same
// place.
func sweep(t *testing.T, tr *track, ends map[string]geom.Vec) {
	var rides [2]struct{ a, b *ride } // gravity square to the track, and down
	for i := range rides {
		rides[i].a, rides[i].b = newRide(t, tr, false, i > 0), newRide(t, tr, true, i > 0)
		if tr.rise == 0 {
			rides[1] = rides[0]
			break
		}
	}
	same := 1e-12
	if tr.carrier.Name != "" {
		same = 1e-6 // poses of another frame round differently, and rolling wheels slip a little more or less
	}
	for _, kind := range kinds {
		r := rides[0]
		if kind.down {
			if r = rides[1]; r == rides[0] {
				continue
			}
		}
		sizes, speeds, offsets, long := sweepOf(kind.edits)
		var sum felt
		runs, bad := 0, 0
		for _, sl := range worldtest.Sliders() {
			if kind.roll && sl.Name != "circle" {
				continue
			}
			for _, size := range sizes {
				for _, speed := range speeds {
					for _, offset := range offsets {
						s := slide{
							shape: sl.Name, size: size, speed: speed, at: -50 + offset, rolls: kind.roll,
							edits: kind.edits,
							steps: min(long, 10+int(90*60/speed)),
						}
						if runs++; runs%2 == 1 {
							s.speed, s.at = -speed, 50-offset
						}
						shape, rest := sl.Shape(size)
						f := s.over(t, r.a, r.b, shape, rest)
						if wrong := s.judge(tr, f); wrong != "" {
							if bad++; bad <= 10 {
								t.Errorf("%s: %+v: %s: %v", kind.name, s, wrong, f)
							}
						}
						sum.add(f)
						if tr.far != 0 {
							continue // in another frame, where all values round differently
						}
						line := fmt.Sprint(tr.rise, tr.run, tr.drop, kind.name, s)
						if p, ok := ends[line]; !ok {
							ends[line] = f.end.p
						} else if d := p.Dist(f.end.p); d > same {
							t.Errorf("%s: %+v: ends at %v, over other tiles at %v", kind.name, s, f.end.p, p)
						}
					}
				}
			}
		}
		t.Logf("%-9s %5d runs, %d bad; %v", kind.name, runs, bad, sum)
	}
}

// TestSeamAny: the sweep of law 1 over convex polygons, sizes, speeds and places drawn at
// random.
func TestSeamAny(t *testing.T) {
	type pair struct{ a, b *ride }
	rides := map[string]pair{}
	all := tracks()
	rapid.Check(t, func(t *rapid.T) {
		tr := rapid.SampledFrom(all).Draw(t, "track")
		kind := kinds[rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "kind")]
		r, ok := rides[tr.name+kind.name]
		if !ok {
			r = pair{newRide(t, tr, false, kind.down), newRide(t, tr, true, kind.down)}
			rides[tr.name+kind.name] = r
		}
		size := math.Pow(200, rapid.Float64Range(0, 1).Draw(t, "size")) / 10
		speed := math.Pow(2000, rapid.Float64Range(0, 1).Draw(t, "speed")) / 10
		s := slide{
			shape: "random", size: size, speed: speed, edits: kind.edits,
			at: -50 + rapid.Float64Range(0, 1).Draw(t, "at"), steps: min(40, 10+int(90*60/speed)),
		}
		if rapid.Bool().Draw(t, "back") {
			s.speed, s.at = -s.speed, -s.at
		}
		// A level base under a hull whose centroid is over it, maybe rounded.
		points := []geom.Vec{{X: -size / 2}, {X: size / 2}}
		for range rapid.IntRange(1, 6).Draw(t, "more") {
			points = append(points, geom.V(
				size*rapid.Float64Range(-0.5, 0.5).Draw(t, "x"), size*rapid.Float64Range(0.05, 1).Draw(t, "y")))
		}
		radius := 0.0
		if rapid.Bool().Draw(t, "rounded") {
			radius = size * rapid.Float64Range(0.01, 0.5).Draw(t, "radius")
		}
		p, err := geom.NewPolygon(points, radius)
		if err != nil {
			t.Skip(err)
		}
		f := s.over(t, r.a, r.b, p, radius)
		if wrong := s.judge(tr, f); wrong != "" {
			t.Fatalf("%s, %s: %+v: %s: %v", tr.name, kind.name, s, wrong, f)
		}
	})
}
