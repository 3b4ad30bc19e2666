//go:build !js

package natslog

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"
)

// bus is a host.Bus.
type bus struct{ nc *nats.Conn }

// Serve implements host.Bus.
func (b bus) Serve(world string, f func([]byte, func([]byte))) (func(), error) {
	return b.subscribe("q.in."+world, func(m *nats.Msg) {
		f(m.Data, func(answer []byte) { _ = m.Respond(answer) }) // without it the input is sent again
	})
}

// Request implements host.Bus.
func (b bus) Request(ctx context.Context, world string, input []byte) ([]byte, error) {
	m, err := b.nc.RequestWithContext(ctx, "q.in."+world, input)
	if err != nil {
		return nil, fmt.Errorf("natslog: world %s: %w", world, err)
	}
	return m.Data, nil
}

// Publish implements host.Bus. A frame that cannot be sent is lost.
func (b bus) Publish(world string, frame []byte) { _ = b.nc.Publish("q.frame."+world, frame) }

// Watch implements host.Bus.
func (b bus) Watch(world string, f func([]byte)) (func(), error) {
	return b.subscribe("q.frame."+world, func(m *nats.Msg) { f(m.Data) })
}

func (b bus) subscribe(subject string, f nats.MsgHandler) (func(), error) {
	sub, err := b.nc.Subscribe(subject, f)
	if err != nil {
		return nil, fmt.Errorf("natslog: %s: %w", subject, err)
	}
	return func() { _ = sub.Unsubscribe() }, nil
}
