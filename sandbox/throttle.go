package sandbox

import (
	"bufio"
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"runtime"
	"time"
)

// Limits of the WebSocket frames of one connection. A reader that never waits keeps a
// processor until it is preempted, and 64 such readers would delay the loop by half a second.
const (
	frameRate    = 200 // frames a second: messages, their fragments, pings and pongs; a page sends some 120
	frameBurst   = 40
	byteRate     = 32 << 10 // bytes a second
	byteBurst    = 32 << 10
	readBytes    = 512 // read at once, so that few frames pass together
	requestRate  = 100 // HTTP requests a second of one connection
	requestBurst = 100
)

// longMessage is the length in bytes from which on messages of all clients are decoded one
// at a time: to decode one takes up to a millisecond.
const longMessage = 4 << 10

// bucket is a token bucket of rate tokens a second, and burst at once.
type bucket struct {
	rate, burst float64
	spent       float64 // of burst, at the time last
	last        time.Time
}

// take takes n tokens and returns the time to wait until they are available.
func (b *bucket) take(n float64, now time.Time) time.Duration {
	b.spent = max(0, b.spent-now.Sub(b.last).Seconds()*b.rate) + n
	b.last = now
	return time.Duration(max(0, b.spent-b.burst) / b.rate * float64(time.Second))
}

// low reports whether half of the burst is spent. A reader for whom it is not goes on at
// once; the others give way, even if they need not wait.
func (b *bucket) low() bool { return b.spent > b.burst/2 }

// pause waits for d, or until ctx ends. It gives way to other goroutines in any case.
func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		runtime.Gosched()
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// frames counts the WebSocket frames in a stream of bytes.
type frames struct {
	head [10]byte // of the frame that begins
	n    int      // bytes of head that have come
	left uint64   // bytes of the frame that follow its head
}

// count returns the number of frames whose heads end in p.
func (f *frames) count(p []byte) (n int) {
	for len(p) > 0 {
		if f.left > 0 {
			k := min(f.left, uint64(len(p)))
			f.left -= k
			p = p[k:]
			continue
		}
		f.head[f.n] = p[0]
		f.n++
		p = p[1:]
		if f.n < 2 {
			continue
		}
		length := uint64(f.head[1] & 0x7f)
		switch {
		case length == 126 && f.n < 4, length == 127 && f.n < 10:
			continue
		case length == 126:
			length = uint64(binary.BigEndian.Uint16(f.head[2:]))
		case length == 127:
			length = binary.BigEndian.Uint64(f.head[2:]) &^ (1 << 63)
		}
		if f.head[1]&0x80 != 0 {
			length += 4 // the mask
		}
		f.n, f.left = 0, length
		n++
	}
	return n
}

// slowConn is the connection of a WebSocket. It is read no faster than byteRate and
// frameRate.
type slowConn struct {
	net.Conn
	ctx    context.Context
	frames frames
	// Limits of bytes and of frames.
	byBytes, byFrames bucket
}

// Read is called by one goroutine at a time.
func (c *slowConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), readBytes)])
	if n > 0 {
		c.took(p[:n])
	}
	return n, err
}

// took counts what has been read, and waits.
func (c *slowConn) took(p []byte) {
	now := time.Now()
	d := max(c.byBytes.take(float64(len(p)), now), c.byFrames.take(float64(c.frames.count(p)), now))
	if c.byBytes.low() || c.byFrames.low() {
		pause(c.ctx, d)
	}
}

// slowHijacker makes the connection that websocket.Accept takes over a slowConn.
type slowHijacker struct {
	http.ResponseWriter
	ctx context.Context
}

// Hijack hands over the connection.
func (w slowHijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	c := &slowConn{
		Conn: conn, ctx: w.ctx,
		byBytes: bucket{rate: byteRate, burst: byteBurst}, byFrames: bucket{rate: frameRate, burst: frameBurst},
	}
	if early, err := rw.Peek(rw.Reader.Buffered()); err == nil {
		c.took(early) // frames that came with the request
	}
	return c, rw, nil
}

// requestsOf is the key of a connection's bucket in the contexts of its requests.
type requestsOf struct{}

// slowRequests is for http.Server.ConnContext: it gives a connection a bucket.
func slowRequests(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, requestsOf{}, &bucket{rate: requestRate, burst: requestBurst})
}

// throttled answers the requests of one connection, which come one after another, no
// faster than requestRate.
func throttled(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b, ok := r.Context().Value(requestsOf{}).(*bucket); ok {
			pause(r.Context(), b.take(1, time.Now()))
		}
		h.ServeHTTP(w, r)
	})
}
