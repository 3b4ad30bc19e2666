package render

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	red  = 0xc04030
	blue = 0x3060c0
)

// view is the box of the given corners.
func view(x0, y0, x1, y1 float64) geom.AABB {
	return geom.AABB{Min: geom.V(x0, y0), Max: geom.V(x1, y1)}
}

// world has red tiles (material 0) and blue ones (1) on a ground at origin and,
// where it is given, one shape on a body there.
func world(t testing.TB, origin geom.Vec, angle float64, s geom.Shape,
	cells func(set func(x, y int32, tile gridseg.Tile)),
) *quarry.World {
	t.Helper()
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	materials := []quarry.MaterialID{
		w.AddMaterial(quarry.Material{Friction: 0.5, Color: red}),
		w.AddMaterial(quarry.Material{Friction: 0.5, Color: blue}),
	}
	if cells != nil {
		g := gridseg.New(nil)
		cells(func(x, y int32, tile gridseg.Tile) {
			if err := g.Set(x, y, tile); err != nil {
				t.Fatal(err)
			}
		})
		b := w.AddBody(quarry.BodyDef{Position: origin, Angle: angle})
		if _, err := w.AddGround(b, quarry.GroundDef{Grid: g, Materials: materials}); err != nil {
			t.Fatal(err)
		}
	}
	if s != nil {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: origin, Angle: angle})
		w.AddShape(b, s, quarry.ShapeDef{Material: materials[1]})
	}
	return w
}

func mustImage(t testing.TB, w *quarry.World, o Options) *image.RGBA {
	t.Helper()
	img, err := Image(w, o)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func hex(c uint32) color.RGBA { return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255} }

func full(material uint16) gridseg.Tile { return gridseg.Tile{Shape: gridseg.Full, Material: material} }

func TestColours(t *testing.T) {
	w := world(t, geom.V(0, 0), 0, geom.NewOffsetBox(1, 1, geom.V(5, 4), geom.Identity), func(set func(int32, int32,
		gridseg.Tile),
	) {
		for x := int32(0); x < 4; x++ {
			set(x, 0, full(0))
			set(x, 1, full(uint16(x)%2))
		}
		set(6, 0, gridseg.Tile{Shape: gridseg.Ramp})
	})
	// 40 pixels a cell; pixel (x, y) is the cell (x/40, (240-y)/40).
	img := mustImage(t, w, Options{View: view(0, 0, 10, 6), Width: 400, Height: 240, Background: 0x102030})
	for _, tt := range []struct {
		name string
		x, y float64 // in cells
		want uint32
	}{
		{"tile 0,0", 0.5, 0.5, red},
		{"tile 1,1", 1.5, 1.5, blue},
		{"tile 2,1", 2.5, 1.5, red},
		{"ramp, low right", 6.7, 0.35, red},
		{"ramp, high left", 6.2, 0.8, 0x102030},
		{"body", 5, 4, blue},
		{"above the tiles", 2, 2.2, 0x102030},
		{"right of the tiles", 4.3, 1, 0x102030},
		{"corner", 9.95, 5.95, 0x102030},
	} {
		if got := img.RGBAAt(int(tt.x*40), int((6-tt.y)*40)); got != hex(tt.want) {
			t.Errorf("%s: pixel %v, want %v", tt.name, got, hex(tt.want))
		}
	}
}

