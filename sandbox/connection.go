//go:build !js

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

const (
	// maxBad is the number of invalid messages after which a client is dropped.
	maxBad = 500
	// writeTimeout is the time limit for one message to be taken by the client.
	writeTimeout = 30 * time.Second
	// closeTimeout is the time limit for the client's answer to a close.
	closeTimeout = time.Second
)

// connection is the WebSocket of a client.
type connection struct {
	*client
	name  string               // the address, for the log
	heard atomic.Int64         // time of the last message or pong, in Unix nanoseconds
	once  sync.Once            // of hangUp
	code  websocket.StatusCode // to close with; 0 closes without a message
	why   string
	gone  chan struct{} // closed when no goroutine of the connection runs any more
}

func newConnection(name string) *connection {
	c := &connection{client: newClient(), name: name, gone: make(chan struct{})}
	c.hear()
	return c
}

// hear records the time of a message or pong.
func (c *connection) hear() { c.heard.Store(time.Now().UnixNano()) }

// hangUp begins the end of the connection: it is closed with the code and the reason, or, with code 0, without a
// message. Only the first call counts. It may be called on any goroutine, and does not wait.
func (c *connection) hangUp(code websocket.StatusCode, why string) {
	c.once.Do(func() {
		c.code, c.why = code, why
		close(c.ending)
	})
}

// serve runs the goroutines of an open connection until its end, whoever sees that first: the reader, the writer,
// the pings, a client that takes its place, or the server. When it returns, none of them runs any more.
func (c *connection) serve(conn *websocket.Conn, raw net.Conn, s *Server) {
	// a request's context does not end with a hijacked connection
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var parts sync.WaitGroup
	parts.Go(func() { c.write(ctx, conn) })
	parts.Go(func() {
		if err := s.pings.watch(ctx, conn, c.hear); err != nil {
			s.refused.tell(c.name, "dropped", err.Error())
			c.hangUp(0, "")
		}
	})
	parts.Go(func() {
		switch err := c.read(conn, s.long); {
		case errors.Is(err, errTooManyBad):
			s.refused.tell(c.name, "dropped", err.Error())
			c.hangUp(websocket.StatusPolicyViolation, err.Error())
		default:
			c.hangUp(0, "")
		}
	})
	select {
	case <-c.ending:
	case <-s.done:
		c.hangUp(websocket.StatusGoingAway, "the sandbox has ended")
	}
	if c.code != 0 { // wait for the client's answer, for a short time
		t := time.AfterFunc(closeTimeout, func() { raw.Close() }) // CloseNow would wait for Close
		conn.Close(c.code, c.why)
		t.Stop()
	}
	cancel()
	raw.Close()
	conn.CloseNow()
	parts.Wait()
}

// errTooManyBad is the error of read after maxBad bad messages.
var errTooManyBad = fmt.Errorf("%d bad messages", maxBad)

// read puts commands into the inbox until the connection ends, and returns the reason. long holds a
// token while a long message is decoded.
func (c *connection) read(conn *websocket.Conn, long chan struct{}) error {
	conn.SetReadLimit(MaxMessage)
	for bad := 0; ; {
		// A cancellable context would cost an allocation for each frame; closing the connection
		// ends Read too.
		kind, message, err := conn.Read(context.Background())
		if err != nil {
			return err
		}
		c.hear()
		r := decode(kind, message, long)
		if r.err == nil && r.command.Do == "ack" {
			c.acked.Store(r.command.Seq)
			continue
		}
		if r.err != nil {
			if bad++; bad >= maxBad {
				return errTooManyBad
			}
		}
		select {
		case c.inbox <- r:
		case <-c.ending:
			return net.ErrClosed
		}
	}
}

// decode decodes a message.
func decode(kind websocket.MessageType, message []byte, long chan struct{}) (r request) {
	if kind != websocket.MessageText {
		r.err = errors.New("the message is binary; commands are JSON in text messages")
		return r
	}
	if len(message) >= longMessage {
		long <- struct{}{}
		defer func() { <-long }()
	}
	r.command, r.err = DecodeCommand(message)
	return r
}

// write sends batches until the connection or ctx ends.
func (c *connection) write(ctx context.Context, conn *websocket.Conn) {
	for {
		select {
		case <-ctx.Done():
			return
		case b := <-c.outbox:
			from := 0
			for _, to := range b.ends {
				if send(ctx, conn, b.bytes[from:to]) != nil {
					c.hangUp(0, "")
					return
				}
				from = to
			}
			c.idle.Store(true)
		}
	}
}

func send(ctx context.Context, conn *websocket.Conn, message []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return conn.Write(ctx, websocket.MessageBinary, message)
}
