package sandbox

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/play"
)

// drawn are the layers of World.Draw that the command "draw" offers. The page draws shapes, surfaces,
// normals and ghost vertices from other messages.
const drawn = quarry.DrawAll &^ (quarry.DrawShapes | quarry.DrawSurfaces | quarry.DrawNormals | quarry.DrawGhosts)

// maxDrawItems bounds the items of a DRAW message; it has at most 36 bytes for each.
const maxDrawItems = 8192

// checkDraw checks the command "draw".
func checkDraw(c *Command) error {
	if len(c.Layers) > 500 {
		return fmt.Errorf("draw: the layers have %d bytes, the limit is 500", len(c.Layers))
	}
	layers, err := quarry.ParseDrawLayers(c.Layers)
	if err != nil {
		return fmt.Errorf("draw: %w", err)
	}
	if more := layers &^ drawn; more != 0 {
		return fmt.Errorf("draw: the layers %v are not offered; those offered are %v", more, drawn)
	}
	return c.CheckLine()
}

// draw sets the layers that the client is sent, and the part of the world.
func draw(_ *sim, c *client, m Command) error {
	c.layers, _ = quarry.ParseDrawLayers(m.Layers) // checkDraw has parsed it
	c.view = geom.Box(geom.V(m.X0, m.Y0), geom.V(m.X1, m.Y1))
	return nil
}

// syncDraw appends a DRAW with the client's layers; none without layers.
func (c *client) syncDraw(s *sim) {
	if c.layers == 0 {
		return
	}
	b := &c.batch
	start, n := len(b.bytes), 0
	b.bytes = appendHeader(b.bytes, msgDraw, 0)
	b.bytes = appendF64(appendF64(append(b.bytes, 0, 0, 0, 0), c.origin.X), c.origin.Y)
	for i := range strings.Count(quarry.DrawAll.String(), ",") + 1 {
		layer := c.layers & (1 << i)
		if layer == 0 {
			continue
		}
		if n == maxDrawItems { // do not list what cannot be sent
			wire.PutUint16(b.bytes[start+2:], flagCut)
			break
		}
		// One layer at a time, so that the list stays small.
		s.Engine().Draw(&s.list, quarry.DrawOptions{Layers: layer, View: c.view, Origin: c.origin})
		items := s.list.Items
		if room := maxDrawItems - n; len(items) > room {
			items = items[:room]
			wire.PutUint16(b.bytes[start+2:], flagCut)
		}
		kind := 0
		for k := range items {
			if k == 0 || items[k].Joint != items[k-1].Joint {
				kind = s.jointKind(&items[k])
			}
			b.bytes = appendDrawItem(b.bytes, byte(i), &items[k], kind)
		}
		n += len(items)
	}
	wire.PutUint32(b.bytes[start+4:], uint32(n))
	b.cut()
}

// jointKind returns 1 + the index in play.JointKinds of the kind of an item's joint; 0 for a drag or no joint.
func (s *sim) jointKind(it *quarry.DrawItem) int {
	if j, ok := s.Engine().Joint(it.Joint); ok && it.Joint != 0 {
		return 1 + slices.Index(play.JointKinds, jointName(j))
	}
	return 0
}

func appendDrawItem(dst []byte, layer byte, it *quarry.DrawItem, kind int) []byte {
	state := byte(kind << 4)
	if it.Asleep {
		state |= 1
	}
	dst = append(dst, layer, byte(it.Form), byte(it.N), state)
	for _, p := range it.Points[:it.N] {
		dst = appendF32(appendF32(dst, p.X), p.Y)
	}
	return dst
}

// drawLayers are the names of all layers, by the number that a DRAW has of a layer.
func drawLayers() []string { return strings.Split(quarry.DrawAll.String(), ",") }
