//go:build !js

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

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/scene"
)

// Server is a world that browsers show and edit. Make one with New, then call ListenAndServe; or
// call Run and serve Handler.
type Server struct {
	config  Config
	start   scene.Scene
	running atomic.Bool
	join    chan *client
	done    chan struct{} // closed when Run returns
	clients clients
	refused refusals
	open    sync.WaitGroup // WebSockets
	long    chan struct{}  // holds a token while a long message is decoded
	pings   pings
	busy    atomic.Int64 // see sim
	// longStep is the constant longStep; tests use more.
	longStep time.Duration
	left     time.Time               // when the world was last abandoned; show has it
	engine   string                  // see host.Config; tests have several
	finds    host.Finder             // of a world that is kept: the scene of a file may be missing the next time
	calls    chan func(*sim)         // to the loop
	library  atomic.Pointer[library] // nil: no worlds are kept under names
	roles    func(*http.Request) (Role, error)
	exports  exports
	pictures pictures
	epoch    uint64       // of the owner, in Worlds
	handler  http.Handler // Handler, in Worlds
	imports  sync.Mutex   // held while files become a world
}

// New returns a server that is not running. It panics if c has no scenes or Start is not the name
// of one.
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
		c.MaxBodies = defaultMaxBodies
	}
	s := &Server{
		calls:  make(chan func(*sim)),
		config: c, start: start, finds: scene.Get,
		join: make(chan *client), done: make(chan struct{}),
		refused: refusals{write: c.Log}, long: make(chan struct{}, 1),
		clients: clients{silence: replaceAfter}, pings: pings{every: pingEvery, within: pongWithin}, longStep: longStep,
	}
	s.roles = s.roleOfToken
	return s
}

// Handler serves the page at / and the WebSocket at /ws.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", page())
	mux.HandleFunc("GET /ws", s.serveSocket)
	s.serveWorlds(mux)
	return mux
}

// roleOf returns the role of a request. If its token is unknown, roleOf answers the request and returns false.
func (s *Server) roleOf(w http.ResponseWriter, r *http.Request) (Role, bool) {
	role, err := s.roles(r)
	return role, s.refused.admit(w, r, role, err)
}

// roleOfToken returns the role of a request by Config.Tokens.
func (s *Server) roleOfToken(r *http.Request) (role Role, err error) {
	role = s.config.Guests
	if token := r.URL.Query().Get("token"); token != "" {
		var ok bool
		if role, ok = s.config.Tokens[token]; !ok {
			err = errToken
		}
	}
	return role, err
}

// admit reports whether a client is let in. If not, admit answers its request.
func (s *refusals) admit(w http.ResponseWriter, r *http.Request, role Role, err error) bool {
	if err == nil && role == None {
		err = errors.New("its link has no token")
	}
	if err != nil {
		s.tell(r.RemoteAddr, "refused", err.Error())
		http.Error(w, err.Error(), http.StatusForbidden)
	}
	return err == nil
}

// serveSocket serves a WebSocket until it ends.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	if role, ok := s.roleOf(w, r); ok {
		s.serveClient(w, r, role)
	}
}

// serveClient serves the WebSocket of a client with a role until it ends.
func (s *Server) serveClient(w http.ResponseWriter, r *http.Request, role Role) {
	s.open.Add(1)
	defer s.open.Done()
	c := newConnection(r.RemoteAddr)
	c.role = role
	if !s.clients.admit(c, func(out *connection) {
		s.refused.tell(out.name, "dropped", "it was silent longest when another came and the sandbox was full")
	}) {
		why := fmt.Sprintf("the sandbox has %d connections, the limit", maxClients)
		s.refused.tell(c.name, "refused", why)
		http.Error(w, why, http.StatusServiceUnavailable)
		return
	}
	defer s.clients.dismiss(c)
	defer c.hangUp(0, "")
	from := &slowHijacker{ResponseWriter: w, ending: c.ending}
	conn, err := websocket.Accept(from, r, nil) // refuses other origins
	if err != nil {
		s.refused.tell(c.name, "refused", err.Error())
		return // Accept has answered
	}
	select {
	case s.join <- c.client:
	case <-c.ending:
	case <-s.done:
	}
	c.serve(conn, from.conn, s)
}

