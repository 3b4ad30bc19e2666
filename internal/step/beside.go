package step

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/state"
)

// resting is a shape on a surface: a ground or chain, or a shape of a static or kinematic body.
type resting struct {
	contact *state.Contact
	shape   int32 // slot
	body    int32 // of the shape
}

// beginSeam begins the seam of c, of a shape of a and one of b, of which one is not dynamic.
func (k *narrower) beginSeam(c *state.Contact, a, b *state.Body) {
	if a.Type == broad.DynamicBody {
		k.resting = resting{c, c.ShapeA, c.BodyA}
		k.seam.Begin(b, b.Transform())
		return
	}
	k.resting = resting{c, c.ShapeB, c.BodyB}
	k.seam.Begin(a, a.Transform())
}

// AppendBeside implements narrow.SeamSource. It reads poses, lists of contacts and the one-way tiles that a shape
// stands on, which the narrow phase does not change.
func (k *narrower) AppendBeside(dst []narrow.SeamNeighbour) []narrow.SeamNeighbour {
	w, at := k.world, &k.resting
	for _, o := range w.ContactsOf(at.body) {
		if o == at.contact || o.Sensor || o.Refused || o.ShapeB != at.shape && o.ShapeA != at.shape {
			continue
		}
		body, s := o.BodyA, narrow.SeamSurface{}
		switch owner := w.Contacts.SideA(o); {
		case o.ShapeA == at.shape:
			body, s.Hull = o.BodyB, &w.Shapes.At(o.ShapeB).Hull
		case owner.Kind() == broad.Shape:
			s.Hull = &w.Shapes.At(o.ShapeA).Hull
		case owner.Kind() == broad.Ground:
			s.Tiles, s.OneWay = &w.Grounds.At(owner.Slot()).Tiles, &w.Contacts.SurfaceOf(o).OneWay
		default:
			s.Chain = &w.Chains.At(owner.Slot()).Chain
		}
		if b := w.Bodies.At(body); b.Type != broad.DynamicBody || s.Tiles != nil {
			dst = append(dst, narrow.SeamNeighbour{SeamSurface: s, On: b})
		}
	}
	return dst
}
