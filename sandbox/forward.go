//go:build !js

package sandbox

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// forwarded is the header of a request that another host has forwarded, with the role of the client: it is not
	// forwarded again.
	forwarded = "Quarry-Forwarded"
	// forwardTimeout is the time for the owner of a world to take a connection.
	forwardTimeout = 2 * time.Second
)

// forward passes a WebSocket of a world to the host that runs it, and reports whether there is one. When that host
// ends, so does the WebSocket, and the page connects again. (The proxy of net/http/httputil would make the program 0.45
// MB larger.)
func (s *Worlds) forward(w http.ResponseWriter, r *http.Request, world string, role Role) bool {
	owner, address, ok := s.host.Owner(world)
	if !ok || address == "" || r.Header.Get(forwarded) != "" {
		return false
	}
	if from, err := url.Parse(r.Header.Get("Origin")); err != nil || from.Host != "" && from.Host != r.Host {
		http.Error(w, "the page is of another origin", http.StatusForbidden)
		return true
	}
	to, err := dialOwner(address, r, role)
	if err != nil {
		s.refuseOwner(w, r, world, address, err)
		return true
	}
	defer to.Close()
	answers := bufio.NewReader(to)
	_ = to.SetReadDeadline(time.Now().Add(forwardTimeout))
	answer, err := http.ReadResponse(answers, r)
	_ = to.SetReadDeadline(time.Time{})
	p := &passage{world: world, owner: owner}
	if err == nil && answer.StatusCode == http.StatusSwitchingProtocols {
		if p.epoch, err = epochOf(answer); err == nil && !s.passing.begin(p) {
			err = fmt.Errorf("epoch %d has passed", p.epoch)
		}
	}
	if err != nil {
		s.refuseOwner(w, r, world, address, err)
		return true
	}
	defer s.passing.finish(p)
	from, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return true // the connection has ended
	}
	defer from.Close()
	if err := answer.Write(from); err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		return true
	}
	done := make(chan struct{}, 2)
	pass := func(to io.Writer, from io.Reader) {
		_, _ = io.Copy(to, from) // an error is an end
		done <- struct{}{}
	}
	go pass(to, buffered)
	go pass(from, answers)
	p.await(s.host, done)
	return true
}

// refuseOwner answers a request whose owner has not.
func (s *Worlds) refuseOwner(w http.ResponseWriter, r *http.Request, world, address string, err error) {
	s.refused.tell(r.RemoteAddr, "refused", fmt.Sprintf("the owner of world %s at %.80q: %v", world, address, err))
	w.Header().Set("Retry-After", "1")
	http.Error(w, "the owner of the world cannot be reached", http.StatusBadGateway)
}

// dialOwner connects to the owner of a world at its address, and sends it a request.
func dialOwner(address string, r *http.Request, role Role) (net.Conn, error) {
	to, err := url.Parse(address)
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return nil, errors.New("it is no address such as http://10.0.0.7:8080")
	}
	dial := net.Dialer{Timeout: forwardTimeout}
	host, port := to.Hostname(), to.Port()
	var conn net.Conn
	if to.Scheme == "https" {
		conn, err = tls.DialWithDialer(&dial, "tcp", net.JoinHostPort(host, orDefault(port, "443")), nil)
	} else {
		conn, err = dial.Dial("tcp", net.JoinHostPort(host, orDefault(port, "80")))
	}
	if err != nil {
		return nil, err
	}
	out := r.Clone(r.Context())
	out.Host = to.Host
	out.Header.Del("Origin") // it was checked
	out.Header.Set(forwarded, role.String())
	if err := out.Write(conn); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

func orDefault(port, usual string) string {
	if port == "" {
		return usual
	}
	return port
}