// Between two tiles nothing may shine through: at any zoom and offset, along
// rows, columns and diagonals, between one colour and, mixed of nothing but the
// two, between two colours.
func TestSeams(t *testing.T) {
	block := func(material func(x, y int32) uint16) func(func(int32, int32, gridseg.Tile)) {
		return func(set func(int32, int32, gridseg.Tile)) {
			for y := int32(0); y < 12; y++ {
				for x := int32(0); x < 12; x++ {
					tile := full(material(x, y))
					switch {
					case x == 5 && y == 5: // two shapes that do not make a run
						tile.Shape = gridseg.Slab
					case x == 5 && y == 6:
						tile.Shape, tile.Turn = gridseg.Slab, 2
					case x == 6 && y == 5:
						continue
					}
					set(x, y, tile)
				}
			}
		}
	}
	one := func(x, y int32) uint16 { return 0 }
	two := func(x, y int32) uint16 { return uint16(x+y) % 2 }
	for _, zoom := range []float64{7, 13.37, 31.9, 64, 100.01} {
		for _, at := range []geom.Vec{{X: 3, Y: 3}, {X: 3.1234, Y: 9.77}} {
			for _, angle := range []float64{0, 0.3} {
				// A window of 1.6 x 1.6 cells round a corner of tiles, deep inside.
				middle := geom.NewRot(angle).Apply(at)
				size := int(1.6 * zoom)
				half := geom.V(float64(size)/zoom/2, float64(size)/zoom/2)
				o := Options{
					View: geom.AABB{Min: middle.Sub(half), Max: middle.Add(half)}, Width: size, Height: size,
					Background: 0x00ff00,
				}
				img := mustImage(t, world(t, geom.Vec{}, angle, nil, block(one)), o)
				for i := 0; i < len(img.Pix); i += 4 {
					if p := img.RGBAAt(i/4%size, i/4/size); p != hex(red) {
						t.Fatalf("zoom %v at %v turned %v: pixel (%d,%d) is %v", zoom, at, angle, i/4%size, i/4/size, p)
					}
				}
				img = mustImage(t, world(t, geom.Vec{}, angle, nil, block(two)), o)
				for i := 0; i < len(img.Pix); i += 4 {
					if g := img.Pix[i+1]; g > 0x61 {
						t.Fatalf("zoom %v at %v turned %v: the background shows at (%d,%d)", zoom, at, angle, i/4%size,
							i/4/size)
					}
				}
			}
		}
	}
}

// A body's area in pixels is its area in cells: its outline lies inside.
func TestArea(t *testing.T) {
	for _, tt := range []struct {
		name  string
		shape geom.Shape
		area  float64
	}{
		{"circle", geom.Circle{Radius: 1.5}, math.Pi * 2.25},
		{"small circle", geom.Circle{Radius: 0.2}, math.Pi * 0.04},
		{"capsule", geom.Capsule{A: geom.V(-1, 0), B: geom.V(1, 0.5), Radius: 0.5}, math.Pi*0.25 + math.Sqrt(4.25)},
		{"box", geom.NewBox(1, 0.5), 2},
		{"rounded box", geom.NewRoundedBox(1, 0.5, 0.3), 2 + 2*3*0.3 + math.Pi*0.09},
	} {
		for _, angle := range []float64{0, 0.7, 3} {
			w := world(t, geom.V(2, 1), angle, tt.shape, nil)
			img := mustImage(t, w, Options{View: view(-1, -2, 5, 4), Width: 300, Height: 300, Background: 0x010101})
			// Coverage by the blue channel: outside 1, inside at least blue's.
			sum := 0.0
			for i := 2; i < len(img.Pix); i += 4 {
				sum += min(float64(img.Pix[i]-1)/0xbf, 1)
			}
			if got := sum / 2500; math.Abs(got-tt.area) > 0.02*tt.area {
				t.Errorf("%s turned %v: area %v, want %v", tt.name, angle, got, tt.area)
			}
		}
	}
}

