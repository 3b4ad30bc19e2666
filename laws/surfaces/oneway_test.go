package surfaces_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// jumper is a shape to throw at one-way tiles, with the distance from its middle to its
// lowest point.
type jumper struct {
	name  string
	shape geom.Shape
	down  float64
}

func jumpers() []jumper {
	return []jumper{
		{"box", geom.NewBox(0.4, 0.4), 0.4},
		{"small box", geom.NewBox(0.05, 0.05), 0.05},
		{"wide box", geom.NewBox(3, 0.3), 0.3},
		{"circle", geom.Circle{Radius: 0.4}, 0.4},
		{"small circle", geom.Circle{Radius: 0.1}, 0.1},
		{"upright capsule", geom.Capsule{A: geom.V(0, -0.5), B: geom.V(0, 0.5), Radius: 0.3}, 0.8},
		{"lying capsule", geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.2}, 0.2},
		{"rounded box", geom.NewRoundedBox(0.3, 0.3, 0.1), 0.4},
	}
}

// platforms makes a world with the tiles of a map, top row first: # solid, - one-way,
// = a one-way slab, / and \ one-way ramps, < and > solid ones. Its lower
// left corner is at (0, 0).
func platforms(t testing.TB, w *worldtest.Site, rows ...string) (quarry.Ground, quarry.MaterialID) {
	t.Helper()
	way := w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp})
	g := w.AddGround(t)
	lay(t, g, way, 0, rows...)
	return g, way
}

