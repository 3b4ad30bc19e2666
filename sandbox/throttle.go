//go:build !js

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

// Limits of the WebSocket frames of one connection. A reader that never waits keeps a processor
// until it is preempted; 64 such readers would delay the loop by half a second.
const (
	frameRate  = 200 // frames a second: messages, their fragments, pings and pongs; a page sends about 120
	frameBurst = 40
	byteRate   = 32 << 10 // bytes a second
	byteBurst  = 32 << 10
	readBytes  = 512 // bytes of one read, so that few frames pass together
	// receiveBuffer bounds the bytes that the system keeps of a client: the queue of a client that sends faster.
	receiveBuffer = 64 << 10
	requestRate   = 100 // HTTP requests a second of one connection
	requestBurst  = 100
)

// longMessage is the length in bytes of messages that are decoded one at a time among all clients,
// because decoding takes up to a millisecond.
const longMessage = 4 << 10

// bucket is a token bucket: rate tokens a second, at most burst at once.
type bucket struct {
	rate, burst float64
	spent       float64 // tokens of burst spent at the time last
	last        time.Time
}

// take takes n tokens and returns the time to wait until they are available.
func (b *bucket) take(n float64, now time.Time) time.Duration {
	b.spent = max(0, b.spent-now.Sub(b.last).Seconds()*b.rate) + n
	b.last = now
	return time.Duration(max(0, b.spent-b.burst) / b.rate * float64(time.Second))
}

// low reports whether more than half of the burst is spent. Then a reader yields to other
// goroutines even if it need not wait.
func (b *bucket) low() bool { return b.spent > b.burst/2 }

// pause waits for d or until ending is closed. It yields to other goroutines even if d is 0.
func pause(ending <-chan struct{}, d time.Duration) {
	if d <= 0 {
		runtime.Gosched()
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ending:
	}
}

// frames counts the WebSocket frames in a stream of bytes.
type frames struct {
	head [10]byte // head of the present frame
	n    int      // bytes of head received
	left uint64   // bytes of the frame's payload to come
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

// slowConn is the connection of a WebSocket, read no faster than byteRate and frameRate.
type slowConn struct {
	net.Conn
	ending            <-chan struct{}
	frames            frames
	byBytes, byFrames bucket
}

// Read implements io.Reader. Only one goroutine may call it at a time.
func (c *slowConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), readBytes)])
	if n > 0 {
		c.took(p[:n])
	}
	return n, err
}

// took counts the bytes and frames of p, and waits if they exceed the limits.
func (c *slowConn) took(p []byte) {
	now := time.Now()
	d := max(c.byBytes.take(float64(len(p)), now), c.byFrames.take(float64(c.frames.count(p)), now))
	if c.byBytes.low() || c.byFrames.low() {
		pause(c.ending, d)
	}
}

// slowHijacker passes websocket.Accept a slowConn.
type slowHijacker struct {
	http.ResponseWriter
	ending <-chan struct{}
	conn   net.Conn // once it is hijacked
}

// Hijack implements http.Hijacker.
func (w *slowHijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetReadBuffer(receiveBuffer) // an error leaves the system's limit
	}
	c := &slowConn{
		Conn: conn, ending: w.ending,
		byBytes: bucket{rate: byteRate, burst: byteBurst}, byFrames: bucket{rate: frameRate, burst: frameBurst},
	}
	if early, err := rw.Peek(rw.Reader.Buffered()); err == nil {
		c.took(early) // bytes received with the request
	}
	w.conn = conn
	return c, rw, nil
}

// requestsOf is the key of a connection's bucket in the contexts of its requests.
type requestsOf struct{}

// slowRequests is the hook http.Server.ConnContext: it gives a connection a bucket.
func slowRequests(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, requestsOf{}, &bucket{rate: requestRate, burst: requestBurst})
}

// throttled answers the requests of a connection no faster than requestRate.
func throttled(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b, ok := r.Context().Value(requestsOf{}).(*bucket); ok {
			pause(r.Context().Done(), b.take(1, time.Now()))
		}
		h.ServeHTTP(w, r)
	})
}
