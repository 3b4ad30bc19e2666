// Command e2e measures what happens to worlds on NATS when hosts and servers die, stop and drain; see main.go.
package main

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// node describes a server of a cluster on this machine.
type node struct {
	index, count int
	port         int // of the first server; the routes have the ports 100 above
	dir          string
}

// start starts the server in this process.
func (n node) start() (*server.Server, error) {
	o := &server.Options{
		ServerName: fmt.Sprintf("n%d", n.index), Host: "127.0.0.1", Port: n.port + n.index, JetStream: true,
		StoreDir: filepath.Join(n.dir, fmt.Sprintf("n%d", n.index)), NoSigs: true,
		JetStreamMaxMemory: 256 << 20, JetStreamMaxStore: 4 << 30,
	}
	if n.count > 1 {
		o.Cluster = server.ClusterOpts{Name: "quarry", Host: "127.0.0.1", Port: n.port + 100 + n.index}
		for j := range n.count {
			if j != n.index {
				o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", n.port+100+j)})
			}
		}
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		return nil, errors.New("the server is not ready after 20 s")
	}
	return s, nil
}

// urls returns the addresses of the servers.
func urls(port, count int) (list []string) {
	for i := range count {
		list = append(list, fmt.Sprintf("nats://127.0.0.1:%d", port+i))
	}
	return list
}