func lay(t testing.TB, g quarry.Ground, way, solid quarry.MaterialID, rows ...string) {
	t.Helper()
	for i, row := range rows {
		y := int32(len(rows) - 1 - i)
		for x, r := range row {
			tile, ok := map[rune]gridseg.Tile{
				'#':  {Shape: gridseg.Full, Material: uint16(solid)},
				'<':  {Shape: gridseg.Ramp, Material: uint16(solid)},
				'>':  {Shape: gridseg.Ramp, Turn: 4, Material: uint16(solid)},
				'-':  {Shape: gridseg.Full, Material: uint16(way)},
				'=':  {Shape: gridseg.Slab, Material: uint16(way)},
				'/':  {Shape: gridseg.Ramp, Material: uint16(way)},
				'\\': {Shape: gridseg.Ramp, Turn: 4, Material: uint16(way)},
			}[r]
			if !ok {
				continue
			}
			if err := g.Set(int32(x), y, tile); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestOneWayFromBelow: a body from below moves through one-way tiles as through air, to
// the last bit, and stands on top after it has fallen back.
func TestOneWayFromBelow(t *testing.T) {
	i := 0
	for _, j := range jumpers() {
		for _, speed := range []float64{3, 9, 14, 20, 60, 150, quarry.MaxSpeed} {
			for _, thick := range []int{1, 3} {
				t.Run(fmt.Sprint(j.name, " ", speed, " ", thick), func(t *testing.T) {
					rows := []string{strings.Repeat("-", 24)}
					for range thick - 1 {
						rows = append(rows, rows[0])
					}
					rows = append(rows, "", "", "", "")
					start := geom.V(12.03, 2)
					for _, on := range worldtest.InTurn(i) {
						run := func(tiles bool) (*worldtest.Site, quarry.Body) {
							w := on.NewSiteOf(quarry.Config{Gravity: geom.V(0, -30)})
							if tiles {
								platforms(t, w, rows...)
							}
							return w, w.AddBody(quarry.BodyDef{
								Type: quarry.Dynamic, Position: start, Velocity: geom.V(0, speed), FixedRotation: true,
							}, j.shape, quarry.ShapeDef{})
						}
						wa, a := run(false)
						wb, b := run(true)
						top := float64(4 + thick)
						above := false
						for range 2000 {
							wa.Step(worldtest.DT)
							wb.Step(worldtest.DT)
							above = above || wb.Position(b).Y-j.down > top
							if a.Position() != b.Position() && !(above && wa.Velocity(a).Y < 0) {
								t.Fatalf("step %d: at %v, in air %v", wa.StepCount(), b.Position(), a.Position())
							}
							if !b.Awake() || wb.Position(b).Y < -10 {
								break
							}
						}
						high := start.Y + speed*speed/60 - j.down
						if want := high > top; math.Abs(high-top) > 0.1 && want != above {
							t.Fatalf("above the platform: %v, want %v", above, want)
						}
						if above {
							worldtest.Near(t, "height on top", wb.Position(b).Y, top+j.down, 2*geom.LinearSlop)
						}
					}
				})
				i++
			}
		}
	}
}

// TestOneWayFromAbove: a body that falls on one-way tiles meets them as solid tiles, to
// the last bit, at any speed and angle.
func TestOneWayFromAbove(t *testing.T) {
	i := 0
	for _, j := range jumpers() {
		for _, speed := range []float64{0, 5, 13, 40, 170, quarry.MaxSpeed} {
			for k := range 12 {
				y := 6.5 + j.down + float64(k)*0.37
				for _, on := range worldtest.InTurn(i) {
					var g quarry.Ground
					run := func(tiles ...string) (*worldtest.Site, quarry.Body) {
						w := on.NewSite()
						g, _ = platforms(t, w, tiles...)
						return w, w.AddBody(quarry.BodyDef{
							Type: quarry.Dynamic, Position: geom.V(12.03, y), Velocity: geom.V(float64(k%3-1)*2,
								-speed),
							Angle: float64(k/3) * 0.7, FixedRotation: k%2 == 0,
						}, j.shape, quarry.ShapeDef{})
					}
					wa, a := run("   <############>", " <################>", "####################", "", "")
					wb, b := run("   /------------\\", " /----------------\\", "--------------------", "", "")
					for range 200 {
						wa.Step(worldtest.DT)
						wb.Step(worldtest.DT)
						if x := wa.Position(a).X; x < 2 || x > 18 {
							break // near the ends, where one-way tiles have no sides
						}
						if g.Solid(a.Position()) {
							break // a plank has dug in on its tip: solid tiles push it out, one-way ones let it through
						}
						if a.Position() != b.Position() || a.Velocity() != b.Velocity() {
							t.Fatalf("%s: %s at %v from %v, step %d: at %v, on solid tiles %v", on.Name, j.name, speed,
								y, wa.StepCount(), b.Position(), a.Position())
						}
					}
				}
				i++
			}
		}
	}
}

// TestOneWayHalfThrough: a body that turns back half way through one-way tiles, or is put
// there, is not pushed: it moves as in air until it is before the face.
func TestOneWayHalfThrough(t *testing.T) {
	i := 0
	for _, j := range jumpers() {
		for _, in := range []float64{0.02, 0.3, 0.5, 0.9, 1.7} {
			for _, v := range []geom.Vec{
				{},
				{X: 0.3},
				{X: 4, Y: 1},
				{X: -17},
				{X: -2, Y: -0.3},
				{Y: -12},
				{X: 300, Y: -20},
			} {
				for _, on := range worldtest.InTurnFixed(i) {
					run := func(tiles bool) (*worldtest.Site, quarry.Body) {
						w := on.NewSite()
						if tiles {
							platforms(t, w, "------------\\", "/------------")
						}
						b := w.Add(geom.V(6.03, 2+j.down-max(2*geom.LinearSlop, in*2*j.down)), j.shape)
						w.SetVelocity(b, v)
						return w, b
					}
					wa, a := run(false)
					wb, b := run(true)
					for range 40 {
						wa.Step(worldtest.DT)
						wb.Step(worldtest.DT)
						if wa.Bounds(a).Min.Y > 2-geom.LinearSlop {
							break // it has come out
						}
						if a.Position() != b.Position() || a.Angle() != b.Angle() {
							t.Fatalf("%s: %s, %v of it below, velocity %v, step %d: at %v, in air %v", on.Name, j.name,
								in, v, wa.StepCount(), b.Position(), a.Position())
						}
					}
				}
				i++
			}
		}
	}
}

// TestDropThrough: DropThrough(0) drops a body through the platform that it stands on,
// and no other; with a time, through all platforms that it meets in that time.
func TestDropThrough(t *testing.T) {
	i := 0
	for _, j := range jumpers() {
		for _, c := range []struct {
			name    string
			seconds float64
			want    float64 // top of the platform it stands on in the end
		}{
			{"until clear", 0, 6.5},
			{"for a moment", 0.1, 6.5},
			{"for less than a second", 0.7, 4.5},
			{"for good", math.Inf(1), 1},
		} {
			for _, on := range worldtest.InTurnFixed(i) {
				w := on.NewSite()
				rows := []string{
					"------------------------", "========================", "", "========================",
					"", "", "",
				}
				solid := "########################"
				platforms(t, w, append(rows, solid)...)
				b := w.Add(geom.V(12.03, 8.3+j.down), j.shape)
				w.Steps(120)
				if b.Awake() && on.Body.Type == quarry.Static {
					t.Fatalf("%s: still awake", j.name)
				}
				b.DropThrough(c.seconds)
				if !b.Awake() || !b.Dropping() {
					t.Errorf("%s, %s: awake %v, dropping %v", j.name, c.name, b.Awake(), b.Dropping())
				}
				w.Steps(200) // later a capsule on its end falls over
				worldtest.Near(t, fmt.Sprint(on.Name, ": ", j.name, " ", c.name), w.Position(b).Y, c.want+j.down,
					2*geom.LinearSlop)
				// A body taller than its way down still overlaps the platform.
				if in := c.want == 6.5 && j.down > 0.75; b.Dropping() != (in || math.IsInf(c.seconds, 1)) {
					t.Errorf("%s, %s: dropping %v", j.name, c.name, b.Dropping())
				}
			}
			i++
		}
	}
	w := worldtest.New()
	b := worldtest.Add(w, geom.Vec{}, geom.NewBox(1, 1))
	for _, bad := range []float64{-1, math.NaN()} {
		worldtest.MustPanic(t, fmt.Sprintf("DropThrough(%v)", bad), func() { b.DropThrough(bad) })
	}
}

// TestOneWaySeams is law 1 of contact: one-way tiles among solid ones in one surface are
// not felt. A body slides over them as over solid tiles, to the last bit, on flats,
// slopes and corners, with and without friction.
func TestOneWaySeams(t *testing.T) {
	i := 0
	for _, j := range jumpers() {
		for _, friction := range []float64{0, 0.5} {
			for _, speed := range []float64{-60, -9.7, -2, 2, 9.7, 60} {
				for k, m := range [][2][]string{
					{
						{"", "", "--------------------------------------"},
						{"", "", "######################################"},
					},
					{
						{"", "", "##-#--###---##-####-##-#-#-#-#-#-##--#"},
						{"", "", "######################################"},
					},
					{
						{"", "             /---#---\\               ", "##-#--###---##-####-##-#-#-#-#-#-##--#"},
						{"", "             <#######>", "######################################"},
					},
					{
						{"", "             <---#--->                ", "##-#--###---##-####-##-#-#-#-#-#-##--#"},
						{"", "             <#######>", "######################################"},
					},
					{{
						"#-##                               #-#", "-##<>            ##>  /\\ /\\   <###-#-",
						"######################################",
					}, {
						"####                               ###", "###<>            ##>  <> <>   <#######",
						"######################################",
					}},
				} {
					for _, on := range worldtest.InTurnFixed(i) {
						var g quarry.Ground
						run := func(rows []string) (*worldtest.Site, quarry.Body) {
							w := on.NewSite()
							rough := w.AddMaterial(quarry.Material{Friction: friction})
							way := w.AddMaterial(quarry.Material{Friction: friction, OneWay: quarry.OneWayUp})
							g = w.AddGround(t)
							lay(t, g, way, rough, append(rows, "", "")...)
							b := w.Add(geom.V(8.53+15*float64(1-int(math.Copysign(1, speed)))/2, 4.3+j.down), j.shape)
							w.SetVelocity(b, geom.V(speed, 0))
							return w, b
						}
						wa, a := run(m[1])
						wb, b := run(m[0])
						for range 150 {
							wa.Step(worldtest.DT)
							wb.Step(worldtest.DT)
							if x := wa.Position(a).X; x < 4 || x > 34 {
								break
							}
							if friction > 0 && k > 1 {
								// A tumbling body may reach a corner from the side, where
								// one-way tiles are air for one more step.
								if g.Solid(b.Position()) {
									t.Fatalf("%s: %s at %v, %q, step %d: fell in, at %v", on.Name, j.name, speed, m[0],
										wa.StepCount(), b.Position())
								}
								continue
							}
							if a.Position() != b.Position() || a.Velocity() != b.Velocity() ||
								a.AngularVelocity() != b.AngularVelocity() {
								t.Fatalf("%s: %s at %v, friction %v, %q, step %d: at %v, %v; on solid tiles %v, %v",
									on.Name, j.name, speed, friction, m[0], wa.StepCount(), b.Position(), b.Velocity(),
									a.Position(), a.Velocity())
							}
						}
					}
					i++
				}
			}
		}
	}
}

// TestOneWayAndSolid is law 3 of contact among solid and one-way tiles of all kinds: no
// body gets into solid, at any speed and with drops at random, whether one-way tiles lie
// on the solid faces or not.
func TestOneWayAndSolid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		on := worldtest.DrawFixedCarrier(t) // tiles strewn at random hold to no others
		w := on.NewSite()
		var ways []quarry.MaterialID
		for _, o := range []quarry.OneWay{
			quarry.NotOneWay, quarry.OneWayUp, quarry.OneWayLeft, quarry.OneWayDown,
			quarry.OneWayRight,
		} {
			ways = append(ways, w.AddMaterial(quarry.Material{Friction: 0.4, OneWay: o}))
		}
		g := w.AddGround(t)
		const wide = 10
		full := gridseg.Tile{Shape: gridseg.Full}
		// The walls are so thick that the way out for a body that begins pinched never leads
		// through them. (Through walls of one cell it did in 1 of some 5,000 worlds.)
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -8, MinY: -8, MaxX: wide + 7, MaxY: wide + 7}, full))
		worldtest.Must(t, g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: wide - 1, MaxY: wide - 1}, gridseg.Tile{}))
		for range rapid.IntRange(0, 50).Draw(t, "tiles") {
			way := rapid.SampledFrom([]int{0, 1, 1, 1, 2, 3, 4}).Draw(t, "way")
			worldtest.Must(t, g.Set(int32(rapid.IntRange(0, wide-1).Draw(t, "x")),
				int32(rapid.IntRange(0, wide-1).Draw(t, "y")), gridseg.Tile{
					Shape:    gridseg.ShapeID(rapid.IntRange(1, int(gridseg.SlopeHigh)).Draw(t, "shape")),
					Turn:     gridseg.Turn(rapid.IntRange(0, 7).Draw(t, "turn")),
					Material: uint16(ways[way]),
				}))
		}
		solid := func(p geom.Vec) bool {
			c, _ := g.CellAt(w.Point(p))
			tile := g.Tile(c.X, c.Y)
			return g.Solid(w.Point(p)) && tile.Shape != 0 && w.Material(g.Material(tile)).OneWay == quarry.NotOneWay
		}
		var all []quarry.Body
		for range rapid.IntRange(1, 4).Draw(t, "bodies") {
			p := geom.V(rapid.Float64Range(0.7, wide-0.7).Draw(t, "px"), rapid.Float64Range(0.7, wide-0.7).Draw(t,
				"py"))
			size := rapid.Float64Range(0.1, 0.6).Draw(t, "size")
			if solid(p) {
				continue
			}
			b := worldtest.AddAny(t, w, p, size)
			all = append(all, b)
		}
		drops := rapid.SliceOfN(rapid.IntRange(0, 200), 0, 6).Draw(t, "drops")
		for i := range 200 {
			for _, at := range drops {
				if at == i {
					for _, b := range all {
						b.DropThrough(0.1 * float64(i%3))
					}
				}
			}
			w.Step(worldtest.DT)
			for _, b := range all {
				p := w.Position(b)
				if !p.IsFinite() || p.X < -0.2 || p.X > wide+0.2 || p.Y < -0.2 || p.Y > wide+0.2 {
					t.Fatalf("left the room at step %d: %v, velocity %v", w.StepCount(), p, w.Velocity(b))
				}
			}
		}
		for _, b := range all {
			if v := w.Velocity(b).Len(); v > 40 {
				t.Fatalf("still at speed %v", v)
			}
			if solid(w.Position(b)) {
				t.Fatalf("in solid: %v", w.Position(b))
			}
		}
	})
}

