package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coder/websocket"

	"github.com/quarry2d/quarry/scene"
)

// Config is how a sandbox begins.
type Config struct {
	// Scenes are those that the page lets one choose from: at least one.
	Scenes []scene.Scene
	// Start names the scene to begin with; "" is the first.
	Start string
	// Paused begins with the world standing still.
	Paused bool
	// MaxBodies is how many bodies the world may hold and still be added to
	// by clients; 0 means 20,000. A scene itself may bring more.
	MaxBodies int
	// Log gets a line, without a line end, for a connection that was refused or cut off,
	// with the reason: at most one line a second after a first burst. Any goroutine may call
	// it, but only one at a time. nil logs nothing.
	Log func(line string)
}

// Server is a world that browsers look at and play with. Make one with New,
// start its loop with Run, and serve Handler; or let ListenAndServe do it all.
type Server struct {
	config  Config
	start   scene.Scene
	running atomic.Bool
	join    chan *client
	leave   chan *client
	done    chan struct{} // closed when Run returns
	clients clients
	refused refusals
	open    sync.WaitGroup // WebSockets
	long    chan struct{}  // holds a token while a long message is decoded
	pings   pings
}

// New returns a server that does nothing yet. It panics when c has no scenes,
// or when Start is not one of them.
func New(c Config) *Server {
	if len(c.Scenes) == 0 {
		panic("quarry: sandbox.New: no scenes")
	}
	start := c.Scenes[0]
	if c.Start != "" {
		var ok bool
		if start, ok = find(c.Scenes, c.Start); !ok {
			panic(fmt.Sprintf("quarry: sandbox.New: there is no scene %q", c.Start))
		}
	}
	if c.MaxBodies == 0 {
		c.MaxBodies = 20_000
	}
	return &Server{
		config: c, start: start,
		join: make(chan *client), leave: make(chan *client), done: make(chan struct{}),
		refused: refusals{write: c.Log}, long: make(chan struct{}, 1),
		clients: clients{silence: replaceAfter}, pings: pings{every: pingEvery, within: pongWithin},
	}
}

// Run builds the first scene and moves the world on, 60 steps a second, until
// ctx ends; then every connection is closed. It is called once.
func (s *Server) Run(ctx context.Context) {
	if !s.running.CompareAndSwap(false, true) {
		panic("quarry: sandbox.Server.Run called twice")
	}
	defer close(s.done)
	w := &sim{config: s.config, paused: s.config.Paused}
	w.start(s.start)
	w.run(ctx, s.join, s.leave)
}

// Handler serves the page at / and the WebSocket at /ws.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", page())
	mux.HandleFunc("GET /ws", s.serveSocket)
	return mux
}

// serveSocket is one connection, from beginning to end.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	s.open.Add(1)
	defer s.open.Done()
	ctx, cancel := context.WithCancel(context.Background()) // r's own is of no use once hijacked
	defer cancel()
	c := newClient(r.RemoteAddr)
	out, ok := s.clients.admit(c)
	if !ok {
		why := fmt.Sprintf("the sandbox has %d connections, the most it takes", maxClients)
		s.refused.tell(c.name, "refused", why)
		http.Error(w, why, http.StatusServiceUnavailable)
		return
	}
	defer s.clients.dismiss(c)
	if out != nil {
		s.refused.tell(out.name, "cut off", "it was silent longest when another came and the sandbox was full")
		go out.hangUp(websocket.StatusTryAgainLater, "the sandbox is full, and this connection was silent longest")
	}
	conn, err := websocket.Accept(slowHijacker{w, ctx}, r, nil) // refuses other origins
	if err != nil {
		s.refused.tell(c.name, "refused", err.Error())
		return // Accept has answered
	}
	c.opened(conn)
	select {
	case s.join <- c:
	case <-s.done:
		c.hangUp(websocket.StatusGoingAway, "the sandbox has ended")
		return
	}
	go c.write(ctx)
	go func() {
		if err := s.pings.watch(ctx, conn, c.hear); err != nil {
			s.refused.tell(c.name, "cut off", err.Error())
			conn.CloseNow()
		}
	}()
	read := make(chan struct{})
	go func() {
		defer close(read)
		if err := c.read(ctx, s.long); err != nil {
			if errors.Is(err, errTooManyBad) {
				s.refused.tell(c.name, "cut off", err.Error())
				c.hangUp(websocket.StatusPolicyViolation, err.Error())
			}
			conn.CloseNow()
		}
	}()
	select {
	case <-read:
		select {
		case s.leave <- c:
		case <-s.done:
		}
	case <-s.done:
		c.hangUp(websocket.StatusGoingAway, "the sandbox has ended")
		cancel()
		<-read
	}
}