// Limits of HTTP requests to a listening server. They bound the time for which a slow sender or a
// slow reader keeps its connection.
const (
	headerTimeout  = 5 * time.Second
	requestTimeout = 10 * time.Second // to read the request
	answerTimeout  = 15 * time.Second // to read the request and write the answer
	idleTimeout    = 60 * time.Second // between two requests of one connection
	maxHeaderBytes = 16 << 10
	// endTimeout is the time for which a server that ends waits for requests, and again for
	// WebSockets.
	endTimeout = 200 * time.Millisecond
)

// ListenAndServe runs the sandbox on addr ("127.0.0.1:8080"; port 0 means any free port) until ctx
// ends, and then returns nil. It calls ready, if not nil, with the address when it accepts
// connections. It returns an error if it cannot listen on addr, or if the world cannot be kept.
//
// On a loopback address it answers only requests to a loopback name. Otherwise a web page could
// reach the sandbox by resolving its own name to this machine (DNS rebinding).
func (s *Server) ListenAndServe(ctx context.Context, addr string, ready func(addr string)) error {
	run, err := s.makeOwner()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := make(chan error, 1)
	var runs bool
	err = serveHTTP(ctx, addr, s.Handler(), &s.refused, func(addr string) {
		runs = true
		go func() { ran <- s.run(ctx, run) }()
		if ready != nil {
			ready(addr)
		}
	})
	cancel()
	if !runs {
		return errors.Join(err, run(ctx)) // which ends
	}
	err = errors.Join(err, <-ran)
	// Run has closed the WebSockets, which Shutdown ignores. Do not wait for clients that do not
	// answer the close.
	end, stop := context.WithTimeout(context.Background(), endTimeout)
	defer stop()
	s.Wait(end)
	return err
}

// serveHTTP serves requests on addr until ctx ends. It calls ready with the address when it accepts connections.
func serveHTTP(
	ctx context.Context, addr string, handler http.Handler, refused *refusals, ready func(addr string),
) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return listenError(addr, err)
	}
	if a, ok := l.Addr().(*net.TCPAddr); ok && a.IP.IsLoopback() {
		handler = refused.loopbackOnly(handler)
	}
	kept := conns{refused: refused}
	h := &http.Server{
		Handler: throttled(handler), ConnContext: slowRequests, ConnState: kept.state,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout, WriteTimeout: answerTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: log.New(io.Discard, "", 0), // errors of requests are not logged
	}
	ready(l.Addr().String())
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		end, stop := context.WithTimeout(context.Background(), endTimeout)
		defer stop()
		if err = h.Shutdown(end); errors.Is(err, context.DeadlineExceeded) {
			err = h.Close() // only incomplete requests remain
		}
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("sandbox: serve %s: %w", addr, err)
	}
	return nil
}

// listenError explains an error of net.Listen.
func listenError(addr string, err error) error {
	const windowsInUse = syscall.Errno(10048) // WSAEADDRINUSE; syscall.EADDRINUSE differs on Windows
	if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsInUse) {
		return fmt.Errorf("the address %s is in use; choose another with --addr, such as --addr 127.0.0.1:0 for any "+
			"free port: %w", addr, err)
	}
	return fmt.Errorf("cannot listen on %s; choose another address with --addr HOST:PORT: %w", addr, err)
}

// loopbackOnly refuses requests whose Host is neither localhost nor a loopback address.
func (s *refusals) loopbackOnly(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if host != "localhost" && (err != nil || !ip.IsLoopback()) {
			s.tell(r.RemoteAddr, "refused", fmt.Sprintf("its Host is %.60q; a sandbox on a loopback address "+
				"answers to localhost only", r.Host))
			http.Error(w, "this sandbox answers to localhost only", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}