// TestOneWayOverBodies: one-way tiles put over a body, a body put into them, and solid
// tiles that become one-way push no body; made solid again they do.
func TestOneWayOverBodies(t *testing.T) { worldtest.OnFixedCarriers(t, overBodies) }

func overBodies(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	g, way := platforms(t, w, "", "", "", "", "############")
	b := w.Add(geom.V(6.03, 1.4), geom.NewBox(0.4, 0.4))
	w.Steps(60)
	tile := gridseg.Tile{Shape: gridseg.Slab, Material: uint16(way)}
	if err := g.Fill(gridseg.Rect{MinX: 2, MinY: 1, MaxX: 9, MaxY: 1}, tile); err != nil {
		t.Fatal(err)
	}
	w.Steps(60)
	worldtest.Near(t, "height with tiles put over it", w.Position(b).Y, 1.4, 2*geom.LinearSlop)
	w.SetTransform(b, geom.V(6.03, 3), 0)
	w.Steps(60)
	worldtest.Near(t, "height on top of them", w.Position(b).Y, 1.9, 2*geom.LinearSlop)
	w.SetTransform(b, geom.V(6.03, 1.6), 0)
	w.Steps(60)
	worldtest.Near(t, "height when put into them", w.Position(b).Y, 1.4, 2*geom.LinearSlop)
	m := w.Material(way)
	m.OneWay = quarry.NotOneWay
	w.SetMaterial(way, m)
	w.Steps(120)
	worldtest.Near(t, "height when they are solid", w.Position(b).Y, 1.9, 2*geom.LinearSlop)
	m.OneWay = quarry.OneWayDown
	w.SetMaterial(way, m)
	w.Steps(120)
	worldtest.Near(t, "height when they let pass downwards", w.Position(b).Y, 1.4, 2*geom.LinearSlop)
	w.SetVelocity(b, geom.V(0, 9))
	w.Steps(200)
	worldtest.Near(t, "height after a jump under them", w.Position(b).Y, 1.4, 2*geom.LinearSlop)
}

