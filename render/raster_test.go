package render

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/canvas"
)

// covered returns the area that white covers on a black picture of 100 x 100.
func covered(draw func(r *raster)) float64 {
	r := newRaster(100, 100)
	var all canvas.Path
	all.Polygon(geom.V(0, 0), geom.V(100, 0), geom.V(100, 100), geom.V(0, 100))
	r.Fill(&all, canvas.Ink{A: 255})
	draw(r)
	sum := 0
	for i := 0; i < len(r.picture.Pix); i += 4 {
		sum += int(r.picture.Pix[i])
	}
	return float64(sum) / 255
}

var white = canvas.Ink{R: 255, G: 255, B: 255, A: 255}

func TestCoverage(t *testing.T) {
	far := 1e12
	for _, tt := range []struct {
		name   string
		add    func(p *canvas.Path)
		stroke float64 // 0: fill
		want   float64
	}{
		{"disc", func(p *canvas.Path) { p.Circle(geom.V(50.3, 49.8), 30.4) }, 0, math.Pi * 30.4 * 30.4},
		{"ring", func(p *canvas.Path) { p.Circle(geom.V(50, 50), 30) }, 3, 2 * math.Pi * 30 * 3},
		{"disc half outside", func(p *canvas.Path) { p.Circle(geom.V(0, 50), 30) }, 0, math.Pi * 450},
		{"disc round everything", func(p *canvas.Path) { p.Circle(geom.V(0, 0), 1e9) }, 0, 10000},
		{"half plane", func(p *canvas.Path) {
			p.Polygon(geom.V(-far, 50), geom.V(far, 50), geom.V(far, far), geom.V(-far, far))
		}, 0, 5000},
		{"box", func(p *canvas.Path) {
			p.Polygon(geom.V(10.5, 10.25), geom.V(20.5, 10.25), geom.V(20.5, 30.5), geom.V(10.5, 30.5))
		}, 0, 202.5},
		{"line", func(p *canvas.Path) { p.Segment(geom.V(10, 10), geom.V(40, 50)) }, 2, 100},
		{"line through", func(p *canvas.Path) { p.Segment(geom.V(-far, 50), geom.V(far, 50)) }, 2, 200},
		{"mitred box", func(p *canvas.Path) {
			p.Polygon(geom.V(20, 20), geom.V(20, 60), geom.V(60, 60), geom.V(60, 20))
		}, 4, 44*44 - 36*36},
		{"outside", func(p *canvas.Path) { p.Circle(geom.V(300, 50), 30) }, 0, 0},
		{"a point", func(p *canvas.Path) { p.Segment(geom.V(50, 50), geom.V(50, 50)) }, 3, 0},
		{"rounded", func(p *canvas.Path) {
			p.Rounded([]geom.Vec{{X: 30, Y: 60}, {X: 60, Y: 60}, {X: 60, Y: 40}, {X: 30, Y: 40}}, 5)
		}, 0, 30*20 + 2*5*50 + math.Pi*25},
	} {
		got := covered(func(r *raster) {
			var p canvas.Path
			tt.add(&p)
			if tt.stroke > 0 {
				r.Stroke(&p, tt.stroke, white)
			} else {
				r.Fill(&p, white)
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
		var p, all canvas.Path
		p.Circle(geom.V(50.2, 50.7), 20)
		all.Polygon(geom.V(-9, -9), geom.V(200, -9), geom.V(200, 200), geom.V(-9, 200))
		r.Clip(&p)
		r.Fill(&all, white)
		r.Unclip()
	})
	if want := math.Pi * 400; math.Abs(got-want) > 0.005*want {
		t.Errorf("covers %v pixels, want %v", got, want)
	}
	if got := covered(func(r *raster) {
		var p canvas.Path
		p.Circle(geom.V(500, 500), 20)
		r.Clip(&p)
		r.Fill(&p, white)
		r.Unclip()
	}); got != 0 {
		t.Errorf("a clip outside of the picture covers %v pixels", got)
	}
}
