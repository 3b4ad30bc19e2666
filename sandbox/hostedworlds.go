//go:build !js

package sandbox

import (
	"context"
	"fmt"
	"html"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/quarry2d/quarry/host"
)

// Worlds shows the worlds of a host: a list at /, and each world's page at /w/NAME/. Make one with NewWorlds, set
// host.Config.Serve to its method Serve, and call ListenAndServe, or serve Handler.
type Worlds struct {
	config  Config
	refused refusals
	passing passages

	mu   sync.Mutex
	here map[string]*Server
	open sync.WaitGroup // servers whose WebSockets are not closed yet
	host *host.Host
	// inner serves only requests that another host has forwarded, beside health and metrics.
	inner bool
}

// NewWorlds returns Worlds. Of c it uses Scenes, Guests, Keys and Log. Call Of before the first request.
func NewWorlds(c Config) *Worlds {
	return &Worlds{config: c, refused: refusals{write: c.Log}, here: map[string]*Server{}}
}

// Of sets the host whose worlds are shown. Those that run on other hosts are shown, too, by way of host.Config.Address.
func (s *Worlds) Of(h *host.Host) { s.host = h }

// OnlyForwarded makes Handler serve players only by way of other hosts.
func (s *Worlds) OnlyForwarded() { s.inner = true }

// Serve runs and shows a world of the host.
func (s *Worlds) Serve(w *host.World) {
	v := New(Config{Scenes: s.config.Scenes, Log: s.config.Log})
	v.epoch, v.handler = w.Epoch(), v.Handler()
	v.roles = func(r *http.Request) (Role, error) { return s.roleOf(r, w.Name()) }
	s.mu.Lock()
	s.here[w.Name()] = v
	s.mu.Unlock()
	s.open.Add(1)
	v.Serve(w)
	s.mu.Lock()
	if s.here[w.Name()] == v {
		delete(s.here, w.Name())
	}
	s.mu.Unlock()
	go func() {
		defer s.open.Done()
		end, stop := context.WithTimeout(context.Background(), endTimeout)
		defer stop()
		v.Wait(end)
	}()
}

// ListenAndServe serves on addr until ctx ends, like Server.ListenAndServe. The host must have drained then.
func (s *Worlds) ListenAndServe(ctx context.Context, addr string, ready func(addr string)) error {
	err := serveHTTP(ctx, addr, s.Handler(), &s.refused, ready)
	s.open.Wait()
	return err
}

// Handler serves the list of worlds at /, and the page of each at /w/NAME/; /healthz, and /readyz, which fails while
// the host does not take or run worlds; and /metrics, the counts of the host in the text format of Prometheus.
func (s *Worlds) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, path := range []string{"ws", "worlds", "worlds/{picture}", "scenes/{picture}", "world"} {
		mux.HandleFunc("GET /w/{name}/"+path, s.pass)
	}
	mux.HandleFunc("POST /w/{name}/world", s.pass)
	if !s.inner {
		mux.HandleFunc("GET /{$}", s.list)
		mux.HandleFunc("GET /w/{name}/", s.page)
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /metrics", s.metrics)
	return mux
}

// page serves the page of a world.
func (s *Worlds) page(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if _, ok := s.host.Worlds()[name]; !ok {
		http.Error(w, fmt.Sprintf("there is no world %.80q", name), http.StatusNotFound)
		return
	}
	http.StripPrefix("/w/"+name, page()).ServeHTTP(w, r)
}

// pass passes a request to the server of its world, here or on the host that owns it.
func (s *Worlds) pass(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	s.mu.Lock()
	v := s.here[name]
	s.mu.Unlock()
	if s.inner && r.Header.Get(forwarded) == "" {
		http.Error(w, "players come by way of a gateway", http.StatusForbidden)
		return
	}
	if v != nil {
		w.Header().Set(epochHeader, strconv.FormatUint(v.epoch, 10))
		http.StripPrefix("/w/"+name, v.handler).ServeHTTP(w, r)
		return
	}
	role, err := s.roleOf(r, name)
	if !s.refused.admit(w, r, role, err) || s.forward(w, r, name, role) {
		return
	}
	w.Header().Set("Retry-After", "1")
	http.Error(w, fmt.Sprintf("the world %.80q does not run here now", name), http.StatusServiceUnavailable)
}

// roleOf returns the role of a request to a world. Gateways and owners both look at the token; of a request that a
// gateway has forwarded, the owner takes the lesser role of both, in case that it knows less of tokens.
func (s *Worlds) roleOf(r *http.Request, world string) (role Role, err error) {
	role = s.config.Guests
	if token := r.URL.Query().Get("token"); token != "" {
		if role, err = s.config.Keys.role(world, token, time.Now()); err != nil {
			return None, err
		}
	}
	if by := r.Header.Get(forwarded); by != "" {
		least, err := ParseRole(by)
		return max(role, least), err
	}
	return role, nil
}

// listHead begins the list of worlds, in the colours of the page of a world (web/style.css).
const listHead = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Quarry: worlds</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1d2430, #e7ebf2);
  background: light-dark(#e8edf4, #12161e) }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
ul { list-style: none; padding: 0 }
a { display: block; margin: .5rem 0; padding: .75rem 1rem; border: 1px solid light-dark(#d5dae2, #2a303b);
  border-radius: 10px; background: light-dark(#fff, #1a202b); color: inherit; text-decoration: none; font-weight: 600 }
a:hover, a:focus { border-color: #f0a04b }
small { float: right; font-weight: normal; color: light-dark(#5b6675, #97a1b3) }
</style>
<h1>Worlds</h1>
`

// list serves the list of worlds.
func (s *Worlds) list(w http.ResponseWriter, _ *http.Request) {
	owners := s.host.Worlds()
	var b strings.Builder
	b.WriteString(listHead)
	if len(owners) == 0 {
		b.WriteString("<p>There is no world yet: quarry serve --world NAME makes one.</p>\n")
	}
	b.WriteString("<ul>\n")
	for _, name := range slices.Sorted(maps.Keys(owners)) {
		state := ""
		if owners[name] == "" {
			state = " <small>waits for a host</small>"
		}
		name = html.EscapeString(name)
		fmt.Fprintf(&b, "<li><a href=\"w/%s/\">%s%s</a></li>\n", name, name, state)
	}
	b.WriteString("</ul>\n")
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "+
		"frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	_, _ = w.Write([]byte(b.String()))
}
