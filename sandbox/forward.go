//go:build !js

package sandbox

import (
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// forwarded is the header of a request that another host has forwarded: it is not forwarded again.
const forwarded = "Quarry-Forwarded"

// forward passes a WebSocket of a world to the host that runs it, and reports whether there is one. When that host ends,
// so does the WebSocket, and the page connects again.
func (s *Worlds) forward(w http.ResponseWriter, r *http.Request, world string) bool {
	_, address, ok := s.host.Owner(world)
	if !ok || address == "" || r.Header.Get(forwarded) != "" {
		return false
	}
	to, err := url.Parse(address)
	if err != nil || to.Host == "" {
		s.refused.tell("the owner of "+world, "refused", fmt.Sprintf("its address is %.80q", address))
		return false
	}
	if from, err := url.Parse(r.Header.Get("Origin")); err != nil || from.Host != "" && from.Host != r.Host {
		http.Error(w, "the page is of another origin", http.StatusForbidden)
		return true
	}
	proxy := httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(to)
			p.Out.Header.Del("Origin") // it was checked here
			p.Out.Header.Set(forwarded, "1")
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "the owner of the world cannot be reached: "+err.Error(), http.StatusBadGateway)
		},
	}
	proxy.ServeHTTP(w, r)
	return true
}
