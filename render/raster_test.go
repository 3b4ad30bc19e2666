package render

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// covered returns the area that white covers on a black picture of 100 x 100.
func covered(draw func(r *raster)) float64 {
	r := newRaster(100, 100)
	var all path
	all.polygon(geom.V(0, 0), geom.V(100, 0), geom.V(100, 100), geom.V(0, 100))
	r.fill(&all, ink{0, 0, 0, 255})
	draw(r)
	sum := 0
	for i := 0; i < len(r.picture.Pix); i += 4 {
		sum += int(r.picture.Pix[i])
	}
	return float64(sum) / 255
}

var white = ink{255, 255, 255, 255}

func TestCoverage(t *testing.T) {
	far := 1e12
	for _, tt := range []struct {
		name   string
		add    func(p *path)
		stroke float64 // 0: fill
		want   float64
	}{
		{"disc", func(p *path) { p.circle(geom.V(50.3, 49.8), 30.4) }, 0, math.Pi * 30.4 * 30.4},
		{"ring", func(p *path) { p.circle(geom.V(50, 50), 30) }, 3, 2 * math.Pi * 30 * 3},
		{"disc half outside", func(p *path) { p.circle(geom.V(0, 50), 30) }, 0, math.Pi * 450},
		{"disc round everything", func(p *path) { p.circle(geom.V(0, 0), 1e9) }, 0, 10000},
		{"half plane", func(p *path) {
			p.polygon(geom.V(-far, 50), geom.V(far, 50), geom.V(far, far), geom.V(-far, far))
		}, 0, 5000},
		{"box", func(p *path) {
			p.polygon(geom.V(10.5, 10.25), geom.V(20.5, 10.25), geom.V(20.5, 30.5), geom.V(10.5, 30.5))
		}, 0, 202.5},
		{"line", func(p *path) { p.segment(geom.V(10, 10), geom.V(40, 50)) }, 2, 100},
		{"line through", func(p *path) { p.segment(geom.V(-far, 50), geom.V(far, 50)) }, 2, 200},
		{"mitred box", func(p *path) {
			p.polygon(geom.V(20, 20), geom.V(20, 60), geom.V(60, 60), geom.V(60, 20))
		}, 4, 44*44 - 36*36},
		{"outside", func(p *path) { p.circle(geom.V(300, 50), 30) }, 0, 0},
		{"a point", func(p *path) { p.segment(geom.V(50, 50), geom.V(50, 50)) }, 3, 0},
		{"rounded", func(p *path) {
			p.rounded([]geom.Vec{{X: 30, Y: 60}, {X: 60, Y: 60}, {X: 60, Y: 40}, {X: 30, Y: 40}}, 5)
		}, 0, 30*20 + 2*5*50 + math.Pi*25},
	} {
		got := covered(func(r *raster) {
			var p path
			tt.add(&p)
			if tt.stroke > 0 {
				r.stroke(&p, tt.stroke, white)
			} else {
				r.fill(&p, white)
			}
		})
		if math.Abs(got-tt.want) > 0.5+0.008*tt.want {
			t.Errorf("%s: covers %v pixels, want %v", tt.name, got, tt.want)
		}
	}
}

// Drawing under a clip changes pixels of the clip only.
func TestClip(t *testing.T) {
	got := covered(func(r *raster) {
		var p, all path
		p.circle(geom.V(50.2, 50.7), 20)
		all.polygon(geom.V(-9, -9), geom.V(200, -9), geom.V(200, 200), geom.V(-9, 200))
		r.clip(&p)
		r.fill(&all, white)
		r.unclip()
	})
	if want := math.Pi * 400; math.Abs(got-want) > 0.005*want {
		t.Errorf("covers %v pixels, want %v", got, want)
	}
	if got := covered(func(r *raster) {
		var p path
		p.circle(geom.V(500, 500), 20)
		r.clip(&p)
		r.fill(&p, white)
		r.unclip()
	}); got != 0 {
		t.Errorf("a clip outside of the picture covers %v pixels", got)
	}
}

func TestInsetLeavesNoInsideOutFigure(t *testing.T) {
	var l lens
	l.scale, l.t = 10, geom.At(geom.Vec{})
	thin := geom.NewBox(2, 0.02)
	f := figureOf(thin, l)
	if g, ok := f.inset(1); ok {
		t.Errorf("a box 0.4 pixels high was inset by 1: %v", g)
	}
	box := geom.NewBox(2, 1)
	f = figureOf(box, l)
	g, ok := f.inset(1)
	if !ok {
		t.Fatal("a box of 40 x 20 pixels could not be inset by 1")
	}
	for i := range g.n {
		if p := g.pts[i]; math.Abs(math.Abs(p.X)-19) > 1e-9 || math.Abs(math.Abs(p.Y)-9) > 1e-9 {
			t.Errorf("corner %d went to %v", i, p)
		}
	}
}
