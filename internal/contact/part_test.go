package contact_test

import (
	"testing"

	"github.com/quarry2d/quarry/internal/contact"
)

// TestPartString: the text of each kind has the fields that the kind sets, and no others.
func TestPartString(t *testing.T) {
	full := contact.Part{Index: 2, X: -1, Y: 3, Offset: 4096}
	for kind, want := range []string{
		"nothing", "vertex 2", "edge 2", "ground line (-1, 3) at 4096", "ground vertex (-1, 3)",
		"chain face 2", "chain corner 2", "inside ground", "FeatureKind(8)",
	} {
		p := full
		p.Kind = contact.PartKind(kind)
		if got := p.String(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
		p.Another = true
		if got := p.String(); got != want+", another way" {
			t.Errorf("%q, not %q, another way", got, want)
		}
	}
}

// TestParts: side A of each kind of Feature is the part that the kind describes.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		f    contact.Feature
		want contact.Part
	}{
		{contact.Feature{}, contact.Part{}},
		{contact.Feature{Kind: contact.Line, X: 5, Y: -1 << 32}, contact.Part{
			Kind: contact.GroundLine, X: -1,
			Offset: 5,
		}},
		{contact.Feature{Kind: contact.LineEnd, X: 5, Y: 2<<32 | 3}, contact.Part{
			Kind:    contact.GroundLine,
			Another: true, X: 2, Y: 3, Offset: 5,
		}},
		{contact.Feature{Kind: contact.Vertex, X: 5, Y: -6}, contact.Part{Kind: contact.GroundVertex, X: 5, Y: -6}},
		{contact.Feature{Kind: contact.ChainFace, X: 7}, contact.Part{Kind: contact.ChainRun, Index: 7}},
		{contact.Feature{Kind: contact.Corner, X: 7, Y: 3}, contact.Part{
			Kind: contact.ChainCorner, Another: true,
			Index: 7,
		}},
		{contact.Feature{Kind: contact.Inside, X: 1, Y: 2}, contact.Part{Kind: contact.InsideGround}},
		{contact.Feature{Kind: contact.Escape}, contact.Part{Kind: contact.InsideGround}},
	} {
		if a, b := c.f.Parts(); a != c.want || b != (contact.Part{}) {
			t.Errorf("%+v: %v; %v, not %v", c.f, a, b, c.want)
		}
	}
}