// Limits of a request to a listening server, so that a request that is sent slowly, or an
// answer that is read slowly, keeps its connection only for a limited time.
const (
	headerTimeout  = 5 * time.Second
	requestTimeout = 10 * time.Second // to read the request
	answerTimeout  = 15 * time.Second // to read the request and write the answer
	idleTimeout    = 60 * time.Second // between two requests of one connection
	maxHeaderBytes = 16 << 10
	// endTimeout is the time that the end of the server waits for requests, and again for
	// WebSockets.
	endTimeout = 200 * time.Millisecond
)

// ListenAndServe runs the sandbox on addr ("127.0.0.1:8080"; port 0 is any
// free one) until ctx ends, and then returns nil. ready, if not nil, is called
// with the address once connections are taken. An address that cannot be
// listened on is an error that says what to do.
//
// On a loopback address only requests to a loopback name are answered, so that
// a web page elsewhere cannot reach the sandbox by giving its own name this
// machine's address.
func (s *Server) ListenAndServe(ctx context.Context, addr string, ready func(addr string)) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return listenError(addr, err)
	}
	handler := s.Handler()
	if a, ok := l.Addr().(*net.TCPAddr); ok && a.IP.IsLoopback() {
		handler = s.loopbackOnly(handler)
	}
	kept := conns{refused: &s.refused}
	h := &http.Server{
		Handler: throttled(handler), ConnContext: slowRequests, ConnState: kept.state,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout, WriteTimeout: answerTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: log.New(io.Discard, "", 0), // faults of requests are not logged
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.Run(ctx)
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	if ready != nil {
		ready(l.Addr().String())
	}
	select {
	case err = <-served:
		cancel()
	case <-ctx.Done():
		end, stop := context.WithTimeout(context.Background(), endTimeout)
		defer stop()
		if err = h.Shutdown(end); errors.Is(err, context.DeadlineExceeded) {
			err = h.Close() // the requests that remain are half sent: nothing is lost
		}
	}
	<-s.done
	// Shutdown leaves WebSockets alone: the end of Run closes them. Clients that do not
	// answer the close are not waited for.
	closed := make(chan struct{})
	go func() { s.open.Wait(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(endTimeout):
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("sandbox: serve %s: %w", addr, err)
	}
	return nil
}

// listenError says what to do about an address that cannot be had.
func listenError(addr string, err error) error {
	const windowsInUse = syscall.Errno(10048) // WSAEADDRINUSE, which syscall.EADDRINUSE is not
	if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsInUse) {
		return fmt.Errorf("the address %s is taken by another program; choose another with --addr, such as --addr 127.0.0.1:0 for any free port: %w", addr, err)
	}
	return fmt.Errorf("cannot listen on %s; choose another address with --addr HOST:PORT: %w", addr, err)
}

// loopbackOnly refuses requests that call this host anything but localhost.
func (s *Server) loopbackOnly(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if host != "localhost" && (err != nil || !ip.IsLoopback()) {
			s.refused.tell(r.RemoteAddr, "refused", fmt.Sprintf("it calls this machine %.60q; a sandbox on a loopback address answers to localhost only", r.Host))
			http.Error(w, "this sandbox answers to localhost only", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}
