package canvas

import (
	"strings"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestCameraShowsTheView: a view is centred in a picture of another aspect ratio, with y up, and a lens maps a frame.
func TestCameraShowsTheView(t *testing.T) {
	c := NewCamera(geom.Box(geom.V(10, 20), geom.V(14, 22)), 40, 40) // 10 pixels a cell
	for p, want := range map[geom.Vec]geom.Vec{
		geom.V(10, 21): geom.V(0, 20), geom.V(14, 21): geom.V(40, 20), geom.V(12, 22): geom.V(20, 10),
	} {
		if got := c.Point(p); got.Dist(want) > 1e-9 {
			t.Errorf("%v is at %v, want %v", p, got, want)
		}
	}
	if v := c.View(); v.Min.Dist(geom.V(10, 19)) > 1e-9 || v.Max.Dist(geom.V(14, 23)) > 1e-9 {
		t.Errorf("the picture shows %v", v)
	}
	l := c.Lens(geom.Transform{P: geom.V(12, 21), Q: geom.Rot{S: 1}}) // a quarter turn
	if got := l.Point(geom.V(1, 0)); got.Dist(geom.V(20, 10)) > 1e-9 {
		t.Errorf("the frame's x axis ends at %v", got)
	}
	if box := l.Visible(); !box.Contains(geom.Box(geom.V(-1.9, -1.9), geom.V(1.9, 1.9))) {
		t.Errorf("of the frame, %v is visible", box)
	}
}

// TestSVGElements: fills, strokes, groups and clips are elements with coordinates of at most two digits after the
// point, and a circle is two arcs.
func TestSVGElements(t *testing.T) {
	var out strings.Builder
	v := NewSVG(&out, 30, 20)
	var p Path
	p.Circle(geom.V(10, 10), 5)
	v.Group("a")
	v.Clip(&p)
	p.Reset()
	if !p.Empty() {
		t.Error("a path that was reset is not empty")
	}
	p.Segment(geom.V(1.0/3, 0), geom.V(-0.001, 2))
	v.Stroke(&p, 1.5, RGB(0x102030).Fade(0.5))
	v.Unclip()
	p.Reset()
	p.Rounded([]geom.Vec{geom.V(0, 0)}, 2)
	v.Fill(&p, RGB(0xffffff).Mix(RGB(0), 1))
	if err := v.Finish(); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(out.String(), "viewBox=\"0 0 30 20\">\n")
	want := `<g id="a">
<clipPath id="clip1"><path d="M15 10A5 5 0 0 0 5 10A5 5 0 0 0 15 10Z"/></clipPath>
<g clip-path="url(#clip1)">
<path fill="none" stroke="#102030" stroke-width="1.5" stroke-opacity="0.5" d="M0.33 0L0 2"/>
</g>
<path fill="#000000" d="M2 0A2 2 0 0 0 -2 0A2 2 0 0 0 2 0Z"/>
</g>
</svg>
`
	if got != want {
		t.Errorf("the file is\n%s, want\n%s", got, want)
	}
}
