//go:build !js

package sandbox

import (
	"context"

	"github.com/coder/websocket"
)

// options makes pings and pongs count against messageRate.
func (c *client) options(ctx context.Context) *websocket.AcceptOptions {
	return &websocket.AcceptOptions{
		OnPingReceived: func(context.Context, []byte) bool { c.wait(ctx); return true },
		OnPongReceived: func(context.Context, []byte) { c.wait(ctx) },
	}
}
