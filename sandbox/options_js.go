package sandbox

import (
	"context"

	"github.com/coder/websocket"
)

// options is never used: a wasm program cannot accept connections.
func (c *client) options(context.Context) *websocket.AcceptOptions { return nil }
