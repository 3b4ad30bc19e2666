//go:build !js

package sandbox

import (
	"testing"

	"github.com/quarry2d/quarry/scene"
)

// A client walks; the others see the character, and it vanishes with the client.
func TestDriveOverTheWire(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{pit}, Guests: Play})
	a, b := dial(t, addr), dial(t, addr)
	a.send(`{"do":"board","x":-5,"y":1,"all":true}`)
	a.until("a character", func() bool { return a.status.Drives != 0 && a.status.Walks })
	a.send(`{"do":"drive","keys":2}`)
	walker := func() *peerBody {
		for _, q := range b.bodies {
			if uint64(q.id) == a.status.Drives && q.placed {
				return q
			}
		}
		return nil
	}
	b.until("its way", func() bool { return walker() != nil && walker().at.X > -4 })
	a.send(`{"do":"drive","keys":16}`)
	a.until("a refusal", a.last("keys 16"))
	a.conn.CloseNow()
	b.until("its end", func() bool { return walker() == nil })
}