// TestOneWayEvents: passing is no contact; landing is one, and names the tile. Rays hit
// the tiles from all sides.
func TestOneWayEvents(t *testing.T) { worldtest.OnCarriers(t, oneWayEvents) }

func oneWayEvents(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	g, way := platforms(t, w, "------------", "", "", "", "")
	b := w.Add(geom.V(6.03, 1), geom.Circle{Radius: 0.4})
	w.SetVelocity(b, geom.V(0, 13))
	for range 200 {
		w.Step(worldtest.DT)
		for _, e := range w.ContactBegins() {
			if w.Position(b).Y < 5.3 || e.Cell != (gridseg.Cell{X: 6, Y: 4}) || e.Ground != g.ID() ||
				e.Tile.Material != uint16(way) {
				t.Errorf("begin %+v with the ball at %v", e, w.Position(b))
			}
		}
		for _, e := range w.Hits() {
			if w.Carrier.LocalVector(e.Normal).Dist(geom.V(0, 1)) > 1e-12 || e.Cell != (gridseg.Cell{X: 6, Y: 4}) {
				t.Errorf("hit %+v", e)
			}
		}
	}
	for _, d := range []geom.Vec{{X: 20}, {X: -20}} {
		hit, ok := w.RayCast(w.Point(geom.V(6, 4.5).Sub(d)), w.Carrier.WorldVector(d), quarry.QueryFilter{Mask: 2})
		if ok {
			t.Errorf("a ray with another mask: %+v", hit)
		}
		hit, ok = w.RayCast(w.Point(geom.V(6, 4.5).Sub(d)), w.Carrier.WorldVector(d), quarry.QueryFilter{})
		if !ok || hit.Tile.Material != uint16(way) || w.Material(g.Material(hit.Tile)).OneWay != quarry.OneWayUp {
			t.Errorf("ray along %v: %+v %v", d, hit, ok)
		}
	}
	if !g.Solid(w.Point(geom.V(6, 4.5))) {
		t.Error("not solid within")
	}
	b.DropThrough(0)
	ends := 0
	for range 60 {
		w.Step(worldtest.DT)
		ends += len(w.ContactEnds())
	}
	if ends != 1 {
		t.Errorf("%d contacts ended", ends)
	}
}
