package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// elements counts the elements of each group, by "group/element".
func elements(t *testing.T, svg []byte) map[string]int {
	t.Helper()
	counts := map[string]int{}
	dec := xml.NewDecoder(bytes.NewReader(svg))
	group := ""
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return counts
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			if start.Name.Local == "g" && a.Name.Local == "id" {
				group = a.Value
			}
			if a.Name.Local == "d" && strings.ContainsAny(a.Value, "NIe") {
				t.Errorf("path data with a number that is none: %s", a.Value)
			}
		}
		counts[group+"/"+start.Name.Local]++
	}
}

func TestSVG(t *testing.T) {
	w := world(t, geom.Vec{}, 0, nil, func(set func(int32, int32, gridseg.Tile)) {
		for x := int32(-5); x < 5; x++ {
			set(x, -1, full(uint16(x&1)))
		}
	})
	for i := range 7 {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(i)-3, 2)})
		w.AddShape(b, geom.NewBox(0.3, 0.3), quarry.ShapeDef{})
	}
	b := w.AddBody(quarry.BodyDef{Position: geom.V(0, 4)})
	w.AddShape(b, geom.Segment{A: geom.V(-1, 0), B: geom.V(1, 0)}, quarry.ShapeDef{})
	c := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(3, 4)})
	w.AddShape(c, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	var out bytes.Buffer
	layers := quarry.DrawNormals | quarry.DrawGhosts | quarry.DrawBoxes | quarry.DrawContacts
	if err := WriteSVG(&out, w, Options{Grid: true, Draw: layers}); err != nil {
		t.Fatal(err)
	}
	got := elements(t, out.Bytes())
	for name, want := range map[string]int{
		"/svg":              1,
		"background/path":   1,
		"grid/path":         2,
		"ground-1/clipPath": 1,
		// The clip, the first colour, the second with its seam, and for each of
		// the two rims a path a colour.
		"ground-1/path": 1 + 1 + 2 + 4,
		"static/path":   1,
		"bodies/path":   7*2 + 3, // inside and outline; a circle has a spoke
		"normals/path":  1,
		"ghosts/path":   2,
		"boxes/path":    1,
		"contacts/path": 0, // nothing touches before the first step
	} {
		if got[name] != want {
			t.Errorf("%d of %s, want %d", got[name], name, want)
		}
	}
	if ids := strings.Count(out.String(), "url(#clip1)"); ids != 1 {
		t.Errorf("the clip is used %d times", ids)
	}
}

type failing struct{ after int }

var errDisk = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

func TestWriterErrors(t *testing.T) {
	w := world(t, geom.Vec{}, 0, geom.Circle{Radius: 0.5}, nil)
	rec, err := NewRecorder(Options{}, 30)
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Frame(w); err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(io.Writer) error{
		"SVG": func(out io.Writer) error { return WriteSVG(out, w, Options{}) },
		"PNG": func(out io.Writer) error { return WritePNG(out, w, Options{}) },
		"GIF": rec.WriteGIF,
	} {
		if err := write(&failing{after: 100}); !errors.Is(err, errDisk) {
			t.Errorf("%s: error %v, want the writer's", name, err)
		}
	}
}
