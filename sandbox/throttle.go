package sandbox

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"runtime"
	"time"
)

// Limits of the messages of one connection. A reader that never waits keeps a processor
// until it is preempted, and 64 such readers would delay the loop by half a second.
const (
	messageRate  = 200 // messages, pings and pongs a second: a page sends some 120
	messageBurst = 40
	byteRate     = 64 << 10 // bytes a second
	byteBurst    = MaxMessage
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

// slowConn is a connection that is read no faster than byteRate.
type slowConn struct {
	net.Conn
	ctx   context.Context
	bytes bucket
}

// Read is called by one goroutine at a time.
func (c *slowConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		if d := c.bytes.take(float64(n), time.Now()); c.bytes.low() {
			pause(c.ctx, d)
		}
	}
	return n, err
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
	return &slowConn{Conn: conn, ctx: w.ctx, bytes: bucket{rate: byteRate, burst: byteBurst}}, rw, nil
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