func TestFarAwayLooksTheSame(t *testing.T) {
	picture := func(at geom.Vec, cx, cy int32) *image.RGBA {
		w := quarry.NewWorld(quarry.Config{})
		g := gridseg.New(nil)
		for x := int32(-8); x < 8; x++ {
			for y := int32(-3); y <= x%3; y++ {
				if err := g.Set(cx+x, cy+y, full(uint16(y+3))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := w.AddGround(0, quarry.GroundDef{Grid: g}); err != nil {
			t.Fatal(err)
		}
		for i, s := range []geom.Shape{
			geom.Circle{Radius: 0.5},
			geom.NewRoundedBox(0.5, 0.25, 0.125),
			geom.Capsule{A: geom.V(-0.5, 0), B: geom.V(0.5, 0), Radius: 0.25},
			geom.NewBox(0.5, 0.5),
		} {
			b := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: at.Add(geom.V(2*float64(i)-3.25, 3.5)),
				Angle: float64(i),
			})
			w.AddShape(b, s, quarry.ShapeDef{})
		}
		v := view(-7.5, -3.25, 6.5, 6).Translate(at)
		return mustImage(t, w,
			Options{View: v, Grid: true, Draw: quarry.DrawNormals | quarry.DrawGhosts | quarry.DrawBoxes})
	}
	near := picture(geom.Vec{}, 0, 0)
	for _, at := range []geom.Vec{{X: 10_000_000, Y: 10_000_000}, {X: -10_000_000, Y: 20}} {
		far := picture(at, int32(at.X), int32(at.Y))
		if !bytes.Equal(near.Pix, far.Pix) {
			t.Errorf("the picture at %v differs from the one at the origin", at)
		}
	}
}

func TestBadOptions(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	for name, o := range map[string]Options{
		"NaN":           {View: view(math.NaN(), 0, 1, 1)},
		"infinite":      {View: view(0, 0, math.Inf(1), 1)},
		"empty":         {View: view(1, 0, 0, 1)},
		"a point":       {View: view(1, 1, 1, 1)},
		"too far":       {View: view(0, 0, 1e300, 1)},
		"too wide":      {Width: MaxSide + 1},
		"negative":      {Height: -1},
		"too many":      {Width: MaxSide, Height: MaxSide},
		"no such ink":   {Background: 0x1000000},
		"NaN elsewhere": {View: view(0, 0, 1, math.NaN())},
	} {
		if img, err := Image(w, o); err == nil || img != nil {
			t.Errorf("%s: Image took %+v", name, o)
		} else if !strings.HasPrefix(err.Error(), "render: ") {
			t.Errorf("%s: error %q does not say whose it is", name, err)
		}
		var out bytes.Buffer
		if WritePNG(&out, w, o) == nil || WriteSVG(&out, w, o) == nil || out.Len() > 0 {
			t.Errorf("%s: was written", name)
		}
		if _, err := NewRecorder(o, 30); err == nil {
			t.Errorf("%s: NewRecorder took it", name)
		}
	}
}

// A view without height or width, a huge one and a tiny one are fine.
func TestOddViews(t *testing.T) {
	w := world(t, geom.Vec{}, 0, geom.Circle{Radius: 0.5}, func(set func(int32, int32, gridseg.Tile)) {
		set(0, -1, full(0))
		set(math.MaxInt32/2, 7, full(1))
	})
	for _, v := range []geom.AABB{
		view(-1, 0, 1, 0), view(0, -3, 0, 3), view(-1e15, -1, 1e15, 1),
		view(0, 0, 1e-5, 1e-5), view(1e9, 1e9, 1e9+10, 1e9+10),
		{},
	} {
		o := Options{
			View: v, Grid: true, Width: 64, Height: 48,
			Draw: quarry.DrawNormals | quarry.DrawGhosts | quarry.DrawBoxes | quarry.DrawContacts,
		}
		mustImage(t, w, o)
		if err := WriteSVG(&bytes.Buffer{}, w, o); err != nil {
			t.Error(err)
		}
	}
}

func TestPNG(t *testing.T) {
	w := world(t, geom.Vec{}, 0, geom.Circle{Radius: 0.5}, nil)
	before := w.Hash()
	var out bytes.Buffer
	if err := WritePNG(&out, w, Options{}); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	if want := image.Rect(0, 0, DefaultWidth, DefaultHeight); img.Bounds() != want {
		t.Errorf("bounds %v, want %v", img.Bounds(), want)
	}
	if w.Hash() != before {
		t.Error("drawing changed the world")
	}
}

func TestFit(t *testing.T) {
	empty := Fit(quarry.NewWorld(quarry.Config{}))
	if empty != view(-4, -2.25, 4, 2.25) {
		t.Errorf("an empty world: %v", empty)
	}
	w := world(t, geom.V(30, 5), 0.5, geom.Circle{Radius: 2}, func(set func(int32, int32, gridseg.Tile)) {
		set(-20, 3, full(0))
		set(60, -4, full(1))
	})
	got := Fit(w)
	tr := geom.Transform{P: geom.V(30, 5), Q: geom.NewRot(0.5)}
	for _, p := range []geom.Vec{tr.Apply(geom.V(-20, 4)), tr.Apply(geom.V(61, -4)), {X: 28, Y: 3}, {X: 32, Y: 7}} {
		if !got.ContainsPoint(p) {
			t.Errorf("%v does not hold %v", got, p)
		}
	}
	if size := got.Size(); size.X > 100 || size.Y > 100 {
		t.Errorf("%v is larger than need be", got)
	}
}
