// Package node starts NATS servers with JetStream, for tests and for development.
package node

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Node describes a server of a cluster on this machine.
type Node struct {
	Index, Count int
	Port         int    // of the first server; the routes have the ports 100 above
	Dir          string // of the data of all servers
	Host         string // address to listen on for clients; "": 127.0.0.1
	Sync         bool   // flush each write to the disk
	MaxStore     int64  // bytes of data; 0: 4 GiB
}

// options returns the options of the server.
func (n Node) options() *server.Options {
	if n.Host == "" {
		n.Host = "127.0.0.1"
	}
	if n.MaxStore == 0 {
		n.MaxStore = 4 << 30
	}
	o := &server.Options{
		ServerName: fmt.Sprintf("n%d", n.Index), Host: n.Host, Port: n.Port + n.Index, JetStream: true,
		StoreDir: filepath.Join(n.Dir, fmt.Sprintf("n%d", n.Index)), NoSigs: true,
		JetStreamMaxMemory: 256 << 20, JetStreamMaxStore: n.MaxStore, SyncAlways: n.Sync,
	}
	if n.Count > 1 {
		o.Cluster = server.ClusterOpts{Name: "quarry", Host: "127.0.0.1", Port: n.Port + 100 + n.Index}
		if n.Host != "127.0.0.1" {
			o.Cluster.NoAdvertise = true // clients keep to the addresses that they were given
		}
		for j := range n.Count {
			if j != n.Index {
				o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", n.Port+100+j)})
			}
		}
	}
	return o
}

// Start starts the server in this process. It returns an error if the server is not ready after 20 s.
func (n Node) Start() (*server.Server, error) {
	s, err := server.NewServer(n.options())
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the server is not ready after 20 s; is its port in use?")
	}
	return s, nil
}

// URLs returns the addresses of servers on a machine.
func URLs(host string, port, count int) (list []string) {
	for i := range count {
		list = append(list, fmt.Sprintf("nats://%s:%d", host, port+i))
	}
	return list
}
